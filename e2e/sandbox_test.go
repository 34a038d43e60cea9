//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestClaudeSandbox: a clone that names no place lands in the sandbox, and the
// client runs it with every other field of the call as the model gave it. The
// repository is fetched over loopback from where the model is.
func TestClaudeSandbox(t *testing.T) {
	c := clients[0]
	client := c.find(t)
	program := built(t)
	const address = "http://127.0.0.1:" + portMark + "/served/heron.git"
	for _, test := range []struct {
		name, rules string
		settings    fields // permissions of the user
		lands       bool
		told        string
	}{
		{name: "rewrite", rules: "sandbox: {dir: ~/code/sandbox}", lands: true, told: "~/code/sandbox/heron"},
		{name: "block", rules: "sandbox: {dir: ~/code/sandbox, mode: block}", told: "External content acquisition denied (block mode)"},
		{name: "denied by the user", rules: "sandbox: {dir: ~/code/sandbox}", settings: fields{"deny": []any{"Bash(git clone:*)"}}, told: "Bash(git clone:*)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := prepare(t)
			serve(t, &p, "heron.git")
			seen := filepath.Join(p.Area, "seen.json")
			p.Calls = []toolCall{{"Bash", fields{"command": "git clone " + address, "description": "Fetch the herons", "timeout": 54321}}}
			c.setup(t, &p, client)
			p.Argv[len(p.Argv)-1] = "default" // only longline's approval lets it run
			p.Files[p.home(".config/longline/rules.yaml")] = "version: 1\n" + test.rules + "\n"
			settings := fields{"hooks": fields{"PostToolUse": []any{fields{"hooks": []any{fields{"type": "command", "command": "cat >" + seen}}}}}}
			if test.settings != nil {
				settings["permissions"] = test.settings
			}
			p.Files[p.home(".claude/settings.json")] = indent(settings)
			c.wire(t, &p, program)
			r := do(t, p)
			_, err := os.Stat(p.home("code/sandbox/heron/feather.txt"))
			if landed := err == nil; landed != test.lands || p.has("heron") {
				t.Errorf("in the sandbox: %v, want %v; in the project: %v\n%s", landed, test.lands, p.has("heron"), tail(r.Output))
			}
			if !r.modelSaw(test.told) {
				t.Errorf("the model was not told %q\n%s", test.told, tail(strings.Join(r.Requests, "\n")))
			}
			data, err := os.ReadFile(seen)
			if !test.lands {
				if err == nil {
					t.Errorf("it ran: %s", data)
				}
				return
			}
			var after struct {
				Input map[string]any `json:"tool_input"`
			}
			if err := json.Unmarshal(data, &after); err != nil {
				t.Fatalf("%v\n%s", err, tail(r.Output))
			}
			command, _ := after.Input["command"].(string)
			if !strings.HasSuffix(command, "/served/heron.git ~/code/sandbox/heron") || after.Input["description"] != "Fetch the herons" || after.Input["timeout"] != 54321.0 {
				t.Errorf("ran with %s", jsonText(after.Input))
			}
		})
	}
}

// serve makes a repository with one file that can be fetched by plain HTTP.
func serve(t *testing.T, p *plan, name string) {
	t.Helper()
	work, bare := filepath.Join(p.Area, "origin"), filepath.Join(p.Area, "served", name)
	if err := os.MkdirAll(work, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, "feather.txt"), []byte("grey\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-C", work, "-c", "init.defaultBranch=main", "init", "-q"},
		{"-C", work, "add", "."},
		{"-C", work, "-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-qm", "One feather"},
		{"clone", "-q", "--bare", work, bare},
		{"-C", bare, "update-server-info"},
	} {
		git := exec.Command("git", args...)
		git.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + p.home()}
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
}
