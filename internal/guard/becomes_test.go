package guard_test

import (
	"strings"
	"testing"
)

// TestNamesThatAreTaken has a real shell move and copy files to names that it makes of theirs or counts, where files of these names are
// and where none are.
func TestNamesThatAreTaken(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; for d in data clean build; do mkdir -p $d; for n in 1 2; do echo $d $n >$d/$n.txt; echo $d old $n >$d/$n.txt.bak; echo $d other $n >$d/$n.md; done; done
mkdir free same; echo 1 >free/1.txt; echo free 2 >free/2.txt; echo same >same/1.txt; cp same/1.txt same/1.txt.bak; cp same/1.txt same/1.md; cp same/1.txt same/2.txt; git add clean; git commit -qm one`)
	for n, script := range []string{
		`for f in DIR/*.txt; do mv "$f" "$f.bak"; done`, `for f in DIR/*.txt; do cp "$f" "$f.bak"; done`, `for f in DIR/*.txt; do cp -f $f ${f%.txt}.md; done`, `for f in DIR/*.txt; do mv -f "$f" "${f%.txt}.md"; done`, `cd DIR; for f in *.txt; do mv -- "$f" "${f%.txt}.md"; done`, `for f in ./DIR/*.txt; do n="${f%.txt}.md"; mv "$f" "$n"; done`, `for f in $(ls DIR/*.txt); do mv "$f" "$f.bak"; done`, `for f in $PWD/DIR/*.txt; do install -m 644 "$f" "${f%.txt}.md"; done`,
		`find DIR -name '*.txt' -execdir mv {} new.md \;`, `find DIR -name '*.txt' -execdir mv -f {} 1.md \;`, `for n in 1 2; do mv DIR/$n.txt DIR/$((n+1)).txt; done`, `for n in 1 2 3; do [ -f DIR/$n.md ] && mv DIR/$n.md DIR/$((n+1)).md; done`,
		`for f in DIR/*.txt; do mv "$f" "$f.new"; done`, `for f in DIR/*.txt; do cp -n "$f" "$f.bak"; done`, `for f in DIR/*.txt; do mv -b "$f" "$f.bak"; done`, `for n in 2 1; do mv DIR/$n.txt DIR/$((n+1)).txt; done`, `rm -f DIR/x.bak; for f in DIR/*.txt; do mv "$f" "$f.x"; done`,
		`mkdir kept; mv DIR/*.bak kept/; for f in DIR/*.txt; do mv "$f" "$f.bak"; done`, `for f in DIR/*.txt; do sort "$f" > "${f%.txt}.md"; done`,
	} {
		made := strings.Contains(script, "sort ") // what a program makes of a file may be made again
		for i, dir := range []string{"data", "clean", "build", "free", "same"} {
			if leftOut(n + i) {
				continue
			}
			here := strings.ReplaceAll(script, "DIR", dir)
			lost := len(l.loses(here)) > 0 && dir != "build" && !made
			if asks, why := l.asks(here); asks != lost && !(asks && (strings.Contains(script, "new.md") || strings.Contains(script, "1.md \\;"))) {
				t.Errorf("%s: asked: %t (%s), lost: %t", here, asks, why, lost)
			}
		}
	}
}

// TestManyNamesMade: where more files get names made of theirs than are compared, a question is asked.
func TestManyNamesMade(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, "git init -q .; mkdir few many; for i in $(seq 100); do : >few/$i.jpg; done; for i in $(seq 2100); do : >many/$i.jpg; done")
	for dir, want := range map[string]bool{"few": false, "many": true} {
		if asks, why := l.asks(`for f in ` + dir + `/*.jpg; do mv "$f" "${f%.jpg}.jpeg"; done`); asks != want {
			t.Errorf("in %s: asked: %v (%s)", dir, asks, why)
		}
	}
}
