package syntax

// special says whether a byte is the name of a parameter that has no other name.
func special(c byte) bool {
	switch c {
	case '@', '*', '#', '$', '?', '!', '-':
		return true
	}
	return false
}

// isName says whether a text can be the name of a variable.
func isName(s string) bool {
	if s == "" || class[s[0]]&digit != 0 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if class[s[i]]&nameByte == 0 {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if class[s[i]]&digit == 0 {
			return false
		}
	}
	return s != ""
}

// shortParam reads $name; nil if the dollar sign here is not the beginning of one.
func (p *parser) shortParam() *ParamExp {
	c := p.peek(1)
	if class[c]&nameByte == 0 && !special(c) {
		return nil
	}
	pe := p.params.one()
	pe.Dollar, pe.Short = p.here(), true
	p.skip(1)
	if special(c) || class[c]&digit != 0 {
		pe.Param = p.one()
	} else {
		pe.Param = p.name()
	}
	return pe
}

// one takes one byte as a literal.
func (p *parser) one() *Lit {
	from := p.i
	text := p.src[from : from+1]
	p.skip(1)
	return p.litUpTo(from, p.i, text)
}

// name takes letters and digits as a literal.
func (p *parser) name() *Lit {
	from := p.i
	i := from
	for i < p.end && class[p.src[i]]&nameByte != 0 {
		i++
	}
	text := p.src[from:i]
	if next := p.joined(i); next > i {
		bytes := []byte(text)
		for i = next; i < p.end && class[p.src[i]]&nameByte != 0; i = p.joined(i + 1) {
			bytes = append(bytes, p.src[i])
		}
		text = string(bytes)
	}
	return p.litUpTo(from, i, text)
}

// param reads ${...}; the brace stands here.
func (p *parser) param(left int, in context) *ParamExp {
	p.enter()
	pe := p.params.one()
	pe.Dollar = p.pos(left)
	p.skip(1)
	p.paramName(pe)
	if p.c() == '[' {
		if !isName(pe.Param.Value) {
			p.fail(p.i, "only a variable has an index")
		}
		pe.Index = p.index()
	}
	if p.c() != '}' {
		if pe.Length {
			p.fail(p.i, "an expansion of ${#name} is not possible")
		}
		p.paramOperator(pe, in)
	}
	if p.c() != '}' {
		if p.i < p.end {
			p.unexpected()
		}
		p.unclosed(left, "${", "}")
	}
	pe.Rbrace = p.here()
	p.skip(1)
	p.leave()
	return pe
}

// paramName reads the name and what stands before it.
func (p *parser) paramName(pe *ParamExp) {
	p.paramSign(pe)
	if special(p.c()) {
		pe.Param = p.one()
		return
	}
	at := p.i
	if pe.Param = p.name(); !isName(pe.Param.Value) && !isNumber(pe.Param.Value) {
		p.fail(at, "this is not the name of a parameter")
	}
}

// paramSign reads the # or ! before a name, which may be the name itself.
func (p *parser) paramSign(pe *ParamExp) {
	next := p.peek(1)
	if class[next]&nameByte == 0 && !special(next) {
		return
	}
	switch p.c() {
	case '#':
		if after := p.peek(2); (next == '-' || next == '?') && after != '}' {
			return // ${#-word} is about $#
		}
		pe.Length = true
		p.skip(1)
	case '!':
		pe.Excl = true
		p.skip(1)
	}
}

// paramOperator reads what follows the name.
func (p *parser) paramOperator(pe *ParamExp, in context) {
	switch c := p.c(); c {
	case '/':
		p.replace(pe, in)
	case ':':
		switch p.peek(1) {
		case '-', '+', '=', '?':
			p.expansion(pe, in, 2)
		case '#', '|', '*':
			p.unexpected()
		default:
			p.slice(pe)
		}
	case '-', '+', '=', '?':
		p.expansion(pe, in, 1)
	case '%', '#', '^', ',':
		if p.peek(1) == c {
			p.expansion(pe, unquoted, 2)
		} else {
			p.expansion(pe, unquoted, 1)
		}
	case '@', '*':
		p.names(pe)
	default:
		p.unexpected()
	}
}

// names reads the operators @ and *.
func (p *parser) names(pe *ParamExp) {
	star := p.c() == '*'
	if pe.Excl && p.peek(1) == '}' {
		pe.Names = NamesPrefixWords
		if star {
			pe.Names = NamesPrefix
		}
		p.skip(1)
		return
	}
	if star {
		p.unexpected()
	}
	switch p.peek(1) {
	case 'a', 'k', 'u', 'A', 'E', 'K', 'L', 'P', 'U', 'Q':
	default:
		p.unexpected()
	}
	p.expansion(pe, unquoted, 1)
	if l, ok := pe.Exp.Word.Parts[0].(*Lit); !ok || len(l.Value) != 1 {
		p.failAt(pe.Exp.Word.Pos(), "this is not an operator of ${name@}")
	}
}

// expansion reads an operator of n bytes and its word.
func (p *parser) expansion(pe *ParamExp, in context, n int) {
	text := p.src[p.i : p.i+1]
	if n == 2 {
		text += string(p.peek(1))
	}
	p.skip(n)
	pe.Exp = &Expansion{Op: numbered[ParExpOperator](parExpOperators[:], text)}
	pe.Exp.Word = p.paramWord(in, false)
}

func (p *parser) replace(pe *ParamExp, in context) {
	pe.Repl = &Replace{}
	p.skip(1)
	if p.c() == '/' {
		pe.Repl.All = true
		p.skip(1)
	}
	pe.Repl.Orig = p.paramWord(unquoted, true)
	if p.c() == '/' {
		p.skip(1)
		pe.Repl.With = p.paramWord(unquoted, false)
	}
}

// slice reads :offset:length.
func (p *parser) slice(pe *ParamExp) {
	pe.Slice = &Slice{}
	p.skip(1)
	a := arith{p, inSlice}
	if a.space(); p.c() != ':' {
		pe.Slice.Offset = a.must()
	}
	if p.c() == ':' {
		p.skip(1)
		pe.Slice.Length = a.must()
	}
}

// paramWord reads the word of an operator, up to the brace or to a slash. In double
// quotes and in here-documents, single quotes mean nothing in the words of defaults.
func (p *parser) paramWord(in context, slash bool) *Word {
	from := len(p.parts)
	quotes := in != quoted && in != document
	stops := func(c byte) bool {
		switch c {
		case '}', '"', '`', '$':
			return true
		case '\'':
			return quotes
		case '/':
			return slash
		}
		return false
	}
	for p.i < p.end {
		var part WordPart
		switch c := p.c(); {
		case !stops(c):
			part = p.text(stops)
		case c == '}' || c == '/':
			return p.wordOf(from)
		default:
			part = p.opened(p.i, in)
		}
		p.parts = append(p.parts, part)
	}
	return p.wordOf(from)
}
