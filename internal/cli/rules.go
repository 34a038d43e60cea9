package cli

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"

	"longline/internal/config"
	"longline/internal/draft"
	"longline/internal/policy"
	"longline/internal/screen"
)

func rulesCommand() subcommand {
	return subcommand{
		name: "rules", usage: "[FLAGS]", flags: true,
		long: true, purpose: forWritePolicy, example: "rules --filter git",
		short: "list the rules, where each comes from, and which are off",
		help: `  longline rules --filter git --verbose
  longline rules --group-by layer
  longline rules --level strict
  longline rules --check

A rule that is off is listed with who turned it off. --verbose shows a command that
each rule matches. --check names rules of yours that are dead (nothing that longline
makes up matches them), shadowed (another always decides), duplicate or
contradictory; the exit status is 1 if there are any.`,
		run: runRules,
	}
}

// groupings are the ways to group the list.
var groupings = []string{"decision", "level", "layer", "source", "state"}

// rulesFlags are what rules is told on the command line.
type rulesFlags struct {
	place                place
	filter, level, group string
	verbose, asJSON      bool
	check                bool
}

func (f *rulesFlags) register(flags *flag.FlagSet) {
	f.place.register(flags)
	flags.StringVar(&f.filter, "filter", "", "only rules whose id, reason or source contains `TEXT`")
	choose(flags, &f.level, "level", "only rules of this `LEVEL`", policy.LevelNames()...)
	choose(flags, &f.group, "group-by", "group by `KEY`: decision, level, layer, source or state", groupings...)
	flags.BoolVar(&f.check, "check", false, "name the rules of yours that cannot do what they say")
	flags.BoolVar(&f.verbose, "verbose", false, "also show reasons, suggestions and examples")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
}

// problem says what is wrong with the flags.
func (f *rulesFlags) problem() string {
	switch {
	case f.level != "" && !slices.Contains(policy.LevelNames(), f.level):
		return fmt.Sprintf("unknown level %q; expected one of %s", f.level, strings.Join(policy.LevelNames(), ", "))
	case f.group != "" && !slices.Contains(groupings, f.group):
		return fmt.Sprintf("unknown grouping %q; expected one of %s", f.group, strings.Join(groupings, ", "))
	}
	return ""
}

// hides reports whether a rule is not among those that were asked for.
func (f *rulesFlags) hides(r listed) bool {
	text := strings.ToLower(r.ID + "\n" + r.Reason + "\n" + r.Source)
	return !strings.Contains(text, strings.ToLower(f.filter)) || f.level != "" && r.Level.String() != f.level
}

func runRules(p *process, args []string) int {
	var f rulesFlags
	flags := p.flagSet("rules")
	f.register(flags)
	status, done := p.parseAlone(flags, args)
	if done {
		return status
	}
	if problem := f.problem(); problem != "" {
		return p.usageError("rules", "%s", problem)
	}
	cfg, err := p.load(f.place)
	if err != nil {
		return p.configError(err)
	}
	if f.check {
		return p.checkRules(cfg, f.asJSON)
	}
	packs, leftOut := leftOut(cfg)
	list := rulesOf(cfg.Guard.Policy)
	if f.asJSON {
		for _, r := range packs {
			list = append(list, listed{Rule: r, off: leftOut})
		}
	}
	list = slices.DeleteFunc(list, f.hides)
	if f.group != "" {
		slices.SortStableFunc(list, func(a, b listed) int { return cmp.Compare(a.key(f.group), b.key(f.group)) })
	}
	if f.asJSON {
		return p.ended(screen.WriteJSON(p.out, true, rulesJSON(list)), exitOK)
	}
	if f.verbose {
		exemplify(cfg, list)
	}
	text := rulesText(p.style(), list, f.group, f.verbose)
	if leftOut != "" {
		text += fmt.Sprintf("the %d rules of the built-in packs are off: %s\n", len(packs), leftOut)
	}
	return p.ended(writeText(p, text), exitOK)
}

// rulesOf lists the rules that are on, and those that are off.
func rulesOf(set *policy.Set) (list []listed) {
	for _, r := range set.Rules() {
		list = append(list, listed{Rule: r})
	}
	for _, r := range set.Off() {
		list = append(list, listed{Rule: r.Rule, off: r.Why})
	}
	return list
}

