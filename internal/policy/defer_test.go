package policy_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"longline/internal/policy"
	"longline/internal/tool"
)

// TestDeferredRulesAreDocumented holds the list in docs/agents.md against the rules.
func TestDeferredRulesAreDocumented(t *testing.T) {
	packs, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(packs, nil, &policy.File{Safety: policy.Strict}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := []string{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[a-z-]+`[^|]*)\\|").FindAllStringSubmatch(string(text), -1) {
		for _, id := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(row[1], -1) {
			listed = append(listed, id[1])
		}
	}
	for _, r := range set.Rules() {
		if has := slices.Contains(listed, r.ID); has != r.Defer {
			t.Errorf("%s: defer is %t, and docs/agents.md lists it: %t", r.ID, r.Defer, has)
		}
		// What is asked at every safety level is about secrets and the irrevocable.
		if r.Defer && (r.Level == policy.Critical || r.Final || r.Decision != tool.Ask) {
			t.Errorf("%s defers, and it is critical, final or no question", r.ID)
		}
	}
}
