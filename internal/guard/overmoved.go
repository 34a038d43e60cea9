package guard

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/packed"
	"longline/internal/paths"
	"longline/internal/tool"
)

// What the script has moved is not yet where the disk is looked at, and it may be lost where builds put their output as well. So what is put
// on top of it there is held against what it was before.

// maxOnMoved bounds how often a place is held against what was moved.
const maxOnMoved = 1 << 18

func isMoved(l command.Link) bool { return l.Moved }

// movedFiles are the things that the script has moved before an invocation, one by one: where they are, and where they were on the disk.
func (d *displaced) movedFiles(inv *command.Invocation) (list []command.Link) {
	for _, l := range inv.Moves {
		switch {
		case !l.Moved:
		case l.Pattern:
			list = append(list, d.movedOnes(l)...)
		default:
			l.To = origin(d.world, inv.Moves, l.To)
			list = append(list, l)
		}
	}
	return list
}

// origin is where something was on the disk that may have been moved more than once.
func origin(w *tool.World, moves []command.Link, to string) string {
	return leadsTo(w, moves, to, isMoved)
}

// isLinked says whether something is another name for what is known.
func isLinked(l command.Link) bool { return !l.Moved && !l.Vague && l.To != command.Somewhere }

// isKnownAs says whether something is on the disk under another name that is known.
func isKnownAs(l command.Link) bool { return l.Moved || isLinked(l) }

// leadsTo is where something is on the disk that such links or moves lead to.
func leadsTo(w *tool.World, moves []command.Link, to string, such func(command.Link) bool) string {
	for range 8 {
		i := slices.IndexFunc(moves, func(l command.Link) bool { return such(l) && !l.Pattern && paths.Within(to, l.From) })
		if i < 0 || w.Exists(to) {
			break
		}
		to = moves[i].To + to[len(moves[i].From):]
	}
	return to
}

// movedOnes are the things that were moved by a pattern. What goes into a directory keeps its name.
func (d *displaced) movedOnes(l command.Link) []command.Link {
	key := l.From + "\x00" + l.To
	if l.Sifted {
		key += "\x00"
	}
	list, known := d.moved[key]
	if known {
		return list
	}
	var files []string
	whole := false
	if d.words++; d.words <= maxPlaced {
		files, whole = d.namesOf(tool.Effect{Target: l.To, Reach: tool.Exact, Pattern: true}, true)
	}
	for _, file := range files {
		if l.Sifted && d.sieves.LeaveOut(file) {
			continue
		}
		list = append(list, command.Link{From: paths.Clean(paths.GlobDir(l.From), "./"+path.Base(file)), To: file, Moved: true})
	}
	if !whole { // then anything in the directory may have been moved
		list = append(list, command.Link{From: paths.GlobDir(l.From), To: paths.GlobDir(l.To), Moved: true})
	}
	if d.moved == nil {
		d.moved = map[string][]command.Link{}
	}
	d.moved[key] = list
	return list
}

// losesMoved is [displaced.loses] for what the script has moved to where something else is put: it is lost by the name that it had.
func (d *displaced) losesMoved(inv *command.Invocation, source command.Word) string {
	if !putsSeveral(inv, source) {
		return ""
	}
	d.ofMoved = true
	defer func() { d.ofMoved = false }()
	moved, e := d.movedFiles(inv), d.namedBy(inv, source)
	if source.IsKnown() { // one that is no directory is named
		if !d.world.Exists(e.Target + "/.") {
			return ""
		}
		return d.onMoved(inv, moved, e.Target, placeOf(inv, source.Text))
	}
	files, _ := d.namesOf(e, isTree(inv, source))
	for _, file := range files {
		if source.Taint&command.Sifted != 0 && d.sieves.LeaveOut(file) {
			continue
		}
		if lost := d.onMoved(inv, moved, file, inv.Into+"/"+path.Base(file)); lost != "" {
			return lost
		}
	}
	return ""
}

// onMoved is a file that is lost because something is put in the place of what was moved there, or in it.
func (d *displaced) onMoved(inv *command.Invocation, moved []command.Link, from, to string) string {
	real := command.Follow(to, d.world)
	for _, l := range moved {
		if d.compared++; d.compared > maxOnMoved {
			return l.To
		}
		file, at := from, l.To
		switch {
		case paths.Within(l.From, to):
			file += l.From[len(to):]
		case paths.Within(l.From, real):
			file += l.From[len(real):]
		case paths.Within(to, l.From):
			at += to[len(l.From):]
		case paths.Within(real, l.From):
			at += real[len(l.From):]
		default:
			continue
		}
		if file == at || !d.world.Exists(file) {
			continue
		}
		if lost := d.merged(inv, file, at); lost != "" {
			return lost
		}
		if !d.world.Exists(file+"/.") && d.isLost(inv, file, at) {
			return at
		}
	}
	return ""
}

