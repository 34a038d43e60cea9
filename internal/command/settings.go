package command

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// Passwords do not belong into what a cluster shows of its workloads, and looking at those is
// everyday work. Who picks the variables out of it wants their values: with the format that the
// client is given, or with a program that the answer is piped into.

// picksSettings notes a word with which variables are picked out of a stream that holds some.
func picksSettings(r *reader) {
	if r.inv.Stdin.Taint&WithSettings != 0 {
		PicksSettings(r.inv)
	}
}

// PicksSettings adds that an invocation picks variables out of something that holds some, if one of its words says so. The name of
// a file that it reads does not.
func PicksSettings(inv *Invocation) {
	for _, w := range inv.Words[1:] {
		if w.Reach == tool.Exact && namesSettings(w.Text) && !slices.ContainsFunc(inv.Paths, func(p Word) bool { return isSame(p, w) }) {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "env.dump", Reach: tool.Exact, Span: w.Span})
			return
		}
	}
}

// namesSettings says whether an expression speaks of the variables of a container, or of something
// called like a secret.
func namesSettings(text string) bool {
	for i := 0; i < len(text); {
		if !isLetter(text[i]) {
			i++
			continue
		}
		name := text[i : i+nameLength(text[i:])]
		if isSettings(strings.ToLower(name)) && !isLabel(text[:i], text[i+len(name):]) || SecretName(name) && !refersToSecret(name) {
			return true
		}
		i += len(name)
	}
	return false
}

func isSettings(name string) bool { return hasWord("env envs environment containerenv", name) }

// isLabel says whether a name is that of a label, by what stands before and after it, or of a column.
func isLabel(before, after string) bool {
	before = strings.TrimRight(before, `.["'\`)
	return strings.HasSuffix(before, "labels") || strings.HasSuffix(before, "Labels") || strings.HasSuffix(before, "annotations") || strings.HasPrefix(after, ":.")
}

// refersToSecret says whether a name is that of a field which says where a secret is kept.
func refersToSecret(name string) bool {
	name = strings.ToLower(name)
	return hasWord("secret secrets imagepullsecrets automountserviceaccounttoken serviceaccounttoken bearertokenfile", name) || strings.HasSuffix(name, "ref") || strings.HasSuffix(name, "refs")
}
