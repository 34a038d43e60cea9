package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"longline/internal/tool"
)

// TestWhatWasFetchedBefore: commits from an address, a path or a pull request are asked about when they get to the files, also
// if an earlier call has fetched them. Branches of remotes, and what was checked out here before, are not.
func TestWhatWasFetchedBefore(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	runsPrograms(t)
	root := t.TempDir()
	sh := func(dir, script string) {
		t.Helper()
		cmd := exec.Command("/bin/sh", "-ec", script)
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", script, err, out)
		}
	}
	sh(root, `git init -q -b main fork; cd fork; echo a >a; git add -A; git commit -qm one; git clone -q --bare . ../remote.git
git switch -qc topic; echo t >t; git add -A; git commit -qm topic; git tag v1; git push -q ../remote.git topic v1
git switch -qc theirs main; echo x >x; git add -A; git commit -qm theirs; echo y >y; git add -A; git commit -qm more; git push -q ../remote.git theirs:refs/pull/12/head theirs:refs/merge-requests/5/head
mkdir ../home; git clone -q ../remote.git ../home/first; cp -R . ../home/first/fork
cd ../home/first; git branch -q mine; git commit -q --allow-empty -m ahead; git remote set-url origin ../../remote.git; rm -f .git/FETCH_HEAD`)
	const pr = "git fetch -q origin pull/12/head:pr12"
	g, n := builtin(t), 0
	for _, test := range []struct {
		before, command string
		asks            bool
	}{
		{pr, "git checkout pr12", true},
		{pr, "git switch pr12", true},
		{pr, "git checkout -b review pr12", true},
		{pr, "git switch -c review pr12~1", true},
		{pr, "git checkout pr12 -- x", true},
		{pr, "git restore -s pr12 x", true},
		{pr, "git merge pr12", true},
		{pr, "git merge --squash pr12", true},
		{pr, "git rebase pr12", true},
		{pr, "git cherry-pick pr12", true},
		{pr, "git cherry-pick main..pr12", true},
		{pr, "git worktree add wt pr12", true},
		{pr, "git reset --hard pr12", true},
		{pr + "; git fetch -q origin; git fetch -q origin topic", "git checkout pr12", true},
		{pr + "; git branch review pr12; git fetch -q origin", "git checkout review", true},
		{"git fetch -q --depth 5 origin pull/12/head:pr12; git fetch -q", "git checkout pr12", true},
		{"git fetch -q origin pull/12/head", "git checkout FETCH_HEAD", true},
		{"git fetch -q origin pull/12/head", "git merge --no-edit FETCH_HEAD", true},
		{"git fetch -q origin pull/12/head", "git switch -c review FETCH_HEAD", true},
		{"git fetch -q origin pull/12/head; git branch review FETCH_HEAD", "git checkout review", true},
		{"git fetch -q origin refs/pull/12/head:refs/pull/12/head; git fetch -q", "git checkout refs/pull/12/head", true},
		{"git fetch -q origin merge-requests/5/head:mr5", "git checkout mr5", true},
		{"git fetch -q origin '+refs/pull/*/head:refs/remotes/origin/pr/*'; git fetch -q", "git checkout origin/pr/12", true},
		{"git config --add remote.origin.fetch '+refs/pull/*/head:refs/remotes/origin/pr/*'; git fetch -q; git fetch -q origin topic", "git checkout origin/pr/12", true},
		{"git fetch -q ./fork theirs:evil; git fetch -q", "git checkout evil", true},
		{"git fetch -q fork theirs", "git cherry-pick FETCH_HEAD", true},
		{"git fetch -q fork v1", "git checkout FETCH_HEAD", true},
		{"git fetch -q fork", "git merge FETCH_HEAD", true},
		{`git fetch -q "file://$PWD/fork" theirs:evil; git fetch -q`, "git merge evil", true},

		{pr, "git checkout mine", false},
		{pr, "git merge origin/topic", false},
		{pr, "git diff main...pr12", false},
		{pr, "git log -p pr12", false},
		{pr, "git branch review pr12", false},
		{pr + "; git checkout -q pr12; git checkout -q main", "git checkout pr12", false},
		{pr + "; git checkout -q pr12; echo z >z; git add z; git commit -qm z; git checkout -q main", "git checkout pr12", false},
		{pr + "; git merge -q --no-edit pr12", "git switch -c again pr12", false},
		{"git fetch -q origin", "git checkout topic", false},
		{"git fetch -q origin", "git merge origin/topic", false},
		{"git fetch -q --all --prune --tags", "git rebase origin/main", false},
		{"git fetch -q origin topic", "git merge FETCH_HEAD", false},
		{"git fetch -q origin topic", "git checkout FETCH_HEAD", false},
		{"git fetch -q origin topic:topic", "git checkout topic", false},
		{"git fetch -q origin topic:other", "git checkout other", false},
		{"git fetch -q --tags origin", "git checkout v1", false},
		{"git fetch -q origin; git branch mine2 origin/topic", "git checkout mine2", false},
		{"git pull -q --rebase origin topic", "git checkout origin/topic", false},
		{"git fetch -q . mine", "git merge FETCH_HEAD", false},
		// The settings of the user give the remote another address.
		{"git config remote.origin.url x:remote.git; git config url.../../.insteadOf x:; git fetch -q --tags; git fetch -q", "git merge origin/topic", false},
		{"git config remote.origin.url x:remote.git; git config url.../../.insteadOf x:; git fetch -q --tags", "git checkout v1", false},
	} {
		n++
		name := strconv.Itoa(n)
		sh(root, "cp -R home/first home/"+name)
		proj := filepath.Join(root, "home", name)
		world := realDisk(g, filepath.Join(root, "home"), proj)
		sh(proj, test.before)
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: test.command, Shell: true, Edits: true, Attended: true}, world)
		if asks := slices.ContainsFunc(v.Findings, func(f tool.Finding) bool { return f.Rule == "git-foreign" }); asks != test.asks || !asks && v.Decision > tool.Pass {
			t.Errorf("after %s: %s is %s (%s: %s)", test.before, test.command, v.Decision, v.Rule, v.Reason)
		}
	}
}
