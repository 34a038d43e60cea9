package policy

import "longline/internal/tool"

// Secret reports whether a file holds secrets, by the built-in zones. longline must
// not show the content of such files.
func Secret(w *tool.World, path string) bool {
	g := newGround(w, new(zoneTables))
	t := g.target(tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact})
	return g.touches(&t, ZoneSecrets).direct != never
}

// Protected reports whether a file configures an agent or longline itself.
func (s *Set) Protected(w *tool.World, path string) bool {
	g := s.groundOf(w)
	t := g.target(tool.Effect{Kind: tool.Write, Target: path, Reach: tool.Exact})
	for _, z := range [...]Zone{ZoneAgent, ZoneGuard} {
		if g.touches(&t, z).direct != never {
			return true
		}
	}
	return false
}

// Readable reports whether reading a file is allowed without a question. A script
// that runs a file is judged by what is in it, and the judgement quotes it.
func (s *Set) Readable(w *tool.World, path string) bool {
	call := tool.Call{Tool: "Read", Effects: []tool.Effect{{Kind: tool.Read, Target: path, Reach: tool.Exact}}}
	return s.Judge(&call, nil, nil, w).Decision < tool.Ask
}
