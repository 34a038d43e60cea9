package modelfile

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
)

// TestEveryVariableThatMatters: whatever variable a model says more of than "text" is
// one that matters when a project's settings set it, also where only its name is
// looked at, as at the start of a session.
func TestEveryVariableThatMatters(t *testing.T) {
	seen := 0
	check := func(file string, list []command.EnvUse) {
		for i := range list {
			name := strings.ReplaceAll(list[i].Name, "*", "X")
			if !list[i].Matters() {
				continue
			}
			seen++
			if guard.VariableEffect(name) == "" {
				t.Errorf("%s: the variable %q is %q to a program, and by its name alone nothing: add it to %s", file, list[i].Name, list[i].Uses[0].Name, VariablesFile)
			}
		}
	}
	var look func(file string, l *command.Level)
	look = func(file string, l *command.Level) {
		check(file, l.Env.All())
		for i := range l.Subs.All() {
			look(file, l.Subs.All()[i].Level)
		}
	}
	check(VariablesFile, readVariables(t))
	_, parsed := load(t)
	for name, f := range parsed {
		for _, m := range f.Models {
			look(name, &m.Level)
		}
	}
	if seen < 500 {
		t.Errorf("only %d variables were looked at", seen)
	}
}
