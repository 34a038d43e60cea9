package config

import (
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

func TestClientRules(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "proj")
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".claude/settings.json", `{"permissions":{"deny":["Bash(git clone:*)","Read(.env)","Bash(rm -rf /)"],"ask":["Bash(curl *)","Bash(*--upload*)"],"allow":["Bash(wget:*)"]}}`)
	write("etc/managed-settings.d/a.json", `{"permissions":{"deny":["Bash(scp *)"]}}`)
	write("proj/.claude/settings.json", `{"permissions":{"ask":["Bash(gh repo *)"]}}`)
	write("proj/.claude/settings.local.json", `{"permissions":`)
	c := &Config{Settings: (&places{Roots: Roots{Claude: []string{filepath.Join(home, ".claude")}}, site: Site{Project: project}}).settings(filepath.Join(home, "etc"))}
	for _, test := range []struct {
		agent, command string
		want           tool.Decision
	}{
		{"claude", "git clone https://example.com/r", tool.Deny},
		{"claude", "git clone", tool.Deny},
		{"claude", "git cloner", tool.Pass},
		{"claude", "  git clone x ", tool.Deny},
		{"claude", "rm -rf /", tool.Deny},
		{"claude", "rm -rf /tmp", tool.Pass},
		{"claude", "curl -o x https://example.com", tool.Ask},
		{"claude", "curl", tool.Ask},
		{"claude", "wget --upload x", tool.Ask},
		{"claude", "wget x", tool.Pass},
		{"claude", "gh repo clone a/b", tool.Ask},
		{"claude", "scp a b:", tool.Deny},
		{"gemini", "git clone https://example.com/r", tool.Pass},
	} {
		if got, rule := c.clientRules(test.agent, []string{"something else", test.command}); got != test.want || (rule == "") != (test.want == tool.Pass) {
			t.Errorf("%s, %s: %s by %q, want %s", test.agent, test.command, got, rule, test.want)
		}
	}
}
