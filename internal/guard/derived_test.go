package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestFilesOfDerivedNames has a real shell move files to names that are made of theirs, where several become the same and where none do.
func TestFilesOfDerivedNames(t *testing.T) {
	held := map[string]string{"d/q_1.csv": "text of 1", "d/q_2.csv": "text of 2", "d/a.csv": "text of a", "d/a.txt": "another", "d/in/z": "text of z", "e/x.csv": "text of x", "e/y.csv": "text of y"}
	for _, script := range []string{
		`for f in d/*.csv; do mv "$f" "${f%/*}/report.csv"; done`, `for f in d/q_*.csv; do mv "$f" "${f%_*}"; done`, `for f in d/*.*; do mv "$f" "${f%.*}"; done`, `for f in d/*.csv; do n=${f%/*}; mv "$f" "$n/report.csv"; done`, `for f in d/*.csv; do n="${f%/*}"; mv "$f" "${n}/report.csv"; done`, `for f in d/q*.csv; do mv "$f" "${f%%_*}_x"; done`,
		`for f in ./d/*.csv; do mv -f "$f" "${f%/*}/r.csv"; done`, `for f in $PWD/d/*.csv; do mv "$f" "${f%/*}/r.csv"; done`, `for f in [de]/*.csv; do mv "$f" "${f%/*}/r.csv"; done`,
		`for f in e/*.csv; do mv "$f" "${f%.csv}.txt"; done`, `for f in e/*; do mv "$f" "${f%.*}"; done`, `for f in d/*.csv; do mv "$f" "$f.bak"; done`, `for f in d/*.csv; do mv "$f" "${f%/*}/in"; done`, `for f in d/*.csv; do mv "$f" "${f%/*}/in/"; done`, `for f in d/a.*; do mv "$f" "${f#d/}"; done`, `for f in d/q*.csv; do mv "$f" "${f%_*}-${f##*_}"; done`, `for f in d/q_1*; do mv "$f" "${f%_*}"; done`,
		`mkdir -p d/new; for f in d/*.csv; do mv "$f" "${f%/*}/new"; done`, `for f in d/*.csv; do cp "$f" "${f%/*}/report.csv"; done`,
	} {
		v, lost := moveFiles(t, held, script)
		if asks := v.Decision >= tool.Ask; lost && !asks || asks && !lost && v.Rule == "project-delete" {
			t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
		}
	}
}

// TestNamesOfLists has a real shell move and copy the files of a list to names that are made of theirs, in directories where others of these
// names are, where none are, and where git or a build has them.
func TestNamesOfLists(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; for d in from data edited clean build/out other same; do mkdir -p $d; done
for n in a b; do echo $n of from >from/$n.csv; cp from/$n.csv same/; for d in data edited clean build/out; do echo $n of $d >$d/$n.csv; done; done; echo c >other/c.csv; echo c >same/c.csv; git add clean edited; git commit -qm one; echo more >>edited/b.csv; mkdir empty`)
	l.shell = "bash"
	lists := []struct{ begin, end string }{
		{"for f in from/*.csv; do", "done"},
		{"for f in from/*; do", "done"},
		{"for f in ./from/*.csv; do", "done"},
		{`for f in "$PWD"/from/*.csv; do`, "done"},
		{"src=$(pwd)/from; for f in $src/*.csv; do", "done"},
		{"for f in $(ls from/*.csv); do", "done"},
		{"ls from/*.csv | while read -r f; do", "done"},
		{"find from -name '*.csv' | while read -r f; do", "done"},
		{"find ./from -type f -size -10k | while read -r f; do", "done"},
		{"find from -name '*.csv' ! -name x.csv -mtime -900 | sort | while read -r f; do", "done"},
		{"ls from | while read -r n; do f=from/$n;", "done"},
		{`for n in $(ls from); do f="from/$n";`, "done"},
		{"ls from | grep csv | while read -r n; do f=from/$n;", "done"},
		{"a=(from/*.csv); for f in \"${a[@]}\"; do", "done"},
		{"while read -r f; do", "done < <(find from -name '*.csv')"},
		{"find from -type f -print0 | while IFS= read -r -d '' f; do", "done"},
	}
	names := []string{
		`OP "$f" "DIR/${f##*/}"`, `OP "$f" DIR/${f##*/}`, `b=${f##*/}; OP "$f" "DIR/$b"`, `b="${f##*/}"; s=${b%.csv}; OP "$f" "DIR/$s.csv"`, `s=${f%.csv}; s=${s##*/}; OP "$f" "DIR/$s.csv"`, `t=DIR/${f##*/}; OP "$f" "$t"`, `n=${f##*/}; t="DIR/$n"; OP "$f" $t`, `dst=$PWD/DIR; OP "$f" "$dst/${f##*/}"`, `dst=${1:-DIR}; OP "$f" "${dst}/${f##*/}"`, `for d in DIR; do OP "$f" "$d/${f##*/}"; done`, `OP "$f" "DIR/./${f##*/}"`,
		`dst=$(git rev-parse --show-toplevel)/DIR; OP "$f" "$dst/${f##*/}"`, `if [ -s "$f" ]; then OP "$f" "DIR/${f##*/}"; fi`, `b=${f##*/} && OP "from/$b" "DIR/$b"`, `[ -f "$f" ] && OP "$f" "DIR/${f##*/}" || echo no`,
	}
	operations := []string{"cp", "mv", "cp -a", "mv -f", "cp -r", "install -m 644", "cp -p"}
	lost := 0
	for i, list := range lists {
		for j, name := range names {
			for k, dir := range []string{"data", "edited", "clean", "build/out", "other", "same", "empty", "new"} {
				if n := i*len(names) + j*5 + k; n%13 != 0 || leftOut(n/13) {
					continue
				}
				script := list.begin + " " + strings.NewReplacer("OP", operations[(i+j+k)%len(operations)], "DIR", dir).Replace(name) + "; " + list.end
				if dir == "new" {
					script = "mkdir -p new; " + script
				}
				loses := len(l.loses(script)) > 0 && dir != "build/out"
				if asks, why := l.asks(script); asks != loses && !(asks && !strings.Contains(why, "Deletes")) {
					t.Errorf("%s: asked: %t (%s), lost: %t", script, asks, why, loses)
				}
				if loses {
					lost++
				}
			}
		}
	}
	if lost < 8 {
		t.Errorf("%d scripts lose something", lost)
	}
}
