package guard_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/guard"
	"longline/internal/tool"
)

// linkPlaces are where one link lies in a project that is tame otherwise.
var linkPlaces = []string{
	"build/b/k", "build/b/d/k", "build/b/d", "build/b/o", "build/k", "build/d", "build/x/k", "build/x/s", "build/x/d/k", "build/L", "dist/k", "dist/a/k", "dist/b/k",
}

// intoTrees are scripts that copy trees over others.
var intoTrees = []string{
	`cp -r build/a/. build/b`, `cp -a build/a/. build/b/`, `cp -rT build/a build/b`, `cd build && cp -r a/. .`, `cd build && cp -R a/. b`, `cp -r build/n/b build/`, `cp -r build/n/b build`, `cp -r build/n/* build/`, `cp -r build/n/. build`, `cp -r build/n/[a-c] build`,
	`cp -r build/a/* build/b`, `cp -r build/a/d build/b`, `cp -r -t build build/n/b`, `cp -r -t build/b build/a/.`, `cp -r build/a build/n dist/`, `cp -r build/a dist`, `cp -r build/n/b build/a dist`, `(cd build/a && cp -r --parents d ../b)`, `cd build/n && cp -r --parents b ..`,
	`python3 -c "import shutil; shutil.copytree('build/a','build/b',dirs_exist_ok=True)"`, `python3 -c "import shutil; shutil.copytree('build/n','build',dirs_exist_ok=True)"`,
	`mkdir -p stage/d && echo new > stage/d/k && cp -r stage/. build/b`, `mkdir -p stage && echo new > stage/k; cp -r stage/. dist`, `mkdir stage; cp -r build/a stage/b; cp -r stage/. build`, `mv build/a build/q; cp -r build/q/. build/b`, `mv build/a build/q/; cp -r build/q/. build/b`,
	`for d in b x; do cp -r build/a/. build/$d; done`, `for d in build/[bx]; do cp -r build/a/. "$d"; done`, `find build/n -mindepth 1 -maxdepth 1 -exec cp -r {} build \;`, `tar -C build/a -cf a.tar .; mkdir stage; tar -C stage -xf a.tar; cp -r stage/. dist`,
	`cp -a build/x build/y; cp -rT build/a build/y`, `mv build/x build/y; cp -rT build/a build/y`,
	`find build -type d -exec cp -r build/a/. {} \;`, `find build -mindepth 1 -type d | xargs -n1 cp -r build/a/.`, `x=.A; eval 'for x in build/[ab]/;do :;done'; cp -r build/. "${x%/*}"`,
}

// movedTrees are scripts that move a directory, or give it another name, and use what is in it.
var movedTrees = []string{
	`mv build/x build/q`, `mv build/x build/q/`, `cp -a build/x build/q/`, `cp -a build/x build/q`, `mv build/x* build/q`, `mv build/[x] build/q`, `mv build/? build/q/`, `for d in build/x*; do mv "$d" build/q; done`, `mkdir build/q; mv build/x/* build/q`, `mkdir build/q; mv build/x build/q`, `ln -s x build/q`, `mv build/x build/t; mv build/t build/q`,
	`mv build/L build/q`, `mv build build2; mv build2 build; mv build/x build/q`,
}

// inTrees are the uses.
var inTrees = []string{
	`cat build/q/k`, `cat build/q/x/k`, `cat build/q/*`, `cat build/q*/k`, `cat build/q/*/k`, `cat build/*/*/k`, `echo hi > build/q/k`, `echo hi >> build/q/d/k`, `cd build/q; cat k`, `cd build/q; cat */k`, `for d in build/q/*; do cat "$d"/k; done`, `echo hi | tee build/q/*/k`, `rm -rf build/q/s/`, `rm -rf build/q/*/`, `rm -rf build/q/s/*`, `rm -rf build/q/`, `cat build/q/s/o`, `cp README.md build/q/k`,
	`rm -rf build/q/s`, `rm -rf build/q`, `rm -f build/q/k`, `ls build/q`, `sed -i s/d/e/ build/q/k`,
}

