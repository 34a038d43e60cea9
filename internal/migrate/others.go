package migrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"longline/internal/paths"
	"longline/internal/rulesfile"
	"longline/internal/source"
	"longline/internal/tool"
)

// policies are the words that nah and dcg have for decisions.
var policies = map[string]tool.Decision{"allow": tool.Allow, "ask": tool.Ask, "block": tool.Deny, "deny": tool.Deny}

// nahTypes are what nah's types of actions are here. The others are left to the built-in rules.
var nahTypes = map[string]string{
	"filesystem_read": "kind: read", "filesystem_write": "kind: [create, write]", "filesystem_delete": "kind: delete",
	"git_discard": "kind: control, names: [git.discard, git.clean]", "git_history_rewrite": "kind: control, names: [git.rewrite, git.push.force]",
	"network_outbound": "kind: fetch", "network_write": "kind: send", "package_install": "kind: control, names: [package.install, package.add]",
	"package_uninstall": "kind: control, names: [package.remove]", "process_signal": "kind: control, names: [process.kill, process.kill-all]",
	"container_destructive": "kind: control, names: [container.remove]", "db_write": "kind: control, names: [database.write, database.drop, database.admin]",
	"lang_exec": "kind: execute",
}

// nah reads the configuration of nah.
func nah(keys map[string]source.Node) Draft {
	d := Draft{Kind: "configuration of nah", Hint: "nah decides by the type of an action; longline by what a command does. Try it without the draft first."}
	add := func(n source.Node, e Entry) {
		e.Source = n.Pos()
		d.Entries = append(d.Entries, e)
	}
	actions := map[string]string{}
	for _, p := range keys["actions"].Pairs() {
		policy := p.Value.Text()
		actions[p.Name()] = policy
		e := Entry{Text: "actions " + p.Name() + ": " + policy, Decision: policies[policy], ID: p.Name(), Reason: "nah: " + p.Name() + " is " + policy}
		switch effect := nahTypes[p.Name()]; {
		case e.Decision < tool.Ask:
			e.Why = "not needed: longline looks at what each command does, and allows what is harmless"
		case effect == "":
			e.Why = "the built-in rules cover it; longline rules lists them"
		default:
			e.Match = "{effect: {" + effect + "}}"
		}
		add(p.Key, e)
	}
	for _, p := range keys["classify"].Pairs() {
		for _, n := range list(p.Value) {
			policy := actions[p.Name()]
			e := Entry{Text: "classify " + n.Text() + " as " + p.Name(), Decision: policies[policy], Example: n.Text(), ID: n.Text(), Prefix: true, Reason: "nah: " + p.Name()}
			if e.Match = byWords(strings.Fields(n.Text())); e.Decision == 0 {
				e.Match, e.Why = "", "the type has no policy here; write a rule if the built-in rules are not enough"
			}
			add(n, e)
		}
	}
	for _, key := range []string{"sensitive_paths", "sensitive_basenames"} {
		for _, p := range keys[key].Pairs() {
			path := strings.TrimSuffix(p.Name(), "/")
			if key == "sensitive_basenames" {
				path = "**/" + path
			}
			e := Entry{Text: key + " " + p.Name() + ": " + p.Value.Text(), Decision: policies[p.Value.Text()], ID: "path-" + strings.Trim(p.Name(), "~./"), Reason: "nah: " + p.Name() + " is sensitive"}
			if e.Match = "{effect: {kind: [read, create, write, delete], paths: " + rulesfile.QuoteList([]string{path, path + "/**"}) + "}}"; e.Decision < tool.Ask {
				e.Match, e.Why = "", "a place that longline protects is opened by an allow rule with overrides: [secrets-read]"
			}
			add(p.Key, e)
		}
	}
	for _, n := range list(keys["trusted_paths"]) {
		add(n, Entry{Text: "trusted_paths " + n.Text(), Decision: tool.Allow, Path: strings.TrimSuffix(n.Text(), "/") + "/**"})
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		switch key {
		case "actions", "classify", "sensitive_paths", "sensitive_basenames", "trusted_paths":
		case "llm":
			add(keys[key], Entry{Text: key, Why: "not needed any more: longline reads the code itself, or runs it behind a wall"})
		case "allow_paths":
			add(keys[key], Entry{Text: key, Why: "write an allow rule with effect, dir and overrides: [secrets-read]"})
		default:
			add(keys[key], Entry{Text: key, Why: "longline has its own; longline docs effects and longline docs packs list them"})
		}
	}
	return d
}

