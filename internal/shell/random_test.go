package shell

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"longline/internal/command"
)

// gen writes random pieces of scripts.
type gen struct{ *rand.Rand }

func (g gen) of(list ...string) string { return list[g.IntN(len(list))] }

func (g gen) many(n int, f func() string) string {
	var b strings.Builder
	for range g.IntN(n) + 1 {
		b.WriteString(f())
	}
	return b.String()
}

func (g gen) text() string {
	return g.many(3, func() string {
		return g.of("a", "b", "/", ".", "1", "x", `\*`, "*", "?", `"q"`, "'r s'", `"$y"`, "$y", "[a]", `\}`, "\\/", "~", "-", ":", "", "{", ",", `"}"`, "'}'", "#", "%", "${y}", `$'t'`, `"'"`, "=", "!", "^", `\\`, `"*"`)
	})
}

func (g gen) expansion(depth int) string {
	name := g.of("x", "y", "z", "1", "@", "*", "a", "a[@]", "a[1]", "#", "none", "e", "a[*]", "x", "none", "x")
	w := g.text()
	if depth > 0 && g.IntN(2) == 0 {
		w += g.expansion(depth - 1)
		if g.IntN(3) == 0 {
			w = `"` + strings.NewReplacer(`"`, "").Replace(w) + `"`
		}
	}
	switch g.IntN(16) {
	case 0:
		return "${" + name + "}"
	case 1, 2, 3:
		return "${" + name + g.of("#", "##", "%", "%%") + w + "}"
	case 4, 5:
		return "${" + name + g.of("/", "//", "/#", "/%") + g.text() + "/" + w + "}"
	case 6, 7, 8:
		return "${" + name + g.of(":-", "-", ":+", "+", ":=", "=") + w + "}"
	case 9:
		return "${#" + name + "}"
	case 10, 11:
		if isAll(name) {
			return "${" + name + ":" + g.of("1", "2", "$((n+1))") + g.of("", ":1", ":$n", ":0") + "}" // without the name of the shell
		}
		return "${" + name + ":" + g.of("0", "1", "2", " -1", " -2", "$n", "n", "(-1)", "0", "n-1") + g.of("", ":1", ":2", ":-1", ":$n", ": n", ":0") + "}"
	case 12:
		return "$" + g.of("x", "y", "z", "1", "@", "*", "#", "none", "a")
	case 13:
		return "$(" + g.of("echo", "printf %s", "cat <<<") + " " + w + ")"
	case 14:
		return "`echo " + g.of("$x", "a", `\$x`, `"$y"`, `\\a`, "'a b'") + "`"
	}
	return "${" + name + g.of("^", "^^", ",", ",,", "@Q", "@U") + "}"
}

func (g gen) word() string {
	s := g.many(3, func() string {
		switch g.IntN(4) {
		case 0:
			return g.of("a", "/", ".", "k", "-", "=", ":")
		case 1:
			return `"` + g.many(2, func() string { return g.expansion(1) + g.of("", "b", "/", " ") }) + `"`
		}
		return g.expansion(1)
	})
	return s
}

func (g gen) setup() string {
	return g.of("x=a/b/c y=q", "x= y=b", "x='1 2' y='a b '", "x='a*' y='*'", "x=aXb y=../d", "x=' a' y=' '", "x='a:b' y=:", "x='[ab]' y='?'", "x='{a,b}' y='$z'", "x='\\*' y='a\\b'", "x=ab.tar.gz y=.", "x=aaa y=a", "x=$'a\\nb' y=$'\\n'") + "; " +
		g.of("a=(1 2 3)", "a=()", "a=('a b' c)", "a=(x '' z)", "a=p", "unset a", "a=(x)") + "; " + g.of("set --", "set -- a b c", "set -- 'a b' ''", "set -- p") + "; " + g.of("n=1 ya=../q", "n=2 ya=k yb=l xa=m", "n=0", "n=1; IFS=:", "n=1; IFS=", "n=1; IFS=/", "n=2; set -u", "n=1; set -f", "n=1; e=") + "; "
}

