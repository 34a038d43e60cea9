package rulesfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"longline/internal/policy"
	"longline/internal/source"
	"longline/internal/tool"
)

// ParseHooksConfig reads a hooks.config.json: PreToolUse rules for Bash, as a
// flat list or nested by command. Other events belong to other programs and are
// left alone. The error is [source.Errors].
func ParseHooksConfig(name string, text []byte) (*policy.File, error) {
	entries, err := hookEntries(name, text, func(doc source.Node, read func(source.Node)) {
		for _, event := range doc.Pairs() {
			if event.Name() != "PreToolUse" {
				continue
			}
			for _, t := range event.Value.Pairs() {
				if t.Name() != "Bash" {
					t.Key.Unknown("tool", t.Name(), []string{"Bash"})
					continue
				}
				read(t.Value)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	f := &policy.File{Name: name}
	for i, e := range entries {
		if e.decision == approve && e.expression == "" {
			f.AllowCommands = append(f.AllowCommands, policy.Allowed{Text: e.command, Reason: e.reason, Source: e.source})
			continue
		}
		r := policy.Rule{ID: e.id(i), Level: policy.Critical, Reason: e.reason, Source: e.source}
		r.Decision = [...]tool.Decision{undefined: tool.Pass, approve: tool.Allow, block: tool.Deny}[e.decision]
		if e.command != "" {
			r.Match.Commands = []policy.Command{strings.Fields(e.command)}
		}
		if e.expression != "" {
			r.Match.Text = []string{e.expression}
		}
		f.Rules = append(f.Rules, r)
	}
	return f, nil
}

// hookEntry is one rule of a hooks.config.json.
type hookEntry struct {
	command    string
	expression string // translated; "" matches everything
	reason     string
	decision   hookDecision
	source     string
}

// hookDecision is ordered as the format says: block > undefined > approve.
type hookDecision uint8

const (
	approve hookDecision = iota
	undefined
	block
)

func (e *hookEntry) id(i int) string {
	name := "any"
	if words := strings.Fields(e.command); len(words) > 0 {
		name = strings.Join(words, "-")
	}
	return "hooks-" + name + "-" + strconv.Itoa(i+1)
}

// hookEntries reads the rules that find shows in a JSON text.
func hookEntries(name string, text []byte, find func(doc source.Node, read func(source.Node))) ([]hookEntry, error) {
	src, docs := source.Parse(name, plainJSON(text))
	var entries []hookEntry
	for _, doc := range docs {
		find(doc, func(n source.Node) {
			if n.IsList() {
				for _, e := range n.List() {
					entries = append(entries, readEntry(e, "", true))
				}
				return
			}
			for _, p := range n.Pairs() {
				entries = append(entries, nestedEntries(p)...)
			}
		})
	}
	if len(docs) > 1 {
		docs[1].Errorf("the file is one object; this one begins a second")
	}
	if err := src.Err(); err != nil {
		return nil, err
	}
	return entries, nil
}

// nestedEntries reads the rules of one command: a list, or an object with a
// decision of its own and a list of patterns.
func nestedEntries(p source.Pair) []hookEntry {
	command := p.Name()
	if strings.TrimSpace(command) == "" {
		p.Key.Errorf("the name of the command is empty")
		return nil
	}
	if p.Value.IsList() {
		var entries []hookEntry
		for _, n := range p.Value.List() {
			entries = append(entries, readEntry(n, command, false))
		}
		return entries
	}
	own := hookEntry{command: command, decision: undefined, source: p.Value.Pos()}
	var patterns []hookEntry
	said := false
	p.Value.Fields(map[string]func(source.Node){
		"decision": func(n source.Node) { own.decision, said = readHookDecision(n), true },
		"reason":   func(n source.Node) { own.reason = n.Text() },
		"patterns": func(n source.Node) {
			for _, e := range n.List() {
				patterns = append(patterns, readEntry(e, command, false))
			}
		},
	})
	if said {
		patterns = append(patterns, own)
	}
	return patterns
}

func readEntry(n source.Node, command string, flat bool) hookEntry {
	e := hookEntry{command: command, decision: undefined, source: n.Pos()}
	expression := func(n source.Node) {
		if n.IsNull() || n.Text() == "" {
			return
		}
		var problem string
		if e.expression, problem = translate(n.Text()); problem != "" {
			n.Errorf("%q is no extended regular expression: %s", n.Text(), problem)
		}
	}
	fields := map[string]func(source.Node){
		"pattern": expression,
		"reason":  func(n source.Node) { e.reason = n.Text() },
		"decision": func(n source.Node) {
			if !n.IsNull() {
				e.decision = readHookDecision(n)
			}
		},
	}
	if flat {
		fields["command"] = func(n source.Node) { e.command = strings.TrimSpace(n.Text()) }
		fields["args"] = expression
	}
	n.Fields(fields)
	if (n.IsMap() || n.IsNull()) && e.command == "" && e.expression == "" {
		n.Errorf("a rule without command and args would match everything")
	}
	return e
}

func readHookDecision(n source.Node) hookDecision {
	switch word := n.Text(); word {
	case "block":
		return block
	case "approve":
		return approve
	case "undefined":
	default:
		n.Unknown("decision", word, []string{"block", "approve"})
	}
	return undefined
}

// plainJSON makes JSON with comments into what a YAML reader takes: comments
// become blanks, so that places stay the same, and escaped surrogate pairs become
// the characters they stand for.
func plainJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\' && i+1 < len(text):
			if r, ok := surrogates(text[i:]); ok {
				out = append(out, string(r)...)
				i += 11
				continue
			}
			out = append(out, c, text[i+1])
			i++
			continue
		case c == '"':
			quoted = !quoted
		case !quoted && c == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				out = append(out, ' ')
				i++
			}
			i--
			continue
		case !quoted && c == '\t':
			c = ' '
		}
		out = append(out, c)
	}
	return out
}

func surrogates(text []byte) (rune, bool) {
	if len(text) < 12 || text[1] != 'u' || text[6] != '\\' || text[7] != 'u' {
		return 0, false
	}
	high, err1 := strconv.ParseUint(string(text[2:6]), 16, 32)
	low, err2 := strconv.ParseUint(string(text[8:12]), 16, 32)
	if err1 != nil || err2 != nil {
		return 0, false
	}
	r := utf16.DecodeRune(rune(high), rune(low))
	return r, r != 0xfffd
}

// Explain adds the nearest known id to the error of [policy.Merge], if there is one.
func Explain(err error) error {
	var unknown *policy.UnknownRule
	if errors.As(err, &unknown) {
		if near := source.Nearest(unknown.ID, unknown.Known); near != "" {
			return fmt.Errorf("%w; did you mean %q?", err, near)
		}
	}
	return err
}
