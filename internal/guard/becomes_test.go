package guard_test

import (
	"slices"
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
		`mkdir kept; mv DIR/*.bak kept/; for f in DIR/*.txt; do mv "$f" "$f.bak"; done`, `for f in DIR/*.txt; do sort "$f" > "${f%.txt}.md"; done`, `for f in DIR/*.txt; do tr a b <"$f" >"${f%.txt}.md"; done`, `cd DIR; for f in *.txt; do cat "$f" | tr a b > "$f.bak"; done`, `for f in DIR/*.txt; do tee "$f.bak" <"$f"; done`, `find DIR -name '*.txt' -exec sh -c 'sort "$1" > "$1.bak"' _ {} \;`,
		`for f in DIR/*.txt; do sort "$f" > "$f.sorted"; done`, `for f in DIR/*.txt; do wc -l "$f" > /dev/null; done`,
	} {
		for i, dir := range []string{"data", "clean", "build", "free", "same"} {
			if leftOut(n + i) {
				continue
			}
			here := strings.ReplaceAll(script, "DIR", dir)
			lost := len(l.loses(here)) > 0 && dir != "build"
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

// TestEndingsThatAreTaken has real programs put files beside others under their names with an ending more, where files of these names are
// and where none are.
func TestEndingsThatAreTaken(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; for d in data clean build; do mkdir -p $d; for n in 1 2; do echo $d $n >$d/$n.txt; for e in bak gz bz2 xz; do echo $d $n $e >$d/$n.txt.$e; done; done; done
mkdir free other; echo 1 >free/1.txt; echo other >other/1.txt; echo other bak >other/2.txt.bak; echo other gz >other/2.txt.gz; git add clean; git commit -qm one`)
	for n, script := range []string{
		"sed -i.bak s/x/y/ DIR/*.txt", "sed -i.bak s/x/y/ DIR/1.txt", "sed --in-place=.bak s/x/y/ DIR/1.txt", "cd DIR && sed -i.bak s/x/y/ *.txt", "find DIR -name '*.txt' -exec sed -i.bak s/x/y/ {} +", "perl -pi.bak -e 's/x/y/' DIR/*.txt", `for f in DIR/*.txt; do sed -i.bak s/x/y/ "$f"; done`, "sed -i.orig s/x/y/ DIR/*.txt", "sed -i s/x/y/ DIR/*.txt",
		"gzip -kf DIR/*.txt", "gzip -kf DIR/1.txt", "gzip -rkf DIR", "bzip2 -kf DIR/*.txt", "xz -kf DIR/*.txt", "find DIR -name '*.txt' | xargs gzip -kf", `for f in DIR/*.txt; do gzip -kf "$f"; done`, "gzip -f DIR/*.txt", "gzip -k DIR/*.txt", "gzip -kf -S .zz DIR/*.txt", "gzip -cf DIR/*.txt >/dev/null", "gzip -tf DIR/*.gz",
	} {
		for i, dir := range []string{"data", "clean", "build", "free", "other"} {
			if leftOut(n + i) {
				continue
			}
			here := strings.ReplaceAll(script, "DIR", dir)
			if dir == "data" && strings.Contains(here, "-r") {
				here = "rm -f data/*.gz.gz; " + here
			}
			lost := slices.ContainsFunc(l.loses(here), func(text string) bool { return strings.ContainsAny(text, "kgz") }) && dir != "build" // and not what is packed
			if asks, why := l.asks(here); asks != lost {
				t.Errorf("%s: asked: %t (%s), lost: %t", here, asks, why, lost)
			}
		}
	}
}
