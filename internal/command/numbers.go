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
	switch {
	case role == "numbered" && r.ofOneFile(0, 2):
		d.Lines = value.Numbered
	case role == "counted" && r.ofOneFile(1, 1):
		d.Lines = value.Counted
	case role == "computed" && r.computesNumbers():
		d.Lines, d.Taint = value.AsNumbers, 0
	case r.keepsNumbers(role):
		d.Lines, d.Plain, d.Taint = value.AsNumbers, r.inv.Stdin.Plain, 0
	}
}

// computesNumbers says whether the code that is run prints numbers, and nothing else
// does.
func (r *reader) computesNumbers() bool {
	return r.scope.numbers && !slices.ContainsFunc(r.given, func(g flagUse) bool { return !hasWord("-n -E -r -v -F", g.name) })
}

// keepsNumbers says whether lines of standard input stay numbers.
func (r *reader) keepsNumbers(role string) bool {
	in := r.inv.Stdin
	switch role {
	case "first-field":
		return r.cutsNumber(in)
	case "thinned":
		return in.Lines == value.AsNumbers && len(r.given) == 1 && r.flagGiven("-d", true)
	case "computed":
		return r.scope.first && len(r.oper) == 1 && r.splitsNumber(in)
	}
	return false
}

// ofOneFile says whether the lines are those of one file, or standard input: with several
// there are names in front of the lines, and context has another sign behind the number.
func (l *commandLine) ofOneFile(least, most int) bool {
	if n := len(l.oper); n < least || n > most || slices.ContainsFunc(l.oper, func(w Word) bool { return w.Glob || w.Split || w.Reach == tool.Under }) {
		return false
	}
	return !slices.ContainsFunc(l.given, func(g flagUse) bool { return strings.Trim(g.name, "-0123456789") == "" })
}

// cutsNumber says whether the first field of lines, and no other, is cut out, and is their
// number by the delimiter given.
func (l *commandLine) cutsNumber(in Data) bool {
	if len(l.oper) > 0 || len(l.given) != 2 || !l.flagGiven("-f=1", true) {
		return false
	}
	return in.Lines == value.Numbered && l.flagGiven("-d=:", true) || in.Lines == value.Counted && l.flagGiven("-d= ", true) || in.Lines == value.AsNumbers
}

// splitsNumber says the same of a program that splits lines at blanks unless it is told
// otherwise.
func (l *commandLine) splitsNumber(in Data) bool {
	return len(l.given) == 0 && in.Lines >= value.Counted || len(l.given) == 1 && l.flagGiven("-F=:", true) && in.Lines == value.Numbered
}
