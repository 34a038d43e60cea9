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
	known []string // names of files that were put away and are or were followed
	files []*followed
	count *Count
}

// followed is a file and how far it has been read.
type followed struct {
	open
	left time.Time // when another took its place
}

const (
	// lingers is how long a file is read after it was put away, however many have
	// followed it. The last ones are read as long as they are [held].
	lingers = 10 * time.Second
	// chunk is how much is read at a time, more than the longest line.
	chunk = 2 * maxLine
)

// Follow follows the files from where they end. Call it before they are read: it
// leaves a last line without an end to the follower.
func (f *Files) Follow(now time.Time, count *Count) *Follower {
	w := &Follower{path: f.path, put: f.list, known: f.known, count: count}
	for _, file := range f.open {
		file.at = wholeLines(file.File, file.at)
		next := &followed{open: *file}
		if file != f.current {
			next.left = now
		}
		w.files = append(w.files, next)
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
	w.drop(now)
	return nil
}

// drop closes the files that nobody writes to any more.
func (w *Follower) drop(now time.Time) {
	last := len(w.files) - 1 - held
	for i, f := range w.files {
		if i >= last || f.left.IsZero() || now.Sub(f.left) <= lingers {
			w.files = slices.Delete(w.files, 0, i)
			return
		}
		f.Close()
	}
}

// look finds the files that have begun since: the one at the log's path, and
// any that was put away before it was looked at. The path is empty for a moment
// while its file is put away.
func (w *Follower) look(now time.Time) {
	current, err := os.Open(w.path)
	if err == nil && w.reads(current) {
		current.Close()
		return
	}
	for _, f := range w.files {
		if f.left.IsZero() {
			f.left = now
		}
	}
	for _, name := range w.put() {
		if !slices.Contains(w.known, name) {
			w.putAway(name, current, now)
		}
	}
	if current != nil {
		w.files = append(w.files, &followed{open: open{File: current}})
	}
}

// putAway follows a file that was put away before it was looked at.
func (w *Follower) putAway(name string, current *os.File, now time.Time) {
	f, err := os.Open(name)
	if err != nil {
		return // removed as soon as it was listed, or for another time
	}
	w.known = append(w.known, name)
	if current != nil && same(f, current) || w.reads(f) {
		f.Close()
		return
	}
	w.files = append(w.files, &followed{open: open{File: f}, left: now})
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
