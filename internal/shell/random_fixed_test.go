package shell

import (
	"regexp"
	"strings"
)

// fixedNames are scripts that assign to what may be read-only, or is no name at all, in every way and place.
func (g gen) fixedNames() string {
	fix := g.of("readonly N", "readonly N=x", "declare -r N=x", "typeset -r N", "N=x readonly N", "N=x declare -r N", "N=x typeset -r N", "command readonly N=x", "builtin readonly N", "N=x; f0() { readonly N; }; f0", "f0() { declare -gr N=x; }; f0", "f0() { local -r N=x; f1; }; f1() { A; }; f0", "eval readonly N", "N=x; export N; readonly N", "declare -ar N=(x)", "readonly -a N", "N=x; readonly N", "N=x; true && readonly N", "n=N; readonly $n", "n=N; declare -r $n=x", "(readonly N)", "N=x; if [ -n \"$none\" ]; then readonly N; fi", "readonly M N", "readonly M=1 N=2", "N=x command readonly N", "N=y; N=x builtin declare -r N", "declare -rx N=x", "declare -ri N=3", "readonly N; unset N", "set -k; readonly N", "N=x eval 'readonly N'", "N=x f0; f0() { readonly N; }; N=x f0", "declare -r N; declare +r N", ":", ":")
	assign := func() string {
		return g.of("N=y", "N+=y", "for N in y; do v=b; done", "for N in y z; do v=b$N; done", "for N in; do v=b; done", "select N in y; do v=b; break; done <<< 1", "read N <<< y", "read -r N w <<< 'y b'", "read w N <<< 'y b'", "printf -v N y", "mapfile N <<< y", "((N=1))", "let N=1", ": $((N=1))", ": ${N:=y}", "export N=y", "declare N=y", "local N=y", "unset N", "N=y true", "N=y f2", "getopts a N -a", "for ((N=0;N<1;N++)); do v=b; done", "exec {N}> build/f", "N[0]=y", "N=(y)", "IFS=: read N w <<< y:b", "declare -i N", "declare +r N", "typeset -u N=y", "N=y eval 'v=b'", "N=y command eval v=b", "let N++", "((N++))", "coproc N { :; }", "readonly N=z", "declare -a N", "N=$(v=b; echo c)", "v=b N=y", "N=y v=b", "v=$((N=2))", "v=b$((N+=2))", "read -a N <<< 'y z'", "w=$N", "v=${N:-b}", "export N", "unset -v N", "f3() { local N; v=b; }; f3", "f3() { local N=y; v=b; }; f3", "f3() { for N in y; do v=b; done; v=${v}c; }; f3", "f3() { N=y; v=b; }; f3", "eval 'N=y; v=b'", "eval 'v=b; N=y'; v=${v}d", "N=y w=z", "echo $((N=5)) > build/f", "[[ -n ${N=z} ]]", "[ $((N=0)) = 0 ]", "typeset -g N=y", "set -- ${N:=y}", "N=y v=k f2", "while read N; do v=b; done <<< y", "until N=y; do v=b; break; done", "trap 'N=y' 0", "declare N=y w=z", "export w=z N=y")
	}
	a := assign()
	s := g.of("A; v=${v}e", "A && v=e", "A || v=e", "if A; then v=e; else v=g; fi", "x=$(A; echo e); v=$v$x", "x=$(A); v=$v$x", "f4() { A; v=${v}e; }; f4", "(A; rm \"$v\" in); v=${v}e", "eval 'A; v=e'; v=${v}h", "A\nv=${v}e", "{ A; } 2>/dev/null; v=${v}e", "! A; v=${v}e", "while A; do v=e; break; done", "A; A; v=${v}e", "A; B; v=${v}e", "for i in 1 2; do A; v=${v}e; done", "x=`A; echo e`; v=$v$x", "case $(A; echo e) in e) v=e;; esac", "f4() { (A); v=${v}e; }; f4", "A | cat; v=${v}e", "A & wait; v=${v}e", "{ A; v=${v}e; }; v=${v}h", "set -e; A; v=${v}e", "f4() { A; }; f4; v=${v}e", "f4() { A; }; f4 && v=${v}e\nv=${v}h", "if x=$(A); then v=e; fi", "command A; v=e")
	name := g.of("c", "c", "c", "c", "c", "c", "UID", "PPID", "EUID", "GROUPS", "FUNCNAME", "BASH_VERSINFO", "SHELLOPTS", "terminfo", "termcap", "status", "1x", "a-b", "pipestatus", "options", "LINENO", "ARGC", "0", "_", "BASHPID", "DIRSTACK", "RANDOM", "SECONDS", "path", "signals", "ZSH_EVAL_CONTEXT", "TTY", "funcstack", "parameters", "zsh_eval_context", "HISTCMD", "historywords", "jobstates", "é", "a.b")
	body := fix + "; " + s
	body = strings.NewReplacer("A", a, "B", assign()).Replace(body)
	return "v=a; f2() { v=${v}f; }; " + renamed(body, name) + `; rm "$v" "$w"`
}

// renamed puts a name wherever the script has N by itself.
func renamed(script, name string) string { return placeholder.ReplaceAllString(script, name) }

var placeholder = regexp.MustCompile(`\bN\b`)
