package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
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
		if e.Kind == tool.Read {
			continue
		}
		if e.Kind != tool.Delete {
			return false // who writes over a file did not mean to delete it
		}
		one := e.Reach == tool.Exact && !e.Pattern && !e.Tree && paths.Within(e.Target, project)
		if n++; n > maxKept || !one || !kept(e.Target) {
			return false
		}
	}
	return n > 0 && len(inv.Gaps) == 0
}

// maxLost bounds the deletions of a script that are held against work.
const maxLost = 64

// lose marks the invocations that do nothing but delete and take files with them that git keeps and that somebody has changed since: what
// is called like the output of a build may be written by hand. What builds there again knows what it deletes.
func lose(invs []*command.Invocation, w *tool.World) {
	if w == nil || w.Edited == nil || w.Project == "" {
		return
	}
	if at := slices.IndexFunc(invs, saves); at >= 0 {
		invs = invs[:at]
	}
	var gone []tool.Effect
	for _, inv := range invs {
		gone = append(gone, deletions(inv, w.Project)...)
	}
	if gone = gone[:min(len(gone), maxLost)]; len(gone) == 0 {
		return
	}
	begin := make([]string, len(gone))
	for i, e := range gone {
		if begin[i] = e.Target + "/"; e.Pattern {
			begin[i] = paths.Fixed(e.Target)
		}
	}
	list := w.Edited(begin, func(path string) bool {
		return slices.ContainsFunc(gone, func(e tool.Effect) bool { return takes(e, path) })
	})
	for _, inv := range invs {
		if len(list) == 0 {
			return
		}
		for _, e := range deletions(inv, w.Project) {
			if slices.ContainsFunc(list, func(path string) bool { return takes(e, path) }) {
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

// deletions are what an invocation deletes in the project with all that is below it, if it does nothing else, or else what it
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
		case e.Kind == tool.Delete && e.Tree && e.Reach == tool.Exact && paths.Within(e.Target, project):
			list = append(list, e)
		case e.Kind != tool.Delete && e.Kind != tool.Read:
			return nil
		}
	}
	return list
}

// takes says whether a file surely goes with what is deleted. One that is named itself, as a lock file is, is meant to.
func takes(e tool.Effect, path string) bool {
	if !e.Pattern {
		return strings.HasPrefix(path, e.Target) && strings.HasPrefix(path[len(e.Target):], "/")
	}
	if !strings.HasPrefix(path, paths.Fixed(e.Target)) {
		return false
	}
	return matchesAbove(strings.TrimPrefix(e.Target, "/"), strings.TrimPrefix(path, "/"))
}

// matchesAbove says whether a pattern surely matches a directory that a path is in, or the path if the last name may be any.
func matchesAbove(pattern, path string) bool {
	name, rest, more := paths.CutGlob(pattern)
	first, below, deep := strings.Cut(path, "/")
	if name == "**" && more {
		return matchesAbove(rest, path) || deep && matchesAbove(pattern, below)
	}
	is, sure := paths.Match(name, first)
	switch {
	case !is || !sure || strings.HasPrefix(first, ".") && !strings.HasPrefix(name, "."):
		return false
	case !more:
		return deep || name == "*"
	}
	return deep && matchesAbove(rest, below)
}
