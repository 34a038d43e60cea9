package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A file that a script has just made holds nothing until something is written to it. Whoever copies or moves it to the place of another
// file empties that one: mv "$(mktemp)" f.

// blanks are files that a script has made and that surely hold nothing yet: nothing that has run since was given one, or runs code that
// may know it.
type blanks struct {
	list    []string
	used    []string // those of which that is not so any more
	checked int      // how many invocations have been looked at
}

// maxBlank bounds the files that are followed.
const maxBlank = 16

// blankFiles are the files that hold nothing, after all that has run so far.
func blankFiles(led *ledger) []string {
	b := &led.blank
	for ; b.checked < len(led.invocations); b.checked++ {
		inv := led.invocations[b.checked]
		if len(inv.Gaps) > 0 || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
			return e.Kind == tool.Execute || e.Reach == tool.Anywhere && e.Kind != tool.Read
		}) {
			b.used = append(b.used, b.list...)
			b.list = nil
			continue
		}
		b.list = slices.DeleteFunc(b.list, func(file string) bool {
			if !mentions(inv, file) || makesBlank(led, inv) == file && (inv.Mute || copiesNothing(led, inv)) {
				return false
			}
			b.used = append(b.used, file)
			return true
		})
		if file := makesBlank(led, inv); file != "" && !slices.Contains(b.list, file) && !slices.Contains(b.used, file) && len(b.list)+len(b.used) < maxBlank {
			b.list = append(b.list, file)
		}
	}
	return slices.Clip(b.list)
}

// makesBlank is the file that an invocation makes, or empties, and puts nothing into.
func makesBlank(led *ledger, inv *command.Invocation) string {
	if inv.Output.Text == command.Temporary && inv.Output.Reach == tool.Under {
		return command.Temporary
	}
	for _, e := range inv.Effects {
		switch {
		case !isExact(e) && !(e.Reach == tool.Under && e.Target == command.Temporary):
		case e.Kind == tool.Create && e.Manner == tool.Plain && isExact(e) && !isRedirect(inv, e) && (isAbsent(led, e) || isNew(led.world, e)):
			return e.Target
		case isExact(e) && (e.Kind == tool.Delete && e.Manner == tool.Cleared && slices.ContainsFunc(inv.Operands, isNull) || e.Kind == tool.Write && takesNull(inv, e)):
			return e.Target
		case e.Kind == tool.Write && isRedirect(inv, e) && putsNothing(led, inv):
			return e.Target
		}
	}
	return ""
}

// mentions says whether an invocation is given a file, or has an effect on it.
func mentions(inv *command.Invocation, file string) bool {
	is := func(w command.Word) bool {
		return strings.Contains(w.Text, file) || paths.Clean(inv.Dir.Text, w.Text) == file
	}
	return slices.ContainsFunc(inv.Words, is) || slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return is(rd.Target) }) ||
		slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
			return e.Target == file || !isExact(e) && e.Kind != tool.Read && mayName(patternOf(e), file)
		})
}

// putsNothing says whether an invocation puts nothing into the file that it is redirected to.
func putsNothing(led *ledger, inv *command.Invocation) bool {
	if len(inv.Redirects) != 1 || !replaces(inv.Redirects[0].Op) {
		return false
	}
	return len(inv.Words) > 0 && (silent(inv) || inv.Mute || copiesNothing(led, inv)) || strings.HasPrefix(led.src.written(inv.Span), ">")
}

// isNew says whether there is nothing of a name in a directory that is there.
func isNew(w *tool.World, e tool.Effect) bool {
	return w.Exists != nil && !w.Exists(e.Target) && w.Exists(paths.Parent(e.Target))
}

// isNull says whether a word is the file that holds nothing.
func isNull(w command.Word) bool { return w.IsKnown() && w.Text == "/dev/null" }

// takesNull says whether an invocation is given just the file that holds nothing and another one, which it writes.
func takesNull(inv *command.Invocation, e tool.Effect) bool {
	return len(inv.Operands) == 2 && isNull(inv.Operands[0]) && inv.Operands[1].Span == e.Span && inv.Operands[1].IsKnown()
}

// copiesNothing says whether an invocation prints what it reads, and that is files that hold nothing, or are not there.
func copiesNothing(led *ledger, inv *command.Invocation) bool {
	if !inv.Selects && inv.Name != "sed" || len(inv.Operands) == 0 {
		return false
	}
	reads := 0
	for _, e := range inv.Effects {
		if e.Kind != tool.Read {
			continue
		}
		if reads++; isGone(led, e) {
			continue
		}
		if !inv.IsBlank(led.world, e) || isExact(e) && !slices.Contains(inv.Blank, e.Target) && mayHaveMade(led.invocations, e) {
			return false
		}
	}
	return (reads > 0 || slices.ContainsFunc(inv.Operands, isNull)) && !slices.ContainsFunc(inv.Operands, func(w command.Word) bool { return w.IsKnown() && w.Text == "-" })
}

// isGone says whether a file that is read is surely not there: neither on the disk, nor made by what has run before, of which all is known.
func isGone(led *ledger, e tool.Effect) bool {
	return isExact(e) && led.world.Exists != nil && len(led.invocations) < maxOwn && isAbsent(led, e) && !mayHaveMade(led.invocations, e) &&
		!slices.ContainsFunc(led.invocations, func(inv *command.Invocation) bool {
			return len(inv.Gaps) > 0 || len(inv.Moves) > 0 || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return !e.Kind.IsPath() || e.Reach == tool.Anywhere })
		})
}
