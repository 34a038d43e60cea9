package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/source"
	"longline/internal/tool"
)

// older reads the rules of the longline written in Rust, version 1: whole files, and
// the parts that its manifest includes, which have no version.
func older(name string, text []byte) (Draft, error) {
	src, docs := source.Parse(name, text)
	if err := src.Err(); err != nil {
		return Draft{}, err
	}
	if len(docs) != 1 || !docs[0].IsMap() {
		return Draft{}, fmt.Errorf("%s: expected one mapping", name)
	}
	o := olderFile{Draft: Draft{Kind: "rules of the Rust longline", Hint: "A file of version 1 can often be used as it is: longline test --config FILE."}, trust: "standard"}
	for _, p := range docs[0].Pairs() {
		if p.Name() == "version" && p.Value.Text() != "1" {
			return Draft{}, fmt.Errorf("%s: unknown version %q; only version 1 can be imported", name, p.Value.Text())
		}
		o.key(p)
	}
	if !o.lists.IsZero() {
		o.allowlists(o.lists)
	}
	if !o.rules.IsZero() {
		for _, n := range o.rules.List() {
			o.Entries = append(o.Entries, olderRule(n))
		}
	}
	return o.Draft, src.Err()
}

// key reads one key of the file. Lists and rules are kept for later: what the trust level is
// may be said behind them.
func (o *olderFile) key(p source.Pair) {
	switch p.Name() {
	case "version":
	case "default_decision", "safety_level":
		o.setting(p)
	case "trust_level":
		o.trust = p.Value.Text()
		o.skip(p.Key.Pos(), "trust_level: "+o.trust, "longline has no trust levels; allowlisted commands above it are left out")
	case "include":
		for _, n := range list(p.Value) {
			o.skip(n.Pos(), "include "+n.Text(), "import that file as well: longline import FILE…")
		}
	case "allowlists":
		o.lists = p.Value
	case "rules":
		o.rules = p.Value
	case "tests":
		o.skip(p.Key.Pos(), "tests", "copy them: the form is the same")
	default:
		o.skip(p.Key.Pos(), p.Name(), "longline does not know this key")
	}
}

type olderFile struct {
	Draft
	trust        string
	lists, rules source.Node
}

func (o *olderFile) skip(pos, text, why string) {
	o.Entries = append(o.Entries, Entry{Source: pos, Text: text, Why: why})
}

func (o *olderFile) setting(p source.Pair) {
	value := p.Value.Text()
	_, isDecision := tool.ParseDecision(value)
	if p.Name() == "default_decision" && !isDecision || p.Name() == "safety_level" && !slices.Contains(policy.LevelNames(), value) {
		o.skip(p.Key.Pos(), p.Name()+": "+value, "unknown value")
		return
	}
	o.Settings = append(o.Settings, Setting{p.Name(), value})
}

// trustLevels are in the order in which they let more run.
var trustLevels = []string{"minimal", "standard", "full"}

func (o *olderFile) allowlists(n source.Node) {
	for _, p := range n.Pairs() {
		for _, item := range list(p.Value) {
			o.Entries = append(o.Entries, o.allowed(p.Name(), item))
		}
	}
}

// allowed reads one item of an allowlist of commands or paths.
func (o *olderFile) allowed(of string, item source.Node) Entry {
	e := Entry{Source: item.Pos(), Decision: tool.Allow, Given: true}
	trust, text := "standard", ""
	if item.IsMap() {
		text, trust, e.Reason = allowedItem(item)
	} else {
		text = item.Text()
	}
	e.Text = "allowlist " + text
	switch {
	case text == "":
		e.Why = "it names nothing"
	case of == "paths":
		e.Path = text
	case of != "commands":
		e.Why = "longline has no allowlist of " + of
	case slices.Index(trustLevels, trust) > slices.Index(trustLevels, o.trust):
		e.Why = "it counted from trust_level " + trust + " on"
	default:
		e.Command, e.Example = text, text
	}
	return e
}

// allowedItem reads an item that says more than what is allowed.
func allowedItem(item source.Node) (text, trust, reason string) {
	trust = "standard"
	for _, q := range item.Pairs() {
		switch q.Name() {
		case "command", "path":
			text = q.Value.Text()
		case "trust":
			trust = q.Value.Text()
		case "reason":
			reason = q.Value.Text()
		}
	}
	return text, trust, reason
}

func olderRule(n source.Node) Entry {
	e, match := olderEntry(n)
	e.Text = e.Decision.String() + " rule " + e.ID
	if match.IsZero() || !match.IsMap() {
		e.Why = "it has no match"
		return e
	}
	m := olderMatch{objecting: e.Decision >= tool.Ask}
	m.all(match)
	if m.why != "" {
		e.Why = m.why
		return e
	}
	e.Match, e.Note = "{"+strings.Join(m.parts(), ", ")+"}", m.note
	if _, err := rulesfile.Parse("draft", []byte("version: 1\nrules:\n  - {id: x, match: "+e.Match+", decision: "+e.Decision.String()+"}\n"), nil); err != nil {
		e.Match, e.Why = "", "it is not valid here: "+strings.SplitN(err.Error(), "\n", 2)[0]
	}
	return e
}

// olderEntry reads a rule, but for its match.
func olderEntry(n source.Node) (e Entry, match source.Node) {
	e = Entry{Source: n.Pos(), Given: true}
	for _, p := range n.Pairs() {
		switch p.Name() {
		case "id":
			e.ID = p.Value.Text()
		case "level":
			e.Level = p.Value.Text()
		case "reason":
			e.Reason = p.Value.Text()
		case "decision":
			e.Decision, _ = tool.ParseDecision(p.Value.Text())
		case "match":
			match = p.Value
		}
	}
	return e, match
}

