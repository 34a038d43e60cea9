package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A glob is compiled into tokens, which are the transitions of a small
// automaton; two globs are compared by walking both automata at once. Time is
// the product of their lengths, which maxProduct bounds.
type token struct {
	op   op
	r    rune
	set  []rune // pairs: lowest, highest
	not  bool   // the set says what does not match
	skip int    // a way on without a character: this many tokens
}

type op uint8

const (
	literal   op = iota
	any1         // one character but the slash
	class        // one character of a set, never the slash
	star         // any number of characters but the slash
	globstar     // any number of characters
	firstStar    // the first character of a name that a shell's * matches: no dot
	optional     // nothing by itself; what follows can be skipped
)

// maxProduct bounds the comparison of two globs. Beyond it they count as
// touching, and not as one lying inside the other.
const maxProduct = 1 << 17

// Dialect says whose wildcards they are.
type dialect uint8

const (
	inRules dialect = iota // * matches names that begin with a dot
	inShell                // it does not; parentheses may be extended globs
)

// compile reads a glob. The message says what is wrong with it, "" if nothing.
func compile(text string, d dialect) (tokens []token, problem string) {
	tokens = make([]token, 0, len(text)+4)
	start := true // at the first character of a name
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		at := start
		start = false
		if d == inShell && i+1 < len(text) && text[i+1] == '(' && strings.ContainsRune("?*+@!", c) {
			// An extended glob: what it matches is not worked out.
			return append(tokens, token{op: globstar}), ""
		}
		switch c {
		case '/':
			tokens = append(tokens, token{r: '/'})
			start = true
		case '*':
			stars := i
			for i < len(text) && text[i] == '*' {
				i++
			}
			switch {
			case i-stars == 1 && at && d == inShell:
				tokens = append(tokens, token{op: firstStar, skip: 2}, token{op: star})
			case i-stars == 1:
				tokens = append(tokens, token{op: star})
			case at && i < len(text) && text[i] == '/':
				// "**/" also stands for no directory at all.
				tokens = append(tokens, token{op: optional, skip: 3}, token{op: globstar}, token{r: '/'})
				i++
				start = true
			default:
				tokens = append(tokens, token{op: globstar})
			}
			continue
		case '?':
			tokens = append(tokens, dotless(token{op: any1}, at && d == inShell))
		case '[':
			t, n, problem := readClass(text[i:])
			if problem != "" {
				if d == inRules {
					return nil, problem
				}
				tokens = append(tokens, token{r: '['}) // as a shell reads it
				break
			}
			tokens = append(tokens, dotless(t, at && d == inShell))
			size = n
		case '\\':
			if i+1 == len(text) {
				if d == inRules {
					return nil, "a backslash at the end"
				}
				tokens = append(tokens, token{r: '\\'})
				break
			}
			escaped, n := utf8.DecodeRuneInString(text[i+1:])
			tokens = append(tokens, token{r: escaped})
			start = escaped == '/'
			size = 1 + n
		default:
			tokens = append(tokens, token{r: c})
		}
		i += size
	}
	return tokens, ""
}

// dotless makes a wildcard at the beginning of a name refuse the dot, as shells do.
func dotless(t token, apply bool) token {
	if !apply {
		return t
	}
	if t.op == any1 {
		return token{op: class, set: []rune{'.', '.'}, not: true}
	}
	if t.not {
		t.set = append(t.set, '.', '.')
	}
	return t
}

// readClass reads a bracket expression at the beginning of text.
func readClass(text string) (t token, size int, problem string) {
	t.op = class
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		t.not = true
		i++
	}
	for first := true; ; first = false {
		if i >= len(text) {
			return t, 0, "a [ without its ]"
		}
		if text[i] == ']' && !first {
			return t, i + 1, ""
		}
		if strings.HasPrefix(text[i:], "[:") {
			end := strings.Index(text[i:], ":]")
			if end < 0 {
				return t, 0, "a [: without its :]"
			}
			// Named classes need no exactness: any character may be meant.
			t.set = append(t.set, 0, unicode.MaxRune)
			if t.not {
				t.not, t.set = false, []rune{0, unicode.MaxRune}
			}
			i += end + 2
			continue
		}
		lo, n := classRune(text[i:])
		i += n
		hi := lo
		if i+1 < len(text) && text[i] == '-' && text[i+1] != ']' {
			hi, n = classRune(text[i+1:])
			i += 1 + n
		}
		if hi < lo {
			return t, 0, "a range that ends before it begins"
		}
		t.set = append(t.set, lo, hi)
	}
}

func classRune(text string) (rune, int) {
	if text[0] == '\\' && len(text) > 1 {
		r, n := utf8.DecodeRuneInString(text[1:])
		return r, n + 1
	}
	return utf8.DecodeRuneInString(text)
}

// spelled compiles a text without wildcards.
func spelled(text string) []token {
	tokens := make([]token, 0, len(text)+2)
	for _, r := range text {
		tokens = append(tokens, token{r: r})
	}
	return tokens
}

// fold maps characters that differ only in case to one of them.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if least < utf8.RuneSelf {
		return fold(least)
	}
	return least
}

