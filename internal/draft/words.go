package draft

import (
	"fmt"
	"slices"
	"strings"

	"longline/internal/policy"
	"longline/internal/tool"
)

// RuleWords says what a rule lets through, in words: all that its match demands,
// or that it demands nothing.
func RuleWords(r *policy.Rule) string {
	verb := "allows"
	if r.Decision == tool.Pass {
		verb = "leaves to the agent"
	}
	m := &r.Match
	var parts phrases
	parts.add("the command", commandWords(m))
	parts.lists("flags", m.Flags)
	parts.lists("arguments", m.Args)
	var texts []string
	for _, e := range m.Text {
		texts = append(texts, e.Text)
	}
	parts.add("whose text matches", texts)
	if len(m.Stages) > 0 {
		parts = append(parts, fmt.Sprintf("in a pipeline of %d stages", len(m.Stages)))
	}
	parts.add("redirected with", m.Redirect.Ops)
	parts.add("redirected to", m.Redirect.Targets)
	for _, v := range m.Given {
		parts.add("given "+v.Name, v.Values)
	}
	for _, v := range m.Env {
		parts.add("with the variable "+v.Name+" being", v.Values)
	}
	if m.Effect.Kinds != 0 {
		parts.effect(&m.Effect)
	}
	parts.add("for the tools", m.Tools)
	parts.add("when run in the zones", zoneWords(m.In))
	parts.add("when run below", m.Dirs)
	if len(parts) == 0 {
		return verb + " EVERYTHING"
	}
	return verb + " " + strings.Join(parts, ", ")
}

// phrases are what a match demands, one by one.
type phrases []string

func (p *phrases) add(what string, list []string) {
	if len(list) > 0 {
		*p = append(*p, what+" "+strings.Join(list, " or "))
	}
}

func (p *phrases) lists(what string, l policy.Lists) {
	p.add("with any "+what+" of", l.Any)
	p.add("with all "+what+" of", l.All)
	p.add("without the "+what, l.None)
	p.add("with no other "+what+" than", l.Only)
}

func (p *phrases) effect(e *policy.Effect) {
	p.add("whatever the command, to", kindWords(e.Kinds))
	p.add("paths", e.Places.Paths)
	p.add("hosts", e.Places.Hosts)
	p.add("names", e.Places.Names)
	p.add("in the zones", zoneWords(e.Places.Zones))
	if e.Places.Zones == 0 && len(e.Places.Paths)+len(e.Places.Hosts)+len(e.Places.Names) == 0 {
		*p = append(*p, "EVERYTHING of that kind")
	}
}

// commandWords are the commands that a match names.
func commandWords(m *policy.Match) (list []string) {
	for _, c := range m.Commands {
		list = append(list, strings.Join(c, " "))
	}
	return list
}

// kindWords are the names of kinds of effects.
func kindWords(set policy.KindSet) (names []string) {
	for k := tool.Read; k <= tool.Control; k++ {
		if set.Has(k) {
			names = append(names, k.String())
		}
	}
	return names
}

func zoneWords(set policy.ZoneSet) []string {
	var names []string
	for _, name := range policy.ZoneNames() {
		if z, ok := policy.ParseZone(name); ok && set.Has(z) {
			names = append(names, name)
		}
	}
	return names
}

// flagWords says which flags a drafted rule demands and which it takes.
func flagWords(l policy.Lists) string {
	more := slices.DeleteFunc(slices.Clone(l.Only), func(flag string) bool { return flag == "" || slices.Contains(l.All, flag) })
	switch all := strings.Join(l.All, ", "); {
	case len(l.Only) == 0 && all == "":
		return "- with any flags"
	case len(l.Only) == 0:
		return "- with " + all + " and any other flags"
	case all == "" && len(more) == 0:
		return "- without flags"
	case len(more) == 0:
		return "- with " + all + " and no other flags"
	case all == "":
		return "- with no other flags than " + strings.Join(more, ", ")
	default:
		return "- with " + all + " and no other flags than " + strings.Join(more, ", ")
	}
}

// unescaped takes off an expression what a draft puts around an exact text.
var unescaped = strings.NewReplacer("(?m)", "", "^", "", "$", "", `\`, "")

// LiftWords says in words what a drafted rule lets run: what it demands, and what
// it leaves open.
func LiftWords(r *policy.Rule) []string {
	m := &r.Match
	lines := []string{"the command " + strings.Join(commandWords(m), " or ")}
	switch {
	case len(m.Text) > 0:
		var exact []string
		for _, e := range m.Text {
			exact = append(exact, unescaped.Replace(e.Text))
		}
		lines = append(lines, "- with just these arguments: "+strings.Join(exact, " or "))
	case len(m.Args.Any) > 0:
		lines = append(lines, "- with one or more of these arguments, in any order, and no others: "+strings.Join(m.Args.Any, ", "))
	case len(m.Args.None) > 0:
		lines = append(lines, "- without arguments")
	default:
		lines = append(lines, "- with ANY arguments")
	}
	flags := flagWords(m.Flags)
	if e := &m.Effect; e.Kinds != 0 {
		does := kindWords(e.Kinds)
		targets := slices.Concat(e.Places.Paths, e.Places.Hosts, e.Places.Names)
		lines = append(lines, flags+", if all it does is: "+strings.Join(does, ", ")+" of "+strings.Join(targets, ", "))
	} else {
		lines = append(lines, flags+"; longline does not know what it would do then")
	}
	if len(m.Dirs) > 0 {
		return append(lines, "- in "+m.Dirs[0]+" and below") // the rest of the list is what is below
	}
	return append(lines, "- in every project and directory; --here limits it to this one")
}
