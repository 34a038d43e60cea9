//go:build unix

package state

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

const (
	noFollow = syscall.O_NOFOLLOW
	readOnly = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
)

// readOwn reads at most limit bytes of a file that only this user can write, without
// package os, since that is done with every call.
func readOwn(path string, limit int) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|readOnly|syscall.O_CLOEXEC, 0)
	for err == syscall.EINTR {
		fd, err = syscall.Open(path, syscall.O_RDONLY|readOnly|syscall.O_CLOEXEC, 0)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		return nil, err
	}
	if info.Mode&syscall.S_IFMT != syscall.S_IFREG || info.Mode&0o022 != 0 || int(info.Uid) != os.Geteuid() {
		return nil, errNotOwn
	}
	return readAll(fd, int(info.Size), limit)
}

// readAll reads at most limit bytes of a file that has some size.
func readAll(fd, size, limit int) ([]byte, error) {
	text := make([]byte, 0, min(size+1, limit))
	for len(text) < limit {
		n, err := syscall.Read(fd, text[len(text):min(cap(text), limit)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, err
		}
		ended := n == 0 || n < cap(text)-len(text) && len(text)+n == size
		if text = text[:len(text)+n]; ended {
			return text, nil
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
	}
	return text, nil
}

// appendWhole appends in one write.
func appendWhole(path string, lines []byte) error {
	fd, err := syscall.Open(path, syscall.O_APPEND|syscall.O_CREAT|syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	n, err := syscall.Write(fd, lines)
	for err == syscall.EINTR {
		n, err = syscall.Write(fd, lines)
	}
	if err == nil && n < len(lines) {
		err = io.ErrShortWrite // the journal counts as damaged from now on
	}
	return err
}
