package content

//go:generate go test ../contentfile -run TestRulesAreCompiled -update
//go:generate go test . -run TestTablesAreLaidOut -update

import (
	"bytes"
	"errors"
	"strings"

	_ "embed"
)

// Rules is a set of rules, ready to scan with. It may be used by many at once. All
// tables are flat, so that those of the rules that longline brings along lie in the
// executable as they are used (tables.go): reading rules costs more than scanning a file.
type Rules struct {
	words, stems table
	stemBits     []uint64
	steps        table  // from a node by a word to the next
	roots        []node // for each word the node of the phrases that begin with it
	nodes        []node // of phrases of two words and more; their numbers begin at deep
	rest         []uint16
	marks        []mark // by their first sign, the longest first
	marked       [257]uint16

	urlWord, slotWord, emailWord uint16
	turnBase                     uint16 // from here on words are disguised ones; see turn.go

	rules    []Rule
	pairs    []pair
	patterns []pattern
	elements []element
	sets     []uint64 // width numbers each
	width    int
	byClass  []uint16 // for each class where its list in filed begins
	filed    []filed  // the patterns whose rarest step a class can be
	special  [specials]uint16
}

// node is a place in a phrase.
type node struct {
	class uint16 // 0 if no phrase ends here
	rest  uint16 // where further classes are listed; 0 if there are none
	more  bool   // longer phrases go on
}

// deep is the number of the first node that is not a root.
const deep = 1 << 20

func (r *Rules) node(id uint32) *node {
	if id < deep {
		return &r.roots[id]
	}
	return &r.nodes[id-deep]
}

// mark is a sign, an address or a path that is found by its text alone.
type mark struct {
	text string
	word uint16
}

// pattern is one pattern of a rule.
type pattern struct {
	rule     uint16
	rarest   uint8 // the step that the fewest sentences have
	count    uint8
	first    uint16 // of its steps
	anyTight bool   // one of its gaps is tight
}

// filed is a pattern in the list of a class.
type filed struct {
	needs   uint64 // a bit for each class that must be there; see classBit
	pattern uint16
}

func (r *Rules) stepsOf(p *pattern) []element { return r.elements[p.first : p.first+uint16(p.count)] }

// classBit is the bit of a class in a number that says roughly which classes there are.
func classBit(class uint16) uint64 { return 1 << (class & 63) }

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

	unless, unlessAfter []choice
}

// choice is which classes a word may be of: one class, or a set of them. The number
// of a set is counted from manyClasses on, and 0 is any word.
type choice uint16

const manyClasses = maxClasses

// set is a set of classes.
type set []uint64

func (s set) has(class uint16) bool { return s[class>>6]>>(class&63)&1 != 0 }

// set returns the set of a choice that is not a single class.
func (r *Rules) set(c choice) set {
	at := int(c-manyClasses) * r.width
	return r.sets[at : at+r.width]
}

// takes says whether a class is among those of a choice.
func (r *Rules) takes(c choice, class uint16) bool {
	if c < manyClasses {
		return uint16(c) == class
	}
	return r.set(c).has(class)
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

// Builtin returns the rules that longline brings along.
func Builtin() *Rules { return &laidOut }

// Stamp says by which rules texts are judged if others are added to those that
// longline brings along.
func Stamp(more ...string) uint64 {
	h := laidOutStamp
	for _, text := range more {
		h = (h ^ hashOf(text)) * hashPrime
	}
	return h
}

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
	b := newBuilder(n)
	for _, text := range texts {
		first, rest, _ := strings.Cut(text, "\n")
		if first != Form {
			return nil, errForm
		}
		if err := b.read(rest, off); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// maxWords bounds how many words rules can know, with the disguised ones.
const maxWords = 1 << 16

func (r *Rules) word(h uint64) uint16 { return uint16(r.words.find(h)) }
func (r *Rules) stem(h uint64) uint16 { return uint16(r.stems.find(h)) }

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
func (r *Rules) mark(text []byte) (word uint16, n int) {
	for _, m := range r.marks[r.marked[text[0]]:r.marked[int(text[0])+1]] {
		if len(m.text) > 1 && len(text) > 1 && (m.text[1]^text[1])&^0x20 != 0 {
			continue
		}
		if len(m.text) > 2 && len(text) > 2 && (m.text[2]^text[2])&^0x20 != 0 {
			continue
		}
		if len(m.text) <= len(text) && bytes.EqualFold(text[:len(m.text)], []byte(m.text)) {
			if last := m.text[len(m.text)-1]; alphabet.lower[last] != 0 && len(m.text) < len(text) && alphabet.lower[text[len(m.text)]] != 0 {
				continue // in the middle of a word
			}
			return m.word, len(m.text)
		}
	}
	return 0, 0
}
