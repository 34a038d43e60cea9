package migrate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/source"
	"longline/internal/tool"
)

// older reads the rules of the longline written in Rust, version 1: whole files, what a manifest
// includes, the settings of a project, its golden tests and its AI judge.
func older(name string, text []byte, open Opener) (Draft, error) {
	o := olderFile{Draft: Draft{Kind: "rules of the Rust longline", Hint: "A file of version 1 can often be used as it is: longline test --config FILE."}, trust: "standard", open: open}
	if err := o.file(name, text, 0); err != nil {
		return Draft{}, err
	}
	for _, n := range o.lists {
		o.allowlists(n)
	}
	if o.above > 0 {
		o.skip(name, fmt.Sprintf("%d of the allowlisted commands, above trust_level %s", o.above, o.trust), notCounted)
	}
	for _, n := range o.rules {
		o.Entries = append(o.Entries, olderRule(n))
	}
	return o.Draft, nil
}

// notCounted is why entries are left out that had no effect before.
const notCounted = "they did not count there either"

// maxDepth bounds how far files include others.
const maxDepth = 8

// file reads one file and what it includes.
func (o *olderFile) file(name string, text []byte, depth int) error {
	src, docs := source.Parse(name, text)
	if err := src.Err(); err != nil {
		return err
	}
	if len(docs) != 1 || !docs[0].IsMap() {
		return fmt.Errorf("%s: expected one mapping", name)
	}
	for _, p := range docs[0].Pairs() {
		if p.Name() == "version" && p.Value.Text() != "1" {
			return fmt.Errorf("%s: unknown version %q; only version 1 can be imported", name, p.Value.Text())
		}
		if p.Name() != "include" {
			o.key(p)
			continue
		}
		for _, n := range list(p.Value) {
			o.include(name, n, depth)
		}
	}
	return src.Err()
}

func (o *olderFile) include(from string, n source.Node, depth int) {
	if o.open == nil || depth >= maxDepth {
		o.skip(n.Pos(), "include "+n.Text(), "import that file as well: longline import FILE…")
		return
	}
	full, text, err := o.open(from, n.Text())
	if err == nil {
		err = o.file(full, text, depth+1)
	}
	if err != nil {
		o.skip(n.Pos(), "include "+n.Text(), "it cannot be read: "+strings.SplitN(err.Error(), "\n", 2)[0])
	}
}

// key reads one key of the file. Lists and rules are kept for later: what the trust level is
// may be said behind them.
func (o *olderFile) key(p source.Pair) {
	switch p.Name() {
	case "version":
	case "default_decision", "safety_level":
		o.setting(p.Name(), p)
	case "override_safety_level":
		o.setting("safety_level", p)
	case "trust_level", "override_trust_level":
		o.trust = p.Value.Text()
	case "allowlists":
		o.lists = append(o.lists, p.Value)
	case "rules", "allow_rules":
		o.rules = append(o.rules, p.Value.List()...)
	case "tests":
		o.Tests = append(o.Tests, rulesfile.ReadTests(p.Value)...)
	case "disable_rules":
		for _, n := range list(p.Value) {
			o.skip(n.Pos(), "disable_rules "+n.Text(), "it names a rule of the other program; longline rules lists those here, and disable: [ID] turns one off")
		}
	case "ai_judge", "command", "fallback_command", "timeout", "total_budget_secs", "hedge_after_secs", "backoff_base_ms", "backoff_max_ms", "relaunch_floor_ms", "max_attempts", "max_nonconforming", "triggers":
		o.skip(p.Key.Pos(), p.Name(), "not needed any more: longline reads the code itself, or runs it behind a wall")
	case "defaults", "profiles":
		o.skip(p.Key.Pos(), p.Name(), "longline has one set of rules for all agents; call longline with --config FILE where one needs other rules")
	default:
		o.skip(p.Key.Pos(), p.Name(), "longline does not know this key")
	}
}

type olderFile struct {
	Draft
	open         Opener
	trust        string
	lists, rules []source.Node
	above        int // entries of allowlists that did not count
}

func (o *olderFile) skip(pos, text, why string) {
	o.Entries = append(o.Entries, Entry{Source: pos, Text: text, Why: why})
}

