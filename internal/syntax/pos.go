package syntax

import "strings"

// Pos is a place in a script. The zero value is none.
type Pos struct {
	offset uint32
	place  uint32 // line and column
}

// A line or column that does not fit is zero.
const (
	columnBits = 14
	maxColumn  = 1<<columnBits - 1
	maxLine    = 1<<(32-columnBits) - 1
)

// Offset is the number of bytes before the place, Line counts from one, and so does
// Col, in bytes.
func (p Pos) Offset() uint { return uint(p.offset) }
func (p Pos) Line() uint   { return uint(p.place >> columnBits) }
func (p Pos) Col() uint    { return uint(p.place & maxColumn) }

func (p Pos) IsValid() bool { return p.place != 0 }

// After says whether p is a place behind q.
func (p Pos) After(q Pos) bool { return p.IsValid() && p.offset > q.offset }

// plus is the place n bytes on in the same line.
func (p Pos) plus(n int) Pos {
	if p.place == 0 {
		return p
	}
	p.offset += uint32(n)
	if col := p.Col(); col > 0 {
		if col += uint(n); col > maxColumn {
			col = 0
		}
		p.place = p.place&^maxColumn | uint32(col)
	}
	return p
}

func later(a, b Pos) Pos {
	if b.After(a) {
		return b
	}
	return a
}

// lines knows the line that was asked for last. Places are asked for nearly in order,
// so that the next one is in the same line or in one of the next.
type lines struct {
	text     string
	number   int
	from, to int // the line is text[from:to]
}

func linesOf(text string) lines {
	l := lines{text: text, number: 1}
	l.to = l.next(0)
	return l
}

// next is where the line that begins at an offset ends.
func (l *lines) next(from int) int {
	if n := strings.IndexByte(l.text[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(l.text)
}

func (l *lines) pos(at int) Pos {
	for at > l.to {
		l.from = l.to + 1
		l.to = l.next(l.from)
		l.number++
	}
	for at < l.from {
		l.to = l.from - 1
		l.from = strings.LastIndexByte(l.text[:l.to], '\n') + 1
		l.number--
	}
	line, col := uint32(l.number), uint32(at-l.from+1)
	if line > maxLine {
		line = 0
	}
	if col > maxColumn {
		col = 0
	}
	return Pos{offset: uint32(at), place: line<<columnBits | col}
}

// layer is a text that is read in place of another one: that of `...`, without the
// backslashes that protected it there.
type layer struct {
	outer *layer
	src   string
	from  int   // where it begins in the outer text
	cuts  []int // before which of its bytes a backslash was left out, in order
	seen  int   // cuts before the place that was asked for last
}

// original is where a byte stands in the outer text.
func (l *layer) original(at int) int {
	for l.seen < len(l.cuts) && l.cuts[l.seen] <= at {
		l.seen++
	}
	for l.seen > 0 && l.cuts[l.seen-1] > at {
		l.seen--
	}
	return l.from + at + l.seen
}
