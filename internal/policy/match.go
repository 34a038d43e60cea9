package policy

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// surely says whether a rule that objects still matches a command if words that are
// not wholly known count for nothing.
func (j *judging) surely(r *Rule, inv *command.Invocation) bool {
	j.sure = true
	defer func() { j.sure = false }()
	return j.shape(r, inv)
}

// shape holds the parts of a matcher that speak of how a command is written
// against an invocation. A rule that objects matches when the command could be
// meant, a rule that allows only when nothing else can be.
func (j *judging) shape(r *Rule, inv *command.Invocation) bool {
	m := &r.Match
	objecting := r.Decision >= tool.Ask
	return j.inContext(m, inv, objecting) && j.spelledSo(m, inv, objecting) &&
		(m.Redirect.empty() || j.redirectMatches(&m.Redirect, inv, objecting)) &&
		(len(m.Env) == 0 || envMatches(m.Env, inv, objecting && !j.sure)) &&
		(len(m.Stages) == 0 || j.pipelineMatches(m.Stages, inv, objecting))
}

// inContext says whether an invocation is where a matcher wants it: in a call of that tool, in
// a session of that kind, in that directory.
func (j *judging) inContext(m *Match, inv *command.Invocation, objecting bool) bool {
	if len(m.Tools) > 0 && (j.call.Shell || !anyName(m.Tools, j.call.Tool)) {
		return false
	}
	if len(m.Given) > 0 && !j.given(m.Given, objecting) {
		return false
	}
	return m.Edits.holds(j.call.Edits) && j.inSession(m.Session, inv) && j.runsIn(m.In, m.Dirs, inv, objecting)
}

// given says whether a tool is given what a matcher wants: for each field one value of that kind, and for a rule that allows
// no other.
func (j *judging) given(want []Variable, objecting bool) bool {
	if j.call.Given == nil {
		return false
	}
	for _, v := range want {
		some, all := false, true
		j.call.Given(func(name, value string) {
			if matchesName(v.Name, name, true) {
				is := len(v.Values) == 0 || anyName(v.Values, value)
				some, all = some || is, all && is
			}
		})
		if !some || !objecting && !all {
			return false
		}
	}
	return true
}

// spelledSo says whether the words of an invocation are what a matcher wants.
func (j *judging) spelledSo(m *Match, inv *command.Invocation, objecting bool) bool {
	return (len(m.Commands) == 0 || anyCommand(m.Commands, inv, objecting)) &&
		(m.Flags.empty() || flagsMatch(m.Flags, inv, objecting)) &&
		(m.Args.empty() || j.argsMatch(m.Args, inv, objecting)) &&
		(len(m.Text) == 0 || j.textMatches(m.Text, inv, objecting))
}

func (l Lists) empty() bool {
	return len(l.Any) == 0 && len(l.All) == 0 && len(l.None) == 0 && len(l.Only) == 0
}

func (m *Redirect) empty() bool { return len(m.Ops) == 0 && len(m.Targets) == 0 }

func anyName(globs []string, name string) bool {
	for _, glob := range globs {
		if matchesName(glob, name, false) {
			return true
		}
	}
	return false
}

func (j *judging) runsIn(zones ZoneSet, dirs []string, inv *command.Invocation, objecting bool) bool {
	if zones == 0 && len(dirs) == 0 {
		return true
	}
	dir := j.g.target(tool.Effect{Kind: tool.Read, Target: inv.Dir.Text, Reach: inv.Dir.Reach, Pattern: inv.Dir.Glob})
	if objecting && !j.sure {
		return j.g.mayLieIn(&dir, zones, dirs)
	}
	return (zones == 0 || j.g.within(&dir, zones)) && (len(dirs) == 0 || j.g.insidePaths(&dir, dirs))
}

// mayLieIn says whether a directory could be in one of the zones and match one of the globs,
// where there are any.
func (g *ground) mayLieIn(dir *target, zones ZoneSet, globs []string) bool {
	return (zones == 0 || g.touchesAny(dir, zones).some()) && (len(globs) == 0 || g.meetsPaths(dir, globs).some())
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
	if len(inv.Words) == 0 || len(c) == 0 {
		return false
	}
	if programMatches(c[0], inv, objecting) {
		if wordsBegin(inv.Words[1:], c[1:]) || objecting && wordsBegin(nonFlags(inv.Words[1:]), c[1:]) {
			return true
		}
		if used, ok := known(c[1:], inv, 1); ok && (objecting || writtenSo(inv, used)) {
			return true
		}
	}
	used, ok := known(c, inv, 0)
	return ok && (objecting || installed(inv) && writtenSo(inv, used))
}

