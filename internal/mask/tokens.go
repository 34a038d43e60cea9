package mask

import (
	"cmp"
	_ "embed" // tokens.txt
	"strconv"
	"strings"
	"sync"
)

//go:embed tokens.txt
var tokensText string

// Sets of characters, written as in regular expressions.
const (
	alnum = "0-9A-Za-z"
	token = "0-9A-Za-z_-"
	// dotted begins with the dot: between two others a dash makes a range.
	dotted = "." + token
	base   = "0-9A-Za-z+/=_-" // a token may go on in base64
)

// setOf is a set of characters by its name in tokens.txt.
func setOf(name string) string {
	switch name {
	case "alnum":
		return alnum
	case "token":
		return token
	case "dotted":
		return dotted
	case "upper":
		return "0-9A-Z"
	case "upperline":
		return "0-9A-Z_"
	case "hex":
		return "0-9a-f"
	case "hexdash":
		return "0-9a-f-"
	case "hexdots":
		return "0-9a-f."
	}
	return ""
}

// shortest is how long the shortest token is that has one of the shapes.
const shortest = 20

// LookBack is how many bytes say whether a token may begin behind them.
const LookBack = 16

// Token is a token in a text.
type Token struct {
	Start, End int
	Name       string
	GoesOn     string // the characters that it may go on with, if it ends with the text
}

// Tokens know tokens by their shapes.
type Tokens struct {
	by      [256][]form          // the shapes by their first byte
	begins  [1 << 16 / 64]uint64 // the pairs of bytes that they begin with
	chars   [256]bool            // of which tokens consist, as far as their least length goes
	letters [256]bool            // letters and digits
}

// form is one beginning of tokens.
type form struct {
	prefix, chars string
	name          string // if the beginning is none
	least         int
	mixed         bool // the rest has digits, capital and small letters
}

var shapes struct {
	once sync.Once
	list *Tokens
}

// Shapes are the tokens of tokens.txt.
func Shapes() *Tokens {
	shapes.once.Do(func() { shapes.list = newTokens() })
	return shapes.list
}

func newTokens() *Tokens {
	t := &Tokens{}
	for c := range t.chars {
		t.chars[c], t.letters[c] = in(byte(c), dotted), in(byte(c), alnum)
	}
	for line := range strings.Lines(tokensText) {
		if line[0] == '#' {
			continue
		}
		least, rest, _ := strings.Cut(line, " ")
		set, prefixes, _ := strings.Cut(rest, " ")
		f := form{}
		f.least, _ = strconv.Atoi(least)
		set, f.mixed = strings.CutSuffix(set, "+")
		f.chars = setOf(set)
		for prefix := range strings.FieldsSeq(prefixes) {
			f.prefix, f.name, _ = strings.Cut(prefix, "=")
			t.add(f)
		}
	}
	return t
}

func (t *Tokens) add(f form) {
	pair := uint16(f.prefix[0])<<8 | uint16(f.prefix[1])
	t.by[f.prefix[0]] = append(t.by[f.prefix[0]], f)
	t.begins[pair/64] |= 1 << (pair % 64)
}

// may says whether a token may begin a text.
func (t *Tokens) may(text []byte) bool {
	if len(text) == 1 {
		return len(t.by[text[0]]) > 0
	}
	pair := uint16(text[0])<<8 | uint16(text[1])
	return t.begins[pair/64]>>(pair%64)&1 != 0
}

// In calls found for each token in a text that begins at an offset or behind it. Before is what
// stands before the text, as far as it matters. Unless the text is all there is, it calls undecided
// where a token begins of which more has to be seen, and says whether half of it is there.
func (t *Tokens) In(text []byte, from int, before []byte, final bool, found func(Token), undecided func(at int, half bool)) {
	for at := from; at < len(text); {
		start, end := t.longRun(text, at)
		if start == len(text) {
			return
		}
		for at = start; at < end; {
			if at > start+4 { // behind an escape, which is as long at most, a token begins after what is no letter
				for at < end && t.letters[text[at-1]] {
					at++
				}
				if at == end {
					break
				}
			}
			if !t.may(text[at:]) || !isStart(text, at, before) {
				at++
				continue
			}
			name, n, goesOn, half, more := t.at(text[at:], final)
			if n == 0 {
				if more && !final {
					undecided(at, half)
				}
				at++
				continue
			}
			one := Token{Start: at, End: RunEnd(text, at+n, goesOn), Name: name}
			if at = one.End; at == len(text) {
				one.GoesOn = goesOn
			}
			found(one)
		}
		at = max(at, end)
	}
}

