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
// "$d" stays where the script is, or goes to the home directory. That is rare, but it must lose nothing, and change nothing that runs.

// withoutRoom objects to what a script loses, or reads of secrets, if its temporary files cannot be made, unless the policy says that builds make it.
func (g *Guard) withoutRoom(call *tool.Call, invs []*command.Invocation, w *tool.World, set *policy.Set) {
	makes := func(inv *command.Invocation) bool { return inv.Output.Text == command.Temporary && inv.Output.Full }
	acts := func(inv *command.Invocation) bool {
		return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Delete || e.Kind == tool.Write || e.Kind == tool.Read })
	}
	if w == nil || !slices.ContainsFunc(invs, makes) || !slices.ContainsFunc(invs, acts) {
		return
	}
	there := *w
	there.NoRoom = true
	made := set.Made(call, w)
	zones := map[tool.Effect]policy.ZoneSet{}
	in := func(e tool.Effect) policy.ZoneSet { // each is looked at once
		e.Span = tool.Span{}
		if _, ok := zones[e]; !ok {
			zones[e], _ = set.Zones(e, w)
		}
		return zones[e]
	}
	for _, again := range shell.Resolve(call.Script, call.Dir, &there, g.Library).Invocations {
		for _, e := range again.Effects {
			does := "deletes "
			switch {
			case again.Remote, isScratch(e, w), e.Kind == tool.Delete && e.Reach == tool.Exact && !e.Pattern && w.Exists != nil && !w.Exists(e.Target):
				continue
			case e.Kind == tool.Delete:
			case e.Kind == tool.Read && in(e).Has(policy.ZoneSecrets):
				does = "reads "
			case e.Kind != tool.Write || e.Keeps() || !isOne(e) || w.Exists == nil || !in(e).Has(policy.ZoneStartup):
				continue
			default:
				does = "overwrites "
			}
			if made(e.Target) || slices.ContainsFunc(invs, func(inv *command.Invocation) bool { return slices.Contains(inv.Effects, e) }) {
				continue
			}
			inv := invs[outermost(invs, again)]
			inv.Gaps = append(inv.Gaps, command.Gap{Why: does + e.Target + " if no temporary file can be made; add \"|| exit 1\" after the command that makes it", Span: again.Span})
			return
		}
	}
}

// isScratch says whether an effect is on temporary files, and not on the project or the home directory.
func isScratch(e tool.Effect, w *tool.World) bool {
	at := paths.Fixed(e.Target)
	return paths.Within(at, "/tmp") && !paths.Within(at, w.Project) && !paths.Within(at, w.Home) || paths.Within(at, command.Temporary)
}
