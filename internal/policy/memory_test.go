package policy

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// fakeDisk is a world in which some files are there.
func fakeDisk(files ...string) *tool.World {
	there := map[string]bool{"/": true}
	for _, file := range files {
		for at := file; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
			there[at] = true
		}
	}
	return &tool.World{
		Home: "/home/dev", Project: "/home/dev/proj",
		Exists: func(path string) bool { return there[path] },
		Entries: func(dir string) (list []tool.Entry, whole bool) {
			for path := range there {
				if name, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/"); ok && name != "" && !strings.Contains(name, "/") {
					list = append(list, tool.Entry{Name: name})
				}
			}
			slices.SortFunc(list, func(a, b tool.Entry) int { return strings.Compare(a.Name, b.Name) })
			return list, true
		},
	}
}

// TestMemoryChangesNothing: how an effect meets a zone does not depend on what was looked
// at before in the same call.
func TestMemoryChangesNothing(t *testing.T) {
	w := fakeDisk("/home/dev/proj/.env", "/home/dev/proj/src/main.go", "/home/dev/.ssh/id_rsa", "/srv/x/y")
	tables := new(zoneTables)
	r := rand.New(rand.NewPCG(13, 14))
	targets := []string{"/", "/**", "/*", "/srv", "/srv/x", "/srv/*", "/srv/**", "/home/dev", "/home/dev/*", "/home/dev/**", "/home/dev/.*", "/home/dev/.ssh", "/home/dev/.ssh/*", "/home/dev/proj", "/home/dev/proj/*", "/home/dev/proj/.e*", "/home/dev/proj/**", "/tmp/x", "/etc/*", "/etc/p*", "/home/*/.ssh/*"}
	used := newGround(w, tables)
	met := 0
	for range 2000 {
		e := tool.Effect{
			Kind: []tool.Kind{tool.Read, tool.Write, tool.Delete, tool.Create}[r.IntN(4)], Target: targets[r.IntN(len(targets))],
			Reach: []tool.Reach{tool.Exact, tool.Exact, tool.Prefix, tool.Under}[r.IntN(4)], Tree: r.IntN(2) == 0, Put: r.IntN(4) == 0,
		}
		e.Pattern = strings.Contains(e.Target, "*") && e.Reach == tool.Exact
		used.compared = 0
		a, b, fresh := used.target(e), used.target(e), newGround(w, tables)
		z := Zone(r.IntN(int(zoneCount)))
		got := used.touches(&a, z)
		if again := used.touches(&a, z); again != got {
			t.Fatalf("%+v, %v: %v, and then %v", e, z, got, again)
		}
		want := fresh.touches(&b, z)
		if c := fresh.target(e); got != want || fresh.touches(&c, z) != want {
			t.Fatalf("%+v, %v: %v, alone %v", e, z, got, want)
		}
		if got.some() {
			met++
		}
	}
	if met < 200 || met > 1800 {
		t.Errorf("%d of them meet", met)
	}
}

// TestWearyBounds: beyond a bound, which grows with the script, a pattern may match anything.
func TestWearyBounds(t *testing.T) {
	g := newGround(fakeDisk(), new(zoneTables))
	for _, test := range []struct {
		compared, length int
		want             bool
	}{{maxCompared - 1, 0, false}, {maxCompared, 0, true}, {maxCompared, 1, false}, {maxCompared + comparedPerByte, 1, true}} {
		g.compared, g.length = test.compared, test.length
		if g.weary() != test.want {
			t.Errorf("%+v", test)
		}
	}
	g.compared, g.length = maxCompared, 0
	for _, tree := range []bool{false, true} {
		p := g.target(tool.Effect{Kind: tool.Read, Target: "/srv/q*", Pattern: true, Reach: tool.Exact, Tree: tree})
		if got, want := g.touches(&p, ZoneSecrets), (meeting{perchance, ifSo(tree, perchance)}); got != want {
			t.Errorf("tree %v: %v", tree, got)
		}
	}
}

