package policy

import (
	"cmp"
	"slices"

	"longline/internal/tool"
)

// opinion is a finding and how strong it is beside others of its decision.
type opinion struct {
	tool.Finding
	strength touch
	tells    int // how much it tells of what an allowed command is for
}

// tells ranks what an allowed command does by how much that tells of what it is for:
// packages are installed, by a tool that runs, which fetches, and writes and reads files.
func tells(kind tool.Kind) int {
	switch kind {
	case tool.Control:
		return 4
	case tool.Execute:
		return 3
	case tool.Fetch, tool.Send:
		return 2
	case tool.Create, tool.Write, tool.Delete:
		return 1
	case tool.Read:
	}
	return 0
}

// opinions are what was found, each thing once, and the one that decides: the strictest
// wins, of equals the surest, then the one with the most authority, so that people
// read the reason they wrote themselves, then the one that
// tells most of an allowed command, then the first.
type opinions struct {
	findings []tool.Finding
	best     opinion
	own      int                   // where the findings on the last invocation begin
	seen     map[tool.Finding]bool // those, if they are many
}

// few is how many findings are looked at one by one. A map has to take a finding apart
// to the last string.
const few = 16

// add notes an opinion. Those on one invocation are added one after the other.
func (l *opinions) add(o opinion) {
	n := len(l.findings)
	if n == 0 || o.outranks(&l.best) {
		l.best = o
	}
	switch {
	case n == 0 || l.findings[n-1].Invocation != o.Invocation:
		l.own, l.seen = n, nil
	case l.has(&o.Finding):
		return
	}
	if n == cap(l.findings) { // append would grow a long list by a quarter
		l.findings = slices.Grow(l.findings, max(n, 2))
	}
	l.findings = append(l.findings, o.Finding)
	if l.seen != nil {
		l.seen[o.Finding] = true
	}
}

// has says whether a finding on the last invocation has been made before.
func (l *opinions) has(f *tool.Finding) bool {
	own := l.findings[l.own:]
	if l.seen == nil && len(own) <= few {
		return slices.Contains(own, *f)
	}
	if l.seen == nil {
		l.seen = make(map[tool.Finding]bool, 2*len(own))
		for _, g := range own {
			l.seen[g] = true
		}
	}
	return l.seen[*f]
}

func (o *opinion) outranks(other *opinion) bool {
	return cmp.Or(
		cmp.Compare(o.Decision, other.Decision),
		cmp.Compare(flag(o.Session), flag(other.Session)), // it says more than the rule alone
		cmp.Compare(o.strength, other.strength),
		cmp.Compare(slices.Index(layerNames[:], o.Layer), slices.Index(layerNames[:], other.Layer)),
		cmp.Compare(o.tells, other.tells),
	) > 0
}
