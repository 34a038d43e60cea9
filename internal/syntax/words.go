package syntax

import "strings"

// run is a piece of a word without quotes and expansions.
type run struct {
	at, end int
	text    string // without continuations
	equals  int    // the offset of the first = in text, or -1
	whole   bool   // nothing more of the word follows
}

// literal looks at the literal that begins here.
func (p *parser) literal() *run {
	r := &p.run
	if r.at == p.i {
		return r
	}
	var joined []byte
	i, from, first := p.i, p.i, p.c()
	r.equals = -1
loop:
	for i < p.end {
		c := p.src[i]
		switch {
		case class[c]&plain != 0:
		case c == '\\':
			if next := p.joined(i); next > i {
				joined = append(joined, p.src[from:i]...)
				i, from = next, next
				continue
			}
			i++
		case c == '=':
			if r.equals < 0 {
				r.equals = len(joined) + i - from
			}
		case p.endsLiteral(i, first):
			break loop
		}
		i++
	}
	i = min(i, p.end)
	r.at, r.end, r.text = p.i, i, p.src[from:i]
	if joined != nil {
		r.text = string(append(joined, r.text...))
	}
	r.whole = p.endsAt(i)
	return r
}

// endsLiteral says whether a literal that begins here with a byte ends at an offset, where a
// byte stands that may mean something.
func (p *parser) endsLiteral(i int, first byte) bool {
	switch p.src[i] {
	case '?', '*', '+', '@', '!':
		return p.globAt(i)
	case '[':
		return i > p.i && first != '[' && first != '{'
	}
	return true
}

// literalAt says whether a word that begins here with a byte begins with a literal.
func (p *parser) literalAt(c byte) bool {
	return class[c]&endsWord == 0 && !startsPart(c) && c != '<' && c != '>' && !p.globAt(p.i)
}

// endsAt says whether a word that reaches up to an offset ends there.
func (p *parser) endsAt(i int) bool {
	if i >= p.end {
		return true
	}
	switch c := p.src[i]; c {
	case '<', '>':
		next := p.joined(i + 1)
		return next >= p.end || p.src[next] != '('
	default:
		return class[c]&endsWord != 0
	}
}

// globAt says whether the byte at an offset begins an extended pattern. An empty one is
// the name of a function.
func (p *parser) globAt(i int) bool {
	switch p.src[i] {
	case '?', '*', '+', '@', '!':
	default:
		return false
	}
	return i+1 < p.end && p.src[i+1] == '(' && (i+2 >= p.end || p.src[i+2] != ')')
}

// keyword is the word that begins here if nothing of it is quoted, else "".
func (p *parser) keyword() string {
	if r := p.literal(); r.whole {
		return r.text
	}
	return ""
}

// got moves past a word if it stands here.
func (p *parser) got(keyword string) (Pos, bool) {
	p.blank()
	if p.c() != keyword[0] || p.keyword() != keyword {
		return Pos{}, false
	}
	pos := p.here()
	p.i = p.run.end
	return pos, true
}

// lit takes the literal that begins here.
func (p *parser) lit() *Lit {
	r := p.literal()
	return p.litUpTo(p.i, r.end, r.text)
}

// litUpTo makes a literal of text and moves to its end.
func (p *parser) litUpTo(from, end int, text string) *Lit {
	l := p.lits.one()
	l.ValuePos, l.ValueEnd, l.Value = p.pos(from), p.pos(end), text
	p.i = end
	return l
}

// word reads a word; nil if there is none.
func (p *parser) word() *Word { return p.wordFrom(len(p.parts)) }

// wordFrom reads the rest of a word whose first parts are those from an index on.
func (p *parser) wordFrom(from int) *Word {
	for {
		part := p.part()
		if part == nil {
			return p.wordOf(from)
		}
		p.parts = append(p.parts, part)
	}
}

// wordOf makes a word of the parts from an index on; nil if there are none.
func (p *parser) wordOf(from int) *Word {
	if len(p.parts) == from {
		return nil
	}
	w := p.wordNodes.one()
	w.Parts = finish(&p.partLists, &p.parts, from)
	return w
}

