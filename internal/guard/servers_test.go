package guard_test

import (
	"os"
	"strings"
	"testing"

	"longline/internal/agent"
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
