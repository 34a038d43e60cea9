package shell

import "strings"

// generator turns bytes into scripts: the bytes choose among the rules of a
// grammar. What it makes runs nothing but the stubs of the rig, ends, and writes
// only below the directory it runs in.
type generator struct {
	data  []byte
	depth int
	b     strings.Builder
}

// generate makes a script of the bytes. The last few bytes may damage it.
func generate(data []byte) string {
	g := &generator{data: data}
	for range 1 + g.pick(4) {
		g.stmt()
		g.one("\n", "; ", "\n", " & wait\n")
	}
	script := g.b.String()
	for range g.pick(4) {
		at := (g.pick(256)<<8 | g.pick(256)) % (len(script) + 1)
		switch g.pick(3) {
		case 0:
			script = script[:at] + "\\\n" + script[at:]
		case 1:
			script = script[:at] + fragments[g.pick(len(fragments))] + script[at:]
		case 2:
			if at < len(script) {
				script = script[:at] + script[at+1:]
			}
		}
	}
	return script
}

var fragments = []string{"'", `"`, `\`, "$", "`", "#", " #", "(", ")", "{", "}", " ", "\n", ";", "&", "|", "<", ">&", "$(", "${", "<<E\n", "\nE\n", "x=", "=", "*", "~", "!", "[[ ", "]", "@P", ":-", "-", "\\\n", "$'", `$"`, "<(", "esac", " do ", "2>", "&-", ","}

// pick chooses a number below n; when there are no more bytes, 0.
func (g *generator) pick(n int) int {
	if len(g.data) == 0 {
		return 0
	}
	c := g.data[0]
	g.data = g.data[1:]
	return int(c) % n
}

func (g *generator) put(texts ...string) {
	for _, t := range texts {
		g.b.WriteString(t)
	}
}

func (g *generator) one(texts ...string) { g.put(texts[g.pick(len(texts))]) }

func (g *generator) many(sep string, n int, f func()) {
	for i := range n {
		if i > 0 {
			g.put(sep)
		}
		f()
	}
}

func (g *generator) name()     { g.one("a", "b", "c", "rm", "x", "y") }
func (g *generator) variable() { g.one("v", "w", "u", "UNSET") }

func (g *generator) list() {
	g.many("; ", 1+g.pick(2), g.stmt)
}

// stmt writes one statement. Loops end by themselves and functions call no
// functions, so that every script ends.
func (g *generator) stmt() {
	if g.depth > 3 || len(g.data) == 0 {
		g.simple()
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.pick(30) {
	case 0:
		g.stmt()
		g.one(" && ", " || ", " | ")
		g.stmt()
	case 1:
		g.put("{ ")
		g.list()
		g.put("; }")
		g.redirect()
	case 2:
		g.put("( ")
		g.list()
		g.put(" )")
		g.redirect()
	case 3:
		g.put("if ")
		g.condition()
		g.put("; then ")
		g.list()
		if g.pick(2) == 0 {
			g.put("; else ")
			g.list()
		}
		g.put("; fi")
	case 4:
		g.put("for v in ")
		g.many(" ", g.pick(4), g.word)
		g.put("; do ")
		g.list()
		g.one("", "; break", "; continue")
		g.put("; done")
	case 5:
		g.put("for ((i=0; i<", string(rune('0'+g.pick(4))), "; i++)); do ")
		g.list()
		g.put("; x $i; done")
	case 6:
		g.one("while true; do ", "until false; do ", "while a; do ")
		g.list()
		g.put("; break; done")
		g.redirect()
	case 7:
		g.put("case ")
		g.word()
		g.put(" in ")
		g.one("a", "*", "x*", "'b'", "[a-c]")
		g.put(") ")
		g.list()
		g.one(";; ", ";& ", ";;& ")
		g.one("*", "b|c", `"$v"`)
		g.put(") ")
		g.list()
		g.put(";; esac")
	case 8:
		g.put("f() { ")
		g.body()
		g.put("; }; f ")
		g.many(" ", g.pick(3), g.word)
	case 9, 10, 11:
		g.variable()
		g.one("=", "=", "+=")
		g.word()
	case 12:
		g.put("v=( ")
		g.many(" ", g.pick(4), g.word)
		g.put(" ); x ")
		g.one(`"${v[@]}"`, `${v[1]}`, `"${v[*]}"`, `${#v[@]}`, `"${v[@]:1}"`, `"${!v[@]}"`, `"${v[@]/a/b}"`)
	case 13:
		g.one("cd sub", "cd ..", "cd sub/deep", "cd none", "cd -", "cd", "pushd sub", "popd", `cd "$v"`)
	case 14:
		g.put("set -- ")
		g.many(" ", g.pick(4), g.word)
		g.put("; ")
		g.one(`x "$@"`, "x $2", `x "$*"`, `shift; x "$@"`, `x $#`, `for i; do x $i; done`, `"$@"`)
	case 15:
		g.one("eval ", "bash -c ", "sh -c ")
		g.quoted()
	case 16:
		g.put("trap ")
		g.quoted()
		g.one(" EXIT", " ERR", " RETURN")
	case 17:
		g.one("read v <<< ", "read -r v w <<< ", "IFS=: read v w <<< ", "read -a v <<< ")
		g.word()
		g.put(`; x "$v" "$w"`)
	case 18:
		g.one("cat", "bash", "a", "while read v; do x $v; done")
		g.one(" <<E\n", " <<'E'\n", " <<-E\n")
		g.many("\n", 1+g.pick(2), func() {
			g.one("a b", "a $v", "a $(b)", "x `c`", "y \\$v", "a \"q\"", "b # c", "a ${v:-$(c)}", "a 'q'")
		})
		g.put("\nE\n")
	case 19:
		g.one("echo ", "printf '%s\\n' ")
		g.quoted()
		g.one(" | bash", " | sh", " | while read -r v; do x $v; done", " | cat | bash", " | { read v; x $v; }")
	case 20:
		g.one("local ", "declare ", "export ", "readonly ", "declare -i ", "declare -u ", "typeset ")
		g.variable()
		g.put("=")
		g.word()
	case 21:
		g.one("IFS=_", "IFS=", "IFS=:", "unset IFS", "set -e", "set -f", "set +e", "unset v", "shopt -s extglob", "set -u", "shopt -s nullglob", "set -o pipefail")
	case 22:
		g.put("[[ ")
		g.word()
		g.one(" == ", " != ", " = ", " =~ ", " < ")
		g.word()
		g.put(" ]] && ")
		g.simple()
	case 23:
		g.put("(( ")
		g.arith()
		g.put(" )) ")
		g.one("&& ", "|| ", "; ")
		g.simple()
	case 24:
		g.one("! ", "time ", "command ", "env ", "builtin ", "exec 3>f1; ", "nice ")
		g.simple()
	case 25:
		g.one("printf -v v %s ", "printf -v w '%s-%s' ")
		g.word()
		g.put(`; x "$v" "$w"`)
	case 26:
		g.put("x <(")
		g.list()
		g.put(")")
	case 27:
		g.put("echo ")
		g.quoted()
		g.put(" > f1; ")
		g.one("bash f1", ". ./f1", "source f1", "sh ./f1 p q", "bash < f1")
	default:
		g.simple()
	}
}

// body is what a function does.
func (g *generator) body() {
	g.one("x \"$1\"", "x \"$@\"", "local v=$1; x $v", "return; a", "shift; x $1", "v=2", "cd sub", "x $#")
	g.put("; ")
	g.list()
}

func (g *generator) condition() {
	switch g.pick(4) {
	case 0:
		g.stmt()
	case 1:
		g.one("true", "false", "[ -n \"$v\" ]", "[ a = a ]", "[[ -f one.txt ]]", "! a", "[ -z $v ]", "[ $v = b ]")
	default:
		g.simple()
	}
}

// quoted writes commands as one quoted word.
func (g *generator) quoted() {
	inner := &generator{data: g.data, depth: g.depth + 1}
	inner.list()
	g.data = inner.data
	text := inner.b.String()
	switch g.pick(3) {
	case 0:
		g.put(`"`, strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text), `"`)
	default:
		g.put("'", strings.ReplaceAll(text, "'", `'\''`), "'")
	}
}

func (g *generator) simple() {
	switch g.pick(8) {
	case 0:
		g.variable()
		g.put("=")
		g.word()
		g.put(" ")
	case 1:
		g.redirect()
		g.put(" ")
	}
	switch g.pick(6) {
	case 0:
		g.word()
	default:
		g.name()
	}
	for range g.pick(4) {
		g.put(" ")
		g.word()
	}
	g.redirect()
	if g.pick(12) == 0 {
		g.one(" # c\n", " # c \\\n", " #'\n", " \\\n b")
	}
}

func (g *generator) redirect() {
	switch g.pick(14) {
	case 0:
		g.one(" > f1", " >> f2", " 2> f1", " &> f1", " >& f2", " >| f1", " < one.txt", " <> f1")
	case 1:
		g.one(" 2>&1", " >&2", " <&-", " 3>f1", " </dev/null", " >/dev/null", " >&-")
	case 2:
		g.put(" <<< ")
		g.word()
	case 3:
		g.one(" > ", " < ")
		g.word()
	}
}

func (g *generator) word() {
	for range 1 + g.pick(2) {
		g.part()
	}
}

// part writes a part of a word.
func (g *generator) part() {
	if g.depth > 4 || len(g.data) == 0 {
		g.one("a", "b", "x")
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.pick(32) {
	case 0:
		g.put("'")
		g.one("a b", "c", "", "$v", "*", "#", "`b`", "\\")
		g.put("'")
	case 1:
		g.put(`"`)
		g.many("", g.pick(3), g.inQuotes)
		g.put(`"`)
	case 2:
		g.put("$'")
		g.one("a\\tb", "\\x61", "\\101", "it\\'s", "\\n", "\\u0062", "b\\0c", "\\cA")
		g.put("'")
	case 3:
		g.one("$", "${")
		if strings.HasSuffix(g.b.String(), "{") {
			g.variable()
			g.put("}")
		} else {
			g.variable()
		}
	case 4:
		g.put("${")
		g.variable()
		g.one(":-", "-", ":+", "+", ":=", "#", "##", "%", "%%", "/a/", "//b/", "^^", ",,", ":0:", ":1", "@Q")
		if !strings.HasSuffix(g.b.String(), "1") && !strings.HasSuffix(g.b.String(), "Q") && g.pick(2) == 0 {
			g.one("a", "b", "1", "*", "'a'", `"b c"`, "$w", "$(c)", "?")
		} else if strings.HasSuffix(g.b.String(), ":0:") {
			g.put("2")
		}
		g.put("}")
	case 5:
		g.put("$(")
		g.list()
		g.put(")")
	case 6:
		g.put("`")
		g.name()
		g.one(" b", " 'c d'", "; c", " $v", " | c")
		g.put("`")
	case 7:
		g.put("$((")
		g.arith()
		g.put("))")
	case 8:
		g.one("{a,b}", "{1..3}", "{a,{b,c}}", "{,x}", "x{1,2}y", "{a..c}", "{a,$v}", "{b,'c d'}", "{}", "{a}")
	case 9:
		g.one("*", "*.txt", "[ab]", "s?b", "none*", "*/", "[a", "sub/*")
	case 10:
		g.one("~", "~/x", "v=~", "~+", "a~")
	case 11:
		g.one(`\ `, `\a`, `\"`, `\\`, `\$`, "\\\n", `\*`, `\#`)
	case 12:
		g.one("$1", "$2", `"$@"`, "$*", "$#", "$?", "$$", "${10}", "${@:2}")
	case 13:
		g.put("$(echo ")
		g.word()
		g.put(")")
	case 14:
		g.put(`"$(echo `)
		g.word()
		g.put(`)"`)
	case 15:
		g.one("a:b", "a_b", "c=d", "-x", "--y=z", "#", "a#", "=", "!", "@", "%", "^", ",", ".", "/", "é")
	default:
		g.one("a", "b", "c", "x1", "foo")
	}
}

func (g *generator) inQuotes() {
	if g.depth > 4 {
		g.put("q")
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.pick(10) {
	case 0:
		g.one("$v", "${w}", "$UNSET", "$1", "$@", "$*", "$#", "${v[@]}")
	case 1:
		g.put("$(")
		g.list()
		g.put(")")
	case 2:
		g.put("`")
		g.name()
		g.put(" b`")
	case 3:
		g.one("\\$", "\\\"", "\\\\", "\\a", "\\`", "\\\n")
	case 4:
		g.put("${")
		g.variable()
		g.one(":-", ":+", "#", "%", "/a/")
		g.one("a", "'b'", "$(c)", "$w", "*", `"c"`, "`a`")
		g.put("}")
	case 5:
		g.one("'", "#", "*", "~", "{a,b}", " ", "\n")
	default:
		g.one("a", "b c", "x")
	}
}

func (g *generator) arith() {
	if g.depth > 4 {
		g.put("1")
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.pick(8) {
	case 0:
		g.arith()
		g.one("+", "-", "*", "<", ">", "==", "&&", "||", ",", "%", "<<", "&")
		g.arith()
	case 1:
		g.put("(")
		g.arith()
		g.put(")")
	case 2:
		g.one("i", "$i", "v", "i++", "i=3", "i+=2", "-1", "!i", "~2")
	case 3:
		g.put("$(echo 2)")
	default:
		g.one("0", "1", "2", "10", "0x1f", "010")
	}
}
