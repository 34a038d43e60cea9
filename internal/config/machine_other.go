//go:build !unix

package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

func readlink(path string) (string, error) { return os.Readlink(path) }

func lstat(path string) glimpse {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return glimpse{path: path, kind: nothing}
	case err != nil:
		return glimpse{path: path, kind: unknown}
	}
	g := glimpse{path: path, kind: other, mode: uint32(info.Mode().Perm()), uid: ownerOf(info)}
	switch {
	case info.IsDir():
		g.kind = directory
	case info.Mode()&fs.ModeSymlink != 0:
		g.kind = link
	}
	return g
}

// readAt reads a part of a regular file.
func readAt(path string, offset int64, room []byte) (int, error) {
	f, _, err := openRegular(path, 1<<50)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := f.ReadAt(room, offset)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func readFile(path string, limit int64) ([]byte, error) {
	f, _, err := openRegular(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = tooLong(path, limit)
	}
	return text, err
}

func mapped(f *os.File, size int64) (text string, release func(), err error) {
	data, err := io.ReadAll(io.LimitReader(f, size))
	return string(data), func() {}, err
}

// ownerOf is what os.Geteuid says here: files have no such owner.
func ownerOf(fs.FileInfo) int { return -1 }
