package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// A test of a variable that may be empty says which it is: behind [ -n "$d" ] && it is not.

// emptiness is what a test says of a variable: that it is not empty if the test ends well (or if it fails) and, if it is a test
// of nothing else, that it is empty otherwise.
type emptiness struct {
	name  string
	fails bool
	alone bool
}

// testsCall is what a command says that may be a call of test or [.
func testsCall(st *syntax.Stmt) (e emptiness, ok bool) {
	if st == nil {
		return e, false
	}
	c, isCall := st.Cmd.(*syntax.CallExpr)
	if !isCall || len(c.Args) < 2 || len(c.Assigns)+len(st.Redirs) > 0 {
		return e, false
	}
	args := c.Args[1:]
	switch c.Args[0].Lit() {
	case "[":
		args = args[:len(args)-1]
	case "test":
	default:
		return e, false
	}
	if len(args) > 1 && args[0].Lit() == "!" {
		e.fails, args = true, args[1:]
	}
	switch len(args) {
	case 1:
		e.alone = true
	case 2:
		fails, alone, is := testsEmpty(args[0].Lit())
		if !is {
			return e, false
		}
		e.fails, e.alone = e.fails != fails, alone
	default:
		return e, false
	}
	last := args[len(args)-1]
	if len(last.Parts) != 1 {
		return e, false
	}
	q, quoted := last.Parts[0].(*syntax.DblQuoted)
	if !quoted || len(q.Parts) != 1 {
		return e, false
	}
	e.name, ok = wholeValue(q.Parts[0])
	return e, ok
}

// testsEmpty says what a test of one value says of a value that is empty: with these it fails, or ends well.
func testsEmpty(op string) (fails, alone, is bool) {
	switch op {
	case "-n":
		return false, true, true
	case "-z":
		return true, true, true
	case "-d", "-e", "-f", "-s", "-r", "-w", "-x", "-L", "-h":
		return false, false, true
	}
	return false, false, false
}

// testsExpr is what [[ ... ]] says.
func testsExpr(x syntax.TestExpr) (e emptiness, ok bool) {
	switch x := x.(type) {
	case *syntax.ParenTest:
		return testsExpr(x.X)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			e, ok = testsExpr(x.X)
			e.fails = !e.fails
			return e, ok
		}
		w, isWord := x.X.(*syntax.Word)
		fails, alone, is := testsEmpty(x.Op.String())
		if !isWord || !is {
			return e, false
		}
		e, ok = testsExpr(w)
		e.fails, e.alone = fails, alone
		return e, ok
	case *syntax.Word:
		if len(x.Parts) != 1 {
			return e, false
		}
		part := x.Parts[0]
		if q, quoted := part.(*syntax.DblQuoted); quoted && len(q.Parts) == 1 {
			part = q.Parts[0]
		}
		e.alone = true
		e.name, ok = wholeValue(part)
	}
	return e, ok
}

// wholeValue is the name of the parameter that a part of a word expands to, as it is.
func wholeValue(part syntax.WordPart) (name string, ok bool) {
	p, is := part.(*syntax.ParamExp)
	if !is || p.Excl || p.Length || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Exp != nil || p.Names != 0 {
		return "", false
	}
	name = p.Param.Value
	return name, isName(name) || len(name) == 1 && strings.Contains("123456789", name)
}

// told are the states behind a test, of which each knows what the test says; nil if nothing is learnt from it.
func (e emptiness) told(s *state) []*state {
	w := e.value(s)
	if w == nil || !w.Hollow || w.IfEmpty != "" {
		return nil
	}
	some, none := s.fork(), s
	full, empty := *w, *w
	full.Hollow = false
	e.put(some, full)
	if e.alone {
		empty = command.Word{Reach: tool.Exact, Taint: w.Taint, Span: w.Span}
	}
	e.put(none, empty)
	return []*state{some.decide(!e.fails), none.decide(e.fails)}
}

// makesTemporary is what an assignment says of a temporary file that one program makes: the variable is empty only if that fails, and with
// it the assignment. A function, or a program that runs another one, may end well with nothing.
func makesTemporary(lib *command.Library, st *syntax.Stmt, s *state) (e emptiness, ok bool) {
	name, of := assignsOutput(st)
	if of == nil || slices.ContainsFunc(of.Redirs, func(rd *syntax.Redirect) bool { return rd.N == nil || rd.N.Value != "2" }) {
		return e, false
	}
	c, is := of.Cmd.(*syntax.CallExpr)
	if !is || len(c.Args) == 0 {
		return e, false
	}
	if maker := c.Args[0].Lit(); !lib.MakesTemporary(maker) || s.funcs.get(maker) != nil || s.alias(maker) != nil {
		return e, false
	}
	e = emptiness{name: name}
	w := e.value(s)
	return e, w != nil && w.Reach == tool.Under && w.Text == command.Temporary
}

// value is the value of the parameter, if it is one word of which nothing else has to be thought.
func (e emptiness) value(s *state) *command.Word {
	if !isName(e.name) {
		n := int(e.name[0] - '1')
		if s.many || s.loose > 0 || n >= len(s.params) {
			return nil
		}
		return &s.params[n]
	}
	v := s.lookup(e.name)
	if v == nil || len(v.words) != 1 || v.keys != nil || v.attrs&^exported != 0 || v.unset || v.open || v.loose > 0 || v.vague || v.own {
		return nil
	}
	return &v.words[0]
}

func (e emptiness) put(s *state, w command.Word) {
	if !isName(e.name) {
		s.params = append([]command.Word(nil), s.params...)
		s.params[e.name[0]-'1'] = w
		return
	}
	s.variable(e.name).words = []command.Word{w}
}
