package config

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A Look that remembers says what one that looks every time says, whatever is asked in
// which order: about directories, files, links to them, links that lead nowhere or in
// circles, and what is below any of these.
func TestLookRemembersWhatIsThere(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"a/b/c", "d", "e.f"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"a/file", "d/file"} {
		if err := os.WriteFile(filepath.Join(root, file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"to-a": "a", "a/up": "..", "nowhere": "gone", "d/self": "self", "d/abs": filepath.Join(root, "a/b"), "a/to-file": "file"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	parts := []string{"a", "b", "c", "d", "e.f", "file", "to-a", "up", "nowhere", "self", "abs", "to-file", "missing", ".git", "..x"}
	source := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		l := new(Look)
		for range 40 {
			path := root
			for range 1 + source.IntN(4) {
				path += "/" + parts[source.IntN(len(parts))]
			}
			_, err := os.Lstat(path)
			if got := l.exists(path); got != (err == nil) {
				t.Fatalf("round %d: exists(%s) is %v", round, path, got)
			}
			if got, want := l.followed(path), followed(path); got != want {
				t.Fatalf("round %d: followed(%s) is %s, not %s", round, path, got, want)
			}
			to, err := l.readlink(path)
			want, wrong := readlink(path)
			if to != want || (err == nil) != (wrong == nil) || missing(err) && !missing(wrong) {
				t.Fatalf("round %d: readlink(%s) is %q, %v, not %q, %v", round, path, to, err, want, wrong)
			}
		}
	}
}

// isClean goes by what filepath.Clean does.
func FuzzIsClean(f *testing.F) {
	for _, path := range []string{"/", "/a", "/a/", "//a", "/a/.", "/a/..", "/a/./b", "/a/../b", "/a/.b", "/a/..b", "/a/...", "a", "", "/.", "/..", "/a//b"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		want := filepath.IsAbs(path) && path != "/" && filepath.Clean(path) == path
		if got := isClean(path); got != want {
			t.Errorf("isClean(%q) is %v", path, got)
		}
		if got := below(path, "x/y"); got != filepath.Join(path, "x/y") {
			t.Errorf("below(%q) is %q", path, got)
		}
	})
}

// What a call is judged by is looked at once: the count of looks for everyday calls is
// bounded, and a longer way costs one for each directory.
func TestLooksAreFew(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, proj := root+"/home", root+"/home/p"
	if err := os.MkdirAll(proj+"/.git", 0o755); err != nil {
		t.Fatal(err)
	}
	l := new(Look)
	env := Env{"HOME=" + home}
	_, first := l.where(env, proj, "", home)
	seen := len(l.seen)
	_, second := l.where(env, proj, proj, home)
	if first.Project != proj || second.Project != proj {
		t.Errorf("%v, %v", first, second)
	}
	if len(l.seen) != seen {
		t.Errorf("the second time %d paths more were looked at", len(l.seen)-seen)
	}
	depth := strings.Count(proj, "/")
	if most := 2*depth + 6; seen > most {
		var list []string
		for _, g := range l.seen {
			list = append(list, fmt.Sprint(g.kind, " ", g.path))
		}
		t.Errorf("%d paths were looked at, more than %d:\n%s", seen, most, strings.Join(list, "\n"))
	}
}
