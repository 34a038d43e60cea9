package policy

import (
	"unicode/utf8"

	"longline/internal/paths"
)

// relation is how the targets of an effect lie to a glob.
type relation uint8

const (
	same  relation = 1 << iota // a target can match the glob
	below                      // a target can lie below what the glob matches
	above                      // what the glob matches can lie below a target
	edge                       // a target is the directory of which only what is below counts
	whole                      // a target is a directory that counts when something is done to all of it
)

// compare works out how what p can be lies to what m can be.
func compare(p, m []token, folding bool) relation {
	result, _ := comparing(p, m, folding)
	return result
}

// comparing is compare, and how many pairs of places it has looked at.
func comparing(p, m []token, folding bool) (result relation, steps int) {
	n, differ := common(p, m, folding)
	if differ {
		return 0, n
	}
	if p, m = p[n:], m[n:]; len(p)*len(m) > maxProduct {
		return same | below | above, maxCompared
	}
	var at pairs
	at.start(len(p), len(m))
	for i, j, ok := at.next(); ok; i, j, ok = at.next() {
		steps++
		result |= relationAt(p[i:], m[j:])
		if i < len(p) {
			step(p[i], i, func(next int) { at.visit(next, j) })
		}
		if j < len(m) {
			step(m[j], j, func(next int) { at.visit(i, next) })
		}
		if i < len(p) && j < len(m) && meets(p[i], m[j], folding) {
			at.visit(p[i].after(i), m[j].after(j))
		}
	}
	return result, steps
}

// common is how many characters both begin with that are the same, and whether the next ones differ.
func common(p, m []token, folding bool) (n int, differ bool) {
	for n < len(p) && n < len(m) && p[n].op == literal && m[n].op == literal && p[n].skip == 0 && m[n].skip == 0 {
		if !p[n].takes(m[n].r, folding) {
			return n, true
		}
		n++
	}
	return n, false
}

// relationAt is what is seen where p and m are what is left, and so far both were the same.
func relationAt(p, m []token) relation {
	switch {
	case len(p) == 0 && len(m) == 0:
		return same
	case len(m) == 0 && p[0].takes('/', false):
		return below
	case len(p) == 0 && m[0].takes('/', false):
		return above
	}
	return 0
}

// step reports where a token leads without consuming anything.
func step(t token, i int, to func(int)) {
	if t.skip > 0 {
		to(i + int(t.skip))
	}
	if t.repeats() || t.op == optional {
		to(i + 1)
	}
}

// inside says whether everything that p can be matches m (same) or lies below
// what m matches (below). It may fail to see that something does, and is never
// wrong when it says so: the wildcards of p are held against those of m as if
// they were characters that only wider wildcards take.
func inside(p, m []token, folding bool) relation {
	n, differ := common(p, m, folding)
	if differ {
		return 0
	}
	n = max(0, n-1) // what stands before decides what a wildcard means
	if p, m = p[n:], m[n:]; len(p)*len(m) > maxProduct {
		return 0
	}
	var result relation
	var at pairs
	at.start(len(p), len(m))
	for i, j, ok := at.next(); ok; i, j, ok = at.next() {
		if j == len(m) {
			result |= insideAt(p[i:])
			continue
		}
		step(m[j], j, func(next int) { at.visit(i, next) })
		if i == len(p) {
			continue
		}
		width, taken := p[i].takenBy(&m[j], folding)
		if !taken {
			continue
		}
		if directories(p, i) && j > 0 && m[j-1].op == optional {
			// Any number of directories, where m takes any number: whether
			// there are none or many, m can be behind its own.
			at.visit(i+width, j+2)
		}
		at.visit(i+width, m[j].after(j))
	}
	return result
}

// insideAt is what is seen where p is what is left, and what is before it matches.
func insideAt(p []token) relation {
	switch {
	case len(p) == 0:
		return same
	case p[0].op == literal && p[0].r == '/':
		return below
	}
	return 0
}

// takenBy says whether everything that a token can be is taken by one of a glob, and how many
// tokens that are: some wildcards have more than one.
func (t *token) takenBy(m *token, folding bool) (width int, taken bool) {
	switch t.op {
	case literal:
		return 1, m.takes(t.r, folding)
	case any1, class:
		return 1, m.op == any1 || m.repeats() || t.few(func(r rune) bool { return m.takes(r, folding) })
	case star:
		return 1, m.repeats()
	case firstStar:
		return 2, m.repeats()
	case globstar:
		return 1, m.op == globstar
	case optional:
		return 3, m.op == globstar
	}
	return 1, false
}

