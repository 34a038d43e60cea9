package shell

import (
	"fmt"
	"strings"
)

// arrays are lists and tables, their keys, slices and lengths.
func (g gen) arrays() string {
	key := func() string { return g.of("0", "1", "2", "3", "-1", "n", "$n", "n+1", "$((n-1))", "5", "\"$n\"") }
	elem := func() string {
		return g.of("p", "q", "'r s'", "''", "$x", `"$x"`, "[2]=u", "[n]=w", `"${a[@]}"`, "${a[@]}", "*.none", "$(echo l m)", "{i,j}", "[5]=", `"$@"`)
	}
	list := func() string {
		var s []string
		for range g.IntN(4) {
			s = append(s, elem())
		}
		return "(" + strings.Join(s, " ") + ")"
	}
	use := func(n string) string {
		return g.of("${N}", "$N", `"${N[@]}"`, `"${N[*]}"`, "${#N[@]}", "${#N}", `"${!N[@]}"`, `"${N[`+key()+`]}"`, `"${N[@]:1}"`, `"${N[@]:`+g.of("0", "1", "2", "$n")+`:1}"`, `"${N[@]: -1}"`, `"${N[@]%?}"`, `"${N[@]/#/k}"`, `"${N[@]/p/t}"`, `"${N[`+key()+`]:-d}"`, `"${N[@]:-e}"`, `"${N[@]+s}"`, "${#N["+key()+"]}", `"${N[@]^}"`, `"x${N[@]}y"`, "${N[*]}", `"${N[`+key()+`]%q}"`, `"${N[@]:+z}"`)
	}
	st := func() string {
		n := g.of("a", "a", "b")
		s := g.of("N="+list(), "N="+list(), "N+="+list(), "N["+key()+"]="+g.of("v", "$x", "", `"${N[0]}"`), "N["+key()+"]+=w", "unset 'N["+key()+"]'", "unset N", "N="+g.of("o", "$x"), "N+="+g.of("o", "$x"), "declare -a N", "declare -A m; m[k]=v; m[$x]=z; y=${m[k]}", "x=${N["+key()+"]}", "x=\"${N[*]}\"", "y=${#N[@]}", `for e in "${N[@]}"; do y=$e; done`, `for e in "${!N[@]}"; do y=$e; done`, "read -ra N <<< 'p q r'", "mapfile -t N <<< $'s\\nt'", "IFS=, read -ra N <<< 'h,i'", "f() { local N=("+elem()+"); rm "+use(n)+"; }; f", "f() { N=("+elem()+"); }; f", `N=("${N[@]:1}")`, `N=("${N[@]}" `+elem()+")", "n=$((n+1))", "((N[1]=4))", "((n=N[0]))", "x=${N[0]:-d}", "set -- "+use(n), "N[${#N[@]}]=last", "(N=(sub); rm "+use(n)+")", "declare -a b=(1 2)", "local -a N", "export N", "[[ ${N[0]} == p ]] && y=m", "case ${N[1]} in q) y=c;; esac")
		return strings.ReplaceAll(s, "N", n)
	}
	s := "x=p y=o n=1; set -- j; "
	for range 2 + g.IntN(5) {
		s += st() + "; "
	}
	u := func() string { n := g.of("a", "a", "b"); return strings.ReplaceAll(use(n), "N", n) }
	return s + "rm " + u() + "; rm " + u() + ` "$x" "$y" "$n"`
}

