package draft

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/mask"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Log turns the questions of a log into rules, and tries each of them before it is
// shown.
type Log struct {
	// Agreed leaves out what was always refused.
	Agreed bool
	here   *config.Config
	at     func(dir string) (*config.Config, error)
	asked  map[key]*Question
	open   map[string]*Question // by the agent's id of the call, until it has run
}

// NewLog is a log of which nothing has been read. The rules in force here are given,
// and where those in force in other directories come from.
func NewLog(here *config.Config, at func(dir string) (*config.Config, error)) *Log {
	return &Log{here: here, at: at, asked: map[key]*Question{}, open: map[string]*Question{}}
}

// Judge judges a command as it would be judged in a directory today.
func (s *Log) Judge(script, dir string, edits bool) (tool.Verdict, []*command.Invocation, error) {
	cfg, err := s.at(dir)
	if err != nil {
		return tool.Verdict{}, nil, err
	}
	v, invs := cfg.Judge(callOf(cfg, script, edits))
	return v, invs, nil
}

// callOf is a command as nobody's call in particular.
func callOf(cfg *config.Config, script string, edits bool) tool.Call {
	return tool.Call{Agent: "check", Tool: "Bash", Dir: cfg.Dir, Script: script, Shell: true, Edits: edits, Attended: true}
}

// Note remembers a question that a rule could be drafted for; it says whether it is one.
// Where the agent tells of calls that have run, a question after which none did was
// refused.
func (s *Log) Note(r *history.Record) bool {
	if r.Outcome == "ran" && s.open[r.ToolUse] != nil {
		s.open[r.ToolUse].refused--
		delete(s.open, r.ToolUse)
	}
	if !isQuestion(r) {
		return false
	}
	at := key{r.Dir, r.Command, r.Edits}
	if s.asked[at] == nil && len(s.asked) < history.MaxDistinct {
		s.asked[at] = &Question{Dir: r.Dir, Command: r.Command, Edits: r.Edits}
	}
	if a := s.asked[at]; a != nil {
		a.Times++
		if s.waits(r) {
			a.refused++
			s.open[r.ToolUse] = a
		}
	}
	return true
}

// waits reports whether the log will tell if the call that was asked about has run.
func (s *Log) waits(r *history.Record) bool {
	return agent.TellsAfter(r.Agent) && r.ToolUse != "" && !r.DryRun && s.open[r.ToolUse] == nil
}

// isQuestion says whether a line is a question about a whole shell command that an agent
// would run.
func isQuestion(r *history.Record) bool {
	whole := r.IsShell() && !r.IsCut() && !strings.Contains(r.Command, mask.Mark)
	return whole && r.Decision == "ask" && !r.ByHand && !r.Permitted
}

// Refused lists the commands to which nobody has ever said yes.
func (s *Log) Refused() []Refused {
	list := []Refused{}
	for _, a := range s.questions() {
		if !a.agreed() {
			list = append(list, Refused{a.Command, a.Dir, a.Times})
		}
	}
	return list
}

// Refused is a command to which nobody has ever said yes.
type Refused struct {
	Command string `json:"command"`
	Dir     string `json:"cwd"`
	Times   int    `json:"times"`
}

// Suggestion is a rule for questions that were asked often, with its tests.
type Suggestion struct {
	ID       string   `json:"id"`
	Times    int      `json:"times"`
	Rules    []string `json:"asked_by"`
	Commands []string `json:"commands"`
	Also     []string `json:"would_also_allow"`
	Rule     string   `json:"rule"` // YAML, as it stands below "rules:"
	Tests    []string `json:"tests"`
}

// questions are those of the log, in a fixed order.
func (s *Log) questions() []*Question {
	var list []*Question
	for _, k := range slices.SortedFunc(maps.Keys(s.asked), key.compare) {
		list = append(list, s.asked[k])
	}
	return list
}

// About are the questions about one command, in whatever directory.
func (s *Log) About(script string) (list []*Question) {
	for _, q := range s.questions() {
		if q.Command == script {
			list = append(list, q)
		}
	}
	return list
}

