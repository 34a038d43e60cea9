package policy_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestFindingsPoint: a finding about an effect points at what has it, if that is known,
// and otherwise at the command; and a script has no findings about more than is in it.
func TestFindingsPoint(t *testing.T) {
	set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: pass\nrules: [{id: it, decision: ask, match: {effect: {kind: write}}}, {id: any, decision: ask, match: {dir: ['/**']}}]"), nil)
	whole, part := tool.Span{Start: 0, End: 10}, tool.Span{Start: 5, End: 10}
	for _, want := range []tool.Span{part, whole} {
		inv := invocation("frob x", effects(t, "write ./x"))
		inv.Span = whole
		if inv.Effects[0].Span = want; want == whole {
			inv.Effects[0].Span = tool.Span{}
		}
		v := judge(set, tool.Call{Shell: true, Dir: "/p"}, inv)
		found := false
		for _, f := range v.Findings {
			if f.Invocation < 0 {
				t.Errorf("a finding about nothing: %+v", f)
			}
			if f.Rule == "it" {
				found = true
				if f.Span != want {
					t.Errorf("it points at %v, want %v", f.Span, want)
				}
			}
		}
		if !found {
			t.Errorf("%+v", v.Findings)
		}
	}
}

// TestObjectionsSilencePermits: a rule that allows an effect says nothing where another
// objects to all that it would allow, and points at the first effect that nobody objects
// to.
func TestObjectionsSilencePermits(t *testing.T) {
	set := merge(t, nil, parse(t, `
version: 1
builtin: false
rules:
  - {id: yes, decision: allow, match: {effect: {kind: write, paths: ['./**']}}}
  - {id: no, decision: ask, match: {effect: {kind: write, paths: ['./x']}}, level: critical}
  - {id: never, decision: deny, match: {effect: {kind: write, paths: ['./x']}}}
`), nil)
	at := func(does string) (points []string) {
		inv := invocation("frob", effects(t, does))
		for i := range inv.Effects {
			inv.Effects[i].Span = tool.Span{Start: i + 1, End: i + 2}
		}
		for _, f := range judge(set, tool.Call{}, inv).Findings {
			if f.Rule == "yes" {
				points = append(points, string(rune('0'+f.Span.Start)))
			}
		}
		return points
	}
	for does, want := range map[string]string{"write ./x": "", "write ./y": "1", "write ./x, write ./y": "2", "write ./y, write ./x": "1"} {
		if got := strings.Join(at(does), " "); got != want {
			t.Errorf("%s: it is allowed at %q, want %q", does, got, want)
		}
	}
}
