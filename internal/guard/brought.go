package guard

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// What a script puts into a directory is not yet there when the disk is looked at. If the script takes it on from there by a pattern, a list or
// with the directory, nobody has named the files that it replaces.

// maxCarried bounds what is remembered of what a script puts somewhere, and maxHeld how often that is held against files.
const maxCarried, maxHeld = 512, 1 << 16

// brought is something that the script has put somewhere.
type brought struct {
	at    tool.Effect
	of    []string // where all of it was before; nil if that is not known
	whole bool     // it is a directory with all below it
	built bool     // code that may be a build has put it there, or it was there and was changed
}

// bring notes what an invocation puts somewhere.
func (d *displaced) bring(inv *command.Invocation) {
	if inv.Remote || len(d.brought) > maxCarried {
		return
	}
	known := inv.Into != "" && !inv.Keeps && inv.Dir.Reach == tool.Exact && onlyPuts(inv)
	var of []string
	for _, w := range inv.Words {
		if known && putsSeveral(inv, w) {
			d.bringWord(inv, w)
		} else if inv.Puts && isTaken(inv, w) && inv.Dir.Reach == tool.Exact {
			of = append(of, d.placesOf(inv, w)...)
		}
	}
	for _, e := range inv.Effects {
		switch {
		case e.Kind != tool.Write && e.Kind != tool.Create || e.Manner == tool.Moved || e.Reach == tool.Anywhere || e.Reach == tool.Prefix:
		case isOne(e):
			if e.Kind == tool.Write {
				d.brought = append(d.brought, brought{at: e, of: originOf(of, e.Target, inv.Into)})
			}
		case !known && (e.Tree || e.Pattern || e.Reach == tool.Under):
			d.brought = append(d.brought, brought{at: e, of: of, built: maybeBuilt(inv, e)})
		}
	}
}

// maybeBuilt says whether code puts something in a place that may be a build, or what is there is changed.
func maybeBuilt(inv *command.Invocation, e tool.Effect) bool {
	return e.Pattern && !e.Tree && !inv.Puts || has(inv, func(o tool.Effect) bool { return o.Kind == tool.Execute })
}

// originOf is what is put at a place under its own name, or alone.
func originOf(of []string, at, into string) []string {
	i := slices.IndexFunc(of, func(from string) bool { return path.Base(from) == path.Base(at) })
	if i < 0 && len(of) == 1 && at == into {
		i = 0
	}
	if i < 0 {
		return nil
	}
	return of[i : i+1]
}

// placesOf is what a word stands for; nothing if not all is known.
func (d *displaced) placesOf(inv *command.Invocation, w command.Word) []string {
	e := d.namedBy(inv, w)
	if w.IsKnown() {
		if path.Base(w.Text) == "." {
			e.Target += "/."
		}
		return []string{e.Target}
	}
	files, all := d.namesOf(e, true)
	if !all || len(files) > maxCarried {
		return nil
	}
	return files
}

// bringWord notes what a word stands for that is put into a directory.
func (d *displaced) bringWord(inv *command.Invocation, w command.Word) {
	e := d.namedBy(inv, w)
	if w.IsKnown() {
		to := placeOf(inv, w.Text)
		d.brought = append(d.brought, brought{at: tool.Effect{Target: to, Reach: tool.Exact}, of: []string{e.Target}, whole: true})
		if name := path.Base(w.Text); name != "." && name != ".." && to == inv.Into && !d.world.Exists(to) { // the script may have made the directory
			d.brought = append(d.brought, brought{at: tool.Effect{Target: to + "/" + name, Reach: tool.Exact}, of: []string{e.Target}, whole: true})
		}
		return
	}
	files, all := d.namesOf(e, isTree(inv, w))
	for _, file := range files {
		d.brought = append(d.brought, brought{at: tool.Effect{Target: inv.Into + "/" + path.Base(file), Reach: tool.Exact}, of: []string{file}, whole: d.world.Exists(file + "/.")})
	}
	if !all {
		d.brought = append(d.brought, brought{at: tool.Effect{Target: inv.Into, Reach: tool.Under}})
	}
}

// losesToBrought is [displaced.loses] for what the script has put where it is taken from.
func (d *displaced) losesToBrought(inv *command.Invocation, source command.Word) string {
	if len(d.brought) == 0 || !putsSeveral(inv, source) {
		return ""
	}
	if len(d.brought) > maxCarried {
		return inv.Into
	}
	e, to := asNamed(inv, source), inv.Into
	e.Tree = isTree(inv, source)
	root := rootOf(e)
	if source.IsKnown() {
		to = placeOf(inv, source.Text)
	}
	for i := range d.brought {
		b, lost := &d.brought[i], ""
		switch {
		case b.whole && paths.Within(root, b.at.Target): // a part of it
			lost = d.takes(inv, source, seenAs(e, b.at.Target, b.of[0]))
		case b.whole && !e.Tree && paths.Within(b.at.Target, root): // what is in it
			lost = d.fromWithin(inv, b, e)
		default:
			lost = d.onBrought(inv, b, e, root, to)
		}
		if lost != "" {
			return lost
		}
	}
	return ""
}

