//go:build linux

package e2e

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// amp answers questions about its rules and runs no turn.
var amp = client{name: "amp", program: "@ampcode/cli-linux-x64/amp"}

// TestAmp: without its maker's server Amp runs no turn, but it can be asked what
// its rules, and so longline, say to a command.
func TestAmp(t *testing.T) {
	c := amp
	program := c.find(t)
	longline := built(t)
	for _, test := range []struct {
		name, command string
		verdict       *tool.Verdict // nil: longline's own
		want          string
	}{
		{"allow", "x", &tool.Verdict{Decision: tool.Allow}, "allow"},
		{"pass", "x", &tool.Verdict{Decision: tool.Pass}, "ask"},
		{"ask", "x", &tool.Verdict{Decision: tool.Ask, Reason: nonce}, "ask"},
		{"deny", "x", &tool.Verdict{Decision: tool.Deny, Reason: nonce}, "reject"},
		{"rewrite", "x", &tool.Verdict{Decision: tool.Allow, Reason: nonce, Rewrite: changed}, "reject"},
		{"crash", "x", &tool.Verdict{}, "reject"},
		{"longline allows", "git status", nil, "allow"},
		{"longline asks", "cat ~/.aws/credentials", nil, "ask"},
		{"longline denies", "rm -rf ~/", nil, "reject"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := prepare(t)
			hook := longline
			if test.verdict != nil {
				hook = standIn(t, &p, test.name, test.verdict)
			}
			p.Files[p.home(".config", "amp", "settings.json")] = "{\n  // mine\n  \"amp.permissions\": [{ \"tool\": \"Bash\", \"action\": \"allow\" }]\n}\n"
			c.wire(t, &p, hook)
			p.Env = append(p.Env, "AMP_SKIP_UPDATE_CHECK=1")
			p.Argv = []string{program, "permissions", "test", "Bash", "--cmd", test.command, "--json"}
			r := do(t, p)
			if !strings.Contains(strings.ReplaceAll(r.Output, " ", ""), `"action":"`+test.want+`"`) {
				t.Errorf("want %s, got (status %d):\n%s", test.want, r.Status, tail(r.Output))
			}
			if test.want == "reject" && test.verdict != nil && test.name != "crash" && !strings.Contains(r.Output, nonce) {
				t.Errorf("the reason is missing:\n%s", tail(r.Output))
			}
		})
	}
}
