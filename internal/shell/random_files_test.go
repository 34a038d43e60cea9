package shell

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"longline/internal/command"
	"longline/internal/tool"
)

// filesGen writes random scripts that work with files. The bodies of here-documents wait for the end of their line.
type filesGen struct {
	gen
	bodies string
}

// end is what ends a statement.
func (g *filesGen) end() string {
	if g.bodies == "" && g.IntN(3) > 0 {
		return "; "
	}
	s := "\n" + g.bodies
	g.bodies = ""
	return s
}

// list is so many statements or fewer, of which each one may be in a bit of control flow.
func (g *filesGen) list(n int, st func() string) string {
	var b strings.Builder
	for range 1 + g.IntN(n) {
		b.WriteString(g.flow(2, st) + g.end())
	}
	return b.String()
}

// flow is a statement, or some in a bit of control flow.
func (g *filesGen) flow(depth int, st func() string) string {
	if depth == 0 || g.IntN(5) > 1 {
		return st()
	}
	in := func() string { return g.flow(depth-1, st) }
	switch g.IntN(14) {
	case 0:
		return "if " + in() + "; then " + in() + "; else " + in() + "; fi"
	case 1:
		return in() + " && " + in()
	case 2:
		return in() + " || " + in()
	case 3:
		return "{ " + in() + "; " + in() + "; }"
	case 4:
		return "( " + in() + "; " + in() + " )"
	case 5:
		return "for i in 1 2; do " + in() + "; done"
	case 6:
		return "f() { " + in() + "; " + in() + "; }; f" + g.of("", "; f", " || true", " && v=f")
	case 7:
		return "! " + in()
	case 8:
		return "while " + in() + "; do " + in() + "; break; done"
	case 9:
		return "case $v in o) " + in() + ";; *) " + in() + ";; esac"
	case 10:
		return in() + " | " + in()
	case 11:
		return "f() { " + in() + g.of("; return", "; return 1", " && return", " || return") + "; " + in() + "; }; f"
	case 12:
		return in() + " && " + in() + " || " + in()
	}
	return "if ! " + in() + "; then " + in() + "; fi"
}

func (g *filesGen) file() string {
	return g.of("p", "p", "p", "q", "q", "a.txt", "b.txt", "src/a.c", "build/p", "new/p")
}

// place is where a redirection leads.
func (g *filesGen) place() string {
	switch g.IntN(12) {
	case 0:
		return g.of("none/x", "none/x", "src", "/dev/null", "/dev/null", "a.txt/x", "./p", "src/../p")
	case 1:
		return g.of("$n", `"$n"`, "$none", `"$none"`, "$n.x", "${n}", "${none:-p}", "${t:=q}")
	case 2:
		return g.of("a.*", "*.none", "*.txt", "[p]", "pq?", `"*"`, "{p,q}", "~/p", "$(echo p)", "p\"\"", "'p'", "\\p")
	}
	return g.file()
}

// redirection is one of a command that reads, that prints, or that does neither.
func (g *filesGen) redirection() string {
	switch g.IntN(14) {
	case 0, 1, 2, 3:
		return g.of(">", ">", ">", ">>", ">>", ">|", "1>", "> ") + g.place()
	case 4, 5:
		return g.of("<", "<", "<", "0<", "< ", "<>") + g.place()
	case 6:
		return g.of("2>", "2>>", "&>", "&>>", ">&", "3>", "3>>", "4<", "3<>", "1<>", "{d}>", "{d}<") + g.place()
	case 7:
		return g.of("2>&1", ">&2", "1>&2", "2>/dev/null", "2>&-", ">&-", "<&-", "<&0", "0<&-", "3>&1", "1>&3", ">&3", "<&3", "<&4", "0<&3", "3<&0", "3<&4", "3>&-", "4<&-", "3>&2", "<&9", ">&9", "3<&-", ">&3-", "<&4-", ">&$n", "<&$none")
	case 8:
		return "<<<" + g.of("w", " $v", "'w x'", `"$v"`, "$none", "*", "''")
	case 9:
		return "< <(" + g.of("echo u", "cat p", "echo $v; echo t", "true", "cat <<< u", "echo u; false") + ")"
	case 10:
		return g.document()
	case 11:
		return g.of(">", ">>", "2>") + " >(" + g.of("cat > q", "cat", "read x", "true") + ")"
	}
	return ">" + g.file() + " " + g.of("2>&1", "2>/dev/null", "<a.txt", ">q", ">&1", "< p", "<<<h", "3>&1", "2>q", ">>p", "<<< \"$v\"")
}

