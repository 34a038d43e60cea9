package command

import (
	"path"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// member is the name, or a pattern of names, of what an archive holds and is printed:
// who asks for ".env" by its name reads it, wherever it is kept.
func (d *deeds) member(w Word) {
	if w.IsKnown() && paths.Wild(w.Text) {
		w.Text, w.Glob = "./**/"+strings.TrimLeft(w.Text, "/*"), true
		if strings.Trim(w.Text, "./*") == "" {
			return // everything, as it comes
		}
	}
	d.effect(d.path(tool.Read, w))
}

// typeGlob is "NAME:GLOB" as programs that search define a kind of file, or
// "NAME:is:FILE", "NAME:ext:A,B" and "NAME:match:EXPRESSION".
func (d *deeds) typeGlob(w Word) {
	if w.Reach != tool.Exact {
		d.includes(Word{Text: ".*", Reach: tool.Exact, Span: w.Span})
		return
	}
	_, rest, ok := strings.Cut(w.Text, ":")
	if !ok {
		return
	}
	kind, value, _ := strings.Cut(rest, ":")
	switch kind {
	case "is":
		d.includes(Known(value, w.Span))
	case "ext":
		for ext := range strings.SplitSeq(value, ",") {
			d.includes(Known("*."+ext, w.Span))
		}
	case "match":
		d.includesLike(Known(strings.Trim(value, "/"), w.Span))
	case "include": // other kinds
	default:
		d.includes(Known(rest, w.Span))
	}
}

// includesLike is a regular expression of the names that a search reads.
func (d *deeds) includesLike(w Word) {
	if !w.IsKnown() {
		d.includes(Word{Text: ".*", Reach: tool.Exact, Span: w.Span})
		return
	}
	for _, name := range namesLike(w.Text) {
		d.includes(Known(path.Base(name), w.Span))
	}
}

// page is an address, or a file: programs that show pages open what is there under the
// name, and take the name for a host if nothing is.
func (r *reader) page(of string, w Word) {
	if port, ok := strings.CutPrefix(w.Text, "tcp:"); ok && w.IsKnown() {
		at := Known(port, w.Span)
		if isNumber(port) {
			at.Text = "localhost"
		}
		r.host(tool.Fetch, at)
		return
	}
	if !strings.Contains(w.Text, "://") && (w.Reach != tool.Exact || !strings.HasPrefix(strings.ToLower(w.Text), "file:")) {
		r.pathUse(tool.Read, w, false)
		if w.IsKnown() && (of == "file" || beginsWith("/ .", w.Text)) {
			return
		}
	}
	r.url(tool.Fetch, w)
}
