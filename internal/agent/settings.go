package agent

import (
	"path"
	"strings"

	"longline/internal/strictjson"
)

// Starts says whether the settings of one hook, of whichever agent, start
// longline.
func Starts(h strictjson.Value) bool { return Program(h) != "" }

// Program is what the settings of one hook start, if that is longline; else "".
func Program(h strictjson.Value) string {
	for _, key := range [...]string{"command", "bash", "to"} {
		if h.Get(key).Kind != strictjson.String {
			continue
		}
		program, rest := firstWord(h.Get(key).Text)
		switch path.Base(program) {
		case "longline", "longline.exe":
			args := h.Get("args")
			if strings.HasPrefix(rest, "hook") || len(args.Items) > 0 && args.Items[0].Text == "hook" {
				return program
			}
		case "longline-hook", "longline-amp":
			return program
		}
	}
	return ""
}

// firstWord takes the program off a shell line; only the quoting that init does
// is understood. A program in an exec form stands there bare.
func firstWord(line string) (word, rest string) {
	if strings.HasPrefix(line, "'") {
		inner := strings.ReplaceAll(line, `'\''`, "\x00")
		word, rest, _ = strings.Cut(inner[1:], "'")
		return strings.ReplaceAll(word, "\x00", "'"), strings.TrimSpace(rest)
	}
	const small = "longline-hook "
	if i := strings.Index(line, small); i >= 0 {
		return line[:i+len(small)-1], line[i+len(small):]
	}
	if i := strings.Index(line, " hook"); i >= 0 {
		return line[:i], line[i+1:]
	}
	return line, ""
}

// Permissions says whether a call of an agent is also held against the permission
// rules in Claude Code's settings.
func Permissions(agent string) bool { return agent == "claude" || agent == "claude-legacy" }

// Watched says whether changes of an agent's settings are shown to longline, and
// the settings known well enough to be judged.
func Watched(agent string) bool { return agent == "claude" }

// ClaudeStarts says whether a settings file of Claude Code has longline asked
// before each tool call. One that the client would drop has not.
func ClaudeStarts(settings []byte) bool {
	root, err := strictjson.Parse(settings)
	if err != nil {
		return false
	}
	for _, group := range root.Get("hooks").Get("PreToolUse").Items {
		for _, h := range group.Get("hooks").Items {
			if Starts(h) {
				return true
			}
		}
	}
	return false
}

// Switch is a setting by which hooks are kept from running, or bent.
type Switch struct {
	Setting string
	Effect  string
	Off     bool // hooks do not run at all
}

// ClaudeSwitches finds them in a settings file of Claude Code.
func ClaudeSwitches(settings []byte) []Switch {
	root, err := strictjson.Parse(settings)
	if err != nil {
		return nil
	}
	var found []Switch
	if root.Get("disableAllHooks").True {
		found = append(found, Switch{"disableAllHooks", "no hook runs, except those in managed settings", true})
	}
	for _, m := range root.Get("enabledPlugins").Members {
		if name, _, _ := strings.Cut(m.Key, "@"); name == "longline" && m.Value.Kind == strictjson.Bool && !m.Value.True {
			found = append(found, Switch{"enabledPlugins." + m.Key, "longline's plugin does not run", true})
		}
	}
	for _, m := range root.Get("env").Members {
		if effect := variableEffect(m.Key); effect != "" {
			found = append(found, Switch{"env." + m.Key, effect, false})
		}
	}
	return found
}

// variableEffect says what setting a variable does to the guarding of commands,
// or "".
func variableEffect(name string) string {
	switch name {
	case "PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "SHELL", "CLAUDE_CODE_SHELL_PREFIX":
		return "other programs may run in place of those that are named"
	case "BASH_ENV", "ENV", "ZDOTDIR", "PROMPT_COMMAND", "CLAUDE_ENV_FILE", "NODE_OPTIONS", "PYTHONSTARTUP", "PYTHONPATH", "PERL5OPT", "PERL5LIB", "RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS",
		"GIT_SSH", "GIT_SSH_COMMAND", "GIT_PAGER", "PAGER", "GIT_EDITOR", "EDITOR", "VISUAL", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_COUNT", "GIT_EXEC_PATH":
		return "commands may run code that does not stand in them"
	case "HOME":
		return "longline reads its rules, and other programs their settings, from there instead of the user's home"
	case "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR":
		return "programs read their settings from there; longline does not if it is in the project"
	case "CLAUDE_CODE_SIMPLE":
		return "Claude Code runs without hooks"
	}
	return ""
}
