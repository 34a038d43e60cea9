package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/mask"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// asked is a command that the log says was asked about, in one directory.
type asked struct {
	replayed
	times   int
	refused int // of these, by the person, as far as the agent tells
}

// agreed says whether somebody may have said yes to the command. To what was always
// refused no rule is proposed.
func (a *asked) agreed() bool { return a.refused < a.times }

// group is commands that one rule may cover: runs of one program with one
// subcommand.
type group struct {
	words    []string
	commands []*asked
	times    int
	invs     []*command.Invocation // that the questions were about
	worlds   []*tool.World         // where each of them would run
	rules    []string              // that asked
	gap      bool                  // something is not accounted for
	stays    bool                  // it protects what no rule is proposed for, such as secrets
}

// suggester turns questions into rules, and tries each of them before it is
// shown.
type suggester struct {
	checker
	asked map[replayed]*asked
	open  map[string]*asked // by the agent's id of the call, until it has run
	cfg   *config.Config
	// agreed leaves out what was always refused.
	agreed bool
}

func newSuggester(p *process, cfg *config.Config) suggester {
	return suggester{
		checker: checker{p: p, configs: map[place]*config.Config{}}, asked: map[replayed]*asked{}, open: map[string]*asked{}, cfg: cfg,
	}
}

func (l *logReader) suggest(cfg *config.Config, least, most int, asJSON bool) int {
	s := newSuggester(l.p, cfg)
	s.agreed = true
	found := false
	err := l.each(func(r *history.Record, _ []byte) error {
		found = s.note(r) || found
		return nil
	})
	if err != nil || !found {
		return l.ended(err, found)
	}
	groups := s.groups(least)
	if most > 0 {
		groups = groups[:min(most, len(groups))]
	}
	drafts := s.drafts(groups)
	if asJSON {
		return l.ended(writeJSON(l.p.out, true, suggestionsJSON{1, drafts, s.refused()}), true)
	}
	if len(drafts) == 0 {
		fmt.Fprintf(l.p.err, "longline: no question was asked %d times that a narrow rule would cover\n", least)
		return l.ended(nil, true)
	}
	_, err = io.WriteString(l.p.out, s.text(drafts))
	return l.ended(err, true)
}

// note remembers a question that a rule could be drafted for; it says whether it is one.
// Where the agent tells of calls that have run, a question after which none did was
// refused.
func (s *suggester) note(r *history.Record) bool {
	if r.Outcome == "ran" && s.open[r.ToolUse] != nil {
		s.open[r.ToolUse].refused--
		delete(s.open, r.ToolUse)
	}
	if !(r.Decision == "ask" && !r.ByHand && r.IsShell() && !r.IsCut() && !r.Permitted && !strings.Contains(r.Command, mask.Mark)) {
		return false
	}
	key := replayed{r.Dir, r.Command, r.Edits, ""}
	if s.asked[key] == nil && len(s.asked) < maxDistinct {
		s.asked[key] = &asked{replayed: key}
	}
	if a := s.asked[key]; a != nil {
		a.times++
		if agent.TellsAfter(r.Agent) && r.ToolUse != "" && !r.DryRun && s.open[r.ToolUse] == nil {
			a.refused++
			s.open[r.ToolUse] = a
		}
	}
	return true
}

// refused lists the commands to which nobody has ever said yes.
func (s *suggester) refused() []refusedJSON {
	list := []refusedJSON{}
	for _, key := range slices.SortedFunc(maps.Keys(s.asked), compareReplayed) {
		if a := s.asked[key]; !a.agreed() {
			list = append(list, refusedJSON{a.command, a.dir, a.times})
		}
	}
	return list
}

// suggestionsJSON is what log suggest --json prints.
type suggestionsJSON struct {
	Version     int           `json:"version"`
	Suggestions []suggestion  `json:"suggestions"`
	Refused     []refusedJSON `json:"refused"` // for which nothing is suggested
}