// fromWithin is a file that is lost because files somewhere in a directory that was brought are put into another one.
func (d *displaced) fromWithin(inv *command.Invocation, b *brought, e tool.Effect) string {
	files, all := d.namesOf(tool.Effect{Target: b.of[0], Reach: tool.Under}, false)
	for _, file := range files {
		if d.held++; d.held > maxHeld {
			return inv.Into
		}
		here, at := b.at.Target+file[len(b.of[0]):], inv.Into+"/"+path.Base(file)
		if (takesItself(e, here) || isBelow(e, here)) && file != at && d.isLost(inv, file, at) {
			return at
		}
	}
	if !all {
		return inv.Into
	}
	return ""
}

// onBrought is a file that is lost because something that was brought is taken on by an effect on what is below a directory to another one.
func (d *displaced) onBrought(inv *command.Invocation, b *brought, e tool.Effect, root, to string) string {
	if b.at.Reach == tool.Exact && !b.at.Pattern && (b.whole || !b.at.Tree) {
		return d.onOneBrought(inv, b, e, root, to)
	}
	within := paths.Fixed(b.at.Target)
	if !paths.Within(within, root) && (!paths.Within(root, within) || d.world.Exists(root)) || b.built && d.made(root) {
		return ""
	}
	there := tool.Effect{Target: to, Reach: tool.Under}
	if !e.Tree {
		there = tool.Effect{Target: paths.Escape(to) + "/*", Reach: tool.Exact, Pattern: true}
	}
	files, all := d.namesOf(there, false)
	for _, at := range files {
		if d.held++; d.held > maxHeld {
			return at
		}
		file := root + at[len(to):]
		if !takesItself(e, file) && !takesBelow(e, file) && !isBelow(e, file) || !b.brings(file, isBelow(e, file)) {
			continue
		}
		if from, is := d.before(b, file); is && from != at && d.isLost(inv, from, at) {
			return at
		}
	}
	if !all {
		return to
	}
	return ""
}

// onOneBrought is onBrought for a file, or a directory that is a copy of another one.
func (d *displaced) onOneBrought(inv *command.Invocation, b *brought, e tool.Effect, root, to string) string {
	file, from, at := b.at.Target, b.at.Target, ""
	if len(b.of) == 1 {
		from = b.of[0]
	}
	switch {
	case isBelow(e, file) && !e.Tree: // whatever directory it is in
		at = to + "/" + path.Base(file)
	case takesItself(e, file) || takesBelow(e, file):
		at = to + strings.TrimPrefix(file, root)
		if e.Pattern && !e.Tree {
			at = to + "/" + path.Base(file)
		}
	default:
		return ""
	}
	if d.held++; d.held > maxHeld {
		return at
	}
	if b.whole {
		return d.merged(inv, from, at)
	}
	if from != at && d.isLost(inv, from, at) {
		return at
	}
	return ""
}

// isBelow says whether a file is among those below a directory that an effect is on some of.
func isBelow(e tool.Effect, file string) bool {
	return e.Reach == tool.Under && !e.Pattern && paths.Within(file, e.Target)
}

// brings says whether a file may be among what was brought, or one of its name.
func (b *brought) brings(file string, flat bool) bool {
	name := path.Base(file)
	if flat && b.at.Pattern {
		last, sure := paths.GlobBase(b.at.Target)
		is, certain := paths.Match(last, name)
		return is || !sure || !certain
	}
	return takesItself(b.at, file) || takesBelow(b.at, file) || isBelow(b.at, file)
}

// before is what a file was before it was brought. It says whether there may have been one.
func (d *displaced) before(b *brought, file string) (from string, is bool) {
	if len(b.of) == 0 {
		return file, true
	}
	below, inside := strings.CutPrefix(file, b.at.Target+"/")
	for _, of := range b.of {
		name := path.Base(of)
		switch {
		case path.Base(file) == name && !d.world.Exists(of+"/."):
			return of, true
		case !b.at.Tree || !inside:
		case name == ".":
			from, is = strings.TrimSuffix(of, ".")+below, true
		case paths.Within("/"+below, "/"+name):
			from, is = of+below[len(name):], true
		}
		if is && d.world.Exists(from) {
			return from, true
		}
	}
	return "", b.at.Pattern && b.at.Tree // it may be in any of the directories
}
