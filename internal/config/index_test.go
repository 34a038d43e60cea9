package config

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestKept asks about files in a repository that git has made.
func TestKept(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	dir := t.TempDir()
	long := time.Now().Add(-time.Hour)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
		return path
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	for _, name := range []string{"a.txt", "src/b.go", "src/deep/c with blanks.go", "edited.txt", "same-size.txt", "gone.txt"} {
		write(name, "one\n")
	}
	git("add", "-A")
	git("commit", "-qm", "x")
	write("untracked.txt", "one\n")
	write("edited.txt", "more\n")
	path := write("same-size.txt", "two\n")
	if err := os.Chtimes(path, long.Add(time.Minute), long.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.txt", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	git("add", "link.txt")
	fresh := filepath.Join(dir, "fresh.txt")
	git("add", "--intent-to-add", "untracked.txt")
	if err := os.WriteFile(fresh, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	git("add", "fresh.txt")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(fresh, later, later); err != nil {
		t.Fatal(err)
	}
	write("staged.txt", "never committed\n")
	write("restaged.txt", "one\n")
	git("add", "restaged.txt")
	git("commit", "-qm", "y", "restaged.txt")
	write("restaged.txt", "more\n")
	git("add", "staged.txt", "restaged.txt")
	is := kept(dir)
	for name, want := range map[string]bool{
		"a.txt": true, "src/b.go": true, "src/deep/c with blanks.go": true, "edited.txt": false, "same-size.txt": false, "gone.txt": false,
		"untracked.txt": false, "staged.txt": false, "restaged.txt": false, "link.txt": false, "src": false, "../x": false, "fresh.txt": false, ".git/index": false, ".git/config": false,
	} {
		if got := is(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: kept %v, want %v", name, got, want)
		}
	}
	if kept("")(path) || kept(t.TempDir())(path) {
		t.Error("kept without a repository")
	}
}
