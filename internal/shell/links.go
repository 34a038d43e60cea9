package shell

import (
	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// throughLinks repeats effects on links, made by this script, on what they
// point at.
func (r *reader) throughLinks(s *state, inv *command.Invocation) {
	if len(s.links) == 0 {
		return
	}
	for i := 0; i < len(inv.Effects) && i < 64; i++ {
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
			continue
		}
		for _, l := range s.links {
			if e.Target == l.To || !value.Within(e.Target, l.From) {
				continue
			}
			e2 := e
			e2.Target = value.Clean("/", l.To+e.Target[len(l.From):])
			inv.Effects = append(inv.Effects, e2)
		}
	}
}
