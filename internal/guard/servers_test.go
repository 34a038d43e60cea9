package guard_test

import (
	"os"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// TestServers: what tools of servers in use are answered. Nobody is bothered about what only looks, and nothing is deleted, sent,
// paid, published or changed elsewhere without a word.
func TestServers(t *testing.T) {
	text, err := os.ReadFile("testdata/servers.txt")
	if err != nil {
		t.Fatal(err)
	}
	g, w := builtin(t), world()
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(fields) < 3 || fields[0] == "#" {
			continue
		}
		input := "{}"
		if len(fields) > 3 {
			input = fields[3]
		}
		stdin, env := toolCall("claude", "mcp__"+fields[1]+"__"+fields[2], input)
		req, err := agent.Find("claude").Decode(stdin, env)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		v, _ := g.Judge(req.Call, w)
		want := map[string]tool.Decision{"quiet": tool.Pass, "ask": tool.Ask, "deny": tool.Deny}[fields[0]]
		if v.Decision != want {
			t.Errorf("%s: %s by %s (%s)", strings.TrimSpace(line), v.Decision, v.Rule, v.Reason)
		}
	}
}

// TestServerSource: what a server's words are worth is up to who has brought it.
func TestServerSource(t *testing.T) {
	g, w := builtin(t), world()
	for _, test := range []struct {
		source, name, input string
		want                tool.Decision
		rule                string
	}{
		{"user", "mcp__memory__create_entities", "{}", tool.Pass, ""},
		{"managed", "mcp__x__get_x", "{}", tool.Pass, ""},
		{"plugin", "mcp__x__get_x", "{}", tool.Pass, ""},
		{"", "mcp__x__get_x", "{}", tool.Pass, ""},
		{"project", "mcp__x__get_x", "{}", tool.Ask, "server-unproven"},
		{"project", "mcp__memory__create_entities", "{}", tool.Ask, "server-unproven"},
		{"project", "mcp__x__delete_x", "{}", tool.Ask, "server-delete"},
		{"project", "mcp__x__read_file", `{"path": "~/.ssh/id_rsa"}`, tool.Ask, "secrets-read"},
		{"project", "mcp__x__run", `{"command": "rm -rf ~"}`, tool.Deny, "rm-recursive-root"},
	} {
		req, err := agent.Describe("claude", test.name, []byte(test.input), test.source, project, home)
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := g.Judge(req.Call, w); v.Decision != test.want || test.rule != "" && v.Rule != test.rule {
			t.Errorf("%s %s: %s by %s", test.source, test.name, v.Decision, v.Rule)
		}
	}
}

// TestServerArgs: rules may speak of what a tool is given.
func TestServerArgs(t *testing.T) {
	f, err := rulesfile.Parse("rules.yaml", []byte(`
version: 1
rules:
  - {id: not-main, match: {tool: "mcp__github__*", args: {branch: [main, "release/*"]}}, decision: deny, reason: no}
  - {id: our-repo, match: {tool: "mcp__github__create_issue", args: {repo: ours, Owner: us}}, decision: allow, overrides: [server-write]}
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
	for _, test := range []struct {
		name, input string
		want        tool.Decision
	}{
		{"mcp__github__push_files", `{"branch": "main"}`, tool.Deny},
		{"mcp__github__push_files", `{"to": [{"BRANCH": "release/1"}]}`, tool.Deny},
		{"mcp__github__push_files", `{"branch": "topic"}`, tool.Ask},
		{"mcp__github__push_files", `{}`, tool.Ask},
		{"mcp__gitlab__push_files", `{"branch": "main"}`, tool.Ask},
		{"mcp__github__create_issue", `{"owner": "us", "repo": "ours"}`, tool.Pass},
		{"mcp__github__create_issue", `{"owner": "us", "repo": "theirs"}`, tool.Ask},
		{"mcp__github__create_issue", `{"owner": "us", "repo": "ours", "also": {"repo": "theirs"}}`, tool.Ask},
		{"mcp__github__create_issue", `{"repo": "ours"}`, tool.Ask},
		{"mcp__github__create_issue", `{"owner": "us", "repo": "ours", "body": "~/.ssh/id_rsa"}`, tool.Ask},
	} {
		req, err := agent.Describe("claude", test.name, []byte(test.input), "user", project, home)
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := g.Judge(req.Call, world()); v.Decision != test.want {
			t.Errorf("%s %s: %s by %s", test.name, test.input, v.Decision, v.Rule)
		}
	}
	if _, err := rulesfile.Parse("rules.yaml", []byte("version: 1\nrules: [{id: x, match: {command: ls, args: {branch: main}}, decision: deny}]\n"), nil); err == nil {
		t.Error("arguments with names are taken for those of a command")
	}
}
