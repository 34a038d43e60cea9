package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// A shell that is given its script on standard input reads it line by line, and the commands of the script have the same
// input. One that reads takes away the lines behind it: an assignment that is not made, the beginning of a here-document
// whose text is run then. So such a command asks, unless it surely leaves its input alone or nothing follows.

// isFed says whether the script that a shell runs comes from its standard input.
func isFed(n *command.Nested, outer *command.Invocation) bool {
	return n.Stdin.Taint&^outer.Stdin.Taint&command.RestOfScript != 0
}

// takesRest notes that a command reads the script that the shell is running. Behind its last line nothing is left to read.
func takesRest(led *ledger, in command.Data, at tool.Span) {
	if in.Taint&command.RestOfScript != 0 && !(led.src.fed && led.src.last) {
		led.gap("it may read the lines of the script that the shell has not run yet", at)
	}
}

// mayTakeRest is takesRest for a program.
func mayTakeRest(led *ledger, inv *command.Invocation) {
	if inv.Stdin.Taint&command.RestOfScript != 0 && !leavesInput(inv) {
		takesRest(led, inv.Stdin, inv.Span)
	}
}

// leavesInput says whether a program surely does not read standard input: its model says so, it prints the same whatever
// comes, it reads a file that it is given, or leaves its input to the command that it runs, which is looked at by itself.
func leavesInput(inv *command.Invocation) bool {
	if inv.Output.Reach == tool.Exact {
		return true
	}
	switch {
	case slices.ContainsFunc(inv.Words, mayNameInput):
		return false
	case inv.Unfed:
		return true
	case slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute }):
		return false
	}
	if len(inv.Runs) > 0 {
		return !slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return !n.Piped || !n.Stdin.Same(inv.Stdin) })
	}
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && isExact(e) })
}

// mayNameInput says whether a word may stand for standard input, or have names read from it.
func mayNameInput(w command.Word) bool {
	text := w.Text
	return !w.IsKnown() || text == "-" || strings.HasPrefix(text, "/dev/") || strings.Contains(text, "stdin") || strings.Contains(text, "from-file") || strings.HasSuffix(text, "=-")
}
