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
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Store is the directory of the user's state. The zero Store holds nothing and
// cannot be written to.
type Store struct{ dir string }

// errNowhere is why the zero Store keeps nothing.
var errNowhere = errors.New("there is no home directory to keep the state in")

// Open returns the store of a user: "longline" below xdg, the value of
// XDG_STATE_HOME, or below ~/.local/state. A repository can have an agent set
// variables, so xdg counts only where it lies in the home directory and outside
// the places that agents write to unasked.
func Open(home, xdg string, avoid ...string) Store {
	if !filepath.IsAbs(home) {
		return Store{}
	}
	if filepath.IsAbs(xdg) && plausible(home, filepath.Clean(xdg), avoid) {
		return Store{filepath.Join(xdg, "longline")}
	}
	return Store{filepath.Join(home, ".local/state/longline")}
}

// temporary are the directories that anybody writes to. A home directory in one
// of them is a test's.
var temporary = [...]string{"/tmp", "/var/tmp", "/dev/shm", "/var/folders", "/private/tmp", "/private/var"}

func plausible(home, dir string, avoid []string) bool {
	for _, place := range temporary {
		if !within(home, place) {
			avoid = append(avoid, place)
		}
	}
	for _, path := range []string{dir, followed(dir)} {
		if !within(path, home) && !within(path, followed(home)) || within(home, path) {
			return false
		}
		for _, place := range avoid {
			if place != "" && (within(path, place) || within(path, followed(place))) {
				return false
			}
		}
	}
	return true
}

// followed is a path with its links resolved as far as it exists.
func followed(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(followed(parent), filepath.Base(path))
	}
	return path
}

func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(filepath.Clean(path), filepath.Clean(dir))
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(dir, "/"))
}

// Dir is where the store is, or "".
func (s Store) Dir() string { return s.dir }

// write puts a file into one of the store's directories, at once and as a whole.
func (s Store) write(kind, name string, text []byte) error {
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
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp, filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// maxRecord bounds what is read of a file of the store.
const maxRecord = 20 << 20

// read returns a file of the store. One that is no regular file, or that others
// may write to, is none of ours.
func (s Store) read(kind, name string) ([]byte, error) {
	if s.dir == "" {
		return nil, fs.ErrNotExist
	}
	f, err := os.OpenFile(filepath.Join(s.dir, kind, name), os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o022 != 0 || !known || int(owner.Uid) != os.Geteuid() {
		return nil, errors.New(f.Name() + ": not a file that only this user can write")
	}
	text, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err == nil && len(text) > maxRecord {
		err = errors.New(f.Name() + ": too long")
	}
	return text, err
}

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
