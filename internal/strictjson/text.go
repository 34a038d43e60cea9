package strictjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a quoted string. Text without escapes is not copied.
func (p *parser) string() (string, error) {
	p.at++
	start := p.at
	var buf []byte // what has been decoded, once an escape has been met
	for p.at < len(p.text) {
		p.at += plain(p.text[p.at:])
		if p.at == len(p.text) {
			break
		}
		switch c := p.text[p.at]; {
		case c == '"':
			text := p.text[start:p.at]
			p.at++
			if buf != nil {
				text = string(append(buf, text...))
			}
			return text, nil
		case c == '\\':
			buf = append(buf, p.text[start:p.at]...)
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			buf = utf8.AppendRune(buf, r)
			start = p.at
		case c < ' ':
			return "", p.fail("control character in a string (write it as an escape)")
		case c < utf8.RuneSelf:
			p.at++
		default:
			r, size := utf8.DecodeRuneInString(p.text[p.at:])
			if r == utf8.RuneError && size <= 1 {
				return "", p.fail("invalid UTF-8 in a string")
			}
			p.at += size
		}
	}
	return "", p.fail("the document ends inside a string")
}

// plain is how many bytes of s, from its beginning, stand for themselves in a
// JSON string. Nearly all do, so this is where time goes.
func plain(s string) int {
	for i := range len(s) {
		if c := s[i]; c-' ' >= 0x7f-' ' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

func (p *parser) escape() (rune, error) {
	if p.at+1 >= len(p.text) {
		return 0, p.fail("the document ends inside an escape")
	}
	c := p.text[p.at+1]
	if c != 'u' {
		r, ok := rune(c), true
		switch c {
		case '"', '\\', '/':
		case 'b':
			r = '\b'
		case 'f':
			r = '\f'
		case 'n':
			r = '\n'
		case 'r':
			r = '\r'
		case 't':
			r = '\t'
		default:
			ok = false
		}
		if !ok {
			return 0, p.fail("unknown escape in a string")
		}
		p.at += 2
		return r, nil
	}
	r, ok := p.hex4(p.at)
	if !ok {
		return 0, p.fail("an escape \\u needs four hexadecimal digits")
	}
	if !utf16.IsSurrogate(r) {
		p.at += 6
		return r, nil
	}
	low, ok := p.hex4(p.at + 6)
	if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
		p.at += 12
		return pair, nil
	}
	return 0, p.fail("half of a surrogate pair in a string")
}

// hex4 reads the escape \uXXXX at a place.
func (p *parser) hex4(at int) (rune, bool) {
	if len(p.text) < at+6 || p.text[at] != '\\' || p.text[at+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range []byte(p.text[at+2 : at+6]) {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// AppendString appends s as a JSON string. The result is valid whatever s
// holds: bytes that are no UTF-8 become U+FFFD, and the two line separators
// that JavaScript once did not allow in strings are escaped.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; ; {
		if i += plain(s[i:]); i == len(s) {
			break
		}
		c := s[i]
		r, size := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && r != '\u2028' && r != '\u2029' && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		default: // RuneError is U+FFFD, which is what invalid bytes become
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// Quote is [AppendString] for one string alone.
func Quote(s string) string { return string(AppendString(make([]byte, 0, len(s)+2), s)) }
