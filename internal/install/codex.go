package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

const codexMatcher = "*"

// codexFiles: the hooks, and the record that the user trusts them. Codex skips
// a hook that is not on record, without a word where nobody looks at a terminal.
func codexFiles(p *Place) ([]target, error) {
	file := &listFile{entries: func(c Command) []entry {
		var all []entry
		for _, event := range codexEvents {
			all = append(all, entry{path: []string{"hooks", event.name}, element: group(codexMatcher, codexHook(c))})
		}
		return all
	}}
	switch p.Scope {
	case User:
		dir := p.env("CODEX_HOME")
		if dir == "" {
			dir = path.Join(p.Home, ".codex")
		}
		hooks := path.Join(dir, "hooks.json")
		return []target{file.target(hooks), codexTrust(path.Join(dir, "config.toml"), hooks)}, nil
	case Project:
		// What a project brings along is for each user to trust.
		return []target{file.target(path.Join(p.Project, ".codex/hooks.json"))}, nil
	}
	return nil, noScope("Codex CLI", p.Scope, User, Project)
}

var codexEvents = [...]struct{ name, label string }{
	{"PreToolUse", "pre_tool_use"},
	{"PermissionRequest", "permission_request"},
}

func codexHook(c Command) string {
	return obj(str("type", "command"), str("command", c.line("codex")), num("timeout", seconds))
}

// codexTrust adds the records to config.toml.
func codexTrust(config, hooks string) target {
	return target{
		path: config, mode: 0o600,
		put: func(old []byte, c Command, now reader) ([]byte, error) {
			records, err := trustRecords(hooks, now(hooks))
			if err != nil {
				return nil, err
			}
			base := takeTrust(old, hooks)
			if inlineHooks.Match(base) {
				return nil, errors.New("it defines hooks in a form that nothing can be added to; write [hooks] as a table")
			}
			return putTrust(base, records), nil
		},
		take: func(old []byte, _ reader) ([]byte, error) { return takeTrust(old, hooks), nil },
	}
}

// inlineHooks matches a file in which a table [hooks.state."…"] would be a
// second definition.
var inlineHooks = regexp.MustCompile(`(?m)^\s*(hooks\s*(\.\s*state\s*)?=|\[hooks\]\s*(#.*)?\n(?:[^\[]*\n)?\s*state\s*=)`)

// trustRecords are the lines that say that longline's hooks in a file are
// trusted. A record names the place of the hook in its file and a hash of it.
func trustRecords(hooksPath string, hooksFile []byte) (string, error) {
	doc, err := strictjson.Parse(hooksFile)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, event := range codexEvents {
		groups := doc.Get("hooks").Get(event.name)
		for i, g := range groups.Items {
			for j, h := range g.Get("hooks").Items {
				if !agent.Starts(h) {
					continue
				}
				// Compact, with sorted keys and the defaults filled in.
				subject := obj(str("event_name", event.label), field{"hooks", list(obj(
					field{"async", "false"}, str("command", h.Get("command").Text), field{"timeout", h.Get("timeout").Raw}, str("type", "command"),
				))}, str("matcher", g.Get("matcher").Text))
				sum := sha256.Sum256([]byte(subject))
				fmt.Fprintf(&b, "[hooks.state.%s]\ntrusted_hash = \"sha256:%s\"\n",
					strictjson.Quote(fmt.Sprintf("%s:%s:%d:%d", hooksPath, event.label, i, j)), hex.EncodeToString(sum[:]))
			}
		}
	}
	return b.String(), nil
}

// putTrust adds one newline and the records. Whether the text ends with a
// newline of its own can be told afterwards, and so can an empty file from none.
func putTrust(old []byte, records string) []byte {
	text := bytes.Clone(old)
	if old != nil {
		text = append(text, '\n')
	}
	return append(text, records...)
}

// takeTrust removes the records for one hooks file, and gives back the very
// text to which they were added.
func takeTrust(text []byte, hooksPath string) []byte {
	key := strings.TrimSuffix(strictjson.Quote(hooksPath+":"), `"`)
	record := regexp.MustCompile(`(?m)^\[hooks\.state\.` + regexp.QuoteMeta(key) + `[a-z_]+:\d+:\d+"\]\ntrusted_hash = "sha256:[0-9a-f]{64}"(\n|\z)`)
	at := record.FindAllIndex(text, -1)
	if at == nil {
		return text
	}
	var left, records []byte
	end := 0
	for _, span := range at {
		left = append(left, text[end:span[0]]...)
		records = append(records, text[span[0]:span[1]]...)
		end = span[1]
	}
	left = append(left, text[end:]...)
	for _, original := range [][]byte{nil, bytes.TrimSuffix(left, []byte("\n"))} {
		if bytes.Equal(putTrust(original, string(records)), text) {
			return original
		}
	}
	return left
}
