package guard

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/shell"
	"longline/internal/tool"
)

// Who writes a file that the script names edits it. Who puts one and the same text into every file that a pattern or a list stands for
// has looked at none of them, so what they held is lost, unless git has it. So is what a script names to be read, and what is written
// because the word for another place turns out to be none.

// maxLooks is how often the whole script is looked at for where a text comes from; any further one may be the same for all files.
const maxLooks = 128

// leveller looks for what one text is put in the place of.
type leveller struct {
	invs    []*command.Invocation
	project string
	looks   int
}

// level adds the loss of files that are overwritten so, unless the policy says that builds make them.
func level(invs []*command.Invocation, call *tool.Call, w *tool.World, set *policy.Set) {
	if w == nil || w.Entries == nil || w.Project == "" {
		return
	}
	l := leveller{invs: invs, project: w.Project}
	var d *displaced
	for _, inv := range invs {
		all := eachOf(w, inv)
		for _, e := range inv.Effects[:len(inv.Effects):len(inv.Effects)] {
			slip := slices.Contains(inv.Slips, e) // in the place of a word that turns out to be none
			each := slip || all.has(e) || all.hasBehind(e)
			if !each || !paths.Within(paths.Fixed(e.Target), w.Project) || !slip && !replacesLines(inv, e) && !l.isOneText(inv, e) {
				continue
			}
			if lost, is := irreplaceable(w, inv, e, set.Made(call, w)); is {
				lost.Kind = tool.Delete
				inv.Effects = append(inv.Effects, lost)
				break
			}
			if slices.ContainsFunc(inv.Moves, isMoved) && w.Exists != nil {
				if d == nil {
					d = &displaced{world: w, made: set.Made(call, w), kept: keeps(w)}
				}
				if lost := d.onOneText(inv, e); lost != "" {
					inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Target: lost, Reach: tool.Exact, Span: e.Span})
					break
				}
			}
		}
	}
}

// irreplaceable narrows an effect on several files down to one that git does not have as it is. If there are too many to look at, it may
// be any.
func irreplaceable(w *tool.World, inv *command.Invocation, e tool.Effect, made func(path string) bool) (one tool.Effect, is bool) {
	kept := keeps(w)
	files, all := shell.FilesOf(w, e, slices.ContainsFunc(inv.Words, func(w command.Word) bool { return w.Taint&command.Followed != 0 }))
	for _, file := range files {
		one = tool.Effect{Kind: e.Kind, Target: file, Reach: tool.Exact, Span: e.Span}
		if command.HoldsContent(w, one, nil) && !made(file) && !kept(file) {
			return one, true
		}
	}
	return e, !all
}

// each is what an invocation puts in the place of each file that a pattern or a list stands for, or of one in each directory.
type each struct {
	inv    *command.Invocation
	at     map[string][]tool.Span // the words for what is put at a place
	below  map[string][]tool.Span // those for what is put there if that is a directory
	under  map[string][]tool.Span // those for a directory below which it is
	reads  map[string]bool        // the names of files that it reads
	behind map[tool.Span]bool     // where there are such effects
}

// eachOf looks at the words of an invocation.
func eachOf(world *tool.World, inv *command.Invocation) *each {
	a := &each{inv: inv}
	if inv.Remote || !has(inv, writesSeveral) {
		return a
	}
	a.at, a.below, a.under = map[string][]tool.Span{}, map[string][]tool.Span{}, map[string][]tool.Span{}
	a.reads = map[string]bool{}
	for _, o := range inv.Effects {
		if o.Kind == tool.Read && isOne(o) {
			a.reads[path.Base(o.Target)] = true
		}
	}
	if a.words(world, inv.Words); len(inv.Moves) > 0 {
		a.behind = map[tool.Span]bool{}
		for _, o := range inv.Effects {
			if a.has(o) {
				a.behind[o.Span] = true
			}
		}
	}
	return a
}

// words takes in the words that stand for several, and those of redirections.
func (a *each) words(world *tool.World, words []command.Word) {
	for _, w := range words {
		a.word(world, w)
	}
	for _, rd := range a.inv.Redirects {
		if rd.Op != ">>" && rd.Op != "&>>" && rd.Op != "<>" && (rd.Fd == "" || rd.Fd == "1") {
			a.word(world, rd.Target)
		}
	}
}

