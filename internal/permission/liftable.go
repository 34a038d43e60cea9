package permission

import (
	"slices"
	"strings"

	"longline/internal/policy"
	"longline/internal/tool"
)

// unlisted is how it is said that the words of a command are not all known. The
// user has said that the program may run with any. What cannot be judged for
// another reason may be code that the words carry.
var unlisted = [...]string{"longline does not know the program ", "unknown subcommand ", "unknown flag ", "unexpected operand "}

// answers says whether a permission answers a question: one that is of no rule. A permission
// names no rule, and so lifts none.
func answers(f *tool.Finding) bool {
	return f.Decision == tool.Ask && (f.Rule == policy.UncoveredID || f.Rule == policy.UnknownID && isUnlisted(f.Reason))
}

// isUnlisted says whether a reason is that the words of a command are not all known.
func isUnlisted(reason string) bool {
	return slices.ContainsFunc(unlisted[:], func(why string) bool { return strings.Contains(reason, why) })
}