// A script that goes through a link out of the project is not allowed, however the link, or what is put in its place, got there. The
// shell shows whether it does. Without the link nobody is asked.
func TestTreesOverLinks(t *testing.T) {
	runsPrograms(t)
	scripts := intoTrees
	for _, way := range movedTrees {
		for i, use := range inTrees {
			if !sampled() || i%12 == len(scripts)%12 {
				scripts = append(scripts, way+"; "+use)
			}
		}
	}
	g := builtin(t)
	root := t.TempDir()
	asked := 0
	for n, script := range scripts {
		dir := filepath.Join(root, fmt.Sprint(n))
		if plain := judgeOverLink(t, g, dir, script, ""); plain >= tool.Ask && !strings.Contains(script, "rm -") {
			t.Errorf("%s\n\tgot %s without a link", script, plain)
		}
		for i, place := range linkPlaces {
			if n >= len(intoTrees) && (i+n)%3 != 0 {
				continue
			}
			if got := judgeOverLink(t, g, dir, script, place); got >= tool.Ask {
				asked++
			} else if runOverLink(t, dir, script) {
				t.Errorf("%s\n\tgot %s, and goes through %s", script, got, place)
			}
		}
	}
	if asked < len(scripts) && !sampled() {
		t.Errorf("only %d ask", asked)
	}
	for _, script := range []string{`cp -r build/a/. build/b`, `cp -a build/a build/b/`, `cp -r build/a/d build/b`, `mkdir -p stage/d && echo new > stage/d/k && cp -r stage/. build/b`, `rm -rf stage && cp -r build/a build/b/stage`} {
		if got := judgeOverLink(t, g, filepath.Join(root, "beside"), script, "build/b/o"); got >= tool.Ask {
			t.Errorf("%s\n\tgot %s beside a link that it does not go through", script, got)
		}
	}
}

// linkBringers are scripts that copy the links in build/n over files of the same names.
var linkBringers = []string{
	`cp -R build/n/b build`, `cp -R build/n/b build/`, `cp -a build/n/. build`, `cp -r build/n/* build`, `cp -rT build/n/b build/b`, `cp -r -t build build/n/b`, `(cd build/n && cp -r --parents b ..)`, `(cd build; cp -r n/b .)`, `for d in build/n/b; do cp -r "$d" build; done`,
	`rsync -a build/n/b build`, `rsync -a build/n/b/ build/b`, `rsync -a build/n/ build/`, `tar -C build/n -cf - b | tar -C build -xf -`, `tar -C build/n -cf t.tar b; tar -C build -xf t.tar`, `cp -P build/n/b/k build/b`, `mv build/n/b/k build/b`, `find build/n -maxdepth 1 -name b -exec cp -R {} build \;`,
	`(cd build/n && find . | cpio -pdu --quiet ..)`, `mkdir stage; cp -a build/n/b stage; cp -R stage/b build`, `mv build/n build/m; cp -R build/m/b build`, `rm -rf build/b; cp -R build/n/b build`, `cp -R build/n/b build/n/d build`, `mv build/b build/o; mv build/n/b build/b`,
	`python3 -c "import shutil; shutil.copytree('build/n', 'build', symlinks=True, dirs_exist_ok=True)"`, `node -e "require('fs').cpSync('build/n', 'build', {recursive: true})"`, `python3 -c "import os; os.rename('build/b', 'build/o'); os.rename('build/n/b', 'build/b')"`, `python3 -c "import os; os.replace('build/n/b/k', 'build/b/k')"`,
}

// A link that a copied tree brings takes the place of a file that was there: the name is no more what the disk says it is.
func TestTreesBringLinks(t *testing.T) {
	g := builtin(t)
	dir := filepath.Join(t.TempDir(), "home")
	asked := 0
	for n, way := range linkBringers {
		for _, use := range []string{`cat build/b/k`, `cat build/b/*`, `echo hi >> build/b/k`, `cd build/b; cat k`, `python3 -c "print(open('build/b/k').read())"`, `sed -i s/e/f/ build/*/k`, `cp README.md build/b/k`, `cat build/b/d/k`} {
			script := way + "; " + use
			if n > 2 && !strings.HasPrefix(use, "cat") && sampled() {
				continue
			}
			if plain := judgeOverLink(t, g, dir, script, ""); plain >= tool.Ask && !strings.Contains(script, "rm -") && !strings.Contains(script, "os.") {
				t.Errorf("%s\n\tgot %s without a link", script, plain)
			}
			place := "build/n/b/k"
			if strings.HasSuffix(use, "d/k") {
				place = "build/n/b/d"
			}
			if got := judgeOverLink(t, g, dir, script, place); got >= tool.Ask {
				asked++
			} else if runOverLink(t, dir, script) {
				t.Errorf("%s\n\tgot %s, and goes through %s", script, got, place)
			}
		}
	}
	if asked < len(linkBringers) {
		t.Errorf("only %d ask", asked)
	}
}

// perhapsNothing are values that are empty if a command fails, and the places where nothing then makes a directory above of a path.
var perhapsNothing = []string{`$(set -e; false; echo b)`, `$(set -o errexit; test -f missing; echo b)`, "`set -e; false; echo b`", `$(exit; echo b)`, `$(cd missing && echo b)`}

// abovePlaces go to what is named by such a value, and find what is in build instead.
var abovePlaces = []string{
	`find build/%s -name k -exec cat {} +`, `v=%s; find build/$v -name k -exec cat {} \;`, `find "build/%s" -name k -execdir cat {} \;`, `find build/%s -name k | xargs cat`, `v=%s; cat build/$v/x/k`, `v=%s; cat build/$v/*/k`, `v=%s; cd build/$v && cat x/k`, `v=%s; cp -rL build/$v stage; cat stage/x/k`,
	`v=%s; cp -a build/$v dist; cat dist/build/x/k`, `v=%s; mv build/$v stage; cat stage/x/k`, `v=%s; tar -chf a.tar build/$v; tar -xOf a.tar`, `v=%s; grep -R . build/$v`, `v=%s; echo hi | tee build/$v/x/k`, `v=%s; find -L build/$v -type f -exec cat {} +`,
}

