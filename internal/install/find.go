package install

import (
	"path"
	"strings"

	"longline/internal/agent"
)

// Found lists the agents that seem to be on the machine: their directory is
// there, or their program is on the search path.
func Found(home string, exists func(path string) bool, onPath func(program string) bool) []string {
	var found []string
	for _, f := range installable() {
		there := f.Dir != "" && exists(path.Join(home, f.Dir))
		for _, program := range f.Programs {
			there = there || onPath(program)
		}
		if there {
			found = append(found, f.Name)
		}
	}
	return found
}

// Programs lists the names of an agent's programs.
func Programs(name string) []string { return agent.FactsOf(name).Programs }

// What stands in for the prompt and the command in [agent.Hooks.Live].
const (
	promptMark  = "{prompt}"
	commandMark = "{command}"
)

// Live is how an agent's program, the first of [Programs], is made to run one
// command with nobody looking. Without a prompt in it no model is asked. It is
// nil for agents that cannot be.
func Live(name, prompt, command string) (args []string, asksModel bool) {
	f := find(name)
	if f == nil {
		return nil, false
	}
	for _, a := range f.Hooks.Live {
		asksModel = asksModel || a == promptMark
		args = append(args, strings.NewReplacer(promptMark, prompt, commandMark, command).Replace(a))
	}
	return args, asksModel
}
