package migrate

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/rulesfile"

	"longline/internal/source"
	"longline/internal/tool"
)

// safetyNet reads the rules of cc-safety-net: those of .safety-net.json and
// config.json, and rulebooks.
func safetyNet(keys map[string]source.Node) (Draft, error) {
	d := Draft{Kind: "rules of cc-safety-net", Hint: "Try your blocked commands without the draft first: the built-in rules cover many of them."}
	for _, n := range keys["rules"].List() {
		if n.IsScalar() { // the list of rulebooks in rule.json
			d.Entries = append(d.Entries, Entry{Source: n.Pos(), Text: n.Text(), Why: "it names a rulebook; import the rulebook.json itself"})
			continue
		}
		d.Entries = append(d.Entries, readBlock(n).entries(n.Pos())...)
	}
	return d, nil
}

// block is a rule that blocks a command with some words.
type block struct {
	name, command, reason string
	flags, args           []string
	unknown               string // a key that nobody knows
}

func readBlock(n source.Node) (b block) {
	for _, p := range n.Pairs() {
		switch p.Name() {
		case "name":
			b.name = p.Value.Text()
		case "command":
			b.command = p.Value.Text() + " " + b.command
		case "subcommand":
			b.command += p.Value.Text()
		case "reason":
			b.reason = p.Value.Text()
		case "block_args":
			b.words(p.Value.Texts())
		default:
			b.unknown = p.Name()
		}
	}
	b.command = strings.TrimSpace(b.command)
	return b
}

// words divides what is blocked into flags and operands.
func (b *block) words(list []string) {
	for _, a := range list {
		if isFlag(a) {
			b.flags = append(b.flags, a)
		} else {
			b.args = append(b.args, paths.Escape(a))
		}
	}
}

// entries are what is imported of it: any of the words is enough, and flags and operands
// are two matchers.
func (b block) entries(pos string) []Entry {
	e := Entry{Source: pos, Text: "block " + b.name, Decision: tool.Deny, Reason: b.reason, ID: b.name}
	switch {
	case b.unknown != "":
		e.Why = "longline does not know its key " + b.unknown
		return []Entry{e}
	case b.command == "" || len(b.flags)+len(b.args) == 0:
		e.Why = "it has no command or no block_args"
		return []Entry{e}
	}
	var list []Entry
	add := func(matcher string, words []string) {
		if len(words) > 0 {
			e.Match, e.Example = "{command: "+rulesfile.Quote(b.command)+", "+matcher+": {any_of: "+rulesfile.QuoteList(words)+"}}", b.command+" "+words[0]
			list = append(list, e)
		}
	}
	add("flags", b.flags)
	add("args", b.args)
	return list
}
