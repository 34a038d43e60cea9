//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"longline/internal/agent"
	"longline/internal/tool"
)

const (
	original = "touch ran.txt; echo hello"
	changed  = "touch changed.txt; echo changed"
	nonce    = "the heron stands in cold water"
)

// TestAnswers gives every client every answer and compares what became of the
// command with what the table of capabilities says. The clients are set to run
// everything unasked, so that only the hook can stop a command.
func TestAnswers(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			program := c.find(t)
			table := capability(t, c.name)
			reason := tool.Verdict{Rule: "e2e", Reason: nonce, Parsed: true}
			with := func(d tool.Decision, rewrite string) *tool.Verdict {
				v := reason
				v.Decision, v.Rewrite = d, rewrite
				return &v
			}
			for _, test := range []struct {
				name    string
				verdict *tool.Verdict // nil: the hook does not answer
			}{
				{"allow", with(tool.Allow, "")},
				{"pass", with(tool.Pass, "")},
				{"ask", with(tool.Ask, "")},
				{"deny", with(tool.Deny, "")},
				{"rewrite", with(tool.Allow, changed)},
				{"ask-rewrite", with(tool.Ask, changed)},
				{"crash", nil},
				{"hang", nil},
			} {
				t.Run(test.name, func(t *testing.T) {
					t.Parallel()
					p := prepare(t)
					p.Calls = []toolCall{c.call(original)}
					c.setup(t, &p, program)
					c.wire(t, &p, standIn(t, &p, test.name, test.verdict))
					r := do(t, p)
					want := expect(table, test.name, test.verdict)
					ran, ranChanged, saw := p.has("ran.txt"), p.has("changed.txt"), r.modelSaw(nonce)
					if ran != want.ran || ranChanged != want.changed || want.told && !saw {
						log, _ := os.ReadFile(filepath.Join(p.Area, "hook.log"))
						t.Errorf("ran %v, changed %v, model told %v; the table says %+v\nclient (status %d):\n%s\nhook:\n%s",
							ran, ranChanged, saw, want, r.Status, tail(r.Output), log)
					}
					t.Logf("%.1f s", r.Seconds)
				})
			}
		})
	}
}

type outcome struct{ ran, changed, told bool }

// expect reads the table: what becomes of a command when nobody is there to ask.
func expect(c *agent.Capability, name string, v *tool.Verdict) outcome {
	switch name {
	case "crash":
		return outcome{ran: c.Crash == tool.Pass}
	case "hang":
		return outcome{ran: c.Timeout == tool.Pass}
	}
	d := v.Decision
	rewritten := false
	if v.Rewrite != "" {
		if rewritten = d == tool.Allow && c.Rewrite != agent.Never || c.Rewrite == agent.Always; !rewritten {
			d = tool.Deny
		}
	}
	if d == tool.Ask {
		// Those that can ask, with nobody there: not every client tells the model.
		return outcome{told: c.Ask == tool.Deny && c.Told}
	}
	if d == tool.Deny {
		return outcome{told: c.Told}
	}
	return outcome{ran: !rewritten, changed: rewritten}
}

func capability(t *testing.T, name string) *agent.Capability {
	t.Helper()
	for i := range agent.Capabilities() {
		if c := &agent.Capabilities()[i]; c.Agent == name && c.Kind == agent.BeforeTool {
			return c
		}
	}
	t.Fatalf("no capabilities of %s", name)
	return nil
}

// standIn is a program that stands in for longline. It gives one verdict, or
// dies, or does not come to an end.
func standIn(t *testing.T, p *plan, name string, v *tool.Verdict) string {
	t.Helper()
	program := filepath.Join(p.Area, "bin", "longline")
	switch {
	case name == "crash":
		// After it has read: a client may also stumble over a pipe that breaks.
		p.Files[program] = "#!/bin/sh\ncat >/dev/null\nkill -9 $$\n"
	case name == "hang":
		p.Files[program] = "#!/bin/sh\nexec sleep 60\n"
	default:
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(p.Area, "verdict.json")
		p.Files[file] = string(data)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		p.Files[program] = "#!/bin/sh\nexec " + self + " hook \"$2\" " + file + "\n"
	}
	return program
}

func tail(s string) string {
	const most = 3000
	if len(s) > most {
		return "…" + s[len(s)-most:]
	}
	return s
}
