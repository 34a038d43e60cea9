package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Wall judges a script as it would be with the programs in it behind a wall that run
// code which cannot be read. It says no where there is nothing to put behind one, or
// where that cannot be done by adding words in front of a command.
func (g *Guard) Wall(call tool.Call, w *tool.World) (tool.Verdict, []*command.Invocation, bool) {
	invs, gaps, parsed, _ := g.read(&call, w)
	if !parsed || len(w.Wall) == 0 {
		return tool.Verdict{}, nil, false
	}
	edits, walled := g.putBehind(&call, invs, w)
	if len(edits) == 0 || missed(invs, edits) {
		return tool.Verdict{}, nil, false
	}
	v := g.hold(&call, invs, gaps, w)
	if v.Decision == tool.Deny {
		return tool.Verdict{}, nil, false
	}
	if leaves(call.Script, invs) {
		// What it prints goes to others, and the reading takes it to print nothing.
		for _, inv := range invs {
			inv.Walled = false
		}
		v = g.hold(&call, invs, gaps, w)
	}
	slices.Sort(edits)
	v.Rewrite, v.Changed = insert(call.Script, edits, quoted(w.Wall))
	v.Walled, v.Parsed = walled, true
	if !g.stands(&call, v, len(edits), w) {
		return tool.Verdict{}, nil, false
	}
	for i := range v.Findings {
		v.Findings[i].Span = inside(v.Findings[i].Span, len(call.Script))
	}
	return v, invs, true
}

// putBehind marks the commands that belong behind a wall, with all that they run. It returns where in the
// script they begin, and their texts.
func (g *Guard) putBehind(call *tool.Call, invs []*command.Invocation, w *tool.World) (edits []int, walled []string) {
	for len(invs) > 0 {
		n := 1
		for n < len(invs) && len(invs[n].Via) > 0 {
			n++
		}
		group := invs[:n]
		invs = invs[n:]
		if !g.wants(call, group, w) || !wrappable(call.Script, group[0]) {
			continue
		}
		if at := group[0].Words[0].Span.Start; !slices.Contains(edits, at) {
			edits = append(edits, at)
			span := inside(group[0].Span, len(call.Script))
			walled = append(walled, call.Script[max(span.Start, min(at, span.End)):span.End])
		}
		for _, inv := range group {
			inv.Walled = true
		}
	}
	return edits, walled
}

// missed says whether a command at one of these places is not behind the wall. Of a place that is
// reached more than once, in a loop or a function, each time counts.
func missed(invs []*command.Invocation, edits []int) bool {
	return slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
		return len(inv.Via) == 0 && len(inv.Words) > 0 && !inv.Walled && slices.Contains(edits, inv.Words[0].Span.Start)
	})
}

// leaves says whether the output of code that cannot be read may be used outside its
// wall, by a reading that knows nothing of it: a wall answers for what runs behind it
// and not for what others make of its words.
func leaves(script string, invs []*command.Invocation) bool {
	silent := slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
		return inv.Walled && len(inv.Via) == 0 && inv.Output.Reach == tool.Exact
	})
	if !silent {
		return false
	}
	for _, harmless := range []string{"||", "2>&1", ">&2", ">/dev/null", "> /dev/null"} {
		script = strings.ReplaceAll(script, harmless, "")
	}
	return strings.ContainsAny(script, "|`>") || strings.Contains(script, "$(") || strings.Contains(script, "<(")
}

// insert adds words at offsets that are sorted.
func insert(script string, at []int, words string) (string, []tool.Span) {
	var b strings.Builder
	var changed []tool.Span
	from := 0
	for _, i := range at {
		b.WriteString(script[from:i])
		changed = append(changed, tool.Span{Start: b.Len(), End: b.Len() + len(words)})
		b.WriteString(words)
		from = i
	}
	b.WriteString(script[from:])
	return b.String(), changed
}

// quoted writes words for the shell, with a space after each.
func quoted(words []string) string {
	var b strings.Builder
	for _, word := range words {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") != "" {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		b.WriteString(word + " ")
	}
	return b.String()
}

// stands reads the changed script again: each of the new words must be the program of
// a command there, or a shell would read it in another way than was meant.
func (g *Guard) stands(call *tool.Call, v tool.Verdict, n int, w *tool.World) bool {
	moved := *call
	moved.Script = v.Rewrite
	invs, _, parsed, _ := g.read(&moved, w)
	if !parsed {
		return false
	}
	for _, c := range v.Changed {
		if !slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
			return len(inv.Via) == 0 && begins(inv.Words, w.Wall) && inv.Words[0].Span.Start == c.Start
		}) {
			return false
		}
	}
	return len(v.Changed) == n
}

// begins says whether a command has these words before others.
func begins(words []command.Word, with []string) bool {
	if len(words) <= len(with) {
		return false
	}
	for i, text := range with {
		if !words[i].IsKnown() || words[i].Text != text {
			return false
		}
	}
	return true
}

// unreadable are the beginnings of the names of code that nobody has read.
var unreadable = []string{"project:", "file:", "script:", "inline:", "stdin:", "written:", "planted:", "edited:"}

// wants says whether a command, with what it runs in turn, belongs behind a wall: it
// runs code that cannot be read, and does nothing that a wall is in the way of.
func (g *Guard) wants(call *tool.Call, group []*command.Invocation, w *tool.World) bool {
	needed := false
	for _, inv := range group {
		if inv.Remote || inv.Device != "" || slices.ContainsFunc(inv.Effects, inTheWay) {
			return false
		}
		needed = needed || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute })
	}
	// others: as it is needed.
	switch g.Policy.Wall(call, group[0], w) {
	case policy.WallNever:
		return false
	case policy.WallAlways:
		return true
	}
	return needed
}

// inTheWay says whether a wall is in the way of an effect: of packages, processes, containers and
// privileges, and of code that can be read.
func inTheWay(e tool.Effect) bool {
	// others: what a wall is made for.
	switch e.Kind {
	case tool.Control:
		return e.Target != "network.listen"
	case tool.Execute:
		return !slices.ContainsFunc(unreadable, func(s string) bool { return strings.HasPrefix(e.Target, s) })
	}
	return false
}

// builtins are what a shell does itself, so that no other program can do it in its
// place, and words of its language.
const builtins = " . : [ [[ alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done echo " +
	"elif else enable esac eval exec exit export fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile noglob nocorrect " +
	"popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap type typeset ulimit umask " +
	"unalias unset until wait while { } ! "

// wrappable says whether a command is one that stands in the script by itself, so that
// words in front of it make it the argument of another.
func wrappable(script string, inv *command.Invocation) bool {
	if len(inv.Via) > 0 || len(inv.Words) == 0 || !inv.Words[0].IsKnown() {
		return false
	}
	name, span := inv.Words[0].Text, inv.Words[0].Span
	if name == "" || strings.ContainsAny(name, " =") || strings.Contains(builtins, " "+name+" ") {
		return false
	}
	written := 0 <= span.Start && span.Start < span.End && span.End <= len(script) && inv.Span.Start <= span.Start && span.End <= inv.Span.End
	return written && !defined(script, name)
}

// defined says whether a shell may take a name for a function or an alias, and not for a program.
func defined(script, name string) bool {
	return slices.ContainsFunc([]string{name + "()", name + " ()", "function " + name, "alias " + name + "="}, func(defines string) bool {
		return strings.Contains(script, defines)
	})
}
