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
	for i := 0; i < len(text); {
		first := i == 0 || text[i-1] == '/' // of a name
		if d == inShell && extended(text[i:]) {
			// What it matches is not worked out.
			return append(tokens, token{op: globstar}), ""
		}
		size := 0
		if text[i] == '*' {
			tokens, size = stars(tokens, text[i:], first, d)
		} else {
			var t token
			if t, size, problem = readOne(text[i:], first, d); problem != "" {
				return nil, problem
			}
			tokens = append(tokens, t)
		}
		i += size
	}
	return tokens, ""
}

// extended says whether a text begins with an extended glob, such as @(a|b).
func extended(text string) bool {
	return len(text) > 1 && text[1] == '(' && strings.ContainsRune("?*+@!", rune(text[0]))
}

// readOne reads what stands for one character at the beginning of a text, and says how much
// that is.
func readOne(text string, first bool, d dialect) (t token, size int, problem string) {
	switch text[0] {
	case '?':
		return dotless(token{op: any1}, first && d == inShell), 1, ""
	case '[':
		return readBracket(text, first, d)
	case '\\':
		if len(text) == 1 && d == inRules {
			return token{}, 0, "a backslash at the end"
		}
		r, n := classRune(text)
		return token{r: r}, n, ""
	}
	r, n := utf8.DecodeRuneInString(text)
	return token{r: r}, n, ""
}

// readBracket reads a [ at the beginning of a text. Where it begins no class, it is one to a
// shell.
func readBracket(text string, first bool, d dialect) (t token, size int, problem string) {
	t, size, problem = readClass(text)
	switch {
	case problem != "" && d == inRules:
		return token{}, 0, problem
	case problem == unclosed:
		return token{r: '['}, 1, ""
	case problem != "": // what shells make of it is not worked out
		return token{op: globstar}, len(text), ""
	case len(t.set) == 2 && t.set[0] == t.set[1] && !t.not:
		return token{r: t.set[0]}, size, "" // a single character is that character
	}
	return dotless(t, first && d == inShell), size, ""
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
	t.not = len(text) > 1 && (text[1] == '!' || text[1] == '^')
	for i, first := 1+flag(t.not), true; i < len(text); first = false {
		if text[i] == ']' && !first {
			return t, i + 1, ""
		}
		if sign := named(text[i:]); sign != "" {
			end := strings.Index(text[i+2:], sign+"]")
			if end < 0 {
				return t, 0, "a [" + sign + " without a " + sign + "]"
			}
			// Named classes need no exactness: any character may be meant.
			t.set, t.not = append(t.set, 0, unicode.MaxRune), false
			i += end + 4
			continue
		}
		lo, hi, n := classRange(text[i:])
		if hi < lo {
			return t, 0, "a range that ends before it begins"
		}
		t.set = append(t.set, lo, hi)
		i += n
	}
	return t, 0, unclosed
}

// unclosed says that a bracket begins no class.
const unclosed = "a [ without a ]"

// named is the sign of a named class in a bracket expression, as in [:alpha:], [=a=] and [.a.], or "".
func named(text string) string {
	if len(text) > 1 && text[0] == '[' && strings.IndexByte(":=.", text[1]) >= 0 {
		return text[1:2]
	}
	return ""
}

// classRange reads a character or a range of them, and says how much that is.
func classRange(text string) (lo, hi rune, size int) {
	lo, size = classRune(text)
	if size+1 < len(text) && text[size] == '-' && text[size+1] != ']' {
		hi, n := classRune(text[size+1:])
		return lo, hi, size + 1 + n
	}
	return lo, lo, size
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
		return r != '/' && t.hasOne(r, folding)
	case globstar:
		return true
	}
	return false
}

// hasOne says whether a character is one of a class, with folding in either case.
func (t token) hasOne(r rune, folding bool) bool {
	return t.holds(r) || folding && (t.holds(unicode.ToLower(r)) || t.holds(unicode.ToUpper(r)))
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

// after is the place behind a token at i that has consumed a character.
func (t token) after(i int) int {
	if t.repeats() {
		return i
	}
	return i + 1
}