// A value that may be nothing makes of a path the one above it, for whatever is done there.
func TestPerhapsAbove(t *testing.T) {
	g := builtin(t)
	dir := filepath.Join(t.TempDir(), "home")
	through := 0
	for i, place := range abovePlaces {
		for k, value := range perhapsNothing {
			if sampled() && (i+k)%3 != 0 {
				continue
			}
			script := fmt.Sprintf(place, value)
			got := judgeOverLink(t, g, dir, script, "build/x/k")
			if goes := runOverLink(t, dir, script); goes && got < tool.Ask {
				t.Errorf("%s\n\tgot %s, and goes through the link", script, got)
			} else if goes {
				through++
			}
		}
	}
	if through < 20 {
		t.Errorf("only %d go through the link", through)
	}
}

// A directory that is open is entered by its descriptor, and a list of names is read from wherever it is.
func TestBehindDescriptors(t *testing.T) {
	g := builtin(t)
	dir := filepath.Join(t.TempDir(), "home")
	shown := 0
	for _, open := range []string{`exec 3< build/x; %s`, `{ %s; } 3< build/x`, `(%s) 3< build/x/.`, `f() { %s; }; f 3< build/x`} {
		for _, use := range []string{`cd /dev/fd/3; cat k`, `cat /dev/fd/3/k`, `cd /proc/self/fd/3; head k`, `cat /dev/fd/3/*`, `cd -P /dev/fd/3 && cat ./k`, `cd /dev/fd; cd 3; cat k`, `find /dev/fd/3/ -name k -exec cat {} +`, `cp /proc/self/fd/3/k out; cat out`} {
			script := fmt.Sprintf(open, use)
			got := judgeOverLink(t, g, dir, script, "build/x/k")
			if goes := runOverLink(t, dir, script); goes && got < tool.Ask {
				t.Errorf("%s\n\tgot %s, and goes through the link", script, got)
			} else if goes {
				shown++
			}
		}
	}
	if _, err := os.Stat("/proc/self/fd"); err == nil && shown < 10 {
		t.Errorf("only %d go through the link", shown)
	}
	for _, script := range []string{`true | cd src; file -f build/x/k`, `file -f build/x/k`, `true | cd src; wc --files0-from=build/x/k`} {
		if got := judgeOverLink(t, g, dir, script, "build/x/k"); got < tool.Ask {
			t.Errorf("%s\n\tgot %s", script, got)
		}
	}
}

// judgeOverLink makes the project, with a link at a place of it, and judges a script there.
func judgeOverLink(t *testing.T, g *guard.Guard, dir, script, place string) tool.Decision {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	files := []string{".ssh/k", ".ssh/o", "p/README.md"}
	for _, file := range []string{"build/a/k", "build/a/d/k", "build/n/b/k", "build/n/b/o", "build/n/d/k", "build/b/k", "build/b/z", "build/b/d/z", "build/x/z", "build/x/d/z", "build/z", "dist/z", "dist/a/z", "dist/b/z"} {
		if place == "" || file != place && !strings.HasPrefix(file, place+"/") {
			files = append(files, "p/"+file)
		}
	}
	for _, file := range files {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("text of "+filepath.Base(filepath.Dir(file))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if place != "" {
		if err := os.Symlink(filepath.Join(dir, leadsTo(place)), filepath.Join(dir, "p", place)); err != nil {
			t.Fatal(err)
		}
	}
	w := realDisk(g, dir, filepath.Join(dir, "p"))
	v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
	return v.Decision
}

// leadsTo is what a link leads to: the file of its name in the home directory, or the directory that this is in.
func leadsTo(place string) string {
	if name := filepath.Base(place); name == "k" || name == "o" {
		return ".ssh/" + name
	}
	return ".ssh"
}

// runOverLink runs a script, and says whether it has shown or changed what the link leads to.
func runOverLink(t *testing.T, dir, script string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/bash", "-c", script)
	cmd.Dir = filepath.Join(dir, "p")
	out, _ := cmd.Output()
	left := 0
	_ = filepath.WalkDir(filepath.Join(dir, ".ssh"), func(path string, d fs.DirEntry, err error) error {
		if text, _ := os.ReadFile(path); err == nil && d.Type().IsRegular() && string(text) == "text of .ssh" {
			left++
		} else if err == nil && d.Type().IsRegular() {
			left = -100
		}
		return err
	})
	return left != 2 || strings.Contains(string(out), "text of .ssh")
}
