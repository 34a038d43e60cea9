package shell

import (
	"math/rand/v2"
	"strings"
	"testing"

	"longline/internal/differ/grammar"
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
