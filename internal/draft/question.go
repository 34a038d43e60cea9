// Package draft drafts rules: for questions that a log holds, for one command, for
// what another guard's settings say. A rule is as narrow as the question, and each is
// tried before it is shown.
package draft

import (
	"cmp"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// Question is a command that the log says was asked about, in one directory.
type Question struct {
	Dir, Command string
	Edits        bool
	Times        int
	refused      int // of these, by the person, as far as the agent tells
}

// key is what tells questions apart.
type key struct {
	dir, command string
	edits        bool
}

func (k key) compare(other key) int {
	return cmp.Or(strings.Compare(k.command, other.command), strings.Compare(k.dir, other.dir))
}

// agreed says whether somebody may have said yes to the command. To what was always
// refused no rule is proposed.
func (q *Question) agreed() bool { return q.refused < q.Times }

// Group is questions that one rule may cover: runs of one program with one
// subcommand.
type Group struct {
	Words     []string
	Questions []*Question
	Times     int
	Rules     []string              // that asked
	invs      []*command.Invocation // that the questions were about
	worlds    []*tool.World         // where each of them would run
	gap       bool                  // something is not accounted for
	stays     bool                  // it protects what no rule is proposed for, such as secrets
}

func (g *Group) add(other *Group) {
	g.Questions, g.Times = append(g.Questions, other.Questions...), g.Times+other.Times
	g.invs, g.gap = append(g.invs, other.invs...), g.gap || other.gap
	g.stays = g.stays || other.stays
	g.worlds = append(g.worlds, other.worlds...)
	for _, rule := range other.Rules {
		if !slices.Contains(g.Rules, rule) {
			g.Rules = append(g.Rules, rule)
		}
	}
}

// questionOf finds what a question is about: runs of one program, whose words
// are known. Anything else is for a person to think about.
func questionOf(v tool.Verdict, invs []*command.Invocation) *Group {
	g := &Group{}
	for _, f := range v.Findings {
		if f.Decision != tool.Ask {
			continue
		}
		if f.Layer == "user" || f.Layer == "project" || f.AboveUser() || !isOf(f, invs) {
			return nil
		}
		inv := invs[f.Invocation]
		words := wordsOf(inv)
		if words == nil || g.Words != nil && !slices.Equal(g.Words, words) {
			return nil
		}
		g.Words = words
		g.note(f, inv)
	}
	if g.Words == nil {
		return nil
	}
	return g
}

// isOf reports whether a finding is about one of some invocations.
func isOf(f tool.Finding, invs []*command.Invocation) bool {
	return f.Invocation >= 0 && f.Invocation < len(invs)
}

// wordsOf is the program of an invocation and its subcommand; nil if not all of its
// words are known.
func wordsOf(inv *command.Invocation) []string {
	if len(inv.Words) == 0 || slices.ContainsFunc(inv.Words, func(w command.Word) bool { return !w.IsKnown() }) {
		return nil
	}
	words := inv.Path
	if len(words) == 0 {
		words = []string{inv.Words[0].Text}
	}
	if words[0] == "" {
		return nil
	}
	return words
}

// note adds a finding about one of the group's runs.
func (g *Group) note(f tool.Finding, inv *command.Invocation) {
	g.gap = g.gap || f.Rule == policy.UnknownID
	g.stays = g.stays || f.Stays() != ""
	if !slices.Contains(g.invs, inv) {
		g.invs = append(g.invs, inv)
	}
	if f.Rule != "" && !slices.Contains(g.Rules, f.Rule) {
		g.Rules = append(g.Rules, f.Rule)
	}
}

// groupFor returns the group of an invocation; those that begin with the same
// words need only one rule.
func groupFor(groups *[]*Group, inv *command.Invocation) *Group {
	words := inv.Path
	if text := inv.Words[0].Text; len(words) == 0 || len(words) == 1 && strings.Contains(text, "/") { // only there is it this program
		words = []string{text}
	}
	for _, g := range *groups {
		if slices.Equal(g.Words, words) {
			if !slices.Contains(g.invs, inv) {
				g.invs = append(g.invs, inv)
			}
			return g
		}
	}
	*groups = append(*groups, &Group{Words: words, invs: []*command.Invocation{inv}})
	return (*groups)[len(*groups)-1]
}

// overrides are the rules that a rule for the group has to name.
func (g *Group) overrides() []string {
	return slices.DeleteFunc(slices.Clone(g.Rules), func(id string) bool { return id == policy.UnknownID || id == policy.UncoveredID })
}

// overriding is the key that names rules, "" if there are none.
func overriding(margin string, rules []string) string {
	rules = slices.DeleteFunc(slices.Clone(rules), func(id string) bool { return id == policy.WallID })
	if len(rules) == 0 {
		return ""
	}
	return margin + "overrides: " + rulesfile.QuoteList(rules) + "\n"
}

func (g *Group) name() string { return strings.Join(g.Words, " ") }
