package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// What is moved to a name that is no directory takes the place of what was moved there before. So of several files that
// are moved to one name, in a loop or one command after the other, only the last is left.

// ontop adds the loss of files that others are moved on top of.
func ontop(led *ledger, s *state, inv *command.Invocation) {
	taken := movedBy(inv)
	if len(taken) == 0 {
		return
	}
	if sameNames(led, inv, taken); len(inv.Via) == 0 && len(inv.Moves) == 0 {
		return
	}
	for _, to := range inv.Effects[:len(inv.Effects):len(inv.Effects)] {
		if isDestination(to) && !isExact(to) {
			onOneName(led, inv, to, taken)
			onDerivedName(led, s, inv, to, taken)
		}
		if isDestination(to) {
			countedAgain(led, inv, to)
		}
		if !isDestination(to) || !isExact(to) || isOther(inv, to) || makesDirectory(led, to.Target) {
			continue
		}
		for _, from := range taken {
			if isOften(inv, from) {
				from.Kind = tool.Delete
				inv.Effects = append(inv.Effects, from)
			}
		}
		for _, l := range inv.Moves {
			e, lost := beneathIt(led, l, to)
			if lost && !slices.ContainsFunc(taken, func(from tool.Effect) bool { return isExact(from) && from.Target == l.To }) {
				inv.Effects = append(inv.Effects, e)
			}
		}
	}
}

// isDestination says whether an effect of an invocation that moves something is on the place that this is moved to.
func isDestination(e tool.Effect) bool {
	return e.Kind == tool.Write && !e.Tree && e.Manner != tool.Moved
}

// isOther says whether the word for a destination is another one with each file, and the name stands for a rare case of it. What was moved
// there before is no other one.
func isOther(inv *command.Invocation, to tool.Effect) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return isDestination(e) && !isExact(e) && e.Span == to.Span && !paths.Within(paths.Fixed(e.Target), to.Target) &&
			!slices.ContainsFunc(inv.Moves, func(l command.Link) bool { return l.Moved && strings.HasPrefix(e.Target, l.To) })
	})
}

// movedBy is what an invocation takes away, to put it elsewhere.
func movedBy(inv *command.Invocation) (list []tool.Effect) {
	for _, e := range inv.Effects {
		if e.Kind == tool.Write && e.Tree && e.Manner == tool.Moved && e.Reach != tool.Anywhere {
			list = append(list, e)
		}
	}
	return list
}

// isOften says whether an invocation is run once for each of the files that an effect is on: by a program that puts one name after the
// other in the place of a word.
func isOften(inv *command.Invocation, e tool.Effect) bool {
	return len(inv.Via) > 0 && !inv.Once && inv.Loose == 0 && !isExact(e)
}

// beneathIt is the loss of what a link says was moved to the place of a write, unless the script has made it.
func beneathIt(led *ledger, l command.Link, to tool.Effect) (lost tool.Effect, is bool) {
	from := to.Target
	if l.Pattern {
		from = paths.Escape(from)
	}
	if l.Moved && l.Pattern && l.From != from { // one of several, or a file that was packed
		lost, is = throughMoved(l, to)
		lost.Kind = tool.Delete
		return lost, is && isExact(lost) && led.holdsSomething(lost)
	}
	if !l.Moved || l.From != from {
		return lost, false
	}
	lost = tool.Effect{Kind: tool.Delete, Target: l.To, Reach: tool.Exact, Pattern: l.Pattern && isWild(l.To), Span: to.Span}
	if l.Pattern && !lost.Pattern {
		lost.Target = plain(l.To)
	}
	return lost, lost.Pattern || led.holdsSomething(lost) && !isOwn(led, lost.Target)
}

// isOwn says whether what was moved away from a path is the script's own: it has made the file, or emptied the one that was there, before
// it moved it for the first time. What comes to be at the path later is another file.
func isOwn(led *ledger, path string) bool {
	there := led.world.Exists != nil && led.world.Exists(path)
	for _, inv := range led.invocations {
		for _, e := range inv.Effects {
			switch {
			case !isExact(e) || e.Target != path:
			case e.Kind == tool.Write && e.Manner == tool.Moved:
				return false
			case (e.Kind == tool.Write || e.Kind == tool.Create) && (e.Manner == 0 || e.Manner == tool.Plain) && (!there || fillsAt(inv, e.Span)):
				return true
			}
		}
	}
	return false
}

// makesDirectory says whether the script may have made a directory at a path before.
func makesDirectory(led *ledger, path string) bool {
	for ; led.surveyed < len(led.invocations); led.surveyed++ {
		for _, e := range led.invocations[led.surveyed].Effects {
			if e.Kind == tool.Create && e.Manner != tool.Plain && e.Reach == tool.Exact && !slices.Contains(led.laidOut, e.Target) {
				led.laidOut = append(led.laidOut, e.Target)
			}
		}
	}
	return slices.ContainsFunc(led.laidOut, func(dir string) bool { return paths.Within(dir, path) })
}
