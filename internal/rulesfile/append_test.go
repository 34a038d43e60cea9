package rulesfile

import (
	"strings"
	"testing"
)

const (
	newRule = "- id: new-rule\n  match: {command: git push}\n  decision: allow\n  reason: asked often"
	newTest = "- {id: new-test, command: git push, expected: {decision: allow}}"
)

func TestAppend(t *testing.T) {
	for name, c := range map[string]struct{ old, want string }{
		"empty": {"", "version: 1\nrules:\n  - id: new-rule\n    match: {command: git push}\n    decision: allow\n    reason: asked often\ntests:\n  - {id: new-test, command: git push, expected: {decision: allow}}\n"},
		"lists, comments and what follows": {
			"# mine\nversion: 1\nrules:\n  # first\n  - id: a\n    match: {command: ls}\n    decision: deny\n    reason: no\n\n# about the level\nsafety_level: high\ntests:\n  - {id: t, command: ls, expected: {decision: deny}}\n",
			"# mine\nversion: 1\nrules:\n  # first\n  - id: a\n    match: {command: ls}\n    decision: deny\n    reason: no\n  - id: new-rule\n    match: {command: git push}\n    decision: allow\n    reason: asked often\n\n# about the level\nsafety_level: high\ntests:\n  - {id: t, command: ls, expected: {decision: deny}}\n  - {id: new-test, command: git push, expected: {decision: allow}}\n",
		},
		"not indented, no newline at the end": {
			"version: 1\nrules:\n- id: a\n  match: {command: ls}\n  decision: deny\n  reason: no",
			"version: 1\nrules:\n- id: a\n  match: {command: ls}\n  decision: deny\n  reason: no\n- id: new-rule\n  match: {command: git push}\n  decision: allow\n  reason: asked often\ntests:\n  - {id: new-test, command: git push, expected: {decision: allow}}\n",
		},
		"empty list": {
			"version: 1\nrules: []  # none yet\n",
			"version: 1\nrules:\n  - id: new-rule\n    match: {command: git push}\n    decision: allow\n    reason: asked often\ntests:\n  - {id: new-test, command: git push, expected: {decision: allow}}\n",
		},
	} {
		got, err := Append("rules.yaml", []byte(c.old), []string{newRule}, []string{newTest})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	for name, old := range map[string]string{
		"flow style":     "version: 1\nrules: [{id: a, match: {command: ls}, decision: deny, reason: no}]\n",
		"one JSON value": `{"version": 1, "rules": []}`,
		"broken":         "version: 1\nrules: {",
		"same id":        "version: 1\nrules:\n  - id: new-rule\n    match: {command: ls}\n    decision: deny\n    reason: no\n",
		"other version":  "version: 2\n",
	} {
		if got, err := Append("rules.yaml", []byte(old), []string{newRule}, []string{newTest}); err == nil {
			t.Errorf("%s:\n%s", name, got)
		} else if !strings.Contains(err.Error(), "rules.yaml") {
			t.Errorf("%s: the message does not name the file: %v", name, err)
		}
	}
}

// FuzzAppend: what can be added to still says what it said, and one rule more.
func FuzzAppend(f *testing.F) {
	for _, seed := range rulesSeeds(f) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		out, err := Append("f", text, []string{newRule}, []string{newTest})
		if err != nil {
			return
		}
		open := func(_, name string) (string, []byte, error) { return name, []byte("version: 1\n"), nil }
		file, err := Parse("f", out, open)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if last := file.Rules[len(file.Rules)-1]; last.ID != "new-rule" {
			t.Fatalf("the last rule is %s\n%s", last.ID, out)
		}
	})
}
