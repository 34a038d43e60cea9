package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/mask"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/state"
	"longline/internal/tool"
)

func allowCommand() subcommand {
	return subcommand{
		name: "allow", usage: "ID [--here]", flags: true,
		purpose: forDecideInPerson, example: "allow k3v9qa2m",
		short: "stop a question: add a rule that allows the command",
		help: `The ID is the last word of the question. You see the narrowest rule that stops the
question and what else it would allow. If you agree, the rule and a test are added
to your rules file.

It stops questions only. Denials, final rules, and what protects secrets, longline
or agent files stay; use "longline allow-once" for those.

  longline allow k3v9qa2m
  longline allow --here k3v9qa2m`,
		run: runAllow,
	}
}

func runAllow(p *process, args []string) int {
	flags := p.flagSet("allow")
	here := flags.Bool("here", false, "only in the directory of the command and below")
	rest, status, done := p.parse(flags, args)
	switch {
	case done:
		return status
	case len(rest) != 1:
		return p.usageError("allow", "expected one id, found %d arguments", len(rest))
	}
	if !p.byPerson("allow") {
		return exitFailed
	}
	own, err := p.load(place{})
	if err != nil {
		return p.configError(err)
	}
	l := lifting{p: p, id: rest[0], s: newSuggester(p, own)}
	if problem, hint := l.find(); problem != "" {
		return l.refuse(problem, hint)
	}
	l.s.as.edits = l.question.edits
	if l.cfg, err = l.s.at(place{dir: l.question.dir}); err != nil {
		return p.configError(err)
	}
	if err := l.readRules(); err != nil {
		return p.configError(err)
	}
	x := explainer{style: p.style(), cfg: l.cfg, as: l.s.as, taken: l.taken, by: "allow", unasked: true}
	if dir := l.question.dir; *here {
		if !paths.Nameable(dir) {
			return l.refuse("a rule cannot name the directory "+clean(dir, ""), "leave --here out, or write the rule by hand")
		}
		x.only = homely(l.cfg.World.Home, dir)
	}
	e := x.explain(l.s.as.call("allow", l.cfg.Dir, l.question.command))
	if problem, hint := l.stays(e); problem != "" {
		return l.refuse(problem, hint)
	}
	w := &whyNot{then: e.verdict.Decision}
	for _, f := range obstacles(&e.verdict) {
		if f.Decision >= tool.Ask {
			w.obstacles = append(w.obstacles, obstacle{finding: f})
		}
	}
	if x.draft(e, w); w.rules == "" {
		return l.refuse("no narrow rule lifts this: "+strings.Join(w.ruleless, "; "), l.onceHint())
	}
	return l.write(e, w)
}

// lifting is a question on its way to become a rule.
type lifting struct {
	p        *process
	id       string
	s        suggester
	question asked
	cfg      *config.Config  // where the question was asked
	change   install.Change  // to the user's rules file
	taken    map[string]bool // ids in that file
}

func (l *lifting) refuse(problem, hint string) int {
	l.p.errorf("allow: %s", problem)
	if hint != "" {
		l.p.hintf("%s", hint)
	}
	return exitFailed
}

func (l *lifting) onceHint() string {
	return fmt.Sprintf("\"longline allow-once %s\" lets it run once; \"longline explain 'COMMAND'\" shows why", l.id)
}

// find looks the question up among the calls that are held, and in the log: a call
// that its user has said yes to is not held any more.
func (l *lifting) find() (problem, hint string) {
	var logged *history.Record
	var lines history.Count
	err := readLog(l.s.cfg, &lines, func(r *history.Record, _ []byte) error {
		l.s.note(r)
		if r.ID == l.id && r.Decision != "" && !r.Permitted {
			found := *r
			logged = &found
		}
		return nil
	})
	held, ok := l.p.store(l.p.here()).Held(l.id, time.Now())
	switch {
	case err != nil && !ok:
		return "the log cannot be read: " + err.Error(), ""
	case !ok && logged == nil:
		return fmt.Sprintf("there is no question %q", l.id), "the id is the last word of the question; run \"longline allow-once\" for those of the last hour"
	case !ok && logged.IsShell() && (logged.IsCut() || strings.Contains(logged.Command, mask.Mark)):
		return "the log no longer has the whole command", "use the id while the question is open, or write a rule: \"longline docs rules\""
	case !ok:
		held = state.Held{Dir: logged.Dir, Subject: logged.Command}
	}
	if ok && held.Content != "" || logged != nil && !logged.IsShell() {
		return "this is a call of a tool that is not a shell, and its rule is written by hand", "\"longline docs rules\" shows how, under \"Tools that are not shells\""
	}
	l.question.replayed = replayed{dir: held.Dir, command: held.Subject, edits: logged != nil && logged.Edits}
	return "", ""
}

