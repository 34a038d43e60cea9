package guard_test

import (
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

const branches = `git init -q -b main .; echo a >a; git add a; git commit -qm one; git branch old; echo b >a; git commit -qam two; git branch same; git tag wip
git switch -qc wip; echo w >w; git add w; git commit -qm wip; git switch -qc onwip; git switch -q main
`

// TestMergedBranchesGo: a branch is deleted without a question if what is checked out has all of its commits. Each script runs with git.
func TestMergedBranchesGo(t *testing.T) {
	runsPrograms(t)
	for script, want := range map[string]bool{
		"git branch -D old": false, "git branch -D old same": false, "git branch -qD same": false, "git branch -D old && git branch -D same": false, "git -C . branch -D old": false,
		"git branch -D wip": true, "git branch -D old wip": true, "git branch -D wip onwip": true, "git branch -D old $X": true, "git branch -D -r origin/old": true, "git branch -D -": true, "git branch -D @{-1}": true,
		"git checkout -q --detach wip; git branch -D wip": true, "git checkout -q old && git branch -D main": true, "git commit -qam x; git branch -D old": true, "git branch -f old wip; git branch -D old": true,
		"GIT_DIR=../x git branch -D old": true,
	} {
		l := newLossy(t, branches)
		if asks, why := l.asks(script); asks != want {
			t.Errorf("%s: asked: %v (%s)", script, asks, why)
		}
		if !want {
			home := filepath.Join(l.root, "home")
			out, err := l.run(home, "git rev-list --all --branches | sort >../before; "+script+" && git rev-list --branches | sort | comm -23 ../before -")
			if lost, _ := l.run(home, "git rev-list --branches | sort | comm -23 ../before -"); err != nil || len(lost) > 0 {
				t.Errorf("%s: %v %s, lost %s", script, err, out, lost)
			}
		}
	}
	detached := newLossy(t, branches+"git checkout -q --detach wip")
	if asks, _ := detached.asks("git branch -D wip"); !asks {
		t.Error("what is checked out without a branch does not stay")
	}
}

// TestCurrentBranchIsPushed: the name of the branch that is checked out, as git prints it, is that name; what is made of it is not known.
func TestCurrentBranchIsPushed(t *testing.T) {
	runsPrograms(t)
	const topic, shared, force = "git-push-topic", "git-push", "git-push-force"
	for state, rule := range map[string]string{"git switch -qc feature/x": topic, "git switch -q main": shared, "git switch -qc +x": force, "git checkout -q --detach": force} {
		l := newLossy(t, branches+state)
		g := builtin(t)
		w := realDisk(g, filepath.Join(l.root, "home"), filepath.Join(l.root, "home/proj"))
		judge := func(script string) string {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			return v.Rule
		}
		for _, script := range []string{
			`git push -u origin "$(git branch --show-current)"`, `git push -u origin $(git branch --show-current)`, `B=$(git branch --show-current); git push -u origin $B`,
			`B=$(git rev-parse --abbrev-ref HEAD) && git push origin "$B"`, "B=`git branch --show-current`; git push origin ${B}",
		} {
			if got := judge(script); got != rule {
				t.Errorf("%s: %s: %s, want %s", state, script, got, rule)
			}
		}
		for _, script := range []string{
			`B=$(git branch --show-current); git push origin "+$B"`, `B=$(git branch --show-current); git push origin "$B:main"`, `B=$(git branch --show-current); git push origin ":$B"`,
			`B=$(git branch --show-current); git push origin "${B/x/+}"`, `B=$(git branch --show-current | sed 's/^/+/'); git push origin "$B"`, `B=$(git branch --show-current | tr x :); git push origin "$B"`,
			`git branch --show-current | xargs -I{} git push origin +{}`, `B=$(git -C ../other branch --show-current); git push origin "$B"`, `B=$(git rev-parse --abbrev-ref "$X"); git push origin "$B"`,
			`git push -f origin "$(git branch --show-current)"`, `git switch main && git push origin "$(git branch --show-current)"`, `B=$(git branch --show-current || cat b); git push origin "$B"`,
		} {
			if got := judge(script); got == topic || got == shared {
				t.Errorf("%s: %s: %s", state, script, got)
			}
		}
	}
}
