package install

import "path"

// signs are what tells that an agent is on a machine.
type signs struct {
	agent    string
	programs []string
	dir      string // below the home directory
}

var allSigns = []signs{
	{"claude", []string{"claude"}, ".claude"},
	{"codex", []string{"codex"}, ".codex"},
	{"gemini", []string{"gemini"}, ".gemini"},
	{"copilot", []string{"copilot"}, ".copilot"},
	{"opencode", []string{"opencode"}, ".config/opencode"},
	{"qwen", []string{"qwen"}, ".qwen"},
	{"droid", []string{"droid"}, ".factory"},
	{"cline", []string{"cline"}, ".cline"},
	{"amp", []string{"amp"}, ".config/amp"},
	{"cursor", []string{"cursor", "cursor-agent"}, ".cursor"},
	{"windsurf", []string{"windsurf"}, ".codeium/windsurf"},
	{"kiro", []string{"kiro", "kiro-cli"}, ".kiro"},
}

// Found lists the agents that seem to be on the machine: their directory is
// there, or their program is on the search path.
func Found(home string, exists func(path string) bool, onPath func(program string) bool) []string {
	var found []string
	for _, s := range allSigns {
		there := exists(path.Join(home, s.dir))
		for _, program := range s.programs {
			there = there || onPath(program)
		}
		if there {
			found = append(found, s.agent)
		}
	}
	return found
}

// Programs lists the names of an agent's programs.
func Programs(agent string) []string {
	for _, s := range allSigns {
		if s.agent == agent {
			return s.programs
		}
	}
	return nil
}
