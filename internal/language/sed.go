package language

import (
	"strings"

	"longline/internal/tool"
)

// sedDeeds reads a sed script as GNU sed does, which is a superset of what
// other seds accept: the files it names and the commands it runs. Marks stand for
// numbers that are not known; they count where sed wants a number.
func sedDeeds(text, marks string) Deeds {
	s := sedReader{cursor: cursor{text: text}, marks: marks}
	s.script()
	if s.ok() && s.numerals < marked(text, marks) {
		s.deeds.fail("an unknown number where sed does not expect one")
	}
	s.deeds.Numbers = s.ok() && s.counts && !s.prints
	s.deeds.Names = text == "s/=.*//" || text == "s/=.*$//"
	return s.deeds
}

type sedReader struct {
	cursor
	marks    string // the characters that stand for numbers that are not known
	depth    int
	counts   bool // there is a command that prints the number of a line
	prints   bool // there is one that may print something else
	numerals int  // how many marks of numbers stand where sed wants a number
	deeds    Deeds
}

func (s *sedReader) blanks() {
	for c := s.peek(0); c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; c = s.peek(0) {
		s.at++
	}
}

func (s *sedReader) ok() bool { return s.deeds.Problem == "" }

func (s *sedReader) script() {
	if strings.IndexByte(s.text, 0) >= 0 {
		s.deeds.fail("it holds a zero byte") // at the end peek is one
		return
	}
	for s.ok() {
		for c := s.peek(0); c == ';' || c == '\n'; c = s.peek(0) {
			s.at++
			s.blanks()
		}
		s.blanks()
		switch s.peek(0) {
		case 0:
			if s.depth > 0 {
				s.deeds.fail(`"{" without "}"`)
			}
			return
		case ';', '\n':
		default:
			s.command()
		}
	}
}

func (s *sedReader) command() {
	if !s.addresses() {
		return
	}
	c := s.peek(0)
	s.at++
	s.counts = s.counts || c == '='
	s.prints = s.prints || strings.IndexByte("={}q;#", c) < 0
	if !s.block(c) && !s.reaches(c) && !s.edits(c) {
		s.deeds.fail("unknown command " + Quote(string(rune(c))))
	}
}

// block reads a comment, or a brace of several commands.
func (s *sedReader) block(c byte) bool {
	switch c {
	case '#':
		s.line()
	case '{':
		s.depth++
	case '}':
		if s.depth--; s.depth < 0 {
			s.deeds.fail(`"}" without "{"`)
			return true
		}
		s.end()
	default:
		return false
	}
	return true
}

// reaches reads a command that may reach files or run something.
func (s *sedReader) reaches(c byte) bool {
	switch c {
	case 'r', 'R':
		s.file(tool.Read)
	case 'w', 'W':
		s.file(tool.Write)
	case 'e':
		s.execute()
	case 's':
		s.substitute()
	default:
		return false
	}
	return true
}

// edits reads a command that only edits and prints, or goes on elsewhere in the script.
func (s *sedReader) edits(c byte) bool {
	switch c {
	case '=', 'd', 'D', 'F', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		s.end()
	case 'q', 'Q', 'l', 'L':
		s.deeds.Stops = s.deeds.Stops || c == 'q' || c == 'Q'
		s.blanks()
		s.digits()
		s.end()
	case ':', 'b', 't', 'T', 'v':
		s.label()
	case 'a', 'i', 'c':
		s.deeds.Inserts = true
		s.insert()
	case 'y':
		d := s.delimiter()
		s.until(d, false)
		s.until(d, false)
		s.end()
	default:
		return false
	}
	return true
}

// addresses reads what stands in front of a command.
func (s *sedReader) addresses() bool {
	if s.address() {
		s.blanks()
		if s.peek(0) == ',' {
			s.at++
			s.blanks()
			if s.among(0, "+~") {
				s.at++
			}
			if !s.address() {
				s.deeds.fail("an address is missing after \",\"")
			}
		}
	}
	s.blanks()
	for s.peek(0) == '!' {
		s.at++
		s.blanks()
	}
	return s.ok()
}