// document is a here-document. Its body follows the line.
func (g *filesGen) document() string {
	n := strconv.Itoa(strings.Count(g.bodies, "\nE") + 1)
	op, mark := g.of("<<", "<<", "<<-"), g.of("E", "E", "'E")
	body := g.many(3, func() string { return g.of("h\n", "$v\n", "\ti\n", "j k\n", "\\$v\n", "$(echo l)\n") })
	g.bodies += body + "E" + n + "\n"
	if mark == "'E" {
		return op + "'E" + n + "'"
	}
	return op + mark + n
}

func (g *filesGen) redirections() string {
	s := g.redirection()
	for g.IntN(4) == 0 {
		s += " " + g.redirection()
	}
	return s
}

// redirected is a command with redirections.
func (g *filesGen) redirected() string {
	r := g.redirections()
	switch g.IntN(16) {
	case 0, 1, 2:
		return g.of("echo a", "echo $v", "printf '%s\\n' b c", "echo a b", "echo", "printf d") + " " + r
	case 3:
		return g.of(r+" echo a", "echo "+r+" a", "echo a "+r+" b", r+" cat", "cat "+r+" -", r+" v=x", "v=x "+r)
	case 4:
		return g.of("cat", "cat", "cat -", "cat p", "cat p q", "head -n 1", "sort", "tee q", "tee -a p", "wc -l", "tr a z", "sed 1d") + " " + r
	case 5:
		return g.of("read v", "read -r v w", "read v", "mapfile -t m", "read w", "IFS= read -r v", "read -u 4 v", "read -u 3 v") + " " + r
	case 6:
		return g.of("v=$(cat "+r2(r)+")", "v=$(echo e "+r2(r)+")", "v=`cat "+r2(r)+"`", "w=$(read x "+r2(r)+"; echo $x)")
	case 7:
		return r
	case 8:
		return "{ " + g.inside() + "; " + g.inside() + "; } " + r
	case 9:
		return "( " + g.inside() + "; " + g.inside() + " ) " + r
	case 10:
		return g.of("while read -r l; do "+g.inside()+"; done", "for i in x y; do echo $i; "+g.inside()+"; done", "if "+g.inside()+"; then "+g.inside()+"; fi", "until "+g.inside()+"; do v=u; break; done", "case $v in *) "+g.inside()+";; esac", "while read -r l && v=$l; do :; done") + " " + r
	case 11:
		return "g() { " + g.inside() + "; } " + g.of(r+"; g", "; g "+r, r+"; g > q")
	case 12:
		return "exec " + r
	case 13:
		return g.of("v=c", "v=c w=d", ":", "true", "false", "eval echo c", "eval v=c", "command echo c", "v=c :", "v=c eval :", "v=c true", "set -- c", "export v=c", "builtin echo c", "readonly k=1", "cd src", "test -e p", "[[ -n $v ]]", "((n2=1))", "unset w", "shift 5", "return", "exit", "local z=1") + " " + r
	case 14:
		return g.of("echo a", "cat p", "printf 'x\\ny\\n'", "echo a b") + " " + g.of("|", "|", "|&") + " " + g.of("cat", "{ read v; echo $v; }", "tee q", "while read -r l; do v=$l; done", "read v") + " " + r
	}
	return g.inside() + " " + r
}

// r2 are redirections within a substitution, which hold no here-document.
func r2(r string) string {
	if strings.Contains(r, "<<") && !strings.Contains(r, "<<<") {
		return "< p"
	}
	return r
}

// inside is a command without redirections, or with simple ones.
func (g *filesGen) inside() string {
	return g.of("echo a", "echo $v", "read v", "read -r v", "cat", "echo b >&2", "echo c >> q", "v=g", "read w", ":", "false", "cat p", "rm \"$v\"", "rm in", "echo d >&3", "read v <&3", "read v <&4", "cat <&3", "head -n 1", "cat > q", "read -r l", "echo 1; echo 2", "exec 3> q", "exec < b.txt", "exec > q", "exec 3<&-", "cat <&0", "echo e > /dev/stdout", "cat /dev/stdin", "break", "return 1", "mv p q", "> p", "cd src")
}

