package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// test evaluates [[ ... ]] and says how it ends.
func (r *reader) test(s *state, x syntax.TestExpr) status {
	if r.spend() {
		return unknown
	}
	switch x := x.(type) {
	case *syntax.Word:
		return nonEmpty(r.value(s, x))
	case *syntax.ParenTest:
		return r.test(s, x.X)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			return not(r.test(s, x.X))
		}
		if w, ok := x.X.(*syntax.Word); ok {
			return r.unaryTest(s, x.Op, r.value(s, w))
		}
	case *syntax.BinaryTest:
		return r.binaryTest(s, x)
	}
	return unknown
}

// unaryTest answers a test of one value.
func (led *ledger) unaryTest(s *state, op syntax.UnTestOperator, v command.Word) status {
	switch op {
	case syntax.TsEmpStr:
		return not(nonEmpty(v))
	case syntax.TsNempStr:
		return nonEmpty(v)
	case syntax.TsFdTerm:
		led.zshNumber(s, v)
	case syntax.TsVarSet, syntax.TsRefVar:
		return led.isSet(s, v)
	}
	return unknown
}

func (r *reader) binaryTest(s *state, x *syntax.BinaryTest) status {
	switch x.Op {
	case syntax.AndTest, syntax.OrTest:
		a := r.test(s, x.X)
		// The second part may not be evaluated.
		other := s.fork()
		b := r.test(s, x.Y)
		s.join(other)
		return combined(x.Op, a, b)
	}
	left, ok1 := x.X.(*syntax.Word)
	right, ok2 := x.Y.(*syntax.Word)
	if !ok1 || !ok2 {
		return unknown
	}
	switch x.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		a := r.testNumber(s, left)
		n := calculate(arithOf(x.Op), a, r.testNumber(s, right))
		if !n.known {
			return unknown
		}
		return ok(n.value != 0)
	case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch:
		v := r.value(s, left)
		return matches(v, r.pattern(s, right), x.Op != syntax.TsNoMatch)
	case syntax.TsReMatch:
		text := r.value(s, left)
		r.reveals(r.value(s, right), r.src.nodeSpan(right)) // in the complaint about a pattern that is none
		v := s.variable("BASH_REMATCH")
		v.attrs |= isArray
		v.words = append([]command.Word{text}, v.words...)
		v.blur()
		if r.world.Zsh {
			s.rematched(text)
		}
		return unknown
	}
	r.value(s, left)
	r.value(s, right)
	return unknown
}

// rematched forgets the variables that zsh keeps what has been matched in.
func (s *state) rematched(text command.Word) {
	for _, name := range [...]string{"MATCH", "match", "MBEGIN", "MEND", "mbegin", "mend"} {
		if s.lookup(name) != nil || text.Taint&command.FromSecret != 0 {
			v := s.variable(name)
			v.words = append([]command.Word{text}, v.words...)
			v.forget()
			v.words[0].Hollow = true
		}
	}
}

// combined is how a && b or a || b ends.
func combined(op syntax.BinTestOperator, a, b status) status {
	decides := failed
	if op == syntax.OrTest {
		decides = succeeded
	}
	switch {
	case a == decides || b == decides:
		return decides
	case a == unknown:
		return unknown
	}
	return b
}

// matches answers whether it is so or not that a pattern matches a value.
func matches(v, pattern command.Word, so bool) status {
	if !v.IsKnown() || !pattern.IsKnown() {
		return unknown
	}
	m, sure := paths.Match(pattern.Text, v.Text)
	if !sure {
		return unknown
	}
	return ok(m == so)
}

func arithOf(op syntax.BinTestOperator) syntax.BinAritOperator {
	switch op {
	case syntax.TsEql:
		return syntax.Eql
	case syntax.TsNeq:
		return syntax.Neq
	case syntax.TsLeq:
		return syntax.Leq
	case syntax.TsGeq:
		return syntax.Geq
	case syntax.TsLss:
		return syntax.Lss
	}
	return syntax.Gtr
}

// testNumber evaluates an operand of -eq and the like inside [[ ]].
func (r *reader) testNumber(s *state, w *syntax.Word) number {
	list := r.pieces(s, w.Parts, false, literal, nil)
	env := len(list) == 1 && list[0].sum
	return r.evaluate(s, r.fold(s, list, r.src.nodeSpan(w)), env, 0)
}

