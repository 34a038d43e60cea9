package guard_test

import (
	"slices"
	"strings"
	"testing"
)

// TestPatternsTakeWork has real shells delete what is called like the output of a build by patterns, searches and lists, where a
// repository or a working tree lies in it with a file that is nowhere else, or a file that git keeps and that somebody has changed.
// Where its text is gone afterwards, the answer must be a question; neighbours that have none go without.
func TestPatternsTakeWork(t *testing.T) {
	runsPrograms(t)
	const base = `git init -q -b main ../up; cd ../up; echo a >a; git add -A; git commit -qm one; git branch pages
cd ../proj; git init -q -b main .; printf 'dist\nbuild\nnode_modules\n' >.gitignore; mkdir -p packages/a/src packages/b/dist packages/c/dist/deep; echo b >packages/b/dist/o.js; echo s >packages/a/src/s
git add -A; git add -f packages/b/dist; git commit -qm one; git branch pages; echo c >packages/c/dist/deep/c; `
	ways := func(names string) []string {
		list := []string{
			"rm -rf packages/%/dist", `for d in packages/%; do rm -rf "$d/dist"; done`, "rm -rf pack*/%/dist", "cd packages && rm -rf %/dist", "rm -rf packages/%/dist/", "rm -rf packages/%/dis[t]",
			"find packages/% -name dist -type d -exec rm -rf {} +", "find ./packages/% -name dist -type d -prune -exec rm -rf {} +", "find packages/% -name dist | xargs rm -rf", "for d in $(find packages/% -name dist); do rm -rf $d; done",
			`ls -d packages/% | while read -r d; do rm -rf "$d/dist"; done`, `for d in $(ls -d packages/%); do rm -rf "$d/dist"; done`, `d=$(ls -d packages/% | head -1); rm -rf "$d/dist"`,
		}
		for i := range list {
			list[i] = strings.ReplaceAll(list[i], "%", names)
		}
		return list
	}
	all := []string{"rm -rf packages/*/dist packages/*/build", "rm -rf */*/dist", "find * -name dist -type d -exec rm -rf {} +", "find . -name dist -prune -exec rm -rf {} +", "find */ -name dist -exec rm -rf {} +", "ls packages | xargs -I{} rm -rf packages/{}/dist", `ls packages | while read -r p; do rm -rf "packages/$p/dist"; done`}
	deep := []string{"rm -rf build", "rm -rf build/*", "rm -rf build && mkdir build", "find build -mindepth 1 -delete", "cd build && rm -rf *", "for d in build dist; do rm -rf $d; done", "rm -rf build node_modules", "rm -rf bui*", "rm -rf build/_deps"}
	shells := bothShells()
	n := 0
	for _, c := range []struct {
		name, begin   string
		loses, spares []string
	}{
		{"clone", "git clone -q ../up packages/a/dist; echo precious >packages/a/dist/new", slices.Concat(ways("*"), ways("[ab]"), ways("a*"), all), slices.Concat(ways("[bc]"), ways("c*"))},
		{"working tree", "git worktree add -q packages/a/dist pages; echo precious >packages/a/dist/new", slices.Concat(ways("*"), all), ways("[bc]")},
		{"clone without work", "git clone -q ../up packages/a/dist", nil, slices.Concat(ways("*"), all)},
		{"far down", "mkdir -p build/_deps/x/y node_modules/p; git clone -q ../up build/_deps/x-src; echo precious >build/_deps/x-src/new", deep, []string{"rm -rf node_modules", "rm -rf build/_deps/x", "rm -rf build/_deps/x/*", "rm -rf build/*/x", "rm -rf node_modules/*"}},
	} {
		l := newLossy(t, base+c.begin)
		for i, script := range slices.Concat(c.loses, c.spares) {
			asks, why := l.asks(script)
			if want := i < len(c.loses); asks != want && !strings.Contains(why, "/.git/worktrees/") {
				t.Errorf("%s: %s: asked: %v (%s)", c.name, script, asks, why)
			}
			if n++; n%3 > 0 || leftOut(n/3) || asks {
				continue
			}
			l.shell = shells[n/3%len(shells)]
			if lost := l.loses(script); slices.Contains(lost, "precious\n") {
				t.Errorf("%s: %s: %s: not asked about, and lost", c.name, l.shell, script)
			}
		}
		if len(c.loses) == 0 {
			continue
		}
		for i, shell := range shells { // what is said of the scripts is so
			l.shell = shell
			if script := c.loses[i]; !slices.Contains(l.loses(script), "precious\n") {
				t.Errorf("%s: %s: %s loses nothing", c.name, shell, script)
			}
		}
	}
}

// TestManyDirectoriesAreNoWork: what a build has made of thousands of directories is deleted without a question, and a repository near its
// root is found.
func TestManyDirectoriesAreNoWork(t *testing.T) {
	const many = `git init -q -b main .; printf 'build\nnode_modules\n' >.gitignore; git add -A; git commit -qm one
for i in $(seq 50); do for k in $(seq 40); do echo build/d$i/e$k node_modules/m$i/lib$k; done; done | xargs mkdir -p; `
	for begin, work := range map[string]bool{"true": false, "git init -q build/z/src; echo x >build/z/src/x": true, "git init -q node_modules/z; echo x >node_modules/z/x": true} {
		l := newLossy(t, many+begin)
		for _, script := range []string{"rm -rf build node_modules", "rm -rf node_modules build", "rm -rf build/* node_modules/*", "find . -name build -exec rm -rf {} + ; rm -rf node_modules"} {
			if asks, why := l.asks(script); asks != work {
				t.Errorf("after %s: %s: asked: %v (%s)", begin, script, asks, why)
			}
		}
	}
}
