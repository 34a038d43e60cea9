package command

import (
	"slices"
	"strings"

	"longline/internal/language"
)

// SecretName reports whether a variable, flag or field of this name is likely
// to hold a secret.
func SecretName(name string) bool { return language.SecretName(name) }

// Short names for what the readers of languages share.
func hasWord(list, name string) bool { return language.HasWord(list, name) }
func quote(s string) string          { return language.Quote(s) }
func digit(c byte) int               { return language.HexDigit(c) }
func atoi(s string) int              { return language.Number(s) }
func isBlank(c byte) bool            { return c == ' ' || c == '\n' || c == '\t' }
func isLetter(c byte) bool           { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool            { return c >= '0' && c <= '9' }
func isWordByte(c byte) bool         { return isLetter(c) || isDigit(c) }

// isExactly says whether a word is known to be a text.
func isExactly(w Word, text string) bool { return w.Text == text && w.IsKnown() }

// allKnown says whether all of some words are known.
func allKnown(words []Word) bool {
	for i := range words {
		if !words[i].IsKnown() || words[i].Hollow {
			return false
		}
	}
	return true
}

// beginsWith says whether a text begins with one of a list, which blanks divide.
func beginsWith(list, text string) bool {
	for beginning := range strings.FieldsSeq(list) {
		if strings.HasPrefix(text, beginning) {
			return true
		}
	}
	return false
}

// hasFlagsBut says whether flags are given that are not in a list.
func hasFlagsBut(given []flagUse, list string) bool {
	return slices.ContainsFunc(given, func(g flagUse) bool { return !hasWord(list, g.name) })
}
