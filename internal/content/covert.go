package content

import (
	"bytes"
	"unicode/utf8"
)

// Characters that nobody sees can carry a text of their own. Few of them in a row
// are usual in many languages and in emoji; long runs of them are not.
const (
	minTags      = 4  // tag characters that do not make a flag
	minSelectors = 4  // selectors of variants in a row
	minZeroWidth = 16 // zero-width characters in a row
)

// covert looks for texts made of invisible characters.
func (s *scan) covert(text []byte, v view) {
	var c covered
	var previous rune
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf {
			s.endCovert(v, &c)
			previous = rune(b)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case isTag(r):
			if c.tags.n == 0 {
				c.afterFlag = previous == 0x1f3f4
			}
			c.tags.add(i, size, byte(r-0xe0000))
		case isSelector(r):
			c.selectors.add(i, size, selectorSymbol(r))
		case isZeroWidth(r):
			c.zero.add(i, size, zeroSymbol(r))
		default:
			s.endCovert(v, &c)
			previous = r
		}
		i += size
	}
	s.endCovert(v, &c)
	s.scattered(text, v)
}

// covered is the rows of invisible characters of each kind.
type covered struct {
	tags, selectors, zero run
	afterFlag             bool // the tags follow a flag
}

// isTag says whether a character is a tag.
func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

// isSelector says whether a character selects a variant of the one before it.
func isSelector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// isZeroWidth says whether a character has no width, or turns the direction of writing.
func isZeroWidth(r rune) bool {
	switch r {
	case 0xfeff, 0x180e, 0x034f, 0x00ad:
		return true
	}
	return r >= 0x200b && r <= 0x200f || r >= 0x2060 && r <= 0x2064 || r >= 0x202a && r <= 0x202e
}

// selectorSymbol numbers the selectors, as bytes are written with them.
func selectorSymbol(r rune) byte {
	if r <= 0xfe0f {
		return byte(r - 0xfe00)
	}
	return byte(r - 0xe0100 + 16)
}

// run is a row of invisible characters and the symbols they stand for.
type run struct {
	start, end, n int
	symbols       []byte
}

func (r *run) add(at, size int, symbol byte) {
	if r.n == 0 {
		r.start, r.symbols = at, r.symbols[:0]
	}
	r.n++
	r.end = at + size
	r.symbols = append(r.symbols, symbol)
}

// zeroSymbol numbers the characters that bits are written with.
func zeroSymbol(r rune) byte {
	switch {
	case r >= 0x200b && r <= 0x200f:
		return byte(r - 0x200b)
	case r >= 0x2060 && r <= 0x2064:
		return byte(r-0x2060) + 5
	case r == 0xfeff:
		return 10
	case r >= 0x202a && r <= 0x202e:
		return byte(r-0x202a) + 11
	}
	return 16
}

// endCovert looks at rows that end here.
func (s *scan) endCovert(v view, c *covered) {
	if c.tags.n == 0 && c.selectors.n == 0 && c.zero.n == 0 {
		return
	}
	if c.tags.n >= minTags && !(c.afterFlag && c.tags.n <= 8) {
		s.hiddenText("hidden-tag-characters", "tag characters", printable(c.tags.symbols), v, &c.tags)
	}
	if c.selectors.n >= minSelectors {
		s.hiddenText("hidden-variation-selectors", "variation selectors", printable(c.selectors.symbols), v, &c.selectors)
	}
	if c.zero.n >= minZeroWidth {
		s.hiddenText("hidden-zero-width", "zero-width characters", bitsOf(c.zero.symbols), v, &c.zero)
	}
	c.tags.n, c.selectors.n, c.zero.n = 0, 0, 0
}

// hiddenText reports a text that can only be there to be hidden, and looks at
// what it says.
func (s *scan) hiddenText(rule, how, decoded string, v view, r *run) {
	start, end := v.place(r.start, r.end)
	s.add(found{
		Finding: Finding{
			Rule: rule, Category: "hidden-text", Reason: "Contains invisible text",
			Start: start, End: end, Points: injectionAt, Via: append(v.via[:len(v.via):len(v.via)], how), Decoded: clip(decoded),
		},
		alone: true,
	})
	if decoded != "" {
		s.inner([]byte(decoded), v, r.start, r.end, encoded, how)
	}
}

// scattered looks for bits or letters in invisible characters that stand one by
// one between others, where no language puts them: between Latin letters and spaces.
func (s *scan) scattered(text []byte, v view) {
	var zero, selectors run
	latin := true // the last visible character was ASCII and no emoji
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r < utf8.RuneSelf:
			latin = !beginsEmoji(r)
		case !latin && isInvisible(r):
		case isScattered(r) || r == 0xfeff && i > 0:
			zero.add(i, size, zeroSymbol(r))
		case isSelector(r):
			selectors.add(i, size, selectorSymbol(r))
		case !isPunctuation(r):
			latin = false
		}
		i += size
	}
	s.scatteredText(&selectors, &zero, v)
}