func (g gen) braces() string {
	return g.many(6, func() string {
		return g.of("{", "}", "{", "}", ",", ",", "a", "b", "1", "3", "..", "a..c", "1..3", "$x", `"`+g.of("a", "{", ",", "$y")+`"`, `\{`, `\,`, "'}'", "{a,b}", "{1..2}", "{x..z..2}", "{01..03}", "${x}", "$(echo b)", "{3..1}", "{a,", ",}", "-1..1")
	})
}

func (g gen) reads() string {
	ifs := g.of("", "IFS= ", "IFS=: ", "IFS=' :' ", "IFS=/ ", "IFS=$'\\t' ", "IFS=ab ", "IFS=, ", "IFS='\\' ")
	in := g.of("'", "") + g.many(4, func() string { return g.of("a", "b", ":", "/", ",", "\\t") })
	if strings.HasPrefix(in, "'") {
		in = "'" + strings.TrimPrefix(in, "'") + g.of(" ", ":", " b", "  c ", "\\ d", "\\", "\\\\", "") + g.of("x y", ": z", "", " ") + "'"
	}
	cmd := g.of("read", "read -r", "read -r", "read -r -n 2", "read -d :", "read -r -d ''", "read -a", "read -ra") + " "
	names := g.of("v", "v w", "v w u", "")
	if strings.Contains(cmd, "a ") && strings.Contains(cmd, "-") && (strings.HasSuffix(cmd, "-a ") || strings.HasSuffix(cmd, "-ra ")) {
		names = "arr"
	}
	feed := g.of(" <<< "+in, " < <(printf '%s\\n' "+in+")", " <<E\n"+strings.Trim(in, "'")+"\nE\n")
	if !strings.HasSuffix(feed, "\n") {
		feed += "; "
	}
	return "v=o w=o u=o arr=(o); " + ifs + cmd + names + feed + `rm "$v" "$w" "$u" "$REPLY" "${arr[0]}" "${arr[@]: -1}"`
}

func (g gen) attrs() string {
	val := func() string {
		return g.of("a", "Ab", "3", "1+2", "n", "$x", `"$y"`, "x y", "(1 2)", "(a Bc)", "''", "-5", "010", "y+1", "'a b'")
	}
	v := func() string {
		s := val()
		if s == "x y" {
			return "x"
		}
		return s
	}
	name := func() string { return g.of("x", "y", "z", "n") }
	st := func() string {
		return g.of("declare", "typeset", "local", "export", "readonly", "declare -i", "declare -u", "declare -l", "declare -x", "declare -a", "declare -iu", "declare +i", "declare -g", "declare -gi", "typeset -l", "local -u", "local -i", "declare -r", "unset", "unset -v", "") + " "
	}
	one := func() string {
		s := st()
		n := name()
		switch {
		case s == " ":
			return n + g.of("=", "+=") + v()
		case strings.HasPrefix(s, "unset"):
			return s + n
		case g.IntN(3) == 0:
			return s + n
		}
		return s + n + g.of("=", "=", "+=") + v()
	}
	body := ""
	for range 1 + g.IntN(4) {
		body += one() + "; "
	}
	pre := name() + "=" + g.of("q", "5", "Qq") + "; "
	use := `rm "$x" "$y" "$z" "$n"; `
	switch g.IntN(4) {
	case 0:
		return pre + "f() { " + body + use + "}; " + body[:strings.Index(body, ";")+1] + " f; " + use
	case 1:
		return pre + "f() { " + body + use + "}; f; " + one() + "; " + use
	case 2:
		return pre + "f() { " + body + use + "g; " + use + "}; g() { " + one() + "; " + use + "}; f; " + use
	}
	return pre + body + use
}

