package rulesfile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"longline/internal/expression"

	"longline/internal/policy"
	"longline/internal/source"
	"longline/internal/tool"
)

// ParseHooksConfig reads a hooks.config.json: PreToolUse rules for Bash, as a
// flat list or nested by command. Other events belong to other programs and are
// left alone. An entry that is wrong does not spoil the file: what it says is not
// known, so its command asks, unless it would only have approved. The remarks of the
// file name such entries. The error is [source.Errors].
func ParseHooksConfig(name string, text []byte) (*policy.File, error) {
	before := false
	f, err := hooksFile(name, text, func(doc source.Node, read func(tool string, n source.Node)) {
		for _, event := range doc.Pairs() {
			if event.Name() != "PreToolUse" {
				continue
			}
			before = true
			for _, t := range event.Value.Pairs() {
				read(t.Name(), t.Value)
			}
		}
	})
	if err == nil && !before {
		f.Remarks = append(f.Remarks, name+`: has no PreToolUse, so it says nothing; write {"PreToolUse": {"Bash": …}} around the commands`)
	}
	return f, err
}

// ParseMerged reads the rules of one tool by themselves, {"command": [{"pattern",
// "reason", "decision"}]}, as the older dialect hands them to its evaluator.
func ParseMerged(name string, text []byte) (*policy.File, error) {
	return hooksFile(name, text, func(doc source.Node, read func(tool string, n source.Node)) {
		if doc.IsList() {
			doc.Errorf("expected an object of commands, found a list")
			return
		}
		read(shellTool, doc)
	})
}

// shellTool is the tool whose entries speak of commands.
const shellTool = "Bash"

func hooksFile(name string, text []byte, find func(doc source.Node, read func(tool string, n source.Node))) (*policy.File, error) {
	entries, err := hookEntries(name, text, find)
	if err != nil {
		return nil, err
	}
	f := &policy.File{Name: name}
	for i := range entries {
		e := &entries[i]
		rule, remark := e.rule(i)
		if rule != nil && e.Pattern != "" && rule.Decision <= tool.Pass {
			rule.Overrides = defaultsAbove(entries, e)
		}
		switch {
		case remark != "":
			f.Remarks = append(f.Remarks, e.Source+": "+remark)
			if rule != nil {
				f.Rules = append(f.Rules, *rule)
			}
		case rule != nil:
			f.Rules = append(f.Rules, *rule)
		}
	}
	return f, nil
}

// defaultsAbove are the ids of the entries without a pattern for the same command that are stricter: such an entry says what
// holds where no pattern matches.
func defaultsAbove(entries []HookEntry, e *HookEntry) (ids []string) {
	for i := range entries {
		d := &entries[i]
		if d.Pattern == "" && d.Wrong == "" && d.Command == e.Command && d.Command != "" && d.Tool == e.Tool && d.Decision > e.Decision {
			ids = append(ids, d.id(i))
		}
	}
	return ids
}

// HookEntry is one rule of a hooks.config.json.
type HookEntry struct {
	Tool     string
	Command  string // leading words; "" is every command
	Pattern  string // an extended regular expression on the arguments, as it is written; "" matches all
	Reason   string
	Decision HookDecision
	Source   string // file:line
	Wrong    string // why the entry cannot be followed

	expression expression.Expression // the pattern, translated
}

// HookDecision is ordered as the format says: block > undefined > approve.
type HookDecision uint8

const (
	Approve HookDecision = iota
	Undefined
	Block
)

// HookEntries lists the rules of a hooks.config.json, those that are wrong among them.
func HookEntries(name string, text []byte) ([]HookEntry, error) {
	return hookEntries(name, text, func(doc source.Node, read func(tool string, n source.Node)) {
		for _, event := range doc.Pairs() {
			if event.Name() == "PreToolUse" {
				for _, t := range event.Value.Pairs() {
					read(t.Name(), t.Value)
				}
			}
		}
	})
}

// rule is what an entry becomes, and a remark if that is not what it says.
func (e *HookEntry) rule(i int) (*policy.Rule, string) {
	r := &policy.Rule{ID: e.id(i), Level: policy.Critical, Reason: e.Reason, Source: e.Source}
	r.Decision = [...]tool.Decision{Undefined: tool.Pass, Approve: tool.Allow, Block: tool.Deny}[e.Decision]
	if e.Command != "" {
		r.Match.Commands = []policy.Command{strings.Fields(e.Command)}
	}
	switch {
	case e.Wrong != "":
		return e.wrongRule(r)
	case e.Tool != shellTool:
		return e.toolRule(r)
	case e.Pattern != "":
		r.Match.Text = []expression.Expression{e.expression}
	case e.Command == "" && e.Decision == Approve:
		r.Match.Commands = []policy.Command{{"*"}}
	case e.Command == "":
		r.Match.Text = anything()
	}
	return r, ""
}

// wrongRule is what an entry becomes that is not valid.
func (e *HookEntry) wrongRule(r *policy.Rule) (*policy.Rule, string) {
	if e.Decision == Approve {
		return nil, "the approval is ignored: " + e.Wrong
	}
	if r.Decision, r.Reason = tool.Ask, "The entry for this in "+e.Source+" is not valid: "+e.Wrong; e.Command == "" {
		r.Match.Text = anything() // whatever a shell runs
	}
	return r, "its command asks: " + e.Wrong
}

