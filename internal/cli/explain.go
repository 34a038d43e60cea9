package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/mask"
	"longline/internal/policy"
	"longline/internal/tool"
)

func explainCommand() subcommand {
	return subcommand{
		name: "explain", usage: "[FLAGS] COMMAND", flags: true,
		purpose: forTryIt, example: "explain 'find . -delete'",
		short: "show how a decision is made",
		help: `It shows every program that would run with its resolved arguments, what it would
do, what longline does not know, and every rule that matched, as far as that fits
a screen; --all shows everything. --why-not allow also shows tested changes that
would make it allowed.

  longline explain 'T=~; rm -r "$T"'
  longline explain --tree 'sudo find . -name "*.o" | xargs rm'
  longline explain --why-not allow 'git push --force'
  longline explain --session 6f0c 'git push'

The exit status is that of check: 0 allow or pass, 10 ask, 20 deny.`,
		run: runExplain,
	}
}

func runExplain(p *process, args []string) int {
	var pl place
	var as viewpoint
	flags := p.flagSet("explain")
	pl.register(flags)
	as.register(flags)
	var (
		asJSON = flags.Bool("json", false, "print JSON")
		script = flags.Bool("script", false, "read the script from standard input")
		all    = flags.Bool("all", false, "show everything, however long")
		tree   = flags.Bool("tree", false, "draw which command runs which")
		of     = flags.String("session", "", "judge as in the session `ID`, with its history")
		whyNot = flags.String("why-not", "", "show what would have to change for `DECISION`; only allow is supported")
	)
	rest, status, done := p.parse(flags, args)
	switch {
	case done:
		return status
	case *whyNot != "" && *whyNot != "allow":
		return p.usageError("explain", "--why-not supports only allow, not %q", *whyNot)
	case as.problem() != "":
		return p.usageError("explain", "%s", as.problem())
	case *tree && *asJSON:
		return p.usageError("explain", "--tree cannot be combined with --json, which says of each invocation what runs it")
	case *script && len(rest) == 0:
		text, err := readScript(p.in)
		if err != nil {
			return p.usageError("explain", "%v", err)
		}
		rest = []string{text}
	case len(rest) != 1 || *script:
		return p.usageError("explain", "expected one command in quotes, found %d arguments", len(rest))
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	x := explainer{style: p.style(), cfg: cfg, as: as, all: *all}
	call := as.call("explain", cfg.Dir, rest[0])
	if *of != "" {
		r, err := p.theSession(*of)
		if err != nil {
			p.errorf("explain: %v", err)
			p.hintf("run \"longline session\" for the list")
			return exitUsage
		}
		call.Past = r.Past()
	}
	e := x.explain(call)
	if pl.home == "" {
		// In the home directory of somebody else nobody has said anything.
		e.now, e.id = hook.Foresee(cfg, &call, e.verdict, time.Now())
	}
	if *whyNot != "" {
		e.whyNot = x.whyNotAllow(e)
	}
	var said strings.Builder
	switch {
	case *asJSON:
		err = writeJSON(&said, true, x.json(e))
	case *tree:
		said.WriteString(x.headline(e) + "\n" + x.tree(e) + x.standing(e) + x.toAllow(e))
	default:
		said.WriteString(x.text(e))
	}
	if err == nil {
		// A model that runs this would see what files hold that a script names.
		_, err = io.WriteString(p.out, mask.Hidden(e.script(), e.invs)(said.String()))
	}
	return p.ended(err, statusOf(e.verdict.Decision))
}

// explanation is a verdict with all that it rests on.
type explanation struct {
	call    tool.Call
	verdict tool.Verdict
	invs    []*command.Invocation
	now     hook.Standing // how the hook answers, after what a person has said
	id      string        // under which the command is held, if it is
	whyNot  *whyNot       // if somebody asked
}

// script is the text that the spans of the verdict point into: what will run.
func (e *explanation) script() string { return e.verdict.Judged(e.call.Script) }

// explainer prints verdicts for people.
type explainer struct {
	style
	cfg *config.Config
	as  viewpoint
	all bool // however long it is
	// What the rules that it drafts are like: the ids they may not have, the one
	// directory they hold in, the subcommand that they come from, and whether it is
	// enough that nothing is asked.
	taken    map[string]bool
	only, by string
	unasked  bool
}

func (x explainer) explain(call tool.Call) *explanation {
	v, invs := x.cfg.Judge(call)
	return &explanation{call: call, verdict: v, invs: invs, now: hook.Standing{Answer: v.Decision}}
}

// headline is the decision as check prints it, but never without a word of why.
func (x explainer) headline(e *explanation) string {
	v := e.verdict
	if hook.Sentence(v) == "" {
		v.Reason = x.how(e)
	}
	v.Rewrite = "" // it is shown with the change marked
	return opinion(x.style, v, "", x.as.told(e.verdict))
}

// text is a verdict for people: on one screen, or whole if that was asked for.
func (x explainer) text(e *explanation) string {
	p := x.page(e)
	lines := p.summary()
	if x.all {
		lines = p.all()
	}
	return strings.Join(lines, "\n") + "\n" + x.standing(e) + x.toAllow(e)
}

func (x explainer) page(e *explanation) *page {
	v, script := &e.verdict, e.script()
	p := &page{headline: x.headline(e)}
	marks := marksOf(*v, e.invs)
	if v.Rewrite != "" {
		// What is marked and listed below is what would run.
		p.script = marked(x.style, e.call.Script, nil) + changes(x.style, *v)
	}
	// A command that stands below as it is need not be shown twice.
	if len(marks) > 0 || v.Rewrite == "" && (len(e.invs) != 1 || wordsText(e.invs[0].Words) != script) {
		if p.script != "" {
			p.script += "\n"
		}
		p.script += marked(x.style, script, marks)
	}
	for i, inv := range e.invs {
		b := block{title: x.title(i, inv)}
		does, object := x.about(e, i)
		for _, line := range does {
			b.lines = append(b.lines, x.hang("   "+line))
		}
		for _, line := range object {
			b.object = append(b.object, x.hang("   "+line))
		}
		p.blocks = append(p.blocks, b)
	}
	var whole []string
	for _, f := range v.Findings {
		if f.Invocation < 0 || f.Invocation >= len(e.invs) {
			whole = append(whole, x.hang("   "+x.finding(f)))
		}
	}
	if len(whole) > 0 {
		p.whole = append([]string{"the whole call"}, unique(whole)...)
	}
	if hook.Sentence(*v) != "" {
		p.end = append(p.end, "", x.hang("how: "+x.how(e)))
	}
	for _, notice := range x.cfg.Notices {
		p.end = append(p.end, x.hang("note: "+clean(notice, "")))
	}
	return p
}

// standing says what a person has told longline about this command or all
// questions, and what the hook answers because of it.
func (x explainer) standing(e *explanation) string {
	switch {
	case e.now.Why != "":
		return "now: the hook answers " + x.decision(e.now.Answer, e.now.Answer.String()) + ": " + e.now.Says + "\n"
	case e.id != "":
		return "now: it is held back; a person can allow it once: longline allow-once " + e.id + "\n"
	}
	return ""
}

// title names an invocation: its words, who runs it, and where.
func (x explainer) title(i int, inv *command.Invocation) string {
	text := fmt.Sprintf("%d. %s", i+1, x.bold(clean(wordsText(inv.Words), "")))
	from := "in " + clean(x.short(wordText(inv.Dir)), "")
	if len(inv.Via) > 0 {
		from = "run by " + clean(strings.Join(inv.Via, ", "), "") + " " + from
	}
	return text + "  " + x.dim(from)
}

// about lists what an invocation does, what is not known of it, and what rules say to
// it; and of that, once more, what objects. A gap speaks for itself, so its finding is
// left out.
func (x explainer) about(e *explanation, i int) (lines, object []string) {
	inv := e.invs[i]
	for _, effect := range inv.Effects {
		lines = append(lines, x.effect(effect))
	}
	for _, g := range inv.Gaps {
		lines = append(lines, x.decision(tool.Ask, "gap:")+" "+clean(g.Why, ""))
		object = append(object, lines[len(lines)-1])
	}
	for _, f := range e.verdict.Findings {
		if f.Invocation != i || f.Rule == policy.UnknownID && len(inv.Gaps) > 0 {
			continue
		}
		lines = append(lines, x.finding(f))
		if f.Decision >= tool.Ask {
			object = append(object, lines[len(lines)-1])
		}
	}
	return unique(lines), unique(object)
}

// effect says what an effect does, and in which zones that is.
func (x explainer) effect(e tool.Effect) string {
	in, reached := x.cfg.Guard.Policy.Zones(e, x.cfg.World)
	e.Target = x.short(e.Target)
	text := clean(effectText(e), "")
	var zones []string
	if in != 0 {
		zones = append(zones, "in "+strings.Join(in.Names(), ", "))
	}
	if reached != 0 {
		zones = append(zones, "may reach "+strings.Join(reached.Names(), ", "))
	}
	if len(zones) > 0 {
		text += x.dim(" (" + strings.Join(zones, "; ") + ")")
	}
	return text
}

// how says how the opinions made the decision.
func (x explainer) how(e *explanation) string {
	v := &e.verdict
	counts := map[tool.Decision]int{}
	strictest := tool.Allow
	for _, f := range v.Findings {
		counts[f.Decision]++
		strictest = max(strictest, f.Decision)
	}
	switch {
	case !v.Parsed:
		return "what cannot be read is never allowed"
	case v.Decision > strictest && v.Decision == tool.Pass:
		return "everything is allowed, but on_allow: pass leaves it to the agent"
	case v.Decision > strictest:
		return "the rules have not decided this"
	case len(v.Findings) == 0:
		return "it does nothing that needs a rule"
	case v.Decision == tool.Allow:
		return "allow rules cover everything it does"
	}
	var parts []string
	for d := tool.Deny; d >= tool.Allow; d-- {
		if counts[d] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[d], d))
		}
	}
	text := strings.Join(parts, ", ")
	if len(parts) > 1 {
		text += "; the strictest wins"
	}
	if counts[v.Decision] > 1 {
		text += "; [" + v.Rule + "] gives the reason: " + x.precedence(v)
	}
	return text
}

