package shell

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// number is the value of an arithmetic expression, if it is known.
type number struct {
	value int64
	known bool
}

// numberWord is a number as text.
func numberWord(n number) command.Word {
	if n.known {
		return command.Known(strconv.FormatInt(n.value, 10), tool.Span{})
	}
	return command.Word{Plain: true, Made: value.Number}
}

func truth(b bool) number {
	if b {
		return number{1, true}
	}
	return number{0, true}
}

// attempt evaluates the expressions of a command. Where there is an error, the command fails, and the script goes on
// with what has been assigned by then.
func attempt(r *reader, s *state, list ...syntax.ArithmExpr) (n number) {
	was, others := r.tries()
	for _, x := range list {
		n = r.arithm(s, x)
	}
	if len(r.failed) > 0 {
		var names []string
		for _, x := range list {
			more, _, _ := assignedIn(x)
			names = append(names, more...)
		}
		r.fails(s, names)
		n = number{}
	}
	r.failing, r.failed = was, others
	return n
}

// attemptTexts is attempt for the words of let.
func (led *ledger) attemptTexts(s *state, list []command.Word) {
	was, others := led.tries()
	var names []string
	for _, w := range list {
		led.evaluateText(s, w)
		name, _, _ := strings.Cut(w.Text, "=")
		names = append(names, name)
	}
	if len(led.failed) > 0 {
		led.fails(s, names)
	}
	led.failing, led.failed = was, others
}

// tries begins to keep the states in which an arithmetic command fails.
func (at *frame) tries() (was bool, others []*state) {
	was, others = at.failing, at.failed
	at.failing, at.failed = true, nil
	return was, others
}

// fails makes a state stand for those in which an arithmetic command has failed, as well.
func (at *frame) fails(s *state, names []string) {
	for _, f := range at.failed {
		s.orWithout(f, names)
	}
}

// orWithout makes a state stand for one, as well, in which variables of some names were not assigned to. A variable that
// has got its first value is nothing then.
func (s *state) orWithout(f *state, names []string) {
	var made []variable
	for _, name := range names {
		if v := s.lookup(name); v != nil && v.isSingle() && f.lookup(name) == nil && !s.inherits(name) {
			c := *v
			c.words = []command.Word{v.words[0]}
			c.words[0].Hollow = true
			made = append(made, c)
		}
	}
	s.join(f)
	for _, v := range made {
		s.vars.put(v.name, v, firm|sure)
	}
}

// arithm evaluates an arithmetic expression. What stands behind a dollar sign is
// expanded before anything in it is assigned.
func (r *reader) arithm(s *state, x syntax.ArithmExpr) number {
	if (s.opts|s.doubt)&optNounset != 0 {
		r.leavesUnset(s) // there may be a variable in it that is not set
	}
	if x == nil {
		return number{}
	}
	if _, word := x.(*syntax.Word); word {
		return r.number(s, x)
	}
	names, dollar, nested := assignedIn(x)
	if nested {
		s.countAnew(names)
	}
	n := r.number(s, x)
	based := len(names) > 0 && r.world.Zsh && hasBase(x)
	if len(names) == 0 || !dollar && !based {
		return n
	}
	s.muddle(names, based)
	if dollar {
		return number{}
	}
	return n
}

// muddle makes variables unknown that an expression assigns to, perhaps with a base.
func (s *state) muddle(names []string, based bool) {
	for _, name := range names {
		switch {
		case !isName(name):
		case based:
			s.variable(name).takeBase()
		default:
			s.variable(name).forget()
		}
	}
}

// countAnew makes variables numbers that are not known, or what they were.
func (s *state) countAnew(names []string) {
	for _, name := range names {
		if !isName(name) {
			continue
		}
		v := s.variable(name)
		for i := range v.words {
			v.words[i] = v.words[i].Join(numberWord(number{}))
		}
	}
}