// files is what scripts do to files besides.
func (g *filesGen) change() string {
	return g.of("mv p q", "mv q p", "cp p q", "cp a.txt p", "command rm -f p", "> p", ": > p", ": >> q", "touch p", "ln -s p q", "ln p q", "ln -sf q p", "mkdir new", "set -C", "set +C", "set -e", "set +e", "truncate -s 0 p", "echo a >> p", "sed -i s/a/z/ p", "tee p < a.txt", "tee -a p q <<< t", "install a.txt p", "dd if=a.txt of=p", "cat a.txt > p", "cat p >> q", "cat p q > build/p", "mkdir -p new && mv p new", "cp -r src new", "set -o pipefail", "exec 3< a.txt", "exec 4< p", "exec 3> p", "exec 3>&-", "exec 4<&-", "unset v", "n=q", "n='a b'", "n=*.txt", "set -f", "v=o")
}

// shown are the words that show what there is now.
func (g *filesGen) shown() string {
	return g.of(`rm "$v"`, `rm "$v" "$w"`, `rm "x$v"`, `rm "$(cat p)"`, `rm "$(<p)"`, `rm "$(<p)"`, `rm $(<q)`, `rm "$(cat < p; cat < q)"`, `rm "$(cat < p)"`, `rm "$l" "$v"`, `read l < p; rm "$l"`, `rm "$(<build/p)"`, `while read -r l; do rm "$l"; done < p`, `read -r l < q; rm "$l"`, `rm "$(<a.txt)"`, `rm "$v" && rm and`, `[ -s p ] && rm full "$v"`, `[ -e q ] || rm no "$v"`, `rm "$n" "${m[0]}"`, `rm "$1" "$v"`, `rm "$(wc -l < p)"`, `rm "$(<new/p)"`, `{ read -r l; read -r v; rm "$l" "$v"; } < p`, `rm "$(cat <&4)"`, `rm "$(cat <&3)"`, `rm x$(<q)`, `mapfile -t m < p; rm "${m[@]}"`, `while read l; do v=$v$l; done < q; rm "$v"`, `read l < a.txt; rm "$l"`, `{ read l; rm "$l" "$(cat)"; } < q`, `read -r l <&3; rm "$l"`, `read -r l <&4; rm "$l"`, `exec 5< p; read l <&5; read v <&5; rm "$l" "$v"`)
}

func (g *filesGen) redirects() string {
	s := "v=o w=o n=p; " + g.of("", "echo one > p; ", "printf '%s\\n' a b c > p; ", "echo two > q; ", "exec 3< a.txt; ", "echo x > p; echo y > q; ", "printf 'l1\\nl2\\nl3\\n' > p; exec 4< p; ")
	s += g.list(4, func() string {
		switch g.IntN(7) {
		case 0:
			return g.change()
		case 1:
			return g.shown()
		}
		return g.redirected()
	})
	return s + g.shown() + "; " + g.shown() + g.end() + `rm "$v" "$w"`
}

// pattern is one of names, of those that there are or that are made.
func (g *filesGen) pattern() string {
	if g.IntN(3) == 0 {
		return g.of("*", "*.c", "*.txt", "src/*", "src/*.c", "*/", "*/*", ".*", "**", "**/*.c", "*.none", "$x", "$y", "*.*")
	}
	if g.IntN(8) == 0 { // of which shells differ
		return g.many(4, func() string {
			return g.of("*", "a", ".c", "@(a|b)", "+(a)", "!(a.txt)", "*(.)", "?(a)b", "*(N)", "*(om[1])", "(a|b)", "[$x]", "^a", "a~b", "<->", "[a", "#", "[]a]", "src/", "**/", "$x", "[\"a\"]")
		})
	}
	return g.many(4, func() string {
		return g.of("*", "*", "?", "[a-c]", "[!a]", "[^a]", "[[:upper:]]", "[[:alpha:]]", "[ab]*", "a", "b", ".", ".c", ".txt", "src/", "l/", "/", "{a,*}", "*.{c,txt}", "~", "\\*", `"*"`, "'?'", "$x", `"$x"`, "${x}", "$y", "$none", "[", "]", "**", "**/", "build/", "[]a]", "[a-]", "[.]", "_", "-", "../proj/", "./", "\\", "é", "?.c", "*", "a", "b", ".c", "o", "m")
	})
}

