package shell

import "strings"

// Bounds on what is handed to the parser. It recurses without limit, and a
// stack overflow cannot be recovered from, so nesting is counted beforehand.
const (
	maxScript  = 256 << 10
	maxDepth   = 200
	maxOpeners = 3000
	maxJoints  = 10000
)

// scan is a second opinion on the lexical structure of a script: a small lexer
// that knows quoting, substitutions, comments and here-documents, and nothing
// of grammar. It removes the backslash-newlines that bash removes before it
// looks for tokens, bounds nesting, and counts what the syntax tree must then
// hold. Where the two disagree, one of them has misread bash.
type scan struct {
	src  string
	pos  int
	text strings.Builder
	last int   // src up to here is in text or was cut
	cuts []cut // in order

	census

	apostrophe bool // single quotes that are characters inside a quoted ${}

	depth, openers int
	joints         int // & and |, also doubled
	quoteless      int // > 0 inside backquotes, where quotes do not protect a continuation
	pending        []heredoc
	odd            []oddity
	refused        string // why the script must not be handed to the parser
}

// census is how many constructs of each kind there are, and where.
type census struct {
	substitutions, backquotes, processes, parameters, heredocs, comments places
}

// places stands for a set of offsets: their number and a sum that another set
// of the same size is most unlikely to have.
type places struct {
	n   int
	sum uint64
}

func (p *places) add(at int) {
	h := uint64(at+1) * 0x9e3779b97f4a7c15
	p.n++
	p.sum += h ^ h>>29
}

// here is the offset of the current byte in the result.
func (s *scan) here() int { return s.text.Len() + s.pos - s.last }

// cut is a place where bytes of the original were removed.
type cut struct{ at, bytes int } // offset in the result, and how many were removed up to it

type oddity struct {
	why string
	at  int
}

type heredoc struct {
	end    string
	quoted bool
	tabs   bool // <<-
	nested bool // inside a substitution
}

func (s *scan) run(src string) {
	s.src = src
	s.commands(0)
	if len(s.pending) > 0 && s.refused == "" {
		s.bodies()
	}
}

// result is the script as bash tokenises it.
func (s *scan) result() string {
	if s.last == 0 {
		return s.src
	}
	s.text.WriteString(s.src[s.last:])
	s.last = len(s.src)
	return s.text.String()
}

// original maps an offset in the result to one in the source.
func original(cuts []cut, at int) int {
	lo, hi := 0, len(cuts)
	for lo < hi {
		if mid := (lo + hi) / 2; cuts[mid].at <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return at
	}
	return at + cuts[lo-1].bytes
}

func (s *scan) cut(n int) {
	s.text.WriteString(s.src[s.last:s.pos])
	s.pos += n
	s.last = s.pos
	s.cuts = append(s.cuts, cut{s.text.Len(), s.last - s.text.Len()})
}

func (s *scan) oddly(why string, at int) {
	if len(s.odd) < 20 {
		s.odd = append(s.odd, oddity{why, at})
	}
}

// open counts one construct that nests; it says whether to go on.
func (s *scan) open() bool {
	s.openers++
	if s.depth++; s.depth > maxDepth {
		s.refused = "it is nested too deeply"
	} else if s.openers > maxOpeners {
		s.refused = "it has too many nested parts"
	}
	if s.refused != "" {
		s.pos = len(s.src)
		return false
	}
	return true
}

// peek returns the byte k places on, not counting continuations; 0 at the end.
func (s *scan) peek(k int) byte {
	i := s.pos
	for {
		for strings.HasPrefix(s.src[i:], "\\\n") {
			i += 2
		}
		if i >= len(s.src) {
			return 0
		}
		if k == 0 {
			return s.src[i]
		}
		i++
		k--
	}
}

// skip moves on by n bytes, not counting continuations, which it cuts.
func (s *scan) skip(n int) {
	for ; n > 0 && s.pos < len(s.src); n-- {
		s.join()
		if s.pos < len(s.src) {
			s.pos++
		}
	}
}