// assignedIn finds what an expression assigns to, whether something in it stands behind a
// dollar sign, and whether that is an expression or commands.
func assignedIn(x syntax.ArithmExpr) (names []string, dollar, nested bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		var to syntax.ArithmExpr
		switch n := n.(type) {
		case *syntax.ParamExp:
			dollar = dollar || n.Dollar.IsValid()
		case *syntax.CmdSubst:
			nested = true
			return false
		case *syntax.ArithmExp:
			nested = true
		case *syntax.UnaryArithm:
			if isStep(n.Op) {
				to = n.X
			}
		case *syntax.BinaryArithm:
			if n.Op == syntax.Assgn || applies(n.Op) != 0 {
				to = n.X
			}
		}
		if w, ok := to.(*syntax.Word); ok {
			names = append(names, w.Lit())
		}
		return true
	})
	return names, dollar || nested, nested
}

// number evaluates a part of an expression. Bash evaluates the values of
// variables in turn, and subscripts in them may run commands, so only values
// that are numbers are read.
func (r *reader) number(s *state, x syntax.ArithmExpr) number {
	if x == nil || r.spend() {
		return number{}
	}
	switch x := x.(type) {
	case *syntax.Word:
		return r.operand(s, x)
	case *syntax.ParenArithm:
		return r.number(s, x.X)
	case *syntax.UnaryArithm:
		n := r.number(s, x.X)
		m := unary(x.Op, n)
		if r.world.Zsh && r.src.hasSignBeside(x) {
			r.giveUp(s)
			m, n = number{}, number{}
		}
		if isStep(x.Op) {
			r.refuseSh(s)
			if s.isPosix() { // two signs
				m = number{}
			}
			changesElement(r, x.X)
			if r.store(s, x.X, m); x.Post {
				return n
			}
		}
		return m
	case *syntax.BinaryArithm:
		return r.binary(s, x)
	}
	r.gap("an arithmetic expression known only at run time", r.src.nodeSpan(x))
	return number{}
}

// hasSignBeside says whether a sign stands directly before or behind one, or a step, so that shells may not divide them alike.
func (src *source) hasSignBeside(x *syntax.UnaryArithm) bool {
	from, to := int(x.Pos().Offset()), int(x.X.Pos().Offset())
	if x.Post {
		from, to = int(x.X.End().Offset()), int(x.End().Offset())
	}
	signs := 0
	for at := max(from-1, 0); at < min(to+1, len(src.text)); at++ {
		if isSign(src.text[at]) {
			signs++
		}
	}
	own := 1
	if isStep(x.Op) {
		own = 2
	}
	return signs > own
}

// isStep says whether an operator is ++ or --.
func isStep(op syntax.UnAritOperator) bool { return op == syntax.Inc || op == syntax.Dec }

// unary is what an operator makes of one number.
func unary(op syntax.UnAritOperator, n number) number {
	switch op {
	case syntax.Inc:
		n.value++
	case syntax.Dec:
		n.value--
	case syntax.Minus:
		n.value = -n.value
	case syntax.Not:
		n.value = truth(n.value == 0).value
	case syntax.BitNegation:
		n.value = ^n.value
	}
	return n
}

func (r *reader) binary(s *state, x *syntax.BinaryArithm) number {
	if x.Op == syntax.Pow || x.Op == syntax.Comma {
		r.refuseSh(s)
	}
	switch x.Op {
	case syntax.Assgn:
		n := r.number(s, x.Y)
		r.store(s, x.X, n)
		return n
	case syntax.TernQuest:
		c := r.number(s, x.X)
		y, ok := x.Y.(*syntax.BinaryArithm)
		if !ok {
			return number{}
		}
		a, b := r.either(s, y.X, y.Y)
		if r.world.Zsh && (bindsLoosely(y.X) || bindsLoosely(y.Y)) {
			r.giveUp(s)
			return number{}
		}
		return chosen(c, a, b)
	case syntax.AndArit, syntax.OrArit:
		a := r.number(s, x.X)
		b, _ := r.either(s, x.Y, nil)
		return logical(x.Op, a, b)
	}
	if op := applies(x.Op); op != 0 {
		n := calculate(op, r.number(s, x.X), r.number(s, x.Y))
		if r.world.Zsh && readsLate(x) {
			n = number{}
		}
		if !n.known {
			r.strand(s)
		}
		changesElement(r, x.X)
		r.store(s, x.X, n)
		return n
	}
	left, right := r.number(s, x.X), r.number(s, x.Y)
	n := calculate(x.Op, left, right)
	if r.world.Zsh && (!bindsAlike(x) || readsLate(x)) {
		n = number{}
	}
	if isDivision(x.Op) && !n.known && !(right.known && right.value > 0) {
		r.strand(s) // it may be a division by zero
	}
	return n
}

