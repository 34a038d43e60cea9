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
		if old, err = Parse(name, text, emptyFile); err != nil {
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
	added, err := Parse(name, []byte(out), emptyFile)
	if err != nil {
		return nil, err
	}
	if !extends(added, old, len(rules), len(tests)) {
		return nil, fmt.Errorf("%s: %w", name, errByHand)
	}
	return []byte(out), nil
}

// emptyFile opens what a file includes without looking at it: nothing is added there.
func emptyFile(_, name string) (string, []byte, error) { return name, []byte("version: 1\n"), nil }

// extends says whether a file has the rules of an old one, and so many more rules and tests.
func extends(f, old *policy.File, rules, tests int) bool {
	if len(f.Rules) != len(old.Rules)+rules || len(f.Tests) != len(old.Tests)+tests {
		return false
	}
	for i := range old.Rules {
		if f.Rules[i].ID != old.Rules[i].ID {
			return false
		}
	}
	return true
}

var errByHand = errors.New("the rule cannot be added to a file in this form; add it yourself")

// appendTo adds entries to the list under a key of the outermost level.
func appendTo(text, key string, entries []string) (string, error) {
	if len(entries) == 0 {
		return text, nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	at, err := openList(lines, key)
	if err != nil {
		return "", err
	}
	if at < 0 {
		return text + key + ":\n" + indent(entries, "  "), nil
	}
	end, margin := listEnd(lines, at+1)
	return strings.Join(lines[:end], "") + indent(entries, margin) + strings.Join(lines[end:], ""), nil
}

// openList finds the line of a key that a list follows, or -1. An empty list in that line is
// taken away.
func openList(lines []string, key string) (at int, err error) {
	at = -1
	for i, line := range lines {
		rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), key+":")
		if !ok {
			continue
		}
		if rest, _, _ = strings.Cut(rest, " #"); strings.TrimSpace(rest) == "[]" {
			lines[i] = key + ":\n"
		} else if strings.TrimSpace(rest) != "" || at >= 0 {
			return 0, errByHand
		}
		at = i
	}
	return at, nil
}

// listEnd finds where a list ends that begins at a line, and the margin of its entries: where a
// line of the outermost level begins something else. Blank lines and comments before that belong
// to what follows.
func listEnd(lines []string, from int) (end int, margin string) {
	end, margin = from, "  "
	found := false
	for i := from; i < len(lines); i++ {
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
	return end, margin
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
