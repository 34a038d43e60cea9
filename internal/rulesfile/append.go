package rulesfile

import (
	"errors"
	"fmt"
	"strings"

	"longline/internal/policy"
)

// Append adds rules and tests to the text of a rules file and keeps everything else
// as it is, comments included. Each rule and test is the YAML of one list entry,
// beginning with "- ". An empty text becomes a whole file. What it returns was read
// again: it has the old rules and the new ones, or there is an error.
func Append(name string, text []byte, rules, tests []string) ([]byte, error) {
	old := &policy.File{}
	if len(strings.TrimSpace(string(text))) > 0 {
		var err error
		// What it includes is not looked at: nothing is added there.
		none := func(_, name string) (string, []byte, error) { return name, []byte("version: 1\n"), nil }
		if old, err = Parse(name, text, none); err != nil {
			return nil, err
		}
	} else {
		text = []byte("version: 1\n")
	}
	out := string(text)
	if !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	for _, section := range []struct {
		key     string
		entries []string
	}{{"rules", rules}, {"tests", tests}} {
		var err error
		if out, err = appendTo(out, section.key, section.entries); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	none := func(_, name string) (string, []byte, error) { return name, []byte("version: 1\n"), nil }
	added, err := Parse(name, []byte(out), none)
	if err != nil {
		return nil, err
	}
	if len(added.Rules) != len(old.Rules)+len(rules) || len(added.Tests) != len(old.Tests)+len(tests) {
		return nil, fmt.Errorf("%s: %w", name, errByHand)
	}
	for i := range old.Rules {
		if added.Rules[i].ID != old.Rules[i].ID {
			return nil, fmt.Errorf("%s: %w", name, errByHand)
		}
	}
	return []byte(out), nil
}

var errByHand = errors.New("the rule cannot be added to a file in this form; add it by hand")

// appendTo adds entries to the list under a key of the outermost level.
func appendTo(text, key string, entries []string) (string, error) {
	if len(entries) == 0 {
		return text, nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	at := -1
	for i, line := range lines {
		rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), key+":")
		if !ok {
			continue
		}
		if rest, _, _ = strings.Cut(rest, " #"); strings.TrimSpace(rest) == "[]" {
			lines[i] = key + ":\n"
		} else if strings.TrimSpace(rest) != "" || at >= 0 {
			return "", errByHand
		}
		at = i
	}
	if at < 0 {
		return text + key + ":\n" + indent(entries, "  "), nil
	}
	// The list ends where a line of the outermost level begins something else.
	// Blank lines and comments before that belong to what follows.
	margin, end := "  ", at+1
	found := false
	for i := at + 1; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		body := strings.TrimLeft(line, " ")
		if body == "" || strings.HasPrefix(body, "#") {
			continue
		}
		isEntry := strings.HasPrefix(body, "- ") || body == "-"
		if len(body) == len(line) && !isEntry {
			break
		}
		if isEntry && !found {
			margin, found = line[:len(line)-len(body)], true
		}
		end = i + 1
	}
	return strings.Join(lines[:end], "") + indent(entries, margin) + strings.Join(lines[end:], ""), nil
}

// indent writes entries of a list with a margin before each line.
func indent(entries []string, margin string) string {
	var b strings.Builder
	for _, entry := range entries {
		for line := range strings.SplitSeq(strings.TrimRight(entry, "\n"), "\n") {
			b.WriteString(margin + line + "\n")
		}
	}
	return b.String()
}