// bindsLoosely says whether an expression is one that zsh wants parentheses around in a condition.
func bindsLoosely(x syntax.ArithmExpr) bool {
	b, ok := x.(*syntax.BinaryArithm)
	return ok && (b.Op == syntax.Assgn || b.Op == syntax.Comma || applies(b.Op) != 0)
}

// isDivision says whether there are numbers with which an operator is an error.
func isDivision(op syntax.BinAritOperator) bool {
	return op == syntax.Quo || op == syntax.Rem || op == syntax.Pow
}

// chosen is the value of c ? a : b.
func chosen(c, a, b number) number {
	switch {
	case c.known && c.value != 0:
		return a
	case c.known || a == b:
		return b
	}
	return number{}
}

// logical is the value of a && b or a || b.
func logical(op syntax.BinAritOperator, a, b number) number {
	if a.known && (a.value != 0) == (op == syntax.OrArit) {
		return truth(a.value != 0)
	}
	if !a.known || !b.known {
		return number{}
	}
	return truth(b.value != 0)
}

// either evaluates two expressions of which at most one is evaluated by bash. Which
// one is not believed.
func (r *reader) either(s *state, a, b syntax.ArithmExpr) (x, y number) {
	other := s.fork()
	x = r.number(s, a)
	y = r.number(other, b)
	s.join(other)
	return x, y
}

// applied are the operators that assignments like += apply to a variable.
var applied = [...]syntax.BinAritOperator{
	syntax.AddAssgn: syntax.Add, syntax.SubAssgn: syntax.Sub, syntax.MulAssgn: syntax.Mul, syntax.QuoAssgn: syntax.Quo, syntax.RemAssgn: syntax.Rem,
	syntax.AndAssgn: syntax.And, syntax.OrAssgn: syntax.Or, syntax.XorAssgn: syntax.Xor, syntax.ShlAssgn: syntax.Shl, syntax.ShrAssgn: syntax.Shr,
}

// applies is the operator that an assignment applies to a variable, 0 if it is none like that.
func applies(op syntax.BinAritOperator) syntax.BinAritOperator {
	if int(op) < len(applied) {
		return applied[op]
	}
	return 0
}

func calculate(op syntax.BinAritOperator, a, b number) number {
	if !a.known || !b.known {
		return number{}
	}
	x, y := a.value, b.value
	switch op {
	case syntax.Add:
		return number{x + y, true}
	case syntax.Sub:
		return number{x - y, true}
	case syntax.Mul:
		return number{x * y, true}
	case syntax.Quo, syntax.Rem, syntax.Pow:
		return divided(op, x, y)
	case syntax.And, syntax.Or, syntax.Xor, syntax.Shl, syntax.Shr:
		return bitwise(op, x, y)
	case syntax.Comma:
		return b
	}
	return compared(op, x, y)
}

// bitwise is what an operator makes of the bits of two numbers.
func bitwise(op syntax.BinAritOperator, x, y int64) number {
	switch op {
	case syntax.And:
		return number{x & y, true}
	case syntax.Or:
		return number{x | y, true}
	case syntax.Xor:
		return number{x ^ y, true}
	case syntax.Shl:
		return number{x << (uint64(y) & 63), true}
	}
	return number{x >> (uint64(y) & 63), true}
}

// divided is a quotient, a remainder or a power, which there may be none of.
func divided(op syntax.BinAritOperator, x, y int64) number {
	switch {
	case op == syntax.Pow && (y < 0 || y > 64), op != syntax.Pow && (y == 0 || x == math.MinInt64 && y == -1):
		return number{}
	case op == syntax.Quo:
		return number{x / y, true}
	case op == syntax.Rem:
		return number{x % y, true}
	}
	n := int64(1)
	for ; y > 0; y-- {
		n *= x
	}
	return number{n, true}
}