// isPunctuation says whether a character is one that all scripts have.
func isPunctuation(r rune) bool { return r >= 0x2000 && r <= 0x206f }

// beginsEmoji says whether a character of ASCII can be the first of an emoji.
func beginsEmoji(r rune) bool { return r == '#' || r == '*' || r >= '0' && r <= '9' }

// isScattered says whether a character is one that bits are written with between letters.
func isScattered(r rune) bool { return r >= 0x200b && r <= 0x200d || r >= 0x2060 && r <= 0x2064 }

// scatteredText reports what characters say together that stand one by one.
func (s *scan) scatteredText(selectors, zero *run, v view) {
	if selectors.n >= 2*minSelectors {
		s.hiddenText("hidden-variation-selectors", "variation selectors", printable(selectors.symbols), v, selectors)
	}
	if decoded := bitsOf(zero.symbols); zero.n >= minZeroWidth && len(decoded) >= 3 {
		s.hiddenText("hidden-zero-width", "zero-width characters", decoded, v, zero)
	}
}

// printable is a text if nearly all of it can be read, and "" otherwise.
func printable(text []byte) string {
	good := 0
	for _, b := range text {
		if b >= ' ' && b < 0x7f || b == '\n' || b == '\t' {
			good++
		}
	}
	if len(text) == 0 || good*10 < len(text)*8 {
		return ""
	}
	return string(text)
}

// bitsOf reads bits from a row of two symbols, with or without a third between
// letters.
func bitsOf(symbols []byte) string {
	kinds := kindsOf(symbols)
	if len(kinds) < 2 || len(kinds) > 4 {
		return ""
	}
	for _, zero := range kinds {
		for _, one := range kinds {
			if zero == one {
				continue
			}
			for _, width := range [...]int{8, 7, 16} {
				if text := readBits(symbols, zero, one, width); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// kindsOf lists the symbols of a row, each once.
func kindsOf(symbols []byte) (kinds []byte) {
	var has [32]bool
	for _, s := range symbols {
		has[s&31] = true
	}
	for s, is := range has {
		if is {
			kinds = append(kinds, byte(s))
		}
	}
	return kinds
}

func readBits(symbols []byte, zero, one byte, width int) string {
	var out []byte
	value, n := 0, 0
	for _, s := range symbols {
		switch s & 31 {
		case zero:
			value, n = value<<1, n+1
		case one:
			value, n = value<<1|1, n+1
		default: // between letters
			if n > 0 && n <= width {
				out, value, n = append(out, byte(value)), 0, 0
			}
			continue
		}
		if n == width {
			out, value, n = append(out, byte(value)), 0, 0
		}
	}
	if len(out) < 3 {
		return ""
	}
	return printable(out)
}

// bidi reads what is shown in another order than it is written: the part of a
// text under an override is turned around.
func (s *scan) bidi(text []byte, v view) {
	for i := 0; i+2 < len(text); i++ {
		if !isOverride(text[i:]) {
			continue
		}
		end, letters := overridden(text, i+3)
		if letters >= 8 {
			back := reversed(text[i+3 : end])
			start, stop := v.place(i, end)
			s.add(found{Finding: Finding{
				Rule: "hidden-direction-override", Category: "hidden-text", Reason: "Contains Latin text reversed by a direction override",
				Start: start, End: stop, Points: suspiciousAt, Via: append(v.via[:len(v.via):len(v.via)], "direction override"), Decoded: clip(string(back)),
			}, alone: true})
			s.inner(back, v, i, end, encoded, "direction override")
		}
		i = end - 1
	}
}

// isOverride says whether a text begins with a character that overrides the direction.
func isOverride(text []byte) bool {
	return text[0] == 0xe2 && text[1] == 0x80 && (text[2] == 0xae || text[2] == 0xad)
}

// overridden is where an override ends that begins before an offset, and how many Latin letters
// it has: with its line, or with the character that takes it back.
func overridden(text []byte, from int) (end, letters int) {
	end = from
	for end < len(text) && text[end] != '\n' && !bytes.HasPrefix(text[end:], []byte("\u202c")) {
		if isASCIILetter(text[end]) {
			letters++
		}
		end++
	}
	return end, letters
}

// reversed is a text from its last character to its first.
func reversed(text []byte) (back []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRune(text)
		back = utf8.AppendRune(back, r)
		text = text[:len(text)-size]
	}
	return back
}
