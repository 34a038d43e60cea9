package shell

import (
	"longline/internal/command"
	"longline/internal/tool"
)

// exhaust notes that an invocation fills the disk or the memory.
func exhaust(inv *command.Invocation) {
	const name = "system.exhaust"
	for _, e := range inv.Effects {
		if e.Kind == tool.Control && e.Target == name {
			return
		}
	}
	inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: name, Reach: tool.Exact, Span: inv.Span})
}

// swells notes that a stream without end goes into a file or a variable, or is shown
// to whoever waits for the output: agents keep that in memory or in a file.
func (n *notes) swells(d command.Data) {
	if !d.Endless {
		return
	}
	for i := len(n.invocations) - 1; i >= 0; i-- {
		if n.invocations[i].Output.Endless {
			exhaust(n.invocations[i])
			return
		}
	}
	n.gap("endless output", tool.Span{})
}

// spills notes that the files of a whole directory are shown, with one of secrets among
// them, whatever they went through on their way.
func (n *notes) spills(d command.Data) {
	if d.Taint&command.FromTree == 0 {
		return
	}
	for _, inv := range n.invocations {
		inv.Effects, inv.Packed = append(inv.Effects, inv.Packed...), nil
	}
}

// shown is swells for what a whole script prints.
func (n *notes) shown(states []*state) {
	for _, s := range states {
		n.swells(s.out)
	}
}

// churns looks at what a loop without end does: it is harmless if it waits in each
// round, or for something that takes its time, as another host or the code of a
// project does, and if nothing is left of the rounds.
func (n *notes) churns(round []*command.Invocation, prints, swells bool) {
	if swells {
		n.gap("an endless loop in which a variable grows", tool.Span{})
	}
	var grows *command.Invocation
	for _, inv := range round {
		writes, quick := hurries(inv)
		if !quick {
			return
		}
		if writes || prints && grows == nil && (inv.Output.Reach != tool.Exact || inv.Output.Text != "") {
			grows = inv
		}
	}
	if grows != nil {
		exhaust(grows)
	}
}

// hurries says whether an invocation writes files, and whether it is sure to be quick: it
// waits for nothing, and touches nothing but files.
func hurries(inv *command.Invocation) (writes, quick bool) {
	if inv.Timed || len(inv.Gaps) > 0 {
		return false, false
	}
	for _, e := range inv.Effects {
		switch e.Kind {
		case tool.Write, tool.Create:
			writes = true
		case tool.Read, tool.Delete:
		default:
			return false, false
		}
	}
	return writes, true
}
