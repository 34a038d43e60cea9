package guard_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSearchedHidden changes what searches find, and holds the answer against what real programs change in hidden directories.
func TestSearchedHidden(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir -p .github/workflows .claude/agents src/build src/docs; echo a | tee .github/workflows/ci.yml .claude/agents/x.md src/a.yml src/docs/b.md src/build/o.o src/c.txt >/dev/null; git add -A; git commit -qm one; git branch build/webpack; echo build >.git/info/exclude`)
	state := func(home string) string {
		out, _ := l.run(home, `find .git/refs .git/hooks .github .claude -type f -exec cksum {} + | sort`)
		return string(out)
	}
	changed, same := 0, 0
	for _, name := range []string{"build", "'*.yml'", "'*.md'", "hooks", "'*.o'", "__pycache__", "'*.txt'", "workflows", "'b*'"} {
		for _, do := range []string{
			"find . -name %s -exec rm -rf {} +", "find . -name %s -print0 | xargs -0 rm -rf", "find . -type d -name %s -exec rm -rf {} +", "find . -type f -name %s -exec sed -i s/a/b/ {} +", "find . -name %s -type f -delete",
			`for d in $(find . -type d -name %s); do cp src/c.txt "$d/post-checkout"; done`, "find src -name %s -exec rm -rf {} +", "find . -name %s -type f -exec cat {} +",
		} {
			script := strings.ReplaceAll(do, "%s", name)
			asks, why := l.asks(script)
			home := t.TempDir()
			if out, err := exec.Command("cp", "-a", filepath.Join(l.root, "home")+"/.", home).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			before := state(home)
			l.run(home, script)
			if state(home) != before {
				if changed++; !asks {
					t.Errorf("%s changes what lies in a hidden directory, and is let through", script)
				}
				continue
			}
			if same++; asks && strings.Contains(why, "/.git") && !strings.Contains(script, "-type d") {
				t.Errorf("%s: %s", script, why)
			}
		}
	}
	if changed < 15 || same < 20 {
		t.Errorf("%d change something, %d do not", changed, same)
	}
}
