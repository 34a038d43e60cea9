package policy

import (
	"math/bits"
	"slices"
	"strings"
)

// A pattern of a path is compared with hundreds of members of zones, and nearly all of them
// differ in one of their first names. So paths are compared name by name: what stands
// between two slashes meets what stands between two slashes.

// leg is one name of a route.
type leg struct {
	name  []token
	plain bool // without wildcards
	any   bool // any number of names, as **/ stands for
}

// route is a pattern as its names.
type route []leg

// maxLegs bounds the names of a route, of which a mark is kept in a word each.
const maxLegs = 62

// routeOf cuts a pattern at its slashes. It is not ok if a ** within a name reaches over
// slashes, with which there is no route, or if there are too many: such patterns are compared letter by letter.
func routeOf(tokens []token) (r route, ok bool) {
	start := 0
	for i := 0; i < len(tokens); i++ {
		switch t := &tokens[i]; {
		case t.op == optional && i == start: // and a globstar and a slash
			if len(r) == 0 || !r[len(r)-1].any { // any number of any number of names is any number
				r = append(r, leg{any: true})
			}
			i += int(t.skip) - 1
			start = i + 1
		case t.op == globstar && i == len(tokens)-1:
			r = append(r, legOf(append(tokens[start:i:i], token{op: star})), leg{any: true})
			return r, len(r) <= maxLegs
		case t.op == globstar || t.op == optional:
			return nil, false
		case t.op == literal && t.r == '/':
			r = append(r, legOf(tokens[start:i]))
			start = i + 1
		}
	}
	r = append(r, legOf(tokens[start:]))
	return r, len(r) <= maxLegs
}

// shortened is a route of no more names than can be marked: those in the middle may be any. It may be all that
// the route may be, and more.
func (r route) shortened() route {
	if len(r) <= maxLegs {
		return r
	}
	return append(r[:maxLegs-2:maxLegs-2], leg{any: true}, r[len(r)-1])
}

func legOf(name []token) leg {
	for i := range name {
		if name[i].op != literal {
			return leg{name: name}
		}
	}
	return leg{name: name, plain: true}
}

// whatever says whether a name may be any.
func (l *leg) whatever() bool { return len(l.name) == 1 && l.name[0].op == star }

// walk is where a route can be after the names of another.
type walk struct {
	at    uint64 // a bit for each leg that can be next, and one for the end
	above bool   // the end came before the other had ended
	steps int    // names that were compared
}

// begin is where a route is before any name.
func (r route) begin() walk { return walk{at: r.onward(1)} }

// onward adds where one gets without a name.
func (r route) onward(at uint64) uint64 {
	for i := range r {
		if r[i].any && at&(1<<i) != 0 {
			at |= 1 << (i + 1)
		}
	}
	return at
}

// along goes on by the names of another route.
func (r route) along(w walk, legs []leg, folding bool) walk {
	end := uint64(1) << len(r)
	for i := range legs {
		if w.at == 0 {
			break
		}
		if legs[i].any { // to wherever from the first on, and beyond the end
			w.at, w.above = end<<1-w.at&-w.at, true
			continue
		}
		w.above = w.above || w.at&end != 0
		w.steps += bits.OnesCount64(w.at)
		w.at = r.onward(r.taking(w.at, &legs[i], folding))
	}
	return w
}

// taking is where one gets by one name.
func (r route) taking(at uint64, name *leg, folding bool) (next uint64) {
	for at &^= 1 << len(r); at != 0; at &= at - 1 {
		i := bits.TrailingZeros64(at)
		if r[i].any {
			next |= 1 << i
		} else if sameName(&r[i], name, folding) {
			next |= 1 << (i + 1)
		}
	}
	return next
}

// relation says how a route lies to another that has ended, as [compare] does.
func (r route) relation(w walk) (result relation) {
	if w.above {
		result |= above
	}
	end := uint64(1) << len(r)
	if w.at&end != 0 {
		result |= same
	}
	if w.at&^end != 0 {
		result |= below
	}
	return result
}

// sameName says whether two patterns of a name can be the same name.
func sameName(a, b *leg, folding bool) bool {
	switch {
	case a.plain && b.plain:
		return len(a.name) == len(b.name) && matchName(a.name, b.name, folding)
	case b.plain:
		return matchName(a.name, b.name, folding)
	case a.plain:
		return matchName(b.name, a.name, folding)
	case a.whatever() || b.whatever():
		return true
	}
	p, m, ok := between(a.name, b.name, folding)
	return ok && (starsMeet(p, m) || compare(p, m, folding)&same != 0)
}

// starsMeet says whether two patterns of a name can be the same for the stars at their ends: where one begins with
// a star and the other ends with one, each takes all of the other, as does one that has both and takes what stands
// beside a star of the other. It is never wrong to say no.
func starsMeet(p, m []token) bool {
	if len(p) == 0 || len(m) == 0 {
		return false
	}
	begins, ends := p[0].op == star, p[len(p)-1].op == star
	alsoBegins, alsoEnds := m[0].op == star, m[len(m)-1].op == star
	return begins && (alsoEnds || ends && slices.ContainsFunc(m, isStar)) || alsoBegins && (ends || alsoEnds && slices.ContainsFunc(p, isStar))
}

func isStar(t token) bool { return t.op == star }