// compared is what a comparison yields.
func compared(op syntax.BinAritOperator, x, y int64) number {
	switch op {
	case syntax.Eql:
		return truth(x == y)
	case syntax.Neq:
		return truth(x != y)
	case syntax.Lss:
		return truth(x < y)
	case syntax.Gtr:
		return truth(x > y)
	case syntax.Leq:
		return truth(x <= y)
	case syntax.Geq:
		return truth(x >= y)
	}
	return number{}
}

// operand evaluates a word inside arithmetic.
func (r *reader) operand(s *state, w *syntax.Word) number {
	if lit := w.Lit(); lit != "" && len(w.Parts) == 1 {
		return r.evaluate(s, command.Known(lit, r.src.nodeSpan(w)), false, 0)
	}
	if slices.ContainsFunc(w.Parts, hidesParenthesis) {
		r.gap("parentheses in an expansion that may be those of the arithmetic around it", r.src.nodeSpan(w))
		return number{}
	}
	if slices.ContainsFunc(w.Parts, hidesExpansion) {
		r.gap("quoted text that arithmetic evaluates", r.src.nodeSpan(w))
		return number{}
	}
	if p, ok := w.Parts[0].(*syntax.ParamExp); ok && len(w.Parts) == 1 {
		if p.Short && !p.Dollar.IsValid() { // a[i] without a dollar sign
			l := r.lookup(s, p.Param.Value, p.Index)
			return r.evaluateAll(s, l, r.src.nodeSpan(w))
		}
	}
	pieces := r.pieces(s, w.Parts, true, literal, nil)
	env := len(pieces) == 1 && pieces[0].sum
	text := r.fold(s, pieces, r.src.nodeSpan(w))
	if text.IsKnown() && strings.TrimSpace(text.Text) == "" {
		r.strand(s) // an operator may be left without a number
	}
	return r.evaluate(s, text, env, 0)
}

// hidesParenthesis says whether there is a parenthesis behind the operator of an expansion: shells look for the end of the arithmetic before they
// read what is in it.
func hidesParenthesis(part syntax.WordPart) (found bool) {
	p, ok := part.(*syntax.ParamExp)
	if !ok {
		return false
	}
	for _, w := range operandsOf(p) {
		eachLeaf(w.Parts, func(part syntax.WordPart) {
			l, ok := part.(*syntax.Lit)
			found = found || ok && strings.ContainsAny(l.Value, "()")
		})
	}
	return found
}

// hidesExpansion says whether a part of a word is text in single quotes that arithmetic
// expands or evaluates all the same.
func hidesExpansion(p syntax.WordPart) bool {
	q, ok := p.(*syntax.SglQuoted)
	return ok && strings.ContainsAny(q.Value, "$`[\\")
}

func (led *ledger) evaluateAll(s *state, l looked, span tool.Span) number {
	if l.set == failed || len(l.words) == 0 {
		return number{0, true}
	}
	w := l.words[0]
	w.Span = span
	return led.evaluate(s, w, l.env, 0)
}

// evaluate reads a text as bash's arithmetic does.
func (led *ledger) evaluate(s *state, w command.Word, env bool, depth int) number {
	led.reveals(w, w.Span) // if it cannot be evaluated
	if !w.IsKnown() {
		if mayBeCode(w, env) {
			led.gap("arithmetic on a value that may be more than a number", w.Span)
		}
		led.strand(s) // there may be none, or several, or no number at all
		return number{}
	}
	text := strings.TrimSpace(w.Text)
	if text == "" {
		return number{0, true}
	}
	if n, ok := parseNumber(text); ok {
		return led.written(s, text, n)
	}
	if (s.opts|s.doubt)&optNounset != 0 {
		led.leavesUnset(s)
	}
	if isName(text) && depth < 8 {
		return led.evaluateName(s, text, w.Span, depth+1)
	}
	led.strand(s)
	if !onlyNumbers(text) {
		led.gap("arithmetic on text that is evaluated", w.Span)
	}
	return number{}
}

