package draft

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/tool"
)

// matches lists what a rule for the group may match, the narrowest first: these
// operands and only these effects; these operands; any operands. Of what stays it
// lists nothing.
func (g *Group) matches(here *tool.World) []string {
	if len(g.worlds) < len(g.invs) { // all of them are here
		g.worlds = slices.Repeat([]*tool.World{here}, len(g.invs))
	}
	command := "command: " + rulesfile.Quote(strings.Join(g.Words, " ")) + draftFlags(g.invs)
	if g.stays {
		return nil
	}
	var list []string
	args, known := operandsOf(g)
	if effect := effectOf(g); effect != "" && !g.gap {
		if known {
			list = append(list, "{"+command+", "+args+", "+effect+"}")
		}
		list = append(list, "{"+command+", "+effect+"}")
	}
	if known {
		list = append(list, "{"+command+", "+args+"}")
	}
	return list
}

// generalizes says whether what a group does says enough without its operands: it
// reaches only what the project itself names, such as its remotes, and touches no file;
// and its operands differ, or what it does says what they are like, such as topic
// branches. A rule for one branch name would be of no use for the next branch.
func generalizes(g *Group) bool {
	hosts, likened := 0, false
	for _, inv := range g.invs {
		for _, e := range inv.Effects {
			if reachesOut(e) {
				return false
			}
			if e.Kind.IsHost() {
				hosts++
			}
			likened = likened || e.Kind == tool.Control && strings.HasSuffix(e.Target, ".topic")
		}
	}
	return hosts > 0 && (likened || g.differs())
}

// reachesOut reports whether an effect is on a file, or on a host that the project itself
// does not name.
func reachesOut(e tool.Effect) bool {
	return e.Kind.IsPath() || e.Kind.IsHost() && !strings.HasPrefix(e.Target, "@")
}

// differs reports whether the runs of a group have different operands.
func (g *Group) differs() bool {
	return slices.ContainsFunc(g.invs, func(inv *command.Invocation) bool {
		return !slices.EqualFunc(inv.Operands, g.invs[0].Operands, func(a, b command.Word) bool { return a.Text == b.Text })
	})
}

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

// maxOperands is how many different operands a rule lists one by one.
const maxOperands = 12

func operandsOf(g *Group) (args string, ok bool) {
	var list []string
	for _, inv := range g.invs {
		for _, w := range inv.Operands {
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
	if list = common(list); list == nil {
		return "", false
	}
	return "args: {any_of: " + rulesfile.QuoteList(list) + "}", true
}

// common returns a short list as it is, and for a long one the glob that its
// members have in common, if they have enough.
func common(list []string) []string {
	if len(list) <= maxOperands {
		return list
	}
	prefix, suffix := list[0], list[0]
	for _, text := range list[1:] {
		for !strings.HasPrefix(text, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
		for !strings.HasSuffix(text, suffix) {
			suffix = suffix[1:]
		}
	}
	if strings.Trim(prefix, "./~") == "" || !utf8.ValidString(prefix) || !utf8.ValidString(suffix) {
		return nil
	}
	return []string{prefix + "*" + suffix}
}

// effectOf names the effects that the commands of a group have, if all of them
// can be named.
func effectOf(g *Group) string {
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
	files := common(screen.Unique(all.files))
	if all.below {
		for _, path := range files {
			files = append(files, path+"/**")
		}
	}
	// A kind without its list would mean every path, host or name.
	if len(all.kinds) == 0 || len(hosts)+len(names) > maxOperands || len(all.files) > 0 && len(files) == 0 {
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

// verbatimMatch matches a command whose words no model reads, by all of them.
func verbatimMatch(g *Group) []string {
	var words []string
	for _, w := range g.invs[0].Words {
		if !paths.Nameable(w.Text) || strings.ContainsAny(w.Text, " \t") || w.Text == "" {
			return nil
		}
		words = append(words, w.Text)
	}
	if len(g.invs) > 1 {
		return nil
	}
	return []string{"{command: " + rulesfile.Quote(strings.Join(words, " ")) + "}"}
}