type refusedJSON struct {
	Command string `json:"command"`
	Dir     string `json:"cwd"`
	Times   int    `json:"times"`
}

// suggestion is a rule for questions that were asked often, with its tests.
type suggestion struct {
	ID       string   `json:"id"`
	Times    int      `json:"times"`
	Rules    []string `json:"asked_by"`
	Commands []string `json:"commands"`
	Also     []string `json:"would_also_allow"`
	Rule     string   `json:"rule"` // YAML, as it stands below "rules:"
	Tests    []string `json:"tests"`
}

// groups puts the questions together that are still asked today. A command that
// was asked about often enough by itself is not lumped together with its rare
// relatives; where none was, all of them are one question.
func (s *suggester) groups(least int) []*group {
	times := map[string]int{}
	for _, a := range s.asked {
		times[a.command] += a.times
	}
	often := map[string]bool{}
	var questions []*group
	for _, key := range slices.SortedFunc(maps.Keys(s.asked), compareReplayed) {
		a := s.asked[key]
		s.as.edits = a.edits
		v, invs, err := s.judge(a.command, s.place.within(a.dir, "", ""))
		if err != nil || v.Decision != tool.Ask || s.agreed && !a.agreed() {
			continue
		}
		g := questionOf(v, invs)
		if g == nil {
			continue
		}
		g.commands, g.times = []*asked{a}, a.times
		if cfg, err := s.at(s.place.within(a.dir, "", "")); err == nil {
			g.worlds = slices.Repeat([]*tool.World{cfg.World}, len(g.invs))
		}
		questions = append(questions, g)
		often[strings.Join(g.words, " ")] = often[strings.Join(g.words, " ")] || times[a.command] >= least
	}
	byWords := map[string]*group{}
	for _, g := range questions {
		name := strings.Join(g.words, " ")
		if often[name] && times[g.commands[0].command] < least {
			continue
		}
		if byWords[name] == nil {
			byWords[name] = &group{words: g.words}
		}
		byWords[name].add(g)
	}
	var list []*group
	for _, g := range byWords {
		if g.times >= least {
			slices.SortStableFunc(g.commands, func(a, b *asked) int { return b.times - a.times })
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(b.times-a.times, strings.Compare(strings.Join(a.words, " "), strings.Join(b.words, " ")))
	})
	return list
}

func (g *group) add(other *group) {
	g.commands, g.times = append(g.commands, other.commands...), g.times+other.times
	g.invs, g.gap = append(g.invs, other.invs...), g.gap || other.gap
	g.stays = g.stays || other.stays
	g.worlds = append(g.worlds, other.worlds...)
	for _, rule := range other.rules {
		if !slices.Contains(g.rules, rule) {
			g.rules = append(g.rules, rule)
		}
	}
}

func compareReplayed(a, b replayed) int {
	return cmp.Or(strings.Compare(a.command, b.command), strings.Compare(a.dir, b.dir))
}

// questionOf finds what a question is about: runs of one program, whose words
// are known. Anything else is for a person to think about.
func questionOf(v tool.Verdict, invs []*command.Invocation) *group {
	g := &group{}
	for _, f := range v.Findings {
		if f.Decision != tool.Ask {
			continue
		}
		if f.Invocation < 0 || f.Invocation >= len(invs) || f.Layer == "user" || f.AboveUser() {
			return nil
		}
		inv := invs[f.Invocation]
		words := inv.Path
		if len(words) == 0 && len(inv.Words) > 0 {
			words = []string{inv.Words[0].Text}
		}
		for _, w := range inv.Words {
			if !w.IsKnown() {
				return nil
			}
		}
		if len(words) == 0 || words[0] == "" || g.words != nil && !slices.Equal(g.words, words) {
			return nil
		}
		g.words, g.gap = words, g.gap || f.Rule == policy.UnknownID
		g.stays = g.stays || f.Stays() != ""
		if !slices.Contains(g.invs, inv) {
			g.invs = append(g.invs, inv)
		}
		if f.Rule != "" && !slices.Contains(g.rules, f.Rule) {
			g.rules = append(g.rules, f.Rule)
		}
	}
	if g.words == nil {
		return nil
	}
	return g
}

