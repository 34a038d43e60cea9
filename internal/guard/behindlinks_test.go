package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestMovedBehindLinks moves files to places behind links that are on the disk, and deletes something by the path that the link leads to, or
// by another link. The answer is held against what is left.
func TestMovedBehindLinks(t *testing.T) {
	runsPrograms(t)
	held := map[string]string{"d/x.csv": "text of x", "d/y.csv": "text of y", "notes": "text of notes", "build/o": "", "build/sub/o": "", "lb": "-> build", "deep/lb": "-> ../build", "ls": "-> lb/sub", "docs/e": "text of e"}
	moves := []string{
		`mv d lb/`, `mv d lb/new`, `mv notes lb`, `mv notes lb/o`, `mv d/* lb/`, `mv d/*.csv lb/sub`, `mv -t lb d`, `for f in d/*; do mv "$f" lb/; done`, `find d -name '*.csv' -exec mv {} lb/ \;`, `mv d deep/lb/`, `mv d deep/lb/new`, `mv notes ls/`, `mv d ls/new`, `cd deep && mv ../d lb/ && cd ..`,
		`ln -s ../d lb/k`, `ln -s ../../d ls/k`, `ln -sfn "$PWD/d" lb/k`, `mv d docs/`, `cp -r d lb/`, `cp notes lb/`, `mv build/o lb/p`,
	}
	deletions := []string{`rm -rf build`, `rm -rf build/*`, `rm -rf build/new`, `rm -rf build/sub`, `rm -f build/notes build/o`, `rm -rf build/k/*`, `rm -rf build/sub/k/*`, `rm -rf lb/new`, `rm -rf deep/lb/new`, `rm -f build/sub/notes`, `find build -type f -delete`, `rm -rf build/none`}
	for _, move := range moves {
		for _, deletion := range deletions {
			script := move + "; " + deletion
			v, lost := moveFiles(t, held, script)
			asks := v.Decision >= tool.Ask
			if lost && !asks {
				t.Errorf("%s: %s, but a file is lost", script, v.Decision)
			}
			harmless := strings.HasPrefix(move, "cp ") || strings.Contains(move, "docs/") || strings.HasSuffix(deletion, "none") && !strings.Contains(move, "d/*")
			if asks && !lost && harmless && strings.Contains(deletion, " build") {
				t.Errorf("%s: %s (%s), but no file is lost", script, v.Decision, v.Reason)
			}
		}
	}
}
