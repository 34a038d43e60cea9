package content

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// builder fills the tables.
type builder struct {
	rules    *Rules
	classes  map[string]uint16
	choices  map[string]choice
	words    map[uint64]uint32
	stems    map[uint64]uint32
	steps    map[uint64]uint32
	lists    [][]uint16 // of the classes in each set
	lastWord uint32
	plainest []string // single words, of which disguised forms are looked for
	more     map[uint32][]uint16
}

// newBuilder begins rules with about n phrases.
func newBuilder(n int) *builder {
	r := &Rules{stemBits: make([]uint64, 1<<12)}
	r.roots = make([]node, 1, n/2+1)
	b := &builder{rules: r, words: make(map[uint64]uint32, n), stems: map[uint64]uint32{}, steps: make(map[uint64]uint32, n), classes: map[string]uint16{}, choices: map[string]choice{}, more: map[uint32][]uint16{}}
	r.urlWord, r.slotWord, r.emailWord = uint16(b.word("\x01url")), uint16(b.word("\x01slot")), uint16(b.word("\x01email"))
	for i, name := range specialNames {
		r.special[i] = b.class(name)
	}
	return b
}

// finish lays out what was read.
func (b *builder) finish() (*Rules, error) {
	r := b.rules
	switch {
	case len(b.classes) >= maxClasses-1:
		return nil, fmt.Errorf("content rules have more than %d classes of words", maxClasses-2)
	case b.lastWord+turns >= maxWords:
		return nil, errors.New("content rules have too many words")
	case len(r.elements) > 1<<16-1 || len(r.patterns) > 1<<16-1 || len(b.lists) > 1<<14:
		return nil, errors.New("content rules have too many patterns")
	}
	r.width = len(b.classes)/64 + 1
	r.sets = make([]uint64, len(b.lists)*r.width)
	for i, list := range b.lists {
		for _, c := range list {
			r.sets[i*r.width+int(c>>6)] |= 1 << (c & 63)
		}
	}
	r.rest = []uint16{0}
	for _, id := range sorted(b.more) {
		if len(r.rest)+len(b.more[id]) >= 1<<16 {
			return nil, errors.New("content rules have too many phrases")
		}
		r.node(id).rest = uint16(len(r.rest))
		r.rest = append(append(r.rest, b.more[id]...), 0)
	}
	b.turned()
	b.index()
	r.words, r.stems, r.steps = newTable(b.words), newTable(b.stems), newTable(b.steps)
	slices.SortStableFunc(r.marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.text[0], b.text[0]), len(b.text)-len(a.text))
	})
	for c, at := 0, 0; c < 256; c++ {
		for at < len(r.marks) && int(r.marks[at].text[0]) == c {
			at++
		}
		r.marked[c+1] = uint16(at)
	}
	return r, nil
}

func (b *builder) class(name string) uint16 {
	c, ok := b.classes[name]
	if !ok {
		c = uint16(min(len(b.classes)+1, maxClasses-1))
		b.classes[name] = c
	}
	return c
}

// choice is the choice between the classes whose names stand between plus signs.
func (b *builder) choice(names string) choice {
	if c, ok := b.choices[names]; ok {
		return c
	}
	var list []uint16
	for name := range strings.SplitSeq(names, "+") {
		list = append(list, b.class(name))
	}
	c := choice(list[0])
	if len(list) > 1 {
		c = choice(manyClasses + min(len(b.lists), 1<<15))
		b.lists = append(b.lists, list)
	}
	b.choices[names] = c
	return c
}

func (b *builder) word(text string) uint32 {
	h := hashOf(text)
	id := b.words[h]
	if id == 0 {
		b.lastWord++
		id = b.lastWord
		b.words[h] = id
		b.rules.roots = append(b.rules.roots, node{})
	}
	return id
}

func (b *builder) stem(text string) uint32 {
	h := hashOf(text)
	id := b.stems[h]
	if id == 0 {
		b.lastWord++
		id = b.lastWord
		b.stems[h] = id
		b.rules.roots = append(b.rules.roots, node{})
		b.rules.stemBits[h>>6&(1<<12-1)] |= 1 << (h & 63)
	}
	return id
}

func (b *builder) read(text string, off []string) error {
	var current int
	var last string
	var lastID uint16
	skip := true
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "w":
			class, phrase, ok := strings.Cut(rest, " ")
			if !ok || phrase == "" {
				return errForm
			}
			if class != last {
				last, lastID = class, b.class(class)
			}
			if err := b.phrase(lastID, phrase); err != nil {
				return err
			}
		case "r":
			f := strings.SplitN(rest, " ", 6)
			if len(f) < 6 {
				return errForm
			}
			points, err := strconv.ParseFloat(f[2], 64)
			if err != nil {
				return errForm
			}
			if skip = slices.Contains(off, f[0]); skip {
				continue
			}
			current = len(b.rules.rules)
			b.rules.rules = append(b.rules.rules, Rule{ID: f[0], Category: f[1], Points: points, Hidden: strings.Contains(f[3], "h"), Firm: strings.Contains(f[3], "f"), Source: f[4], Reason: f[5]})
		case "c":
			f := strings.Fields(rest)
			if len(f) != 3 {
				return errForm
			}
			points, err := strconv.ParseFloat(f[2], 64)
			if err != nil {
				return errForm
			}
			b.rules.pairs = append(b.rules.pairs, pair{f[0], f[1], points})
		case "p", "u", "a":
			if skip {
				continue
			}
			if kind != "p" {
				list := &b.rules.rules[current].unless
				if kind == "a" {
					list = &b.rules.rules[current].unlessAfter
				}
				for _, f := range strings.Fields(rest) {
					*list = append(*list, b.choice(f))
				}
				continue
			}
			number, rest, _ := strings.Cut(rest, " ")
			rarest, err := strconv.Atoi(number)
			if err != nil {
				return errForm
			}
			steps, err := b.pattern(rest)
			if err != nil {
				return err
			}
			if rarest < 0 || rarest >= len(steps) || steps[rarest].of == 0 || len(steps) > 64 {
				return errForm
			}
			b.rules.patterns = append(b.rules.patterns, pattern{
				rule: uint16(current), rarest: uint8(rarest), count: uint8(len(steps)), first: uint16(len(b.rules.elements)),
				anyTight: slices.ContainsFunc(steps, func(e element) bool { return e.tight }),
			})
			b.rules.elements = append(b.rules.elements, steps...)
		case "":
		default:
			return errForm
		}
	}
	return nil
}

