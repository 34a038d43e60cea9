package policy_test

import (
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// A call never becomes looser by doing more, nor by being known less well.
func FuzzNeverLooser(f *testing.F) {
	f.Add(uint8(1), "/home/dev/proj/x", uint8(3), false, false, uint8(4), "/home/dev/.ssh/x", uint8(3), true, false)
	f.Add(uint8(4), "/tmp/*", uint8(3), true, true, uint8(8), "git.commit", uint8(3), false, false)
	f.Add(uint8(5), "example.com", uint8(3), false, false, uint8(3), "/tmp/x", uint8(2), false, false)
	set := merge(f, nil, nil, nil)
	f.Fuzz(func(t *testing.T, kind uint8, target string, reach uint8, tree, pattern bool, kind2 uint8, target2 string, reach2 uint8, tree2, pattern2 bool) {
		if len(target) > 100 || len(target2) > 100 {
			return
		}
		a := tool.Effect{Kind: tool.Kind(kind % 10), Target: target, Reach: tool.Reach(reach % 4), Tree: tree, Pattern: pattern}
		b := tool.Effect{Kind: tool.Kind(kind2 % 10), Target: target2, Reach: tool.Reach(reach2 % 4), Tree: tree2, Pattern: pattern2}
		decide := func(effects ...tool.Effect) tool.Decision {
			return judge(set, tool.Call{}, invocation("x", effects)).Decision
		}
		alone := decide(a)
		if both := decide(a, b); both < alone {
			t.Errorf("%+v alone: %s, with %+v: %s", a, alone, b, both)
		}
		if apart := judge(set, tool.Call{}, invocation("x", []tool.Effect{a}), invocation("y", []tool.Effect{b})).Decision; apart < alone {
			t.Errorf("%+v alone: %s, beside %+v: %s", a, alone, b, apart)
		}
		if a.Kind.IsPath() && alone > tool.Allow {
			unknown := a
			unknown.Reach, unknown.Target = tool.Anywhere, ""
			// What is not known cannot be denied, but it is never allowed either.
			if got := decide(unknown); got < tool.Ask {
				t.Errorf("%+v: %s, and not known at all: %s", a, alone, got)
			}
		}
		inv := invocation("x", []tool.Effect{a})
		inv.Gaps = []command.Gap{{Why: "?"}}
		if got := judge(set, tool.Call{}, inv).Decision; got < max(alone, tool.Ask) {
			t.Errorf("%+v alone: %s, with a gap: %s", a, alone, got)
		}
	})
}
