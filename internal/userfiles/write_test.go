package userfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/config"
	"longline/internal/install"
)

// Each test has a home directory of its own.
func init() { config.KnownHome = "HOME" }

func newUser(t *testing.T) *User {
	home := t.TempDir()
	return &User{Env: config.Env{"HOME=" + home}, Dir: home}
}

// TestWrite: a file is replaced as a whole, a copy of it is kept, a link stays a link,
// and nothing is written over what somebody else has written meanwhile.
func TestWrite(t *testing.T) {
	u := newUser(t)
	real, link := filepath.Join(u.Dir, "real"), filepath.Join(u.Dir, "link")
	if err := os.WriteFile(real, []byte("old\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if err := u.Write(install.Change{Path: link, Old: []byte("other\n"), New: []byte("new\n")}); err == nil || !strings.Contains(err.Error(), "meantime") {
		t.Errorf("over somebody else's change: %v", err)
	}
	if err := u.Write(install.Change{Path: link, Old: []byte("old\n"), New: []byte("new\n"), Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(real)
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 || string(text) != "new\n" {
		t.Errorf("%v, %q, %v", info.Mode(), text, err)
	}
	if info, _ := os.Stat(real); info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v", info.Mode())
	}
	copies, _ := filepath.Glob(filepath.Join(u.StateDir(), "backups", "*"))
	if len(copies) != 1 {
		t.Fatalf("%d copies are kept", len(copies))
	}
	if text, _ := os.ReadFile(copies[0]); string(text) != "old\n" {
		t.Errorf("the copy is %q", text)
	}
	if err := u.Write(install.Change{Path: real, Old: []byte("new\n")}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(real); !os.IsNotExist(err) {
		t.Errorf("a change to nothing leaves the file: %v", err)
	}
	if err := (&User{Dir: u.Dir}).Write(install.Change{Path: real, New: []byte("x")}); err == nil {
		t.Error("written without a home directory, where no copy can be kept")
	}
}

func TestDiff(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"a\nb\nc\n", "a\nx\nc\n", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n6\n", "--- f\n+++ f\n@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6\n"},
		{"a", "b", "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
	} {
		if got := Diff("f", []byte(test.old), []byte(test.new)); got != test.want {
			t.Errorf("%q to %q:\n%s", test.old, test.new, got)
		}
	}
	if got := Diff("f", nil, []byte(strings.Repeat("x\n", 1000))); !strings.Contains(got, "--- /dev/null") || !strings.Contains(got, "lines more") {
		t.Errorf("a long new file: %s", got)
	}
	if got := Diff("f", []byte("a\n"), nil); !strings.Contains(got, "+++ /dev/null") {
		t.Errorf("a file that goes: %s", got)
	}
}

// TestPurge: what is said to be left is not among what is removed, and a directory that
// is not longline's is not removed, whatever the configuration names.
func TestPurge(t *testing.T) {
	u := newUser(t)
	roots := config.Roots{Home: u.Dir, State: filepath.Join(u.Dir, "elsewhere"), Config: []string{filepath.Join(u.Dir, ".config/longline")}}
	for _, name := range []string{"elsewhere/x", ".local/state/longline/trust", ".config/longline/rules.yaml", ".config/longline/" + SchemaFile, "my.jsonl", "my-2026-01-10.jsonl"} {
		path := filepath.Join(u.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	own := u.Written(roots, filepath.Join(u.Dir, "my.jsonl"))
	var names []string
	for _, path := range own {
		names = append(names, strings.TrimPrefix(path, u.Dir+"/"))
	}
	if got, want := strings.Join(names, " "), ".local/state/longline my.jsonl my-2026-01-10.jsonl .config/longline/"+SchemaFile; got != want {
		t.Errorf("removes %s, want %s", got, want)
	}
	left := u.Left(roots, own)
	if len(left) != 1 || !strings.HasSuffix(left[0], "rules.yaml, your rules") {
		t.Errorf("leaves %q", left)
	}
}
