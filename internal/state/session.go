package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

const (
	sessions = "session"
	// sessionFor is how long a journal is kept after its last line.
	sessionFor = 14 * 24 * time.Hour
	// maxSessions bounds how many journals are kept; the oldest go first.
	maxSessions = 256
	// maxJournal is more than a journal is ever long.
	maxJournal = 1<<20 + 1
)

// ErrJournal is why a journal cannot be read, though there is one.
var ErrJournal = errors.New("not a journal that only you can write")

// Journal returns the text of a session's journal; none is not an error. Files are read
// and written without package os here, since that is done with every call.
func (s Store) Journal(agent, session string) ([]byte, error) {
	if s.dir == "" || session == "" {
		return nil, nil
	}
	return readJournal(filepath.Join(s.dir, sessions, pinName(agent, session)), moment)
}

func moment() { time.Sleep(time.Millisecond) }

// readJournal reads a journal. It waits a little for the end of a line that is being written.
func readJournal(path string, wait func()) ([]byte, error) {
	for try := 0; ; try++ {
		text, err := readOwn(path, maxJournal)
		switch {
		case os.IsNotExist(err) || errors.Is(err, syscall.ENOTDIR): // no place to keep any in; the first needs no interfaces
			return nil, nil
		case err == errNotOwn:
			return nil, ErrJournal
		}
		if err != nil || len(text) == 0 || text[len(text)-1] == '\n' || try == 3 {
			return text, err
		}
		wait()
	}
}

// Remember adds lines to a session's journal, in one write to a file that is opened
// for appending: of processes that do so at the same time none loses a line.
func (s Store) Remember(agent, session string, lines []byte) error {
	if s.dir == "" {
		return errNowhere
	}
	path := filepath.Join(s.dir, sessions, pinName(agent, session))
	err := appendWhole(path, lines)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		err = appendWhole(path, lines)
	}
	if err != nil {
		return &fs.PathError{Op: "append to", Path: path, Err: err}
	}
	return nil
}

// ForgetSessions makes room for a new journal: old ones go.
func (s Store) ForgetSessions(now time.Time) {
	if s.dir == "" {
		return
	}
	s.makeRoom(sessions, maxSessions, sessionFor, now)
	s.makeRoom(aside, 16, sessionFor, now)
}

// aside is where journals are put that cannot be read.
const aside = "session-damaged"

// PutAside takes a journal out of the way that cannot be read, and says where it is now.
func (s Store) PutAside(agent, session string) (string, error) {
	name := pinName(agent, session)
	dir := filepath.Join(s.dir, aside)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	to := filepath.Join(dir, name+"-"+newID())
	return to, os.Rename(filepath.Join(s.dir, sessions, name), to)
}

// Kept is a journal that is kept.
type Kept struct {
	Name  string // of its file
	Text  []byte
	Err   error // why it cannot be read
	Since time.Time
}

// Journals lists the journals, that with the newest line first.
func (s Store) Journals() (list []Kept) {
	for _, name := range s.names(sessions) {
		path := filepath.Join(s.dir, sessions, name)
		info, err := os.Lstat(path)
		if err != nil {
			continue
		}
		k := Kept{Name: name, Since: info.ModTime()}
		k.Text, k.Err = readJournal(path, moment)
		list = append(list, k)
	}
	slices.SortStableFunc(list, func(a, b Kept) int { return b.Since.Compare(a.Since) })
	return list
}

// Forget removes a journal by the name of its file.
func (s Store) Forget(name string) error { return s.remove(sessions, name) }
