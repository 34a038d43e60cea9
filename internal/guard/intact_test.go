package guard_test

import "testing"

// TestIntactIsPutBack: who puts files back to what git has of them is asked only if that may lose something. Each script runs with git.
func TestIntactIsPutBack(t *testing.T) {
	runsPrograms(t)
	const unsure = true
	const made = `git init -q -b main .; mkdir src; for f in a b src/c src/d; do echo committed $f >$f; done; : >src/empty; ln -s a link; printf '*.log\n' >.gitignore; git add -A; git commit -qm one
git switch -qc other; echo theirs >b; echo new >new; mkdir dir; echo in dir >dir/f; echo log >x.log; git add -A; git add -f x.log; git commit -qm other; git switch -q main; git rm -q src/d; git commit -qm removed
`
	clean := newLossy(t, made+"echo untracked >u; rm b")
	scripts := map[string]bool{}
	for _, script := range []string{
		"git restore a", "git checkout -- a", "git checkout a", "git checkout .", "git restore .", "git restore src link", "git checkout -q -- src/ 2>/dev/null", "git checkout b",
		"git reset --hard", "git reset -q --hard HEAD", "git reset --hard @", "cd src && git checkout .", "git -C src checkout -- c", "git -C . -C src checkout c", "git status && git diff; git checkout -- a",
		"git checkout other -- new", "git checkout other -- dir", "git checkout HEAD~1 -- src/d", "git restore --source=other a new", "git checkout HEAD -- a", "git checkout other -- b",
		"git checkout -- a && git checkout -- src && echo x >a", "git checkout -- '*.md'", "git checkout other -- .", "git checkout -- nosuch",
	} {
		scripts[script] = false
	}
	for _, script := range []string{
		"echo x >a; git checkout a", "make; git checkout a", "for i in 1 2; do git checkout a; echo x >a; done", "trap 'git checkout a' EXIT; echo x >a", "f() { git checkout a; }; f; echo x >a; f",
		"echo x >a & git checkout a", "mv u a; git checkout a", "cp u a && git restore .", "git checkout -f", "GIT_INDEX_FILE=.git/other git checkout .", "git -c core.worktree=../x checkout .",
		"git checkout $X -- a", "git reset --hard HEAD$X", "git restore -s HEAD$X a", "git checkout -- a$X", "git reset --hard HEAD~1", "git stash drop", "git checkout -p a", "git add a; git checkout -- a",
	} {
		scripts[script] = unsure
	}
	clean.check(merged(scripts, "git checkout other -- nosuch; rm -f u"))

	for state, cases := range map[string]map[string]bool{
		"echo edited >a":                                                        {"git checkout a": false, "git checkout .": false, "git reset --hard": false, "git restore -s other a": false, "git checkout b": false, "cd src && git checkout .": false, "git checkout -- ./src/../a": false, "git checkout -- .//a": false},
		"echo COMMITTED a >a; touch -r b a":                                     {"git checkout a": false, "git checkout b": false},
		"echo staged >a; git add a":                                             {"git checkout HEAD -- a": false, "git reset --hard": false, "git checkout a": false, "git checkout -- src": false, "git checkout other -- a": false},
		"echo edited >a; git update-index --assume-unchanged a":                 {"git checkout a": false, "git checkout .": false, "git checkout -- b": false},
		"echo edited >a; git update-index --skip-worktree a":                    {"git checkout --ignore-skip-worktree-bits a": false, "git checkout -- b": false, "git checkout a": unsure},
		"rm a; mkdir a; echo in the way >a/x":                                   {"git checkout a": false, "git checkout .": false, "git checkout b": false},
		"rm -r src; echo in the way >src":                                       {"git checkout src": unsure, "git checkout .": false, "git checkout b": false},
		"echo mine >new; echo e >e":                                             {"git checkout other -- new": false, "git checkout other -- .": false, "git checkout other -- b": false},
		"echo mine >dir; echo e >e":                                             {"git checkout other -- dir": false, "git checkout other -- dir/f": false, "git checkout other -- b": false},
		"echo mine >x.log; echo e >e":                                           {"git checkout other -- x.log": false, "git checkout .": false, "git reset --hard": false},
		"git rm -q --cached a; echo mine >a":                                    {"git checkout HEAD -- a": false, "git reset --hard": false, "git checkout -- b": false},
		"git update-index --split-index; echo e >a":                             {"git checkout a": false, "git checkout -- b": unsure},
		"git config core.worktree ../../other; mkdir -p ../../other; echo e >a": {"git checkout b": unsure, "rm -f a": false},
	} {
		newLossy(t, made+state).check(merged(cases, "rm -rf a new x.log dir src"))
	}
	modes := newLossy(t, made+"chmod +x a; git update-index --chmod=+x b")
	for script, want := range map[string]bool{"git checkout a": true, "git reset --hard": true, "git checkout src": false} {
		if asks, why := modes.asks(script); asks != want {
			t.Errorf("%s: asked: %v (%s)", script, asks, why)
		}
	}
}

// merged is scripts with one more, which loses something.
func merged(scripts map[string]bool, more string) map[string]bool {
	scripts[more] = false
	return scripts
}
