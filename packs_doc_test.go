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
	b.WriteString("Generated from `internal/policy/packs`; [policy.md](policy.md) explains the choices. Each rule is shown with its reason, in\n")
	b.WriteString("which `{target}` is what the command acts on. Rules that ask apply from `safety_level: high` on, rules that deny always,\n")
	b.WriteString("unless a level is given. `disable: [ID]` in a rules file turns one off.\n")
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
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", name, comment(string(text)))
		var quiet []string
		for _, r := range f.Rules {
			rules++
			if r.Decision == tool.Allow || r.Decision == tool.Pass {
				quiet = append(quiet, "`"+r.ID+"`")
				continue
			}
			fmt.Fprintf(&b, "- `%s` %s: %s\n", r.ID, says(r), r.Reason)
		}
		if len(quiet) > 0 {
			fmt.Fprintf(&b, "- allow or pass: %s\n", strings.Join(quiet, ", "))
		}
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

// says is a rule's decision, with its level if that is not the usual one.
func says(r policy.Rule) string {
	usual := policy.High
	if r.Decision == tool.Allow || r.Decision == tool.Deny {
		usual = policy.Critical
	}
	word := map[tool.Decision]string{tool.Ask: "asks", tool.Deny: "denies"}[r.Decision]
	if r.Level == usual {
		return word
	}
	return word + " at " + r.Level.String()
}

// comment is the comment at the head of a file, as one paragraph.
func comment(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(rest))
	}
	return strings.Join(lines, "\n")
}
