package explain

import (
	"fmt"
	"strings"

	"longline/internal/agent"
	"longline/internal/hook"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Opinion prints a verdict in a few lines, beginning with the decision. The
// command itself is shown when there are several, and what an agent is told if
// that is something else.
func Opinion(s screen.Style, v tool.Verdict, command, told string) string {
	var lines []string
	for _, line := range []struct{ label, text string }{
		{"", s.Bold(screen.Clean(command, ""))},
		{"", screen.Clean(hook.Sentence(v), "")},
		{"", means(v)},
		{"instead: ", screen.Clean(instead(v), "")},
		{"", screen.Clean(told, "")},
	} {
		if line.text == "" {
			continue
		}
		text := line.label + line.text
		if s.Fold && screen.Columns(text) > screen.LineWidth-7 {
			var b strings.Builder
			screen.Fill(&b, "       ", "       ", text)
			text = strings.TrimSpace(b.String())
		}
		lines = append(lines, text)
	}
	text := s.Decision(v.Decision, fmt.Sprintf("%-5s", v.Decision)) + "  " + strings.Join(lines, "\n       ")
	return strings.TrimRight(text, " ") + "\n"
}

// means is what makes it safe to run a call that would be a question otherwise.
func means(v tool.Verdict) string {
	if v.Decision <= tool.Pass && v.Means&tool.Undo != 0 {
		return "with a snapshot first: longline undo brings back what it changes"
	}
	return ""
}

// instead is what to do in place of something that is objected to.
func instead(v tool.Verdict) string {
	if v.Decision < tool.Ask {
		return ""
	}
	return v.Suggest
}

// Told says what an agent hears instead of a decision that it would not heed.
func Told(name string, verdict tool.Verdict) string {
	if name == "" {
		return ""
	}
	client, told := agent.CapabilityOf(name).Client, agent.Told(name, verdict)
	switch {
	case told == verdict.Decision:
		return ""
	case told == tool.Deny && verdict.Decision == tool.Ask && verdict.Rewrite == "":
		return client + " cannot ask its user, so the answer is deny"
	case told == tool.Deny:
		return client + " would not run the changed command, so the answer is deny"
	case told == tool.Pass:
		return client + " cannot be told " + verdict.Decision.String() + ", so its own rules decide"
	}
	return client + " has to be told something, and is told " + told.String()
}
