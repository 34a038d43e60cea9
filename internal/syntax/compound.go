package syntax

func (p *parser) subshell() *Subshell {
	left := p.i
	s := &Subshell{Lparen: p.here()}
	p.skip(1)
	s.Stmts = p.body(s.Lparen, "(")
	s.Rparen = p.closing(left, "(")
	p.blank()
	return s
}

func (p *parser) arithmCmd() *ArithmCmd {
	left := p.i
	c := &ArithmCmd{Left: p.here()}
	p.skip(2)
	a := arith{p, inParens}
	c.X = a.must()
	c.Right = p.doubleClosing(left, "((")
	p.blank()
	return c
}

// start takes the word that was looked at.
func (p *parser) start() Pos {
	pos := p.here()
	p.i = p.run.end
	return pos
}

// expect moves past a word that must stand here.
func (p *parser) expect(keyword string, left Pos, open string) Pos {
	pos, ok := p.got(keyword)
	if !ok {
		if p.i < p.end {
			p.unexpected()
		}
		p.failAt(left, "`"+open+"` is not closed by `"+keyword+"`")
	}
	p.blank()
	return pos
}

func (p *parser) block() *Block {
	b := &Block{Lbrace: p.start()}
	b.Stmts = p.body(b.Lbrace, "{")
	b.Rbrace = p.expect("}", b.Lbrace, "{")
	return b
}

func (p *parser) ifClause() *IfClause {
	root := &IfClause{Position: p.start()}
	for last := root; ; last = last.Else {
		last.Cond = p.body(last.Position, "if")
		last.ThenPos = p.expect("then", root.Position, "if")
		last.Then = p.body(last.ThenPos, "then")
		if pos, ok := p.got("elif"); ok {
			last.Else = &IfClause{Position: pos}
			continue
		}
		if pos, ok := p.got("else"); ok {
			last.Else = &IfClause{Position: pos, Then: p.body(pos, "else")}
		}
		break
	}
	fi := p.expect("fi", root.Position, "if")
	for part := root; part != nil; part = part.Else {
		part.FiPos = fi
	}
	return root
}

func (p *parser) whileClause() *WhileClause {
	w := &WhileClause{Until: p.run.text == "until"}
	w.WhilePos = p.start()
	w.Cond = p.body(w.WhilePos, "while")
	w.DoPos = p.expect("do", w.WhilePos, "while")
	w.Do = p.body(w.DoPos, "do")
	w.DonePos = p.expect("done", w.WhilePos, "while")
	return w
}

func (p *parser) forClause() *ForClause {
	f := &ForClause{Select: p.run.text == "select"}
	f.ForPos = p.start()
	p.blank()
	if p.c() == '(' && p.peek(1) == '(' && !f.Select {
		f.Loop = p.cStyle()
	} else {
		f.Loop = p.wordIter()
	}
	end := "done"
	if pos, ok := p.got("{"); ok && !f.Select {
		f.Braces, f.DoPos, end = true, pos, "}"
	} else {
		f.DoPos = p.expect("do", f.ForPos, "for")
	}
	f.Do = p.body(f.DoPos, "do")
	f.DonePos = p.expect(end, f.ForPos, "for")
	return f
}

func (p *parser) cStyle() *CStyleLoop {
	left := p.i
	l := &CStyleLoop{Lparen: p.here()}
	p.skip(2)
	a := arith{p, inParens}
	l.Init = a.expr(precComma)
	p.semicolon()
	l.Cond = a.expr(precComma)
	p.semicolon()
	l.Post = a.expr(precComma)
	l.Rparen = p.doubleClosing(left, "((")
	p.separator()
	return l
}

// semicolon moves past the ; that must stand here.
func (p *parser) semicolon() {
	if p.c() != ';' {
		p.unexpected()
	}
	p.skip(1)
}

// separator moves past a ; and ends of lines, if they stand here.
func (p *parser) separator() {
	p.blank()
	if p.c() == ';' && p.peek(1) != ';' && p.peek(1) != '&' {
		p.skip(1)
	}
	p.newlines()
}

// wordIter reads the name of a loop, and its words if it has any.
func (p *parser) wordIter() *WordIter {
	if !p.literalAt(p.c()) {
		p.unexpected()
	}
	w := &WordIter{Name: p.lit()}
	p.blank()
	if p.c() == ';' {
		p.separator()
		return w
	}
	p.newlines()
	pos, ok := p.got("in")
	if !ok {
		if p.c() != 'd' || p.keyword() != "do" {
			p.unexpected()
		}
		return w
	}
	w.InPos = pos
	from := len(p.words)
	for p.blank(); class[p.c()]&endsWord == 0; p.blank() {
		word := p.word()
		if word == nil {
			p.unexpected()
		}
		p.words = append(p.words, word)
	}
	w.Items = finish(&p.wordLists, &p.words, from)
	p.separator()
	return w
}

func (p *parser) caseClause() *CaseClause {
	c := &CaseClause{Case: p.start()}
	p.blank()
	if c.Word = p.word(); c.Word == nil {
		p.unexpected()
	}
	p.newlines()
	c.In = p.expect("in", c.Case, "case")
	for p.newlines(); p.i < p.end; p.newlines() {
		if p.c() == 'e' && p.keyword() == "esac" {
			break
		}
		item := p.caseItem()
		c.Items = append(c.Items, item)
		if !item.OpPos.IsValid() {
			break
		}
	}
	c.Esac = p.expect("esac", c.Case, "case")
	return c
}

// caseItem reads the patterns of an arm and its statements.
func (p *parser) caseItem() *CaseItem {
	item := &CaseItem{Op: Break}
	if p.c() == '(' {
		p.skip(1)
		p.blank()
	}
	from := len(p.words)
	for {
		word := p.word()
		if word == nil {
			p.unexpected()
		}
		p.words = append(p.words, word)
		if p.blank(); p.c() != '|' || p.peek(1) == '|' || p.peek(1) == '&' {
			break
		}
		p.skip(1)
		p.blank()
	}
	item.Patterns = finish(&p.wordLists, &p.words, from)
	if p.c() != ')' {
		p.unexpected()
	}
	p.skip(1)
	p.enter()
	item.Stmts = p.list()
	p.leave()
	if p.c() == ';' {
		p.caseOperator(item)
	}
	return item
}

// caseOperator reads the ;; ;& or ;;& that ends an arm.
func (p *parser) caseOperator(item *CaseItem) {
	item.OpPos = p.here()
	n := 2
	switch {
	case p.peek(1) == '&':
		item.Op = Fallthrough
	case p.peek(1) != ';':
		p.unexpected()
	case p.peek(2) == '&':
		item.Op = Resume
		n = 3
	}
	p.skip(n)
}
