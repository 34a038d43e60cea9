package language

import "strings"

// scriptScanner takes a program in a scripting language apart: Python if python
// is set, JavaScript otherwise. What could be read in two ways it refuses.
type scriptScanner struct {
	cursor
	python  bool
	tokens  []token
	parens  []string // as in awkReader
	closed  string
	problem string
	// formatted says that the last expression inside a string is not put there as it
	// is: a conversion or a format follows it.
	formatted bool
}

func (s *scriptScanner) fail(problem string) {
	if s.problem == "" {
		s.problem = problem
	}
}

func (s *scriptScanner) emit(t token) {
	t.fresh = len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].kind == tokLine
	s.tokens = append(s.tokens, t)
}

// going says whether there is more to read, and reason to.
func (s *scriptScanner) going() bool { return s.more() && s.problem == "" }

// scan reads to the end, or in an expression inside a string to its "}".
func (s *scriptScanner) scan(nested int) {
	s.bound(nested)
	open, base := 0, len(s.parens) // open: braces of this expression
	for s.going() {
		c := s.text[s.at]
		outermost := nested > 0 && open == 0
		switch {
		case outermost && s.format(c, base, nested):
		case s.pause(c), s.literal(c, nested):
		case c == '}' && outermost:
			s.at++
			return
		case strings.IndexByte("{}()[];,+-*/%^!<>|?:~=&@.", c) >= 0:
			open += strings.Count(string(c), "{") - strings.Count(string(c), "}")
			s.op()
		default:
			s.fail("a character that longline does not know outside of text")
		}
	}
	if nested > 0 {
		s.fail("a string does not end")
	}
}

// bound refuses what takes too long to read.
func (s *scriptScanner) bound(nested int) {
	if nested > 20 || len(s.text) > 200_000 {
		s.fail("it is nested too deeply or too long")
	}
}

// pause passes over blanks, comments and the ends of lines.
func (s *scriptScanner) pause(c byte) bool {
	switch {
	case c == ' ', c == '\t', s.ahead("\r\n"):
		s.at++
	case c == '\n':
		s.at++
		s.emit(token{kind: tokLine, text: s.indented()})
	case s.lineComment(c):
		s.comment()
	case s.python && s.ahead("\\\n"):
		s.at += 2
	case !s.python && s.ahead("/*"):
		s.longComment()
	default:
		return false
	}
	return true
}

// indented is the blanks that a line begins with.
func (s *scriptScanner) indented() string {
	rest := s.rest()
	return rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
}

// lineComment says whether a comment begins here that ends with the line.
func (s *scriptScanner) lineComment(c byte) bool {
	if s.python {
		return c == '#'
	}
	return s.ahead("//")
}

// longComment passes over a comment between marks. One with several lines ends a line.
func (s *scriptScanner) longComment() {
	body, _, ended := strings.Cut(s.rest()[2:], "*/")
	if !ended {
		s.fail("a comment does not end")
		return
	}
	s.take(len(body) + 4)
	if strings.ContainsAny(body, "\n\r\u2028\u2029") {
		s.emit(token{kind: tokLine})
	}
}

// literal reads a text, a name, a number or a regular expression.
func (s *scriptScanner) literal(c byte, nested int) bool {
	switch {
	case isQuote(c):
		s.str("")
	case s.nameByte(c) && !isDigit(c):
		s.name(nested)
	case s.numberHere():
		s.number()
	case s.python:
		return false
	case c == '`':
		s.template(nested)
	case c == '/' && s.regexHere():
		s.regex()
	default:
		return false
	}
	return true
}

// nameByte says whether a character can belong to a name.
func (s *scriptScanner) nameByte(c byte) bool { return isWordByte(c) || c == '$' && !s.python }

// number reads a number, with all letters that follow it.
func (s *scriptScanner) number() {
	start := s.at
	for isWordByte(s.peek(0)) || s.numberHere() {
		s.at++
	}
	s.emit(token{kind: tokNumber, text: s.text[start:s.at]})
}

