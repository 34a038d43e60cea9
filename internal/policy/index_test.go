package policy

import (
	"testing"

	"longline/internal/tool"
)

// What the index leaves out could not have matched.
func TestIndexLeavesOutNothing(t *testing.T) {
	globs := []string{
		"/", "/**", "/srv", "/srv/**", "/srv/a*/b", "/SRV/x", "~", "~/**", "~/.ssh/*", "~/.s?h", "./**", ".", "./src/*.go", "name", "*.go", ".*", "~x/y", "..", "../x",
		"**/x", "[/]srv", `/srv/\*`, "/s", "/s*", "/s/**", "/s/x*", "~/.*", "~/p*", "~/proj/**", "~/.ss*", "/sr*", "/srv*", "/srv/a", "/home/dev/**", "/home/*/x",
		"/Été/**", "/été/x*", "~/é*", "/k/x", "/aé", "*é", "./ſrc/**",
	}
	paths := []string{
		"/", "/srv", "/srv/a", "/srv/ab/b", "/srv/*", "/s", "/SRV/X", "/home", "/home/dev", "/home/dev/.ssh/id", "/home/dev/.ssh", "/home/dev/proj", "/home/dev/proj/src/a.go",
		"/home/dev/proj/.env", "/home/devil", "/s/x", "/s/xy", "/sr", "/srvx", "/home/dev/pr", "/home/dev/.sxh", "/*/a", "/home/*/x", "/srv/**/q", "/ſrv/a", "/srv/@(*/..|a)/x", "/srv/@(a|b)",
		"/été/X", "/ÉTÉ/x", "/home/dev/É", "/\u212a/x", "/aÉ", "/a/é", "/home/dev/proj/src/é.go", "/home/dev/proj/ſrc/a.go", "/é",
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
					start := beginnings(&Places{Paths: []string{glob}}, e.Kind)
					one := g.target(e)
					leads := leadsOfTargets([]target{one}, e.Kind)
					if len(start) == 0 || leads.has(beginningLead(start[0], e.Kind)) && g.near(&one, start[0]) {
						continue
					}
					skipped++
					if g.meetsPaths(&one, []string{glob}).some() || g.insidePaths(&one, []string{glob}) {
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

func TestIndexOfWordsLeavesOutNothing(t *testing.T) {
	globs := []string{
		"git.push", "git.*", "*", "*.push", "git.push*", "g?t.push", "[g]it.push", `git\.push`, "GIT.push", "localhost", "Local*", "127.0.0.1", "*.example.com", "example.com", "EXAMPLE.com", "\uFFFDx", "x\uFFFD*", "ſ.example", "é.example", "xÉ.example", "É*",
	}
	words := []string{"", "git.push", "git.push.force", "git.pull", "GIT.PUSH", "localhost", "127.0.0.1", "127.1.2.3", "[::1]", "127.0.0.1.example.com", "example.com", "Example.COM", "a.example.com", "\xffx", "x\xfe", "S.example", "s.example", "K", "\u212A", "É.example", "é.example", "xé.example", "ſ.example", "exampleé"}
	skipped := 0
	for _, kind := range []tool.Kind{tool.Fetch, tool.Send, tool.Execute, tool.Control} {
		for _, word := range words {
			for _, reach := range []tool.Reach{tool.Exact, tool.Prefix, tool.Anywhere} {
				for _, pattern := range []bool{false, true} {
					one := target{effect: tool.Effect{Kind: kind, Target: word, Reach: reach, Pattern: pattern}}
					for _, glob := range globs {
						start := wordBeginnings([]string{glob})
						leads := leadsOfTargets([]target{one}, kind)
						if len(start) == 0 || leads.has(beginningLead(start[0], kind)) && nearWord(&one, start[0]) {
							continue
						}
						skipped++
						if new(ground).meetsWord(&one, []string{glob}) || insideWord(&one, []string{glob}) {
							t.Errorf("%+v and %q were not compared, but meet", one.effect, glob)
						}
					}
				}
			}
		}
	}
	if skipped < 500 {
		t.Errorf("only %d pairs were left out", skipped)
	}
}