func (o *olderFile) setting(name string, p source.Pair) {
	value := p.Value.Text()
	_, isDecision := tool.ParseDecision(value)
	if name == "default_decision" && !isDecision || name == "safety_level" && !slices.Contains(policy.LevelNames(), value) {
		o.skip(p.Key.Pos(), p.Name()+": "+value, "unknown value")
		return
	}
	o.Settings = append(o.Settings, Setting{name, value})
}

// trustLevels are in the order in which they let more run.
var trustLevels = []string{"minimal", "standard", "full"}

func (o *olderFile) allowlists(n source.Node) {
	for _, p := range n.Pairs() {
		for _, item := range list(p.Value) {
			if e := o.allowed(p.Name(), item); e.Text != "" {
				o.Entries = append(o.Entries, e)
			}
		}
	}
}

// allowed reads one item of an allowlist of commands or paths; of one that did not count the
// entry is empty.
func (o *olderFile) allowed(of string, item source.Node) Entry {
	e := Entry{Source: item.Pos(), Decision: tool.Allow, Given: true}
	trust, text := "minimal", ""
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
		o.above++
		return Entry{}
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
	parts := m.parts()
	if e.Note = m.note; m.why == "" {
		e.Match = "{" + strings.Join(parts, ", ") + "}"
		m.why = invalid(e.Match, e.Decision)
	}
	if m.why == "" {
		return e
	}
	e.Match = "{command: " + rulesfile.QuoteList(m.commands) + "}"
	if !m.objecting || len(m.commands) == 0 || invalid(e.Match, tool.Ask) != "" {
		e.Match, e.Note, e.Why = "", "", m.why
		return e
	}
	e.Decision, e.Note = tool.Ask, m.why+", so it asks about every call of the command"
	return e
}

// invalid says why a match is not valid here.
func invalid(match string, d tool.Decision) string {
	_, err := rulesfile.Parse("draft", []byte("version: 1\nrules:\n  - {id: x, match: "+match+", decision: "+d.String()+"}\n"), nil)
	if err == nil {
		return ""
	}
	return "it is not valid here: " + strings.SplitN(err.Error(), "\n", 2)[0]
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
	objecting                    bool
	commands                     []string
	pipeline, redirect, env, why string
	flags, args                  olderLists
	texts                        []string // expressions on the arguments, of which all must hold
	note                         string
}

// olderLists are lists of words with their quantifiers.
type olderLists struct {
	any, all, none, sub, first []string
	least                      int
	folds                      bool // upper and lower case are the same
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
		m.lists(&m.flags, p.Value)
	case "args":
		m.lists(&m.args, p.Value)
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
			parts := inner.parts()
			if m.why = cmp.Or(m.why, inner.why); len(inner.texts) > 0 {
				m.why = "a stage of a pipeline has only command, flags and args"
			}
			stages = append(stages, "{"+strings.Join(parts, ", ")+"}")
		}
		m.pipeline = "pipeline: {stages: [" + strings.Join(stages, ", ") + "]}"
	}
}

// variables reads the names of variables.
func (m *olderMatch) variables(n source.Node) {
	var l olderLists
	m.lists(&l, n)
	if l.folds {
		for i, name := range l.any {
			l.any[i] = folded(name)
		}
	}
	m.env = "env: " + rulesfile.QuoteList(l.any)
}

// lists reads any_of and its kin, and what the older one had besides.
func (m *olderMatch) lists(l *olderLists, n source.Node) {
	if !n.IsMap() {
		l.any = texts(n)
		return
	}
	for _, p := range n.Pairs() {
		switch words := texts(p.Value); p.Name() {
		case "any_of":
			l.any = words
		case "all_of":
			l.all = words
		case "none_of":
			l.none = words
		case "starts_with":
			// Written for bundles such as -xvf, which are taken apart here, and for --flag=value.
			l.any = append(l.any, words...)
			m.note = "starts_with became any_of: longline takes bundled flags apart"
		case "subcommand":
			l.sub = words
		case "argv_first_not":
			l.first = words
		case "min_args":
			var err error
			if l.least, err = strconv.Atoi(p.Value.Text()); err != nil || l.least < 1 || l.least > 20 {
				m.why = "min_args is not a small number"
			}
		case "case_insensitive":
			l.folds = p.Value.Text() == "true"
		default:
			m.why = p.Name() + " cannot be expressed"
		}
	}
}

