package guard

import (
	"bytes"
	"path"
	"slices"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/shell"
	"longline/internal/tool"
)

// What is moved or copied into a directory takes the place of a file of the same name there. Who names the one file knows that; where a
// pattern or a list says what is put there, nobody has named those that are lost.

// maxPlaced bounds the words of a script for which that is looked up, and maxEqual the files that are compared.
const maxPlaced, maxEqual = 128, 32

// displaced is the look at a script for it.
type displaced struct {
	world         *tool.World
	made, kept    func(path string) bool
	words, equals int
}

// displace adds the loss of files that others take the place of so, unless git has them as they are or builds make them.
func displace(invs []*command.Invocation, call *tool.Call, w *tool.World, set *policy.Set) {
	if w == nil || w.Entries == nil || w.Exists == nil || w.Project == "" {
		return
	}
	d := displaced{world: w, made: set.Made(call, w), kept: keeps(w)}
	for _, inv := range invs {
		if inv.Into == "" || inv.Remote || inv.Dir.Reach != tool.Exact || !paths.Within(inv.Into, w.Project) || !w.Exists(inv.Into+"/.") || changesState(inv) {
			continue
		}
		for _, source := range inv.Words {
			if lost := d.loses(inv, source); lost != "" {
				inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Target: lost, Reach: tool.Exact, Span: source.Span})
				break
			}
		}
	}
}

// changesState says whether an invocation is told to do more than to put files somewhere: that knows what it replaces.
func changesState(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control })
}

// loses is a file that is lost because what a word stands for is put into the directory that an invocation puts all into; "" if none is.
func (d *displaced) loses(inv *command.Invocation, source command.Word) string {
	e := tool.Effect{Kind: tool.Read, Target: paths.Clean(inv.Dir.Text, source.Text), Reach: source.Reach, Pattern: source.Glob}
	if source.IsKnown() || !(source.Glob && source.Reach == tool.Exact || source.Reach == tool.Under && !source.Glob) || !isTaken(inv, source) {
		return ""
	}
	if d.words++; d.words > maxPlaced {
		return inv.Into // it may be anything there
	}
	files, all := shell.NamesOf(d.world, e, false)
	for _, file := range files {
		if to := inv.Into + "/" + path.Base(file); to != file && d.isLost(inv, file, to) {
			return to
		}
	}
	if !all {
		return inv.Into
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
	if !d.world.Exists(at) || d.world.Exists(at+"/.") || d.made(file) || d.made(at) || isGone(inv, at) {
		return false
	}
	return command.HoldsContent(d.world, tool.Effect{Kind: tool.Write, Target: at, Reach: tool.Exact}, nil) && !d.kept(at) && !d.isEqual(file, at)
}

// isEqual says whether two files hold the same.
func (d *displaced) isEqual(a, b string) bool {
	if d.equals++; d.world.ReadFile == nil || d.equals > maxEqual {
		return false
	}
	x, err := d.world.ReadFile(a)
	if err != nil {
		return false
	}
	y, err := d.world.ReadFile(b)
	return err == nil && bytes.Equal(x, y)
}

// isGone says whether the script has moved or deleted a file before an invocation.
func isGone(inv *command.Invocation, file string) bool {
	return slices.ContainsFunc(inv.Deleted, func(gone string) bool { return paths.Within(file, gone) }) || slices.ContainsFunc(inv.Moves, func(l command.Link) bool {
		return l.Moved && (paths.Within(file, l.To) || l.Pattern && takesItself(tool.Effect{Target: l.To, Reach: tool.Exact, Pattern: true}, file))
	})
}
