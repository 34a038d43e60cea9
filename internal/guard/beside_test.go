package guard_test

import (
	"testing"

	"longline/internal/tool"
)

// A script cannot hide what a background job does behind many others: beyond the bound, every
// change is asked about.
func TestManyBeside(t *testing.T) {
	g := builtin(t)
	for _, last := range []string{
		"(sleep 1; echo ls >> s.sh) & echo pwd > s.sh; bash s.sh",
		"echo ls > s.sh; (sleep 1; bash s.sh) & echo pwd > s.sh",
	} {
		text := script("(echo a > f#) & ", 300) + last
		if v, _ := g.Judge(attended(text), world()); v.Decision < tool.Ask {
			t.Errorf("%s after 300 jobs: %v", last, v.Decision)
		}
	}
	few := script("(echo a > /tmp/f#) & ", 3) + "wait; ls"
	if v, _ := g.Judge(attended(few), world()); v.Decision >= tool.Ask {
		t.Errorf("%s: %v, %s", few, v.Decision, v.Reason)
	}
}