// dcgPack reads a pack of patterns for dcg.
func dcgPack(keys map[string]source.Node) Draft {
	d := Draft{Kind: "pack of dcg", Hint: "Patterns are held against the arguments of each command, not against the whole line."}
	for _, n := range keys["destructive_patterns"].List() {
		e := Entry{Source: n.Pos(), Decision: tool.Deny}
		pattern := ""
		for _, p := range n.Pairs() {
			switch p.Name() {
			case "name":
				e.ID, e.Text = p.Value.Text(), "pattern "+p.Value.Text()
			case "pattern":
				pattern = p.Value.Text()
			case "description":
				e.Reason = p.Value.Text()
			case "severity":
				if s := p.Value.Text(); s == "medium" || s == "low" {
					e.Decision = tool.Ask
				}
			}
		}
		d.Entries = append(d.Entries, dcgPattern(e, pattern))
	}
	for _, n := range keys["safe_patterns"].List() {
		d.Entries = append(d.Entries, Entry{Source: n.Pos(), Text: "safe pattern", Why: "not needed: only what a pattern above matches is blocked"})
	}
	return d
}

// dcgPattern makes a rule of an expression on a whole line: its first word is the program.
func dcgPattern(e Entry, pattern string) Entry {
	program, rest, ok := strings.Cut(strings.NewReplacer(`\s+`, " ", `\b`, "").Replace(strings.TrimPrefix(pattern, "^")), " ")
	if !ok || !paths.Literal(program) || strings.ContainsAny(program, `()|\.+`) {
		e.Why = "its pattern does not begin with a program; write a rule with command and text"
		return e
	}
	e.Match = byText(program, "(^| )"+strings.ReplaceAll(rest, `\s*`, " *"))
	if why := invalid(e.Match, e.Decision); why != "" {
		e.Match, e.Why = "", why
	}
	return e
}

// dcg reads config.toml and allowlist.toml of dcg.
func dcg(name string, text []byte) (Draft, error) {
	d := Draft{Kind: "configuration of dcg", Hint: "The packs of dcg are covered by the built-in rules; try your blocked commands without the draft first."}
	var file struct {
		Packs  map[string][]string
		Policy struct {
			Mode  string `toml:"default_mode"`
			Packs map[string]string
			Rules map[string]string
		}
		Allow []struct {
			Rule    string
			Exact   string `toml:"exact_command"`
			Prefix  string `toml:"command_prefix"`
			Pattern string
			Reason  string
		}
	}
	if _, err := toml.Decode(string(text), &file); err != nil {
		return d, fmt.Errorf("%s: %w", name, err)
	}
	skip := func(text, why string) {
		d.Entries = append(d.Entries, Entry{Source: name, Text: text, Why: why})
	}
	for _, key := range slices.Sorted(maps.Keys(file.Packs)) {
		for _, pack := range file.Packs[key] {
			skip("packs."+key+" "+pack, "the built-in rules are about effects and always on; longline rules --filter finds one, and disable: [ID] turns it off")
		}
	}
	for _, table := range []map[string]string{file.Policy.Packs, file.Policy.Rules} {
		for _, id := range slices.Sorted(maps.Keys(table)) {
			skip("policy "+id+" = "+table[id], "its ids are not longline's; longline check says which rule decides, and disable or overrides name it")
		}
	}
	for _, a := range file.Allow {
		e := Entry{Source: name, Decision: tool.Allow, Reason: a.Reason, Text: "allow " + a.Rule + a.Exact + a.Prefix + a.Pattern, Example: a.Exact + a.Prefix}
		words := strings.Fields(e.Example)
		switch {
		case len(words) == 0:
			e.Why = "it names a rule or a pattern of dcg; longline allow, or an allow rule with overrides, lifts one here"
		case strings.ContainsAny(e.Example, shellSyntax):
			e.Why = "it contains shell syntax, which longline reads command by command"
		default:
			e.ID, e.Prefix, e.Match = strings.Join(words, "-"), a.Prefix != "", byWords(words)
			if !e.Prefix {
				e.Match, e.Given = byText(words[0], "^"+expression(strings.Join(words[1:], " "), false)+"$"), true
			}
		}
		d.Entries = append(d.Entries, e)
	}
	return d, nil
}
