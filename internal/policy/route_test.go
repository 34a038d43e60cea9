package policy

import (
	"math/rand/v2"
	"strings"
	"testing"

	"longline/internal/tool"
)

// randomPath is a pattern of a path as commands and zones have them: it begins with a slash
// or with any directories, and has no empty name.
func randomPath(r *rand.Rand, ends bool) string {
	names := []string{"a", "b", "ab", ".a", "*", "a*", "*b", "?", "?b", ".*", "[ab]", "[!a]b", `\*`, "A", "é", "*a*", "a*b*", "b?a", "[a-c]*", "**", "**"}
	var b strings.Builder
	if r.IntN(4) == 0 {
		b.WriteString("**")
	}
	for n := 1 + r.IntN(4); n > 0; n-- {
		b.WriteString("/" + names[r.IntN(len(names))])
	}
	if ends && r.IntN(4) == 0 {
		b.WriteString("**")
	}
	if r.IntN(40) == 0 {
		b.WriteString("a**b")
	}
	return b.String()
}

// Comparing name by name says what comparing letter by letter says.
func TestRoutes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	held, met := 0, [8]int{}
	for range 60_000 {
		pattern, member := randomPath(r, true), randomPath(r, false)
		dialect, folding := dialect(r.IntN(2)), r.IntN(2) == 0
		p, _ := compile(pattern, dialect)
		m, problem := compile(member, inRules)
		if problem != "" {
			t.Fatalf("%s: %s", member, problem)
		}
		pr, ok := routeOf(p)
		if odd := strings.Contains(pattern, "a**b"); odd == ok {
			t.Fatalf("routeOf(%s): %v", pattern, ok)
		}
		mr, mok := routeOf(m)
		if !ok || !mok {
			continue
		}
		held++
		// A walk may be interrupted anywhere.
		at := r.IntN(len(mr) + 1)
		got := pr.relation(pr.along(pr.along(pr.begin(), mr[:at], folding), mr[at:], folding))
		want := compare(p, m, folding)
		met[want&7]++
		if got != want {
			t.Fatalf("%s to %s (dialect %d, folding %v): name by name %03b, letter by letter %03b", pattern, member, dialect, folding, got, want)
		}
	}
	for r, n := range met {
		if n == 0 && r != int(below|above) {
			t.Errorf("no two patterns lie to each other as %03b", r)
		}
	}
	if held < 40_000 {
		t.Errorf("only %d comparisons", held)
	}
}

// TestMembersByRoute: a member of a zone is met by name as it is letter by letter, in each
// home directory, and whether or not the pattern can be told in names.
func TestMembersByRoute(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	grounds := []*ground{
		newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj", Sandbox: "/home/dev/s"}, new(zoneTables)),
		newGround(&tool.World{Home: strings.Repeat("/h", 70), Project: "/p", Sandbox: "/s"}, new(zoneTables)),
	}
	met, elsewhere := [2]int{}, 0
	for n := range 4000 {
		g := grounds[flag(n%20 == 0)]
		z := Zone(r.IntN(int(zoneCount)))
		members := append([]string{"~", "~/.ssh", "**/a**b"}, g.table(z).all()...)
		member := members[r.IntN(len(members))]
		name := strings.NewReplacer("~", g.w.Home, "**", "x").Replace(member)
		if !strings.HasPrefix(name, "/") {
			name = "/srv/" + name
		}
		for _, cut := range []string{"*", "?", "**", "x**y", "/**", "/**/**/**/", strings.Repeat("/*", 70) + "/"} { // a part of the member is not known
			from := r.IntN(len(name))
			to := from + r.IntN(len(name)-from)
			pattern := clean("/" + name[:from] + cut + name[to:])
			folding := r.IntN(2) == 0
			s := spot{at: g.place("/"), rest: pattern[1:]}
			want := relation(0)
			for _, tokens := range g.memberTokens(z, member) {
				want |= compare(s.all(), tokens, folding)
			}
			g.shared.compared = 0
			got := g.meetsMember(&s, z, member, folding)
			_, named := s.path()
			legs, _ := routeOf(s.all())
			if got&want != want || got != want && len(legs) <= maxLegs || got != 0 && named && len(g.homeRoutes()) > 0 && g.shared.compared == 0 {
				t.Fatalf("%s to %s of %v: %03b after %d comparisons, letter by letter %03b", pattern, member, z, got, g.shared.compared, want)
			}
			met[flag(named)] += flag(want != 0)
			if g.endsElsewhere(&s, z, member, folding) {
				elsewhere++
				if want&same != 0 {
					t.Fatalf("%s does not end as %s of %v, but may be it", pattern, member, z)
				}
			}
		}
	}
	if met[0] < 500 || met[1] < 500 || elsewhere < 500 {
		t.Errorf("%d patterns without names and %d with names met their members, %d ended elsewhere", met[0], met[1], elsewhere)
	}
}

// wholeRelation is patternRelation without what is quick to say that a pattern is not after a member, or that its names are others.
func wholeRelation(g *ground, s *spot, z Zone, table *members, member string, folding bool) (relation, bool) {
	dir := g.memberRelation(z, table, member, &s.at, folding)
	if table.holds(dir) {
		return below, true
	}
	named, leads := z.names(member), z.leads(s.at.path, member)
	if dir&above == 0 && (!named || !nameMayMeet(s.rest, member, false)) {
		return 0, false
	}
	member, folder := strings.CutSuffix(member, "/")
	if named && s.deep && !leads && !endsMayMeet(lastName(s.rest), lastName(member)) {
		return 0, false
	}
	r := g.meetsMember(s, z, member, folding)
	if table.itself || folder {
		r &^= below
	}
	if named {
		return g.nameRelation(s, member, r&^above, leads, folding)
	}
	return r, r&same != 0 && g.means(s, z, member, folding)
}

