package draft

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Judged is a call with what was said to it.
type Judged struct {
	Call    tool.Call
	Verdict tool.Verdict
	Invs    []*command.Invocation
}

// Judge judges a call.
func Judge(cfg *config.Config, call tool.Call) Judged {
	v, invs := cfg.Judge(call)
	return Judged{call, v, invs}
}

// Why is what stands between a call and allow, and what would remove it.
type Why struct {
	Obstacles []Obstacle
	Rules     string        // YAML that would allow it; "" if no narrow rule does
	Entries   []string      // the same, rule by rule
	Then      tool.Decision // with those rules
	Lifts     bool          // they lift a denial
	Ruleless  []string      // why there are no rules
	Limits    []string      // what was not looked at
}

// Obstacle is a finding that does not allow, and changes that remove it.
type Obstacle struct {
	Finding  tool.Finding
	Remedies []Remedy
}

// Remedy is a change that has been tried.
type Remedy struct {
	What   string        // such as "without --force"
	Script string        // the command then; "" if it is the same
	Then   tool.Decision // on the whole of it
}

// Like says what drafted rules are like.
type Like struct {
	Taken   map[string]bool // ids that they may not have
	Only    string          // the one directory that they hold in; "" for all
	By      string          // the subcommand that they come from
	Unasked bool            // it is enough that nothing is asked
	Wide    bool            // for the command whatever its words are
}

// drafter drafts the rules for one call.
type drafter struct {
	cfg  *config.Config
	e    *Judged
	like Like
}

// WhyNot says what would have to change for a call to be allowed.
func WhyNot(cfg *config.Config, e *Judged) *Why {
	x := drafter{cfg, e, Like{By: "explain"}}
	return x.whyNotAllow()
}

// Lift drafts the rules that stop the questions and denials of a call.
func Lift(cfg *config.Config, e *Judged, like Like) *Why {
	w := &Why{Then: e.Verdict.Decision}
	list := obstacles(&e.Verdict)
	if e.Verdict.Rule == policy.WallID { // without its wall there may be more
		v, _ := cfg.Guard.Judge(e.Call, cfg.World)
		list = append(list, obstacles(&v)...)
	}
	for _, f := range list {
		if f.Decision >= tool.Ask {
			w.Obstacles = append(w.Obstacles, Obstacle{Finding: f})
		}
	}
	x := drafter{cfg, e, like}
	x.draft(w)
	return w
}

// maxTries bounds how many changed commands are judged, maxDrafts how many rules
// are drafted: a long script has more to object to than anybody reads.
const (
	maxTries  = 100
	maxDrafts = 20
)

func (x *drafter) whyNotAllow() *Why {
	e := x.e
	w := &Why{Then: e.Verdict.Decision}
	tries := 0
	list := obstacles(&e.Verdict)
	if len(list) > maxDrafts {
		tries = maxTries // each would take as long as all of them
	}
	helpless := 0
	for _, f := range list {
		remedies := x.remedies(f, &tries)
		if len(remedies) == 0 {
			helpless++
		}
		w.Obstacles = append(w.Obstacles, Obstacle{f, remedies})
	}
	if limit := limitOf(&e.Verdict, len(list), tries, helpless); limit != "" {
		w.Limits = append(w.Limits, limit)
	}
	if len(w.Obstacles) > 0 {
		x.draft(w)
	}
	return w
}

// limitOf says what was not looked at, or that looking did not help.
func limitOf(v *tool.Verdict, problems, tries, helpless int) string {
	switch {
	case problems > maxDrafts:
		return fmt.Sprintf("no changes were tried: there are %d problems, and at most %d are tried", problems, maxDrafts)
	case v.Rewrite != "" && problems > 0:
		return "no changes were tried, because longline rewrites this command"
	case tries > maxTries:
		return fmt.Sprintf("only %d changes were tried", maxTries)
	case helpless > 0 && v.Parsed:
		return "no smaller change helps: removing flags, redirections, assignments or wrappers, or writing elsewhere"
	}
	return ""
}

// obstacles are the findings that do not allow, each place and rule once.
func obstacles(v *tool.Verdict) []tool.Finding {
	type place struct {
		rule       string
		span       tool.Span
		invocation int
	}
	var list []tool.Finding
	seen := map[place]bool{}
	for _, f := range v.Findings {
		at := place{f.Rule, f.Span, f.Invocation}
		if f.Decision > tool.Allow && !seen[at] {
			seen[at] = true
			list = append(list, f)
		}
	}
	return list
}

