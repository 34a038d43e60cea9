package content

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// decode takes apart what a view holds in encoded form and scans what comes out.
// It relies on what the reader noticed while cutting, so that a text without
// anything of the kind costs nothing.
func (s *scan) decode(text []byte, v view, r *reader) {
	if v.depth >= maxDepth {
		if len(r.long) > 0 || len(r.escapes) > 0 {
			s.partial = true
		}
		return
	}
	// What the reader noticed is copied: the views inside use the same reader.
	long, escapes, apart := slices.Clone(r.long), slices.Clone(r.escapes), slices.Clone(r.apart)
	codes, turned := r.codes, r.turned
	s.escaped(text, v, escapes)
	s.blobs(text, v, long)
	if codes >= 8 {
		s.codes(text, v)
	}
	s.apart(text, v, apart)
	for kind, n := range turned {
		if n >= 2 && len(text) <= 256<<10 {
			s.inner(turnedBack(text, kind), v, 0, len(text), encoded, turnName(kind))
		}
	}
}

// inner scans a text that was decoded from a part of a view.
func (s *scan) inner(text []byte, v view, start, end int, c channel, how string) {
	s.views++
	s.budget -= len(text)
	if s.views > maxViews || s.budget < 0 || v.depth >= maxDepth {
		s.partial = true
		return
	}
	from, to := v.place(start, end)
	s.view(text, view{channel: c, start: from, end: to, depth: v.depth + 1, via: append(v.via[:len(v.via):len(v.via)], how), data: isData(text)})
}

// isData says whether a decoded text is data with names in it that read like orders.
func isData(text []byte) bool {
	text = bytes.TrimSpace(text[:min(len(text), 200)])
	if len(text) > 0 && (text[0] == '{' || text[0] == '[' || text[0] == '<') {
		return true
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.Contains(line, []byte("HTTP/1.")) || bytes.Contains(line, []byte("HTTP/2"))
}

// place says where in the whole text a part of a view is.
func (v *view) place(start, end int) (int, int) {
	if v.depth == 0 {
		return v.start + start, v.start + end
	}
	return v.start, v.end
}

// escaped decodes runs of escapes: \x41, \u0041, \101, %41, &#65; and &#x41;.
func (s *scan) escaped(text []byte, v view, starts []int32) {
	done := 0
	for _, at := range starts {
		if int(at) < done {
			continue
		}
		// What stands before the first escape belongs to the word as well.
		from := int(at)
		for from > done && at-int32(from) < 200 && isBare(text[from-1]) {
			from--
		}
		var out []byte
		count, i := 0, from
		for i < len(text) {
			if r, n := unescape(text[i:]); n > 0 {
				out = utf8.AppendRune(out, r)
				if r < 0x100 && text[i] != '&' && (text[i] != '\\' || text[i+1] != 'u') {
					out = append(out[:len(out)-utf8.RuneLen(r)], byte(r))
				}
				count++
				i += n
				continue
			}
			if !isBare(text[i]) && !(text[i] == ' ' && i+1 < len(text) && (text[i+1] == '\\' || text[i+1] == '&' || text[i+1] == '%')) {
				break
			}
			out = append(out, text[i])
			i++
		}
		done = i
		if count < 3 || len(out) < 6 {
			continue
		}
		c, how := encoded, "escapes"
		switch text[at] {
		case '%':
			how = "URL encoding"
		case '&':
			how = "HTML entities"
		}
		if count*2 < len(out) {
			c = plain // a few blanks in an address are no disguise
		}
		if readable(out) {
			s.inner(out, v, from, i, c, how)
		}
	}
}

func isBare(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '.' || b == '_' || b == '-' || b == '+' || b == ','
}

// unescape reads one escape that text begins with.
func unescape(text []byte) (r rune, n int) {
	switch text[0] {
	case '%':
		if len(text) >= 3 && isHex(text[1:3]) {
			return hexRune(text[1:3]), 3
		}
	case '\\':
		return backslash(text)
	case '&':
		return entity(text)
	}
	return 0, 0
}

// backslash reads \x41, \u0041, \u{41}, \U00000041 and \101.
func backslash(text []byte) (rune, int) {
	if len(text) < 4 {
		return 0, 0
	}
	switch c := text[1]; {
	case c == 'u' && text[2] == '{':
		if end := bytes.IndexByte(text[:min(len(text), 12)], '}'); end > 3 && isHex(text[3:end]) {
			return hexRune(text[3:end]), end + 1
		}
	case c >= '0' && c <= '3' && isOctal(text[2]) && isOctal(text[3]):
		return rune(c-'0')<<6 | rune(text[2]-'0')<<3 | rune(text[3]-'0'), 4
	default:
		for _, form := range [...]struct {
			letter byte
			digits int
		}{{'x', 2}, {'u', 4}, {'U', 8}} {
			if end := 2 + form.digits; c == form.letter && len(text) >= end && isHex(text[2:end]) {
				return hexRune(text[2:end]), end
			}
		}
	}
	return 0, 0
}

func isOctal(b byte) bool { return b >= '0' && b <= '7' }

// entity reads &#65; and &#x41;, with or without the semicolon.
func entity(text []byte) (r rune, n int) {
	if len(text) < 4 || text[1] != '#' {
		return 0, 0
	}
	i, base := 2, rune(10)
	if text[2]|0x20 == 'x' {
		i, base = 3, 16
	}
	first := i
	for ; i < len(text) && i-first < 7; i++ {
		d := digit(text[i])
		if d < 0 || d >= base {
			break
		}
		r = r*base + d
	}
	if i == first {
		return 0, 0
	}
	if i < len(text) && text[i] == ';' {
		i++
	}
	return r, i
}

// digit is the value of a hexadecimal digit, or -1.
func digit(b byte) rune {
	switch {
	case b >= '0' && b <= '9':
		return rune(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		return rune(b|0x20-'a') + 10
	}
	return -1
}

func hexRune(digits []byte) (r rune) {
	for _, b := range digits {
		r = r<<4 | digit(b)
	}
	if r < 0 || r > utf8.MaxRune {
		return utf8.RuneError
	}
	return r
}

// readable says whether decoded bytes are a text: valid, nearly all printable,
// and with letters.
func readable(text []byte) bool {
	if len(text) < 6 {
		return false
	}
	good, letters, bad := 0, 0, 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size <= 1:
			bad++
		case r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0xa0:
			good++
			letters++
		case r >= ' ' && r < 0x7f || r == '\n' || r == '\t' || r == '\r' || r == 0x1b:
			good++
		default:
			bad++
		}
		i += size
	}
	return bad*20 <= good && (letters*2 >= good || encodedAgain(text))
}

