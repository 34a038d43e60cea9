package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// A file that the shell opens to put something in its place is empty from then on. What reads it while it is open
// finds nothing: the command itself, what is inside, or the other commands of a pipeline. So what it held is lost.

// emptied makes of a redirection of nothing what it is: the loss of what the file holds.
func (here *site) emptied(inv *command.Invocation) {
	if inv.Output.Reach != tool.Exact || inv.Output.Text != "" {
		return
	}
	for _, rd := range inv.Redirects {
		if replaces(rd.Op) && (rd.Fd == "" || rd.Fd == "1") && rd.Op != syntax.RdrAll.String() {
			here.lost(inv, rd.Target.Span, nil)
		}
	}
}

// loses makes of the writes of an invocation that empties files when it starts what they are where others read these as long
// as it runs.
func (here *site) loses(inv *command.Invocation, others []*command.Invocation) {
	for _, rd := range inv.Redirects {
		if replaces(rd.Op) {
			here.lost(inv, rd.Target.Span, others)
		}
	}
	for _, at := range inv.Fills {
		here.lost(inv, at, others)
	}
}

// lost adds a deletion to the write at a place of the script, if one of those that are given reads the file, or none is given.
func (here *site) lost(inv *command.Invocation, at tool.Span, readers []*command.Invocation) {
	for _, e := range inv.Effects[:len(inv.Effects):len(inv.Effects)] {
		if e.Kind != tool.Write || e.Span != at || !here.holdsSomething(e) {
			continue
		}
		if readers == nil || slices.ContainsFunc(readers, func(o *command.Invocation) bool { return readsAlso(o, e, inv) }) {
			if e.Kind = tool.Delete; !slices.Contains(inv.Effects, e) {
				inv.Effects = append(inv.Effects, e)
			}
		}
	}
}

// losesInPipe is loses for the stages of a pipeline, which run at the same time. It is given where the invocations of each begin.
func losesInPipe(led *ledger, stages []stage, starts []int) {
	all := led.invocations
	for i, from := range starts {
		to := len(all)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		var others []*command.Invocation
		for _, inv := range all[from:to] {
			if inv.Span != led.src.stmtSpan(stages[i].stmt) || len(inv.Redirects)+len(inv.Fills) == 0 {
				continue // what is inside may have waited
			}
			if others == nil {
				others = append(append(others, all[starts[0]:from]...), all[to:]...)
			}
			if len(others) > 0 {
				led.loses(inv, others)
			}
		}
	}
}

// readsAlso says whether an invocation reads the file that another one writes. What it may read with all below it is no file on the disk,
// but a path in a commit. Of a pattern or a list it is the same file if the words are the same: a variable.
func readsAlso(inv *command.Invocation, e tool.Effect, writer *command.Invocation) bool {
	if e.Reach == tool.Anywhere || !slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
		return o.Kind == tool.Read && !o.Tree && o.Reach == e.Reach && o.Pattern == e.Pattern && o.Target == e.Target
	}) {
		return false
	}
	return isExact(e) || !allWords(writer, e.Span, func(w command.Word) bool {
		return w.IsKnown() || !hasWord(inv, w)
	})
}

// hasWord says whether a word is among those that an invocation is given.
func hasWord(inv *command.Invocation, w command.Word) bool {
	return slices.ContainsFunc(inv.Words, w.Same) || slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Op == "<" && rd.Target.Same(w) })
}

// replaces says whether a redirection puts something in the place of a file.
func replaces(op string) bool {
	switch op {
	case ">", ">|", "&>", "&>|", ">&":
		return true
	}
	return false
}
