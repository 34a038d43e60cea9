package shell

import (
	"strings"
	"testing"

	"longline/internal/command"
)

// line prints an invocation the way the tables of this package expect it: its
// directory, if it is not the project, and its words, where what is not known
// exactly is marked.
func line(inv *command.Invocation) string {
	var b strings.Builder
	if d := inv.Dir.Text; d != "/home/dev/proj" || inv.Dir.Reach.String() != "exact" {
		b.WriteString("(" + inv.Dir.Reach.String() + " " + d + ") ")
	}
	for i, w := range inv.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case w.IsKnown() && (w.Text == "" || strings.ContainsAny(w.Text, " \n'")):
			b.WriteString("'" + w.Text + "'")
		case w.IsKnown():
			b.WriteString(w.Text)
		case w.Glob:
			b.WriteString("glob:" + w.Text)
		default:
			b.WriteString(w.Reach.String() + ":" + w.Text)
			if w.Plain {
				b.WriteString("(plain)")
			}
		}
	}
	return b.String()
}

// ran lists what a script runs, one program after the other; "gap" comes last
// if there is one anywhere.
func ran(t testing.TB, script string) string {
	r := newReader(testWorld(), testLibrary(t))
	res := r.resolve(script, "/home/dev/proj")
	var lines []string
	gap := len(res.Gaps) > 0
	for _, inv := range res.Invocations {
		if len(inv.Words) > 0 {
			lines = append(lines, line(inv))
		}
		gap = gap || len(inv.Gaps) > 0
	}
	if gap {
		lines = append(lines, "gap")
	}
	return strings.Join(lines, "; ")
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{`ls -la`, `ls -la`},
		{`cd x && ls`, `cd x; (exact /home/dev/proj/x) ls`},
		{`cd x; ls`, `cd x; (exact /home/dev/proj/x) ls; ls`},
		{`cd x || exit 1; ls`, `cd x; exit 1; (exact /home/dev/proj/x) ls`},
		{`set -e; cd x; ls`, `set -e; cd x; (exact /home/dev/proj/x) ls; ls`},
		{`(cd x && ls); ls`, `cd x; (exact /home/dev/proj/x) ls; ls`},
		{`pushd x && popd && ls`, `pushd x; (exact /home/dev/proj/x) popd; ls`},
		{`cd "$X" && ls`, `cd anywhere:; (anywhere ) ls`},
		{`a "$X/" "x$X" $$ "/tmp/b$$/c"`, `a anywhere: prefix:x anywhere:(plain) under:/tmp`},
		{`T=/; rm -rf "$T"`, `rm -rf /`},
		{`for d in a b; do x "$d"; done`, `x a; x b`},
		{`for f in *.go; do x "$f" "${f%.go}.o"; done`, `x glob:*.go glob:*.o`},
		{`f() { x "$1" "$@"; }; f 1 2`, `x 1 1 2`},
		{`eval "x y"; eval 'z'`, `eval 'x y'; x y; eval z; z`},
		{`trap 'x' EXIT; y`, `trap x EXIT; x; y`},
		{`x {a,b}{1..3} ~/y`, `x a1 a2 a3 b1 b2 b3 /home/dev/y`},
		{`x=abc; y ${x#a} ${x%c} ${x/b/_} ${x^^} ${x:1:1} ${#x}`, `y bc ab anywhere: anywhere: anywhere: anywhere:(plain)`},
		{`n=2; x $((n*3+1))`, `x 7`},
		{`echo 'x y' | sh`, `echo 'x y'; sh; x y`},
		{`x=$(echo a b); y $x "$x"`, `echo a b; y a b 'a b'`},
		{"git commit -m \"$(cat <<'E'\na 'b'\nE\n)\"", `cat; git commit -m 'a 'b''`},
		{`bash -c 'x "$0" "$1"' a b`, `bash -c 'x "$0" "$1"' a b; x a b`},
		{`if a; then x=1; else x=2; fi; b $x`, `a; b 1; b 2`},
		{`case $1 in a) x;; *) y;; esac`, `x; y`},
		{`case $X in a) x;; *) y;; esac`, `x; y`},
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
		r := newReader(testWorld(), testLibrary(t))
		found := false
		for _, inv := range r.resolve(script, "/").Invocations {
			for _, e := range inv.Effects {
				found = found || e.Target == "system.forkbomb"
			}
		}
		if !found {
			t.Errorf("%s: no fork bomb seen", script)
		}
	}
}
