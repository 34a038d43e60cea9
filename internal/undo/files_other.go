//go:build !unix

package undo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// dir is a directory by its path: where there are no descriptors of directories, the window between
// looking and reading is as wide as the system makes it.
type dir struct{ path string }

func openDir(path string) (dir, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() {
		err = errors.New(path + ": not a directory")
	}
	return dir{path}, err
}

func (d dir) below(name string) (dir, error) { return openDir(filepath.Join(d.path, name)) }
func (d dir) close()                         {}

func (d dir) names([]byte) (list []string, err error) {
	f, err := os.Open(d.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

func (d dir) look(name string) (found, error) {
	info, err := os.Lstat(filepath.Join(d.path, name))
	if err != nil {
		return found{}, err
	}
	return foundBy(info), nil
}

func (d dir) self() (found, error) { return d.look(".") }

func foundBy(info fs.FileInfo) found {
	f := found{mode: uint16(info.Mode().Perm()), size: info.Size(), mtime: info.ModTime().UnixNano(), ctime: info.ModTime().UnixNano()}
	switch {
	case info.Mode().IsRegular():
		f.kind = File
	case info.IsDir():
		f.kind, f.size = Dir, 0
	case info.Mode()&fs.ModeSymlink != 0:
		f.kind, f.mode = Link, 0
	}
	return f
}

func (d dir) link(name string) (string, error) { return os.Readlink(filepath.Join(d.path, name)) }

type file struct{ *os.File }

func (d dir) open(name string) (file, error) {
	f, err := os.Open(filepath.Join(d.path, name))
	return file{f}, err
}

func (f file) close() { f.Close() }

func (f file) look() (found, error) {
	info, err := f.Stat()
	if err != nil {
		return found{}, err
	}
	return foundBy(info), nil
}

func (d dir) linkTo(name, path string) error { return os.Link(filepath.Join(d.path, name), path) }

// lock makes a file that must not be there. One that is older than any snapshot takes was left behind.
func lock(path string, wait time.Duration) (release func(), err error) {
	for end := time.Now().Add(wait); ; time.Sleep(5 * time.Millisecond) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			return func() { f.Close(); os.Remove(path) }, nil
		}
		if info, gone := os.Stat(path); gone == nil && time.Since(info.ModTime()) > 10*time.Minute {
			os.Remove(path)
		}
		if time.Now().After(end) {
			return nil, ErrBusy
		}
	}
}
