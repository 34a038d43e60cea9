package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// What prints where a path leads prints the target of a link. Deleting that is no deletion of the link, by whatever way it
// gets to the command that deletes.
func TestResolvedLinks(t *testing.T) {
	g := builtin(t)
	const proj = "/home/dev/proj/"
	files := map[string]string{proj + "build/link": "/home/dev/docs", proj + "build/sub/a": "", proj + "src/main.go": "", "/home/dev/docs/a": "", proj + ".git/HEAD": "", proj + "dist/a": ""}
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(attended(script), linked(files))
		return v.Decision
	}
	prints := []string{"realpath PATH", "readlink -f PATH", "readlink -e PATH", "readlink --canonicalize PATH", "realpath -m PATH", "realpath -P PATH", "realpath ./PATH", "realpath -- PATH"}
	ways := []string{
		`rm -rf "$(PRINTS)"`, `d=$(PRINTS); rm -rf "$d"`, `d=$(PRINTS) && rm -r -- "$d"`, `PRINTS | xargs rm -rf`, `find "$(PRINTS)" -delete`, `PRINTS | while read -r d; do rm -rf "$d"; done`,
		`f() { rm -rf "$1"; }; f "$(PRINTS)"`, `cd "$(PRINTS)" && rm -rf *`, `rm -rf $(PRINTS)`, `mv "$(PRINTS)" build/old`, `for d in $(PRINTS); do rm -rf "$d"; done`, `bash -c 'rm -rf "$1"' _ "$(PRINTS)"`,
	}
	for _, by := range prints {
		for _, way := range ways {
			script := strings.ReplaceAll(way, "PRINTS", by)
			for _, name := range []string{"build/link", "build/l*", "build/*", "build/link/../docs"} {
				if s := strings.ReplaceAll(script, "PATH", name); judge(s) < tool.Ask {
					t.Errorf("%s is %s", s, judge(s))
				}
			}
			if s := strings.ReplaceAll(script, "PATH", "build/sub"); judge(s) > tool.Pass && !strings.HasPrefix(s, "cd") && !strings.Contains(s, "while") { // it may print nothing
				t.Errorf("%s is %s", s, judge(s))
			}
		}
	}
	for _, code := range []string{
		"shutil.rmtree(os.path.realpath('PATH'))", "shutil.rmtree(pathlib.Path('PATH').resolve())", "d = os.path.realpath('PATH'); shutil.rmtree(d)", "os.remove(pathlib.Path('PATH').resolve())",
	} {
		script := `python3 -c "import os, shutil, pathlib; ` + code + `"`
		if s := strings.ReplaceAll(script, "PATH", "build/link"); judge(s) < tool.Ask {
			t.Errorf("%s is %s", s, judge(s))
		}
	}
}
