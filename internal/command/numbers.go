package command

import (
	"slices"
	"strings"

	"longline/internal/tool"
	"longline/internal/value"
)

// numberLines says which numbers the lines of standard output begin with, or are: agents
// look up where something stands in a file and then look at the lines around it.
func (r *reader) numberLines(d *Data, role string) {
	in := r.inv.Stdin
	keeps := false // lines of standard input stay numbers
	switch role {
	case "numbered":
		if r.ofOneFile(0, 2) {
			d.Lines = value.Numbered
		}
	case "counted":
		if r.ofOneFile(1, 1) {
			d.Lines = value.Counted
		}
	case "first-field":
		keeps = len(r.oper) == 0 && len(r.given) == 2 && r.flagGiven("-f=1", true) && r.cutsNumber(in)
	case "thinned":
		keeps = in.Lines == value.AsNumbers && len(r.given) == 1 && r.flagGiven("-d", true)
	case "computed":
		other := slices.ContainsFunc(r.given, func(g flagUse) bool { return !hasWord("-n -E -r -v -F", g.name) })
		if r.scope.numbers && !other {
			d.Lines, d.Taint = value.AsNumbers, 0
			return
		}
		keeps = r.scope.first && len(r.oper) == 1 && r.splitsNumber(in)
	}
	if keeps {
		d.Lines, d.Plain, d.Taint = value.AsNumbers, in.Plain, 0
	}
}

// ofOneFile says whether the lines are those of one file, or standard input: with several
// there are names in front of the lines, and context has another sign behind the number.
func (l *commandLine) ofOneFile(least, most int) bool {
	if n := len(l.oper); n < least || n > most || slices.ContainsFunc(l.oper, func(w Word) bool { return w.Glob || w.Split || w.Reach == tool.Under }) {
		return false
	}
	return !slices.ContainsFunc(l.given, func(g flagUse) bool { return strings.Trim(g.name, "-0123456789") == "" })
}

// cutsNumber says whether the first field of lines is their number, by the delimiter given.
func (l *commandLine) cutsNumber(in Data) bool {
	return in.Lines == value.Numbered && l.flagGiven("-d=:", true) || in.Lines == value.Counted && l.flagGiven("-d= ", true) || in.Lines == value.AsNumbers
}

// splitsNumber says the same of a program that splits lines at blanks unless it is told
// otherwise.
func (l *commandLine) splitsNumber(in Data) bool {
	return len(l.given) == 0 && in.Lines >= value.Counted || len(l.given) == 1 && l.flagGiven("-F=:", true) && in.Lines == value.Numbered
}
