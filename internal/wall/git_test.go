//go:build linux && (amd64 || arm64)

package wall

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestGitInside: git makes repositories, worktrees and harmless settings inside the project, and nothing that
// it would run later.
func TestGitInside(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	users(t, func(t *testing.T, st *stage) {
		const begin = `set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com; `
		project := st.root + "/home/code/project"
		must(0, os.RemoveAll(project+"/.git"))
		set := exec.Command("sh", "-c", begin+"git init -q . && git add main.c && git commit -qm a && git worktree add -q w0 && echo mine > .git/hooks/pre-push")
		set.Dir, set.Env, set.SysProcAttr = project, st.command("", "").Env, st.command("", "").SysProcAttr
		if out, err := set.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, script := range []string{
			"mkdir sub && cd sub && git init -q && touch b && git add b && git commit -qm sub && git log --oneline | grep -c . | grep -qx 1 && git -C .. log --format=%s | grep -qx a",
			"git clone -q . cl && git -C cl config remote.origin.url && git -C cl status && git -C cl checkout -qb t --track origin/HEAD",
			"git config user.name b && git config user.name | grep -qx b && git config commit.gpgsign false && git config --unset user.name",
			"git worktree add -q w1 && cd w1 && git status && echo x > y && git add y && git commit -qm y && git -C .. log --oneline w1 -- | grep -c . | grep -qx 2",
			"git worktree add -q w2 && git worktree remove w2 && git branch -qD w2 && git stash list && git checkout -qb c && git checkout -q -",
		} {
			if out, err := st.sh(begin + script).CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", script, err, out)
			}
		}
		for _, script := range []string{
			"git config core.fsmonitor ./x", "git config alias.st '!x'", "git config core.hooksPath x", "git remote add x https://example.com/x", "git config branch.x.remote https://example.com/x",
			"git -C cl config core.fsmonitor ./x", "git -C cl remote add y ext::sh", "git config user.name 'a\\nb'", "git config filter.x.clean x", "git config commit.gpgsign true",
			"git config --file cl/.git/config core.pager x", "echo x > cl/.git/hooks/pre-commit", "echo x > .git/hooks/pre-commit", "cp main.c sub/.git/hooks/post-checkout", "mv main.c .git/hooks/x",
			"mkdir sub/x && echo gitdir: ../cl/.git > sub/x/.git", "echo ../../cl > .git/worktrees/w0/commondir", "echo x >> .git/config", "echo x > cl/.git/config", "echo x > cl/.git/commondir",
			"git config --worktree core.fsmonitor x", "mkdir -p .git/rebase-merge && echo exec x > .git/rebase-merge/git-rebase-todo", "mkdir .git/sequencer", "echo '* filter=x' > .git/info/attributes",
			"echo x > .git/modules/x/config", "ln -s ../../x cl/.git/hooks/pre-commit", "mv .git/hooks h", "rm .git/hooks/pre-push", "mkdir .git/worktrees/w9 && echo x > .git/worktrees/w9/config.worktree",
			"mkdir .git/worktrees/w8 && echo x > .git/worktrees/w8/commondir && grep x .git/worktrees/w8/commondir",
			// What is looked at is what is put in force.
			"exec 5>.git/config.lock; printf '[user]\\n\\tname = c\\n' >&5; mv .git/config.lock .git/config; printf '[core]\\n\\tfsmonitor = x\\n' >&5; git config core.fsmonitor",
		} {
			if out, err := st.sh(begin + script).CombinedOutput(); err == nil {
				t.Errorf("%s: %s", script, out)
			}
		}
	})
}

func TestHarmlessChange(t *testing.T) {
	const plain = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = a\n[remote \"b\"]\n\turl = b\n"
	for _, c := range []struct {
		after string
		want  bool
	}{
		{plain, true},
		{plain + "[user]\n\tname = A B\n\temail\n", true},
		{plain + "[branch \"x/y\"]\n\tremote = origin\n\tmerge = refs/heads/x\n", true},
		{strings.Replace(plain, "false", "true", 1), false},
		{strings.NewReplacer("= a", "= b", "= b", "= a").Replace(plain), false},
		{strings.Replace(plain, "= a", "= x", 1), false},
		{strings.Replace(plain, "\turl = a\n", "", 1), false},
		{plain + "[core]\n\tfsmonitor = x\n", false},
		{plain + "[core] fsmonitor = x\n", false},
		{plain + "[user]\n\tname = \\\n[core]\n", false},
		{plain + "[user]\n\tname = \"a\nfsmonitor = x\n", false},
		{plain + "[user] # [core]\nname = x\n", false},
		{plain + "[user.x]\nname = x\n", false},
		{plain + "[include]\npath = x\n", false},
		{"name = x\n" + plain, false},
		{plain + "[branch \"x\"]\n\tremote = https://example.com\n", false},
	} {
		if got := harmlessChange(plain, c.after, false); got != c.want {
			t.Errorf("%q: %v", c.after, got)
		}
	}
}
