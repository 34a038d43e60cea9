// Package scan is a second opinion on the lexical structure of a script: a small
// lexer that knows quoting, substitutions, comments and here-documents, and nothing
// of grammar. It removes the backslash-newlines that bash removes before it looks
// for tokens, bounds nesting, and counts what the syntax tree must then hold. Where
// the two disagree, one of them has misread bash.
package scan

import "strings"

// Bounds on what is handed to the parser. It recurses without limit, and a
// stack overflow cannot be recovered from, so nesting is counted beforehand.
const (
	MaxScript  = 256 << 10
	MaxDepth   = 200
	maxOpeners = 3000
	maxJoints  = 10000
)

type scanner struct {
	src  string
	pos  int
	text strings.Builder
	last int   // src up to here is in text or was cut
	cuts []Cut // in order

	Census

	apostrophe bool // single quotes that are characters inside a quoted ${}
	apart      bool // zsh has ended an expansion of these double quotes, or its pattern, before bash
	words      int  // how many ${} of these double quotes are open

	depth, openers int
	joints         int // & and |, also doubled
	quoteless      int // > 0 inside backquotes, where quotes do not protect a continuation
	pending        []heredoc
	odd            []Oddity
	refused        string // why the script must not be handed to the parser
	unclosed       string // see Result
}

// Census is how many constructs of each kind there are, and where.
type Census struct {
	Substitutions, Backquotes, Processes, Parameters, Heredocs, Comments Places

	Bodies Places // where here-documents end, if they are not empty
}

// Places stands for a set of offsets: their number and a sum that another set
// of the same size is most unlikely to have.
type Places struct {
	n   int
	sum uint64
}

func (p *Places) Add(at int) {
	h := uint64(at+1) * 0x9e3779b97f4a7c15
	p.n++
	p.sum += h ^ h>>29
}

// here is the offset of the current byte in the result.
func (s *scanner) here() int { return s.text.Len() + s.pos - s.last }

// Cut is a place where bytes of the original were removed.
type Cut struct{ at, bytes int } // offset in the result, and how many were removed up to it

// Oddity is something that bash and the parser read differently.
type Oddity struct {
	Why string
	At  int
}

// Result is what a scan found.
type Result struct {
	Census
	Text       string // the script as bash tokenises it
	Cuts       []Cut
	Apostrophe bool // single quotes that are characters inside a quoted ${}
	Odd        []Oddity
	Refused    string // why the script must not be handed to the parser
	// Unclosed is the line that would end a here-document of plain text, if all the rest
	// of the script belongs to it because there is no such line.
	Unclosed string
}

// Run scans a script.
func Run(src string) Result {
	s := scanner{src: src}
	s.commands(0)
	if len(s.pending) > 0 && s.refused == "" {
		s.hereDocuments()
	}
	r := Result{Census: s.Census, Text: s.src, Cuts: s.cuts, Apostrophe: s.apostrophe, Odd: s.odd, Refused: s.refused, Unclosed: s.unclosed}
	if s.last > 0 {
		s.text.WriteString(s.src[s.last:])
		r.Text = s.text.String()
	}
	return r
}

