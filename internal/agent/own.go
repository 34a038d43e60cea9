package agent

// ownPlaces are the places in the home directory that a client writes to by itself,
// without asking anybody: its plans, its memory, its scratch files. Whatever
// configures a client, or is read as instructions by another one, is not among them.
// A member stands for itself and everything below it.
var ownPlaces = map[string][]string{
	"claude":  {"~/.claude/plans", "~/.claude/projects/*/memory", "~/.claude/todos", "~/.claude/tasks", "~/.claude/scratch"},
	"codex":   {"~/.codex/memories", "~/.codex/plans", "~/.codex/tmp"},
	"gemini":  {"~/.gemini/tmp"},
	"qwen":    {"~/.qwen/tmp", "~/.qwen/todos"},
	"cursor":  {"~/.cursor/plans"},
	"copilot": {"~/.copilot/session-state"},
	"droid":   {"~/.factory/specs"},
	"amp":     {"~/.cache/amp"},
}

// Own lists an agent's own places, "~" for the home directory.
func Own(name string) []string { return ownPlaces[name] }
