package policy

import (
	"strings"

	"longline/internal/paths"

	"longline/internal/host"
	"longline/internal/tool"
)

// touch is how an effect meets what a rule that objects speaks of.
type touch uint8

const (
	apart    touch = iota
	perhaps        // it may be there, by chance or because nothing is known of the target
	sweeping       // something there lies below the target
	touching       // the target itself could be there
)

// objects says whether an effect could be one that the matcher speaks of.
func (g *ground) objects(t *target, m *Effect) touch {
	if !m.suits(t) {
		return apart
	}
	met := g.meetsPlaces(t, &m.Places)
	if !met.some() || !m.Sweep.holds(met.direct == never) || g.insideAny(t, &m.Except) {
		return apart
	}
	switch {
	case met.direct == certain:
		return touching
	case met.sweep == certain && m.Sweep.holds(true):
		return sweeping
	}
	return perhaps
}

// covers says whether everything the effect can touch is what the matcher
// speaks of.
func (g *ground) covers(t *target, m *Effect) bool {
	if !m.suits(t) || !g.insidePlaces(t, &m.Places) {
		return false
	}
	return m.Except.empty() || !g.meetsAny(t, &m.Except)
}

func (m *Effect) suits(t *target) bool {
	return m.Kinds.Has(t.effect.Kind) && m.Tree.holds(t.effect.Tree) && (m.Reach == 0 || m.Reach&t.reach != 0)
}

func (p *Places) empty() bool {
	return p.Zones == 0 && len(p.Paths) == 0 && len(p.Hosts) == 0 && len(p.Names) == 0
}

// meetsPlaces says whether the effect could be at the places.
func (g *ground) meetsPlaces(t *target, p *Places) (m meeting) {
	if !t.effect.Kind.IsPath() {
		// A name that is not known may be any, which is no more than a guess.
		list := p.words(t.effect.Kind)
		m.direct = ifSo(len(list) == 0 || g.insideWord(t, list), certain)
		if m.sweep = ifSo(g.meetsWord(t, list), perchance); !p.ofFiles(t.effect.Kind) || !m.some() {
			return m
		}
		if len(t.spots) == 0 {
			// It may be code in a file, and that may be there.
			return meeting{sweep: ifSo(!t.knownWord(), perchance)}
		}
	} else {
		m.direct = certain
	}
	if p.Zones != 0 {
		m = m.and(g.touchesAny(t, p.Zones))
	}
	if len(p.Paths) > 0 {
		m = m.and(g.meetsPaths(t, p.Paths))
	}
	return m
}

func (g *ground) touchesAny(t *target, zones ZoneSet) (m meeting) {
	for z := range zoneCount {
		if zones.Has(z) {
			m = m.or(g.touches(t, z))
		}
	}
	return m
}

// insidePlaces says whether the effect is nowhere but at the places.
func (g *ground) insidePlaces(t *target, p *Places) bool {
	if !t.effect.Kind.IsPath() {
		list := p.words(t.effect.Kind)
		if len(list) > 0 && !g.insideWord(t, list) {
			return false
		}
		if !p.ofFiles(t.effect.Kind) {
			return true
		}
	}
	return (p.Zones == 0 || g.within(t, p.Zones)) && (len(p.Paths) == 0 || g.insidePaths(t, p.Paths))
}

// insideAny is insidePlaces for exceptions, of which any is enough.
func (g *ground) insideAny(t *target, p *Places) bool {
	if !t.effect.Kind.IsPath() && (g.insideWord(t, p.words(t.effect.Kind)) || t.effect.Kind != tool.Execute) {
		return g.insideWord(t, p.words(t.effect.Kind))
	}
	return p.Zones != 0 && g.within(t, p.Zones) || len(p.Paths) > 0 && g.insidePaths(t, p.Paths)
}

func (g *ground) meetsAny(t *target, p *Places) bool {
	if !t.effect.Kind.IsPath() && (g.meetsWord(t, p.words(t.effect.Kind)) || t.effect.Kind != tool.Execute) {
		return g.meetsWord(t, p.words(t.effect.Kind))
	}
	return g.touchesAny(t, p.Zones).some() || g.meetsPaths(t, p.Paths).some()
}

// ofFiles says whether the places limit where a file of code lies.
func (p *Places) ofFiles(k tool.Kind) bool {
	return k == tool.Execute && (p.Zones != 0 || len(p.Paths) > 0)
}

func (p *Places) words(k tool.Kind) []string {
	if k.IsHost() {
		return p.Hosts
	}
	return p.Names
}

// longList is how many globs are so many that an answer about them is kept: a script may
// do the same to the same name again and again.
const longList = 16

// wordKey is a name that was held against a list.
type wordKey struct {
	list   *string
	kind   tool.Kind
	target string
}

func (g *ground) meetsWord(t *target, list []string) bool {
	return len(list) > 0 && !t.knownWord() || g.insideWord(t, list)
}

