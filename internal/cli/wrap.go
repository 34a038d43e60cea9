package cli

import (
	"regexp"
	"strings"
)

// lineWidth is how wide text for people is at most.
const lineWidth = 80

// fill writes words after a margin, and after another one in the lines that follow.
func fill(b *strings.Builder, first, next, text string) {
	line, empty := first, true
	for _, word := range strings.Fields(text) {
		if !empty && columns(escape.ReplaceAllString(line+" "+word, "")) > lineWidth {
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

// escape is what colours text; it takes no room.
var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// hang wraps a line that is too long for a terminal. What follows is indented further.
// A text of several lines is left alone: it quotes something.
func (s style) hang(line string) string {
	if !s.fold || strings.Contains(line, "\n") || columns(escape.ReplaceAllString(line, "")) <= lineWidth {
		return line
	}
	margin := line[:len(line)-len(strings.TrimLeft(line, " "))]
	var b strings.Builder
	fill(&b, margin, margin+"    ", line)
	return strings.TrimSuffix(b.String(), "\n")
}

// folded wraps the paragraphs of a text. Examples, which are indented, are left alone.
func folded(text string) string {
	var b strings.Builder
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			fill(&b, "", "", strings.Join(paragraph, " "))
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && !strings.HasPrefix(line, " ") {
			paragraph = append(paragraph, line)
			continue
		}
		end()
		b.WriteString(line + "\n")
	}
	end()
	return strings.TrimSuffix(b.String(), "\n")
}