// leftOut are the rules of the packs if a file leaves them out, and which does.
func leftOut(cfg *config.Config) (rules []policy.Rule, why string) {
	for _, f := range cfg.Files {
		if f.Layer < policy.User || !f.File.NoBuiltin {
			continue
		}
		why = "builtin: false in " + f.Layer.String() + ", " + f.File.Name
		packs, err := policy.BuiltinFile()
		if err != nil {
			return nil, why
		}
		set, _, err := policy.Merge(packs, nil, &policy.File{Safety: policy.Strict}, nil)
		if err != nil {
			return nil, why
		}
		return set.Rules(), why
	}
	return nil, ""
}

// listed is a rule and why it is off, if it is.
type listed struct {
	policy.Rule
	off, example string
}

// exemplify finds a call that each rule matches.
func exemplify(cfg *config.Config, list []listed) {
	rules := make([]policy.Rule, len(list))
	for i := range list {
		rules[i] = list[i].Rule
	}
	for i, call := range draft.Examples(cfg, rules) {
		if call.Agent != "" {
			list[i].example = "for example: " + draft.Shown(&call)
		}
	}
}

// checkRules names the rules that cannot do what they say.
func (p *process) checkRules(cfg *config.Config, asJSON bool) int {
	doubts := draft.Doubts(cfg)
	status := statusIf(len(doubts) > 0)
	if asJSON {
		return p.ended(screen.WriteJSON(p.out, true, append([]draft.Doubt{}, doubts...)), status)
	}
	var b strings.Builder
	for i := range doubts {
		b.WriteString(screen.Clean(doubts[i].String(), "") + "\n")
	}
	fmt.Fprintf(&b, "%s of yours cannot do what they say\n", screen.Count(len(doubts), "rule"))
	return p.ended(writeText(p, b.String()), status)
}

func (r listed) state() string {
	if r.off != "" {
		return "off"
	}
	return "on"
}

// key is what a rule is grouped by.
func (r listed) key(group string) string {
	switch group {
	case "decision":
		return r.Decision.String()
	case "level":
		return r.Level.String()
	case "layer":
		return r.Layer.String()
	case "state":
		return r.state()
	}
	file, _, _ := strings.Cut(r.Source, ":")
	return file
}

func rulesText(s screen.Style, list []listed, group string, verbose bool) string {
	var b strings.Builder
	wide, off := 0, 0
	for _, r := range list {
		wide = max(wide, len(r.ID))
	}
	last := ""
	for i, r := range list {
		if g := r.key(group); group != "" && (i == 0 || g != last) {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%s\n", s.Bold(cmp.Or(g, "-")))
			last = g
		}
		if r.off != "" {
			off++
		}
		r.write(&b, s, wide, verbose)
	}
	b.WriteString(screen.Count(len(list)-off, "rule"))
	if off > 0 {
		fmt.Fprintf(&b, ", %d off", off)
	}
	b.WriteByte('\n')
	return b.String()
}

// write prints one rule, its id in a column of some width.
func (r listed) write(b *strings.Builder, s screen.Style, wide int, verbose bool) {
	line := fmt.Sprintf("%-*s  %-8s  %-7s  ", wide, r.ID, r.Level, r.Layer)
	if r.off == "" {
		fmt.Fprintf(b, "%s  %s%s\n", s.Decision(r.Decision, fmt.Sprintf("%-5s", r.Decision)), line, s.Dim(screen.Clean(r.Source, "")))
	} else {
		fmt.Fprintf(b, "%s\n", s.Dim("off    "+line+screen.Clean(r.Source, "")))
		fmt.Fprintf(b, "%s\n", s.Dim("       "+r.Decision.String()+"; "+screen.Clean(r.off, "")))
	}
	if verbose {
		for _, line := range screen.NonEmpty(r.Reason, r.Suggest, r.example) {
			screen.Fill(b, "       ", "       ", screen.Clean(line, ""))
		}
	}
}

type ruleJSON struct {
	ID        string   `json:"id"`
	Decision  string   `json:"decision"`
	Level     string   `json:"level"`
	Layer     string   `json:"layer"`
	Source    string   `json:"source"`
	Reason    string   `json:"reason"`
	Suggest   string   `json:"suggest,omitempty"`
	Overrides []string `json:"overrides,omitempty"`
	Off       string   `json:"off,omitempty"` // why it does not count
}

func rulesJSON(list []listed) []ruleJSON {
	out := make([]ruleJSON, len(list))
	for i, r := range list {
		out[i] = ruleJSON{r.ID, r.Decision.String(), r.Level.String(), r.Layer.String(), r.Source, r.Reason, r.Suggest, r.Overrides, r.off}
	}
	return out
}
