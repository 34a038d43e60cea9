package command

import (
	"io"
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Whoever puts nothing in the place of what a file holds deletes it, in whatever way: the file gets what a program reads, and that is
// empty, or the program changes the file by code that prints nothing. What a redirection empties, the reader of the shell knows.

// fill is a file that gets what the program reads, and nothing else. With the argument "last" it does so when all is read, and with
// "archive" the file gets more than that.
func fill(r *reader, way string, w Word) {
	switch way {
	case "":
		r.scope.fills = append(r.scope.fills, w)
		r.inv.Fills = append(r.inv.Fills, w.Span)
	case "archive":
		r.inv.Fills = append(r.inv.Fills, w.Span)
	default:
		r.scope.fills = append(r.scope.fills, w)
		r.inv.Filled = append(r.inv.Filled, w.Span)
	}
}

// cut is the size that the files get which the program writes. What is longer loses what lies behind; with a sign in front the size is
// another one, or that of a longer file.
func cut(r *reader, _ string, w Word) {
	if n, known := bytesOf(w); known && n > 0 && isDigit(w.Text[0]) {
		r.scope.cut = &n
	}
}

// isLonger says whether a file may be longer than a size.
func isLonger(w *tool.World, e tool.Effect, size float64) bool {
	if !isCertain(e) || w.ReadAt == nil || w.Exists == nil {
		return true
	}
	var room [1]byte
	n, _ := w.ReadAt(e.Target, int64(size), room[:])
	return n > 0
}

// erased adds what is lost where nothing is written.
func erased(r *reader) {
	r.inv.Replaces = r.inv.Replaces && !slices.ContainsFunc(r.given, keepsCopy)
	if size := r.scope.cut; size != nil {
		for _, e := range r.inv.Effects[:len(r.inv.Effects):len(r.inv.Effects)] {
			if e.Kind == tool.Write && (holdsMoved(r.world, e, r.inv.Moves, false) || isLonger(r.world, e, *size)) {
				e.Kind, e.Manner = tool.Delete, tool.Cleared
				r.effect(e)
			}
		}
	}
	if !r.scope.erases && len(r.scope.fills) == 0 || slices.ContainsFunc(r.given, keepsCopy) {
		return
	}
	nothing := len(r.scope.fills) > 0 && readsNothing(r)
	for _, e := range r.inv.Effects[:len(r.inv.Effects):len(r.inv.Effects)] {
		if e.Kind != tool.Write || !HoldsContent(r.world, e, r.inv.Moves) {
			continue
		}
		filled := nothing && slices.ContainsFunc(r.scope.fills, func(w Word) bool { return w.Span == e.Span })
		if filled || r.scope.erases && slices.ContainsFunc(r.inv.Effects, func(o tool.Effect) bool { return o.Kind == tool.Read && o.Target == e.Target && o.Span == e.Span }) {
			e.Kind, e.Manner, e.Put = tool.Delete, tool.Cleared, false
			r.effect(e)
		}
	}
}

// keepsCopy says whether a flag has the program keep a copy of what it changes.
func keepsCopy(g flagUse) bool {
	return g.flag != nil && g.flag.has("suffix") && len(g.values) > 0 && !isExactly(g.values[0], "")
}

// readsNothing says whether all that a program reads is known to be empty: the files that it is given or, if there are none, its
// standard input, of which empty lines are nothing either.
func readsNothing(r *reader) bool {
	named := false
	for _, e := range r.inv.Effects {
		if e.Kind == tool.Read {
			if named = true; !r.inv.IsBlank(r.world, e) {
				return false
			}
		}
	}
	isNull := func(w Word) bool {
		return isExactly(w, "/dev/null") && !slices.ContainsFunc(r.scope.fills, func(f Word) bool { return isSame(f, w) })
	}
	named = named || slices.ContainsFunc(r.oper, isNull) || slices.ContainsFunc(r.given, func(g flagUse) bool { return slices.ContainsFunc(g.values, isNull) })
	in := r.inv.Stdin
	return named || !r.scope.volume.device && !in.None && in.Reach == tool.Exact && strings.Trim(in.Text, "\n") == ""
}

// isEmptyFile says whether there is a file that holds nothing.
func isEmptyFile(w *tool.World, e tool.Effect) bool {
	if !isCertain(e) || w.ReadAt == nil {
		return false
	}
	var room [1]byte
	n, err := w.ReadAt(e.Target, 0, room[:])
	return n == 0 && err == io.EOF
}

// IsBlank says whether a file that is read holds nothing: on the disk, or because the script has just made it.
func (inv *Invocation) IsBlank(w *tool.World, e tool.Effect) bool {
	if isCertain(e) || e.Reach == tool.Under && e.Target == Temporary {
		if slices.Contains(inv.Blank, e.Target) {
			return true
		}
	}
	return isEmptyFile(w, e)
}

// HoldsContent says whether there may be something in a file: on the disk, or because another one that holds something was moved
// there, or a link to it was made.
func HoldsContent(w *tool.World, e tool.Effect, moves []Link) bool {
	return HoldsSomething(w, e) && !isEmptyFile(w, e) || holdsMoved(w, e, moves, false)
}

// holdsMoved says whether something that holds anything was moved to a path, by whichever name, or a link to it was made if these count.
func holdsMoved(w *tool.World, e tool.Effect, moves []Link, onlyMoved bool) bool {
	if len(moves) == 0 || !isCertain(e) {
		return false
	}
	real := Place(w, e.Target)
	return slices.ContainsFunc(moves, func(l Link) bool {
		if onlyMoved && !l.Moved {
			return false
		}
		was := tool.Effect{Target: l.To, Reach: tool.Exact}
		if l.Pattern {
			is, sure := paths.Match(l.From, e.Target)
			if other, known := paths.Match(l.From, real); !is && sure && !other && known || isUnmoved(w, l, e.Target, moves) {
				return false
			}
			if was.Pattern = paths.Wild(l.To); !was.Pattern {
				was.Target = paths.Unescape(l.To)
			}
		} else if l.From != e.Target && l.From != real {
			return false
		}
		return HoldsContent(w, was, nil)
	})
}

// isUnmoved says whether something was surely not moved with the files of a pattern: they keep their names, and none had that one.
func isUnmoved(w *tool.World, l Link, at string, moves []Link) bool {
	if w.Exists == nil || !l.Moved || path.Base(l.From) != path.Base(l.To) || paths.GlobDir(l.To) != path.Dir(l.To) {
		return false
	}
	was := path.Dir(l.To) + "/" + path.Base(at)
	return !w.Exists(was) && !slices.ContainsFunc(moves, func(o Link) bool {
		is, sure := o.From == was, true
		if o.Pattern {
			is, sure = paths.Match(o.From, was)
		}
		return is || !sure
	})
}

// HoldsSomething says whether a file that is emptied may hold something: it does not
// if its directory is there and the file is not.
func HoldsSomething(w *tool.World, e tool.Effect) bool {
	if w.Exists == nil || !isCertain(e) {
		return true
	}
	return w.Exists(e.Target) || !w.Exists(paths.Parent(e.Target))
}