// holder are values of which patterns are made.
func (g *filesGen) holder() string {
	return g.of("x='*.c'", "x=a", "x='*'", "x='a b'", "x='[ab]'", "x=src", "x='?'", "x=", "x='\\*'", "x='*.none'", "x=.", "x='a* b*'", "x='!a'", "x='src/*'", "x='{a,b}'", "x='~'") + " " + g.of("y=b", "y='.c'", "y='*'", "y=''", "y='*.txt'", "y=*.c", "y=-", "y=o*", "y=l")
}

// setting is one of how patterns are read.
func (g *filesGen) setting() string {
	return g.of("shopt -s nullglob", "shopt -s nullglob", "set -f", "set +f", "shopt -s globstar", "shopt -s globstar", "IFS=.", "shopt -s nullglob", "shopt -s failglob", "shopt -s dotglob", "shopt -s globstar", "shopt -s nocaseglob", "shopt -s extglob", "shopt -u extglob", "shopt -s nocasematch", "set -f", "set +f", "set -o noglob", "set +o noglob", "GLOBIGNORE='*.c'", "GLOBIGNORE=", "unset GLOBIGNORE", "GLOBIGNORE=a*", "LC_ALL=C", "IFS=.", "unset IFS", "IFS=/", "shopt -s extglob nullglob", "shopt -u globasciiranges", "IFS=")
}

// making makes files, or takes them away.
func (g *filesGen) making() string {
	return g.of("touch z.c", "touch 'a b.c' -- -f", "touch a.c b.c", "mkdir d d/e", "mkdir -p d/e/f", "touch .h", "ln -s src k", "ln -s none dead", "mv a.txt c.txt", "command rm -f a.txt", "command rm -f *.txt", "cp a.txt A.C", "touch '*'", "touch '[a]'", "touch 'a?'", "> n.c", "mkdir -p -- -d", "touch '\\*'", "cd src", "cd build", "mkdir e && cd e", "cd ..", "touch ab a.b", "rmdir e", "touch '{a,b}'", "touch '~'", "touch $'n\\nl'", "touch é", "mv src s2", "ln -s ../src build/s")
}

// globbed is a command with patterns.
func (g *filesGen) globbed() string {
	p, q := g.pattern(), g.pattern()
	listed := g.of("", "src", "*.c", "src/*.c", "-d */", "-d s*", "-d *") // without hidden files, which only those are that are named
	switch g.IntN(20) {
	case 0, 1:
		return "rm " + p
	case 2:
		return g.counts(p)
	case 3:
		return g.renames(p)
	case 4:
		return "rm " + g.of("-- "+p, p+" "+q, "x "+p, "a="+p, "x/"+p, `"$x"`+p, p+`"$y"`, "-f "+p)
	case 5, 6:
		return "for f in " + p + g.of("", " "+q) + "; do " + g.of(`rm "$f"`, "rm $f", `rm "${f%.c}"`, `rm "${f##*/}.o"`, `[ -e "$f" ] || continue; rm "$f"`, "rm ${f%.*}", "v=$f", `rm "$f"*`, `rm "x$f"`, `rm "${f%/}"`, `rm "$(basename "$f")"`, `rm "$(dirname "$f")"`, `[ -f "$f" ] && rm "$f.o"`, `rm "./$f"`, `cd "$f" && rm y && cd ..`, `mv "$f" "$f.b"; rm "$f.b"`, `echo "$f"`) + "; done"
	case 7:
		return "set -- " + p + "; rm " + g.of("$#", `"$@"`, "$1", `"$1"`, `"$#" x`, `"${@:1}"`, "$*", `"${!#}"`, `"$2"`)
	case 8:
		return "a=(" + p + " " + g.of(q, "") + "); rm " + g.of(`"${a[@]}"`, `"${#a[@]}"`, `"$a"`, `"${a[0]}"`, `${a[@]}`, `"${a[@]%.c}"`, `"${a[1]}"`, `"${a[@]##*/}"`)
	case 9:
		return "v=" + p + "; rm " + g.of("$v", `"$v"`, "x$v", `"$v"*`)
	case 10:
		return "case " + g.of("a.c", "$x", `"$x"`, "a", ".h", "src/a.c") + " in " + p + ") v=one;; " + q + ") v=two;; *) v=no;; esac; rm \"$v\""
	case 11:
		return "[[ " + g.of("a.c", "$x", ".h", "$y") + " " + g.of("==", "!=") + " " + p + " ]] && rm is || rm not"
	case 12:
		return g.of("v=$("+g.of("echo ", "printf '%s ' ")+p+"); rm "+g.of(`"$v"`, "$v", `"x$v"`), "rm $(ls "+listed+")", "for f in $(ls "+listed+"); do rm \"$f\"; done")
	case 13:
		return "f() { rm " + g.of(`"$#"`, `"$@"`, `"$1"`, "x$2") + "; }; f " + p
	case 14:
		return "echo t > " + p + "; rm " + g.of(`"$(cat p)"`, p, "*")
	case 15:
		return "v=${none:-" + p + "}; rm $v"
	case 16:
		return "rm ${none:-" + p + "}"
	case 17:
		return "for f in " + p + "; do " + g.of("break", ":", "continue") + "; done; rm \"$f\""
	case 18:
		return g.of("ls "+listed, "echo "+p, "printf '%s\\n' "+p, "find . -maxdepth 1 -name "+p, "command ls "+listed) + " | while read -r f; do rm \"$f\"; done"
	}
	return g.of("eval rm "+p, "eval \"rm "+strings.ReplaceAll(p, `"`, "'")+"\"", "echo "+p+" | xargs rm", "export v="+p+"; rm \"$v\"", "readonly r"+strconv.Itoa(g.IntN(9))+"="+p, "unset f; for f in "+p+"; do :; done; rm \"${f-none}\"", "rm $(echo "+p+")", "rm \"${x#"+p+"}\"", "rm ${x/"+strings.ReplaceAll(p, "/", "")+"/r}", "(rm "+p+"); rm then", "rm "+p+" || rm else", "cat "+p+" > q; rm next", "local v="+p+"; rm \"$v\"")
}

