package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// A pattern or a list becomes as many words as there are files. Where a program does something else with each of its operands, the second
// file may be one that it writes: uniq *.txt.

// maxAlike is how many words one is taken for.
const maxAlike = 3

// maxSeveral is how many commands of a script are judged once more so.
const maxSeveral = 512

// alsoSeveral judges an invocation with those words repeated that may be several, if it does something with them that it does not do
// with one. A program that is given too many does nothing.
func alsoSeveral(r *reader, st *syntax.Stmt, inv *command.Invocation, s *state, red redirection) {
	if !inv.Shifts || inv.Loose == 0 || inv.Each || len(inv.Gaps) > 0 {
		return
	}
	if r.several++; r.several > maxSeveral {
		gapIn(inv, "more commands are given patterns and lists than longline follows")
		return
	}
	for n := 2; n <= maxAlike; n++ {
		more := repeated(&r.ledger, inv, n)
		if more == nil {
			return
		}
		if addsEffects(inv, more, r.lib, r.world) {
			r.external(st, more, s.fork(), red)
			return
		}
	}
}

// repeated is an invocation in which each word stands n times that may be several; nil if there is none.
func repeated(led *ledger, inv *command.Invocation, n int) *command.Invocation {
	var words []command.Word
	for i, w := range inv.Words {
		words = append(words, w)
		for k := 1; k < n && i+1 >= inv.Loose && i > 0 && mayBeSeveral(led, inv, w); k++ {
			words = append(words, w)
		}
	}
	if len(words) == len(inv.Words) {
		return nil
	}
	more := *inv
	more.Words, more.Loose, more.Effects, more.Runs = words, 0, nil, nil
	return &more
}

// mayBeSeveral says whether a word may be more than one. One in quotes is not, unless it is a list, nor is the name that a loop is at.
func mayBeSeveral(led *ledger, inv *command.Invocation, w command.Word) bool {
	text := led.src.written(w.Span)
	switch last := len(text) - 1; {
	case w.IsKnown(), w.IsPlain():
		return false
	case isOneQuoted(text):
		return false
	case last > 0 && text[0] == '$' && isName(strings.Trim(text[1:], "{}")) && w.Glob && !w.Hollow:
		return false
	case text == "{}":
		return w.Split
	}
	return !matchesOne(led, inv, w)
}

// isOneQuoted says whether a word is one in quotes, and no list.
func isOneQuoted(text string) bool {
	last := len(text) - 1
	return last > 0 && text[0] == '"' && text[last] == '"' && !strings.Contains(text, "@")
}

// matchesOne says whether a pattern matches one name on the disk at most, and the script has made no other.
func matchesOne(led *ledger, inv *command.Invocation, w command.Word) bool {
	if !w.Glob || w.Reach != tool.Exact || w.Hollow || led.world.Entries == nil || inv.Dir.Reach != tool.Exact || led.remote || led.inLoop() || !led.untouched() {
		return false
	}
	pattern := w.Text
	if pattern[0] != '/' {
		pattern = paths.Escape(inv.Dir.Text) + "/" + pattern
	}
	at := firstWild(pattern)
	if at.name == "" || at.rest != "" || at.searches() || paths.CanBeParent(at.name) || paths.Climbs(at.dir) {
		return false
	}
	list, whole := led.entriesIn(at.dir)
	names, sure := matching(at.name, list)
	return whole && sure && len(names) < 2
}

// addsEffects says whether an invocation that can be judged has effects that another one has not, by whatever files there are.
func addsEffects(inv, more *command.Invocation, lib *command.Library, world *tool.World) bool {
	probe := *more
	lib.Read(&probe, &tool.World{Home: world.Home, Project: world.Project, Zsh: world.Zsh})
	if len(probe.Gaps) > 0 {
		return false
	}
	type named struct {
		kind   tool.Kind
		target string
	}
	type placed struct {
		kind tool.Kind
		span tool.Span
	}
	names, places := make(map[named]bool, len(inv.Effects)), make(map[placed]bool, len(inv.Effects))
	for _, e := range inv.Effects {
		names[named{e.Kind, e.Target}], places[placed{e.Kind, e.Span}] = true, true
	}
	return slices.ContainsFunc(probe.Effects, func(e tool.Effect) bool {
		return !names[named{e.Kind, e.Target}] && !places[placed{e.Kind, e.Span}]
	})
}

// written is the text of the script at a place; "" if that is not in this source.
func (s *source) written(span tool.Span) string {
	if s == nil {
		return ""
	}
	at, ok := s.at.Offset()
	if !ok || span.Start < at || span.End > at+len(s.given) || span.End < span.Start {
		return ""
	}
	return s.given[span.Start-at : span.End-at]
}