// isSet answers -v, whose operand may carry a subscript that is evaluated.
func (led *ledger) isSet(s *state, w command.Word) status {
	if !led.plainName(s, w) {
		return unknown
	}
	base, _, found := strings.Cut(w.Text, "[")
	if found || !isName(base) {
		return unknown
	}
	if v := s.lookup(base); v != nil && len(v.words) == 1 && valueSet(v.words[0]) == unknown {
		return unknown
	}
	_, set := led.scalar(s, base)
	return set
}

// plainName says whether a name operand can be nothing but a name, perhaps with
// a constant subscript. What else there is, bash evaluates; the subscript of an array is
// an expression.
func (led *ledger) plainName(s *state, w command.Word) bool {
	if !w.IsKnown() {
		if !w.IsPlain() {
			led.gap("a variable name known only at run time that may be evaluated", w.Span)
		}
		return false
	}
	base, rest, found := strings.Cut(w.Text, "[")
	if !found {
		return true
	}
	sub, closed := strings.CutSuffix(rest, "]")
	if !closed || !isName(base) || strings.ContainsAny(rest, "$`(\\'\"") {
		led.gap("a subscript that is evaluated", w.Span)
		return false
	}
	if isConstant(sub) {
		return true
	}
	if !s.lookup(base).isMap() {
		led.evaluate(s, command.Known(sub, w.Span), false, 0)
	}
	return isName(sub)
}

// isConstant says whether a subscript means the same whatever variables hold.
func isConstant(sub string) bool { return sub == "@" || sub == "*" || isNumber(sub) }

// isMap says whether a variable is sure to be an associative array, of which the subscripts
// are names.
func (v *variable) isMap() bool { return v != nil && v.attrs&isAssoc != 0 && !v.vague }

func ok(b bool) status {
	if b {
		return succeeded
	}
	return failed
}

func not(st status) status {
	switch st {
	case succeeded:
		return failed
	case failed:
		return succeeded
	}
	return unknown
}

func nonEmpty(w command.Word) status {
	switch {
	case w.Hollow && w.IfEmpty == "":
		return unknown
	case w.Reach == tool.Exact:
		return ok(w.Text != "")
	case w.Reach == tool.Prefix && w.Text != "":
		return succeeded
	}
	return unknown // also a plain word: the command that prints it may fail
}

// testBuiltin evaluates the words of test or [ as far as they are constant.
func (led *ledger) testBuiltin(s *state, words []command.Word) status {
	led.testOperands(s, words)
	if len(words) > 0 && words[0].IsKnown() && words[0].Text == "!" {
		return not(led.testBuiltin(s, words[1:]))
	}
	if slices.ContainsFunc(words, func(w command.Word) bool { return !w.IsKnown() || w.Hollow }) {
		return testLength(words)
	}
	switch len(words) {
	case 0:
		return failed
	case 1:
		return ok(words[0].Text != "")
	case 2:
		if words[0].Text == "-v" {
			return led.isSet(s, words[1])
		}
		return testLength(words)
	case 3:
		return compareWords(words[0].Text, words[1].Text, words[2].Text)
	}
	return unknown
}

// testOperands looks at the words of test that are evaluated, whatever it comes to.
func (led *ledger) testOperands(s *state, words []command.Word) {
	for i, w := range words {
		if !w.IsKnown() || i+1 == len(words) {
			continue
		}
		switch w.Text {
		case "-v", "-R":
			led.plainName(s, words[i+1])
		case "-t":
			led.zshNumber(s, words[i+1])
		}
	}
}

// compareWords answers a test of two words that are known.
func compareWords(a, op, b string) status {
	switch op {
	case "=", "==":
		return ok(a == b)
	case "!=":
		return ok(a != b)
	}
	x, ok1 := decimal(a)
	y, ok2 := decimal(b)
	if !ok1 || !ok2 {
		return unknown
	}
	return compareNumbers(x, op, y)
}

// compareNumbers answers a test of two numbers.
func compareNumbers(x int64, op string, y int64) status {
	switch op {
	case "-eq":
		return ok(x == y)
	case "-ne":
		return ok(x != y)
	case "-lt":
		return ok(x < y)
	case "-le":
		return ok(x <= y)
	case "-gt":
		return ok(x > y)
	case "-ge":
		return ok(x >= y)
	}
	return unknown
}

// testLength answers -n and -z of a value, which may only be known to be not empty.
func testLength(words []command.Word) status {
	if len(words) == 2 && words[0].IsKnown() {
		switch words[0].Text {
		case "-n":
			return nonEmpty(words[1])
		case "-z":
			return not(nonEmpty(words[1]))
		}
	}
	return unknown
}