// execute reads a command that is run. It is read as text is: a backslash quotes, and
// goes on in the next line.
func (s *sedReader) execute() {
	start := s.at
	s.insert()
	cmd := strings.TrimSpace(s.text[start:min(s.at, len(s.text))])
	if cmd == "" || strings.Contains(cmd, `\`) {
		s.deeds.addOpen(tool.Execute)
		cmd = strings.ReplaceAll(cmd, `\`, "")
	}
	if cmd != "" {
		s.deeds.add(tool.Execute, cmd)
	}
}

// address reads one address, if there is one.
func (s *sedReader) address() bool {
	switch c := s.peek(0); {
	case s.digit(c):
		s.digits()
		if s.blanks(); s.peek(0) == '~' {
			s.at++
			s.blanks()
			s.digits()
		}
		return true
	case c == '$':
		s.at++
		return true
	case c == '/' || c == '\\':
		s.at++
		if c == '\\' {
			c = s.delimiter()
		}
		s.until(c, true)
		for s.among(0, "IM") {
			s.at++
		}
		return true
	}
	return false
}

// digit says whether a character is a digit, or stands for a number that is not known.
func (s *sedReader) digit(c byte) bool { return isDigit(c) || isMark(s.marks, c) }

func (s *sedReader) digits() {
	for c := s.peek(0); s.digit(c); c = s.peek(0) {
		if isMark(s.marks, c) {
			s.numerals++
		}
		s.at++
	}
}

// delimiter reads the character that will separate the parts of s and y.
func (s *sedReader) delimiter() byte {
	c := s.peek(0)
	if c == 0 || c == '\n' || c == '\\' || c >= 0x80 {
		s.deeds.fail("no delimiter that longline knows")
		return 0
	}
	s.at++
	return c
}

// until passes over text up to an unescaped delimiter. In a regular expression
// the delimiter may stand in brackets.
func (s *sedReader) until(delim byte, regex bool) {
	if !s.ok() {
		return
	}
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == delim:
			return
		case c == '\\':
			s.at++
		case c == '\n' && regex:
			s.deeds.fail("a line ends inside an expression")
			return
		case c == '[' && regex:
			s.bracket(delim)
		}
	}
	s.deeds.fail("an expression does not end")
}

// bracket passes over a bracket expression, of which "[" has been read. Where
// a delimiter or backslash inside could be read in two ways it gives up.
func (s *sedReader) bracket(delim byte) {
	s.pass('^')
	s.pass(']')
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == ']':
			return
		case c == '\n':
			s.deeds.fail("a line ends inside brackets")
			return
		case c == '\\' && s.among(0, `]\[`):
			s.deeds.fail("a backslash in brackets")
			return
		case c == '\\' && s.peek(0) == delim:
			s.at++
		case c == '[' && s.among(0, ":.="):
			s.class(delim)
		}
	}
	s.deeds.fail("brackets do not end")
}

// class passes over a class of characters in brackets, such as [:alpha:], of which "["
// has been read.
func (s *sedReader) class(delim byte) {
	end := strings.Index(s.text[s.at+1:], string([]byte{s.peek(0), ']'}))
	if end < 0 || strings.IndexByte(s.text[s.at:s.at+1+end], delim) >= 0 {
		s.deeds.fail("a class of characters does not end")
		return
	}
	s.at += end + 3
}

func (s *sedReader) substitute() {
	d := s.delimiter()
	s.until(d, true)
	s.until(d, false)
	for s.ok() && !s.over() {
		c := s.peek(0)
		s.at++
		switch {
		case c == 'w':
			s.file(tool.Write)
			return
		case c == 'e':
			s.deeds.addOpen(tool.Execute)
		case c == 'p':
		case !isDigit(c) && strings.IndexByte("giImM \t\r", c) < 0:
			s.deeds.fail("unknown flag " + Quote(string(rune(c))) + " of s")
		}
	}
}

// label passes over a label. It ends at a blank, where another command may
// follow, at ";" or at "}".
func (s *sedReader) label() {
	s.blanks()
	for c := s.peek(0); c != 0 && strings.IndexByte(" \t\r\v\f\n;}", c) < 0; c = s.peek(0) {
		s.at++
	}
}

// insert passes over the text of a, i and c: to the end of the line, or further
// where a backslash stands before it.
func (s *sedReader) insert() {
	s.blanks()
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch c {
		case '\\':
			s.at++
		case '\n':
			return
		}
	}
}

func (s *sedReader) file(kind tool.Kind) {
	s.blanks()
	name := s.line()
	if name == "" {
		s.deeds.fail("a file name is missing")
		return
	}
	s.deeds.List = append(s.deeds.List, Deed{Kind: kind, Target: name})
}

// end makes sure that nothing follows a command but what may separate it from
// the next.
func (s *sedReader) end() {
	if s.blanks(); !s.over() {
		s.deeds.fail("extra text after a command")
	}
}

// over says whether a command ends here: at the end of the script, or in front of what
// separates it from the next.
func (s *sedReader) over() bool {
	return s.peek(0) == 0 || s.among(0, ";\n}#")
}
