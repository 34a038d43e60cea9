package migrate

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/paths"
	"longline/internal/rulesfile"

	"longline/internal/source"
	"longline/internal/tool"
)

// claude reads the permissions of Claude Code's settings.
func claude(name string, permissions source.Node) (Draft, error) {
	d := Draft{Kind: "Claude Code's permissions", Hint: "For Claude Code, longline already follows the permissions in your own settings. A draft is for other agents, and for the settings of a project."}
	c := claudeFile{name: name}
	for _, p := range permissions.Pairs() {
		decision, ok := map[string]tool.Decision{"allow": tool.Allow, "ask": tool.Ask, "deny": tool.Deny}[p.Name()]
		if !ok {
			e := Entry{Source: p.Key.Pos(), Text: p.Name(), Why: "it is a setting of the agent and stays there"}
			if p.Name() == "additionalDirectories" {
				e.Why = "longline reads it in the agent's own settings"
			}
			d.Entries = append(d.Entries, e)
			continue
		}
		for _, item := range p.Value.List() {
			e := c.entry(item.Text(), decision)
			e.Source, e.Text, e.Decision = item.Pos(), decision.String()+" "+item.Text(), decision
			if e.Reason == "" {
				e.Reason = "permissions." + decision.String() + " has " + item.Text()
			}
			d.Entries = append(d.Entries, e)
		}
	}
	return d, nil
}

type claudeFile struct{ name string }

const theAgents = "longline leaves this tool to the agent, where the entry still counts"

func (c *claudeFile) entry(text string, d tool.Decision) Entry {
	name, content, inner := strings.Cut(strings.TrimSpace(text), "(")
	if inner && !strings.HasSuffix(content, ")") || name == "" {
		return Entry{Why: "expected the form Tool or Tool(content)"}
	}
	content = strings.TrimSpace(strings.TrimSuffix(content, ")"))
	switch {
	case strings.HasPrefix(name, "mcp__"):
		return serverEntry(name, d)
	case slices.Contains([]string{"", "*", ":*"}, content):
		return wholeEntry(name, d)
	case name == "Bash":
		return bashEntry(content, d)
	case name == "WebFetch" && strings.HasPrefix(content, "domain:"):
		host := strings.TrimPrefix(content, "domain:")
		return Entry{Match: "{effect: {kind: [fetch, send], hosts: " + rulesfile.QuoteList([]string{host, "*." + strings.TrimPrefix(host, "*.")}) + "}}", ID: "host-" + host, Example: "curl https://" + strings.ReplaceAll(host, "*", "www") + "/"}
	}
	return c.fileEntry(name, content)
}

// wholeEntry is an entry for every call of a tool.
func wholeEntry(name string, d tool.Decision) Entry {
	switch {
	case name == "Bash" && d == tool.Allow:
		return Entry{Why: "it has no command, and longline allows what it can prove harmless"}
	case name == "Bash":
		return Entry{Match: `{text: ""}`, ID: "bash", Example: "ls"}
	case d == tool.Allow:
		return Entry{Why: theAgents}
	}
	return Entry{Match: "{tool: " + rulesfile.Quote(name) + "}", ID: name}
}

// serverEntry is an entry for a tool of an MCP server, or for all of its tools.
func serverEntry(name string, d tool.Decision) Entry {
	if d == tool.Allow {
		return Entry{Why: "longline never allows a tool of an MCP server by itself; the entry still counts in the agent's settings"}
	}
	glob := name
	if strings.Count(name, "__") == 1 {
		glob += "__*"
	}
	return Entry{Match: "{tool: " + rulesfile.Quote(glob) + "}", ID: name}
}

// fileEntry reads an entry for a tool that reads or changes files.
func (c *claudeFile) fileEntry(name, content string) Entry {
	kinds, program := "", ""
	switch name {
	case "Read", "Glob", "Grep":
		kinds, program = "[read]", "cat "
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		kinds, program = "[create, write, delete]", "rm "
	default:
		return Entry{Why: theAgents}
	}
	glob, example, why := c.path(content)
	if why != "" {
		return Entry{Why: why}
	}
	globs := []string{glob}
	if !strings.HasSuffix(glob, "/**") {
		globs = append(globs, strings.TrimSuffix(glob, "/")+"/**")
	}
	return Entry{Match: "{effect: {kind: " + kinds + ", paths: " + rulesfile.QuoteList(globs) + "}}", ID: strings.ToLower(name) + "-" + path.Base(strings.TrimSuffix(glob, "/**")), Example: program + example, Given: true}
}

