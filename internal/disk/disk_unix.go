//go:build unix

package disk

import "os"

// Rename puts a file in the place of another, at once.
func Rename(from, to string) error { return os.Rename(from, to) }
