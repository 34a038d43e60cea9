package sandbox

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// pipedAway objects to a program that puts what is piped to it somewhere by
// itself.
func (p *planner) pipedAway(inv *command.Invocation) {
	for _, e := range inv.Effects {
		if (e.Kind == tool.Write || e.Kind == tool.Create) && !p.inside(e) && !redirected(inv, e) {
			p.Blocked = append(p.Blocked, Blocked{Why: "a download is piped to a program that chooses where to put it", Span: inv.Span, Piped: true})
			return
		}
	}
}

// Spilled reports whether fetched data that is piped to a program still ends up
// outside the sandbox, and where that program is in the script.
func Spilled(script string, invs []*command.Invocation, w *tool.World) (tool.Span, bool) {
	p := &planner{Plan: Plan{dir: w.Sandbox}, script: script, world: w, invs: invs}
	for _, inv := range invs {
		if inv.Remote || !p.piped(inv) {
			continue
		}
		if p.pipedAway(inv); len(p.Blocked) > 0 {
			return inv.Span, true
		}
	}
	return tool.Span{}, false
}

// brings says whether an invocation gets content from the network.
func brings(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, inv.Brings)
}

// piped says whether an invocation reads what was fetched. What a program that
// installs or updates something prints is its report, not what it got.
func (p *planner) piped(inv *command.Invocation) bool {
	if slices.ContainsFunc(inv.Words, isFetchedStream) {
		return true
	}
	if inv.Stdin.Taint&command.FromNet == 0 {
		return false
	}
	sources := 0
	for _, before := range p.invs {
		if !isBefore(before, inv) || !brings(before) {
			continue
		}
		if sources++; before.Landing().Prints || len(before.Via) > 0 {
			return true
		}
	}
	return sources == 0
}

// isFetchedStream reports whether a word is a stream of what was fetched: <(...).
func isFetchedStream(w command.Word) bool {
	return w.Taint&command.FromNet != 0 && w.IsKnown() && isStream(w.Text)
}

// isBefore reports whether an invocation is an earlier stage of another one's pipeline.
func isBefore(a, b *command.Invocation) bool {
	return a.Pipeline != 0 && a.Pipeline == b.Pipeline && a.Stage < b.Stage
}

// given says whether fetched data stands among the words of an invocation, by a
// substitution or a variable.
func (p *planner) given(i int, inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Words, func(w command.Word) bool { return w.Taint&command.FromNet != 0 }) &&
		slices.ContainsFunc(p.invs[:i], func(before *command.Invocation) bool { return before.Landing().Prints && brings(before) })
}

// inner says whether a group of commands prints what was fetched: the
// invocations that stand inside the one of the group, which has no words, or
// behind the call of a function, whose own stand elsewhere.
func (p *planner) inner(i int, group *command.Invocation) bool {
	within := func(inv *command.Invocation) bool {
		return inv.Span.Start >= group.Span.Start && inv.Span.End <= group.Span.End
	}
	call := !slices.ContainsFunc(p.invs[i+1:], within)
	for _, inv := range p.invs[i+1:] {
		if (call || within(inv)) && !inv.Remote && (brings(inv) && inv.Landing().Prints || p.piped(inv)) {
			return true
		}
	}
	return false
}

// keeps says whether a redirect puts standard output into a file.
func keeps(r command.Redirect) bool {
	switch r.Op {
	case ">", ">>", ">|", "<>":
		return r.Fd == "" && r.Op != "<>" || r.Fd == "1"
	case "&>", "&>>":
		return true
	case ">&":
		text := r.Target.Text
		return (r.Fd == "" || r.Fd == "1") && text != "-" && strings.Trim(text, "0123456789-") != ""
	}
	return false
}

// redirected says whether an effect is that of a redirect.
func redirected(inv *command.Invocation, e tool.Effect) bool {
	return slices.ContainsFunc(inv.Redirects, func(r command.Redirect) bool { return r.Target.Span == e.Span })
}