// TestMeetings: how chances go together.
func TestMeetings(t *testing.T) {
	all := []chance{never, perchance, certain}
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				for _, d := range all {
					m, o := meeting{a, b}, meeting{c, d}
					if m.or(o) != o.or(m) || m.and(o) != o.and(m) || m.or(m) != m {
						t.Errorf("%v and %v", m, o)
					}
					both := m.and(o)
					if both.some() && (!m.some() || !o.some()) || both.direct > a || both.direct > c || both.direct > never != (a > never && c > never) {
						t.Errorf("%v and %v are %v", m, o, both)
					}
					if m.or(o).some() != (m.some() || o.some()) {
						t.Errorf("%v or %v", m, o)
					}
					if a == never && b > never && c > never && both.sweep != min(b, max(c, d)) {
						t.Errorf("%v and %v are %v", m, o, both)
					}
				}
			}
		}
	}
}

// TestTouches: what of a tree is touched depends on what is there, and on what is done.
func TestTouches(t *testing.T) {
	w := fakeDisk("/home/dev/proj/.env", "/home/dev/proj/src/main.go", "/home/dev/.ssh/id_rsa", "/home/dev/other/a.txt")
	for _, test := range []struct {
		e    tool.Effect
		z    Zone
		want meeting
	}{
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/.env"}, ZoneSecrets, meeting{certain, never}},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/src/main.go"}, ZoneSecrets, meeting{}},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj", Tree: true}, ZoneSecrets, meeting{}}, // a name alone is not looked for in trees
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/src", Tree: true}, ZoneSecrets, meeting{}},
		{tool.Effect{Kind: tool.Write, Target: "/home/dev/proj/src", Tree: true}, ZoneSecrets, meeting{}},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj"}, ZoneSecrets, meeting{}},
		{tool.Effect{Kind: tool.Delete, Target: "/home/dev", Tree: true}, ZoneSecrets, meeting{never, certain}},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/.e*", Pattern: true}, ZoneSecrets, meeting{certain, never}},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/*", Pattern: true}, ZoneSecrets, meeting{}}, // which is hidden
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/*.go", Pattern: true}, ZoneSecrets, meeting{}},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/main.go", Reach: tool.Prefix}, ZoneProject, meeting{perchance, perchance}},
		{tool.Effect{Kind: tool.Read, Target: "x", Reach: tool.Anywhere}, ZoneSecrets, meeting{never, perchance}},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/src/main.go"}, ZoneProject, meeting{certain, never}},
		{tool.Effect{Kind: tool.Write, Target: "/etc/passwd"}, ZoneSystem, meeting{certain, never}},
		{tool.Effect{Kind: tool.Write, Target: "/home/dev/x"}, ZoneSystem, meeting{}},
	} {
		if test.e.Reach == tool.Anywhere && test.e.Target != "x" {
			test.e.Reach = tool.Exact
		}
		g := newGround(w, new(zoneTables))
		one := g.target(test.e)
		if got := g.touches(&one, test.z); got != test.want {
			t.Errorf("%+v, %v: %v, want %v", test.e, test.z, got, test.want)
		}
	}
}

// TestThere: whether something that a pattern matches is there, as far as that can be
// looked up.
func TestThere(t *testing.T) {
	w := fakeDisk("/a/b1/x.pem", "/a/b2/y", "/a/B3")
	for pattern, want := range map[string]chance{
		"/a/b1/x.pem": certain, "/a/b1/z": never, "/a/b*/x.pem": certain, "/a/*/y": certain, "/a/b2/*.pem": never, "/*/b1/*": certain, "/a/c*": never, "/none/*": never, "/a/b3*": never,
	} {
		g := newGround(w, new(zoneTables))
		if got := g.there(pattern, false); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
	g := newGround(w, new(zoneTables))
	if got := g.there("/a/b3*", true); got != certain {
		t.Errorf("without regard to case: %v", got)
	}
	entries := w.Entries
	w.Entries = func(dir string) ([]tool.Entry, bool) { list, _ := entries(dir); return list, false }
	if got := g.there("/a/c*", false); got != perchance {
		t.Errorf("not all is listed: %v", got)
	}
	w.Entries = nil
	if got := g.there("/a/c*", false); got != perchance {
		t.Errorf("nothing can be listed: %v", got)
	}
	var files []string
	for i := range maxListed + 1 {
		files = append(files, "/a/d/"+string(rune('a'+i)))
		want := certain
		if i == maxListed {
			want = perchance
		}
		if got := newGround(fakeDisk(files...), new(zoneTables)).there("/a/d/*", false); got != want {
			t.Errorf("%d files: %v", len(files), got)
		}
	}
}
