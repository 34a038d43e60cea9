package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestLimit: when the time is over, reading and judging end, and what was not
// looked at asks.
func TestLimit(t *testing.T) {
	g := builtin(t)
	long := strings.Repeat("ls -la; ", 2000)
	for _, after := range []int{0, 3, 20} {
		asked := 0
		g.Limit = func() func() bool { return func() bool { asked++; return asked > after } }
		v, invs := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: long, Shell: true}, world())
		if v.Decision != tool.Ask {
			t.Errorf("after %d looks at the clock: %v", after, v.Decision)
		}
		if asked > after+2 || len(invs) > 64*(after+2) {
			t.Errorf("it went on: %d looks at the clock, %d invocations", asked, len(invs))
		}
	}
	g.Limit = func() func() bool { return func() bool { return false } }
	if v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: "ls -la", Shell: true}, world()); v.Decision != tool.Allow {
		t.Errorf("with time left: %v", v.Decision)
	}
}
