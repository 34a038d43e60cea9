package config

import (
	"strings"

	"longline/internal/agent"
	"longline/internal/paths"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// clientRules says what the user's own permission rules of Claude Code say to
// commands. The client holds them against the changed command only, so that a
// change would hide what they forbid. They are read when a change is about to be
// made, and only what they forbid or ask for counts.
func (c *Config) clientRules(name string, commands []string) (decision tool.Decision, rule string) {
	decision = tool.Pass
	if !agent.Permissions(name) {
		return decision, ""
	}
	for _, file := range c.Settings.All() {
		settings, err := strictjson.Parse(c.Settings.now(file))
		if err != nil {
			continue // it is not there, or the client does not start with it either
		}
		permissions := settings.Get("permissions")
		for _, list := range []struct {
			name     string
			decision tool.Decision
		}{{"deny", tool.Deny}, {"ask", tool.Ask}} {
			for _, r := range permissions.Get(list.name).Items {
				if list.decision > decision && matchesAny(r.Text, commands) {
					decision, rule = list.decision, r.Text
				}
			}
		}
	}
	return decision, rule
}

// matchesAny says whether a rule for the shell tool speaks of one of the
// commands: "Bash", "Bash(exact text)", "Bash(prefix:*)" or with stars. In doubt
// it does.
func matchesAny(rule string, commands []string) bool {
	if rule == "Bash" {
		return true
	}
	pattern, ok := strings.CutPrefix(rule, "Bash(")
	pattern, closed := strings.CutSuffix(pattern, ")")
	if !ok || !closed {
		return false
	}
	pattern = strings.TrimSpace(pattern)
	for _, c := range commands {
		if speaksOf(pattern, strings.TrimSpace(c)) {
			return true
		}
	}
	return false
}

// speaksOf says whether a pattern is a command, its beginning or has it with stars.
func speaksOf(pattern, command string) bool {
	if command == pattern || strings.Contains(pattern, "*") && paths.Stars(pattern, command) {
		return true
	}
	prefix, ok := strings.CutSuffix(pattern, ":*")
	if !ok {
		prefix, ok = strings.CutSuffix(pattern, " *")
	}
	return ok && (paths.Stars(prefix, command) || paths.Stars(prefix+" *", command))
}
