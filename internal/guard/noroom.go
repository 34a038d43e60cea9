package guard

import (
	"slices"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/shell"
	"longline/internal/tool"
)

// A program that makes a temporary directory prints nothing where it cannot: "$d"/* is then all that is below the root, and a change to
// "$d" stays where the script is, or goes to the home directory. That is rare, but it must lose nothing.

// withoutRoom objects to what a script deletes if its temporary files cannot be made, unless the policy says that builds make it.
func (g *Guard) withoutRoom(call *tool.Call, invs []*command.Invocation, w *tool.World, set *policy.Set) {
	makes := func(inv *command.Invocation) bool { return inv.Output.Text == command.Temporary && inv.Output.Full }
	if w == nil || !slices.ContainsFunc(invs, makes) || !slices.ContainsFunc(invs, deletes) {
		return
	}
	there := *w
	there.NoRoom = true
	made := set.Made(call, w)
	for _, again := range shell.Resolve(call.Script, call.Dir, &there, g.Library).Invocations {
		for _, e := range again.Effects {
			if e.Kind != tool.Delete || again.Remote || isScratch(e, w) || e.Reach == tool.Exact && !e.Pattern && w.Exists != nil && !w.Exists(e.Target) || made(e.Target) ||
				slices.ContainsFunc(invs, func(inv *command.Invocation) bool { return slices.Contains(inv.Effects, e) }) {
				continue
			}
			inv := invs[outermost(invs, again)]
			inv.Gaps = append(inv.Gaps, command.Gap{Why: "deletes " + e.Target + " if no temporary file can be made; add \"|| exit 1\" after the command that makes it", Span: again.Span})
			return
		}
	}
}

// isScratch says whether an effect is on temporary files, and not on the project or the home directory.
func isScratch(e tool.Effect, w *tool.World) bool {
	at := paths.Fixed(e.Target)
	return paths.Within(at, "/tmp") && !paths.Within(at, w.Project) && !paths.Within(at, w.Home) || paths.Within(at, command.Temporary)
}
