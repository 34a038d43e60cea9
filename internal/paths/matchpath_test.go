package paths_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"longline/internal/paths"
)

// slowly is MatchPath as it is defined: every number of names that each "**" may take.
func slowly(glob, path string, tree bool) bool {
	name, rest, more := paths.CutGlob(glob)
	first, below, deep := strings.Cut(path, "/")
	if name == "**" && more {
		return slowly(rest, path, tree) || deep && slowly(glob, below, tree)
	}
	is, sure := paths.Match(name, first)
	switch {
	case !is || !sure || strings.HasPrefix(first, ".") && !strings.HasPrefix(name, "."):
		return false
	case !more:
		return deep == tree || tree && name == "*"
	}
	return deep && slowly(rest, below, tree)
}

// TestMatchPathByNames holds quick matching against the slow one.
func TestMatchPathByNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string, most int) string {
		parts := make([]string, 1+rng.IntN(most))
		for i := range parts {
			parts[i] = list[rng.IntN(len(list))]
		}
		return strings.Join(parts, "/")
	}
	matched := 0
	for range 50000 {
		glob, path := pick([]string{"**", "**", "*", "a", "b*", ".*"}, 6), pick([]string{"a", "b", "ab", ".c"}, 6)
		for _, tree := range []bool{false, true} {
			want := slowly(glob, path, tree)
			if got := paths.MatchPath(glob, path, tree); got != want {
				t.Fatalf("MatchPath(%q, %q, %v) = %v", glob, path, tree, got)
			}
			if want {
				matched++
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d matched", matched)
	}
}

// TestMatchPathCost: many "**" cost no more than their number.
func TestMatchPathCost(t *testing.T) {
	began := time.Now()
	for _, glob := range []string{strings.Repeat("**/", 1000) + "x", strings.Repeat("**/a/", 100) + "x", strings.Repeat("*/**/", 20) + "x"} {
		if paths.MatchPath(glob, strings.Repeat("a/", 200)+"y", false) {
			t.Errorf("%.20s... matches", glob)
		}
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %s", took)
	}
}