// drafts are the rules that work.
func (s *suggester) drafts(groups []*group) []suggestion {
	list := []suggestion{}
	for _, g := range groups {
		if d, ok := s.draftFor(g); ok {
			list = append(list, d)
		}
	}
	return list
}

// draftFor is the narrowest rule under which the commands of a group run.
func (s *suggester) draftFor(g *group) (suggestion, bool) {
	id := "allow-" + strings.Join(g.words, "-")
	list := s.matches(g)
	if generalizes(g) && len(list) > 1 && effectOf(g) != "" {
		list = list[1:] // the first lists the operands
	}
	for _, match := range list {
		rule := fmt.Sprintf("  - id: %s\n    match: %s\n    decision: allow\n    reason: %s\n", rulesfile.Quote(id), match,
			rulesfile.Quote(fmt.Sprintf("asked about %d times", g.times)))
		also, ok := s.try(g, rule)
		if !ok {
			continue
		}
		d := suggestion{ID: id, Times: g.times, Rules: g.rules, Also: append([]string{}, also...), Rule: rule}
		for i, a := range g.commands {
			d.Commands = append(d.Commands, a.command)
			if i < 3 {
				d.Tests = append(d.Tests, fmt.Sprintf("{id: %s, command: %s, %sexpected: {decision: allow}}",
					rulesfile.Quote(fmt.Sprintf("%s-%d", id, i+1)), rulesfile.Quote(a.command), s.circumstances(a)))
			}
		}
		return d, true
	}
	return suggestion{}, false
}

// text is the drafts as one rules file.
func (s *suggester) text(drafts []suggestion) string {
	var rules, tests strings.Builder
	for _, d := range drafts {
		fmt.Fprintf(&rules, "  # Asked %d times by %s: %s\n", d.Times, strings.Join(d.Rules, ", "), clean(shorten(d.Commands[0], 80), ""))
		if len(d.Also) == 0 {
			rules.WriteString("  # It would allow nothing else in the log.\n")
		}
		for i, other := range d.Also {
			if i == 5 {
				fmt.Fprintf(&rules, "  # and %d more.\n", len(d.Also)-i)
				break
			}
			fmt.Fprintf(&rules, "  # It would also allow: %s\n", clean(shorten(other, 100), ""))
		}
		rules.WriteString(d.Rule)
		for _, test := range d.Tests {
			tests.WriteString("  - " + test + "\n")
		}
	}
	return "version: 1\nrules:\n" + rules.String() + "tests:\n" + tests.String()
}

func (s *suggester) circumstances(a *asked) string {
	text := ""
	if a.dir != "" && a.dir != s.cfg.Dir {
		text += "cwd: " + rulesfile.Quote(a.dir) + ", "
	}
	if a.edits {
		text += "edits: true, "
	}
	return text
}

