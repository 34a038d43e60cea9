package shell

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/syntax"
)

// trim removes a matching prefix or suffix, as ${x#p}, ${x##p}, ${x%p}, ${x%%p} do.
func trim(text, pattern string, suffix, longest bool) (string, bool) {
	if len(text) > 4<<10 || len(pattern) > 1<<10 || !ascii(text) && strings.ContainsAny(pattern, "?[") {
		return "", false // or how many bytes a character has is not known
	}
	if suffix {
		n, sure := paths.MatchEnding(pattern, text, longest)
		return text[:len(text)-max(n, 0)], sure
	}
	n, sure := paths.MatchBeginning(pattern, text, longest)
	return text[max(n, 0):], sure
}

// isBadInZsh says whether a pattern may be an error to zsh, where bash takes what it cannot read for text: brackets or parentheses that are not
// closed, or something in brackets behind a tilde.
func isBadInZsh(parts []syntax.WordPart) bool {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.ExtGlob:
			if strings.ContainsAny(p.Pattern.Value, "/[(") {
				return true
			}
		default:
			b.WriteByte('x')
		}
	}
	return hasStray(b.String())
}

// hasStray says whether a pattern holds a parenthesis, or a bracket that is not one of a set as all shells read it.
func hasStray(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '(', c == '[' && i > 0 && text[i-1] == '~':
			return true
		case c == '[':
			n := setLen(text[i:])
			if n == 0 {
				return true
			}
			i += n - 1
		}
	}
	return false
}

// setLen is the length of a set of characters that a text begins with, such as [^a-z] or [[:space:]_], or 0 if it is none that every shell
// ends at the same bracket.
func setLen(text string) int {
	rest := strings.TrimLeft(text[1:], "!^")
	for n := 0; rest != ""; n++ {
		class := 0
		switch {
		case rest[0] == ']' && n == 0:
			return 0
		case rest[0] == ']':
			return len(text) - len(rest) + 1
		case rest[0] == '\\' && len(rest) > 1:
			class = 2
		case rest[0] == '[':
			if class = strings.Index(rest, ":]") + 2; class < 2 || rest[1] != ':' {
				return 0
			}
		default:
			class = 1
		}
		rest = rest[class:]
	}
	return 0
}