// part reads a part of a word; nil if the word ends here.
func (p *parser) part() WordPart {
	c := p.c()
	if class[c]&endsWord != 0 {
		return nil
	}
	switch c {
	case '\'', '"', '`', '$':
		return p.opened(p.i, unquoted)
	case '<', '>':
		if p.peek(1) == '(' {
			return p.process()
		}
		return nil
	}
	if p.globAt(p.i) {
		return p.extGlob()
	}
	return p.lit()
}

// opened reads the part of a word that a quote or a dollar sign opens; it begins at an
// offset, which may be that of a dollar sign before a quote.
func (p *parser) opened(left int, in context) WordPart {
	switch p.c() {
	case '\'':
		return p.single(left)
	case '"':
		return p.double(left)
	case '`':
		return p.backquoted(false)
	}
	return p.dollar(in)
}

// single reads '...', or $'...' that begins at an offset before.
func (p *parser) single(left int) *SglQuoted {
	q := p.singles.one()
	q.Left, q.Dollar = p.pos(left), left < p.i
	from := p.i + 1
	for i := from; i < p.end; i++ {
		switch c := p.src[i]; {
		case c == '\\' && q.Dollar:
			i++
		case c == '\'':
			q.Right, q.Value = p.pos(i), p.src[from:i]
			p.i = i
			p.skip(1)
			return q
		}
	}
	p.fail(left, "reached EOF without closing quote `'`")
	return nil
}

// double reads "...", or $"..." that begins at an offset before.
func (p *parser) double(left int) *DblQuoted {
	p.enter()
	q := p.quotes.one()
	q.Left, q.Dollar = p.pos(left), left < p.i
	p.skip(1)
	from := len(p.parts)
	for p.c() != '"' {
		if p.i >= p.end {
			p.fail(left, "reached EOF without closing quote `\"`")
		}
		p.parts = append(p.parts, p.quotedPart('"'))
	}
	q.Right, q.Parts = p.here(), finish(&p.partLists, &p.parts, from)
	p.skip(1)
	p.leave()
	return q
}

// quotedPart reads a part of double quotes or of a here-document, for which the quote
// is 0.
func (p *parser) quotedPart(quote byte) WordPart {
	switch p.c() {
	case '$':
		if quote == 0 {
			return p.dollar(document)
		}
		return p.dollar(quoted)
	case '`':
		return p.backquoted(quote != 0)
	}
	return p.text(func(c byte) bool { return c == '$' || c == '`' || c == quote })
}

// text reads literal text up to an unescaped byte of some kind.
func (p *parser) text(stops func(byte) bool) *Lit {
	var joined []byte
	start, from, i := p.i, p.i, p.i
	for i < p.end {
		c := p.src[i]
		if c == '\\' {
			if next := p.joined(i); next > i {
				joined = append(joined, p.src[from:i]...)
				i, from = next, next
				continue
			}
			i++
		} else if stops(c) {
			break
		}
		i++
	}
	i = min(i, p.end)
	text := p.src[from:i]
	if joined != nil {
		text = string(append(joined, text...))
	}
	return p.litUpTo(start, i, text)
}

// context is what surrounds an expansion.
type context uint8

const (
	unquoted context = iota
	quoted
	document   // a here-document
	expression // of arithmetic
)

// dollar reads what begins with a dollar sign, which may stand for itself.
func (p *parser) dollar(in context) WordPart {
	left := p.i
	switch p.peek(1) {
	case '(':
		if p.peek(2) == '(' {
			return p.arithmExp()
		}
		return p.substitution()
	case '[':
		return p.arithmExp()
	case '{':
		p.skip(1)
		switch p.peek(1) {
		case ' ', '\t', '\n', '|':
			return p.function5(left)
		}
		return p.param(left, in)
	case '\'', '"':
		if in == unquoted || in == expression {
			p.skip(1)
			return p.opened(left, in)
		}
	}
	if pe := p.shortParam(); pe != nil {
		return pe
	}
	p.skip(1)
	return p.litUpTo(left, p.i, "$")
}

// nested reads the statements of a substitution. Here-documents that were begun around
// it wait for the end of the line it ends in.
func (p *parser) nested(funsub bool) []*Stmt {
	p.enter()
	buried, outer := p.buried, p.funsub
	p.funsub = funsub
	p.buried = len(p.pending)
	list := p.list()
	p.buried, p.funsub = buried, outer
	p.leave()
	return list
}

