package scan

import "unicode/utf8"

// Ansi decodes the inside of $'...' as bash does: a NUL ends the text, and code
// points that are not characters become the bytes they would have.
func Ansi(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'a':
			out = append(out, '\a')
		case 'b':
			out = append(out, '\b')
		case 'e', 'E':
			out = append(out, 0x1b)
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'v':
			out = append(out, '\v')
		case '\\', '\'', '"', '?':
			out = append(out, c)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, used := digits(s[i:], 8, 3)
			i += used - 1
			if n&0xff == 0 {
				return string(out)
			}
			out = append(out, byte(n))
		case 'x':
			braced := i+1 < len(s) && s[i+1] == '{'
			var n, used int
			if braced {
				n, used = digits(s[i+2:], 16, len(s))
				if used == 0 {
					// \x{ without digits is the NUL that ends the text.
					return string(out)
				}
				i += 1 + used
				if i+1 < len(s) && s[i+1] == '}' {
					i++
				}
			} else {
				if n, used = digits(s[i+1:], 16, 2); used == 0 {
					out = append(out, '\\', 'x')
					continue
				}
				i += used
			}
			if n&0xff == 0 {
				return string(out)
			}
			out = append(out, byte(n))
		case 'u', 'U':
			width := 4
			if c == 'U' {
				width = 8
			}
			n, used := digits(s[i+1:], 16, width)
			if used == 0 {
				out = append(out, '\\', c)
				continue
			}
			i += used
			if n == 0 {
				return string(out)
			}
			out = appendRaw(out, n)
		case 'c':
			if i+1 >= len(s) {
				out = append(out, '\\', 'c')
				continue
			}
			i++
			if s[i] == '\\' && i+1 < len(s) && s[i+1] == '\\' {
				i++
			}
			ctl := s[i] & 0x1f
			if s[i] == '?' {
				ctl = 0x7f
			}
			if ctl == 0 {
				return string(out)
			}
			out = append(out, ctl)
		default:
			out = append(out, '\\', c)
		}
	}
	return string(out)
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
