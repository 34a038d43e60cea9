package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/content"
)

func key(n int) (k Key) {
	copy(k[:], fmt.Sprintf("%032d", n))
	return k
}

func TestVerdicts(t *testing.T) {
	s := Open(t.TempDir())
	stamp := Stamp{1}
	v := s.Verdicts(stamp)
	if err := v.Add([]Finding{{key(1), content.Injection}, {key(2), content.Clean}}); err != nil {
		t.Fatal(err)
	}
	for _, indexed := range []bool{false, true} {
		v := s.Verdicts(stamp)
		if indexed {
			v.Index()
		}
		if got, ok := v.Find(key(1)); !ok || got != content.Injection {
			t.Errorf("found %v, %v", got, ok)
		}
		if got, ok := v.Find(key(2)); !ok || got != content.Clean {
			t.Errorf("found %v, %v", got, ok)
		}
		if _, ok := v.Find(key(3)); ok {
			t.Error("found what was never added")
		}
		added := Finding{key(4), content.Suspicious}
		if indexed {
			added.Key = key(5)
		}
		if err := v.Add([]Finding{added}); err != nil {
			t.Fatal(err)
		}
		if got, ok := v.Find(added.Key); !ok || got != content.Suspicious {
			t.Errorf("found %v, %v", got, ok)
		}
	}
	// Other rules may say otherwise, and what others can write is not believed.
	if _, ok := s.Verdicts(Stamp{2}).Find(key(1)); ok {
		t.Error("a verdict by other rules counts")
	}
	path := filepath.Join(s.Dir(), "verdicts")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Verdicts(stamp).Find(key(1)); ok {
		t.Error("a file that others can write counts")
	}
}

// The file does not grow without end, and keeps what is new.
func TestVerdictsAreBounded(t *testing.T) {
	s := Open(t.TempDir())
	list := make([]Finding, maxVerdicts/2)
	for round := range 3 {
		for i := range list {
			list[i] = Finding{key(round*len(list) + i), content.Clean}
		}
		if err := s.Verdicts(Stamp{}).Add(list); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(filepath.Join(s.Dir(), "verdicts"))
	if err != nil || info.Size() > maxVerdicts*recordSize {
		t.Errorf("%v, %v", info, err)
	}
	if _, ok := s.Verdicts(Stamp{}).Find(key(3*len(list) - 1)); !ok {
		t.Error("the newest is gone")
	}
}

func TestReviews(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Date(2026, 11, 15, 4, 0, 0, 0, time.UTC)
	r := Review{Hash: "abc123", Verdict: content.Suspicious, Path: "/s/a \"b\"\n.md", Line: 7, Kinds: "x, y", Since: now}
	if err := s.Quarantine(r); err != nil {
		t.Fatal(err)
	}
	r.Decision, r.Reason, r.By, r.Decided = "allow", "ours", "me", now
	if err := s.Decide(r); err != nil {
		t.Fatal(err)
	}
	// What was decided is not forgotten when it is found again.
	if err := s.Quarantine(Review{Hash: "abc123"}); err != nil {
		t.Fatal(err)
	}
	if got := s.Reviews(); len(got) != 1 || got[0] != r {
		t.Errorf("%+v, want %+v", got, r)
	}
	if _, ok := s.Quarantined("../x"); ok {
		t.Error("a path is taken for a hash")
	}
}

// TestReviewsAreOurs: what is no record of a review, or lies elsewhere, is none.
func TestReviewsAreOurs(t *testing.T) {
	s := Open(t.TempDir())
	good := Review{Hash: "a1", Path: "/p/a"}
	for kind, text := range map[string]string{"content": "", "other": ""} {
		if err := s.write(kind, "a1", append(good.record(), text...)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"more": string(good.record()) + "x", "less": string(good.record()[:20]), "none": "", "form": strings.Replace(string(good.record()), reviewForm, "another form", 1)} {
		if err := s.write("content", name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for hash, want := range map[string]bool{"a1": true, "../other/a1": false, "../content/a1": false, "./a1": false, "": false, "more": false, "less": false, "none": false, "form": false, "b2": false} {
		if r, ok := s.Quarantined(hash); ok != want || ok && r.Path != good.Path {
			t.Errorf("%q: %+v, %v", hash, r, ok)
		}
	}
}

// So many contents are kept for review, and no more.
func TestReviewsAreBounded(t *testing.T) {
	s := Open(t.TempDir())
	dir := filepath.Join(s.Dir(), "content")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range maxReviews - 1 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("a", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Quarantine(Review{Hash: "b1"}); err != nil {
		t.Error(err)
	}
	if s.Quarantine(Review{Hash: "b2"}) == nil {
		t.Error("one more is kept")
	}
	if err := s.Quarantine(Review{Hash: "b1"}); err != nil {
		t.Errorf("one that is kept already: %v", err)
	}
}

func TestDownloads(t *testing.T) {
	s := Open(t.TempDir())
	for _, path := range []string{"/p/a", "/p/a/b", "/p/c"} {
		if err := s.Downloaded(path); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(s.Downloads()); got != "[/p/a /p/c]" {
		t.Error(got)
	}
}