func (g gen) params() string {
	st := func() string {
		return g.of("set -- a b c", `set -- "$@" d`, "shift", "shift 2", "shift $#", "set --", `set -- "${@:2}"`, `set -- "${@:1:1}" k`, "set -- $x", "set a b", "set - p q", "set -- -a -b v r", `while [ $# -gt 0 ]; do case $1 in -a) v=A; shift;; -b) v=$2; shift 2;; *) break;; esac; done`,
			`for i; do v=$i; done`, `f() { shift; rm "$1" "$#"; }; f "$@"`, `f() { set -- k "$@"; }; f z`, `eval "set -- $x"`, `eval set -- '"$@"' e`, `v=$1; shift`, `v=${!#}`, `set -- "$*"`, `IFS=,; v="$*"; unset IFS`, "shift 9", "shift || v=no", `OPTIND=1; while getopts ab: o "$@"; do case $o in b) v=$OPTARG;; esac; done`, `shift $((OPTIND-1))`, `set -- "$@" "$@"`, `set +x`, `set -f -- g h`, `(shift; rm "$1")`, `v=$(shift; echo $1)`, `if shift; then v=s; fi`, `until [ $# -le 1 ]; do shift; done`)
	}
	s := "x='p q' v=o; "
	for range 2 + g.IntN(5) {
		s += st() + "; "
	}
	return s + `rm "$1" "$2" "$#" "$v" "$*"`
}

func (g gen) conds() string {
	op := func() string {
		return g.of("$x", `"$x"`, "a", "", "''", `"$none"`, "$none", "-n", "=", "3", "$n", "!", "(", "x", "-a", "'a b'", "$y")
	}
	var t string
	switch g.IntN(5) {
	case 0:
		t = "[ " + op() + " " + g.of("=", "!=", "-eq", "-lt", "==", "-a", "-o", "-nt") + " " + op() + " ]"
	case 1:
		t = "[[ " + g.of("$x", "a", `"$y"`, "$n") + " " + g.of("==", "!=", "=", "-eq", "<", "=~", "-lt") + " " + g.of("a", "a*", `"a*"`, "[ab]", "$y", `"$y"`, "3", "n", "?", "^a", "(a)", "a|b", ".") + " ]]"
		if strings.Contains(t, " (a) ") || strings.Contains(t, "a|b") {
			t = strings.NewReplacer("==", "=~", "!=", "=~", " = ", " =~ ", "<", "=~", "-eq", "=~", "-lt", "=~").Replace(t)
		}
	case 2:
		t = "[ " + g.of("-n", "-z", "!", "-e", "-d", "-f", "-v") + " " + op() + " ]"
	case 3:
		t = "[ " + op() + " ]"
	default:
		t = "case " + g.of("$x", "$y", "a") + " in " + g.of("a", "a*", "[ab]", "$y", `"$y"`, "a|b", "''") + ") true;; *) false;; esac"
	}
	return `v=o; if ` + t + `; then rm "$x" "$n" "$v"; v=$x; else v=${x}e; rm "$y"; fi; ` + t + ` && v=$v.1; ` + t + ` || v=$v.2; rm "$v" "${BASH_REMATCH[0]}"`
}

func (g gen) heredoc() string {
	body := g.many(4, func() string {
		return g.of("$x", "${x}", "\\$x", "`echo b`", "$(echo c)", "\\\\", "\"", "'", "\\\n", "\n", "a", " ", "\t", "${y:-\"q\"}", "${y:+'r'}", "$((n+1))", "\\a", "~", "*", "{a,b}", "$", "\\`", "${x#a}", "$'a'", "\"$x\"", "E", "\nE2\n")
	})
	delim := g.of("E", "'E'", "\\E", `"E"`, "E", "E")
	op := g.of("<<", "<<", "<<-")
	use := g.of("v=$(cat @E@)", "read -r v @E@", "{ read -r v; read -r w; } @E@", "while read -r l; do v=$v$l; done @E@", "mapfile -t a @E@", "v=$(cat - @E@ | tr a b)", "v=`cat @E@`")
	closing := "\nE\n"
	cmd := strings.Replace(use, "@E@", op+delim+"\n"+body+closing, 1)
	return "v=o w=o; " + cmd + "\n" + `rm "$v" "$w" "${a[0]}" "$l"`
}

