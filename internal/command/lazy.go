package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/record"
)

// Sub is a subcommand. Names may be globs: "describe-*".
type Sub struct {
	Names []string
	Level *Level
}

// readLevel reads the compiled form of a level.
func readLevel(raw string) *Level {
	level := new(Level)
	r := record.NewReader(raw)
	decodeLevel(r, level)
	if r.End() != nil {
		return new(Level) // accounts for nothing
	}
	return level
}

// Subs is a list of subcommands. A compiled model's list is gone through as it is: a
// program has a hundred subcommands, and a command line names one.
type Subs struct {
	list []Sub
	raw  string // the compiled form, as long as list has not been read from it
	met  []met  // what was found in raw by its exact name
}

// met is a subcommand that was looked up.
type met struct {
	word, synonym string
	level         *Level
}

// Add appends subcommands.
func (s *Subs) Add(more ...Sub) { s.list = append(s.All(), more...) }

// Empty reports whether there are none.
func (s *Subs) Empty() bool { return s.raw == "" && len(s.list) == 0 }

// All returns the subcommands.
func (s *Subs) All() []Sub {
	if s.raw != "" {
		r := record.NewReader(s.raw)
		for !r.Empty() {
			s.list = append(s.list, Sub{Names: r.Texts(), Level: readLevel(r.Text())})
		}
		mustEnd(r)
		s.raw, s.met = "", nil
	}
	return s.list
}

// find returns the subcommand of a name: the one that is listed under exactly
// it, or the first with a glob that it matches. synonym is the first of its names.
func (s *Subs) find(word string) (level *Level, synonym string, exact bool) {
	if s.raw == "" {
		return findIn(s.list, word)
	}
	for i := range s.met {
		if m := &s.met[i]; m.word == word {
			return m.level, m.synonym, true
		}
	}
	rec, synonym, exact := search(s.raw, word)
	if synonym == "" {
		return nil, "", false
	}
	level = readLevel(rec)
	if exact {
		s.met = append(s.met, met{word, synonym, level})
	}
	return level, synonym, exact
}

// search is find in the compiled form of a list: it returns that of the level.
func search(raw, word string) (rec, synonym string, exact bool) {
	r := record.NewReader(raw)
	for !r.Empty() {
		first, is, like := "", false, false
		for i := range r.Len() {
			name := r.Text()
			if i == 0 {
				first = name
			}
			is = is || name == word
			like = like || matchesGlob(name, word)
		}
		switch level := r.Text(); {
		case is:
			return level, first, true
		case like && synonym == "":
			rec, synonym = level, first
		}
	}
	mustEnd(r)
	return rec, synonym, false
}

func findIn(list []Sub, word string) (level *Level, synonym string, exact bool) {
	for i := range list {
		if slices.Contains(list[i].Names, word) {
			return list[i].Level, list[i].Names[0], true
		}
	}
	for i := range list {
		if slices.ContainsFunc(list[i].Names, func(name string) bool { return matchesGlob(name, word) }) {
			return list[i].Level, list[i].Names[0], false
		}
	}
	return nil, "", false
}

// matchesGlob says whether a name is a glob that a word matches.
func matchesGlob(name, word string) bool {
	return strings.IndexByte(name, '*') >= 0 && paths.Stars(name, word)
}

func (s *Subs) encode(w *record.Writer) {
	var list record.Writer
	for _, sub := range s.All() {
		list.Texts(sub.Names)
		var level record.Writer
		encodeLevel(&level, sub.Level)
		list.Text(string(level.Bytes()))
	}
	w.Text(string(list.Bytes()))
}

// EnvUse says what a variable's value is used for.
type EnvUse struct {
	Name string // may be a glob: LC_*
	Uses []Use
}

// EnvUses is a list of variables. A compiled model's list is read when a variable is
// looked up: most commands set none that matters.
type EnvUses struct {
	list []EnvUse
	raw  string // the compiled form, as long as list has not been read from it
}

// Add appends variables.
func (e *EnvUses) Add(more ...EnvUse) { e.list = append(e.All(), more...) }

// All returns the variables.
func (e *EnvUses) All() []EnvUse {
	if e.raw != "" {
		r := record.NewReader(e.raw)
		e.list = record.ReadList(r, decodeEnv)
		mustEnd(r)
		e.raw = ""
	}
	return e.list
}

// find returns the first of the list that a name is, or nil.
func (e *EnvUses) find(name string) *EnvUse { return envUse(e.All(), name) }

func (e *EnvUses) encode(w *record.Writer) {
	var list record.Writer
	if all := e.All(); len(all) > 0 {
		record.List(&list, all, encodeEnv)
	}
	w.Text(string(list.Bytes()))
}