// onMoved is a file that the script has moved to where an archive is unpacked, and that is lost there, by the name that it had. If the names in
// the archive are not known, it may be any.
func (o *overlay) onMoved(inv *command.Invocation, e tool.Effect, look bool) string {
	d := displaced{world: o.w, made: o.w.Made, kept: o.kept}
	moved := slices.DeleteFunc(d.movedFiles(inv), func(l command.Link) bool {
		if !has(inv, func(e tool.Effect) bool {
			return e.Kind == tool.Read && isOne(e) && (e.Target == l.From || e.Target == l.To)
		}) {
			return false
		}
		if o.archive == "" && o.isOnlyMoved(l) { // the archive was moved itself
			o.archive = l.To
		}
		return true
	})
	if look && o.archive != "" && o.w.ReadAt != nil && inv.Unpacks&command.Renamed == 0 {
		if o.isInside(inv, e) {
			return "" // the names are seen from the directory around it
		}
		lost, whole := o.namedMoved(inv, &d, moved, e.Target)
		if lost != "" || whole {
			return lost
		}
	}
	dir := paths.Fixed(e.Target)
	real := command.Follow(dir, o.w)
	for _, l := range moved {
		near := paths.Within(l.From, real) || paths.Within(real, l.From) || paths.Within(l.From, dir) || paths.Within(dir, l.From)
		if near && (o.w.Exists(l.To+"/.") || o.holds(l.To)) {
			return l.To
		}
	}
	return ""
}

// isOnlyMoved says whether nothing but a move has put something at a path.
func (o *overlay) isOnlyMoved(l command.Link) bool {
	n := 0
	for _, inv := range o.before {
		if has(inv, func(e tool.Effect) bool { return mayPut(e, l.From, o.w) }) {
			n++
		}
	}
	return n == 1
}

// isInside says whether an effect is on a link in the directory that an archive is unpacked in, or on what that leads to.
func (o *overlay) isInside(inv *command.Invocation, e tool.Effect) bool {
	return has(inv, func(link tool.Effect) bool {
		return link.Span == e.Span && link.Tree && (link.Target == e.Target || command.Follow(link.Target, o.w) == e.Target) && has(inv, func(top tool.Effect) bool {
			return top.Span == e.Span && top.Tree && top.Target != link.Target && paths.Within(link.Target, top.Target)
		})
	})
}

// namedMoved is such a file that has a name in the archive. It says whether all names are known.
func (o *overlay) namedMoved(inv *command.Invocation, d *displaced, moved []command.Link, dir string) (lost string, whole bool) {
	list, whole := packed.Members(readAt(o.w, o.archive))
	for i := range list {
		m := &list[i]
		if strings.HasSuffix(m.Name, "/") || !picks(inv, o.archive, m.Name) {
			continue
		}
		for _, name := range unpackedNames(m.Name, inv.Unpacks) {
			file := paths.Clean(dir, "./"+name)
			real := command.Place(o.w, file)
			for _, l := range moved {
				if d.compared++; d.compared > maxOnMoved {
					return l.To, whole
				}
				at := ""
				switch {
				case paths.Within(file, l.From):
					at = l.To + file[len(l.From):]
				case paths.Within(real, l.From):
					at = l.To + real[len(l.From):]
				default:
					continue
				}
				if o.w.Exists(at) && o.holds(at) && !o.same(m, at) {
					return at, whole
				}
			}
		}
	}
	return "", whole
}

// onOneText is a file that the script has moved to where one text is put in the place of several, by the name that it had.
func (d *displaced) onOneText(inv *command.Invocation, e tool.Effect) string {
	w, made := d.world, d.made
	for _, l := range d.movedFiles(inv) {
		at := l.To
		switch {
		case e.Pattern && e.Reach == tool.Exact:
			if is, sure := paths.Match(e.Target, l.From); !is && sure {
				continue
			}
		case e.Reach == tool.Under && paths.Within(l.From, e.Target):
		case e.Reach == tool.Under && paths.Within(e.Target, l.From):
			at += e.Target[len(l.From):]
		default:
			continue
		}
		if w.Exists(at) && command.HoldsContent(w, tool.Effect{Target: at, Reach: tool.Exact}, nil) && !made(at) && !d.kept(at) {
			return at
		}
	}
	return ""
}
