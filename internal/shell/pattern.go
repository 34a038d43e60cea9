package shell

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/value"
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

// replace substitutes matches, as ${x/p/r} and ${x//p/r} do.
func replace(text, pattern, with string, all bool) (string, bool) {
	if standsForItself(pattern) && !strings.Contains(with, "&") {
		return replaceText(text, pattern, with, all)
	}
	if len(text) > 256 || len(pattern) > 256 {
		return "", false
	}
	anchor := byte(0)
	if !all {
		anchor, pattern = cutAnchor(pattern)
	}
	switch {
	case pattern != "" && strings.Contains(with, "&"):
		return "", false // patsub_replacement: & is the match, where it is on
	case pattern != "":
		return replaceMatches(text, pattern, with, anchor, all)
	}
	return addAt(text, with, anchor), true
}

// addAt puts a text before another one for the anchor #, and behind it for %.
func addAt(text, with string, anchor byte) string {
	switch anchor {
	case '#':
		return with + text
	case '%':
		return text + with
	}
	return text
}

// replaceText substitutes a text that stands for itself.
func replaceText(text, old, with string, all bool) (string, bool) {
	n := 1
	if all {
		n = -1
	}
	if len(text)*(len(with)+1) > value.MaxText {
		return "", false
	}
	return strings.Replace(text, old, with, n), true
}

// standsForItself says whether a pattern matches nothing but its own text.
func standsForItself(pattern string) bool {
	return pattern != "" && !paths.Wild(pattern) && !strings.ContainsAny(pattern, "\\#%&")
}

// cutAnchor is the sign that ties a pattern to the beginning or the end of a text, and the rest
// of it.
func cutAnchor(pattern string) (anchor byte, rest string) {
	if pattern != "" && (pattern[0] == '#' || pattern[0] == '%') {
		return pattern[0], pattern[1:]
	}
	return 0, pattern
}

// replaceMatches substitutes what a pattern matches: all of it, or the first, at the beginning for
// the anchor # and at the end for %.
func replaceMatches(text, pattern, with string, anchor byte, all bool) (string, bool) {
	if !ascii(text) && strings.ContainsAny(pattern, "?[") {
		return "", false
	}
	if text == "" {
		is, sure := paths.Match(pattern, "")
		if is {
			text = with
		}
		return text, sure
	}
	switch anchor {
	case '#':
		n, sure := paths.MatchBeginning(pattern, text, true)
		if n > 0 {
			text = with + text[n:]
		}
		return text, sure
	case '%':
		n, sure := paths.MatchEnding(pattern, text, true)
		if n > 0 {
			text = text[:len(text)-n] + with
		}
		return text, sure
	}
	var b strings.Builder
	for text != "" {
		start, end, sure := paths.FindMatch(pattern, text)
		if !sure || b.Len() > 1<<16 {
			return "", false
		}
		if end <= 0 {
			break
		}
		b.WriteString(text[:start])
		b.WriteString(with)
		if text = text[end:]; !all {
			break
		}
	}
	return b.String() + text, true
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
