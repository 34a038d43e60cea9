package config

import (
	"os"
	"path/filepath"
	"testing"
)

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
	for dir, want := range map[string]string{
		"repo": "repo/.git", "w": "repo/.git",
		"liar": "liar", "forger": "forger", "deep": "deep", "linked": "linked", "module": "module", "odd": "odd", "none": "none",
	} {
		if got := Repository(filepath.Join(root, dir)); got != filepath.Join(root, want) {
			t.Errorf("%s is %s, want %s", dir, got, want)
		}
	}
}
