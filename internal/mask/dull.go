package mask

import "strings"

// shortRun is shorter than every run of characters that is masked for what it is.
const shortRun = 15

// isDull says whether a text holds nothing that any of the searches in [Text] begins
// with: no name with a value, address, tag, or quote behind a blank, no long run of the characters
// of tokens, and no word that introduces credentials. It is asked of every command,
// and nearly all are dull.
func isDull(text string) bool {
	run := 0
	for i := range len(text) {
		c := text[i]
		switch {
		case kindOf(c) != 0:
			run++
		case isSign(c) || c == '\'' && isBehind(text, i, " "):
			return false
		case c == ' ':
			if introduces(text[:i+1]) {
				return false
			}
			run = 0
		case strings.IndexByte("+/_-.~!*$,@%;", c) >= 0:
			run++
		default:
			run = 0
		}
		if run > shortRun {
			return false
		}
	}
	return !strings.Contains(text, "----")
}

// isSign says whether a byte stands between a name and a value, or begins a tag.
func isSign(c byte) bool { return c == '=' || c == ':' || c == '<' }

// introduces says whether a text ends with one of the words of [bearers] that an equals sign or a
// colon does not give away.
func introduces(text string) bool {
	for k := range credentials {
		word := credentials[k].word
		n := len(text) - len(word)
		if n >= 0 && text[len(text)-2]|0x20 == word[len(word)-2] && strings.EqualFold(text[n:], word) {
			return true
		}
	}
	return false
}
