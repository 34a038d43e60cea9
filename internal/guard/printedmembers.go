package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/packed"
	"longline/internal/paths"
	"longline/internal/tool"
)

// maxOver bounds the archives of a script that are looked into.
const maxOver = 8

// printedMembers adds reads of the files of secrets in archives that are printed.
func printedMembers(invs []*command.Invocation, w *tool.World) {
	looks := 0
	for i, inv := range invs {
		if inv.Unpacks&command.Prints == 0 || inv.Remote || w == nil || w.Secret == nil || w.ReadAt == nil || w.Exists == nil {
			continue
		}
		from := unpackedFrom(invs, i, w)
		archives := []string{from}
		for _, e := range inv.Effects { // some are what is printed of it
			if from == "" && e.Kind == tool.Read && isOne(e) {
				archives = append(archives, e.Target)
			}
		}
		for _, archive := range archives {
			if looks++; looks <= maxOver {
				inv.Effects = append(inv.Effects, secretsIn(inv, archive, w)...)
			}
		}
	}
}

// secretsIn is the read of a file of secrets in an archive that an invocation prints, if there is one.
func secretsIn(inv *command.Invocation, archive string, w *tool.World) []tool.Effect {
	list, _ := packed.Members(readAt(w, archive))
	for i := range list {
		name := list[i].Name
		e := tool.Effect{Kind: tool.Read, Target: paths.Clean(inv.Dir.Text, "./"+name), Reach: tool.Exact, Span: inv.Span}
		if !strings.HasSuffix(name, "/") && picks(inv, archive, name) && w.Secret(e) {
			return []tool.Effect{e}
		}
	}
	return nil
}

// unpackedFrom is the file that an invocation unpacks; "" if that is not known, or the script may have made it.
func unpackedFrom(invs []*command.Invocation, i int, w *tool.World) (archive string) {
	inv := invs[i]
	var reads []tool.Effect
	for j := i; j >= 0 && len(reads) == 0; j-- {
		o := invs[j]
		if o != inv && !(inv.Pipeline > 0 && o.Pipeline == inv.Pipeline && o.Stage < inv.Stage) {
			continue
		}
		if o.Packs && o != inv || has(o, func(e tool.Effect) bool { return e.Kind == tool.Fetch || e.Kind == tool.Read && e.Tree }) {
			return ""
		}
		reads = slices.DeleteFunc(slices.Clone(o.Effects), func(e tool.Effect) bool { return e.Kind != tool.Read })
	}
	if len(reads) != 1 || !isOne(reads[0]) {
		return ""
	}
	if archive = reads[0].Target; (!w.Exists(archive) || w.Exists(archive+"/.")) && w.Exists(archive+".zip") {
		archive += ".zip"
	}
	for _, o := range invs[:i] {
		if has(o, func(e tool.Effect) bool { return mayPut(e, archive, w) }) {
			return ""
		}
	}
	return archive
}

// isOne says whether an effect is on one file.
func isOne(e tool.Effect) bool { return e.Reach == tool.Exact && !e.Pattern && !e.Tree }

// has says whether one of the effects of an invocation is such.
func has(inv *command.Invocation, such func(tool.Effect) bool) bool {
	return slices.ContainsFunc(inv.Effects, such)
}

// mayPut says whether an effect puts a file there, or may do so where none is yet.
func mayPut(e tool.Effect, file string, w *tool.World) bool {
	return (e.Kind == tool.Write || e.Kind == tool.Create) && (e.Target == file || e.Reach == tool.Anywhere || !w.Exists(file) && paths.Within(file, paths.Fixed(e.Target)))
}

func readAt(w *tool.World, path string) packed.ReadAt {
	return func(offset int64, room []byte) (int, error) { return w.ReadAt(path, offset, room) }
}

// picks says whether an invocation unpacks a member: all of them, or those that its operands name.
func picks(inv *command.Invocation, archive, member string) bool {
	if inv.Unpacks&command.Whole != 0 {
		return true
	}
	named := false
	for _, w := range inv.Operands {
		file := paths.Clean(inv.Dir.Text, w.Text)
		switch {
		case !w.IsKnown():
			return true
		case paths.Wild(w.Text):
			if strings.HasSuffix(member, paths.FixedEnd(w.Text)) { // whatever comes before
				return true
			}
		case file == archive || file+".zip" == archive:
			continue
		case paths.Within(paths.Clean("/", member), paths.Clean("/", w.Text)):
			return true
		}
		named = true
	}
	return !named
}
