package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree makes files below a new directory: names that end in a slash are
// directories, "name=text" gives a file its text.
func tree(t *testing.T, entries ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name, text, _ := strings.Cut(entry, "=")
		path := filepath.Join(root, name)
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "/") {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func TestEnv(t *testing.T) {
	env := Env{"A=1", "AB=2", "A=3", "EMPTY=", "REL=x/y", "ABS=/x//y/"}
	for _, test := range []struct {
		name, value string
		ok          bool
		path        string
	}{
		{"A", "3", true, ""},
		{"AB", "2", true, ""},
		{"B", "", false, ""},
		{"EMPTY", "", true, ""},
		{"REL", "x/y", true, ""},
		{"ABS", "/x//y/", true, "/x/y"},
	} {
		value, ok := env.Get(test.name)
		if value != test.value || ok != test.ok || env.path(test.name) != test.path {
			t.Errorf("%s: got %q, %v, %q", test.name, value, ok, env.path(test.name))
		}
	}
}

func TestProjectRoot(t *testing.T) {
	root := tree(t, "home/repo/.git/", "home/repo/a/b/", "home/repo/nested/.git/", "home/worktree/.git=gitdir: x", "home/worktree/sub/", "home/plain/sub/", "dotfiles/.git/", "dotfiles/work/x/")
	home := filepath.Join(root, "home")
	for _, test := range []struct{ dir, named, home, want string }{
		{"home/repo", "", "home", "home/repo"},
		{"home/repo/a/b", "", "home", "home/repo"},
		{"home/repo/a/b", "home/repo/a", "home", "home/repo"},
		{"home/worktree/sub", "", "home", "home/worktree"},
		{"home/plain/sub", "", "home", "home/plain/sub"},
		{"home/plain/sub", "home/plain", "home", "home/plain"},
		// The client has named it: a directory elsewhere makes no other.
		{"home/plain/sub", "home/repo", "home", "home/repo"},
		{"home/plain/sub", "home", "home", ""},
		{"home/repo/nested", "home/plain", "home", "home/plain"},
		{"home", "", "home", ""},
		{"home", "home", "home", ""},
		{"", "", "home", ""},
		// A home directory under version control is still no project.
		{"dotfiles/work/x", "", "dotfiles", "dotfiles/work/x"},
		{"dotfiles", "", "dotfiles", ""},
		// Nothing needs to exist.
		{"gone/x", "", "gone", "gone/x"},
	} {
		in := func(name string) string {
			if name == "" {
				return ""
			}
			return filepath.Join(root, name)
		}
		dir := filepath.Join(root, test.dir)
		if got := new(Look).siteOf(dir, in(test.named), in(test.home)).Project; got != in(test.want) {
			t.Errorf("new(Look).siteOf(%q, %q, %q) = %q, want %q", test.dir, test.named, test.home, got, in(test.want))
		}
	}
	if got := new(Look).projectRoot("/", home); got != "" {
		t.Errorf("/ is no project, got %q", got)
	}
	if got := new(Look).projectRoot("relative", home); got != "" {
		t.Errorf("a relative directory is no project, got %q", got)
	}
}

func TestWithin(t *testing.T) {
	for _, test := range []struct {
		path, dir string
		want      bool
	}{
		{"/a/b", "/a", true},
		{"/a", "/a", true},
		{"/a/", "/a", true},
		{"/ab", "/a", false},
		{"/a/../b", "/a", false},
		{"/a", "/", true},
		{"/", "/a", false},
	} {
		if got := Within(test.path, test.dir); got != test.want {
			t.Errorf("Within(%q, %q) = %v", test.path, test.dir, got)
		}
	}
}

func TestReadFileIsBounded(t *testing.T) {
	root := tree(t, "four=1234", "five=12345", "dir/")
	for name, want := range map[string]string{
		"four":         "",
		"five":         "at most 4",
		"dir":          "directory",
		"none":         "no such file",
		"/dev/zero":    "not a regular file",
		"/proc/stat":   "too long",
		"/dev/null":    "not a regular file",
		"four/x":       "not a directory",
		"\x00":         "invalid",
		"/proc/self/x": "no such file",
	} {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(root, name)
		}
		if strings.HasPrefix(name, "/") && !exists(filepath.Dir(path)) {
			continue // no such directory on this system
		}
		_, err := readFile(path, 4)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got %v, want %q", name, err, want)
		}
	}
}

func TestWorld(t *testing.T) {
	root := tree(t, "repo/.git/", "repo/x=text")
	repo := filepath.Join(root, "repo")
	w := World(Env{"HOME=/real", "SHELL=/bin/zsh", "USER=me", "OTHER=1"}, new(Look).siteOf(repo, "", "/pretended"), "/pretended")
	if home, _ := w.Getenv("HOME"); w.Home != "/pretended" || home != "/pretended" {
		t.Errorf("home is %q and $HOME %q", w.Home, home)
	}
	if other, ok := w.Getenv("OTHER"); other != "1" || !ok {
		t.Error("the environment is not handed on")
	}
	if w.Project != repo || w.User != "me" || !w.Zsh {
		t.Errorf("project %q, user %q, zsh %v", w.Project, w.User, w.Zsh)
	}
	if text, err := w.ReadFile(filepath.Join(repo, "x")); string(text) != "text" || err != nil {
		t.Errorf("read %q, %v", text, err)
	}
	if !w.Exists(repo) || w.Exists(filepath.Join(repo, "y")) {
		t.Error("Exists is wrong")
	}
}

func TestBelow(t *testing.T) {
	for _, dir := range []string{"", ".", "/", "//", "/a", "/a/", "/a//b", "/a/./b", "/a/../b", "/a/.", "/a/..", "/a/.b", "/a/..b", "/a/b.", "a/b", "./a"} {
		for _, name := range []string{"x", ".claude/x.json"} {
			if got, want := below(dir, name), filepath.Join(dir, name); got != want {
				t.Errorf("below(%q, %q) = %q, want %q", dir, name, got, want)
			}
		}
	}
}
