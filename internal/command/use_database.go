package command

import (
	"slices"
	"strings"

	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/tool"
)

// sqlFile adds what SQL does to the file of a database that is no server's:
// the first operand.
func (r *reader) sqlFile(d language.Deeds) language.Deeds {
	out := language.Deeds{Problem: d.Problem}
	changes, scratch := d.Problem != "", isScratch(r)
	for _, x := range d.List {
		if x.Inside && scratch {
			changes = true
			continue
		}
		if x.Kind == tool.Control && x.Target == "database.read" {
			continue
		}
		changes = changes || x.Kind == tool.Control
		out.List = append(out.List, x)
	}
	if file, ok := r.databaseFile(); ok {
		r.pathUse(tool.Read, file, false)
		if changes {
			r.pathUse(tool.Write, file, false)
		}
	}
	return out
}

// isScratch says whether nobody misses what a database holds: it is in memory, in a directory for temporary files, or made just now.
func isScratch(r *reader) bool {
	file, ok := r.databaseFile()
	if !ok {
		return true
	}
	e := r.path(tool.Write, file)
	if !isCertain(e) {
		return false
	}
	real := Follow(e.Target, r.world)
	return !holdsSomething(r.world, e) || !paths.Within(real, r.world.Project) && slices.ContainsFunc([]string{"/tmp", "/private/tmp", "/var/tmp", "/dev/shm"}, func(dir string) bool { return paths.Within(real, dir) })
}

// databaseFile is the file that the first operand names: by itself, or as an address with
// options behind it.
func (l *commandLine) databaseFile() (file Word, ok bool) {
	if len(l.oper) == 0 || isExactly(l.oper[0], ":memory:") || isExactly(l.oper[0], "") {
		return Word{}, false
	}
	file = l.oper[0]
	text, address := strings.CutPrefix(file.Text, "file:")
	if i := strings.IndexByte(text, '?'); address && i > 0 {
		text = text[:i]
	}
	file.Text = text
	return file, true
}

// database is the address of a server in one of the forms that clients take:
// an address with a scheme, or key=value pairs. A bare name is one of the
// server that the client is set up for.
func (f *findings) database(w Word) {
	if _, after, ok := strings.Cut(w.Text, "://"); ok {
		// A password that the project's own settings name belongs there; what is read from
		// a file and becomes part of the address does not.
		f.host(tool.Fetch, Word{Text: after, Reach: w.Reach, Taint: w.Taint & FromFile, Span: w.Span})
		return
	}
	for part := range strings.FieldsSeq(w.Text) {
		if host, ok := strings.CutPrefix(part, "host="); ok {
			f.host(tool.Fetch, Word{Text: host, Reach: w.Reach, Span: w.Span})
		}
	}
}

// holdsSomething says whether a file that is emptied may hold something: it does not
// if its directory is there and the file is not.
func holdsSomething(w *tool.World, e tool.Effect) bool {
	if w.Exists == nil || !isCertain(e) {
		return true
	}
	return w.Exists(e.Target) || !w.Exists(paths.Parent(e.Target))
}
