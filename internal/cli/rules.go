package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"longline/internal/policy"
)

func rulesCommand() subcommand {
	return subcommand{
		name: "rules", usage: "[FLAGS]", flags: true,
		short: "list the rules that are in force, and where each comes from",
		help: `  longline rules --filter git --verbose
  longline rules --group-by layer`,
		run: runRules,
	}
}

// groupings are the ways to group the list.
var groupings = []string{"decision", "level", "layer", "source"}

func runRules(p *process, args []string) int {
	var pl place
	flags := p.flagSet("rules")
	pl.register(flags)
	filter := flags.String("filter", "", "only rules whose id or reason contains `TEXT`")
	level := flags.String("level", "", "only rules of this `LEVEL`")
	group := flags.String("group-by", "", "group by decision, level, layer or source (`KEY`)")
	verbose := flags.Bool("verbose", false, "also show reasons and suggestions")
	asJSON := flags.Bool("json", false, "print JSON")
	rest, status, done := p.parse(flags, args)
	switch {
	case done:
		return status
	case len(rest) > 0:
		return p.usageError("rules", "unexpected argument %q", rest[0])
	case *level != "" && !slices.Contains(policy.LevelNames(), *level):
		return p.usageError("rules", "unknown level %q; known are %s", *level, strings.Join(policy.LevelNames(), ", "))
	case *group != "" && !slices.Contains(groupings, *group):
		return p.usageError("rules", "unknown grouping %q; known are %s", *group, strings.Join(groupings, ", "))
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	var list []policy.Rule
	for _, r := range cfg.Guard.Policy.Rules() {
		text := strings.ToLower(r.ID + "\n" + r.Reason)
		if strings.Contains(text, strings.ToLower(*filter)) && (*level == "" || r.Level.String() == *level) {
			list = append(list, r)
		}
	}
	if *group != "" {
		slices.SortStableFunc(list, func(a, b policy.Rule) int { return cmp.Compare(groupOf(a, *group), groupOf(b, *group)) })
	}
	if *asJSON {
		err = writeJSON(p.out, true, rulesJSON(list))
	} else {
		_, err = io.WriteString(p.out, rulesText(p.style(), list, *group, *verbose))
	}
	return p.ended(err, exitOK)
}

func groupOf(r policy.Rule, key string) string {
	switch key {
	case "decision":
		return r.Decision.String()
	case "level":
		return r.Level.String()
	case "layer":
		return r.Layer.String()
	}
	file, _, _ := strings.Cut(r.Source, ":")
	return file
}

func rulesText(s style, list []policy.Rule, group string, verbose bool) string {
	var b strings.Builder
	wide := 0
	for _, r := range list {
		wide = max(wide, len(r.ID))
	}
	last := ""
	for i, r := range list {
		if g := groupOf(r, group); group != "" && (i == 0 || g != last) {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%s\n", s.bold(cmp.Or(g, "-")))
			last = g
		}
		fmt.Fprintf(&b, "%s  %-*s  %-8s  %-7s  %s\n", s.decision(r.Decision, fmt.Sprintf("%-5s", r.Decision)), wide, r.ID, r.Level, r.Layer, s.dim(r.Source))
		if verbose {
			for _, line := range nonEmpty(r.Reason, r.Suggest) {
				fmt.Fprintf(&b, "       %s\n", clean(line, ""))
			}
		}
	}
	fmt.Fprintf(&b, "%d rules\n", len(list))
	return b.String()
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
}

func rulesJSON(list []policy.Rule) []ruleJSON {
	out := make([]ruleJSON, len(list))
	for i, r := range list {
		out[i] = ruleJSON{r.ID, r.Decision.String(), r.Level.String(), r.Layer.String(), r.Source, r.Reason, r.Suggest, r.Overrides}
	}
	return out
}
