package command

import "longline/internal/tool"

// loosening adds what a program would do to longline if it is what its name says,
// though nobody knows whether it is: a copy in another place loosens as well.
func (r *reader) loosening(name string) {
	if r.lib.find(name) == nil || len(r.inv.Words) == 0 {
		return
	}
	words := append([]Word{Known(name, r.inv.Words[0].Span)}, r.inv.Words[1:]...)
	same := &Invocation{Words: words, Dir: r.inv.Dir, Span: r.inv.Span}
	(&Library{Find: r.lib.Find, Variables: r.lib.Variables, Programs: r.lib.Programs}).Read(same, r.world)
	for _, e := range same.Effects {
		if e.Kind == tool.Control && e.Target == "guard.off" {
			r.effect(e)
		}
	}
}
