//go:build !linux

package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"longline/internal/tool"
)

// entries lists a directory.
func entries(dir string) (list []tool.Entry, whole bool) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a pipe
	if err != nil {
		return nil, false
	}
	defer f.Close()
	found, err := f.ReadDir(maxEntries)
	for _, e := range found {
		list = append(list, tool.Entry{Name: e.Name(), Link: e.Type()&fs.ModeSymlink != 0, Dir: e.IsDir()})
	}
	return list, len(found) < maxEntries && (err == nil || errors.Is(err, io.EOF))
}
