//go:build unix

package undo

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// dir is an open directory. Everything below a root is reached by descriptors of directories and
// by single names, and no link is followed: what is put in the way meanwhile leads nowhere else.
type dir struct{ fd int }

const lookFlags = unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK

// retry does something until no signal interrupts it.
func retry(do func() error) error {
	for {
		if err := do(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func openDir(path string) (d dir, err error) {
	err = retry(func() error {
		d.fd, err = unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|lookFlags, 0)
		return err
	})
	return d, err
}

func (d dir) below(name string) (sub dir, err error) {
	err = retry(func() error {
		sub.fd, err = unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_DIRECTORY|lookFlags, 0)
		return err
	})
	return sub, err
}

func (d dir) close() { unix.Close(d.fd) }

// names lists the directory, in no order.
func (d dir) names(room []byte) (list []string, err error) {
	for {
		n, err := unix.ReadDirent(d.fd, room)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, err
		case n <= 0:
			return list, nil
		}
		_, _, list = unix.ParseDirent(room[:n], -1, list)
	}
}

func (d dir) look(name string) (found, error) {
	var st unix.Stat_t
	err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	for err == unix.EINTR {
		err = unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	}
	if err != nil {
		return found{}, err
	}
	return foundBy(&st), nil
}

func (d dir) self() (found, error) {
	var st unix.Stat_t
	err := unix.Fstat(d.fd, &st)
	return foundBy(&st), err
}

func foundBy(st *unix.Stat_t) found {
	f := found{
		mode: uint16(st.Mode & 0o7777), size: st.Size,
		mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), ino: uint64(st.Ino), dev: uint64(st.Dev),
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		f.kind = File
	case unix.S_IFDIR:
		f.kind, f.size = Dir, 0
	case unix.S_IFLNK:
		f.kind, f.mode = Link, 0
	}
	return f
}

// link is where a symbolic link leads.
func (d dir) link(name string) (string, error) {
	for room := make([]byte, 256); ; room = make([]byte, 4*len(room)) {
		n, err := unix.Readlinkat(d.fd, name, room)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n < len(room) {
			return string(room[:max(n, 0)]), err
		}
	}
}

// file is a file that is being read. Package os would set up the machinery for waiting on many.
type file struct{ fd int }

func (d dir) open(name string) (f file, err error) {
	err = retry(func() error {
		f.fd, err = unix.Openat(d.fd, name, unix.O_RDONLY|lookFlags, 0)
		return err
	})
	return f, err
}

func (f file) close() { unix.Close(f.fd) }

func (f file) look() (found, error) { return dir(f).self() }

func (f file) Read(room []byte) (n int, err error) {
	err = retry(func() error {
		n, err = unix.Read(f.fd, room)
		return err
	})
	if n <= 0 && err == nil && len(room) > 0 {
		return 0, io.EOF
	}
	return max(n, 0), err
}

// linkTo gives a file a second name. It is for files that nobody writes into.
func (d dir) linkTo(name, path string) error {
	return unix.Linkat(d.fd, name, unix.AT_FDCWD, path, 0)
}

// lock waits until this process alone has a file, which is let go when the process ends, however it does.
func lock(path string, wait time.Duration) (release func(), err error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CREAT|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	for end := time.Now().Add(wait); ; time.Sleep(2 * time.Millisecond) {
		err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return func() { unix.Close(fd) }, nil
		case err != unix.EWOULDBLOCK && err != unix.EINTR:
			unix.Close(fd)
			return nil, &os.PathError{Op: "lock", Path: path, Err: err}
		case time.Now().After(end):
			unix.Close(fd)
			return nil, ErrBusy
		}
	}
}
