package guard_test

import (
	"testing"

	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// FuzzNeverLooser puts a denied command in front of a script. Whatever follows,
// the whole is denied, or asked about if it cannot be read. (In front, because
// text behind a script can be swallowed by it: a comment, a backslash.)
func FuzzNeverLooser(f *testing.F) {
	for _, tests := range read(f, "testdata/decisions/*.yaml", rulesfile.ParseTests) {
		for _, test := range tests {
			f.Add(test.Command)
		}
	}
	g := builtin(f)
	w := world()
	f.Fuzz(func(t *testing.T, script string) {
		v, invs := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true}, w)
		if v.Decision < tool.Ask && !v.Parsed {
			t.Fatalf("%v although it does not parse", v.Decision)
		}
		for _, finding := range v.Findings {
			if finding.Invocation < -1 || finding.Invocation >= len(invs) {
				t.Fatalf("finding of invocation %d of %d", finding.Invocation, len(invs))
			}
			if s := finding.Span; s.Start < 0 || s.End < s.Start || s.End > len(script) {
				t.Fatalf("span %v outside the script of %d bytes", s, len(script))
			}
		}
		worse, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: "rm -rf /\n" + script, Shell: true}, w)
		if worse.Parsed && worse.Decision != tool.Deny || worse.Decision < tool.Ask {
			t.Fatalf("%v behind a denied command: [%s] %s", worse.Decision, worse.Rule, worse.Reason)
		}
	})
}
