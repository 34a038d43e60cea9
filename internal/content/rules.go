package content

import (
	"errors"
	"strings"

	_ "embed"
)

// Rules is a set of rules, ready to scan with. It may be used by many at once. All tables
// are flat, so that those of the built-in rules are in the executable as they are used
// (tables.go): reading rules costs more than scanning a file.
type Rules struct {
	words, stems table
	turned       table    // disguised words, by number how; see turn.go
	turnedBits   []uint64 // roughly which there are
	stemHeads    []uint64 // a bit for the first letters of each; see beginsStem
	longestStem  int      // in bytes
	steps        table    // from a node by a word to the next
	roots        []node   // for each word the node of the phrases that begin with it
	nodes        []node   // of phrases of two words and more; their numbers begin at deep
	marks        []mark   // by their first sign, the longest first
	marked       [257]uint16
	markHeads    []uint64 // a bit for the first three signs of each; see markHead

	urlWord, slotWord, emailWord uint16

	rules    []Rule
	pairs    []pair
	patterns []pattern
	elements []element
	width    int      // how many numbers have a bit for each class
	sets     []uint64 // sets of classes, width numbers each
	byClass  []uint16 // for each class where its list in filed begins
	filed    []filed  // the patterns whose rarest step a class can be
	filing   []uint64 // a bit for each class that has such patterns
	filers   int      // how many numbers of filing there are bits in
	special  [specials]uint16
}

// node is a place in a phrase.
type node struct {
	set  uint16 // of the classes whose phrases end here; 0 if none does
	next uint32 // a bit for each word with which longer phrases go on; see wordBit
}

// wordBit is the bit of a word in a number that says roughly which words there are; 0 if
// it is not known.
func wordBit(word uint32) uint32 { return 1<<(word&31) - (word-1)>>31 }

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
	more     bool   // it needs more classes than filed has
}

// filed is a pattern in the list of a class.
type filed struct {
	others  [3]uint16 // further classes that must be there, the rarest first; 0 if there are fewer
	pattern uint16
}

func (r *Rules) stepsOf(p *pattern) []element { return r.elements[p.first : p.first+uint16(p.count)] }

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

	unless, unlessAfter []uint16 // classes
}

// takes says whether a class is in a set.
func (r *Rules) takes(class, set uint16) bool {
	return r.sets[int(set)*r.width+int(class>>6)]>>(class&63)&1 != 0
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

// Builtin returns the built-in rules.
func Builtin() *Rules { return &laidOut }

// Stamp identifies the rules that texts are judged by, if others are added to
// the built-in ones.
func Stamp(more ...string) uint64 {
	h := laidOutStamp
	for _, text := range more {
		h = mix(h, hashOf(text))
	}
	return h
}

// BuiltinText is the compiled form of the built-in rules.
func BuiltinText() string { return builtin }

// errForm is what is wrong with a text that is not the compiled form.
var errForm = errors.New("not compiled content rules")

// Form is the first line of the compiled form.
const Form = "longline content rules 1"

// ReadWithout reads the compiled form: words with the classes they belong to, and rules
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
//
// The rules that are named in off are left out.
func ReadWithout(off []string, texts ...string) (*Rules, error) {
	n := 0
	for _, text := range texts {
		n += strings.Count(text, "\nw ")
	}
	b := newBuilder(n, off)
	for _, text := range texts {
		first, rest, _ := strings.Cut(text, "\n")
		if first != Form {
			return nil, errForm
		}
		if err := b.read(rest); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// maxWords bounds how many words rules can know.
const maxWords = 1 << 16

func (r *Rules) word(h uint64) uint16 { return uint16(r.words.find(h)) }

// stem is the number of a stem, or 0.
func (r *Rules) stem(text []byte) uint16 {
	if len(text) > r.longestStem {
		return 0
	}
	return uint16(r.stems.find(hashOf(text)))
}

// stemOf is the longest stem that a word of ASCII letters begins with, or 0.
func (r *Rules) stemOf(word []byte) (id uint16) {
	low := make([]byte, 0, 32)
	for _, b := range word[:min(len(word), r.longestStem)] {
		if low = append(low, alphabet.lower[b]); len(low) >= minStem {
			if found := r.stem(low); found != 0 {
				id = found
			}
		}
	}
	return id
}

// List returns all rules.
func (r *Rules) List() []Rule { return r.rules }

// beginsStem says whether a word with these letters first may begin with a stem. Only as
// many count as the shortest stem has.
func (r *Rules) beginsStem(head uint64) bool { return hasBit(r.stemHeads, shortHash(uint32(head))) }

// shortHash is a hash of four bytes.
func shortHash(x uint32) uint32 { return x * 0x9e3779b1 >> 16 }

// A list of bits whose length is a power of two says of a hash roughly whether it is known.
func hasBit(list []uint64, h uint32) bool { return list[h>>6&uint32(len(list)-1)]>>(h&63)&1 != 0 }
func setBit(list []uint64, h uint32)      { list[h>>6&uint32(len(list)-1)] |= 1 << (h & 63) }

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
		if len(m.text) > len(text) || !equalFold(text[:len(m.text)], m.text) {
			continue
		}
		if last := m.text[len(m.text)-1]; alphabet.lower[last] != 0 && len(m.text) < len(text) && alphabet.lower[text[len(m.text)]] != 0 {
			continue // in the middle of a word
		}
		return m.word, len(m.text)
	}
	return 0, 0
}

// markHead is the hash of the first three signs of a mark, whatever their case.
func markHead(a, b, c byte) uint32 {
	return shortHash((uint32(a) | uint32(b)<<8 | uint32(c)<<16) &^ 0x202020)
}

// equalFold compares texts of one length, whatever the case of ASCII letters.
func equalFold(text []byte, mark string) bool {
	for i, b := range text {
		if c := mark[i]; b != c && (alphabet.lower[b] == 0 || alphabet.lower[b] != alphabet.lower[c]) {
			return false
		}
	}
	return true
}
