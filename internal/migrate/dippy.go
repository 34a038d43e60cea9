package migrate

import (
	"fmt"
	"strings"

	"longline/internal/paths"
	"longline/internal/rulesfile"

	"longline/internal/tool"
)

var dippyWords = map[string]tool.Decision{"allow": tool.Allow, "ask": tool.Ask, "deny": tool.Deny}

// looksLikeDippy says whether the first line that says something is a directive.
func looksLikeDippy(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		word, _, _ := strings.Cut(line, " ")
		word, _, _ = strings.Cut(word, "-")
		_, rule := dippyWords[word]
		return rule || word == "set" || word == "after"
	}
	return false
}

// dippy reads the configuration of Dippy, one directive in a line. There the last
// match wins; with longline the strictest does, so an exception that allows again
// what an earlier line forbids is named.
func dippy(name, text string) (Draft, error) {
	d := Draft{Kind: "configuration of Dippy", Hint: "In Dippy the last match wins; with longline the strictest rule does."}
	n := 0
	objected := false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		e := dippyEntry(line)
		e.Source = fmt.Sprintf("%s:%d", name, n)
		if e.Decision == tool.Allow && e.Why == "" && objected {
			e.Note = strings.TrimPrefix(e.Note+"; in longline the strictest rule wins, so it does not lift what a line above forbids", "; ")
		}
		objected = objected || e.Decision > tool.Allow
		d.Entries = append(d.Entries, e)
	}
	return d, nil
}

// dippyEntry reads one directive.
func dippyEntry(line string) Entry {
	word, rest, _ := strings.Cut(line, " ")
	pattern, message := dippyMessage(strings.TrimSpace(rest))
	verb, about, _ := strings.Cut(word, "-")
	decision, known := dippyWords[verb]
	var e Entry
	switch {
	case verb == "set":
		e.Why = "settings are not imported; see the keys of the rules file"
	case verb == "after":
		e.Why = "longline says nothing after a command"
	case !known:
		e.Why = "unknown directive"
	case pattern == "":
		e.Why = "it has no pattern"
	default:
		e = dippyRule(about, pattern, decision)
	}
	e.Text, e.Decision = line, decision
	if e.Reason = message; message == "" && known {
		e.Reason = word + " " + pattern
	}
	return e
}

// dippyRule makes a rule of a pattern for commands, or for what the directive is about.
func dippyRule(about, pattern string, decision tool.Decision) Entry {
	switch {
	case about == "":
		return dippyCommand(pattern)
	case about == "redirect":
		return dippyRedirect(pattern)
	case about == "mcp" && decision != tool.Allow:
		return Entry{Match: "{tool: " + rulesfile.Quote(pattern) + "}", ID: strings.Trim(pattern, "*")}
	case about == "mcp":
		return Entry{Why: "longline never allows a tool of an MCP server by itself; list it in the agent's settings"}
	}
	return Entry{Why: "longline leaves this tool to the agent"}
}

// dippyMessage divides a pattern and the message in quotes behind it.
func dippyMessage(text string) (pattern, message string) {
	before, quoted, ok := strings.Cut(text, ` "`)
	if !ok || !strings.HasSuffix(quoted, `"`) {
		return text, ""
	}
	return strings.TrimSpace(before), strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(strings.TrimSuffix(quoted, `"`))
}

func dippyCommand(pattern string) Entry {
	prefix, isPrefix := strings.CutSuffix(pattern, " *")
	if !paths.Literal(prefix) || strings.HasSuffix(pattern, "*") && !isPrefix {
		return globEntry(pattern, true)
	}
	if strings.ContainsAny(prefix, shellSyntax) {
		return Entry{Why: "it contains shell syntax, which longline reads command by command; write a rule about what the commands do"}
	}
	words := strings.Fields(prefix)
	if len(words) == 0 || strings.HasPrefix(words[0], "~") || strings.HasPrefix(words[0], "./") {
		return Entry{Why: "it names a program by its path; a rule with effect: {kind: execute, names: [\"file:…\"]} can match it"}
	}
	e := Entry{ID: strings.Join(words, "-"), Prefix: isPrefix, Example: prefix, Match: byWords(words)}
	if !isPrefix {
		e.Match = byText(words[0], "^"+expression(strings.Join(words[1:], " "), false)+"$")
		e.Given = true
	}
	return e
}

// dippyRedirect makes a rule about writing of one about redirections: what is
// written is the same, whoever writes it.
func dippyRedirect(pattern string) Entry {
	if !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "~/") && !strings.HasPrefix(pattern, "**") && !strings.HasPrefix(pattern, "./") {
		pattern = "./" + pattern
	}
	example := strings.TrimPrefix(strings.NewReplacer("/**/", "/x/", "**/", "x/", "/**", "/x", "*", "x", "?", "x").Replace(pattern), "./")
	e := Entry{Match: "{effect: {kind: [create, write], paths: [" + rulesfile.Quote(pattern) + "]}}", ID: "write-" + strings.Trim(pattern, "*/.~"), Example: "echo x > " + example, Given: true}
	if e.Note = "it covers every way to write there, not only redirections"; strings.ContainsAny(example, "[") {
		e.Example = ""
	}
	return e
}