// join cuts the continuations that begin here.
func (s *scan) join() {
	for strings.HasPrefix(s.src[s.pos:], "\\\n") {
		s.cut(2)
	}
}

// escape moves past a backslash and the byte it protects.
func (s *scan) escape() {
	if s.pos += 2; s.pos > len(s.src) {
		s.pos = len(s.src)
	}
}

// commands scans unquoted text up to its terminator: 0 for the end of the
// script, ')' or '`', or '\\' for an escaped backquote.
func (s *scan) commands(term byte) {
	if term != 0 {
		if !s.open() {
			return
		}
		defer func() { s.depth-- }()
	}
	var (
		first  = true  // a command name or keyword may stand here
		word   = false // in the middle of a word
		start  = 0     // where that word began
		bare   = true  // and whether it is free of quotes and expansions
		isCmd  = false // and whether it stands where a command may begin
		cases  = 0     // open case clauses
		isFor  = false
		equals = false // the last byte of the word is an unquoted =
	)
	begin := func() {
		if !word {
			word, bare, isCmd, start = true, true, first, s.pos
		}
		equals = false
	}
	end := func() {
		if !word {
			return
		}
		word = false
		text := ""
		if bare {
			text = s.src[start:s.pos]
		}
		wasFor := isFor
		isFor = false
		if cases > 0 && text == "in" {
			first = true
			return
		}
		if !isCmd {
			first = false
			return
		}
		first = true
		switch text {
		case "if", "then", "else", "elif", "while", "until", "do", "{", "!", "time", "coproc":
			s.openers++
		case "case":
			s.openers++
			cases++
			first = false
		case "esac":
			cases = max(cases-1, 0)
			first = false
		case "for", "select", "function":
			s.openers++
			isFor = text == "for"
			first = false
		default:
			first = strings.IndexByte(text, '=') > 0
		}
		_ = wasFor
		if s.openers > maxOpeners {
			s.refused = "it has too many nested parts"
			s.pos = len(s.src)
		}
	}
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		switch c {
		case '\\':
			if s.quoteless > 0 {
				next := s.at(1)
				if next == '`' {
					if term == '\\' {
						end()
						s.pos += 2
						return
					}
					begin()
					bare = false
					s.backquotes.add(0)
					s.pos += 2
					if s.quoteless > 1 {
						s.oddly("backquotes nested three deep", s.pos)
					}
					s.quoteless++
					s.commands('\\')
					s.quoteless--
					continue
				}
				if next == '\\' {
					s.oddly("an escaped backslash inside backquotes", s.pos)
				}
				if next == '$' {
					begin()
					bare = false
					s.pos++
					continue
				}
			}
			if s.at(1) == '\n' {
				s.cut(2)
				bare = false
				continue
			}
			begin()
			bare = false
			s.escape()
		case '\'':
			begin()
			bare = false
			s.single()
		case '"':
			begin()
			bare = false
			s.pos++
			s.double('"')
		case '$':
			begin()
			bare = false
			s.dollar(false)
		case '`':
			if term == '`' {
				end()
				s.pos++
				return
			}
			begin()
			bare = false
			s.backquote()
		case '<', '>':
			next := s.peek(1)
			if next == '(' {
				begin()
				bare = false
				s.processes.add(s.here())
				s.skip(2)
				s.commands(')')
				continue
			}
			end()
			if c == '<' && next == '<' {
				if s.peek(2) == '<' {
					s.skip(3)
					continue
				}
				s.heredocs.add(s.here())
				s.skip(2)
				s.delimiter(term != 0)
				continue
			}
			s.skip(1)
			if next == '&' || next == '>' || next == '|' {
				s.skip(1)
			}
		case '#':
			if word {
				s.pos++
				equals = false
				continue
			}
			s.comment()
		case '(':
			if word && equals { // an array
				s.pos++
				s.commands(')')
				word, bare, equals = true, false, false
				continue
			}
			wasCmd := first || isFor
			end()
			if (wasCmd || isFor) && s.peek(1) == '(' && (first || isFor) {
				if s.arithmetic(2) {
					first = true
					isFor = false
					continue
				}
			}
			isFor = false
			s.pos++
			s.commands(')')
			first = true
		case ')':
			end()
			if cases == 0 && term == ')' {
				if len(s.pending) > 0 {
					s.oddly("a here-document that ends behind its substitution", s.pos)
				}
				s.pos++
				return
			}
			s.pos++
			first = true
		case '\n':
			end()
			s.pos++
			first = true
			if len(s.pending) > 0 {
				s.bodies()
			}
		case ';', '&', '|':
			end()
			if c != ';' {
				// Chains become a deep tree.
				if s.joints++; s.joints > maxJoints {
					s.refused = "it joins too many commands"
					s.pos = len(s.src)
					return
				}
			}
			s.pos++
			first = true
		case ' ', '\t':
			end()
			s.pos++
		default:
			begin()
			equals = c == '='
			if c == '[' || c == '{' {
				s.openers++
			}
			s.pos++
		}
	}
	end()
}

