package paths

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEnds: what a glob matches of a text is what [Match] says when all its parts are tried.
func TestEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	elements := []string{"a", "b", "*", "*", "?", "[ab]", "[!a]", `\a`, `\*`, "é", "[", "*b"}
	letters := []string{"a", "b", "a", "*", "[", "c"}
	pick := func(list []string, n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(list[r.IntN(len(list))])
		}
		return b.String()
	}
	met := 0
	for range 60_000 {
		glob, text := pick(elements, 7), pick(letters, 9)
		if !strings.ContainsAny(glob, "?[") && r.IntN(2) == 0 {
			text += "é" + pick(letters, 3)
		}
		if isBeyond(glob) {
			continue
		}
		least, most, first, last := -1, -1, -1, -1
		for i := range len(text) + 1 {
			if is, _ := Match(glob, text[:i]); is {
				most = i
				if least < 0 {
					least = i
				}
			}
			if is, _ := Match(glob, text[len(text)-i:]); is {
				last = i
				if first < 0 {
					first = i
				}
			}
		}
		for longest, want := range map[bool][2]int{false: {least, first}, true: {most, last}} {
			begin, known := MatchBeginning(glob, text, longest)
			end, sure := MatchEnding(glob, text, longest)
			if begin != want[0] || end != want[1] || !known || !sure {
				t.Fatalf("%q at the beginning of %q: %d, want %d; at its end: %d, want %d (longest: %v)", glob, text, begin, want[0], end, want[1], longest)
			}
			met += min(1, 1+begin)
		}
	}
	if met < 10_000 {
		t.Errorf("only %d matches", met)
	}
}