// counts is what depends on how many names a pattern matches.
func (g *filesGen) counts(p string) string {
	return g.of("n=0; for f in "+p+"; do n=$((n+1)); done; rm $n", "set -- "+p+"; if [ $# -gt 1 ]; then rm many; else rm \"$1\"; fi", "a=("+p+"); if [ -e \"${a[0]}\" ]; then rm \"${a[0]}\"; fi", "set -- "+p+"; shift; rm \"$@\"", "n=$(echo "+p+" | wc -w); rm $n", "set -- "+p+"; while [ $# -gt 0 ]; do rm \"$1\"; shift; done", "set -- x "+p+"; shift $(($#-1)); rm \"$1\"", "a=("+p+"); for f in \"${a[@]}\"; do rm \"${f%.*}\"; done", "a=("+p+"); rm \"${a[-1]}\" \"${a[@]:1}\"", "a=("+p+"); for i in \"${!a[@]}\"; do rm $i \"${a[$i]}\"; done", "[ -e "+p+" ] && rm there", "[ "+p+" = a.txt ] && rm same || rm other", "set -- "+p+" \"$@\"; rm $# \"$2\"", "ls "+p+" >/dev/null 2>&1 && rm some || rm none", "compgen -G '"+strings.ReplaceAll(p, "'", "")+"' > /dev/null && rm found || rm lost")
}

// renames works on what a pattern matches, one by one.
func (g *filesGen) renames(p string) string {
	return "for f in " + p + "; do " + g.of("b=${f##*/}; rm \"${b%%.*}\"", "mv \"$f\" \"x$f\" && rm \"x$f\"", "d=$(dirname \"$f\"); rm \"$d/x\"", "e=${f##*.}; rm \"$e\"", "case $f in *.c) rm c \"$f\";; *.txt) rm t \"${f%.txt}\";; *) continue;; esac", "rm \"build/${f/.c/.o}\"", "cp \"$f\" \"build/$f\"; rm build/*", "rm \"${f//a/b}\"", "rm \"../$f\"", "if [ -d \"$f\" ]; then rm -r \"$f\"; elif [ -f \"$f\" ]; then rm \"$f.f\"; fi", "[[ $f == *.c ]] || continue; rm \"${f%c}o\"", "rm \"$(basename \"$f\" .c)\"", "( cd \"$f\" && rm in )", "g=$f; done; rm \"$g\"; for i in 1; do :", "v=\"$v $f\"; done; rm $v; for i in 1; do :", "rm \"${f:0:1}\"", "rm \"${#f}\"", "IFS=.; set -- $f; unset IFS; rm \"$1\" \"$2\"", "rm -- \"$f\"; break", "echo \"$f\" >> list; done; while read -r l; do rm \"$l\"; done < list; for i in 1; do :") + "; done"
}

