//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"longline/internal/agent"
	"longline/internal/tool"
)

// longline builds the program once and returns where it is.
var longline = sync.OnceValues(func() (string, error) {
	program := filepath.Join(scratch, "longline")
	out, err := exec.Command("go", "build", "-o", scratch+"/", "longline/cmd/longline", "longline/cmd/longline-wall").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return program, err
})

func built(t *testing.T) string {
	t.Helper()
	program, err := longline()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// TestLongline puts the whole of longline behind every client, with the policy
// that it brings along.
func TestLongline(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client := c.find(t)
			program := built(t)
			table := capability(t, c.name)
			for _, test := range []struct {
				name, command string
				files         map[string]string // in the home directory
				ran           bool
				told          string // what the model must have read
			}{
				{name: "allowed", command: "touch ran.txt", ran: true},
				{name: "denied", command: "touch ran.txt; rm -rf ~/", told: "[rm-recursive-root]"},
				{name: "asked", command: "touch ran.txt; cat ~/.aws/credentials", told: "[secrets-read]"},
				{
					name: "broken rules", command: "touch ran.txt",
					files: map[string]string{".config/longline/rules.yaml": "version: 1\nrules: {{{\n"},
				},
			} {
				t.Run(test.name, func(t *testing.T) {
					t.Parallel()
					p := prepare(t)
					for name, text := range test.files {
						p.Files[p.home(name)] = text
					}
					p.Calls = []toolCall{c.call(test.command)}
					c.setup(t, &p, client)
					c.wire(t, &p, program)
					r := do(t, p)
					if ran := p.has("ran.txt"); ran != test.ran {
						t.Errorf("ran: %v, want %v\nclient (status %d):\n%s", ran, test.ran, r.Status, tail(r.Output))
					}
					if test.name == "asked" && table.Ask == tool.Ask && c.name == "gemini" {
						test.told = "" // with nobody to ask it stops and tells nobody
					}
					if test.told != "" && !r.modelSaw(test.told) {
						t.Errorf("the model was not told %q\nclient (status %d):\n%s\nrequests:\n%s",
							test.told, r.Status, tail(r.Output), tail(strings.Join(r.Requests, "\n")))
					}
					if test.files == nil {
						checkLogged(t, &p, c.name, test.command)
					}
				})
			}
		})
	}
}

// checkLogged looks for the audit line of a command.
func checkLogged(t *testing.T, p *plan, agent, command string) {
	t.Helper()
	data, err := os.ReadFile(p.home(".claude", "hooks-logs", "longline.jsonl"))
	if err != nil {
		t.Error(err)
		return
	}
	for line := range strings.Lines(string(data)) {
		var l struct{ Agent, Command string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("audit line %s: %v", line, err)
		}
		if l.Agent == agent && l.Command == command {
			return
		}
	}
	t.Errorf("the log has no line of %s for %q:\n%s", agent, command, data)
}

// TestClaudeAsks: with longline's approval a command runs that Claude Code
// itself would ask about, and only then.
func TestClaudeAsks(t *testing.T) {
	c := clients[0]
	client := c.find(t)
	for _, test := range []struct {
		name    string
		verdict tool.Decision
		ran     bool
	}{
		{"allow", tool.Allow, true},
		{"pass", tool.Pass, false},
		{"ask", tool.Ask, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := prepare(t)
			p.Calls = []toolCall{c.call(original)}
			c.setup(t, &p, client)
			p.Argv[len(p.Argv)-1] = "default" // the permission mode
			c.wire(t, &p, standIn(t, &p, "", &tool.Verdict{Decision: test.verdict, Rule: "e2e", Reason: nonce}))
			r := do(t, p)
			if p.has("ran.txt") != test.ran {
				t.Errorf("ran: %v\n%s", !test.ran, tail(r.Output))
			}
			if test.verdict == tool.Ask && !r.modelSaw(nonce) {
				t.Errorf("the model was not told why\n%s", tail(r.Output))
			}
		})
	}
}

// TestClaudeRewrite: of the tool's input nothing changes but the command.
func TestClaudeRewrite(t *testing.T) {
	c := clients[0]
	client := c.find(t)
	p := prepare(t)
	p.Calls = []toolCall{{"Bash", fields{"command": original, "description": "as it was", "timeout": 54321}}}
	c.setup(t, &p, client)
	seen := filepath.Join(p.Area, "seen.json")
	p.Files[p.home(".claude", "settings.json")] = indent(fields{"hooks": fields{
		"PostToolUse": []any{fields{"hooks": []any{fields{"type": "command", "command": "cat >" + seen}}}},
	}})
	c.wire(t, &p, standIn(t, &p, "", &tool.Verdict{Decision: tool.Allow, Rewrite: changed}))
	r := do(t, p)
	data, err := os.ReadFile(seen)
	if err != nil {
		t.Fatalf("%v\n%s", err, tail(r.Output))
	}
	var after struct {
		Input map[string]any `json:"tool_input"`
	}
	if err := json.Unmarshal(data, &after); err != nil {
		t.Fatal(err)
	}
	want := fields{"command": changed, "description": "as it was", "timeout": 54321.0}
	if jsonText(after.Input) != jsonText(want) {
		t.Errorf("ran with %s, want %s", jsonText(after.Input), jsonText(want))
	}
}

// TestTableNamesTheClients: what is installed is what the table speaks of.
func TestTableNamesTheClients(t *testing.T) {
	script, err := os.ReadFile("install.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clients {
		for _, row := range agent.Capabilities() {
			if row.Agent == c.name && !strings.Contains(string(script), "@"+row.Version) {
				t.Errorf("%s: the table speaks of version %s, which install.sh does not install", c.name, row.Version)
			}
		}
	}
}