// TestQuickLooksLeaveOutNothing: what is quick to tell a pattern from a member is never wrong.
func TestQuickLooksLeaveOutNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj", Sandbox: "/home/dev/s", Guard: []string{"/opt/a[b/longline", "/home/dev/*x"}}, new(zoneTables))
	var all [zoneCount][]string
	for z := range zoneCount {
		all[z] = g.table(z).all()
	}
	tries, met, left := 6000, 0, 0
	if testing.Short() {
		tries = 1000
	}
	for range tries {
		z := Zone(random.IntN(int(zoneCount)))
		if len(all[z]) == 0 {
			continue
		}
		name := strings.NewReplacer("~", "", "**", "x").Replace(all[z][random.IntN(len(all[z]))])
		name = []string{"/home/dev", "/home/dev", "/root", "/home/dev/proj", "", "/home/Other/.config"}[random.IntN(6)] + "/" + strings.TrimPrefix(name, "/")
		for range 1 + random.IntN(3) { // parts of it are not known
			from := random.IntN(len(name))
			to := min(len(name), from+random.IntN(6))
			name = name[:from] + []string{"*", "*", "?", "/*/", "*/", "**", "/**/", "[a-z]", "x", "S", "ſ", "é*", `\*`, "*.", ".*", "@(a|b)"}[random.IntN(16)] + name[to:]
		}
		target := g.target(tool.Effect{Kind: tool.Delete, Target: "/" + strings.TrimLeft(name, "/"), Reach: tool.Exact, Pattern: true, Tree: true})
		for i := range target.spots {
			s := &target.spots[i]
			if s.rest == "" {
				continue
			}
			for _, member := range all[z] {
				folding := random.IntN(2) == 0
				got, aimed := g.patternRelation(s, z, g.table(z), member, folding, false)
				want, wantAimed := wholeRelation(g, s, z, g.table(z), member, folding)
				if got != want || aimed != wantAimed {
					t.Fatalf("%s and %s of %v, folding %v: %b, %v; want %b, %v", name, member, z, folding, got, aimed, want, wantAimed)
				}
				if met += flag(want != 0); want == 0 {
					left++
				}
			}
		}
	}
	if met < tries/4 || left < 10*tries {
		t.Errorf("only %d were met and %d not", met, left)
	}
	t.Logf("%d met, %d not", met, left)
}

// When a call has compared enough, what a pattern matches may be anything: no place that it met
// before is not met, and it lies inside nothing.
func TestWeary(t *testing.T) {
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj", Sandbox: "/home/dev/s"}
	fresh, weary := newGround(w, new(zoneTables)), newGround(w, new(zoneTables))
	fresh.length, weary.shared.compared = 1<<30, maxCompared
	met := 0
	for _, pattern := range []string{"/home/dev/*", "/home/dev/.s*/id_*", "/**/*.pem", "/home/dev/proj/*.go", "/etc/pass*", "/home/dev/proj/.git/h*/*", "/dev/sd?", "/home/dev/proj/**/CLAUDE.m?", "/t*/x"} {
		for _, kind := range []tool.Kind{tool.Read, tool.Write, tool.Delete} {
			e := tool.Effect{Kind: kind, Target: pattern, Reach: tool.Exact, Pattern: true, Tree: kind == tool.Delete}
			for z := range zoneCount {
				a, b := fresh.target(e), weary.target(e)
				want, got := fresh.touches(&a, z), weary.touches(&b, z)
				if want.direct != never && got.direct == never || want.sweep != never && got.sweep == never {
					t.Errorf("%v %s, zone %v: %v, weary %v", kind, pattern, z, want, got)
				}
				if want.some() {
					met++
				}
				if only := ZoneSet(0).With(z); weary.within(&b, only) && !fresh.within(&a, only) {
					t.Errorf("%v %s is in zone %v for a weary ground only", kind, pattern, z)
				}
			}
		}
	}
	if met < 30 {
		t.Errorf("only %d zones were met", met)
	}
}

// TestDiffer: names that are told apart by their first bytes do not match.
func TestDiffer(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			for _, folding := range []bool{false, true} {
				pattern, name := string([]byte{byte(a), 'x'}), string([]byte{byte(b), 'x'})
				if differ(byte(a), byte(b), folding) && (matchesComponent(pattern, name, folding) || matchesComponent(pattern[:1], name[:1], folding)) {
					t.Errorf("%q matches %q, folding %v", pattern, name, folding)
				}
			}
		}
	}
}

// TestNamesMeetByTheirEnds: two patterns that can be the same name may meet by how they begin and end and by their letters, and one that lies
// inside another ends as it does.
func TestNamesMeetByTheirEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	pieces := []string{"a", "b", "A", ".", "-", "1", "*", "?", "ab", "é", "ſ", "s", "K", "\u212a"}
	name := func() (text string) {
		for range 1 + random.IntN(4) {
			text += pieces[random.IntN(len(pieces))]
		}
		return strings.ReplaceAll(text, "**", "*")
	}
	met, inner := 0, 0
	for range 200_000 {
		a, b := name(), name()
		p, _ := compile(a, inRules)
		m, _ := compile(b, inRules)
		if strings.Contains(a+"/"+b, "**") {
			continue
		}
		if x, y := legOf(p), legOf(m); sameName(&x, &y, true) {
			if met++; !endsMayMeet(a, b) {
				t.Fatalf("%s and %s can be the same name", a, b)
			}
		}
		if inside(p, m, true)&same != 0 {
			if inner++; !endsWithin(a, b) {
				t.Fatalf("%s is inside %s", a, b)
			}
		}
	}
	if met < 5000 || inner < 1000 {
		t.Errorf("only %d met, %d inside", met, inner)
	}
}
