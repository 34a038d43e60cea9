package content

import (
	"math/bits"
	"slices"
)

// hit says that a word of a class, or a phrase, begins at a token.
type hit struct {
	class uint16
	words uint8 // how many tokens it takes
}

// table finds a number by a hash that is taken for the word itself.
type table struct {
	keys []uint64
	vals []uint32
	mask uint64
}

func newTable(n int) table {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return table{make([]uint64, size), make([]uint32, size), uint64(size - 1)}
}

func (t *table) find(h uint64) uint32 {
	for i := (h >> 20) & t.mask; ; i = (i + 1) & t.mask {
		switch t.keys[i] {
		case h:
			return t.vals[i]
		case 0:
			return 0
		}
	}
}

func (t *table) put(h uint64, v uint32) {
	i := (h >> 20) & t.mask
	for t.keys[i] != 0 && t.keys[i] != h {
		i = (i + 1) & t.mask
	}
	t.keys[i], t.vals[i] = h, v
}

// lookup notes which classes each token begins.
func (r *reader) lookup(rules *Rules) {
	r.first = append(r.first, 0)
	r.broken = slices.Grow(r.broken[:0], len(r.tokens)/64+1)[:len(r.tokens)/64+1]
	clear(r.broken)
	for i := range r.tokens {
		if r.tokens[i].flags&breaks != 0 {
			r.broken[i>>6] |= 1 << (i & 63)
		}
		if t := &r.tokens[i]; t.word != 0 || t.stem != 0 {
			r.phrases(rules, i, i, 0)
		}
		r.first = append(r.first, int32(len(r.hits)))
	}
}

// phrases follows the phrases that begin at a token through the words at and
// after at. A word may count as itself and as its stem, so there are at most two
// ways on at each step, and a phrase is short.
func (r *reader) phrases(rules *Rules, from, at int, node uint32) {
	t := &r.tokens[at]
	for _, word := range [2]uint32{t.word, t.stem} {
		if word == 0 {
			continue
		}
		var next uint32
		if node == 0 {
			next = rules.roots[word]
		} else {
			next = rules.step(node, word)
		}
		if next == 0 {
			continue
		}
		n := &rules.nodes[next]
		if n.class != 0 {
			r.hits = append(r.hits, hit{n.class, uint8(at - from + 1)})
			for _, class := range n.rest {
				r.hits = append(r.hits, hit{class, uint8(at - from + 1)})
			}
		}
		if n.more && at+1 < len(r.tokens) && at-from < maxPhrase && r.tokens[at+1].sentence == t.sentence {
			r.phrases(rules, from, at+1, next)
		}
	}
}

// maxPhrase is how many words a phrase of a class may have.
const maxPhrase = 14

// element is one step of a pattern: a word of a class, at most gap words after
// the step before it.
type element struct {
	set      set // nil is any word
	gap      uint8
	tight    bool // the gap does not go over a comma, a colon or a bracket
	optional bool
	anyTight bool  // a gap in the pattern up to here is tight
	flags    uint8 // what must be so of the word: a clause begins with it, a colon stands before it
}

// window is how many words a pattern may span.
const window = 63

// match says where a pattern that begins at a token ends, before limit, which is
// where the sentence ends. The possible places of the next step are the bits of one
// number, so the cost does not depend on how many ways there are.
func (r *reader) match(pattern []element, at, limit int) (end int, ok bool) {
	inside := uint64(1)<<min(limit-at, window) - 1
	broken := uint64(0)
	if pattern[len(pattern)-1].anyTight {
		broken = r.brokenFrom(at) &^ 1
	}
	now := uint64(1)
	for i := range pattern {
		e := &pattern[i]
		reach := now
		if e.tight && e.flags&(breaks|called) == 0 {
			reach &^= broken
			for range e.gap {
				reach |= reach << 1 &^ broken
			}
		} else {
			for range e.gap {
				reach |= reach << 1
			}
		}
		reach &= inside
		next := uint64(0)
		if e.optional {
			next = now
		}
		for rest := reach; rest != 0; rest &= rest - 1 {
			p := bits.TrailingZeros64(rest)
			if r.tokens[at+p].flags&e.flags != e.flags {
				continue
			}
			if e.set == nil {
				next |= 1 << (p + 1)
				continue
			}
			for _, h := range r.hits[r.first[at+p]:r.first[at+p+1]] {
				if e.set.has(h.class) {
					next |= 1 << (p + int(h.words))
				}
			}
		}
		if next == 0 {
			return 0, false
		}
		now = next
	}
	return at + bits.TrailingZeros64(now), true
}

// brokenFrom is which of the words from a token on stand after a comma, a colon or a
// bracket.
func (r *reader) brokenFrom(at int) uint64 {
	i, shift := at>>6, at&63
	bits := r.broken[i] >> shift
	if shift > 0 && i+1 < len(r.broken) {
		bits |= r.broken[i+1] << (64 - shift)
	}
	return bits
}

// possible says whether a sentence with these classes has something for every step
// of a pattern that has to be there.
func possible(pattern []element, present *[maxClasses / 64]uint64) bool {
	for i := range pattern {
		e := &pattern[i]
		if e.optional || e.set == nil {
			continue
		}
		any := uint64(0)
		for j, word := range e.set {
			any |= word & present[j]
		}
		if any == 0 {
			return false
		}
	}
	return true
}

// maxClasses bounds how many classes rules can have.
const maxClasses = 1024

// has says whether one of the classes begins at a token in a range.
func (r *reader) has(sets []set, from, to int) bool {
	if len(sets) == 0 {
		return false
	}
	for t := max(from, 0); t < min(to, len(r.tokens)); t++ {
		for _, h := range r.hits[r.first[t]:r.first[t+1]] {
			for _, s := range sets {
				if s.has(h.class) {
					return true
				}
			}
		}
	}
	return false
}