// Groups puts the questions together that are still asked today. A command that
// was asked about often enough by itself is not lumped together with its rare
// relatives; where none was, all of them are one question.
func (s *Log) Groups(least int) []*Group {
	times := map[string]int{}
	for _, a := range s.asked {
		times[a.Command] += a.Times
	}
	often := map[string]bool{}
	var open []*Group
	for _, a := range s.questions() {
		if g := s.still(a); g != nil {
			open = append(open, g)
			often[g.name()] = often[g.name()] || times[a.Command] >= least
		}
	}
	open = slices.DeleteFunc(open, func(g *Group) bool { return often[g.name()] && times[g.Questions[0].Command] < least })
	var list []*Group
	for _, g := range united(open) {
		if g.Times >= least {
			slices.SortStableFunc(g.Questions, func(a, b *Question) int { return b.Times - a.Times })
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(a, b *Group) int {
		return cmp.Or(b.Times-a.Times, strings.Compare(a.name(), b.name()))
	})
	return list
}

// united puts the groups of one name together.
func united(groups []*Group) map[string]*Group {
	byName := map[string]*Group{}
	for _, g := range groups {
		if byName[g.name()] == nil {
			byName[g.name()] = &Group{Words: g.Words}
		}
		byName[g.name()].add(g)
	}
	return byName
}

// still is a question as a group of its own, if it is still asked and a rule could be
// drafted for it.
func (s *Log) still(a *Question) *Group {
	v, invs, err := s.Judge(a.Command, a.Dir, a.Edits)
	if err != nil || v.Decision != tool.Ask || s.Agreed && !a.agreed() {
		return nil
	}
	g := questionOf(v, invs)
	if g == nil {
		return nil
	}
	g.Questions, g.Times = []*Question{a}, a.Times
	if cfg, err := s.at(a.Dir); err == nil {
		g.worlds = slices.Repeat([]*tool.World{cfg.World}, len(g.invs))
	}
	return g
}

// Drafts are the rules that work.
func (s *Log) Drafts(groups []*Group) []Suggestion {
	list := []Suggestion{}
	for _, g := range groups {
		if d, ok := s.draftFor(g); ok {
			list = append(list, d)
		}
	}
	return list
}

// draftFor is the narrowest rule under which the commands of a group run.
func (s *Log) draftFor(g *Group) (Suggestion, bool) {
	id := "allow-" + strings.Join(g.Words, "-")
	for _, match := range g.matches(s.here.World) {
		rule := asEntry(draftRule(id, match, "allow", fmt.Sprintf("asked about %d times", g.Times), g.overrides()))
		also, ok := s.try(g, rule)
		if !ok {
			continue
		}
		d := Suggestion{ID: id, Times: g.Times, Rules: g.Rules, Also: append([]string{}, also...), Rule: rule}
		for i, a := range g.Questions {
			d.Commands = append(d.Commands, a.Command)
			if i < 3 {
				d.Tests = append(d.Tests, fmt.Sprintf("{id: %s, command: %s, %sexpected: {decision: allow}}",
					rulesfile.Quote(fmt.Sprintf("%s-%d", id, i+1)), rulesfile.Quote(a.Command), s.Circumstances(a)))
			}
		}
		return d, true
	}
	return Suggestion{}, false
}

// Text is the drafts as one rules file.
func (s *Log) Text(drafts []Suggestion) string {
	var rules, tests strings.Builder
	for _, d := range drafts {
		fmt.Fprintf(&rules, "  # Asked %d times by %s: %s\n", d.Times, strings.Join(d.Rules, ", "), screen.Clean(screen.Shorten(d.Commands[0], 80), ""))
		if len(d.Also) == 0 {
			rules.WriteString("  # It would allow nothing else in the log.\n")
		}
		for i, other := range d.Also {
			if i == 5 {
				fmt.Fprintf(&rules, "  # and %d more.\n", len(d.Also)-i)
				break
			}
			fmt.Fprintf(&rules, "  # It would also allow: %s\n", screen.Clean(screen.Shorten(other, 100), ""))
		}
		rules.WriteString(d.Rule)
		for _, test := range d.Tests {
			tests.WriteString("  - " + test + "\n")
		}
	}
	return "version: 1\nrules:\n" + rules.String() + "tests:\n" + tests.String()
}

// Circumstances are what a test says beside its command.
func (s *Log) Circumstances(a *Question) string {
	text := ""
	if a.Dir != "" { // wherever the tests are run later
		text += "cwd: " + rulesfile.Quote(a.Dir) + ", "
	}
	if a.Edits {
		text += "edits: true, "
	}
	return text
}

// try says whether the commands of the group would run by the rule, and which
// others of the log would too.
func (s *Log) try(g *Group, rule string) (also []string, ok bool) {
	file, err := rulesfile.Parse("suggestion", []byte("version: 1\nrules:\n"+rule), nil)
	if err != nil {
		return nil, false
	}
	runs := s.Under(file)
	for _, a := range g.Questions {
		if !runs(a) {
			return nil, false
		}
	}
	return s.Others(g.Words[:1], g.Questions, runs), true
}

// Under returns what says whether a command would run with the rules of a file.
func (s *Log) Under(file *policy.File) func(a *Question) bool {
	configs := map[string]*config.Config{}
	return func(a *Question) bool {
		cfg := configs[a.Dir]
		if cfg == nil {
			base, err := s.at(a.Dir)
			if err != nil {
				return false
			}
			if cfg, err = base.With(file); err != nil {
				return false
			}
			configs[a.Dir] = cfg
		}
		v, _ := cfg.Judge(callOf(cfg, a.Command, a.Edits))
		return v.Decision == tool.Allow
	}
}

// Others lists the commands of the log, besides those known, that would run and do
// not run today. One that names none of the programs is not looked at: no rule is
// about it.
func (s *Log) Others(programs []string, known []*Question, runs func(*Question) bool) (also []string) {
	for _, a := range s.questions() {
		named := slices.ContainsFunc(programs, func(name string) bool { return strings.Contains(a.Command, name) })
		if named && !slices.Contains(known, a) && runs(a) && !s.already(a) {
			also = append(also, a.Command)
		}
	}
	return slices.Compact(also)
}

// already says whether a command that was asked about once runs today.
func (s *Log) already(a *Question) bool {
	v, _, err := s.Judge(a.Command, a.Dir, a.Edits)
	return err == nil && v.Decision == tool.Allow
}
