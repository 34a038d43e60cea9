package content

//go:generate go test ../contentfile -run TestRulesAreCompiled -update

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	_ "embed"
)

// Rules is a set of rules, ready to scan with. It may be used by many at once.
type Rules struct {
	alphabet alphabet
	folds    folds

	words, stems table
	stemBits     [1 << 12]uint64
	steps        table // from a node by a word to the next
	nodes        []node
	marks        [256][]mark
	marked       [256]bool

	urlWord, slotWord, emailWord uint32
	turnBase                     uint32 // from here on words are disguised ones; see turn.go

	rules    []Rule
	pairs    []pair
	patterns []pattern
	byClass  [][]int32 // for each class the patterns whose rarest step it can be
	roots    []uint32  // for each word the node of phrases that begin with it
	readers  sync.Pool
	special  [specials]uint16
	metaSet  []set
}

// node is a place in a phrase.
type node struct {
	class uint16   // 0 if no phrase ends here
	more  bool     // longer phrases go on
	rest  []uint16 // further classes
}

// mark is a sign, an address or a path that is found by its text alone.
type mark struct {
	text string
	word uint32
}

// pattern is one pattern of a rule.
type pattern struct {
	rule   int
	rarest int // the step that the fewest sentences have
	steps  []element
}

// Rule is one rule, as people see it.
type Rule struct {
	ID       string
	Category string
	Points   float64
	Reason   string
	// Hidden says that the rule counts only in text that was hidden or encoded.
	Hidden bool
	// Firm says that writing about injections or quoting does not make it weigh less.
	Firm   bool
	Source string

	unless, unlessAfter []set
}

// set is a set of classes.
type set []uint64

func (s set) has(class uint16) bool {
	return int(class>>6) < len(s) && s[class>>6]>>(class&63)&1 != 0
}

// pair says how much more two categories weigh near each other.
type pair struct {
	a, b   string
	points float64
}

// Classes that the scanner itself asks about.
const (
	classAbout = iota // words of somebody who writes about injections
	classMeta         // words that introduce an example
	classCore         // words of which disguised forms are looked for
	specials
)

var specialNames = [specials]string{classAbout: "about", classMeta: "meta", classCore: "core"}

// minStem is the shortest beginning of a word that stands for all that continue it.
const minStem = 4

//go:embed rules.txt
var builtin string

// Builtin returns the rules that longline brings along. They are read when they
// are first needed: most calls have no content.
func Builtin() *Rules {
	readBuiltin.Do(func() {
		rules, err := Read(builtin)
		if err != nil {
			panic("the content rules are damaged: " + err.Error())
		}
		builtinRules = rules
	})
	return builtinRules
}

var (
	readBuiltin  sync.Once
	builtinRules *Rules
)

// BuiltinText is the compiled form of the rules that longline brings along.
func BuiltinText() string { return builtin }

// errForm is what is wrong with a text that is not the compiled form.
var errForm = errors.New("not compiled content rules")

// Form is the first line of the compiled form.
const Form = "longline content rules 1"

// Read reads the compiled form: words with the classes they belong to, and rules
// with their patterns. Several can be read as one; rules whose ids are off are
// left out. The form is text, so that a change of it can be looked at:
//
//	w CLASS PHRASE          a phrase belongs to a class, folded; a star ends a stem
//	r ID CATEGORY POINTS FLAGS SOURCE REASON
//	p N STEP...             a pattern of the rule before it; a step is CLASS+CLASS, and N is
//	                        the number of the one that the fewest sentences have
//	u STEP...               the rule does not count shortly after these
//	a STEP...               nor with these inside or shortly behind it
//	c CATEGORY CATEGORY POINTS  the two together weigh so much more
func Read(texts ...string) (*Rules, error) { return ReadWithout(nil, texts...) }

// ReadWithout is Read without the rules that are named.
func ReadWithout(off []string, texts ...string) (*Rules, error) {
	n := 0
	for _, text := range texts {
		n += strings.Count(text, "\nw ")
	}
	r := &Rules{words: newTable(n + 2000), stems: newTable(n/16 + 8), steps: newTable(n + n/2)}
	r.alphabet.fill()
	r.folds.fill()
	r.nodes = make([]node, 1, n+1)
	b := builder{rules: r, classes: map[string]uint16{}, sets: map[string]set{}}
	r.urlWord, r.slotWord, r.emailWord = b.word("\x01url"), b.word("\x01slot"), b.word("\x01email")
	for i, name := range specialNames {
		r.special[i] = b.class(name)
	}
	for _, text := range texts {
		first, rest, _ := strings.Cut(text, "\n")
		if first != Form {
			return nil, errForm
		}
		if err := b.read(rest, off); err != nil {
			return nil, err
		}
	}
	r.metaSet = []set{b.set(specialNames[classMeta])}
	if len(b.classes) >= maxClasses-1 {
		return nil, fmt.Errorf("content rules have more than %d classes of words", maxClasses-2)
	}
	b.turned()
	b.index()
	for c := range r.marks {
		slices.SortStableFunc(r.marks[c], func(a, b mark) int { return len(b.text) - len(a.text) })
		r.marked[c] = len(r.marks[c]) > 0
	}
	return r, nil
}

