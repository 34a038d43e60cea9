package cli

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// installed puts this binary into a directory under the name by which it is
// longline.
func installed(t *testing.T, dir string) (program string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "longline")
	if err := os.WriteFile(program, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

// settings writes an agent's settings before longline is installed.
func settings(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Killed at any point, init and uninstall leave the old file or the new one.
func TestKilledWhileInstalling(t *testing.T) {
	dir := t.TempDir()
	program := installed(t, dir)
	original := "{\n  \"model\": \"opus\",\n  \"env\": {" + strings.Repeat("\n    \"A\": \"b\",", 1) + "\n    \"B\": \"" + strings.Repeat("x", 200_000) + "\"\n  }\n}\n"
	file := filepath.Join(dir, ".claude", "settings.json")
	settings(t, file, original)
	run := func(kill time.Duration, args ...string) time.Duration {
		cmd := exec.Command(program, append(args, "--agent", "claude", "--yes")...)
		cmd.Env, cmd.Dir = []string{"HOME=" + dir}, dir
		start := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if kill > 0 {
			time.Sleep(kill)
			cmd.Process.Kill()
		}
		cmd.Wait()
		return time.Since(start)
	}
	took := run(0, "init")
	wired, err := os.ReadFile(file)
	if err != nil || string(wired) == original {
		t.Fatalf("not installed: %v", err)
	}
	for i := range 60 {
		run(time.Duration(rand.Int64N(int64(took)))+1, []string{"uninstall", "init"}[i%2])
		if got, err := os.ReadFile(file); err != nil || string(got) != original && string(got) != string(wired) {
			t.Fatalf("killed %d times, the file holds %d bytes (%v), neither the %d before nor the %d after", i, len(got), err, len(original), len(wired))
		}
	}
	run(0, "uninstall")
	if got, err := os.ReadFile(file); err != nil || string(got) != original {
		t.Errorf("%d bytes are left, want %d (%v)", len(got), len(original), err)
	}
}

// TestSeveralAtOnce: whoever comes late says so, and the file stays whole.
func TestSeveralAtOnce(t *testing.T) {
	dir := t.TempDir()
	program := installed(t, dir)
	const original = "{\n  \"model\": \"opus\"\n}\n"
	file := filepath.Join(dir, ".claude", "settings.json")
	settings(t, file, original)
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
