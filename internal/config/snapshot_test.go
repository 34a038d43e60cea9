package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestAtOnce: what was seen stays as it was until it is forgotten, whatever happens to the disk meanwhile.
func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "f"), filepath.Join(dir, "l")
	w := World(nil, Site{Project: dir}, dir)
	forget := (&Config{World: w}).AtOnce()
	see := func() string {
		text, _ := w.ReadFile(file)
		to, err := w.Readlink(link)
		list, whole := w.Entries(dir)
		var names []string
		for _, e := range list {
			names = append(names, e.Name)
		}
		slices.Sort(names)
		seen := string(text) + ":" + filepath.Base(to) + ":" + strings.Join(names, ",")
		if w.Exists(file) {
			seen += ":there"
		}
		if tool.Missing(err) {
			seen += ":nolink"
		}
		if !whole {
			seen += ":more"
		}
		return seen
	}
	const before, after = ":.::nolink", "text:f:f,l:there"
	if got := see(); got != before {
		t.Errorf("at first %q, want %q", got, before)
	}
	if err := os.WriteFile(file, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if got := see(); got != before {
		t.Errorf("at once %q, want %q", got, before)
	}
	if forget(); see() != after {
		t.Errorf("afterwards %q, want %q", see(), after)
	}
}

// TestSnapshotIsBounded: what does not fit is looked at again.
func TestSnapshotIsBounded(t *testing.T) {
	asked := 0
	w := &tool.World{ReadFile: func(path string) ([]byte, error) { asked++; return make([]byte, maxSnapshotFile), nil }, Exists: func(string) bool { asked++; return true }}
	forget := (&Config{World: w}).AtOnce()
	for range 3 {
		if text, err := w.ReadFile("/large"); err != nil || len(text) != maxSnapshotFile {
			t.Fatal(err)
		}
	}
	if asked != 3 {
		t.Errorf("a file that is too long: asked %d times", asked)
	}
	long := strings.Repeat("x", 4096)
	for i := range maxSnapshot / 4096 * 2 {
		w.Exists(long[i%4096:] + string(rune('a'+i%26)))
	}
	asked = 0
	for range 3 {
		w.Exists(long + "last")
	}
	if asked != 3 {
		t.Errorf("without room: asked %d times", asked)
	}
	forget()
	asked = 0
	for range 3 {
		w.Exists(long + "last")
	}
	if asked != 1 {
		t.Errorf("with room again: asked %d times", asked)
	}
}