// encodedAgain says whether decoded bytes look as if they were encoded once more.
func encodedAgain(text []byte) bool {
	for _, b := range text {
		if !isBlob(b) && b != '\n' && b != ' ' && b != '%' && b != '\\' && b != '&' && b != '#' && b != ';' {
			return false
		}
	}
	return len(text) >= 24
}

// blobs decodes long words: base64, base32, hexadecimal and binary digits. They may
// go on over the ends of lines.
func (s *scan) blobs(text []byte, v view, starts []int32) {
	done := 0
	for _, at := range starts {
		from := int(at)
		if from < done {
			continue
		}
		for from > done && isBlob(text[from-1]) {
			from--
		}
		end := blobEnd(text, from)
		done = end
		// A name and an equals sign may stand before it.
		if i := bytes.LastIndexByte(bytes.TrimRight(text[from:end], "="), '='); i >= 0 {
			from += i + 1
		}
		s.blob(text[from:end], v, from, end)
	}
}

func isBlob(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '+' || b == '/' || b == '-' || b == '_' || b == '='
}

// blobEnd is where an encoded text ends. Lines of it are long; a shorter one is
// the last.
func blobEnd(text []byte, i int) int {
	for {
		start := i
		i = pass(text, i, isBlob)
		if i-start < longWord {
			return i
		}
		next := pass(text, i, func(b byte) bool { return b == '\r' || b == ' ' || b == '\t' })
		if next >= len(text) || text[next] != '\n' {
			return i
		}
		next = pass(text, next+1, func(b byte) bool { return b == ' ' || b == '\t' || b == '#' || b == '*' })
		// The next line must end where the blob does.
		if end := pass(text, next, isBlob); end == next || end < len(text) && !endsBlob(text[end]) {
			return i
		}
		i = next
	}
}

