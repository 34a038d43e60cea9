package content

import (
	"cmp"
	"encoding/binary"
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
	off      []string // rules that are left out
	classes  map[string]uint16
	choices  map[uint16][]uint16 // for each class the choices that it is among
	words    vocabulary
	stems    vocabulary
	steps    map[uint64]uint32
	lastWord uint32
	plainest []string            // single words, of which disguised forms are looked for
	ends     map[uint32][]uint16 // the classes of the phrases that end at a node
	common   map[uint16]int      // for each class how many words and phrases have it
}

// newBuilder begins rules with about n phrases.
func newBuilder(n int, off []string) *builder {
	r := &Rules{stemHeads: make([]uint64, 1<<7), markHeads: make([]uint64, 1<<7), turnedBits: make([]uint64, 1<<10)}
	r.roots = make([]node, 1, n/2+1)
	b := &builder{rules: r, off: off, words: make(vocabulary, n), stems: vocabulary{}, steps: make(map[uint64]uint32, n), classes: map[string]uint16{}, choices: map[uint16][]uint16{}, ends: make(map[uint32][]uint16, n), common: map[uint16]int{}}
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
	case b.lastWord >= maxWords:
		return nil, errors.New("content rules have too many words")
	case len(r.elements) > 1<<16-1 || len(r.patterns) > 1<<16-1:
		return nil, errors.New("content rules have too many patterns")
	}
	r.width = (len(b.classes)/64 + setStep) / setStep * setStep
	b.renumber()
	b.sets()
	if len(r.sets)/r.width > 1<<16-1 {
		return nil, errors.New("content rules have too many phrases")
	}
	b.turned()
	b.index()
	r.words, r.stems, r.steps = newTable(b.words), newTable(b.stems), newTable(b.steps)
	b.sortMarks()
	return r, nil
}

// renumber gives the first numbers to the classes that patterns are filed under, so that
// those of a sentence are together.
func (b *builder) renumber() {
	r := b.rules
	to := b.numbers()
	all := func(list []uint16) {
		for i := range list {
			list[i] = to[list[i]]
		}
	}
	for i := range r.elements {
		r.elements[i].of = to[r.elements[i].of]
	}
	for i := range r.rules {
		all(r.rules[i].unless)
		all(r.rules[i].unlessAfter)
	}
	for _, list := range b.ends {
		all(list)
	}
	choices := make(map[uint16][]uint16, len(b.choices))
	for class, list := range b.choices {
		all(list)
		choices[to[class]] = list
	}
	b.choices = choices
	all(r.special[:])
}

// numbers is the new number of each class: first those that patterns are filed under.
func (b *builder) numbers() []uint16 {
	r := b.rules
	under := make([]bool, len(b.classes)+1)
	for i := range r.patterns {
		p := &r.patterns[i]
		under[r.stepsOf(p)[p.rarest].of] = true
	}
	to := make([]uint16, len(under))
	next := uint16(1)
	for _, filed := range [...]bool{true, false} {
		for class := 1; class < len(under); class++ {
			if under[class] == filed {
				to[class] = next
				next++
			}
		}
		if filed {
			r.filers = int(next)/64 + 1
		}
	}
	return to
}

// sets gives each node the set of the classes whose phrases end there.
func (b *builder) sets() {
	r := b.rules
	r.sets = make([]uint64, r.width) // the empty one
	known := map[string]uint16{}
	var key []byte
	for _, id := range sorted(b.ends) {
		list := make([]uint64, r.width)
		for _, c := range b.ends[id] {
			list[c>>6] |= 1 << (c & 63)
			for _, c := range b.choices[c] {
				list[c>>6] |= 1 << (c & 63)
			}
		}
		key = key[:0]
		for _, word := range list {
			key = binary.LittleEndian.AppendUint64(key, word)
		}
		set := known[string(key)]
		if set == 0 {
			set = uint16(len(r.sets) / r.width)
			known[string(key)] = set
			r.sets = append(r.sets, list...)
			b.countClasses(list)
		}
		r.node(id).set = set
	}
}

// countClasses counts for each class the sets that have it.
func (b *builder) countClasses(set []uint64) {
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			b.common[uint16(i<<6+bits.TrailingZeros64(word))]++
		}
	}
}

// sortMarks puts the marks in order and notes what they begin with.
func (b *builder) sortMarks() {
	r := b.rules
	slices.SortStableFunc(r.marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.text[0], b.text[0]), len(b.text)-len(a.text))
	})
	for c, at := 0, 0; c < 256; c++ {
		for ; at < len(r.marks) && int(r.marks[at].text[0]) == c; at++ {
			b.markHead(r.marks[at].text)
		}
		r.marked[c+1] = uint16(at)
	}
}

