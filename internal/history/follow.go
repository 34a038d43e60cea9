package history

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"time"
)

// Follower reads what is added to a log after it was opened. It misses no line
// and reads none twice, also when the file is put away and a new one begun.
type Follower struct {
	path  string
	put   func() []string
	known []string // names of files that were put away
	files []*followed
	count *Count
}

// followed is a file and how far it has been read.
type followed struct {
	*os.File
	at   int64
	left time.Time // when another took its place
}

const (
	// lingers is how long a file is read after it was put away: a process that
	// had opened it before writes its line into it.
	lingers = 10 * time.Second
	// chunk is how much is read at a time, more than the longest line.
	chunk = 2 * maxLine
)

// Follow goes on where the files end; the current one is the follower's then.
func (f *Files) Follow(count *Count) *Follower {
	w := &Follower{path: f.path, put: f.list, known: f.put, count: count}
	if f.current != nil {
		w.files = []*followed{{File: f.current, at: f.end}}
		f.current = nil
	}
	return w
}

// Close closes the files.
func (w *Follower) Close() {
	for _, f := range w.files {
		f.Close()
	}
}

// News hands over the lines that were added since the last time.
func (w *Follower) News(now time.Time, do func(r *Record, line []byte) error) error {
	w.look(now)
	for _, f := range w.files {
		if err := w.read(f, do); err != nil {
			return err
		}
	}
	w.files = slices.DeleteFunc(w.files, func(f *followed) bool {
		old := !f.left.IsZero() && now.Sub(f.left) > lingers
		if old {
			f.Close()
		}
		return old
	})
	return nil
}

// look finds the files that have begun since: the one at the log's path, and
// any that was put away before it was looked at.
func (w *Follower) look(now time.Time) {
	current, err := os.Open(w.path)
	if err != nil {
		return // put away a moment ago; the next one is not there yet
	}
	if w.reads(current) {
		current.Close()
		return
	}
	for _, f := range w.files {
		if f.left.IsZero() {
			f.left = now
		}
	}
	names := w.put()
	for _, name := range names {
		if slices.Contains(w.known, name) {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			continue // removed as soon as it was listed
		}
		if same(f, current) || w.reads(f) {
			f.Close()
			continue
		}
		w.files = append(w.files, &followed{File: f, left: now})
	}
	w.known = names
	w.files = append(w.files, &followed{File: current})
}

func (w *Follower) reads(f *os.File) bool {
	return slices.ContainsFunc(w.files, func(known *followed) bool { return same(known.File, f) })
}

// read hands over the complete lines of a file that were not read yet. The rest
// of one waits for its end.
func (w *Follower) read(f *followed, do func(r *Record, line []byte) error) error {
	if info, err := f.Stat(); err == nil && info.Size() < f.at {
		f.at = 0 // somebody has emptied it
	}
	for {
		text, err := io.ReadAll(io.NewSectionReader(f, f.at, chunk))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		whole := text[:bytes.LastIndexByte(text, '\n')+1]
		if len(text) == chunk && len(whole) == 0 {
			whole = text // no line of ours
		}
		if len(whole) == 0 {
			return nil
		}
		f.at += int64(len(whole))
		if err := w.count.Read(w.path, bytes.NewReader(whole), do); err != nil {
			return err
		}
	}
}
