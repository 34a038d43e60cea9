package policy

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// The members that are left out by how they begin, or by their first two names, have nothing to do with the path.
func TestLeadsLeaveOutNothing(t *testing.T) {
	left, related := 0, 0
	var near []string
	for _, folding := range []bool{false, true} {
		g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj", Sandbox: "/home/dev/sandbox", Guard: []string{"/etc/longline", "/opt/ſee/longline"}, FoldCase: folding}, new(zoneTables))
		paths := []string{"/", "/home", "/home/dev", "/home/dev/proj", "/root", "/Users/x", "/users/x/.SSH", "/a/*/b", "/a/.*", "/a/..x", "/a/[b]", "/ſrv", "/opt/ſee", "/\u212Aube", "/home/dev/proj/node_modules/x"}
		var all [zoneCount][]string
		for z := range zoneCount {
			all[z] = g.table(z).all()
			for i, member := range all[z] {
				for k, root := range []string{"", "/root", "/home/dev", "/home/dev/proj", "/srv/deep"} {
					path := clean(root + "/" + strings.NewReplacer("~", "", "/**", "/x", "*", "k", "?", "q").Replace(member))
					paths = append(paths, path, path[:strings.LastIndexByte(path, '/')+1]+"other")
					switch (i + k) % 4 { // all for all would take long
					case 0:
						paths = append(paths, strings.ToUpper(path))
					case 1:
						paths = append(paths, path+"/below")
					case 2:
						paths = append(paths, strings.Replace(path, "s", "ſ", 1))
					case 3:
						paths = append(paths, path[:max(strings.LastIndexByte(path, '/'), 1)])
					}
				}
			}
		}
		for _, path := range paths {
			path = clean(path)
			p := g.place(path)
			for z := range zoneCount {
				table := g.table(z)
				near = slices.AppendSeq(near[:0], table.near(&p, false))
				seen := 0 // of those, which come in the order of all
				for _, member := range all[z] {
					if seen < len(near) && near[seen] == member {
						seen++
						continue
					}
					left++
					if r := g.memberRelation(z, table, member, &p, true); r != 0 {
						t.Fatalf("%s and %s of %v (folding %v) are not compared, but are related: %b", path, member, z, folding, r)
					}
				}
				if related += seen; seen < len(near) {
					t.Fatalf("%s is held against %s, which is no member of %v", path, near[seen], z)
				}
			}
		}
	}
	if left < 1_000_000 || related < 10_000 {
		t.Errorf("only %d pairs were left out and %d compared", left, related)
	}
}

// TestLeadsOfAnyMember: nor do members that no zone has yet.
func TestLeadsOfAnyMember(t *testing.T) {
	g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj"}, new(zoneTables))
	members := []string{"a", "a/b", "b/a/c", "~", "~/a", "~/a/b", "~a", "~a/b", "/a", "/a/b", "*", "*.pem", "*a/b", `*\*`, "a*/b", "?a", "[a]b", "é/a", ".a", ".a/b", "/", "a/*", "a/*/c", "a/**", "a/", "*/b", "~/a/", "~/*/b", "~/a/é", "a/b/c", "/b/a"}
	left := 0
	for _, dir := range []string{"", "/home/dev", "/root", "/srv"} {
		for _, name := range []string{"a", "b", "a/b", "b/a/c", "x.pem", "xa/b", "~a", "~a/b", "é/a", ".a/b", "ab", "*", "q/*", "b", "A/B", "a/é", "a/x/c", "b/b", "x/a"} {
			p := g.place(clean(dir + "/" + name))
			for _, member := range members {
				if p.holdsHome && !isName(member) || p.own.has(memberLead(member)) && p.names.lead(memberMarks(member)) {
					continue
				}
				left++
				if r := g.memberRelation(ZoneSecrets, &members0, member, &p, true); r != 0 {
					t.Errorf("%s/%s and %s are not compared, but are related: %b", dir, name, member, r)
				}
			}
		}
	}
	if left < 300 {
		t.Errorf("only %d pairs were left out", left)
	}
}

