package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// maxHops bounds the links that one path leads through, maxThrough the effects that are found so.
const (
	maxHops    = 16
	maxThrough = 64
)

// throughLinks repeats effects on links, made by this script, on what they
// point at. A link to something below itself leads there once.
func (s *state) throughLinks(inv *command.Invocation) {
	if len(s.links) == 0 {
		return
	}
	s.climbsBehind(inv)
	hops := make([]int, len(inv.Effects), len(inv.Effects)+8) // by which an effect was found
	for i, given := 0, len(inv.Effects); i < len(inv.Effects); i++ {
		if i > given+maxThrough {
			gapIn(inv, "too many links")
			return
		}
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
			continue
		}
		for _, l := range s.links {
			target, leads := through(l, e, hops[i])
			there := e
			if there.Target = target; !leads || slices.Contains(inv.Effects, there) {
				continue // or it is reached by another way
			}
			inv.Effects, hops = append(inv.Effects, there), append(hops, hops[i]+1)
		}
	}
}

// through is where an effect is by a link as well, if it is one on it. It was found by so many
// others.
func through(l command.Link, e tool.Effect, hops int) (target string, leads bool) {
	if target, leads := behind(l, e); leads {
		return target, true
	}
	if hops >= maxHops || !followed(l, e) {
		return "", false
	}
	return paths.Clean("/", l.To+e.Target[len(l.From):]), true
}

// behind is what is deleted with a directory that it was moved into.
func behind(l command.Link, e tool.Effect) (string, bool) {
	return l.To, l.Moved && e.Tree && e.Kind == tool.Delete && paths.Within(l.From, e.Target) && e.Target != l.From && !paths.Within(l.To, e.Target)
}

// followed says whether an effect is one on what a link points at.
func followed(l command.Link, e tool.Effect) bool {
	return e.Target != l.To && paths.Within(e.Target, l.From) && !(paths.Within(l.To, l.From) && paths.Within(e.Target, l.To))
}

// climbsBehind notes a path with ".." behind a link that this script has made: it
// leads to where the link points, not to where the path says.
func (s *state) climbsBehind(inv *command.Invocation) {
	words := inv.Words
	for i := range inv.Redirects {
		words = append(words[:len(words):len(words)], inv.Redirects[i].Target)
	}
	for _, w := range words {
		// It may stand behind the name of a flag or an operand: --output=PATH, of=PATH.
		_, behind, _ := strings.Cut(w.Text, "=")
		if climbsBehind(s, inv.Dir, w.Text) || climbsBehind(s, inv.Dir, behind) {
			gapIn(inv, "a path with .. after a link or a move in this script")
			return
		}
	}
}

func climbsBehind(s *state, dir command.Word, path string) bool {
	for at := 1; at < len(path); at++ {
		n := strings.Index(path[at:], "/..")
		if n < 0 {
			break
		}
		at += n
		way := paths.Clean(dir.Text, path[:at])
		for _, l := range s.links {
			if dir.Reach != tool.Exact && path[0] != '/' || paths.Within(way, l.From) {
				return true
			}
		}
	}
	return false
}
