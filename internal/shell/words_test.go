package shell

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/differ/grammar"
	"longline/internal/tool"
)

// TestRandomWordsAgree holds random words, behind random values of the variables in them, against what shells make
// of them.
func TestRandomWordsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	g, err := grammar.New()
	must(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	var list []string
	for len(list) < 800 {
		script := wordSetups[r.IntN(len(wordSetups))]
		for range r.IntN(3) {
			script += "; " + moreSetups[r.IntN(len(moreSetups))]
		}
		noted := g.Noted(r, nil)
		script += "\n" + strings.Replace(noted[len(noted)-1], grammar.Note+" --", "rm", 1)
		// What they are called by is not what agents call them by, and the library of the tests knows no formats of dates.
		if !strings.Contains(script, "$0") && !strings.Contains(script, "@:0") && !strings.Contains(script, "date +") {
			list = append(list, script)
		}
	}
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
}

// TestTail: a word ends as its tail says, whatever the parts of it are worth that are not known or may be missing.
func TestTail(t *testing.T) {
	some := []struct {
		piece
		texts []string
	}{
		{piece{Word: command.Known("q", tool.Span{})}, []string{"q"}},
		{piece{Word: command.Word{Text: "q", Reach: tool.Exact, Hollow: true}}, []string{"q", ""}},
		{piece{Word: command.Word{Text: "aq", Reach: tool.Exact, Hollow: true, IfEmpty: "a"}}, []string{"aq", "a"}},
		{piece{Word: command.Word{Text: "q", Reach: tool.Exact, Hollow: true}, solid: true}, []string{"q"}},
		{piece{}, []string{"", "z", "zq"}},
		{piece{Word: command.Word{Tail: ".c"}}, []string{".c", "z.c"}},
		{piece{Word: command.Word{Tail: ".c", Hollow: true}}, []string{"", "z.c"}},
		{piece{Word: command.Word{Tail: ".c", Hollow: true, IfEmpty: "a.c"}}, []string{"a.c", "z.c"}},
	}
	for _, a := range some {
		for _, b := range some {
			for _, c := range some {
				end := tail([]piece{a.piece, b.piece, c.piece})
				for _, x := range a.texts {
					for _, y := range b.texts {
						for _, z := range c.texts {
							if !strings.HasSuffix(x+y+z, end) {
								t.Fatalf("%q does not end with %q", x+y+z, end)
							}
						}
					}
				}
			}
		}
	}
	for end, before := range map[string]piece{"q/q": {}, "/q": {takes: true}} {
		if got := tail([]piece{before, some[0].piece, {Word: command.Known("/", tool.Span{})}, some[3].piece}); got != end {
			t.Errorf("it ends with %q, want %q", got, end)
		}
	}
}

// wordSetups give the variables of the grammar values in which shells see something.
var wordSetups = []string{
	"x=a/b/c y=q", "x= y=", "unset x y", "x='1 2' y='a b '", "x='a*' y='*'", "x=aXb y=../d", "x=010 y=-1", "x='~' y='~/d'", "x=' a' y=' '", "x=$'a\\nb' y=$'\\n'",
	"x='a:b' y=:", "x=-n y=--", "x='[ab]' y='?'", "x='{a,b}' y='$z'", "x='\\*' y='a\\b'", "x==ls y=a=b", "x='a;b' y='\"q\"'", "x=/ y=//", "x=b.txt y=.",
}

// moreSetups are statements after which words may be something else.
var moreSetups = []string{
	"a=(1 2 3)", "a=()", "a=('a b' c)", "a=(x '' z)", "unset a", "a=p", "a[5]=q", "set --", "set -- a b c", "set -- 'a b' ''", "set -- ''",
	"IFS=:", "IFS=", "IFS=/a", "IFS=' :'", "set -f", "set -u", "cd src", "z=q v1=w n=2 i=1", "n=3", "declare -i n=4", "declare -A m=([a]=1 [b]='x y')",
	"f() { echo \"$1\"; }; g() { :; }", "shopt -s nullglob 2>/dev/null", "x+=z", "x=$x$y", "x=${x%/*}", "x=(\"$x\" k)",
}

// TestSpecialVariablesAgree gives the variables that shells know of odd values in many ways, and holds what is read of them
// against what shells make of it.
func TestSpecialVariablesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	names := strings.Fields(`HOME OLDPWD USER SHELL EDITOR BASHPID BASH_ARGV0 BASH_COMPAT BASH_SUBSHELL BASH_VERSION EPOCHREALTIME EPOCHSECONDS HOSTNAME CHILD_MAX COLUMNS COMPREPLY COMP_WORDBREAKS COPROC CORRECT_IGNORE DIRSTACKSIZE EGID EMACS ERRNO EUID FCEDIT FIGNORE
		FUNCNEST GID HISTCHARS HISTCMD HISTCONTROL HISTFILE HISTFILESIZE HISTSIZE HISTTIMEFORMAT HOSTTYPE IGNOREEOF INPUTRC KEYBOARD_HACK KEYTIMEOUT LINENO LINES
		LISTMAX LOGCHECK LOGNAME MACHTYPE MAIL MAILCHECK MAILPATH MANPATH MODULE_PATH NULLCMD OPTARG OPTERR OPTIND OSTYPE PERIOD POSTEDIT PPID PROMPT PROMPT2 PROMPT3 PROMPT4 PS1 PS2 PS3
		PS4 PSVAR RANDOM READNULLCMD REPLY REPORTTIME RPROMPT RPS1 SAVEHIST SECONDS SHLVL SPROMPT SRANDOM STTY TERM TIMEFMT TMOUT TMPPREFIX TRY_BLOCK_ERROR
		TRY_BLOCK_INTERRUPT TTYIDLE UID USERNAME WATCH WORDCHARS ZBEEP argv histchars mailpath manpath pipestatus prompt psvar reply signals status watch`)
	ways := []string{
		"%s=%s", "export %s=%s", "f() { local %s=%s; @@; }; f", "f() { typeset %s; @@; }; f", "for %s in %s; do @@; done", "read -r %s <<< %s", "printf -v %s %%s %s", ": ${%s:=%s}", "%s=%s true", "unset %s; : %s",
		"f() { local %s=%s; }; f", "%s=%s; %[1]s+=%[2]s", "x=%[2]s; %[1]s=$x", "%s+=(%s)", "%s=docs; printf -v %[1]s '%%(%%Y)T' %[2]s", "%s=docs; printf -v %[1]s %%z %[2]s", "printf '100%%%%no\\n' %s %s",
	}
	use := `rm "x$N" "${N:+set}" "${N-none}" "$PS1" "$prompt" "$PROMPT2" "$OPTIND" "${N[@]}"`
	var list []string
	for k, name := range names {
		for i, value := range []string{"docs", "''", "7", "abcde", "3+4", "*"} {
			for j, way := range ways {
				if (i+j+k)%4 != 0 { // a quarter of them
					continue
				}
				read := strings.ReplaceAll(use, "N", name)
				read = strings.ReplaceAll(strings.ReplaceAll(read, "PROMPT2", "PS2"), "OPTI"+name+"D", "OPTIND")
				script := fmt.Sprintf(way, name, value)
				if strings.Contains(script, "@@") {
					script = strings.ReplaceAll(script, "@@", read)
				} else {
					script += "; " + read
				}
				list = append(list, script)
			}
		}
	}
	agree(t, list, true, "bash", "zsh")
}
