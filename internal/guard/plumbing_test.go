package guard_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// plumbed is a project with files that git does not have, links to some of them, and code that reads what it is given.
const plumbed = `git init -q -b main .; mkdir -p src data/sub logs build
printf 'import sys\nfor a in sys.argv[1:]:\n    try: print(open(a.split("=")[-1]).read().replace("Q","q"), end="")\n    except OSError: pass\n' >src/fmt.py; cp src/fmt.py src/gen.py; printf 'all:\n' >Makefile; echo readme >README.md; echo build >.gitignore; git add .; git commit -qm one
for f in notes.txt draft.md src/edited.py data/a.csv data/b.csv data/sub/c.csv logs/run1.log logs/run2.log; do printf '%s one\n%s two\n' $f $f >$f; done; : >empty
ln -s run1.log logs/current.log; ln -s a.csv data/latest.csv; ln -s data link; ln -s ../notes.txt build/n`

// holdsPlumbing runs scripts and holds the answer against what is left of the files: where all lines of one are gone, somebody is asked, and
// where none is lost, nobody. Where commands run at the same time, one is first by chance.
func holdsPlumbing(t *testing.T, least int, scripts ...string) {
	t.Helper()
	runsPrograms(t)
	l := newLossy(t, plumbed)
	losing := 0
	for _, script := range scripts {
		lost := l.linesLost(script)
		if len(lost) > 0 {
			losing++
		}
		if asks, why := l.asks(script); asks != (len(lost) > 0) && !(asks && mayRace(script)) {
			t.Errorf("%s: asked: %v (%s), lost: %q", script, asks, why, lost)
		}
	}
	if losing < least {
		t.Errorf("only %d lose something", losing)
	}
}

// linesLost runs a script in a copy of the project, and says of which files no line is anywhere any more.
func (l *lossy) linesLost(script string) (lost []string) {
	l.t.Helper()
	home := l.t.TempDir()
	if out, err := l.run(filepath.Join(l.root, "home"), "cp -a ../. "+home); err != nil {
		l.t.Fatalf("%v: %s", err, out)
	}
	before := contents(home)
	_, _ = l.run(home, "timeout 10 bash -c '"+strings.ReplaceAll(script, "'", `'\''`)+"' </dev/null")
	after := contents(home)
	for content := range before {
		kept := content == ""
		for _, line := range strings.Split(strings.TrimSpace(content), "\n") {
			for text := range after {
				kept = kept || strings.Contains(text, line)
			}
		}
		if !kept {
			lost = append(lost, content)
		}
	}
	return lost
}

// TestEmptiedUnderAnotherName reads and empties files under two names, one of which leads through a link on the disk.
func TestEmptiedUnderAnotherName(t *testing.T) {
	holdsPlumbing(t, 10,
		"cat logs/current.log > logs/run1.log", "cat logs/run1.log > logs/current.log", "sort data/a.csv > data/latest.csv", "grep -v x data/latest.csv > data/a.csv", "cat data/a.csv | tee data/latest.csv", "sort link/a.csv > data/a.csv", "sort data/a.csv > link/latest.csv", "sort < link/a.csv > data/latest.csv",
		"{ cat data/latest.csv; echo; } > data/a.csv", "cat build/n > notes.txt", "dd if=data/a.csv of=link/a.csv", "exec > data/latest.csv; cat data/a.csv",
		"sort data/a.csv > data/new.csv", "sort -o data/latest.csv data/a.csv", "cat logs/current.log >> logs/all.log", "cat logs/current.log > logs/all.log", "sort link/a.csv > data/new.csv && mv data/new.csv data/a.csv", "cat README.md > data/new", "x=$(cat data/a.csv); echo \"$x\" > data/latest.csv", "cat empty > data/new",
	)
}