// settle makes of the lists what says the same here, where flags and operands are told apart.
func (m *olderMatch) settle() {
	if len(m.args.sub) > 0 {
		var longer []string
		for _, c := range m.commands {
			for _, sub := range m.args.sub {
				longer = append(longer, c+" "+sub)
			}
		}
		m.commands = longer
	}
	if len(m.args.first) > 0 {
		if m.note = "argv_first_not is left out, so that it objects more often"; !m.objecting {
			m.why = "argv_first_not cannot be expressed"
		}
	}
	if n := m.args.least; n > 0 {
		m.texts = append(m.texts, "^[^ ]+"+strings.Repeat(" +[^ ]+", n-1))
	}
	if m.args.folds && len(m.args.any) > 0 {
		m.texts, m.args.any = append(m.texts, anyWord(m.args.any, true)), nil
	}
	// There every word could be listed as a flag.
	words := slices.DeleteFunc(slices.Clone(m.flags.any), isFlag)
	switch {
	case len(words) == 0:
	case len(words) < len(m.flags.any) || len(m.args.any) > 1:
		m.texts, m.flags.any = append(m.texts, anyWord(m.flags.any, false)), nil
	default:
		m.args.all = append(m.args.all, m.args.any...)
		m.args.any, m.flags.any = words, nil
	}
	move := func(from, to *[]string) {
		*to = append(*to, slices.DeleteFunc(slices.Clone(*from), isFlag)...)
		*from = slices.DeleteFunc(*from, func(w string) bool { return !isFlag(w) })
	}
	move(&m.flags.all, &m.args.all)
	move(&m.flags.none, &m.args.none)
	// A rule that objects also means flags that stand among its args; what keeps it from matching has to be said as a flag.
	flags := slices.DeleteFunc(slices.Clone(m.args.none), func(w string) bool { return !isFlag(w) })
	m.flags.none, m.args.none = append(m.flags.none, flags...), slices.DeleteFunc(m.args.none, isFlag)
	if len(m.texts) > 1 {
		m.why = "two conditions on the whole text cannot be expressed"
	}
}

// anyWord is an expression for one of some words among the arguments.
func anyWord(globs []string, folds bool) string {
	var list []string
	for _, g := range globs {
		e := strings.ReplaceAll(expression(strings.ReplaceAll(g, "**", "*"), false), ".*", "[^ ]*")
		if folds {
			e = folded(e)
		}
		list = append(list, e)
	}
	return "(^| )(" + strings.Join(list, "|") + ")( |$)"
}

