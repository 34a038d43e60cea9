package screen

import (
	"strings"
)

// Rows is how many rows of a screen lines take.
func Rows(lines []string) int {
	n := 0
	for _, line := range lines {
		for part := range strings.SplitSeq(line, "\n") {
			n += max(1, (Columns(Escape.ReplaceAllString(part, ""))+LineWidth-1)/LineWidth)
		}
	}
	return n
}

// Clip cuts a line at the width of a  Colours are lost with what is cut.
func Clip(line string) string {
	plain := Escape.ReplaceAllString(line, "")
	if Columns(plain) <= LineWidth {
		return line
	}
	n := 0
	for i, r := range plain {
		if n += Width(r); n >= LineWidth {
			return plain[:i] + "…"
		}
	}
	return plain
}

// Lines is a text of whole lines without their ends.
func Lines(text string) []string {
	if text = strings.TrimSuffix(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
