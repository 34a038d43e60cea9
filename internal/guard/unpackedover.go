package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/packed"
	"longline/internal/paths"
	"longline/internal/shell"
	"longline/internal/tool"
)

// Who unpacks an archive names none of the files that come out of it. What they replace is lost, unless git has it, builds make it, or it is
// the same. Where the names in an archive are not known, it may replace any file in the directory that it is unpacked in.

// maxOver bounds the archives of a script that are looked into, maxReplaced the files that one of them replaces, and maxCompared what
// is read to see whether they are the same.
const maxOver, maxReplaced, maxCompared = 8, 2000, 8 << 20

// unpackedOver adds the loss of files that archives are unpacked over.
func unpackedOver(invs []*command.Invocation, w *tool.World) {
	if w == nil || w.Entries == nil || w.Exists == nil || w.Project == "" {
		return
	}
	looks := 0
	var seen *contents
	for i, inv := range invs {
		if inv.Remote || !replaces(inv) {
			continue
		}
		archive, packer := unpackedFrom(invs, i, w)
		for _, e := range inv.Effects[:len(inv.Effects):len(inv.Effects)] {
			dir := paths.Fixed(e.Target)
			if !e.Tree && e.Reach != tool.Under || e.Kind != tool.Write && e.Kind != tool.Create || !paths.Within(dir, w.Project) {
				continue
			}
			seen = seen.in(w)
			o := &overlay{contents: seen, before: invs[:i], archive: archive, left: maxReplaced, room: maxCompared, dirs: map[string]bool{}}
			var lost tool.Effect
			is := false
			if packer != nil {
				lost, is = o.copied(inv, packer, e, dir)
			} else {
				looks++
				lost, is = o.loss(inv, e, dir, looks <= maxOver && dir == e.Target && isWhole(e))
			}
			if is {
				lost.Kind, lost.Tree = tool.Delete, false
				inv.Effects = append(inv.Effects, lost)
				break
			}
		}
	}
}

