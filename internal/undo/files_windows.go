package undo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// dir is a directory by its path: where there are no descriptors of directories, the window between
// looking and reading is as wide as the system makes it.
type dir struct{ path string }

// shared says whether a file has other names, which may lie anywhere: what is written to it is written there too.
func shared(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	err = windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info)
	return err == nil && info.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY == 0 && info.NumberOfLinks > 1
}

func openDir(path string) (dir, error) {
	info, err := os.Lstat(path)
	if err == nil && (!info.IsDir() || info.Mode()&fs.ModeIrregular != 0) {
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
	case info.Mode()&fs.ModeIrregular != 0: // a junction, which leads elsewhere
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

// lock waits until this process alone has a file, which is let go when the process ends, however it does.
func lock(path string, wait time.Duration) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	for end := time.Now().Add(wait); ; time.Sleep(2 * time.Millisecond) {
		err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
		switch {
		case err == nil:
			return func() { f.Close() }, nil
		case !errors.Is(err, windows.ERROR_LOCK_VIOLATION):
			f.Close()
			return nil, &os.PathError{Op: "lock", Path: path, Err: err}
		case time.Now().After(end):
			f.Close()
			return nil, ErrBusy
		}
	}
}
