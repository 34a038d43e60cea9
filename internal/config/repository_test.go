package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWorktreeOfTheProject: a directory in another working tree of the project's repository makes
// that one the place of the work, and nothing else does.
func TestWorktreeOfTheProject(t *testing.T) {
	root := tree(t, "repo/.git/worktrees/w/commondir=../..\n", "repo/sub/", "w/sub/", "liar/", "other/.git/", "plain/")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(strings.ReplaceAll(text, "ROOT", root)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("repo/.git/worktrees/w/gitdir", "ROOT/w/.git\n")
	write("w/.git", "gitdir: ROOT/repo/.git/worktrees/w\n")
	write("liar/.git", "gitdir: ROOT/repo/.git/worktrees/w\n")
	in := func(name string) string {
		if name == "" {
			return ""
		}
		return filepath.Join(root, name)
	}
	for _, test := range []struct{ named, dir, project, worktree string }{
		{"repo", "w", "repo", "w"},
		{"repo", "w/sub", "repo", "w"},
		{"repo", "repo/sub", "repo", ""},
		{"repo", "other", "repo", ""},
		{"repo", "plain", "repo", ""},
		{"repo", "liar", "repo", ""},
		{"w", "repo", "w", "repo"},
		{"", "w/sub", "w", ""},
		{"plain", "w", "plain", ""},
		{"repo", "", "repo", ""},
	} {
		if s := new(Look).siteOf(in(test.dir), in(test.named), "/nobody"); s.Project != in(test.project) || s.Worktree != in(test.worktree) {
			t.Errorf("%s named, in %s: %+v", test.named, test.dir, s)
		}
	}
	if s := new(Look).siteOf(in("w"), root, root); s != (Site{}) {
		t.Errorf("in the home directory: %+v", s)
	}
}

func TestRepository(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"repo/.git/worktrees/w/commondir": "../..\n",
		"repo/.git/worktrees/w/gitdir":    root + "/w/.git\n",
		"w/.git":                          "gitdir: " + root + "/repo/.git/worktrees/w\n",
		"liar/.git":                       "gitdir: " + root + "/repo/.git/worktrees/w\n",
		"forger/.git":                     "gitdir: fake\n",
		"forger/fake/commondir":           root + "/repo/.git\n",
		"forger/fake/gitdir":              root + "/forger/.git\n",
		"deep/.git":                       "gitdir: a/worktrees/x\n",
		"deep/a/worktrees/x/commondir":    root + "/repo/.git\n",
		"deep/a/worktrees/x/gitdir":       root + "/deep/.git\n",
		"module/.git":                     "gitdir: ../repo/.git/modules/m\n",
		"odd/.git":                        "hello\n",
		"none/x":                          "",
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, []byte(text), 0o644) != nil {
			t.Fatal(path)
		}
	}
	if os.Mkdir(filepath.Join(root, "linked"), 0o755) != nil || os.Symlink(root+"/repo/.git", root+"/linked/.git") != nil {
		t.Fatal("cannot make a link")
	}
	if os.Symlink("repo", root+"/to-repo") != nil || os.Symlink("w", root+"/to-w") != nil {
		t.Fatal("cannot make a link")
	}
	for dir, want := range map[string]string{
		"repo": "repo/.git", "w": "repo/.git", "to-repo": "repo/.git", "to-w": "repo/.git",
		"liar": "liar", "forger": "forger", "deep": "deep", "linked": "linked", "module": "module", "odd": "odd", "none": "none",
	} {
		if got := Repository(filepath.Join(root, dir)); got != filepath.Join(root, want) {
			t.Errorf("%s is %s, want %s", dir, got, want)
		}
	}
}
