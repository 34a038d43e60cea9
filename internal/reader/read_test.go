//go:build unix

package reader

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// ran lists what a script runs, one program after the other; "gap" comes last if there is one anywhere.
func ran(t testing.TB, script string) string {
	w := testWorld()
	w.ReadFile = func(path string) ([]byte, error) {
		return map[string][]byte{
			"/home/dev/proj/s.sh":    []byte("#!/bin/bash\ncd \"$(dirname \"${BASH_SOURCE[0]}\")\" && x \"$1\"\n"),
			"/home/dev/proj/vars.sh": []byte("V=v\nf() { y \"$1\"; }\n"),
		}[path], nil
	}
	res := Read(script, "/home/dev/proj", w, testLibrary(t))
	var lines []string
	gap := len(res.Gaps) > 0
	for _, inv := range res.Invocations {
		if len(inv.Words) > 0 && !slices.Contains(lines, line(inv)) {
			lines = append(lines, line(inv))
		}
		gap = gap || len(inv.Gaps) > 0
	}
	if gap {
		lines = append(lines, "gap")
	}
	return strings.Join(lines, "; ")
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{`ls -la`, `ls -la`},
		{`cd x && ls`, `cd x; (exact /home/dev/proj/x) ls`},
		{`cd x; ls`, `cd x; (exact /home/dev/proj/x) ls; ls`},
		{`cd x || exit 1; ls`, `cd x; exit 1; (exact /home/dev/proj/x) ls`},
		{`cd x && a && b || c; ls`, `cd x; (exact /home/dev/proj/x) a; (exact /home/dev/proj/x) b; (exact /home/dev/proj/x) c; c; (exact /home/dev/proj/x) ls; ls`},
		{`(cd x && ls); ls`, `cd x; (exact /home/dev/proj/x) ls; ls`},
		{`if a; then cd x; fi; ls`, `a; cd x; (exact /home/dev/proj/x) ls; ls`},
		{`pushd x && popd && ls`, `pushd x; (exact /home/dev/proj/x) popd; (anywhere ) ls`},
		{`cd "$X" && ls`, `cd anywhere:; (anywhere ) ls`},
		{`for d in a b; do cd $d && x; cd ..; done`, `cd a; cd b; (exact /home/dev/proj/a) x; (exact /home/dev/proj/b) x; (exact /home/dev/proj/a) cd ..; (exact /home/dev/proj/b) cd ..; cd ..; gap`},
		{`a "$X/" "x$X" $$ "/tmp/b$$/c"`, `a anywhere: prefix:x anywhere:(plain) under:/tmp`},
		{`T=/; rm -rf "$T"`, `rm -rf /`},
		{`T=a; if b; then T=/; fi; rm -rf "$T"`, `b; rm -rf a; rm -rf /`},
		{`a || T=/; rm "$T/x"`, `a; rm anywhere:; rm //x`},
		{`x=a; x=$x$x; y $x`, `y aa`},
		{`for d in a b; do x "$d"; done`, `x a; x b`},
		{`for d in a b; do x "$d" "$d"; done`, `x a a; x b b`},
		{`x=a; while y $x; do x=b; done; z $x`, `y anywhere:; z a; z b; z anywhere:`},
		{`f() { x "$1" "$@"; }; f 1 2`, `x 1 1 2`},
		{`x=1; f() { local x=2; a $x; }; f; b $x`, `local x=2; a 2; b 1`},
		{`f() { rm "$1"; }`, `(anywhere ) rm anywhere:`},
		{`exit; rm x`, `exit; rm x`},
		{`eval "x y"; eval 'z'`, `eval 'x y'; x y; eval z; z`},
		{`eval "$X"; a`, `eval anywhere:; (anywhere ) a; gap`},
		{`trap 'x' EXIT; y`, `trap x EXIT; x; y`},
		{`x {a,b}{1,2,3} ~/y`, `x a1 a2 a3 b1 b2 b3 /home/dev/y`},
		{`x=abc; y ${x#a} ${x/b/_} ${x^^}`, `y anywhere: anywhere: anywhere:`},
		{`x=; y ${x:-d} ${x-e} ${X:-f}`, `y d anywhere:; y d f`},
		{`n=2; x $((n*3+1))`, `x anywhere:(plain)`},
		{`echo 'x y' | sh`, `echo 'x y'; sh; x y`},
		{`x=$(echo a b); y $x "$x"`, `echo a b; y a b 'a b'`},
		{"git commit -m \"$(cat <<'E'\na 'b'\nE\n)\"", `cat; git commit -m 'a 'b''`},
		{`bash -c 'x "$0" "$1"' a b`, `bash -c 'x "$0" "$1"' a b; x a b`},
		{`bash s.sh q`, `bash s.sh q; dirname s.sh; cd anywhere:; (anywhere ) x q`},
		{`. ./vars.sh; x $V; f 1`, `. ./vars.sh; x v; y 1`},
		{`echo 'x y' >t.sh; sh t.sh`, `echo 'x y'; sh t.sh; x y`},
		{`case $1 in a) x;; *) y;; esac`, `x; y`},
		{`a=(p q); x "${a[@]}" ${a[1]}`, `x p q anywhere:`},
		{`printf -v v %s a; x $v`, `printf -v v %s a; x anywhere:`},
		{"ls # x \\\nrm X", `ls; rm X`},
		{"r\\\nm X", `rm X`},
	} {
		if got := ran(t, c.script); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.script, got, c.want)
		}
	}
}

