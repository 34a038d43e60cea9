package guard_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPatternsThroughLinks shows files by patterns that lead through a link out of the project, to a directory with a key in it, and holds
// the answer against what is shown.
func TestPatternsThroughLinks(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; mkdir -p docs/own ../papers/deep; echo text >docs/a.md; echo more >docs/own/b.md; echo KEYTEXT | tee ../papers/id_rsa ../papers/deep/id_ed25519 >/dev/null; echo thesis >../papers/t.txt; ln -s ../../papers docs/ref; git add -A; git commit -qm one`)
	shown := 0
	for _, show := range []string{"cat %s", "head %s", "awk 1 %s", "tail -n 5 %s", `for f in %s; do cat "$f"; done`, "grep -h '' %s", "cat -- %s | head"} {
		for _, pattern := range []string{"docs/*/*", "docs/r*/*", "*/*/*", "docs/ref/*", "docs/*/deep/*", "docs/*/*/*", "*/ref/i*", "docs/*/*.md", "docs/*", "docs/own/*", "docs/*/t.txt", "docs/[a-q]*/*"} {
			script := strings.ReplaceAll(show, "%s", pattern)
			out, _ := l.run(filepath.Join(l.root, "home"), script)
			prints := strings.Contains(string(out), "KEYTEXT")
			if prints {
				shown++
			}
			if asks, why := l.asks(script); asks != prints {
				t.Errorf("%s: asked: %v (%s), shown: %v", script, asks, why, prints)
			}
		}
	}
	for script, want := range map[string]bool{
		`for d in docs/*/; do cat "$d"*; done`: true, "find -L docs -type f | xargs cat": true, "find docs -type f | xargs cat": false, "find docs -type f -exec cat {} +": false, "find -L docs -type f -name '*.md' | xargs cat": false, "cp -rL docs build && cat build/*/*": true,
		`for d in docs/*/; do ls "$d"; done`: false, "ls docs/*/*": false,
	} {
		if asks, why := l.asks(script); asks != want {
			t.Errorf("%s: asked: %v (%s)", script, asks, why)
		}
	}
	if shown < 35 {
		t.Errorf("only %d show it", shown)
	}
}

// TestListsBehindLinks shows files that git lists though the directory they were in is a link now, and holds the answer against what is
// shown.
func TestListsBehindLinks(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; mkdir -p src/a src/b/deep ../.ssh; echo text | tee src/a/k src/a/m.txt src/b/k src/b/deep/m.txt >/dev/null; git add -A; git commit -qm one; echo KEYTEXT | tee ../.ssh/k ../.ssh/m.txt >/dev/null; rm -r src/a; ln -s ../../.ssh src/a`)
	shown := 0
	for _, list := range []string{"git ls-files", "git ls-files src", "git ls-files src/b", "git ls-files '*.txt'", "git ls-files -m", "git ls-files -- 'src/*'", "git ls-tree -r --name-only HEAD", "git diff --name-only", "git diff --name-only HEAD", "git ls-files | sort -r", "git ls-files | grep src", "find src -type f", "git ls-files 'src/b/*'"} {
		for _, show := range []string{"%s | xargs cat", "cat $(%s)", "for f in $(%s); do head $f; done", `%s | while read -r f; do cat "$f"; done`} {
			script := strings.ReplaceAll(show, "%s", list)
			out, _ := l.run(filepath.Join(l.root, "home"), script)
			prints := strings.Contains(string(out), "KEYTEXT")
			if prints {
				shown++
			}
			if asks, why := l.asks(script); !asks && prints || asks && strings.Contains(list, "src/b") {
				t.Errorf("%s: asked: %v (%s), shown: %v", script, asks, why, prints)
			}
		}
	}
	if shown < 20 {
		t.Errorf("only %d show it", shown)
	}
}
