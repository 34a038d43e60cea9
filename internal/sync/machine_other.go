//go:build !darwin

package sync

func systemID() string { return "" }
