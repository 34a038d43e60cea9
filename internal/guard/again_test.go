package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestCommandsRunAgain has programs run a script for each file, or more than once, and holds the answer against what is left: what the first
// run has put somewhere, the second may delete.
func TestCommandsRunAgain(t *testing.T) {
	runsPrograms(t)
	held := map[string]string{"d/x.csv": "text of x", "d/y.csv": "text of y", "d/z.csv": "text of z", "notes": "text of notes", "there/w": "text of w", "build/o": "", "build/b": "", "list": "one\ntwo\n"}
	ways := []string{
		`find d -name '*.csv' -exec sh -c '%s' _ {} \;`, `find d -type f -exec env bash -c '%s' _ {} \;`, `find d -name '[xy].csv' -exec sh -c '%s' _ {} \;`, `find d -name '*.csv' -print0 | xargs -0 -n1 sh -c '%s' _`,
		`ls d/*.csv | xargs -n1 sh -c '%s' _`, `find d -name '*.csv' | xargs -I{} sh -c '%s' _ {}`, `sh -c '%s' _ d/x.csv`, `bash -c '%s' _ d/y.csv; true`,
	}
	harmless := []string{`mv "$1" there`, `mv "$1" there/`, `mv "$1" "$1.old"`, `mv "$1" "${1%.csv}.txt"`, `cp "$1" there/all.csv`, `cat "$1" >> all`, `mkdir -p new; mv "$1" new`, `mv notes build/t; rm -rf build/u`, `mkdir -p build/k; rm -rf build/k/*; ln -sfn ../there build/l`, `sort "$1" > t; mv t "$1"`, `t=$(mktemp); sort "$1" > $t && mv $t "$1"`}
	for _, way := range []string{ways[0], ways[len(ways)-2]} {
		for _, body := range harmless {
			script := strings.ReplaceAll(way, "%s", body)
			if v, lost := moveFiles(t, held, script); lost || v.Decision >= tool.Ask {
				t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
			}
		}
	}
	bodies := append(harmless,
		`mv "$1" archive`, `mv "$1" there/all.csv`,
		`rm -f t; mv "$1" t`, `rm -rf build/t; mv notes build/t`, `rm -rf build/t; mv d build/t`, `rm -f build/t; mv "$1" build/t`, `rm -rf build/k/*; ln -sfn ../there build/k`, `[ -e t ] && rm -rf there; touch t`,
	)
	var scripts []string
	for _, way := range ways {
		for _, body := range bodies {
			scripts = append(scripts, strings.ReplaceAll(way, "%s", body))
		}
	}
	for _, body := range []string{`rm -rf build/t; mv there build/t`, `mv there build/t; rm -rf build/u`, `cp notes build/t; rm -rf build/t`, `rm -f build/c; mv build/b build/c; mv notes build/b`} {
		scripts = append(scripts, `sh -c '`+body+`'`, `awk '{system("`+body+`")}' list`, `awk 'BEGIN{for(i=0;i<4;i++) system("`+body+`")}'`, `timeout 1 watch -n 0.1 '`+body+`' > /dev/null`,
			"python3 -c 'import os\nfor i in range(4): os.system(\""+body+"\")'", `find d -type f -exec sh -c '`+body+`' \;`, `find d -type f -execdir sh -c 'cd ..; `+body+`' \;`, `ls d | xargs -n1 sh -c '`+body+`'`)
	}
	scripts = append(scripts, `find d -type f -exec rm -rf build/t \; -exec mv there build/t \;`, `find d -type f -exec rm -rf build/t \; -exec mv {} there/ \;`,
		`find d -name '*.csv' -exec sh -c 'mv "$@" there' _ {} +`, `find d -name '*.csv' -exec sh -c 'for f; do mv "$f" there; done' _ {} +`, `find d -name '*.csv' -exec sh -c 'for f; do mv "$f" archive; done' _ {} +`)
	for _, script := range scripts {
		v, lost := moveFiles(t, held, script)
		if lost && v.Decision < tool.Ask {
			t.Errorf("%s: %s, but a file is lost", script, v.Decision)
		}
	}
}

// TestSearchesOfPatternsMoveOnTop does the same where a search begins at the files that a pattern stands for.
func TestSearchesOfPatternsMoveOnTop(t *testing.T) {
	runsPrograms(t)
	held := map[string]string{"d/x.csv": "text of x", "d/y.csv": "text of y", "there/w": "text of w"}
	for _, roots := range []string{"d/*.csv", "d/*", "./d/*", `"$PWD"/d/*`, "d/[xy].csv", "d/?.csv"} {
		for _, run := range []string{"-exec mv {}", "-type f -exec mv {}", "-name '*.csv' -exec mv {}", "-exec env mv {}", "-exec nice mv -f {}"} {
			for _, to := range []string{"new", "there/new", "there", "there/", "./there/."} {
				script := "find " + roots + " " + run + " " + to + ` \;`
				v, lost := moveFiles(t, held, script)
				if asks := v.Decision >= tool.Ask; asks != lost {
					t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
				}
			}
		}
	}
}
