// Package expression matches regular expressions that were compiled elsewhere. Go's own
// regexp parses an expression before it can match, and sets up tables for that whenever
// a program starts; a hook starts with every call.
package expression

import (
	"errors"
	"slices"
	"unicode/utf8"

	"longline/internal/record"
)

// Expression is a compiled regular expression. The zero value matches nothing.
type Expression struct {
	Text string // as it was written
	ops  []Op
}

// Op is one step.
type Op struct {
	Kind  Kind
	Next  int    // the step that follows
	Other int    // of Either, the second step that may follow
	Runes []rune // of Rune, pairs of first and last
}

// Kind is what a step does.
type Kind byte

// The kinds of steps. The first ones look at a place, and Rune takes a character.
const (
	LineStart Kind = iota
	LineEnd
	TextStart
	TextEnd
	WordEdge
	NoWordEdge
	Go
	Either
	Rune
	Match
	Fail
	kindEnd
)

// New returns an expression of steps, the first of which is the start.
func New(text string, ops []Op) (Expression, error) {
	e := Expression{text, ops}
	if !e.sound() {
		return Expression{}, errors.New("the steps of the expression do not fit together")
	}
	return e, nil
}

// sound says whether there are steps, and all lead to others. An expression that matches
// nothing would make a rule that denies say nothing.
func (e Expression) sound() bool {
	return len(e.ops) > 0 && !slices.ContainsFunc(e.ops, func(o Op) bool {
		return o.Kind >= kindEnd || o.Next < 0 || o.Next >= len(e.ops) || o.Other < 0 || o.Other >= len(e.ops) || len(o.Runes)%2 != 0
	})
}

// Write writes an expression.
func Write(w *record.Writer, e Expression) {
	w.Text(e.Text)
	record.List(w, e.ops, func(w *record.Writer, o Op) {
		w.Byte(byte(o.Kind))
		w.Uint(uint64(o.Next))
		w.Uint(uint64(o.Other))
		record.List(w, o.Runes, func(w *record.Writer, r rune) { w.Uint(uint64(r)) })
	})
}

// Read reads what Write wrote.
func Read(r *record.Reader) Expression {
	e := Expression{Text: r.Text()}
	e.ops = record.ReadLong(r, 4, func(r *record.Reader) Op {
		o := Op{Kind: Kind(r.Byte()), Next: int(r.Uint()), Other: int(r.Uint())}
		o.Runes = record.ReadList(r, func(r *record.Reader) rune { return rune(r.Uint()) })
		return o
	})
	if !e.sound() {
		r.Fail()
	}
	return e
}

// Matches says whether the expression matches anywhere in a text. It takes all ways
// at once, so the time grows with the text, however the expression is made.
func (e Expression) Matches(text string) bool {
	if len(e.ops) == 0 {
		return false
	}
	now, next := newSet(len(e.ops)), newSet(len(e.ops))
	before := rune(-1)
	for at := 0; ; {
		after, size := rune(-1), 0
		if at < len(text) {
			after, size = utf8.DecodeRuneInString(text[at:])
		}
		now.add(0)
		if e.step(now, next, place{before, after}, size > 0) {
			return true
		}
		if size == 0 {
			return false
		}
		at, before = at+size, after
		now, next = next, now
		next.clear()
	}
}

// step takes all steps that can be taken at a place, and notes those behind its character, if
// there is one. It says whether the expression ends here.
func (e Expression) step(now, next *set, p place, more bool) bool {
	for i := 0; i < len(now.list); i++ { // which grows meanwhile
		switch o := &e.ops[now.list[i]]; {
		case o.Kind == Match:
			return true
		case o.Kind == Rune && more && o.takes(p.after):
			next.add(o.Next)
		case o.Kind == Either:
			now.add(o.Next)
			now.add(o.Other)
		case o.Kind <= Go && p.is(o.Kind):
			now.add(o.Next)
		}
	}
	return false
}

// takes says whether a step takes a character.
func (o *Op) takes(r rune) bool {
	for i := 0; i+1 < len(o.Runes); i += 2 {
		if r < o.Runes[i] {
			return false
		}
		if r <= o.Runes[i+1] {
			return true
		}
	}
	return false
}

// place is between two characters; -1 is the end of the text.
type place struct{ before, after rune }

func (p place) is(k Kind) bool {
	switch k {
	case LineStart:
		return p.before == -1 || p.before == '\n'
	case LineEnd:
		return p.after == -1 || p.after == '\n'
	case TextStart:
		return p.before == -1
	case TextEnd:
		return p.after == -1
	case WordEdge:
		return word(p.before) != word(p.after)
	case NoWordEdge:
		return word(p.before) == word(p.after)
	case Go:
		return true
	}
	return false
}

func word(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// set is a set of steps, in the order in which they came.
type set struct {
	list []int
	has  []bool
}

func newSet(size int) *set { return &set{make([]int, 0, size), make([]bool, size)} }

func (s *set) add(step int) {
	if !s.has[step] {
		s.has[step] = true
		s.list = append(s.list, step)
	}
}

func (s *set) clear() {
	for _, step := range s.list {
		s.has[step] = false
	}
	s.list = s.list[:0]
}
