package shell

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestRefusedExpansionsAgree has expansions in substitutions and in eval that zsh takes for errors, or reads otherwise, and bash does not.
func TestRefusedExpansionsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	patterns := strings.Fields(`[* (a *( *(/) a|b [! [[: (# (( +( a) (a| <1- ~[a] <1-2> [a- ^a x~ [] []] [a] (a) ((a) a[ [^ [!] [[:foo:]] [[:alpha:] @(a [[.a.]] [[:alpha:]] [[=a=]] |
		() ~[!a] ~root ~none [a[] [a[]] [[] ["]"] "[" \[* '(' [\]] [a-c]* [0-9[:alpha:]] [^a]* [!]a] $p $q "$p" [$q]`)
	slices := strings.Fields(`0:t 0:n 0:max n :n max:1 $n:n 0:n-1 0:-1 0:(n) 0:_n 0:n+1 :2 1+n:2 (n):2 0: 0:${n} _n 1?n:2 (1?n:2) 0:a[1] 0:a[1]+1 a[1] 0:x 0:l 0:n?1:2 h 0:h`)
	slices = append(slices, " n", " -2:n", " -2: n", " n: max", "0:\\\nn", "0:\tn", "0:$((n))", "n++:1", "0:n++")
	var list []string
	add := func(expansion string) {
		for _, form := range []string{`d=$(echo "E"); rm "x$d"`, `eval 'd="E"'; rm "x$d" $?`, `echo "E" | { read d; rm "x$d"; }`} {
			list = append(list, `v='a[1]' n=2 max=3 p='[' q='a'; a=(1 2 3); set -- k l m; d=old; `+strings.ReplaceAll(form, "E", expansion))
		}
	}
	for _, p := range patterns {
		p = strings.ReplaceAll(p, "'", `'\''`)
		for _, op := range []string{"#", "##", "%", "%%", "/", "//", "/#", "/%"} {
			add("${v" + op + p + "}")
		}
		list = append(list,
			`v='a[1]' p='[' q=a; d=$(case $v in `+p+`) echo m;; *) echo n;; esac); rm "x$d"`,
			`v='a[1]' p='[' q=a; d=$([[ $v == `+p+` ]]; echo m); rm "x$d"`)
	}
	for _, s := range slices {
		for _, name := range []string{"v", "a[@]", "@", "a", "1"} {
			add("${" + name + ":" + s + "}")
		}
	}
	agree(t, list, true, "bash", "zsh")
	t.Logf("%d scripts", len(list))
}

// TestExpressionsAgree has random expressions in substitutions: shells do not agree on what is one.
func TestExpressionsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var list []string
	for i := range 3000 {
		x := expression(r, 3)
		if i%4 == 0 {
			x = signed(r)
		}
		list = append(list, `i=1 n=3 m=0; d=$(echo "$((`+x+`))"; rm "in$i"); rm "x$d"`, `i=1 n=3 m=0; d=$((`+x+`)); rm "$d" "$i" "$n" "$m"`)
	}
	agree(t, list, true, "bash", "zsh")
	t.Logf("%d scripts", len(list))
}

// signed is a random expression of signs and steps.
func signed(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(3) {
		b.WriteString(pick(r, []string{"", "", "-", "+", "--", "++", "!", " "}) + pick(r, []string{"i", "n", "m", "2", "(i)", "$n", "$((i))"}) + pick(r, []string{"", "", "++", "--", " "}) + pick(r, []string{"+", "-", "+ ", " -"}))
	}
	return b.String() + pick(r, []string{"i", "1", "n--"})
}

// expression is a random expression, in which operators follow on each other as far as they may.
func expression(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(4) == 0 {
		switch r.IntN(8) {
		case 0, 1, 2:
			return strconv.Itoa(r.IntN(4))
		case 3:
			return "$" + pick(r, []string{"i", "n", "m"})
		case 4:
			return "$((" + pick(r, []string{"i", "n", "m++", "--i"}) + "))"
		}
		return pick(r, []string{"i", "n", "m"})
	}
	sub := func() string { return expression(r, depth-1) }
	switch r.IntN(10) {
	case 0:
		return "(" + sub() + ")"
	case 1:
		return pick(r, []string{"-", "!", "~", "+", "- ", "! "}) + sub()
	case 2:
		return pick(r, []string{"++", "--"}) + pick(r, []string{"i", "n"})
	case 3:
		return pick(r, []string{"i", "n"}) + pick(r, []string{"++", "--"})
	case 4:
		return sub() + "?" + sub() + ":" + sub()
	case 5:
		return pick(r, []string{"i", "n", "m"}) + pick(r, []string{"=", "+=", "-=", "*=", "<<=", "|="}) + sub()
	case 6:
		return sub() + "," + sub()
	}
	return sub() + pick(r, []string{"+", "-", "*", "/", "%", "**", "<<", ">>", "<", "<=", "==", "!=", "&&", "||", "&", "^", "|"}) + sub()
}

// TestQuotesWithinQuotesAgree has quotes in the word of an expansion that stands in quotes itself. Bash takes them away before it expands the word,
// so that they divide nothing: a name goes on behind them, and a dollar sign before them begins what follows.
func TestQuotesWithinQuotesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	operands := []string{
		`"$y"a`, `$y"a"`, `$y""a`, `"$y""a"`, `a"$y"b"$z"c`, `"${y}"a`, `"$"y`, `"$"{y}`, `$""y`, `"$"(rm hidden)`, `$"("rm hidden)`, `"$""("rm hidden)`, `"$"[n+1]`, `"$"((n+1))`, `"$"$y`, `"\$"y`, `"\\$"y`, `"$1"2`, `"$y"[1]`, `"$y"\a`,
		`"$y"'a'`, "\"`echo $y`\"a", `"$(echo $y)"a`, `"$y"${z}`, `"$y"$z`, `"$y/"a`, `"$y"/a`, `"$y" a`, `"$y"-a`, `"$y"_`, `"$y"1`, `"$y":h`, `"$@"a`, `"$*"a`, `"$#"a`, `"$?"a`, `"$y`, `a"$y"`, `"a$"`, `"$ya"`, `"${y}a"`, `$"y"`,
	}
	uses := []string{`rm "${O}"`, `v="${O}"; rm "$v"`, `v=${O}; rm "$v"`, `rm ${O}`, `rm "x${O}y"`, `v=$(echo "${O}"); rm "$v"`, `read -r v <<< "${O}"; rm "$v"`, "read -r v <<E\n${O}\nE\nrm \"$v\"", `rm "${none:-${O}}"`, `rm "$((0${O}))"`, `for v in "${O}"; do rm "$v"; done`, `rm "${none:-"${O}"}"`, `a=("${O}"); rm "${a[0]}"`, `[[ "${O}" == x ]]; rm "$?"`}
	var list []string
	for _, operator := range []string{":-", "-", ":+", "+", ":=", "#", "/q/", "?"} {
		for _, operand := range operands {
			for _, use := range uses {
				name := "e"
				if strings.HasSuffix(operator, "+") {
					name = "n"
				}
				list = append(list, "n=1 y=b ya=src yb=k z=q y_=s y1=t e=; unset e; set -- p; "+strings.ReplaceAll(use, "O", name+operator+operand))
			}
		}
	}
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
	t.Logf("%d scripts", len(list))
}