// at returns the byte k places on as it stands, 0 at the end.
func (s *scan) at(k int) byte {
	if s.pos+k < len(s.src) {
		return s.src[s.pos+k]
	}
	return 0
}

func (s *scan) single() {
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

// comment moves to the end of the line. A backslash at its end means nothing to
// bash, but the parser would join the next line to it, so it is cut.
func (s *scan) comment() {
	s.comments.add(s.here())
	n := strings.IndexByte(s.src[s.pos:], '\n')
	if n < 0 {
		n = len(s.src) - s.pos
	}
	if s.quoteless > 0 {
		if b := strings.IndexByte(s.src[s.pos:s.pos+n], '`'); b >= 0 {
			n = b
		}
	}
	line := s.src[s.pos : s.pos+n]
	trimmed := strings.TrimRight(line, "\\")
	if cut := len(line) - len(trimmed); cut > 0 {
		if s.quoteless > 0 {
			s.oddly("a comment inside backquotes that ends in a backslash", s.pos)
		}
		s.pos += len(trimmed)
		s.cut(cut)
		return
	}
	s.pos += n
}

// double scans double-quoted text up to the closing quote; with 0, to the end.
func (s *scan) double(quote byte) {
	if !s.open() {
		return
	}
	defer func() { s.depth-- }()
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case '\\':
			if s.at(1) == '\n' {
				s.cut(2)
				continue
			}
			if s.quoteless > 0 {
				switch s.at(1) {
				case '$':
					s.pos++
					continue
				case '`', '\\', '"':
					s.oddly("an escape in quotes inside backquotes", s.pos)
				}
			}
			s.escape()
		case '"':
			s.pos++
			if quote == '"' {
				return
			}
		case '$':
			s.dollar(true)
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

// dollar scans what a dollar sign begins.
func (s *scan) dollar(quoted bool) {
	switch s.peek(1) {
	case '(':
		s.substitutions.add(s.here())
		s.skip(1)
		if s.peek(1) == '(' && s.arithmetic(2) {
			return
		}
		s.skip(1)
		s.commands(')')
	case '{':
		s.parameters.add(s.here())
		s.skip(2)
		s.parameter(quoted)
	case '[':
		s.skip(2)
		s.bracket()
	case '\'':
		if quoted {
			s.skip(1)
			return
		}
		if s.quoteless > 0 {
			s.oddly("an ANSI-C quote inside backquotes", s.pos)
		}
		s.skip(1)
		s.pos++
		for s.pos < len(s.src) && s.src[s.pos] != '\'' {
			if s.src[s.pos] == '\\' {
				s.pos++
			}
			s.pos++
		}
		s.pos = min(s.pos+1, len(s.src))
	case '$', '#', '*', '@', '?', '!', '-':
		s.skip(2)
	default:
		s.skip(1)
	}
}

func (s *scan) backquote() {
	s.backquotes.add(0)
	s.pos++
	s.quoteless++
	s.commands('`')
	s.quoteless--
}

// parameter scans ${...} from behind its brace.
func (s *scan) parameter(quoted bool) {
	if !s.open() {
		return
	}
	defer func() { s.depth-- }()
	name := true      // still in the name
	literal := quoted // single quotes are ordinary characters
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		if c == '\\' && s.at(1) == '\n' {
			s.cut(2)
			continue
		}
		if name && !isNameByte(c) {
			switch {
			case c == '[':
				s.pos++
				s.bracket()
				continue
			case (c == '#' || c == '!') && s.pos > 0 && s.src[s.pos-1] == '{':
				s.pos++
				continue
			}
			name = false
			if c == '#' || c == '%' || c == '/' || c == '^' || c == ',' {
				literal = false // the word is a pattern, in which quotes count
			}
		}
		switch c {
		case '\\':
			s.escape()
		case '}':
			s.pos++
			return
		case '\'':
			if literal {
				s.apostrophe = true
				s.pos++
				continue
			}
			if n := strings.IndexByte(s.src[s.pos+1:], '\''); n >= 0 && strings.Contains(s.src[s.pos+1:s.pos+1+n], "\\\n") {
				s.oddly("a continued line in quotes inside ${}", s.pos)
			}
			s.single()
		case '"':
			s.pos++
			s.double('"')
		case '$':
			s.dollar(quoted)
		case '`':
			s.backquote()
		case '<', '>':
			if s.peek(1) == '(' && !quoted {
				s.processes.add(s.here())
				s.skip(2)
				s.commands(')')
				continue
			}
			s.pos++
		default:
			s.pos++
		}
	}
}

// bracket scans a subscript or $[...] from behind its bracket.
func (s *scan) bracket() {
	if !s.open() {
		return
	}
	defer func() { s.depth-- }()
	for level := 1; s.pos < len(s.src); {
		switch c := s.src[s.pos]; c {
		case '\\':
			if s.at(1) == '\n' {
				s.cut(2)
				continue
			}
			s.escape()
		case '"':
			s.pos++
			s.double('"')
		case '$':
			s.dollar(true)
		case '`':
			s.backquote()
		case '[':
			level++
			s.openers++
			s.pos++
		case ']':
			s.pos++
			if level--; level == 0 {
				return
			}
		default:
			s.pos++
		}
	}
}

// arithmetic scans (( ... )) from its first parenthesis, of which `open` are
// consumed together. It returns false, having consumed nothing, if the text is
// a command in two pairs of parentheses instead.
func (s *scan) arithmetic(open int) bool {
	if !s.balanced(open) {
		s.oddly("two parentheses that may be arithmetic or a subshell", s.pos)
		return false
	}
	if !s.open() {
		return true
	}
	defer func() { s.depth-- }()
	s.skip(open)
	for level := open; s.pos < len(s.src); {
		switch c := s.src[s.pos]; c {
		case '\\':
			if s.at(1) == '\n' {
				s.cut(2)
				continue
			}
			s.escape()
		case '"':
			s.pos++
			s.double('"')
		case '$':
			s.dollar(true)
		case '`':
			s.backquote()
		case '(':
			level++
			s.openers++
			s.pos++
		case ')':
			s.pos++
			if level--; level == 0 {
				return true
			}
		case '?', '!', '~', '-', '+', '*', ',', '=', '[', '{':
			s.openers++
			s.pos++
		default:
			s.pos++
		}
		if s.openers > maxOpeners {
			s.refused = "it has too many nested parts"
			s.pos = len(s.src)
		}
	}
	return true
}

// balanced looks whether the parentheses that begin here close together, as
// those of arithmetic do.
func (s *scan) balanced(open int) bool {
	level, i := 0, s.pos
	if open == 2 && s.src[i] == '$' {
		i++
	}
	limit := min(len(s.src), i+8<<10)
	for ; i < limit; i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '\'', '"':
			// Quotes are rare in arithmetic; one that hides a parenthesis
			// makes the answer uncertain, which the counts will show.
		case '(':
			level++
		case ')':
			if level--; level == 1 {
				// The last but one has closed: the last must follow at once.
				j := i + 1
				for strings.HasPrefix(s.src[j:], "\\\n") {
					j += 2
				}
				if j < len(s.src) && s.src[j] == ')' {
					return true
				}
				k := strings.IndexAny(s.src[j:], "()")
				if k < 0 || s.src[j+k] == ')' {
					return false
				}
			}
		}
	}
	return true
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// delimiter reads the word after << and notes the here-document.
func (s *scan) delimiter(nested bool) {
	h := heredoc{nested: nested}
	if s.peek(0) == '-' {
		h.tabs = true
		s.skip(1)
	}
	for s.peek(0) == ' ' || s.peek(0) == '\t' {
		s.skip(1)
	}
	var b strings.Builder
	at := s.pos
	for {
		s.join()
		if s.pos >= len(s.src) {
			break
		}
		c := s.src[s.pos]
		if strings.IndexByte(" \t\n;&|()<>", c) >= 0 {
			break
		}
		switch c {
		case '\'', '"':
			h.quoted = true
			n := strings.IndexByte(s.src[s.pos+1:], c)
			if n < 0 {
				s.pos = len(s.src)
				break
			}
			in := s.src[s.pos+1 : s.pos+1+n]
			if strings.ContainsAny(in, "\\\n") || c == '"' && strings.ContainsAny(in, "$`") {
				s.oddly("a here-document delimiter with escapes", at)
			}
			b.WriteString(in)
			s.pos += n + 2
		case '\\':
			h.quoted = true
			if s.pos+1 < len(s.src) {
				b.WriteByte(s.src[s.pos+1])
			}
			s.escape()
		case '$', '`':
			s.oddly("a here-document delimiter with a dollar sign or backquote", at)
			b.WriteByte(c)
			s.pos++
		default:
			b.WriteByte(c)
			s.pos++
		}
	}
	h.end = b.String()
	s.pending = append(s.pending, h)
}

