package agent

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"longline/internal/strictjson"
)

// Starts reports whether the settings of one hook, of whichever agent, start
// longline.
func Starts(h strictjson.Value) bool { return Program(h) != "" }

// Program is what the settings of one hook start, if that is longline; else "".
func Program(h strictjson.Value) string {
	for _, key := range [...]string{"command", "bash", "powershell", "to"} {
		if h.Get(key).Kind != strictjson.String {
			continue
		}
		program, rest := firstWord(strings.TrimPrefix(h.Get(key).Text, "& "))
		switch path.Base(program) {
		case "longline", "longline.exe":
			args := h.Get("args")
			if rest == "" && len(args.Items) == 0 || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "hook") || len(args.Items) > 0 && args.Items[0].Text == "hook" {
				return program
			}
		case "longline-hook", "longline-hook.exe":
			return program
		default:
			if isDelegate(path.Base(program)) {
				return program
			}
		}
	}
	return ""
}

// isDelegate reports whether a program has the name of the script through which an agent
// calls longline.
func isDelegate(name string) bool {
	name, ok := strings.CutPrefix(name, "longline-")
	if !ok {
		return false
	}
	h := FactsOf(name).Hooks
	return h != nil && h.Form == Delegated
}

// firstWord takes the program off a shell line; only the quoting that init does
// is understood. A program in an exec form stands there bare.
func firstWord(line string) (word, rest string) {
	if strings.HasPrefix(line, "'") {
		inner := strings.ReplaceAll(line, `'\''`, "\x00")
		word, rest, _ = strings.Cut(inner[1:], "'")
		return strings.ReplaceAll(word, "\x00", "'"), strings.TrimSpace(rest)
	}
	if first, rest, _ := strings.Cut(line, " "); strings.TrimSuffix(path.Base(first), ".exe") == "longline" {
		return first, strings.TrimSpace(rest)
	}
	for _, small := range [...]string{"longline-hook ", "longline-hook.exe "} {
		if i := strings.Index(line, small); i >= 0 {
			return line[:i+len(small)-1], line[i+len(small):]
		}
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
	for _, m := range root.Get(ClaudePlugins).Members {
		if name, _, _ := strings.Cut(m.Key, "@"); name == "longline" && m.Value.Kind == strictjson.Bool && !m.Value.True {
			found = append(found, Switch{ClaudePlugins + "." + m.Key, "longline's plugin does not run", true})
		}
	}
	for _, v := range ClaudeEnv(root) {
		if effect := effect(v.Name); effect != "" {
			found = append(found, Switch{"env." + v.Name, effect, false})
		}
	}
	return found
}

// claudeRejects finds the mistakes for which Claude Code is known to drop a
// settings file without a word: every hook in it is gone then, and commands run.
func claudeRejects(root strictjson.Value) error {
	for _, key := range [...]string{"allow", "ask", "deny"} {
		if v := root.Get("permissions").Get(key); v.Kind != strictjson.Absent && v.Kind != strictjson.Array {
			return errors.New(`"permissions.` + key + `" is ` + v.Kind.String() + " (want a list)")
		}
	}
	for _, group := range root.Get("hooks").Get("PreToolUse").Items {
		for _, h := range group.Get("hooks").Items {
			if wrong := claudeRejectsHook(h); wrong != "" {
				return errors.New("a hook of PreToolUse has " + wrong)
			}
		}
	}
	return nil
}

// claudeRejectsHook says what is wrong with one hook, or "".
func claudeRejectsHook(h strictjson.Value) string {
	if t := h.Get("type").Text; !slices.Contains(claudeHookTypes, t) {
		return "the unknown type " + strconv.Quote(t)
	}
	if t := h.Get("timeout"); t.Kind != strictjson.Absent && (t.Kind != strictjson.Number || strings.HasPrefix(t.Text, "-")) {
		return "the timeout " + t.Raw
	}
	if f := h.Get("onFailure"); f.Kind != strictjson.Absent && f.Text != "continue" && f.Text != "block" {
		return "onFailure " + f.Raw
	}
	return ""
}

var claudeHookTypes = []string{"command", "http", "prompt", "agent", "mcp_tool"}

// Setting is a variable that a settings file sets.
type Setting struct{ Name, Value string }

// ClaudeEnv lists the variables that settings of Claude Code set for all that the client
// runs, hooks included.
func ClaudeEnv(root strictjson.Value) []Setting {
	var list []Setting
	for _, m := range root.Get("env").Members {
		list = append(list, Setting{m.Key, m.Value.Text})
	}
	return list
}

// ClaudeRuns lists the commands that settings of Claude Code have it run by itself: hooks, status lines, helpers for keys.
func ClaudeRuns(root strictjson.Value) []string { return commandsIn("", root, nil) }

func commandsIn(key string, v strictjson.Value, list []string) []string {
	// others: they are no text.
	switch v.Kind {
	case strictjson.Object:
		for _, m := range v.Members {
			if m.Key != "env" && m.Key != "permissions" {
				list = commandsIn(m.Key, m.Value, list)
			}
		}
	case strictjson.Array:
		for _, item := range v.Items {
			list = commandsIn(key, item, list)
		}
	case strictjson.String:
		if key == "command" || key == "args" || strings.HasSuffix(key, "Helper") || strings.HasSuffix(key, "Refresh") || strings.HasSuffix(key, "Export") {
			list = append(list, v.Text)
		}
	}
	return list
}
