package guard

import (
	"slices"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/shell"
	"longline/internal/tool"
)

// movesOut says whether an effect of an invocation that moves files out of the project is that they are taken away, or put elsewhere.
func movesOut(inv *command.Invocation, e tool.Effect, project string) bool {
	return e.Kind == tool.Write && (e.Manner == tool.Moved || !paths.Within(e.Target, project)) && slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
		return o.Kind == tool.Delete && o.Manner == tool.Moved && (e.Manner != tool.Moved || o.Target == e.Target)
	})
}

// maxLost bounds the deletions of a script that are held against work.
const maxLost = 64

// lose marks the invocations that do nothing but delete and take repositories with work in them that are in what is called like the output of a
// build: a snapshot does not hold those.
func (g *Guard) lose(r *shell.Result, w *tool.World) {
	if w == nil || w.Project == "" {
		return
	}
	gone, more := discarded(r, w.Project)
	if len(gone) == 0 {
		return
	}
	if more != nil {
		more.Gaps = append(more.Gaps, command.Gap{Why: "a script that deletes in more places than longline compares with what git has", Span: more.Span})
	}
	works := takesWork(g.Library, w, gone)
	for i, e := range gone {
		effects := &r.Invocations[e.by].Effects
		if works[i] && !slices.ContainsFunc(*effects, func(o tool.Effect) bool { return o.Kind == tool.Control && o.Target == "git.discard" }) {
			*effects = append(*effects, tool.Effect{Kind: tool.Control, Target: "git.discard", Reach: tool.Exact, Span: e.Span})
		}
	}
}

// discard is what one of the invocations deletes.
type discard struct {
	tool.Effect
	by int // the invocation
}

// discarded are the first of what invocations delete in the project, and the one with which there are too many.
func discarded(r *shell.Result, project string) (list []discard, more *command.Invocation) {
	for i, inv := range r.Invocations {
		for _, e := range deletions(inv, project) {
			if len(list) == maxLost {
				return list, inv
			}
			list = append(list, discard{e, i})
		}
	}
	return list, nil
}

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
