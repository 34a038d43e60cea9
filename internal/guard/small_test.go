package guard_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"longline/internal/differ/grammar"
)

// A small script that says the same again and again, or nearly the same, costs no more than
// any other: each command of the decisions and of the documents, and each shape of
// [TestGrowth], as often as there is room for it.
func TestSmallRepeated(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	m := newMeter(t)
	all := os.Getenv("LONGLINE_GROWTH") == "all"
	longest, most, n := time.Duration(0), uint64(0), 0
	hold := func(text string) {
		if len(text) >= maxSmall {
			return
		}
		n++
		c, bad := m.small(text, all)
		if bad {
			t.Errorf("%d bytes take %v, %d kB and %d allocations:\n%s", len(text), c.time, c.bytes>>10, c.pieces, text)
		}
		longest, most = max(longest, c.time), max(most, c.pieces)
	}
	for _, shape := range shapes {
		times := 1
		for len(script(shape, times+1)) < maxSmall {
			times++
		}
		hold(script(shape, times))
	}
	for i, text := range scripts(t, 300) {
		if sampled() && i%16 != 0 {
			continue
		}
		hold(repeated(text, func(_ int, word string) string { return word }))
		hold(repeated(text, lettered))
	}
	t.Logf("%d scripts; none takes more than %v and %d allocations", n, longest, most)
}

// TestSmallProducts: small scripts in which two things grow that meet each other. Many of them
// allocate little, so time counts even if something else goes on, three times over.
func TestSmallProducts(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	m := newMeter(t)
	again := strings.Repeat
	doubled := "x=ab; " + again("x=$x$x; ", 11)
	for _, text := range []string{
		"echo " + again("a ", 64) + "| " + again("xargs -n1 ", 64) + "cat",
		"echo " + again("a ", 128) + "| " + again("xargs -n1 ", 10) + "cat",
		"echo " + again("a ", 250) + "| " + again("xargs -n1 ", 10) + "cat",
		"for f in build/*; do " + again(`mv "$f" "$f.b"; f=$f.b; `, 40) + "done",
		"for f in *; do " + again(`git mv "$f" "a$f"; f=a$f; `, 37) + "done",
		"cat " + again("*/", 490) + "x",
		"cat " + again("*/", 300) + "x " + again("*/", 180) + "y",
		"rm -f build/" + again("**/", 320) + "x",
		"cat " + again("a*/", 300) + "x",
		"x=" + again("a", 256) + "; echo ${x//" + again("*a", 100) + "b/c}",
		"x=" + again("a", 256) + "; echo ${x//a" + again("*a", 100) + "b/c}",
		doubled + again("y=${x##*c*b}; ", 60),
		doubled + again("y=${x%%c*a*b}; ", 60),
		"echo " + words(128) + "| xargs mv $f build/",
		"echo " + words(64) + "| xargs mv $f",
		"echo " + words(64) + "| xargs git mv $f",
		again("mv build/ "+words(64)+"x\n", 3),
		"mv build/ " + again("a ", 300),
		"mv " + again("a*/ ", 240) + "build/",
		"printf '%s\\n' " + words(40) + "| xargs -I{} mv $f {} build/",
		"mv * build/; mv build/* .\n" + again("while read -r f; do ln -s $f l$f; done < list.txt\n", 8) + "mv * build/; mv build/* .",
		again("mv * build/; mv build/* .\n", 2) + "cat " + again("a* b* c* d* e* ", 50),
		again("mv * build/; mv build/* .\n", 2) + "cat " + again("*a/x *b/x *c/x *d/x *e/x ", 36),
		again("mv "+words(64)+"\n", 3),
		again("cp -r build/ "+words(64)+"\n", 3),
		doubled + "p=*" + again("ab", 200) + "c; " + again("y=${x#$p}; ", 35),
		"ln {1..100}+(x)", "cp {1..100}+(x) y", "mv {1..80}+(x) y", "cp {1..100}*", "ln -s {1..100}* build",
	} {
		if len(text) > maxSmall {
			t.Fatalf("%d bytes:\n%s", len(text), text)
		}
		c, bad := m.small(text, os.Getenv("LONGLINE_GROWTH") == "all")
		for range 6 {
			if c.time > 3*smallTime {
				c.time = min(c.time, m.cost(text).time)
			}
		}
		if bad || c.time > 3*smallTime {
			t.Errorf("%d bytes take %v, %d kB and %d allocations:\n%s", len(text), c.time, c.bytes>>10, c.pieces, text)
		}
		t.Logf("%v, %d kB, %d allocations: %.60s", c.time, c.bytes>>10, c.pieces, text)
	}
}

// words are so many words, each another one.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%d ", i)
	}
	return b.String()
}

// repeated is a command as often as there is room for it, each time with its words changed.
func repeated(text string, change func(i int, word string) string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		words := strings.Fields(text)
		for k := 1; k < len(words); k++ {
			words[k] = change(i, words[k])
		}
		next := strings.Join(words, " ") + "\n"
		if b.Len()+len(next) >= maxSmall {
			return b.String()
		}
		b.WriteString(next)
	}
}

// endings are of words that name something, and not of flags and operators.
var endings = regexp.MustCompile(`^[~.$/*a-z][^;|&<>'"]*[a-z*]$`)

// lettered puts two letters behind what names something.
func lettered(i int, word string) string {
	if !endings.MatchString(word) {
		return word
	}
	return word + string([]byte{'a' + byte(i/26%26), 'a' + byte(i%26)})
}

// seed makes searches begin elsewhere: LONGLINE_SEED says where.
func seed() uint64 {
	n, _ := strconv.ParseUint(os.Getenv("LONGLINE_SEED"), 10, 64)
	return n
}

// TestSmallSearch looks for small scripts that cost much: it begins with the shapes
// of [TestGrowth] and random statements, and goes on from what costs most by putting more
// of them in front, behind, inside and around. What is allocated tells which cost
// most, because that is the same every time.
func TestSmallSearch(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	random, err := grammar.New()
	if err != nil {
		t.Fatal(err)
	}
	m := newMeter(t)
	rounds, all := 100, os.Getenv("LONGLINE_GROWTH") == "all"
	if all {
		rounds = 20000
	}
	r := rand.New(rand.NewPCG(1+seed(), 3))
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
	longest, most := time.Duration(0), uint64(0)
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
		c, bad := m.small(text, all)
		if bad && said < 10 {
			said++
			t.Errorf("%d bytes take %v, %d kB and %d allocations:\n%s", len(text), c.time, c.bytes>>10, c.pieces, text)
		}
		longest, most = max(longest, c.time), max(most, c.pieces)
		costly = append(costly, tried{text, c})
		slices.SortFunc(costly, func(a, b tried) int { return int(b.cost.bytes>>10) - int(a.cost.bytes>>10) })
		costly = costly[:min(len(costly), 24)]
	}
	t.Logf("%d scripts; none takes more than %v, %d kB and %d allocations", len(seen), longest, costly[0].cost.bytes>>10, most)
}
