package policy

import "longline/internal/tool"

// Ground finds the zones of paths without judging anything, for walls, which use
// the same zones as rules. It is not for concurrent use.
type Ground struct{ g *ground }

// Ground returns the ground of a machine.
func (s *Set) Ground(w *tool.World) *Ground { return &Ground{s.groundOf(w)} }

// In reports whether an absolute path, taken as written, is in one of the zones.
func (g *Ground) In(path string, zones ZoneSet) bool {
	at := g.g.place(path)
	for z := range zoneCount {
		if zones.Has(z) && g.g.zoneRelation(z, &at)&(same|below) != 0 {
			return true
		}
	}
	return false
}

// Leads reports whether a path is on the way to a member of one of the zones:
// .claude is to .claude/hooks.
func (g *Ground) Leads(path string, zones ZoneSet) bool {
	at := g.g.place(path)
	for z := range zoneCount {
		if zones.Has(z) && g.g.zoneRelation(z, &at)&above != 0 {
			return true
		}
	}
	return false
}

// Members lists what a zone is made of, in the words of the zones file.
func (g *Ground) Members(z Zone) []string { return g.g.table(z).all() }

// Called reports whether a file of this name may hold secrets by its name alone.
func (g *Ground) Called(name string) bool {
	said, _ := g.g.shared.called().read(name)
	return said != isNoSecret
}

// MayHold reports whether a file of this name is one of settings, in which secrets may stand.
func (g *Ground) MayHold(name string) bool { return listed(g.g.shared.called().Told, name) }

// Projects and Homes are those directories, as given and with links followed.
func (g *Ground) Projects() []string { return g.g.project }

// Homes are the home directories of the user.
func (g *Ground) Homes() []string { return g.g.homes }
