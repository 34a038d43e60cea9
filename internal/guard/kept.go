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
	for _, inv := range invs {
		if slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && strings.HasPrefix(e.Target, "git.") }) {
			return // from here on git may have other things
		}
		if !inv.Remote && allKept(inv, w) {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "git.kept", Reach: tool.Exact, Span: inv.Span})
		}
	}
}

func allKept(inv *command.Invocation, w *tool.World) bool {
	n := 0
	for _, e := range inv.Effects {
		if e.Kind == tool.Read {
			continue
		}
		if e.Kind != tool.Delete {
			return false // who writes over a file did not mean to delete it
		}
		one := e.Reach == tool.Exact && !e.Pattern && !e.Tree && paths.Within(e.Target, w.Project)
		if n++; n > maxKept || !one || !w.Kept(e.Target) {
			return false
		}
	}
	return n > 0 && len(inv.Gaps) == 0
}
