package policy

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// target is what an effect is on, ready to be held against places.
type target struct {
	effect tool.Effect
	reach  ReachSet
	tree   bool   // everything below is touched, or something there may be
	spots  []spot // of a path: all spellings that are known; each is the same thing
}

// spot is one spelling of a path or a pattern of paths.
type spot struct {
	path    string // absolute; "" for a pattern
	tokens  []token
	generic bool // a pattern that does not aim at a name: *, *.json
	// What has been worked out about zones, and for which.
	known, direct, sweep ZoneSet
}

func (g *ground) target(e tool.Effect) target {
	t := target{effect: e, tree: e.Tree || e.Reach == tool.Under}
	switch {
	case e.Reach == tool.Anywhere || e.Reach == tool.Prefix:
		t.reach = ReachAnywhere
	case e.Reach == tool.Under:
		t.reach = ReachUnder
	case e.Pattern:
		t.reach = ReachPattern
	default:
		t.reach = ReachExact
	}
	if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
		return t
	}
	if e.Target == "" || e.Target[0] != '/' || strings.IndexByte(e.Target, 0) >= 0 {
		// A path that is not absolute depends on a directory nobody knows.
		t.reach = ReachAnywhere
		return t
	}
	if e.Reach == tool.Prefix {
		t.spots = []spot{{tokens: append(spelled(e.Target), token{op: globstar})}}
		return t
	}
	if e.Pattern {
		t.addPattern(g, e.Target)
	} else {
		t.addPath(g, e.Target)
	}
	return t
}

// addPath adds the path as written and as links lead. A link that is deleted is
// deleted itself, not what it points at.
func (t *target) addPath(g *ground, path string) {
	short := clean(path)
	t.spots = append(t.spots, spot{path: short})
	if real := g.follow(path, t.effect.Kind != tool.Delete); real != short {
		t.spots = append(t.spots, spot{path: real})
	}
}

func (t *target) addPattern(g *ground, pattern string) {
	dir, rest := splitPattern(pattern)
	if rest == "" { // no wildcard after all
		t.addPath(g, dir)
		return
	}
	if strings.Contains("/"+rest+"/", "/../") {
		t.reach, t.spots = ReachAnywhere, nil
		return
	}
	short, real := clean(dir), g.follow(dir, true)
	t.spots = append(t.spots, patternSpot(short, rest))
	if real != short {
		t.spots = append(t.spots, patternSpot(real, rest))
	}
	// Everything in a directory is the directory: rm -r ~/* is rm -r ~.
	if t.effect.Tree && (t.effect.Kind == tool.Delete || t.effect.Kind == tool.Write) {
		emptied := false
		for rest != "" && everything(lastName(rest)) {
			rest = strings.TrimSuffix(strings.TrimSuffix(rest, lastName(rest)), "/")
			emptied = true
		}
		if emptied && rest == "" {
			t.spots = append(t.spots, spot{path: short})
		}
	}
}

func patternSpot(dir, rest string) spot {
	tokens, _ := compile(rest, inShell)
	if dir == "/" {
		dir = ""
	}
	name, _ := compile(lastName(rest), inShell)
	return spot{tokens: append(append(spelled(dir), token{r: '/'}), tokens...), generic: isGeneric(name)}
}

// splitPattern splits a shell pattern into the directory that is known (with
// quoting removed) and the rest that begins with the first wildcard's name.
func splitPattern(pattern string) (dir, rest string) {
	var b strings.Builder
	start, length := 0, 0 // of the name being read, in pattern and in b
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*', '?', '[':
			return b.String()[:length], strings.TrimLeft(pattern[start:], "/")
		case '\\':
			if i++; i < len(pattern) {
				b.WriteByte(pattern[i])
			}
		case '(':
			if i > 0 && strings.IndexByte("@!+", pattern[i-1]) >= 0 {
				return b.String()[:length], strings.TrimLeft(pattern[start:], "/")
			}
			b.WriteByte(c)
		default:
			if c == '/' {
				start, length = i, b.Len()
			}
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// everything says whether a name's pattern matches (nearly) all names.
func everything(name string) bool {
	return strings.Contains(name, "*") && strings.Trim(name, "*?.") == "" || name == ".[!.]*"
}

// isGeneric says whether a name's pattern gives at most the end of a name after
// the last dot, and so aims at a kind of file and not at a name.
func isGeneric(name []token) bool {
	if len(name) == 0 || name[0].op == literal {
		return false
	}
	dotted := false
	for _, t := range name {
		if t.op == literal && t.r == '.' {
			dotted = true
		} else if t.op == literal && !dotted {
			return false
		}
	}
	return true
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
	} else if s.path != "" {
		r := g.zoneRelation(z, s.path)
		direct = r&(same|below) != 0
		sweep = r&above != 0 && t.tree && g.holds(t, z, s.path)
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

// holds says whether a tree can hold something of a zone. Reading or deleting
// touches only what is there, so a zone whose few known places are all missing
// is not touched.
func (g *ground) holds(t *target, z Zone, root string) bool {
	if g.w.Exists == nil || t.effect.Kind != tool.Read && t.effect.Kind != tool.Delete {
		return true
	}
	table := g.table(z)
	folding := g.w.FoldCase || z.protects()
	for _, member := range table.in {
		if g.memberRelation(z, table, member, root, folding)&above == 0 {
			continue
		}
		if z.literalRoots() || wild(member) {
			return true
		}
		for _, path := range g.below(member, root, folding) {
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
	for _, member := range table.in {
		for _, m := range g.memberTokens(z, member) {
			r := compare(s.tokens, m, folding)
			if table.itself {
				r &^= below
			}
			if isName(member) && !z.literalRoots() {
				r &^= above
				// A pattern for a kind of file does not aim at a name.
				if s.generic && !strings.Contains(member, "/") && inside(s.tokens, m, folding) == 0 {
					r = 0
				}
			}
			direct = direct || r&(same|below) != 0
			sweep = sweep || r&above != 0 && t.tree
		}
	}
	if direct && g.patternInside(s, z, table.except) {
		direct = false
	}
	return direct, sweep && !direct
}

func (g *ground) memberTokens(z Zone, member string) [][]token {
	if z.literalRoots() {
		return [][]token{spelled(member)}
	}
	var all [][]token
	paths := g.expand(member)
	if z == ZoneBuild {
		paths = rooted(g.project, "/**/"+member)
	}
	for _, path := range paths {
		if m, problem := compile(path, inRules); problem == "" {
			all = append(all, m)
		}
	}
	return all
}

func (g *ground) patternInside(s *spot, z Zone, list []string) bool {
	for _, member := range list {
		for _, m := range g.memberTokens(z, member) {
			if inside(s.tokens, m, g.w.FoldCase) != 0 {
				return true
			}
		}
	}
	return false
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
	table := g.table(z)
	// What is excepted must not be touched; a name may stand anywhere in a tree.
	if len(table.except) > 0 && (t.tree || s.path == "") {
		return false
	}
	if s.path != "" {
		r := g.zoneRelation(z, s.path)
		return r&below != 0 && !(table.itself && t.tree) || r&same != 0 && !(table.itself && t.tree)
	}
	for _, member := range table.in {
		for _, m := range g.memberTokens(z, member) {
			r := inside(s.tokens, m, g.w.FoldCase)
			if r&below != 0 && !table.itself || r&same != 0 && !(table.itself && t.tree) {
				return true
			}
		}
	}
	return false
}