// toolRule is what an entry becomes that speaks of another tool than the shell.
func (e *HookEntry) toolRule(r *policy.Rule) (*policy.Rule, string) {
	switch {
	case e.Command != "" || e.Pattern != "":
		return nil, "ignored: command and args say nothing about the tool " + e.Tool
	case e.Decision == Approve:
		return nil, "ignored: longline approves commands only, and leaves the tool " + e.Tool + " to the agent"
	}
	r.Match.Tools = []string{e.Tool}
	return r, ""
}

func (e *HookEntry) id(i int) string {
	name := "any"
	if words := strings.Fields(e.Command); len(words) > 0 {
		name = strings.Join(words, "-")
	} else if e.Tool != shellTool {
		name = strings.Join(strings.Fields(e.Tool), "-")
	}
	return "hooks-" + strings.NewReplacer("[", "", "]", "").Replace(name) + "-" + strconv.Itoa(i+1)
}

// hookEntries reads the rules that find shows in a JSON text.
func hookEntries(name string, text []byte, find func(doc source.Node, read func(tool string, n source.Node))) ([]HookEntry, error) {
	src, docs := source.Parse(name, PlainJSON(text))
	var entries []HookEntry
	for _, doc := range docs {
		find(doc, func(tool string, n source.Node) {
			from := len(entries)
			if n.IsList() {
				for _, e := range n.List() {
					entries = append(entries, readEntry(e, "", true))
				}
			} else {
				for _, p := range n.Pairs() {
					entries = append(entries, nestedEntries(p)...)
				}
			}
			for i := from; i < len(entries); i++ {
				entries[i].Tool = tool
			}
		})
	}
	if len(docs) > 1 {
		docs[1].Errorf("expected one object; a second begins here")
	}
	if err := src.Err(); err != nil {
		return nil, err
	}
	return entries, nil
}

// nestedEntries reads the rules of one command: a list, or an object with a
// decision of its own and a list of patterns.
func nestedEntries(p source.Pair) []HookEntry {
	command := strings.TrimSpace(p.Name())
	var entries []HookEntry
	if command == "" {
		return []HookEntry{{Decision: Undefined, Source: p.Key.Pos(), Wrong: "the name of the command is empty"}}
	}
	if p.Value.IsList() {
		for _, n := range p.Value.List() {
			entries = append(entries, readEntry(n, command, false))
		}
		return entries
	}
	own := HookEntry{Command: command, Decision: Undefined, Source: p.Value.Pos()}
	said := false
	own.attempt(p.Value, func() {
		p.Value.Fields(map[string]func(source.Node){
			"decision": func(n source.Node) { own.Decision, said = readHookDecision(n), true },
			"reason":   func(n source.Node) { own.Reason = n.Text() },
			"patterns": func(n source.Node) {
				for _, e := range n.List() {
					entries = append(entries, readEntry(e, command, false))
				}
			},
		})
	})
	if said || own.Wrong != "" {
		entries = append(entries, own)
	}
	return entries
}

// attempt reads an entry and notes the first thing that is wrong with it.
func (e *HookEntry) attempt(n source.Node, read func()) {
	if wrong := n.Attempt(read); len(wrong) > 0 {
		e.Wrong = wrong[0].Message
		if wrong[0].Hint != "" {
			e.Wrong += "; " + wrong[0].Hint
		}
	}
}

func readEntry(n source.Node, command string, flat bool) HookEntry {
	e := HookEntry{Command: command, Decision: Undefined, Source: n.Pos()}
	expression := func(n source.Node) {
		if n.IsNull() || n.Text() == "" {
			return
		}
		var problem string
		e.Pattern = n.Text()
		if e.expression, problem = translate(e.Pattern); problem != "" {
			n.Errorf("%q is not a valid extended regular expression: %s", e.Pattern, problem)
		}
	}
	fields := map[string]func(source.Node){
		"pattern": expression,
		"reason":  func(n source.Node) { e.Reason = n.Text() },
		"decision": func(n source.Node) {
			if !n.IsNull() {
				e.Decision = readHookDecision(n)
			}
		},
	}
	if flat {
		fields["command"] = func(n source.Node) { e.Command = strings.TrimSpace(n.Text()) }
		fields["args"] = expression
	}
	e.attempt(n, func() {
		n.Fields(fields)
		if n.IsNull() {
			n.Errorf("the entry is empty")
		}
	})
	return e
}

func readHookDecision(n source.Node) HookDecision {
	switch word := n.Text(); word {
	case "block":
		return Block
	case "approve":
		return Approve
	case "undefined":
	default:
		n.Unknown("decision", word, []string{"block", "approve"})
	}
	return Undefined
}

// PlainJSON makes JSON with comments into what a YAML reader takes: comments
// become blanks, so that places stay the same, and escaped surrogate pairs become
// the characters they stand for.
func PlainJSON(text []byte) []byte {
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
			out = append(out, c)
			i++
			c = text[i]
		case c == '"':
			quoted = !quoted
		case quoted:
		case bytes.HasPrefix(text[i:], []byte("//")):
			n := lineLength(text[i:])
			out = append(out, bytes.Repeat([]byte(" "), n)...)
			i += n - 1
			continue
		case c == '\t':
			c = ' '
		}
		out = append(out, c)
	}
	return out
}

// lineLength is the length of the first line of a text, without its end.
func lineLength(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
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
