// Package syntax reads a bash script into a tree. It reads the text in one pass, in
// linear time and with bounded recursion, and it costs nothing before it is called.
//
// A script that bash would refuse is refused, and so are a few that bash takes: those
// which do not mean the same before and after they are run, such as a parenthesis that
// is arithmetic or a subshell depending on what follows it.
package syntax

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// Error says why a script cannot be read.
type Error struct {
	Pos  Pos
	Text string
}

func (e *Error) Error() string { return e.Text }

// maxDepth bounds how deeply a script can be nested.
const maxDepth = 400

// idle is a parser for the next text, with the lists that it has emptied. What is left
// of its slabs is not kept: nodes of two texts in one array keep each other alive,
// and those of a third and a fourth.
var idle atomic.Pointer[parser]

// Parse reads a script. With an error it returns the statements before it.
func Parse(text string) (file *File, err error) {
	p := idle.Swap(nil)
	if p == nil {
		p = &parser{}
	}
	file = &File{}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			err = e
		default:
			panic(e)
		}
		p.stmts = p.stmts[:p.complete]
		file.Stmts, file.Comments = finish(&p.stmtLists, &p.stmts, 0), p.comments
		*p = parser{lists: p.emptied()}
		idle.Store(p)
	}()
	p.begin(text)
	for s := p.next(nil); s != nil; s = p.next(s) {
		p.stmts = append(p.stmts, s)
		p.complete++
	}
	if p.i < p.end {
		p.unexpected()
	}
	p.noBodies()
	return file, nil
}

// begin makes a text the one that is read.
func (p *parser) begin(text string) {
	p.src, p.end, p.lines = text, len(text), linesOf(text)
	if at := unreadable(text); at >= 0 {
		p.fail(at, "there is a byte that is not text")
	}
	p.joins = strings.Contains(text, "\\\n")
	p.slabs.expect(text)
	p.elsewhere()
}

// unreadable is the offset of a byte that no script should have, or -1.
func unreadable(text string) int {
	if at := strings.IndexByte(text, 0); at >= 0 {
		return at
	}
	if utf8.ValidString(text) {
		return -1
	}
	for at := 0; ; {
		c, n := utf8.DecodeRuneInString(text[at:])
		if c == utf8.RuneError && n <= 1 {
			return at
		}
		at += n
	}
}

// parser is where the reading is. The byte at i is never the beginning of a
// continuation, except in text in which there are none.
type parser struct {
	src    string // of the current layer
	i, end int
	joins  bool // there are continuations
	layer  *layer
	lines  lines
	run    run // the literal that was looked at last

	depth    int
	bare     int         // where # is not the beginning of a comment
	pending  []*Redirect // here-documents whose text is still to come
	funsub   bool        // the statements are those of ${ ...;}
	buried   int         // how many of those belong to the text around a substitution
	comments []Comment

	complete int // statements of the script itself

	lists
	slabs
}

// lists are those under construction. What is complete is copied to a slab.
type lists struct {
	stmts   []*Stmt
	words   []*Word
	parts   []WordPart
	assigns []*Assign
	redirs  []*Redirect
}

// emptied are the lists without what an error has left in them.
func (l *lists) emptied() lists {
	return lists{emptied(l.stmts), emptied(l.words), emptied(l.parts), emptied(l.assigns), emptied(l.redirs)}
}

// emptied is the room of a list, unless it is so much that it should be given back.
func emptied[T any](list []T) []T {
	if cap(list) > 1000 {
		return nil
	}
	clear(list)
	return list[:0]
}

// slabs are from where nodes are taken.
type slabs struct {
	lits        slab[Lit]
	wordNodes   slab[Word]
	stmtNodes   slab[Stmt]
	calls       slab[CallExpr]
	params      slab[ParamExp]
	quotes      slab[DblQuoted]
	singles     slab[SglQuoted]
	binaries    slab[BinaryCmd]
	redirNodes  slab[Redirect]
	assignments slab[Assign]

	stmtLists   slab[*Stmt]
	wordLists   slab[*Word]
	partLists   slab[WordPart]
	assignLists slab[*Assign]
	redirLists  slab[*Redirect]
}

// expect makes the first slabs as large as a text needs them as a rule, not counting its
// here-documents.
func (s *slabs) expect(text string) {
	length := len(text)
	if at := strings.Index(text, "<<"); at >= 0 {
		length = at
	}
	words, commands := min(1+length/6, maxSlab), min(1+length/24, maxSlab)
	s.lits.size, s.wordNodes.size, s.wordLists.size, s.partLists.size = words, words, words, words
	s.stmtNodes.size, s.calls.size = commands, commands
}

// maxSlab is how many values are allocated together at most.
const maxSlab = 128

// slab is room for values of a type that are allocated together: as many as size, and
// twice as many the next time.
type slab[T any] struct {
	room []T
	size int
}

