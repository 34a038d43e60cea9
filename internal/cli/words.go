package cli

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// effectText says what an effect does, and how exactly that is known.
func effectText(e tool.Effect) string {
	target := e.Target
	// others: exactly this.
	switch e.Reach {
	case tool.Anywhere:
		target = "something unknown"
		if e.Target != "" {
			target += " (" + e.Target + ")"
		}
	case tool.Prefix:
		target = "something that begins with " + e.Target
	case tool.Under:
		target = "something at or below " + e.Target
	}
	if e.Pattern {
		target = "what matches " + target
	}
	if e.Tree {
		target += " and everything below"
	}
	return e.Kind.String() + " " + target
}

// wordsText shows an argument vector so that it can be read, and pasted when
// all of it is known.
func wordsText(words []command.Word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = wordText(w)
	}
	return strings.Join(parts, " ")
}

func wordText(w command.Word) string {
	switch {
	case w.Reach == tool.Anywhere:
		return "<unknown>"
	case w.Reach == tool.Prefix:
		return shellQuote(w.Text) + "<unknown>"
	case w.Reach == tool.Under:
		return shellQuote(w.Text) + "/<unknown>"
	case w.Glob:
		return w.Text
	}
	return shellQuote(w.Text)
}

// shellQuote puts a word in quotes if the shell would otherwise act on it.
func shellQuote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r) || r >= 0xa0
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
