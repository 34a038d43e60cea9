package policy

import (
	"slices"
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
	operands := GivenOperands(inv)
	if objecting {
		return j.argsObject(l, inv, operands)
	}
	return j.argsPermit(l, inv, operands)
}

// argsObject is argsMatch for a rule that objects.
func (j *judging) argsObject(l Lists, inv *command.Invocation, operands []command.Word) bool {
	if len(inv.Stand) > 0 {
		operands = append(operands[:len(operands):len(operands)], inv.Stand...)
	}
	if !j.noneMeets(l.None, inv, operands) {
		return false
	}
	// A subcommand is the first argument to whoever does not know it as one. It is
	// none where it would keep the rule from matching.
	for _, name := range inv.Path[min(1, len(inv.Path)):] {
		operands = append(operands[:len(operands):len(operands)], command.Known(name, inv.Span))
	}
	for _, a := range inv.Aka {
		if a.From > 0 && !strings.Contains(a.Name, " ") {
			operands = append(operands[:len(operands):len(operands)], command.Known(a.Name, inv.Span))
		}
	}
	return Lists{Any: l.Any, All: l.All}.hold(func(glob string) bool {
		if strings.HasPrefix(glob, "-") && hasFlag(GivenFlags(inv), glob) {
			return true // who writes a flag among the operands means the flag
		}
		if strings.ContainsAny(glob, "-=") && j.anyArg(glob, inv, oddWords(inv), !j.sure) {
			return true
		}
		return j.anyArg(glob, inv, operands, !j.sure)
	})
}

// oddWords are the words that begin with a dash or have an equals sign, whatever a model takes them for: who writes rules
// does not know that the of=x of dd is no operand. Behind -- nothing is a flag.
func oddWords(inv *command.Invocation) (list []command.Word) {
	for _, w := range inv.Words[min(1, len(inv.Words)):] {
		if w.IsKnown() && w.Text == "--" {
			break
		}
		if strings.HasPrefix(w.Text, "-") || strings.Contains(w.Text, "=") {
			list = append(list, w)
		}
	}
	return list
}

// argsPermit is argsMatch for a rule that allows.
func (j *judging) argsPermit(l Lists, inv *command.Invocation, operands []command.Word) bool {
	if len(l.Any) > 0 && len(operands) == 0 {
		return false
	}
	for _, word := range operands {
		if !j.argPermitted(l, inv, word) {
			return false
		}
	}
	return j.noneMeets(l.None, inv, operands) &&
		Lists{All: l.All}.hold(func(glob string) bool { return j.anyArg(glob, inv, operands, false) })
}

// argPermitted says whether one operand is among those that a rule allows.
func (j *judging) argPermitted(l Lists, inv *command.Invocation, word command.Word) bool {
	if len(l.Any) == 0 {
		return len(l.None) == 0 || word.Reach != tool.Anywhere
	}
	for _, glob := range l.Any {
		if j.argInside(glob, inv, word) {
			return true
		}
	}
	return false
}

// noneMeets says whether no operand could match one of the globs.
func (j *judging) noneMeets(globs []string, inv *command.Invocation, operands []command.Word) bool {
	for _, glob := range globs {
		if j.anyArg(glob, inv, operands, true) {
			return false
		}
	}
	return true
}

// anyArg says whether an operand matches a glob, or could.
func (j *judging) anyArg(glob string, inv *command.Invocation, operands []command.Word, could bool) bool {
	for _, word := range operands {
		if j.arg(glob, inv, word, could) {
			return true
		}
	}
	return false
}

// arg says whether one operand matches a glob, or could.
func (j *judging) arg(glob string, inv *command.Invocation, word command.Word, could bool) bool {
	if could {
		return j.argMeets(glob, inv, word)
	}
	return j.argInside(glob, inv, word)
}

// argMeets says whether an operand could match a glob. Of an operand of which
// nothing is known nothing is said: gaps and effects take care of it.
func (j *judging) argMeets(glob string, inv *command.Invocation, word command.Word) bool {
	if word.Reach == tool.Anywhere {
		return false
	}
	key := operandKey{glob, word.Text, word.Reach, word.Glob, inv.Dir.Text, inv.Dir.Reach}
	if met, known := j.operands[key]; known {
		return met
	}
	return j.operands.keep(key, j.argMeetsAny(glob, inv, word))
}

// operandKey is an operand that was held against a glob.
type operandKey struct {
	glob, text string
	reach      tool.Reach
	pattern    bool
	dir        string
	dirReach   tool.Reach
}

func (j *judging) argMeetsAny(glob string, inv *command.Invocation, word command.Word) bool {
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
	if j.spellingInside(glob, word) {
		return true
	}
	if !rootedGlob(glob) || word.Reach != tool.Exact {
		return false
	}
	t, ok := j.operandTarget(inv, word)
	return ok && j.g.insidePaths(&t, []string{glob})
}

