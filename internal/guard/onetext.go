package guard

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/shell"
	"longline/internal/tool"
)

// Who writes a file that the script names edits it. Who puts one and the same text into every file that a pattern or a list stands for
// has looked at none of them, so what they held is lost, unless git has it.

// maxLooks is how often the whole script is looked at for where a text comes from; any further one may be the same for all files.
const maxLooks = 64

// level adds the loss of files that are overwritten so, unless the policy says that builds make them.
func level(invs []*command.Invocation, call *tool.Call, w *tool.World, set *policy.Set) {
	if w == nil || w.Entries == nil || w.Project == "" {
		return
	}
	looks := 0
	for i, inv := range invs {
		for _, e := range inv.Effects[:len(inv.Effects):len(inv.Effects)] {
			if !isEach(inv, e) || !paths.Within(paths.Fixed(e.Target), w.Project) {
				continue
			}
			if looks++; looks <= maxLooks && !isOneText(invs, i, e) {
				continue
			}
			if lost, is := irreplaceable(w, e, set.Made(call, w)); is {
				lost.Kind = tool.Delete
				inv.Effects = append(inv.Effects, lost)
				break
			}
		}
	}
}

// irreplaceable narrows an effect on several files down to one that git does not have as it is. If there are too many to look at, it may
// be any.
func irreplaceable(w *tool.World, e tool.Effect, made func(path string) bool) (one tool.Effect, is bool) {
	kept := func(string) bool { return false }
	if w.Kept != nil {
		kept = w.Kept()
	}
	files, all := shell.FilesOf(w, e)
	for _, file := range files {
		one = tool.Effect{Kind: e.Kind, Target: file, Reach: tool.Exact, Span: e.Span}
		if command.HoldsContent(w, one, nil) && !made(file) && !kept(file) {
			return one, true
		}
	}
	return e, !all
}

// isEach says whether an invocation puts something in the place of each file that a pattern or a list stands for, or of one in
// each directory.
func isEach(inv *command.Invocation, e tool.Effect) bool {
	if e.Kind != tool.Write || e.Tree || e.Manner != 0 || inv.Remote || !e.Pattern && e.Reach != tool.Under {
		return false
	}
	is := func(w command.Word) bool {
		if !isAt(e, w) || !(w.Glob && w.Reach == tool.Exact || w.Reach == tool.Under) {
			return false
		}
		_, value, _ := strings.Cut(w.Text, "=")
		return isPut(inv, e, w.Text) || isPut(inv, e, value)
	}
	for _, rd := range inv.Redirects {
		if rd.Target.Span == e.Span {
			return rd.Op != ">>" && rd.Op != "&>>" && rd.Op != "<>" && (rd.Fd == "" || rd.Fd == "1") && is(rd.Target)
		}
	}
	return slices.ContainsFunc(inv.Words, is)
}

// isPut says whether an effect is on the place that a text names, or on what an invocation puts there if that is a directory.
func isPut(inv *command.Invocation, e tool.Effect, text string) bool {
	place := paths.Clean(inv.Dir.Text, text)
	return e.Target == place && !strings.HasSuffix(text, "/") || slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
		return o.Kind == tool.Read && isOne(o) && e.Target == place+"/"+path.Base(o.Target)
	})
}

// isOneText says whether what one of the invocations writes is the same for all files, as far as one can see: it is known, it is that
// of files the script does not write, or nothing in the script before it reads several files.
func isOneText(invs []*command.Invocation, i int, e tool.Effect) bool {
	inv := invs[i]
	known := func(d command.Data) bool { return d.Reach == tool.Exact && d.Text != "" }
	if inv.Replaces && slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool { return o.Kind == tool.Read && o.Span == e.Span }) {
		return true
	}
	if slices.ContainsFunc(inv.Fills, func(at tool.Span) bool { return at == e.Span }) && known(inv.Stdin) ||
		slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Target.Span == e.Span }) && known(inv.Output) {
		return true
	}
	var read []string
	for _, o := range invs {
		if o != inv && !feeds(o, inv) {
			continue
		}
		if slices.ContainsFunc(o.Words, func(w command.Word) bool { return !w.IsKnown() && !isAt(e, w) }) {
			return false
		}
		for _, r := range o.Effects {
			whole := r.Tree && r.Reach == tool.Exact && !r.Pattern
			switch {
			case r.Kind == tool.Execute, r.Kind == tool.Read && (r.Span == e.Span || !isOne(r) && !whole):
				return false
			case r.Kind == tool.Read:
				read = append(read, r.Target)
			}
		}
	}
	return !slices.ContainsFunc(invs, func(o *command.Invocation) bool {
		return o != inv && slices.ContainsFunc(o.Effects, func(r tool.Effect) bool {
			if len(read) > 0 {
				return r.Kind == tool.Write && (isOne(r) && slices.Contains(read, r.Target) || r.Reach == tool.Anywhere)
			}
			return r.Kind == tool.Read && !isOne(r)
		})
	})
}

// isAt says whether an effect is on what a word says, or a part of it.
func isAt(e tool.Effect, w command.Word) bool {
	return w.Span.Start <= e.Span.Start && e.Span.End <= w.Span.End
}

// feeds says whether an invocation makes what another one writes: it stands inside of it, or before it in its pipeline, where
// that has no file to read.
func feeds(o, inv *command.Invocation) bool {
	inside := len(inv.Words) == 0 && inv.Span.Start <= o.Span.Start && o.Span.End <= inv.Span.End
	return inside || inv.Pipeline > 0 && o.Pipeline == inv.Pipeline && o.Stage < inv.Stage && len(o.Via) == len(inv.Via) &&
		!slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read })
}
