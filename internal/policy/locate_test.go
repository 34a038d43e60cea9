package policy

import (
	"math/rand/v2"
	"strings"
	"testing"

	"longline/internal/tool"
)

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
		if compare(p, m, true)&same != 0 {
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
