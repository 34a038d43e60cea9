package syntax

// arith reads arithmetic expressions.
type arith struct {
	*parser
	in arithPlace
}

// arithPlace is where an expression stands.
type arithPlace uint8

const (
	inParens arithPlace = iota // or in $[ ]
	inLet                      // a word of let
	inSlice
	inIndex
)

// space moves past blanks and ends of lines. A word of let has none.
func (a *arith) space() {
	if a.in == inLet {
		return
	}
	for c := a.c(); c == ' ' || c == '\t' || c == '\n'; c = a.c() {
		a.skip(1)
	}
}

// ends says whether a byte ends a literal.
func (a *arith) ends(c byte) bool {
	return class[c]&arithmetic != 0 || c == '}' && a.in >= inSlice
}

// must reads an expression that must be there.
func (a *arith) must() ArithmExpr {
	x := a.expr(precComma)
	if x == nil {
		a.fail(a.i, "an expression is missing")
	}
	return x
}

// How tightly operators bind.
const (
	precComma = iota + 1
	precAssign
	precTernary
	precOr
	precAnd
	precBitOr
	precBitXor
	precBitAnd
	precEqual
	precCompare
	precShift
	precAdd
	precMultiply
	precPower
)

// operator looks at the binary operator that stands here, and says how long it is and
// how tightly it binds.
func (a *arith) operator() (op BinAritOperator, length, prec int) {
	c, d := a.c(), a.peek(1)
	if a.in == inLet && endsLet(c) {
		return 0, 0, 0
	}
	switch c {
	case ',':
		return Comma, 1, precComma
	case '?':
		return TernQuest, 1, precTernary
	case '/':
		return assigning(Quo, QuoAssgn, d, precMultiply)
	case '%':
		return assigning(Rem, RemAssgn, d, precMultiply)
	case '+':
		return assigning(Add, AddAssgn, d, precAdd)
	case '-':
		return assigning(Sub, SubAssgn, d, precAdd)
	}
	return a.paired(c, d)
}

// endsLet says whether a byte that begins an operator ends the command let instead.
func endsLet(c byte) bool { return c == '&' || c == '|' || c == '<' || c == '>' }

// paired is for the operators that mean something else with another sign behind them.
func (a *arith) paired(c, d byte) (op BinAritOperator, length, prec int) {
	switch c {
	case '=':
		if d == '=' {
			return Eql, 2, precEqual
		}
		return Assgn, 1, precAssign
	case '!':
		if d == '=' {
			return Neq, 2, precEqual
		}
		return 0, 0, 0
	case '*':
		if d == '*' {
			return Pow, 2, precPower
		}
		return assigning(Mul, MulAssgn, d, precMultiply)
	case '^':
		if d == '^' {
			a.unexpected()
		}
		return assigning(Xor, XorAssgn, d, precBitXor)
	}
	return a.doubled(c, d)
}

// doubled is for the operators that mean something else when they stand twice.
func (a *arith) doubled(c, d byte) (BinAritOperator, int, int) {
	switch c {
	case '&':
		if d == '&' {
			return AndArit, 2, precAnd
		}
		return assigning(And, AndAssgn, d, precBitAnd)
	case '|':
		if d == '|' {
			return OrArit, 2, precOr
		}
		return assigning(Or, OrAssgn, d, precBitOr)
	case '<':
		if d == '<' {
			return shift(Shl, ShlAssgn, a.peek(2))
		}
		return comparing(Lss, Leq, d)
	case '>':
		if d == '>' {
			return shift(Shr, ShrAssgn, a.peek(2))
		}
		return comparing(Gtr, Geq, d)
	}
	return 0, 0, 0
}

// assigning is an operator, or its assignment if = follows.
func assigning(op, assign BinAritOperator, next byte, prec int) (BinAritOperator, int, int) {
	if next == '=' {
		return assign, 2, precAssign
	}
	return op, 1, prec
}

func comparing(op, equal BinAritOperator, next byte) (BinAritOperator, int, int) {
	if next == '=' {
		return equal, 2, precCompare
	}
	return op, 1, precCompare
}

func shift(op, assign BinAritOperator, next byte) (BinAritOperator, int, int) {
	if next == '=' {
		return assign, 3, precAssign
	}
	return op, 2, precShift
}

// expr reads an expression of operators that bind at least so tightly; nil if there is
// none.
func (a *arith) expr(least int) ArithmExpr {
	a.enter()
	x := a.unary()
	for {
		op, n, prec := a.operator()
		if op == 0 || prec < least {
			break
		}
		if x == nil {
			a.unexpected()
		}
		at := a.i
		if prec == precAssign && !isVariable(x) {
			a.fail(at, "only a variable can be assigned to")
		}
		a.skip(n)
		b := &BinaryArithm{OpPos: a.pos(at), Op: op, X: x}
		switch prec {
		case precTernary:
			b.Y = a.choice()
		case precAssign, precPower:
			b.Y = a.operand(prec)
		default:
			b.Y = a.operand(prec + 1)
		}
		x = b
	}
	a.leave()
	return x
}

// operand reads what must follow an operator.
func (a *arith) operand(least int) ArithmExpr {
	a.space()
	x := a.expr(least)
	if x == nil {
		a.fail(a.i, "an expression is missing")
	}
	return x
}

// choice reads b : c.
func (a *arith) choice() ArithmExpr {
	x := a.operand(precComma)
	if a.c() != ':' {
		a.fail(a.i, "`?` without `:`")
	}
	at := a.i
	a.skip(1)
	return &BinaryArithm{OpPos: a.pos(at), Op: TernColon, X: x, Y: a.operand(precTernary)}
}