// pattern reads steps: a gap "~3", or "-3" that does not go over a comma, then a class, which "^" ties to the beginning
// of a clause, "," to what stands after a comma, ":" after a colon, and "?" makes optional.
func (b *builder) pattern(text string) ([]element, error) {
	var list []element
	gap, tight := 0, false
	for _, f := range strings.Fields(text) {
		if f[0] == '~' || f[0] == '-' {
			v, err := strconv.Atoi(f[1:])
			if err != nil || v < 0 || v > 12 {
				return nil, errForm
			}
			gap, tight = v, f[0] == '-'
			continue
		}
		e := element{gap: uint8(gap), tight: tight}
		switch f[0] {
		case '^':
			f, e.flags = f[1:], opens
		case ':':
			f, e.flags = f[1:], called
		case ',':
			f, e.flags = f[1:], breaks
		}
		f, e.optional = strings.CutSuffix(f, "?")
		if f != "*" {
			e.of = b.choice(f)
		}
		list = append(list, e)
		gap, tight = 0, false
	}
	if len(list) == 0 || list[0].optional || list[0].gap > 0 || list[0].of == 0 {
		return nil, fmt.Errorf("a pattern must begin with a word: %q", text)
	}
	return list, nil
}

// needs has the bit of each class without which a pattern cannot be there.
func needs(steps []element) (bits uint64) {
	for _, e := range steps {
		if !e.optional && e.of != 0 && e.of < manyClasses {
			bits |= classBit(uint16(e.of))
		}
	}
	return bits
}

// index files each pattern under its rarest step.
func (b *builder) index() {
	r := b.rules
	lists := make([][]uint16, len(b.classes)+1)
	for i := range r.patterns {
		p := &r.patterns[i]
		of := r.stepsOf(p)[p.rarest].of
		if of < manyClasses {
			lists[of] = append(lists[of], uint16(i))
			continue
		}
		for w, word := range r.set(of) {
			for ; word != 0; word &= word - 1 {
				c := w<<6 + bits.TrailingZeros64(word)
				lists[c] = append(lists[c], uint16(i))
			}
		}
	}
	for _, list := range lists {
		r.byClass = append(r.byClass, uint16(len(r.filed)))
		for _, p := range list {
			r.filed = append(r.filed, filed{needs(r.stepsOf(&r.patterns[p])), p})
		}
	}
	r.byClass = append(r.byClass, uint16(len(r.filed)))
}

// phrase adds a phrase to a class.
func (b *builder) phrase(class uint16, phrase string) error {
	r := b.rules
	var ids []uint32
	switch phrase {
	case "URL":
		ids = []uint32{uint32(r.urlWord)}
	case "SLOT":
		ids = []uint32{uint32(r.slotWord)}
	case "EMAIL":
		ids = []uint32{uint32(r.emailWord)}
	default:
		if c := phrase[0]; c < 0x80 && alphabet.lower[c] == 0 {
			id := b.word("\x02" + strings.ToLower(phrase))
			if !slices.ContainsFunc(r.marks, func(m mark) bool { return m.word == uint16(id) }) {
				r.marks = append(r.marks, mark{phrase, uint16(id)})
			}
			ids = []uint32{id}
			break
		}
		for f := range strings.SplitSeq(phrase, " ") {
			if s, ok := strings.CutSuffix(f, "*"); ok {
				ids = append(ids, b.stem(s))
			} else {
				ids = append(ids, b.word(f))
				if class == r.special[classCore] {
					b.plainest = append(b.plainest, f)
				}
			}
		}
	}
	if len(ids) == 0 || len(ids) > maxPhrase {
		return fmt.Errorf("a phrase has from 1 to %d words: %q", maxPhrase, phrase)
	}
	at := ids[0]
	for _, id := range ids[1:] {
		r.node(at).more = true
		next := b.steps[stepKey(at, id)]
		if next == 0 {
			next = deep + uint32(len(r.nodes))
			r.nodes = append(r.nodes, node{})
			b.steps[stepKey(at, id)] = next
		}
		at = next
	}
	switch n := r.node(at); {
	case n.class == 0:
		n.class = class
	case n.class != class && !slices.Contains(b.more[at], class):
		b.more[at] = append(b.more[at], class)
	}
	return nil
}