func (g *filesGen) globs() string {
	s := "v=o; " + g.holder() + "; "
	return s + g.list(4, func() string {
		switch g.IntN(16) {
		case 0:
			return g.setting()
		case 1, 2, 3, 4:
			return g.making()
		}
		return g.globbed()
	}) + g.globbed()
}

// directory is a word for one.
func (g *filesGen) directory() string {
	return g.of("src", "src", "src", "build", "build", "build/a", "..", "..", ".", "none", "l", "l", "l/sub", "src/sub", "../proj", "../proj/src", "-", "new", "new", "$d", `"$d"`, "$none", `"$none"`, "a.txt", "~", "~/proj", "~+", "~-", "src/", "./src", "src/..", "l/..", "sub", "sub", "a", "", `"$PWD"`, `"$OLDPWD"`, `"$HOME"`, "$(pwd)", "../..", "src//sub", "s*", "src build", "'a b'", "up", "up/src", "--", "-P", "~1", "+1", "~+1", "${d:-src}", "${none:-src}", "dead", "../src")
}

// change of the directory.
func (g *filesGen) moving() string {
	d := g.directory()
	switch g.IntN(16) {
	case 0, 1, 2, 3, 4:
		return "cd " + d
	case 5:
		return "cd " + g.of("-P ", "-L ", "-- ", "-PL ", "-LP ", "-e ", "-P -- ", "-q ") + d
	case 6:
		return "cd " + d + " " + g.of("2>/dev/null", ">/dev/null", "> p", "&>/dev/null", "< a.txt", "2> none/x", "< none", ">&2")
	case 7:
		return "pushd " + d + g.of("", " >/dev/null")
	case 8:
		return g.of("popd", "popd >/dev/null", "pushd", "popd +1", "pushd +1", "pushd -n src", "popd -n", "dirs -c", "dirs", "popd -0", "pushd -", "pushd -1", "pushd +0")
	case 9:
		return g.of("OLDPWD=src", "OLDPWD=$PWD", "PWD=/x", "PWD=src", "unset OLDPWD", "unset PWD", "OLDPWD=", "HOME=$PWD", "HOME=src", "unset HOME", "HOME=", "OLDPWD=build; cd -", "d=build", "d=$PWD", "d=", "d=l", "export PWD", "export OLDPWD=build", "readonly PWD", "readonly OLDPWD", "set -P", "set -o physical", "set +P", "local PWD=x", "declare OLDPWD=src")
	case 10:
		return g.of("CDPATH=src", "CDPATH=.:src", "CDPATH=:build", "CDPATH=..", "CDPATH=", "unset CDPATH", "CDPATH=$PWD/src", "CDPATH=none:build", "CDPATH=~", "CDPATH=src cd sub", "CDPATH=build:src cd a", "CDPATH=src; cd sub", "CDPATH=l; cd sub", "CDPATH=src cd ./sub", "export CDPATH=src", "shopt -s cdspell", "shopt -s autocd", "set -e", "set +e", "shopt -s cdable_vars", "HOME=build cd", "HOME=src cd ~", "OLDPWD=src cd -", "PWD=src cd ..")
	case 11:
		return g.of("mkdir new", "mkdir -p new/deep", "rmdir new", "mv src src2", "mv build new", "command rm -r src", "command rm -rf new", "ln -s build k", "ln -sfn src l", "command rm l", "mkdir -p a/b/c", "mv new build/new", "cp -r src new", "mkdir sub", "ln -s .. k", "touch new", "mv l l2", "mkdir -p src2 && cd src2", "mkdir new && cd new && rmdir ../new", "ln -s $PWD/src/sub build/k")
	case 12:
		return "(cd " + d + " && rm in)"
	case 13:
		return "v=$(cd " + d + " && " + g.of("pwd", "pwd -P", "echo $PWD", "pwd -L", "ls", "cd .. && pwd", "echo ~-", "cd - && pwd") + ")"
	case 14:
		return "for i in " + d + " " + g.of("src", "build", "..", "sub") + "; do cd $i" + g.of("", " || continue", " || break", " && rm $i") + "; done"
	}
	return g.of("cd", "cd -", "cd ..", "cd -- -", "cd -P .", "cd src && cd sub", "cd ../proj/src", "cd .. || exit", "cd none || cd build", "cd src || exit 1", "cd none && rm no", "cd src & wait", "cd src | true", "true | cd src", "cd src; cd -; cd -", "cd proj src", "cd src build", "cd l && cd ..", "cd l; cd -P ..", "src", "./src", "..", "cd \"\"", "eval cd src", "eval 'cd src; cd ..'", "command cd src", "builtin cd src", "x=src cd src", "cd ~/proj", "cd $PWD", "cd $OLDPWD", "alias cd=:", "time cd src", "! cd src", "cd src > none/x", "trap 'cd /' ERR", "until cd src; do :; done", "while cd sub; do :; done", "if cd none; then rm y; else cd src; fi", "[ -d new ] && cd new", "[ -d src ] || mkdir src; cd src", "test -d none && cd none")
}

