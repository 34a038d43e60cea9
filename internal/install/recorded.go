package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// recordedTargets: the hooks, and the record that the user trusts them. The client skips
// a hook that is not on record, without a word where nobody looks at a terminal. What a
// project brings along is for each user to trust.
func recordedTargets(f *agent.Facts, p *Place, at string) []target {
	all := listTargets(f, p, at)
	if p.Scope == User {
		all = append(all, recordFile(f, p.home(f.Hooks, f.Hooks.Second), at))
	}
	return all
}

// label is an event's name as records have it: PreToolUse is pre_tool_use.
func label(event string) string {
	var b strings.Builder
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// recordFile is the file that the records are added to.
func recordFile(f *agent.Facts, config, hooks string) target {
	return target{
		path: config, mode: 0o600,
		put: func(old []byte, _ Command, now reader) ([]byte, error) {
			needed, err := trustRecords(f.Hooks, hooks, now(hooks))
			if err != nil {
				return nil, err
			}
			base := takeTrust(old, hooks)
			doc, err := readTOML(f, base)
			if err != nil {
				return nil, err
			}
			needed, err = missingRecords(f, doc, needed)
			if err != nil {
				return nil, err
			}
			text := putTrust(base, needed)
			if _, err := readTOML(f, text); err != nil || inlineHooks.Match(base) && len(needed) > 0 {
				return nil, errors.New("its hooks cannot be extended as written; use the tables [hooks] and [hooks.state]")
			}
			return text, nil
		},
		take: func(old []byte, _ reader) ([]byte, error) { return takeTrust(old, hooks), nil },
	}
}

// inlineHooks matches a file in which a table [hooks.state."…"] would be a
// second definition, which our reader of TOML does not mind and the client's does.
var inlineHooks = regexp.MustCompile(`(?m)^\s*(hooks\s*(\.\s*state\s*)?=|\[hooks\]\s*(#.*)?\n(?:[^\[]*\n)?\s*state\s*=)`)

// record says that the user trusts one hook: its place in its file, and a hash.
type record struct{ key, hash, event string }

// trustRecords are what has to be on record for longline's hooks in a file.
func trustRecords(h *agent.Hooks, hooksPath string, hooksFile []byte) ([]record, error) {
	doc, err := strictjson.Parse(hooksFile)
	if err != nil {
		return nil, err
	}
	var all []record
	for _, event := range h.Events {
		groups := below(doc, h.Keys).Get(event)
		for i, g := range groups.Items {
			for j, hook := range g.Get("hooks").Items {
				if agent.Starts(hook) {
					all = append(all, record{fmt.Sprintf("%s:%s:%d:%d", hooksPath, label(event), i, j), trustHash(event, g, hook), event})
				}
			}
		}
	}
	return all, nil
}

// trustHash is what is hashed of a hook and its group: compact, with sorted keys and the
// defaults filled in.
func trustHash(event string, group, hook strictjson.Value) string {
	subject := obj(str("event_name", label(event)), field{"hooks", list(obj(
		field{"async", "false"}, str("command", hook.Get("command").Text), field{"timeout", hook.Get("timeout").Raw}, str("type", "command"),
	))}, str("matcher", group.Get("matcher").Text))
	sum := sha256.Sum256([]byte(subject))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// missingRecords leaves out what is on record already, in whatever form the
// client has written it.
func missingRecords(f *agent.Facts, doc table, needed []record) ([]record, error) {
	var missing []record
	for _, r := range needed {
		have := doc.table("hooks").table("state").table(r.key)
		switch {
		case have == nil:
			missing = append(missing, r)
		case have["trusted_hash"] != r.hash || have["enabled"] == false:
			return nil, fmt.Errorf("it has another record of the hook, [hooks.state.%s]; remove it, or trust the hook with /hooks in %s", strictjson.Quote(r.key), spoken(f))
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

// recordAt reads the record for a hooks file that lines begin with; its hash is "" if there is
// none that stands alone: whatever else is in the table would fall to the one before it.
func recordAt(lines []string, hooksPath string) record {
	key, ok := strings.CutPrefix(lines[0], "[hooks.state."+strings.TrimSuffix(strictjson.Quote(hooksPath+":"), `"`))
	if !ok || len(lines) < 2 || len(lines) > 2 && strings.TrimSpace(lines[2]) != "" && !strings.HasPrefix(lines[2], "[") {
		return record{}
	}
	key, _, _ = strings.Cut(key, `"`)
	hash, _ := strings.CutPrefix(lines[1], `trusted_hash = "`)
	hash, _, _ = strings.Cut(hash, `"`)
	return record{key: hooksPath + ":" + key, hash: hash}
}

// takeTrust removes the records for one hooks file that are in the form in which
// they are added, and gives back the very text to which they were added.
func takeTrust(text []byte, hooksPath string) []byte {
	lines, newline := slices.Collect(strings.Lines(string(text))), newlineOf(text)
	var left []byte
	var records []record
	for len(lines) > 0 {
		r := recordAt(lines, hooksPath)
		if r.hash == "" || lines[0]+lines[1] != r.lines(newline) {
			left = append(left, lines[0]...)
			lines = lines[1:]
			continue
		}
		records = append(records, r)
		lines = lines[2:]
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
