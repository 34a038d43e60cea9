package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestSeveralAtOnce: whoever comes late says so, and the file stays whole.
func TestSeveralAtOnce(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "longline") // the name under which this binary is longline
	if err := os.WriteFile(program, text, 0o755); err != nil {
		t.Fatal(err)
	}
	const original = "{\n  \"model\": \"opus\"\n}\n"
	file := filepath.Join(dir, ".claude", "settings.json")
	if err := writeNew(filepath.Dir(file), "settings.json", []byte(original), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		cmd := exec.Command(program, append(args, "--agent", "claude", "--yes")...)
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "XDG_") }), "HOME="+dir)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	var all sync.WaitGroup
	for i := range 12 {
		args := [][]string{{"init"}, {"init", "--observe"}, {"uninstall"}}[i%3]
		all.Go(func() {
			if out, err := run(args...); err != nil && !strings.Contains(out, "has changed in the meantime") {
				t.Errorf("%v: %v\n%s", args, err, out)
			}
		})
	}
	all.Wait()
	for _, args := range [][]string{{"init"}, {"uninstall"}} {
		if out, err := run(args...); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != original {
		t.Errorf("left: %q, %v", got, err)
	}
	if stray, _ := filepath.Glob(filepath.Join(dir, ".claude", ".longline-*")); len(stray) > 0 {
		t.Errorf("left behind: %q", stray)
	}
}