func (g *filesGen) whereShown() string {
	return g.of("rm x", "rm x", "rm x", `rm "$PWD"`, `rm "$OLDPWD"`, "rm ~+/x", "rm ~-/x", `rm "$(pwd)"`, `rm "$(pwd -P)"`, "rm *", "rm ../x", "rm ~/x", "rm ~1", `rm "${DIRSTACK[1]}"`, `rm "${DIRSTACK[0]}"`, `rm "$(dirs)"`, `rm "$v"`, `rm "$v/x"`, `rm "${PWD##*/}"`, "rm ./x", `rm "${PWD%/*}"`, "rm ~+1", "rm $(basename $PWD)", "rm ~-", `rm "$(cd .. && pwd)/x"`, `rm "$(cd -; pwd)"`, `rm "$HOME/x"`, "rm */", "rm \"${OLDPWD-none}\"", `bash -c 'rm x'`, `sh -c 'cd ..; echo "$PWD"' | while read -r f; do rm "$f"; done`, "rm $(realpath .)", `rm "$(readlink -f ..)"`)
}

func (g *filesGen) directories() string {
	s := "v=o d=" + g.of("src", "build", "l", "none", "..", "build/a") + "; " + g.of("", "", "", "cd src; ", "cd l; ", "cd build && ", "mkdir -p new; ", "ln -s .. up; ")
	return s + g.list(5, func() string {
		if g.IntN(3) == 0 {
			return g.whereShown()
		}
		return g.moving()
	}) + g.whereShown() + g.end() + "rm x"
}

// filesAgree is TestRandomScriptsAgree for scripts that work with files, of which each one finds the same ones.
func filesAgree(t *testing.T, g *filesGen, n int) {
	for _, k := range []struct {
		name  string
		write func() string
	}{
		{"redirections", g.redirects},
		{"globs", g.globs},
		{"directories", g.directories},
	} {
		t.Run(k.name, func(t *testing.T) {
			var list []string
			for range n {
				list = append(list, k.write())
			}
			agreeOnFiles(t, list)
		})
	}
}

// workshop is a directory in which each script finds the same files.
type workshop struct{ root, home, proj string }

func newWorkshop(t *testing.T) workshop {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	home := filepath.Join(root, "a/b/c/d/e/f/g/h/i/j/k/home") // so deep that no script leaves the directory
	for _, dir := range []string{filepath.Dir(root), root} {
		must(t, os.Chmod(dir, 0o755))
	}
	return workshop{root, home, filepath.Join(home, "proj")}
}

// reset makes the files what they are before each script.
func (w workshop) reset(t *testing.T) {
	must(t, os.RemoveAll(w.home))
	must(t, os.MkdirAll(w.proj, 0o755))
	for _, d := range []string{"src/sub", "build/a", ".dot"} {
		must(t, os.MkdirAll(filepath.Join(w.proj, d), 0o755))
	}
	for name, text := range workpieces {
		must(t, os.WriteFile(filepath.Join(w.proj, name), []byte(text), 0o644))
	}
	must(t, os.Symlink("src", filepath.Join(w.proj, "l")))
	must(t, filepath.WalkDir(w.home, func(path string, _ fs.DirEntry, err error) error {
		must(t, err)
		return os.Lchown(path, nobody(), -1)
	}))
}

// nobody is the user that runs the scripts, who may write nowhere else.
func nobody() int {
	if os.Getuid() == 0 {
		return 65534
	}
	return os.Getuid()
}

