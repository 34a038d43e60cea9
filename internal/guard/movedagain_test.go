package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestFilesMovedAgain moves files to one name after one of them was moved there twice, after it was changed or made, and to names that variables
// and elements of arrays hold: what a real shell loses is a deletion, and what it keeps is none.
func TestFilesMovedAgain(t *testing.T) {
	runsPrograms(t)
	held := map[string]string{"a.txt": "text of a", "b.txt": "text of b", "there/z": "text of z"}
	scripts := []string{
		`mv a.txt new.x; mv a.txt new.x; mv b.txt new.x`, `for f in a.txt b.txt; do mv "$f" new.x; mv "$f" new.x; done`, `for f in a.txt b.txt; do for i in 1 2; do mv "$f" there/new; done; done`, `for f in a.txt b.txt; do [ -f "$f" ] && mv "$f" new.x; mv "$f" new.x; done`,
		`touch a.txt; mv a.txt new.x; mv b.txt new.x`, `echo more >> a.txt; mv a.txt new.x; mv b.txt new.x`, `sed -i s/q/r/ a.txt; mv a.txt new.x; mv b.txt new.x`, `mv a.txt new.x; mv new.x a.txt; mv a.txt new.x; mv b.txt new.x`,
		`echo x > c.txt; mv c.txt new.x; mv b.txt new.x`, `for i in 1 2; do echo $i > c.txt; mv c.txt new.x; done`, `touch c.txt; mv c.txt new.x; mv b.txt new.x`, `mv a.txt new.x; mv a.txt new.x; mv b.txt new.y`, `mv a.txt new.x; mv a.txt new.x`,
	}
	for _, name := range []string{`new-$(date +%F).csv`, `there/$(date +%F).csv`, `there/$(hostname)-x.csv`, `there/$f.csv`, `there/$i.csv`, `there/$((i/4)).csv`, `there/x$(id -u).csv`} {
		for _, way := range []string{
			`for f in *.txt; do i=$((i+1)); n="N"; mv "$f" "$n"; done`, `for f in a.txt b.txt; do i=$((i+1)); n=N; mv "$f" "$n"; done`, `for f in *.txt; do i=$((i+1)); n="N"; mv "$f" "${n}"; done`, `m() { local n; n="N"; mv "$1" "$n"; }; for f in a.txt b.txt; do i=$((i+1)); m "$f"; done`,
		} {
			scripts = append(scripts, "i=0; "+strings.ReplaceAll(way, "N", name))
		}
	}
	for _, part := range []string{"$i", "${i}", "${i:-0}", "${i%?}", "${i:0:1}", "${i#1}", "${i//[0-9]/}", "${i:+x}"} {
		scripts = append(scripts, `i=20; for f in *.txt; do i=$((i+1)); mv "$f" "there/x`+part+`.csv"; done`)
	}
	for _, script := range scripts {
		v, lost := moveFiles(t, held, script)
		if asks := v.Decision >= tool.Ask; lost && !asks {
			t.Errorf("%s: %s (%s), and a file is lost", script, v.Decision, v.Reason)
		} else if asks && !lost && !mayAsk.MatchString(script) && !strings.Contains(script, "local") && !strings.Contains(script, "#1") {
			t.Errorf("%s: %s (%s), and no file is lost", script, v.Decision, v.Reason)
		}
	}
}
