package syntax_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"longline/internal/bench/cpu"
	"longline/internal/scan"
	"longline/internal/syntax"
)

// bashAccepts asks bash whether it would read a script.
func bashAccepts(script string) bool {
	return exec.Command("bash", "-O", "extglob", "-n", "-c", "--", script).Run() == nil
}

// judge holds a script against mvdan.cc/sh and says what is wrong, "" if nothing is.
// Where only one of the two refuses it, bash must agree with this package, or must
// refuse it as well.
func judge(script string, withBash bool) string {
	if joined := scan.Run(script).Text; joined != script {
		return judge(joined, withBash) // as it is read: without continuations
	}
	a, b, errA, errB := trees(script)
	switch {
	case errA != nil && errB != nil:
		return ""
	case errA != nil:
		if withBash && !bashAccepts(script) {
			return "bash refuses it, and so does the other parser: " + errA.Error()
		}
	case errB != nil:
		if withBash && bashAccepts(script) {
			return "only this parser refuses it: " + errB.Error()
		}
	case a != b:
		file, _ := syntax.Parse(script)
		if known(script, file) == "" {
			return firstDifference(a, b)
		}
	}
	return ""
}

// TestTreesAreTheSame: on the scripts of the repository, the tree is that of
// mvdan.cc/sh, place by place, apart from what is known to be wrong with that one.
// LONGLINE_TREES is how many generated scripts there are besides.
func TestTreesAreTheSame(t *testing.T) {
	generated, every := 2000, 5
	if os.Getenv("LONGLINE_SWEEPS") == "all" {
		every = 1
	}
	if n, err := strconv.Atoi(os.Getenv("LONGLINE_TREES")); err == nil {
		generated = n
	}
	_, err := exec.LookPath("bash")
	tried, wrong := 0, 0
	for i, script := range seeds(t, generated) {
		if i%every > 0 {
			continue
		}
		tried++
		if why := judge(script, err == nil); why != "" {
			if wrong++; wrong <= 10 {
				t.Errorf("%q\n%s", script, why)
			}
		}
	}
	t.Logf("%d scripts, %d wrong", tried, wrong)
	if tried < 10000/every {
		t.Errorf("only %d scripts", tried)
	}
}

// FuzzTrees is the same for any text, and for what a text is without its continuations.
func FuzzTrees(f *testing.F) {
	for i, script := range seeds(f, 200) {
		if len(script) < 300 && i%5 == 0 {
			f.Add(script)
		}
	}
	for _, c := range asBash {
		f.Add(c.script)
	}
	f.Fuzz(func(t *testing.T, script string) {
		if len(script) > 2000 {
			return
		}
		a, b, errA, errB := trees(script)
		if errA != nil || errB != nil || a == b || strings.Contains(script, "\\\n") {
			return
		}
		file, _ := syntax.Parse(script)
		if known(script, file) == "" {
			t.Errorf("%q\n%s", script, firstDifference(a, b))
		}
	})
}

// asBash are scripts that bash reads in another way than mvdan.cc/sh does.
var asBash = []struct{ script, outline string }{
	{"f(){ a; } && b", "(f{[a]} && [b])"},
	{"f() { a; } | b", "(f{[a]} | [b])"},
	{"function f { a; } || b; c", "(f{[a]} || [b]) [c]"},
	{"! f() { a; } && b", "(!f{[a]} && [b])"},
	{"f() ( a ) >x && b", "(f{[a]}>x && [b])"},
	{"ls # x \\\na", "[ls] [a]"},
	{"a \"$\\\n(b)\"", "[a \"$\\\n(b)\"] $[b]"},
	{"a $\\\n{x:-$(b)}", "[a $\\\n{x:-$(b)}] $[b]"},
	{"a &\\\n& b", "([a] && [b])"},
	{">&-a b", "[a b]>-"},
	{"a 2<& -b", "[a b]<-"},
	{"a \"${x:-'$(b)'}\"", "[a \"${x:-'$(b)'}\"] $[b]"},
	{"cat <<E\n${x:-'$(b)'}\nE", "[cat]<E $[b]"},
	{"a \"${x#'$(b)'}\"", "[a \"${x#'$(b)'}\"]"},
	{"let x=1&&b", "(let && [b])"},
	{"let x=1|b", "(let | [b])"},
	{"let a>f", "let>f"},
	{"time -- a b", "time[a b]"},
	{"a\rb", "[a\rb]"},
	{"a \\\r\nb", "[a \\\r] [b]"},
	{"cat <<E\n\\\nE\na\nE", "[cat]<E [a] [E]"},
	{"cat <<E\n${x}E\nE\na", "[cat]<E [a]"},
	{"cat <<'E'F\n$(b)\nEF\na", "[cat]<'E'F [a]"},
	{"cat <<E | (a\nbody\nE\nb)", "([cat]<E | ([a] [b]))"},
	{"cat <<E | case x in x) a\nbody\nE\nesac", "([cat]<E | case{[a]})"},
	{"coproc a b | c", "(coproc[a b] | [c])"},
	{"coproc a >x", "coproc[a]>x"},
	{"coproc N { a; } | c", "(coproc{[a]} | [c])"},
	{"coproc time a", "coproc[time a]"},
	{"nameref a=b", "[nameref a=b]"},
	{"--x=a[1] b", "[--x=a[1] b]"},
	{"a=([x]= b); c", "[a=([x]= b)] [c]"},
	{"[[ ! a && b ]]", "[[((! a) && b)]]"},
	{"[[ a && b || c ]]", "[[((a && b) || c)]]"},
	{"[[ a || b && c ]]", "[[(a || (b && c))]]"},
	{"[[ a =~ (\"b\" c) ]] && d", "([[a =~ (\"b\" c)]] && [d])"},
	{"a $(b \"c\"#d)", "[a $(b \"c\"#d)] $[b \"c\"#d]"},
	{"a @(\")\"|b)", "[a @(\")\"|b)]"},
	{"a @(b\\)c)", "[a @(b\\)c)]"},
}

