package strictjson

import (
	"strings"
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
		switch p.text[p.at] {
		case '"':
			text := p.text[start:p.at]
			p.at++
			if buf != nil {
				text = string(append(buf, text...))
			}
			return text, nil
		case '\\':
			buf = append(buf, p.text[start:p.at]...)
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			buf = utf8.AppendRune(buf, r)
			start = p.at
		default:
			if err := p.character(); err != nil {
				return "", err
			}
		}
	}
	return "", p.fail("the document ends inside a string")
}

// character reads a character that is not plain and stands for itself.
func (p *parser) character() error {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	switch {
	case r < ' ':
		return p.fail("control character in a string (write it as an escape)")
	case r == utf8.RuneError && size <= 1:
		return p.fail("invalid UTF-8 in a string")
	}
	p.at += size
	return nil
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

// The letters of the short escapes, and what they stand for.
const (
	escapeLetters = `"\/bfnrt`
	escapeMeans   = "\"\\/\b\f\n\r\t"
)

// escape reads an escape.
func (p *parser) escape() (rune, error) {
	if p.at+1 >= len(p.text) {
		return 0, p.fail("the document ends inside an escape")
	}
	if c := p.text[p.at+1]; c != 'u' {
		i := strings.IndexByte(escapeLetters, c)
		if i < 0 {
			return 0, p.fail("unknown escape in a string")
		}
		p.at += 2
		return rune(escapeMeans[i]), nil
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
	for i := at + 2; i < at+6; i++ {
		digit := hexDigit(p.text[i])
		if digit < 0 {
			return 0, false
		}
		r = r<<4 | digit
	}
	return r, true
}

// hexDigit is what a hexadecimal digit counts, or -1.
func hexDigit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}

// AppendString appends s as a JSON string. The result is valid whatever s
// holds: bytes that are no UTF-8 become U+FFFD, and the two line separators
// that JavaScript once did not allow in strings are escaped.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; ; {
		if i += plain(s[i:]); i == len(s) {
			break
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if standsItself(r, size) {
			i += size
			continue
		}
		dst = appendEscape(append(dst, s[start:i]...), r)
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// standsItself says whether a character that is not plain is written as it is.
func standsItself(r rune, size int) bool {
	return r >= utf8.RuneSelf && r != '\u2028' && r != '\u2029' && (r != utf8.RuneError || size > 1)
}

// appendEscape appends the escape for a character. RuneError is U+FFFD, which is what invalid
// bytes become.
func appendEscape(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	case '\r':
		return append(dst, '\\', 'r')
	}
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// Quote is [AppendString] for one string alone.
func Quote(s string) string { return string(AppendString(make([]byte, 0, len(s)+2), s)) }