// names are variables whose names are computed.
func (g gen) names() string {
	name := func() string { return g.of("x", "y", "z", "a") }
	val := func() string { return g.of("p", "q", "$x", "${y}k", "''", "x", "y", "'r s'", "z") }
	st := func() string {
		n, m := name(), name()
		return g.of(n+"="+val(), n+"="+m, "declare -n r="+n, "r=w", "r=$x", "unset -n r", "unset r", "v=${!x}", "v=${!y}", `v=${!x:-d}`, `printf -v "$x" %s `+val(), "printf -v "+n+" %s%s a b", `printf -v "$y" '%s' "$z"`, `read -r "$x" <<< `+val(), `eval "$x=`+g.of("m", `\$y`, "$y")+`"`, `eval $x=n`, `export "$x=e"`, `declare "$y=d"`, `declare -g "$x"=g`, "f() { local "+n+"="+val()+"; rm $x $y; g; rm $z; }; g() { "+m+"=G; declare -g z=H; }; f", "f() { declare -n q=$1; q=viaq; }; f "+n, `f() { eval "$1=\$2"; }; f `+n+" E", `v=${!a*}`, `v="${!x@}"`, "unset "+n, `unset "$x"`, `: ${x:=D}`, `: "${!y:=I}"`, "for r in "+n+" c; do v=$r; done", "readonly "+n, "declare -u "+n, "declare +n r", `IFS= read -r "$y" z <<< "l m"`, `((x=5))`, `let "$y=3"`, `((z=x+1))`, `[ -v "$x" ] && v=set`, "v=${x@A}", "getopts a "+n, `mapfile -t "$x" <<< c`, `v=$(eval echo \$$x)`, `eval v=\$$x`, `v=$(printf '%s' "${!x}")`, `source /dev/stdin <<< "x=S"`, `. <(echo y=T)`, `env `+n+`=E true`, n+"=T f", "coproc cat", "select "+n+" in k; do break; done <<< 1")
	}
	s := "x=y y=z z=x a=b v=o; "
	for range 2 + g.IntN(5) {
		s += st() + "; "
	}
	return s + `rm "$x" "$y" "$z" "$v" "$a" "$r"`
}

// aliases are names that stand for words, in several lines, as they are for the next one only.
func (g gen) aliases() string {
	st := func() string {
		return g.of("shopt -s expand_aliases", "shopt -s expand_aliases", "setopt aliases", "unsetopt aliases", "alias d='rm a'", "alias d='rm a '", "alias d='echo x; rm b'", "alias e='d c'", "alias w=V", "alias -g w=G", "alias echo='rm k'", "alias rm='rm q'", "unalias d", "unalias -a", "d", "d w", "e w", "\\d", "'d' r", "w", "echo s", "f() { d f; }", "f", "eval d", "eval 'alias d=\"rm z\"'", "(d g)", "x=$(d >/dev/null)", "command d", "alias v='x=u'", "v", "x=1 d", "d; alias d='rm late'; d", "alias if='rm IF;'", "if true; then d; fi", "{ d m; }", "alias d='rm a;'", "alias -s q='rm S'", "n.q", "alias c='# '", "c rm t", "d $x", "alias y=';rm Y'", "d y", "function d { rm fd; }", "d() { rm pd; }", "unset -f d", "alias '{'='rm B;'", "alias 2='rm two'", "! d", "time d", "BASH_ALIASES[d]='rm BA'", "aliases[d]='rm ZA'", "alias d=d\\ n", "set -o posix")
	}
	var s []string
	for range 3 + g.IntN(6) {
		s = append(s, st())
	}
	return "x=o\n" + strings.Join(s, "\n") + "\nrm $x"
}

