package command

import "longline/internal/tool"

// loosening adds what a program would do to longline if it is what its name says,
// though nobody knows whether it is: a copy in another place loosens as well.
func (d *deeds) loosening(name string) {
	if d.lib.find(name) == nil || len(d.inv.Words) == 0 {
		return
	}
	words := append([]Word{Known(name, d.inv.Words[0].Span)}, d.inv.Words[1:]...)
	same := &Invocation{Words: words, Dir: d.inv.Dir, Span: d.inv.Span}
	(&Library{Find: d.lib.Find, Variables: d.lib.Variables, Programs: d.lib.Programs}).Read(same, d.world)
	for _, e := range same.Effects {
		if e.Kind == tool.Control && e.Target == "guard.off" {
			d.effect(e)
		}
	}
}
