package history

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Files are the files of a log at one moment: those that were put away, the
// oldest first, and the one that is written to.
type Files struct {
	path    string
	list    func() []string // lists what was put away
	put     []string
	current *os.File // nil if there is none
	end     int64    // its size at that moment
}

// Open opens the log at path; put lists the files that were put away. The
// current file is opened before they are listed: if it is put away in between,
// it is found twice and read once, where the other order would miss it.
func Open(path string, put func() []string) (*Files, error) {
	files := &Files{path: path, list: put}
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		files.current = f
		if files.end, err = f.Seek(0, io.SeekEnd); err != nil {
			f.Close()
			return nil, err
		}
	}
	files.put = put()
	return files, nil
}

// OpenOne opens a single file, which must be there.
func OpenOne(path string) (*Files, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return Open(path, func() []string { return nil })
}

// Close closes the current file.
func (f *Files) Close() {
	if f.current != nil {
		f.current.Close()
	}
}

// ReadFiles reads the files of a log, one after the other. One that has been put
// away for too long may be removed meanwhile.
func (c *Count) ReadFiles(files *Files, do func(r *Record, line []byte) error) error {
	for _, path := range files.put {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !same(f, files.current) {
			err = c.Read(path, f, do)
		}
		f.Close()
		if err != nil {
			return err
		}
	}
	if files.current == nil {
		return nil
	}
	return c.Read(files.path, io.NewSectionReader(files.current, 0, files.end), do)
}

func same(a, b *os.File) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}
