package install

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/guard"
	"longline/internal/strictjson"
)

func claudeCode() installer {
	return installer{
		agent: "claude",
		files: claudeFiles, examine: examineClaude, plugin: claudePlugin,
		live: []string{"-p", promptMark},
	}
}

// claudeEntries: the exec form, because a shell line can be bent by the
// environment that a project sets; every tool, because a narrower matcher shows
// Monitor as Bash and then ignores part of the answer; and a block when longline
// fails, which versions before 2.1.295 accept and ignore. What comes after a tool
// tells the log that a call which was asked about has run, and looks at what came in.
func claudeEntries(c Command) []entry {
	hook := func(more ...field) string {
		argv := c.argv("claude")
		var args []string
		for _, a := range argv[1:] {
			args = append(args, strictjson.Quote(a))
		}
		fields := []field{str("type", "command"), str("command", argv[0]), {"args", list(args...)}, num("timeout", seconds)}
		return obj(append(fields, more...)...)
	}
	return []entry{
		{path: []string{"hooks", "PreToolUse"}, element: group("*", hook(str("onFailure", "block")))},
		{path: []string{"hooks", "PostToolUse"}, element: group("*", hook())},
		{path: []string{"hooks", "PostToolUseFailure"}, element: group("*", hook())}, // a command that ran and failed
		{path: []string{"hooks", "SessionStart"}, element: group("", hook())},
		{path: []string{"hooks", "ConfigChange"}, element: group("", hook())},
		// Files reach the model by these ways without a tool call.
		{path: []string{"hooks", "UserPromptSubmit"}, element: group("", hook())},
		{path: []string{"hooks", "InstructionsLoaded"}, element: group("", hook())},
	}
}

const claudeManaged = "/etc/claude-code"

func claudeDir(p *Place) string { return p.dir("CLAUDE_CONFIG_DIR", ".claude") }

func claudeFiles(p *Place) ([]target, error) {
	file := &listFile{check: claudeRejects, entries: claudeEntries}
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(claudeDir(p), "settings.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".claude/settings.json"))}, nil
	case Managed:
		return []target{file.target(claudeManaged + "/managed-settings.json")}, nil
	}
	return nil, noScope("Claude Code", p.Scope, User, Project, Managed)
}

// claudeRejects finds the mistakes for which Claude Code is known to drop a
// settings file without a word: every hook in it is gone then, and commands run.
func claudeRejects(root strictjson.Value) error {
	for _, key := range [...]string{"allow", "ask", "deny"} {
		if v := root.Get("permissions").Get(key); v.Kind != strictjson.Absent && v.Kind != strictjson.Array {
			return fmt.Errorf("\"permissions.%s\" is %s (want a list)", key, v.Kind)
		}
	}
	for _, g := range root.Get("hooks").Get("PreToolUse").Items {
		for _, h := range g.Get("hooks").Items {
			if t := h.Get("type").Text; !slices.Contains([]string{"command", "http", "prompt", "agent", "mcp_tool"}, t) {
				return fmt.Errorf("a hook of PreToolUse has the unknown type %q", t)
			}
			if t := h.Get("timeout"); t.Kind != strictjson.Absent && (t.Kind != strictjson.Number || strings.HasPrefix(t.Text, "-")) {
				return fmt.Errorf("a hook of PreToolUse has the timeout %s", t.Raw)
			}
			if f := h.Get("onFailure"); f.Kind != strictjson.Absent && f.Text != "continue" && f.Text != "block" {
				return fmt.Errorf("a hook of PreToolUse has onFailure %s", f.Raw)
			}
		}
	}
	return nil
}

// claudeSettings are the files that Claude Code reads, and whether an
// administrator wrote them.
func claudeSettings(x *Exam) (managed, others []string) {
	managed = append([]string{claudeManaged + "/managed-settings.json"}, x.Glob(claudeManaged+"/managed-settings.d/*.json")...)
	others = []string{path.Join(claudeDir(&x.Place), "settings.json")}
	for _, name := range [...]string{"settings.json", "settings.local.json"} {
		if file := path.Join(x.Place.Project, ".claude", name); file != others[0] {
			others = append(others, file)
		}
	}
	return managed, others
}

func examineClaude(x *Exam) {
	x.variable("CLAUDE_CODE_SIMPLE", "Claude Code runs without hooks")
	managed, others := claudeSettings(x)
	fixed := slices.ContainsFunc(managed, func(file string) bool { return agent.ClaudeStarts([]byte(x.json(file, false).Raw)) })
	for _, file := range append(slices.Clone(managed), others...) {
		root := x.json(file, false)
		for _, s := range agent.ClaudeSwitches([]byte(root.Raw), guard.VariableEffect) {
			level, fix := Warn, "remove it, or install with longline init --agent claude --scope managed"
			switch {
			case s.Off && fixed && !slices.Contains(managed, file):
				fix = "remove it; longline runs anyway, because it is in the managed settings"
			case s.Off:
				level = Fail
			}
			x.say(level, file+" sets "+s.Setting+": "+s.Effect, fix)
		}
		if slices.Contains(managed, file) && root.Get("allowManagedHooksOnly").True && !agent.ClaudeStarts([]byte(root.Raw)) {
			x.off(file, "allowManagedHooksOnly", "hooks in your own settings do not run", "longline init --agent claude --scope managed")
		}
		x.hooks(file, root.Get("hooks").Get("PreToolUse"))
	}
}

// claudePlugin: a plugin is on where the user's settings say so, whichever
// marketplace it came from.
func claudePlugin(p *Place, read func(path string) ([]byte, error)) string {
	file := path.Join(claudeDir(p), "settings.json")
	text, _ := read(file)
	root, _ := strictjson.Parse(text)
	for _, m := range root.Get("enabledPlugins").Members {
		if name, _, _ := strings.Cut(m.Key, "@"); name == "longline" && m.Value.True {
			return file + ", enabledPlugins." + m.Key
		}
	}
	return ""
}
