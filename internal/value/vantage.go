package value

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Vantage is the directory that the paths of a list are seen from, if they are printed relative to
// one; "" if they are absolute. With a slash at the end, some may be absolute. A list is remembered by
// where its paths lead from there, and the same text leads elsewhere from another directory.
type Vantage string

// within says whether o stands for all lists that v stands for.
func (v Vantage) within(o Vantage) bool {
	return v == o || strings.HasSuffix(string(o), "/") && (v == "" || v+"/" == o)
}

// join is where the paths of either of two lists are seen from, if there is one such place.
func (v Vantage) join(o Vantage) (Vantage, bool) {
	switch {
	case v.within(o):
		return o, true
	case o.within(v):
		return v, true
	case v == "":
		return o + "/", true
	case o == "":
		return v + "/", true
	}
	return "", false
}

// SeenFrom is what a value means in a directory: a path that was printed in another one leads to what is
// called so here.
func (w Word) SeenFrom(dir Word) Word {
	from := string(w.Seen)
	if from == "" || dir.Reach == tool.Exact && (dir.Text == from || dir.Text+"/" == from) {
		return w
	}
	w.Seen = ""
	if w.Glob {
		from = paths.Escape(from)
	}
	rest, ok := strings.CutPrefix(w.Text, from)
	if !ok || rest != "" && rest[0] != '/' || strings.HasSuffix(from, "/") {
		return Word{Taint: w.Taint, Span: w.Span, Split: w.Split, Hollow: w.Hollow, IfEmpty: w.IfEmpty}
	}
	if w.Text = strings.TrimPrefix(rest, "/"); w.Text == "" {
		w.Text = "."
	}
	return w
}
