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
	case role == "tally" && r.ofOneFile(0, 2), role == "computed" && r.computesNumbers():
		d.Lines, d.Taint = value.AsNumbers, 0
	case r.keepsNumbers(role):
		d.Lines, d.Plain, d.Taint = value.AsNumbers, r.inv.Stdin.Plain, 0
	}
}

// computesNumbers says whether the code that is run prints numbers, and nothing else
// does.
func (r *reader) computesNumbers() bool {
	return r.scope.numbers && !slices.ContainsFunc(r.given, setsSpecial) && !slices.ContainsFunc(r.oper[min(1, len(r.oper)):], mayAssign)
}

// setsSpecial says whether a flag of a program that computes lines may change what a number or
// the end of a line is: awk -v ORS=x.
func setsSpecial(g flagUse) bool {
	return !hasWord("-n -E -r -v -F", g.name) || g.name == "-v" && slices.ContainsFunc(g.values, func(w Word) bool {
		return !w.IsKnown() || w.Text == "" || 'A' <= w.Text[0] && w.Text[0] <= 'Z'
	})
}

// mayAssign says whether an operand may set a variable instead of naming a file.
func mayAssign(w Word) bool {
	return !w.IsKnown() || w.Glob || w.Split || strings.Contains(w.Text, "=")
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
