package screen

import (
	"strings"
)

// Columns is how many columns of a terminal a text takes.
func Columns(text string) int {
	n := 0
	for _, r := range Clean(text, "\t") {
		n += Width(r)
	}
	return n
}

// Pad is blank space as wide as text, with its tabs, so that what follows
// stands below its place.
func Pad(text string) string {
	var b strings.Builder
	for _, r := range Clean(text, "\t") {
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteString(strings.Repeat(" ", Width(r)))
		}
	}
	return b.String()
}

// Width is how many columns a terminal gives a character: two for the scripts
// and symbols of East Asia, one for what most commands are written in.
func Width(r rune) int {
	if r >= 0x1100 && r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
		r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd {
		return 2
	}
	return 1
}
