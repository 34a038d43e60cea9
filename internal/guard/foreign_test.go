package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"longline/internal/tool"
)

// TestForeignCommits: commits from an address, a path or a pull request are asked about where they come in, and so is what puts into the
// index what was never on the disk. Branches of the repository's own remotes are not.
func TestForeignCommits(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	root := t.TempDir()
	cmd := exec.Command("/bin/sh", "-ec", `git init -q -b main fork; cd fork; echo a >a; git add -A; git commit -qm one; git branch topic; git tag v1
mkdir ../home; git clone -q . ../home/proj; cd ../home/proj; git branch -q mine; git clone -q . other`)
	cmd.Dir = root
	cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	g := builtin(t)
	proj := filepath.Join(root, "home/proj")
	world := realDisk(g, filepath.Join(root, "home"), proj)
	judge := func(command string) (v tool.Verdict, foreign bool) {
		v, _ = g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: command, Shell: true, Edits: true, Attended: true}, world)
		return v, slices.ContainsFunc(v.Findings, func(f tool.Finding) bool { return f.Rule == "git-foreign" })
	}
	for _, command := range []string{
		"git fetch origin pull/12/head:pr12", "git fetch -q --depth 5 origin pull/12/head", "git fetch origin pull/12/head && git checkout FETCH_HEAD", "git fetch origin refs/pull/12/head:refs/pull/12/head",
		"git fetch origin merge-requests/5/head:mr5", "git fetch origin '+refs/pull/*/head:refs/remotes/origin/pr/*'", "git fetch origin topic pull/12/head", "git fetch origin 0123456789012345678901234567890123456789",
		"git fetch ./other main:evil", "git fetch other", "git fetch ../fork main", "git fetch ~/x.bundle main", `git fetch "file://$PWD/other" main`, "git fetch https://example.com/x.git", "git fetch git@example.com:x.git main",
		"git fetch -m origin nosuch", "git remote add e https://example.com/x.git && git fetch e && git merge e/main", "git pull https://example.com/x.git main", "git pull ../fork main", "git pull origin pull/12/head",
	} {
		if v, foreign := judge(command); !foreign || v.Decision < tool.Ask {
			t.Errorf("%s is %s (%s)", command, v.Decision, v.Reason)
		}
	}
	for _, command := range []string{"git update-index --add --cacheinfo 100644,0123456789012345678901234567890123456789,.claude/settings.json", "git update-index --index-info < list", "git read-tree --prefix=.claude topic", "git mktree < list"} {
		if v, _ := judge(command); v.Decision < tool.Ask {
			t.Errorf("%s is %s (%s)", command, v.Decision, v.Reason)
		}
	}
	for _, command := range []string{
		"git fetch", "git fetch origin", "git fetch -q --all --prune --tags", "git fetch origin topic", "git fetch origin main topic", "git fetch origin topic:topic", "git fetch origin refs/heads/topic:refs/remotes/origin/topic", "git fetch -m origin",
		"git fetch origin tag v1", "git fetch origin HEAD", "git fetch . mine", "git remote update", "git pull", "git pull --rebase origin topic", "git pull --ff-only", "git fetch origin && git merge origin/topic", "git checkout mine", "git merge mine",
		"git -C other fetch", "cd other && git pull origin main", "git cherry-pick mine", "git clone https://example.com/x.git && cd x && git fetch origin main",
	} {
		if v, foreign := judge(command); foreign || v.Decision > tool.Pass {
			t.Errorf("%s is %s (%s: %s)", command, v.Decision, v.Rule, v.Reason)
		}
	}
}

// TestGitBehindItsOwnWall: where git puts files there of which nobody knows which they are, it runs behind a wall that keeps those which configure
// agents, unasked, whatever the call has moved before. What surely brings such a file asks.
func TestGitBehindItsOwnWall(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	root := t.TempDir()
	cmd := exec.Command("/bin/sh", "-ec", `git init -q -b main home/proj; cd home/proj; mkdir .claude; echo '{"a":1}' >.claude/settings.json; echo one >a; git add -A; git commit -qm one; git branch other
echo '{}' >.claude/settings.json; git commit -qam two; git branch topic; echo two >a; git commit -qam three`)
	cmd.Dir = root
	cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	g, w := wallGuard(t)
	g.Policy.WallsAnswer = true
	proj := filepath.Join(root, "home/proj")
	world := realDisk(g, filepath.Join(root, "home"), proj)
	world.Undo, world.Wall = func(string) bool { return true }, w.Wall
	walled := func(script string) (tool.Decision, []string) {
		call := tool.Call{Agent: "claude", Tool: "Bash", Dir: proj, Script: script, Shell: true, Edits: true, Attended: true}
		v, _ := g.Judge(call, world)
		if wv, _, ok := g.Wall(call, world, always); ok {
			v = wv
		}
		return v.Decision, v.Walled
	}
	for script, want := range map[string][]string{
		"git checkout topic":                                               {"git checkout topic"},
		"git pull && git log --oneline":                                    {"git pull"},
		"git -C . pull --rebase":                                           {"git -C . pull --rebase"},
		"git stash; git merge topic":                                       {"git stash", "git merge topic"},
		"git rebase topic":                                                 {"git rebase topic"},
		"git revert HEAD":                                                  {"git revert HEAD"},
		"git stash branch x":                                               {"git stash branch x"},
		"git reset HEAD~2 && git checkout .":                               {"git checkout ."},
		"git read-tree other; git checkout-index -a":                       {"git checkout-index -a"},
		"git branch -f x other && git checkout x":                          {"git checkout x"},
		"git symbolic-ref HEAD refs/heads/other && git checkout HEAD -- .": {"git checkout HEAD -- ."},
		"git diff | head":                                                  {"git diff"},
		"git show other:a":                                                 {"git show other:a"},
		"git log -p --all":                                                 {"git log -p --all"},
		"git grep -h one":                                                  {"git grep -h one"},
		"git archive HEAD | cat":                                           {"git archive HEAD"},
		"git diff > x.patch":                                               nil,
		"git diff --stat":                                                  nil,
		"git log --oneline":                                                nil,
		"git status":                                                       nil,
		"git checkout -b new":                                              nil,
		"git fetch":                                                        nil,
	} {
		if decision, texts := walled(script); decision > tool.Pass || !slices.Equal(texts, want) {
			t.Errorf("%s is %s, behind walls: %q", script, decision, texts)
		}
	}
	for _, script := range []string{"git checkout other", "git reset --hard other", "git rebase other", "command git pull", "git checkout --nosuch topic", "git checkout $(cat x)/../y"} {
		if decision, _ := walled(script); decision < tool.Ask {
			t.Errorf("%s is %s", script, decision)
		}
	}
}
