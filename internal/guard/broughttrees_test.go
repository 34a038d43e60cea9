package guard_test

import (
	"os/exec"
	"testing"
)

// TestTreesBroughtIntoOutput copies what a script has brought into what builds make over edited and new files: nobody has seen what is in it.
// What a build has put there goes where it went before.
func TestTreesBroughtIntoOutput(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir -p src docs build; printf 'build\n' > .gitignore; for f in src/a.py src/b.py docs/a.md; do echo one $f > $f; done; git add -A; git commit -qm one; echo two src/a.py > src/a.py; echo new > src/new.py
git init -q -b main ../lib; cd ../lib; mkdir src; echo lib > src/new.py; echo l > src/z.py; git add -A; git commit -qm x; cd ../proj; tar cf ../t.tar -C ../lib src; printf 'all:\n\tpython3 gen.py\n' > ../proj/Makefile; git add Makefile; git commit -qm make`)
	brings := []string{"git clone -q ../lib build/x", "mkdir build/x; tar xf ../t.tar -C build/x", "mkdir build/x; tar -C ../lib -cf - src | tar -C build/x -xf -", "mkdir build/x; git -C ../lib archive HEAD | tar -x -C build/x", "mkdir build/x; cat ../t.tar | tar -xf - -C build/x"}
	if _, err := exec.LookPath("bsdtar"); err == nil {
		brings = append(brings, "mkdir build/x; bsdtar -xf ../t.tar -C build/x")
	}
	scripts := map[string]bool{}
	for _, bring := range brings {
		for _, on := range []string{"cp -r build/x/src/. src/", "cp -r build/x/src .", "cp build/x/src/* src/", "mv build/x/src/*.py src/", "for f in build/x/src/*; do cp $f src/; done", "cd build/x && cp -r src/. ../../src/"} {
			scripts[bring+"; "+on] = false
		}
		for _, quiet := range []string{"cp -r build/x/src/. docs/", "cp -r build/x/src lib", "cp build/x/src/z.py src/", "diff -r build/x/src src", "cp -r src/. build/x/src/"} {
			scripts[bring+"; "+quiet] = false
		}
	}
	l.check(scripts)
	for _, build := range []string{"make; cp -r build/x/. src/", "mkdir -p build/x; make; cp build/x/* src/", "npm run build; cp -r build/. src/", "npx tsc --outDir build/x; cp -r build/x/. src/", "make; sed -i s/a/b/ build/x/*; cp -r build/x/. src/", "python3 setup.py build; cp -r build/lib/. src/"} {
		if asks, why := l.asks(build); asks {
			t.Errorf("%s: %s", build, why)
		}
	}
}
