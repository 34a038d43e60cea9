package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Held is a call that was not let through, as it is kept until somebody says
// that it may run once.
type Held struct {
	ID      string
	Tool    string
	Dir     string
	Subject string // the script, or what a tool without one would do
	Content string // what such a tool was given, as it was given
	ToolUse string // the agent's id of the call
	Since   time.Time
}

const (
	heldForm = "longline held 2"
	// HoldFor is how long a call can be allowed after it was held, and how long
	// the permission waits for it.
	HoldFor = time.Hour
	// maxHeld bounds how many calls are kept: an agent that is refused a thousand
	// times must not fill the disk.
	maxHeld = 64
	// maxSubject bounds such a call: nobody can judge more by eye, and all of them
	// are read with each question.
	maxSubject = 64 << 10
	// usedFor is how long a permission that was used still holds for the question
	// that some agents put about the same call afterwards.
	usedFor = time.Minute
)

// Hold keeps a call and returns the id by which it can be allowed. A call that
// is held already keeps its id: an agent that tries again must not make the
// person who is about to allow it look for another.
func (s Store) Hold(h Held, now time.Time) (string, error) {
	if len(h.Subject)+len(h.Content) > maxSubject {
		return "", errors.New("the call is too long to be allowed once")
	}
	s.sweep(now)
	names := s.names("held")
	for _, name := range names {
		if old, ok := s.held("held", name); ok && old.same(h) {
			h.ID = name
		}
	}
	if h.ID == "" {
		if len(names) >= maxHeld {
			s.makeRoom("held", maxHeld, HoldFor, now) // the oldest goes
		}
		h.ID = newID()
	}
	h.Since = now
	return h.ID, s.write("held", h.ID, h.record())
}

// Held returns the call with that id, if it is still held.
func (s Store) Held(id string, now time.Time) (Held, bool) {
	if strings.ContainsAny(id, "/.") || id == "" {
		return Held{}, false
	}
	h, ok := s.held("held", id)
	return h, ok && fresh(h.Since, now, HoldFor)
}

// AllHeld lists the calls that can be allowed.
func (s Store) AllHeld(now time.Time) []Held {
	var list []Held
	for _, name := range s.names("held") {
		if h, ok := s.Held(name, now); ok {
			list = append(list, h)
		}
	}
	return list
}

// Grant lets a held call run once.
func (s Store) Grant(h Held, now time.Time) error {
	h.Since = now
	if err := s.write("once", h.ID, h.record()); err != nil {
		return err
	}
	return s.remove("held", h.ID)
}

// Use takes a permission for the call, if there is one. It is used up: of two
// calls that come at once, one gets it.
func (s Store) Use(h Held, now time.Time) bool {
	for _, g := range s.grants(now) {
		if path := filepath.Join(s.dir, "once", g.ID); g.same(h) && os.Rename(path, path+".used") == nil {
			os.Chtimes(path+".used", now, now)
			return true
		}
	}
	return false
}

func (s Store) grants(now time.Time) (list []Held) {
	for _, name := range s.names("once") {
		if g, ok := s.held("once", name); ok && !strings.HasSuffix(name, ".used") && fresh(g.Since, now, HoldFor) {
			list = append(list, g)
		}
	}
	return list
}

// About returns the id under which a command is held in a directory, or "", and
// whether it has been allowed once. It leaves both as they are, and it does not
// matter which tool would run the command: agents name their shells differently.
func (s Store) About(command, dir string, now time.Time) (id string, allowed bool) {
	for _, h := range s.AllHeld(now) {
		if h.Subject == command && h.Dir == dir {
			id = h.ID
		}
	}
	for _, g := range s.grants(now) {
		allowed = allowed || g.Subject == command && g.Dir == dir
	}
	return id, allowed
}

// Used reports whether a permission for the call was used a moment ago: some
// agents ask a second time about a call that they were told to let through.
func (s Store) Used(h Held, now time.Time) bool {
	for _, name := range s.names("once") {
		if g, ok := s.held("once", name); ok && strings.HasSuffix(name, ".used") && g.same(h) {
			info, err := os.Lstat(filepath.Join(s.dir, "once", name))
			if err == nil && fresh(info.ModTime(), now, usedFor) {
				return true
			}
		}
	}
	return false
}

// Ran forgets that a call was held, and says whether it was: it has run.
func (s Store) Ran(h Held) bool {
	for _, name := range s.names("held") {
		old, ok := s.held("held", name)
		if ok && (h.ToolUse != "" && old.ToolUse == h.ToolUse || h.ToolUse == "" && old.same(h)) {
			return s.remove("held", name) == nil
		}
	}
	return false
}

func (h Held) same(other Held) bool {
	return h.Tool == other.Tool && h.Dir == other.Dir && h.Subject == other.Subject && h.Content == other.Content
}

// fresh says whether a time is past, and not by more than limit. A time to come
// is a clock that was set, or a forgery.
func fresh(since, now time.Time, limit time.Duration) bool {
	return !since.After(now.Add(time.Minute)) && now.Sub(since) < limit
}

func (h Held) record() []byte {
	return fields(heldForm, h.Tool, h.Dir, h.Subject, h.Content, h.ToolUse, h.Since.UTC().Format(time.RFC3339Nano))
}

func (s Store) held(kind, name string) (Held, bool) {
	record, err := s.read(kind, name)
	if err != nil || len(record) > 8*maxSubject {
		return Held{}, false
	}
	f, rest, ok := cutFields(record, 7)
	if !ok || rest != "" || f[0] != heldForm {
		return Held{}, false
	}
	since, err := time.Parse(time.RFC3339Nano, f[6])
	return Held{strings.TrimSuffix(name, ".used"), f[1], f[2], f[3], f[4], f[5], since}, err == nil
}

// sweep removes what is too old to matter.
func (s Store) sweep(now time.Time) {
	for _, kind := range []string{"held", "once"} {
		dir := filepath.Join(s.dir, kind)
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) || err == nil && fresh(info.ModTime(), now, HoldFor) {
				continue
			}
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
