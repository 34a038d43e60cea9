package shell

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOddBuiltins gives builtins words that one shell or another does not take, and redirections that fail, in
// places that a shell may give up on then. Whenever one does, prints something or goes on, the reader must have
// held that possible.
func TestOddBuiltins(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	odd := oddities{rand.New(rand.NewPCG(1, 0))}
	list := make([]string, 1200)
	for i := range list {
		list[i] = odd.script()
	}
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
}

// oddities makes scripts of odd statements.
type oddities struct{ *rand.Rand }

func (o oddities) one(list []string) string { return list[o.IntN(len(list))] }

// script is a statement in a place that a shell may give up on.
func (o oddities) script() string {
	return strings.ReplaceAll(o.one(oddPlaces), "S", o.statement())
}

// statement is a builtin with up to three words, and perhaps a redirection.
func (o oddities) statement() string {
	b := []string{o.one(oddBuiltins)}
	for range o.IntN(4) {
		b = append(b, o.one(oddWords))
	}
	if o.IntN(4) == 0 {
		b = append(b, o.one(oddRedirects))
	}
	s := strings.Join(b, " ")
	if o.IntN(8) == 0 {
		s = o.one([]string{"y=1 ", "! ", "command ", "builtin ", "n=1; ", "{ :; } 2>/dev/null; "}) + s
	}
	if o.IntN(10) == 0 {
		s += o.one([]string{" | :", " && :", " || :", " | cat"})
	}
	return s
}

var (
	oddPlaces = []string{
		`x=p; eval "S; x=q"; rm "$x"`, `x=p; eval "S; x=q"; rm "$x"`, `z=$(S; echo q); rm "src/$z"`, `z=$(S; echo q); rm "src/$z"`,
		`x=p; f() { S; x=q; }; f; rm "$x"`, `z=$(set -e; S; echo q); rm "src/$z"`, `z=$(set -eo pipefail; S; echo q); rm "src/$z"`,
		`z=$(set -u; S; echo q); rm "src/$z"`, `x=p; eval "set -u; S; x=q"; rm "$x"`, `(S; echo q) > build/o; rm "src/$(cat build/o)"`,
		`f() { S; echo q; }; z=$(f); rm "src/$z"`, `x=p; for i in 1; do S; x=q; done; rm "$x"`, `y=1; x=p; S; rm "$x" "$y"`,
	}
	oddBuiltins = strings.Fields(`unset shift return break continue exit set exec builtin command declare typeset local export readonly read test [
		logout echo printf true false : eval let getopts trap alias unalias hash type umask ulimit wait jobs times pwd cd pushd popd dirs shopt enable
		mapfile readarray history disown unset shift set declare typeset local export readonly read exec`)
	oddWords = strings.Fields(`-- - + -x -a -p -e -n -o -v -f -z -1 +x +1 +p +o n y x IFS n=2 "n\_m" a: ~ / 1 0 2x "" a[1] "a[1]=2" x+ x+=1 {x,y} HOME UID USER 1x
		@ nosuch 08 99999 -m -b -t -u -i -r -A -g -l ! = =x %1 pipefail nounset errexit extglob x=q y= $nosuch $y $! $((nosuch)) "$*" $1 ] -d -ge -eq 3 : x.y é EXIT -s -q -c +b -h
		-E -T -B -C -k +e -eo -ou x=5 n=n+1 monitor notify vi emacs -ex -aA -fF -P -j -L -R +i +a -i10 \"a=b c\" a=(1) '(1)' path PATH argv status pipestatus == -lt -N -nt x-1 0x1 1.5 -10 +f == != -U`)
	oddRedirects = []string{
		"< nosuch", "> nosuch/x", "2>/dev/null", ">/dev/null", ">&2", "<&0", "99999<&0", "2>&1", ">&9", "< /dev/null", "<<< q", "<&-", "1<&0", ">&-", "> build/f", "3< nosuch",
	}
)
