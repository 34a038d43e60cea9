//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"
)

// readlink is os.Readlink without what it allocates: it is called for every
// directory on the way to every path, and hardly any of them is a link.
func readlink(path string) (string, error) {
	var room [512]byte
	n, err := syscall.Readlink(path, room[:])
	switch {
	case err != nil && err != syscall.EINTR:
		return "", err
	case err != nil || n >= len(room):
		return os.Readlink(path)
	}
	return string(room[:n]), nil
}

// ownerOf is the user a file belongs to.
func ownerOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -2
}
