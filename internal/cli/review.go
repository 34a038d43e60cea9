package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/paths"
	"longline/internal/review"
	"longline/internal/rulesfile"
)

func reviewCommand() subcommand {
	return subcommand{
		name: "review", usage: "[--since WHEN]", flags: true,
		purpose: forSeeWhatHappened, example: "review --since 7d",
		short: "go through past questions and turn them into rules",
		help: `It groups similar questions and shows a rule for each. At the end you see the
changes to your rules file, which are written only if you agree. Without --since it
begins where the last review ended.

  longline review --since 7d`,
		run: runReview,
	}
}

func runReview(p *process, args []string) int {
	store := p.store(p.here())
	filter := logFilter{since: sinceFlag(store.Reviewed())}
	flags := p.flagSet("review")
	flags.Var(&filter.since, "since", "review questions since `WHEN`: 90m, 7d or 2026-11-15; default: since the last review")
	file := flags.String("file", "", "read `FILE` instead of the active log")
	rest, status, done := p.parse(flags, args)
	switch {
	case done:
		return status
	case len(rest) > 0:
		return p.usageError("review", "unexpected argument %q", rest[0])
	}
	if !p.byPerson("review") {
		return exitFailed
	}
	// The screens are on the terminal itself, wherever the output goes.
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		p.errorf("review: needs a terminal: %v", err)
		p.hintf("\"longline log suggest\" prints the same rules")
		return exitFailed
	}
	defer tty.Close()
	cfg, err := p.load(place{})
	if err != nil {
		return p.configError(err)
	}
	files, err := openLog(cfg, *file)
	if err != nil {
		p.errorf("review: %v", err)
		return exitFailed
	}
	defer files.Close()
	began := time.Now()
	r, err := p.newReview(cfg, &logReader{p: p, filter: filter, files: files})
	if err != nil {
		p.errorf("review: %v", err)
		return exitFailed
	}
	screens := review.New(r.items, func(chosen []review.Choice) (string, error) {
		change, err := r.change(chosen)
		if err != nil || change.New == nil {
			return "", err
		}
		return diff(change.Path, change.Old, change.New), nil
	})
	noColor, _ := p.env.Get("NO_COLOR")
	screens.Colour = noColor == ""
	write, err := screens.Run(tty, tty)
	if err != nil {
		p.errorf("review: %v", err)
		return exitFailed
	}
	return r.finish(screens.Chosen, write, func() error { return store.SetReviewed(began) })
}

// reviewing is a review at work: the questions, and what would be written for each.
type reviewing struct {
	p     *process
	items []review.Item
	tests []map[review.Choice][]string
	path  string
}

