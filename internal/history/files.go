package history

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Files are the files of a log at one moment: those that were put away, the
// oldest first, and the one that is written to.
type Files struct {
	path string
	list func() []string // lists what was put away
	old  []string        // put away long ago: nobody writes to them any more
	open []*open         // the last ones put away, and the current one
	// current is the last of open, or nil if there was none.
	current *open
	known   []string // names of files that were put away
}

// open is a file of the log and how far it has been read, or is to be read.
type open struct {
	*os.File
	at int64
}

// held is how many of the files that were put away last are kept open: a process
// that had opened one before may still write its line into it.
const held = 16

// Open opens the log at path; put lists the files that were put away. The
// current file is opened before they are listed: if it is put away in between,
// it is found twice and read once, where the other order would miss it.
func Open(path string, put func() []string) (_ *Files, err error) {
	files := &Files{path: path, list: put}
	defer func() {
		if err != nil {
			files.Close()
		}
	}()
	if files.current, err = openFile(path); err != nil {
		return nil, err
	}
	files.known = put()
	last := max(0, len(files.known)-held)
	files.old = files.known[:last]
	for _, name := range files.known[last:] {
		f, err := openFile(name)
		switch {
		case err != nil:
			return nil, err
		case f == nil: // removed as soon as it was listed
		case files.current != nil && same(f.File, files.current.File):
			f.Close()
		default:
			files.open = append(files.open, f)
		}
	}
	if files.current != nil {
		files.open = append(files.open, files.current)
	}
	return files, nil
}

// openFile opens a file, to be read as far as it goes now. It is nil if there is
// none.
func openFile(path string) (*open, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &open{f, info.Size()}, nil
}

// OpenOne opens a single file, which must be there.
func OpenOne(path string) (*Files, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return Open(path, func() []string { return nil })
}

// Close closes the files.
func (f *Files) Close() {
	if f.current != nil {
		f.current.Close()
	}
	for _, open := range f.open {
		open.Close()
	}
}

// ReadFiles reads the files of a log, one after the other. One that has been put
// away for too long may be removed meanwhile.
func (c *Count) ReadFiles(files *Files, do func(r *Record, line []byte) error) error {
	for _, path := range files.old {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		err = c.Read(path, f, do)
		f.Close()
		if err != nil {
			return err
		}
	}
	for _, f := range files.open {
		if err := c.Read(f.Name(), io.NewSectionReader(f, 0, f.at), do); err != nil {
			return err
		}
	}
	return nil
}

// wholeLines is how far the complete lines of a file go before end. A line can
// be seen while it is written.
func wholeLines(f *os.File, end int64) int64 {
	from := max(0, end-chunk)
	text := make([]byte, end-from)
	n, _ := f.ReadAt(text, from)
	last := int64(bytes.LastIndexByte(text[:n], '\n'))
	if last < 0 && from > 0 {
		return end // no line of ours
	}
	return from + last + 1
}

func same(a, b *os.File) bool {
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}
