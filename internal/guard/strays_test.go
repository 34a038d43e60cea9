package guard_test

import (
	"path"
	"strings"
	"testing"

	"longline/internal/tool"
)

// onDisk is a world with some files in the project, and the directories that they are in.
func onDisk(files ...string) *tool.World {
	w := world()
	names := map[string][]tool.Entry{project: nil}
	for _, file := range files {
		file = project + "/" + file
		for isDir := false; file != project; file, isDir = path.Dir(file), true {
			dir, known := path.Dir(file), false
			for _, e := range names[dir] {
				known = known || e.Name == path.Base(file)
			}
			if !known {
				names[dir] = append(names[dir], tool.Entry{Name: path.Base(file), Dir: isDir})
			}
		}
	}
	w.Entries = func(dir string) ([]tool.Entry, bool) {
		list, ok := names[path.Clean(dir)]
		return list, ok
	}
	return w
}

// The parts of a name that is taken apart lead elsewhere. Whether there is such a name is
// seen on the disk: without one, nobody is asked.
func TestNamesTakenApart(t *testing.T) {
	g := builtin(t)
	ordinary := []string{"README.md", "src/a.c", "build/b", "docs/x/y.md"}
	scripts := []string{
		"find build -mindepth 1 | xargs rm -rf", "find build -type f | xargs -n1 rm -f", "rm -rf $(find build -type f)", "git ls-files | xargs cat", "cat $(git ls-files)",
		"grep -rl x . | xargs cat", "git diff --name-only HEAD~1 | xargs cat", "for f in $(git ls-files); do wc -l $f; done", "ls | xargs cat", "find build | sort | xargs -P2 cat",
		"for d in build/*; do rm -rf $d; done", "for d in build/*; do cat $d/../x; done",
	}
	const linewise = 3 // of those that are kept
	kept := []string{
		"find build -type f | xargs -d '\\n' rm -f", "find build | xargs -I{} cat {}", `find build | while IFS= read -r f; do rm -f "$f"; done`,
		"find build -type f -print0 | xargs -0 rm -f", `find build -print0 | while IFS= read -r -d '' f; do rm -f "$f"; done`, `for d in build/*; do rm -rf "$d"; done`,
		"find src | xargs cat", "for f in src/*; do cat $f; done", "find . -name '*.c' | xargs cat", "IFS=$'\\n'; cat src/a.c",
	}
	judge := func(script string, w *tool.World) tool.Verdict {
		call := attended(script)
		call.Edits = true
		v, _ := g.Judge(call, w)
		return v
	}
	for _, odd := range []string{"build/a /home/dev/docs/d", "build/a ../..", "build/a\n/etc", "build/a\t.."} {
		for _, script := range scripts {
			if v := judge(script, onDisk(append(ordinary, odd)...)); v.Decision < tool.Ask {
				t.Errorf("%s with %q: %s", script, odd, v.Decision)
			}
		}
		for i, script := range kept {
			if i < linewise && strings.Contains(odd, "\n") {
				continue
			}
			if v := judge(script, onDisk(append(ordinary, odd)...)); v.Decision >= tool.Ask {
				t.Errorf("%s with %q: %s (%s)", script, odd, v.Decision, v.Reason)
			}
		}
	}
	for _, script := range append(scripts[:11:11], kept...) {
		if v := judge(script, onDisk(ordinary...)); v.Decision >= tool.Ask {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
	for _, script := range []string{"find build | xargs cat", "git ls-files | xargs -n1 cat"} {
		if v := judge(script, onDisk("build/x '/etc'/y")); v.Decision < tool.Ask {
			t.Errorf("%s with quotes: %s", script, v.Decision)
		}
	}
}

// Where lists are divided into lines, names lose their quotes, the blanks in front of them, and what is behind the end of a line.
func TestNamesInLines(t *testing.T) {
	g := builtin(t)
	for _, c := range []struct{ script, file string }{
		{"find build | xargs -I{} cat {}", "build/.'.'/.'.'/docs/d"},
		{"find build -type f | xargs -I% rm -f %", `build/.\\./.\\./docs/d`},
		{"find build -type f | xargs rm -f", `build/.\\./.\\./docs/d`},
		{"git ls-files | xargs -I% touch %", " /home/dev/docs/d"},
		{"git ls-files | xargs touch", " /home/dev/docs/d"},
		{"find build -type f | xargs -I% rm -f %", "build/a\n/home/dev/docs/d"},
		{"find build -type f | xargs -d '\\n' rm -f", "build/a\n/home/dev/docs/d"},
		{"find build -type f | xargs -d ' ' rm -f", "build/a /home/dev/docs/d"},
		{`find build | while read -r f; do rm -f "$f"; done`, "build/a\n/home/dev/docs/d"},
		{`find build | while IFS= read -r f; do cat "$f"; done`, "build/a\n/home/dev/docs/d"},
		{`git ls-files | while read -r f; do touch "$f"; done`, " /home/dev/docs/d"},
		{`mapfile -t a < <(find build); rm -f "${a[@]}"`, "build/a\n/home/dev/docs/d"},
		{"find build | parallel rm -f {}", "build/a\n/home/dev/docs/d"},
		{`find build -type f | xargs -I% sh -c 'rm -f "$1"' _ %`, "build/a\n/home/dev/docs/d"},
	} {
		call := attended(c.script)
		call.Edits = true
		if v, _ := g.Judge(call, onDisk(c.file, "build/b", "README.md")); v.Decision < tool.Ask {
			t.Errorf("%s with %q: %s", c.script, c.file, v.Decision)
		}
	}
}

// Beyond the bounds it is not known what a name is divided into: then a list that is divided is unknown.
func TestTreesBeyondBounds(t *testing.T) {
	g := builtin(t)
	w := onDisk("src/a.c", "README.md", "deep/a/b.c")
	usual := w.Entries
	w.Entries = func(dir string) ([]tool.Entry, bool) {
		if strings.HasPrefix(dir, project+"/deep/a") {
			return []tool.Entry{{Name: "x", Dir: true}, {Name: "y", Dir: true}, {Name: "b.c"}}, true
		}
		return usual(dir)
	}
	for script, asks := range map[string]bool{
		"find . -name '*.o' | xargs touch": true, "find . -name '*.c' | xargs sed -i s/a/b/": true, "touch $(find . -name '*.c')": true,
		"for f in $(git ls-files); do touch $f; done": true, `find . -name '*.c' | while read -r f; do touch "$f"; done`: true,
		"find . -name '*.c' -print0 | xargs -0 touch": false, "find . -name '*.c' -exec touch {} +": false, `for f in src/*; do touch "$f"; done`: false,
		"find src -name '*.c' | xargs touch": false,
	} {
		call := attended(script)
		call.Edits = true
		if v, _ := g.Judge(call, w); (v.Decision >= tool.Ask) != asks {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}

// What is in a directory that is too large to look through is not known.
func TestLargeDirectory(t *testing.T) {
	g := builtin(t)
	w := world()
	w.Entries = func(string) ([]tool.Entry, bool) { return []tool.Entry{{Name: "a.c"}, {Name: "b.c"}}, false }
	for script, want := range map[string]bool{
		"sed -n 1p *": true, "gcc *.c": true, "tar cf /tmp/x.tar *": true, "for f in *; do touch $f; done": true, "touch $(ls)": true,
		"wc -l *": false, "grep -n x *": false, "sed -n 1p ./*": false, "cat *": false, "touch ./*": false, `for f in *; do cat "$f"; done`: false,
	} {
		call := attended(script)
		call.Edits = true
		if v, _ := g.Judge(call, w); (v.Decision >= tool.Ask) != want {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}

// A name that begins with a dash or with @ is no file to a program that finds it among its words.
func TestNamesLikeFlags(t *testing.T) {
	g := builtin(t)
	judge := func(script string, files ...string) tool.Verdict {
		call := attended(script)
		call.Edits = true
		v, _ := g.Judge(call, onDisk(append(files, "README.md", "m.c", "src/a.c", "build/b")...))
		return v
	}
	for _, c := range []struct{ script, file string }{
		{"tar cf /tmp/x.tar *", "--checkpoint-action=exec=sh x"},
		{"sed -n 1p *", "-fx"},
		{"git ls-files | xargs sed -n 1p", "-fx"},
		{"git diff --name-only | xargs sed -n 1p", "-d/x"},
		{`for f in *; do sed -n 1p "$f" y; done`, "-fx"},
		{`for f in $(git ls-files); do sed -n 1p "$f" y; done`, "-fx"},
		{`set -- *; sed -n 1p "$@"`, "-fx"},
		{`f() { sed -n 1p "$@"; }; f *`, "-fx"},
		{"env sed -n 1p *", "-fx"},
		{"gcc *.c", "@o.c"},
		{"zip q.zip *", "-TTsh x"},
		{"find src *", "-delete"},
		{"cp * build", "-t.."},
		{"cp */a.c build", "-t../a.c"},
		{"ls | xargs cp README.md", "-t.."},
		{"sort [!x]*", "--files0-from=x"},
		{"sort *.c", "--files0-from=x.c"},
		{"(cd build && sort *)", "build/--files0-from=x"},
	} {
		if v := judge(c.script, c.file); v.Decision < tool.Ask {
			t.Errorf("%s with %q: %s", c.script, c.file, v.Decision)
		}
		if v := judge(c.script); v.Decision >= tool.Ask {
			t.Errorf("%s: %s (%s)", c.script, v.Decision, v.Reason)
		}
	}
	for _, script := range []string{"touch ./-t..; cp * build", "touch build/--files0-from=x; (cd build && sort *)", "touch -- -fx; touch @x; git ls-files | xargs sed -n 1p", "echo x > @o.c; gcc *.c"} {
		if v := judge(script); v.Decision < tool.Ask {
			t.Errorf("%s: %s", script, v.Decision)
		}
	}
	for _, script := range []string{
		"tar cf /tmp/x.tar ./*", "tar cf /tmp/x.tar -- *", "sed -n 1p ./*", "sed -n 1p -- *", "cp -- * build", "cat *", "ls *", "echo *", "sed -n 1p src/*", "sed -n 1p *.c",
		"find . -name '*.c' | xargs sed -n 1p", "find src | xargs sed -n 1p", "touch ./-t..; sort *.c", "gcc src/*.c", "mkdir -p build/@types; gcc *.c",
	} {
		if v := judge(script, "-fx", "-t..", "@types/x"); v.Decision >= tool.Ask {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}

// A tree is looked through once, and only so far, however large it is and however often it is listed.
func TestTreesAreBounded(t *testing.T) {
	g := builtin(t)
	looks := 0
	w := world()
	w.Entries = func(string) ([]tool.Entry, bool) {
		looks++
		return []tool.Entry{{Name: "a", Dir: true}, {Name: "b", Dir: true}, {Name: "c"}, {Name: "l", Dir: true, Link: true}}, true
	}
	g.Judge(attended(strings.Repeat("find src | xargs wc -l\n", 50)), w)
	if looks > 1200 {
		t.Errorf("%d looks at one tree", looks)
	}
	var many strings.Builder
	for c := 'a'; c <= 'z'; c++ {
		many.WriteString("find src/" + string(c) + " | xargs wc -l\n")
	}
	looks = 0
	if g.Judge(attended(many.String()), w); looks > 4500 {
		t.Errorf("%d looks at many trees", looks)
	}
	looks = 0
	if g.Judge(attended("git status; cat README.md; find src -print0 | xargs -0 wc -l; wc -l src/*.go"), w); looks > 8 {
		t.Errorf("%d looks for nothing", looks)
	}
}

// Where the home directory or the project is below /tmp, to be somewhere below that tells nothing of a name.
func TestHomeBelowTemporary(t *testing.T) {
	g := builtin(t)
	for _, script := range []string{"echo a | { cd src/sub; cd ../..; }; rm -rf abc", "echo a | { cd ../..; }; rm -rf src"} {
		w := world()
		w.Home, w.Project, w.Zsh = "/tmp/h", "/tmp/h/proj", true
		call := attended(script)
		call.Dir, call.Edits = w.Project, true
		if v, _ := g.Judge(call, w); v.Decision < tool.Ask {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}