// take returns n values.
func (s *slab[T]) take(n int) []T {
	if len(s.room) < n {
		s.size = max(s.size, 1)
		s.room = make([]T, max(n, s.size))
		s.size = min(2*s.size, maxSlab)
	}
	list := s.room[:n:n]
	s.room = s.room[n:]
	return list
}

func (s *slab[T]) one() *T { return &s.take(1)[0] }

// finish copies the values of a list from an index on, and takes them from it.
func finish[T any](s *slab[T], list *[]T, from int) []T {
	n := len(*list) - from
	if n == 0 {
		return nil
	}
	out := s.take(n)
	copy(out, (*list)[from:])
	clear((*list)[from:])
	*list = (*list)[:from]
	return out
}

func (p *parser) pos(at int) Pos {
	for l := p.layer; l != nil; l = l.outer {
		at = l.original(at)
	}
	return p.lines.pos(at)
}

func (p *parser) here() Pos { return p.pos(p.i) }

func (p *parser) fail(at int, text string) { p.failAt(p.pos(at), text) }

func (p *parser) failAt(pos Pos, text string) { panic(&Error{pos, text}) }

// unexpected refuses what stands here.
func (p *parser) unexpected() {
	what := p.source()
	if what == "" {
		p.fail(p.i, "the script ends too early")
	}
	p.fail(p.i, "unexpected "+what)
}

// source shows what stands here.
func (p *parser) source() string {
	switch c := p.c(); {
	case c == 0:
		return ""
	case c == '\n':
		return "end of line"
	case class[c]&endsWord != 0 || class[c]&plain == 0:
		n := 1
		for n < 3 && p.i+n < p.end && p.src[p.i+n] == c {
			n++
		}
		return "`" + p.src[p.i:p.i+n] + "`"
	}
	text := p.literal().text
	if len(text) > 20 {
		text = strings.ToValidUTF8(text[:20], "") + "..."
	}
	return "`" + text + "`"
}

// unclosed refuses the script because what begins at an offset has no end.
func (p *parser) unclosed(at int, open, end string) {
	p.fail(at, "`"+open+"` is not closed by `"+end+"`")
}

// enter counts a construct that nests.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.i, "it is nested too deeply")
	}
}

func (p *parser) leave() { p.depth-- }

// c is the byte here, 0 at the end.
func (p *parser) c() byte {
	if p.i < p.end {
		return p.src[p.i]
	}
	return 0
}

// peek is the byte k places on, not counting continuations.
func (p *parser) peek(k int) byte {
	if !p.joins {
		if p.i+k < p.end {
			return p.src[p.i+k]
		}
		return 0
	}
	i := p.i
	for ; k > 0 && i < p.end; k-- {
		i = p.joined(i + 1)
	}
	if i < p.end {
		return p.src[i]
	}
	return 0
}

// joined is the offset behind the continuations at an offset.
func (p *parser) joined(i int) int {
	for p.joins && i+1 < p.end && p.src[i] == '\\' && p.src[i+1] == '\n' {
		i += 2
	}
	return i
}

func (p *parser) join() {
	if p.joins {
		p.i = p.joined(p.i)
	}
}

// skip moves on by n bytes, not counting continuations.
func (p *parser) skip(n int) {
	if !p.joins {
		p.i = min(p.i+n, p.end)
		return
	}
	for ; n > 0 && p.i < p.end; n-- {
		p.i = p.joined(p.i + 1)
	}
}

// blank moves to the next token of the line, past blanks and a comment.
func (p *parser) blank() {
	for p.i < p.end {
		switch p.src[p.i] {
		case ' ', '\t':
			p.skip(1)
			continue
		case '#':
			if p.i != p.bare {
				p.comment()
			}
		}
		return
	}
}

func (p *parser) comment() {
	from := p.i
	if n := strings.IndexByte(p.src[from:p.end], '\n'); n >= 0 {
		p.i += n
	} else {
		p.i = p.end
	}
	p.comments = append(p.comments, Comment{Hash: p.pos(from), Text: p.src[from+1 : p.i]})
}

// newlines moves to the next token of any line, and says whether it is another one.
func (p *parser) newlines() (moved bool) {
	for p.blank(); p.c() == '\n'; p.blank() {
		p.newline()
		moved = true
	}
	return moved
}

// newline moves past the end of a line and the here-documents that follow it.
func (p *parser) newline() {
	p.i++
	if len(p.pending) > p.buried {
		p.bodies()
	}
	p.join()
}

// Classes of bytes.
const (
	plain    = 1 << iota // means nothing in a word
	endsWord             // cannot stand in a word unless it is quoted
	nameByte
	digit
	arithmetic // ends a literal of an arithmetic expression
)

// class is what a byte is; a table that needs no initialization.
var class = [256]uint8{
	18, 1, 1, 1, 1, 1, 1, 1, 1, 18, 18, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	18, 16, 16, 1, 16, 17, 18, 16, 18, 18, 16, 16, 17, 17, 17, 17,
	13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 17, 18, 16, 16, 16, 16,
	0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
	5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 16, 0, 17, 17, 5,
	16, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
	5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1, 18, 1, 17, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
}
