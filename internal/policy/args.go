package policy

import (
	"strings"

	"longline/internal/expression"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// argsMatch holds operands against globs. For a rule that allows, every operand
// must match one of Any and none may be one of None: one good operand says
// nothing about its neighbours.
func (j *judging) argsMatch(l Lists, inv *command.Invocation, objecting bool) bool {
	operands := inv.Operands
	if unread(inv) && len(inv.Words) > 1 {
		operands = nonFlags(inv.Words[1:])
	}
	if objecting {
		if len(inv.Stand) > 0 {
			operands = append(operands[:len(operands):len(operands)], inv.Stand...)
		}
		for _, glob := range l.None {
			if j.anyArg(glob, inv, operands, true) {
				return false
			}
		}
		// A subcommand is the first argument to whoever does not know it as one. It is
		// none where it would keep the rule from matching.
		for _, name := range inv.Path[min(1, len(inv.Path)):] {
			operands = append(operands[:len(operands):len(operands)], command.Known(name, inv.Span))
		}
		return Lists{Any: l.Any, All: l.All}.hold(func(glob string) bool { return j.anyArg(glob, inv, operands, !j.sure) })
	}
	for _, word := range operands {
		ok := len(l.Any) == 0 && (len(l.None) == 0 || word.Reach != tool.Anywhere)
		for _, glob := range l.Any {
			ok = ok || j.argInside(glob, inv, word)
		}
		if !ok {
			return false
		}
	}
	for _, glob := range l.None {
		if j.anyArg(glob, inv, operands, true) {
			return false
		}
	}
	if len(l.Any) > 0 && len(operands) == 0 {
		return false
	}
	return Lists{All: l.All}.hold(func(glob string) bool { return j.anyArg(glob, inv, operands, false) })
}

func (j *judging) anyArg(glob string, inv *command.Invocation, operands []command.Word, could bool) bool {
	for _, word := range operands {
		if could && j.argMeets(glob, inv, word) || !could && j.argInside(glob, inv, word) {
			return true
		}
	}
	return false
}

// argMeets says whether an operand could match a glob. Of an operand of which
// nothing is known nothing is said: gaps and effects take care of it.
func (j *judging) argMeets(glob string, inv *command.Invocation, word command.Word) bool {
	if word.Reach == tool.Anywhere {
		return false
	}
	if m, problem := compile(glob, inRules); problem == "" {
		p := wordTokens(word)
		r := compare(p, m, j.g.w.FoldCase)
		if r&same != 0 || word.Reach == tool.Under && r&above != 0 {
			return true
		}
	}
	if !rootedGlob(glob) {
		return false
	}
	t, ok := j.operandTarget(inv, word)
	if !ok {
		return false
	}
	met := j.g.meetsPaths(&t, []string{glob})
	return met.direct != never || met.sweep != never && t.reach != ReachAnywhere
}

// argInside says whether whatever an operand can be matches a glob.
func (j *judging) argInside(glob string, inv *command.Invocation, word command.Word) bool {
	if word.Reach != tool.Exact && !j.sure || word.Reach == tool.Anywhere {
		return false
	}
	if m, problem := compile(glob, inRules); problem == "" && (j.sure || !strings.Contains("/"+word.Text+"/", "/../")) {
		p := wordTokens(word)
		if j.sure && word.Reach == tool.Prefix {
			p[len(p)-1].op = star // what is known says it, wherever the rest leads
		}
		if inside(p, m, j.g.w.FoldCase)&same != 0 {
			return true
		}
	}
	if !rootedGlob(glob) || word.Reach != tool.Exact {
		return false
	}
	t, ok := j.operandTarget(inv, word)
	return ok && j.g.insidePaths(&t, []string{glob})
}

func rootedGlob(glob string) bool {
	return glob != "" && (glob[0] == '/' || glob[0] == '~' || strings.HasPrefix(glob, "./") || strings.HasPrefix(glob, "**"))
}

func wordTokens(word command.Word) []token {
	var p []token
	if word.Glob {
		p, _ = compile(word.Text, inShell)
	} else {
		p = spelled(word.Text)
	}
	if word.Reach == tool.Prefix {
		p = append(p, token{op: globstar})
	}
	return p
}

// operandTarget takes an operand for a path.
func (j *judging) operandTarget(inv *command.Invocation, word command.Word) (target, bool) {
	text := word.Text
	if text == "" || strings.Contains(text, "://") {
		return target{}, false
	}
	if text[0] != '/' {
		if inv.Dir.Reach != tool.Exact || inv.Dir.Text == "" {
			return target{}, false
		}
		dir := inv.Dir.Text
		if word.Glob {
			dir = paths.Escape(dir)
		}
		text = dir + "/" + text
	}
	return j.g.target(tool.Effect{Kind: tool.Read, Target: text, Reach: word.Reach, Pattern: word.Glob}), true
}

// textMatches holds the argument text against extended regular expressions: the
// words after the program with single blanks between them, or as they are
// written. Rules that allow need every word to be known.
func (j *judging) textMatches(patterns []expression.Expression, inv *command.Invocation, objecting bool) bool {
	if len(inv.Words) == 0 {
		return false
	}
	var b strings.Builder
	for i, w := range inv.Words[1:] {
		if !objecting && !w.IsKnown() {
			return false
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	text := b.String()
	raw := ""
	if start, end := inv.Words[0].Span.End, inv.Span.End; objecting && 0 < start && start < end && end <= len(j.call.Script) {
		raw = strings.TrimSpace(j.call.Script[start:end])
	}
	for _, p := range patterns {
		if p.Matches(text) || raw != "" && p.Matches(raw) {
			return true
		}
	}
	return false
}

func (j *judging) redirectMatches(m *Redirect, inv *command.Invocation, objecting bool) bool {
	for _, r := range inv.Redirects {
		if len(m.Ops) > 0 && !contains(m.Ops, r.Op) && !contains(m.Ops, r.Fd+r.Op) && !(objecting && contains(m.Ops, plainOp(&r))) {
			continue
		}
		if len(m.Targets) == 0 {
			return true
		}
		for _, glob := range m.Targets {
			if could := objecting && !j.sure; could && j.argMeets(glob, inv, r.Target) || !could && j.argInside(glob, inv, r.Target) {
				return true
			}
		}
	}
	return false
}

// plainOp is the operator that one means who forbids a redirection in its plain
// form: >|, &> and >& empty a file and write to it as > does.
func plainOp(r *command.Redirect) string {
	switch r.Op {
	case ">&":
		if r.Target.IsKnown() && strings.Trim(r.Target.Text, "0123456789-") == "" {
			return r.Op // to another descriptor
		}
		return ">"
	case ">|", "&>":
		return ">"
	case "&>>":
		return ">>"
	}
	return r.Op
}

func envMatches(list []Variable, inv *command.Invocation, objecting bool) bool {
	for _, v := range list {
		for _, a := range inv.Env {
			if !matchesName(v.Name, a.Name, false) {
				continue
			}
			if len(v.Values) == 0 || objecting && !a.Value.IsKnown() || a.Value.IsKnown() && anyName(v.Values, a.Value.Text) {
				return true
			}
		}
	}
	return false
}

// pipelineMatches says whether the invocation stands in a pipeline that has the
// stages in their order. An objection is raised once, at the last of them.
func (j *judging) pipelineMatches(stages []Stage, inv *command.Invocation, objecting bool) bool {
	if inv.Pipeline == 0 {
		return false
	}
	isStage := func(s *Stage, c *command.Invocation) bool {
		return c.Pipeline == inv.Pipeline && (len(s.Commands) == 0 || anyCommand(s.Commands, c, objecting)) &&
			(s.Flags.empty() || flagsMatch(s.Flags, c, objecting)) && (s.Args.empty() || j.argsMatch(s.Args, c, objecting))
	}
	// reach says whether the stages stand in their order between two positions.
	reach := func(stages []Stage, from, to int) bool {
		pos := from
		for i := range stages {
			next := -1
			for _, c := range j.invs {
				if c.Stage > pos && c.Stage < to && (next < 0 || c.Stage < next) && isStage(&stages[i], c) {
					next = c.Stage
				}
			}
			if next < 0 {
				return false
			}
			pos = next
		}
		return true
	}
	const end = int(^uint(0) >> 1)
	for k := range stages {
		if objecting && k < len(stages)-1 {
			continue
		}
		if isStage(&stages[k], inv) && reach(stages[:k], -1, inv.Stage) && reach(stages[k+1:], inv.Stage, end) {
			return true
		}
	}
	return false
}

func contains(list []string, text string) bool {
	for _, s := range list {
		if s == text {
			return true
		}
	}
	return false
}
