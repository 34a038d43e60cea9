package command

import (
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
)

// TextPrefix begins the language of files that are no programs, but whose text can name further files;
// see [language.NamesNoFiles].
const TextPrefix = "text-"

// textOf is a file whose text names others that become part of what is made of it. The project's own are
// what they are; one that this very script writes is looked into.
func textOf(r *reader, kind string, w Word) {
	if isStream(w.Text) && w.IsKnown() {
		stdinText(r, kind)
		return
	}
	r.noteListed(r.path(tool.Read, w), w)
	file := w
	r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Known: true, Shell: TextPrefix + kind})
}

// stdinText is such a text on standard input.
func stdinText(r *reader, kind string) {
	switch in := r.inv.Stdin; {
	case in.None:
	case in.Path != nil && in.Taint&FromNet == 0:
		textOf(r, kind, *in.Path)
	case in.Reach == tool.Exact && language.NamesNoFiles(kind, in.Text):
	default:
		r.gap("the text on standard input may name further files", r.inv.Span)
	}
}

// stdinKind is the kind of such a text that a model says standard input is.
func stdinKind(stdin string) (string, bool) { return strings.CutPrefix(stdin, "code:"+TextPrefix) }
