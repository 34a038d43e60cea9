package syntax

import "strings"

// redirects says whether a redirection begins here.
func (p *parser) redirects() bool {
	switch c := p.c(); {
	case c == '<' || c == '>':
		return p.peek(1) != '('
	case c == '&':
		return p.peek(1) == '>'
	case c == '{' || class[c]&digit != 0:
		r := p.literal()
		return r.whole && r.end < p.end && (p.src[r.end] == '<' || p.src[r.end] == '>') && isDescriptor(r.text)
	}
	return false
}

// isDescriptor says whether a literal before < or > is a number, {name} or {name[i]}.
func isDescriptor(s string) bool {
	if s[0] != '{' {
		return isNumber(s)
	}
	if s[len(s)-1] != '}' {
		return false
	}
	name := s[1 : len(s)-1]
	if n := strings.IndexByte(name, '['); n > 0 && n < len(name)-2 && name[len(name)-1] == ']' {
		name = name[:n]
	}
	return isName(name)
}

// redirection reads one, if it stands here, and the blanks behind it.
func (p *parser) redirection() bool {
	if !p.redirects() {
		return false
	}
	r := p.redirNodes.one()
	if c := p.c(); c != '<' && c != '>' && c != '&' {
		r.N = p.lit()
	}
	at := p.i
	r.OpPos = p.here()
	op := p.redirOperator()
	r.Op = numbered[RedirOperator](redirOperators[:], op)
	p.skip(len(op))
	p.blank()
	p.redirs = append(p.redirs, r)
	switch r.Op {
	case Hdoc, DashHdoc:
		p.pending = append(p.pending, r)
		r.Word = p.word()
	case DplIn, DplOut:
		if p.c() == '-' { // closes the descriptor, whatever follows
			p.parts = append(p.parts, p.one())
			r.Word = p.wordOf(len(p.parts) - 1)
			break
		}
		r.Word = p.word()
	default:
		r.Word = p.word()
	}
	if r.Word == nil {
		if p.i < p.end {
			p.unexpected()
		}
		p.fail(at, "`"+op+"` without a target")
	}
	p.blank()
	return true
}

// redirOperator is the operator that stands here.
func (p *parser) redirOperator() string {
	b := [3]byte{p.c(), p.peek(1), p.peek(2)}
	for n := 3; n > 1; n-- {
		if op := string(b[:n]); numbered[RedirOperator](redirOperators[:], op) != 0 {
			return op
		}
	}
	return string(b[:1])
}

// noBodies refuses the script if a here-document has no text.
func (p *parser) noBodies() {
	for _, r := range p.pending {
		p.failAt(r.Pos(), "the text of a here-document is missing")
	}
}

// bodies reads the here-documents that begin with this line.
func (p *parser) bodies() {
	list := p.pending[p.buried:]
	p.pending = p.pending[:p.buried]
	for _, r := range list {
		p.hereDocument(r)
	}
}

// hereDocument reads the text of one. It ends before a line that is the delimiter,
// whatever the text is made of.
func (p *parser) hereDocument(r *Redirect) {
	delimiter, plain := p.delimiter(r.Word)
	from := p.i
	for at := from; at < p.end; {
		line, next := p.line(at, plain)
		text := strings.TrimSuffix(line, "\n")
		if r.Op == DashHdoc {
			text = strings.TrimLeft(text, "\t")
		}
		if text != delimiter {
			at = next
			continue
		}
		if r.Op == DashHdoc { // its tabs count as text
			for p.src[at] == '\t' {
				at++
			}
		}
		end := next
		if strings.HasSuffix(line, "\n") {
			end--
		}
		p.document(r, from, at, end, plain)
		p.i = next
		p.elsewhere()
		return
	}
	p.failAt(r.Pos(), "unclosed here-document `"+delimiter+"`")
}

// line is the line at an offset, and where the next one begins. In plain text a
// backslash at its end joins the next one to it.
func (p *parser) line(at int, plain bool) (string, int) {
	next := p.lineEnd(at)
	if plain || !p.joins {
		return p.src[at:next], next
	}
	var joined []byte
	for continued(p.src[at:next]) && next < p.end {
		joined = append(joined, p.src[at:next-2]...)
		at, next = next, p.lineEnd(next)
	}
	if joined == nil {
		return p.src[at:next], next
	}
	return string(append(joined, p.src[at:next]...)), next
}

func (p *parser) lineEnd(at int) int {
	if n := strings.IndexByte(p.src[at:p.end], '\n'); n >= 0 {
		return at + n + 1
	}
	return p.end
}

// continued says whether a line ends in a backslash that is not escaped itself.
func continued(line string) bool {
	line = strings.TrimSuffix(line, "\n")
	n := len(line) - len(strings.TrimRight(line, "\\"))
	return n%2 == 1
}

// document makes the text of a here-document, which reaches from one offset to another;
// its delimiter ends at a third one, and so does the last literal.
func (p *parser) document(r *Redirect, from, to, end int, plain bool) {
	if from == to {
		return
	}
	if plain {
		r.Hdoc = p.wordNodes.one()
		r.Hdoc.Parts = p.partLists.take(1)
		r.Hdoc.Parts[0] = p.litUpTo(from, end, p.src[from:to])
		return
	}
	p.enter()
	outer, buried := p.end, p.buried
	p.i, p.end, p.buried = from, to, len(p.pending)
	p.elsewhere()
	parts := len(p.parts)
	for p.i < p.end {
		p.parts = append(p.parts, p.quotedPart(0))
	}
	p.end, p.buried = outer, buried
	r.Hdoc = p.wordOf(parts)
	if r.Hdoc != nil {
		if l, ok := r.Hdoc.Parts[len(r.Hdoc.Parts)-1].(*Lit); ok {
			l.ValueEnd = p.pos(end)
		}
	}
	p.leave()
}

// delimiter is the word of a here-document without its quotes, and whether there were
// any, which makes the text plain.
func (p *parser) delimiter(w *Word) (text string, plain bool) {
	if len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*Lit); ok && !contains(l.Value, '\\') {
			return l.Value, false
		}
	}
	return p.unquoted(w)
}

// unquoted is delimiter for a word of which a part is quoted.
func (p *parser) unquoted(w *Word) (text string, plain bool) {
	var b []byte
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *Lit:
			b = appendUnescaped(b, part.Value)
			plain = plain || contains(part.Value, '\\')
		case *SglQuoted:
			if part.Dollar && contains(part.Value, '\\') {
				p.notADelimiter(part)
			}
			b, plain = append(b, part.Value...), true
		case *DblQuoted:
			b, plain = p.appendQuoted(b, part), true
		default:
			p.notADelimiter(part)
		}
	}
	return string(b), plain
}

// appendUnescaped appends a text without the backslashes that protect something.
func appendUnescaped(b []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			if i++; i == len(text) {
				break
			}
		}
		b = append(b, text[i])
	}
	return b
}

// appendQuoted appends what stands in double quotes, which must be literal.
func (p *parser) appendQuoted(b []byte, q *DblQuoted) []byte {
	for _, part := range q.Parts {
		l, ok := part.(*Lit)
		if !ok || contains(l.Value, '\\') {
			p.notADelimiter(part)
		}
		b = append(b, l.Value...)
	}
	return b
}

func (p *parser) notADelimiter(n Node) {
	p.failAt(n.Pos(), "this cannot end a here-document")
}
