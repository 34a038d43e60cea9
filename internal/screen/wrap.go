package screen

import (
	"regexp"
	"strings"
)

// LineWidth is how wide text for people is at most.
const LineWidth = 80

// Fill writes words after a margin, and after another one in the lines that follow.
func Fill(b *strings.Builder, first, next, text string) {
	line, empty := first, true
	for _, word := range strings.Fields(text) {
		if !empty && Columns(Escape.ReplaceAllString(line+" "+word, "")) > LineWidth {
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

// Filled is a text so written; of nothing it is nothing.
func Filled(first, next, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	var b strings.Builder
	Fill(&b, first, next, text)
	return b.String()
}

// Escape is what colours text; it takes no room.
var Escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Hang wraps a line that is too long for a terminal. What follows is indented further.
// A text of several lines is left alone: it quotes something.
func (s Style) Hang(line string) string {
	if !s.Fold || strings.Contains(line, "\n") || Columns(Escape.ReplaceAllString(line, "")) <= LineWidth {
		return line
	}
	margin := line[:len(line)-len(strings.TrimLeft(line, " "))]
	var b strings.Builder
	Fill(&b, margin, margin+"    ", line)
	return strings.TrimSuffix(b.String(), "\n")
}

// Folded wraps the paragraphs of a text. Examples, which are indented, are left alone.
func Folded(text string) string {
	var b strings.Builder
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			Fill(&b, "", "", strings.Join(paragraph, " "))
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
