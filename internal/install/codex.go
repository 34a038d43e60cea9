package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

func codexCLI() installer {
	return installer{
		agent: "codex",
		files: codexFiles, examine: examineCodex,
		live: []string{"exec", "--skip-git-repo-check", promptMark},
	}
}

const codexMatcher = "*"

// codexFiles: the hooks, and the record that the user trusts them. Codex skips
// a hook that is not on record, without a word where nobody looks at a terminal.
func codexFiles(p *Place) ([]target, error) {
	file := &listFile{check: codexRejects, entries: func(c Command) []entry {
		var all []entry
		for _, event := range codexEvents {
			all = append(all, entry{path: []string{"hooks", event.name}, element: group(codexMatcher, codexHook(c))})
		}
		return all
	}}
	switch p.Scope {
	case User:
		hooks := path.Join(codexDir(p), "hooks.json")
		return []target{file.target(hooks), codexTrust(path.Join(codexDir(p), "config.toml"), hooks)}, nil
	case Project:
		// What a project brings along is for each user to trust.
		return []target{file.target(path.Join(p.Project, ".codex/hooks.json"))}, nil
	}
	return nil, noScope("Codex CLI", p.Scope, User, Project)
}

func codexDir(p *Place) string { return p.dir("CODEX_HOME", ".codex") }

var codexEvents = [...]struct{ name, label string }{
	{"PreToolUse", "pre_tool_use"},
	{"PermissionRequest", "permission_request"},
	{"PostToolUse", "post_tool_use"},
}

func codexHook(c Command) string {
	return obj(str("type", "command"), str("command", c.line("codex")), num("timeout", seconds))
}

// codexRejects: a key that Codex does not know costs the whole file.
func codexRejects(root strictjson.Value) error {
	for _, m := range root.Members {
		if m.Key != "hooks" && m.Key != "description" {
			return fmt.Errorf("unknown key %q (want hooks or description)", m.Key)
		}
	}
	return nil
}

// codexTrust adds the records to config.toml.
func codexTrust(config, hooks string) target {
	return target{
		path: config, mode: 0o600,
		put: func(old []byte, _ Command, now reader) ([]byte, error) {
			needed, err := trustRecords(hooks, now(hooks))
			if err != nil {
				return nil, err
			}
			base := takeTrust(old, hooks)
			doc, err := readTOML(base)
			if err != nil {
				return nil, err
			}
			needed, err = missingRecords(doc, needed)
			if err != nil {
				return nil, err
			}
			text := putTrust(base, needed)
			if _, err := readTOML(text); err != nil || inlineHooks.Match(base) && len(needed) > 0 {
				return nil, errors.New("its hooks cannot be extended as written; use the tables [hooks] and [hooks.state]")
			}
			return text, nil
		},
		take: func(old []byte, _ reader) ([]byte, error) { return takeTrust(old, hooks), nil },
	}
}

// inlineHooks matches a file in which a table [hooks.state."…"] would be a
// second definition, which the reader of TOML does not mind and Codex does.
var inlineHooks = regexp.MustCompile(`(?m)^\s*(hooks\s*(\.\s*state\s*)?=|\[hooks\]\s*(#.*)?\n(?:[^\[]*\n)?\s*state\s*=)`)

// record says that the user trusts one hook: its place in its file, and a hash.
type record struct{ key, hash, event string }

// trustRecords are what has to be on record for longline's hooks in a file.
func trustRecords(hooksPath string, hooksFile []byte) ([]record, error) {
	doc, err := strictjson.Parse(hooksFile)
	if err != nil {
		return nil, err
	}
	var all []record
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
				all = append(all, record{fmt.Sprintf("%s:%s:%d:%d", hooksPath, event.label, i, j), "sha256:" + hex.EncodeToString(sum[:]), event.name})
			}
		}
	}
	return all, nil
}

// missingRecords leaves out what is on record already, in whatever form Codex
// has written it.
func missingRecords(doc table, needed []record) ([]record, error) {
	var missing []record
	for _, r := range needed {
		have := doc.table("hooks").table("state").table(r.key)
		switch {
		case have == nil:
			missing = append(missing, r)
		case have["trusted_hash"] != r.hash || have["enabled"] == false:
			return nil, fmt.Errorf("it has another record of the hook, [hooks.state.%s]; remove it, or trust the hook with /hooks in Codex", strictjson.Quote(r.key))
		}
	}
	return missing, nil
}

// lines are how a record is written.
func (r record) lines(newline string) string {
	return "[hooks.state." + strictjson.Quote(r.key) + "]" + newline + "trusted_hash = \"" + r.hash + "\"" + newline
}

func newlineOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func putTrust(old []byte, records []record) []byte {
	if len(records) == 0 {
		return old
	}
	text, newline := bytes.Clone(old), newlineOf(old)
	if text != nil { // one line end, whatever there is, so that it can be taken out again
		text = append(text, newline...)
	}
	for _, r := range records {
		text = append(text, r.lines(newline)...)
	}
	return text
}

// takeTrust removes the records for one hooks file that are in the form in which
// they are added, and gives back the very text to which they were added.
func takeTrust(text []byte, hooksPath string) []byte {
	lines, newline := slices.Collect(strings.Lines(string(text))), newlineOf(text)
	head := "[hooks.state." + strings.TrimSuffix(strictjson.Quote(hooksPath+":"), `"`)
	var left []byte
	var records []record
	for i := 0; i < len(lines); i++ {
		r := record{key: hooksPath + ":"}
		if key, ok := strings.CutPrefix(lines[i], head); ok && i+1 < len(lines) {
			key, _, _ = strings.Cut(key, `"`)
			hash, _ := strings.CutPrefix(lines[i+1], `trusted_hash = "`)
			hash, _, _ = strings.Cut(hash, `"`)
			r.key, r.hash = r.key+key, hash
		}
		// Whatever else stands in the table would fall to the one before it.
		alone := i+2 >= len(lines) || strings.TrimSpace(lines[i+2]) == "" || strings.HasPrefix(lines[i+2], "[")
		if r.hash == "" || !alone || lines[i]+lines[i+1] != r.lines(newline) {
			left = append(left, lines[i]...)
			continue
		}
		records = append(records, r)
		i++
	}
	if records == nil {
		return text
	}
	for _, original := range [][]byte{nil, bytes.TrimSuffix(left, []byte(newline))} {
		if bytes.Equal(putTrust(original, records), text) {
			return original
		}
	}
	return left
}
