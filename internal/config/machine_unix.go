//go:build unix

package config

import (
	"io"
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

// lstat is os.Lstat without what it allocates: most of what is looked for with
// every call is not there.
func lstat(path string) glimpse {
	var info syscall.Stat_t
	err := syscall.Lstat(path, &info)
	for err == syscall.EINTR {
		err = syscall.Lstat(path, &info)
	}
	switch err {
	case nil:
	case syscall.ENOENT:
		return glimpse{path: path, kind: nothing}
	default:
		return glimpse{path: path, kind: unknown}
	}
	g := glimpse{path: path, kind: other, mode: uint32(info.Mode) & 0o777, uid: int(info.Uid)}
	switch info.Mode & syscall.S_IFMT {
	case syscall.S_IFDIR:
		g.kind = directory
	case syscall.S_IFLNK:
		g.kind = link
	}
	return g
}

// readFile reads a regular file of at most limit bytes. Anything else is an
// error at once: a pipe would wait for ever, a device may never end.
func readFile(path string, limit int64) ([]byte, error) {
	fd, size, err := openToRead(path, limit)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	return readAll(fd, path, size, limit)
}

// readAt reads a part of a regular file.
func readAt(path string, offset int64, room []byte) (n int, err error) {
	fd, _, err := openToRead(path, 1<<50)
	if err != nil {
		return 0, err
	}
	defer syscall.Close(fd)
	for n < len(room) {
		more, err := syscall.Pread(fd, room[n:], offset+int64(n))
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return n, &fs.PathError{Op: "read", Path: path, Err: err}
		case more == 0 && n == 0 && len(room) > 0:
			return 0, io.EOF
		case more == 0:
			return n, nil
		}
		n += more
	}
	return n, nil
}

// openToRead opens a regular file of at most limit bytes. Package os would set up the machinery
// for waiting on many files.
func openToRead(path string, limit int64) (fd int, size int64, err error) {
	fd, err = openAt(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	if err != nil {
		return -1, 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	var info syscall.Stat_t
	if err = syscall.Fstat(fd, &info); err != nil {
		err = &fs.PathError{Op: "stat", Path: path, Err: err}
	} else {
		kind := info.Mode & syscall.S_IFMT
		err = readable(path, kind == syscall.S_IFDIR, kind == syscall.S_IFREG, info.Size, limit)
	}
	if err != nil {
		syscall.Close(fd)
		return -1, 0, err
	}
	return fd, info.Size, nil
}

// openAt opens a path, however often a signal interrupts that.
func openAt(path string, flags int) (fd int, err error) {
	for {
		if fd, err = syscall.Open(path, flags, 0); err != syscall.EINTR {
			return fd, err
		}
	}
}

// readAll reads a file of some size to its end. The size of a file in /proc is 0 whatever it
// holds, and a file may grow while it is read, so the bound is on what is read.
func readAll(fd int, path string, size, limit int64) ([]byte, error) {
	text := make([]byte, 0, size+512)
	for {
		n, err := syscall.Read(fd, text[len(text):cap(text)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		ended := n == 0 || n < cap(text)-len(text) && int64(len(text)+n) == size
		text = text[:len(text)+n]
		switch {
		case int64(len(text)) > limit:
			return nil, tooLong(path, limit)
		case ended:
			return text, nil
		case len(text) == cap(text):
			text = append(text, 0)[:len(text)]
		}
	}
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

// programEnd is how the names of programs end.
const programEnd = ""

// Environ is an environment as it was given.
func Environ(list []string) Env { return list }

// managedDir is where the administrator of a machine puts rules.
func managedDir() string { return "/etc/longline" }

// ownedBy says whether a file belongs to a user, and nobody else can have written it.
func ownedBy(_ *os.File, info fs.FileInfo, owner int) bool {
	return ownerOf(info) == owner && info.Mode()&0o022 == 0
}

// randomKey is a new key, or nil if the system gives none.
func randomKey() []byte {
	random, err := os.Open("/dev/urandom")
	if err != nil {
		return nil
	}
	defer random.Close()
	key := make([]byte, keySize)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil
	}
	return key
}

// ownerOf is the user a file belongs to.
func ownerOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -2
}
