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
	set  []rune // pairs: lowest, highest
	r    rune
	op   op
	not  bool  // the set says what does not match
	skip uint8 // a way on without a character: this many tokens
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
			tokens, size = stars(tokens, text[i:], at, d)
			start = text[i+size-1] == '/'
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
			if len(t.set) == 2 && t.set[0] == t.set[1] && !t.not {
				t = token{r: t.set[0]} // a single character is that character
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

// stars reads asterisks at the beginning of a text, and says how much that is.
func stars(tokens []token, text string, first bool, d dialect) ([]token, int) {
	n := len(text) - len(strings.TrimLeft(text, "*"))
	switch {
	case n == 1 && first && d == inShell:
		return append(tokens, token{op: firstStar, skip: 2}, token{op: star}), n
	case n == 1:
		return append(tokens, token{op: star}), n
	case first && n < len(text) && text[n] == '/':
		// "**/" also stands for no directory at all.
		return append(tokens, token{op: optional, skip: 3}, token{op: globstar}, token{r: '/'}), n + 1
	}
	return append(tokens, token{op: globstar}), n
}

// dotless makes a wildcard at the beginning of a name refuse the dot, as shells do.
func dotless(t token, apply bool) token {
	if !apply {
		return t
	}
	if t.op == literal {
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
			return t, 0, "a [ without a ]"
		}
		if text[i] == ']' && !first {
			return t, i + 1, ""
		}
		if strings.HasPrefix(text[i:], "[:") {
			end := strings.Index(text[i:], ":]")
			if end < 0 {
				return t, 0, "a [: without a :]"
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
