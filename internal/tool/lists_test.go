package tool

import (
	"fmt"
	"testing"
)

// One reading asks about a directory once, whether a slash ends it or not; the root is not nothing. What there is no room for is asked about again.
func TestListedOnce(t *testing.T) {
	asked := map[string]int{}
	w := (&World{Entries: func(dir string) ([]Entry, bool) {
		asked[dir]++
		if dir == "" {
			return nil, false
		}
		return make([]Entry, 1000, 2000), true
	}}).Remembering()
	for range 3 {
		for _, dir := range []string{"", "/", "/a", "/a/", "/b/", "/b"} {
			if list, whole := w.Entries(dir); whole != (dir != "") || whole && len(list) != 1000 || cap(list) > 1000 {
				t.Errorf("%q: %d entries with room for %d, whole: %v", dir, len(list), cap(list), whole)
			}
		}
	}
	if fmt.Sprint(asked) != "map[:1 /:1 /a:1 /b/:1]" {
		t.Errorf("asked %v", asked)
	}
	for i := range 100 {
		dir := fmt.Sprint("/", i)
		w.Entries(dir)
		w.Entries(dir)
		if n := asked[dir]; n < 1 || n > 2 || n == 1 && i > maxEntries/1000 {
			t.Errorf("%s is asked about %d times", dir, n)
		}
	}
}