// path makes a path of the settings one of longline's: // is the root there, one slash
// the directory of the settings, and a bare name stands for it anywhere.
func (c *claudeFile) path(text string) (glob, example, why string) {
	switch rest := strings.TrimPrefix(text, "./"); {
	case strings.ContainsAny(text, "!{}"):
		return "", "", "the pattern cannot be expressed as a glob of longline"
	case strings.HasPrefix(text, "//"):
		glob = text[1:]
	case strings.HasPrefix(text, "~/"):
		glob = text
	case strings.HasPrefix(text, "/") && filepath.Base(filepath.Dir(c.name)) == agent.ClaudeDir && !strings.HasPrefix(c.name, agent.ClaudeDir+"/"):
		return "", "", "a path with one slash starts at the settings' own directory; write it with two slashes, ~/ or ./ instead"
	case strings.HasPrefix(text, "/"):
		glob = "." + text
	case rest == text && !strings.Contains(strings.TrimSuffix(text, "/"), "/"):
		glob = "**/" + strings.TrimSuffix(text, "/")
	default:
		glob = "./" + strings.TrimSuffix(rest, "/")
	}
	example = strings.NewReplacer("/**/", "/x/", "**/", "x/", "/**", "/x", "*", "x", "?", "x").Replace(glob)
	return glob, strings.TrimPrefix(example, "./"), ""
}

// bashEntry reads what stands in Bash(…).
func bashEntry(content string, d tool.Decision) Entry {
	prefix, isPrefix := cutRest(content)
	words := strings.Fields(prefix)
	if !isPrefix && strings.Contains(content, "*") {
		return globEntry(content, false)
	}
	if len(words) == 0 {
		return Entry{Why: "it has no command"}
	}
	e := Entry{ID: strings.Join(words, "-"), Prefix: isPrefix, Example: strings.TrimSpace(prefix)}
	switch syntax := strings.ContainsAny(prefix, shellSyntax); {
	case syntax && d == tool.Allow && !isPrefix:
		// A whole script: whatever in it asks gets its rule.
	case syntax:
		e = Entry{Why: "it contains shell syntax, which longline reads command by command; write a rule about what the commands do"}
	case isPrefix || d == tool.Allow:
		e.Match = byWords(words)
	default:
		e.Match = byText(words[0], "^"+expression(strings.Join(words[1:], " "), false)+"$")
	}
	return e
}

// cutRest takes off what says that anything may follow.
func cutRest(content string) (prefix string, ok bool) {
	if prefix, ok = strings.CutSuffix(content, ":*"); !ok && strings.Count(content, "*") == 1 {
		return strings.CutSuffix(content, " *")
	}
	return prefix, ok
}

// globEntry is a pattern over the whole text of a command.
func globEntry(glob string, question bool) Entry {
	wild := func(text string) bool { return strings.Contains(text, "*") || question && !paths.Literal(text) }
	program, rest, _ := strings.Cut(strings.TrimSpace(glob), " ")
	example := strings.NewReplacer("*", "x", "?", "x").Replace(glob)
	switch {
	case strings.ContainsAny(strings.ReplaceAll(glob, "[", ""), shellSyntax):
		return Entry{Why: "it contains shell syntax, which longline reads command by command; write a rule about what the commands do"}
	case strings.Contains(glob, "["):
		example = ""
	}
	e := Entry{ID: strings.Join(strings.FieldsFunc(glob, func(r rune) bool { return strings.ContainsRune(" *?[]", r) }), "-"), Example: example, Given: true}
	if wild(program) {
		if strings.HasPrefix(glob, "*") && strings.HasSuffix(glob, "*") && !wild(strings.Trim(glob, "*")) {
			e.Match, e.Note, e.Example = byText("", expression(strings.Trim(glob, "*"), question)), "it looks only at arguments, not at the program name", "echo "+strings.Trim(glob, "*")
			return e
		}
		return Entry{Why: "a pattern for the program name cannot be expressed; name the programs"}
	}
	tail := expression(rest, question)
	if strings.HasSuffix(rest, " *") { // which may also stand for no word at all
		tail = strings.TrimSuffix(tail, " .*") + "( .*)?"
	}
	e.Match = byText(program, "^"+tail+"$")
	return e
}