// TestEmptiedBeforeCodeReadsIt gives project code the name of the file that its output goes to.
func TestEmptiedBeforeCodeReadsIt(t *testing.T) {
	holdsPlumbing(t, 12,
		"python3 src/fmt.py notes.txt > notes.txt", `f=notes.txt; python3 src/fmt.py "$f" > "$f"`, "python3 src/fmt.py --input notes.txt > notes.txt", "python3 src/fmt.py --input=notes.txt > notes.txt", `for f in data/*.csv; do python3 src/fmt.py "$f" > "$f"; done`, `for f in data/*.csv; do python3 src/fmt.py --in "$f" > $f; done`, "python3 src/fmt.py ./notes.txt > $PWD/notes.txt", "python3 src/fmt.py data/a.csv > data/latest.csv",
		"cd data && python3 ../src/fmt.py a.csv > a.csv", "env python3 src/fmt.py notes.txt > notes.txt", "{ python3 src/fmt.py notes.txt; } > notes.txt", "python3 src/fmt.py notes.txt | cat > notes.txt", "python3 src/fmt.py notes.txt | tee notes.txt", "find data -name '*.csv' -exec sh -c 'python3 src/fmt.py \"$1\" > \"$1\"' _ {} \\;",
		"python3 src/fmt.py notes.txt > new.txt", "python3 src/fmt.py notes.txt > new.txt && mv new.txt notes.txt", "python3 src/fmt.py notes.txt >> notes.txt", `for f in data/*.csv; do python3 src/fmt.py "$f" > "$f.new"; done`, `for f in data/*.csv; do python3 src/fmt.py "$f" > "$f.new" && mv "$f.new" "$f"; done`, "python3 src/fmt.py notes.txt > empty", `x=$(python3 src/fmt.py notes.txt); echo "$x" > notes.txt`, "make all > build/log",
	)
}

// TestEmptiedBelowWhatIsRead prints what is below a directory into a file that lies there.
func TestEmptiedBelowWhatIsRead(t *testing.T) {
	holdsPlumbing(t, 6,
		"grep -rh . data > data/b.csv", "grep -rh . data | sort > data/b.csv", "find data -type f -exec grep -h . {} + > data/b.csv", "find data -type f -exec cat {} + > data/b.csv", "find data -type f | xargs cat > data/b.csv", "find data -type f | sort | xargs cat > data/b.csv", "cat $(find data -type f) > data/b.csv", `for f in $(find data -type f); do cat "$f"; done > data/b.csv`,
		"grep -rh . data > data/new.csv", "grep -rh . data > new.csv", "grep -rh . data >> data/b.csv", "find data -type f | xargs cat > new.csv", "cat data/sub/* > data/new.csv",
	)
	l := newLossy(t, plumbed)
	for _, script := range []string{ // a file that is named is written, from others or from names
		"find data -type f ! -name b.csv | xargs cat > data/b.csv", "find data -type f | grep -v b.csv | xargs cat > data/b.csv", "grep -rn TODO data > data/b.csv", "find data -type f | xargs wc -l > data/b.csv", "grep -rh --exclude=b.csv . data > data/b.csv", "grep -rh '' . > notes.txt", "cat data/sub/* > data/b.csv", "find data -type f -exec md5sum {} + > data/b.csv",
	} {
		if asks, why := l.asks(script); asks {
			t.Errorf("%s: %s", script, why)
		}
	}
}

// TestEmptiedByWhatPrintsNothing redirects programs that print nothing, unless they are told to.
func TestEmptiedByWhatPrintsNothing(t *testing.T) {
	holdsPlumbing(
		t, 8, "grep -q one notes.txt > draft.md", "grep --quiet one notes.txt > draft.md", "cp README.md new > draft.md", "mv README.md new > draft.md", "mv data/a.csv data/z.csv > draft.md", "head -0 README.md > draft.md", "head -n 0 README.md > draft.md", "cp README.md new > new2; mv new2 draft.md",
		"cp README.md new >> draft.md", "cp README.md new > new2", "cp README.md new 2> new2", "mv README.md new > build/log", "if grep -q one notes.txt; then cat draft.md; fi > new",
	)
	l := newLossy(t, plumbed)
	for _, script := range []string{"grep -c one notes.txt > draft.md", "cp -v README.md new > draft.md", "mv -v README.md new > draft.md", "cp README.md new > draft.md 2>&1", "cp README.md /dev/stdout > draft.md", "head -5 README.md > draft.md", "if grep -q one notes.txt; then echo yes; fi > draft.md"} {
		if asks, why := l.asks(script); asks { // something is written
			t.Errorf("%s: %s", script, why)
		}
	}
}
