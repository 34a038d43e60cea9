package content

import (
	"cmp"
	"math/bits"
	"slices"
)

// hit says that a word or a phrase begins at a token.
type hit struct {
	at    int32
	set   uint16 // of its classes
	words uint8  // how many tokens it takes
}

// table finds a number by a hash that is taken for the word itself. A part of the
// hash says where to look, and the upper half is compared.
type table []uint64 // a key and the number beside it; 0 where there is nothing

func (t table) find(h uint64) uint32 {
	mask := uint64(len(t) - 1)
	for i := (h >> 16) & mask; ; i = (i + 1) & mask {
		switch e := t[i&uint64(len(t)-1)]; {
		case e>>32 == keyOf(h):
			return uint32(e)
		case e == 0:
			return 0
		}
	}
}

// keyOf is the part of a hash that is compared. It is never 0.
func keyOf(h uint64) uint64 { return h>>32 | 1 }

// newTable lays out what a map holds.
func newTable(entries map[uint64]uint32) table {
	size := 16
	for size < 2*len(entries) {
		size *= 2
	}
	t := make(table, size)
	for _, h := range sorted(entries) {
		i := int(h>>16) & (size - 1)
		for t[i] != 0 {
			i = (i + 1) & (size - 1)
		}
		t[i] = keyOf(h)<<32 | uint64(entries[h])
	}
	return t
}

// sorted lists the keys of a map in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K {
	list := make([]K, 0, len(m))
	for key := range m {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

// lookup notes which classes each token begins.
func (r *reader) lookup(rules *Rules) {
	r.first = room(r.first, len(r.tokens)+1)[:len(r.tokens)+1]
	r.hits = r.hits[:0]
	for i := range r.tokens {
		r.first[i] = int32(len(r.hits))
		t := &r.tokens[i]
		r.begin(rules, i, t.word)
		if t.stem != 0 {
			r.begin(rules, i, t.stem)
		}
	}
	r.first[len(r.tokens)] = int32(len(r.hits))
}

// begin adds the classes of a word, and of the phrases that begin with it. Most words
// have classes and some have none, so a hit is written before it is known.
func (r *reader) begin(rules *Rules, at int, word uint16) {
	n := &rules.roots[word]
	k := len(r.hits)
	if k == cap(r.hits) {
		r.hits = slices.Grow(r.hits, k/2+64)
	}
	h := &r.hits[:k+1][k]
	h.at, h.set, h.words = int32(at), n.set, 1
	r.hits = r.hits[:k+int((uint32(n.set)+0xffff)>>16)]
	if at+1 >= len(r.tokens) {
		return
	}
	if next := &r.tokens[at+1]; n.next&(wordBit(uint32(next.word))|wordBit(uint32(next.stem))) != 0 {
		r.phrases(rules, at, at+1, uint32(word), n.next)
	}
}

// phrases adds the classes of the phrases that begin at a token and go on at another,
// from a node with these ways on. A word may count as itself and as its stem, so there are
// at most two ways at each step, and a phrase is short.
func (r *reader) phrases(rules *Rules, from, at int, id, ways uint32) {
	next := &r.tokens[at]
	if next.flags&starts != 0 {
		return
	}
	for _, word := range [2]uint16{next.word, next.stem} {
		if word == 0 || ways&wordBit(uint32(word)) == 0 {
			continue
		}
		to := rules.step(id, uint32(word))
		if to == 0 {
			continue
		}
		n := rules.node(to)
		if n.set != 0 {
			r.hits = append(r.hits, hit{int32(from), n.set, uint8(at - from + 1)})
		}
		if n.next != 0 && at+1 < len(r.tokens) && at-from < maxPhrase {
			r.phrases(rules, from, at+1, to, n.next)
		}
	}
}

// maxPhrase is how many words a phrase of a class may have.
const maxPhrase = 14

// element is one step of a pattern: a word of a class, at most gap words after
// the step before it.
type element struct {
	of       uint16 // a class; 0 is any word
	gap      uint8
	flags    uint8 // what must be so of the word: a clause begins with it, a colon stands before it
	tight    bool  // the gap does not go over a comma, a colon or a bracket
	optional bool
}

// window is how many words a pattern may span.
const window = 63

// match says where a pattern that begins at a token ends, before limit, which is
// where the sentence ends. The possible places of the next step are the bits of one
// number, so the cost does not depend on how many ways there are.
func (r *reader) match(rules *Rules, p *pattern, at, limit int) (end int, ok bool) {
	inside := uint64(1)<<min(limit-at, window) - 1
	broken := uint64(0)
	if p.anyTight {
		broken = r.brokenFrom(at) &^ 1
	}
	now := uint64(1)
	steps := rules.stepsOf(p)
	for i := range steps {
		e := &steps[i]
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
			if e.of == 0 {
				next |= 1 << (p + 1)
				continue
			}
			for _, h := range r.hits[r.first[at+p]:r.first[at+p+1]] {
				if rules.takes(e.of, h.set) {
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

// valueOf says in which value of a text of names and values a token is.
func (r *reader) valueOf(token int) int {
	n, _ := slices.BinarySearch(r.values, int32(token+1))
	return n
}

// brokenFrom is which of the words from a token on stand after a comma, a colon or a
// bracket.
func (r *reader) brokenFrom(at int) uint64 {
	i, shift := at>>6, at&63
	if i >= len(r.broken) {
		return 0
	}
	bits := r.broken[i] >> shift
	if shift > 0 && i+1 < len(r.broken) {
		bits |= r.broken[i+1] << (64 - shift)
	}
	return bits
}

// possible says whether a sentence with these classes has something for every step
// of a pattern that has to be there.
func (r *Rules) possible(p *pattern, present []uint64) bool {
	for _, e := range r.stepsOf(p) {
		if !e.optional && e.of != 0 && present[e.of>>6]>>(e.of&63)&1 == 0 {
			return false
		}
	}
	return true
}

// union is which classes the hits have. Four numbers at a time are held in registers:
// a word has many classes.
func (r *Rules) union(present []uint64, hits []hit) {
	for at := 0; at < len(present); at += setStep {
		var a, b, c, d uint64
		sets := r.sets[at:]
		for _, h := range hits {
			set := (*[setStep]uint64)(sets[int(h.set)*r.width:])
			a |= set[0]
			b |= set[1]
			c |= set[2]
			d |= set[3]
		}
		*(*[setStep]uint64)(present[at:]) = [setStep]uint64{a, b, c, d}
	}
}

// setStep divides how many numbers a set of classes has.
const setStep = 4

// count says how many hits are of a class.
func (r *reader) count(rules *Rules, class uint16, hits []hit) (n int) {
	for _, h := range hits {
		if rules.takes(class, h.set) {
			n++
		}
	}
	return n
}

// maxClasses bounds how many classes rules can have.
const maxClasses = 2048

// has says whether a word of one of the classes begins at a token in a range.
func (r *reader) has(rules *Rules, list []uint16, from, to int) bool {
	if len(list) == 0 {
		return false
	}
	for t := max(from, 0); t < min(to, len(r.tokens)); t++ {
		for _, c := range list {
			if r.begins(rules, c, t) {
				return true
			}
		}
	}
	return false
}

// begins says whether a word of a class begins at a token.
func (r *reader) begins(rules *Rules, c uint16, t int) bool {
	for _, h := range r.hits[r.first[t]:r.first[t+1]] {
		if rules.takes(c, h.set) {
			return true
		}
	}
	return false
}
