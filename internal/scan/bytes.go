package scan

import "unicode/utf8"

// Unreadable finds bytes that bash and the parser treat differently.
func Unreadable(text string) (why string, at int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c-' ' < 0x7f-' ': // as nearly always
		case c >= 0x80:
			for j := i; j < len(text); {
				if text[j] < 0x80 {
					if text[j] < ' ' && text[j] != '\t' && text[j] != '\n' || text[j] == 0x7f {
						return "a control character", j
					}
					j++
					continue
				}
				ch, n := utf8.DecodeRuneInString(text[j:])
				if ch == utf8.RuneError && n == 1 {
					return "bytes that are not valid UTF-8", j
				}
				if misleading(ch) {
					return "an invisible or direction-changing character", j
				}
				j += n
			}
			return "", 0
		case c < ' ' && c != '\t' && c != '\n' || c == 0x7f:
			return "a control character", i
		}
	}
	return "", 0
}

// misleading says whether a character makes a script look like another one.
func misleading(c rune) bool {
	return c >= 0x200b && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2060 && c <= 0x2069 || c == 0xfeff || c == 0xad
}
