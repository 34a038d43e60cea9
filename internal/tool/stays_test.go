package tool

import "testing"

func TestLasting(t *testing.T) {
	ask := Finding{Rule: "git-push", Decision: Ask, Layer: "builtin", Source: "git.yaml:7"}
	with := func(change func(f *Finding)) Finding {
		f := ask
		change(&f)
		return f
	}
	for name, test := range map[string]struct {
		findings []Finding
		want     bool
	}{
		"a question":           {[]Finding{ask}, true},
		"a project's question": {[]Finding{with(func(f *Finding) { f.Layer, f.Source = "project", ".longline.yaml:3" })}, false},
		"an allowed part":      {[]Finding{ask, {Rule: "x", Decision: Allow, Final: true}}, true},
		"a denial":             {[]Finding{ask, with(func(f *Finding) { f.Decision = Deny })}, false},
		"the administrator's":  {[]Finding{with(func(f *Finding) { f.Layer = "managed" })}, false},
		"a final one":          {[]Finding{ask, with(func(f *Finding) { f.Final = true })}, false},
		"a secret":             {[]Finding{ask, with(func(f *Finding) { f.Source = "secrets.yaml:6" })}, false},
		"one's own":            {[]Finding{with(func(f *Finding) { f.Layer = "user" })}, false},
		"the whole script":     {[]Finding{with(func(f *Finding) { f.Invocation = -1 })}, false},
	} {
		v := Verdict{Decision: Ask, Rule: "git-push", Parsed: true, Findings: test.findings}
		if got := v.Lasting(); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	for _, v := range []Verdict{{Decision: Deny, Rule: "r", Parsed: true}, {Decision: Ask, Parsed: true}, {Decision: Ask, Rule: "r"}} {
		if v.Lasting() {
			t.Errorf("%+v can be lifted", v)
		}
	}
}
