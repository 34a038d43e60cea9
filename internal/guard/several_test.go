package guard_test

import (
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// severalFiles are scripts that give a program a file and a link beside it by a pattern or a list.
var severalFiles = []string{
	`%s build/b/[ko]`, `%s build/b/?`, `ls build/b/[ko] | xargs %s`, `ls build/b/[ko] | xargs -n 2 %s`, `find build/b -maxdepth 1 -name '[ko]' -exec %s {} +`, `f=(build/b/[ko]); %s "${f[@]}"`, `set -- build/b/[ko]; %s "$@"`, `f=$(ls build/b/[ko]); %s $f`, `p='build/b/[ko]'; %s $p`, `%s build/b/{k,o}`, `cd build/b; %s [ko]`, `command %s build/b/[ko]`, `timeout 5 %s build/b/[ko]`, `f() { %s "$@"; }; f build/b/[ko]`,
	`printf '%%s\n' build/b/[ko] | xargs %s`,
}

// A program that writes its second operand writes the second file that a pattern matches.
func TestSecondOfSeveral(t *testing.T) {
	g := builtin(t)
	dir := filepath.Join(t.TempDir(), "home")
	written := 0
	for i, way := range severalFiles {
		for k, program := range []string{"uniq", "xxd", "cp", "uniq -c", "ln -f", "mv", "split -l 1"} {
			if sampled() && (i+k)%3 != 0 {
				continue
			}
			script := strings.ReplaceAll(strings.ReplaceAll(way, "%s", program), "%"+program, "%s")
			got := judgeOverLink(t, g, dir, script, "build/b/o")
			if goes := runOverLink(t, dir, script); goes && got < tool.Ask {
				t.Errorf("%s\n\tgot %s, and writes through the link", script, got)
			} else if goes {
				written++
			}
		}
	}
	if written < 10 && !sampled() {
		t.Errorf("only %d write through the link", written)
	}
	for _, script := range []string{`for f in build/a/*; do uniq "$f"; done`, `for f in build/a/*; do xxd $f; done`, `find build/a -type f -exec xxd {} \;`, `fd . build/a -x uniq`, `fd . build/a -X wc -l`, `find build/a -type f | xargs -n 1 xxd`, `ls build/a/k | xargs -I{} xxd {}`, `uniq README*`, `xxd build/a/[k]`, `for f in *.md; do timeout 5 xxd "$f"; done`} {
		if got := judgeOverLink(t, g, dir, script, ""); got != tool.Allow {
			t.Errorf("%s\n\tgot %s for one file at a time", script, got)
		}
	}
}
