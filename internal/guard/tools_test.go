package guard_test

import (
	"testing"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// Tools that are not shells are judged by their effects, by the same rules as
// the commands that do the same.
func TestTools(t *testing.T) {
	g := builtin(t)
	for _, test := range []struct {
		tool   string
		kind   tool.Kind
		target string
		want   tool.Decision
		rule   string
	}{
		{"Read", tool.Read, project + "/README.md", tool.Pass, ""},
		{"Read", tool.Read, home + "/.ssh/id_rsa", tool.Ask, "secrets-read"},
		{"Read", tool.Read, project + "/.env", tool.Ask, "secrets-read"},
		{"Read", tool.Read, "/etc/hosts", tool.Pass, ""},
		{"Write", tool.Write, project + "/src/a.go", tool.Pass, ""},
		{"Write", tool.Write, home + "/.bashrc", tool.Ask, "startup-files"},
		{"Write", tool.Write, "/etc/hosts", tool.Ask, ""},
		{"Edit", tool.Write, home + "/.claude/settings.json", tool.Deny, "agent-files"},
		{"Edit", tool.Write, project + "/.claude/settings.json", tool.Deny, "agent-files"},
		{"Edit", tool.Write, home + "/.config/longline/rules.yaml", tool.Deny, "guard-files"},
		{"WebFetch", tool.Fetch, "example.com", tool.Pass, ""},
		{"PowerShell", tool.Execute, "inline:powershell", tool.Ask, "inline-code"},
	} {
		call := tool.Call{Tool: test.tool, Dir: project, Effects: []tool.Effect{{Kind: test.kind, Target: test.target, Reach: tool.Exact}}, Attended: true}
		v, _ := g.Judge(call, world())
		if v.Decision != test.want || test.rule != "" && v.Rule != test.rule {
			t.Errorf("%s %s %s: got %v by %q, want %v by %q", test.tool, test.kind, test.target, v.Decision, v.Rule, test.want, test.rule)
		}
	}
	// A tool without effects is nobody's business.
	if v, _ := g.Judge(tool.Call{Tool: "ReportFindings", Dir: project}, world()); v.Decision != tool.Pass {
		t.Errorf("a tool without effects got %v", v.Decision)
	}
}

func TestToolMatcher(t *testing.T) {
	f, err := rulesfile.Parse("rules.yaml", []byte(`
version: 1
builtin: false
default_decision: pass
rules:
  - {id: no-mcp, level: critical, match: {tool: "mcp__prod__*"}, decision: deny, reason: not in production}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(nil, nil, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	for name, want := range map[string]tool.Decision{"mcp__prod__drop": tool.Deny, "mcp__test__drop": tool.Pass, "Read": tool.Pass} {
		if v, _ := g.Judge(tool.Call{Tool: name, Dir: project}, world()); v.Decision != want {
			t.Errorf("%s: got %v, want %v", name, v.Decision, want)
		}
	}
	if v, _ := g.Judge(tool.Call{Tool: "mcp__prod__drop", Dir: project}, world()); v.Rule != "no-mcp" {
		t.Errorf("by %q", v.Rule)
	}
}

// A rule can speak of what a server's tool does.
func TestToolsWithEffects(t *testing.T) {
	f, err := rulesfile.Parse("rules.yaml", []byte(`
version: 1
rules:
  - {id: no-merging, match: {tool: {any_of: [mcp__github__merge_*, mcp__github__delete_*]}}, decision: deny, reason: Merging is for people}
  - {id: in-the-project, match: {tool: mcp__filesystem__*, effect: {kind: [write, delete], except: {zones: [project]}}}, decision: deny, reason: inside only}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(builtin, nil, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	for _, test := range []struct{ tool, input, rule string }{
		{"mcp__github__merge_pull_request", `{"number": 7}`, "no-merging"},
		{"mcp__github__get_pull_request", `{"number": 7}`, ""},
		{"mcp__filesystem__write_file", `{"path": "/home/dev/other/x"}`, "in-the-project"},
		{"mcp__filesystem__write_file", `{"path": "/home/dev/proj/x"}`, ""},
		{"mcp__filesystem__read_file", `{"path": "/home/dev/other/x"}`, ""},
		{"mcp__other__write_file", `{"path": "/home/dev/proj/x"}`, ""},
	} {
		stdin, env := toolCall("claude", test.tool, test.input)
		req, err := agent.Find("claude").Decode(stdin, env)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := g.Judge(req.Call, world())
		if (v.Decision == tool.Deny) != (test.rule != "") || test.rule != "" && v.Rule != test.rule {
			t.Errorf("%s %s: %s by %s, want %q", test.tool, test.input, v.Decision, v.Rule, test.rule)
		}
	}
}