// at is the token that begins a text: its name, how much of it is known, and the characters it goes
// on with. Or a token may begin there: then half says that half of it is there.
func (t *Tokens) at(text []byte, final bool) (name string, n int, goesOn string, half, more bool) {
	for i := range t.by[text[0]] {
		form := &t.by[text[0]][i]
		n, undecided := form.at(text)
		if n > 0 && (final || !more) {
			goesOn := base
			if form.chars[0] == '.' {
				goesOn = "." + base
			}
			return cmp.Or(form.name, strings.Trim(form.prefix, "-_.")+"-token"), n, goesOn, false, false
		}
		more = more || undecided // a form that comes first decides
		half = half || undecided && len(text) >= len(form.prefix)+max(form.least, 20)/2
	}
	return "", 0, "", half, more
}

// at says whether a token of this form begins a text: how much of it is known, or that more of the
// text has to be seen. It is known as soon as it has the least length.
func (f *form) at(text []byte) (known int, more bool) {
	n := min(len(text), len(f.prefix))
	if string(text[:n]) != f.prefix[:n] {
		return 0, false
	}
	if n < len(f.prefix) {
		return 0, true
	}
	if f.least == 0 {
		return jwt(text)
	}
	rest := text[n:min(len(text), n+f.least)]
	switch {
	case RunEnd(rest, 0, f.chars) < len(rest):
		return 0, false
	case len(rest) < f.least:
		return 0, true
	case !varied(rest) || f.mixed && !mixedCase(rest):
		return 0, false
	}
	return n + f.least, false
}

// jwt says whether a text begins with a JSON web token: two parts in base64 at least, while the data
// of pictures and of source maps, which begins alike, has no dots.
func jwt(text []byte) (known int, more bool) {
	parts, length := 0, 0
	for i, c := range text[:min(len(text), 2048)] {
		switch {
		case c == '.' && length >= 10:
			parts, length = parts+1, 0
		case in(c, token):
			length++
		default:
			return 0, false
		}
		if parts > 0 && length >= 10 {
			return i + 1, false
		}
	}
	return 0, len(text) < 2048
}

// isStart says whether a token may begin at an offset: what is before it is no letter, or is the
// end of an escape: of a line end, of a byte in a URL, of a colour. Of these up to four bytes are
// characters of tokens themselves.
func isStart(text []byte, at int, last []byte) bool {
	if at > 0 && kindOf(text[at-1]) == 0 {
		return true
	}
	before := text[max(0, at-LookBack):at]
	if at < LookBack {
		before = append(append(make([]byte, 0, 2*LookBack), last...), before...)
	}
	n := len(before)
	if n == 0 || kindOf(before[n-1]) == 0 || n > 1 && before[n-2] == '\\' && in(before[n-1], "nrt0") || n > 2 && before[n-3] == '%' {
		return true
	}
	for digits := 0; n > 2; n-- {
		switch c := before[n-2]; {
		case kindOf(c) == '0' && digits < 3:
			digits++
		case c == ';':
			digits = 0
		default:
			return c == '[' && before[n-3] == '\x1b'
		}
	}
	return false
}

// longRun is the next run of characters of tokens that is long enough for one, or touches the end
// of the text.
func (t *Tokens) longRun(text []byte, from int) (start, end int) {
	for at := from; ; {
		probe := at + shortest - 1
		if probe >= len(text) {
			probe = len(text) - 1
		}
		if probe < from {
			return len(text), len(text)
		}
		if !t.chars[text[probe]] {
			if at = probe + 1; at >= len(text) {
				return len(text), len(text)
			}
			continue
		}
		start, end = probe, probe+1
		for start > at && t.chars[text[start-1]] {
			start--
		}
		for end < len(text) && t.chars[text[end]] {
			end++
		}
		if end-start >= shortest || end == len(text) {
			return start, end
		}
		at = end
	}
}

// varied says whether a text looks random rather than spelled: it holds a digit
// or both cases.
func varied[T string | []byte](text T) bool {
	digit, small, capital := kinds(text)
	return digit || small && capital
}

// mixedCase says whether a text holds digits, capital and small letters.
func mixedCase[T string | []byte](text T) bool {
	digit, small, capital := kinds(text)
	return digit && small && capital
}

func kinds[T string | []byte](text T) (digit, small, capital bool) {
	for i := range len(text) {
		kind := kindOf(text[i])
		digit, small, capital = digit || kind == '0', small || kind == 'a', capital || kind == 'A'
	}
	return digit, small, capital
}

// in says whether a byte is in a set written as in a regular expression.
func in(c byte, set string) bool {
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= c && c <= set[i+2] {
				return true
			}
			i += 2
		} else if set[i] == c {
			return true
		}
	}
	return false
}

// RunEnd is where bytes of a set that begin at an offset end.
func RunEnd[T string | []byte](text T, from int, set string) int {
	for from < len(text) && in(text[from], set) {
		from++
	}
	return from
}
