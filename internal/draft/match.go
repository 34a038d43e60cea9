package draft

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/tool"
)

// matches lists what a rule for the group may match, the narrowest first: these runs and
// only these effects; these runs. Of what stays it lists nothing.
func (g *Group) matches(here *tool.World) []string {
	if len(g.worlds) < len(g.invs) { // all of them are here
		g.worlds = slices.Repeat([]*tool.World{here}, len(g.invs))
	}
	text, exact := textsOf(g)
	if g.stays || !exact {
		return nil
	}
	command := "command: " + rulesfile.Quote(g.leading()) + draftFlags(g.invs)
	var list []string
	args, known := operandsOf(g)
	if known {
		text = args + ", " + text
	}
	if effect := effectOf(g, false); effect != "" && !g.gap {
		list = append(list, "{"+command+", "+text+", "+effect+"}")
	}
	if known {
		list = append(list, "{"+command+", "+text+"}")
	}
	return list
}

// wide lists what a rule for the group may match that covers the command whatever its words are: as far as it does no more, beside
// the files that it was about too; or all of it, where nobody knows what it does.
func (g *Group) wide(here *tool.World) []string {
	g.worlds = slices.Repeat([]*tool.World{here}, len(g.invs))
	command := "{command: " + rulesfile.Quote(g.leading())
	if effect := effectOf(g, true); effect != "" && !g.gap {
		return []string{command + ", " + effect + "}"}
	}
	return []string{command + "}"}
}

// leading is the words that all runs of a group begin with, as they are written: its name, or the program alone.
func (g *Group) leading() string {
	for _, inv := range g.invs {
		for i, want := range g.Words[1:] {
			if i+1 >= len(inv.Words) || inv.Words[i+1].Text != want {
				return g.Words[0]
			}
		}
	}
	return g.name()
}

// textsOf are the arguments of each run. Flags and operands that were agreed to in different
// runs may together be what nobody has agreed to.
func textsOf(g *Group) (text string, ok bool) {
	var list []string
	for _, inv := range g.invs {
		var words []string
		for _, w := range inv.Words[1:] {
			if !w.IsKnown() {
				return "", false
			}
			words = append(words, w.Text)
		}
		list = append(list, "^"+special.ReplaceAllString(strings.Join(words, " "), `\$0`)+"$")
	}
	list = screen.Unique(list)
	text = "text: " + rulesfile.Quote(list[0])
	if len(list) > 1 {
		text = "text: {any_of: " + rulesfile.QuoteList(list) + "}"
	}
	return text, len(list) <= maxRuns && !strings.ContainsFunc(strings.Join(list, ""), unicode.IsControl)
}

// special are the characters of expressions that do not stand for themselves.
var special = regexp.MustCompile(`[\\.\[\](){}*+?|^$]`)

// maxRuns is how many different runs a rule lists one by one.
const maxRuns = 50

// draftFlags says that the flags which all of the runs have are given, and none that
// none of them has: another flag can turn a command into another one. Where a word
// is not known, which could be a flag, it does not say the second.
func draftFlags(invs []*command.Invocation) string {
	given, known := map[string]int{}, true
	for _, inv := range invs {
		known = known && !slices.ContainsFunc(inv.Words, func(w command.Word) bool { return !w.IsKnown() })
		flags := policy.GivenFlags(inv)
		for _, flag := range slices.Compact(slices.Sorted(slices.Values(flags))) {
			given[flag]++
		}
	}
	var all, some []string
	for _, flag := range slices.Sorted(maps.Keys(given)) {
		if some = append(some, flag); given[flag] == len(invs) {
			all = append(all, flag)
		}
	}
	var parts []string
	if len(all) > 0 {
		parts = append(parts, "all_of: "+rulesfile.QuoteList(all))
	}
	if known {
		parts = append(parts, "only: "+rulesfile.QuoteList(some))
	}
	if len(parts) == 0 {
		return ""
	}
	return ", flags: {" + strings.Join(parts, ", ") + "}"
}

func operandsOf(g *Group) (args string, ok bool) {
	var list []string
	for _, inv := range g.invs {
		for _, w := range policy.GivenOperands(inv) {
			if !w.IsKnown() || !paths.Nameable(w.Text) || w.Text == "" {
				return "", false
			}
			if !slices.Contains(list, w.Text) {
				list = append(list, w.Text)
			}
		}
	}
	if len(list) == 0 {
		return `args: {none_of: ["**"]}`, true
	}
	slices.Sort(list)
	return "args: {any_of: " + rulesfile.QuoteList(list) + "}", true
}

// effectOf names the effects that the commands of a group have, if all of them
// can be named.
func effectOf(g *Group, wide bool) string {
	var all effects
	for i, inv := range g.invs {
		for _, e := range inv.Effects {
			if !isNameable(e) {
				return ""
			}
			all.add(e, g.worlds[i])
		}
	}
	hosts, names := screen.Unique(all.hosts), screen.Unique(all.names)
	files := screen.Unique(all.files)
	if wide {
		for i, file := range files {
			files[i] = file[:strings.LastIndexByte(file, '/')+1] + "**"
		}
		files = screen.Unique(files)
	} else if all.below {
		for _, path := range files {
			files = append(files, path+"/**")
		}
	}
	// A kind without its list would mean every path, host or name.
	if len(all.kinds) == 0 || len(hosts)+len(names)+len(files) > maxRuns {
		return ""
	}
	return "effect: {kind: " + rulesfile.QuoteList(screen.Unique(all.kinds)) + listed("paths", files) + listed("hosts", hosts) + listed("names", names) + "}"
}

// isNameable reports whether a rule can name what an effect is on.
func isNameable(e tool.Effect) bool {
	return e.Reach == tool.Exact && !e.Pattern && paths.Nameable(e.Target)
}

// effects are effects by what a rule says about them.
type effects struct {
	kinds, files, hosts, names []string
	below                      bool // what is below the paths is meant too
}

// add adds an effect of a command that runs in some world.
func (all *effects) add(e tool.Effect, w *tool.World) {
	all.kinds = append(all.kinds, e.Kind.String())
	switch {
	case e.Kind.IsPath():
		all.files = append(all.files, portable(w, e.Target))
		all.below = all.below || e.Tree
	case e.Kind.IsHost():
		all.hosts = append(all.hosts, e.Target)
	default:
		all.names = append(all.names, e.Target)
	}
}

// listed is a key of a match with its values, if it has any.
func listed(key string, values []string) string {
	if len(values) == 0 {
		return ""
	}
	return ", " + key + ": " + rulesfile.QuoteList(values)
}

// portable writes a path as it holds in other places too.
func portable(w *tool.World, path string) string {
	if rest, ok := strings.CutPrefix(path, w.Project+"/"); ok && w.Project != "" {
		path = "./" + rest
	} else if rest, ok := strings.CutPrefix(path, w.Home+"/"); ok && w.Home != "" {
		path = "~/" + rest
	}
	return path
}
