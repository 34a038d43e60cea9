package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// uproot notes what an invocation moves away, with all below it: whoever works there is somewhere
// else then, and so is the directory above it.
func (s *state) uproot(inv *command.Invocation, read *reads) {
	for _, e := range inv.Effects {
		if e.Kind == tool.Write && e.Tree && read.has(e) {
			if e.Reach == tool.Under && namesBelow(inv, e.Span) {
				e.Target = strings.TrimSuffix(e.Target, "/") + "/" // not the place itself
			}
			e.Span = tool.Span{}
			s.carriedBy([]tool.Effect{e})
		}
	}
}

// namesBelow says whether the words at a place of the script name what is in a directory and never the
// directory itself: names without a directory, or what is found from a dot, which nobody can move.
func namesBelow(inv *command.Invocation, at tool.Span) (all bool) {
	for _, w := range inv.Words {
		if w.Span == at {
			if all = w.Bare || w.Reach == tool.Under && w.Text == "."; !all {
				return false
			}
		}
	}
	return all
}

// carriedBy takes over what a child has moved away since it was started.
func (s *state) carriedBy(list []tool.Effect) {
	for _, e := range list {
		s.carried(e)
	}
	if len(s.uproots) > 0 && s.uproots[0].Reach == tool.Anywhere {
		return // that is all of it
	}
	if s.uproots = joinLists(s.uproots, list); len(s.uproots) > maxNamed {
		s.uproots = []tool.Effect{{Kind: tool.Write, Reach: tool.Anywhere}}
	}
}

// carried makes the working directory unknown if it may have been moved with what an effect takes
// away.
func (s *state) carried(e tool.Effect) {
	if s.dir.Reach != tool.Anywhere && mayHold(e, s.dir) {
		s.dir = command.Word{Taint: s.dir.Taint}
	}
}

// mayHold says whether a directory may be what an effect is on, or lie below it.
func mayHold(e tool.Effect, dir command.Word) bool {
	switch {
	case e.Reach == tool.Anywhere:
		return true
	case dir.Reach != tool.Exact && paths.Within(e.Target, dir.Text):
		return true
	case e.Reach == tool.Exact && e.Pattern:
		return matchesAbove(e.Target, dir.Text)
	case e.Reach == tool.Exact:
		return paths.Within(dir.Text, e.Target)
	}
	return e.Target != dir.Text+"/" && covers(vagueFile(e), dir.Text)
}

// matchesAbove says whether a pattern may match a directory or one above it.
func matchesAbove(pattern, dir string) bool {
	pattern = strings.ReplaceAll(pattern, "/**/", "/*") // which may be no directory at all
	for ; ; dir = paths.Parent(dir) {
		if match, sure := paths.Match(pattern, dir); match || !sure {
			return true
		}
		if dir == paths.Parent(dir) {
			return false
		}
	}
}

// reads is what an invocation reads: of many files by what they are found by.
type reads struct {
	effects []tool.Effect // all of them, if they are few
	targets map[readAt]bool
	names   map[string]bool // the same, however exactly it is known
	spans   map[tool.Span]bool
}

type readAt struct {
	target string
	reach  tool.Reach
}

// fewEffects are those that are looked through faster than put into a map.
const fewEffects = 32

// readsOf finds what an invocation reads.
func readsOf(inv *command.Invocation) reads {
	if len(inv.Effects) <= fewEffects {
		return reads{effects: inv.Effects}
	}
	r := reads{targets: map[readAt]bool{}, names: map[string]bool{}, spans: map[tool.Span]bool{}}
	for _, e := range inv.Effects {
		if e.Kind == tool.Read {
			r.targets[readAt{e.Target, e.Reach}], r.names[e.Target], r.spans[e.Span] = true, true, true
		}
	}
	return r
}

// has says whether what an effect is on is read. Of a pattern that is the same word, which may have been
// replaced by what it matches.
func (r *reads) has(e tool.Effect) bool {
	for _, x := range r.effects {
		if x.Kind == tool.Read && (x.Target == e.Target && x.Reach == e.Reach || e.Pattern && x.Span == e.Span) {
			return true
		}
	}
	return r.targets[readAt{e.Target, e.Reach}] || e.Pattern && r.spans[e.Span]
}

// hasNamed says whether something of that name is read.
func (r *reads) hasNamed(name string) bool {
	for _, x := range r.effects {
		if x.Kind == tool.Read && x.Target == name {
			return true
		}
	}
	return r.names[name]
}