// markHead notes what a mark begins with; a short one goes on with anything.
func (b *builder) markHead(text string) {
	for second := range 256 {
		if len(text) > 1 && second != int(text[1]) {
			continue
		}
		for third := range 256 {
			if len(text) < 3 || third == int(text[2]) {
				setBit(b.rules.markHeads, markHead(text[0], byte(second), byte(third)))
			}
		}
	}
}

func (b *builder) class(name string) uint16 {
	c, ok := b.classes[name]
	if !ok {
		c = uint16(min(len(b.classes)+1, maxClasses-1))
		b.classes[name] = c
	}
	return c
}

// choice is the choice between the classes whose names stand between plus signs: one
// class, or one that has the words of all of them.
func (b *builder) choice(names string) uint16 {
	if !strings.Contains(names, "+") || b.classes[names] != 0 {
		return b.class(names)
	}
	c := b.class(names)
	for name := range strings.SplitSeq(names, "+") {
		of := b.class(name)
		b.choices[of] = append(b.choices[of], c)
	}
	return c
}

// vocabulary numbers words by their hashes.
type vocabulary map[uint64]uint32

// number is the number of a word in a vocabulary; both count on together.
func (b *builder) number(v vocabulary, text string) uint32 {
	h := hashOf(text)
	id := v[h]
	if id == 0 {
		b.lastWord++
		id = b.lastWord
		v[h] = id
		b.rules.roots = append(b.rules.roots, node{})
	}
	return id
}

func (b *builder) word(text string) uint32 { return b.number(b.words, text) }

func (b *builder) stem(text string) uint32 {
	if len(text) >= minStem {
		setBit(b.rules.stemHeads, shortHash(uint32(first8(text))))
	}
	b.rules.longestStem = max(b.rules.longestStem, len(text))
	return b.number(b.stems, text)
}

