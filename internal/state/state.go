// Package state keeps what a person has told longline beside the rules: which
// project files are trusted, which command may run once, and until when
// questions are put off.
//
// Each fact is a file of its own that is written whole or not at all, so that
// any number of processes may read and write without a lock: whoever renames or
// removes a file first has done it, the others find it gone.
package state

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"longline/internal/disk"
)

// Store is the directory of the user's state. The zero Store holds nothing and
// cannot be written to.
type Store struct{ dir string }

// errNowhere is why the zero Store keeps nothing.
var errNowhere = errors.New("no home directory for the state")

// Open returns the store in a directory; "" is the zero Store.
func Open(dir string) Store { return Store{dir} }

// Dir is where the store is, or "".
func (s Store) Dir() string { return s.dir }

// write puts a file into one of the store's directories, at once and as a whole.
func (s Store) write(kind, name string, text []byte) error {
	return s.put(kind, name, text, disk.Rename)
}

// create is write for a file that must not be there yet.
func (s Store) create(kind, name string, text []byte) error {
	return s.put(kind, name, text, func(from, to string) error {
		defer os.Remove(from)
		return os.Link(from, to)
	})
}

func (s Store) put(kind, name string, text []byte, place func(from, to string) error) error {
	if s.dir == "" {
		return errNowhere
	}
	dir := filepath.Join(s.dir, kind)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp := filepath.Join(dir, "."+name+"."+newID())
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = place(temp, filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// maxRecord bounds what is read of a file of the store.
const maxRecord = 20 << 20

// read returns a file of the store. One that is not a regular file, or that others
// may write to, is none of ours.
func (s Store) read(kind, name string) ([]byte, error) {
	if s.dir == "" {
		return nil, fs.ErrNotExist
	}
	path := filepath.Join(s.dir, kind, name)
	text, err := readOwn(path, maxRecord+1)
	switch {
	case err == errNotOwn:
		return nil, errors.New(path + ": not a file that only you can write")
	case err == nil && len(text) > maxRecord:
		return nil, errors.New(path + ": too long")
	}
	return text, err
}

// errNotOwn is why a file is not read: somebody else may have written it.
var errNotOwn = errors.New("not a file that only you can write")

// names lists the files of one kind, sorted; those being written are left out.
func (s Store) names(kind string) []string {
	if s.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, kind))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

func (s Store) remove(kind, name string) error {
	return os.Remove(filepath.Join(s.dir, kind, name))
}

// newID makes a short name that no other file has. It need not be secret: an id
// alone gives nobody a right.
func newID() string {
	const letters = "abcdefghijkmnpqrstuvwxyz23456789" // none that look alike
	n := rand.Uint64()
	id := make([]byte, 8)
	for i := range id {
		id[i] = letters[n&31]
		n >>= 5
	}
	return string(id)
}

// fields writes the head of a record: one quoted text to a line.
func fields(texts ...string) []byte {
	var b []byte
	for _, t := range texts {
		b = append(strconv.AppendQuote(b, t), '\n')
	}
	return b
}

// cutFields reads back n texts and returns what follows them.
func cutFields(record []byte, n int) (texts []string, rest string, ok bool) {
	rest = string(record)
	for range n {
		line, after, found := strings.Cut(rest, "\n")
		text, err := strconv.Unquote(line)
		if !found || err != nil {
			return nil, "", false
		}
		texts, rest = append(texts, text), after
	}
	return texts, rest, true
}
