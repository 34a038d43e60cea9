package policy

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// IsSecret says whether an effect is on something in the zone of secrets, and not just
// on a tree that holds some.
func (s *Set) IsSecret(e tool.Effect, w *tool.World) bool {
	g := s.groundOf(w)
	t := g.target(e)
	direct, _ := g.touches(&t, ZoneSecrets)
	return direct
}

// touches says whether the effect could be on something in a zone: directly, or
// only because it sweeps over a whole tree that holds something of the zone.
func (g *ground) touches(t *target, z Zone) (direct, sweep bool) {
	if t.reach == ReachAnywhere {
		sweep = true
	}
	for i := range t.spots {
		s := &t.spots[i]
		if !s.known.Has(z) {
			g.locate(t, s, z)
		}
		direct = direct || s.direct.Has(z)
		sweep = sweep || s.sweep.Has(z)
	}
	return direct, sweep && !direct
}

func (g *ground) locate(t *target, s *spot, z Zone) {
	s.known = s.known.With(z)
	direct, sweep := false, false
	if z == ZoneSystem {
		// The rest of the world: whatever is not wholly inside the others.
		one := target{effect: t.effect, reach: t.reach, tree: t.tree, spots: []spot{*s}}
		direct = !g.within(&one, ZoneSet(0).With(ZoneProject).With(ZoneTemporary).With(ZoneSandbox).With(ZoneHome).With(ZoneStreams))
	} else if s.rest == "" {
		r := g.zoneRelation(z, &s.at)
		direct = r&(same|below) != 0
		sweep = r&above != 0 && t.covers(z) && g.holds(t, z, &s.at)
	} else {
		direct, sweep = g.patternTouches(t, s, z)
	}
	if direct {
		s.direct = s.direct.With(z)
	}
	if sweep {
		s.sweep = s.sweep.With(z)
	}
}

// covers says whether an effect counts for what is below its target. What is put at a
// name may be a directory; that matters where the names below it are known to matter.
func (t *target) covers(z Zone) bool { return t.tree || t.effect.Put && z.protects() }

// holds says whether a tree can hold something of a zone. Reading or deleting
// touches only what is there, so a zone whose known places are all missing from
// a tree that is there is not touched. Of a tree that is not there yet nothing is known.
func (g *ground) holds(t *target, z Zone, root *place) bool {
	if g.w.Exists == nil || t.effect.Kind != tool.Read && t.effect.Kind != tool.Delete || !g.w.Exists(root.path) {
		return true
	}
	table := g.table(z)
	folding := g.w.FoldCase || z.protects()
	for member := range table.near(root, false) {
		if g.memberRelation(z, table, member, root, folding)&above == 0 {
			continue
		}
		if z.literalRoots() || wild(member) {
			return true
		}
		for _, path := range g.below(member, root.path, folding) {
			if g.w.Exists(path) {
				return true
			}
		}
	}
	return false
}

// below returns where a member without wildcards can lie below a directory.
// Home directories of others do not count: they are seldom readable.
func (g *ground) below(member, root string, folding bool) []string {
	if !isName(member) {
		return slices.DeleteFunc(g.expand(member), func(path string) bool {
			return wild(path) || anchored(path, "", root, folding)&(same|below) == 0
		})
	}
	var paths []string
	for at := root[1:]; at != ""; {
		names, rest := member, at
		for names != "" && rest != "" {
			var name, have string
			name, names = cut(names)
			have, rest = cut(rest)
			if !matchesComponent(name, have, folding) {
				names = ""
			}
		}
		if names != "" { // the root ends with the first of the names
			paths = append(paths, root+"/"+names)
		}
		_, at = cut(at)
	}
	return paths
}

// expand returns the absolute paths or patterns that a member stands for.
func (g *ground) expand(member string) []string {
	switch {
	case member[0] == '/':
		return []string{member}
	case member[0] == '~':
		var all []string
		for _, home := range g.homes {
			all = append(all, escape(home)+member[1:])
		}
		return append(all, "/root"+member[1:], "/home/*"+member[1:], "/Users/*"+member[1:])
	case strings.HasPrefix(member, "./"):
		var all []string
		for _, project := range g.project {
			all = append(all, escape(project)+member[1:])
		}
		return all
	}
	return []string{"**/" + member}
}