// known says whether the path of a command goes on with some words, by whatever names, and how far they reach.
func known(want []string, inv *command.Invocation, at int) (used int, ok bool) {
	if len(want) == 0 {
		return at, at > 0
	}
	if at < len(inv.Path) && matchesName(want[0], inv.Path[at], false) {
		if used, ok = known(want[1:], inv, at+1); ok {
			return used, true
		}
	}
	for i := range inv.Aka {
		a := &inv.Aka[i]
		names := strings.Fields(a.Name)
		n := min(len(names), len(want))
		if a.From != at || !slices.EqualFunc(want[:n], names[:n], func(glob, name string) bool { return matchesName(glob, name, false) }) {
			continue
		}
		if used, ok = known(want[n:], inv, a.To); ok {
			return used, true
		}
	}
	return 0, false
}

// writtenSo says whether a command begins with so many words of its path, with nothing between them.
func writtenSo(inv *command.Invocation, n int) bool {
	for i := 1; i < n; i++ {
		if i >= len(inv.Words) || !inv.Words[i].IsKnown() || inv.Words[i].Text != inv.Path[i] {
			return false
		}
	}
	return true
}

// installed says whether a program is one from where programs are installed.
func installed(inv *command.Invocation) bool {
	program := inv.Words[0].Text
	at := strings.LastIndexByte(program, '/')
	return inv.Words[0].IsKnown() && (at < 0 || command.InStandardDir(program[:at]))
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
	if !objecting && !installed(inv) {
		return false
	}
	return matchesName(want, name, false)
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
		if !strings.HasPrefix(w.Text, "-") || w.Text == "-" {
			rest = append(rest, w)
		}
	}
	return rest
}

// unread says whether no model has told flags from operands: then every word
// is an operand.
func unread(inv *command.Invocation) bool {
	return len(inv.Flags) == 0 && len(inv.Operands) == len(inv.Words)-1
}

// GivenFlags are the flags of a command as rules see them: if no model tells, every
// word that begins with a dash.
func GivenFlags(inv *command.Invocation) []string {
	if !unread(inv) || len(inv.Words) < 2 {
		return inv.Flags
	}
	var flags []string
	for _, w := range inv.Words[1:] {
		if strings.HasPrefix(w.Text, "-") && w.Text != "-" && w.Text != "--" {
			name, _, _ := strings.Cut(w.Text, "=")
			flags = append(flags, name)
		}
	}
	return flags
}

// GivenOperands are the operands of a command as rules see them: if no model tells, every
// word that is no flag.
func GivenOperands(inv *command.Invocation) []command.Word {
	if unread(inv) && len(inv.Words) > 1 {
		return nonFlags(inv.Words[1:])
	}
	return inv.Operands
}

// flagsMatch holds the flags that are given against a rule. That there are only
// some of them is sure if every word is known: any other could be a flag.
func flagsMatch(l Lists, inv *command.Invocation, objecting bool) bool {
	flags := GivenFlags(inv)
	if len(l.Only) > 0 {
		for _, w := range inv.Words {
			if !objecting && !w.IsKnown() {
				return false
			}
		}
		for _, flag := range flags {
			if !listsFlag(l.Only, flag) {
				return false
			}
		}
	}
	given := func(want string) bool { return hasFlag(flags, want) }
	if !objecting || len(inv.Words) == 0 {
		return l.hold(given)
	}
	// Of some programs, such as kill, a model takes words that look like flags for something else.
	return (Lists{None: l.None}).hold(given) && Lists{Any: l.Any, All: l.All}.hold(func(want string) bool {
		return given(want) || slices.ContainsFunc(oddWords(inv), func(w command.Word) bool { return w.IsKnown() && w.Text == want })
	})
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
	if slices.Contains(flags, want) {
		return true
	}
	if !oneDash(want) {
		return false
	}
	for _, letter := range want[1:] {
		if !slices.ContainsFunc(flags, func(f string) bool {
			return oneDash(f) && strings.ContainsRune(f[1:], letter) && (len(f) == 2 || bundle(f))
		}) {
			return false
		}
	}
	return true
}

// oneDash says whether a flag begins with a single dash, so that each of its letters may be
// one.
func oneDash(flag string) bool { return len(flag) > 1 && flag[0] == '-' && flag[1] != '-' }

// listsFlag says whether a flag is one of a list. A bundle is if each of its
// letters is; an empty name in the list stands for no flag.
func listsFlag(list []string, flag string) bool {
	if slices.Contains(list, flag) {
		return true
	}
	if !oneDash(flag) || !bundle(flag) {
		return false
	}
	for _, letter := range flag[1:] {
		if !hasFlag(list, "-"+string(letter)) {
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
