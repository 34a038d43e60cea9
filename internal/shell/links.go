package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// maxHops bounds the links that one path leads through.
const maxHops = 16

// throughLinks repeats effects on links, made by this script, on what they
// point at. A link to something below itself leads there once.
func (r *reader) throughLinks(s *state, inv *command.Invocation) {
	if len(s.links) == 0 {
		return
	}
	r.climbsBehind(s, inv)
	var hops [64]int // by which an effect was found
	for i := 0; i < len(inv.Effects) && i < len(hops); i++ {
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
			continue
		}
		add := func(e tool.Effect) {
			if n := len(inv.Effects); n < len(hops) {
				hops[n] = hops[i] + 1
			}
			inv.Effects = append(inv.Effects, e)
		}
		for _, l := range s.links {
			if e2 := e; l.Moved && e.Tree && e.Kind == tool.Delete && paths.Within(l.From, e.Target) && e.Target != l.From && !paths.Within(l.To, e.Target) {
				e2.Target = l.To // it is in there now
				add(e2)
				continue
			}
			if e.Target == l.To || !paths.Within(e.Target, l.From) || paths.Within(l.To, l.From) && paths.Within(e.Target, l.To) || hops[i] >= maxHops {
				continue
			}
			e2 := e
			e2.Target = paths.Clean("/", l.To+e.Target[len(l.From):])
			add(e2)
		}
	}
}

// climbsBehind notes a path with ".." behind a link that this script has made: it
// leads to where the link points, not to where the path says.
func (r *reader) climbsBehind(s *state, inv *command.Invocation) {
	words := inv.Words
	for i := range inv.Redirects {
		words = append(words[:len(words):len(words)], inv.Redirects[i].Target)
	}
	for _, w := range words {
		// It may stand behind the name of a flag or an operand: --output=PATH, of=PATH.
		_, behind, _ := strings.Cut(w.Text, "=")
		if climbsBehind(s, inv.Dir, w.Text) || climbsBehind(s, inv.Dir, behind) {
			r.gapIn(inv, "a path with .. after a link or a move in this script")
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