// remedies lists the changes to the command that remove a finding.
func (x *drafter) remedies(f tool.Finding, tries *int) []Remedy {
	e, t := x.e, trial{drafter: x, f: f, tries: tries, before: obstacles(&x.e.Verdict)}
	if *tries >= maxTries {
		return nil
	}
	if !e.Call.Edits {
		t.try("if the agent may edit files without asking (--mode acceptEdits)", e.Call.Script, true)
	}
	// The spans point into what longline made of the script, if it changed it.
	if e.Verdict.Rewrite != "" || !isOf(f, e.Invs) {
		return t.found
	}
	script, inv := e.Call.Script, e.Invs[f.Invocation]
	for _, part := range droppable(script, e.Invs, inv, f.Span) {
		t.try("without "+part.name, splice(script, part.span, ""), false)
	}
	if target, ok := writtenAt(inv, f.Span); ok && Verbatim(script, f.Span) {
		t.elsewhere(script, target)
	}
	return t.found
}

// writtenAt is what an invocation writes that is named at a place.
func writtenAt(inv *command.Invocation, at tool.Span) (target string, ok bool) {
	for _, e := range inv.Effects {
		if e.Span == at && (e.Kind == tool.Write || e.Kind == tool.Create) {
			return e.Target, true
		}
	}
	return "", false
}

// trial tries changes that may remove a finding.
type trial struct {
	*drafter
	f      tool.Finding
	before []tool.Finding // what is objected to without a change
	tries  *int
	found  []Remedy
}

// try judges a changed script, and keeps the change if it helps.
func (t *trial) try(what, script string, edits bool) bool {
	if strings.TrimSpace(script) == "" {
		return false // to do nothing is no way to do it
	}
	if *t.tries++; *t.tries > maxTries {
		return false
	}
	call := t.e.Call
	call.Script, call.Edits = script, call.Edits || edits
	v, _ := t.cfg.Judge(call)
	after := obstacles(&v)
	if !v.Parsed || len(after) >= len(t.before) || spoken(after, t.f.Rule) >= spoken(t.before, t.f.Rule) {
		return false
	}
	if script == t.e.Call.Script {
		script = ""
	}
	t.found = append(t.found, Remedy{what, script, v.Decision})
	return true
}

// elsewhere tries to write to another place: here, or among temporary files.
func (t *trial) elsewhere(script, target string) {
	name, at := screen.ShellQuote(path.Base(target)), t.f.Span
	for _, other := range []string{name, "/tmp/" + name} {
		if t.try("with "+other+" in place of "+script[at.Start:at.End], splice(script, at, other), false) {
			return
		}
	}
}

func spoken(list []tool.Finding, rule string) (n int) {
	for _, f := range list {
		if f.Rule == rule {
			n++
		}
	}
	return n
}

// part is a piece of a script that can be left out.
type part struct {
	name string
	span tool.Span
}

// droppable lists the parts of an invocation that a finding at span may be due
// to and that the command can do without: flags that take no value,
// redirections, assignments in front, and the command around another.
func droppable(script string, invs []*command.Invocation, inv *command.Invocation, span tool.Span) (parts []part) {
	for i, w := range inv.Words {
		if covers(span, w.Span) && isSwitch(inv, i) {
			parts = append(parts, part{w.Text, w.Span})
		}
	}
	for _, r := range inv.Redirects {
		if covers(r.Span, span) && Verbatim(script, r.Span) {
			parts = append(parts, part{script[r.Span.Start:r.Span.End], r.Span})
		}
	}
	if inFront(script, inv, span) {
		parts = append(parts, part{script[span.Start:span.End], span})
	}
	if around, ok := wrapper(invs, inv); ok && covers(span, inv.Span) {
		parts = append(parts, part{NameOf(inv), around})
	}
	return slices.DeleteFunc(parts, func(p part) bool { return !Verbatim(script, p.span) })
}

// covers reports whether a span is another one, or goes around it.
func covers(outer, inner tool.Span) bool { return outer == inner || Surrounds(outer, inner) }

