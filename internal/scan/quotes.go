package scan

import "strings"

// quotes says in what quotes a part of a word stands.
type quotes uint8

const (
	bare quotes = iota
	quoted
	// matched is quoted, but in a word that bash reads as if it were not: a pattern, what takes the place of
	// what matches it, or the message of an error.
	matched
)

func (s *scanner) single() {
	n := strings.IndexByte(s.src[s.pos+1:], '\'')
	if n < 0 {
		s.pos = len(s.src)
		return
	}
	if s.quoteless > 0 && strings.Contains(s.src[s.pos:s.pos+n], "\\\n") {
		s.oddly("a continued line in quotes inside backquotes", s.pos)
	}
	if s.quoteless > 0 && strings.ContainsAny(s.src[s.pos:s.pos+n+1], "`\\") {
		s.oddly("an escape in quotes inside backquotes", s.pos)
	}
	s.pos += n + 2
}

// double scans double-quoted text up to the closing quote; with 0, to the end.
func (s *scanner) double(quote byte) {
	if !s.open() {
		return
	}
	apart, words := s.apart, s.words
	s.apart, s.words = false, 0
	defer func() { s.depth, s.apart, s.words = s.depth-1, apart, words }()
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case '\\':
			s.quotedEscape()
		case '"':
			s.pos++
			if quote == '"' {
				return
			}
		case '$':
			s.dollar(quoted)
		case '`':
			if s.quoteless > 0 {
				s.oddly("a backquote in quotes inside backquotes", s.pos)
			}
			s.backquote()
		default:
			s.pos++
		}
	}
}

// quotedEscape scans a backslash inside double quotes.
func (s *scanner) quotedEscape() {
	next := s.at(1)
	switch {
	case next == '\n':
		s.cut(2)
		return
	case s.quoteless == 0:
	case next == '$':
		s.pos++
		return
	case next == '`' || next == '\\' || next == '"':
		s.oddly("an escape in quotes inside backquotes", s.pos)
	}
	s.escape()
}

// inner scans the part of a word that begins with c: quoted text, an expansion or a
// substitution.
func (s *scanner) inner(c byte, q quotes) {
	switch c {
	case '\'':
		s.single()
	case '"':
		s.pos++
		s.double('"')
	case '$':
		s.dollar(q)
	case '`':
		s.backquote()
	}
}

// dollar scans what a dollar sign begins.
func (s *scanner) dollar(q quotes) {
	if q != bare && s.at(1) == '\\' && s.at(2) == '\n' {
		s.oddly("zsh does not join these lines", s.pos)
	}
	switch s.peek(1) {
	case '(':
		s.Substitutions.Add(s.here())
		s.skip(1)
		if s.peek(1) == '(' && s.arithmetic(2) {
			return
		}
		s.skip(1)
		s.commands(')')
	case '{':
		s.Parameters.Add(s.here())
		s.skip(2)
		s.parameter(q)
	case '[':
		s.skip(2)
		s.bracket()
	case '\'':
		s.ansi(q)
	case '$', '#', '*', '@', '?', '!', '-':
		s.skip(2)
	default:
		s.skip(1)
	}
}

// ansi scans $'...', which inside double quotes is only a dollar sign.
func (s *scanner) ansi(q quotes) {
	if q != bare {
		s.skip(1)
		return
	}
	if s.quoteless > 0 {
		s.oddly("an ANSI-C quote inside backquotes", s.pos)
	}
	s.skip(1)
	s.join()
	s.pos++
	for s.pos < len(s.src) && s.src[s.pos] != '\'' {
		if s.src[s.pos] == '\\' {
			s.pos++
		}
		s.pos++
	}
	s.pos = min(s.pos+1, len(s.src))
}

func (s *scanner) backquote() {
	s.Backquotes.Add(0)
	s.pos++
	s.quoteless++
	s.commands('`')
	s.quoteless--
}

// parameter scans ${...} from behind its brace.
func (s *scanner) parameter(q quotes) {
	if !s.open() {
		return
	}
	s.words++
	defer func() { s.depth, s.words = s.depth-1, s.words-1 }()
	s.join()
	begin, name := s.pos, true // still in the name
	literal := q != bare       // single quotes are ordinary characters
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		if c == '\\' && s.at(1) == '\n' {
			s.cut(2)
			continue
		}
		if name && !IsNameByte(c) {
			if s.beforeWord(c, s.pos == begin) {
				continue
			}
			name = false
			pattern, text := s.operand(c)
			literal = literal && !pattern // in a pattern quotes count
			if q == quoted && !text {
				q = matched
			}
		}
		if c == '}' {
			s.pos++
			return
		}
		s.inWord(c, q, literal)
	}
}

// operand says what the word is behind the operator that begins with c: whether it is a pattern to every shell, and
// whether it is text or an expression, which the quotes around the expansion quote as well.
func (s *scanner) operand(c byte) (pattern, text bool) {
	switch c {
	case '#', '%', '/':
		return true, false
	case '-', '+', '=':
		return false, true
	case ':':
		return false, s.peek(1) != '?'
	}
	return false, false
}

// beforeWord scans what stands in ${...} before the word: a subscript, a sign before the name, or a name that
// is a sign. It says whether there was something.
func (s *scanner) beforeWord(c byte, first bool) bool {
	switch {
	case c == '[':
		s.pos++
		s.bracket()
	case first && strings.IndexByte("#!@*?-$", c) >= 0:
		s.pos++
	default:
		return false
	}
	return true
}

