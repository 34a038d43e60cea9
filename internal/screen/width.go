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
	for _, w := range wide {
		if w[0] <= r && r <= w[1] {
			return 2
		}
	}
	return 1
}

// wide are the first and the last of each range of characters that take two columns.
var wide = [...][2]rune{
	{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
}
