package guard_test

import (
	"slices"
	"strings"
	"testing"
)

// TestAborted: who ends a merge, a rebase or the like is asked only if that loses more than what git itself has written. Each script runs with git.
func TestAborted(t *testing.T) {
	runsPrograms(t)
	const made = `git init -q -b main .; mkdir src; for f in a b src/c d; do echo base $f >$f; done; git add -A; git commit -qm one
git switch -qc other; echo theirs >a; echo theirs too >b; git rm -q d; echo new >new; git add -A; git commit -qm other; echo second >src/c; git commit -qam second
git switch -q main; echo mine >own; git add -A; git commit -qm own; echo ours >a; git commit -qam ours; `
	begun := map[string]string{
		"merge": "git merge other || :", "cherry-pick": "git cherry-pick other~1 || :", "rebase": "git rebase other || :", "revert": "echo later >a; git commit -qam later; git revert --no-edit HEAD~1 || :",
		"cherry-pick of several": "git cherry-pick main..other || :",
	}
	states := map[string]bool{ // done since, and whether that would be lost
		":": false, "echo untracked >u": false, "rm a": false,
		"echo resolved >a": true, "echo resolved >a; git add a": true, "echo edited >own": true, "echo edited >src/c": true, "echo staged >own; git add own": true, "echo added >more; git add more": true,
		"git rm -q --cached own; echo changed >own": true, "git rm -q --cached -f a; echo changed >a": true, "rm a; mkdir a; echo in it >a/x": true, "echo mine >d; echo edited >b": true,
	}
	allowed := 0
	for what, begin := range begun {
		name, _, _ := strings.Cut(what, " ")
		script := "git " + name + " --abort"
		for state, lost := range states {
			l := newLossy(t, made+begin+"\n"+state)
			asks, why := l.asks(script)
			if lost && !asks || !lost && asks {
				t.Errorf("%s, then %s: %s: asks: %v (%s)", begin, state, script, asks, why)
			}
			if asks {
				continue
			}
			allowed++
			if gone := slices.DeleteFunc(l.loses(script), func(text string) bool { return strings.Contains(text, "<<<<<<<") }); len(gone) > 0 {
				t.Errorf("%s, then %s: %s loses %q", begin, state, script, gone)
			}
		}
	}
	if allowed < 12 {
		t.Errorf("%d are allowed", allowed)
	}
	l := newLossy(t, made+begun["merge"])
	for script, want := range map[string]bool{
		"git merge --abort && git status": false, "git status; git -C . merge --abort": false, "git merge --quit": false, "echo x >a; git merge --abort": true, "git add a; git merge --abort": true, "git rebase --skip": true, "git cherry-pick --skip": true,
		"git am --abort": true, "GIT_INDEX_FILE=x git merge --abort": true, "git reset --hard": true, "git checkout -f": true,
	} {
		if asks, why := l.asks(script); asks != want {
			t.Errorf("%s: asks: %v (%s)", script, asks, why)
		}
	}
}