// matches lists what a rule for the group may match, the narrowest first: these
// operands and only these effects; these operands; any operands. Of what stays it
// lists nothing.
func (s *suggester) matches(g *group) []string {
	if len(g.worlds) < len(g.invs) { // all of them are here
		g.worlds = slices.Repeat([]*tool.World{s.cfg.World}, len(g.invs))
	}
	command := "command: " + rulesfile.Quote(strings.Join(g.words, " ")) + draftFlags(g.invs)
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
func generalizes(g *group) bool {
	hosts, likened := 0, false
	for _, inv := range g.invs {
		for _, e := range inv.Effects {
			switch {
			case e.Kind.IsPath() || e.Kind.IsHost() && !strings.HasPrefix(e.Target, "@"):
				return false
			case e.Kind.IsHost():
				hosts++
			}
			likened = likened || e.Kind == tool.Control && strings.HasSuffix(e.Target, ".topic")
		}
	}
	differ := slices.ContainsFunc(g.invs, func(inv *command.Invocation) bool {
		return !slices.EqualFunc(inv.Operands, g.invs[0].Operands, func(a, b command.Word) bool { return a.Text == b.Text })
	})
	return hosts > 0 && (likened || differ)
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

func operandsOf(g *group) (args string, ok bool) {
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
func effectOf(g *group) string {
	var kinds, files, hosts, names []string
	below := false // what is below the paths is meant too
	add := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for i, inv := range g.invs {
		for _, e := range inv.Effects {
			if e.Reach != tool.Exact || e.Pattern || !paths.Nameable(e.Target) {
				return ""
			}
			add(&kinds, e.Kind.String())
			switch {
			case e.Kind.IsPath():
				add(&files, portable(g.worlds[i], e.Target))
				below = below || e.Tree
			case e.Kind.IsHost():
				add(&hosts, e.Target)
			default:
				add(&names, e.Target)
			}
		}
	}
	// A kind without its list would mean every path, host or name.
	some := len(files) > 0
	files = common(files)
	if below {
		for _, path := range files {
			files = append(files, path+"/**")
		}
	}
	if len(kinds) == 0 || len(hosts)+len(names) > maxOperands || some && len(files) == 0 {
		return ""
	}
	text := "effect: {kind: " + rulesfile.QuoteList(kinds)
	for _, list := range []struct {
		key    string
		values []string
	}{{"paths", files}, {"hosts", hosts}, {"names", names}} {
		if len(list.values) > 0 {
			text += ", " + list.key + ": " + rulesfile.QuoteList(list.values)
		}
	}
	return text + "}"
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

// try says whether the commands of the group would run by the rule, and which
// others of the log would too.
func (s *suggester) try(g *group, rule string) (also []string, ok bool) {
	file, err := rulesfile.Parse("suggestion", []byte("version: 1\nrules:\n"+rule), nil)
	if err != nil {
		return nil, false
	}
	runs := s.under(file)
	for _, a := range g.commands {
		if !runs(a) {
			return nil, false
		}
	}
	return s.others(g.words[:1], g.commands, runs), true
}

// under returns what says whether a command would run with the rules of a file.
func (s *suggester) under(file *policy.File) func(a *asked) bool {
	configs := map[string]*config.Config{}
	return func(a *asked) bool {
		cfg := configs[a.dir]
		if cfg == nil {
			base, err := s.at(s.place.within(a.dir, "", ""))
			if err != nil {
				return false
			}
			if cfg, err = base.With(file); err != nil {
				return false
			}
			configs[a.dir] = cfg
		}
		v, _ := cfg.Judge(tool.Call{Agent: "log", Tool: "Bash", Dir: cfg.Dir, Script: a.command, Shell: true, Edits: a.edits, Attended: true})
		return v.Decision == tool.Allow
	}
}

// others lists the commands of the log, besides those known, that would run and do
// not run today. One that names none of the programs is not looked at: no rule is
// about it.
func (s *suggester) others(programs []string, known []*asked, runs func(*asked) bool) (also []string) {
	for _, key := range slices.SortedFunc(maps.Keys(s.asked), compareReplayed) {
		a := s.asked[key]
		named := slices.ContainsFunc(programs, func(name string) bool { return strings.Contains(a.command, name) })
		if named && !slices.Contains(known, a) && runs(a) && !s.already(a) {
			also = append(also, a.command)
		}
	}
	return slices.Compact(also)
}

// already says whether a command that was asked about once runs today.
func (s *suggester) already(a *asked) bool {
	s.as.edits = a.edits
	v, _, err := s.judge(a.command, s.place.within(a.dir, "", ""))
	return err == nil && v.Decision == tool.Allow
}
