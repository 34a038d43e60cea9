package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/tool"
)

// newcomer is an agent of which nothing is known but its facts. It speaks like another.
type newcomer struct{ agent.Agent }

var newcomerFacts = agent.Facts{
	Name: "newcomer", Client: "New Comer", Programs: []string{"newc"}, Dir: ".newcomer", Marks: []string{"NEWCOMER"},
	Hooks: &agent.Hooks{
		User: ".newcomer/hooks.json", Project: ".newcomer/hooks.json", Managed: "/etc/newcomer/hooks.json",
		Fleet: &agent.Fleet{Darwin: "/Library/NewComer/hooks.json"},
		Keys:  []string{"on"}, Events: []string{"before"}, Entry: `{"run":"x","command":"{command}","wait":{seconds}}`, Off: []agent.Off{{Keys: []string{"quiet"}}},
	},
	Capabilities: []agent.Capability{{
		Agent: "newcomer", Client: "New Comer", Event: "before", Kind: agent.BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Note: "it is polite",
	}},
}

func (newcomer) Name() string        { return "newcomer" }
func (newcomer) Facts() *agent.Facts { return &newcomerFacts }

// TestAddingAnAgent adds an agent to the one list and nothing else: it is installed,
// examined, asked about, completed, rendered for a fleet and taken out again.
func TestAddingAnAgent(t *testing.T) {
	all := agent.All
	agent.All = append(slices.Clip(all), newcomer{agent.Find("auggie")})
	defer func() { agent.All = all }()
	home := t.TempDir()
	t.Chdir(home)
	file := filepath.Join(home, ".newcomer/hooks.json")
	const before = "{\n  \"theirs\": true\n}\n"
	settings(t, file, before)
	run := func(want string, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		p := process{env: config.Env{"HOME=" + home, "PATH=/nowhere"}, in: strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"launch-process","tool_input":{"command":"rm -rf /"},"workspace_roots":["/"]}`), out: &out, err: &out}
		p.main(append([]string{"longline"}, args...))
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %q is missing in:\n%s", strings.Join(args, " "), want, out.String())
		}
		return out.String()
	}
	run("newcomer", "agents")
	run("it is polite", "agents", "newcomer")
	run("newcomer", "completion", "bash")
	run("does not call longline", "doctor") // it is found by its directory
	run("hook newcomer", "init", "--agent", "newcomer", "--print")
	run("done", "init", "--agent", "newcomer", "--yes")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), ` hook newcomer`) || !strings.Contains(string(text), `"wait": 10`) || !strings.Contains(string(text), `"theirs": true`) {
		t.Errorf("%v: %s", err, text)
	}
	run("/etc/newcomer/hooks.json", "admin", "render", "--target", "newcomer", "--os", "linux", "--out", filepath.Join(home, "fleet"))
	run("deny", "hook", "newcomer")
	run("allow", "check", "--agent", "newcomer", "ls")
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), `"theirs"`, `"quiet"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	run("quiet", "doctor", "--agent", "newcomer")
	if _, err := os.Stat(filepath.Join(home, "fleet/etc/newcomer/hooks.json")); err != nil {
		t.Error(err)
	}
	// longline is known by its name, and this program has another.
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.ReplaceAll(text, []byte(exe), []byte("/opt/longline")), 0o600); err != nil {
		t.Fatal(err)
	}
	run("done", "uninstall", "--agent", "newcomer", "--yes")
	if text, err := os.ReadFile(file); err != nil || string(text) != before {
		t.Errorf("left: %q, %v", text, err)
	}
	if !slices.Contains(agent.Marks(), "NEWCOMER") || !slices.Contains(agent.Programs(), "newc") {
		t.Error("a person would not be told from it")
	}
	if !slices.ContainsFunc(agent.Belonging(), func(b agent.Belongings) bool { return b.Client == "New Comer" }) {
		t.Error("what belongs to it is not guarded")
	}
}