// A name that begins like many members is none of them.
func TestNamesAreNotTheirBeginnings(t *testing.T) {
	const most = 20
	g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj"}, new(zoneTables))
	for _, path := range []string{"/home/dev/.configaa", "/home/dev/.cargo2/x", "/home/dev/.config/none/of/them", "/home/dev/proj/.gitty", "/etc/none"} {
		p := g.place(path)
		for _, z := range []Zone{ZoneSecrets, ZoneAgent, ZoneStartup} {
			seen := 0
			for range g.table(z).near(&p, false) {
				seen++
			}
			if seen > most {
				t.Errorf("%s is held against %d members of %v, at most %d are accepted", path, seen, z, most)
			}
			t.Logf("%s: %d of %v", path, seen, z)
		}
	}
}

// members0 are those of a zone that has none.
var members0 members

// Names that differ in case alone lead to the same members.
func TestLeadsIgnoreCase(t *testing.T) {
	for a := 'a'; a <= 'z'; a++ {
		for _, name := range []string{string(a), "x" + string(a), string(a) + "x", string(a) + string(a)} {
			if beginOf(name) != beginOf(strings.ToUpper(name)) || endOf(name) != endOf(strings.ToUpper(name)) {
				t.Errorf("%s leads elsewhere than %s", name, strings.ToUpper(name))
			}
		}
	}
}

// A usual path is held against few of the members.
func TestLeadsLeaveLittle(t *testing.T) {
	const most = 55
	g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj"}, new(zoneTables))
	for _, path := range []string{"/home/dev/proj/src/main.go", "/home/dev/proj/README.md", "/home/dev/proj/internal/server/handler_test.go", "/usr/share/doc", "/home/dev/proj/package.json", "/home/dev/proj/docs/naïve/résumé.md"} {
		p := g.place(path)
		members, left := 0, 0
		for z := range zoneCount {
			members += len(g.table(z).all())
			for range g.table(z).near(&p, false) {
				left++
			}
		}
		if left > most {
			t.Errorf("%s is held against %d of %d members, at most %d are accepted", path, left, members, most)
		}
		t.Logf("%s: %d of %d", path, left, members)
	}
}

// A pattern is held against the names of a zone once for all directories that have nothing to do with them: that says the same as holding
// it against every member in each directory.
func TestNamesMeetInAnyDirectory(t *testing.T) {
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj"}
	dirs := []string{"/", "/home/dev", "/home/dev/proj", "/home/dev/proj/build", "/home/dev/proj/.claude", "/home/dev/proj/.git", "/home/dev/.ssh", "/home/dev/.AWS", "/etc", "/tmp/x", "/srv/Kubeconfig/a"}
	rests := []string{
		"*", ".*", "**", "**/*", "*/*", "*/.env", "*.pem", "*.json", "id_*", ".e*", "[ab]*", "?", "*/credentials", "*/hooks/*", "**/.aws/*", "s*/c*.json", "*.gz", "*rsa", "*config*", ".git*/x", "*/.git/config",
		"*secret*", "*/node_modules/*", "**/target", "*.ko", "x*/.ssh/id_rsa", "ſ*", "K*",
	}
	tried, met := 0, 0
	for _, dir := range dirs {
		for _, rest := range rests {
			for z := range zoneCount {
				for _, covers := range []bool{false, true} {
					g := newGround(w, new(zoneTables))
					s := g.patternSpot(dir, rest)
					table, folding := g.table(z), g.folds(z)
					var want meeting
					for member := range table.near(&s.at, true) {
						r, aimed := g.patternRelation(&s, z, table, member, folding, false)
						if r&(same|below) != 0 {
							want.direct = max(want.direct, perchance, ifSo(aimed, certain))
						}
						want.sweep = max(want.sweep, ifSo(r&above != 0 && covers, perchance))
					}
					if want.direct != never && g.patternExcepted(&s, z, table) {
						want.direct = never
					}
					tried++
					if want.some() {
						met++
					}
					if got := g.patternMeets(&s, z, covers); got != want {
						t.Errorf("%s/%s in %v: %v, want %v", dir, rest, z, got, want)
					}
				}
			}
		}
	}
	if tried < 5000 || met < 500 {
		t.Errorf("only %d were tried, %d of them met", tried, met)
	}
	t.Logf("%d tried, %d met", tried, met)
}
