package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// waysToNames are scripts that get the name of a file or directory in build and use it: NAME stands for a variable or parameter
// that holds it.
var waysToNames = []string{
	"for f in build/*; do USE; done NAME=f",
	"for f in ./build/*; do USE; done NAME=f",
	"for f in build/[a-zM]*; do USE; done NAME=f",
	"for f in {build,dist}/*; do USE; done NAME=f",
	"cd build && for f in *; do USE; done NAME=f",
	"cd build && for f in ./*; do USE; done NAME=f",
	"for d in build dist; do for f in $d/*; do USE; done; done NAME=f",
	"a=(build/*); for f in \"${a[@]}\"; do USE; done NAME=f",
	"a=(build/*); USE NAME=a[@]",
	"set -- build/*; for f; do USE; done NAME=f",
	"set -- build/*; USE NAME=1",
	"set -- build/*; USE NAME=@",
	"g() { USE; }; g build/* NAME=1",
	"g() { for f in \"$@\"; do USE; done; }; g build/* NAME=f",
	"g() { local x=$1; USE; }; for f in build/*; do g \"$f\"; done NAME=x",
	"find build -exec sh -c 'USE' _ {} \\; NAME=1",
	"find build -exec sh -c 'USE' {} \\; NAME=0",
	"find build -exec bash -c 'USE' _ {} + NAME=@",
	"find build -exec bash -c 'USE' _ {} + NAME=*",
	"find ./build -mindepth 1 -exec sh -c 'for f; do USE; done' _ {} + NAME=f",
	"find \"$PWD/build\" -mindepth 1 -exec sh -c 'f=$1; USE' _ {} \\; NAME=f",
	"find build -name '*o*' -exec sh -c 'USE' _ {} \\; NAME=1",
	"cd build && find . -mindepth 1 -exec sh -c 'USE' _ {} \\; NAME=1",
	"cd build && find -mindepth 1 -exec sh -c 'USE' _ {} \\; NAME=1",
	"find build -mindepth 1 -execdir sh -c 'USE' _ {} \\; NAME=1",
	"find build -mindepth 1 -print0 | xargs -0 sh -c 'for f; do USE; done' _ NAME=f",
	"find build -mindepth 1 -print0 | xargs -0 -I% sh -c 'USE' _ % NAME=1",
	"find build -mindepth 1 | xargs -d '\\n' sh -c 'USE' _ NAME=@",
	"find build -mindepth 1 | while IFS= read -r f; do USE; done NAME=f",
	"while IFS= read -r f; do USE; done < <(find build -mindepth 1) NAME=f",
	"mapfile -t a < <(find build -mindepth 1); USE NAME=a[@]",
	"printf '%s\\n' build/* | while IFS= read -r f; do USE; done NAME=f",
	"ls -d build/* | while IFS= read -r f; do USE; done NAME=f",
	"f=$(ls -d build/* | head -1); USE NAME=f",
	"for f in build/*/; do USE; done NAME=f",
	"for f in ./build/*/; do USE; done NAME=f",
	"for f in {build,dist}/*/; do USE; done NAME=f",
	"cd build && for f in */; do USE; done NAME=f",
	"a=(build/*/); for f in \"${a[@]}\"; do USE; done NAME=f",
	"a=(build/*/); USE NAME=a[@]",
	"set -- build/*/; for f; do USE; done NAME=f",
	"g() { for f in \"$@\"; do USE; done; }; g build/*/ NAME=f",
	"find build -mindepth 1 -type d -exec sh -c 'USE' _ {} \\; NAME=1",
	"shopt -s globstar; for f in build/**/; do USE; done NAME=f",
}

// usesOfNames are what is done with a name: all that may be deleted in build output, if it is one word.
var usesOfNames = []string{"rm -rf NAME", "rm -rf -- NAME", "rm -rf NAME/x", "mv NAME /tmp/", "x=NAME; rm -rf $x", "for y in NAME; do rm -rf \"$y\"; done", "touch NAME"}