// format reads what may follow an expression in a Python string, where no more brackets
// are open than in front of it: a conversion, or how it is formatted.
func (s *scriptScanner) format(c byte, open, nested int) bool {
	if !s.python || len(s.parens) != open {
		return false
	}
	if s.conversion() {
		return true
	}
	if c == ':' {
		s.formatSpec(nested)
	}
	return c == ':'
}

func (s *scriptScanner) comment() {
	start := s.at
	for s.more() && s.text[s.at] != '\n' {
		if s.oddLineEnd() {
			s.fail("an unusual end of a line")
			return
		}
		s.at++
	}
	// One of the first two lines of a Python program can say how it is encoded.
	if s.python && strings.Contains(s.text[start:s.at], "coding") && strings.Count(s.text[:start], "\n") < 2 {
		s.fail("a comment that may change how the program is read")
	}
}

// oddLineEnd says whether something comes next that ends a line for some readers and not
// for others.
func (s *scriptScanner) oddLineEnd() bool {
	switch s.text[s.at] {
	case '\r':
		return s.peek(1) != '\n'
	case '\f', 0:
		return true
	}
	return s.ahead("\u2028") || s.ahead("\u2029")
}

func (s *scriptScanner) name(nested int) {
	start := s.at
	for s.more() && s.nameByte(s.text[s.at]) {
		s.at++
	}
	name := s.text[start:s.at]
	switch {
	case s.python && isQuote(s.peek(0)):
		s.prefixed(name, nested)
	default:
		s.emit(token{kind: tokName, text: name})
	}
}

// prefixed reads a Python string, whose kind the letters in front of it say.
func (s *scriptScanner) prefixed(prefix string, nested int) {
	switch {
	case HasWord("f F fr rf Fr fR rF Rf FR RF", prefix):
		s.fstring(nested)
	case HasWord("r b u R B U rb br Rb bR rB Br RB BR", prefix):
		s.str(prefix)
	default:
		s.fail("a kind of string that longline does not know")
	}
}

// quotes reads the quotes that open a string: one, or in Python three.
func (s *scriptScanner) quotes() string {
	q := s.text[s.at : s.at+1]
	if s.python && strings.HasPrefix(s.text[s.at:], q+q+q) {
		q += q + q
	}
	s.at += len(q)
	return q
}

// str reads a string without expressions in it. It is plain if it means just
// what is written.
func (s *scriptScanner) str(prefix string) {
	quote := s.quotes()
	start, plain := s.at, true
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case strings.HasPrefix(s.text[s.at:], quote):
			text := s.text[start:s.at]
			if !plain {
				text, plain = s.unescape(prefix, text)
			}
			s.emit(token{kind: tokString, text: text, plain: plain})
			s.at += len(quote)
			return
		case c == '\\':
			plain = false
			s.at += 2
		case c == '\n' && len(quote) == 1, c == 0, c == '\r':
			s.fail("a line ends inside a string")
			return
		default:
			s.at++
		}
	}
	s.fail("a string does not end")
}

// unescape is what a string with backslashes means, if that is sure.
func (s *scriptScanner) unescape(prefix, text string) (string, bool) {
	if s.python && strings.ContainsAny(prefix, "rR") {
		return text, true
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		digits, ok := s.escape(&b, text[i:], strings.ContainsAny(prefix, "bB"))
		if !ok {
			return text, false
		}
		i += digits
	}
	return b.String(), true
}

