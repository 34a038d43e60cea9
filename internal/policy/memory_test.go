package policy

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
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
		used.shared.compared = 0
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
		g.shared.compared, g.length = test.compared, test.length
		if g.weary() != test.want {
			t.Errorf("%+v", test)
		}
	}
	g.shared.compared, g.length = maxCompared, 0
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
	w := fakeDisk("/home/dev/proj/.env", "/home/dev/proj/src/main.go", "/home/dev/.ssh/id_rsa", "/home/dev/other/a.txt", "/home/dev/.config/x")
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
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/.ssh/*", Pattern: true}, ZoneSecrets, meeting{certain, never}},
		// Of what is not there, nothing is read or deleted, and anything may be written.
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/.config", Tree: true}, ZoneSecrets, meeting{}},
		{tool.Effect{Kind: tool.Delete, Target: "/home/dev/.config", Tree: true}, ZoneSecrets, meeting{}},
		{tool.Effect{Kind: tool.Write, Target: "/home/dev/.config", Tree: true}, ZoneSecrets, meeting{never, perchance}},
		{tool.Effect{Kind: tool.Create, Target: "/home/dev/.config", Tree: true}, ZoneSecrets, meeting{never, perchance}},
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

// TestDecision: a denial of what only may be meant is a question, and a question that
// rules leave to an agent which judges itself is none, unless somebody has got at it.
func TestDecision(t *testing.T) {
	judges := &tool.Call{Judges: true}
	for _, test := range []struct {
		call     *tool.Call
		rule     Rule
		strength touch
		want     tool.Decision
	}{
		{judges, Rule{Decision: tool.Ask, Defer: true}, touching, tool.Pass},
		{judges, Rule{Decision: tool.Ask}, touching, tool.Ask},
		{judges, Rule{Decision: tool.Deny, Defer: true}, touching, tool.Deny},
		{judges, Rule{Decision: tool.Deny, Defer: true}, perhaps, tool.Pass},
		{judges, Rule{Decision: tool.Deny}, perhaps, tool.Ask},
		{judges, Rule{Decision: tool.Allow, Defer: true}, touching, tool.Allow},
		{&tool.Call{}, Rule{Decision: tool.Ask, Defer: true}, touching, tool.Ask},
		{&tool.Call{Judges: true, Past: &tool.Past{Injection: true}}, Rule{Decision: tool.Ask, Defer: true}, touching, tool.Ask},
		{&tool.Call{Judges: true, Past: &tool.Past{}}, Rule{Decision: tool.Ask, Defer: true}, touching, tool.Pass},
	} {
		if got := (&judging{call: test.call}).decision(&test.rule, test.strength); got != test.want {
			t.Errorf("%+v, %+v, %v: %v", test.call, test.rule, test.strength, got)
		}
	}
}

// TestZonesOf: which zones an effect is in and which it may reach, and none for what is
// not known or is no path.
func TestZonesOf(t *testing.T) {
	packs, err := BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := Merge(packs, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := fakeDisk("/home/dev/proj/a")
	for _, test := range []struct {
		e           tool.Effect
		in, reached Zone // one that is there; zoneCount for none at all
	}{
		{tool.Effect{Kind: tool.Write, Target: "/home/dev/proj/a", Reach: tool.Exact}, ZoneProject, zoneCount},
		{tool.Effect{Kind: tool.Write, Target: "/home/dev/.ssh/id_rsa", Reach: tool.Exact}, ZoneSecrets, zoneCount},
		{tool.Effect{Kind: tool.Delete, Target: "/home/dev", Reach: tool.Exact, Tree: true}, ZoneHome, ZoneProject},
		{tool.Effect{Kind: tool.Write, Target: "/home/dev/proj/a", Reach: tool.Anywhere}, zoneCount, zoneCount},
		{tool.Effect{Kind: tool.Write, Target: "a", Reach: tool.Exact}, zoneCount, zoneCount},
		{tool.Effect{Kind: tool.Fetch, Target: "/home/dev/proj/a", Reach: tool.Exact}, zoneCount, zoneCount},
	} {
		in, reached := set.Zones(test.e, w)
		if test.in == zoneCount != (in == 0) || test.in < zoneCount && !in.Has(test.in) || test.in == zoneCount && reached != 0 || test.reached < zoneCount && !reached.Has(test.reached) || in&reached != 0 {
			t.Errorf("%+v: in %v, reaches %v", test.e, in.Names(), reached.Names())
		}
	}
}

// TestUnexpired: of a bundle whose time is over, what makes answers stricter stays, and
// where the log goes.
func TestUnexpired(t *testing.T) {
	f := &File{
		Name: "b", Expired: true, Default: tool.Deny, HasDefault: true, Safety: High, Content: Content{Given: true, Scan: []string{ScanSandbox}, Off: []string{"x"}, Redact: true},
		Walls: Walls{Said: true, On: true}, LogPath: "/l", LogKeep: 3, Disable: []Named{{}}, AllowCommands: []Allowed{{}}, OnAllowPass: true,
	}
	kept := f.unexpired()
	if kept.Default != tool.Deny || !kept.HasDefault || kept.Safety != High || len(kept.Content.Scan) != 1 || kept.Content.Off != nil || !kept.Content.Redact || !kept.Walls.On || kept.LogPath != "/l" || kept.LogKeep != 3 || !kept.OnAllowPass || !kept.Expired {
		t.Errorf("%+v", kept)
	}
	if kept.Disable != nil || kept.AllowCommands != nil || len(f.Content.Off) != 1 {
		t.Errorf("something loosens: %+v, or the file is changed: %+v", kept, f.Content)
	}
	f.Default, f.Safety, f.Content.Scan, f.Walls = tool.Pass, Critical, nil, Walls{Said: true}
	if kept := f.unexpired(); kept.HasDefault || kept.Safety == Critical || kept.Content.Given || kept.Walls.Said {
		t.Errorf("%+v", kept)
	}
	f.Expired = false
	if f.unexpired() != f {
		t.Error("one that is not over is not itself")
	}
}

// TestOperandsAsPaths: a relative operand is a path where the directory is known.
func TestOperandsAsPaths(t *testing.T) {
	j := &judging{g: newGround(fakeDisk(), new(zoneTables)), call: &tool.Call{}}
	for _, test := range []struct {
		dir, word command.Word
		want      string
	}{
		{command.Known("/d", tool.Span{}), command.Known("a", tool.Span{}), "/d/a"},
		{command.Known("/d", tool.Span{}), command.Known("/a", tool.Span{}), "/a"},
		{command.Word{}, command.Known("/a", tool.Span{}), "/a"},
		{command.Word{Text: "/d", Reach: tool.Under}, command.Known("a", tool.Span{}), ""},
		{command.Known("", tool.Span{}), command.Known("a", tool.Span{}), ""},
		{command.Known("/d", tool.Span{}), command.Known("", tool.Span{}), ""},
		{command.Known("/d", tool.Span{}), command.Known("https://a", tool.Span{}), ""},
		{command.Known("/d[e]*", tool.Span{}), command.Word{Text: "*", Reach: tool.Exact, Glob: true}, "/d[e]*"}, // in which wildcards mean themselves
		{command.Known("/d[e]*", tool.Span{}), command.Known("a", tool.Span{}), "/d[e]*/a"},
	} {
		got, ok := j.operandTarget(&command.Invocation{Dir: test.dir}, test.word)
		if ok != (test.want != "") || ok && (len(got.spots) == 0 || got.spots[0].at.path != test.want) {
			t.Errorf("%+v in %+v: %v", test.word, test.dir, ok)
		}
	}
}