// pass is where the bytes from i on end of which something is true.
func pass(text []byte, i int, is func(byte) bool) int {
	for i < len(text) && is(text[i]) {
		i++
	}
	return i
}

// endsBlob says whether a sign may stand behind the last line of an encoded text.
func endsBlob(b byte) bool {
	return b < ' ' || b == '"' || b == '\'' || b == '`'
}

// minEncoded is how long an encoded text must be to say anything; a name and a password are
// shorter.
const minEncoded = 20

func (s *scan) blob(text []byte, v view, start, end int) {
	packed, has := pack(text)
	n := len(packed)
	try := func(out []byte, how string) {
		if len(out) >= minEncoded && readable(out) {
			s.inner(out, v, start, end, encoded, how)
		}
	}
	switch {
	case n >= 40 && has.binary == n:
		try(fromBinary(packed), "binary digits")
	case has.hex == n && n%2 == 0:
		out := make([]byte, n/2)
		for i := range out {
			out[i] = byte(hexRune(packed[2*i : 2*i+2]))
		}
		try(out, "hexadecimal")
		return
	}
	if has.signs == 0 && (has.upper == 0 || has.lower == 0) && n >= longWord {
		try(fromBase32(packed), "base32")
	}
	if has.upper == 0 || has.lower == 0 && n < 24 {
		return // words, names and paths
	}
	for i, b := range packed { // both alphabets
		switch b {
		case '-':
			packed[i] = '+'
		case '_':
			packed[i] = '/'
		}
	}
	try(fromBase64(packed), "base64")
}

// makeup is how many bytes of each kind a text has.
type makeup struct{ upper, lower, digits, hex, binary, signs int }

// pack is an encoded text without blanks and the signs of comments.
func pack(text []byte) (packed []byte, has makeup) {
	packed = make([]byte, 0, len(text))
	for _, b := range text {
		if b <= ' ' || b == '=' || b == '#' || b == '*' {
			continue
		}
		switch {
		case b >= 'A' && b <= 'Z':
			has.upper++
		case b >= 'a' && b <= 'z':
			has.lower++
		case b >= '0' && b <= '9':
			has.digits++
			if b <= '1' {
				has.binary++
			}
		default:
			has.signs++
		}
		if digit(b) >= 0 {
			has.hex++
		}
		packed = append(packed, b)
	}
	return packed, has
}

func fromBinary(digits []byte) (out []byte) {
	for i := 0; i+8 <= len(digits); i += 8 {
		c := byte(0)
		for _, b := range digits[i : i+8] {
			c = c<<1 | b&1
		}
		out = append(out, c)
	}
	return out
}

// fromBase64 decodes as far as the letters are those of the alphabet.
func fromBase64(text []byte) []byte {
	out := make([]byte, 0, len(text)/4*3)
	value, n := 0, 0
	for _, b := range text {
		switch {
		case b >= 'A' && b <= 'Z':
			b -= 'A'
		case b >= 'a' && b <= 'z':
			b -= 'a' - 26
		case b >= '0' && b <= '9':
			b += 52 - '0'
		case b == '+':
			b = 62
		case b == '/':
			b = 63
		default:
			return out
		}
		value = value<<6 | int(b)
		if n += 6; n >= 8 {
			n -= 8
			out = append(out, byte(value>>n))
			value &= 1<<n - 1
		}
	}
	return out
}

// fromBase32 decodes as far as the letters are those of the alphabet.
func fromBase32(text []byte) []byte {
	var out []byte
	value, n := 0, 0
	for _, b := range text {
		switch {
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			value = value<<5 | int(b|0x20-'a')
		case b >= '2' && b <= '7':
			value = value<<5 | int(b-'2') + 26
		default:
			return nil
		}
		if n += 5; n >= 8 {
			n -= 8
			out = append(out, byte(value>>n))
			value &= 1<<n - 1
		}
	}
	return out
}

