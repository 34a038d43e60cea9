package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestUntrackedSecrets stages a project with a file of secrets that git ignores, keeps, or was never told
// of. Only the last is news.
func TestUntrackedSecrets(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	all := []string{"git add -A", "git add .", "git add --all && git commit -m x", "git add -N . && git diff", "git add ./ src; git diff --cached"}
	others := []string{"git add -u", "git add -p", "git add src README.md", "git add -n .", "git status", "git grep --untracked hello", "git commit -am x", "git diff", "cd src && git add ."}
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
		"mkdir ../.ssh; echo k > ../.ssh/id_rsa; mv .env ../.env; ln -s ../.ssh keys; ln -s ../.env .env": false, // git stores where they lead to
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

// TestUntrackedSecretsBelow does so where the file lies below the top of the project: what takes in the directory that it is in
// takes it in.
func TestUntrackedSecretsBelow(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	all := []string{
		"git add -A", "git add .", "git add -N . && git diff", "git add -A && git diff --cached", "git add conf && git diff HEAD", "git add conf/", "git add conf/deep src", "cd conf && git add .", "cd src && git add -A",
		"cd src && git add ../conf",
		"git stash -u && git stash show -p -u", "git stash push -u; git stash show --include-untracked --patch", "git stash -u -q; git stash show -p --only-untracked",
	}
	others := []string{
		"git add src", "git add -u", "git add src README.md && git diff --cached", "cd src && git add .", "git add -n .", "git status", "git grep --untracked hello", "git grep --untracked API_KEY -- src", "git diff --cached",
		"git stash", "git stash -u", "git stash -u && git pull --rebase && git stash pop", "git stash show -p", "git stash show -u", "git stash show", "cd src && git grep --untracked API_KEY",
	}
	for setting, asks := range map[string]bool{
		"true":                             true,
		"echo node_modules/ > .gitignore":  true,
		"echo .env.local > .gitignore":     false,
		"echo conf/ > .gitignore":          false,
		"echo deep > conf/.gitignore":      false,
		"git add conf; git commit -qm two": false,
		"rm conf/deep/.env.local":          false,
		"git init -q conf":                 false,
		"mkdir conf/node_modules; mv conf/deep/.env.local conf/node_modules": false,
	} {
		root := t.TempDir()
		g := builtin(t)
		w := realDisk(g, root, filepath.Join(root, "proj"))
		w.Secret = g.Policy.Secrets(&tool.Call{}, w)
		if err := os.MkdirAll(filepath.Join(w.Project, "src"), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/bin/sh", "-ec", "mkdir -p conf/deep; echo a > README.md; echo a > src/a.c; git init -q -b main .; git add -A; git commit -qm one; echo API_KEY=x > conf/deep/.env.local; "+setting)
		cmd.Dir = w.Project
		cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		judge := func(script string) (bool, string) {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			return v.Decision >= tool.Ask, v.Reason
		}
		if setting == "true" {
			stashed := exec.Command("git", "stash", "-uq")
			stashed.Dir, stashed.Env = cmd.Dir, cmd.Env
			defer func() {
				if err := stashed.Run(); err != nil {
					t.Fatal(err)
				}
				for script, want := range map[string]bool{"git stash show -p -u": true, "git stash show -p -u stash@{0}": true, "git stash show -p -u stash": true, "git stash show -p": false, "git stash show -u": false, "git add -A": false} {
					if got, why := judge(script); got != want {
						t.Errorf("put aside before: %s: asks is not %v (%s)", script, want, why)
					}
				}
			}()
		}
		for _, script := range all {
			if got, why := judge(script); got != asks {
				t.Errorf("after %s: %s: asks is not %v (%s)", setting, script, asks, why)
			}
		}
		for _, script := range others {
			if got, why := judge(script); got {
				t.Errorf("after %s: %s asks (%s)", setting, script, why)
			}
		}
	}
}
