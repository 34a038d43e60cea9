package draft

import (
	"fmt"
	"slices"
	"strings"

	"longline/internal/history"
	"longline/internal/paths"
	"longline/internal/review"
	"longline/internal/rulesfile"
	"longline/internal/screen"
)

// Review is a review at work: the questions, and what would be written for each.
type Review struct {
	Items []review.Item
	tests []map[review.Choice][]string
	log   *Log
	// Refused are calls that the agent itself did not run.
	Refused int
	// How often a command ran, and which calls are waited for.
	ran     map[string]int
	pending map[string]string
}

// NewReview begins a review of a log of which nothing has been read.
func NewReview(log *Log) *Review {
	return &Review{log: log, ran: map[string]int{}, pending: map[string]string{}}
}

// Note remembers a line of the log.
func (v *Review) Note(r *history.Record) {
	switch {
	case r.Outcome == "refused":
		v.Refused++
	case r.Outcome == "ran":
		if command, ok := v.pending[r.ToolUse]; ok {
			v.ran[command]++
			delete(v.pending, r.ToolUse)
		}
	case v.log.Note(r) && r.ToolUse != "" && len(v.pending) < history.MaxDistinct:
		v.pending[r.ToolUse] = r.Command
	}
}

// Propose groups the questions and drafts what each choice would write.
func (v *Review) Propose() {
	for i, g := range v.log.Groups(1) {
		if i == maxReviewed {
			break
		}
		item := review.Item{Title: g.name(), By: strings.Join(g.Rules, ", "), Times: g.Times, Proposals: map[review.Choice]review.Proposal{}}
		tests := map[review.Choice][]string{}
		for _, a := range g.Questions {
			if len(item.Commands) < 5 {
				item.Commands = append(item.Commands, a.Command)
			}
			item.Yes += v.ran[a.Command]
		}
		item.Yes = min(item.Yes, item.Times)
		item.Dir = portable(v.log.here.World, g.Questions[0].Dir)
		v.propose(g, &item, tests)
		v.Items, v.tests = append(v.Items, item), append(v.tests, tests)
	}
}

// maxReviewed is how many groups of questions one review shows.
const maxReviewed = 200

// propose drafts the rules of one group: the narrowest that covers it for allowing,
// the same for one directory, and one that denies.
func (v *Review) propose(g *Group, item *review.Item, tests map[review.Choice][]string) {
	id, dir := strings.Join(g.Words, "-"), g.Questions[0].Dir
	oneDir := !slices.ContainsFunc(g.Questions, func(a *Question) bool { return a.Dir != dir })
	matches := g.matches(v.log.here.World)
	allow := func(choice review.Choice, id string, match func(string) string) {
		for _, m := range matches {
			rule := draftRule(v.free(id), match(m), "allow", "asked about "+screen.Count(g.Times, "time"), g.overrides())
			if also, ok := v.log.try(g, asEntry(rule)); ok {
				item.Proposals[choice] = review.Proposal{Rule: rule, Also: also}
				tests[choice] = v.log.testsOf(g, id, "allow")
				return
			}
		}
	}
	allow(review.Allow, "allow-"+id, func(match string) string { return match })
	if oneDir && dir != "" && paths.Nameable(dir) {
		allow(review.Here, "allow-"+id+"-here", func(match string) string { return within(match, screen.Homely(v.log.here.World.Home, dir)) })
	}
	command := "{command: " + rulesfile.Quote(g.name())
	if args, known := operandsOf(g); known {
		command += ", " + args
	}
	item.Proposals[review.Deny] = review.Proposal{Rule: draftRule(v.free("deny-"+id), command+"}", "deny", "refused in a review", nil)}
	tests[review.Deny] = v.log.testsOf(g, "deny-"+id, "deny")
}

// free makes an id different from those proposed before.
func (v *Review) free(id string) string {
	taken := func(id string) bool {
		return slices.ContainsFunc(v.Items, func(item review.Item) bool {
			for _, p := range item.Proposals {
				if strings.HasPrefix(p.Rule, "- id: "+rulesfile.Quote(id)+"\n") {
					return true
				}
			}
			return false
		})
	}
	base := id
	for n := 2; taken(id); n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	return id
}

func draftRule(id, match, decision, reason string, overrides []string) string {
	return fmt.Sprintf("- id: %s\n  match: %s\n  decision: %s\n%s  reason: %s", rulesfile.Quote(id), match, decision, overriding("  ", overrides), rulesfile.Quote(reason))
}

// asEntry indents a rule as an entry of a list.
func asEntry(rule string) string { return "  " + strings.ReplaceAll(rule, "\n", "\n  ") + "\n" }

// testsOf says for the commands of a group what is to come out.
func (s *Log) testsOf(g *Group, id, decision string) []string {
	var tests []string
	for i, a := range g.Questions[:min(len(g.Questions), 3)] {
		tests = append(tests, fmt.Sprintf("- {id: %s, command: %s, %sexpected: {decision: %s}}", rulesfile.Quote(fmt.Sprintf("%s-%d", id, i+1)), rulesfile.Quote(a.Command), s.Circumstances(a), decision))
	}
	return tests
}

// Entries are the rules that the choices would write, and their tests.
func (v *Review) Entries(chosen []review.Choice) (rules, tests []string) {
	for i, choice := range chosen {
		if proposal, ok := v.Items[i].Proposals[choice]; ok && choice != review.Keep {
			rules, tests = append(rules, proposal.Rule), append(tests, v.tests[i][choice]...)
		}
	}
	return rules, tests
}