// newReview groups the questions of the log and drafts what each choice would write.
func (p *process) newReview(cfg *config.Config, l *logReader) (*reviewing, error) {
	s := newSuggester(p, cfg)
	ran := map[string]int{} // by command
	pending := map[string]string{}
	err := l.each(func(r *history.Record, _ []byte) error {
		switch {
		case r.Outcome == "ran":
			if command, ok := pending[r.ToolUse]; ok {
				ran[command]++
				delete(pending, r.ToolUse)
			}
		case s.note(r) && r.ToolUse != "" && len(pending) < maxDistinct:
			pending[r.ToolUse] = r.Command
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	v := &reviewing{p: p, path: p.rulesPath()}
	for i, g := range s.groups(1) {
		if i == maxReviewed {
			break
		}
		item := review.Item{Title: strings.Join(g.words, " "), By: strings.Join(g.rules, ", "), Times: g.times, Proposals: map[review.Choice]review.Proposal{}}
		tests := map[review.Choice][]string{}
		for _, a := range g.commands {
			if len(item.Commands) < 5 {
				item.Commands = append(item.Commands, a.command)
			}
			item.Yes += ran[a.command]
		}
		item.Yes = min(item.Yes, item.Times)
		item.Dir = portable(cfg.World, g.commands[0].dir)
		v.propose(&s, g, &item, tests)
		v.items, v.tests = append(v.items, item), append(v.tests, tests)
	}
	return v, nil
}

// maxReviewed is how many groups of questions one review shows.
const maxReviewed = 200

// propose drafts the rules of one group: the narrowest that covers it for allowing,
// the same for one directory, and one that denies.
func (v *reviewing) propose(s *suggester, g *group, item *review.Item, tests map[review.Choice][]string) {
	id := strings.Join(g.words, "-")
	oneDir := !slices.ContainsFunc(g.commands, func(a *asked) bool { return a.dir != g.commands[0].dir })
	for _, match := range s.matches(g) {
		if _, ok := item.Proposals[review.Allow]; !ok {
			rule := draftRule(v.free("allow-"+id), match, "allow", fmt.Sprintf("asked about %s", count(g.times, "time")))
			if also, ok := s.try(g, asEntry(rule)); ok {
				item.Proposals[review.Allow] = review.Proposal{Rule: rule, Also: also}
				tests[review.Allow] = s.testsOf(g, "allow-"+id, "allow")
			}
		}
		dir := g.commands[0].dir
		if _, ok := item.Proposals[review.Here]; !ok && oneDir && dir != "" && paths.Nameable(dir) {
			here := strings.TrimSuffix(match, "}") + ", dir: [" + rulesfile.Quote(homely(s.cfg.World.Home, dir)) + "]}"
			rule := draftRule(v.free("allow-"+id+"-here"), here, "allow", fmt.Sprintf("asked about %s", count(g.times, "time")))
			if also, ok := s.try(g, asEntry(rule)); ok {
				item.Proposals[review.Here] = review.Proposal{Rule: rule, Also: also}
				tests[review.Here] = s.testsOf(g, "allow-"+id+"-here", "allow")
			}
		}
	}
	command := "{command: " + rulesfile.Quote(strings.Join(g.words, " "))
	if args, known := operandsOf(g); known {
		command += ", " + args
	}
	item.Proposals[review.Deny] = review.Proposal{Rule: draftRule(v.free("deny-"+id), command+"}", "deny", "refused in a review")}
	tests[review.Deny] = s.testsOf(g, "deny-"+id, "deny")
}

// homely writes a directory below the home directory with a tilde.
func homely(home, dir string) string {
	if rest, ok := strings.CutPrefix(dir, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return dir
}

// free makes an id different from those proposed before.
func (v *reviewing) free(id string) string {
	taken := func(id string) bool {
		return slices.ContainsFunc(v.items, func(item review.Item) bool {
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

func draftRule(id, match, decision, reason string) string {
	return fmt.Sprintf("- id: %s\n  match: %s\n  decision: %s\n  reason: %s", rulesfile.Quote(id), match, decision, rulesfile.Quote(reason))
}

// asEntry indents a rule as an entry of a list.
func asEntry(rule string) string { return "  " + strings.ReplaceAll(rule, "\n", "\n  ") + "\n" }

// testsOf says for the commands of a group what is to come out.
func (s *suggester) testsOf(g *group, id, decision string) []string {
	var tests []string
	for i, a := range g.commands[:min(len(g.commands), 3)] {
		tests = append(tests, fmt.Sprintf("- {id: %s, command: %s, %sexpected: {decision: %s}}", rulesfile.Quote(fmt.Sprintf("%s-%d", id, i+1)), rulesfile.Quote(a.command), s.circumstances(a), decision))
	}
	return tests
}

// change is what the choices would do to the user's rules file; its New is nil if
// that is nothing.
func (v *reviewing) change(chosen []review.Choice) (install.Change, error) {
	c := install.Change{Path: v.path, Mode: 0o600}
	old, err := readFile(v.path)
	if err != nil {
		return c, err
	}
	c.Old = old
	var rules, tests []string
	for i, choice := range chosen {
		if proposal, ok := v.items[i].Proposals[choice]; ok && choice != review.Keep {
			rules, tests = append(rules, proposal.Rule), append(tests, v.tests[i][choice]...)
		}
	}
	if len(rules) == 0 {
		return c, nil
	}
	c.New, err = rulesfile.Append(v.path, old, rules, tests)
	return c, err
}

// finish writes what was decided and remembers that the questions were gone through.
func (v *reviewing) finish(chosen []review.Choice, write bool, remember func() error) int {
	if write {
		change, err := v.change(chosen)
		place, unknown := v.p.installPlace(install.User)
		if err == nil {
			err = unknown
		}
		if err == nil {
			err = (&setup{p: v.p, place: place}).write(change)
		}
		if err != nil {
			v.p.errorf("review: %v", err)
			return exitFailed
		}
		fmt.Fprintf(v.p.out, "%s: written; run \"longline test\" to try its tests\n", change.Path)
	} else {
		fmt.Fprintln(v.p.out, "nothing was written")
	}
	if err := remember(); err != nil {
		v.p.errorf("review: %v", err)
		return exitFailed
	}
	return exitOK
}
