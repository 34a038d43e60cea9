package modelfile

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"longline/internal/command"
	"longline/internal/record"
)

// VariablesFile is the name of the file that says what variables mean to all
// programs; every other file holds models.
const VariablesFile = "variables.yaml"

// Compile turns model files, by name, into the form [command.Open] reads. It
// reports the errors of all files.
func Compile(files map[string][]byte) ([]byte, error) {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var entries []record.Entry
	var errs []error
	from := map[string]string{}
	for _, name := range names {
		if path.Base(name) == VariablesFile {
			env, err := ParseVariables(name, files[name])
			errs = append(errs, err)
			entries = append(entries, record.Entry{Name: command.VariablesEntry, Record: command.EncodeVariables(env)})
			continue
		}
		f, err := Parse(name, files[name])
		errs = append(errs, err)
		for _, m := range f.Models {
			for i, program := range m.Names {
				if other, ok := from[program]; ok {
					errs = append(errs, fmt.Errorf("%s: program %q is also modelled in %s", name, program, other))
					continue
				}
				from[program] = name
				rec := command.EncodeModel(m)
				if i > 0 {
					rec = command.AliasRecord(m.Names[0])
				}
				entries = append(entries, record.Entry{Name: program, Record: rec})
			}
		}
	}
	return record.AppendTable(nil, entries), errors.Join(errs...)
}
