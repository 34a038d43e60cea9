package scan

import (
	"strings"
	"unicode/utf8"
)

// Ansi decodes the inside of $'...' as bash does: a NUL ends the text, and code
// points that are not characters become the bytes they would have.
func Ansi(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 >= len(s) {
			out = append(out, s[i])
			i++
			continue
		}
		text, n := ansiEscape(s[i:])
		if len(text) == 0 { // NUL
			break
		}
		out = append(out, text...)
		i += n
	}
	return string(out)
}

// simpleEscapes are those of one letter and what they stand for.
const (
	simpleEscapes    = "abeEfnrtv\\'\"?"
	simpleEscapesAre = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"
)

// ansiEscape decodes the escape that s begins with and says how long it is. Nothing
// stands for NUL.
func ansiEscape(s string) (text []byte, n int) {
	c := s[1]
	if i := strings.IndexByte(simpleEscapes, c); i >= 0 {
		return []byte{simpleEscapesAre[i]}, 2
	}
	switch c {
	case '0', '1', '2', '3', '4', '5', '6', '7':
		value, used := digits(s[1:], 8, 3)
		return ansiByte(value), 1 + used
	case 'x':
		return ansiHex(s)
	case 'u', 'U':
		width := 4
		if c == 'U' {
			width = 8
		}
		value, used := digits(s[2:], 16, width)
		switch {
		case used == 0:
			return []byte(s[:2]), 2
		case value == 0:
			return nil, 0
		}
		return appendRaw(nil, value), 2 + used
	case 'c':
		return ansiControl(s)
	}
	return []byte(s[:2]), 2
}

// ansiByte is a byte, or nothing for NUL.
func ansiByte(value int) []byte {
	if value&0xff == 0 {
		return nil
	}
	return []byte{byte(value)}
}

// ansiHex decodes \x41 and \x{41}. Without digits the latter is NUL.
func ansiHex(s string) (text []byte, n int) {
	if len(s) > 2 && s[2] == '{' {
		value, used := digits(s[3:], 16, len(s))
		if used == 0 {
			return nil, 0
		}
		n = 3 + used
		if n < len(s) && s[n] == '}' {
			n++
		}
		return ansiByte(value), n
	}
	value, used := digits(s[2:], 16, 2)
	if used == 0 {
		return []byte(s[:2]), 2
	}
	return ansiByte(value), 2 + used
}

// ansiControl decodes \cA.
func ansiControl(s string) (text []byte, n int) {
	if len(s) < 3 {
		return []byte(s[:2]), 2
	}
	n = 3
	if s[2] == '\\' && len(s) > 3 && s[3] == '\\' {
		n = 4
	}
	if s[n-1] == '?' {
		return []byte{0x7f}, n
	}
	return ansiByte(int(s[n-1] & 0x1f)), n
}

// digits reads at most limit digits and says how many it read.
func digits(s string, base, limit int) (n, used int) {
	for used < len(s) && used < limit {
		d := 99
		switch c := s[used]; {
		case c >= '0' && c <= '9':
			d = int(c - '0')
		case c >= 'a' && c <= 'f':
			d = int(c-'a') + 10
		case c >= 'A' && c <= 'F':
			d = int(c-'A') + 10
		}
		if d >= base {
			break
		}
		n = (n*base + d) & 0xffffffff
		used++
	}
	return n, used
}

// appendRaw encodes a code point, valid or not, in the pattern of UTF-8.
func appendRaw(out []byte, n int) []byte {
	if r := rune(n); n <= 0x10ffff && utf8.ValidRune(r) {
		return utf8.AppendRune(out, r)
	}
	switch {
	case n < 0x10000:
		return append(out, byte(0xe0|n>>12), byte(0x80|n>>6&0x3f), byte(0x80|n&0x3f))
	case n < 0x200000:
		return append(out, byte(0xf0|n>>18), byte(0x80|n>>12&0x3f), byte(0x80|n>>6&0x3f), byte(0x80|n&0x3f))
	case n < 0x4000000:
		return append(out, byte(0xf8|n>>24), byte(0x80|n>>18&0x3f), byte(0x80|n>>12&0x3f), byte(0x80|n>>6&0x3f), byte(0x80|n&0x3f))
	}
	return append(out, byte(0xfc|n>>30), byte(0x80|n>>24&0x3f), byte(0x80|n>>18&0x3f), byte(0x80|n>>12&0x3f), byte(0x80|n>>6&0x3f), byte(0x80|n&0x3f))
}
