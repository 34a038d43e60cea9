package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// A word without quotes that turns out to be nothing is no word. Many programs that are given no path take the directory
// that they run in: "find $d -delete" deletes everything there if d is empty. So such a command is judged without those
// words as well. One that needs them fails without them.

// vanishes says whether a word of an invocation may be no word at all.
func vanishes(s *state, w *command.Word) bool {
	switch {
	case w.Hollow:
		return w.IfEmpty == ""
	case w.Glob:
		return (s.opts|s.doubt)&optNullglob != 0
	}
	return w.Split && w.Reach == tool.Anywhere
}

// complainsOf notes secrets among the words of a test. If another word turns out to be none, the shell complains and prints
// the words that are left.
func complainsOf(led *ledger, s *state, inv *command.Invocation) {
	for i := max(1, inv.Loose-1); inv.Loose > 0 && i < len(inv.Words); i++ {
		if !vanishes(s, &inv.Words[i]) {
			continue
		}
		for j := range inv.Words {
			if j != i {
				led.reveals(inv.Words[j], inv.Words[j].Span)
			}
		}
	}
}

// vanished is an invocation without the arguments that may be no words, as a function says; nil if there are no such arguments.
func vanished(inv *command.Invocation, none func(w *command.Word) bool) *command.Invocation {
	if inv.Loose == 0 {
		return nil
	}
	from := max(1, inv.Loose-1)
	at := from + slices.IndexFunc(inv.Words[min(from, len(inv.Words)):], func(w command.Word) bool { return none(&w) })
	if at < from {
		return nil
	}
	less := *inv
	less.Words = slices.Clone(inv.Words[:at])
	for i := at; i < len(inv.Words); i++ {
		if !none(&inv.Words[i]) {
			less.Words = append(less.Words, inv.Words[i])
		}
	}
	less.Loose = 0
	return &less
}

// alsoWithout judges an invocation without the words that may be none, if there are such, and adds what it prints then. One
// that cannot be judged with them needs no more.
func alsoWithout(r *reader, st *syntax.Stmt, inv, less *command.Invocation, s *state, red redirection) {
	if less == nil || len(inv.Gaps) > 0 || handsOver(s, inv) {
		return
	}
	puts := slices.ContainsFunc(inv.Effects, isDestination)
	left := vanished(inv, func(w *command.Word) bool { return puts && vanishes(s, w) && !isThere(r, inv, *w) })
	if !doesMore(inv, less, r.lib, r.world) {
		// What is left may be several files, of which the last takes the place of the word.
		if left == nil {
			return
		}
		slips(r, inv, inv, left)
		if less = repeated(&r.ledger, left, 2); less == nil || !inv.Shifts || !doesMore(inv, less, r.lib, r.world) {
			return
		}
	}
	r.external(st, less, s.fork(), red)
	if left != nil {
		slips(r, inv, less, less)
	}
	inv.Output.Taint |= less.Output.Taint
	if printsMore(inv, less) {
		inv.Output = inv.Output.Join(less.Output)
	}
}

// isThere says whether a word that may be none is one, because the disk has what a search looks for, or it stands in quotes.
func isThere(r *reader, inv *command.Invocation, w command.Word) bool {
	find := lookout{world: r.world, entries: r.entriesIn, left: maxSame, dirs: true}
	if w.Glob && w.Reach == tool.Exact && r.world.Entries != nil {
		find.files(patternOf(r.pathEffect(inv, tool.Read, w)))
	}
	return len(find.found) > 0 || isOneQuoted(r.src.written(w.Span))
}

// slips notes of one reading of an invocation what is written there only because the words that are left take the place of others: files
// that the script names to be read.
func slips(r *reader, inv, reading, less *command.Invocation) {
	meant, left := writtenAt(r, inv), writtenAt(r, less)
	for _, e := range reading.Effects {
		if isDestination(e) && slices.Contains(left, e.Span) && !slices.Contains(meant, e.Span) && (e.Reach == tool.Exact || r.world.Exists != nil && r.world.Exists(e.Target+"/.")) {
			reading.Slips = append(reading.Slips, e)
		}
	}
}

// writtenAt are the words at which an invocation writes something if all of them are words; none if it lacks one.
func writtenAt(r *reader, inv *command.Invocation) (at []tool.Span) {
	probe := *inv
	probe.Effects, probe.Gaps, probe.Loose = nil, nil, 0
	r.lib.Read(&probe, &tool.World{Home: r.world.Home, Project: r.world.Project, Zsh: r.world.Zsh})
	for _, e := range probe.Effects {
		if isDestination(e) && len(probe.Gaps) == 0 {
			at = append(at, e.Span)
		}
	}
	return at
}

// printsMore says whether a program prints something with the words that are left that it does not print with all of them.
// Output of which nothing is known adds only its taint: such a program prints what it reads from its input.
func printsMore(inv, less *command.Invocation) bool {
	d := less.Output
	return (d.Reach == tool.Under || d.Reach == tool.Exact && !d.IsEmpty()) && !d.Leq(inv.Output)
}

// alsoNext judges an invocation whose program may be no word: the next word is the program then.
func alsoNext(r *reader, st *syntax.Stmt, inv *command.Invocation, s *state, red redirection, functions bool) {
	if first := &inv.Words[0]; inv.Loose != 1 || !first.IsKnown() || !first.Hollow || len(inv.Words) < 2 {
		return
	}
	rest := *inv
	rest.Words = slices.Clone(inv.Words[1:])
	r.execute(st, &rest, s.fork(), red, functions)
}

// handsOver says whether the words that may be none are arguments of a command that stands behind an invocation, or of a
// script there, which are judged by themselves.
func handsOver(s *state, inv *command.Invocation) bool {
	from := len(inv.Words)
	for i := range inv.Runs {
		if n, k := &inv.Runs[i], beginning(inv.Words, inv.Runs[i].Words); k > 0 {
			from = min(from, len(inv.Words)-k+1)
		} else if n.Script != nil && isEnd(inv.Words, n.Args) {
			from = min(from, len(inv.Words)-len(n.Args))
		}
	}
	for i := max(1, inv.Loose-1); i < from; i++ {
		if vanishes(s, &inv.Words[i]) {
			return false
		}
	}
	return from < len(inv.Words)
}

// beginning is how many of the last words the words of a command begin with; it may be given more.
func beginning(words, given []command.Word) int {
	for k := min(len(given), len(words)-1); k > 0; k-- {
		if isEnd(words, given[:k]) {
			return k
		}
	}
	return 0
}

// isEnd says whether words end with others.
func isEnd(words, end []command.Word) bool {
	return len(end) < len(words) && slices.EqualFunc(words[len(words)-len(end):], end, command.Word.Same)
}

// doesMore says whether a program does something with the words that are left that it does not do with all of them. If an
// operand or the value of a flag is missing it does nothing. None of that depends on files.
func doesMore(inv, less *command.Invocation, lib *command.Library, world *tool.World) bool {
	probe := *less
	probe.Effects, probe.Gaps = nil, nil
	lib.Read(&probe, &tool.World{Home: world.Home, Project: world.Project, Zsh: world.Zsh})
	if slices.ContainsFunc(probe.Gaps, func(g command.Gap) bool { return g.Missing }) {
		return false
	}
	return len(probe.Runs) > 0 || len(probe.Gaps) > 0 || printsMore(inv, &probe) || slices.ContainsFunc(probe.Effects, func(e tool.Effect) bool {
		return !slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool {
			return e.Kind == o.Kind && e.Target == o.Target && e.Reach == o.Reach && e.Pattern == o.Pattern && e.Tree == o.Tree
		})
	})
}
