package shell

import (
	"strings"
	"testing"
	"time"

	"longline/internal/bench/cpu"
)

// TestBounds gives the reader what would exhaust a careless one: it must come
// back soon, say that there is a gap, and keep what it saw before.
func TestBounds(t *testing.T) {
	rep := strings.Repeat
	lib := testLibrary(t)
	for name, script := range map[string]string{
		"substitutions":    rep("$(", 10000),
		"closed":           rep("$(a ", 10000) + rep(")", 10000),
		"quoted":           rep(`"$(`, 10000) + rep(`)"`, 10000),
		"subshells":        rep("(", 10000) + "a" + rep(")", 10000),
		"arithmetic":       "a $((" + rep("(", 50000) + "1" + rep(")", 50000) + "))",
		"double":           rep("((", 100000),
		"minus":            "a $((" + rep("- ", 100000) + "1))",
		"not":              "(( " + rep("!", 100000) + "1 ))",
		"ternary":          "a $((" + rep("1?", 50000) + "1" + rep(":1", 50000) + "))",
		"power":            "a $((" + rep("2**", 50000) + "1))",
		"braces":           rep("{ ", 10000) + "a" + rep("; }", 10000),
		"expansions":       rep("${x:-", 10000) + rep("}", 10000),
		"backquotes":       rep("`", 9999),
		"escaped":          "`" + rep("\\`", 9999) + "`",
		"functions":        rep("f(){ ", 10000) + "a" + rep("; }", 10000),
		"ifs":              rep("if ", 20000),
		"whiles":           rep("while a; do ", 10000) + rep("done;", 10000),
		"cases":            rep("case a in a) ", 10000) + rep(";; esac", 10000),
		"nots":             rep("! ", 100000) + "a",
		"times":            rep("time ", 50000) + "a",
		"tests":            "[[ " + rep("( ", 10000) + "a" + rep(" )", 10000) + " ]]",
		"test nots":        "[[ " + rep("! ", 100000) + "a ]]",
		"heredocs":         rep("cat <<E;", 10000) + rep("\nE", 10000),
		"heredoc nests":    rep("$(cat <<E\n", 3000) + rep("\nE\n)", 3000),
		"arrays":           "x=(" + rep("[1]=a ", 40000) + ")",
		"subscripts":       rep("${x[", 10000) + rep("]}", 10000),
		"braces in a word": "a " + rep("{", 60000),
		"brace lists":      "a " + rep("{a,b}", 40),
		"brace range":      "a {1..100000000}",
		"deep braces":      "a " + rep("{a,", 5000) + rep("}", 5000),
		"extglob":          "a " + rep("@(", 10000) + rep(")", 10000),
		"processes":        rep("a <(", 10000) + rep(")", 10000),
		"list":             rep("a;", 60000),
		"and":              rep("a&&", 80000) + "a",
		"pipe":             rep("a|", 80000) + "a",
		"pipes of groups":  rep("{ a|", 2000) + "a" + rep(";}", 2000),
		"words":            "a" + rep(" b", 120000),
		"long word":        "a " + rep("b", 250000),
		"quotes":           "a " + rep(`''`, 120000),
		"escapes":          "a " + rep(`\b`, 120000),
		"globs":            "x=" + rep("a", 4000) + "; a ${x//*a*a*a*b/c} ${x##*a*a*a*a*b}",
		"growing":          "x=aaaaaaaaaa; " + rep("x=$x$x$x$x;", 60) + "a $x",
		"growing replace":  "x=a; " + rep("x=${x//a/aaaaaaaaaaaaaaaa};", 60) + "a $x",
		"growing output":   "x=a; " + rep("x=$(echo $x$x$x$x);", 60) + "a $x",
		"growing array":    "x=(a b c d); " + rep(`x=("${x[@]}" "${x[@]}" "${x[@]}");`, 60) + `a "${x[@]}"`,
		"growing params":   "set -- a b c d; " + rep(`set -- "$@" "$@" "$@";`, 60) + `a "$@"`,
		"nested loops":     rep("for i in 1 2 3 4 5 6 7 8 9; do ", 10) + "a $i;" + rep("done;", 10),
		"endless":          "while true; do i=$((i+1)); a $i; done",
		"endless c":        "for ((i=0;;i++)); do a $i; done",
		"recursion":        "f() { a; f; f; }; f",
		"mutual":           "f() { g x$1; }; g() { f y$1; }; f",
		"eval recursion":   `x='eval "$x"; eval "$x"'; eval "$x"`,
		"aliases":          "alias f='g'; alias g='f'\nf",
		"traps":            rep("trap 'trap a EXIT' EXIT;", 200),
		"states":           rep("cd a; ", 200) + "b",
		"branches":         rep("if a; then x=$x1; else y=$y2; fi; ", 300) + "b $x $y",
		"cases of states":  rep("case $x in a) y=1;; b) y=2;; *) y=3;; esac; z=$z$y; ", 200) + "b $z",
		"bash -c":          rep("bash -c '", 1) + rep("x;", 1000) + "'",
		"one mebibyte":     rep("a b c\n", 1<<20/6),
		"mebibyte comment": "a #" + rep("x", 1<<20),
		"mebibyte heredoc": "cat <<E\n" + rep("xxxxxxx\n", 1<<17) + "E\na",
		"mebibyte lines":   "cat <<E\n" + rep("\\\n", 100000) + "E\na",
		"continuations":    "a " + rep("\\\n", 120000) + "b",
		"invalid":          "a " + rep("\xff\xfe", 1000),
		"nul":              "a\x00b; rm x",
	} {
		start := cpu.Used()
		r := newReader(testWorld(), lib)
		res := r.resolve("rm first\n"+script, "/home/dev/proj")
		if d := cpu.Used() - start; d > 5*time.Second {
			t.Errorf("%s took %v", name, d)
		} else if d > 500*time.Millisecond {
			t.Logf("%s took %v, %d steps", name, d, r.steps)
		}
		if r.steps > maxSteps+1000 {
			t.Errorf("%s took %d steps", name, r.steps)
		}
		if len(res.Invocations) == 0 || len(res.Invocations[0].Words) != 2 || res.Invocations[0].Words[1].Text != "first" {
			t.Errorf("%s: what comes before it is lost: %s", name, listing(res))
		}
	}
}

// TestFilesAreGrantedOnce reads a file again and again: it brings steps of its own, and
// only once.
func TestFilesAreGrantedOnce(t *testing.T) {
	w := testWorld()
	w.ReadFile = func(string) ([]byte, error) { return []byte("v=a\n"), nil }
	nest := "f() { . ./a.sh; bash b.sh; ls; }; " + strings.Repeat("for i in 1 2 3 4 5 6; do f; ", 6) + strings.Repeat("done; ", 6)
	r := newReader(w, testLibrary(t))
	r.resolve(nest, "/home/dev/proj")
	if most := 2*roomFor(nest) + leafSteps; r.steps > most {
		t.Errorf("%d steps; %d are enough", r.steps, most)
	}
}
