package userfiles

import (
	"strings"
	"testing"

	"longline/internal/rulesfile"
	"longline/internal/schema"
)

// uncommented takes the # away from the examples of the first rules file, from
// all or from those of one block alone.
func uncommented(t *testing.T, only string) string {
	t.Helper()
	var out strings.Builder
	key, found := "", false
	for line := range strings.Lines(string(firstRules)) {
		text, comment := strings.CutPrefix(line, "#")
		remark := strings.TrimSpace(text) == "" || text[0] == ' ' && len(text) > 1 && text[1] != ' '
		if !comment || remark {
			out.WriteString(line)
			continue
		}
		if text[0] != ' ' {
			key, _, _ = strings.Cut(text, ":")
		}
		if only != "" && key != only {
			out.WriteString(line)
			continue
		}
		found = true
		out.WriteString(text)
	}
	if !found {
		t.Fatalf("there is no example of %q", only)
	}
	return out.String()
}

// TestFirstRules: the file changes nothing as it is, and every example in it is
// good, alone and with all others. That its rules do what its tests say is seen
// in testdata/script/init-rules.txtar.
func TestFirstRules(t *testing.T) {
	empty, err := rulesfile.Parse("rules.yaml", []byte("version: 1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := rulesfile.Parse("rules.yaml", firstRules, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Rules) != len(empty.Rules) || first.Safety != empty.Safety || first.Default != empty.Default {
		t.Error("it is not as good as empty")
	}
	if !strings.HasPrefix(string(firstRules), "# yaml-language-server: $schema=rules.schema.json\n") {
		t.Error("editors do not find the schema")
	}
	properties := schema.Of("rules")["properties"].(schema.Schema)
	for _, key := range []string{"", "safety_level", "default_decision", "disable", "allowlists", "sandbox", "log", "rules"} {
		text := uncommented(t, key)
		if _, err := rulesfile.Parse("rules.yaml", []byte(text), nil); err != nil {
			t.Errorf("%s: %v\n%s", key, err, text)
		}
		if key != "" && properties[key] == nil {
			t.Errorf("the schema does not know %s", key)
		}
	}
}
