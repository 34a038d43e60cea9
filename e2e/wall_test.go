//go:build linux

package e2e

import (
	"os"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/tool"
)

// wallScript is code of the project that nobody can read: it makes itself up.
const wallScript = "exec(open('body.txt').read())\n"

const wallBody = `
import os, socket, sys, time
what = sys.argv[1]
def kept(name, path):
    try: open(path, "a").write("planted")
    except OSError: print("kept-out-of-" + name)
if what == "check":
    open("built.txt", "w").write("result"); print(open("built.txt").read())
    kept("settings", ".mcp.json"); kept("home", os.path.expanduser("~/planted"))
    try: print(open(os.path.expanduser("~/.ssh/id_rsa")).read())
    except OSError: print("kept-out-of-secrets")
if what == "serve":
    import http.server
    http.server.HTTPServer(("127.0.0.1", 18765), http.server.SimpleHTTPRequestHandler).serve_forever()
if what == "slow": time.sleep(300)
if what == "fetch": socket.create_connection(("192.0.2.1", 80), 3)
`

// TestClaudeWalls: the client runs the project's code behind a wall, in the directory
// and with the limits that the model gave, and reads what the wall says.
func TestClaudeWalls(t *testing.T) {
	c := clients[0]
	client := c.find(t)
	program := built(t)
	for _, test := range []struct {
		name  string
		calls []toolCall
		told  []string
		not   []string
	}{
		{
			name:  "test run",
			calls: []toolCall{{"Bash", fields{"command": "python3 run.py check | tail -5", "description": "Test"}}},
			told:  []string{"result", "kept-out-of-settings", "kept-out-of-home", "kept-out-of-secrets"},
			not:   []string{"top-secret-key"},
		},
		{
			name: "server in the background",
			calls: []toolCall{
				{"Bash", fields{"command": "python3 run.py serve >/dev/null 2>&1 & sleep 2; echo started", "description": "Serve"}},
				{"Bash", fields{"command": "curl -s -o /dev/null -w 'answered-%{http_code}' http://127.0.0.1:18765/", "description": "Ask"}},
			},
			told: []string{"started", "answered-200"},
		},
		{
			name: "timeout",
			calls: []toolCall{
				{"Bash", fields{"command": "python3 run.py slow", "description": "Wait", "timeout": 2000}},
				{"Bash", fields{"command": "pgrep -f '[r]un.py slow' || echo none-left", "description": "Look"}},
			},
			told: []string{"none-left"},
		},
		{
			name:  "refused connection",
			calls: []toolCall{{"Bash", fields{"command": "python3 run.py fetch", "description": "Fetch"}}},
			told:  []string{"longline wall: refused to", "connect to 192.0.2.1:80", "This is the wall, not a fault of the program"},
		},
	} {
		t.Run("claude/"+test.name, func(t *testing.T) {
			t.Parallel()
			p := prepare(t)
			p.Calls = test.calls
			c.setup(t, &p, client)
			p.Argv[len(p.Argv)-1] = "default" // only longline's approval lets it run
			p.Env = append(p.Env, "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1")
			p.Files[p.home(".config/longline/rules.yaml")] = "version: 1\nwalls: on\nallowlists: {commands: [pgrep, curl]}\n"
			p.Files[p.home(".ssh/id_rsa")] = "top-secret-key\n"
			p.Files[p.project()+"/run.py"], p.Files[p.project()+"/body.txt"] = wallScript, wallBody
			c.wire(t, &p, program)
			r := do(t, p)
			if log, _ := os.ReadFile(p.home(".local/state/longline/audit.jsonl")); len(log) > 0 && !strings.Contains(string(log), `"walled":`) {
				t.Errorf("nothing was put behind a wall: %s", log)
			}
			for _, text := range test.told {
				if !r.modelSaw(text) {
					t.Errorf("the model was not told %q\n%s", text, results(r.Requests))
				}
			}
			for _, text := range test.not {
				if r.modelSaw(text) {
					t.Errorf("the model was told %q", text)
				}
			}
			if p.has(".mcp.json") {
				t.Error("the project's settings were planted")
			}
		})
	}
}

// results are what tools gave, of all that a client sends.
func results(requests []string) string {
	var b strings.Builder
	for _, r := range requests {
		for i := strings.Index(r, `"tool_result"`); i >= 0; i = strings.Index(r, `"tool_result"`) {
			b.WriteString(r[i:min(len(r), i+600)] + "\n")
			r = r[i+1:]
		}
	}
	return b.String()
}

// TestWalls: the other clients that take a changed command run it behind a wall.
func TestWalls(t *testing.T) {
	for _, c := range clients[1:] {
		if !agent.TakesChanged(c.name, tool.Allow) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client := c.find(t)
			p := prepare(t)
			p.Calls = []toolCall{c.call("python3 run.py check | tail -5")}
			c.setup(t, &p, client)
			p.Files[p.home(".config/longline/rules.yaml")] = "version: 1\nwalls: on\n"
			p.Files[p.home(".ssh/id_rsa")] = "top-secret-key\n"
			p.Files[p.project()+"/run.py"], p.Files[p.project()+"/body.txt"] = wallScript, wallBody
			c.wire(t, &p, built(t))
			r := do(t, p)
			for _, text := range []string{"result", "kept-out-of-settings", "kept-out-of-home", "kept-out-of-secrets"} {
				if !r.modelSaw(text) {
					t.Errorf("the model was not told %q\nclient (status %d):\n%s", text, r.Status, tail(r.Output))
				}
			}
			if r.modelSaw("top-secret-key") || p.has(".mcp.json") {
				t.Error("the wall did not hold")
			}
		})
	}
}
