package longline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/rulesfile"
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
	b.WriteString("What longline says without any rules file, pack by pack. This page is made from the packs themselves\n")
	b.WriteString("(`internal/policy/packs`); why they are as they are is in [policy.md](policy.md). `longline rules --verbose` lists what is\n")
	b.WriteString("in force on your machine, and `disable: [ID]` in a rules file switches a rule off.\n\n")
	b.WriteString("`{target}` stands for the path, host or name that the effect is on. The level says from which `safety_level` on a rule is active.\n")
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
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| Rule | Says | Level | Reason | Instead |\n| --- | --- | --- | --- | --- |\n", name, comment(string(text)))
		for _, r := range f.Rules {
			rules++
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.ID, r.Decision, r.Level, cell(r.Reason), cell(r.Suggest))
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

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
