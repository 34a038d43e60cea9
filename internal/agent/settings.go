package agent

import (
	"path"
	"strings"

	"longline/internal/strictjson"
)

// Starts reports whether the settings of one hook, of whichever agent, start
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

// Permissions reports whether a call of an agent is also held against the
// permission rules in Claude Code's settings.
func Permissions(agent string) bool { return agent == "claude" || agent == "claude-legacy" }

// Watched reports whether changes of an agent's settings are shown to longline,
// and the settings known well enough to be judged.
func Watched(agent string) bool { return agent == "claude" }

// ClaudeStarts reports whether a settings file of Claude Code calls longline
// before each tool call. A file that the client would drop does not.
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

// Switch is a setting that keeps hooks from running or changes what they do.
type Switch struct {
	Setting string
	Effect  string
	Off     bool // hooks do not run at all
}

// ClaudeSwitches finds them in a settings file of Claude Code; effect says what
// setting a variable does, or "".
func ClaudeSwitches(settings []byte, effect func(variable string) string) []Switch {
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
	for _, v := range ClaudeEnv(settings) {
		if effect := effect(v.Name); effect != "" {
			found = append(found, Switch{"env." + v.Name, effect, false})
		}
	}
	return found
}

// Setting is a variable that a settings file sets.
type Setting struct{ Name, Value string }

// ClaudeEnv lists the variables that a settings file of Claude Code sets for all
// that the client runs, hooks included.
func ClaudeEnv(settings []byte) []Setting {
	if len(settings) == 0 {
		return nil
	}
	root, err := strictjson.Parse(settings)
	if err != nil {
		return nil
	}
	var list []Setting
	for _, m := range root.Get("env").Members {
		list = append(list, Setting{m.Key, m.Value.Text})
	}
	return list
}
