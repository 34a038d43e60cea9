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
	alone := len(r.oper) == 0
	switch role {
	case "numbered", "counted":
		// Of one file, or standard input: with several there are names in front of the lines.
		if len(r.oper) > 2 || role == "counted" && len(r.oper) != 1 || slices.ContainsFunc(r.oper, func(w Word) bool { return w.Glob || w.Split || w.Reach == tool.Under }) {
			return
		}
		// Context has another sign behind the number.
		for i := range r.given {
			if strings.Trim(r.given[i].name, "-0123456789") == "" {
				return
			}
		}
		if d.Lines = value.Numbered; role == "counted" {
			d.Lines = value.Counted
		}
	case "first-field":
		if !alone || len(r.given) != 2 || !r.flagGiven("-f=1", true) {
			return
		}
		switch {
		case in.Lines == value.Numbered && r.flagGiven("-d=:", true), in.Lines == value.Counted && r.flagGiven("-d= ", true), in.Lines == value.AsNumbers:
			d.Lines, d.Plain, d.Taint = value.AsNumbers, in.Plain, 0
		}
	case "thinned":
		if in.Lines == value.AsNumbers && len(r.given) == 1 && r.flagGiven("-d", true) {
			d.Lines, d.Plain, d.Taint = value.AsNumbers, in.Plain, 0
		}
	case "computed":
		other := slices.ContainsFunc(r.given, func(g flagUse) bool { return !hasWord("-n -E -r -v -F", g.name) })
		switch {
		case r.scope.numbers && !other:
			d.Lines, d.Taint = value.AsNumbers, 0
		case r.scope.first && len(r.oper) == 1 && (len(r.given) == 0 && in.Lines >= value.Counted || len(r.given) == 1 && r.flagGiven("-F=:", true) && in.Lines == value.Numbered):
			d.Lines, d.Plain, d.Taint = value.AsNumbers, in.Plain, 0
		}
	}
}