// olderMatch is a match on its way to YAML.
type olderMatch struct {
	objecting                          bool
	commands                           []string
	flags, args                        []string // key: [values]
	pipeline, redirect, env, text, why string
	note                               string
}

// all reads every part, the command first: subcommands belong to it.
func (m *olderMatch) all(n source.Node) {
	pairs := n.Pairs()
	slices.SortStableFunc(pairs, func(a, b source.Pair) int {
		if (a.Name() == "command") == (b.Name() == "command") {
			return 0
		} else if a.Name() == "command" {
			return -1
		}
		return 1
	})
	for _, p := range pairs {
		m.part(p)
	}
}

func (m *olderMatch) part(p source.Pair) {
	switch p.Name() {
	case "command":
		m.commands = texts(p.Value)
	case "flags":
		m.flags = m.lists(p.Value, false)
	case "args":
		m.args = m.lists(p.Value, true)
	case "pipeline":
		m.stages(p.Value)
	case "redirect":
		var keys []string
		for _, q := range p.Value.Pairs() {
			keys = append(keys, q.Name()+": "+rulesfile.QuoteList(texts(q.Value)))
		}
		m.redirect = "redirect: {" + strings.Join(keys, ", ") + "}"
	case "env":
		m.variables(p.Value)
	default:
		m.why = "longline does not know the matcher " + p.Name()
	}
}

// stages reads the stages of a pipeline.
func (m *olderMatch) stages(n source.Node) {
	for _, s := range n.Pairs() {
		if s.Name() != "stages" {
			m.why = "longline does not know " + s.Name() + " of a pipeline"
			continue
		}
		var stages []string
		for _, stage := range s.Value.List() {
			inner := olderMatch{objecting: m.objecting}
			inner.all(stage)
			if m.why = cmp.Or(m.why, inner.why); inner.text != "" {
				m.why = "min_args in a pipeline cannot be expressed"
			}
			stages = append(stages, "{"+strings.Join(inner.parts(), ", ")+"}")
		}
		m.pipeline = "pipeline: {stages: [" + strings.Join(stages, ", ") + "]}"
	}
}

// variables reads the names of variables.
func (m *olderMatch) variables(n source.Node) {
	for _, q := range n.Pairs() {
		if q.Name() == "any_of" {
			m.env = "env: " + rulesfile.QuoteList(texts(q.Value))
		} else if q.Name() != "case_insensitive" {
			m.why = "longline does not know " + q.Name() + " of env"
		}
	}
}

// lists reads any_of and its kin, and what the older one had besides.
func (m *olderMatch) lists(n source.Node, args bool) (keys []string) {
	if !n.IsMap() {
		return []string{"any_of: " + rulesfile.QuoteList(texts(n))}
	}
	for _, p := range n.Pairs() {
		switch name := p.Name(); {
		case slices.Contains([]string{"any_of", "all_of", "none_of"}, name):
			keys = append(keys, name+": "+rulesfile.QuoteList(texts(p.Value)))
		case name == "starts_with" && !args:
			// Written for bundles such as -xvf, which are taken apart here.
			keys = append(keys, "any_of: "+rulesfile.QuoteList(texts(p.Value)))
			m.note = "starts_with became any_of: longline takes bundled flags apart"
		case args && m.argument(p):
			if m.why == notSmall {
				return nil
			}
		default:
			m.other(p)
		}
	}
	return keys
}

const notSmall = "min_args is not a small number"

// argument reads what the older one had for arguments alone; it says whether it was that.
func (m *olderMatch) argument(p source.Pair) bool {
	switch p.Name() {
	case "subcommand":
		var longer []string
		for _, c := range m.commands {
			for _, sub := range texts(p.Value) {
				longer = append(longer, c+" "+sub)
			}
		}
		m.commands = longer
		return true
	case "min_args":
		least, err := strconv.Atoi(p.Value.Text())
		if err != nil || least < 1 || least > 20 {
			m.why = notSmall
			return true
		}
		m.text = "text: " + rulesfile.Quote("^[^ ]+"+strings.Repeat(" +[^ ]+", least-1))
		return true
	}
	return false
}

// other reads what the older one had for flags and arguments, and longline has not.
func (m *olderMatch) other(p source.Pair) {
	switch name := p.Name(); {
	case name == "case_insensitive" && p.Value.Text() != "true":
	case name == "case_insensitive":
		m.note = "upper and lower case count as different"
		if m.objecting {
			m.why = "case_insensitive cannot be expressed; list the spellings"
		}
	case name == "argv_first_not" && m.objecting:
		m.note = "argv_first_not is left out, so that it objects more often"
	default:
		m.why = name + " cannot be expressed"
	}
}

func (m *olderMatch) parts() (parts []string) {
	if len(m.commands) > 0 {
		parts = append(parts, "command: "+rulesfile.QuoteList(m.commands))
	}
	if len(m.flags) > 0 {
		parts = append(parts, "flags: {"+strings.Join(m.flags, ", ")+"}")
	}
	if len(m.args) > 0 {
		parts = append(parts, "args: {"+strings.Join(m.args, ", ")+"}")
	}
	for _, part := range []string{m.text, m.pipeline, m.redirect, m.env} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// texts reads a text, a list, or either under any_of.
func texts(n source.Node) (all []string) {
	if n.IsMap() {
		for _, p := range n.Pairs() {
			if p.Name() == "any_of" {
				return texts(p.Value)
			}
		}
		return nil
	}
	for _, item := range list(n) {
		all = append(all, item.Text())
	}
	return all
}

func list(n source.Node) []source.Node {
	if n.IsScalar() {
		return []source.Node{n}
	}
	return n.List()
}
