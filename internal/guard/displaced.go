package guard

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/shell"
	"longline/internal/tool"
)

// What is moved or copied into a directory takes the place of a file of the same name there. Who names the one file knows that; where a
// pattern or a list says what is put there, or a directory with all below it, nobody has named those that are lost.

// maxPlaced bounds the words of a script for which that is looked up, maxMerged the directories that are held against those that they are
// copied into, maxDeep how deep these may lie, maxMet the files that meet others there, and maxEqual those that are compared.
const maxPlaced, maxMerged, maxDeep, maxMet, maxEqual = 128, 256, 64, 2048, 512

// displaced is the look at a script for it.
type displaced struct {
	world         *tool.World
	made, kept    func(path string) bool
	words, merges int
	met           int
	moved         map[string][]command.Link // what the script has moved by patterns, one by one
	named         map[namedAs]onDisk
	compared      int  // places that were held against that
	ofMoved       bool // what is looked at was moved to where it may be lost
	equals, read  int  // files and bytes that were compared
	brought       []brought
	sieves        command.Sieves // what is left out of lists
	held          int            // how often that was held against files
}

// displace adds the loss of files that others take the place of so, unless git has them as they are or builds make them.
func displace(invs []*command.Invocation, call *tool.Call, w *tool.World, set *policy.Set) {
	if w == nil || w.Entries == nil || w.Exists == nil || w.Project == "" {
		return
	}
	d := displaced{world: w, made: set.Made(call, w), kept: keeps(w)}
	d.sieves.Look(invs)
	var before *command.Invocation
	for i, inv := range invs {
		if i > 0 {
			d.bring(invs[i-1])
		}
		if (inv.Puts || len(inv.Becomes)+len(inv.Beside) > 0) && !inv.Remote {
			lost := ""
			if onlyPuts(inv) {
				lost = d.renamed(inv, before)
			}
			if lost == "" {
				lost = d.putBeside(inv)
			}
			if inv.Puts && onlyPuts(inv) {
				before = inv
			}
			if lost != "" {
				inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Target: lost, Reach: tool.Exact, Span: inv.Span})
				continue
			}
		}
		if inv.Into == "" || inv.Remote || inv.Dir.Reach != tool.Exact || !onlyPuts(inv) {
			continue
		}
		if lost, source := d.putInto(inv); lost != "" {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Target: lost, Reach: tool.Exact, Span: source.Span})
		}
	}
}

// putInto is a file that is lost because an invocation puts something into a directory, and what that is.
func (d *displaced) putInto(inv *command.Invocation) (lost string, by command.Word) {
	if real := leadsTo(d.world, inv.Moves, inv.Into, isLinked); real != inv.Into {
		elsewhere := *inv
		elsewhere.Into = real
		inv = &elsewhere
	}
	there := paths.Within(inv.Into, d.world.Project) && d.world.Exists(inv.Into+"/.")
	for _, source := range inv.Words {
		if there {
			if lost = d.loses(inv, source); lost == "" && !inv.Keeps {
				lost = d.losesToBrought(inv, source)
			}
		}
		if lost == "" && !inv.Keeps && slices.ContainsFunc(inv.Moves, isMoved) {
			lost = d.losesMoved(inv, source)
		}
		if lost != "" {
			return lost, source
		}
	}
	return "", by
}

// renamed is a file that is lost because another one gets its name, where the script makes that of other names, or counts: a loop that moves
// one to the name of the next moves that on, and not what was there. It is given what puts something somewhere before.
func (d *displaced) renamed(inv, before *command.Invocation) string {
	for _, l := range inv.Becomes {
		if lost := d.becomes(inv, l); lost != "" {
			return lost
		}
	}
	if inv.Puts && before != nil && before.Span == inv.Span && len(inv.Moves) > len(before.Moves) && len(inv.Operands) == 2 && len(before.Operands) == 2 && inv.Operands[0].IsKnown() && inv.Operands[0].Text == before.Operands[1].Text {
		from := paths.Clean(inv.Dir.Text, inv.Operands[0].Text)
		if paths.Within(from, d.world.Project) && d.isLost(before, paths.Clean(inv.Dir.Text, before.Operands[0].Text), from) {
			return from
		}
	}
	return ""
}