// directories says whether any number of whole directories begins at a place.
func directories(p []token, i int) bool {
	return p[i].op == optional && (i == 0 || p[i-1].r == '/')
}

// few says whether a class is no more than a few characters for which f holds.
func (t token) few(f func(rune) bool) bool {
	if t.not || len(t.set) > 16 {
		return false
	}
	for i := 0; i+1 < len(t.set); i += 2 {
		if t.set[i] != t.set[i+1] || !f(t.set[i]) {
			return false
		}
	}
	return len(t.set) > 0
}

// pairs visits each pair of places that can be reached, once. For patterns of the usual
// length what it needs is in itself, and on the stack.
type pairs struct {
	columns    int
	marked     [16]uint64
	todo       [32]int32
	left       int // to do
	moreMarked []uint64
	moreTodo   []int32
}

// start begins with the first of both.
func (w *pairs) start(rows, columns int) {
	w.columns = columns
	if n := ((rows+1)*(columns+1) + 63) / 64; n > len(w.marked) {
		w.moreMarked = make([]uint64, n)
	}
	w.visit(0, 0)
}

func (w *pairs) visit(i, j int) {
	n := i*(w.columns+1) + j
	word := &w.marked[n/64%len(w.marked)]
	if w.moreMarked != nil {
		word = &w.moreMarked[n/64]
	}
	if *word&(1<<(n%64)) != 0 {
		return
	}
	*word |= 1 << (n % 64)
	if w.left < len(w.todo) {
		w.todo[w.left] = int32(n)
		w.left++
	} else {
		w.moreTodo = append(w.moreTodo, int32(n))
	}
}

// next is a pair that is to be visited, if there is one.
func (w *pairs) next() (i, j int, ok bool) {
	var n int
	switch last := len(w.moreTodo) - 1; {
	case last >= 0:
		n = int(w.moreTodo[last])
		w.moreTodo = w.moreTodo[:last]
	case w.left > 0:
		w.left--
		n = int(w.todo[w.left])
	default:
		return 0, 0, false
	}
	return n / (w.columns + 1), n % (w.columns + 1), true
}

// CheckGlob says what is wrong with a glob of a rules file, "" if nothing.
func CheckGlob(text string) string {
	if text == "" {
		return "an empty glob matches nothing"
	}
	_, problem := compile(text, inRules)
	return problem
}

// onlyStars says whether the wildcards of a glob are single stars with plain
// ASCII between them, so that comparing bytes is enough.
func onlyStars(glob string) bool {
	for i := range len(glob) {
		switch c := glob[i]; {
		case c == '?' || c == '[' || c == '\\' || c >= 0x80, c == '*' && i > 0 && glob[i-1] == '*':
			return false
		}
	}
	return true
}

// matches holds a known text against a glob whose * stops at slashes.
func matches(glob, text string, folding bool) bool {
	if paths.Literal(glob) {
		return equal(glob, text, folding)
	}
	tokens, problem := compile(glob, inRules)
	return problem == "" && inside(spelled(text), tokens, folding)&same != 0
}

// matchesName holds a known name against a glob whose * matches everything.
func matchesName(glob, text string, folding bool) bool {
	if !folding && beginOtherwise(glob, text) {
		return false // as most do in their first letter
	}
	if paths.Literal(glob) {
		return equal(glob, text, folding)
	}
	if onlyStars(glob) && (!folding || !foldsBeyond(glob, text)) {
		return paths.Wildcards(glob, text, folding)
	}
	tokens, problem := compile(glob, inRules)
	if problem != "" {
		return false
	}
	for i := range tokens {
		if tokens[i].op == star {
			tokens[i].op = globstar
		}
	}
	return inside(spelled(text), tokens, folding)&same != 0
}

// beginOtherwise says whether a glob and a text begin with letters that differ.
func beginOtherwise(glob, text string) bool {
	return glob != "" && text != "" && glob[0] != text[0] && glob[0] < utf8.RuneSelf && paths.Literal(glob[:1])
}

// equal compares two texts, with folding without regard to case.
func equal(a, b string, folding bool) bool {
	return a == b || folding && equalFold(a, b)
}

func equalFold(a, b string) bool {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb && fold(ra) != fold(rb) {
			return false
		}
		a, b = a[na:], b[nb:]
	}
	return a == b
}
