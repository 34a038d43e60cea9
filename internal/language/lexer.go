package language

import "strings"

// token is one token of a small language.
type token struct {
	kind tokenKind
	text string // as written; of a string its meaning
	// plain says that text is all a string can mean.
	plain bool
	// fresh says that the token is the first on its line.
	fresh  bool
	joined *joined // of a string with expressions
}

// joined is a string with expressions: the token that it begins at, and what it is
// made of.
type joined struct {
	from   int
	pieces []piece
}

// piece is a part of a string with expressions: text, or the expression whose tokens
// begin at an index. Odd is one that does not stand for just what is written.
type piece struct {
	text       string
	expression int
	odd        bool
}

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokNumber
	tokString
	tokRegex
	tokOp
	tokLine // the end of a line, where it means something
)

func (t token) is(op string) bool { return t.kind == tokOp && t.text == op }
func (t token) isOne(ops ...string) bool {
	for _, op := range ops {
		if t.is(op) {
			return true
		}
	}
	return false
}

func (t token) isName(n string) bool { return t.kind == tokName && t.text == n }

// isText says whether a token is a string that means just what is written.
func (t token) isText() bool { return t.kind == tokString && t.plain }

// named says whether a token is one of a list of names.
func (t token) named(list string) bool { return t.kind == tokName && HasWord(list, t.text) }

// assigns says whether a token is an operator that gives what stands before it a value.
func (t token) assigns() bool {
	return t.kind == tokOp && strings.HasSuffix(t.text, "=") && !t.isOne("==", "===", "!=", "!==", "<=", ">=", ":=")
}

func (t token) opens() bool  { return t.isOne("(", "[", "{") }
func (t token) closes() bool { return t.isOne(")", "]", "}") }

func tokenAt(ts []token, i int) token { return tokenAtOr(ts, i, token{}) }

func tokenAtOr(ts []token, i int, none token) token {
	if i < 0 || i >= len(ts) {
		return none
	}
	return ts[i]
}

// looks says whether the tokens from i on are as a pattern says: words with a blank
// between them, of which NAME, TEXT and NUMBER stand for any name, a text that means just
// what is written and a number. Other words are names and operators.
func looks(ts []token, i int, pattern string) bool {
	for word := range strings.SplitSeq(pattern, " ") {
		t, ok := tokenAt(ts, i), false
		switch word {
		case "NAME":
			ok = t.kind == tokName
		case "TEXT":
			ok = t.isText()
		case "NUMBER":
			ok = t.kind == tokNumber
		default:
			ok = t.text == word && (t.kind == tokOp || t.kind == tokName)
		}
		if !ok {
			return false
		}
		i++
	}
	return true
}

// cursor is a place in the text of a program. Every reader moves one.
type cursor struct {
	text string
	at   int
}

func (c *cursor) more() bool { return c.at < len(c.text) }

// rest is the text from here on.
func (c *cursor) rest() string { return c.text[min(c.at, len(c.text)):] }

// peek is the byte that stands so far ahead, or 0.
func (c *cursor) peek(ahead int) byte {
	if i := c.at + ahead; i >= 0 && i < len(c.text) {
		return c.text[i]
	}
	return 0
}

// ahead says whether a text comes next.
func (c *cursor) ahead(text string) bool { return strings.HasPrefix(c.rest(), text) }

// among says whether the byte that stands so far ahead is one of several.
func (c *cursor) among(ahead int, bytes string) bool {
	b := c.peek(ahead)
	return b != 0 && strings.IndexByte(bytes, b) >= 0
}

// numberHere says whether a number comes next, which may begin with a point.
func (c *cursor) numberHere() bool {
	b := c.peek(0)
	return isDigit(b) || b == '.' && isDigit(c.peek(1))
}

// pass passes over a byte if it comes next.
func (c *cursor) pass(b byte) {
	if c.more() && c.text[c.at] == b {
		c.at++
	}
}

// take passes over some bytes and returns them.
func (c *cursor) take(n int) string {
	start := min(c.at, len(c.text))
	c.at = min(start+n, len(c.text))
	return c.text[start:c.at]
}

// word passes over letters and digits, pass over blanks, line over the rest of the line.
func (c *cursor) word() string { return c.take(wordLength(c.rest())) }

func (c *cursor) line() string {
	line, _, _ := strings.Cut(c.rest(), "\n")
	return c.take(len(line))
}

// operator passes over the first of several operators that comes next, or over one byte.
func (c *cursor) operator(longer ...string) string {
	for _, op := range longer {
		if c.ahead(op) {
			return c.take(len(op))
		}
	}
	return c.take(1)
}

// partner is the bracket that closes one, or the byte itself.
func partner(open byte) byte {
	if i := strings.IndexByte("([{<", open); i >= 0 {
		return ")]}>"[i]
	}
	return open
}

// wordLength is how many bytes at the start of text belong to one name.
func wordLength(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

// numberLength is how much of a text is a number. A name can stand right
// behind it in languages that need no blank between values.
func numberLength(text string) int {
	if n := hexLength(text); n > 0 {
		return n
	}
	i := digitsFrom(text, 0)
	if i < len(text) && text[i] == '.' {
		i = digitsFrom(text, i+1)
	}
	return max(exponentFrom(text, i), 1)
}

// hexLength is how much of a text is a hexadecimal number; 0 if it begins with none.
func hexLength(text string) int {
	if len(text) < 3 || text[0] != '0' || text[1]|0x20 != 'x' || HexDigit(text[2]) < 0 {
		return 0
	}
	n := 3
	for n < len(text) && HexDigit(text[n]) >= 0 {
		n++
	}
	return n
}

// exponentFrom is the index behind the exponent that begins at i, or i if there is none.
func exponentFrom(text string, i int) int {
	if i >= len(text) || text[i]|0x20 != 'e' {
		return i
	}
	digits := i + 1
	if digits < len(text) && (text[digits] == '+' || text[digits] == '-') {
		digits++
	}
	if end := digitsFrom(text, digits); end > digits {
		return end
	}
	return i
}

// digitsFrom is the index behind the digits that begin at i.
func digitsFrom(text string, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}

// lexer takes a program apart into tokens. Readers of small languages embed it.
type lexer struct {
	cursor
	tokens []token
	deeds  Deeds
}

func (l *lexer) emit(t token)        { l.tokens = append(l.tokens, t) }
func (l *lexer) fail(problem string) { l.deeds.fail(problem) }
func (l *lexer) last() token         { return tokenAt(l.tokens, len(l.tokens)-1) }

// going says whether there is more to read, and reason to.
func (l *lexer) going() bool { return l.more() && l.deeds.Problem == "" }

// op emits an operator of so many bytes.
func (l *lexer) op(n int) { l.emit(token{kind: tokOp, text: l.take(n)}) }

// comment passes over a comment that ends with a mark.
func (l *lexer) comment(opens, ends string) {
	body, _, ok := strings.Cut(l.rest()[len(opens):], ends)
	if !ok {
		l.fail("a comment does not end")
	}
	l.take(len(opens) + len(body) + len(ends))
}
