package command

import (
	_ "embed" // for the compiled models
	"strings"

	"longline/internal/record"
)

//go:generate go run longline/internal/generate

//go:embed models.bin
var builtin string

// VariablesEntry is the name under which a compiled library keeps its table of
// variables. No program can have it.
const VariablesEntry = "$"

// AliasRecord is the record of a further name of a program. Its first byte
// could only begin a model with more than a hundred names.
func AliasRecord(name string) string { return "\xff" + name }

// Builtin returns the built-in library. A model is read when its program is
// looked up.
func Builtin() *Library { return Open(builtin) }

// Open returns a library of compiled models. A program whose record is damaged
// is unknown.
func Open(data string) *Library {
	table, err := record.OpenTable(data)
	if err != nil {
		return &Library{}
	}
	read := map[string]*Model{}
	l := &Library{}
	l.Find = func(name string) *Model {
		if m, ok := read[name]; ok {
			return m
		}
		rec, ok := modelRecord(table, name)
		if !ok || name == VariablesEntry {
			return nil
		}
		m, err := DecodeModel(rec)
		if err != nil {
			m = nil
		}
		read[name] = m
		return m
	}
	if rec, ok := table.Find(VariablesEntry); ok {
		l.Variables = openVariables(rec)
	}
	l.Programs = func() []string {
		names := make([]string, 0, table.Len())
		for i := range table.Len() {
			if name := table.At(i).Name; name != VariablesEntry {
				names = append(names, name)
			}
		}
		return names
	}
	return l
}

// modelRecord finds the record of a program by one of its names.
func modelRecord(table record.Table, name string) (rec string, ok bool) {
	rec, ok = table.Find(name)
	if alias, is := strings.CutPrefix(rec, "\xff"); ok && is {
		return table.Find(alias)
	}
	return rec, ok
}