// stays says why the question is not lifted by a rule, and what to do instead.
func (l *lifting) stays(e *explanation) (problem, hint string) {
	switch v := &e.verdict; {
	case v.Decision < tool.Ask:
		return "it no longer asks: the answer is " + v.Decision.String(), ""
	case !v.Parsed || v.Rule == "":
		return "no rule lifts this: " + clean(v.Reason, ""), l.onceHint()
	case mask.Script(e.call.Script, e.invs) != e.call.Script:
		return "the command contains a secret, which a rule would write down", l.onceHint()
	}
	for _, f := range e.verdict.Findings {
		if f.Decision < tool.Ask {
			continue
		}
		if why := f.Stays(); why != "" {
			return fmt.Sprintf("[%s] stays: %s", f.Rule, clean(why, "")), l.onceHint()
		}
		if f.Invocation < 0 || f.Invocation >= len(e.invs) {
			continue
		}
		for _, effect := range e.invs[f.Invocation].Effects {
			in, _ := l.cfg.Guard.Policy.Zones(effect, l.cfg.World)
			for _, zone := range []policy.Zone{policy.ZoneSecrets, policy.ZoneGuard, policy.ZoneAgent, policy.ZoneInstructions} {
				if in.Has(zone) {
					return fmt.Sprintf("[%s] stays: %s is in the zone %s", f.Rule, clean(effect.Target, ""), zone), l.onceHint()
				}
			}
		}
	}
	return "", ""
}

// readRules reads the user's rules file as it is before the change.
func (l *lifting) readRules() error {
	l.change = install.Change{Path: l.p.rulesPath(), Mode: 0o600}
	text, err := readFile(l.change.Path)
	if err != nil {
		return err
	}
	l.change.Old, l.taken = text, map[string]bool{}
	if len(strings.TrimSpace(string(text))) == 0 {
		return nil
	}
	none := func(_, name string) (string, []byte, error) { return name, []byte("version: 1\n"), nil }
	file, err := rulesfile.Parse(l.change.Path, text, none)
	if err != nil {
		return err
	}
	for i := range file.Rules {
		l.taken[file.Rules[i].ID] = true
	}
	for i := range file.Tests {
		l.taken[file.Tests[i].ID] = true
	}
	return nil
}

