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
