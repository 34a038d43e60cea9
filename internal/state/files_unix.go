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

// isOwn says whether a file belongs to who runs this.
func isOwn(info fs.FileInfo) bool {
	owner, known := info.Sys().(*syscall.Stat_t)
	return known && int(owner.Uid) == os.Geteuid()
}

func readWhole(path string) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	switch {
	case err == syscall.ENOENT || err == syscall.ENOTDIR: // no place to keep any in
		return nil, nil
	case err != nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		return nil, err
	}
	if info.Mode&syscall.S_IFMT != syscall.S_IFREG || info.Mode&0o022 != 0 || int(info.Uid) != os.Geteuid() {
		return nil, ErrJournal
	}
	text := make([]byte, 0, min(info.Size, maxJournal)+512)
	for len(text) < maxJournal {
		n, err := syscall.Read(fd, text[len(text):cap(text)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, err
		case n == 0:
			return text, nil
		}
		if text = text[:len(text)+n]; len(text) == cap(text) {
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
