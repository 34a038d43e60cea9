// Package explain shows how a decision is made: what would run, what it would do, what
// rules say to it, and what would have to change. As text, as a tree and as JSON.
package explain

import (
	"fmt"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/draft"
	"longline/internal/hook"
	"longline/internal/policy"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Explanation is a verdict with all that it rests on.
type Explanation struct {
	LeftOut []string // what an agent's hook would know besides
	draft.Judged
	Now    hook.Standing // how the hook answers, after what a person has said
	ID     string        // under which the command is held, if it is
	WhyNot *draft.Why    // if somebody asked
}

// Script is the text that the spans of the verdict point into: what will run.
func (e *Explanation) Script() string { return e.Verdict.Judged(e.Call.Script) }

// Printer prints verdicts for people.
type Printer struct {
	screen.Style
	Config *config.Config
	Agent  string // whose call it is; "" for nobody's
	All    bool   // however long it is
}

// Explain judges a call.
func (x Printer) Explain(call tool.Call) *Explanation {
	e := &Explanation{Judged: draft.Judge(x.Config, call)}
	e.Now.Answer = e.Verdict.Decision
	return e
}

// Headline is the decision as check prints it, but never without a word of why.
func (x Printer) Headline(e *Explanation) string {
	v := e.Verdict
	if hook.Sentence(v) == "" {
		v.Reason = x.how(e)
	}
	v.Rewrite = "" // it is shown with the change marked
	return Opinion(x.Style, v, "", Told(x.Agent, e.Verdict))
}

// Text is a verdict for people: on one screen, or whole if that was asked for.
func (x Printer) Text(e *Explanation) string {
	p := x.page(e)
	lines := p.summary()
	if x.All {
		lines = p.all()
	}
	return strings.Join(lines, "\n") + "\n" + x.Standing(e) + x.ToAllow(e)
}

func (x Printer) page(e *Explanation) *page {
	v := &e.Verdict
	p := &page{headline: x.Headline(e), script: x.script(e), whole: x.whole(e)}
	for i, inv := range e.Invs {
		does, object := x.about(e, i)
		p.blocks = append(p.blocks, block{title: x.title(i, inv), lines: x.hung(does), object: x.hung(object)})
	}
	if hook.Sentence(*v) != "" {
		p.end = append(p.end, "", x.Hang("how: "+x.how(e)))
	}
	for _, notice := range x.Config.Notices {
		p.end = append(p.end, x.Hang("note: "+screen.Clean(notice, "")))
	}
	return p
}

// script shows the command with marks, and what becomes of it if it is changed. A command
// that stands below as it is need not be shown twice.
func (x Printer) script(e *Explanation) string {
	v, script := &e.Verdict, e.Script()
	marks := marksOf(*v, e.Invs)
	isBelow := len(e.Invs) == 1 && screen.WordsText(e.Invs[0].Words) == script
	switch shown := marked(x.Style, script, marks); {
	case v.Rewrite != "":
		// What is marked and listed below is what would run.
		text := marked(x.Style, e.Call.Script, nil) + Changes(x.Style, *v)
		if len(marks) > 0 {
			text += "\n" + shown
		}
		return text
	case len(marks) > 0 || !isBelow:
		return shown
	}
	return ""
}

// hung are lines below the title of an invocation.
func (x Printer) hung(lines []string) (list []string) {
	for _, line := range lines {
		list = append(list, x.Hang("   "+line))
	}
	return list
}

// whole are the findings that are about no invocation, but about the whole call.
func (x Printer) whole(e *Explanation) []string {
	var list []string
	for _, f := range e.Verdict.Findings {
		if f.Invocation < 0 || f.Invocation >= len(e.Invs) {
			list = append(list, x.Hang("   "+x.finding(f)))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return append([]string{"the whole call"}, screen.Unique(list)...)
}

// Standing says what a person has told longline about this command or all
// questions, and what the hook answers because of it.
func (x Printer) Standing(e *Explanation) string {
	switch {
	case e.Now.Why != "":
		return "now: the hook answers " + x.Decision(e.Now.Answer, e.Now.Answer.String()) + ": " + e.Now.Says + "\n"
	case e.ID != "":
		return "now: it is blocked; a person can allow it once: longline allow-once " + e.ID + "\n"
	}
	return ""
}

// title names an invocation: its words, who runs it, and where.
func (x Printer) title(i int, inv *command.Invocation) string {
	text := fmt.Sprintf("%d. %s", i+1, x.Bold(screen.Clean(screen.WordsText(inv.Words), "")))
	from := "in " + screen.Clean(x.short(screen.WordText(inv.Dir)), "")
	if len(inv.Via) > 0 {
		from = "run by " + screen.Clean(strings.Join(inv.Via, ", "), "") + " " + from
	}
	return text + "  " + x.Dim(from)
}

// about lists what an invocation does, what is not known of it, and what rules say to
// it; and of that, once more, what objects. A gap speaks for itself, so its finding is
// left out.
func (x Printer) about(e *Explanation, i int) (lines, object []string) {
	inv := e.Invs[i]
	for _, effect := range inv.Effects {
		lines = append(lines, x.effect(effect))
	}
	for _, g := range inv.Gaps {
		lines = append(lines, x.Decision(tool.Ask, "gap:")+" "+screen.Clean(g.Why, ""))
		object = append(object, lines[len(lines)-1])
	}
	for _, f := range e.Verdict.Findings {
		if f.Invocation != i || f.Rule == policy.UnknownID && len(inv.Gaps) > 0 {
			continue
		}
		lines = append(lines, x.finding(f))
		if f.Decision >= tool.Ask {
			object = append(object, lines[len(lines)-1])
		}
	}
	return screen.Unique(lines), screen.Unique(object)
}

// effect says what an effect does, and in which zones that is.
func (x Printer) effect(e tool.Effect) string {
	in, reached := x.Config.Guard.Policy.Zones(e, x.Config.World)
	e.Target = x.short(e.Target)
	text := screen.Clean(screen.EffectText(e), "")
	var zones []string
	if in != 0 {
		zones = append(zones, "in "+strings.Join(in.Names(), ", "))
	}
	if reached != 0 {
		zones = append(zones, "may reach "+strings.Join(reached.Names(), ", "))
	}
	if len(zones) > 0 {
		text += x.Dim(" (" + strings.Join(zones, "; ") + ")")
	}
	return text
}

// how says how the opinions made the decision.
func (x Printer) how(e *Explanation) string {
	v := &e.Verdict
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
	case v.Decision == tool.Allow && v.Means&tool.Undo != 0:
		return "allow rules cover everything it does, and a snapshot what it loses"
	case v.Decision == tool.Allow:
		return "allow rules cover everything it does"
	}
	text := countWords(counts)
	if counts[v.Decision] > 1 {
		text += "; [" + v.Rule + "] gives the reason: " + x.precedence(v)
	}
	return text
}

// countWords says how many findings say what.
func countWords(counts map[tool.Decision]int) string {
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
	return text
}

// precedence says why the deciding rule gives the reason and not another of the
// same decision: the surest does, then that of the highest layer, then the first.
func (x Printer) precedence(v *tool.Verdict) string {
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

func (x Printer) finding(f tool.Finding) string {
	head := f.Decision.String()
	if f.Rule != "" {
		head += " [" + f.Rule + "]"
	}
	text := x.Style.Decision(f.Decision, head) + " " + screen.Clean(f.Reason, "")
	if from := strings.Join(screen.NonEmpty(f.Level, f.Layer, screen.Clean(f.Source, "")), ", "); from != "" {
		text += x.Dim(" (" + from + ")")
	}
	return text
}

// short writes a path in the home directory with a tilde.
func (x Printer) short(path string) string {
	home := x.Config.World.Home
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}
