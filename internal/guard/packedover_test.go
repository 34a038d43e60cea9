package guard_test

import (
	"strings"
	"testing"
)

// newPacked is a repository with an older copy of some of its files.
func newPacked(t *testing.T) *lossy {
	t.Helper()
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; mkdir -p old/sub src/sub clean edited build other
for n in a b; do echo old $n >old/$n.py; echo new $n >src/$n.py; echo clean $n >clean/$n.py; echo edited $n >edited/$n.py; done
echo old s >old/sub/s; echo new s >src/sub/s; cp -r old same; echo x >other/x; git add clean edited; git commit -qm one; echo more >>edited/b.py`)
	l.shell = "bash"
	return l
}

// TestPackedOver unpacks what the same script has packed over files of the same names: what is lost by cp -r is lost so, too.
func TestPackedOver(t *testing.T) {
	runsPrograms(t)
	l := newPacked(t)
	const unsure = true
	scripts := map[string]bool{
		"tar cf - src | tar xf - -C build": false, "mkdir new && tar c src | tar x -C new": false, "tar c old | tar x -C src": false, "(cd old && tar c .) | (cd src && tar xk)": false,
		"tar c -C old a.py | tar x -C src": false, "tar c -C old sub | tar x -C src": false, "tar c -C old sub | tar x": unsure, "mkdir t && cp old/a.py t/a.py && tar c -C t . | tar x -C src": false,
		"mkdir t && cp old/a.py t/n.py && tar c -C t . | tar x -C src": unsure, "cd old && tar cf - *.py | tar xf - -C ../src": false, "cd old && find . -name '*.py' | tar c -T - | tar x -C ../src": false,
	}
	for _, dir := range []string{"src", "clean", "edited", "other", "same"} {
		scripts["(cd old && tar cf - .) | (cd "+dir+" && tar xf -)"] = false
		scripts["tar c -C old . | tar x -C "+dir] = false
		scripts["tar czf build/o.tgz -C old . && tar xzf build/o.tgz -C "+dir] = false
	}
	l.check(scripts)
}

// TestNamesOfTrees has files replaced by those of others, or by what is made of them, that are named by a list or in the value of a flag.
func TestNamesOfTrees(t *testing.T) {
	runsPrograms(t)
	l := newPacked(t)
	scripts := map[string]bool{}
	for _, dir := range []string{"src", "clean", "edited", "other"} {
		for _, script := range []string{
			"ls old | xargs -I{} cp -r old/{} DIR/{}", "ls old | xargs -I{} cp -a old/{} DIR/{}", `for f in old/*.py; do dd if="$f" of="DIR/${f##*/}" status=none; done`,
			`for f in old/*.py; do dd of="DIR/${f##*/}" <"$f"; done`, `for f in old/*.py; do dd if="$f" "of=DIR/${f##*/}"; done`, `for f in old/*.py; do sort --output="DIR/${f##*/}" "$f"; done`, `for f in old/*.py; do sort "$f" -o DIR/${f##*/}; done`,
		} {
			scripts[strings.ReplaceAll(script, "DIR", dir)] = false
		}
	}
	l.check(scripts)
}