// read reads one text.
func (b *builder) read(text string) error {
	rule := -1 // the one that patterns belong to, or -1 if it is left out
	var last string
	var lastID uint16
	for line := range strings.Lines(text) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		var err error
		switch kind {
		case "w":
			class, phrase, ok := strings.Cut(rest, " ")
			if !ok || phrase == "" {
				return errForm
			}
			if class != last {
				last, lastID = class, b.class(class)
			}
			err = b.phrase(lastID, phrase)
		case "r":
			rule, err = b.rule(rest)
		case "c":
			err = b.pair(rest)
		case "p", "u", "a":
			if rule >= 0 {
				err = b.detail(rule, kind, rest)
			}
		case "":
		default:
			err = errForm
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rule reads a rule without its patterns, and returns its number or -1 if it is off.
func (b *builder) rule(text string) (int, error) {
	f := strings.SplitN(text, " ", 6)
	if len(f) < 6 {
		return -1, errForm
	}
	points, err := strconv.ParseFloat(f[2], 64)
	switch {
	case err != nil:
		return -1, errForm
	case slices.Contains(b.off, f[0]):
		return -1, nil
	}
	b.rules.rules = append(b.rules.rules, Rule{ID: f[0], Category: f[1], Points: points, Hidden: strings.Contains(f[3], "h"), Firm: strings.Contains(f[3], "f"), Source: f[4], Reason: f[5]})
	return len(b.rules.rules) - 1, nil
}

func (b *builder) pair(text string) error {
	f := strings.Fields(text)
	if len(f) != 3 {
		return errForm
	}
	points, err := strconv.ParseFloat(f[2], 64)
	if err != nil {
		return errForm
	}
	b.rules.pairs = append(b.rules.pairs, pair{f[0], f[1], points})
	return nil
}

// detail reads what belongs to a rule: a pattern, or what keeps it from counting.
func (b *builder) detail(rule int, kind, text string) error {
	r := b.rules
	if kind != "p" {
		list := &r.rules[rule].unless
		if kind == "a" {
			list = &r.rules[rule].unlessAfter
		}
		for _, f := range strings.Fields(text) {
			*list = append(*list, b.choice(f))
		}
		return nil
	}
	number, text, _ := strings.Cut(text, " ")
	rarest, err := strconv.Atoi(number)
	if err != nil {
		return errForm
	}
	steps, err := b.pattern(text)
	if err != nil {
		return err
	}
	if rarest < 0 || rarest >= len(steps) || steps[rarest].of == 0 || len(steps) > 64 {
		return errForm
	}
	r.patterns = append(r.patterns, pattern{
		rule: uint16(rule), rarest: uint8(rarest), count: uint8(len(steps)), first: uint16(len(r.elements)),
		anyTight: slices.ContainsFunc(steps, func(e element) bool { return e.tight }),
	})
	r.elements = append(r.elements, steps...)
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
		e := b.element(f)
		e.gap, e.tight = uint8(gap), tight
		list = append(list, e)
		gap, tight = 0, false
	}
	if len(list) == 0 || !list[0].first() {
		return nil, fmt.Errorf("a pattern must begin with a word: %q", text)
	}
	return list, nil
}

// element reads one step, without the gap before it.
func (b *builder) element(text string) (e element) {
	switch text[0] {
	case '^':
		text, e.flags = text[1:], opens
	case ':':
		text, e.flags = text[1:], called
	case ',':
		text, e.flags = text[1:], breaks
	}
	text, e.optional = strings.CutSuffix(text, "?")
	if text != "*" {
		e.of = b.choice(text)
	}
	return e
}

// first says whether a pattern can begin with a step.
func (e *element) first() bool { return !e.optional && e.gap == 0 && e.of != 0 }

// needs lists the classes without which a pattern cannot be there, beside its rarest:
// those with the fewest phrases first.
func (b *builder) needs(p *pattern) (list []uint16) {
	steps := b.rules.stepsOf(p)
	for i, e := range steps {
		if i != int(p.rarest) && !e.optional && e.of != 0 && e.of != steps[p.rarest].of && !slices.Contains(list, e.of) {
			list = append(list, e.of)
		}
	}
	slices.SortStableFunc(list, func(x, y uint16) int { return cmp.Compare(b.common[x], b.common[y]) })
	return list
}

// index files each pattern under its rarest step.
func (b *builder) index() {
	r := b.rules
	lists := make([][]uint16, len(b.classes)+1)
	for i := range r.patterns {
		p := &r.patterns[i]
		of := r.stepsOf(p)[p.rarest].of
		lists[of] = append(lists[of], uint16(i))
	}
	r.filing = make([]uint64, r.width)
	for class, list := range lists {
		if len(list) > 0 {
			r.filing[class>>6] |= 1 << (class & 63)
		}
		r.byClass = append(r.byClass, uint16(len(r.filed)))
		for _, i := range list {
			p := &r.patterns[i]
			f := filed{pattern: i}
			p.more = len(b.needs(p)) > copy(f.others[:], b.needs(p))
			r.filed = append(r.filed, f)
		}
	}
	r.byClass = append(r.byClass, uint16(len(r.filed)))
}

// phrase adds a phrase to a class.
func (b *builder) phrase(class uint16, phrase string) error {
	ids := b.spell(class, phrase)
	if len(ids) == 0 || len(ids) > maxPhrase {
		return fmt.Errorf("a phrase has from 1 to %d words: %q", maxPhrase, phrase)
	}
	r := b.rules
	at := ids[0]
	for _, id := range ids[1:] {
		r.node(at).next |= wordBit(id)
		next := b.steps[stepKey(at, id)]
		if next == 0 {
			next = deep + uint32(len(r.nodes))
			r.nodes = append(r.nodes, node{})
			b.steps[stepKey(at, id)] = next
		}
		at = next
	}
	if !slices.Contains(b.ends[at], class) {
		b.ends[at] = append(b.ends[at], class)
	}
	return nil
}

// spell is the numbers of the words of a phrase.
func (b *builder) spell(class uint16, phrase string) (ids []uint32) {
	r := b.rules
	switch phrase {
	case "URL":
		return []uint32{uint32(r.urlWord)}
	case "SLOT":
		return []uint32{uint32(r.slotWord)}
	case "EMAIL":
		return []uint32{uint32(r.emailWord)}
	}
	if c := phrase[0]; c < 0x80 && alphabet.lower[c] == 0 {
		id := b.word("\x02" + strings.ToLower(phrase))
		if !slices.ContainsFunc(r.marks, func(m mark) bool { return m.word == uint16(id) }) {
			r.marks = append(r.marks, mark{phrase, uint16(id)})
		}
		return []uint32{id}
	}
	for f := range strings.SplitSeq(phrase, " ") {
		if s, ok := strings.CutSuffix(f, "*"); ok {
			ids = append(ids, b.stem(s))
			continue
		}
		ids = append(ids, b.word(f))
		if class == r.special[classCore] {
			b.plainest = append(b.plainest, f)
		}
	}
	return ids
}
