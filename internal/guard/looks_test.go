package guard_test

import (
	"fmt"
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

// TestGreatTreesAreBounded counts the names that are looked at in a tree that has no end.
func TestGreatTreesAreBounded(t *testing.T) {
	const most = 100_000
	g := builtin(t)
	var list []tool.Entry
	for i := range 500 {
		list = append(list, tool.Entry{Name: fmt.Sprint("n", i), Dir: i%10 == 0})
	}
	for _, script := range []string{"cp -r /usr x", "tar cf x /", `grep -r "" /usr`, "cp -r /usr/*/* x", "cat $(find /usr)", "rsync -a /usr/ x", "rm -rf /usr/*/*"} {
		n := 0
		w := world()
		w.Exists = func(string) bool { return true }
		w.Readlink = func(string) (string, error) { n++; return "", tool.ErrNotLink }
		w.Entries = func(string) ([]tool.Entry, bool) { return list, true }
		g.Judge(attended(script), w)
		if n > most {
			t.Errorf("%s: %d names are looked at, at most %d are accepted", script, n, most)
		}
	}
}
