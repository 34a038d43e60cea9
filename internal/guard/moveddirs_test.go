package guard_test

import (
	"strings"
	"testing"
)

// TestDirectoriesThatFilesWereMovedInto moves files into what builds make, and deletes that by patterns and searches that do not name the
// files: what was moved there is lost, and the rest is made again.
func TestDirectoriesThatFilesWereMovedInto(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir -p src/__pycache__ docs build dist packages/a/dist packages/b/dist
printf 'build\ndist\n__pycache__\n' > .gitignore; for f in src/a.py src/b.py docs/a.md packages/a/x packages/b/x; do echo one $f > $f; done; git add -A; git commit -qm one
echo two > src/b.py; echo new > src/new.py; echo note > notes.txt; echo other > other.txt`)
	moves := []string{"mv notes.txt DIR/", "mv notes.txt other.txt DIR/", "mv *.txt DIR", "mv src/b.py DIR/", "mv -t DIR src/new.py", "for f in *.txt; do mv $f DIR/; done"}
	deletes := map[string][]string{
		"build":           {"find . -name build -prune -exec rm -rf {} +", "find . -type d -name 'bu*' | xargs rm -rf", "rm -rf bu[i]ld", "for d in bu*d; do (cd $d && rm -rf ../build); done", "rm -rf ../proj/*/../build", "find . -name build -print0 | xargs -0 rm -rf"},
		"src/__pycache__": {"rm -rf */__pycache__", "rm -rf src/*pycache*", "find . -name __pycache__ -exec rm -rf {} +", "find src -type d -name __pycache__ | while read -r d; do rm -rf \"$d\"; done"},
		"packages/a/dist": {"rm -rf packages/*/dist", "for p in packages/*; do (cd $p && rm -rf dist); done", "find packages -name dist -exec rm -r {} +", "rm -rf packages/?/dist"},
	}
	scripts := map[string]bool{}
	for dir, list := range deletes {
		for _, move := range moves {
			for _, del := range list {
				scripts[strings.ReplaceAll(move, "DIR", dir)+"; "+del] = false
			}
		}
	}
	for _, quiet := range []string{
		"mv notes.txt build/; rm -rf build/*.o", "mv notes.txt build/; rm -rf packages/*/dist", "mv notes.txt packages/a/dist/; rm -rf packages/b*/dist", "mv notes.txt build/; find . -name __pycache__ -prune -exec rm -rf {} +",
		"mv notes.txt build/; find . -name '*.pyc' -delete", "mv notes.txt docs/; rm -rf */__pycache__", "mv src/new.py src/c.py; rm -rf */__pycache__", "mv *.txt docs/; find . -name dist -exec rm -rf {} +", "mv dist/* build/; find . -name build -exec rm -rf {} +",
		"rm -rf packages/*/dist; mv notes.txt packages/a/", "find . -name build -exec rm -rf {} +; mkdir build; mv notes.txt build/",
	} {
		scripts[quiet] = false
	}
	l.check(scripts)
}