// TestAsBashDoes: where mvdan.cc/sh reads something else than bash does, this package
// reads what bash does.
func TestAsBashDoes(t *testing.T) {
	for _, c := range asBash {
		file, err := syntax.Parse(c.script)
		if err != nil {
			t.Errorf("%q: %v", c.script, err)
			continue
		}
		o := outliner{script: c.script}
		if got := o.file(file); got != c.outline {
			t.Errorf("%q\n got %s\nwant %s", c.script, got, c.outline)
		}
	}
}

// outliner shows the commands of a script and how they are joined, and then those of
// its substitutions.
type outliner struct {
	script string
	more   []string
}

func (o *outliner) file(file *syntax.File) string {
	list := o.list(file.Stmts)
	syntax.Walk(file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.CmdSubst); ok {
			o.more = append(o.more, "$"+o.list(s.Stmts))
		}
		return true
	})
	return strings.Join(append([]string{list}, o.more...), " ")
}

func (o *outliner) list(stmts []*syntax.Stmt) string {
	var list []string
	for _, s := range stmts {
		list = append(list, o.stmt(s))
	}
	return strings.Join(list, " ")
}

func (o *outliner) stmt(s *syntax.Stmt) string {
	text := o.command(s.Cmd)
	if s.Negated {
		text = "!" + text
	}
	for _, r := range s.Redirs {
		text += r.Op.String()[:1] + o.source(r.Word)
	}
	return text
}

func (o *outliner) command(c syntax.Command) string {
	switch c := c.(type) {
	case *syntax.CallExpr:
		return "[" + o.call(c) + "]"
	case *syntax.BinaryCmd:
		return "(" + o.stmt(c.X) + " " + c.Op.String() + " " + o.stmt(c.Y) + ")"
	case *syntax.FuncDecl:
		body := o.stmt(c.Body)
		return c.Name.Value + "{" + strings.Replace(strings.Trim(body, "{}()"), ")>", "}>", 1) + strings.Repeat("}", 1-strings.Count(body, ")>"))
	case *syntax.Block:
		return "{" + o.list(c.Stmts) + "}"
	case *syntax.Subshell:
		return "(" + o.list(c.Stmts) + ")"
	case *syntax.LetClause:
		return "let"
	case *syntax.TimeClause:
		return "time" + o.stmt(c.Stmt)
	case *syntax.CoprocClause:
		return "coproc" + o.stmt(c.Stmt)
	case *syntax.CaseClause:
		return "case{" + o.list(c.Items[0].Stmts) + "}"
	case *syntax.TestClause:
		return "[[" + o.test(c.X) + "]]"
	}
	return "?"
}

func (o *outliner) call(c *syntax.CallExpr) string {
	var words []string
	for _, a := range c.Assigns {
		words = append(words, o.source(a))
	}
	for _, w := range c.Args {
		words = append(words, o.source(w))
	}
	return strings.Join(words, " ")
}

func (o *outliner) test(x syntax.TestExpr) string {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		text := o.test(x.X) + " " + x.Op.String() + " " + o.test(x.Y)
		if x.Op == syntax.AndTest || x.Op == syntax.OrTest {
			return "(" + text + ")"
		}
		return text
	case *syntax.UnaryTest:
		return "(" + x.Op.String() + " " + o.test(x.X) + ")"
	case *syntax.Word:
		return o.source(x)
	}
	return "?"
}

