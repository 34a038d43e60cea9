//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"
	"unsafe"

	"longline/internal/tool"
)

// readlink is os.Readlink without what it allocates: it is called for every
// directory on the way to every path, and hardly any of them is a link.
func readlink(path string) (string, error) {
	var room [512]byte
	n, err := syscall.Readlink(path, room[:])
	switch {
	case err == syscall.EINVAL:
		return "", tool.ErrNotLink
	case err != nil && err != syscall.EINTR:
		return "", err
	case err != nil || n >= len(room):
		return os.Readlink(path)
	}
	return string(room[:n]), nil
}

// mapped is the content of a file as the kernel holds it anyway, not a copy, until
// it is released. Where a file is shortened meanwhile, a use of it faults; longline
// itself never writes into a compiled file but puts a new one in its place.
func mapped(f *os.File, size int64) (text string, release func(), err error) {
	if size == 0 {
		return "", func() {}, nil
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return "", nil, err
	}
	return unsafe.String(unsafe.SliceData(data), len(data)), func() { syscall.Munmap(data) }, nil
}

// ownerOf is the user a file belongs to.
func ownerOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -2
}