func TestForkBomb(t *testing.T) {
	for _, script := range []string{`:(){ :|:& };:`, `f(){ f & f & }; f`, `a(){ b & }; b(){ a; }; a`} {
		found := false
		for _, inv := range Read(script, "/", testWorld(), testLibrary(t)).Invocations {
			found = found || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Target == "system.forkbomb" })
		}
		if !found {
			t.Errorf("%s: no fork bomb seen", script)
		}
	}
}

// TestEverythingIsJudged: wherever a command stands, and wherever the steps end, it is judged.
func TestEverythingIsJudged(t *testing.T) {
	lib := testLibrary(t)
	places := []string{
		"%", "ls; %; ls", "if %; then ls; fi", "if ls; then %; fi", "if ls; then ls; elif ls; then ls; else %; fi", "while %; do ls; done", "until ls; do %; done",
		"for i in a b; do %; done", "for ((;;)); do %; done", "case x in a) ls;; b) %;; esac", "g() { %; }", "g() { ls; } && %", "( % )", "{ %; }", "{ %; } >out",
		"ls && %", "ls || %", "% && ls", "% | cat", "ls | %", "ls | { cat; %; }", "! %", "time %", "% &", "coproc %", "x=$(%)", "echo \"$(ls; %)\"", "echo `%`", "cat <(%)",
		"echo ${x:-$(%)}", "a=($(%))", "export v=$(%)", "[[ -n $(%) ]]", "(( $(%) ))", "for i in $(%); do ls; done", "case $(%) in a) ls;; esac", "cat <<E\n$(%)\nE",
		"eval '%'", "bash -c '%'", "bash -c 'if ls; then %; fi'", "bash -c 'g() { eval \"%\"; }'", "bash <<E\n%\nE", "trap '%' EXIT", "exit; %", "sudo %", "ls | xargs %", "find . -exec % {} +",
		"return; while ls; do break; %; done", "select x in a; do %; done",
	}
	for _, place := range places {
		for _, before := range []string{"", "f() { f; f; }; f; ", "eval \"$x\"; ", strings.Repeat("for i in a b c d; do for k in a b c d; do ls $i $k; done; done\n", 60)} {
			script := before + strings.ReplaceAll(place, "%", "rm planted")
			if !slices.ContainsFunc(Read(script, "/home/dev/proj", testWorld(), lib).Invocations, planted) {
				t.Errorf("%.200s: the command is not judged", script)
			}
		}
		for room := 1; room < 12; room++ {
			r := begin(strings.ReplaceAll(place, "%", "ls; rm planted; ls"), "/home/dev/proj", testWorld(), lib)
			r.room = room
			if res := r.read(); !slices.ContainsFunc(res.Invocations, planted) || r.steps > room && len(res.Gaps) == 0 {
				t.Errorf("%s with %d steps: the command is not judged, or nothing is said: %v", place, room, res.Gaps)
			}
		}
	}
}

func planted(inv *command.Invocation) bool {
	n := len(inv.Words)
	return n >= 2 && inv.Words[n-1].Text == "planted" || n >= 3 && inv.Words[n-2].Text == "planted"
}

// FuzzRead: no text makes the reader panic or exceed its bounds, every place it points at lies in the script, and what stands in front of a text
// is seen whatever follows.
func FuzzRead(f *testing.F) {
	for _, part := range parts {
		f.Add(made(part, part, 2, 1))
	}
	lib := testLibrary(f)
	f.Fuzz(func(t *testing.T, script string) {
		if len(script) > 8<<10 {
			return
		}
		for _, zsh := range []bool{false, true} {
			w := testWorld()
			w.Zsh = zsh
			r := begin(script, "/home/dev/proj", w, lib)
			res := r.read()
			if len(res.Invocations) > 2*maxSteps || slices.ContainsFunc(res.Gaps, func(g command.Gap) bool { return strings.Contains(g.Why, "could not be followed to its end") }) {
				t.Fatalf("%d steps, %d invocations, %v", r.steps, len(res.Invocations), res.Gaps)
			}
			for _, inv := range res.Invocations {
				checkSpan(t, script, inv.Span)
				for _, w := range inv.Words {
					checkSpan(t, script, w.Span)
					if at, ok := w.At.Offset(); ok && (at+len(w.Text) > len(script) || script[at:at+len(w.Text)] != w.Text) {
						t.Fatalf("%q does not stand at %d of %q", w.Text, at, script)
					}
				}
			}
			for _, g := range res.Gaps {
				checkSpan(t, script, g.Span)
			}
			if !res.Parsed && len(res.Gaps) == 0 {
				t.Fatal("a script that does not parse must be a gap")
			}
		}
		if res := Read("rm -rf /first\n"+script, "/", testWorld(), lib); !covered(res, []string{"rm", "-rf", "/first"}) {
			t.Fatalf("what comes before %q is lost", script)
		}
	})
}

func checkSpan(t *testing.T, script string, s tool.Span) {
	if s.Start < 0 || s.End < s.Start || s.End > len(script) {
		t.Fatalf("span %v of a script of %d bytes", s, len(script))
	}
}