// bodies scans the here-documents that begin at this line.
func (s *scan) bodies() {
	list := s.pending
	s.pending = nil
	for _, h := range list {
		s.body(h)
	}
}

func (s *scan) body(h heredoc) {
	start := s.pos
	if !h.quoted {
		// Whether a line is the last is decided after lines are joined, so
		// expansions are scanned in text that ends where the last line begins.
		end := s.bodyEnd(h)
		rest := s.src
		s.src = s.src[:end]
		s.double(0)
		s.src = rest
		s.pos = max(s.pos, end)
		s.pos = end
		for s.pos < len(s.src) { // the delimiter line, joined as bash does
			if strings.HasPrefix(s.src[s.pos:], "\\\n") {
				s.cut(2)
				continue
			}
			if s.src[s.pos] == '\n' {
				s.pos++
				return
			}
			s.pos++
		}
		return
	}
	for s.pos < len(s.src) {
		line, next := s.src[s.pos:], len(s.src)
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line, next = line[:n], s.pos+n+1
		}
		if s.isEnd(line, h, s.pos) {
			s.pos = next
			return
		}
		s.pos = next
	}
	s.oddly("a here-document without its end", start)
}

// bodyEnd returns where the delimiter line of an unquoted body begins.
func (s *scan) bodyEnd(h heredoc) int {
	for i := s.pos; i < len(s.src); {
		start := i
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
		i++
		if s.isEnd(joined.String(), h, start) {
			return start
		}
	}
	s.oddly("a here-document without its end", s.pos)
	return len(s.src)
}

func (s *scan) isEnd(line string, h heredoc, at int) bool {
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
