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
		out, count, end := unescapeAll(text, from)
		done = end
		if count < 3 || len(out) < 6 || !readable(out) {
			continue
		}
		c := encoded
		if count*2 < len(out) {
			c = plain // a few blanks in an address are no disguise
		}
		s.inner(out, v, from, end, c, escapeName(text[at]))
	}
}

// unescapeAll decodes a run of escapes with bare words between them: what comes out, how many
// they are and where they end.
func unescapeAll(text []byte, from int) (out []byte, count, end int) {
	i := from
	for i < len(text) {
		if r, n := unescape(text[i:]); n > 0 {
			if r < 0x100 && isByte(text[i:]) {
				out = append(out, byte(r))
			} else {
				out = utf8.AppendRune(out, r)
			}
			count++
			i += n
			continue
		}
		if !isBare(text[i]) && !beforeEscape(text[i:]) {
			break
		}
		out = append(out, text[i])
		i++
	}
	return out, count, i
}

// isByte says whether an escape stands for a byte and not for a character.
func isByte(escape []byte) bool {
	return escape[0] != '&' && (escape[0] != '\\' || escape[1] != 'u')
}

// beforeEscape says whether a text begins with a blank and then may go on with an escape.
func beforeEscape(text []byte) bool {
	return text[0] == ' ' && len(text) > 1 && (text[1] == '\\' || text[1] == '&' || text[1] == '%')
}

// escapeName says how a text is written whose escapes begin with a sign.
func escapeName(sign byte) string {
	switch sign {
	case '%':
		return "URL encoding"
	case '&':
		return "HTML entities"
	}
	return "escapes"
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
		return 0, 0
	case c >= '0' && c <= '3' && isOctal(text[2]) && isOctal(text[3]):
		return rune(c-'0')<<6 | rune(text[2]-'0')<<3 | rune(text[3]-'0'), 4
	}
	return hexEscape(text)
}

// hexEscape reads \x41, \u0041 and \U00000041.
func hexEscape(text []byte) (rune, int) {
	end := 2
	switch text[1] {
	case 'x':
		end += 2
	case 'u':
		end += 4
	case 'U':
		end += 8
	}
	if end == 2 || len(text) < end || !isHex(text[2:end]) {
		return 0, 0
	}
	return hexRune(text[2:end]), end
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
	first, end := i, min(len(text), i+7)
	for d := rune(0); i < end; i++ {
		if d = digit(text[i]); d < 0 || d >= base {
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
		case isShownLetter(r):
			good++
			letters++
		case isShown(r):
			good++
		default:
			bad++
		}
		i += size
	}
	return bad*20 <= good && (letters*2 >= good || encodedAgain(text))
}

// isShownLetter says whether a character counts as a letter.
func isShownLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0xa0 }

// isShown says whether a character that is no letter is usual in a text.
func isShown(r rune) bool {
	return r >= ' ' && r < 0x7f || r == '\n' || r == '\t' || r == '\r' || r == 0x1b
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
		next := nextLine(text, i)
		if next < 0 {
			return i
		}
		// The next line must end where the blob does.
		if end := pass(text, next, isBlob); end == next || end < len(text) && !endsBlob(text[end]) {
			return i
		}
		i = next
	}
}

// nextLine is where the next line begins behind blanks and the signs of comments, or -1 if
// something else stands before the end of this one.
func nextLine(text []byte, i int) int {
	end := pass(text, i, func(b byte) bool { return b == '\r' || b == ' ' || b == '\t' })
	if end >= len(text) || text[end] != '\n' {
		return -1
	}
	return pass(text, end+1, func(b byte) bool { return b == ' ' || b == '\t' || b == '#' || b == '*' })
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

// blob decodes an encoded text in all the ways in which it may be encoded.
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
		try(fromHex(packed), "hexadecimal")
		return
	}
	if n >= longWord && has.oneCase() {
		try(fromBase32(packed), "base32")
	}
	if !has.isWords(n) {
		try(fromBase64(packed), "base64")
	}
}

// makeup is how many bytes of each kind a text has.
type makeup struct{ upper, lower, digits, hex, binary, signs int }

// oneCase says whether a text has no signs, and letters of one case at most.
func (m *makeup) oneCase() bool { return m.signs == 0 && (m.upper == 0 || m.lower == 0) }