// written is a number as it is written: zsh counts in tens behind a 0, too, and sh knows no BASE#.
func (led *ledger) written(s *state, text string, n int64) number {
	if strings.IndexByte(text, '#') >= 0 {
		led.refuseSh(s)
	}
	digits := strings.TrimLeft(text, "+-")
	octal := len(digits) > 1 && digits[0] == '0' && digits[1] != 'x' && digits[1] != 'X' && strings.Trim(digits, "0") != ""
	return number{n, !(octal && led.world.Zsh && (n > 7 || n < -7))}
}

// readsLate says whether zsh reads a variable on the left of an operator that the right changes: it does so when it has read both sides, so
// that i+i++ is 3 with an i of 1, and 2 in other shells.
func readsLate(x *syntax.BinaryArithm) (late bool) {
	names, _, _ := assignedIn(x.Y)
	if len(names) == 0 {
		return false
	}
	syntax.Walk(x.X, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok {
			late = late || slices.Contains(names, w.Lit())
		}
		return true
	})
	return late
}

// bindsAlike says whether shells agree on what belongs together in an expression: to zsh shifts and the
// operators on bits bind tighter than all others.
func bindsAlike(x *syntax.BinaryArithm) bool {
	for _, side := range [...]syntax.ArithmExpr{x.X, x.Y} {
		if b, ok := side.(*syntax.BinaryArithm); ok && b.Op != x.Op && (onBits(x.Op) && applies(b.Op) == 0 || onBits(b.Op) && isInfix(x.Op)) {
			return false
		}
	}
	return true
}

// onBits says whether an operator is a shift, or one on bits.
func onBits(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.And, syntax.Or, syntax.Xor, syntax.Shl, syntax.Shr:
		return true
	}
	return false
}

// isInfix says whether an operator is one that others may bind tighter or looser than: no assignment,
// condition or list.
func isInfix(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.TernQuest, syntax.TernColon, syntax.Comma, syntax.AndArit, syntax.OrArit:
		return false
	}
	return applies(op) == 0
}

// hasBase says whether a number in an expression is written with its base.
func hasBase(x syntax.ArithmExpr) (found bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		l, ok := n.(*syntax.Lit)
		found = found || ok && writesBase(l.Value)
		return !found
	})
	return found
}

// writesBase says whether there is a number in a text that is written with its base.
func writesBase(text string) bool {
	return strings.IndexByte(text, '#') > 0 || strings.Contains(text, "0x") || strings.Contains(text, "0X")
}

// mayBeCode says whether a value that is not known may hold a subscript, which arithmetic
// evaluates, or the name of a variable that does. What the environment holds is not believed to be one.
func mayBeCode(w command.Word, env bool) bool {
	form, numbers := w.Form()
	return !(numbers && onlyNumbers(form)) && (!env || w.Reach == tool.Prefix)
}

// onlyNumbers says whether a text has nothing in it but numbers, known or not, and what
// arithmetic does with them.
func onlyNumbers(text string) bool {
	return strings.Trim(text, "0123456789+-*/%()<>=&|^!~?:,# \t\n"+value.Numeral+value.Numerals) == ""
}

// evaluateName evaluates what a variable holds, or the environment.
func (led *ledger) evaluateName(s *state, name string, span tool.Span, depth int) number {
	value, set := led.scalar(s, name)
	touched := s.lookup(name) != nil
	switch {
	case name == "IFS" && !touched && led.world.Zsh: // there is a zero byte in it
		led.strand(s)
		return number{}
	case touched && set == failed:
		return number{0, true}
	case touched, set == succeeded:
		return led.evaluate(s, withSpan(value, span), !touched, depth)
	}
	led.reveals(value, span)
	if led.world.Getenv != nil {
		if text, ok := led.world.Getenv(name); ok {
			return led.evaluate(s, command.Known(text, span), true, depth)
		}
	}
	return number{}
}