// List returns all rules.
func (r *Rules) List() []Rule { return r.rules }

func (r *Rules) maybeStem(h uint64) bool {
	return r.stemBits[h>>6&(1<<12-1)]>>(h&63)&1 != 0
}

// step follows a phrase by one word; 0 is nowhere.
func (r *Rules) step(node, word uint32) uint32 {
	return r.steps.find(stepKey(node, word))
}

func stepKey(node, word uint32) uint64 {
	h := (uint64(node)<<32 | uint64(word)) * 0x9e3779b97f4a7c15
	return h ^ h>>29 | 1
}

// mark returns the longest mark that text begins with.
func (r *Rules) mark(text []byte) (word uint32, n int) {
	for _, m := range r.marks[text[0]] {
		if len(m.text) > 1 && len(text) > 1 && (m.text[1]^text[1])&^0x20 != 0 {
			continue
		}
		if len(m.text) <= len(text) && bytes.EqualFold(text[:len(m.text)], []byte(m.text)) {
			if last := m.text[len(m.text)-1]; r.alphabet.lower[last] != 0 && len(m.text) < len(text) && r.alphabet.lower[text[len(m.text)]] != 0 {
				continue // in the middle of a word
			}
			return m.word, len(m.text)
		}
	}
	return 0, 0
}

// builder fills the tables.
type builder struct {
	rules    *Rules
	classes  map[string]uint16
	sets     map[string]set
	lastWord uint32
	plainest []string // single words, of which disguised forms are looked for
}

func (b *builder) class(name string) uint16 {
	c, ok := b.classes[name]
	if !ok {
		c = uint16(min(len(b.classes)+1, maxClasses-1))
		b.classes[name] = c
	}
	return c
}

// set is the set of the classes whose names stand between plus signs.
func (b *builder) set(names string) set {
	if s, ok := b.sets[names]; ok {
		return s
	}
	var s set
	for name := range strings.SplitSeq(names, "+") {
		c := b.class(name)
		for len(s) <= int(c>>6) {
			s = append(s, 0)
		}
		s[c>>6] |= 1 << (c & 63)
	}
	b.sets[names] = s
	return s
}

func (b *builder) word(text string) uint32 {
	h := hashOf(text)
	id := b.rules.words.find(h)
	if id == 0 {
		b.lastWord++
		id = b.lastWord
		b.rules.words.put(h, id)
	}
	return id
}

func (b *builder) stem(text string) uint32 {
	h := hashOf(text)
	id := b.rules.stems.find(h)
	if id == 0 {
		b.lastWord++
		id = b.lastWord
		b.rules.stems.put(h, id)
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
					*list = append(*list, b.set(f))
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
			if rarest < 0 || rarest >= len(steps) || steps[rarest].set == nil {
				return errForm
			}
			b.rules.patterns = append(b.rules.patterns, pattern{current, rarest, steps})
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
			e.set = b.set(f)
		}
		list = append(list, e)
		gap, tight = 0, false
	}
	for i := range list {
		list[i].anyTight = list[i].tight || i > 0 && list[i-1].anyTight
	}
	if len(list) == 0 || list[0].optional || list[0].gap > 0 || list[0].set == nil {
		return nil, fmt.Errorf("a pattern must begin with a word: %q", text)
	}
	return list, nil
}

// index files each pattern under its rarest step.
func (b *builder) index() {
	r := b.rules
	r.byClass = make([][]int32, len(b.classes)+1)
	for i := range r.patterns {
		p := &r.patterns[i]
		for w, word := range p.steps[p.rarest].set {
			for ; word != 0; word &= word - 1 {
				c := w<<6 + bits.TrailingZeros64(word)
				r.byClass[c] = append(r.byClass[c], int32(i))
			}
		}
	}
	r.roots = make([]uint32, b.lastWord+1)
	for word := range r.roots {
		r.roots[word] = r.step(0, uint32(word))
	}
}

// phrase adds a phrase to a class.
func (b *builder) phrase(class uint16, phrase string) error {
	r := b.rules
	var ids []uint32
	switch phrase {
	case "URL":
		ids = []uint32{r.urlWord}
	case "SLOT":
		ids = []uint32{r.slotWord}
	case "EMAIL":
		ids = []uint32{r.emailWord}
	default:
		if c := phrase[0]; c < 0x80 && r.alphabet.lower[c] == 0 {
			id := b.word("\x02" + strings.ToLower(phrase))
			if !slices.ContainsFunc(r.marks[c], func(m mark) bool { return m.word == id }) {
				r.marks[c] = append(r.marks[c], mark{phrase, id})
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
	at := uint32(0)
	for i, id := range ids {
		next := r.step(at, id)
		if next == 0 {
			next = uint32(len(r.nodes))
			r.nodes = append(r.nodes, node{})
			r.steps.put(stepKey(at, id), next)
		}
		at = next
		if i < len(ids)-1 {
			r.nodes[at].more = true
		}
	}
	switch n := &r.nodes[at]; {
	case n.class == 0:
		n.class = class
	case n.class != class && !slices.Contains(n.rest, class):
		n.rest = append(n.rest, class)
	}
	return nil
}
