package modelfile

import (
	"slices"
	"testing"

	"longline/internal/command"
)

// furtherPatterns are flags with a pattern that stands beside the operand with one, and why.
var furtherPatterns = map[string]string{
	"ack --and": "a further condition",
	"ack --or":  "a further condition",
}

// TestPatternsAreGivenOnce fails for a command whose first operand is a pattern although a flag has given it one: every operand is
// then a file.
func TestPatternsAreGivenOnce(t *testing.T) {
	_, parsed := load(t)
	found := 0
	for _, f := range parsed {
		for _, m := range f.Models {
			eachPath(m.Names[0], &m.Level, nil, func(_ string, levels []*command.Level) {
				l := levels[len(levels)-1]
				for _, flag := range l.Flags.All() {
					id := m.Names[0] + " " + flag.Name
					if len(flag.Values) != 1 || !slices.ContainsFunc(flag.Values[0], isPattern) || furtherPatterns[id] != "" {
						continue
					}
					if beginsWithPattern(l.Operands) {
						t.Errorf("%s: the first operand is a pattern also with this flag", id)
					}
					for _, mode := range l.Modes {
						if !beginsWithPattern(mode.Items) {
							continue
						}
						if found++; !slices.Contains(mode.Unless, flag.Name) {
							t.Errorf("%s: the first operand is a pattern also with this flag", id)
						}
					}
				}
			})
		}
	}
	if found == 0 {
		t.Error("no program has such a flag")
	}
}

func isPattern(u command.Use) bool { return u.Name == "pattern" }

func beginsWithPattern(items []command.Item) bool {
	return len(items) > 1 && !items[0].Many && slices.ContainsFunc(items[0].Uses, isPattern)
}
