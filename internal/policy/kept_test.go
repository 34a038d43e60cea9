package policy

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"longline/internal/paths"
	"longline/internal/tool"
)

// TestKeptAmongTemporary holds that a home directory or a project below /tmp is no
// temporary place.
func TestKeptAmongTemporary(t *testing.T) {
	for _, c := range []struct {
		home, project, path string
		tree, temporary     bool
	}{
		{"/tmp/home", "/tmp/home/p", "/tmp/home/notes", true, false},
		{"/tmp/home", "/tmp/home/p", "/tmp/home/p/src", true, false},
		{"/tmp/home", "/tmp/home/p", "/tmp/home", true, false},
		{"/tmp/home", "/tmp/home/p", "/tmp/other", true, true},
		{"/tmp/a/home", "/tmp/a/p", "/tmp/a", true, false},
		{"/tmp/a/home", "/tmp/a/p", "/tmp/a/x", false, true},
		{"/home/dev", "/tmp/p", "/tmp/p/src", false, false},
		{"/home/dev", "/tmp/p", "/tmp/p2/src", true, true},
		{"/home/dev", "/home/dev/p", "/tmp/home/notes", true, true},
		{"/tmp", "/tmp/p", "/tmp/x", true, true}, // all of it cannot be kept
		{"/tmp/home", "/tmp/home/p", "/tmp/*", false, false},
		{"/tmp/home", "/tmp/home/p", "/tmp/h*", false, false},
		{"/tmp/home", "/tmp/home/p", "/tmp/x*", false, true},
		{"/tmp/home", "/tmp/home/p", "/tmp/x*", true, false}, // a tree may hold it
		{"/tmp/home", "/tmp/home/p", "/tmp/*/x", false, false},
	} {
		g := newGround(&tool.World{Home: c.home, Project: c.project}, new(zoneTables))
		target := g.target(tool.Effect{Kind: tool.Delete, Target: c.path, Reach: tool.Exact, Tree: c.tree, Pattern: strings.Contains(c.path, "*")})
		if got := g.within(&target, ZoneSet(0).With(ZoneTemporary)); got != c.temporary {
			t.Errorf("%s with home %s and project %s: temporary is %v", c.path, c.home, c.project, got)
		}
	}
}

// TestAlternativesLikePaths: a pattern that can be one of some paths is all of them, with
// what links on the way mean for the effect.
func TestAlternativesLikePaths(t *testing.T) {
	w := fakeDisk()
	links := map[string]string{"/p/link": "/home/dev/.ssh", "/p/dir": "/srv"}
	w.Readlink = func(path string) (string, error) {
		if to, ok := links[path]; ok {
			return to, nil
		}
		return "", errors.New("no link")
	}
	spots := func(target target) (list []string) {
		for _, s := range target.spots {
			list = append(list, s.at.path+" "+s.rest)
		}
		return list
	}
	for _, kind := range []tool.Kind{tool.Read, tool.Write, tool.Delete} {
		for _, names := range [][]string{{"a", "b"}, {"link", "a"}, {"a", "dir/x"}, {"link", "dir"}, {"*.go", "link"}, {"dir/*", "a*"}, {"?", "a/[b]"}} {
			for _, all := range []bool{false, true} {
				g := newGround(w, new(zoneTables))
				var want []string
				for _, name := range names {
					e := tool.Effect{Kind: kind, Target: "/p/" + name, Reach: tool.Exact, Tree: all}
					e.Pattern = !paths.Literal(name)
					want = append(want, spots(g.target(e))...)
				}
				pattern := "/p/@(" + strings.Join(names, "|") + ")"
				if got := spots(g.target(tool.Effect{Kind: kind, Target: pattern, Reach: tool.Exact, Tree: all, Pattern: true})); !slices.Equal(got, want) {
					t.Errorf("%v %s: %q, its parts alone %q", kind, pattern, got, want)
				}
			}
		}
	}
}

// TestUpFromPatterns: what lies above something that a pattern matches can be anywhere.
func TestUpFromPatterns(t *testing.T) {
	g := newGround(fakeDisk(), new(zoneTables))
	for pattern, want := range map[string]bool{"/p/*/../x": true, "/p/*/..": true, "/p/../*": false, "/p/*/..x": false, "/p/*/x..": false} {
		got := g.target(tool.Effect{Kind: tool.Read, Target: pattern, Reach: tool.Exact, Pattern: true})
		if anywhere := got.reach == ReachAnywhere && len(got.spots) == 0; anywhere != want {
			t.Errorf("%s: reach %v at %d places", pattern, got.reach, len(got.spots))
		}
	}
}

// TestOneNameForAHost: however a host is written, rules see its one name, and what is none
// may be any.
func TestOneNameForAHost(t *testing.T) {
	g := newGround(fakeDisk(), new(zoneTables))
	for text, want := range map[string]string{"example.com": "example.com", "EXAMPLE.com.": "example.com", "127.1": "127.0.0.1", "0x7f000001": "127.0.0.1", "a b": "", "": ""} {
		for _, kind := range []tool.Kind{tool.Fetch, tool.Send} {
			got := g.target(tool.Effect{Kind: kind, Target: text, Reach: tool.Exact})
			if got.effect.Target != want || (got.effect.Reach == tool.Exact) != (want != "") {
				t.Errorf("%q: %+v", text, got.effect)
			}
			if open := g.target(tool.Effect{Kind: kind, Target: text, Reach: tool.Prefix}); open.effect.Target != text {
				t.Errorf("the beginning %q: %+v", text, open.effect)
			}
		}
		if name := g.target(exactly(tool.Control, text)); name.effect.Target != text {
			t.Errorf("the name %q: %+v", text, name.effect)
		}
	}
}

// TestPatternAlternatives holds that @(A|B) is taken apart and nothing else is.
func TestPatternAlternatives(t *testing.T) {
	for _, c := range []struct {
		pattern string
		want    []string
	}{
		{"/p/*.go", []string{"/p/*.go"}},
		{"/p/@(a|b)", []string{"/p/a", "/p/b"}},
		{"/p/@(**|**/.env)/x", []string{"/p/**/x", "/p/**/.env/x"}},
		{"/@(a|b)/@(c|d)", []string{"/a/c", "/a/d", "/b/c", "/b/d"}},
		{`/p/@(a\|b|c\)d)`, []string{`/p/a\|b`, `/p/c\)d`}},
		{`/p/\@(a|b)`, []string{`/p/\@(a|b)`}},
		{"/p/@(a|@(b|c))", []string{"/p/@(a|@(b|c))"}},
		{"/p/@(a", []string{"/p/@(a"}},
	} {
		if got := alternatives(c.pattern, nil); !slices.Equal(got, c.want) {
			t.Errorf("alternatives(%q) = %q, want %q", c.pattern, got, c.want)
		}
	}
}