func (a *arith) unary() ArithmExpr {
	a.space()
	at := a.i
	var op UnAritOperator
	switch c := a.c(); c {
	case '!':
		op = Not
	case '~':
		op = BitNegation
	case '+', '-':
		op = Plus
		if c == '-' {
			op = Minus
		}
		if a.peek(1) == c {
			return a.before(Inc + op - Plus)
		}
	default:
		return a.value()
	}
	a.enter()
	u := &UnaryArithm{OpPos: a.here(), Op: op}
	a.skip(1)
	if u.X = a.unary(); u.X == nil {
		a.fail(at, "an expression is missing")
	}
	a.leave()
	return u
}

// before reads ++name or --name.
func (a *arith) before(op UnAritOperator) ArithmExpr {
	u := &UnaryArithm{OpPos: a.here(), Op: op}
	a.skip(2)
	a.space()
	if c := a.c(); class[c]&arithmetic != 0 || c == '#' {
		a.unexpected()
	}
	u.X = a.value()
	if x, ok := u.X.(*UnaryArithm); ok && x.Post {
		return u
	}
	if w, ok := u.X.(*Word); !ok || len(w.Parts) != 1 {
		a.failAt(u.OpPos, "only a variable can be counted")
	}
	return u
}

// value reads a name, a number, a word or an expression in parentheses, and ++ or --
// behind it.
func (a *arith) value() ArithmExpr {
	var x ArithmExpr
	switch c := a.c(); {
	case c == '(' && a.in != inLet:
		x = a.parens()
	case c == '[' || c == ':':
		a.unexpected()
	default:
		w := a.operandWord()
		if w == nil {
			return nil
		}
		x = w
	}
	a.space()
	if c := a.c(); (c == '+' || c == '-') && a.peek(1) == c {
		return a.counted(x, c)
	}
	return x
}

// counted reads ++ or -- behind a variable.
func (a *arith) counted(x ArithmExpr, sign byte) *UnaryArithm {
	if !isVariable(x) {
		a.unexpected()
	}
	u := &UnaryArithm{OpPos: a.here(), Op: Inc, Post: true, X: x}
	if sign == '-' {
		u.Op = Dec
	}
	a.skip(2)
	a.space()
	return u
}

func (a *arith) parens() ArithmExpr {
	left := a.i
	pe := &ParenArithm{Lparen: a.here()}
	a.skip(1)
	pe.X = a.must()
	pe.Rparen = a.closing(left, "(")
	return pe
}

// operandWord reads a word of an expression; nil if there is none. One that is a name
// may have an index.
func (a *arith) operandWord() *Word {
	from := len(a.parts)
	for {
		var part WordPart
		switch c := a.c(); {
		case startsPart(c):
			part = a.opened(a.i, expression)
		case a.ends(c) || c == '#' && len(a.parts) == from && a.in != inIndex:
			return a.wordOf(from)
		default:
			l := a.text(a.ends)
			part = l
			if len(a.parts) > from || startsPart(a.c()) {
				break
			}
			if a.space(); a.c() == '[' {
				pe := a.params.one()
				pe.Short, pe.Param, pe.Index = true, l, a.index()
				part = pe
			}
			a.parts = append(a.parts, part)
			return a.wordOf(from)
		}
		a.parts = append(a.parts, part)
	}
}

// startsPart says whether a byte continues a word with something that is not literal.
func startsPart(c byte) bool { return c == '$' || c == '"' || c == '\'' || c == '`' }

// isVariable says whether an expression is a name, with or without an index.
func isVariable(x ArithmExpr) bool {
	w, ok := x.(*Word)
	if !ok || len(w.Parts) != 1 {
		return false
	}
	switch part := w.Parts[0].(type) {
	case *Lit:
		return isName(part.Value)
	case *ParamExp:
		return !part.Dollar.IsValid()
	}
	return false
}

// index reads [...]; the bracket stands here.
func (p *parser) index() ArithmExpr {
	left := p.i
	p.skip(1)
	a := arith{p, inIndex}
	a.space()
	var x ArithmExpr
	if c := p.c(); c == '@' || c == '*' {
		p.parts = append(p.parts, p.one())
		x = p.wordOf(len(p.parts) - 1)
		a.space()
	} else {
		x = a.must()
	}
	if p.c() != ']' {
		if p.i < p.end {
			p.unexpected()
		}
		p.unclosed(left, "[", "]")
	}
	p.skip(1)
	return x
}

// arithmExp reads $((...)) or $[...].
func (p *parser) arithmExp() *ArithmExp {
	p.enter()
	left := p.i
	x := &ArithmExp{Left: p.here(), Bracket: p.peek(1) == '['}
	a := arith{p, inParens}
	if x.Bracket {
		p.skip(2)
		x.X = a.must()
		if p.c() != ']' {
			p.unclosed(left, "$[", "]")
		}
		x.Right = p.here()
		p.skip(1)
	} else {
		p.skip(3)
		x.X = a.must()
		x.Right = p.doubleClosing(left, "$((")
	}
	p.leave()
	return x
}

// doubleClosing moves past the )) that must stand here.
func (p *parser) doubleClosing(left int, open string) Pos {
	if p.c() != ')' || p.peek(1) != ')' {
		if p.i < p.end && p.c() != ')' {
			p.unexpected()
		}
		p.unclosed(left, open, "))")
	}
	pos := p.here()
	p.skip(2)
	return pos
}