// inFront reports whether a span is an assignment in front of a command.
func inFront(script string, inv *command.Invocation, span tool.Span) bool {
	return len(inv.Words) > 0 && Verbatim(script, span) && span.End <= inv.Words[0].Span.Start && strings.Contains(script[span.Start:span.End], "=")
}

// isSwitch reports whether a word is a flag that takes no value.
func isSwitch(inv *command.Invocation, i int) bool {
	return i > 0 && isFlag(inv.Words[i]) && !takesNext(inv, i)
}

func isFlag(w command.Word) bool { return w.IsKnown() && len(w.Text) > 1 && w.Text[0] == '-' }

// wrapper is what of an invocation stands before the command that it runs, if it runs one.
func wrapper(invs []*command.Invocation, inv *command.Invocation) (tool.Span, bool) {
	if len(inv.Words) == 0 {
		return tool.Span{}, false
	}
	for _, inner := range invs {
		n := len(inner.Via)
		if n == len(inv.Via)+1 && inner.Via[n-1] == NameOf(inv) && len(inner.Words) > 0 && Surrounds(inv.Span, inner.Words[0].Span) {
			return tool.Span{Start: inv.Words[0].Span.Start, End: inner.Words[0].Span.Start}, true
		}
	}
	return tool.Span{}, false
}

// takesNext says whether the word after a flag may be its value.
func takesNext(inv *command.Invocation, i int) bool {
	if i+1 == len(inv.Words) {
		return false
	}
	next := inv.Words[i+1]
	operand := func(w command.Word) bool { return w.Span == next.Span && w.Text == next.Text }
	return !strings.HasPrefix(next.Text, "-") && !slices.ContainsFunc(inv.Operands, operand) && !slices.Contains(inv.Path, next.Text)
}

// Verbatim says whether a span is a piece of the script.
func Verbatim(script string, s tool.Span) bool {
	return s.Start < s.End && s.Start >= 0 && s.End <= len(script)
}

// splice replaces a piece of a script. Where it leaves a gap between blanks, one
// of them goes too.
func splice(script string, at tool.Span, text string) string {
	before, after := script[:at.Start], script[at.End:]
	if text == "" && (after == "" || after[0] == ' ' || after[0] == '\t') {
		before = strings.TrimRight(before, " \t")
		if before == "" {
			after = strings.TrimLeft(after, " \t")
		}
	}
	return before + text + after
}

// draft writes the narrowest rules by which the call would be allowed, each
// tried before it is kept.
func (x *drafter) draft(w *Why) {
	groups, overrides := x.lifted(w)
	if len(groups) > maxDrafts {
		w.Ruleless = append(w.Ruleless, fmt.Sprintf("it would take %d of them", len(groups)))
		groups = nil
	}
	text, used := "", maps.Clone(x.like.Taken)
	if used == nil {
		used = map[string]bool{}
	}
	for _, g := range groups {
		kept := x.rule(g, freeID("allow-"+strings.Join(g.Words, "-"), used), overrides[g], text, w)
		if kept == "" {
			w.Ruleless = append(w.Ruleless, "no narrow rule covers "+screen.Clean(screen.WordsText(g.invs[0].Words), ""))
		}
		text += kept
		w.Entries = append(w.Entries, kept)
	}
	if w.Ruleless = screen.Unique(w.Ruleless); len(w.Ruleless) == 0 && w.Then <= x.goal() {
		w.Rules = text
	} else if w.Then = x.e.Verdict.Decision; len(w.Ruleless) == 0 {
		w.Ruleless = []string{"the decision stays " + w.Then.String() + " whatever a rule says"}
	}
}

func (x *drafter) goal() tool.Decision {
	if x.like.Unasked {
		return tool.Pass
	}
	return tool.Allow
}

// lifted groups what rules can lift, and says which rules each group has to override.
// What they cannot lift goes to w.
func (x *drafter) lifted(w *Why) (groups []*Group, overrides map[*Group][]string) {
	overrides = map[*Group][]string{}
	for _, o := range w.Obstacles {
		f := o.Finding
		if why := beyondRules(x.e, f); why != "" {
			w.Ruleless = append(w.Ruleless, why)
			continue
		}
		g := groupFor(&groups, x.e.Invs[f.Invocation])
		g.gap = g.gap || f.Rule == policy.UnknownID
		w.Lifts = w.Lifts || f.Decision == tool.Deny
		if f.Layer != "" && !slices.Contains(overrides[g], f.Rule) {
			overrides[g] = append(overrides[g], f.Rule)
		}
	}
	return groups, overrides
}

