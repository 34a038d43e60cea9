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

// linkPlaces are where one link lies in a project that is tame otherwise, and where it leads to: a file of the home directory, or a
// directory.
var linkPlaces = map[string]string{
	"build/b/k": ".ssh/k", "build/b/d/k": ".ssh/k", "build/b/d": ".ssh", "build/b/o": ".ssh/o", "build/k": ".ssh/k", "build/d": ".ssh", "build/x/k": ".ssh/k", "build/x/s": ".ssh", "build/x/d/k": ".ssh/k", "build/L": ".ssh", "dist/k": ".ssh/k", "dist/a/k": ".ssh/k", "dist/b/k": ".ssh/k",
}

// intoTrees are scripts that copy trees over others.
var intoTrees = []string{
	`cp -r build/a/. build/b`, `cp -a build/a/. build/b/`, `cp -rT build/a build/b`, `cd build && cp -r a/. .`, `cd build && cp -R a/. b`, `cp -r build/n/b build/`, `cp -r build/n/b build`, `cp -r build/n/* build/`, `cp -r build/n/. build`, `cp -r build/n/[a-c] build`,
	`cp -r build/a/* build/b`, `cp -r build/a/d build/b`, `cp -r -t build build/n/b`, `cp -r -t build/b build/a/.`, `cp -r build/a build/n dist/`, `cp -r build/a dist`, `cp -r build/n/b build/a dist`, `(cd build/a && cp -r --parents d ../b)`, `cd build/n && cp -r --parents b ..`,
	`python3 -c "import shutil; shutil.copytree('build/a','build/b',dirs_exist_ok=True)"`, `python3 -c "import shutil; shutil.copytree('build/n','build',dirs_exist_ok=True)"`,
	`mkdir -p stage/d && echo new > stage/d/k && cp -r stage/. build/b`, `mkdir -p stage && echo new > stage/k; cp -r stage/. dist`, `mkdir stage; cp -r build/a stage/b; cp -r stage/. build`, `mv build/a build/q; cp -r build/q/. build/b`, `mv build/a build/q/; cp -r build/q/. build/b`,
	`for d in b x; do cp -r build/a/. build/$d; done`, `for d in build/[bx]; do cp -r build/a/. "$d"; done`, `find build/n -mindepth 1 -maxdepth 1 -exec cp -r {} build \;`, `tar -C build/a -cf a.tar .; mkdir stage; tar -C stage -xf a.tar; cp -r stage/. dist`,
	`cp -a build/x build/y; cp -rT build/a build/y`, `mv build/x build/y; cp -rT build/a build/y`,
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
	scripts := intoTrees
	for _, way := range movedTrees {
		for i, use := range inTrees {
			if !testing.Short() || i%4 == len(scripts)%4 {
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
		for i, place := range keys(linkPlaces) {
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
	if asked < len(scripts) {
		t.Errorf("only %d ask", asked)
	}
	for _, script := range []string{`cp -r build/a/. build/b`, `cp -a build/a build/b/`, `cp -r build/a/d build/b`, `mkdir -p stage/d && echo new > stage/d/k && cp -r stage/. build/b`, `rm -rf stage && cp -r build/a build/b/stage`} {
		if got := judgeOverLink(t, g, filepath.Join(root, "beside"), script, "build/b/o"); got >= tool.Ask {
			t.Errorf("%s\n\tgot %s beside a link that it does not go through", script, got)
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
	for _, file := range []string{"build/a/k", "build/a/d/k", "build/n/b/k", "build/n/b/o", "build/n/d/k", "build/b/z", "build/b/d/z", "build/x/z", "build/x/d/z", "build/z", "dist/z", "dist/a/z", "dist/b/z"} {
		if !strings.HasPrefix(file, place+"/") || place == "" {
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
		if err := os.Symlink(filepath.Join(dir, linkPlaces[place]), filepath.Join(dir, "p", place)); err != nil {
			t.Fatal(err)
		}
	}
	w := realDisk(g, dir, filepath.Join(dir, "p"))
	v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
	return v.Decision
}

// runOverLink runs a script, and says whether it has shown or changed what the link leads to.
func runOverLink(t *testing.T, dir, script string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
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
