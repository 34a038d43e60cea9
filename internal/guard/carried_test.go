package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// TestCarriedCode judges git in repositories whose settings name programs: what
// git would run counts, and what people usually set up does not.
func TestCarriedCode(t *testing.T) {
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	head := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
	for _, c := range []struct {
		config  string
		command string
		want    tool.Decision
	}{
		{"", "git status", tool.Allow},
		{"[remote \"origin\"]\n\turl = git@example.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tmerge = refs/heads/main\n[user]\n\tname = A; B\n", "git status", tool.Allow},
		{"[core]\n\tfsmonitor = \"touch PWNED; false\"\n", "git status", tool.Ask},
		{"[core]\n\tfsmonitor = \"touch PWNED; false\"\n", "git diff --stat", tool.Ask},
		{"[core]\n\tfsmonitor = \"touch PWNED; false\"\n", "cd sub && git log -3", tool.Ask},
		{"[core]\n\tfsmonitor = \"rm -rf ~\"\n", "git status", tool.Deny},
		{"[core] fsmonitor = ./x\n", "git status", tool.Ask},
		{"[core]\n\tFSMonitor = \\\n./x\n", "git status", tool.Ask},
		{"[core]\n\tfsmonitor\n", "git status", tool.Allow},
		{"[core]\n\tfsmonitor = true ; a comment\n", "git status", tool.Allow},
		{"[core]\n\tfsmonitor = .git/hooks/fsmonitor-watchman\n", "git status", tool.Allow},
		{"[diff]\n\texternal = ./evil\n", "git diff", tool.Ask},
		{"[diff]\n\texternal = difft\n", "git diff", tool.Allow},
		{"[diff \"x\"]\n\ttextconv = sh -c id\n", "git log -p -1", tool.Ask},
		{"[filter \"x]\"]\n\tclean = ./evil\n", "git status", tool.Ask},
		{"[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n", "git status", tool.Allow},
		{"[filter \"git-crypt\"]\n\tsmudge = \"\\\"git-crypt\\\" smudge\"\n", "git status", tool.Allow},
		{"[filter \"x\"]\n\tclean = exiftool -config evil.cfg\n", "git status", tool.Ask},
		{"[filter \"x\"]\n\tclean = git-lfs clean --evil\n", "git status", tool.Ask},
		{"[diff]\n\texternal = emacs --load=x.el\n", "git diff", tool.Ask},
		{"[core]\n\tsshCommand = ssh evil.example\n", "git fetch", tool.Ask},
		{"[core]\n\tsshCommand = ssh -o PKCS11Provider=./x.so\n", "git fetch", tool.Ask},
		{"[core]\n\thooksPath = .husky\n", "git status", tool.Allow},
		{"[core]\n\thooksPath = .githooks\n", "git commit -m x", tool.Allow},
		{"[core]\n\thooksPath = /tmp/evil\n", "git commit -m x", tool.Ask},
		{"[core]\n\tsshCommand = ssh -i ~/.ssh/work -o IdentitiesOnly=yes\n", "git fetch", tool.Allow},
		{"[core]\n\tsshCommand = ssh -o ProxyCommand=./x\n", "git fetch", tool.Ask},
		{"[core]\n\tsshCommand = ./evil\n", "git fetch", tool.Ask},
		{"[core]\n\tsshCommand = ./evil\n", "git status", tool.Allow},
		{"[credential]\n\thelper = osxkeychain\n", "git fetch", tool.Allow},
		{"[credential]\n\thelper = \"!./evil\"\n", "git fetch", tool.Ask},
		{"[alias]\n\tst = !./evil\n", "git status", tool.Allow},
		{"[core]\n\tpager = delta\n[pager]\n\tlog = ./x\n", "git log -3", tool.Allow},
		{"[include]\n\tpath = ../evil.conf\n", "git status", tool.Ask},
		{"[include]\n\tpath = ../fine.conf\n", "git status", tool.Allow},
		{"[include]\n\tpath = ~/.gitconfig-work\n", "git status", tool.Allow},
		{"[include]\n\tpath = /srv/x\n", "git status", tool.Ask},
		{"[core\n", "git status", tool.Ask},
		{"", "git -C vendor/evil.git status", tool.Ask},
		{"", "cd vendor/evil.git && git status", tool.Ask},
		{"", "cd vendor/evil.git/refs && git status", tool.Ask},
		{"", "git -C vendor/evil.git/refs log", tool.Ask},
		{"", "cd vendor/evil.git && go build", tool.Ask},
		{"", "cd vendor/evil.git/refs && cargo build", tool.Ask},
		{"", "cd vendor/evil.git && gh pr list", tool.Ask},
		{"", "cd vendor/evil.git && ls", tool.Allow},
		{"", "cd src && go build", tool.Allow},
		{"", "git -C nested status", tool.Ask},
		{"", "git -C submodule status", tool.Allow},
		{"", "git --git-dir=vendor/evil.git status", tool.Ask},
		{"", "git -C src status", tool.Allow},
		{"", "git --version", tool.Allow},
	} {
		files := map[string]string{
			".git/HEAD": "ref: refs/heads/main\n", ".git/config": head + c.config, ".git/objects/x": "", ".git/refs/x": "",
			".git/modules/submodule/config": head + "\tworktree = ../../../submodule\n",
			"evil.conf":                     "[core]\n\tfsmonitor = ./x\n", "fine.conf": "[alias]\n\tx = log\n",
			"vendor/evil.git/HEAD": "ref: refs/heads/main\n", "vendor/evil.git/config": head + "\tfsmonitor = \"touch PWNED; false\"\n",
			"vendor/evil.git/objects/x": "", "vendor/evil.git/refs/x": "",
			"nested/.git/config": head + "[diff]\n\texternal = ./evil\n",
			"submodule/.git":     "gitdir: ../.git/modules/submodule\n",
		}
		w := world()
		w.ReadFile = func(path string) ([]byte, error) {
			if text, ok := files[strings.TrimPrefix(path, project+"/")]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}
		w.Exists = func(path string) bool {
			path = strings.TrimPrefix(path, project+"/")
			for name := range files {
				if name == path || strings.HasPrefix(name, strings.TrimSuffix(path, "/.")+"/") {
					return true
				}
			}
			return false
		}
		g := guard.Guard{Library: command.Builtin(), Policy: set}
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: c.command, Shell: true, Edits: true, Attended: true}, w)
		if v.Decision != c.want {
			t.Errorf("%s\nwith %s\tgot %s, want %s: [%s] %s", c.command, c.config, v.Decision, c.want, v.Rule, v.Reason)
		}
	}
}

// TestTaskfile: tasks of a Taskfile are not read, and ask where nothing contains them.
func TestTaskfile(t *testing.T) {
	g, w := builtin(t), world()
	w.ReadFile = func(path string) ([]byte, error) {
		if path == project+"/Taskfile.yml" {
			return []byte("version: '3'\ntasks:\n  test: go test ./...\n"), nil
		}
		return nil, fs.ErrNotExist
	}
	w.Exists = func(path string) bool { _, err := w.ReadFile(path); return err == nil }
	for script, want := range map[string]tool.Decision{"task": tool.Ask, "task test": tool.Ask, "task --list": tool.Allow} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if v.Decision != want {
			t.Errorf("%s: got %s, want %s: [%s] %s", script, v.Decision, want, v.Rule, v.Reason)
		}
	}
}