// freeID makes an id that is not used yet.
func freeID(base string, used map[string]bool) string {
	id := base
	for n := 2; used[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	used[id] = true
	return id
}

// rule is the narrowest rule after those before it under which nothing objects to a
// group any more, or "".
func (x *drafter) rule(g *Group, id string, overrides []string, before string, w *Why) string {
	matches := g.matches(x.cfg.World)
	if x.like.Wide && len(matches) > 0 {
		matches = g.wide(x.cfg.World)
	}
	for _, match := range matches {
		rule := fmt.Sprintf("  - id: %s\n", rulesfile.Quote(id))
		if g.gap {
			rule += "    # longline cannot read all of this command: it runs whatever it does\n"
		}
		if x.like.Only != "" {
			match = within(match, x.like.Only)
		}
		rule += fmt.Sprintf("    match: %s\n    decision: allow\n%s    reason: %s\n", match, without("    ", overrides)+overriding("    ", overrides), rulesfile.Quote("agreed to after longline "+x.like.By))
		if v, ok := x.under(before + rule); ok && !concerns(v, x.e.Invs, g, x.goal()) {
			w.Then = v.Decision
			return rule
		}
	}
	return ""
}

// without is the key that takes a command out of its wall, where that is what was asked about. It lifts the question by itself.
func without(margin string, overrides []string) string {
	if !slices.Contains(overrides, policy.WallID) {
		return ""
	}
	return margin + "wall: never\n"
}

// within narrows a match to a directory and what is below it.
func within(match, dir string) string {
	return strings.TrimSuffix(match, "}") + ", dir: [" + rulesfile.Quote(dir) + "]}"
}

// beyondRules says why no rule of the user can lift a finding; "" if one may.
func beyondRules(e *Judged, f tool.Finding) string {
	switch {
	case f.Layer == policy.Managed.String():
		return "[" + f.Rule + "] is a rule of the administrator"
	case f.Layer == policy.Bundle.String():
		return "[" + f.Rule + "] is a rule of the bundle that this machine gets"
	case f.Layer == policy.Project.String():
		return "[" + f.Rule + "] is a rule of the project"
	case f.Invocation < 0 || f.Invocation >= len(e.Invs):
		return "no rule lifts what concerns the whole script: " + screen.Clean(f.Reason, "")
	}
	for _, w := range e.Invs[f.Invocation].Words {
		if !w.IsKnown() {
			return "no narrow rule is possible: what " + screen.Clean(screen.WordText(w), "") + " means in " +
				screen.Clean(screen.WordsText(e.Invs[f.Invocation].Words), "") + " is known only at run time"
		}
	}
	if len(e.Invs[f.Invocation].Words) == 0 {
		return "no rule can name a command without words"
	}
	return ""
}

// under judges the call with more rules of the user.
func (x *drafter) under(rules string) (v tool.Verdict, ok bool) {
	file, err := rulesfile.Parse("proposal", []byte("version: 1\nrules:\n"+rules), nil)
	if err != nil {
		return v, false
	}
	cfg, err := x.cfg.With(file)
	if err != nil {
		return v, false
	}
	v, _ = cfg.Judge(x.e.Call)
	return v, true
}

// concerns says whether a verdict still objects to an invocation of the group, by
// more than the goal.
func concerns(v tool.Verdict, invs []*command.Invocation, g *Group, goal tool.Decision) bool {
	return slices.ContainsFunc(obstacles(&v), func(f tool.Finding) bool {
		return f.Decision > goal && (f.Invocation < 0 || f.Invocation >= len(invs) || slices.Contains(g.invs, invs[f.Invocation]))
	})
}

// Surrounds says whether a span is another one and more.
func Surrounds(outer, inner tool.Span) bool {
	return inner != (tool.Span{}) && outer != inner && outer.Start <= inner.Start && inner.End <= outer.End
}

// NameOf is the name of the program that an invocation runs.
func NameOf(inv *command.Invocation) string {
	if inv.Name != "" || len(inv.Words) == 0 {
		return inv.Name
	}
	return inv.Words[0].Text
}
