package screen

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// EffectText says what an effect does, and how exactly that is known.
func EffectText(e tool.Effect) string {
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

// WordsText shows an argument vector so that it can be read, and pasted when
// all of it is known.
func WordsText(words []command.Word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = WordText(w)
	}
	return strings.Join(parts, " ")
}

// WordText shows one word.
func WordText(w command.Word) string {
	switch {
	case w.Reach == tool.Anywhere:
		return "<unknown>"
	case w.Reach == tool.Prefix:
		return ShellQuote(w.Text) + "<unknown>"
	case w.Reach == tool.Under:
		return ShellQuote(w.Text) + "/<unknown>"
	case w.Glob:
		return w.Text
	}
	return ShellQuote(w.Text)
}

// ShellQuote puts a word in quotes if the shell would otherwise act on it.
func ShellQuote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r) || r >= 0xa0
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
