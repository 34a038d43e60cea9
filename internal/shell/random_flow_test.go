package shell

import (
	"fmt"
	"strings"
)

// flow writes random control flow around values that change on the way. The functions of a script call only those with a higher number, and
// each loop counts, so that it ends.
type flow struct {
	gen
	fn    int // the function that is written, of which only later ones are called
	loops int
	files int
	zsh   bool
	quiet int // inside a substitution, where rm would print into a value
}

func (g gen) flows() string {
	f := &flow{gen: g}
	return "v=o w=p n=1; " + f.list(3, 5) + `; rm "$v" "$w"`
}

// zflows is flows with what only zsh knows.
func (g gen) zflows() string {
	f := &flow{gen: g, zsh: true}
	return "v=o w=p n=1; " + f.list(3, 5) + `; rm "$v" "$w"`
}

func (f *flow) onlyZsh(depth int) string {
	l := func() string { return f.list(depth, 3) }
	switch f.IntN(14) {
	case 0:
		return "repeat " + f.of("0", "1", "2", "$n") + f.of(" { "+l()+" }", "; do "+l()+"; done", " "+f.simple(0))
	case 1, 2:
		return "{ " + l() + " } always { " + l() + " }"
	case 3, 4:
		return f.of("() ", "function ") + "{ " + f.body(4, depth) + " }" + f.of("", " a", ` "$v"`)
	case 5:
		return "for x (" + f.of("a b", "", "$v c") + ") { " + l() + " }"
	case 6:
		return "if " + f.of("[[ $v == a* ]]", "((n))", "[[ -n $none ]]", "(true)", "{ "+f.status(0)+" }") + " { " + l() + " }" + f.of("", " else { "+l()+" }", " elif ((n>1)) { "+l()+" } else { "+l()+" }")
	case 7:
		f.loops++
		i := fmt.Sprintf("i%d", f.loops)
		return i + "=0; while ((" + i + "++ < 2)) { " + l() + " }"
	case 8:
		return "foreach x (a b); " + l() + "; end"
	case 9:
		return "for x y in a b c; do " + l() + "; v=$x$y; done"
	case 10:
		return "case $v { (a*) " + l() + ";; (o|p) " + l() + f.of(";;", ";&", ";|") + " (*) " + l() + " }"
	case 11:
		return f.of("setopt errexit", "setopt localoptions", "setopt err_return", "unsetopt err_return", "setopt nounset", "emulate -L sh", "emulate sh", "emulate zsh", "setopt sh_word_split", "setopt local_traps", "setopt ksh_arrays", "setopt no_unset", "setopt posix_builtins", "setopt nomatch", "setopt c_bases")
	case 12:
		return f.of("TRAPEXIT", "TRAPZERR", "TRAPDEBUG") + "() { " + strings.ReplaceAll(f.of(f.set(), f.note()), "$1", "$w") + " }"
	}
	return fmt.Sprintf("function f%d f%d { ", 3, 4) + f.body(4, depth) + " }; f4; f3"
}

func (f *flow) list(depth, most int) string {
	var parts []string
	for range 1 + f.IntN(most) {
		parts = append(parts, f.statement(depth))
	}
	return strings.Join(parts, "; ")
}

func (f *flow) value() string {
	return f.of("a", "b", "$v", "${v}k", "$w", `"$1"`, "${v%?}", "$n", "$((n+1))", "${w:-d}", "${none:-e}", "$?", "$#", `"$@"`, "''", "$(echo $v)", "${v}$w")
}

func (f *flow) name() string { return f.of("v", "w", "v", "n") }

func (f *flow) set() string {
	switch n := f.name(); f.IntN(3) {
	case 0:
		if n == "n" {
			return f.of("n=$((n+1))", "n=0", ": $((n++))", "((n--))", "n=2", "let n+=1")
		}
		return n + "+=" + f.of("x", "y")
	default:
		if n == "n" {
			return f.of("n=1", "n=0", "n=$((n*2))", "((n=3))")
		}
		return n + "=" + strings.ReplaceAll(f.value(), `"$@"`, "$*")
	}
}

