package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// hide takes from a command that prints all variables that it shows them, if it is nothing but its name and all it prints goes to one that shows
// none that is secret: env | grep '^PATH='.
func hide(script string, invs []*command.Invocation) {
	for _, inv := range invs {
		if inv.Pipeline == 0 || len(inv.Words) != 1 || !inv.Words[0].IsKnown() || len(inv.Redirects) > 0 || len(inv.Via) > 0 ||
			!slices.ContainsFunc(inv.Effects, dumps) || between(script, inv.Span.Start, inv.Span.End) != inv.Words[0].Text {
			continue
		}
		if slices.ContainsFunc(invs, func(o *command.Invocation) bool {
			return o.Hides && len(o.Gaps) == 0 && len(o.Via) == 0 && o.Pipeline == inv.Pipeline && o.Stage == inv.Stage+1 && strings.TrimSpace(between(script, inv.Span.End, o.Span.Start)) == "|"
		}) {
			inv.Effects = slices.DeleteFunc(inv.Effects, dumps)
		}
	}
}

// dumps says whether an effect is that all variables are shown.
func dumps(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == "env.dump" }

// between is a part of a script, and nothing if it has none there.
func between(script string, start, end int) string {
	if start < 0 || end > len(script) || start > end {
		return ""
	}
	return script[start:end]
}
