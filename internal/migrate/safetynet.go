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
		var name, command, reason string
		var flags, args []string
		unknown := ""
		for _, p := range n.Pairs() {
			switch p.Name() {
			case "name":
				name = p.Value.Text()
			case "command":
				command = p.Value.Text() + " " + command
			case "subcommand":
				command += p.Value.Text()
			case "reason":
				reason = p.Value.Text()
			case "block_args":
				for _, a := range p.Value.Texts() {
					if isFlag(a) {
						flags = append(flags, a)
					} else {
						args = append(args, paths.Escape(a))
					}
				}
			default:
				unknown = p.Name()
			}
		}
		command = strings.TrimSpace(command)
		e := Entry{Source: n.Pos(), Text: "block " + name, Decision: tool.Deny, Reason: reason, ID: name}
		if command == "" || unknown != "" || len(flags)+len(args) == 0 {
			e.Why = "it has no command or no block_args"
			if unknown != "" {
				e.Why = "longline does not know its key " + unknown
			}
			d.Entries = append(d.Entries, e)
			continue
		}
		// Any of the words is enough, and flags and operands are two matchers.
		if len(flags) > 0 {
			f := e
			f.Match, f.Example = "{command: "+rulesfile.Quote(command)+", flags: {any_of: "+rulesfile.QuoteList(flags)+"}}", command+" "+flags[0]
			d.Entries = append(d.Entries, f)
		}
		if len(args) > 0 {
			a := e
			a.Match, a.Example = "{command: "+rulesfile.Quote(command)+", args: {any_of: "+rulesfile.QuoteList(args)+"}}", command+" "+args[0]
			d.Entries = append(d.Entries, a)
		}
	}
	return d, nil
}
