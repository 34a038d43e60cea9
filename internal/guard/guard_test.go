package guard_test

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/tool"
)

// A guard always answers, and what goes wrong inside is a question.
func TestCrashAsks(t *testing.T) {
	set, _, err := policy.Merge(nil, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	broken := &command.Library{Find: func(string) *command.Model { panic("models are broken") }}
	for _, g := range []guard.Guard{
		{Library: broken, Policy: set},
		{Library: command.Builtin(), Policy: nil},
		{},
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: "ls", Shell: true}, world())
		if v.Decision < tool.Ask {
			t.Errorf("got %v (%s)", v.Decision, v.Reason)
		}
	}
	// Nor does it need to know the machine.
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	if v, _ := g.Judge(tool.Call{Tool: "Bash", Script: "rm -rf $X ~", Shell: true}, &tool.World{}); v.Decision < tool.Ask {
		t.Errorf("got %v in no world at all", v.Decision)
	}
}

func TestUnreadableScriptAsks(t *testing.T) {
	allow, _, err := policy.Merge(nil, nil, &policy.File{Default: tool.Allow, HasDefault: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := guard.Guard{Library: command.Builtin(), Policy: allow}
	for _, script := range []string{"echo $((", "if", "echo '", "a | | b", strings.Repeat("(", 5000)} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true}, world())
		if v.Decision < tool.Ask || v.Parsed {
			t.Errorf("%.20q: got %v, parsed %v", script, v.Decision, v.Parsed)
		}
	}
}
