package syntax

func (p *parser) testClause() *TestClause {
	t := &TestClause{Left: p.start()}
	buried := p.buried
	p.buried = len(p.pending)
	t.X = p.testOr()
	t.Right = p.expect("]]", t.Left, "[[")
	p.buried = buried
	return t
}

// testOr reads tests that are joined by ||, and by && before that.
func (p *parser) testOr() TestExpr {
	p.enter()
	x := p.testChain(OrTest, func() TestExpr { return p.testChain(AndTest, p.test) })
	p.leave()
	return x
}

// testChain reads tests that are joined by an operator. They lean to the right.
func (p *parser) testChain(op BinTestOperator, read func() TestExpr) TestExpr {
	first := read()
	var last *BinaryTest
	for c := op.String()[0]; p.c() == c && p.peek(1) == c; {
		b := &BinaryTest{OpPos: p.here(), Op: op}
		p.skip(2)
		if last == nil {
			b.X, first = first, b
		} else {
			b.X, last.Y = last.Y, b
		}
		b.Y = read()
		last = b
	}
	return first
}

// test reads a single test, and the blanks and lines around it.
func (p *parser) test() TestExpr {
	p.newlines()
	x := p.singleTest()
	p.newlines() // not where reading has failed: it may have stopped before a here-document had its delimiter
	return x
}

// singleTest reads a single test.
func (p *parser) singleTest() TestExpr {
	switch c := p.c(); {
	case c == '(':
		return p.testParens()
	case p.literalAt(c):
		if word := p.keyword(); word == "]]" {
			p.unexpected()
		} else if word == "!" || len(word) == 2 && word[0] == '-' {
			if x := p.testUnary(word); x != nil {
				return x
			}
		}
	}
	w := p.word()
	if w == nil {
		p.unexpected()
	}
	p.newlines()
	return p.testBinary(w)
}

func (p *parser) testParens() *ParenTest {
	left := p.i
	t := &ParenTest{Lparen: p.here()}
	p.skip(1)
	t.X = p.testOr()
	t.Rparen = p.closing(left, "(")
	return t
}

// testUnary reads a test that begins with an operator; nil if the word is none.
func (p *parser) testUnary(word string) TestExpr {
	switch word {
	case "-a":
		word = "-e"
	case "-h":
		word = "-L"
	}
	op := numbered[UnTestOperator](unTestOperators[:], word)
	if op == 0 {
		return nil
	}
	u := &UnaryTest{Op: op, OpPos: p.start()}
	if op == TsNot {
		p.enter()
		u.X = p.test()
		p.leave()
		return u
	}
	p.blank()
	w := p.word()
	if w == nil {
		p.unexpected()
	}
	u.X = w
	return u
}

// testBinary reads the rest of a test that begins with a word.
func (p *parser) testBinary(x *Word) TestExpr {
	var op BinTestOperator
	b := &BinaryTest{OpPos: p.here(), X: x}
	switch c := p.c(); {
	case c == '<' || c == '>':
		op = p.testOrder(c)
	case class[c]&endsWord != 0:
		return x
	default:
		if startsPart(c) || p.globAt(p.i) {
			p.unexpected()
		}
		word := p.keyword()
		if word == "]]" {
			return x
		}
		if op = numbered[BinTestOperator](binTestOperators[:], word); op == 0 {
			p.unexpected()
		}
		p.i = p.run.end
	}
	p.blank()
	var y *Word
	if b.Op = op; op == TsReMatch {
		y = p.regexpWord()
	} else {
		y = p.word()
	}
	if y == nil {
		p.unexpected()
	}
	b.Y = y
	return b
}

// testOrder reads < or >, which must not begin a process substitution.
func (p *parser) testOrder(c byte) BinTestOperator {
	if p.peek(1) == '(' {
		p.unexpected()
	}
	p.skip(1)
	if c == '>' {
		return TsAfter
	}
	return TsBefore
}

// regexpWord reads the word behind =~, in which parentheses and bars have no other
// meaning, and blanks none between parentheses.
func (p *parser) regexpWord() *Word {
	from, open := len(p.parts), 0
	for {
		c := p.c()
		switch {
		case c == 0 || c == ')' && open == 0 || open == 0 && endsRegexp(c):
			return p.wordOf(from)
		case startsPart(c):
			p.parts = append(p.parts, p.opened(p.i, unquoted))
		default:
			p.parts = append(p.parts, p.regexpText(&open))
		}
	}
}

// regexpText reads literal text of a regular expression, and counts the parentheses that are
// open.
func (p *parser) regexpText(open *int) *Lit {
	return p.text(func(c byte) bool {
		switch {
		case c == '(':
			*open++
		case c == ')':
			if *open == 0 {
				return true
			}
			*open--
		case startsPart(c):
			return true
		case endsRegexp(c):
			return *open == 0
		}
		return false
	})
}

func endsRegexp(c byte) bool {
	switch c {
	case ' ', '\t', '\n', ';', '&', '<', '>':
		return true
	}
	return false
}
