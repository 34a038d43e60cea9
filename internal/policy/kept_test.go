package policy

import (
	"slices"
	"testing"

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
	} {
		g := newGround(&tool.World{Home: c.home, Project: c.project}, new(zoneTables))
		target := g.target(tool.Effect{Kind: tool.Delete, Target: c.path, Reach: tool.Exact, Tree: c.tree})
		if got := g.within(&target, ZoneSet(0).With(ZoneTemporary)); got != c.temporary {
			t.Errorf("%s with home %s and project %s: temporary is %v", c.path, c.home, c.project, got)
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