// precedence says why the deciding rule gives the reason and not another of the
// same decision: the surest does, then that of the highest layer, then the first.
func (x explainer) precedence(v *tool.Verdict) string {
	var equals []tool.Finding
	for _, f := range v.Findings {
		if f.Decision == v.Decision {
			equals = append(equals, f)
		}
	}
	switch first := equals[0]; {
	case first.Rule == v.Rule && first.Reason == v.Reason:
		return "it is the first of equals"
	case slices.ContainsFunc(equals, func(f tool.Finding) bool { return f.Rule == v.Rule && f.Reason == v.Reason && f.Layer == first.Layer }):
		return "it is the most certain"
	}
	return "it is the most certain, or of the highest layer"
}

func (x explainer) finding(f tool.Finding) string {
	head := f.Decision.String()
	if f.Rule != "" {
		head += " [" + f.Rule + "]"
	}
	text := x.style.decision(f.Decision, head) + " " + clean(f.Reason, "")
	if from := strings.Join(nonEmpty(f.Level, f.Layer, clean(f.Source, "")), ", "); from != "" {
		text += x.dim(" (" + from + ")")
	}
	return text
}

// short writes a path in the home directory with a tilde.
func (x explainer) short(path string) string {
	home := x.cfg.World.Home
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}

// unique leaves out what was said before.
func unique(lines []string) []string {
	var once []string
	for _, line := range lines {
		if !slices.Contains(once, line) {
			once = append(once, line)
		}
	}
	return once
}

func nonEmpty(texts ...string) []string {
	var some []string
	for _, t := range texts {
		if t != "" {
			some = append(some, t)
		}
	}
	return some
}
