//go:build unix

package audit

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// handle is a file that is open.
type handle = int

func closeFile(fd handle) error { return syscall.Close(fd) }

// lock takes the lock of a directory unless somebody has it.
func lock(dir *os.File) bool {
	return syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// open opens the log without package os, which would set up the machinery for
// waiting on many files. Opening a pipe that nobody reads would wait for ever
// without O_NONBLOCK.
func open(path string) (fd handle, what state, err error) {
	for {
		fd, err = syscall.Open(path, syscall.O_APPEND|syscall.O_CREAT|syscall.O_RDWR|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0o600)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		return -1, state{}, err
	}
	var info syscall.Stat_t
	if err = syscall.Fstat(fd, &info); err == nil {
		err = checkLog(fd, &info)
	}
	if err != nil {
		syscall.Close(fd)
		return -1, state{}, err
	}
	return fd, state{info.Mode&syscall.S_IFMT == syscall.S_IFREG, info.Size, modified(&info)}, nil
}

// checkLog says why something cannot be a log. A file that was not begun by a log is
// somebody's: a line in it may be code.
func checkLog(fd handle, info *syscall.Stat_t) error {
	switch info.Mode & syscall.S_IFMT {
	case syscall.S_IFIFO, syscall.S_IFSOCK:
		return errors.New("the log must be a file")
	case syscall.S_IFREG:
		if info.Size == 0 {
			return nil
		}
		var first [1]byte
		if n, _ := syscall.Pread(fd, first[:], 0); n == 1 && first[0] != '{' && first[0] != '\n' {
			return errors.New("the file is not a log")
		}
	}
	return nil
}

// write writes a line at once. If the disk fills up in the midst of it, only
// this line is lost: it is ended, or taken back where there is no room for that
// either and nobody has written behind it.
func write(fd handle, line []byte) error {
	n, err := syscall.Write(fd, line)
	for err == syscall.EINTR {
		n, err = syscall.Write(fd, line)
	}
	if err != nil || n == len(line) {
		return err
	}
	if _, err := syscall.Write(fd, []byte{'\n'}); err != nil {
		var info syscall.Stat_t
		end, err := syscall.Seek(fd, 0, io.SeekCurrent)
		if err == nil && syscall.Fstat(fd, &info) == nil && info.Size == end {
			_ = syscall.Ftruncate(fd, end-int64(n))
		}
	}
	return io.ErrShortWrite
}
