package screen

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Shorten cuts a text for a list.
func Shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}

// Count is a number of things, such as "3 lines".
func Count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// OneLine shows a script in one line.
func OneLine(script string) string {
	return Clean(strings.ReplaceAll(strings.TrimRight(script, "\n"), "\n", " ↵ "), "")
}

// Homely writes a directory below the home directory with a tilde.
func Homely(home, dir string) string {
	if rest, ok := strings.CutPrefix(dir, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return dir
}

// AndList is a list as one says it.
func AndList(items []string) string {
	if n := len(items); n > 1 {
		return strings.Join(items[:n-1], ", ") + " and " + items[n-1]
	}
	return strings.Join(items, "")
}

// Padded is a text with blanks up to a width.
func Padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// Bar is n of most as a line.
func Bar(n, most int) string {
	if most == 0 {
		return ""
	}
	eighths := n * BarWidth * 8 / most
	if n > 0 && eighths == 0 {
		eighths = 1
	}
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}

// BarWidth is how many characters the longest bar has.
const BarWidth = 30

// Millis is a time in microseconds as people read it.
func Millis(us int64) string { return fmt.Sprintf("%.1f ms", float64(us)/1000) }

// Unique leaves out what was said before.
func Unique(lines []string) []string {
	var once []string
	for _, line := range lines {
		if !slices.Contains(once, line) {
			once = append(once, line)
		}
	}
	return once
}

// NonEmpty leaves out what is empty.
func NonEmpty(texts ...string) []string {
	var some []string
	for _, t := range texts {
		if t != "" {
			some = append(some, t)
		}
	}
	return some
}

// Ago says how long ago something was.
func Ago(t time.Duration) string {
	switch {
	case t < 2*time.Minute:
		return "just now"
	case t < 2*time.Hour:
		return fmt.Sprintf("%d minutes ago", int(t.Minutes()))
	case t < 48*time.Hour:
		return fmt.Sprintf("%d hours ago", int(t.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(t.Hours()/24))
}
