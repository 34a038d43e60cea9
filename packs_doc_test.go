package longline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// TestPacksDocument holds docs/packs.md against the packs it is made from; with
// -update it is written anew.
func TestPacksDocument(t *testing.T) {
	files, err := filepath.Glob("internal/policy/packs/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# The built-in rules\n\n")
	b.WriteString("Each rule with its reason, in which `{target}` is what the command acts on. [how-it-decides.md](how-it-decides.md#the-built-in-policy) explains the choices;\n")
	b.WriteString("`disable: [ID]` in a rules file turns a rule off. Rules that ask apply from `safety_level: high` on, rules that deny always,\n")
	b.WriteString("unless a level is given; \"contained\" means that a rule asks only where no [snapshot](undo.md) holds what would be lost.\n")
	b.WriteString("`longline rules` also lists rules that allow or pass.\n")
	rules := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if name == "zones" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := rulesfile.Parse(name+".yaml", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n```text\n", name)
		for _, d := range []tool.Decision{tool.Deny, tool.Ask} {
			b.WriteString(opinions(f.Rules, d))
		}
		b.WriteString("```\n")
		rules += len(f.Rules)
	}
	if rules < 50 {
		t.Fatalf("only %d rules found", rules)
	}
	have, err := os.ReadFile("docs/packs.md")
	if *update {
		err = os.WriteFile("docs/packs.md", []byte(b.String()), 0o644)
		have = []byte(b.String())
	}
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Error("docs/packs.md is not what the packs say; run go test . -update")
	}
}

// opinions are the rules with one decision, with their level if that is not the usual one.
func opinions(rules []policy.Rule, d tool.Decision) string {
	usual := policy.High
	if d == tool.Deny {
		usual = policy.Critical
	}
	var b strings.Builder
	for _, r := range rules {
		if r.Decision != d {
			continue
		}
		if b.Len() == 0 {
			b.WriteString(d.String() + "\n")
		}
		fmt.Fprintf(&b, "  %-25s %s", r.ID, strings.NewReplacer(" ({target})", "", " ({command})", "").Replace(r.Reason))
		if r.Contain {
			b.WriteString(" (contained)")
		}
		if r.Level != usual {
			fmt.Fprintf(&b, " (%s)", r.Level)
		}
		b.WriteString("\n")
	}
	return b.String()
}