// Original maps an offset in the result to one in the source.
func Original(cuts []Cut, at int) int {
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

func (s *scanner) cut(n int) {
	s.text.WriteString(s.src[s.last:s.pos])
	s.pos += n
	s.last = s.pos
	s.cuts = append(s.cuts, Cut{s.text.Len(), s.last - s.text.Len()})
}

func (s *scanner) oddly(why string, at int) {
	if len(s.odd) < 20 {
		s.odd = append(s.odd, Oddity{why, at})
	}
}

// open counts one construct that nests; it says whether to go on.
func (s *scanner) open() bool {
	s.openers++
	if s.depth++; s.depth > MaxDepth {
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

// peek returns the byte k Places on, not counting continuations; 0 at the end.
func (s *scanner) peek(k int) byte {
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
func (s *scanner) skip(n int) {
	for ; n > 0 && s.pos < len(s.src); n-- {
		s.join()
		if s.pos < len(s.src) {
			s.pos++
		}
	}
}

// join cuts the continuations that begin here.
func (s *scanner) join() {
	for strings.HasPrefix(s.src[s.pos:], "\\\n") {
		s.cut(2)
	}
}

// escape moves past a backslash and the byte it protects.
func (s *scanner) escape() {
	if s.pos += 2; s.pos > len(s.src) {
		s.pos = len(s.src)
	}
}

// place is where in its commands a scanner is.
type place struct {
	term   byte // what ends them: 0 for the end of the script, ')' or '`', or '\\' for an escaped backquote
	first  bool // a command name or keyword may stand here
	word   bool // in the middle of a word
	start  int  // where that word began
	bare   bool // and whether it is free of quotes and expansions
	isCmd  bool // and whether it stands where a command may begin
	cases  int  // open case clauses
	isFor  bool // behind the word for
	equals bool // the last byte of the word is an unquoted =
	index  bool // in brackets behind a name, where zsh takes quotes as it does in double quotes
}

// commands scans unquoted text up to its terminator; see [place].
func (s *scanner) commands(term byte) {
	if term != 0 {
		if !s.open() {
			return
		}
		defer func() { s.depth-- }()
	}
	p := place{term: term, first: true}
	for s.pos < len(s.src) {
		if s.next(&p) {
			return
		}
	}
	s.endWord(&p)
}

// next scans what begins here; it says whether the terminator was found.
func (s *scanner) next(p *place) bool {
	switch c := s.src[s.pos]; c {
	case '\\':
		return s.backslash(p)
	case '\'', '"', '$':
		s.beginWord(p, false)
		q := bare
		if p.index {
			q = matched
		}
		s.inner(c, q)
	case '`':
		return s.tick(p)
	case '<', '>':
		s.angle(p, c)
	case '#':
		s.hash(p)
	case '(':
		s.parenthesis(p)
	case ')':
		return s.closed(p)
	case '\n', ';', '&', '|':
		s.operator(p, c)
	case ' ', '\t':
		s.endWord(p)
		s.pos++
	default:
		s.character(p, c)
	}
	return false
}

// tick scans a backquote: it ends the commands, or begins a substitution.
func (s *scanner) tick(p *place) bool {
	if p.term == '`' {
		s.endWord(p)
		s.pos++
		return true
	}
	s.beginWord(p, false)
	s.backquote()
	return false
}

// hash scans a hash sign: it begins a comment unless it stands in a word.
func (s *scanner) hash(p *place) {
	if !p.word {
		s.comment()
		return
	}
	s.pos++
	p.equals = false
}

// character scans a byte of a word that stands for itself.
func (s *scanner) character(p *place, c byte) {
	s.beginWord(p, true)
	p.equals = c == '='
	switch c {
	case '[':
		s.openers++
		p.index = p.index || p.bare && isIdentifier(s.src[p.start:s.pos])
	case '{':
		s.openers++
	case ']':
		p.index = p.index && s.peek(1) != '=' && s.peek(1) != '+'
	}
	s.pos++
}

// beginWord notes that a byte belongs to a word, and whether it stands for itself.
func (s *scanner) beginWord(p *place, itself bool) {
	if !p.word {
		p.word, p.bare, p.isCmd, p.start, p.index = true, true, p.first, s.pos, false
	}
	p.equals = false
	p.bare = p.bare && itself
}

// endWord notes that a word has ended, if one had begun, and what may stand behind it.
func (s *scanner) endWord(p *place) {
	if !p.word {
		return
	}
	text := ""
	if p.bare {
		text = s.src[p.start:s.pos]
	}
	p.word, p.isFor = false, false
	switch {
	case p.cases > 0 && text == "in":
		p.first = true
	case !p.isCmd:
		p.first = false
	default:
		s.keyword(p, text)
	}
}

// keyword is a word where a command may begin.
func (s *scanner) keyword(p *place, text string) {
	p.first = false
	switch text {
	case "if", "then", "else", "elif", "while", "until", "do", "{", "!", "time", "coproc":
		s.openers++
		p.first = true
	case "case":
		s.openers++
		p.cases++
	case "esac":
		p.cases = max(p.cases-1, 0)
	case "for", "select", "function":
		s.openers++
		p.isFor = text == "for"
	default:
		p.first = strings.IndexByte(text, '=') > 0
	}
	if s.openers > maxOpeners {
		s.refused = "it has too many nested parts"
		s.pos = len(s.src)
	}
}

// backslash scans an escape; inside backquotes it may be that of another backquote.
func (s *scanner) backslash(p *place) bool {
	next := s.at(1)
	if s.quoteless > 0 {
		switch next {
		case '`':
			return s.innerBackquote(p)
		case '\\':
			s.oddly("an escaped backslash inside backquotes", s.pos)
		case '$':
			s.beginWord(p, false)
			s.pos++
			return false
		}
	}
	if next == '\n' {
		s.cut(2)
		p.bare = false
		return false
	}
	s.beginWord(p, false)
	s.escape()
	return false
}

// innerBackquote scans an escaped backquote inside backquotes: it ends a substitution, or
// begins one.
func (s *scanner) innerBackquote(p *place) bool {
	if p.term == '\\' {
		s.endWord(p)
		s.pos += 2
		return true
	}
	s.beginWord(p, false)
	s.Backquotes.Add(0)
	s.pos += 2
	if s.quoteless > 1 {
		s.oddly("backquotes nested three deep", s.pos)
	}
	s.quoteless++
	s.commands('\\')
	s.quoteless--
	return false
}

// angle scans a process substitution, a here-document or another redirection.
func (s *scanner) angle(p *place, c byte) {
	next := s.peek(1)
	if next == '(' {
		s.beginWord(p, false)
		s.Processes.Add(s.here())
		s.skip(2)
		s.commands(')')
		return
	}
	s.endWord(p)
	if c == '<' && s.isRange() {
		s.oddly("zsh reads a range of numbers in angle brackets as a pattern", s.pos)
	}
	switch {
	case c == '<' && next == '<' && s.peek(2) == '<':
		s.skip(3)
	case c == '<' && next == '<':
		s.Heredocs.Add(s.here())
		s.skip(2)
		s.delimiter(p.term != 0)
	default:
		s.skip(1)
		if next == '&' || next == '>' || next == '|' {
			s.skip(1)
		}
	}
}

// isRange says whether what follows is <1-9>, in which either number may be left out.
func (s *scanner) isRange() bool {
	rest := strings.TrimLeft(s.src[s.pos+1:], "0123456789")
	if !strings.HasPrefix(rest, "-") {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(rest[1:], "0123456789"), ">")
}

// parenthesis scans an array, arithmetic or a subshell.
func (s *scanner) parenthesis(p *place) {
	if p.word && p.equals { // an array
		s.pos++
		s.commands(')')
		p.bare, p.equals = false, false
		return
	}
	s.endWord(p)
	arithmetic := (p.first || p.isFor) && s.peek(1) == '(' && s.arithmetic(2)
	if p.isFor = false; !arithmetic {
		s.pos++
		s.commands(')')
	}
	p.first = true
}

// closed scans a closing parenthesis: it ends the commands, or is that of a pattern of case.
func (s *scanner) closed(p *place) bool {
	s.endWord(p)
	ends := p.cases == 0 && p.term == ')'
	if ends && len(s.pending) > 0 {
		s.oddly("a here-document that ends after its substitution", s.pos)
	}
	s.pos++
	p.first = true
	return ends
}

// operator scans what ends a command.
func (s *scanner) operator(p *place, c byte) {
	s.endWord(p)
	if c == '&' || c == '|' {
		// Chains become a deep tree.
		if s.joints++; s.joints > maxJoints {
			s.refused = "it joins too many commands"
			s.pos = len(s.src)
			return
		}
	}
	s.pos++
	p.first = true
	if c == '\n' && len(s.pending) > 0 {
		s.hereDocuments()
	}
}

// at returns the byte k Places on as it stands, 0 at the end.
func (s *scanner) at(k int) byte {
	if s.pos+k < len(s.src) {
		return s.src[s.pos+k]
	}
	return 0
}

// comment moves to the end of the line. A backslash at its end means nothing to
// bash, but the parser would join the next line to it, so it is cut.
func (s *scanner) comment() {
	s.Comments.Add(s.here())
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
