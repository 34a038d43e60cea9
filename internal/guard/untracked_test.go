package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestUntrackedSecrets stages and searches a project with a file of secrets that git ignores, keeps, or was never told
// of. Only the last is news.
func TestUntrackedSecrets(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	all := []string{"git add -A", "git add .", "git add --all && git commit -m x", "git add -N . && git diff", "git add ./ src; git diff --cached", "git grep --untracked API_KEY"}
	others := []string{"git add -u", "git add -p", "git add src README.md", "git add -n .", "git status", "git grep --untracked hello", "git grep API_KEY", "git commit -am x", "git diff", "cd src && git add ."}
	for setting, asks := range map[string]bool{
		"true":                                   true,
		"echo node_modules/ > .gitignore":        true,
		"echo '!.env' > .gitignore":              true,
		"echo .env > .gitignore":                 false,
		"echo '/.env*' > .gitignore":             false,
		"echo .env > .git/info/exclude":          false,
		"echo .env > ../.config/git/ignore":      false,
		"git config core.excludesFile ../ignore": false,
		"git add .env; git commit -qm two":       false,
	} {
		root := t.TempDir()
		g := builtin(t)
		w := realDisk(g, root, filepath.Join(root, "proj"))
		w.Secret = g.Policy.Secrets(&tool.Call{}, w)
		if err := os.MkdirAll(filepath.Join(w.Project, "src"), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/bin/sh", "-ec", "mkdir -p ../.config/git; echo a > README.md; echo a > src/a.c; git init -q -b main .; git add -A; git commit -qm one; echo API_KEY=x > .env; "+setting)
		cmd.Dir = w.Project
		cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		judge := func(script string) bool {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			return v.Decision >= tool.Ask
		}
		for _, script := range all {
			if judge(script) != asks {
				t.Errorf("after %s: %s: asks is not %v", setting, script, asks)
			}
		}
		for _, script := range others {
			if judge(script) {
				t.Errorf("after %s: %s asks", setting, script)
			}
		}
	}
}
