package cli

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// whyNot is what stands between a call and allow, and what would remove it.
type whyNot struct {
	obstacles []obstacle
	rules     string        // YAML that would allow it; "" if no narrow rule does
	entries   []string      // the same, rule by rule
	then      tool.Decision // with those rules
	lifts     bool          // they lift a denial
	ruleless  []string      // why there are no rules
	limits    []string      // what was not looked at
}

// obstacle is a finding that does not allow, and changes that remove it.
type obstacle struct {
	finding  tool.Finding
	remedies []remedy
}

// remedy is a change that has been tried.
type remedy struct {
	what   string        // such as "without --force"
	script string        // the command then; "" if it is the same
	then   tool.Decision // on the whole of it
}

// maxTries bounds how many changed commands are judged, maxDrafts how many rules
// are drafted: a long script has more to object to than anybody reads.
const (
	maxTries  = 100
	maxDrafts = 20
)

func (x explainer) whyNotAllow(e *explanation) *whyNot {
	w := &whyNot{then: e.verdict.Decision}
	tries := 0
	list := obstacles(&e.verdict)
	if len(list) > maxDrafts {
		tries = maxTries // each would take as long as all of them
	}
	helpless := 0
	for _, f := range list {
		remedies := x.remedies(e, f, &tries)
		if len(remedies) == 0 {
			helpless++
		}
		w.obstacles = append(w.obstacles, obstacle{f, remedies})
	}
	switch {
	case len(list) > maxDrafts:
		w.limits = append(w.limits, fmt.Sprintf("no changes were tried: there are %d problems, and at most %d are tried", len(list), maxDrafts))
	case e.verdict.Rewrite != "" && len(list) > 0:
		w.limits = append(w.limits, "no changes were tried, because longline rewrites this command")
	case tries > maxTries:
		w.limits = append(w.limits, fmt.Sprintf("only %d changes were tried", maxTries))
	case helpless > 0 && e.verdict.Parsed:
		w.limits = append(w.limits, "no smaller change helps: removing flags, redirections, assignments or wrappers, or writing elsewhere")
	}
	if len(w.obstacles) > 0 {
		x.draft(e, w)
	}
	return w
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
func (x explainer) remedies(e *explanation, f tool.Finding, tries *int) []remedy {
	if *tries >= maxTries {
		return nil
	}
	var found []remedy
	before := obstacles(&e.verdict)
	try := func(what, script string, edits bool) bool {
		if strings.TrimSpace(script) == "" {
			return false // to do nothing is no way to do it
		}
		if *tries++; *tries > maxTries {
			return false
		}
		call := e.call
		call.Script, call.Edits = script, call.Edits || edits
		v, _ := x.cfg.Judge(call)
		after := obstacles(&v)
		if !v.Parsed || len(after) >= len(before) || spoken(after, f.Rule) >= spoken(before, f.Rule) {
			return false
		}
		if script == e.call.Script {
			script = ""
		}
		found = append(found, remedy{what, script, v.Decision})
		return true
	}
	if !e.call.Edits {
		try("if the agent may edit files without asking (--mode acceptEdits)", e.call.Script, true)
	}
	// The spans point into what longline made of the script, if it changed it.
	if e.verdict.Rewrite != "" || f.Invocation < 0 || f.Invocation >= len(e.invs) {
		return found
	}
	script, inv := e.call.Script, e.invs[f.Invocation]
	for _, part := range droppable(script, e.invs, inv, f.Span) {
		try("without "+part.name, splice(script, part.span, ""), false)
	}
	for _, effect := range inv.Effects {
		if effect.Span != f.Span || !verbatim(script, f.Span) || effect.Kind != tool.Write && effect.Kind != tool.Create {
			continue
		}
		name := shellQuote(path.Base(effect.Target))
		for _, other := range []string{name, "/tmp/" + name} {
			if try("with "+other+" in place of "+script[f.Span.Start:f.Span.End], splice(script, f.Span, other), false) {
				break
			}
		}
		break
	}
	return found
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
	add := func(at tool.Span, name string) {
		if verbatim(script, at) {
			parts = append(parts, part{name, at})
		}
	}
	within := func(outer, inner tool.Span) bool { return outer == inner || surrounds(outer, inner) }
	for i, w := range inv.Words {
		if i > 0 && w.IsKnown() && len(w.Text) > 1 && w.Text[0] == '-' && within(span, w.Span) && !takesNext(inv, i) {
			add(w.Span, w.Text)
		}
	}
	for _, r := range inv.Redirects {
		if within(r.Span, span) && verbatim(script, r.Span) {
			add(r.Span, script[r.Span.Start:r.Span.End])
		}
	}
	if len(inv.Words) > 0 && verbatim(script, span) && span.End <= inv.Words[0].Span.Start && strings.Contains(script[span.Start:span.End], "=") {
		add(span, script[span.Start:span.End])
	}
	if len(inv.Words) > 0 && within(span, inv.Span) {
		for _, inner := range invs {
			n := len(inner.Via)
			if n == len(inv.Via)+1 && inner.Via[n-1] == nameOf(inv) && len(inner.Words) > 0 && surrounds(inv.Span, inner.Words[0].Span) {
				add(tool.Span{Start: inv.Words[0].Span.Start, End: inner.Words[0].Span.Start}, nameOf(inv))
				break
			}
		}
	}
	return parts
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

// verbatim says whether a span is a piece of the script.
func verbatim(script string, s tool.Span) bool {
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
func (x explainer) draft(e *explanation, w *whyNot) {
	s := suggester{cfg: x.cfg}
	var groups []*group
	overrides := map[*group][]string{}
	for _, o := range w.obstacles {
		f := o.finding
		if why := beyondRules(e, f); why != "" {
			w.ruleless = append(w.ruleless, why)
			continue
		}
		g := groupFor(&groups, e.invs[f.Invocation])
		g.gap = g.gap || f.Rule == policy.UnknownID
		w.lifts = w.lifts || f.Decision == tool.Deny
		// A question of a lower layer gives way by itself.
		gives := f.Decision == tool.Ask && f.Layer != policy.User.String()
		if !gives && f.Layer != "" && !slices.Contains(overrides[g], f.Rule) {
			overrides[g] = append(overrides[g], f.Rule)
		}
	}
	if len(groups) > maxDrafts {
		w.ruleless = append(w.ruleless, fmt.Sprintf("it would take %d of them", len(groups)))
		groups = nil
	}
	goal := tool.Allow
	if x.unasked {
		goal = tool.Pass
	}
	text, used := "", maps.Clone(x.taken)
	if used == nil {
		used = map[string]bool{}
	}
	for _, g := range groups {
		id := "allow-" + strings.Join(g.words, "-")
		base := id
		for n := 2; used[id]; n++ {
			id = fmt.Sprintf("%s-%d", base, n)
		}
		used[id] = true
		kept := ""
		for _, match := range append(s.matches(g), verbatimMatch(g)...) {
			rule := fmt.Sprintf("  - id: %s\n", rulesfile.Quote(id))
			if g.gap {
				rule += "    # longline cannot read all of this command: it runs whatever it does\n"
			}
			if x.only != "" {
				match = strings.TrimSuffix(match, "}") + ", dir: [" + rulesfile.Quote(x.only) + "]}"
			}
			rule += fmt.Sprintf("    match: %s\n    decision: allow\n    reason: %s\n", match, rulesfile.Quote("agreed to after longline "+cmp.Or(x.by, "explain")))
			if len(overrides[g]) > 0 {
				rule += "    overrides: " + rulesfile.QuoteList(overrides[g]) + "\n"
			}
			if v, ok := x.under(e, text+rule); ok && !concerns(v, e.invs, g, goal) {
				kept, w.then = rule, v.Decision
				break
			}
		}
		if kept == "" {
			w.ruleless = append(w.ruleless, "no narrow rule covers "+clean(wordsText(g.invs[0].Words), ""))
		}
		text += kept
		w.entries = append(w.entries, kept)
	}
	if w.ruleless = unique(w.ruleless); len(w.ruleless) == 0 && w.then <= goal {
		w.rules = text
	} else if w.then = e.verdict.Decision; len(w.ruleless) == 0 {
		w.ruleless = []string{"the decision stays " + w.then.String() + " whatever a rule says"}
	}
}

// verbatimMatch matches a command whose words no model reads, by all of them.
func verbatimMatch(g *group) []string {
	var words []string
	for _, w := range g.invs[0].Words {
		if !paths.Nameable(w.Text) || strings.ContainsAny(w.Text, " \t") || w.Text == "" {
			return nil
		}
		words = append(words, w.Text)
	}
	if len(g.invs) > 1 {
		return nil
	}
	return []string{"{command: " + rulesfile.Quote(strings.Join(words, " ")) + "}"}
}

// beyondRules says why no rule of the user can lift a finding; "" if one may.
func beyondRules(e *explanation, f tool.Finding) string {
	switch {
	case f.Layer == policy.Managed.String():
		return "[" + f.Rule + "] is a rule of the administrator"
	case f.Layer == policy.Bundle.String():
		return "[" + f.Rule + "] is a rule of the bundle that this machine gets"
	case f.Invocation < 0 || f.Invocation >= len(e.invs):
		return "no rule lifts what concerns the whole script: " + clean(f.Reason, "")
	}
	for _, w := range e.invs[f.Invocation].Words {
		if !w.IsKnown() {
			return "no narrow rule is possible: what " + clean(wordText(w), "") + " stands for in " +
				clean(wordsText(e.invs[f.Invocation].Words), "") + " is known only at run time"
		}
	}
	if len(e.invs[f.Invocation].Words) == 0 {
		return "no rule can name a command without words"
	}
	return ""
}

// groupFor returns the group of an invocation; those that begin with the same
// words need only one rule.
func groupFor(groups *[]*group, inv *command.Invocation) *group {
	words := inv.Path
	if len(words) == 0 {
		words = []string{inv.Words[0].Text}
	}
	for _, g := range *groups {
		if slices.Equal(g.words, words) {
			if !slices.Contains(g.invs, inv) {
				g.invs = append(g.invs, inv)
			}
			return g
		}
	}
	*groups = append(*groups, &group{words: words, invs: []*command.Invocation{inv}})
	return (*groups)[len(*groups)-1]
}

// under judges the call with more rules of the user.
func (x explainer) under(e *explanation, rules string) (v tool.Verdict, ok bool) {
	file, err := rulesfile.Parse("proposal", []byte("version: 1\nrules:\n"+rules), nil)
	if err != nil {
		return v, false
	}
	cfg, err := x.cfg.With(file)
	if err != nil {
		return v, false
	}
	v, _ = cfg.Judge(e.call)
	return v, true
}

// concerns says whether a verdict still objects to an invocation of the group, by
// more than the goal.
func concerns(v tool.Verdict, invs []*command.Invocation, g *group, goal tool.Decision) bool {
	return slices.ContainsFunc(obstacles(&v), func(f tool.Finding) bool {
		return f.Decision > goal && (f.Invocation < 0 || f.Invocation >= len(invs) || slices.Contains(g.invs, invs[f.Invocation]))
	})
}

// toAllow prints what would have to change.
func (x explainer) toAllow(e *explanation) string {
	w := e.whyNot
	if w == nil {
		return ""
	}
	if e.verdict.Decision == tool.Allow {
		return "\nit is allowed as it is\n"
	}
	var b strings.Builder
	b.WriteString("\n" + x.bold("to allow it") + "\n")
	if !e.verdict.Parsed {
		b.WriteString("  write it so that the shell can read it\n")
	}
	for _, o := range w.obstacles {
		f := o.finding
		at := ""
		if script := e.script(); verbatim(script, f.Span) {
			at = " at " + clean(shorten(script[f.Span.Start:f.Span.End], 60), "")
		}
		b.WriteString("  " + x.decision(f.Decision, f.Decision.String()+" ["+f.Rule+"]") + at)
		if f.Layer == policy.User.String() {
			b.WriteString(x.dim(", your own rule in " + f.Source))
		}
		b.WriteByte('\n')
		for _, r := range o.remedies {
			text := r.what + ": " + r.then.String()
			if r.script != "" {
				text += ", as " + r.script
			}
			b.WriteString(x.hang("    "+clean(text, "")) + "\n")
		}
	}
	if w.rules != "" {
		b.WriteString("  or add this to your rules file")
		if w.lifts {
			b.WriteString("; careful, it lifts a denial")
		}
		b.WriteString("\n")
		for line := range strings.Lines("rules:\n" + w.rules) {
			b.WriteString("    " + clean(line, "\n"))
		}
	}
	for _, why := range w.ruleless {
		b.WriteString(x.hang("  no rule: "+why) + "\n")
	}
	for _, limit := range w.limits {
		b.WriteString(x.hang("  note: "+limit) + "\n")
	}
	return b.String()
}
