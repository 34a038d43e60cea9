package veil

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"longline/internal/language"
)

// pattern is one form of one secret.
type pattern struct {
	text, name string
	broken     bool // programs break it into lines: values, base64, hex
}

// table finds all forms of all values in one pass: a bit for each four bytes that a pattern begins
// with says whether to look closer, which for most bytes of a text is all.
type table struct {
	patterns []pattern               // by the places of their first four bytes
	words    []uint32                // of each pattern these bytes
	first    [1<<placesLog + 1]int32 // of each place the first pattern
	bits     bitset                  // of four bytes at the first offsets
	openings bitset                  // of first one, two and three
}

const (
	bitsLog, placesLog = 18, 13

	// stride is how far apart the places are that are looked at: a pattern has [least] bytes, so that
	// four of them stand at one of these places.
	stride = least - 4 + 1
)

// bitset is a set of numbers of which others may seem to be in it.
type bitset [1 << bitsLog / 64]uint64

// spread makes a number of few bits of four bytes.
func spread(word uint32) uint32 { return word * 2654435761 >> (32 - bitsLog) }

// place is where patterns that begin with four bytes stand together.
func place(word uint32) uint32 { return spread(word) >> (bitsLog - placesLog) }

func (b *bitset) add(word uint32) { b[spread(word)/64] |= 1 << (spread(word) % 64) }

// has is 1 if a number is in the set, and more bits above it.
func (b *bitset) has(word uint32) uint64 {
	h := spread(word)
	return b[h/64] >> (h % 64)
}

// prefixOf makes a number of up to three bytes.
func prefixOf[T string | []byte](text T) uint32 {
	word := uint32(len(text)) << 24
	for i := range len(text) {
		word |= uint32(text[i]) << (8 * i)
	}
	return word
}

// table compiles the values.
func (s *Secrets) table() *table {
	t := &table{}
	seen := make(map[string]bool, 32*len(s.values))
	var all []pattern
	add := func(text, name string, broken bool) {
		if len(text) >= least && !seen[text] {
			seen[text] = true
			all = append(all, pattern{text, name, broken})
		}
	}
	for _, v := range s.values {
		add(v.text, v.name, !strings.Contains(v.text, "\n"))
	}
	e := newEscapes()
	for _, v := range s.values {
		e.each(v.text, func(form string) { add(form, v.name, false) })
		encoded(v.text, func(form string) {
			add(form, v.name, true)
			if len(form) > 2*least {
				add(form[least-1:], v.name, true) // a line ended in its first bytes
			}
		})
	}
	for _, p := range all {
		t.first[place(firstWord(p.text))+1]++
		for i := range stride {
			t.bits.add(firstWord(p.text[i:]))
		}
		for n := 1; n <= 3; n++ {
			t.openings.add(prefixOf(p.text[:n]))
		}
	}
	for i := range len(t.first) - 1 {
		t.first[i+1] += t.first[i]
	}
	t.patterns, t.words = make([]pattern, len(all)), make([]uint32, len(all))
	next := t.first
	for _, p := range all {
		word := firstWord(p.text)
		at := next[place(word)]
		next[place(word)]++
		t.patterns[at], t.words[at] = p, word
	}
	return t
}

func firstWord(text string) uint32 {
	return uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16 | uint32(text[3])<<24
}

// values finds the longest value at each place of a text, and where more of the text has to be
// seen. Most places are passed over: two looks tell of six.
func (t *table) values(text []byte, s *scanned) {
	if len(t.patterns) == 0 {
		return
	}
	at := 0
	for ; at+2*stride+4 <= len(text); at += 2 * stride {
		x := binary.LittleEndian.Uint64(text[at+stride-1:])
		if (t.bits.has(uint32(x))|t.bits.has(uint32(x>>(8*stride))))&1 != 0 {
			for i := range 2 * stride {
				t.look(text, at+i, s)
			}
		}
	}
	for ; at+4 <= len(text); at++ {
		t.look(text, at, s)
	}
	for ; at < len(text); at++ {
		if t.openings.has(prefixOf(text[at:]))&1 != 0 {
			s.undecided(at, false)
		}
	}
}

// look compares a text with the patterns that begin like it.
func (t *table) look(text []byte, at int, s *scanned) {
	word := binary.LittleEndian.Uint32(text[at:])
	best := event{start: at, end: at}
	for i := t.first[place(word)]; i < t.first[place(word)+1]; i++ {
		if t.words[i] != word {
			continue
		}
		p := &t.patterns[i]
		n, more := p.at(text[at:])
		if more {
			s.undecided(at, 2*(len(text)-at) >= len(p.text))
		}
		if at+n > best.end {
			best.end, best.name = at+n, p.name
		}
	}
	if best.end > at {
		s.events = append(s.events, best)
	}
}

