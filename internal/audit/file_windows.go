package audit

import (
	"errors"
	"os"

	"longline/internal/disk"
)

// handle is a file that is open.
type handle = *os.File

func closeFile(f handle) error { return f.Close() }

// lock has nothing to lock with: a file that somebody has open is not renamed here.
func lock(*os.File) bool { return true }

func open(path string) (handle, state, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, state{}, err
	}
	info, err := f.Stat()
	var first [1]byte
	if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		// A file that was not begun by a log is somebody's: a line in it may be code.
		if n, _ := f.ReadAt(first[:], 0); n == 1 && first[0] != '{' && first[0] != '\n' {
			err = errors.New("the file is not a log")
		}
	}
	if err != nil {
		f.Close()
		return nil, state{}, err
	}
	return f, state{info.Mode().IsRegular(), info.Size(), info.ModTime()}, nil
}

// write writes a line at once, while no other does.
func write(f handle, line []byte) error {
	if err := disk.Lock(f); err != nil {
		return err
	}
	_, err := f.Write(line)
	return err
}