// escape makes wildcard characters of a path mean themselves.
func escape(path string) string {
	if !wild(path) {
		return path
	}
	var b strings.Builder
	for i := range len(path) {
		if strings.IndexByte(`*?[\`, path[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

func (g *ground) patternTouches(t *target, s *spot, z Zone) (direct, sweep bool) {
	table := g.table(z)
	folding := g.w.FoldCase || z.protects()
	// A name that is looked for everywhere aims at that name, not at whatever may hold
	// one too: find . -name package.json is not after .env/package.json. Of what must not
	// be changed this is said only of what a build makes again, as __pycache__ is.
	elsewhere := s.deep && !s.generic && s.rest == "**/"+lastName(s.rest) && (z == ZoneSecrets || z != ZoneBuild && g.spotWithin(t, s, ZoneBuild))
	for member := range table.near(&s.at, true) {
		r := g.patternRelation(s, z, table, member, folding)
		if first, _ := cut(member); elsewhere && isName(member) && !strings.Contains(s.at.path+"/", "/"+first+"/") {
			r &^= below
		}
		direct = direct || r&(same|below) != 0
		sweep = sweep || r&above != 0 && t.covers(z)
	}
	if direct && g.patternExcepted(s, z, table) {
		direct = false
	}
	return direct, sweep && !direct
}

// patternRelation says how what a pattern matches lies to a member.
func (g *ground) patternRelation(s *spot, z Zone, table *members, member string, folding bool) (r relation) {
	dir := g.memberRelation(z, table, member, &s.at, folding)
	if dir&(same|below) != 0 && !table.itself {
		return below // as the directory, so what is in it
	}
	named := isName(member) && !z.literalRoots()
	if dir&above == 0 && (!named || !nameMayMeet(s.rest, member)) {
		return 0
	}
	if named {
		// A pattern for a kind of file does not aim at a name.
		vague := s.generic && (s.deep || !strings.Contains(member, "/")) || s.undotted && member[0] == '*'
		// What is nothing but an ending is a name as well: *.env is .env, too.
		ending := s.deep && sameFolded(strings.TrimLeft(lastName(s.rest), "*"), member)
		if vague && !ending && !leadsTo(s.at.path, member) && !aims(s.name, lastName(member), folding) {
			return 0
		}
	}
	for _, m := range g.memberTokens(z, member) {
		r |= compare(s.all(), m, folding)
	}
	if table.itself {
		r &^= below
	}
	if named {
		r &^= above
		if (s.deep || strings.Contains("/"+s.rest, "/*/")) && r&same == 0 && !leadsTo(s.at.path, member) {
			// Only by descending into the place, which is not what it names.
			r = 0
		}
	}
	return r
}

// leadsTo says whether a directory is on the way to what a member names: .claude
// to .claude/hooks. A pattern that starts there aims at it.
func leadsTo(dir, member string) bool {
	for i := range len(member) {
		if n := len(dir) - i; member[i] == '/' && n > 0 && dir[n-1] == '/' && sameFolded(dir[n:], member[:i]) {
			return true
		}
	}
	return false
}

// nameMayMeet says whether one of the names of a pattern could be the first of
// a member's, by how they begin and end. It is cheap, and never wrong to say yes.
func nameMayMeet(pattern, member string) bool {
	want, _ := cut(member)
	for pattern != "" {
		var name string
		name, pattern = cut(pattern)
		if strings.Contains(name, "**") || strings.ContainsAny(name, `[\(`) || strings.ContainsAny(want, `[\`) {
			return true
		}
		begin, end := fixed(name)
		wantBegin, wantEnd := fixed(want)
		if begin == "" && name[0] != '.' && strings.HasPrefix(wantBegin, ".") {
			continue // a wildcard does not match a leading dot
		}
		n, m := min(len(begin), len(wantBegin)), min(len(end), len(wantEnd))
		if sameFolded(begin[:n], wantBegin[:n]) && sameFolded(end[len(end)-m:], wantEnd[len(wantEnd)-m:]) {
			return true
		}
	}
	return false
}

// sameFolded compares ignoring case; beyond ASCII it says yes.
func sameFolded(a, b string) bool {
	return hasUpperUnicode(a) || hasUpperUnicode(b) || equalFold(a, b)
}

// fixed returns what a name begins with before its first wildcard and what it
// ends with after the last.
func fixed(name string) (begin, end string) {
	i := strings.IndexAny(name, "*?")
	if i < 0 {
		return name, name
	}
	return name[:i], name[strings.LastIndexAny(name, "*?")+1:]
}

// aims says whether all that a name's pattern matches is what a member means.
func aims(name []token, member string, folding bool) bool {
	m, problem := compile(member, inRules)
	return problem == "" && inside(name, m, folding)&same != 0
}

// memberKey is a member of a zone, whose patterns are compiled once.
type memberKey struct {
	zone   Zone
	member string
}

func (g *ground) memberTokens(z Zone, member string) [][]token {
	if z.literalRoots() {
		return [][]token{spelled(member)}
	}
	key := memberKey{z, member}
	if have, ok := g.compiled[key]; ok {
		return have
	}
	if g.compiled == nil {
		g.compiled = map[memberKey][][]token{}
	}
	var all [][]token
	paths := g.expand(member)
	if z == ZoneBuild {
		paths = nil
		for _, project := range g.project {
			paths = append(paths, rooted(project, "/**/"+member))
		}
	}
	for _, path := range paths {
		if m, problem := compile(path, inRules); problem == "" {
			all = append(all, m)
		}
	}
	g.compiled[key] = all
	return all
}

// patternExcepted says whether everything a pattern matches is an exception.
func (g *ground) patternExcepted(s *spot, z Zone, table *members) bool {
	for _, member := range table.except {
		if g.patternInside(s, z, table, member) != 0 {
			return true
		}
	}
	return false
}

// patternInside says whether everything a pattern matches is a member or below one.
func (g *ground) patternInside(s *spot, z Zone, table *members, member string) (r relation) {
	dir := g.memberRelation(z, table, member, &s.at, g.w.FoldCase)
	if dir&(same|below) != 0 && !table.itself {
		return below
	}
	if dir&above == 0 && !(isName(member) && !z.literalRoots() && nameMayMeet(s.rest, member)) {
		return 0
	}
	for _, m := range g.memberTokens(z, member) {
		r |= inside(s.all(), m, g.w.FoldCase)
	}
	return r
}

// within says whether everything the effect can touch lies in one of the zones.
func (g *ground) within(t *target, zones ZoneSet) bool {
	if t.reach == ReachAnywhere || len(t.spots) == 0 {
		return false
	}
	for i := range t.spots {
		found := false
		for z := Zone(0); z < zoneCount && !found; z++ {
			found = zones.Has(z) && g.spotWithin(t, &t.spots[i], z)
		}
		if !found {
			return false
		}
	}
	return true
}

// keptIn says whether a spot is, holds or may be something of the home directory or the
// project where those lie among temporary files: what is in them is kept.
func (g *ground) keptIn(t *target, s *spot) bool {
	for _, list := range [...][]string{g.homes, g.project} {
		for _, dir := range list {
			at := g.place(dir)
			if g.zoneRelation(ZoneTemporary, &at)&(same|below) == 0 {
				continue
			}
			switch anchored(s.at.path, "", dir, g.w.FoldCase) {
			case same, below:
				return true
			case above:
				if t.tree || s.rest != "" && compare(s.all(), spelled(dir), g.w.FoldCase)&(same|below) != 0 {
					return true
				}
			}
		}
	}
	return false
}

func (g *ground) spotWithin(t *target, s *spot, z Zone) bool {
	if z == ZoneSystem {
		for _, other := range []Zone{ZoneProject, ZoneTemporary, ZoneSandbox, ZoneHome, ZoneStreams} {
			one := target{effect: t.effect, reach: t.reach, tree: t.tree, spots: []spot{*s}}
			if direct, sweep := g.touches(&one, other); direct || sweep {
				return false
			}
		}
		return true
	}
	if z == ZoneTemporary && g.keptIn(t, s) {
		return false
	}
	table := g.table(z)
	// What is excepted must not be touched; a name may stand anywhere in a tree.
	if len(table.except) > 0 && (t.tree || s.rest != "") {
		return false
	}
	if s.rest == "" {
		r := g.zoneRelation(z, &s.at)
		if r&edge != 0 && t.tree && t.effect.Kind != tool.Delete {
			return true // files made in /tmp are below it
		}
		return r&(same|below) != 0 && !(table.itself && t.tree)
	}
	for member := range table.near(&s.at, true) {
		r := g.patternInside(s, z, table, member)
		if r&below != 0 && !table.itself || r&same != 0 && !(table.itself && t.tree) {
			return true
		}
	}
	return false
}