// at is how much of the beginning of a text is the pattern, or that more has to be seen.
func (p *pattern) at(text []byte) (n int, more bool) {
	if !p.broken || !bytes.ContainsAny(text[:min(len(text), len(p.text))], "\r\n") {
		if len(text) < len(p.text) {
			return 0, string(text) == p.text[:len(text)]
		}
		if string(text[:len(p.text)]) == p.text {
			return len(p.text), false
		}
		return 0, false
	}
	since := 0 // bytes since the line began
	for k := 0; k < len(p.text); {
		switch {
		case n == len(text):
			return 0, true
		case text[n] == p.text[k]:
			n, k, since = n+1, k+1, since+1
		case since >= least && (text[n] == '\n' || text[n] == '\r'):
			n, since = n+lineEnd(text[n:]), 0
		default:
			return 0, false
		}
	}
	return n, false
}

// lineEnd is the length of the end of a line and the blanks that indent the next.
func lineEnd(text []byte) (n int) {
	if text[0] == '\r' {
		n++
	}
	if n < len(text) && text[n] == '\n' {
		n++
	}
	for limit := n + 8; n < len(text) && n < limit && (text[n] == ' ' || text[n] == '\t'); n++ {
	}
	return n
}

// escapes are the ways in which code and commands write a text.
type escapes []*strings.Replacer

func newEscapes() escapes {
	json := []string{`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`}
	return escapes{
		strings.NewReplacer(json...),
		strings.NewReplacer(append(json, "/", `\/`)...),
		strings.NewReplacer(append(json, "<", `\u003c`, ">", `\u003e`, "&", `\u0026`)...),
		strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`),           // Python
		strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`", "!", `\!`), // double quotes
		strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`"),
		strings.NewReplacer(`'`, `'\''`),
		strings.NewReplacer(`'`, `'"'"'`),
	}
}

// each calls add for the forms in which a text stands in code, addresses and commands, and for its
// reverse.
func (e escapes) each(text string, add func(string)) {
	if utf8.ValidString(text) {
		reversed := []rune(text)
		slices.Reverse(reversed)
		add(string(reversed))
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return r > 127 || !isAlnum(byte(r)) && !strings.ContainsRune("-_.", r) }) {
		return
	}
	for _, r := range e {
		add(r.Replace(text))
	}
	add(backslashed(text))
	for _, kept := range [...]string{"", "/", "!'()*", "$&+,/:;=@", "$&+:=@", "/!$&'()*+,;=:@"} {
		for _, digits := range [...]string{"0123456789ABCDEF", "0123456789abcdef"} {
			form := percent(text, kept, digits)
			add(form)
			add(strings.ReplaceAll(form, "%20", "+"))
		}
	}
}

// backslashed is a text as printf %q writes it.
func backslashed(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c > ' ' && c < 127 && !isAlnum(c) && strings.IndexByte("_-./%+=:@", c) < 0 || c == ' ' {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// percent is a text as it stands in a URL.
func percent(text, kept, digits string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; isAlnum(c) || strings.IndexByte("-_.~", c) >= 0 || strings.IndexByte(kept, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// encoded calls add for a text in hex and in base64, where it may follow none, one or two bytes of
// a group of three; the characters that it shares with what is around it are left out.
func encoded(text string, add func(string)) {
	digits := hexOf(text)
	add(digits)
	add(strings.ToUpper(digits))
	if len(text) < 9 {
		return
	}
	for before := range 3 {
		padded := append(make([]byte, before), text...)
		from, to := (before*8+5)/6, len(padded)*8/6
		for _, last := range [...]string{"+/", "-_"} {
			add(base64Of(padded, last)[from:to])
		}
	}
}

func hexOf(text string) string { return hex.EncodeToString([]byte(text)) }

// base64Of is a text in base64 without padding, with these last two letters.
func base64Of(text []byte, last string) string {
	out := make([]byte, 0, len(text)*4/3+2)
	bits, n := uint32(0), 0
	for _, c := range text {
		for bits, n = bits<<8|uint32(c), n+8; n >= 6; n -= 6 {
			out = append(out, (language.Letters64 + last)[bits>>(n-6)&63])
		}
	}
	if n > 0 {
		out = append(out, (language.Letters64 + last)[bits<<(6-n)&63])
	}
	return string(out)
}
