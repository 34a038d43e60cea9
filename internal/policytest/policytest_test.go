package policytest

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/screen"
)

// Each test has a home directory of its own.
func init() { config.KnownHome = "HOME" }

func rules(t *testing.T) *config.Config {
	t.Helper()
	home := t.TempDir()
	cfg, err := config.Load(config.Options{Env: config.Env{"HOME=" + home}, Dir: home, Parse: rulesfile.ParseNamed})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestOutcomes: a decision that is not the wanted one fails, and so does the right decision
// by another rule; every report says which.
func TestOutcomes(t *testing.T) {
	tests, err := rulesfile.ParseTests("t.yaml", []byte(`
tests:
  - {id: good, command: ls, expected: {decision: allow}}
  - {id: by, command: git push --force, expected: {decision: ask, rule_id: git-push-force}}
  - {id: other, command: git push --force, expected: {decision: ask, rule_id: nobody}}
  - {id: "bad <&>", command: "rm -rf /", cwd: sub, edits: true, expected: {decision: allow}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []Outcome
	failed := 0
	for _, r := range Runs(rules(t), tests) {
		o := r.Try()
		if outcomes = append(outcomes, o); !o.OK() {
			failed++
		}
	}
	if failed != 2 || !outcomes[0].OK() || !outcomes[1].OK() {
		t.Errorf("%d failed", failed)
	}
	text := Text(screen.Style{}, outcomes, failed, false)
	for _, want := range []string{"FAIL other", "wanted: ask by nobody", "FAIL bad <&>", "given:  cwd sub, edits accepted", "4 tests, 2 failed"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "good") || !strings.Contains(Text(screen.Style{}, outcomes, failed, true), "ok   good") {
		t.Errorf("tests that pass:\n%s", text)
	}
	b, err := json.Marshal(JSON(outcomes, failed))
	if err != nil || !strings.Contains(string(b), `"tests":4,"failed":2`) {
		t.Errorf("%s, %v", b, err)
	}
	var suite struct {
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Name    string  `xml:"name,attr"`
			Failure *string `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(JUnit(outcomes, failed)), &suite); err != nil || suite.Failures != 2 || len(suite.Cases) != 4 || suite.Cases[3].Name != "bad <&>" || suite.Cases[3].Failure == nil || suite.Cases[0].Failure != nil {
		t.Errorf("%+v, %v", suite, err)
	}
}

// TestElsewhere: what the packs promise holds on a machine with nothing on it.
func TestElsewhere(t *testing.T) {
	cfg := Elsewhere(rules(t))
	for _, r := range Runs(cfg, []policy.Test{{ID: "x", Command: "cat ~/.ssh/id_rsa", Decision: 0}}) {
		if o := r.Try(); o.Verdict.Rule != "secrets-read" || o.Call.Dir != "/home/dev/proj" {
			t.Errorf("%s in %s", o.Verdict.Rule, o.Call.Dir)
		}
	}
}

// TestWhatWasDenied: who tries again in another way is told what was denied.
func TestWhatWasDenied(t *testing.T) {
	tests, err := rulesfile.ParseTests("t.yaml", []byte(`
tests:
  - {id: again, command: "ls; find /home/dev -delete", session: {denied: ["rm -rf /home/dev"]}, expected: {decision: deny, rule_id: session-workaround}}
`))
	if err != nil {
		t.Fatal(err)
	}
	o := Runs(Elsewhere(rules(t)), tests)[0].Try()
	if reason := o.Verdict.Reason; !o.OK() || strings.Contains(reason, "{denied}") || !strings.Contains(reason, ": deletes ~)") {
		t.Errorf("%s: %s", o.Verdict.Rule, reason)
	}
}
