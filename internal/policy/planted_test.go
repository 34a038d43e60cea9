package policy_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"longline/internal/paths"
	"longline/internal/rulesfile"
)

// namesOf are the names of effects that a built-in rule is about and those it leaves out,
// without what was done to the files.
func namesOf(t *testing.T, id string) (list, except []string) {
	t.Helper()
	const pack = "packs/execution.yaml"
	text, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	file, err := rulesfile.Parse(pack, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	bare := func(names []string) (list []string) {
		for _, n := range names {
			_, n, _ = strings.Cut(n, ":")
			list = append(list, n)
		}
		return list
	}
	for _, r := range file.Rules {
		if r.ID == id {
			return bare(r.Match.Effect.Names), bare(r.Match.Effect.Except.Names)
		}
	}
	return nil, nil
}

// TestDefinitionsStandTwice: rules have no lists with a name, so the files that say which
// commands a tool runs stand in two rules: for those that are written as a whole, and for
// those that are edited. A name that is in one of them is in the other, unless it needs to
// be there only once.
func TestDefinitionsStandTwice(t *testing.T) {
	_, data := namesOf(t, "planted-code")
	planted, _ := namesOf(t, "planted-definition")
	edited, _ := namesOf(t, "edited-definition")
	if len(data) < 60 || len(planted) < 100 || len(edited) < 200 {
		t.Fatalf("%d endings of data, %d and %d definitions", len(data), len(planted), len(edited))
	}
	for _, name := range planted {
		if name == "*/tsconfig*.json" {
			continue // edited every day; it has the compiler's options and no commands
		}
		if !slices.Contains(edited, name) {
			t.Errorf("%q is asked about when it is planted, and not when it is edited", name)
		}
	}
	for _, name := range edited {
		example := strings.ReplaceAll(strings.ReplaceAll(name, "y*ml", "yml"), "*", "x")
		called := slices.ContainsFunc(data, func(ending string) bool { return paths.Stars(ending, example) })
		if called && !slices.Contains(planted, name) {
			t.Errorf("%q is asked about when it is edited, and called data when it is planted", name)
		}
	}
	for _, list := range [][]string{data, planted, edited} {
		sorted := slices.Sorted(slices.Values(list))
		if len(slices.Compact(sorted)) != len(list) {
			t.Errorf("a name stands twice in %q", list)
		}
	}
}