// spellingInside says whether an operand matches a glob by its letters, whatever it names.
func (j *judging) spellingInside(glob string, word command.Word) bool {
	m, problem := compile(glob, inRules)
	if problem != "" || !j.sure && strings.Contains("/"+word.Text+"/", "/../") {
		return false
	}
	p := wordTokens(word)
	if j.sure && word.Reach == tool.Prefix {
		p[len(p)-1].op = star // what is known says it, wherever the rest leads
	}
	return inside(p, m, j.g.w.FoldCase)&same != 0
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
	text, known := argumentText(inv.Words[1:])
	if !objecting && !known {
		return false
	}
	texts := []string{text}
	if objecting {
		texts = append(otherwise(texts, inv), j.writtenArguments(inv))
	} else {
		texts[0] = strings.ReplaceAll(text, "\n", " ") // a line of many is not all that it says
	}
	for _, p := range patterns {
		for i, text := range texts {
			if (text != "" || i == 0) && p.Matches(text) {
				return true
			}
		}
	}
	return false
}

// otherwise adds the argument text of a command under its other names.
func otherwise(texts []string, inv *command.Invocation) []string {
	for _, a := range inv.Aka {
		if !writtenSo(inv, a.To) {
			continue
		}
		names := strings.Fields(a.Name)
		before, _ := argumentText(inv.Words[1:max(a.From, 1)])
		after, _ := argumentText(inv.Words[a.To:])
		if a.From == 0 {
			names = names[1:]
		}
		texts = append(texts, strings.TrimSpace(before+" "+strings.Join(append(names, after), " ")))
	}
	return texts
}

// argumentText is words with single blanks between them, and whether all are known.
func argumentText(words []command.Word) (text string, known bool) {
	var b strings.Builder
	known = true
	for i, w := range words {
		known = known && w.IsKnown()
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String(), known
}

// writtenArguments is what stands behind the program in the script, "" if that is not known.
func (j *judging) writtenArguments(inv *command.Invocation) string {
	start, end := inv.Words[0].Span.End, inv.Span.End
	if 0 < start && start < end && end <= len(j.call.Script) {
		return strings.TrimSpace(j.call.Script[start:end])
	}
	return ""
}

func (j *judging) redirectMatches(m *Redirect, inv *command.Invocation, objecting bool) bool {
	for i := range inv.Redirects {
		r := &inv.Redirects[i]
		if !m.hasOp(r, objecting) {
			continue
		}
		if len(m.Targets) == 0 {
			return true
		}
		for _, glob := range m.Targets {
			if j.arg(glob, inv, r.Target, objecting && !j.sure) {
				return true
			}
		}
	}
	return false
}

// hasOp says whether a redirection has one of the operators that a rule names.
func (m *Redirect) hasOp(r *command.Redirect, objecting bool) bool {
	return len(m.Ops) == 0 || slices.Contains(m.Ops, r.Op) || slices.Contains(m.Ops, r.Fd+r.Op) ||
		objecting && slices.Contains(m.Ops, plainOp(r))
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
	const end = int(^uint(0) >> 1)
	line := pipeline{j, inv.Pipeline, objecting}
	first := 0
	if objecting {
		first = max(0, len(stages)-1)
	}
	for k := first; k < len(stages); k++ {
		if line.is(&stages[k], inv) && line.has(stages[:k], -1, inv.Stage) && line.has(stages[k+1:], inv.Stage, end) {
			return true
		}
	}
	return false
}

// pipeline is one of a script, as a rule looks at it.
type pipeline struct {
	j         *judging
	number    int
	objecting bool
}

// has says whether the stages stand in their order between two positions.
func (l pipeline) has(stages []Stage, from, to int) bool {
	for i := range stages {
		if from = l.next(&stages[i], from, to); from < 0 {
			return false
		}
	}
	return true
}

// next is the first position between two others at which a stage is, or -1.
func (l pipeline) next(s *Stage, from, to int) int {
	next := -1
	for _, c := range l.j.invs {
		if c.Stage > from && c.Stage < to && (next < 0 || c.Stage < next) && l.is(s, c) {
			next = c.Stage
		}
	}
	return next
}

// is says whether an invocation is what a rule wants at a stage.
func (l pipeline) is(s *Stage, c *command.Invocation) bool {
	return c.Pipeline == l.number && (len(s.Commands) == 0 || anyCommand(s.Commands, c, l.objecting)) &&
		(s.Flags.empty() || flagsMatch(s.Flags, c, l.objecting)) && (s.Args.empty() || l.j.argsMatch(s.Args, c, l.objecting))
}
