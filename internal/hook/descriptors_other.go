//go:build !unix

package hook

func descriptorsLeft() bool { return true }
