package policy

import (
	"regexp"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// shape holds the parts of a matcher that speak of how a command is written
// against an invocation. A rule that objects matches when the command could be
// meant, a rule that allows only when nothing else can be.
func (j *judging) shape(r *Rule, inv *command.Invocation) bool {
	m := &r.Match
	objecting := r.Decision >= tool.Ask
	if len(m.Tools) > 0 && (j.call.Shell || !anyName(m.Tools, j.call.Tool)) {
		return false
	}
	if !m.Edits.holds(j.call.Edits) || !j.runsIn(m.In, inv, objecting) {
		return false
	}
	if len(m.Commands) > 0 && !anyCommand(m.Commands, inv, objecting) {
		return false
	}
	if !m.Flags.empty() && !flagsMatch(m.Flags, inv) || !m.Args.empty() && !j.argsMatch(m.Args, inv, objecting) {
		return false
	}
	if len(m.Text) > 0 && !j.textMatches(m.Text, inv, objecting) {
		return false
	}
	if (len(m.Redirect.Ops) > 0 || len(m.Redirect.Targets) > 0) && !j.redirectMatches(&m.Redirect, inv, objecting) {
		return false
	}
	if len(m.Env) > 0 && !envMatches(m.Env, inv, objecting) {
		return false
	}
	return len(m.Stages) == 0 || j.pipelineMatches(m.Stages, inv, objecting)
}

func (l Lists) empty() bool { return len(l.Any) == 0 && len(l.All) == 0 && len(l.None) == 0 }

func anyName(globs []string, name string) bool {
	for _, glob := range globs {
		if matchesName(glob, name, false) {
			return true
		}
	}
	return false
}

func (j *judging) runsIn(zones ZoneSet, inv *command.Invocation, objecting bool) bool {
	if zones == 0 {
		return true
	}
	dir := j.g.target(tool.Effect{Kind: tool.Read, Target: inv.Dir.Text, Reach: inv.Dir.Reach, Pattern: inv.Dir.Glob})
	if !objecting {
		return j.g.within(&dir, zones)
	}
	direct, sweep := j.g.touchesAny(&dir, zones)
	return direct || sweep
}

func anyCommand(list []Command, inv *command.Invocation, objecting bool) bool {
	for _, c := range list {
		if commandMatches(c, inv, objecting) {
			return true
		}
	}
	return false
}

// commandMatches holds the leading words of a command against an invocation.
// Rules that allow take the words as they are written and the program only
// from where programs are installed: ./git and git -c x=y status are not git status.
func commandMatches(c Command, inv *command.Invocation, objecting bool) bool {
	if len(inv.Words) == 0 || len(c) == 0 || !programMatches(c[0], inv, objecting) {
		return false
	}
	if wordsBegin(inv.Words[1:], c[1:]) {
		return true
	}
	if !objecting {
		return false
	}
	if len(inv.Path) >= len(c) {
		all := true
		for i, want := range c[1:] {
			all = all && matchesName(want, inv.Path[1+i], false)
		}
		if all {
			return true
		}
	}
	return wordsBegin(nonFlags(inv.Words[1:]), c[1:])
}

func programMatches(want string, inv *command.Invocation, objecting bool) bool {
	program := inv.Words[0]
	if !program.IsKnown() {
		return false
	}
	if strings.Contains(want, "/") {
		return matches(want, program.Text, false)
	}
	name := inv.Name
	if name == "" {
		name = lastName(program.Text)
	}
	if !objecting && strings.Contains(program.Text, "/") && !installed(program.Text) {
		return false
	}
	return matchesName(want, name, false)
}

// installed says whether a program's path is in a directory for programs that
// only an administrator or a package manager writes to.
func installed(path string) bool {
	switch path[:strings.LastIndexByte(path, '/')] {
	case "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin":
		return true
	}
	return false
}

func wordsBegin(words []command.Word, want []string) bool {
	if len(words) < len(want) {
		return false
	}
	for i, w := range want {
		if !words[i].IsKnown() || !matchesName(w, words[i].Text, false) {
			return false
		}
	}
	return true
}

func nonFlags(words []command.Word) []command.Word {
	var rest []command.Word
	for _, w := range words {
		if !strings.HasPrefix(w.Text, "-") {
			rest = append(rest, w)
		}
	}
	return rest
}

// unread says whether no model has told flags from operands.
func unread(inv *command.Invocation) bool {
	return len(inv.Path) == 0
}

func flagsMatch(l Lists, inv *command.Invocation) bool {
	flags := inv.Flags
	if unread(inv) && len(inv.Words) > 1 {
		flags = nil
		for _, w := range inv.Words[1:] {
			if strings.HasPrefix(w.Text, "-") && w.Text != "-" && w.Text != "--" {
				name, _, _ := strings.Cut(w.Text, "=")
				flags = append(flags, name)
			}
		}
	}
	return l.hold(func(want string) bool { return hasFlag(flags, want) })
}

// hold says whether the conditions of the lists are met.
func (l Lists) hold(has func(want string) bool) bool {
	for _, want := range l.None {
		if has(want) {
			return false
		}
	}
	for _, want := range l.All {
		if !has(want) {
			return false
		}
	}
	for _, want := range l.Any {
		if has(want) {
			return true
		}
	}
	return len(l.Any) == 0
}

// hasFlag finds a flag. A bundle such as -rf is there when each of its letters
// is, separately or in other bundles.
func hasFlag(flags []string, want string) bool {
	for _, f := range flags {
		if f == want {
			return true
		}
	}
	if len(want) < 2 || want[0] != '-' || want[1] == '-' {
		return false
	}
	for _, letter := range want[1:] {
		found := false
		for _, f := range flags {
			if len(f) > 1 && f[0] == '-' && f[1] != '-' && strings.ContainsRune(f[1:], letter) && (len(f) == 2 || bundle(f)) {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// bundle says whether a word with one dash can be several flags: letters only,
// and few of them. Models take bundles apart; this is for programs without one.
func bundle(flag string) bool {
	for i := 1; i < len(flag); i++ {
		if c := flag[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return len(flag) <= 6
}

// argsMatch holds operands against globs. For a rule that allows, every operand
// must match one of Any and none may be one of None: one good operand says
// nothing about its neighbours.
func (j *judging) argsMatch(l Lists, inv *command.Invocation, objecting bool) bool {
	operands := inv.Operands
	if unread(inv) && len(inv.Words) > 1 {
		operands = nonFlags(inv.Words[1:])
	}
	if objecting {
		return l.hold(func(glob string) bool { return j.anyArg(glob, inv, operands, true) })
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
	direct, sweep := j.g.meetsPaths(&t, []string{glob})
	return direct || sweep && t.reach != ReachAnywhere
}

// argInside says whether whatever an operand can be matches a glob.
func (j *judging) argInside(glob string, inv *command.Invocation, word command.Word) bool {
	if word.Reach != tool.Exact {
		return false
	}
	if m, problem := compile(glob, inRules); problem == "" && !strings.Contains("/"+word.Text+"/", "/../") {
		if inside(wordTokens(word), m, j.g.w.FoldCase)&same != 0 {
			return true
		}
	}
	if !rootedGlob(glob) {
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
			dir = escape(dir)
		}
		text = dir + "/" + text
	}
	return j.g.target(tool.Effect{Kind: tool.Read, Target: text, Reach: word.Reach, Pattern: word.Glob}), true
}

// textMatches holds the argument text against extended regular expressions: the
// words after the program with single blanks between them, or as they are
// written. Rules that allow need every word to be known.
func (j *judging) textMatches(patterns []string, inv *command.Invocation, objecting bool) bool {
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
		re, err := regexp.Compile(p)
		if err != nil {
			continue // the file was checked when it was read
		}
		if re.MatchString(text) || raw != "" && re.MatchString(raw) {
			return true
		}
	}
	return false
}

func (j *judging) redirectMatches(m *Redirect, inv *command.Invocation, objecting bool) bool {
	for _, r := range inv.Redirects {
		if len(m.Ops) > 0 && !contains(m.Ops, r.Op) && !contains(m.Ops, r.Fd+r.Op) {
			continue
		}
		if len(m.Targets) == 0 {
			return true
		}
		for _, glob := range m.Targets {
			if objecting && j.argMeets(glob, inv, r.Target) || !objecting && j.argInside(glob, inv, r.Target) {
				return true
			}
		}
	}
	return false
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
			(s.Flags.empty() || flagsMatch(s.Flags, c)) && (s.Args.empty() || j.argsMatch(s.Args, c, objecting))
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