// inWord scans one thing in the word of a ${...}. Where single quotes are literal, they
// are characters.
func (s *scanner) inWord(c byte, q quotes, literal bool) {
	switch c {
	case '\\':
		s.escape()
	case '\'':
		s.quoteInWord(q, literal)
	case '"':
		if s.apart && q != bare {
			s.oddly("the shells read these quotes differently", s.pos)
		}
		s.inner(c, q)
	case '$', '`':
		s.inner(c, q)
	case '<', '>':
		if s.peek(1) == '(' && q != quoted {
			s.Processes.Add(s.here())
			s.skip(2)
			s.commands(')')
			return
		}
		s.pos++
	case '=':
		if q == bare && s.zshProcess() {
			s.oddly("zsh runs what is in =()", s.pos)
		}
		s.pos++
	default:
		s.pos++
	}
}

// quoteInWord scans what a single quote begins in the word of a ${...}, where it may be a
// character.
func (s *scanner) quoteInWord(q quotes, literal bool) {
	if literal {
		s.apostrophe = true
		s.pos++
		return
	}
	if n := strings.IndexByte(s.src[s.pos+1:], '\''); n >= 0 {
		in := s.src[s.pos+1 : s.pos+1+n]
		switch {
		case strings.Contains(in, "\\\n"):
			s.oddly("a continued line in quotes inside ${}", s.pos)
		case q != bare && s.pairsApart(in):
			s.oddly("the shells read these quotes differently", s.pos)
		}
	}
	s.single()
}

// pairsApart says whether the shells may differ in what is quoted, if a text is in single quotes in a pattern that
// is in double quotes. They quote it in bash, except behind a dollar sign in an expansion of a parameter that
// has no name. To zsh they quote too, but a double quote in them begins or ends quotes, and a brace or a slash ends
// the expansion or its pattern, behind which they are characters. If that is all there is, only the value differs.
func (s *scanner) pairsApart(in string) bool {
	runs := strings.ContainsAny(in, "$`") || strings.Contains(in, "<(") || strings.Contains(in, ">(")
	ends := strings.ContainsAny(in, "}/")
	apart := s.apart
	s.apart = apart || ends
	switch {
	case apart, strings.IndexByte(in, '"') >= 0, runs && ends, ends && s.words > 1:
		return true
	}
	return s.src[s.pos-1] == '$' && (runs || strings.HasSuffix(in, "\\"))
}

// zshProcess says whether an equals sign begins a process substitution of zsh: it does not
// stand behind a colon or a name.
func (s *scanner) zshProcess() bool {
	before := s.src[s.pos-1]
	return s.peek(1) == '(' && before != ':' && !IsNameByte(before)
}

// bracket scans a subscript or $[...] from behind its bracket.
func (s *scanner) bracket() {
	if !s.open() {
		return
	}
	defer func() { s.depth-- }()
	s.expression('[', ']', 1)
}

// expression scans what arithmetic may hold, up to where `level` brackets that
// are open have closed.
func (s *scanner) expression(open, shut byte, level int) {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case '\\':
			if s.at(1) == '\n' {
				s.cut(2)
				continue
			}
			s.escape()
		case '"', '$', '`':
			s.inner(c, quoted)
		case open:
			level++
			s.openers++
			s.pos++
		case shut:
			s.pos++
			if level--; level == 0 {
				return
			}
		case '?', '!', '~', '-', '+', '*', ',', '=', '[', '{':
			s.openers++ // each may nest one level deeper in the parser
			s.pos++
		default:
			s.pos++
		}
		if s.openers > maxOpeners {
			s.refused = "it has too many nested parts"
			s.pos = len(s.src)
		}
	}
}

// arithmetic scans (( ... )) from its first parenthesis, of which `open` are
// consumed together. It returns false, having consumed nothing, if the text is
// a command in two pairs of parentheses instead.
func (s *scanner) arithmetic(open int) bool {
	if !s.balanced(open) {
		s.oddly("two parentheses that may be arithmetic or a subshell", s.pos)
		return false
	}
	if !s.open() {
		return true
	}
	defer func() { s.depth-- }()
	s.skip(open)
	s.expression('(', ')', open)
	return true
}

// balanced looks whether the parentheses that begin here close together, as
// those of arithmetic do.
func (s *scanner) balanced(open int) bool {
	level, i := 0, s.pos
	if open == 2 && s.src[i] == '$' {
		i++
	}
	limit := min(len(s.src), i+8<<10)
	for ; i < limit; i++ {
		// Quotes are rare in arithmetic; one that hides a parenthesis makes the answer
		// uncertain, which the counts will show.
		switch s.src[i] {
		case '\\':
			i++
		case '(':
			level++
		case ')':
			if level--; level == 1 {
				if together, sure := s.closesTogether(i + 1); sure {
					return together
				}
			}
		}
	}
	return true
}

// closesTogether says whether the last parenthesis follows at once where the last but one has
// closed. It is not sure if another one opens first.
func (s *scanner) closesTogether(at int) (together, sure bool) {
	for strings.HasPrefix(s.src[at:], "\\\n") {
		at += 2
	}
	if at < len(s.src) && s.src[at] == ')' {
		return true, true
	}
	next := strings.IndexAny(s.src[at:], "()")
	return false, next < 0 || s.src[at+next] == ')'
}

// IsNameByte reports whether a byte can be part of a variable's name.
func IsNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isIdentifier says whether a text may be the name of a variable.
func isIdentifier(text string) bool {
	for i := range len(text) {
		if !IsNameByte(text[i]) {
			return false
		}
	}
	return text != ""
}
