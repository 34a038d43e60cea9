package history

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// descriptors is how many files this process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not tell which files are open:", err)
	}
	return len(entries)
}

// many is a log of which more files were put away than are kept open.
func many(t *testing.T) *world {
	w := newWorld(t)
	for range held + 3 {
		vanishes(w)
		w.add(w.now)
	}
	return w
}

// TestFilesAreClosed: a reader leaves no file open, whether it reads to the end, is
// stopped in the midst of it or does not get to begin. A follower runs for days.
func TestFilesAreClosed(t *testing.T) {
	w := many(t)
	old := func() []string { return w.log.Put() }
	stop := errors.New("stop")
	for name, act := range map[string]func(){
		"read": func() {
			files, err := Open(w.log.Path, old)
			if err != nil {
				t.Fatal(err)
			}
			defer files.Close()
			seen := 0
			if err := new(Count).ReadFiles(files, func(*Record, []byte) error { seen++; return nil }); err != nil || seen != len(w.written) {
				t.Errorf("%d of %d, %v", seen, len(w.written), err)
			}
		},
		"stopped": func() {
			files, err := Open(w.log.Path, old)
			if err != nil {
				t.Fatal(err)
			}
			defer files.Close()
			if err := new(Count).ReadFiles(files, func(*Record, []byte) error { return stop }); !errors.Is(err, stop) {
				t.Error(err)
			}
		},
		"cannot begin": func() {
			_, err := Open(w.log.Path, func() []string { return []string{w.log.Put()[0], filepath.Join(w.log.Path, "below")} })
			if err == nil {
				t.Error("a file below a file was opened")
			}
		},
		"one that is found twice": func() {
			files, err := Open(w.log.Path, func() []string { return []string{w.log.Path} })
			if err != nil || len(files.open) != 1 {
				t.Fatal(len(files.open), err)
			}
			files.Close()
		},
		"followed": func() {
			files, err := Open(w.log.Path, old)
			if err != nil {
				t.Fatal(err)
			}
			news := files.Follow(w.now, new(Count))
			for range 3 {
				if err := news.News(w.now, w.seeing); err != nil {
					t.Fatal(err)
				}
			}
			news.Close()
		},
		"followed, and put away": func() {
			files, err := Open(w.log.Path, old)
			if err != nil {
				t.Fatal(err)
			}
			news := files.Follow(w.now, new(Count))
			vanishes(w)
			w.add(w.now)
			for i := range 3 {
				if err := news.News(w.now.Add(time.Duration(i)*time.Hour), w.seeing); err != nil {
					t.Fatal(err)
				}
			}
			news.Close()
		},
	} {
		before := descriptors(t)
		act()
		if now := descriptors(t); now != before {
			t.Errorf("%s: %d files were open before, and now %d", name, before, now)
		}
	}
}

// TestFilesThatAreGone: a file that is removed before it is read is passed over, one that
// cannot be read is an error.
func TestFilesThatAreGone(t *testing.T) {
	w := many(t)
	put := w.log.Put()
	for _, test := range []struct {
		name string
		with func() error
		fail bool
	}{
		{"removed", func() error { return os.Remove(put[0]) }, false},
		{"a directory", func() error { return os.Mkdir(put[0], 0o700) }, true},
	} {
		files, err := Open(w.log.Path, func() []string { return put })
		if err != nil {
			t.Fatal(err)
		}
		if err := test.with(); err != nil {
			t.Fatal(err)
		}
		seen := 0
		err = new(Count).ReadFiles(files, func(*Record, []byte) error { seen++; return nil })
		if (err != nil) != test.fail || !test.fail && seen != len(w.written)-1 {
			t.Errorf("%s: %d of %d, %v", test.name, seen, len(w.written), err)
		}
		files.Close()
	}
	if _, err := OpenOne(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is opened")
	}
}

// TestRecords: a line without a time or without anything that happened is none of ours;
// the agent's own questions are told apart.
func TestRecords(t *testing.T) {
	for line, want := range map[string]string{
		`{"ts":"2026-01-10T10:00:00Z","decision":"ask","event":"PreToolUse"}`:        "ask false",
		`{"ts":"2026-01-10T10:00:00Z","decision":"ask","event":"PermissionRequest"}`: "ask true",
		`{"ts":"2026-01-10T10:00:00Z","decision":"ask","event":"permissionRequest"}`: "ask true",
		`{"ts":"2026-01-10T10:00:00Z","event":"pause"}`:                              " false",
		`{"ts":"2026-01-10T10:00:00Z","tool":"Bash"}`:                                "corrupt",
		`{"decision":"ask"}`: "corrupt",
		`{"ts":"2026-01-10T10:00:00Z","decision":"ask","event":7}`: "corrupt",
	} {
		var c Count
		got := "corrupt"
		err := c.Read("log", strings.NewReader(line), func(r *Record, _ []byte) error {
			got = r.Decision + map[bool]string{true: " true", false: " false"}[r.Permitted]
			return nil
		})
		if err != nil || got != want {
			t.Errorf("%s: %s, %v", line, got, err)
		}
	}
	var c Count
	stop := errors.New("stop")
	if err := c.Read("log", strings.NewReader(`{"ts":"2026-01-10T10:00:00Z","decision":"ask"}`), func(*Record, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	if err := c.Read("log", strings.NewReader("\nx\n\ny\n"), nil); err != nil || c.First != "log:2" || c.Corrupt != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestFollowEmptied: when somebody empties the file, what is written from then on is seen.
func TestFollowEmptied(t *testing.T) {
	w := newWorld(t)
	for range 3 {
		w.add(w.now)
	}
	files, err := Open(w.log.Path, w.put)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	var count Count
	news := files.Follow(w.now, &count)
	defer news.Close()
	if err := os.Truncate(w.log.Path, 0); err != nil {
		t.Fatal(err)
	}
	w.add(w.now)
	if err := news.News(w.now, w.seeing); err != nil || len(w.seen) != 1 || w.seen[0] != "line-4" {
		t.Errorf("%q, %v", w.seen, err)
	}
}