// zshNumber evaluates a word where zsh wants a number: it takes any expression for one.
// What is not an expression is an error, which ends the text that zsh runs.
func (led *ledger) zshNumber(s *state, w command.Word) {
	if !w.IsKnown() || !isPlainNumber(w.Text) {
		led.refuseZsh(s) // it may be no number
	}
	switch {
	case !led.world.Zsh:
	case !w.IsKnown() || strings.ContainsAny(w.Text, "[$`"):
		led.evaluate(s, w, false, 0)
	default:
		assigns := strings.ContainsAny(w.Text, "=") || strings.Contains(w.Text, "++") || strings.Contains(w.Text, "--")
		names := strings.FieldsFunc(w.Text, func(c rune) bool { return c >= 0x80 || !scan.IsNameByte(byte(c)) })
		without := s
		if assigns {
			without = s.fork()
		}
		for _, name := range names {
			if led.evaluate(s, command.Known(name, w.Span), false, 0); assigns && isName(name) {
				led.assign(s, name, numberWord(number{}), w.Span)
			}
		}
		if assigns { // which others do not
			s.orWithout(without, names)
		}
	}
}

// parseNumber reads a number the way arithmetic does: in octal behind a 0, in
// hexadecimal behind 0x, in any base behind BASE#.
func parseNumber(s string) (int64, bool) {
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || len(digits) > 18 || strings.ContainsAny(digits, "+-_") {
		return 0, false
	}
	base, digits, ok := baseOf(digits)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, base, 64)
	if err != nil {
		return 0, false
	}
	if strings.HasPrefix(s, "-") {
		n = -n
	}
	return n, !strings.HasPrefix(s, "-+")
}

// baseOf is the base of a number and its digits; with 0, the digits themselves say which.
func baseOf(digits string) (base int, rest string, ok bool) {
	if b, rest, given := strings.Cut(digits, "#"); given {
		n, err := strconv.Atoi(b)
		return n, rest, err == nil && n >= 2 && n <= 36 && b[0] != '0' && rest != ""
	}
	binary := strings.HasPrefix(digits, "0b") || strings.HasPrefix(digits, "0B") // to Go alone
	return 0, digits, !binary && strings.Trim(digits, "0123456789abcdefABCDEFxX") == ""
}

// store assigns to a variable or an array element.
func (r *reader) store(s *state, to syntax.ArithmExpr, n number) {
	w, ok := to.(*syntax.Word)
	if !ok {
		r.gap("an arithmetic assignment to something unknown", r.src.nodeSpan(to))
		return
	}
	if name := w.Lit(); isName(name) {
		r.storeName(s, name, n, r.src.nodeSpan(to))
		return
	}
	if p, ok := w.Parts[0].(*syntax.ParamExp); ok && len(w.Parts) == 1 && !p.Dollar.IsValid() && p.Index != nil {
		r.assignElement(s, p.Param.Value, p.Index, numberWord(n), false)
		return
	}
	r.gap("an arithmetic assignment to something unknown", r.src.nodeSpan(to))
}

// changesElement notes an element that is read and written by one operator: its subscript is read twice here, but evaluated once.
func changesElement(r *reader, x syntax.ArithmExpr) {
	w, _ := x.(*syntax.Word)
	if w == nil {
		return
	}
	if p, ok := w.Parts[0].(*syntax.ParamExp); ok && assignsIn(p.Index) {
		r.gap("a subscript that changes variables", r.src.nodeSpan(x))
	}
}

// assignsIn says whether a subscript assigns to something.
func assignsIn(index syntax.ArithmExpr) bool {
	if index == nil {
		return false
	}
	names, _, _ := assignedIn(index)
	return len(names) > 0
}

// storeName assigns a number to a variable. One that zsh makes for it is an integer
// from then on, whatever it is given later; in bash it is like any other.
func (led *ledger) storeName(s *state, name string, n number, span tool.Span) {
	v := s.lookup(name)
	if v != nil && v.vague && v.attrs == integer {
		v = s.variable(name)
		v.words, v.keys, v.unset = []command.Word{numberWord(n)}, nil, false
		return
	}
	led.assign(s, name, numberWord(n), span)
	if made := s.lookup(name); led.world.Zsh && (v == nil || v.unset) && made != nil && made.attrs == 0 {
		made = s.variable(name)
		made.attrs, made.vague = integer, true
	}
}
