package scan

import "strings"

type heredoc struct {
	end    string
	quoted bool
	tabs   bool // <<-
	nested bool // inside a substitution
}

// delimiter reads the word after << and notes the here-document.
func (s *scanner) delimiter(nested bool) {
	h := heredoc{nested: nested}
	if s.peek(0) == '-' {
		h.tabs = true
		s.skip(1)
	}
	for s.peek(0) == ' ' || s.peek(0) == '\t' {
		s.skip(1)
	}
	at := s.pos
	h.end, h.quoted = s.delimiterWord()
	if h.end == "" { // where that one ends inside a substitution, bash does not know itself
		s.oddly("a here-document with an empty delimiter", at)
	}
	s.pending = append(s.pending, h)
}

// delimiterWord reads the word that ends a here-document, and says whether a part of it is
// quoted.
func (s *scanner) delimiterWord() (end string, quoted bool) {
	var b strings.Builder
	at := s.pos
	for {
		s.join()
		if s.pos >= len(s.src) || strings.IndexByte(" \t\n;&|()<>", s.src[s.pos]) >= 0 {
			return b.String(), quoted
		}
		switch c := s.src[s.pos]; c {
		case '\'', '"':
			quoted = true
			b.WriteString(s.delimiterQuote(c, at))
			continue
		case '\\':
			quoted = true
			if s.quoteless > 0 && strings.IndexByte("\\$`", s.at(1)) >= 0 {
				s.oddly("a here-document delimiter with escapes", at)
			}
			if s.pos+1 < len(s.src) {
				b.WriteByte(s.src[s.pos+1])
			}
			s.escape()
			continue
		case '$', '`':
			s.oddly("a here-document delimiter with a dollar sign or backquote", at)
		}
		b.WriteByte(s.src[s.pos])
		s.pos++
	}
}

// delimiterQuote reads the quoted part of a delimiter that begins here.
func (s *scanner) delimiterQuote(quote byte, at int) string {
	n := strings.IndexByte(s.src[s.pos+1:], quote)
	if n < 0 {
		s.pos = len(s.src)
		return ""
	}
	in := s.src[s.pos+1 : s.pos+1+n]
	if strings.ContainsAny(in, "\\\n") || quote == '"' && strings.ContainsAny(in, "$`") {
		s.oddly("a here-document delimiter with escapes", at)
	}
	s.pos += n + 2
	return in
}

// hereDocuments scans the here-documents that begin at this line.
func (s *scanner) hereDocuments() {
	list := s.pending
	s.pending = nil
	for _, h := range list {
		s.body(h)
	}
}

// body scans the lines of a here-document.
func (s *scanner) body(h heredoc) {
	if h.quoted {
		s.quotedBody(h)
	} else {
		s.expandedBody(h)
	}
}

// expandedBody scans the lines of a here-document in which expansions count.
//
// Whether a line is the last is decided after lines are joined, so expansions are scanned in
// text that ends where the last line begins.
func (s *scanner) expandedBody(h heredoc) {
	start := s.pos
	end := s.bodyEnd(h)
	rest := s.src
	s.src = s.src[:end]
	s.double(0)
	s.src = rest
	s.pos = end
	for s.pos < len(s.src) { // the delimiter line, joined as bash does
		if strings.HasPrefix(s.src[s.pos:], "\\\n") {
			s.cut(2)
			continue
		}
		if s.src[s.pos] == '\n' {
			break
		}
		s.pos++
	}
	if end > start {
		s.Bodies.Add(s.here())
	}
	s.pos = min(s.pos+1, len(s.src))
}

// quotedBody scans the lines of a here-document that is text.
func (s *scanner) quotedBody(h heredoc) {
	start := s.pos
	if s.quoteless > 0 {
		defer func() { s.escapesIn(start) }()
	}
	for s.pos < len(s.src) {
		line, next := s.src[s.pos:], len(s.src)
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line, next = line[:n], s.pos+n+1
		}
		if s.isEnd(line, h, s.pos) {
			if s.pos > start {
				s.Bodies.Add(s.here() + len(line))
			}
			s.pos = next
			return
		}
		s.pos = next
	}
	if s.unclosed == "" && !h.nested && s.depth == 0 && isName(h.end) {
		s.unclosed = h.end
		return
	}
	s.oddly("a here-document without an end", start)
}

// escapesIn looks for what backquotes around a here-document of plain text, which ends here, change in it before it
// is read: they take backslashes, and join lines.
func (s *scanner) escapesIn(start int) {
	for i := start; i+1 < s.pos; i++ {
		if s.src[i] == '`' || s.src[i] == '\\' && strings.IndexByte("\\$`\n", s.src[i+1]) >= 0 {
			s.oddly("an escape in a here-document inside backquotes", i)
			return
		}
	}
}

// isName says whether a text is one that stands for itself anywhere in a script.
func isName(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return text != ""
}

// bodyEnd returns where the delimiter line of an unquoted body begins.
func (s *scanner) bodyEnd(h heredoc) int {
	for i := s.pos; i < len(s.src); {
		start := i
		n := strings.IndexByte(s.src[i:], '\n')
		if n < 0 {
			n = len(s.src) - i
		}
		line := s.src[i : i+n]
		if i += n + 1; strings.IndexByte(line, '\\') >= 0 {
			line, i = s.joinedLine(start)
		}
		if s.isEnd(line, h, start) {
			return start
		}
	}
	s.oddly("a here-document without an end", s.pos)
	return len(s.src)
}

// joinedLine is the line that begins at an offset, with those that backslashes join to it,
// and where the next begins.
func (s *scanner) joinedLine(i int) (line string, next int) {
	var joined strings.Builder
	for i < len(s.src) && s.src[i] != '\n' {
		if s.src[i] == '\\' && i+1 < len(s.src) {
			if s.src[i+1] != '\n' {
				joined.WriteString(s.src[i : i+2])
			}
			i += 2
			continue
		}
		joined.WriteByte(s.src[i])
		i++
	}
	return joined.String(), i + 1
}

func (s *scanner) isEnd(line string, h heredoc, at int) bool {
	if h.tabs {
		line = strings.TrimLeft(line, "\t")
	}
	if line == h.end {
		return true
	}
	// Inside a substitution bash 5.2 also ends the body at a line that only
	// begins with the delimiter.
	if h.nested && h.end != "" && strings.HasPrefix(line, h.end) && strings.ContainsAny(line[len(h.end):], "()`;&|<> \t") {
		s.oddly("a here-document inside a substitution with a line that begins like its end", at)
	}
	return false
}
