package explain

import (
	"cmp"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/screen"
	"longline/internal/tool"
)

// mark is a remark on a part of the script.
type mark struct {
	span     tool.Span
	decision tool.Decision
	label    string
}

// marksOf collects what deserves a caret: findings that object. One
// place has one mark, with what is strictest of it, the deciding rule first.
func marksOf(v tool.Verdict, invs []*command.Invocation) []mark {
	var marks []mark
	add := func(span tool.Span, d tool.Decision, label string) {
		if span == (tool.Span{}) {
			return
		}
		for i := range marks {
			m := &marks[i]
			switch {
			case m.span != span:
				continue
			case d > m.decision:
				m.decision, m.label = d, label
			case d == m.decision && !slices.Contains(strings.Split(m.label, ", "), label):
				m.label += ", " + label
			}
			return
		}
		marks = append(marks, mark{span, d, label})
	}
	findings := slices.Clone(v.Findings)
	slices.SortStableFunc(findings, func(a, b tool.Finding) int { return order(b.Rule == v.Rule) - order(a.Rule == v.Rule) })
	for _, f := range findings {
		if f.Decision < tool.Ask {
			continue
		}
		label := cmp.Or(f.Rule, f.Reason)
		if f.Rule == policy.UnknownID {
			label = whyOf(f, invs)
		}
		add(f.Span, f.Decision, label)
	}
	slices.SortStableFunc(marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(b.span.End, a.span.End))
	})
	return marks
}

// order puts what holds after what does not.
func order(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// whyOf is the reason of a finding about a gap, in the words of the gap.
func whyOf(f tool.Finding, invs []*command.Invocation) string {
	if f.Invocation >= 0 && f.Invocation < len(invs) {
		for _, g := range invs[f.Invocation].Gaps {
			if g.Span == f.Span && strings.HasSuffix(f.Reason, g.Why) {
				return g.Why
			}
		}
	}
	return f.Reason
}

// marked prints a script with a line of carets below each line that has a
// mark. A mark that goes on beyond its line is shown on its first.
func marked(s screen.Style, script string, marks []mark) string {
	var b strings.Builder
	start := 0
	for _, line := range strings.SplitAfter(script, "\n") {
		text := strings.TrimSuffix(line, "\n")
		if line != "" {
			b.WriteString("  " + screen.Clean(text, "\t") + "\n")
		}
		for _, m := range marks {
			from, to := m.span.Start-start, min(m.span.End-start, len(text))
			if from < 0 || from >= len(line) || from > len(text) {
				continue
			}
			width := max(1, screen.Columns(text[from:max(from, to)]))
			b.WriteString("  " + screen.Pad(text[:from]) + s.Decision(m.decision, "^"+strings.Repeat("~", width-1)+" "+m.decision.String()+": "+screen.Clean(m.label, "")) + "\n")
		}
		start += len(line)
	}
	return b.String()
}

// Changes prints the script that would run instead, with what is new in it
// marked: in colour on a terminal, and by a line of plus signs below.
func Changes(s screen.Style, v tool.Verdict) string {
	if v.Rewrite == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("       runs as:\n")
	start := 0
	for _, line := range strings.SplitAfter(v.Rewrite, "\n") {
		text := strings.TrimSuffix(line, "\n")
		var shown, below strings.Builder
		at := 0
		for _, p := range v.Changed {
			from, to := max(p.Start-start, at), min(p.End-start, len(text))
			if from >= to {
				continue
			}
			shown.WriteString(screen.Clean(text[at:from], "\t") + s.Paint("1;32", screen.Clean(text[from:to], "\t")))
			below.WriteString(screen.Pad(text[at:from]) + strings.Repeat("+", screen.Columns(text[from:to])))
			at = to
		}
		if line != "" {
			b.WriteString("  " + shown.String() + screen.Clean(text[at:], "\t") + "\n")
		}
		if below.Len() > 0 {
			b.WriteString("  " + s.Paint("32", below.String()) + "\n")
		}
		start += len(line)
	}
	return b.String()
}