// withOptions puts options in front of another script, or somewhere in it.
func (g gen) withOptions() string {
	opt := g.of("set -f", "set -u", "set -e", "set -a", "set -k", "set -n", "set -o posix", "set +B", "set -h", "set -m", "set -b", "set -T", "set -E", "set -P", "set -C", "set -o pipefail", "shopt -s nullglob", "shopt -s failglob", "shopt -s dotglob", "shopt -s extglob", "shopt -s nocasematch", "shopt -s nocaseglob", "shopt -s lastpipe", "shopt -s inherit_errexit", "shopt -s globstar", "shopt -s xpg_echo", "shopt -s localvar_inherit", "shopt -s localvar_unset", "shopt -s compat31", "shopt -s compat42", "shopt -u patsub_replacement", "shopt -s assoc_expand_once", "shopt -s execfail", "shopt -s shift_verbose", "shopt -u extquote", "shopt -s array_expand_once", "BASH_COMPAT=4.2", "POSIXLY_CORRECT=1", "setopt shwordsplit", "setopt ksharrays", "setopt globsubst", "setopt extendedglob", "setopt nullglob", "unsetopt nomatch", "setopt rcexpandparam", "setopt braceccl", "setopt ignorebraces", "setopt posixidentifiers", "setopt octalzeroes", "setopt shglob", "setopt cshjunkiequotes", "setopt rcquotes", "setopt noequals", "setopt magicequalsubst", "setopt kshtypeset", "setopt bsdecho", "IFS=a", "IFS=/", "IFS=0", "IFS=", "unset IFS", "LC_ALL=C", "LC_ALL=en_US.UTF-8", "OPTIND=3", "SECONDS=5", "RANDOM=7", "CDPATH=/tmp", "GLOBIGNORE=a*", "TMOUT=1", "emulate sh", "emulate ksh", "HISTCONTROL=x", "unset BASH_VERSION", "shopt -s expand_aliases", "shopt -u sourcepath", "FIGNORE=a", "TIMEFORMAT=x", "EXECIGNORE=*")
	var body string
	switch g.IntN(7) {
	case 0:
		body = g.setup() + "v=" + g.word() + `; rm "$v" $v`
	case 1:
		body = g.braces2()
	case 2:
		body = g.arrays()
	case 3:
		body = g.names()
	case 4:
		body = g.flows()
	case 5:
		body = g.params()
	default:
		body = g.setup() + "rm " + g.word()
	}
	switch g.IntN(4) {
	case 0:
		return "f() { " + opt + "; }; f; " + body
	case 1:
		return "if true; then " + opt + "; fi; " + body
	}
	return opt + "; " + body
}

func (g gen) braces2() string {
	return "x=a y='b,c'; rm " + g.braces() + "; v=" + g.braces() + `; rm "$v"`
}

