package cli

import (
	"bytes"
	"path/filepath"

	"longline/internal/install"
	"longline/internal/schema"
)

// schemaFile is the name of the schema beside the user's rules file, which the
// file names in its first line, so that editors check it.
const schemaFile = "rules.schema.json"

// firstRules is a rules file to begin with. It changes nothing.
const firstRules = `# yaml-language-server: $schema=` + schemaFile + `
# Your rules, beside the built-in ones, which "longline rules" lists. "longline
# docs rules" is the reference, "longline docs recipes" has ten to copy, and
# "longline test" runs the tests below.
version: 1

# critical: object only to what is always wrong; high: the default; strict: ask more.
safety_level: high

rules: []
# - id: use-uv
#   match: {command: pip install}
#   decision: deny
#   reason: This machine installs with uv
#   suggest: Use uv pip install

tests:
  - {id: status-needs-no-question, command: git status, expected: {decision: allow}}
`

// rulesChanges are what "init --rules" writes: a rules file where there is none,
// and the schema of this longline.
func rulesChanges(home string) ([]install.Change, error) {
	dir := filepath.Join(home, ".config/longline")
	var text bytes.Buffer
	if err := writeJSON(&text, true, schema.Of("rules")); err != nil {
		return nil, err
	}
	changes := []install.Change{
		{Path: filepath.Join(dir, "rules.yaml"), New: []byte(firstRules), Mode: 0o600},
		{Path: filepath.Join(dir, schemaFile), New: text.Bytes(), Mode: 0o600},
	}
	for i := range changes {
		c := &changes[i]
		var err error
		if c.Old, err = readFile(c.Path); err != nil {
			return nil, err
		}
		if c.Old != nil && i == 0 {
			c.New = c.Old // it is the user's
		}
	}
	return changes, nil
}
