package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/draft"
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/mask"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/state"
	"longline/internal/tool"
	"longline/internal/userfiles"
)

func allowCommand() subcommand {
	return subcommand{
		name: "allow", usage: "ID [--here] [--wide]", flags: true,
		purpose: forDecideInPerson, example: "allow k3v9qa2m",
		short: "stop a question: add a rule that allows the command",
		help: `The ID is the last word of the question. You see the narrowest rule that stops the
question and what else it would allow. If you agree, the rule and a test are added
to your rules file. With --wide it is the command with any words, if it does
no more than this one did, in the same directories.

It stops questions only. Denials, final rules, and what protects secrets, longline
or agent files stay; use "longline allow-once" for those.

  longline allow k3v9qa2m
  longline allow --here k3v9qa2m
  longline allow --wide k3v9qa2m`,
		run: runAllow,
	}
}

func runAllow(p *process, args []string) int {
	flags := p.flagSet("allow")
	here := flags.Bool("here", false, "only in the directory of the command and below")
	wide := flags.Bool("wide", false, "the command with any words")
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
	l := lifting{p: p, id: rest[0], wide: *wide, own: own, log: p.questions(own)}
	if problem, hint := l.find(); problem != "" {
		return l.refuse(problem, hint)
	}
	if l.cfg, err = p.load(place{dir: l.question.Dir}); err != nil {
		return p.configError(err)
	}
	if err := l.readRules(); err != nil {
		return p.configError(err)
	}
	switch {
	case l.tool != "" && *here:
		return l.refuse("a rule about a tool holds everywhere", "leave --here out, or write the rule yourself")
	case l.tool != "":
		return l.liftTool()
	}
	like := draft.Like{Taken: l.taken, By: "allow", Unasked: true, Wide: *wide}
	if dir := l.question.Dir; *here {
		if !paths.Nameable(dir) {
			return l.refuse("a rule cannot name the directory "+screen.Clean(dir, ""), "leave --here out, or write the rule yourself")
		}
		like.Only = screen.Homely(l.cfg.World.Home, dir)
	}
	return l.lift(like)
}

// lift finds the narrowest rule that stops the question, and has it written.
func (l *lifting) lift(like draft.Like) int {
	as := viewpoint{edits: l.question.Edits}
	as.use(l.cfg)
	e := draft.Judge(l.cfg, as.call("allow", l.cfg.Dir, l.question.Command))
	if e.Verdict.Decision < tool.Ask {
		return l.refuse("it no longer asks: the answer is "+e.Verdict.Decision.String(), "")
	}
	if problem := draft.Stays(l.cfg, &e); problem != "" {
		return l.refuse(problem, l.onceHint())
	}
	w := draft.Lift(l.cfg, &e, like)
	if w.Rules == "" {
		return l.refuse("no narrow rule lifts this: "+strings.Join(w.Ruleless, "; "), l.onceHint())
	}
	return l.write(&e, w)
}

// lifting is a question on its way to become a rule.
type lifting struct {
	p        *process
	id       string
	own      *config.Config // here
	log      *draft.Log
	question draft.Question
	tool     string          // that is no shell, if it is about one
	asked    []string        // the rules that asked about it
	cfg      *config.Config  // where the question was asked
	change   install.Change  // to the user's rules file
	taken    map[string]bool // ids in that file
	wide     bool
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
	logged, err := l.logged()
	held, ok := l.p.store(l.p.here()).Held(l.id, time.Now())
	if !ok {
		if problem, hint := l.unlogged(logged, err); problem != "" {
			return problem, hint
		}
		held = state.Held{Dir: logged.Dir, Subject: logged.Command}
	}
	if held.Content != "" || logged != nil && !logged.IsShell() {
		l.question.Dir = held.Dir
		return l.findTool(logged)
	}
	l.question = draft.Question{Dir: held.Dir, Command: held.Subject, Edits: logged != nil && logged.Edits}
	return "", ""
}

// logged is the line of the log with the question; nil if there is none.
func (l *lifting) logged() (logged *history.Record, err error) {
	var lines history.Count
	err = readLog(l.own, &lines, func(r *history.Record, _ []byte) error {
		l.log.Note(r)
		if r.ID == l.id && r.Decision != "" && !r.Permitted {
			found := *r
			logged = &found
		}
		return nil
	})
	return logged, err
}

// findTool is find for a call of a tool that is no shell: what asked must have been rules about tools.
func (l *lifting) findTool(logged *history.Record) (problem, hint string) {
	byHand := "\"longline docs rules\" shows how to write a rule, under \"Tools that are not shells\""
	if logged == nil || logged.Tool == "" {
		return "the log does not have the question any more", byHand
	}
	rules := l.own.Guard.Policy.Rules()
	for _, id := range logged.Rules {
		i := slices.IndexFunc(rules, func(r policy.Rule) bool { return r.ID == id })
		switch {
		case i >= 0 && rules[i].Decision < tool.Ask:
		case i < 0 || !(&tool.Finding{Layer: rules[i].Layer.String(), Source: rules[i].Source}).OfTool():
			return fmt.Sprintf("this is a call of a tool that is not a shell, and [%s] spoke of what it was given", id), byHand
		default:
			l.asked = append(l.asked, id)
		}
	}
	if len(l.asked) == 0 {
		return "no rule about tools asked", byHand
	}
	l.tool = logged.Tool
	return "", ""
}

