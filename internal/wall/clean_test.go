package wall

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Caches that nobody uses go, the oldest first where there are too many, and what is
// in use stays.
func TestClean(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	for name, age := range map[string]time.Duration{"today": time.Hour, "week": 7 * 24 * time.Hour, "month": 20 * 24 * time.Hour, "old": 40 * 24 * time.Hour} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(path, "work/work"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "file"), make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(path, "work/work"), 0); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	left := func() string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, " ")
	}
	for _, step := range []struct {
		most int64
		want string
	}{{1 << 20, "month today week"}, {2500, "today week"}, {10, "today"}, {10, "today"}} {
		if _, _, err := clean(dir, now, step.most); err != nil || left() != step.want {
			t.Errorf("with room for %d: %q are left, want %q (%v)", step.most, left(), step.want, err)
		}
	}
	if removed, kept, err := Clean(filepath.Join(dir, "none"), now); removed != 0 || kept != 0 || err != nil {
		t.Errorf("no caches: %d, %d, %v", removed, kept, err)
	}
}
