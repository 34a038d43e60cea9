package guard

import (
	"path"
	"slices"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/shell"
	"longline/internal/tool"
)

// maxBuried bounds what one call is remembered to have moved: it is more than a journal holds, which then says that there was too much.
// maxTogether bounds what it is remembered for one by one of one directory.
// maxAsked bounds the places that are judged: of more, all that is moved is taken for work that anybody may delete now.
const maxBuried, maxTogether, maxAsked = 80, 4, 72

// buries is what a call moves from where a question comes before deletion to where none does: work that is moved
// into the output of a build.
func (g *Guard) buries(call *tool.Call, moved []shell.Move, w *tool.World) (list []tool.Buried) {
	if w == nil || len(moved) == 0 {
		return nil
	}
	type place struct {
		path    string
		pattern bool
	}
	known, left := map[place]bool{}, maxAsked // what is moved on is judged once
	asks := func(path string, pattern, unless bool) bool {
		at := place{path, pattern}
		asks, ok := known[at]
		switch {
		case ok:
			return asks
		case left <= 0 || pattern && g.Policy.Weary():
			return unless
		}
		if left--; pattern { // which takes longer to judge
			left -= 2
		}
		known[at] = g.asksToDelete(call, path, pattern, w)
		return known[at]
	}
	for _, m := range together(moved) {
		if len(list) == maxBuried {
			break
		}
		for _, one := range append(before(call.Past, m), tool.Buried{At: m.From, From: m.To, Pattern: m.Pattern}) {
			if wasThere(m, w) && !slices.Contains(list, one) && asks(one.From, one.Pattern, true) && !asks(one.At, one.Pattern, false) {
				list = append(list, one)
			}
		}
	}
	return list
}

// together makes one of the moves of many files, or of what many patterns stand for, from one directory into another.
func together(moved []shell.Move) (list []shell.Move) {
	type pair struct{ from, to string }
	count := map[pair]int{}
	for _, m := range moved {
		from, to := m.From, m.To
		if !m.Pattern {
			from, to = paths.Escape(from), paths.Escape(to)
		}
		at := pair{paths.Parent(from), paths.Parent(to)}
		had, weight := count[at], 1
		if m.Pattern { // which takes longer to judge
			weight = 2
		}
		if count[at] += weight; had > maxTogether {
			continue
		}
		if count[at] > maxTogether {
			m.From, m.To, m.Pattern = at.from+"/*", at.to+"/*", true
		}
		list = append(list, m)
	}
	return list
}

// before is what earlier calls have moved to a place that is moved on now.
func before(past *tool.Past, m shell.Move) (list []tool.Buried) {
	if past == nil {
		return nil
	}
	for _, one := range past.Moved {
		from, to := m.From, m.To
		if m.Pattern { // one of several, which keeps its name
			if is, sure := paths.Match(to, one.At); is || !sure {
				list = append(list, tool.Buried{At: paths.Clean(paths.GlobDir(from), path.Base(one.At)), From: one.From, Pattern: one.Pattern})
			}
			continue
		}
		if one.Pattern {
			from, to = paths.Escape(from), paths.Escape(to)
		}
		if paths.Within(one.At, to) {
			list = append(list, tool.Buried{At: from + one.At[len(to):], From: one.From, Pattern: one.Pattern})
		}
	}
	return list
}

// wasThere says whether something is moved that was there before the call: it still is, or, if the call has run,
// is where it was moved to.
func wasThere(m shell.Move, w *tool.World) bool {
	return isThere(m.To, m.Pattern, w) || !m.Made && isThere(m.From, m.Pattern, w)
}

// isThere says whether something is at a path, or matches a pattern in its directory, as far as the disk can be asked.
func isThere(path string, pattern bool, w *tool.World) bool {
	if !pattern {
		return w.Exists == nil || w.Exists(path)
	}
	if w.Entries == nil {
		return true
	}
	dir := paths.Clean("/", paths.GlobDir(path))
	list, whole := w.Entries(dir)
	return !whole || slices.ContainsFunc(list, func(e tool.Entry) bool {
		is, sure := paths.Match(path, paths.Clean(dir, e.Name))
		return is || !sure
	})
}

// asksToDelete says whether a question comes before something is deleted.
func (g *Guard) asksToDelete(call *tool.Call, path string, pattern bool, w *tool.World) bool {
	return g.asks(call, tool.Effect{Kind: tool.Delete, Target: path, Reach: tool.Exact, Pattern: pattern, Tree: true}, w)
}

// asks says whether the policy asks about an effect, whoever has it.
func (g *Guard) asks(call *tool.Call, e tool.Effect, w *tool.World) bool {
	inv := &command.Invocation{Effects: []tool.Effect{e}}
	return g.Policy.Judge(&tool.Call{Dir: call.Dir, Attended: true}, []*command.Invocation{inv}, nil, w).Decision >= tool.Ask
}

// unearth has commands that delete what earlier calls have moved delete it where it was.
func (g *Guard) unearth(call *tool.Call, invs []*command.Invocation, w *tool.World) {
	past := call.Past
	if past == nil || len(past.Moved) == 0 && !past.MovedMore || !slices.ContainsFunc(invs, deletes) {
		return
	}
	moved := slices.DeleteFunc(slices.Clone(past.Moved), func(m tool.Buried) bool {
		return w.Exists != nil && w.Exists(paths.Parent(paths.GlobRoot(m.At))) && !isThere(m.At, m.Pattern, w)
	})
	for _, inv := range invs {
		if inv.Remote || !deletes(inv) {
			continue
		}
		for _, e := range slices.Clone(inv.Effects) {
			inv.Effects = append(inv.Effects, behind(w, moved, inv, e)...)
			if e.Kind == tool.Delete && e.Reach != tool.Anywhere {
				if real := shell.RealPlace(w, inv, e); real.Target != e.Target {
					inv.Effects = append(inv.Effects, behind(w, moved, inv, real)...)
				}
			}
			if past.MovedMore && e.Kind == tool.Delete && (e.Tree || e.Pattern) {
				inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Reach: tool.Anywhere, Span: e.Span})
			}
		}
	}
}

// behind is what an effect deletes of what was moved.
func behind(w *tool.World, moved []tool.Buried, inv *command.Invocation, e tool.Effect) (list []tool.Effect) {
	for _, m := range moved {
		file := w.Exists != nil && w.Exists(m.At) && !w.Exists(m.At+"/.")
		if there, ok := shell.Behind(command.Link{From: m.At, To: m.From, Pattern: m.Pattern, Moved: true, File: file}, e); ok && !slices.Contains(inv.Effects, there) {
			list = append(list, there)
		}
	}
	return list
}