// liftTool has a rule written that allows a tool, whatever it is given that no other rule objects to.
func (l *lifting) liftTool() int {
	base := "allow-" + strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(l.tool)), "-")
	id := base
	for n := 2; l.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	rule := fmt.Sprintf("- id: %s\n  match: {tool: %s}\n  decision: allow\n  overrides: %s\n  reason: The user allows this tool\n", rulesfile.Quote(id), rulesfile.Quote(l.tool), rulesfile.QuoteList(l.asked))
	var err error
	if l.change.New, err = rulesfile.Append(l.change.Path, l.change.Old, []string{rule}, nil); err != nil {
		return l.refuse(err.Error(), "")
	}
	p := l.p
	fmt.Fprintf(p.out, "This would be added to %s:\n\n%s\nFrom now on, longline does not ask about this tool. It still asks about secrets, files, addresses and\ncommands that the tool is given.\n", screen.Clean(l.change.Path, ""), screen.Clean(rule, "\n"))
	if !p.confirm("Add it?") {
		return l.refuse("nothing was written", "")
	}
	if err := p.user().Write(l.change); err != nil {
		return l.refuse(err.Error(), "")
	}
	p.act(l.cfg, "allow", l.id+" "+id)
	fmt.Fprintf(p.out, "%s: written; delete the rule to be asked again\n", screen.Clean(l.change.Path, ""))
	return exitOK
}

// unlogged says why a line of the log is not enough to know the question by.
func (l *lifting) unlogged(logged *history.Record, err error) (problem, hint string) {
	switch {
	case err != nil:
		return "the log cannot be read: " + err.Error(), ""
	case logged == nil:
		return fmt.Sprintf("there is no question %q", l.id), "the id is the last word of the question; run \"longline allow-once\" for those of the last hour"
	case logged.IsShell() && (logged.IsCut() || strings.Contains(logged.Command, mask.Mark)):
		return "the log no longer has the whole command", "use the id while the question is open, or write a rule: \"longline docs rules\""
	}
	return "", ""
}

// readRules reads the user's rules file as it is before the change.
func (l *lifting) readRules() error {
	l.change = install.Change{Path: l.p.user().RulesPath(), Mode: 0o600}
	text, err := userfiles.ReadFile(l.change.Path)
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
func (l *lifting) write(e *draft.Judged, w *draft.Why) int {
	p := l.p
	file, err := rulesfile.Parse("proposal", []byte("version: 1\nrules:\n"+w.Rules), nil)
	if err != nil {
		return l.refuse(err.Error(), "")
	}
	if err := l.propose(e, w, file); err != nil {
		return l.refuse(err.Error(), "")
	}
	fmt.Fprintf(p.out, "%s asked about, in %s:\n\n  %s\n\n", quotedRules(w), screen.Clean(l.question.Dir, ""), screen.Clean(e.Call.Script, "\t"))
	fmt.Fprintf(p.out, "This would be added to %s:\n\n", screen.Clean(l.change.Path, ""))
	for line := range strings.Lines(w.Rules) {
		fmt.Fprint(p.out, screen.Clean(line, "\n"))
	}
	l.showLifted(file)
	l.showDoubts(file)
	if !l.wide {
		fmt.Fprintf(p.out, "\nlongline allow --wide %s would allow the command with any words.\n", l.id)
	}
	if !p.confirm("Add it?") {
		return l.refuse("nothing was written", "")
	}
	if err := p.user().Write(l.change); err != nil {
		return l.refuse(err.Error(), "")
	}
	p.act(l.cfg, "allow", l.id+" "+strings.Join(ids(file), ", "))
	fmt.Fprintf(p.out, "%s: written; delete the rule to be asked again\n", screen.Clean(l.change.Path, ""))
	return exitOK
}

// propose works out the change of the rules file: the rules, and a test.
func (l *lifting) propose(e *draft.Judged, w *draft.Why, file *policy.File) (err error) {
	var entries []string
	for _, text := range w.Entries {
		entries = append(entries, strings.TrimPrefix(strings.ReplaceAll(text, "\n  ", "\n"), "  "))
	}
	id := file.Rules[0].ID + "-1"
	for n := 2; l.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", file.Rules[0].ID, n)
	}
	test := fmt.Sprintf("- {id: %s, command: %s, %sexpected: {decision: %s}}", rulesfile.Quote(id), rulesfile.Quote(e.Call.Script), l.log.Circumstances(&l.question), w.Then)
	l.change.New, err = rulesfile.Append(l.change.Path, l.change.Old, entries, []string{test})
	return err
}

// showLifted says what would no longer be asked about.
func (l *lifting) showLifted(file *policy.File) {
	fmt.Fprintln(l.p.out, "\nFrom now on, longline does not ask about")
	var programs []string
	for i := range file.Rules {
		for _, line := range draft.LiftWords(&file.Rules[i]) {
			fmt.Fprintln(l.p.out, "  "+screen.Clean(line, ""))
		}
		for _, c := range file.Rules[i].Match.Commands {
			programs = append(programs, c[0])
		}
	}
	l.p.alsoAllowed(l.log.Others(programs, l.log.About(l.question.Command), l.log.Under(file)))
}

// showDoubts says if a rule would not do what it says.
func (l *lifting) showDoubts(file *policy.File) {
	cfg, err := l.cfg.With(file)
	if err != nil {
		return
	}
	for _, d := range draft.Doubts(cfg) {
		if strings.HasPrefix(d.Source, file.Name+":") {
			fmt.Fprintln(l.p.out, "\nNote: "+screen.Clean(d.String(), ""))
		}
	}
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
		fmt.Fprintln(p.out, "  "+screen.Clean(screen.Shorten(command, 100), ""))
	}
}

func quotedRules(w *draft.Why) string {
	var names []string
	for _, o := range w.Obstacles {
		if name := "[" + o.Finding.Rule + "]"; !slices.Contains(names, name) {
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