func (g gen) fds() string {
	st := func() string {
		return g.of("echo a > F", "echo $v >> F", "exec 3> F", "echo b >&3", "exec 3>&-", "read v < F", "v=$(cat F)", "v=$(<F)", "exec 4< F", "read v <&4", "exec 4<&-", "{ echo c; echo d; } > F", "echo e 2>&1 > F", "echo f > F 2>&1", "read v <<< g", "> F", ": > F", "cat F > G", "cat G >> F", "v=$(cat < F; echo z)", "mv F G", "cp F G", "rm -f G", "[ -s F ] && v=s", "exec 5<&0", "exec 0< F; read v; exec 0<&5", "printf '%s\\n' $v h | tee F > G", "v=$(cat F G 2>/dev/null)", "echo i | cat > F", "while read -r l; do v=$l; done < F", "v=$(sed s/a/b/ F)", "v=$(head -1 F)", "v=$(wc -l < F)", "echo j 1>&2", "{ v=k; } > F", "( echo l ) >> F", "exec {q}> F; echo m >&$q; exec {q}>&-", "v=$( { echo n >&2; } 2>&1 )", "echo o | { read v; echo $v > G; }", "mapfile -t a < F; v=${a[0]}", "f() { echo p; }; f > F", "set -C; echo q > F; set +C", "set -C; echo r >| F; set +C")
	}
	s := "v=o; "
	f := func(x string) string { return strings.NewReplacer("F", "build/f", "G", "build/g").Replace(x) }
	for range 2 + g.IntN(5) {
		s += f(st()) + "; "
	}
	return "(cd build && rm -f f g); " + s + `rm "$v"`
}

// TestRandomScriptsAgree holds what the reader believes of random scripts, each about one thing that shells are particular in, against what
// they do. LONGLINE_SEED takes others, LONGLINE_RANDOM so many of each kind.
func TestRandomScriptsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	n, err := strconv.Atoi(os.Getenv("LONGLINE_RANDOM"))
	if err != nil {
		n = 40
	}
	seed, _ := strconv.ParseUint(os.Getenv("LONGLINE_SEED"), 10, 64)
	g := gen{rand.New(rand.NewPCG(seed, 99))}
	kinds := []struct {
		name  string
		write func() string
		posix bool // it is something to what sh is
		full  bool // programs have their real models
	}{
		{"expansions", func() string { return g.setup() + "rm " + g.word() }, true, false},
		{"values", func() string {
			return g.setup() + "v=" + g.word() + "; d=$(echo " + g.word() + `); rm "$v" "$d" $v "${#@}" "$x" "$none"`
		}, true, false},
		{"braces", g.braces2, false, false},
		{"lines", g.reads, false, false},
		{"attributes", g.attrs, true, false},
		{"parameters", g.params, true, false},
		{"conditions", func() string { return g.setup() + g.conds() }, true, false},
		{"documents", func() string { return g.setup() + g.heredoc() }, true, false},
		{"descriptors", g.fds, true, false},
		{"flow", g.flows, true, false},
		{"flow of zsh", g.zflows, false, false},
		{"arrays", g.arrays, false, false},
		{"names", g.names, true, false},
		{"aliases", g.aliases, true, false},
		{"options", g.withOptions, true, false},
		{"tools", g.tools, true, true},
		{"fixed names", g.fixedNames, true, false},
		{"errors", g.errors, true, false},
		{"lexical", g.lexical, true, false},
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			var list []string
			for range n {
				list = append(list, k.write())
			}
			lib := testLibrary(t)
			if k.full {
				lib = command.Builtin()
			}
			judged := agreeBy(t, lib, list, true, "bash", "zsh")
			if k.posix {
				judged += agreeBy(t, lib, list, false, "bash", "dash")
			}
			if t.Logf("%d scripts, judged %d times", n, judged); judged < n/30 && !sampled() {
				t.Errorf("only %d of %d scripts were judged", judged, n)
			}
		})
	}
	if os.Getenv("LONGLINE_RANDOM") == "" {
		n /= 3 // each of these is run by a shell of its own
	}
	filesAgree(t, &filesGen{gen: g}, n)
}
