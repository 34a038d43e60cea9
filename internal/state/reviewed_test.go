package state

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestReviewed: when questions were last gone through is remembered to the second, and what is
// no time is never.
func TestReviewed(t *testing.T) {
	s, now := Open(t.TempDir()), time.Now().Truncate(time.Second)
	if !s.Reviewed().IsZero() || !(Store{}).Reviewed().IsZero() {
		t.Error("gone through before anybody did")
	}
	if err := s.SetReviewed(now); err != nil || !s.Reviewed().Equal(now) {
		t.Errorf("%v, %v", s.Reviewed(), err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir(), "review", "last"), []byte("2020-01-01T00:00:00Zx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !s.Reviewed().IsZero() {
		t.Errorf("%v", s.Reviewed())
	}
}

// TestPinsOfAnotherForm: a record that another version has written trusts nothing.
func TestPinsOfAnotherForm(t *testing.T) {
	s := Open(t.TempDir())
	for form, want := range map[string]bool{trustForm: true, trustForm + "0": false, "": false} {
		record := append(fields(form, "/r", "x.yaml", time.Now().UTC().Format(time.RFC3339)), "rules"...)
		if err := s.write("trust", pinName("/r", "x.yaml"), record); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Pinned("/r", "x.yaml"); ok != want {
			t.Errorf("%q: %v", form, ok)
		}
		if _, ok := s.pin(pinName("/r", "x.yaml")); ok != want {
			t.Errorf("%q: %v", form, ok)
		}
	}
}

// TestRecordsAreBounded: a record that is longer than any of ours is not read.
func TestRecordsAreBounded(t *testing.T) {
	s := Open(t.TempDir())
	for size, want := range map[int64]bool{1: true, maxRecord: true, maxRecord + 1: false} {
		if err := s.write("x", "y", nil); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(s.Dir(), "x", "y"), size); err != nil {
			t.Fatal(err)
		}
		if text, err := s.read("x", "y"); (err == nil) != want || want && int64(len(text)) != size {
			t.Errorf("%d bytes: %d, %v", size, len(text), err)
		}
	}
}

// TestLongestPause: a pause may be as long as it says, and no longer.
func TestLongestPause(t *testing.T) {
	s, now := Open(t.TempDir()), time.Now().Truncate(time.Second)
	for length, want := range map[time.Duration]bool{time.Minute: true, MaxPause: true, MaxPause + time.Second: false} {
		if err := s.Pause(now, now.Add(length)); (err == nil) != want {
			t.Errorf("%s: %v", length, err)
		}
		if until, ok := s.Paused(now); want && (!ok || !until.Equal(now.Add(length))) {
			t.Errorf("%s: %v, %v", length, until, ok)
		}
	}
}

// TestBeganIn: a session began where its own record says; what is no such record says nothing.
func TestBeganIn(t *testing.T) {
	good := []string{projectForm, "claude", "s", "/first"}
	for i := range good {
		bad := append([]string{}, good...)
		if bad[i] += "x"; i < 3 && beganIn(fields(bad...), "claude", "s", "/now") != "/now" {
			t.Errorf("%q counts", bad)
		}
	}
	for text, want := range map[string]string{string(fields(good...)): "/first", string(fields(good...)) + "x": "/now", string(fields(good[:3]...)): "/now", "": "/now"} {
		if got := beganIn([]byte(text), "claude", "s", "/now"); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}