// TestMatchesName: in names a star takes everything, whatever else the glob has.
func TestMatchesName(t *testing.T) {
	for _, test := range []struct {
		glob, text string
		folding    bool
		want       bool
	}{
		{"a*", "a/b", false, true},
		{"[ab]*", "a/b", false, true},
		{"[ab]*", "c/b", false, false},
		{"a", "A", false, false},
		{"a", "A", true, true},
		{"[a]*", "A/b", true, true},
		{"é*", "éa", false, true},
		{"", "", false, true},
		{"*", "", false, true},
		{"a", "", false, false},
		{"[a", "a", false, false}, // no glob at all
		{"[a", "[a", false, false},
		{"a[b-a]*", "ab", false, false},
	} {
		if got := matchesName(test.glob, test.text, test.folding); got != test.want {
			t.Errorf("%q, %q, %v: %v", test.glob, test.text, test.folding, got)
		}
	}
}

// TestBelow: where a member of a zone can lie below a directory.
func TestBelow(t *testing.T) {
	g := newGround(fakeDisk(), new(zoneTables))
	for _, test := range []struct {
		member, root string
		want         string
	}{
		{"a/b", "/x/a", "/x/a/b"},
		{"a/b", "/x/c", ""},
		{"a/b", "/a/x/a", "/a/x/a/b"},
		{"a/b/c", "/x/a/b", "/x/a/b/c"},
		{"a*/b", "/x/ab", "/x/ab/b"},
		{"a/b", "/x/a/b", ""},
		{"~/.ssh", "/home/dev", "/home/dev/.ssh"},
		{"~/.ssh", "/srv", ""},
		{"/etc/x", "/etc", "/etc/x"},
		{"/etc/x", "/srv", ""},
	} {
		if got := strings.Join(g.below(test.member, test.root, false), " "); got != test.want {
			t.Errorf("%s below %s: %s", test.member, test.root, got)
		}
	}
}

