package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/tool"
)

// maxKept bounds the files of an invocation that git is asked about.
const maxKept = 32

// keep marks the invocations that delete nothing but files of the project which its
// repository has as they are: git can restore all of them.
func keep(invs []*command.Invocation, w *tool.World) {
	if w == nil || w.Kept == nil || w.Project == "" {
		return
	}
	var kept func(path string) bool
	for _, inv := range invs {
		if slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && strings.HasPrefix(e.Target, "git.") }) {
			return // from here on git may have other things
		}
		if inv.Remote || !deletes(inv) {
			continue
		}
		if kept == nil {
			kept = w.Kept()
		}
		if allKept(inv, w.Project, kept) {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "git.kept", Reach: tool.Exact, Span: inv.Span})
		}
	}
}

// deletes says whether an invocation deletes something.
func deletes(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Delete })
}

func allKept(inv *command.Invocation, project string, kept func(path string) bool) bool {
	n := 0
	for _, e := range inv.Effects {
		if e.Kind == tool.Read || movesOut(inv, e, project) {
			continue
		}
		if e.Kind != tool.Delete {
			return false // who writes over a file did not mean to delete it
		}
		one := e.Reach == tool.Exact && !e.Pattern && (!e.Tree || e.Manner == tool.Moved) && paths.Within(e.Target, project)
		if n++; n > maxKept || !one || !kept(e.Target) {
			return false
		}
	}
	return n > 0 && len(inv.Gaps) == 0
}

// movesOut says whether an effect of an invocation that moves files out of the project is that they are taken away, or put elsewhere.
func movesOut(inv *command.Invocation, e tool.Effect, project string) bool {
	return e.Kind == tool.Write && (e.Manner == tool.Moved || !paths.Within(e.Target, project)) && slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
		return o.Kind == tool.Delete && o.Manner == tool.Moved && (e.Manner != tool.Moved || o.Target == e.Target)
	})
}

// maxLost bounds the deletions of a script that are held against work.
const maxLost = 64

// lose marks the invocations that do nothing but delete and take files with them that git keeps and that somebody has changed since: what
// is called like the output of a build may be written by hand. What builds there again knows what it deletes. It also marks those that put
// the version that git has in the place of such a file. The policy says what
// is called so.
func lose(invs []*command.Invocation, call *tool.Call, w *tool.World, set *policy.Set) {
	if w == nil || w.Edited == nil || w.Project == "" {
		return
	}
	if at := slices.IndexFunc(invs, saves); at >= 0 {
		invs = invs[:at]
	}
	var gone []tool.Effect
	for i := range invs {
		gone = append(gone, discards(invs, i, w.Project)...)
	}
	if gone = gone[:min(len(gone), maxLost)]; len(gone) == 0 {
		return
	}
	begin := make([]string, len(gone))
	for i, e := range gone {
		switch begin[i] = e.Target; {
		case e.Pattern:
			begin[i] = paths.Fixed(e.Target)
		case e.Tree:
			begin[i] += "/"
		}
	}
	made := set.Made(call, w)
	lost := func(e tool.Effect, path string) bool {
		return takes(e, path) && (e.Tree || e.Kind == tool.Write || made(paths.Parent(path)))
	}
	list := w.Edited(begin, func(path string) bool {
		return slices.ContainsFunc(gone, func(e tool.Effect) bool { return lost(e, path) })
	})
	for i, inv := range invs {
		if len(list) == 0 {
			return
		}
		for _, e := range discards(invs, i, w.Project) {
			if slices.ContainsFunc(list, func(path string) bool { return lost(e, path) }) {
				inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "git.discard", Reach: tool.Exact, Span: e.Span})
				break
			}
		}
	}
}

// saves says whether an invocation has git take in work.
func saves(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Control && (e.Target == "git.commit" || e.Target == "git.stash" || e.Target == "git.stage")
	})
}

// discards are what one of the invocations deletes, or writes as git has it.
func discards(invs []*command.Invocation, i int, project string) []tool.Effect {
	return append(deletions(invs[i], project), versions(invs, i, project)...)
}

// versions are the files of the project in whose place an invocation puts a version that git has: it writes what it, or a command
// before it in its pipeline, reads at the same path in a commit. That has no file on the disk, and is read with all below it.
func versions(invs []*command.Invocation, i int, project string) (list []tool.Effect) {
	inv := invs[i]
	for from := i; from >= 0 && (from == i || inv.Pipeline > 0 && invs[from].Pipeline == inv.Pipeline); from-- {
		for _, e := range inv.Effects {
			if e.Kind == tool.Write && e.Manner == 0 && isOne(e) && paths.Within(e.Target, project) && !inv.Remote && slices.ContainsFunc(invs[from].Effects, func(o tool.Effect) bool {
				fromTop := project + strings.TrimPrefix(o.Target, invs[from].Dir.Text) // such a path begins at the top
				return o.Kind == tool.Read && o.Tree && o.Reach == tool.Exact && !o.Pattern && (o.Target == e.Target || fromTop == e.Target)
			}) {
				list = append(list, e)
			}
		}
	}
	return list
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
		case e.Kind == tool.Write && slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool { return o.Kind == tool.Delete && o.Target == e.Target }): // it is emptied
		case e.Kind != tool.Delete && e.Kind != tool.Read:
			return nil
		}
	}
	return list
}

// takes says whether a file surely goes with what is deleted. One that is named itself where directories are deleted, as a lock file is,
// is meant to.
func takes(e tool.Effect, path string) bool {
	if isOne(e) {
		return path == e.Target
	}
	if !e.Pattern {
		return strings.HasPrefix(path, e.Target) && strings.HasPrefix(path[len(e.Target):], "/")
	}
	if !strings.HasPrefix(path, paths.Fixed(e.Target)) {
		return false
	}
	return paths.MatchPath(strings.TrimPrefix(e.Target, "/"), strings.TrimPrefix(path, "/"), e.Tree)
}
