package shell

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/value"
)

// trim removes a matching prefix or suffix, as ${x#p}, ${x##p}, ${x%p}, ${x%%p} do.
func trim(text, pattern string, suffix, longest bool) (string, bool) {
	if len(text) > 4<<10 || len(pattern) > 1<<10 || !ascii(text) && strings.ContainsAny(pattern, "?[") {
		return "", false // or how many bytes a character has is not known
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
		ok, sure := paths.Match(pattern, part)
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
		ok, sure := paths.Match(pattern, text[:n])
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
