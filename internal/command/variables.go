package command

import (
	"strings"

	"longline/internal/record"
)

// Variables is the table of variables that mean the same to every program. Each
// call looks at the few that are set, so an entry is read when it is asked for.
type Variables struct {
	exact    record.Table
	patterns []EnvUse
}

// patternsEntry is where the patterns are kept. No variable has that name.
const patternsEntry = "*"

// EncodeVariables returns the compiled form of a table of variables. Of entries that
// match a name, an exact one counts, otherwise the first.
func EncodeVariables(list []EnvUse) string {
	var exact []record.Entry
	var patterns []EnvUse
	for _, e := range list {
		if strings.Contains(e.Name, "*") {
			patterns = append(patterns, e)
			continue
		}
		var w record.Writer
		encodeUses(&w, e.Uses)
		exact = append(exact, record.Entry{Name: e.Name, Record: string(w.Bytes())})
	}
	var w record.Writer
	record.List(&w, patterns, encodeEnv)
	exact = append(exact, record.Entry{Name: patternsEntry, Record: string(w.Bytes())})
	return string(record.AppendTable(nil, exact))
}

// openVariables reads the compiled form of a table. A damaged one is nil.
func openVariables(data string) *Variables {
	table, err := record.OpenTable(data)
	if err != nil {
		return nil
	}
	rec, _ := table.Find(patternsEntry)
	r := record.NewReader(rec)
	v := &Variables{exact: table, patterns: record.ReadList(r, decodeEnv)}
	if r.End() != nil {
		return nil
	}
	return v
}

// find is what the table says of a variable, or nil.
func (v *Variables) find(name string) *EnvUse {
	if v == nil {
		return nil
	}
	if rec, ok := v.exact.Find(name); ok && name != patternsEntry {
		r := record.NewReader(rec)
		e := &EnvUse{Name: name, Uses: decodeUses(r)}
		if r.End() == nil {
			return e
		}
	}
	return envUse(v.patterns, name)
}
