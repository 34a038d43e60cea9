package cli

import (
	"cmp"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/policy"
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
			case d == m.decision && !strings.Contains(m.label, label):
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
	for i := range marks {
		marks[i].label = marks[i].decision.String() + ": " + marks[i].label
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
func marked(s style, script string, marks []mark) string {
	var b strings.Builder
	start := 0
	for _, line := range strings.SplitAfter(script, "\n") {
		text := strings.TrimSuffix(line, "\n")
		if line != "" {
			b.WriteString("  " + clean(text, "\t") + "\n")
		}
		for _, m := range marks {
			from, to := m.span.Start-start, min(m.span.End-start, len(text))
			if from < 0 || from >= len(line) || from > len(text) {
				continue
			}
			width := max(1, columns(text[from:max(from, to)]))
			b.WriteString("  " + pad(text[:from]) + s.decision(m.decision, "^"+strings.Repeat("~", width-1)+" "+clean(m.label, "")) + "\n")
		}
		start += len(line)
	}
	return b.String()
}

// rewritten shows a script and the one that runs instead of it, with carets
// below what is new.
func (x explainer) rewritten(before, after string) string {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	// Whole words: half of one says nothing, and a rune is not cut in two.
	for start > 0 && !strings.ContainsRune(" \t\n", rune(after[start-1])) {
		start--
	}
	for end > 0 && !strings.ContainsRune(" \t\n", rune(after[len(after)-end])) {
		end--
	}
	return "given:\n" + marked(x.style, before, nil) + "runs as:\n" +
		marked(x.style, after, []mark{{tool.Span{Start: start, End: len(after) - end}, tool.Pass, "changed"}})
}

// pad is blank space as wide as text, with its tabs, so that what follows
// stands below its place.
func pad(text string) string {
	var b strings.Builder
	for _, r := range clean(text, "\t") {
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteString(strings.Repeat(" ", width(r)))
		}
	}
	return b.String()
}

func columns(text string) int {
	n := 0
	for _, r := range clean(text, "\t") {
		n += width(r)
	}
	return n
}

// width is how many columns a terminal gives a character: two for the scripts
// and symbols of East Asia, one for what most commands are written in.
func width(r rune) int {
	if r >= 0x1100 && r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
		r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd {
		return 2
	}
	return 1
}
