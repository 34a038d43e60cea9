//go:build unix

package differ

import (
	"cmp"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Variables by which make differ and .ci/run say how much is tried.
const (
	scriptsVar = "LONGLINE_DIFFER"        // number of scripts
	worldsVar  = "LONGLINE_DIFFER_WORLDS" // number of further scripts, which are judged with and without a link
	seedVar    = "LONGLINE_DIFFER_SEED"   // of the first script; the next has the next seed
	limitVar   = "LONGLINE_DIFFER_TIME"   // stop after this time
)

// asked is the number that a variable says, or one for want of it.
func asked(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestDiffer holds some scripts against the shells that are installed; .ci/run and make differ try more.
func TestDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var shells []string
	for _, name := range []string{"bash", "zsh"} {
		if _, err := exec.LookPath(name); err == nil {
			shells = append(shells, name)
		}
	}
	if len(shells) == 0 || shells[0] != "bash" {
		t.Skip("bash is not installed; install the package bash")
	}
	limit, err := time.ParseDuration(cmp.Or(os.Getenv(limitVar), "30s"))
	if err != nil {
		t.Fatalf("%s: %v", limitVar, err)
	}
	workers := 1
	if os.Getenv(scriptsVar) != "" {
		workers = 2
	}
	var out strings.Builder
	found, err := differ(asked(t, scriptsVar, 80), asked(t, worldsVar, 40), uint64(asked(t, seedVar, 1)), limit, shells, workers, &out)
	if err != nil {
		t.Fatal(err)
	}
	if found > 0 {
		t.Errorf("%d scripts are allowed and do harm, or make calls that nobody believed possible:\n%s", found, out.String())
	}
	t.Log(out.String())
}

// newTestChecker makes a checker that runs bash.
func newTestChecker(t *testing.T) *checker {
	c, err := newChecker(newTestRig(t, false))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newTestRig(t *testing.T, removes bool) *rig {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed; install the package bash")
	}
	root, err := tempRoot()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	r, err := newRig(root, []string{"bash"}, removes)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWrongBelief runs one script and holds it against what longline believes of another: a call
// with other words, of another number, or in another directory must be found, and no other.
func TestWrongBelief(t *testing.T) {
	c := newTestChecker(t)
	for _, test := range []struct {
		believed, real string
		found          bool
	}{
		{"x=a; pathchk $x", "x=a; pathchk $x", false},
		{"x=a; pathchk $x", "x=b; pathchk $x", true},
		{"if ls; then x=a; else x=b; fi; pathchk $x", "x=b; pathchk $x", false},
		{"pathchk a b", "pathchk a", true},
		{"pathchk a", "pathchk a b", true},
		{"pathchk", "pathchk ''", true},
		{"pathchk ''", "pathchk", true},
		{"pathchk a $(cat list.txt)", "pathchk a b c", false},
		{"pathchk a $(cat list.txt)", "pathchk b c", true},
		{"pathchk a $(cat list.txt)", "pathchk a", false},
		{`pathchk a "$(cat list.txt)"`, "pathchk a 'b c'", false},
		{`pathchk a "$(cat list.txt)"`, "pathchk a", true},
		{`pathchk a "$(cat list.txt)" c`, "pathchk a b d", true},
		{"pathchk *.txt", "pathchk b.txt a.txt", false},
		{"pathchk *.txt", "pathchk '*.txt'", false},
		{"pathchk *.txt", "pathchk b.txt src", true},
		{"pathchk *.txt", "pathchk src/a.txt", true},
		{"pathchk */*.txt", "pathchk src/a.txt", false},
		{"x=$(echo q < nosuch); pathchk b$x*", "pathchk build", false},
		{"x=$(echo q < nosuch); pathchk b$x*", "pathchk src", true},
		{"pathchk '*.txt'", "pathchk b.txt", true},
		{`pathchk "$(date +%s)"`, "pathchk 12", false},
		{`pathchk "$(date +%s)"`, "pathchk -r", true},
		{`pathchk "v$(wc -l < list.txt)-$((RANDOM - 9))"`, "pathchk v12--3", false},
		{`pathchk "v$(wc -l < list.txt)-$((RANDOM - 9))"`, "pathchk v12-x", true},
		{`pathchk "p/$(cat list.txt)"`, "pathchk p/x", false},
		{`pathchk "p/$(cat list.txt)"`, "pathchk q/x", true},
		{`for f in $(find . -name '*.txt'); do pathchk "$f"; done`, "pathchk ./src/x.txt", false},
		{`for f in $(find . -name '*.txt'); do pathchk "$f"; done`, "pathchk ../x.txt", true},
		{"find . -name '*.txt' | xargs pathchk", "pathchk a.txt b.txt", false},
		{"xargs pathchk", "pathchk ../docs", false},
		{"pathchk <(ls)", "pathchk <(ls) 7<list.txt", false},
		{"cd src; pathchk a", "cd src; pathchk a", false},
		{"cd src; pathchk a", "pathchk a", false}, // it may fail
		{"cd src && pathchk a", "pathchk a", true},
		{"cd ship/in; pathchk a", "cd src; pathchk a", false},
		{"cd -P ship/in; pathchk a", "cd ship/in; pathchk a", false},
		{"ls && cd src; pathchk a", "cd src; pathchk a", false},
		{`cd "$(cat list.txt)"; pathchk a`, "cd ..; pathchk a", false},
		{"f() { pathchk $1; }; f a", "pathchk a", false},
		{"pathchk a", "touch a", true},
		{"touch a", "pathchk a", true},
		{"touch a", "touch a; pathchk a", true},
		{"touch a; echo a > b", "echo a > b", false},
		{"$(cat list.txt) a", "touch a", false},
	} {
		if err := c.fresh(); err != nil {
			t.Fatal(err)
		}
		believed, _ := c.reads(test.believed)
		did, err := c.run(manner{shell: "bash", lang: "C.UTF-8"}, test.real)
		if err != nil {
			t.Fatal(err)
		}
		if len(did.calls) == 0 && strings.Contains(test.real, "pathchk") {
			t.Errorf("%s: nothing is noted", test.real)
		}
		if s := uncovered(did.calls, believed); (s != nil) != test.found {
			t.Errorf("%s, believed to be %s: found %v\n%v", test.real, test.believed, s != nil, s)
		}
	}
}

// TestDifferFinds gives the checker a guard that allows everything: it must find
// a script whose end depends on a value, and one that has left the project.
func TestDifferFinds(t *testing.T) {
	c := newTestChecker(t)
	c.always = true
	m := manner{shell: "bash", lang: "C.UTF-8"}
	for _, script := range []string{"x=a", "cd ..", "set -- a b", "false"} {
		f, err := c.check(m, []string{script})
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			t.Errorf("%s: nothing is found", script)
		}
	}
	// A call of rm that stays in the build directory is no harm.
	did, err := c.run(m, "rm -rf build build/../build/x; cd build; rm x; cp ../a.txt new")
	if err != nil {
		t.Fatal(err)
	}
	if len(did.calls) != 2 || c.harms(did) {
		t.Errorf("harm in %v", did)
	}
	for _, script := range []string{
		"cd ..\nrm -rf build", "echo a > ../docs/precious.txt", "touch ../new", "mv ../docs build", "ln -s a ../l", "find ../docs -type f -delete", "mkdir ../docs/d",
		"cat ../.ssh/id_rsa", "cat ../.ssh/id_rsa >&2", "cp ../.ssh/id_rsa build",
	} {
		if did, err = c.run(m, script); err != nil || !c.harms(did) {
			t.Errorf("%s: no harm in %v: %v", script, did, err)
		}
		if f, err := c.aimed(m, []string{script}); err != nil || f == nil {
			t.Errorf("%s: it is not found: %v", script, err)
		}
	}
}
