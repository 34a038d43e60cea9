package policy

import (
	"testing"

	"longline/internal/tool"
)

// What the index leaves out could not have matched.
func TestIndexLeavesOutNothing(t *testing.T) {
	globs := []string{
		"/", "/**", "/srv", "/srv/**", "/srv/a*/b", "/SRV/x", "~", "~/**", "~/.ssh/*", "~/.s?h", "./**", ".", "./src/*.go", "name", "*.go", ".*", "~x/y", "..", "../x",
		"**/x", "[/]srv", `/srv/\*`, "/s", "/srv/a", "/home/dev/**", "/home/*/x",
	}
	paths := []string{
		"/", "/srv", "/srv/a", "/srv/ab/b", "/srv/*", "/s", "/SRV/X", "/home", "/home/dev", "/home/dev/.ssh/id", "/home/dev/.ssh", "/home/dev/proj", "/home/dev/proj/src/a.go",
		"/home/dev/proj/.env", "/home/devil", "/home/dev/.sxh", "/*/a", "/home/*/x", "/srv/**/q", "/ſrv/a",
	}
	skipped := 0
	for _, folding := range []bool{false, true} {
		g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj", FoldCase: folding}, new(zoneTables))
		for _, path := range paths {
			for bits := range 1 << 4 {
				e := tool.Effect{Kind: tool.Read, Target: path, Reach: tool.Exact, Pattern: bits&1 != 0, Tree: bits&2 != 0}
				if bits&4 != 0 {
					e.Reach = tool.Under
				}
				if bits&8 != 0 {
					e.Reach, e.Kind = tool.Prefix, tool.Delete
				}
				for _, glob := range globs {
					start := beginnings([]string{glob}, e.Kind)
					one := g.target(e)
					if len(start) == 0 || g.near(&one, start[0]) {
						continue
					}
					skipped++
					direct, sweep := g.meetsPaths(&one, []string{glob})
					if direct || sweep || g.insidePaths(&one, []string{glob}) {
						t.Errorf("%+v and %q (folding %v) were not compared, but meet", e, glob, folding)
					}
				}
			}
		}
	}
	if skipped < 1000 {
		t.Errorf("only %d pairs were left out", skipped)
	}
}
