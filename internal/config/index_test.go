package config

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	is := kept(dir)()
	for name, want := range map[string]bool{
		"a.txt": true, "src/b.go": true, "src/deep/c with blanks.go": true, "edited.txt": false, "same-size.txt": false, "gone.txt": false,
		"untracked.txt": false, "staged.txt": false, "restaged.txt": false, "link.txt": false, "src": false, "../x": false, "fresh.txt": false, ".git/index": false, ".git/config": false,
	} {
		if got := is(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: kept %v, want %v", name, got, want)
		}
	}
	if kept("")()(path) || kept(t.TempDir())()(path) {
		t.Error("kept without a repository")
	}
}

// TestOutsideIsNotKept: whatever a repository claims to have, it has nothing outside of
// itself. Its index and its trees are files that anybody can write.
func TestOutsideIsNotKept(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	root := tree(t, "p/aa/victim=text", "victim=text")
	dir, long := filepath.Join(root, "p"), time.Now().Add(-time.Hour)
	for _, path := range []string{filepath.Join(dir, "aa/victim"), filepath.Join(root, "victim")} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "x")
	if !kept(dir)()(filepath.Join(dir, "aa/victim")) {
		t.Fatal("what is committed is not kept")
	}
	index := filepath.Join(dir, ".git/index")
	raw, err := os.ReadFile(index)
	if err != nil || !bytes.Contains(raw, []byte("aa/victim")) {
		t.Fatal(err)
	}
	if err := os.WriteFile(index, bytes.Replace(raw, []byte("aa/victim"), []byte("../victim"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	name, inner := git("rev-parse", "HEAD^{tree}"), git("rev-parse", "HEAD:aa")
	id, err := hex.DecodeString(inner)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(append([]byte("tree 29\x0040000 ..\x00"), id...))
	z.Close()
	object := filepath.Join(dir, ".git/objects", name[:2], name[2:])
	if err := errors.Join(os.Remove(object), os.WriteFile(object, b.Bytes(), 0o444)); err != nil {
		t.Fatal(err)
	}
	if kept(dir)()(filepath.Join(root, "victim")) {
		t.Error("a repository keeps a file outside of itself")
	}
}