// takes says whether the token can consume the character.
func (t token) takes(r rune, folding bool) bool {
	switch t.op {
	case literal:
		return t.r == r || folding && fold(t.r) == fold(r)
	case any1, star:
		return r != '/'
	case firstStar:
		return r != '/' && r != '.'
	case class:
		if r == '/' {
			return false
		}
		return t.holds(r) || folding && (t.holds(unicode.ToLower(r)) || t.holds(unicode.ToUpper(r)))
	case globstar:
		return true
	}
	return false
}

func (t token) holds(r rune) bool {
	for i := 0; i+1 < len(t.set); i += 2 {
		if t.set[i] <= r && r <= t.set[i+1] {
			return !t.not
		}
	}
	return t.not
}

// meets says whether there could be a character that both tokens consume.
func meets(a, b token, folding bool) bool {
	switch {
	case a.op == optional || b.op == optional:
		return false
	case a.op == literal:
		return b.takes(a.r, folding)
	case b.op == literal:
		return a.takes(b.r, folding)
	}
	return true // two wildcards: almost always, and never wrong to say
}

func (t token) repeats() bool { return t.op == star || t.op == globstar }

// relation is how the targets of an effect lie to a glob.
type relation uint8

const (
	same  relation = 1 << iota // a target can match the glob
	below                      // a target can lie below what the glob matches
	above                      // what the glob matches can lie below a target
	edge                       // a target is the directory of which only what is below counts
)

// compare works out how what p can be lies to what m can be.
func compare(p, m []token, folding bool) relation {
	if len(p)*len(m) > maxProduct {
		return same | below | above
	}
	var result relation
	walk(len(p), len(m), func(i, j int, visit func(i, j int)) {
		switch {
		case i == len(p) && j == len(m):
			result |= same
		case j == len(m) && p[i].takes('/', false):
			result |= below
		case i == len(p) && m[j].takes('/', false):
			result |= above
		}
		if i < len(p) {
			step(p[i], i, func(next int) { visit(next, j) })
		}
		if j < len(m) {
			step(m[j], j, func(next int) { visit(i, next) })
		}
		if i < len(p) && j < len(m) && meets(p[i], m[j], folding) {
			ni, nj := i+1, j+1
			if p[i].repeats() {
				ni = i
			}
			if m[j].repeats() {
				nj = j
			}
			visit(ni, nj)
		}
	})
	return result
}

// step reports where a token leads without consuming anything.
func step(t token, i int, to func(int)) {
	if t.skip > 0 {
		to(i + t.skip)
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
	if len(p)*len(m) > maxProduct {
		return 0
	}
	var result relation
	walk(len(p), len(m), func(i, j int, visit func(i, j int)) {
		if j == len(m) {
			if i == len(p) {
				result |= same
			} else if p[i].op == literal && p[i].r == '/' {
				result |= below
			}
			return
		}
		step(m[j], j, func(next int) { visit(i, next) })
		if i == len(p) {
			return
		}
		// How much of p is one wildcard, and what m must be to take it whole.
		width, taken := 1, false
		switch p[i].op {
		case literal:
			taken = m[j].takes(p[i].r, folding)
		case any1, class:
			taken = m[j].op == any1 || m[j].repeats()
		case star:
			taken = m[j].repeats()
		case firstStar:
			width, taken = 2, m[j].repeats()
		case globstar:
			taken = m[j].op == globstar
		case optional:
			width, taken = 3, m[j].op == globstar
			if taken && j > 0 && m[j-1].op == optional && (i == 0 || p[i-1].r == '/') {
				// Any number of directories, where m takes any number: whether
				// there are none or many, m can be behind its own.
				visit(i+3, j+2)
			}
		}
		if !taken {
			return
		}
		if m[j].repeats() {
			visit(i+width, j)
		} else {
			visit(i+width, j+1)
		}
	})
	return result
}

// walk visits each pair of places that can be reached, once.
func walk(rows, columns int, place func(i, j int, visit func(i, j int))) {
	width := columns + 1
	seen := make([]uint64, ((rows+1)*width+63)/64)
	var todo []int32
	visit := func(i, j int) {
		if i > rows || j > columns {
			return
		}
		n := i*width + j
		if seen[n/64]&(1<<(n%64)) == 0 {
			seen[n/64] |= 1 << (n % 64)
			todo = append(todo, int32(n))
		}
	}
	visit(0, 0)
	for len(todo) > 0 {
		n := int(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		place(n/width, n%width, visit)
	}
}

// CheckGlob says what is wrong with a glob of a rules file, "" if nothing.
func CheckGlob(text string) string {
	if text == "" {
		return "an empty glob matches nothing"
	}
	_, problem := compile(text, inRules)
	return problem
}

// wild says whether a text has wildcards or escapes.
func wild(text string) bool { return strings.ContainsAny(text, `*?[\`) }

// matches holds a known text against a glob whose * stops at slashes.
func matches(glob, text string, folding bool) bool {
	if !wild(glob) {
		return glob == text || folding && equalFold(glob, text)
	}
	tokens, problem := compile(glob, inRules)
	return problem == "" && inside(spelled(text), tokens, folding)&same != 0
}

// matchesName holds a known name against a glob whose * matches everything.
func matchesName(glob, text string, folding bool) bool {
	if !wild(glob) {
		return glob == text || folding && equalFold(glob, text)
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