// status is a command that is about its exit status.
func (f *flow) status(depth int) string {
	if depth > 0 && f.IntN(5) == 0 {
		return f.compound(depth - 1)
	}
	switch f.IntN(9) {
	case 0:
		return f.of("[ ", "test ", "! [ ") + f.of(`"$v" = a`, `-n "$v"`, `$n -eq 1`, `-z "$none"`, `"$w" != p`, `$n -gt 0 -a -n "$w"`, `"$1"`) + " ]"
	case 1:
		return "[[ " + f.of("$v == a*", "-n $w", "$v == o && $n -eq 1", "! -z $v", "$v =~ ^[ab]", "$v == $w || -n $none") + " ]]"
	case 2:
		return f.of("((n))", "((n>1))", "((--n))", "let n-1", "! ((n))")
	case 3:
		return f.call()
	case 4:
		return f.of("(exit 1)", "(exit 0)", "(exit $n)", "v=$(false)", "w=$(echo t)", "! true", "! false", "command false", "eval false", "true && false", "false || true", "$none", "v=$(exit $n)", "shift", "echo a | grep -q b", "true | false", "false | true", "local q=$(false)", "w=$(echo z; exit 3)")
	}
	return f.of("true", "false", ":")
}

func (f *flow) call() string {
	if f.fn >= 4 {
		return "true"
	}
	return strings.TrimSpace(f.of("", "", "", "v=t ", "command -v ", "") + fmt.Sprintf("f%d", f.fn+1+f.IntN(4-f.fn)) + f.of("", "", " a", ` "$v"`, ` "$@"`, " 1 2"))
}

func (f *flow) jump() string {
	switch f.IntN(4) {
	case 0:
		return f.of("return", "return 0", "return 1", "return $n", "return $?")
	case 1:
		return f.of("break", "continue", "break 2", "continue 2", "break $n")
	case 2:
		return f.of("exit", "exit 0", "exit 1")
	}
	return f.of("break", "return", "continue")
}

func (f *flow) note() string {
	if f.quiet > 0 {
		return f.of("echo $v", "echo $w", ":", "echo a")
	}
	return f.of(`rm "$v"`, `rm "$w"`, `rm "$v" "$w" "$n"`, `rm "$1"`, `rm "$?"`, `rm $v`, `rm "$#"`)
}

func (f *flow) simple(depth int) string {
	switch f.IntN(12) {
	case 0, 1, 2:
		return f.set()
	case 3, 4, 5:
		return f.note()
	case 6:
		return f.status(depth)
	case 7:
		return f.call()
	case 8:
		return f.of("set -e", "set +e", "set -u", "set -o pipefail", "set -eu", "set -- k l", "shift", "unset v", "unset -f f2", "set -E", "set -x", "local v", "local w=$v", "local v=q w=$v", "export v", "readonly w", "unset n", "set -- $v", "f3() { rm n; }", "unset v; v=u", "declare -g v=G", "trap - EXIT", "trap - ERR DEBUG")
	case 9:
		return f.jump()
	}
	return f.status(depth) + f.of(" && ", " || ") + f.of(f.set(), f.note(), f.jump(), f.call())
}

func (f *flow) statement(depth int) string {
	if depth == 0 || f.IntN(3) == 0 {
		return f.simple(depth)
	}
	return f.compound(depth - 1)
}

// body is a list in a function, from which only later functions are called.
func (f *flow) body(n, depth int) string {
	was := f.fn
	f.fn = n
	defer func() { f.fn = was }()
	return f.list(depth, 4)
}

func (f *flow) capture(depth int) string {
	f.quiet++
	defer func() { f.quiet-- }()
	return f.list(depth, 3)
}

