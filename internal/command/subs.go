package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
)

// sub finds the subcommand a word names, if the level has any.
func (r *reader) sub(level *Level, w Word, rest []Word) *Level {
	if level.Subs.Empty() || r.begun() {
		return nil
	}
	if !w.IsKnown() {
		if len(level.Operands) == 0 && !(beginsInDir(w) && r.takesOperands(level)) { // no subcommand is a path
			r.unknownSub(w)
		}
		return nil
	}
	found, exact := r.verb(level, w, rest)
	switch {
	case found != nil:
		if !exact {
			r.inv.Stand = append(r.inv.Stand, w) // it names something of the user's
		}
	case level.hasGroup(w.Text) && len(r.levels) < 8:
		return level
	case !r.takesOperands(level):
		r.gap("unknown subcommand "+quote(w.Text), w.Span)
	}
	return found
}

// begun says whether operands have begun, behind which no subcommand stands.
func (l *commandLine) begun() bool { return len(l.oper) > 0 || l.dashed >= 0 }

// verb finds the subcommand of a name, and whether it is listed under exactly that,
// unless it is the name of a group here: one that is written out stands before globs,
// and where any word can be a group, verbs stand last.
func (f *findings) verb(level *Level, w Word, rest []Word) (found *Level, exact bool) {
	found, _, exact = level.Subs.find(w.Text)
	if !exact && slices.Contains(level.Groups, w.Text) {
		found = nil
	}
	if len(rest) == 0 || !slices.Contains(level.Groups, AnyGroup) || looksLikeFlag(level, rest[0]) {
		return found, exact
	}
	if !rest[0].IsKnown() {
		f.unknownSub(rest[0])
	}
	if found != nil && found.Subs.Empty() && level.groupBefore(w.Text, exact, rest[0].Text) {
		found = nil
	}
	return found, exact
}

// groupBefore says whether the name of a verb, exactly or by a glob, is that of a group
// before the next word.
func (l *Level) groupBefore(word string, exact bool, next string) bool {
	if !isGroup(next) {
		return false
	}
	if !exact || slices.Contains(l.Groups, word) {
		return true
	}
	verb, _, _ := l.Subs.find(next)
	return verb != nil
}

// unknownSub notes a word in the place of a subcommand that is not known.
func (f *findings) unknownSub(w Word) {
	f.gap("the subcommand is known only at run time", w.Span)
}

// hasGroup says whether a word names a group of subcommands.
func (l *Level) hasGroup(word string) bool {
	for _, name := range l.Groups {
		if name == word || isGroup(word) && paths.Stars(name, word) {
			return true
		}
	}
	return false
}

// isGroup says whether a word can be the name of a group of subcommands.
func isGroup(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '_')) {
			return false
		}
	}
	return s != ""
}

// takesOperands says whether a level or a mode of it takes operands, so that a word
// which is no subcommand may be one.
func (l *commandLine) takesOperands(level *Level) bool {
	if len(level.Operands) > 0 {
		return true
	}
	for i := range level.Modes {
		if len(level.Modes[i].Items) > 0 && l.active(&level.Modes[i], 1) {
			return true
		}
	}
	return false
}

func (r *reader) enter(level *Level, w Word, rest []Word) {
	r.levels = append(r.levels, level)
	r.inv.Path = append(r.inv.Path, w.Text)
	r.inv.alsoKnown(level)
	if len(r.levels) == 2 {
		rest = moreFlags(r, rest)
	}
	r.scan(rest)
}

// moreFlags adds the flags that a variable holds (GOFLAGS) to the words of a subcommand. The program leaves out
// those that the subcommand does not know.
func moreFlags(r *reader, words []Word) []Word {
	for _, a := range r.inv.Env {
		e := r.levels[0].Env.find(a.Name)
		if e == nil || !e.has("flags") || !a.Value.IsKnown() {
			continue
		}
		var flags []Word
		for text := range strings.FieldsSeq(a.Value.Text) {
			if name, _, _ := strings.Cut(text, "="); r.longFlag(r.level(), name, a.Value.Span) != nil {
				flags = append(flags, Known(text, a.Value.Span))
			}
		}
		words = append(flags, words...)
	}
	return words
}
