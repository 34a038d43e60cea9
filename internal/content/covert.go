package content

import (
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
	tags, selectors, zero := run{}, run{}, run{}
	var previous rune
	afterFlag := false
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			s.endCovert(text, v, &tags, &selectors, &zero, afterFlag)
			previous = rune(b)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r >= 0xe0000 && r <= 0xe007f:
			if tags.n == 0 {
				afterFlag = previous == 0x1f3f4
			}
			tags.add(i, size, byte(r-0xe0000))
		case r >= 0xfe00 && r <= 0xfe0f:
			selectors.add(i, size, byte(r-0xfe00))
		case r >= 0xe0100 && r <= 0xe01ef:
			selectors.add(i, size, byte(r-0xe0100+16))
		case r >= 0x200b && r <= 0x200f || r >= 0x2060 && r <= 0x2064 || r == 0xfeff || r == 0x180e || r >= 0x202a && r <= 0x202e || r == 0x034f || r == 0x00ad:
			zero.add(i, size, zeroSymbol(r))
		default:
			s.endCovert(text, v, &tags, &selectors, &zero, afterFlag)
			previous = r
		}
		i += size
	}
	s.endCovert(text, v, &tags, &selectors, &zero, afterFlag)
	s.scattered(text, v)
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

func (s *scan) endCovert(text []byte, v view, tags, selectors, zero *run, afterFlag bool) {
	if tags.n == 0 && selectors.n == 0 && zero.n == 0 {
		return
	}
	if tags.n >= minTags && !(afterFlag && tags.n <= 8) {
		s.hiddenText("hidden-tag-characters", "tag characters", printable(tags.symbols), v, tags)
	}
	if selectors.n >= minSelectors {
		s.hiddenText("hidden-variation-selectors", "variation selectors", printable(selectors.symbols), v, selectors)
	}
	if zero.n >= minZeroWidth {
		s.hiddenText("hidden-zero-width", "zero-width characters", bitsOf(zero.symbols), v, zero)
	}
	tags.n, selectors.n, zero.n = 0, 0, 0
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
	total := 0
	latin := true // the last visible character was ASCII and no emoji
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r < utf8.RuneSelf:
			latin = r != '#' && r != '*' && !(r >= '0' && r <= '9')
		case !latin && isInvisible(r):
		case r >= 0x200b && r <= 0x200d || r >= 0x2060 && r <= 0x2064 || r == 0xfeff && i > 0:
			zero.add(i, size, zeroSymbol(r))
			total++
		case r >= 0xfe00 && r <= 0xfe0f:
			selectors.add(i, size, byte(r-0xfe00))
		case r >= 0xe0100 && r <= 0xe01ef:
			selectors.add(i, size, byte(r-0xe0100+16))
		case r >= 0x2000 && r <= 0x206f:
		default:
			latin = false
		}
		i += size
	}
	if selectors.n >= 2*minSelectors {
		s.hiddenText("hidden-variation-selectors", "variation selectors", printable(selectors.symbols), v, &selectors)
	}
	if decoded := bitsOf(zero.symbols); zero.n >= minZeroWidth && len(decoded) >= 3 {
		s.hiddenText("hidden-zero-width", "zero-width characters", decoded, v, &zero)
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
	var count [32]int
	for _, s := range symbols {
		count[s&31]++
	}
	var kinds []byte
	for s, n := range count {
		if n > 0 {
			kinds = append(kinds, byte(s))
		}
	}
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
		if text[i] != 0xe2 || text[i+1] != 0x80 || text[i+2] != 0xae && text[i+2] != 0xad {
			continue
		}
		end := i + 3
		letters := 0
		for end < len(text) && text[end] != '\n' && !(text[end] == 0xe2 && end+2 < len(text) && text[end+1] == 0x80 && text[end+2] == 0xac) {
			if b := text[end] | 0x20; b >= 'a' && b <= 'z' {
				letters++
			}
			end++
		}
		if letters >= 8 {
			var back []byte
			for rest := text[i+3 : end]; len(rest) > 0; {
				r, size := utf8.DecodeLastRune(rest)
				back = utf8.AppendRune(back, r)
				rest = rest[:len(rest)-size]
			}
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