func (f *flow) loop(depth int) string {
	f.loops++
	i := fmt.Sprintf("i%d", f.loops)
	switch f.IntN(4) {
	case 0:
		head := f.of("while [ $I -lt 2 ]", "while [ $I -lt 3 ] && "+f.status(depth), "until [ $I -ge 2 ]", "until [ $I -ge 1 ] || "+f.status(depth))
		return i + "=0; " + strings.ReplaceAll(head, "$I", "$"+i) + "; do " + i + "=$((" + i + "+1)); " + f.list(depth, 4) + "; done"
	case 1:
		return "for x in " + f.of("a b", "1 2 3", "", "$v", `"$@"`, "$(echo c d)", "a") + "; do " + f.list(depth, 2) + "; v=" + f.of("$x", "${v}$x", "$v") + "; " + f.list(depth, 2) + "; done"
	case 2:
		return "for ((" + i + "=0; " + i + "<" + f.of("1", "2", "3") + "; " + i + "++)); do " + f.list(depth, 4) + "; done"
	}
	return i + "=0; while " + i + "=$((" + i + "+1)); [ $" + i + " -lt 6 ] || break; " + f.list(depth, 2) + "; [ $" + i + " -lt " + f.of("2", "3") + " ]; do " + f.list(depth, 3) + "; done"
}

func inQuotes(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (f *flow) compound(depth int) string {
	if f.zsh && f.IntN(16) == 0 {
		return f.onlyZsh(depth)
	}
	l := func() string { return f.list(depth, 3) }
	switch f.IntN(19) {
	case 0, 1, 2:
		return "if " + f.status(depth) + "; then " + l() + f.of("", "; else "+l(), "; elif "+f.status(depth)+"; then "+l(), "; else "+l()) + "; fi"
	case 3, 4:
		return f.status(depth) + f.of(" && ", " || ") + "{ " + l() + "; }" + f.of("", "", " || "+f.simple(0), " && "+f.simple(0))
	case 5, 6:
		return f.loop(depth)
	case 7:
		return "case " + f.of("$v", "$w", "$n", "a", `"$1"`) + " in " + f.of("a", "o", "[ab]*", "p|q", "1") + ") " + l() + f.of(";;", ";;", ";&") + " " + f.of("b", "*", "1", "o*") + ") " + l() + ";; " + f.of("", "*) "+l()+";; ") + "esac"
	case 8:
		return f.of("(", "! (") + l() + ")"
	case 9:
		return "{ " + l() + "; }" + f.of("", " 2>/dev/null", " || "+f.simple(0), " && "+f.simple(0))
	case 10, 11, 12:
		n := 1 + f.IntN(4)
		if n <= f.fn {
			return f.simple(0)
		}
		return fmt.Sprintf("f%d() ", n) + f.of("{ "+f.body(n, depth)+"; }", "{ "+f.body(n, depth)+"; }", "( "+f.body(n, depth)+" )", "if true; then "+f.body(n, depth)+"; fi") + "; " + f.call()
	case 13:
		return "eval " + inQuotes(l())
	case 14:
		body := l()
		if f.IntN(3) > 0 {
			return body
		}
		// A trap sees the words that the harness's rm got, as that is a function.
		return "trap " + strings.ReplaceAll(inQuotes(f.of(f.set(), f.note(), f.body(4, 0))), "$1", "$w") + " " + f.of("EXIT", "ERR", "DEBUG", "RETURN", "EXIT", "INT", "ZERR") + "; " + body
	case 15:
		q := f.of(`"`, "")
		return f.of("v", "w", "local v", "export w") + "=" + q + "$(" + f.capture(depth) + "; echo k)" + q
	case 16:
		return f.of("{ "+l()+"; } | cat", "echo r s | { read v w; "+l()+"; }", "echo r | while read v; do "+l()+"; done", "{ { "+l()+"; } & wait; }", "{ ("+l()+") & wait $!; }")
	case 17:
		body := l()
		f.files++
		file := fmt.Sprintf("build/s%d.sh", f.files)
		return "printf '%s\\n' " + inQuotes(body) + " > " + file + "; . ./" + file + f.of("", "", " a")
	}
	return f.of("! ", "time ", "command eval ", "builtin eval ", "") + f.simple(0)
}