// between takes off what two patterns begin and end with, as far as it has no wildcards. It
// is not ok if they differ there.
func between(p, m []token, folding bool) (restP, restM []token, ok bool) {
	for len(p) > 0 && len(m) > 0 && bothLiteral(&p[0], &m[0]) {
		if !p[0].takes(m[0].r, folding) {
			return nil, nil, false
		}
		p, m = p[1:], m[1:]
	}
	for len(p) > 0 && len(m) > 0 && bothLiteral(&p[len(p)-1], &m[len(m)-1]) {
		if !p[len(p)-1].takes(m[len(m)-1].r, folding) {
			return nil, nil, false
		}
		p, m = p[:len(p)-1], m[:len(m)-1]
	}
	return p, m, true
}

// bothLiteral says whether two tokens are characters that stand for themselves.
func bothLiteral(a, b *token) bool { return a.op == literal && b.op == literal }

// matchName says whether a pattern of a name matches one without wildcards. It is the
// usual greedy walk: on a mismatch the last star takes one letter more.
func matchName(pattern, name []token, folding bool) bool {
	pattern = afterDot(pattern, name)
	p, n, last, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p].op == star:
			last, mark = p, n
			p++
		case p < len(pattern) && pattern[p].takes(name[n].r, folding):
			p++
			n++
		case last >= 0:
			mark++
			p, n = last+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p].op == star {
		p++
	}
	return p == len(pattern)
}

// afterDot is a pattern as it matches a name that is known: a star at its beginning, which is a
// token that refuses the dot and one that takes the rest, matches nothing of a name with a dot.
func afterDot(pattern, name []token) []token {
	switch {
	case len(pattern) == 0 || pattern[0].op != firstStar:
		return pattern
	case len(name) > 0 && name[0].r == '.':
		return pattern[2:]
	}
	return pattern[1:]
}

// memberRoute is a member of a zone as routes: one for each home directory if it is of any.
type memberRoute struct {
	letters bool    // it has to be compared letter by letter
	homes   bool    // the legs come behind those of each home directory
	routes  []route // each is one that it may be
}

// memberRoute returns the routes of a member.
func (g *ground) memberRoute(z Zone, member string) memberRoute {
	key := memberKey{z, member}
	if have, ok := g.compiled.routes[key]; ok {
		return have
	}
	var m memberRoute
	if member[0] == '~' && !z.literalRoots() && z != ZoneBuild && g.homeRoutes() != nil {
		m.homes = true
		tokens, problem := compile(strings.TrimPrefix(member[1:], "/"), inRules)
		switch r, ok := routeOf(tokens); {
		case problem != "":
		case len(tokens) == 0:
			m.routes = []route{nil}
		default:
			m.routes, m.letters = []route{r}, !ok
		}
	} else {
		for _, tokens := range g.memberTokens(z, member) {
			r, ok := routeOf(tokens)
			m.routes, m.letters = append(m.routes, r), m.letters || !ok
		}
	}
	return g.compiled.routes.keep(key, m)
}

// homeRoutes are the home directories that members may be in, nil if they have no routes.
func (g *ground) homeRoutes() []route {
	if g.compiled.homes == nil {
		for _, home := range g.expand("~") {
			tokens, _ := compile(home, inRules)
			r, ok := routeOf(tokens)
			if !ok {
				return nil
			}
			g.compiled.homes = append(g.compiled.homes, r)
		}
	}
	return g.compiled.homes
}

// meetsMember says how what a pattern matches can lie to a member.
func (g *ground) meetsMember(s *spot, z Zone, member string, folding bool) (r relation) {
	p, ok := s.path()
	m := g.memberRoute(z, member)
	switch {
	case !ok || m.letters:
		for _, tokens := range g.memberTokens(z, member) {
			g.shared.compared += letterSteps(len(s.all()) * len(tokens))
			r |= compare(s.all(), tokens, folding)
		}
	case m.homes:
		for _, start := range g.fromHomes(s, folding) {
			for _, legs := range m.routes {
				r |= g.relation(p, p.along(start, legs, folding))
			}
		}
	default:
		for _, legs := range m.routes {
			r |= g.relation(p, p.along(p.begin(), legs, folding))
		}
	}
	return r
}

// letterSteps is how many names could be compared while two patterns are letter by letter, of which the lengths have
// this product. Of long ones, which have many wildcards, more pairs of letters are looked at.
func letterSteps(product int) int { return product/16 + max(0, product-4096)/4 }

// relation is the relation at the end of a walk, whose steps count.
func (g *ground) relation(p route, w walk) relation {
	g.shared.compared += w.steps
	return p.relation(w)
}

// fromHomes is where a pattern can be after each of the home directories, as far as it can be
// anywhere.
func (g *ground) fromHomes(s *spot, folding bool) []walk {
	kind := 0
	if folding {
		kind = 1
	}
	if s.homes[kind] == nil {
		p, _ := s.path()
		s.homes[kind] = make([]walk, 0, len(g.homeRoutes()))
		for _, home := range g.homeRoutes() {
			if w := p.along(p.begin(), home, folding); w.at != 0 || w.above {
				s.homes[kind] = append(s.homes[kind], w)
			}
		}
	}
	return s.homes[kind]
}

// insideMember says whether all that a pattern matches is a member or below it.
func (g *ground) insideMember(s *spot, z Zone, member string, folding bool) (r relation) {
	for _, m := range g.memberTokens(z, member) {
		r |= inside(s.all(), m, folding)
	}
	return r
}