// folded writes letters as both cases of them.
func folded(text string) string {
	var b strings.Builder
	for _, r := range text {
		if low, up := unicode.ToLower(r), unicode.ToUpper(r); low != up {
			b.WriteString("[" + string(low) + string(up) + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (m *olderMatch) parts() (parts []string) {
	m.settle()
	add := func(key string, words []string) string {
		if len(words) == 0 {
			return ""
		}
		return key + ": " + rulesfile.QuoteList(words)
	}
	nonEmpty := func(list ...string) []string {
		return slices.DeleteFunc(list, func(s string) bool { return s == "" })
	}
	lists := func(key string, l *olderLists) string {
		inner := strings.Join(nonEmpty(add("any_of", l.any), add("all_of", l.all), add("none_of", l.none)), ", ")
		if inner == "" {
			return ""
		}
		return key + ": {" + inner + "}"
	}
	text := ""
	if len(m.texts) > 0 {
		text = "text: " + rulesfile.Quote(m.texts[0])
	}
	return nonEmpty(add("command", m.commands), lists("flags", &m.flags), lists("args", &m.args), text, m.pipeline, m.redirect, m.env)
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

// dialect tells a file of the Rust longline by what only it says.
var dialect = regexp.MustCompile(`(?m)^(trust_level|override_(safety|trust)_level|disable_rules|allow_rules|ai_judge|profiles):|\btrust: *["']?(minimal|standard|full)\b|^ +(subcommand|starts_with|min_args|argv_first_not|case_insensitive):|\{(subcommand|starts_with|min_args|argv_first_not|case_insensitive):`)

// version is what every rules file of this longline begins with, and no part of the other's manifest.
var version = regexp.MustCompile(`(?m)^["']?version["']?:|^\{ *["']?version`)

// Parse is [rulesfile.ParseNamed], and reads a file of the Rust longline, which has the same name at the same place, as far as
// it means the same here. What does not is among the remarks of the file; a rule that objects and cannot be expressed asks.
func Parse(name string, text []byte, open func(from, name string) (full string, text []byte, err error)) (*policy.File, error) {
	theirs := dialect.Match(text)
	watched := open
	if open != nil {
		watched = func(from, name string) (string, []byte, error) {
			full, text, err := open(from, name)
			theirs = theirs || err == nil && (dialect.Match(text) || !version.Match(text))
			return full, text, err
		}
	}
	f, err := rulesfile.ParseNamed(name, text, watched)
	if err == nil || !theirs || strings.HasSuffix(name, ".json") {
		return f, err
	}
	d, problem := older(name, text, open)
	if problem != nil {
		return nil, err
	}
	return d.file(name)
}

// maxRemarks is how many entries that are not followed are named one by one.
const maxRemarks = 5

// file makes a rules file of a draft, without looking at what is needed here.
func (d *Draft) file(name string) (*policy.File, error) {
	var b strings.Builder
	b.WriteString("version: 1\n")
	for _, s := range d.Settings {
		b.WriteString(s.Key + ": " + s.Value + "\n")
	}
	b.WriteString("rules:\n")
	taken, followed, total := map[string]int{}, 0, 0
	var sources, remarks []string
	list := &policy.File{}
	for i := range d.Entries {
		e := &d.Entries[i]
		if e.Why == notCounted {
			continue
		}
		if total++; e.Why != "" {
			remarks = append(remarks, e.Source+": "+e.Text+" is not followed: "+e.Why)
			continue
		}
		followed++
		switch entry := (policy.Allowed{Text: e.Command, Reason: e.Reason, Source: e.Source}); {
		case e.Command != "" && paths.Wild(e.Command):
			remarks = append(remarks, e.Source+": "+e.Text+" is not followed: wildcards in an allowlist mean something else here")
		case e.Command != "":
			list.AllowCommands = append(list.AllowCommands, entry)
		case e.Path != "":
			entry.Text = e.Path
			list.AllowPaths = append(list.AllowPaths, entry)
		default:
			if e.Note != "" && e.Decision >= tool.Ask {
				remarks = append(remarks, e.Source+": "+e.Text+": "+e.Note)
			}
			id := cmp.Or(e.ID, "rule")
			if taken[id]++; taken[id] > 1 {
				id += "-" + strconv.Itoa(taken[id])
			}
			sources = append(sources, e.Source)
			b.WriteString(RuleText(id, e.Match, e.Decision, e))
		}
	}
	text := b.String()
	if len(sources) == 0 {
		text = strings.TrimSuffix(text, "rules:\n")
	}
	f, err := rulesfile.Parse(name, []byte(text), nil)
	if err != nil {
		return nil, err
	}
	for i := range f.Rules {
		f.Rules[i].Source = sources[i]
	}
	f.AllowCommands, f.AllowPaths, f.Tests = list.AllowCommands, list.AllowPaths, d.Tests
	f.Remarks = []string{fmt.Sprintf("%s: is written for the Rust longline; %d of its %d entries are followed. longline import --save %s rewrites it and keeps this one", name, followed, total, name)}
	if more := len(remarks) - maxRemarks; more > 0 {
		remarks = append(remarks[:maxRemarks], fmt.Sprintf("%s: %d more are not followed to the letter; longline import %s lists them", name, more, name))
	}
	f.Remarks = append(f.Remarks, remarks...)
	return f, nil
}

// RuleText is one rule of a rules file.
func RuleText(id, match string, d tool.Decision, e *Entry) string {
	text := "  - id: " + rulesfile.Quote(id) + "\n    match: " + match + "\n    decision: " + d.String() + "\n"
	if e.Level != "" {
		text += "    level: " + rulesfile.Quote(e.Level) + "\n"
	}
	if len(e.Overrides) > 0 {
		text += "    overrides: " + rulesfile.QuoteList(e.Overrides) + "\n"
	}
	if e.Reason != "" {
		text += "    reason: " + rulesfile.Quote(e.Reason) + "\n"
	}
	return text
}