func (g *ground) insideWord(t *target, list []string) bool {
	if len(list) < longList || !t.knownWord() {
		return insideWord(t, list)
	}
	key := wordKey{&list[0], t.effect.Kind, t.effect.Target}
	if is, ok := g.words[key]; ok {
		return is
	}
	return g.words.keep(key, insideWord(t, list))
}

// insideWord holds a host or a name against globs. A host that is not known exactly
// could be any; a name is what the model calls it.
func insideWord(t *target, list []string) bool {
	if !t.knownWord() {
		return false
	}
	isHost := t.effect.Kind.IsHost()
	local := isHost && host.Loopback(t.effect.Target)
	for _, glob := range list {
		// Rules that name this machine say localhost, whatever their author wrote. A glob
		// would not do: 127.0.0.1.example.com is somebody else's name.
		if matchesName(glob, t.effect.Target, isHost) || local && matchesName(glob, "localhost", true) {
			return true
		}
	}
	return false
}

// knownWord says whether a host or name is known exactly.
func (t *target) knownWord() bool {
	return t.effect.Reach == tool.Exact && !t.effect.Pattern && t.effect.Target != ""
}

// meetsPaths says whether the effect could be on a path that a glob matches.
func (g *ground) meetsPaths(t *target, globs []string) (m meeting) {
	if t.reach == ReachAnywhere && len(globs) > 0 {
		m.sweep = perchance
	}
	for _, glob := range globs {
		if m.direct == certain {
			break
		}
		g.eachPath(t, glob, func(s *spot, tokens []token) {
			r := compare(s.all(), tokens, g.w.FoldCase)
			m = m.or(meeting{ifSo(r&same != 0, certain), ifSo(r&above != 0 && t.tree, certain)})
		})
	}
	return m
}

// insidePaths says whether the globs match everything the effect can touch.
func (g *ground) insidePaths(t *target, globs []string) bool {
	if t.reach == ReachAnywhere || len(t.spots) == 0 {
		return false
	}
	for i := range t.spots {
		one := target{effect: t.effect, reach: t.reach, tree: t.tree, spots: t.spots[i : i+1]}
		itself, under := false, !t.tree
		for _, glob := range globs {
			g.eachPath(&one, glob, func(s *spot, m []token) {
				p := s.all()
				itself = itself || inside(p, m, g.w.FoldCase)&same != 0
				under = under || inside(append(p[:len(p):len(p)], token{r: '/'}, token{op: globstar}), m, g.w.FoldCase)&same != 0
			})
		}
		if !itself || !under {
			return false
		}
	}
	return true
}

// form is one absolute form of a glob of a rule.
type form struct {
	full   string
	tokens []token // once they are needed; nil if it cannot be read
	known  bool
}

// forms are those of a glob.
func (g *ground) forms(glob string) []form {
	if have, ok := g.compiled.forms[glob]; ok {
		return have
	}
	var list []form
	g.expandGlob(glob, func(full string) { list = append(list, form{full: full}) })
	return g.compiled.forms.keep(glob, list)
}

func (f *form) compiled() []token {
	if !f.known {
		f.known = true
		if m, problem := compile(f.full, inRules); problem == "" {
			f.tokens = m
		}
	}
	return f.tokens
}

// eachPath calls f for each spelling of the target and each of the glob, except
// where their beginnings already differ.
func (g *ground) eachPath(t *target, glob string, f func(s *spot, m []token)) {
	forms := g.forms(glob)
	for k := range forms {
		for i := range t.spots {
			s := &t.spots[i]
			if !mayMeet(s.at.path, forms[k].full, t.tree || s.rest != "", g.w.FoldCase) {
				continue
			}
			if m := forms[k].compiled(); m != nil {
				f(s, m)
			}
		}
	}
}

// besideProject begins a glob of what lies in the same directory as the project.
const besideProject = "./../"

// expandGlob calls f with the absolute forms of a glob of a rule: ~ is the home
// directory, ./ the project, ./../ what it lies in, and what begins with none of these or a slash may
// stand anywhere.
func (g *ground) expandGlob(glob string, f func(full string)) {
	switch {
	case glob == "" || glob[0] == '/' || strings.HasPrefix(glob, "**"):
		f(glob)
	case paths.Within(glob, "~"):
		for _, home := range g.homes {
			f(rooted(home, glob[1:]))
		}
	case strings.HasPrefix(glob, besideProject):
		for _, project := range g.project {
			f(rooted(paths.Parent(project), glob[len(besideProject)-1:]))
		}
	case paths.Within(glob, "."):
		for _, project := range g.project {
			f(rooted(project, glob[1:]))
		}
	default:
		f("**/" + glob)
	}
}

func rooted(root, rest string) string { return paths.Escape(strings.TrimSuffix(root, "/")) + rest }

// mayMeet compares a path with the beginning of a glob up to its first wildcard.
func mayMeet(path, glob string, tree, folding bool) bool {
	n := len(paths.Fixed(glob))
	if n > len(path) && tree {
		n = len(path)
	}
	return hasPrefix(path, glob[:n], folding) || folding && foldsBeyond(glob[:n], path)
}