// codes decodes numbers that stand one by one: 69 67 6e, 0x69, 105, 01101001.
func (s *scan) codes(text []byte, v view) {
	for i := 0; i < len(text); {
		if !(text[i] >= '0' && text[i] <= '9' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'f') || i > 0 && isBare(text[i-1]) {
			i++
			continue
		}
		start := i
		var words [][]byte
		for i < len(text) {
			from := i
			for i < len(text) && isBare(text[i]) && text[i] != ',' && text[i] != '-' {
				i++
			}
			if !isCode(text[from:i]) {
				break
			}
			words = append(words, text[from:i])
			for i < len(text) && (text[i] <= ' ' || text[i] == ',' || text[i] == ';' || text[i] == ':' || text[i] == '-') && i < start+64<<10 {
				i++
			}
		}
		if len(words) < 8 {
			i = max(i, start+1)
			continue
		}
		for _, how := range [...]string{"hexadecimal", "decimal codes", "binary digits"} {
			if out := fromCodes(words, how); readable(out) {
				s.inner(out, v, start, i, encoded, how)
				break
			}
		}
	}
}

func fromCodes(words [][]byte, how string) []byte {
	var out []byte
	for _, w := range words {
		c := rune(0)
		switch how {
		case "hexadecimal":
			if len(w) == 4 {
				w = w[2:]
			}
			if len(w) != 2 {
				return nil
			}
			c = hexRune(w)
		case "decimal codes":
			for _, b := range w {
				if b < '0' || b > '9' || len(w) > 3 {
					return nil
				}
				c = c*10 + rune(b-'0')
			}
		default:
			if len(w) != 8 {
				return nil
			}
			for _, b := range w {
				c = c<<1 | rune(b&1)
			}
		}
		out = append(out, byte(c))
	}
	return out
}

// apart joins letters that stand apart: i g n o r e, i.g.n.o.r.e. A wider gap ends a
// word; where there is none, the words of the rules are looked for in the row.
func (s *scan) apart(text []byte, v view, starts []int32) {
	done := 0
	for _, at := range starts {
		start := int(at)
		if start < done {
			continue
		}
		var out, letters []byte
		i, n := start, 0
		for ; i < len(text) && isSingle(text, i); n++ {
			letters = append(letters, text[i])
			gap := i + 1
			for i = gap; i < len(text) && i-gap < 8 && isGap(text[i]); i++ {
			}
			if i-gap >= 2 {
				out = append(append(out, s.rules.segment(letters)...), ' ')
				letters = letters[:0]
			}
		}
		out = append(out, s.rules.segment(letters)...)
		if done = i; n >= minApart {
			s.inner(out, v, start, min(i, len(text)), encoded, "letters apart")
		}
	}
}

// isGap says whether a sign may stand between letters that belong together.
func isGap(b byte) bool {
	switch b {
	case ' ', '\t', '\n', '.', '-', '_', '*', '|', '/':
		return true
	}
	return false
}

// isSingle says whether a letter or digit stands alone.
func isSingle(text []byte, i int) bool {
	word := func(b byte) bool { return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80 }
	return word(text[i]) && text[i] < 0x80 && (i == 0 || !word(text[i-1])) && (i+1 >= len(text) || !word(text[i+1]))
}

// segment puts blanks between the known words in a row of letters, longest words
// first; what is not known stays together.
func (r *Rules) segment(letters []byte) []byte {
	const longest = 16
	if len(letters) <= longest && r.words.find(hashOf(bytes.ToLower(letters))) != 0 {
		return letters
	}
	var out []byte
	low := bytes.ToLower(letters)
	for i := 0; i < len(low); {
		n := 0
		for size := min(longest, len(low)-i); size >= 2; size-- {
			if r.words.find(hashOf(low[i:i+size])) != 0 {
				n = size
				break
			}
		}
		if n == 0 {
			out = append(out, letters[i])
			i++
			continue
		}
		if len(out) > 0 && out[len(out)-1] != ' ' {
			out = append(out, ' ')
		}
		out = append(append(out, letters[i:i+n]...), ' ')
		i += n
	}
	return out
}