// closing moves past the parenthesis that must stand here.
func (p *parser) closing(left int, open string) Pos {
	if p.c() != ')' {
		if p.i < p.end {
			p.unexpected()
		}
		p.unclosed(left, open, ")")
	}
	pos := p.here()
	p.skip(1)
	return pos
}

func (p *parser) substitution() *CmdSubst {
	left := p.i
	cs := &CmdSubst{Left: p.here()}
	p.skip(2)
	cs.Stmts = p.nested(false)
	cs.Right = p.closing(left, "$(")
	return cs
}

// function5 reads ${ ...;} and ${|...;} of bash 5.3; the brace stands here.
func (p *parser) function5(left int) *CmdSubst {
	cs := &CmdSubst{Left: p.pos(left)}
	p.skip(1)
	cs.ReplyVar = p.c() == '|'
	cs.TempFile = !cs.ReplyVar
	if cs.ReplyVar {
		p.skip(1)
	}
	cs.Stmts = p.nested(true)
	if p.c() != '}' {
		p.unclosed(left, "${", "}")
	}
	cs.Right = p.here()
	p.skip(1)
	return cs
}

func (p *parser) process() *ProcSubst {
	left := p.i
	ps := &ProcSubst{OpPos: p.here(), Op: CmdIn}
	if p.c() == '>' {
		ps.Op = CmdOut
	}
	p.skip(2)
	ps.Stmts = p.nested(false)
	ps.Rparen = p.closing(left, ps.Op.String())
	return ps
}

// extGlob reads an extended pattern. What stands in it is kept as text: whether bash
// expands it depends on an option.
func (p *parser) extGlob() *ExtGlob {
	p.enter()
	left := p.i
	g := &ExtGlob{OpPos: p.here(), Op: GlobOperator(1 + strings.IndexByte("?*+@!", p.c()))}
	p.i += 2
	from := p.i
	for open := 1; ; {
		switch p.c() {
		case 0:
			p.unclosed(left, g.Op.String(), ")")
		case '(':
			open++
			p.i++
		case ')':
			if open--; open == 0 {
				text := p.src[from:p.i]
				g.Pattern = p.litUpTo(from, p.i, text)
				p.skip(1)
				p.leave()
				return g
			}
			p.i++
		case '\\':
			p.i = min(p.i+2, p.end)
		case '\'', '"', '$', '`':
			p.opened(p.i, unquoted)
		default:
			p.i++
		}
	}
}

// backquoted reads `...`. It ends at the first backquote without a backslash, whatever
// quotes there are, and its text is a script of its own.
func (p *parser) backquoted(quoted bool) *CmdSubst {
	left := p.i
	right := left + 1
	var cuts []int
	for ; right < p.end && p.src[right] != '`'; right++ {
		if p.src[right] != '\\' || right+1 >= p.end {
			continue
		}
		switch c := p.src[right+1]; c {
		case '$', '`', '\\', '"':
			if c != '"' || quoted {
				cuts = append(cuts, right-left-1-len(cuts))
			}
		}
		right++
	}
	if right >= p.end {
		p.fail(left, "reached EOF without closing quote ```")
	}
	cs := &CmdSubst{Left: p.pos(left), Backquotes: true}
	cs.Stmts = p.script(left+1, right, cuts)
	p.i = right
	cs.Right = p.here()
	p.skip(1)
	return cs
}

// elsewhere forgets what was seen at the offsets of another text.
func (p *parser) elsewhere() {
	p.run.at, p.bare = -1, -1
	p.join()
}

// script reads a stretch of the text as a script of its own, without some backslashes.
func (p *parser) script(from, to int, cuts []int) []*Stmt {
	src, end, of := p.src, p.end, p.layer
	if cuts == nil {
		p.i, p.end = from, to
	} else {
		text := make([]byte, 0, to-from)
		at := from
		for n, cut := range cuts {
			next := from + cut + n
			text = append(text, p.src[at:next]...)
			at = next + 1
		}
		text = append(text, p.src[at:to]...)
		p.layer = &layer{outer: of, src: src, from: from, cuts: cuts}
		p.src, p.i, p.end = string(text), 0, len(text)
	}
	waiting := len(p.pending)
	p.elsewhere()
	list := p.nested(false)
	if p.i < p.end {
		p.unexpected()
	}
	if len(p.pending) > waiting {
		p.noBodies()
	}
	p.src, p.end, p.layer = src, end, of
	p.elsewhere()
	return list
}
