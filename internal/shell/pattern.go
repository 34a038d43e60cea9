package shell

import (
	"strings"
	"unicode/utf8"

	"longline/internal/value"
)

// matches says whether a text matches a pattern in which a backslash quotes the
// next character. It knows *, ? and bracket expressions; sure is false when the
// pattern holds something else.
func matches(pattern, text string) (match, sure bool) {
	if hasExtglob(pattern) || strings.Contains(pattern, "[:") || strings.Contains(pattern, "[.") || strings.Contains(pattern, "[=") {
		return false, false
	}
	p, t := 0, 0
	star, mark := -1, 0
	for steps := 0; ; steps++ {
		if steps > 1<<16 {
			return false, false
		}
		if p < len(pattern) {
			if pattern[p] == '*' {
				star, mark = p, t
				p++
				continue
			}
			if t < len(text) {
				if pn, tn, ok := matchOne(pattern[p:], text[t:]); ok {
					p, t = p+pn, t+tn
					continue
				}
			}
		} else if t == len(text) {
			return true, true
		}
		if star < 0 || mark >= len(text) {
			return false, true
		}
		_, n := utf8.DecodeRuneInString(text[mark:])
		mark += n
		p, t = star+1, mark
	}
}

// matchOne matches one element of a pattern other than * against the beginning
// of a text and says how much of both it takes.
func matchOne(pattern, text string) (pn, tn int, ok bool) {
	r, n := utf8.DecodeRuneInString(text)
	switch pattern[0] {
	case '?':
		return 1, n, true
	case '[':
		if end, in := bracketMatch(pattern, r); end > 0 {
			return end, n, in
		}
	case '\\':
		if len(pattern) > 1 {
			return 2, 1, pattern[1] == text[0]
		}
	}
	return 1, 1, pattern[0] == text[0]
}

// bracketMatch reads a bracket expression and returns its length, 0 if it is none.
func bracketMatch(pattern string, r rune) (int, bool) {
	i, not, in := 1, false, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		not = true
		i++
	}
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, in != not
		}
		lo, n := bracketRune(pattern[i:])
		i += n
		hi := lo
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			hi, n = bracketRune(pattern[i+1:])
			i += 1 + n
		}
		if lo <= r && r <= hi {
			in = true
		}
	}
	return 0, false
}

func bracketRune(s string) (rune, int) {
	if s[0] == '\\' && len(s) > 1 {
		r, n := utf8.DecodeRuneInString(s[1:])
		return r, n + 1
	}
	return utf8.DecodeRuneInString(s)
}

func hasExtglob(pattern string) bool {
	i := strings.IndexByte(pattern, '(')
	return i > 0 && strings.IndexByte("?*+@!", pattern[i-1]) >= 0
}

// hasGlob says whether unquoted text is a pattern.
func hasGlob(s string) bool {
	if strings.ContainsAny(s, "*?") {
		return true
	}
	i := strings.IndexByte(s, '[')
	return i >= 0 && strings.IndexByte(s[i+1:], ']') >= 0
}

// quoteGlob protects the characters of a text that mean something in a pattern.
func quoteGlob(s string) string {
	if !strings.ContainsAny(s, "*?[]\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte("*?[]\\", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// trim removes a matching prefix or suffix, as ${x#p}, ${x##p}, ${x%p}, ${x%%p} do.
func trim(text, pattern string, suffix, longest bool) (string, bool) {
	if len(text) > 4<<10 || len(pattern) > 1<<10 {
		return "", false
	}
	for k := 0; k <= len(text); k++ {
		n := k // how much to remove
		if longest {
			n = len(text) - k
		}
		part, rest := text[:n], text[n:]
		if suffix {
			rest, part = text[:len(text)-n], text[len(text)-n:]
		}
		ok, sure := matches(pattern, part)
		if !sure {
			return "", false
		}
		if ok {
			return rest, true
		}
	}
	return text, true
}

// replace substitutes matches, as ${x/p/r} and ${x//p/r} do.
func replace(text, pattern, with string, all bool) (string, bool) {
	if !hasGlob(pattern) && !strings.ContainsAny(pattern, "\\#%&") && !strings.Contains(with, "&") && pattern != "" {
		n := 1
		if all {
			n = -1
		}
		if len(text)*(len(with)+1) > value.MaxText {
			return "", false
		}
		return strings.Replace(text, pattern, with, n), true
	}
	if len(text) > 256 || len(pattern) > 256 {
		return "", false
	}
	anchor := byte(0)
	if !all && pattern != "" && (pattern[0] == '#' || pattern[0] == '%') {
		anchor, pattern = pattern[0], pattern[1:]
	}
	switch {
	case pattern != "" && strings.Contains(with, "&"):
		return "", false // patsub_replacement: & is the match, where it is on
	case pattern != "":
		return replaceMatches(text, pattern, with, anchor, all)
	case anchor == '#':
		return with + text, true
	case anchor == '%':
		return text + with, true
	}
	return text, true
}

// replaceMatches substitutes what a pattern matches: all of it, or the first, at the beginning for
// the anchor # and at the end for %.
func replaceMatches(text, pattern, with string, anchor byte, all bool) (string, bool) {
	var b strings.Builder
	for at := 0; at < len(text); {
		n, sure := longest(text[at:], pattern, anchor == '%')
		switch {
		case !sure || b.Len() > 1<<16:
			return "", false
		case n == 0 && anchor == '#':
			return text, true
		case n == 0:
			b.WriteByte(text[at])
			at++
			continue
		}
		b.WriteString(with)
		if at += n; !all {
			return b.String() + text[at:], true
		}
	}
	return b.String(), true
}

// longest is the length of what a pattern matches at the beginning of a text, or as a whole.
func longest(text, pattern string, whole bool) (int, bool) {
	for n := len(text); n > 0; n-- {
		ok, sure := matches(pattern, text[:n])
		if !sure {
			return 0, false
		}
		if ok {
			return n, true
		}
		if whole {
			break
		}
	}
	return 0, true
}
