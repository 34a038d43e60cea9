package audit

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Log is the file that lines are appended to, and how long its predecessors are
// kept.
type Log struct {
	Path string
	Keep int // days; 0 is [DefaultKeep]
}

const (
	// DefaultKeep is how many days of the log are kept.
	DefaultKeep = 90
	// maxSize is how large the file gets before it is put away, also within a day.
	maxSize = 64 << 20
)

// Append adds a line to the log, and creates the log if necessary. The line
// goes out in one write to a file opened for appending, so lines of processes
// that log at the same time never mix.
//
// A file that was last written to on an earlier day, or that has grown too
// large, is put away under its date first. That is one rename by whoever holds
// the directory's lock: a process that has the file open already writes its line
// into it under the new name, so none is lost. Only files that were put away
// longer ago than they are kept are removed.
func (l Log) Append(now time.Time, line Line) error {
	if l.Path == "" {
		return errors.New("no home directory for the log; set log.path")
	}
	fd, info, err := open(l.Path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(l.Path), 0o700); err != nil {
			return err
		}
		fd, info, err = open(l.Path)
	}
	if err == nil && info.full(now) {
		closeFile(fd) // on Windows nobody renames what is open
		l.rotate(now)
		fd, _, err = open(l.Path)
	}
	if err == nil {
		err = write(fd, line.Line())
		if closed := closeFile(fd); err == nil {
			err = closed
		}
	}
	if err != nil {
		return &fs.PathError{Op: "append to", Path: l.Path, Err: err}
	}
	return nil
}

const day = "2006-01-02"

// state is what says whether a file is to be put away.
type state struct {
	regular  bool
	size     int64
	modified time.Time
}

func (s state) full(now time.Time) bool {
	return s.regular && s.size > 0 && (s.size > maxSize || dayOf(s.modified) < dayOf(now))
}

// dayOf counts the days in UTC.
func dayOf(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// rotate puts the file away and removes what is too old. Whatever fails is left
// as it is: the line itself matters more.
func (l Log) rotate(now time.Time) {
	dir, err := os.Open(filepath.Dir(l.Path))
	if err != nil {
		return
	}
	defer dir.Close() // which unlocks it
	if !lock(dir) {
		return // somebody else is at it
	}
	info, err := os.Lstat(l.Path)
	if err != nil || !(state{info.Mode().IsRegular(), info.Size(), info.ModTime()}).full(now) {
		return // somebody else has done it
	}
	date := info.ModTime().UTC().Format(day)
	away := l.dated(date, 0)
	for n := 1; exists(away); n++ {
		away = l.dated(date, n)
	}
	if os.Rename(l.Path, away) != nil {
		return
	}
	oldest := now.UTC().AddDate(0, 0, -cmp.Or(l.Keep, DefaultKeep)).Format(day)
	for _, path := range l.Put() {
		if l.dateOf(path) < oldest {
			os.Remove(path)
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// dated is the name under which a file is put away: log-2026-11-15.jsonl, and
// within a day log-2026-11-15.1.jsonl and so on.
func (l Log) dated(date string, n int) string {
	ext := filepath.Ext(l.Path)
	base := strings.TrimSuffix(l.Path, ext) + "-" + date
	if n > 0 {
		base += fmt.Sprintf(".%03d", n)
	}
	return base + ext
}

// dateOf is the date in the name of a file that was put away, or "".
func (l Log) dateOf(path string) string {
	ext := filepath.Ext(l.Path)
	name, ok := strings.CutPrefix(path, strings.TrimSuffix(l.Path, ext)+"-")
	name, ours := strings.CutSuffix(name, ext)
	date, _, _ := strings.Cut(name, ".")
	if _, err := time.Parse(day, date); !ok || !ours || err != nil {
		return ""
	}
	return date
}

// Put lists the files that were put away, the oldest first.
func (l Log) Put() []string {
	entries, err := os.ReadDir(filepath.Dir(l.Path))
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		if path := filepath.Join(filepath.Dir(l.Path), e.Name()); l.dateOf(path) != "" {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		// The first file of a day has no number.
		return cmp.Or(strings.Compare(l.dateOf(a), l.dateOf(b)), len(a)-len(b), strings.Compare(a, b))
	})
	return paths
}
