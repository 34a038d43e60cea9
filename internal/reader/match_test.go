//go:build unix

package reader

import (
	"longline/internal/command"
	"longline/internal/differ/belief"
)

// covered says whether an argument vector that bash ran is among the
// invocations of a result.
func covered(res Result, argv []string) bool {
	for _, inv := range res.Invocations {
		if len(inv.Words) > 0 && belief.Covers(inv, argv) {
			return true
		}
	}
	return false
}

// isCall says whether an invocation is what a shell has run.
func isCall(inv *command.Invocation, c call) bool {
	return len(inv.Words) > 0 && belief.Covers(inv, c.argv) && belief.Stands(inv.Dir, c.dir)
}
