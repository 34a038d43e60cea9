//go:build unix

package config

import (
	"io/fs"
	"syscall"
)

// ownerOf is the user a file belongs to.
func ownerOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -2
}
