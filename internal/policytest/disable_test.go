package policytest

import (
	"testing"

	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/policy/packs"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// TestDisabledRulesStayQuiet: what a rule that is switched off asked about is asked about by another rule or not at all,
// and never for the reason that no rule speaks of it. Nothing that is denied beside it is let through.
func TestDisabledRulesStayQuiet(t *testing.T) {
	shipped, err := packs.Tests(rulesfile.ParseTests)
	if err != nil {
		t.Fatal(err)
	}
	cfg := rules(t)
	asks, without := map[string]bool{}, map[string]*config.Config{}
	for _, r := range cfg.Guard.Policy.Rules() {
		asks[r.ID] = r.Decision == tool.Ask
	}
	quiet := 0
	for _, test := range shipped {
		if test.Decision != tool.Ask || !asks[test.Rule] {
			continue
		}
		if without[test.Rule] == nil {
			quiet, err := cfg.With(&policy.File{Name: "quiet.yaml", Disable: []policy.Named{{ID: test.Rule}}})
			if err != nil {
				t.Fatal(err)
			}
			without[test.Rule] = Elsewhere(quiet)
		}
		o := Runs(without[test.Rule], []policy.Test{test})[0].Try()
		if o.Verdict.Rule == policy.UncoveredID {
			t.Errorf("%s without %s: %s", test.Command, test.Rule, o.Verdict.Reason)
		}
		if o.Verdict.Decision <= tool.Pass {
			quiet++
		}
	}
	if quiet < 50 {
		t.Errorf("only %d questions went away", quiet)
	}
}
