package config

import (
	"os"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestRefused: what was refused is told of the call that comes again as it was, of a command of it, and in one line that can be shown.
func TestRefused(t *testing.T) {
	if !WallSystem {
		t.Skip("there are no walls")
	}
	root := tree(t, "home/p/.git/", "home/p/go.mod=module m\n", "home/.config/longline/rules.yaml=version: 1\nwalls: on\n")
	c, err := load(t, root, "home/p", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(c.state, 0o700); err != nil {
		t.Fatal(err)
	}
	call := tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: "make a\\\nb 'x\ny' \"$Z\"; ls", Shell: true}
	v, invs := c.Judge(call)
	if len(v.Walled) == 0 {
		t.Skip("nothing of it is behind a wall: ", v.Reason)
	}
	refused := func(call tool.Call) string {
		what, _, _ := c.refusedBefore(&call, &v, invs)
		return what
	}
	argv := []string{"make", "ab", "x\ny", "z"}
	c.SayRefused(argv, "make: nobody knows for which call")
	if got := refused(call); got != "" {
		t.Errorf("before any call: %q", got)
	}
	c.Contained(&call, &v)
	if got := refused(call); got != "" {
		t.Errorf("before anything was refused: %q", got)
	}
	c.SayRefused([]string{"make", "other"}, "make: write ~/other")
	if got := refused(call); got != "" {
		t.Errorf("of another command: %q", got)
	}
	c.SayRefused(argv, "make: write ~/\x1b[2Jx\n"+strings.Repeat("y", 300))
	if got := refused(call); !strings.HasPrefix(got, "make: write ~/?[2Jx?yyy") || len(got) > 250 {
		t.Errorf("it says %q", got)
	}
	other := call
	other.Script += "; ls"
	if got := refused(other); got != "" {
		t.Errorf("of another call: %q", got)
	}
	look := tool.Verdict{Decision: tool.Allow}
	c.Contained(&other, &look)
	if refused(call) == "" {
		t.Error("it is forgotten after a look")
	}
	look.Changes = true
	if c.Contained(&other, &look); refused(call) != "" {
		t.Error("it is not forgotten after a change")
	}
}
