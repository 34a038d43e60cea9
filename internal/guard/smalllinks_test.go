package guard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"longline/internal/bench/cpu"
)

// TestSmallAmongLinks: small scripts cost no more where there are links, in a project that has some and beside a directory that has
// thousands of them. Time counts three times over, as something else may go on.
func TestSmallAmongLinks(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	root := t.TempDir()
	project := root + "/home/project"
	make := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"home/other", "home/project/src", "home/project/build/sub", "home/project/data", "home/project/local", "home/project/dist"} {
		make(os.MkdirAll(filepath.Join(root, dir), 0o755))
		make(os.WriteFile(filepath.Join(root, dir, "file.txt"), nil, 0o644))
	}
	for name, text := range map[string]string{"lo": "../other", "ld": "data", "lb": "build", "build/lo": "../../other", "build/ld": "../data", "build/self": "."} {
		make(os.Symlink(text, filepath.Join(project, name)))
	}
	for i := range 2400 {
		dir := fmt.Sprintf("%s/many/d%d", root, i%40)
		if i < 40 {
			make(os.MkdirAll(dir, 0o755))
		}
		make(os.Symlink("../../home/other", fmt.Sprintf("%s/l%d", dir, i)))
	}
	m := newMeter(t)
	w := realDisk(m.g, root+"/home", project)
	again := strings.Repeat
	for _, text := range []string{
		again("cp -r . /tmp/q\n", 8),
		again("cp -r src build /tmp/q\n", 8),
		again("cp -r src build data/x /tmp/q\n", 8),
		again("cp x -r . /tmp/q; cat build/*/*\n", 8),
		"cd ../..\n" + again("git add home\n", 20),
		"cp -r dist/* " + root + "/many",
		"rsync -a dist/ " + root + "/many/",
		again("rsync -a --delete dist/ ../../many/\n", 16),
		again("cp -r dist/* ../../many\n", 16),
		again("for f in build/* data/* local/*; do cp $f build/$f; done\n", 8),
		"ls data | xargs -I{} sh -c 'mv data/{} build/x'",
		again("ls data | xargs -I{} sh -c 'mv data/{} build/'\n", 8),
		"find . -name '*.csv' | xargs -I{} sh -c 'mv {} build/'",
		"for d in */; do (cd $d; gzip *); done",
		"for d in */; do (cd $d; cp *.txt build/); done",
		"for d in src data; do (cd $d; for g in *; do mv $g x$g; done); done",
		`for d in */; do (cd "$d" && cp -r src/* build/; mv build/* .); done`,
	} {
		call := attended(text)
		call.Dir = project
		least := time.Hour
		var before, after runtime.MemStats
		for i := 0; i < 6 && least > 3*smallTime; i++ {
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := cpu.Used()
			m.g.Judge(call, w)
			least = min(least, cpu.Used()-start)
			runtime.ReadMemStats(&after)
		}
		bytes, pieces := after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs
		if least > 3*smallTime || bytes > smallRoom || pieces > smallPieces {
			t.Errorf("%d bytes take %v, %d kB and %d allocations:\n%s", len(text), least, bytes>>10, pieces, text)
		}
		t.Logf("%v, %d kB, %d allocations: %.60q", least, bytes>>10, pieces, text)
	}
}
