package scan

import "unicode/utf8"

// Unreadable finds bytes that bash and the parser treat differently.
func Unreadable(text string) (why string, at int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c-' ' < 0x7f-' ': // as nearly always
		case c >= 0x80:
			return unreadableFrom(text, i)
		case isControl(c):
			return "a control character", i
		}
	}
	return "", 0
}

// unreadableFrom is Unreadable for a text that is not ASCII from an offset on.
func unreadableFrom(text string, at int) (string, int) {
	for at < len(text) {
		c, n := rune(text[at]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(text[at:])
		}
		switch {
		case c < utf8.RuneSelf && isControl(byte(c)):
			return "a control character", at
		case c == utf8.RuneError && n == 1:
			return "bytes that are not valid UTF-8", at
		case misleading(c):
			return "an invisible or direction-changing character", at
		}
		at += n
	}
	return "", 0
}

// isControl says whether a byte is a control character other than a blank.
func isControl(c byte) bool { return c < ' ' && c != '\t' && c != '\n' || c == 0x7f }

// misleading says whether a character makes a script look like another one.
func misleading(c rune) bool {
	return c >= 0x200b && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2060 && c <= 0x2069 || c == 0xfeff || c == 0xad
}
