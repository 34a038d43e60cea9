//go:build linux

package e2e

import (
	"os"
	"strings"
	"testing"
)

// TestClaudeUndo: the client removes and overwrites work that nothing else has, unasked, and the
// person has it back afterwards.
func TestClaudeUndo(t *testing.T) {
	c := clients[0]
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		client, program := c.find(t), built(t)
		p := prepare(t)
		p.Files[p.project("notes.md")], p.Files[p.project("data.txt")] = "a week of work\n", "one\n"
		p.Calls = []toolCall{{"Bash", fields{"command": "rm notes.md; echo two > data.txt", "description": "Clean up"}}}
		c.setup(t, &p, client)
		p.Argv[len(p.Argv)-1] = "default" // only longline's approval lets it run
		p.Argv = append([]string{"/bin/sh", "-c", `"$@"; ls >left.txt; "$PROGRAM" undo last --yes >undone.txt 2>&1`, "sh"}, p.Argv...)
		p.Env = append(p.Env, "PROGRAM="+program)
		c.wire(t, &p, program)
		r := do(t, p)
		if left, err := os.ReadFile(p.project("left.txt")); err != nil || strings.Contains(string(left), "notes.md") {
			t.Errorf("the command did not run: %q, %v\n%s", left, err, tail(r.Output))
		}
		for name, want := range map[string]string{"notes.md": "a week of work\n", "data.txt": "one\n"} {
			if text, err := os.ReadFile(p.project(name)); err != nil || string(text) != want {
				said, _ := os.ReadFile(p.project("undone.txt"))
				t.Errorf("%s is %q, %v; undo said %s\n%s", name, text, err, said, tail(r.Output))
			}
		}
	})
}
