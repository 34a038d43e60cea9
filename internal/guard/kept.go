package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/shell"
	"longline/internal/tool"
)

// deletes says whether an invocation deletes something.
func deletes(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Delete })
}

// movesOut says whether an effect of an invocation that moves files out of the project is that they are taken away, or put elsewhere.
func movesOut(inv *command.Invocation, e tool.Effect, project string) bool {
	return e.Kind == tool.Write && (e.Manner == tool.Moved || !paths.Within(e.Target, project)) && slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
		return o.Kind == tool.Delete && o.Manner == tool.Moved && (e.Manner != tool.Moved || o.Target == e.Target)
	})
}

// maxLost bounds the deletions of a script that are held against work.
const maxLost = 64

// keeps says whether the repository has a file as it is. It begins to look when it is first asked.
func keeps(w *tool.World) func(path string) bool {
	var kept func(path string) bool
	return func(path string) bool {
		if kept == nil && w.Kept != nil {
			kept = w.Kept()
		}
		return kept != nil && kept(path)
	}
}

// lose marks the invocations that do nothing but delete and take files with them that git keeps and that somebody has changed since: what
// is called like the output of a build may be written by hand. What builds there again knows what it deletes. It also marks those that put
// the version that git has in the place of such a file. What git has been told to take in before is not lost. The policy says what
// is called so.
func (g *Guard) lose(r *shell.Result, call *tool.Call, w *tool.World) {
	if w == nil || w.Edited == nil || w.Project == "" {
		return
	}
	gone, more := discarded(r, w.Project)
	if len(gone) == 0 {
		return
	}
	if more != nil {
		more.Gaps = append(more.Gaps, command.Gap{Why: "a script that deletes in more places than longline compares with what git has", Span: more.Span})
	}
	begin, made := make([]string, len(gone)), g.Policy.Made(call, w)
	for i, e := range gone {
		switch begin[i] = e.Target; {
		case e.Pattern:
			begin[i] = paths.Fixed(e.Target)
		case e.Tree && !made(paths.Parent(e.Target)):
			begin[i] += "/"
		}
	}
	lost := func(e discard, path string) bool {
		return (takesBelow(e.Effect, path) || takesItself(e.Effect, path) && (e.Kind == tool.Write || made(paths.Parent(path)))) &&
			!slices.ContainsFunc(e.saved, func(s tool.Effect) bool { return s.Target == path || takesBelow(s, path) })
	}
	list := w.Edited(w.Project, begin, func(path string) bool {
		return slices.ContainsFunc(gone, func(e discard) bool { return lost(e, path) })
	})
	works := takesWork(g.Library, w, gone)
	for i, e := range gone {
		effects := &r.Invocations[e.by].Effects
		if (slices.ContainsFunc(list, func(path string) bool { return lost(e, path) }) || works[i]) &&
			!slices.ContainsFunc(*effects, func(o tool.Effect) bool { return o.Kind == tool.Control && o.Target == "git.discard" }) {
			*effects = append(*effects, tool.Effect{Kind: tool.Control, Target: "git.discard", Reach: tool.Exact, Span: e.Span})
		}
	}
}

// spare takes from invocations that they discard work, if they find none and nothing before has made any. Where commands may run in another order
// than they stand in the script, nothing in it makes any.
func spare(script string, invs []*command.Invocation) {
	if !slices.ContainsFunc(invs, func(inv *command.Invocation) bool { return inv.Intact }) {
		return
	}
	line := strings.NewReplacer("&&", ";", ">&", ">", "&>", ">").Replace(script)
	strict := strings.ContainsAny(line, "(){}&`") || strings.Contains(line, "done") || strings.Contains(line, "trap") ||
		slices.ContainsFunc(invs, func(inv *command.Invocation) bool { return inv.Intact && len(inv.Via) > 0 })
	if strict && slices.ContainsFunc(invs, alters) {
		return
	}
	for _, inv := range invs {
		if inv.Intact && len(inv.Gaps) == 0 && !inv.Remote {
			inv.Effects = slices.DeleteFunc(inv.Effects, command.Discards)
		}
		if alters(inv) {
			return
		}
	}
}

// alters says whether an invocation may change files, or what git has of them.
func alters(inv *command.Invocation) bool {
	return len(inv.Gaps) > 0 || inv.Remote || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind != tool.Read && e.Target != "/dev/null" && !(inv.Intact && len(inv.Redirects) == 0)
	})
}

// discard is what one of the invocations deletes, or writes as git has it.
type discard struct {
	tool.Effect
	by    int           // the invocation
	saved []tool.Effect // what git has been told to take in before it
}

// discarded are the first of what invocations discard in the project, and the one with which there are too many.
func discarded(r *shell.Result, project string) (list []discard, more *command.Invocation) {
	var saved []tool.Effect
	back := newPutBack(r, project)
	for i, inv := range r.Invocations {
		for _, e := range append(deletions(inv, project), back.versions(inv)...) {
			if len(list) == maxLost {
				return list, inv
			}
			list = append(list, discard{e, i, saved})
		}
		if len(saved) < maxLost {
			saved = append(saved, saves(inv)...)
		}
		if back.note(inv); len(back.copies) > maxLost {
			return list, inv
		}
	}
	return list, nil
}

// isOne says whether an effect is on one file.
func isOne(e tool.Effect) bool { return e.Reach == tool.Exact && !e.Pattern && !e.Tree }

// deletions are what an invocation deletes in the project, if it does nothing else, or else what it
// empties to fill it with what is not built of the project.
func deletions(inv *command.Invocation, project string) (list []tool.Effect) {
	if inv.Remote {
		return nil
	}
	emptied := slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Manner == tool.Emptied })
	var deleted map[string]bool
	for _, e := range inv.Effects {
		if e.Kind == tool.Delete {
			if deleted == nil {
				deleted = map[string]bool{}
			}
			deleted[e.Target] = true
		}
	}
	for _, e := range inv.Effects {
		switch {
		case emptied && e.Manner != tool.Emptied:
		case emptied && e.Reach == tool.Exact && paths.Within(e.Target, project):
			list = append(list, e)
		case movesOut(inv, e, project):
		case e.Kind == tool.Delete && e.Reach == tool.Exact && paths.Within(e.Target, project):
			if list = append(list, e); e.Manner == tool.Moved { // it may be a file
				e.Tree = false
				list = append(list, e)
			}
		case e.Kind == tool.Write && deleted[e.Target]: // it is emptied
		case e.Kind != tool.Delete && e.Kind != tool.Read:
			return nil
		}
	}
	return list
}

// takesItself says whether a file is among what is deleted. One that is named itself, as a lock file is, is meant to be.
func takesItself(e tool.Effect, path string) bool {
	if !e.Pattern {
		return path == e.Target
	}
	return matchesPath(e.Target, path, false)
}

// matchesPath says whether a pattern matches a path, or a directory that it is in, in one of its alternatives.
func matchesPath(pattern, path string, tree bool) bool {
	if !strings.HasPrefix(path, paths.Fixed(pattern)) {
		return false
	}
	ways, _ := paths.Apart(pattern[1:])
	return slices.ContainsFunc(ways, func(way string) bool { return paths.MatchPath(way, path[1:], tree) })
}

// takesBelow says whether a file goes with a directory that is deleted.
func takesBelow(e tool.Effect, path string) bool {
	switch {
	case !e.Tree:
		return false
	case !e.Pattern:
		return strings.HasPrefix(path, e.Target) && strings.HasPrefix(path[len(e.Target):], "/")
	}
	return matchesPath(e.Target, path, true)
}