// word takes in a word.
func (a *each) word(world *tool.World, w command.Word) {
	if !(w.Glob && w.Reach == tool.Exact || w.Reach == tool.Under) {
		return
	}
	if w.Reach == tool.Under { // the directory that it is below
		w.Text = strings.TrimSuffix(w.Text, "/")
		if place := paths.Clean(a.inv.Dir.Text, w.Text); world.Readlink != nil {
			real := tool.Follow(place, true, world.Readlink)
			a.under[real] = append(a.under[real], w.Span)
		}
	}
	_, value, _ := strings.Cut(w.Text, "=")
	for _, text := range [...]string{w.Text, value} {
		place := paths.Clean(a.inv.Dir.Text, text)
		if a.below[place] = append(a.below[place], w.Span); !strings.HasSuffix(text, "/") {
			a.at[place] = append(a.at[place], w.Span)
		}
	}
}

// writesSeveral says whether an effect is a write of more than one file that is known.
func writesSeveral(e tool.Effect) bool {
	return e.Kind == tool.Write && !e.Tree && e.Manner == 0 && (e.Pattern || e.Reach == tool.Under)
}

// has says whether an effect is such.
func (a *each) has(e tool.Effect) bool {
	if a.inv.Remote || !writesSeveral(e) {
		return false
	}
	if hasSpan(a.under[e.Target], e) || hasSpan(a.at[e.Target], e) {
		return true
	}
	slash := strings.LastIndexByte(e.Target, '/')
	if slash >= 0 && a.reads[e.Target[slash+1:]] && hasSpan(a.below[e.Target[:slash]], e) {
		return true
	}
	return !slices.ContainsFunc(a.inv.Redirects, func(rd command.Redirect) bool { return rd.Target.Span == e.Span }) && isWrittenByCode(a.inv, e)
}

// hasBehind says whether an effect is the same as such a one, through links: those that the script has made, or those on the disk that lead
// to what it has moved.
func (a *each) hasBehind(e tool.Effect) bool {
	return e.Kind == tool.Write && !e.Tree && e.Manner == 0 && a.behind[e.Span]
}

// hasSpan says whether an effect is on what one of some words says, or a part of it.
func hasSpan(words []tool.Span, e tool.Effect) bool {
	return slices.ContainsFunc(words, func(at tool.Span) bool { return at.Start <= e.Span.Start && e.Span.End <= at.End })
}

// isWrittenByCode says whether code among the words of an invocation, all of which is seen, writes the files that a pattern stands for.
func isWrittenByCode(inv *command.Invocation, e tool.Effect) bool {
	return inv.Composes && e.Pattern && !slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool { return o.Kind == tool.Execute })
}

// isOneText says whether nothing of what the files hold that an effect is on goes into what an invocation writes there, as far as one can
// see: it writes one text, or one that is made of their names.
func (l *leveller) isOneText(inv *command.Invocation, e tool.Effect) bool {
	if l.looks++; l.looks > maxLooks {
		return true
	}
	if isKnownText(inv, e) {
		return true
	}
	from, vague, own := l.sources(inv, e)
	if own || slices.ContainsFunc(l.invs, func(o *command.Invocation) bool {
		return o != inv && (vague && carries(o) || len(from) == 0 && isFed(o))
	}) {
		return false
	}
	return !slices.ContainsFunc(from, func(r tool.Effect) bool { return !l.isOneSource(inv, r) })
}

// isKnownText says whether it is known what an invocation writes.
func isKnownText(inv *command.Invocation, e tool.Effect) bool {
	known := func(d command.Data) bool { return d.Reach == tool.Exact && d.Text != "" }
	return known(inv.Stdin) && slices.Contains(inv.Fills, e.Span) ||
		(known(inv.Output) || inv.Mute) && slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return rd.Target.Span == e.Span })
}

