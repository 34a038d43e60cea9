package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bothShells are bash, and zsh if there is one.
func bothShells() []string {
	if _, err := exec.LookPath("zsh"); err != nil {
		return []string{"bash"}
	}
	return []string{"bash", "zsh"}
}

// TestNamesBehindListedLinks has real shells delete what lies behind the names of a list that was made of a pattern, where some of them are
// links to untracked files of the project. Where a text is gone afterwards, the answer must be a question; where there is nothing behind
// the links that it takes, it goes without.
func TestNamesBehindListedLinks(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; printf 'build\nnode_modules\n' >.gitignore; echo p >p; git add -A; git commit -qm one
mkdir -p data/in local build/sub build/other node_modules/p; echo precious >data/a.csv; echo in >data/in/b.csv; echo x >local/x.txt; ln -s ../data build/kd; ln -s sub build/latest; ln -s ../local node_modules/lo; : >build/sub/o; : >node_modules/p/o`)
	ways := []string{
		`ls -d % | while read -r d; do rm -rf "$d"@; done`, `for d in $(ls -d %); do rm -rf "$d"@; done`, "for d in `ls -d %`; do rm -rf $d@; done", `find % -maxdepth 0 | while read -r d; do rm -rf "$d"@; done`, `for d in $(find % -maxdepth 0); do rm -rf "$d"@; done`,
		`d=$(ls -d % | head -1); rm -rf "$d"@`, `d=$(ls -d % | tail -1); [ -n "$d" ] && rm -rf "${d:?}"@`, `ls -d % > list; while read -r d; do rm -rf "$d"@; done < list`, `for d in $(ls -dt % | tail -n +2); do rm -rf "$d"@; done`, `find % -type l | while read -r d; do rm -rf "$d"@; done`,
	}
	n := 0
	for _, c := range []struct {
		pattern, behind string
		loses           bool
	}{
		{"build/*", "/*", true},
		{"build/k*", "/*", true},
		{"build/k?", "/a.csv", true},
		{"build/*", "/*.csv", true},
		{"build/*", "/in", true},
		{"build/*", "/i*/b.csv", true},
		{"node_modules/*", "/x.txt", true},
		{"node_modules/l*", "/*", true},
		{"build/*", "/o.tmp", false},
		{"build/*", "/*.tmp", false},
		{"build/*", "", false},
		{"build/s*", "/*", false},
		{"build/[os]*", "/o", false},
		{"build/l*", "/*", false},
		{"node_modules/*", "/dist", false},
		{"node_modules/*", "", false},
		{"node_modules/p*", "/*", false},
	} {
		for _, way := range ways {
			script := strings.NewReplacer("%", c.pattern, "@", c.behind).Replace(way)
			asks, why := l.asks(script)
			some := strings.Contains(way, "head") || strings.Contains(way, "tail") // of which it is not known whether they are links
			other := strings.Contains(way, "head") || strings.Contains(way, "`")   // which may be no name, or be taken for a pattern
			if c.loses && !asks || !c.loses && asks && !(other && strings.Contains(c.behind, "*")) {
				t.Errorf("%s: asked: %v (%s)", script, asks, why)
			}
			if n++; n%3 > 0 || leftOut(n/3) {
				continue
			}
			l.shell = bothShells()[n/3%len(bothShells())]
			if lost := l.loses(script); (len(lost) > 0) != c.loses && !(some && c.loses) {
				t.Errorf("%s: %s: lost: %q", l.shell, script, lost)
			}
		}
	}
}

// TestSearchesFromPatterns has real shells delete what searches that begin at hidden directories find, where a branch is called so.
func TestSearchesFromPatterns(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; printf 'build\ndist\n' >.gitignore; echo p >p; git add -A; git commit -qm one; git switch -qc build/webpack; echo w >w; git add w; git commit -qm two; git switch -q main; mkdir -p build .github/x; echo x >.github/x/x`)
	takes := func(shell, script string) bool {
		home := t.TempDir()
		if out, err := exec.Command("cp", "-a", filepath.Join(l.root, "home")+"/.", home).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		l.shell = shell
		_, _ = l.run(home, script)
		_, err := os.Stat(filepath.Join(home, "proj/.git/refs/heads/build/webpack"))
		return err != nil
	}
	scripts := []string{
		"find .[!.]* * -name build -exec rm -rf {} +", "find .[!.]* -type d -name build -exec rm -rf {} +", `find .??* -type d -name build | while read -r d; do rm -rf "$d"; done`, "find .g* -name build | xargs rm -rf", `for d in .*; do find "$d" -name build -exec rm -rf {} +; done`,
		`find "$PWD"/.g* -name build -exec rm -rf {} +`, `find .??* -type d | while read -r d; do rm -rf "$d/build"; done`, `ls -d .g*/refs/* | while read -r d; do rm -rf "$d/build"; done`, `for d in $(ls -d .g*); do rm -rf "$d/refs/heads/build"; done`, `for d in $(ls -d .g*/refs); do rm -rf "$d"/*/build; done`,
		"find * -name build -exec rm -rf {} +", "find [a-z]* -type d -name build -exec rm -rf {} +", "find .[!.]* * -name dist -exec rm -rf {} +", `find .??* -type d | while read -r d; do rm -rf "$d/dist"; done`, `ls -d .g*/refs/* | while read -r d; do rm -rf "$d/dist"; done`,
	}
	taken := 0
	for _, script := range scripts {
		asks, why := l.asks(script)
		all := slices.IndexFunc(bothShells(), func(shell string) bool { return takes(shell, script) }) >= 0
		if all {
			taken++
		}
		if asks != all {
			t.Errorf("%s: asked: %v (%s), taken: %v", script, asks, why, all)
		}
	}
	if taken < 10 {
		t.Errorf("only %d take the branch", taken)
	}
}