// printedMembers adds reads of the files of secrets in archives that are printed.
func printedMembers(invs []*command.Invocation, w *tool.World) {
	looks := 0
	for i, inv := range invs {
		if inv.Unpacks&command.Prints == 0 || inv.Remote || w == nil || w.Secret == nil || w.ReadAt == nil || w.Exists == nil {
			continue
		}
		from, _ := unpackedFrom(invs, i, w)
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

// replaces says whether an invocation unpacks something over what is there, perhaps because somebody answers its question.
func replaces(inv *command.Invocation) bool {
	answered := inv.Stdin.Reach != tool.Exact || inv.Stdin.Text != ""
	return inv.Unpacks&command.Replaces != 0 || inv.Unpacks&command.Asks != 0 && answered
}

// unpackedFrom is the file that an invocation unpacks; "" if that is not known. If what it unpacks is a copy of files that the script has
// packed, or that it reads itself, this is the invocation that reads them.
func unpackedFrom(invs []*command.Invocation, i int, w *tool.World) (archive string, packer *command.Invocation) {
	inv := invs[i]
	var reads []tool.Effect
	for j := i; j >= 0 && len(reads) == 0; j-- {
		o := invs[j]
		if o != inv && !(inv.Pipeline > 0 && o.Pipeline == inv.Pipeline && o.Stage < inv.Stage) {
			continue
		}
		if o.Packs && o != inv || has(o, func(e tool.Effect) bool { return e.Kind == tool.Read && e.Tree }) {
			return "", o
		}
		if has(o, func(e tool.Effect) bool { return e.Kind == tool.Fetch }) {
			return "", nil
		}
		reads = slices.DeleteFunc(slices.Clone(o.Effects), func(e tool.Effect) bool { return e.Kind != tool.Read })
	}
	if len(reads) != 1 || !isOne(reads[0]) {
		return "", nil
	}
	if archive = reads[0].Target; (!w.Exists(archive) || w.Exists(archive+"/.")) && w.Exists(archive+".zip") {
		archive += ".zip"
	}
	for _, o := range invs[:i] {
		if has(o, func(e tool.Effect) bool { return mayPut(e, archive, w) }) {
			if o.Packs {
				return "", o
			}
			return "", nil
		}
	}
	return archive, nil
}

// has says whether one of the effects of an invocation is such.
func has(inv *command.Invocation, such func(tool.Effect) bool) bool {
	return slices.ContainsFunc(inv.Effects, such)
}

// mayPut says whether an effect puts a file there, or may do so where none is yet.
func mayPut(e tool.Effect, file string, w *tool.World) bool {
	return (e.Kind == tool.Write || e.Kind == tool.Create) && (e.Target == file || e.Reach == tool.Anywhere || !w.Exists(file) && paths.Within(file, paths.Fixed(e.Target)))
}

// overlay is what is looked at to see what an archive replaces.
type overlay struct {
	*contents
	before  []*command.Invocation
	archive string
	left    int // files that may still be looked at
	room    int // bytes that may still be compared
	dirs    map[string]bool
}

// contents says which files hold something that is nowhere else. Each is looked at once for a script.
type contents struct {
	w    *tool.World
	kept func(path string) bool
	held map[string]bool
}

// in returns what is known of files in a world.
func (c *contents) in(w *tool.World) *contents {
	if c == nil {
		c = &contents{w: w, kept: keeps(w), held: map[string]bool{}}
	}
	return c
}

// loss is a file that is lost where an archive is unpacked in a directory. It says whether one is. Into the archive it is looked only if told so.
func (o *overlay) loss(inv *command.Invocation, e tool.Effect, dir string, look bool) (lost tool.Effect, is bool) {
	if o.w.Exists(dir) {
		lost, is = o.below(tool.Effect{Kind: e.Kind, Target: dir, Reach: tool.Under, Span: e.Span})
	}
	if is && look {
		lost, is = o.named(inv, lost, dir)
	}
	if !is && slices.ContainsFunc(inv.Moves, isMoved) {
		lost = tool.Effect{Target: o.onMoved(inv, e, look), Reach: tool.Exact, Span: e.Span}
		is = lost.Target != ""
	}
	return lost, is
}

// below narrows an effect on what is below a directory down to a file that would be lost. If there are too many to look at, it may be any.
func (o *overlay) below(e tool.Effect) (one tool.Effect, is bool) {
	files, all := shell.FilesOf(o.w, e, false)
	for _, file := range files {
		if file != o.archive && o.loses(file) {
			return tool.Effect{Target: file, Reach: tool.Exact, Span: e.Span}, true
		}
	}
	return e, !all
}

// loses says whether what is in a file is nowhere else.
func (o *overlay) loses(file string) bool {
	return o.holds(file) && !slices.ContainsFunc(o.before, func(inv *command.Invocation) bool {
		return has(inv, func(e tool.Effect) bool { // it is not there any more, or somebody is asked about it
			return (e.Kind == tool.Delete || e.Manner == tool.Moved) && e.Reach == tool.Exact && !e.Pattern && paths.Within(file, e.Target)
		})
	})
}

// holds says whether something is in a file that neither git has nor a build makes.
func (c *contents) holds(file string) bool {
	is, known := c.held[file]
	if !known {
		is = !c.w.Made(file) && !c.kept(file) && command.HoldsContent(c.w, tool.Effect{Target: file, Reach: tool.Exact}, nil)
		c.held[file] = is
	}
	return is
}

// named narrows the loss of any file down to that of one which has a name in the archive. If not all names are known, it is any.
func (o *overlay) named(inv *command.Invocation, any tool.Effect, dir string) (one tool.Effect, is bool) {
	if o.archive == "" || o.w.ReadAt == nil || inv.Unpacks&command.Renamed != 0 {
		return any, true
	}
	list, whole := packed.Members(readAt(o.w, o.archive))
	for i := range list {
		m := &list[i]
		if !picks(inv, o.archive, m.Name) {
			continue
		}
		for _, name := range unpackedNames(m.Name, inv.Unpacks) {
			file := paths.Clean(dir, "./"+name)
			if !o.isThere(paths.Parent(file), dir) || !o.w.Exists(file) || o.w.Exists(file+"/.") || isLink(o.w, file) {
				continue
			}
			if o.left--; o.left < 0 {
				return any, true
			}
			if file = command.Follow(file, o.w); o.loses(file) && !o.same(m, file) {
				return tool.Effect{Target: file, Reach: tool.Exact, Span: any.Span}, true
			}
		}
	}
	return any, !whole
}

// copied is a file that is lost where what an invocation has packed is unpacked in a directory: the names are those of the files there.
func (o *overlay) copied(inv, packer *command.Invocation, e tool.Effect, dir string) (lost tool.Effect, is bool) {
	for _, from := range packer.Effects {
		top := paths.Fixed(from.Target)
		switch {
		case from.Kind != tool.Read:
			continue
		case from.Pattern:
			top = paths.Parent(top)
		case from.Reach == tool.Exact && o.w.Exists(top+"/."):
			from.Reach = tool.Under
		}
		files, all := shell.FilesOf(o.w, from, false)
		if !all || o.isChanged(top) {
			return o.below(tool.Effect{Target: dir, Reach: tool.Under, Span: e.Span})
		}
		for _, source := range files {
			for _, name := range packedNames(packer, top, source, inv.Unpacks&(command.Stripped|command.Renamed) != 0) {
				file := paths.Clean(dir, "./"+name)
				if !o.isThere(paths.Parent(file), dir) || !o.w.Exists(file) || o.w.Exists(file+"/.") {
					continue
				}
				if o.left--; o.left < 0 {
					return tool.Effect{Target: dir, Reach: tool.Under, Span: e.Span}, true
				}
				if file = command.Follow(file, o.w); file != source && o.loses(file) && !o.alike(source, file) {
					return tool.Effect{Target: file, Reach: tool.Exact, Span: e.Span}, true
				}
			}
		}
	}
	return lost, false
}

// isChanged says whether the script may have put files below a directory before.
func (o *overlay) isChanged(dir string) bool {
	return !o.w.Exists(dir) || slices.ContainsFunc(o.before, func(inv *command.Invocation) bool {
		return has(inv, func(e tool.Effect) bool {
			at := paths.Fixed(e.Target)
			return (e.Kind == tool.Write || e.Kind == tool.Create) && (e.Reach == tool.Anywhere || paths.Within(at, dir) || e.Tree && paths.Within(dir, at))
		})
	})
}

// alike says whether two files hold the same.
func (o *overlay) alike(a, b string) bool {
	if o.w.ReadFile == nil || o.room <= 0 {
		return false
	}
	one, err := o.w.ReadFile(a)
	if err != nil {
		return false
	}
	other, err := o.w.ReadFile(b)
	o.room -= len(one) + len(other)
	return err == nil && string(one) == string(other)
}

// packedNames are the names that a file may have in an archive: those that the operands give it by which it is packed.
func packedNames(packer *command.Invocation, top, file string, changed bool) (list []string) {
	inside := strings.TrimPrefix(strings.TrimPrefix(file, top), "/")
	for _, w := range packer.Operands {
		name := strings.TrimPrefix(paths.Clean("/", w.Text), "/")
		switch {
		case changed: // and lose a part of them
		case !w.IsKnown() || paths.Wild(w.Text):
		case name == "":
			return []string{inside}
		case strings.HasSuffix(top, "/"+name) || top == name:
			list = append(list, strings.TrimSuffix(name+"/"+inside, "/"))
		}
	}
	if len(list) > 0 {
		return list
	}
	for at := 0; at >= 0; { // it may be any part of its path
		i := strings.IndexByte(file[at:], '/')
		if at += i + 1; i < 0 {
			break
		}
		list = append(list, file[at:])
	}
	return list
}

// isThere says whether there is a directory below another one.
func (o *overlay) isThere(dir, top string) bool {
	is, known := o.dirs[dir]
	if !known {
		is = dir == top || paths.Within(dir, top) && o.isThere(paths.Parent(dir), top) && o.w.Exists(dir)
		o.dirs[dir] = is
	}
	return is
}

// same says whether a file holds what a member does.
func (o *overlay) same(m *packed.Member, file string) bool {
	if o.room -= m.Size(); o.room < 0 {
		return false
	}
	return m.Holds(readAt(o.w, file), maxCompared)
}

func readAt(w *tool.World, path string) packed.ReadAt {
	return func(offset int64, room []byte) (int, error) { return w.ReadAt(path, offset, room) }
}

// isLink says whether a link is at a path, which is replaced itself.
func isLink(w *tool.World, path string) bool {
	if w.Readlink == nil {
		return false
	}
	_, err := w.Readlink(path)
	return err == nil
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

// unpackedNames are the names that a member may get. Programs leave out what leads upwards.
func unpackedNames(name string, how command.Unpacking) (list []string) {
	parts := slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool { return part == "" || part == "." || part == ".." })
	for i := range parts {
		if list = append(list, strings.Join(parts[i:], "/")); how&command.Stripped == 0 {
			break
		}
	}
	return list
}