// tools are values that programs compute.
func (g gen) tools() string {
	in := func() string {
		return g.of(`"$x"`, "$x", "a/b.c", `"$y"`, "src", "a.tar.gz", "'p q'", "1", `"$n"`, "''", "/", "..", "b")
	}
	source := func() string {
		return g.of("echo "+in(), "echo "+in(), "printf '%s\\n' "+in()+" "+in(), "printf %s "+in(), "seq "+g.of("3", "$n", "2 4", "1 2 6", "3 1", "0", "01 3", "1 -1 0", "-w 8 11", "-s, 3", "0.5 2"), "cat build/in", "ls build", "ls src", "git status 2>/dev/null", "basename "+in()+g.of("", " .c", " c", " .gz"), "dirname "+in(), "date +%Y", "pwd", "echo", "true", "cat <<< "+in(), "expr "+g.of("1 + 1", "$n + 1", `"$x" : 'a\(.*\)'`, "length abc", "substr abc 2 1", "index abc c"), "readlink -f "+in(), "realpath "+in(), "printenv x", "env | grep ^q=", "sort build/in", "wc -l build/in", "wc -l < build/in", "head -1 build/in", "tail -n 1 build/in", "cut -d: -f1 build/in", "awk '{print $1}' build/in", "awk 'BEGIN{print 1+1}'", "sed -n 1p build/in", "sed s/a/b/ build/in", "grep a build/in", "grep -c a build/in", "find src build -name '*.c'", "nproc", "id -un", "hostname", "uname -s", "python3 -c 'print(1)'", "stat -c %s build/in", "test 1 && echo "+in(), "bc <<< 1+1", "yes | head -1", "tr a b <<< "+in(), "rev <<< "+in(), "jot 2", "factor 6", "numfmt 1000", "od -An -c <<< a", "base64 <<< a", "base64 -d <<< YS9i", "xxd -r -p <<< 61", "md5sum build/in", "paste -sd, build/in", "fold -w1 <<< abc", "nl build/in", "tac build/in", "uniq build/in", "comm build/in build/in", "join build/in build/in", "split --version", "jq -r .a <<< '{\"a\":\"b\"}'", "tee build/out <<< "+in(), "xargs echo < build/in", "xargs -n1 < build/in", "du -s src", "getconf PATH", "logname", "tsort <<< 'a b'", "shuf -n1 build/in", "expr length + a", "echo -n "+in(), "echo -e 'a\\tb'", "printf '%d\\n' $n 5", "printf '%s.%s\\n' a b c", "printf '%03d' $n", "let n++; echo $n", "cat build/none || echo d", "cat build/in 2>/dev/null || echo d")
	}
	filter := func() string {
		return g.of("cat", "head -1", "head -n 2", "tail -1", "tail -n +2", "sort", "sort -r", "sort -u", "uniq", "uniq -c", "wc -l", "wc -c", "tr a-z A-Z", "tr -d '\\n'", "tr / _", "cut -d. -f1", "cut -d/ -f2", "cut -c1", "cut -f2 -d' '", "sed s/a/b/", "sed 's|/.*||'", "sed 1d", "sed -n '$p'", "awk '{print $1}'", "awk '{print $NF}'", "awk -F/ '{print $2}'", "awk '{print NR}'", "grep a", "grep -v a", "grep -o '[a-z]*'", "grep -c .", "xargs", "xargs echo", "xargs -n1", "rev", "tac", "nl", "paste -sd+", "tee build/out", "fold -w2", "basename a/b", "while read -r l; do echo \"$l\"; done", "while IFS=/ read -r p q; do echo \"$q\"; done", "(read l; echo $l)", "{ cat; echo z; }", "sed 's/^/k/'", "column -t", "xargs basename", "xargs dirname", "xargs -I{} echo k{}", "grep -q a && echo y", "expand", "head -c 2", "tail -c 2", "dd bs=1 count=1 2>/dev/null", "sh -c 'read a; echo $a'", "bash -c 'cat'", "cat - build/in", "tr -s /", "tr -cd a-c", "base64 -d 2>/dev/null", "wc -w", "grep -n a", "cut -d: -f2-", "awk '{print length($0)}'", "perl -pe s/a/b/", "python3 -c 'import sys; print(sys.stdin.read())'", "sort -n | tail -1", "head -0", "sed q", "sed -E 's/([a-z])/\\1\\1/'", "timeout 1 cat", "env cat", "nice cat", "stdbuf -oL cat", "command cat", "exec cat", "! cat", "time cat")
	}
	value := func() string {
		s := source()
		for range g.IntN(3) {
			s += " | " + filter()
		}
		return s
	}
	s := g.of("x=a/b.c y=q n=2", "x=src y='a b' n=1", "x= y=.. n=3", "x=a y=b.c/ n=0", "x=../k y=-n n=9", "x=./a.b/.c y='*' n=5") + "; printf '%s' " + g.of("'a:b\\nc d\\n'", "'a\\n'", "''", "'x y'", "'/a/b\\n..\\n'", "'b\\na\\nb\\n'") + " > build/in; "
	s = strings.ReplaceAll(s, "printf '%s'", "printf")
	for i := range 1 + g.IntN(2) {
		q := g.of(`"`, "", `"`)
		v := fmt.Sprintf("v%d", i)
		switch g.IntN(5) {
		case 0:
			s += "for v0 in $(" + value() + "); do rm \"$v0\"; done; "
		case 1:
			s += value() + " | while read -r v0 v1; do echo \"$v0\" > build/out; done; "
		case 2:
			s += "read -r " + v + " < <(" + value() + "); "
		default:
			s += v + "=" + q + "$(" + value() + ")" + g.of("", "/k", "$x") + q + "; "
		}
		s += g.of("", "x=$"+v+"; ", "[ -n \"$"+v+"\" ] && y=$"+v+"; ", "[ \"$"+v+"\" -gt 1 ] && y=g; ", "")
	}
	return s + `rm "$v0" "$v1" $v0 "$x" "$y"`
}
