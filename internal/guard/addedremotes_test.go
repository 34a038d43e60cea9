package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestAddedRemotes: what comes from a remote that the session has added is asked about as from its address, when it is fetched first.
// A remote that was there before is the user's own.
func TestAddedRemotes(t *testing.T) {
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
	sh(root, `git init -q -b main own; cd own; echo a >a; git add -A; git commit -qm one; git switch -qc topic; echo t >t; git add -A; git commit -qm topic; git switch -q main
git clone -q . ../fork; cd ../fork; git switch -qc evil; echo x >x; git add -A; git commit -qm theirs; echo y >y; git add -A; git commit -qm more
mkdir ../home; git clone -q ../own ../home/first`)
	fork := filepath.Join(root, "fork")
	add, fetch := "git remote add up "+fork, "git fetch -q up"
	for i, test := range []struct {
		before  string // calls, one on each line
		command string
		asks    bool
	}{
		{add, "git fetch up", true},
		{add, "git fetch -q up evil", true},
		{add, "git fetch --all", true},
		{add, "git fetch -m origin up", true},
		{add, "git remote update", true},
		{add, "git remote update up", true},
		{add, "git pull up evil", true},
		{add, "git pull --rebase up evil", true},
		{"", add + " && git fetch up && git merge up/evil", true},
		{"", add + " && git fetch --all", true},
		{"", add + " && git pull up evil", true},
		{"", "git init d && git -C d remote add origin " + fork + " && git -C d pull origin evil", true},
		{"", "git init d && cd d && git remote add origin " + fork + " && git pull origin evil", true},
		{"git init -q d\ngit -C d remote add origin " + fork, "git -C d pull origin evil", true},
		{"git init -q d && git -C d remote add origin " + fork, "git -C d fetch", true},
		{"git init -q d\ncd d && git remote add origin " + fork, "cd d && git pull origin evil", true},

		{add, "git fetch", false},
		{add, "git fetch origin", false},
		{add + "\n" + fetch, "git checkout up/evil", false}, // it was asked about
		{add + "\n" + fetch, "git merge up/evil", false},
		{add + "\n" + fetch, "git fetch up", false},
		{add + "\n" + fetch, "git pull", false},
		{add + "\n" + fetch, "git pull origin topic", false},
		{add + "\ngit pull -q up evil", "git pull up evil", false},
		{"", "git pull origin topic", false},
		{"", add + " && git pull origin topic", false},
		{"", add + " && git fetch origin && git merge origin/topic", false},
		{"", "git remote add origin " + fork + " ; git pull origin topic", false}, // git refuses
		{"git remote add origin " + fork + " || true", "git fetch -q", false},     // git refuses
		{"git init -q d\ngit -C d remote add origin " + fork, "git pull origin topic", false},
	} {
		proj := filepath.Join(root, "home", strings.Repeat("p", i+1))
		sh(root, "cp -R home/first "+proj)
		c := course(&workPlace{t, filepath.Join(root, "home"), proj})
		for call := range strings.SplitSeq(test.before, "\n") {
			c.judge(call)
			sh(proj, call)
		}
		v := c.judge(test.command)
		if asks := slices.ContainsFunc(v.Findings, func(f tool.Finding) bool { return f.Rule == "git-foreign" }); asks != test.asks || !asks && v.Decision > tool.Pass {
			t.Errorf("after %s: %s is %s (%s: %s)", test.before, test.command, v.Decision, v.Rule, v.Reason)
		}
	}
}
