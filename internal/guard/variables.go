package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
)

// Moving lists variables that make a program work in another directory. They count
// by their value, no matter who set them.
var Moving = [...]string{
	"CDPATH", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE",
}

// VariableEffect says what a variable that a project's settings set does to the
// guarding of commands, or "" if it is nothing.
func VariableEffect(name string) string {
	switch name {
	case "PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "SHELL", "CLAUDE_CODE_SHELL_PREFIX":
		return "other programs may run in place of those named, so every command asks"
	case "HOME":
		return "programs read their settings from there; longline does not"
	case "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR":
		return "programs read their settings from there; longline does only if you have recorded it"
	case "CLAUDE_CODE_SIMPLE":
		return "Claude Code runs without hooks"
	case "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_AUTH_TOKEN":
		return "what the agent reads and writes goes to another server"
	}
	switch {
	case strings.HasSuffix(name, "_HOST"), strings.HasSuffix(name, "_URI"):
		return "programs talk to another host"
	case name == "TAPE", strings.HasPrefix(name, "CLOUDSDK_"):
		return "programs write elsewhere, or more than usual"
	case strings.HasPrefix(name, "CONTENT_FILTER_"):
		return "it says where downloads are put"
	case slices.Contains(Moving[:], name):
		return "programs work in another directory than the one they run in"
	case command.Builtin().Matters(name):
		return "commands may do more than they say, so those affected ask"
	}
	return ""
}
