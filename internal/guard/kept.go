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
