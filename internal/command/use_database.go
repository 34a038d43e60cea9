package command

import (
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
)

// sqlFile adds what SQL does to the file of a database that is no server's:
// the first operand.
func (r *reader) sqlFile(d language.Deeds) language.Deeds {
	out := language.Deeds{Problem: d.Problem}
	changes := d.Problem != ""
	for _, x := range d.List {
		if x.Kind == tool.Control && x.Target == "database.read" {
			continue
		}
		changes = changes || x.Kind == tool.Control
		out.List = append(out.List, x)
	}
	if len(r.oper) == 0 || r.oper[0].IsKnown() && (r.oper[0].Text == ":memory:" || r.oper[0].Text == "") {
		return out
	}
	file := r.oper[0]
	file.Text = strings.TrimPrefix(file.Text, "file:")
	if i := strings.IndexByte(file.Text, '?'); i > 0 && file.Text != r.oper[0].Text {
		file.Text = file.Text[:i]
	}
	r.pathUse(tool.Read, file, false)
	if changes {
		r.pathUse(tool.Write, file, false)
	}
	return out
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
