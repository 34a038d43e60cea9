package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// The elements of an associative array come in any order. Each of them is known, and what is done to each of them is, but not which is the
// first or the last: the words that they become are marked as mixed, and where their place counts they are not known.

// isMixed says whether a word is one of several that may stand in another order.
func isMixed(w command.Word) bool { return w.Mixed }

// mixedAmong says which of a list of words are mixed: those from the first to before the end.
func mixedAmong(list []command.Word) (first, end int) {
	first = slices.IndexFunc(list, isMixed)
	if first < 0 {
		return 0, 0
	}
	for end = len(list); !list[end-1].Mixed; end-- {
	}
	return first, end
}

// shuffled marks the elements of a list that may come in any order. Together they are no text that is known.
func (l looked) shuffled(quoted bool) looked {
	if !l.mixed && !slices.ContainsFunc(l.words, isMixed) || len(l.words) < 2 {
		return l
	}
	l.mixed = true
	if l.star && quoted {
		all := value.Lost(l.words...)
		all.Hollow = slices.ContainsFunc(l.words, mayBeEmpty)
		l.words = []command.Word{all}
		return l
	}
	l.words = slices.Clone(l.words)
	for i := range l.words {
		l.words[i].Mixed = true
	}
	return l
}

// foldsMixed says whether pieces that are joined to one value have no known order, and what is known of that value.
func foldsMixed(list []piece, span tool.Span) (w command.Word, is bool) {
	if !slices.ContainsFunc(list, func(p piece) bool { return p.Mixed }) {
		return w, false
	}
	for _, p := range list {
		w.Taint |= p.Taint
	}
	w.Hollow, w.Span = true, span
	return w, true
}

// inAnyOrder notes of an invocation what depends on the order of words that have none: if two of them that change places make it do something
// else, it cannot be judged, and if it prints something else, that is not known.
func inAnyOrder(r *reader, inv *command.Invocation) {
	first, end := mixedAmong(inv.Words)
	for i := first; i+1 < end; i++ {
		if inv.Words[i].Same(inv.Words[i+1]) {
			continue
		}
		probe := *inv
		probe.Effects, probe.Gaps, probe.Runs, probe.Output = nil, nil, nil, command.Data{}
		probe.Words = slices.Clone(inv.Words)
		probe.Words[i], probe.Words[i+1] = probe.Words[i+1], probe.Words[i]
		if r.spend() {
			return
		}
		r.lib.Read(&probe, r.world)
		if !probe.Output.Same(inv.Output) {
			inv.Output = command.Data{Taint: inv.Output.Taint | probe.Output.Taint}
		}
		if i == 0 || !sameEffects(inv, &probe) || !sameRuns(inv.Runs, probe.Runs) {
			dependsOnOrder(inv)
			return
		}
	}
}

// dependsOnOrder notes that an invocation does something that depends on the order of the elements of an associative array.
func dependsOnOrder(inv *command.Invocation) {
	gapIn(inv, "the order of the elements of an associative array counts here")
}

// sameEffects says whether two readings of an invocation with words in another order do the same.
func sameEffects(a, b *command.Invocation) bool {
	type effect struct {
		kind    tool.Kind
		target  string
		reach   tool.Reach
		pattern bool
	}
	count := make(map[effect]int)
	for _, e := range a.Effects {
		count[effect{e.Kind, e.Target, e.Reach, e.Pattern}]++
	}
	for _, e := range b.Effects {
		key := effect{e.Kind, e.Target, e.Reach, e.Pattern}
		if count[key]--; count[key] < 0 {
			return false
		}
	}
	return len(a.Effects) == len(b.Effects) && len(a.Gaps) == len(b.Gaps)
}

// sameRuns says whether two readings of an invocation run the same commands, which are given their words in another order at most.
func sameRuns(a, b []command.Nested) bool {
	same := func(x, y command.Word) bool { return x.Mixed && y.Mixed || x.Same(y) }
	text := func(x, y *command.Word) bool { return x == nil && y == nil || x != nil && y != nil && x.Same(*y) }
	return slices.EqualFunc(a, b, func(x, y command.Nested) bool {
		return slices.EqualFunc(x.Words, y.Words, same) && slices.EqualFunc(x.Args, y.Args, same) && text(x.Script, y.Script) && text(x.File, y.File) && text(x.Dir, y.Dir) &&
			slices.EqualFunc(x.Env, y.Env, func(m, n command.Assign) bool { return m.Name == n.Name && m.Value.Same(n.Value) })
	})
}

// heedsOrder says whether the order of the words of a builtin counts, and is not known.
func heedsOrder(name string, words []command.Word) bool {
	switch name {
	case ":", "set", "printf", "command", "builtin", "exec":
		return false // they do not look at them, or are judged elsewhere
	}
	first, end := mixedAmong(words)
	return end-first > 1
}

// maxOrders is how many words are taken in each of their orders.
const maxOrders = 3

// inEach runs the body of a loop for words in each order that they may come in.
func (l *eachWord) inEach(items []command.Word, states []*state) (out []*state) {
	if len(items) == 0 {
		return states
	}
	for i, item := range items {
		item.Mixed, item.At = false, 0
		next := l.forOne(item, snapshot(states))
		if len(next) > 0 && !l.r.spent {
			next = l.inEach(slices.Delete(slices.Clone(items), i, i+1), next)
		}
		out = append(out, next...)
	}
	return l.r.settle(out)
}

// inAny runs the body of a loop for words that may come in any order, until nothing new comes of it: whichever comes first, last or next.
func (l *eachWord) inAny(items []command.Word, perhaps []bool, states []*state) []*state {
	if len(items) <= maxOrders && !slices.Contains(perhaps, true) && !slices.ContainsFunc(items, func(w command.Word) bool { return !w.IsKnown() }) {
		return l.inEach(items, states)
	}
	for pass := 0; ; pass++ {
		before := snapshot(states)
		var next []*state
		for i, item := range items {
			if item.Mixed, item.At = false, 0; item.Glob || item.Reach != tool.Exact || perhaps[i] {
				l.out = append(l.out, snapshot(states)...) // perhaps not at all
			}
			next = append(next, l.forOne(item, snapshot(states))...)
			if l.r.spent {
				return next
			}
		}
		next = l.r.settle(next)
		if len(next) == 0 || pass > 0 && unchanged(before, next) {
			return next
		}
		if pass >= maxTries {
			l.r.gap("a loop in which something keeps changing", l.span)
			return next
		}
		l.out = l.r.settle(l.out)
		states = widen(before, next)
	}
}