// fill is a script with one of its uses, in which the name is quoted or not.
func fill(way, use string, quoted bool) string {
	script, name, _ := strings.Cut(way, " NAME=")
	name = "${" + name + "}"
	plain := "$x"
	if quoted {
		name, plain = `"`+name+`"`, `"$x"`
	}
	return strings.ReplaceAll(script, "USE", strings.ReplaceAll(strings.ReplaceAll(use, "$x", plain), "NAME", name))
}

// A name with a blank in it leads elsewhere where it is not quoted, whichever way the shell got it.
func TestUnquotedNames(t *testing.T) {
	g := builtin(t)
	ordinary := []string{"README.md", "src/a.c", "docs/y.md", "build/foo", "build/doc/o"}
	judge := func(script string, files ...string) tool.Verdict {
		call := attended(script)
		call.Edits = true
		v, _ := g.Judge(call, onDisk(append(files, ordinary...)...))
		return v
	}
	far, near := []string{"build/Mo ../docs/y.md", "build/Mo -o/x", "build/Mo /etc/x"}, "build/Mo docs/x/y"
	quiet := 0
	for _, way := range waysToNames {
		for _, use := range usesOfNames {
			open, quoted := fill(way, use, false), fill(way, use, true)
			asks := far[:1:1]
			if below := strings.Contains(way, "*/") || strings.Contains(way, "find"); below { // Mo without its blank, and what is below it
				asks = append(asks, far[2])
			}
			for _, name := range asks {
				if v := judge(open, name); v.Decision < tool.Ask {
					t.Errorf("%s with %q: %s", open, name, v.Decision)
				}
			}
			if judge(open).Decision < tool.Ask {
				quiet++
			}
			before := judge(quoted)
			if v := judge(quoted, append(far, near)...); v.Decision != before.Decision {
				t.Errorf("%s: %s (%s), and %s without such names", quoted, v.Decision, v.Reason, before.Decision)
			}
		}
	}
	if quiet < len(waysToNames)*len(usesOfNames)*3/4 {
		t.Errorf("only %d are quiet where there are no such names", quiet)
	}
}

// A blank at the end of a name makes a word of what stands behind it. A pattern of directories matches no file, and a name is
// looked for in all directories that the script may be in.
func TestUnquotedNamesMatched(t *testing.T) {
	g := builtin(t)
	for _, c := range []struct {
		script, file string
		asks         bool
	}{
		{"for d in build/*; do rm -rf $d/; done", "build/a /x", true},
		{"for d in build/*; do rm -rf $d/*; done", "build/a /x", true},
		{"for d in build/*; do cat $d/x; done", "build/a /x", true},
		{"for d in build/*/; do cat $d; done", "build/a /x", true},
		{"for d in build/*; do cat $d; done", "build/a /x", true},
		{"for d in build/*; do cat $d; done", "build/a", false},
		{"cd build && for f in *; do rm -rf ../dist/$f; done", "build/ a", true},
		{"cd build && for f in *; do rm -rf ../dist/$f; done", "build/a", false},
		{"for d in build/*/; do n=${d%/}; rm -rf $n; done", "build/My ../docs/x", true},
		{"for d in build/*/; do rm -rf \"${d%/}\"; done", "build/My docs/x", false},
		{"cp -r build dist; for d in dist/*/; do cat $d; done", "build/a /x", true},
		{`for d in build/*/; do (cd "$d" && for f in *; do rm -rf $f; done); done`, "build/k/x ../docs/y", true},
		{`for d in build/*/; do (cd "$d" && for f in *; do rm -rf $f; done); done`, "build/k/x", false},
		{`for d in build/*/; do (cd "$d" && for f in *; do rm -rf "$f"; done); done`, "build/k/x ../docs/y", false},
		{`find src -type f -exec sh -c 'sed -i s/a/b/ $1' _ {} \;`, "My Notes/a b.md", false},
		{`find src -type f -exec sh -c 'sed -i s/a/b/ $1' _ {} \;`, "src/a ../docs/b.md", true},
	} {
		call := attended(c.script)
		call.Edits = true
		if v, _ := g.Judge(call, onDisk(c.file, "README.md", "build/k/b", "src/a.c")); (v.Decision >= tool.Ask) != c.asks {
			t.Errorf("%s with %q: %s (%s)", c.script, c.file, v.Decision, v.Reason)
		}
	}
}
