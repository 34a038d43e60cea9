package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// linked remembers the links that ln makes.
func (r *reader) linked(s *state, inv *command.Invocation) {
	name := inv.Words[0].Text
	if name[strings.LastIndexByte(name, '/')+1:] != "ln" || inv.Dir.Reach != tool.Exact {
		return
	}
	var operands []string
	for _, w := range inv.Words[1:] {
		switch {
		case !w.IsKnown():
			return
		case strings.HasPrefix(w.Text, "-"):
		default:
			operands = append(operands, w.Text)
		}
	}
	if len(operands) == 1 {
		operands = append(operands, operands[0][strings.LastIndexByte(operands[0], '/')+1:])
	}
	if len(operands) != 2 {
		return
	}
	from := clean(inv.Dir.Text, operands[1])
	to := clean(parent(from), operands[0])
	s.own()
	s.links = append(s.links, link{from, to})
	// If the second is a directory, the link lies in it.
	base := operands[0][strings.LastIndexByte(operands[0], '/')+1:]
	if base != "" && base != "." && base != ".." {
		s.links = append(s.links, link{clean(from, base), clean(from, operands[0])})
	}
}

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
			if e.Target == l.to || !within(e.Target, l.from) {
				continue
			}
			e2 := e
			e2.Target = clean("/", l.to+e.Target[len(l.from):])
			inv.Effects = append(inv.Effects, e2)
		}
	}
}
