package language

import (
	"strings"

	"longline/internal/tool"
)

// applescriptDeeds reads a program in AppleScript. One whose lines all notify is
// followed; every other is code that steers programs.
func applescriptDeeds(text string) (d Deeds) {
	for line := range strings.SplitSeq(text, "\n") {
		if !notifies(strings.TrimSpace(line)) {
			d.addOpen(tool.Execute)
			d.add(tool.Control, "desktop.control")
			return d
		}
	}
	d.add(tool.Control, "desktop.notify")
	return d
}

// notifies says whether a line is one statement that shows, says or sounds
// constant text. Anything that could be computed is none: an expression may run
// a program.
func notifies(line string) bool {
	if rest, ok := strings.CutPrefix(line, "display notification "); ok {
		return labelledTexts(rest)
	}
	if rest, ok := strings.CutPrefix(line, "say "); ok {
		rest, ok = constantText(rest)
		return ok && rest == ""
	}
	verb, count, _ := strings.Cut(line, " ")
	return (verb == "beep" || verb == "delay") && strings.Trim(count, "0123456789.") == ""
}

// labelledTexts says whether a notification is made of constant texts: the first, and
// others with a label in front of each.
func labelledTexts(rest string) bool {
	rest, ok := constantText(rest)
	for ok && rest != "" {
		if rest, ok = cutLabel(rest); ok {
			rest, ok = constantText(rest)
		}
	}
	return ok
}

// cutLabel takes the label of a text of a notification off the front of a line.
func cutLabel(s string) (rest string, ok bool) {
	for _, label := range [...]string{"with title ", "subtitle ", "sound name "} {
		if rest, ok = strings.CutPrefix(s, label); ok {
			return rest, true
		}
	}
	return s, false
}

// constantText takes a quoted text off the front of a line, with the blanks
// behind it.
func constantText(s string) (rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return strings.TrimLeft(s[i+1:], " "), true
		case '\n', '\r':
			return s, false
		}
	}
	return s, false
}
