package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestTreesAreLookedThroughOnce counts how often the disk is looked at: as often for a
// command that stands in a script fifty times as for one that stands there once.
func TestTreesAreLookedThroughOnce(t *testing.T) {
	g := builtin(t)
	looks := func(script string) (n int) {
		w := world()
		w.Exists = func(string) bool { n++; return true }
		w.Entries = func(string) ([]tool.Entry, bool) { n++; return []tool.Entry{{Name: "notes"}}, true }
		g.Judge(attended(script), w)
		return n
	}
	for _, command := range []string{"rm -rf $v/*\n", "rm -rf ../other\n", "cp -r $v /home/dev/copy\n", "ls -R /home/dev\n"} {
		once, often := looks(command), looks(strings.Repeat(command, 50))
		if often > 2*once+50 {
			t.Errorf("%q: %d looks at the disk, fifty times %d", command, once, often)
		}
	}
}
