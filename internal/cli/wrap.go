package cli

import (
	"strings"
)

// lineWidth is how wide text for people is at most.
const lineWidth = 80

// fill writes words behind a margin, and goes on behind another one in the next line
// where they would not fit.
func fill(b *strings.Builder, first, next, text string) {
	line, empty := first, true
	for _, word := range strings.Fields(text) {
		if !empty && columns(line)+1+columns(word) > lineWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, empty = next, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// folded wraps the lines of a text that are too long; what follows begins where the
// line began, and examples, which are indented, are left alone.
func folded(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if columns(line) <= lineWidth || strings.HasPrefix(line, " ") {
			b.WriteString(line + "\n")
			continue
		}
		fill(&b, "", "", line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