// isWords says whether so many letters are words, names and paths.
func (m *makeup) isWords(n int) bool { return m.upper == 0 || m.lower == 0 && n < 24 }

// pack is an encoded text without blanks and the signs of comments.
func pack(text []byte) (packed []byte, has makeup) {
	packed = make([]byte, 0, len(text))
	for _, b := range text {
		if b > ' ' && b != '=' && b != '#' && b != '*' {
			has.count(b)
			packed = append(packed, b)
		}
	}
	return packed, has
}

// count counts a byte.
func (m *makeup) count(b byte) {
	switch {
	case b >= 'A' && b <= 'Z':
		m.upper++
	case b >= 'a' && b <= 'z':
		m.lower++
	case b >= '0' && b <= '9':
		m.digits++
		if b <= '1' {
			m.binary++
		}
	default:
		m.signs++
	}
	if digit(b) >= 0 {
		m.hex++
	}
}

// fromHex decodes an even number of digits.
func fromHex(digits []byte) []byte {
	out := make([]byte, len(digits)/2)
	for i := range out {
		out[i] = byte(hexRune(digits[2*i : 2*i+2]))
	}
	return out
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

// fromBase64 decodes as far as the letters are those of one of the alphabets.
func fromBase64(text []byte) []byte {
	out := make([]byte, 0, len(text)/4*3)
	value, n := 0, 0
	for _, b := range text {
		digit := base64Digit(b)
		if digit < 0 {
			return out
		}
		value = value<<6 | digit
		if n += 6; n >= 8 {
			n -= 8
			out = append(out, byte(value>>n))
			value &= 1<<n - 1
		}
	}
	return out
}

// base64Digit is what a letter counts in the alphabets of base64, or -1.
func base64Digit(b byte) int {
	switch {
	case b >= 'A' && b <= 'Z':
		return int(b - 'A')
	case b >= 'a' && b <= 'z':
		return int(b-'a') + 26
	case b >= '0' && b <= '9':
		return int(b-'0') + 52
	case b == '+', b == '-':
		return 62
	case b == '/', b == '_':
		return 63
	}
	return -1
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
		if digit(text[i]) < 0 || i > 0 && isBare(text[i-1]) {
			i++
			continue
		}
		start := i
		words, end := codesAt(text, start)
		i = max(end, start+1)
		if len(words) < 8 {
			continue
		}
		for _, how := range [...]string{"hexadecimal", "decimal codes", "binary digits"} {
			if out := fromCodes(words, how); readable(out) {
				s.inner(out, v, start, end, encoded, how)
				break
			}
		}
	}
}

// codesAt reads a row of codes, and says where it ends.
func codesAt(text []byte, start int) (words [][]byte, end int) {
	i := start
	for i < len(text) {
		from := i
		i = pass(text, i, func(b byte) bool { return isBare(b) && b != ',' && b != '-' })
		if !isCode(text[from:i]) {
			break
		}
		words = append(words, text[from:i])
		for i < len(text) && isBetweenCodes(text[i]) && i < start+64<<10 {
			i++
		}
	}
	return words, i
}

// isBetweenCodes says whether a sign may stand between two codes.
func isBetweenCodes(b byte) bool { return b <= ' ' || b == ',' || b == ';' || b == ':' || b == '-' }

func fromCodes(words [][]byte, how string) []byte {
	var out []byte
	for _, w := range words {
		var c rune
		switch how {
		case "hexadecimal":
			c = hexCode(w)
		case "decimal codes":
			c = decimalCode(w)
		default:
			c = binaryCode(w)
		}
		if c < 0 {
			return nil
		}
		out = append(out, byte(c))
	}
	return out
}

// hexCode is the character with a hexadecimal code, or -1.
func hexCode(w []byte) rune {
	if len(w) == 4 {
		w = w[2:]
	}
	if len(w) != 2 {
		return -1
	}
	return hexRune(w)
}

// decimalCode is the character with a decimal code, or -1.
func decimalCode(w []byte) (c rune) {
	if len(w) > 3 || !isDigits(w) {
		return -1
	}
	for _, b := range w {
		c = c*10 + rune(b-'0')
	}
	return c
}

// binaryCode is the character with a code in binary digits, or -1.
func binaryCode(w []byte) (c rune) {
	if len(w) != 8 {
		return -1
	}
	for _, b := range w {
		c = c<<1 | rune(b&1)
	}
	return c
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