// workpieces are the files that each script finds.
var workpieces = map[string]string{
	"a.txt": "A1\nA2\n", "b.txt": "B\n", "src/a.c": "1\n", "src/b.c": "2\n", "src/sub/d.c": "", ".env": "", "build/a.o": "", "main.c": "", "Upper.c": "", "-x": "",
}

// world is what the reader may know of the workshop. With disk it can look around in it.
func (w workshop) world(zsh, disk bool) *tool.World {
	world := &tool.World{Home: w.home, Project: w.proj, Zsh: zsh, ReadFile: os.ReadFile, Readlink: os.Readlink}
	if disk {
		world.Exists = func(path string) bool { _, err := os.Lstat(path); return err == nil }
		world.Entries = func(dir string) (list []tool.Entry, whole bool) {
			found, err := os.ReadDir(dir)
			for _, e := range found {
				list = append(list, tool.Entry{Name: e.Name(), Dir: e.IsDir(), Link: e.Type()&os.ModeSymlink != 0})
			}
			return list, err == nil || os.IsNotExist(err)
		}
	}
	return world
}

// ways are how a script is run, and whether the shell is what sh is.
var ways = []struct {
	shell string
	args  []string
	posix bool
}{{"bash", nil, false}, {"zsh", []string{"-f"}, false}, {"bash", []string{"--posix"}, true}, {"dash", nil, true}}

// agreeOnFiles is agree for scripts that each find the same files.
func agreeOnFiles(t *testing.T, list []string) {
	if _, ok := confines(); !ok && os.Getuid() != 0 {
		t.Skip("nothing keeps scripts from changing other files")
	}
	w := newWorkshop(t)
	lib := command.Builtin()
	gaps := map[bool]int{}
	for i, script := range list {
		w.reset(t)
		res := map[bool]Result{
			false: Resolve(script, w.proj, w.world(true, i%2 == 0), lib),
			true:  Resolve("sh -c '"+strings.ReplaceAll(script, "'", `'\''`)+"'", w.proj, w.world(false, i%2 == 0), lib),
		}
		for posix, res := range res {
			if hasGap(res) {
				gaps[posix]++
			}
		}
		for _, way := range ways {
			res := res[way.posix]
			path, err := exec.LookPath(way.shell)
			if err != nil || hasGap(res) {
				continue
			}
			for calls := w.ran(t, path, way.args, script); len(calls) > 1; calls = calls[2:] {
				nowhere := calls[0].dir == "/nowhere" && covered(res, calls[0].argv) // a directory that is gone
				if !nowhere && !seen(res, calls[0]) && !seen(res, calls[1]) {
					t.Error(w.short(fmt.Sprintf("%s %v runs %.300q in %s or %s for\n%s\nbelieved%s", way.shell, way.args, calls[0].argv, calls[0].dir, calls[1].dir, script, believed(res))))
					break
				}
			}
		}
	}
	t.Logf("of %d scripts, %d have gaps, and %d where they are run by sh", len(list), gaps[false], gaps[true])
}

// short is a text in which the directories have short names.
func (w workshop) short(text string) string {
	return strings.NewReplacer(w.proj, "P", w.home, "H").Replace(text)
}

// ran has a shell run a script and returns what it gave to rm, which goes to a file of its own. Each call is there twice: where it
// is, and where the shell says that it is.
func (w workshop) ran(t *testing.T, shell string, args []string, script string) []call {
	w.reset(t)
	log := filepath.Join(w.root, "log")
	must(t, os.WriteFile(log, nil, 0o666))
	must(t, os.Chmod(log, 0o666))
	head := "\x01" + `$(($#+1))" "$(pwd -`
	rm := `rm() { printf '%s\0' "` + head + `P || echo nowhere)" "$@" "` + head + `L)" "$@" >> ` + log + "; } 2>/dev/null\nulimit -t 1; ulimit -f 2000; ulimit -v 4000000\n"
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	cmd, confined := confined(ctx, w.root, shell, append(args, "-c", rm+script)...)
	cmd.Dir = w.proj
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + w.home, "LC_ALL=C.UTF-8", "PWD=" + w.proj}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if !confined && os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(nobody()), Gid: uint32(nobody())}
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	_ = cmd.Run() // how the script ends is its own affair
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	out, err := os.ReadFile(log)
	must(t, err)
	return callsIn(t, shell, append(out, "\x01end\x00"...), 1)[0]
}
