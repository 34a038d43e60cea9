package examine

import (
	"os"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/config"
)

// TestMeans: the table stands in the documents, and has every client.
func TestMeans(t *testing.T) {
	table := "| platform | client | code that longline cannot read | note |\n| --- | --- | --- | --- |\n"
	for _, m := range means() {
		table += "| " + strings.Join([]string{m.platform, m.clients, m.code, m.besides}, " | ") + " |\n"
	}
	text, err := os.ReadFile("../../docs/walls.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), table) {
		t.Errorf("docs/walls.md does not have this table:\n%s", table)
	}
	for _, name := range agent.Names() {
		if client := agent.CapabilityOf(name).Client; name != "claude-legacy" && !strings.Contains(table, client) {
			t.Errorf("%s is not in the table", client)
		}
	}
	for _, test := range []struct {
		at   place
		want string
	}{
		{place{"claude", true, "namespaces", false}, contained},
		{place{"claude", true, "Landlock", false}, contained},
		{place{"claude", true, "namespaces", true}, asked},
		{place{"claude", false, "namespaces", false}, asked},
		{place{"claude", false, "", false}, asked},
		{place{"cursor", true, "namespaces", false}, asked},
		{place{"codex", true, "namespaces", false}, asked},
		{place{"cline", true, "namespaces", false}, contained},
	} {
		if !config.WallSystem && test.want == contained {
			continue
		}
		for _, m := range means() {
			if m.here(&test.at) {
				if m.code != test.want {
					t.Errorf("%+v: %s", test.at, m.code)
				}
				break
			}
		}
	}
}
