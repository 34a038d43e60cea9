package shell

import (
	"math/rand/v2"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/paths"
)

// TestFilesPerhaps holds what may have been written to a path against a look at every
// file.
func TestFilesPerhaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	names := []string{"a", "b", "c*", "d", "e[1]"}
	path := func() string {
		p := ""
		for range 1 + r.IntN(3) {
			p += "/" + names[r.IntN(len(names))]
		}
		return p
	}
	for range 5000 {
		var list files
		all := map[string]bool{}
		for i := range r.IntN(8) {
			name := path()
			if r.IntN(3) == 0 {
				name = "?" + name[:r.IntN(len(name)+1)]
			}
			all[name] = true
			list.update(name, func(f *file) { f.data.Taint = command.Taint(1 << (i % 3)) })
		}
		at := path()
		var want command.Taint
		found := false
		for name := range all {
			to, begins := strings.CutPrefix(name, "?")
			covered := begins && strings.HasPrefix(at, to) || paths.Within(at, strings.TrimSuffix(to, "/"))
			if glob := strings.IndexAny(to, "*?[{\\"); glob >= 0 { // what it matches, and the directory that it is in
				match, sure := paths.Match(to+"*", at)
				covered = match || !sure || at == paths.Clean("/", to[:strings.LastIndexByte(to[:glob], '/')+1])
			}
			if covered {
				found = true
				want |= list.get(name).data.Taint
			}
		}
		got := list.perhaps(at)
		if (got != nil) != found || found && got.data.Taint != want {
			t.Fatalf("%s with %v: %v, want %v", at, all, got, want)
		}
	}
}