// TestMarks: no more than a few operands are marked, and only those that are known.
func TestMarks(t *testing.T) {
	inv := &command.Invocation{}
	for i := range 20 {
		inv.Operands = append(inv.Operands, command.Known(strings.Repeat("x", i+1), tool.Span{}), command.Word{})
	}
	if got := Operands(inv); len(got) != 16 {
		t.Errorf("%d marks", len(got))
	}
	if got := Operands(&command.Invocation{Operands: []command.Word{command.Known("+:a", tool.Span{}), command.Known("a", tool.Span{})}}); len(got) != 2 || got[0] != got[1] {
		t.Errorf("%v", got)
	}
	for z := range zoneCount {
		if got, want := z.literalRoots(), z == ZoneProject || z == ZoneSandbox || z == ZoneHome; got != want {
			t.Errorf("%v: %v", z, got)
		}
	}
	for _, test := range []struct {
		a, b []uint32
		want bool
	}{{nil, nil, true}, {[]uint32{1}, nil, false}, {nil, []uint32{1}, false}, {[]uint32{1, 2}, []uint32{3, 2}, true}, {[]uint32{1}, []uint32{2}, false}} {
		if share(test.a, test.b) != test.want {
			t.Errorf("%v, %v", test.a, test.b)
		}
	}
}

// TestOneCountForACall: the questions about one call share what they may compare, the next call begins anew, and what was found out for
// another call changes nothing.
func TestOneCountForACall(t *testing.T) {
	w := fakeDisk()
	set := &Set{}
	weary := func() bool { return set.zones.open && set.zones.weary(set.zones.length) }
	ask := func(n int) {
		e := tool.Effect{Kind: tool.Read, Target: "/home/dev/*/x" + strings.Repeat("y", n) + "*.json", Reach: tool.Exact, Pattern: true}
		set.Zones(e, w)
	}
	for range 2 {
		set.Begin(0)
		ask(0)
		one := set.zones.compared
		if ask(1); one == 0 || set.zones.compared < one*3/2 {
			t.Errorf("one question takes %d, two take %d", one, set.zones.compared)
		}
		set.zones.compared = maxCompared - 1
		if weary() {
			t.Error("weary before the bound")
		}
		if ask(2); !weary() {
			t.Error("not weary after the bound")
		}
		set.End()
	}
	if ask(0); weary() || set.zones.compared >= maxCompared {
		t.Error("weary without a call")
	}
	set.Begin(0)
	ask(0)
	first := set.zones.compared
	set.Begin(0)
	if ask(0); set.zones.compared != first {
		t.Errorf("the same call takes %d, and then %d", first, set.zones.compared)
	}
	(*Set)(nil).Begin(0)
	(*Set)(nil).End()
}

// TestWorldsOfOneCall: two worlds of a call that have the same zones share what is worked out about them; others do not, and no call has what
// another has worked out with links that may lead elsewhere by now.
func TestWorldsOfOneCall(t *testing.T) {
	w := fakeDisk()
	same, other := *w, *w
	other.Secrets = []string{"/srv/key"}
	set := &Set{}
	set.Begin(0)
	first := set.groundOf(w)
	if twin := set.groundOf(&same); twin.compiled != first.compiled || twin.tables != first.tables || twin.w != &same {
		t.Error("what is the same is worked out again")
	}
	if set.groundOf(&other).compiled == first.compiled {
		t.Error("another zone of secrets is thought to be the same")
	}
	set.groundOf(w)
	set.Begin(0)
	again := *w
	if set.groundOf(&again).compiled == first.compiled {
		t.Error("another call has what was worked out for this one")
	}
	set.End()
	once := *w
	if set.groundOf(w); set.groundOf(&once).compiled == set.groundOf(w).compiled {
		t.Error("without a call worlds are one")
	}
}
