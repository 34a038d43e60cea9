package guard_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/command"
	"longline/internal/differ/grammar"
	"longline/internal/guard"
	"longline/internal/tool"
)

// maxSmall is how long a small script is, and what it may cost.
const (
	maxSmall  = 1000
	smallTime = 20 * time.Millisecond
	smallRoom = 32 << 20
)

// TestSmallSearch looks for small scripts that cost much: it begins with the shapes
// of [TestGrowth] and random statements, and goes on from what costs most by putting more
// of them in front, behind, inside and around. What is allocated tells which cost
// most, because that is the same every time.
func TestSmallSearch(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	random, err := grammar.New()
	if err != nil {
		t.Fatal(err)
	}
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	judge := func(text string) cost {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := used(t)
		g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: text, Shell: true, Attended: true}, world())
		took := used(t) - start
		runtime.ReadMemStats(&after)
		return cost{took, after.TotalAlloc - before.TotalAlloc}
	}
	// Other tests and other work on the machine count too, so the bound on time is wide here;
	// the one on memory is not.
	rounds, limit := 700, 10*smallTime
	if os.Getenv("LONGLINE_GROWTH") == "all" {
		rounds, limit = 20000, smallTime
	}
	r := rand.New(rand.NewPCG(1, 3))
	piece := func() string {
		switch r.IntN(6) {
		case 0:
			return strings.Join(random.Statements(r), "\n") + "\n"
		case 1:
			return inner[r.IntN(len(inner))]
		}
		return script(shapes[r.IntN(len(shapes))], 1+r.IntN(4)) + "\n"
	}
	mutate := func(text string) string {
		switch r.IntN(6) {
		case 0:
			return piece() + text
		case 1:
			return text + "\n" + piece()
		case 2:
			return strings.ReplaceAll(outer[r.IntN(len(outer))], "@", text+"\n")
		case 3:
			return text + "\n" + text
		case 4:
			return strings.ReplaceAll(outer[r.IntN(len(outer))], "@", piece())
		}
		if places := grammar.Positions(text); len(places) > 0 {
			at := places[r.IntN(len(places))]
			return text[:at] + strings.TrimRight(piece(), ";\n") + "\n" + text[at:]
		}
		return piece()
	}
	type tried struct {
		text string
		cost cost
	}
	var costly []tried
	seen, said := map[string]bool{}, 0
	for range rounds {
		text := piece()
		if len(costly) > 0 && r.IntN(4) > 0 {
			text = costly[r.IntN(len(costly))].text
		}
		for range 1 + r.IntN(3) {
			if next := mutate(text); len(next) < maxSmall {
				text = strings.ReplaceAll(next, "#", fmt.Sprint(r.IntN(9)))
			}
		}
		if seen[text] || len(text) >= maxSmall {
			continue
		}
		seen[text] = true
		c := judge(text)
		for range 4 {
			if c.time > limit {
				c.time = min(c.time, judge(text).time)
			}
		}
		if (c.time > limit || c.bytes > smallRoom) && said < 10 {
			said++
			t.Errorf("%d bytes take %v and %d kB:\n%s", len(text), c.time, c.bytes>>10, text)
		}
		costly = append(costly, tried{text, c})
		slices.SortFunc(costly, func(a, b tried) int { return int(b.cost.bytes>>10) - int(a.cost.bytes>>10) })
		costly = costly[:min(len(costly), 24)]
	}
	t.Logf("%d scripts; the costliest takes %v and %d kB", len(seen), costly[0].cost.time, costly[0].cost.bytes>>10)
}
