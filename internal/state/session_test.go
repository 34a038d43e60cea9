package state

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Any number of processes add lines to one journal, and none is lost or mixed.
func TestJournalKeepsAllLines(t *testing.T) {
	if dir := os.Getenv("LONGLINE_TEST_JOURNAL"); dir != "" {
		for i := range 50 {
			line := fmt.Sprintf("%s %d %s\n", os.Getenv("LONGLINE_TEST_WRITER"), i, strings.Repeat("x", i*40))
			if err := Open(dir).Remember("claude", "s", []byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for n := range 6 {
		wg.Go(func() {
			c := exec.Command(os.Args[0], "-test.run=TestJournalKeepsAllLines")
			c.Env = append(os.Environ(), "LONGLINE_TEST_JOURNAL="+dir, fmt.Sprint("LONGLINE_TEST_WRITER=w", n))
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	stop := make(chan bool)
	var reading sync.WaitGroup
	reading.Go(func() { // who reads meanwhile sees whole lines
		for {
			select {
			case <-stop:
				return
			default:
			}
			if text, err := Open(dir).Journal("claude", "s"); err != nil || len(text) > 0 && text[len(text)-1] != '\n' {
				t.Errorf("%v, %q", err, text[max(0, len(text)-20):])
				return
			}
		}
	})
	wg.Wait()
	close(stop)
	reading.Wait()
	text, err := Open(dir).Journal("claude", "s")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		for i := range 50 {
			if line := fmt.Sprintf("w%d %d %s\n", n, i, strings.Repeat("x", i*40)); !bytes.Contains(text, []byte(line)) {
				t.Errorf("line %d of writer %d is lost", i, n)
			}
		}
	}
	if got := bytes.Count(text, []byte("\n")); got != 300 {
		t.Errorf("%d lines", got)
	}
}

// TestUnfinishedLine: who reads while a line is being written waits for its end, but not for
// ever, and not at all where there is none.
func TestUnfinishedLine(t *testing.T) {
	for _, test := range []struct {
		text, comes string
		want        string
		waits       int
	}{
		{"", "a\n", "", 0},
		{"one\n", "more\n", "one\n", 0},
		{"one\ntw", "o\n", "one\ntwo\n", 1},
		{"one\ntw", "", "one\ntw", 3},
		{"one\ntw", "o", "one\ntwooo", 3},
	} {
		path, waits := filepath.Join(t.TempDir(), "journal"), 0
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		text, err := readJournal(path, func() {
			waits++
			if err := appendWhole(path, []byte(test.comes)); err != nil {
				t.Error(err)
			}
		})
		if string(text) != test.want || err != nil || waits != test.waits {
			t.Errorf("%q, then %q: %q after %d times, %v", test.text, test.comes, text, waits, err)
		}
	}
}

// Sessions and agents have journals of their own, which only their owner can read,
// and old ones are removed.
func TestJournals(t *testing.T) {
	s, now := Open(t.TempDir()), time.Now()
	for _, who := range [][2]string{{"claude", "a"}, {"claude", "b"}, {"codex", "a"}} {
		if err := s.Remember(who[0], who[1], []byte(who[0]+who[1]+"\n")); err != nil {
			t.Fatal(err)
		}
	}
	for _, who := range [][2]string{{"claude", "a"}, {"claude", "b"}, {"codex", "a"}} {
		if text, err := s.Journal(who[0], who[1]); err != nil || string(text) != who[0]+who[1]+"\n" {
			t.Errorf("%v: %q, %v", who, text, err)
		}
	}
	if text, err := s.Journal("claude", ""); err != nil || text != nil {
		t.Errorf("no session: %q, %v", text, err)
	}
	if text, err := (Store{}).Journal("claude", "a"); err != nil || text != nil {
		t.Errorf("no home: %q, %v", text, err)
	}
	list := s.Journals()
	if len(list) != 3 {
		t.Fatalf("%d journals", len(list))
	}
	texts := map[string]bool{}
	for _, k := range list {
		texts[string(k.Text)] = k.Err == nil
		info, err := os.Stat(filepath.Join(s.Dir(), sessions, k.Name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	if !texts["claudea\n"] || !texts["claudeb\n"] || !texts["codexa\n"] {
		t.Errorf("they say %v", texts)
	}
	old := filepath.Join(s.Dir(), sessions, list[2].Name)
	if err := os.Chtimes(old, now.Add(-15*24*time.Hour), now.Add(-15*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if s.ForgetSessions(now); len(s.Journals()) != 2 {
		t.Errorf("%d journals are left", len(s.Journals()))
	}
	if err := s.Forget(list[0].Name); err != nil || len(s.Journals()) != 1 {
		t.Errorf("%v, %d journals are left", err, len(s.Journals()))
	}
}

// TestDamagedAreForgotten: of journals that were put aside a few are kept, for a while.
func TestDamagedAreForgotten(t *testing.T) {
	s, now := Open(t.TempDir()), time.Now()
	for i := range 20 {
		name := fmt.Sprint("s", i)
		if err := s.Remember("claude", name, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.PutAside("claude", name); err != nil {
			t.Fatal(err)
		}
	}
	for want := 19; want > 14; want-- { // the oldest goes, as long as there are too many
		if s.ForgetSessions(now.Add(time.Minute)); len(s.names(aside)) != max(want, 15) {
			t.Errorf("%d are kept, want %d", len(s.names(aside)), max(want, 15))
		}
	}
	if s.ForgetSessions(now.Add(2 * sessionFor)); len(s.names(aside)) != 0 {
		t.Errorf("%d are kept for ever", len(s.names(aside)))
	}
}

// What others may have written is not a journal, and is not taken for an empty one.
func TestForeignJournal(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"others may write": func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("x\n"), 0o600), os.Chmod(path, 0o666))
		},
		"a link":      func(path string) error { return os.Symlink("/dev/null", path) },
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		s := Open(t.TempDir())
		path := filepath.Join(s.Dir(), sessions, pinName("claude", "a"))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(path)
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Journal("claude", "a"); err == nil {
			t.Errorf("%s: read", name)
		}
		if list := s.Journals(); len(list) != 1 || list[0].Err == nil || list[0].Text != nil {
			t.Errorf("%s: listed as %+v", name, list)
		}
		where, err := s.PutAside("claude", "a")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Lstat(where); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := s.Journal("claude", "a"); text != nil || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