// putBeside is a file that is lost because another one gets its name, which is that of a third with an ending more.
func (d *displaced) putBeside(inv *command.Invocation) string {
	for _, b := range inv.Beside {
		e := b.Of
		if e.Reach != tool.Exact && e.Reach != tool.Under || !paths.Within(rootOf(e), d.world.Project) {
			continue
		}
		files, all := []string{e.Target}, true
		if isWhole(e) {
			e.Reach = tool.Under
		}
		if e.Pattern || e.Reach == tool.Under {
			files, all = d.namesOf(e, false)
		}
		for _, file := range files {
			if at := file + b.Ending; d.isLost(inv, file, at) {
				return at
			}
		}
		if !all {
			return rootOf(e)
		}
	}
	return ""
}

// onlyPuts says whether an invocation writes files, and is not told to do more than to put them somewhere: that knows what it replaces.
func onlyPuts(inv *command.Invocation) (writes bool) {
	for _, e := range inv.Effects {
		if e.Kind == tool.Control {
			return false
		}
		writes = writes || e.Kind == tool.Write
	}
	return writes
}

// putsSeveral says whether an invocation puts what a word stands for somewhere, and that is a directory with all below it, or more than one.
func putsSeveral(inv *command.Invocation, source command.Word) bool {
	if source.IsKnown() {
		return isTree(inv, source) && isTaken(inv, source)
	}
	return (source.Glob && source.Reach == tool.Exact || source.Reach == tool.Under && !source.Glob) && isTaken(inv, source)
}

// namedBy is what a word names, where that is on the disk.
func (d *displaced) namedBy(inv *command.Invocation, source command.Word) tool.Effect {
	e := asNamed(inv, source)
	if len(inv.Moves)+len(d.brought) == 0 {
		return e
	}
	dir := rootOf(e)
	real := leadsTo(d.world, inv.Moves, dir, isKnownAs)
	for i := len(d.brought) - 1; i >= 0 && !d.world.Exists(real); i-- { // or what it is a copy of
		if b := &d.brought[i]; b.whole && paths.Within(real, b.at.Target) {
			real = b.of[0] + real[len(b.at.Target):]
		}
	}
	return seenAs(e, dir, real)
}

// asNamed is what a word names.
func asNamed(inv *command.Invocation, source command.Word) tool.Effect {
	return tool.Effect{Kind: tool.Read, Target: paths.Clean(inv.Dir.Text, source.Text), Reach: source.Reach, Pattern: source.Glob}
}

// seenAs is an effect on what is in a directory, or on that itself, by another name of that.
func seenAs(e tool.Effect, dir, real string) tool.Effect {
	if !e.Pattern {
		e.Target = real + strings.TrimPrefix(e.Target, dir)
	} else if rest, is := strings.CutPrefix(e.Target, paths.Escape(dir)+"/"); is {
		e.Target = paths.Escape(real) + "/" + rest
	}
	return e
}

// rootOf is the directory below which all lies that an effect is on.
func rootOf(e tool.Effect) string {
	if e.Pattern {
		return paths.Fixed(paths.GlobDir(e.Target))
	}
	return e.Target
}

// loses is a file that is lost because what a word stands for is put into the directory that an invocation puts all into; "" if none is.
func (d *displaced) loses(inv *command.Invocation, source command.Word) string {
	if !putsSeveral(inv, source) {
		return ""
	}
	if d.words++; d.words > maxPlaced {
		return inv.Into // it may be anything there
	}
	return d.takes(inv, source, d.namedBy(inv, source))
}

// takes is loses for what a word names.
func (d *displaced) takes(inv *command.Invocation, source command.Word, e tool.Effect) string {
	if source.IsKnown() { // one that is no directory is named
		to := placeOf(inv, source.Text)
		if inv.Keeps {
			to = keptAt(inv, source, e.Target)
		}
		return d.merged(inv, e.Target, to)
	}
	files, all := d.namesOf(e, isTree(inv, source))
	for _, file := range files {
		to := inv.Into + "/" + path.Base(file)
		if inv.Keeps {
			to = keptAt(inv, source, file)
		}
		if lost := d.merged(inv, file, to); lost != "" {
			return lost
		}
		if to != file && d.isLost(inv, file, to) {
			return to
		}
	}
	if !all {
		return inv.Into
	}
	return ""
}

// namedAs is what is looked for on the disk, with directories or without, and onDisk what there is.
type namedAs struct {
	path  string
	reach tool.Reach
	glob  bool
	dirs  bool
}

type onDisk struct {
	files []string
	all   bool
}

