package explain

import (
	"strings"

	"longline/internal/draft"
	"longline/internal/policy"
	"longline/internal/screen"
	"longline/internal/tool"
)

// ToAllow prints what would have to change.
func (x Printer) ToAllow(e *Explanation) string {
	w := e.WhyNot
	if w == nil {
		return ""
	}
	if e.Verdict.Decision == tool.Allow {
		return "\nit is allowed as it is\n"
	}
	var b strings.Builder
	b.WriteString("\n" + x.Bold("to allow it") + "\n")
	if !e.Verdict.Parsed {
		b.WriteString("  write it so that the shell can read it\n")
	}
	for _, o := range w.Obstacles {
		x.obstacle(&b, e, o)
	}
	if w.Rules != "" {
		b.WriteString("  or add this to your rules file")
		if w.Lifts {
			b.WriteString("; careful, it lifts a denial")
		}
		b.WriteString("\n")
		for line := range strings.Lines("rules:\n" + w.Rules) {
			b.WriteString("    " + screen.Clean(line, "\n"))
		}
	}
	for _, why := range w.Ruleless {
		b.WriteString(x.Hang("  no rule: "+why) + "\n")
	}
	for _, limit := range w.Limits {
		b.WriteString(x.Hang("  note: "+limit) + "\n")
	}
	return b.String()
}

// obstacle prints what does not allow a command, and what would help.
func (x Printer) obstacle(b *strings.Builder, e *Explanation, o draft.Obstacle) {
	f := o.Finding
	at := ""
	if script := e.Script(); draft.Verbatim(script, f.Span) {
		at = " at " + screen.Clean(screen.Shorten(script[f.Span.Start:f.Span.End], 60), "")
	}
	b.WriteString("  " + x.Decision(f.Decision, f.Decision.String()+" ["+f.Rule+"]") + at)
	if f.Layer == policy.User.String() {
		b.WriteString(x.Dim(", your own rule in " + f.Source))
	}
	b.WriteByte('\n')
	for _, r := range o.Remedies {
		text := r.What + ": " + r.Then.String()
		if r.Script != "" {
			text += ", as " + r.Script
		}
		b.WriteString(x.Hang("    "+screen.Clean(text, "")) + "\n")
	}
}
