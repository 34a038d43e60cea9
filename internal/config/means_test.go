package config

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"longline/internal/tool"
)

// Another project of the person's has a snapshot too; what is no project has none.
func TestBeside(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{"proj", "one/.git", "one/src", "two/.git", "three/.git", "notes", ".config/tool/.git"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	exists := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	c := &Config{World: &tool.World{Home: home, Project: home + "/proj", Exists: exists}}
	c.UseMeans(tool.Undo)
	for _, test := range []struct {
		path string
		want bool
	}{
		{"proj/a", true},
		{"one/src/x", true},
		{"two", true},
		{"one", true},
		{"three", false}, // one too many
		{"notes", false},
		{"notes/nothing/there", false},
		{"", false},
		{".config/tool", false},
		{"../elsewhere", false},
	} {
		if got := c.World.Undo(filepath.Join(home, test.path)); got != test.want {
			t.Errorf("%q: %v, want %v", test.path, got, test.want)
		}
	}
	if want := []string{home + "/proj", home + "/one", home + "/two"}; !slices.Equal(c.UndoRoots(), want) {
		t.Errorf("%v, want %v", c.UndoRoots(), want)
	}
	// The hook finds of it, too, that nothing is there.
	c.others = nil
	if !c.World.Undo(home+"/notes/nothing") || !slices.Contains(c.UndoRoots(), home+"/notes/nothing") {
		t.Errorf("what is not there: %v", c.UndoRoots())
	}
}