func (o *outliner) source(n syntax.Node) string {
	return o.script[n.Pos().Offset():min(int(n.End().Offset()), len(o.script))]
}

// TestRefused: what bash refuses is refused, and what nests too deeply.
func TestRefused(t *testing.T) {
	for _, script := range []string{
		"a 'b", "a \"b", "a `b", "a $(b", "a $((1", "a ${x", "a $[1", "(a", "{ a", "if a; then b", "while a; do b", "case x in a) b",
		"for x in a; do b", "[[ a", "((1)", "x=(a", "a[1", "cat <<E\nfoo", "cat <<E", "cat <<$x\na\n$x", "a @(b", "a <(b",
		"f() a", "f() ", "function", "a | ", "a && ", "a || || b", "| a", "; a", "a ;; b", ") a", "a )", "a (b)", "}", "fi", "done", "esac",
		"then a", "else a", "do a", "if ; then a; fi", "if a; then fi", "for ; do a; done", "for x in a do b; done", "case x a) b;; esac",
		"! ", "! ! a", "a > ", "a < | b", "a >& | b", "x=(a;b)", "declare a-b=c", "[[ a b ]]", "[[ ]]", "[[ a && ]]", "((a = ))", "((1 = 2))",
		"(( ))", "$(( ))", "${}", "${x y}", "${x@Z}", "${1a}", "a\x00b", "a\xffb", "time | a", "echo `b 'c`d'`",
		strings.Repeat("(", 100000), strings.Repeat("$(", 100000), strings.Repeat("{ ", 100000), strings.Repeat("((", 100000),
		strings.Repeat("\"$(", 100000), strings.Repeat("${x:-", 100000), strings.Repeat("if ", 100000), strings.Repeat("[[ ! ", 2) + strings.Repeat("! ", 100000),
		"((" + strings.Repeat("-", 100001), "((" + strings.Repeat("a=", 100000), "((" + strings.Repeat("a?", 100000), strings.Repeat("f() { ", 100000),
		strings.Repeat("time ", 100000), "x=(a)#b; c", strings.Repeat("x=(", 100000), strings.Repeat("@(", 100000),
	} {
		if _, err := syntax.Parse(script); err == nil {
			t.Errorf("%.80q is not refused", script)
		}
	}
}

// TestLeading: with an error come the statements before it.
func TestLeading(t *testing.T) {
	file, err := syntax.Parse("a b; c\nd 'e")
	if e, ok := err.(*syntax.Error); !ok || e.Pos.Offset() != 9 || len(file.Stmts) != 2 {
		t.Errorf("%d statements, %#v", len(file.Stmts), err)
	}
}

// TestLeadingInTest: reading a test stops where it fails, and not at a here-document without
// a delimiter that is waiting for its text.
func TestLeadingInTest(t *testing.T) {
	for _, test := range []string{"[[ d =~ $(e <<\n) ]]", "[[ -n $(e <<\n) ]]", "[[ $(e <<\n) == f ]]", "[[ ! ( $(e <<\n) ) ]]"} {
		file, err := syntax.Parse("a b\nc\n" + test)
		if _, ok := err.(*syntax.Error); !ok || len(file.Stmts) != 2 {
			t.Errorf("%q: %d statements, %#v", test, len(file.Stmts), err)
		}
	}
}

// TestLinearTime: twice the text takes about twice the time, whatever it is made of.
func TestLinearTime(t *testing.T) {
	for _, piece := range []string{
		"a\n", "a;", "a|", "a&&", "\"a\" ", "$x ", "${x:-a} ", "$(a) ", "`a` ", "`a \\`b\\`` ", "<(a) ", "cat <<E\nb\nE\n", "x=(a b)\n", "[[ a ]]\n",
		"((1+1))\n", "$((1+1)) ", "@(a|b) ", "{ a; }\n", "f() { a; }\n", "case x in a) b;; esac\n", "# a\n", "\\\n", "a\\\nb ", "'a\nb' ",
		"let a=1\n", "<<E ", "<<E\n", "`", "\"", "((", "$(", "${", "\\`", "coproc a\n", "a=", "'", "!",
	} {
		measure := func(n int) time.Duration {
			script := strings.Repeat(piece, n/len(piece))
			best := time.Hour
			for range 2 {
				start := cpu.Used()
				_, _ = syntax.Parse(script)
				best = min(best, cpu.Used()-start)
			}
			return best
		}
		small, large := measure(1<<13), measure(1<<16)
		if large > 40*small && large > 500*time.Millisecond {
			t.Errorf("%q: %v for 8 kB, %v for 64 kB", piece, small, large)
		}
	}
}