// sources is what an invocation, and what feeds it, reads or moves to write it, and whether words besides are not known. It says whether
// the files that an effect is on are surely among it, or given to code.
func (l *leveller) sources(inv *command.Invocation, e tool.Effect) (from []tool.Effect, vague, own bool) {
	for _, o := range l.invs {
		if o != inv && !feeds(o, inv) {
			continue
		}
		vague = vague || slices.ContainsFunc(o.Words, func(w command.Word) bool { return !w.IsKnown() && !isAt(e, w) && !isReadAt(o, w) })
		twice := isTwice(o, e.Span)
		for _, r := range o.Effects {
			switch {
			case r.Span == e.Span && twice:
			case r.Kind == tool.Read && isWrittenByCode(o, e) && isOne(r) && !takesBelow(e, r.Target) && !takesItself(e, r.Target):
			case r.Kind == tool.Read && r.Span == e.Span, isGivenCode(o, r):
				return nil, vague, true
			case r.Manner == tool.Moved, r.Kind == tool.Read && !isWhole(r):
				from = append(from, r)
			}
		}
	}
	return from, vague, false
}

// isOneSource says whether something that an invocation reads or moves is one file, in which the script has put nothing of others.
func (l *leveller) isOneSource(inv *command.Invocation, r tool.Effect) bool {
	one := r.Reach == tool.Exact && !r.Pattern
	if !one && (r.Pattern || r.Reach != tool.Under || paths.Within(r.Target, l.project)) {
		return false
	}
	written := false
	for _, o := range l.invs {
		for _, w := range o.Effects {
			switch {
			case o == inv || w.Kind != tool.Write:
			case w.Reach == tool.Anywhere:
				return false
			case w.Target == r.Target && w.Reach == r.Reach && !w.Pattern && w.Manner == 0:
				if written = true; !l.isOneText(o, w) {
					return false
				}
			}
		}
	}
	return written || one && !slices.ContainsFunc(l.invs, func(o *command.Invocation) bool {
		return slices.ContainsFunc(o.Effects, func(x tool.Effect) bool { return isGivenCode(o, x) })
	})
}

// isReadAt says whether a word is the name of something that an invocation reads.
func isReadAt(inv *command.Invocation, w command.Word) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && e.Span == w.Span })
}

// isWhole says whether an effect is on all there is at a known place.
func isWhole(e tool.Effect) bool { return e.Tree && e.Reach == tool.Exact && !e.Pattern }

// isTwice says whether an invocation is given a word twice because it may be several, and does something else with the first then.
func isTwice(inv *command.Invocation, at tool.Span) bool {
	n := 0
	for _, w := range inv.Words {
		if w.Span == at {
			n++
		}
	}
	return n > 1 && inv.Shifts
}

// isGivenCode says whether an effect of an invocation is that code runs which nobody sees, and which is given something that is not known:
// it may read the files that this names.
func isGivenCode(inv *command.Invocation, e tool.Effect) bool {
	return e.Kind == tool.Execute && (slices.ContainsFunc(inv.Words, func(w command.Word) bool { return !w.IsKnown() }) ||
		slices.ContainsFunc(inv.Env, func(a command.Assign) bool { return a.Prefix && !a.Value.IsKnown() }))
}

// carries says whether what one of several files holds may come from an invocation.
func carries(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return isGivenCode(inv, e) || e.Kind == tool.Read && !isOne(e) && !isWhole(e) && !isTwice(inv, e.Span)
	})
}

// isFed says whether one of several files is what an invocation, and what stands inside of it, reads from its standard input.
func isFed(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool {
		return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && e.Span == rd.Target.Span && !isOne(e) })
	})
}

// replacesLines says whether an invocation leaves nothing of the lines of a file that it reads and writes, and puts a text of its own there.
func replacesLines(inv *command.Invocation, e tool.Effect) bool {
	return inv.Replaces && slices.ContainsFunc(inv.Effects, func(o tool.Effect) bool { return o.Kind == tool.Read && o.Span == e.Span })
}

// isAt says whether an effect is on what a word says, or a part of it.
func isAt(e tool.Effect, w command.Word) bool {
	return w.Span.Start <= e.Span.Start && e.Span.End <= w.Span.End
}

// feeds says whether an invocation makes what another one writes: it stands inside of it, or before it in its pipeline, where
// that has no file to read.
func feeds(o, inv *command.Invocation) bool {
	inside := len(inv.Words) == 0 && inv.Span.Start <= o.Span.Start && o.Span.End <= inv.Span.End
	return inside || inv.Pipeline > 0 && o.Pipeline == inv.Pipeline && o.Stage < inv.Stage && len(o.Via) == len(inv.Via) &&
		!slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read })
}
