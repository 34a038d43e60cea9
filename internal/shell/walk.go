package shell

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// A walk goes over what a pattern matches on the disk, for whoever looks for something there.
type walk struct {
	*ledger
	seeker
}

// seeker looks for something on the disk.
type seeker interface {
	// enough says whether no more is to be looked at.
	enough() bool
	// lists is told that a directory is listed, and whether as a whole.
	lists(whole bool)
	// deep is given a pattern that goes through any number of directories. It says whether that is done.
	deep(dir, pattern string) bool
	// counts says whether something in a directory counts that a name with wildcards may match, with the rest of the pattern
	// behind it.
	counts(name, rest string, e tool.Entry) bool
	// meets is given what has been met, and the rest of the pattern. It says whether the walk goes on there. Of a
	// name without wildcards it is not known what it is.
	meets(path, rest string, e *tool.Entry) bool
}

// level looks for what a pattern matches in a directory.
func (w walk) level(dir, pattern string) {
	name, rest, more := paths.CutGlob(pattern)
	switch {
	case w.enough() || name == "" && !more:
	case name == "":
		w.level(dir, rest)
	case (strings.Contains(name, "**") || strings.IndexByte(name, '(') >= 0) && w.deep(dir, pattern):
	case strings.IndexByte(name, '/') >= 0:
		w.either(dir, name, pattern[len(name):])
	case name == "**" && more:
		w.level(dir, rest)
		w.among(dir, "*", pattern)
	case name == "**": // of a search, which finds all that is below
		w.among(dir, "*", "")
		w.among(dir, "*", name)
	case isWild(name):
		w.among(dir, name, rest)
	default:
		w.step(dir+"/"+plain(name), rest, nil)
	}
}

// either looks for what alternatives of several names match.
func (w walk) either(dir, name, rest string) {
	list, ok := paths.Alternatives(name)
	if !ok {
		list = []string{"*", "**/*"}
	}
	for _, one := range list {
		w.level(dir, one+rest)
	}
}

// among looks at the names of a directory that one with wildcards matches.
func (w walk) among(dir, name, rest string) {
	list, whole := w.entriesIn(dir)
	w.lists(whole)
	pattern := wildPath{dir: dir, name: name}
	for i := range list {
		if w.enough() {
			return
		}
		if e := &list[i]; w.counts(name, rest, *e) && pattern.mayMatch(e.Name) {
			w.step(dir+"/"+e.Name, rest, e)
		}
	}
}

// step looks at what has been met, and goes on behind it.
func (w walk) step(path, rest string, e *tool.Entry) {
	if w.meets(path, rest, e) {
		w.level(path, rest)
	}
}