// write shows the rules and what else they allow, asks, and adds them.
func (l *lifting) write(e *explanation, w *whyNot) int {
	p := l.p
	file, err := rulesfile.Parse("proposal", []byte("version: 1\nrules:\n"+w.rules), nil)
	if err != nil {
		return l.refuse(err.Error(), "")
	}
	var entries []string
	for _, text := range w.entries {
		entries = append(entries, strings.TrimPrefix(strings.ReplaceAll(text, "\n  ", "\n"), "  "))
	}
	id := file.Rules[0].ID + "-1"
	for n := 2; l.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", file.Rules[0].ID, n)
	}
	test := fmt.Sprintf("- {id: %s, command: %s, %sexpected: {decision: %s}}", rulesfile.Quote(id), rulesfile.Quote(e.call.Script), l.s.circumstances(&l.question), w.then)
	if l.change.New, err = rulesfile.Append(l.change.Path, l.change.Old, entries, []string{test}); err != nil {
		return l.refuse(err.Error(), "")
	}
	fmt.Fprintf(p.out, "%s asked about, in %s:\n\n  %s\n\n", quotedRules(w), clean(l.question.dir, ""), clean(e.call.Script, "\t"))
	fmt.Fprintf(p.out, "This would be added to %s:\n\n", clean(l.change.Path, ""))
	for line := range strings.Lines(w.rules) {
		fmt.Fprint(p.out, clean(line, "\n"))
	}
	fmt.Fprintln(p.out, "\nFrom now on, longline does not ask about")
	var programs []string
	for i := range file.Rules {
		for _, line := range liftWords(&file.Rules[i]) {
			fmt.Fprintln(p.out, "  "+clean(line, ""))
		}
		for _, c := range file.Rules[i].Match.Commands {
			programs = append(programs, c[0])
		}
	}
	p.alsoAllowed(l.s.others(programs, l.same(), l.s.under(file)))
	if !p.confirm("Add it?") {
		return l.refuse("nothing was written", "")
	}
	setupPlace, err := p.installPlace(install.User)
	if err == nil {
		err = (&setup{p: p, place: setupPlace}).write(l.change)
	}
	if err != nil {
		return l.refuse(err.Error(), "")
	}
	p.act(l.cfg, "allow", l.id+" "+strings.Join(ids(file), ", "))
	fmt.Fprintf(p.out, "%s: written; delete the rule to be asked again\n", clean(l.change.Path, ""))
	return exitOK
}

// same lists the log's questions about this very command.
func (l *lifting) same() (list []*asked) {
	for _, a := range l.s.asked {
		if a.command == l.question.command {
			list = append(list, a)
		}
	}
	return list
}

func (p *process) alsoAllowed(also []string) {
	if len(also) == 0 {
		fmt.Fprintln(p.out, "\nIt would allow nothing else that was asked about before.")
		return
	}
	fmt.Fprintln(p.out, "\nIt would also allow these earlier questions:")
	for i, command := range also {
		if i == 5 {
			fmt.Fprintf(p.out, "  and %d more\n", len(also)-i)
			break
		}
		fmt.Fprintln(p.out, "  "+clean(shorten(command, 100), ""))
	}
}

func quotedRules(w *whyNot) string {
	var names []string
	for _, o := range w.obstacles {
		if name := "[" + o.finding.Rule + "]"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func ids(file *policy.File) (list []string) {
	for i := range file.Rules {
		list = append(list, file.Rules[i].ID)
	}
	return list
}

// flagWords says which flags a drafted rule demands and which it takes.
func flagWords(l policy.Lists) string {
	var more []string
	for _, flag := range l.Only {
		if flag != "" && !slices.Contains(l.All, flag) {
			more = append(more, flag)
		}
	}
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

// liftWords says in words what a drafted rule lets run: what it demands, and what
// it leaves open.
func liftWords(r *policy.Rule) []string {
	m := &r.Match
	var commands []string
	for _, c := range m.Commands {
		commands = append(commands, strings.Join(c, " "))
	}
	lines := []string{"the command " + strings.Join(commands, " or ")}
	switch {
	case len(m.Args.Any) > 0:
		lines = append(lines, "- with one or more of these arguments, in any order, and no others: "+strings.Join(m.Args.Any, ", "))
	case len(m.Args.None) > 0:
		lines = append(lines, "- without arguments")
	default:
		lines = append(lines, "- with ANY arguments")
	}
	flags := flagWords(m.Flags)
	if e := &m.Effect; e.Kinds != 0 {
		var does []string
		for k := tool.Read; k <= tool.Control; k++ {
			if e.Kinds.Has(k) {
				does = append(does, k.String())
			}
		}
		targets := slices.Concat(e.Places.Paths, e.Places.Hosts, e.Places.Names)
		lines = append(lines, flags+", as far as what it does is: "+strings.Join(does, ", ")+" of "+strings.Join(targets, ", "))
	} else {
		lines = append(lines, flags+"; longline does not know what it would do then")
	}
	if len(m.Dirs) > 0 {
		return append(lines, "- in "+m.Dirs[0]+" and below") // the rest of the list is what is below
	}
	return append(lines, "- in every project and directory; --here limits it to this one")
}