// escape writes what a backslash and the text behind it stand for. It returns how many
// digits behind the first character belong to that.
func (s *scriptScanner) escape(b *strings.Builder, text string, bytes bool) (digits int, ok bool) {
	switch c := text[0]; c {
	case '\\', '\'', '"':
		b.WriteByte(c)
	case '/', '`', '$':
		if s.python {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'x':
		return 2, writeHex(b, text[1:], 2)
	case 'u':
		return 4, !bytes && writeHex(b, text[1:], 4)
	default:
		return 0, false
	}
	return 0, true
}

// writeHex writes the character that so many hexadecimal digits stand for.
func writeHex(b *strings.Builder, text string, digits int) bool {
	c, ok := hexByte(text, digits)
	b.WriteByte(c)
	return ok
}

// hexByte is the character that so many hexadecimal digits stand for, if it is one of
// ASCII.
func hexByte(text string, digits int) (byte, bool) {
	if digits > len(text) {
		return 0, false
	}
	value := 0
	for i := range digits {
		d := HexDigit(text[i])
		if d < 0 {
			return 0, false
		}
		value = value*16 + d
	}
	return byte(value), value < 0x80
}

// fstring reads a Python string with expressions. Versions differ in whether
// its quotes may stand in them; where they do it gives up. The tokens of each
// expression stand in parentheses in front of the string's own, which knows them
// as its pieces.
func (s *scriptScanner) fstring(nested int) {
	raw := s.among(-1, "rR") || s.among(-2, "rR")
	whole := &joined{from: len(s.tokens)}
	quote := s.quotes()
	start := s.at
	for s.going() {
		switch c := s.text[s.at]; {
		case s.ahead(quote):
			whole.add(s.text[start:s.at], raw)
			s.at += len(quote)
			s.emit(token{kind: tokString, joined: whole})
			return
		case s.ahead("{{"), s.ahead("}}"):
			s.at += 2
		case c == '\\':
			if s.among(1, "N{") {
				s.fail("an escape in a string with expressions")
			}
			s.at += 2
		case endsLine(c, quote):
			s.fail("a line ends inside a string")
		case c == '{':
			whole.add(s.text[start:s.at], raw)
			whole.pieces = append(whole.pieces, s.expression(quote, nested))
			start = s.at
		default:
			s.at++
		}
	}
	s.fail("a string does not end")
}

// add adds a part of a string that is text. In one that is not raw, a backslash may mean
// something.
func (j *joined) add(text string, raw bool) {
	if text != "" {
		odd := strings.Contains(text, `\`) && !raw
		j.pieces = append(j.pieces, piece{text: strings.NewReplacer("{{", "{", "}}", "}").Replace(text), odd: odd})
	}
}

// endsLine says whether a character ends the line in a string between such quotes, or may
// do so.
func endsLine(c byte, quote string) bool {
	return c == '\n' && len(quote) == 1 || c == 0 || c == '\r'
}

// expression reads an expression in a Python string, of which the brace stands here.
func (s *scriptScanner) expression(quote string, nested int) piece {
	s.at++
	start := s.at
	s.emit(token{kind: tokOp, text: "("})
	at := len(s.tokens)
	s.formatted = false
	s.scan(nested + 1)
	p := piece{expression: at, odd: s.formatted}
	s.formatted = true // of the string around this one nothing is known
	s.emit(token{kind: tokOp, text: ")"})
	if inner := s.text[start:min(s.at, len(s.text))]; strings.Contains(inner, quote[:1]) || strings.ContainsAny(inner, "\\#\n") {
		s.fail("quotes inside a string with expressions")
	}
	return p
}

// conversion passes over the "!r" or the "=" that ends an expression in a string.
func (s *scriptScanner) conversion() bool {
	n, after := 1, "}:!"
	switch c := s.text[s.at]; {
	case c == '!' && s.among(1, "rsa"):
		n, after = 2, "}:"
	case c != '=' || s.peek(1) == '=':
		return false
	}
	for s.peek(n) == ' ' {
		n++
	}
	if !s.among(n, after) {
		return false
	}
	s.at += n
	s.formatted = true
	return true
}

// formatSpec reads how a value in a string is formatted, up to its "}": plain
// text, in which expressions can stand.
func (s *scriptScanner) formatSpec(nested int) {
	s.formatted = true
	for s.at++; s.going(); {
		switch c := s.text[s.at]; c {
		case '}':
			return
		case '{':
			s.at++
			s.emit(token{kind: tokOp, text: "("})
			s.scan(nested + 1)
			s.emit(token{kind: tokOp, text: ")"})
		case '"', '\'', '\\', '\n', '\r', 0:
			s.fail("quotes inside a string with expressions")
		default:
			s.at++
		}
	}
}

// template reads a JavaScript string with expressions.
func (s *scriptScanner) template(nested int) {
	s.at++
	start, plain := s.at, true
	var begun *joined
	for s.going() {
		switch c := s.text[s.at]; {
		case c == '`':
			t := token{kind: tokString, joined: begun}
			if plain && !s.value() { // behind a value it would be a call
				t.text, t.plain = s.text[start:s.at], true
			}
			s.at++
			s.emit(t)
			return
		case c == '\\':
			plain = false
			s.at += 2
		case c == '$' && s.peek(1) == '{':
			if plain {
				begun = &joined{pieces: []piece{{text: s.text[start:s.at]}}}
			}
			plain = false
			s.at += 2
			s.emit(token{kind: tokOp, text: "("})
			s.scan(nested + 1)
			s.emit(token{kind: tokOp, text: ")"})
		default:
			s.at++
		}
	}
	s.fail("a string does not end")
}

// value says whether the last token can be a value.
func (s *scriptScanner) value() bool {
	last := tokenAt(s.tokens, len(s.tokens)-1)
	return last.kind == tokName && !HasWord("return typeof case in of do else void delete throw new instanceof await yield", last.text) || last.kind == tokString || last.closes()
}

// op reads an operator.
func (s *scriptScanner) op() {
	if !s.python && (s.ahead("<!--") || s.ahead("-->")) {
		s.fail("a comment of an old kind")
		return
	}
	text := s.rest()[:1]
	for _, op := range [...]string{"===", "!==", "**=", "&&=", "||=", "??=", "...", "&&", "||", "??", "?.", "=>", "==", "!=", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "++", "--", "**", "<<", ">>", "//"} {
		if s.ahead(op) && s.hasOperator(op) {
			text = op
			break
		}
	}
	if !s.nest(text) {
		s.fail("parentheses do not match")
		return
	}
	s.at += len(text)
	s.emit(token{kind: tokOp, text: text})
}

// hasOperator says whether the language has an operator that comes next.
func (s *scriptScanner) hasOperator(op string) bool {
	switch op {
	case "//", "->":
		return s.python
	case "?.":
		return !isDigit(s.peek(2)) // a condition and a number
	}
	return true
}

// nest keeps the brackets that are open; it is false for one that does not fit.
func (s *scriptScanner) nest(text string) bool {
	switch text {
	case "(", "[", "{":
		name := ""
		n := len(s.tokens) - 1
		if last := tokenAt(s.tokens, n); last.kind == tokName && !tokenAt(s.tokens, n-1).isOne(".", "?.") {
			name = last.text // a member may be called like a word of the language
		}
		s.parens = append(s.parens, text+name)
	case ")", "]", "}":
		if len(s.parens) == 0 {
			return false
		}
		s.closed = s.parens[len(s.parens)-1]
		s.parens = s.parens[:len(s.parens)-1]
		return partner(s.closed[0]) == text[0]
	}
	return true
}

// regexHere says whether a slash begins a regular expression in JavaScript.
func (s *scriptScanner) regexHere() bool {
	i := s.lastOnLines()
	last := tokenAt(s.tokens, i)
	if last.kind == tokName && tokenAt(s.tokens, i-1).isOne(".", "?.") {
		return false
	}
	switch {
	case last.named("of await yield let async static get set"), last.is(")") && s.closed == "(await", last.isOne("}", "++", "--"):
		s.fail("a slash that can be read in two ways")
		return false
	case last.kind == tokName:
		return HasWord("return typeof case in do else void delete throw new instanceof break continue debugger", last.text)
	case last.is(")"):
		return HasWord("(if (while (for (with", s.closed)
	}
	return last.kind == tokEnd || last.kind == tokOp && !last.is("]")
}

// lastOnLines is the index of the last token that is no end of a line; -1 if there is none.
func (s *scriptScanner) lastOnLines() int {
	i := len(s.tokens) - 1
	for i >= 0 && s.tokens[i].kind == tokLine {
		i--
	}
	return i
}

func (s *scriptScanner) regex() {
	start := s.at
	s.at++
	for brackets := false; s.at < len(s.text); {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '\n':
			s.fail("a line ends inside a regular expression")
			return
		case c == '\\':
			s.at++
		case c == '[':
			brackets = true
		case c == ']':
			brackets = false
		case c == '/' && !brackets:
			for s.at < len(s.text) && isLetter(s.text[s.at]) {
				s.at++
			}
			s.emit(token{kind: tokRegex, text: s.text[start:s.at]})
			return
		}
	}
	s.fail("a regular expression does not end")
}
