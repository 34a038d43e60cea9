package state

import (
	"io"
	"os"

	"longline/internal/disk"
)

const noFollow = 0

// readOwn reads at most limit bytes of a file that only this user, or who could do anything to the user, can write.
func readOwn(path string, limit int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || !disk.Only(f) {
		return nil, errNotOwn
	}
	return io.ReadAll(io.LimitReader(f, int64(limit)))
}

// appendWhole appends in one write, while no other does.
func appendWhole(path string, lines []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := disk.Lock(f); err != nil {
		return err
	}
	_, err = f.Write(lines)
	return err
}
