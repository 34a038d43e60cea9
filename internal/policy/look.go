package policy

import (
	"strings"

	"longline/internal/tool"
)

// What people are shown of a policy, and judging has no use for.

// Names lists the zones of a set, in the order of [ZoneNames].
func (s ZoneSet) Names() []string {
	names := []string{}
	for z := range zoneCount {
		if s.Has(z) {
			names = append(names, z.String())
		}
	}
	return names
}

// Zones lists the zones that contain everything an effect touches, and the
// others it may reach. For an unknown target it lists none.
func (s *Set) Zones(e tool.Effect, w *tool.World) (in, reached ZoneSet) {
	if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
		return 0, 0
	}
	g := s.groundOf(w)
	t := g.target(e)
	if len(t.spots) == 0 {
		return 0, 0
	}
	for z := range zoneCount {
		met := g.touches(&t, z)
		switch {
		case g.within(&t, ZoneSet(0).With(z)):
			in = in.With(z)
		case met.some():
			reached = reached.With(z)
		}
	}
	return in, reached
}

// Inside says whether all that an effect touches is in a zone.
func (s *Set) Inside(z Zone, e tool.Effect, w *tool.World) bool {
	if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
		return false
	}
	g := s.groundOf(w)
	t := g.target(e)
	return len(t.spots) > 0 && g.within(&t, ZoneSet(0).With(z))
}

// Off is a rule that is switched off.
type Off struct {
	Rule
	Why string // in what way, and by whose word
}

// Off lists the rules that are switched off, in the order of [Set.Rules].
func (s *Set) Off() []Off {
	var list []Off
	for i := range s.books {
		b := &s.books[i]
		for n := range b.len() {
			if b.active(n, s.Safety) {
				continue
			}
			r := *b.rule(n)
			list = append(list, Off{r, s.whyOff(b, &r)})
		}
	}
	return list
}

func (s *Set) whyOff(b *book, r *Rule) string {
	by := s.disabledBy(b, r)
	loosens := r.Listed || r.Decision <= tool.Pass
	switch {
	case len(by) > 0:
		return "disabled by " + strings.Join(by, " and ")
	case b.tight && loosens && b.layer == Bundle:
		return "the bundle has expired, and its allow rules no longer count"
	case b.tight && loosens:
		return "the project is not trusted and may only tighten the rules"
	}
	return "safety_level is " + s.Safety.String()
}

// disabledBy lists who switches a rule off by its name.
func (s *Set) disabledBy(b *book, r *Rule) (by []string) {
	for _, name := range s.disabled {
		if name.ID == r.ID && !r.Listed && name.layer >= b.layer {
			by = append(by, name.layer.String()+", "+name.Source)
		}
	}
	return by
}

// At is the same policy at another safety level.
func (s *Set) At(safety Level) *Set {
	other := *s
	other.Safety, other.grounds = safety, [2]*ground{}
	return &other
}
