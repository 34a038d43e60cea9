package guard_test

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// expressions makes random expressions of find: conditions, opposites, groups, alternatives, lists, and actions anywhere among them.
type expressions struct{ *rand.Rand }

func (e expressions) one(of ...string) string { return of[e.IntN(len(of))] }

// list is the lowest of its operators: what stands at both sides of a comma is done.
func (e expressions) list(depth int) string {
	text := e.either(depth)
	for e.IntN(6) == 0 {
		text += " , " + e.either(depth)
	}
	return text
}

func (e expressions) either(depth int) string {
	text := e.both(depth)
	for e.IntN(5) < 2 {
		text += e.one(" -o ", " -or ") + e.both(depth)
	}
	return text
}

func (e expressions) both(depth int) string {
	text := e.part(depth)
	for e.IntN(5) < 3 {
		text += e.one(" ", " ", " -a ", " -and ") + e.part(depth)
	}
	return text
}

func (e expressions) part(depth int) string {
	switch n := e.IntN(12); {
	case n < 2:
		return e.one("! ", "-not ") + e.part(depth)
	case n < 4 && depth > 0:
		return `\( ` + e.list(depth-1) + ` \)`
	case n < 7:
		return e.one("-delete", "-delete", "-delete", `-exec rm -f {} \;`, `-exec rm -rf {} +`, `-ok rm {} \;`, `-execdir rm -f {} \;`, `-exec true {} \;`, `-exec false {} \;`, "-print", "-print0", "-quit", "-prune", "-fprint /dev/null", "-fprint /dev/stdout", "-ls")
	}
	return e.one("-name '*.o'", "-name '*.o'", "-name '*.pyc'", "-name '*.csv'", "-name 'a*'", "-name build", "-type f", "-type d", "-true", "-false", "-path './build/*'", "-path '*/data/*'", "-mtime -1", "-mtime +1", "-newer src/a.c", "-size +0", "-empty", "-iname '*.O'", `-regex '.*\.o'`)
}

// TestFindExpressions has find act by all kinds of expressions on a project with tracked, edited, ignored and untracked files and build
// output. Where it loses something, somebody must have been asked; nobody is where plain expressions take build output only.
func TestFindExpressions(t *testing.T) {
	runsPrograms(t)
	if _, err := exec.LookPath("find"); err != nil {
		t.Skip(err)
	}
	l := newLossy(t, `git init -q -b main .; printf 'build/\n*.o\n*.pyc\n*.db\n' >.gitignore; mkdir -p src/deep data build/sub; for f in src/a.c src/b.csv src/app.py src/deep/d.c; do echo committed $f >$f; done; git add -A; git commit -qm one
touch -d '3 days ago' src/a.c; echo edited >src/app.py; echo mine >data/x.csv; echo yours >data/a.txt; echo ignored >src/local.db; for f in build/a.o build/sub/b.o build/b.pyc build/sub/x.csv src/a.o src/deep/a.pyc; do cp src/a.c $f; done; git update-index -q --refresh || :`)
	e := expressions{rand.New(rand.NewPCG(1+seed(), 11))}
	n, losing, asked := 600, 0, 0
	if sampled() {
		n = 150
	}
	for range n {
		script := "find " + e.one(". ", ". ", "", "data src ", "build ", "build data ", "./ ") + e.list(2)
		if !strings.Contains(script, "-delete") && !strings.Contains(script, " rm ") {
			script += e.one(" | xargs -r rm -f", ` | while read -r f; do rm -f "$f"; done`)
		}
		lost := l.loses(script)
		asks, why := l.asks(script)
		if len(lost) > 0 && !asks {
			t.Errorf("%s: %s, lost: %q", script, why, lost)
		}
		if len(lost) > 0 {
			losing++
		}
		if asks {
			asked++
		}
	}
	if t.Logf("%d of %d lose something, %d are asked about", losing, n, asked); losing == 0 {
		t.Error("nothing was lost by any of these")
	}
	for _, script := range []string{
		"find . -name '*.o' -delete", "find . -name '*.o' -delete -o -name '*.pyc' -delete", `find . \( -name '*.o' -o -name '*.pyc' \) -delete`, `find . -name '*.o' -exec rm {} \; -o -name '*.pyc' -exec rm -f {} +`, "find . -name '*.o' -print -delete , -name '*.pyc' -print -delete",
		`find . \( -name '*.o' -delete \) -o \( -name '*.pyc' -delete \)`, "find build -delete -o -name x", "find build -type f -delete -o -type d -empty -delete", "find . -type f -name '*.pyc' -print0 -delete", `find . -type f -exec true {} \; -name '*.o' -delete`,
		"find build -name '*.csv' -delete -o -name '*.o' -delete", `find src \( -name '*.o' -delete -o -name '*.c' -print \)`, "find . -name '*.c' -print -o -name '*.o' -delete", `find . -name '*.o' -exec touch {} \; -o -name '*.pyc' -delete`, `find . ! -type d -name '*.o' -delete -print`,
	} {
		asks, why := l.asks(script)
		if lost := l.loses(script); asks || len(lost) > 0 {
			t.Errorf("%s: asked: %v (%s), lost: %q", script, asks, why, lost)
		}
	}
}
