package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
)

// sub finds the subcommand a word names, if the level has any.
func (r *reader) sub(level *Level, w Word, rest []Word) *Level {
	if len(level.Subs) == 0 || len(r.oper) > 0 || r.dashed >= 0 {
		return nil
	}
	if !w.IsKnown() {
		if len(level.Operands) == 0 {
			r.gap("the subcommand is known only at run time", w.Span)
		}
		return nil
	}
	found, exact := level.find(w.Text)
	if !exact && slices.Contains(level.Groups, w.Text) {
		found = nil // a name that is written out stands before globs
	}
	if slices.Contains(level.Groups, AnyGroup) && len(rest) > 0 && !looksLikeFlag(level, rest[0]) {
		if !rest[0].IsKnown() {
			r.gap("the subcommand is known only at run time", rest[0].Span)
		}
		next, _ := level.find(rest[0].Text)
		if found != nil && len(found.Subs) == 0 && isGroup(rest[0].Text) && (!exact || next != nil || slices.Contains(level.Groups, w.Text)) {
			found = nil // a group by the name of a verb: verbs stand last
		}
	}
	switch {
	case found != nil:
		if !exact {
			r.inv.Stand = append(r.inv.Stand, w) // it names something of the user's
		}
	case level.hasGroup(w.Text) && len(r.levels) < 8:
		return level
	case len(level.Operands) == 0 && !r.moded(level):
		r.gap("unknown subcommand "+quote(w.Text), w.Span)
	}
	return found
}

// find returns the subcommand of a name: the one that is listed under exactly
// it, or the first with a glob that it matches.
func (l *Level) find(word string) (sub *Level, exact bool) {
	for i := range l.Subs {
		if slices.Contains(l.Subs[i].Names, word) {
			return l.Subs[i].level(), true
		}
	}
	for i := range l.Subs {
		for _, name := range l.Subs[i].Names {
			if strings.IndexByte(name, '*') >= 0 && paths.Stars(name, word) {
				return l.Subs[i].level(), false
			}
		}
	}
	return nil, false
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

// moded says whether a mode of the level takes operands, so that a word which
// is no subcommand may be one.
func (r *reader) moded(level *Level) bool {
	for i := range level.Modes {
		if len(level.Modes[i].Items) > 0 && r.active(&level.Modes[i], len(r.levels)-1, 1) {
			return true
		}
	}
	return false
}

func (r *reader) enter(level *Level, w Word, rest []Word) {
	r.levels = append(r.levels, level)
	r.inv.Path = append(r.inv.Path, w.Text)
	r.scan(rest)
}
