package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

// instructs marks the invocations by which text that another one has fetched, perhaps in an earlier call, gets to where agents
// read instructions.
func (g *Guard) instructs(invs []*command.Invocation, w *tool.World) {
	past := new(tool.Past)
	for i, inv := range invs {
		relays := inv.Relays || len(past.Fetched) > 0 && len(readFrom(past, invs[i:i+1])) > 0
		past.Fetched = append(past.Fetched, cloned(inv)...)
		if !relays || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Fetch }) {
			continue // who fetches it is known by that
		}
		if e := g.instruction(inv, w); e != nil {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "agent.text", Reach: tool.Exact, Span: e.Span})
		}
	}
}

// cloned are the directories that an invocation fills with what others have published.
func cloned(inv *command.Invocation) (list []tool.Brought) {
	if !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Fetch && (!strings.HasPrefix(e.Target, "@") || e.Target == "@forge")
	}) {
		return nil
	}
	for _, e := range inv.Effects {
		if (e.Kind == tool.Write || e.Kind == tool.Create) && e.Tree && e.Reach == tool.Exact && len(list) < maxBrought {
			list = append(list, tool.Brought{Path: e.Target, Tree: true})
		}
	}
	return list
}

// instruction is a file that an invocation writes and agents read as instructions, or nil.
func (g *Guard) instruction(inv *command.Invocation, w *tool.World) *tool.Effect {
	for i := range inv.Effects {
		if e := &inv.Effects[i]; (e.Kind == tool.Write || e.Kind == tool.Create) && !inv.Remote && !e.Keeps() {
			if g.Policy.Inside(policy.ZoneInstructions, *e, w) {
				return e
			}
		}
	}
	return nil
}
