package migrate

import (
	"strings"

	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// hooksConfig reads a hooks.config.json in either structure.
func hooksConfig(name string, text []byte) (Draft, error) {
	list, err := rulesfile.HookEntries(name, text)
	if err != nil {
		return Draft{}, err
	}
	d := Draft{Kind: "claude-hooks", Hint: "longline also reads hooks.config.json as it is, in ~/.config/claude, ~/.claude and the project's .claude."}
	for _, h := range list {
		word := [...]string{rulesfile.Approve: "approve", rulesfile.Undefined: "no decision on", rulesfile.Block: "block"}[h.Decision]
		e := Entry{Source: h.Source, Text: strings.TrimSpace(word + " " + strings.TrimSpace(h.Command+" "+h.Pattern)), Reason: h.Reason, Given: true, Prefix: true}
		e.Decision = [...]tool.Decision{rulesfile.Approve: tool.Allow, rulesfile.Undefined: tool.Pass, rulesfile.Block: tool.Deny}[h.Decision]
		e.ID = strings.Join(strings.Fields(h.Command), "-")
		hookMatch(&e, &h)
		d.Entries = append(d.Entries, e)
	}
	return d, nil
}

// hookMatch says what an entry matches, or why it is not imported.
func hookMatch(e *Entry, h *rulesfile.HookEntry) {
	switch {
	case h.Wrong != "":
		e.Why = "it is not valid: " + h.Wrong
	case h.Tool != "Bash":
		toolMatch(e, h)
	case h.Pattern != "":
		e.Match = byText(h.Command, h.Pattern)
	case h.Decision == rulesfile.Approve && h.Command != "":
		e.Command, e.Example = h.Command, h.Command
	case h.Decision == rulesfile.Approve:
		e.Why = "it approves every command; default_decision: pass leaves commands without a rule to the agent"
	case h.Command != "":
		e.Match, e.Example = "{command: "+rulesfile.Quote(h.Command)+"}", h.Command
	default:
		e.Match, e.Example = `{text: ""}`, "ls"
	}
}

// toolMatch is for an entry about another tool than the shell.
func toolMatch(e *Entry, h *rulesfile.HookEntry) {
	if h.Command != "" || h.Pattern != "" || h.Decision == rulesfile.Approve {
		e.Text += " (tool " + h.Tool + ")"
		e.Why = "longline judges commands; of the tool " + h.Tool + " it can only forbid every call"
		return
	}
	e.Match, e.ID = "{tool: "+rulesfile.Quote(h.Tool)+"}", h.Tool
}