// namesOf is [shell.NamesOf], which looks once for each.
func (d *displaced) namesOf(e tool.Effect, dirs bool) (files []string, all bool) {
	key := namedAs{e.Target, e.Reach, e.Pattern, dirs}
	have, known := d.named[key]
	if !known {
		have.files, have.all = shell.NamesOf(d.world, e, dirs)
		if d.named == nil {
			d.named = map[namedAs]onDisk{}
		}
		d.named[key] = have
	}
	return have.files, have.all
}

// isTree says whether an invocation copies what a word stands for with all below it. What is moved goes to where no directory is.
func isTree(inv *command.Invocation, w command.Word) bool {
	return has(inv, func(e tool.Effect) bool {
		return e.Span == w.Span && e.Kind == tool.Read && e.Tree && e.Manner != tool.Moved
	})
}

// placeOf is where an invocation puts the directory that a word names: in another one, or all of it in the place of that.
func placeOf(inv *command.Invocation, source string) string {
	name := path.Base(source)
	to, here, there := inv.Into+"/"+name, false, false
	for _, e := range inv.Effects {
		if e.Kind == tool.Write && isWhole(e) {
			here, there = here || e.Target == inv.Into, there || e.Target == to
		}
	}
	if name == "." || name == ".." || here && (there || strings.HasSuffix(source, "/")) {
		return inv.Into
	}
	return to
}

// keptAt is where an invocation puts a file that a word stands for if that keeps all of its path.
func keptAt(inv *command.Invocation, source command.Word, file string) string {
	if !strings.HasPrefix(source.Text, "/") {
		file = strings.TrimPrefix(file, strings.TrimSuffix(inv.Dir.Text, "/"))
	}
	return paths.Clean(inv.Into, "./"+file)
}

// merged is a file that is lost because a directory is copied into another one; "" if none is.
func (d *displaced) merged(inv *command.Invocation, from, to string) string {
	if from == to || !d.world.Exists(from+"/.") || !d.world.Exists(to+"/.") || d.made(to) {
		return ""
	}
	list, whole := d.world.Entries(from)
	there, all := d.world.Entries(to)
	if d.merges++; !whole || !all || d.merges > maxMerged || strings.Count(to, "/") > maxDeep {
		return to
	}
	names := make(map[string]bool, len(there))
	for _, e := range there {
		names[e.Name] = true
	}
	for _, e := range list {
		if !names[e.Name] || e.Name == ".git" || slices.ContainsFunc(inv.LeftOut, func(pattern string) bool { is, _ := paths.Match(pattern, e.Name); return is }) {
			continue
		}
		file, at := from+"/"+e.Name, to+"/"+e.Name
		if e.Dir {
			if lost := d.merged(inv, file, at); lost != "" {
				return lost
			}
		} else if d.isLost(inv, file, at) {
			return at
		}
	}
	return ""
}

// isTaken says whether a word names what an invocation copies or moves.
func isTaken(inv *command.Invocation, w command.Word) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Span == w.Span && (e.Kind == tool.Read || e.Manner == tool.Moved)
	})
}

// isLost says whether what a file holds is lost if another one is put in its place.
func (d *displaced) isLost(inv *command.Invocation, file, at string) bool {
	if !d.world.Exists(at) || d.world.Exists(at+"/.") {
		return false
	}
	if d.met++; d.met > maxMet {
		return true // for all that is known
	}
	if d.made(at) || !d.ofMoved && isGone(inv, at) {
		return false
	}
	return command.HoldsContent(d.world, tool.Effect{Kind: tool.Write, Target: at, Reach: tool.Exact}, nil) && !d.kept(at) && !d.isEqual(file, at)
}

// isEqual says whether two files hold the same.
func (d *displaced) isEqual(a, b string) bool {
	if d.equals++; d.world.ReadFile == nil || d.equals > maxEqual || d.read > maxCompared {
		return false
	}
	x, err := d.world.ReadFile(a)
	if err != nil {
		return false
	}
	y, err := d.world.ReadFile(b)
	d.read += len(x) + len(y)
	return err == nil && bytes.Equal(x, y)
}

// isGone says whether the script has moved or deleted a file before an invocation.
func isGone(inv *command.Invocation, file string) bool {
	return slices.ContainsFunc(inv.Deleted, func(gone string) bool { return paths.Within(file, gone) }) || slices.ContainsFunc(inv.Moves, func(l command.Link) bool {
		return l.Moved && (paths.Within(file, l.To) || l.Pattern && takesItself(tool.Effect{Target: l.To, Reach: tool.Exact, Pattern: true}, file))
	})
}
