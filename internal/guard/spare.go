package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

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
