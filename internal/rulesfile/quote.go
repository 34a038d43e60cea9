package rulesfile

import (
	"encoding/json"
	"slices"
	"strings"
)

// Quote writes a text as YAML that cannot be taken for anything else: as it is where
// that is plain, and else between quotes.
func Quote(text string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	// What begins with a digit or a dot may be a number.
	if text != "" && strings.Trim(text, letters+"-./_0123456789") == "" && (strings.IndexByte(letters+"/", text[0]) >= 0 || strings.HasPrefix(text, "./")) &&
		!slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, text) {
		return text
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// QuoteList writes texts as a list on one line.
func QuoteList(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = Quote(text)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
