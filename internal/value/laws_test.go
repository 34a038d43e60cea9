package value

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"longline/internal/tool"
)

// texts are pieces that make the differences between values: directories inside
// each other, climbing and absolute paths, flags, plain words, and nothing.
var texts = []string{"", "a", "b1", "a/b", "a/c", "/", "/a", "/a/b", "/a/b/c", "/x", "..", "../a", "/a/../b", "-r", "--x=y", ".", "~", "a b", "x://y", "a\n", "7", "12"}

func anyWord(r *rand.Rand) Word {
	w := Word{Text: texts[r.IntN(len(texts))], Taint: Taint(r.IntN(4))}
	switch r.IntN(6) {
	case 0, 1:
		w.Reach = tool.Exact
	case 2:
		w.Text, w.Plain = "", r.IntN(2) == 0
		w.Of = []string{"", "x", "y", "x y", Own}[r.IntN(5)]
		switch r.IntN(4) {
		case 0:
			w.Made, w.Plain = Number, true
		case 1:
			w.Made, w.Plain = Numbers, false
		}
	case 3:
		w.Reach, w.Plain = tool.Prefix, r.IntN(2) == 0
		if w.Text == "" {
			w.Text = "p"
		}
	case 4:
		w.Reach = tool.Under
		w.Text = []string{"/", "/a", "/a/b", ".", "/x/y"}[r.IntN(5)]
	case 5:
		w.Reach, w.Glob = tool.Exact, true
		w.Text = []string{"*", "a/*", "/a/*.c", "/a/b/?", "../*"}[r.IntN(5)]
	}
	if w.Reach != tool.Exact {
		switch r.IntN(8) {
		case 0:
			w.Hollow, w.IfEmpty = true, []string{"", "/", "/a", "b"}[r.IntN(4)]
		case 1:
			w.Split = true
		case 2:
			w.Tame = true
		case 3:
			w.Tail = ".c"
		}
	}
	return w
}

func anyData(r *rand.Rand) Data {
	d := Data{Taint: Taint(r.IntN(4)), Endless: r.IntN(6) == 0}
	switch r.IntN(6) {
	case 0, 1:
		d.Text, d.Reach, d.Hollow = texts[r.IntN(len(texts))], tool.Exact, r.IntN(4) == 0
	case 2:
		d.Text, d.Reach = texts[1+r.IntN(len(texts)-1)], tool.Prefix
	case 3:
		d.Text, d.Reach, d.Bare = []string{"/", "/a", "/a/b", "."}[r.IntN(4)], tool.Under, r.IntN(2) == 0
		d.Match = []string{"", "*.c", "*.h", "@(*.c|*.h)"}[r.IntN(4)]
	case 4:
		d.Plain, d.Of = r.IntN(2) == 0, []string{"", "x", "y", Own}[r.IntN(4)]
	case 5:
		d.None, d.Endless = true, false
	}
	d.Full = d.Reach != tool.Exact && !d.None && r.IntN(4) == 0
	return d
}

const rounds = 200000

// TestWordLaws: a join is commutative, associative, idempotent and never below its
// parts.
func TestWordLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		a, b, c := anyWord(r), anyWord(r), anyWord(r)
		j := a.Join(b)
		switch {
		case !a.Join(a).Same(a):
			t.Fatalf("%+v joined with itself is %+v", a, a.Join(a))
		case !j.Same(b.Join(a)):
			t.Fatalf("%+v\n%+v\njoined are %+v or %+v", a, b, j, b.Join(a))
		case !a.Leq(j) || !b.Leq(j):
			t.Fatalf("%+v\n%+v\njoined are less: %+v", a, b, j)
		case !j.Join(c).Same(a.Join(b.Join(c))):
			t.Fatalf("%+v\n%+v\n%+v\njoined are %+v or %+v", a, b, c, j.Join(c), a.Join(b.Join(c)))
		case !a.Leq(a) || a.Leq(b) && b.Leq(c) && !a.Leq(c):
			t.Fatalf("the order of\n%+v\n%+v\n%+v", a, b, c)
		}
	}
}

// sample is one of the texts that a word stands for.
func sample(r *rand.Rand, w Word) string {
	some := []string{"", "q", "/q", "/../q", "-q", "q/r"}[r.IntN(6)]
	if w.numbers() == 2 {
		some = []string{"", "3", "4\n5"}[r.IntN(3)]
	} else if w.numbers() == 1 {
		some = []string{"3", "45"}[r.IntN(2)]
	} else if w.Plain {
		some = []string{"q", "1.2", "q-r"}[r.IntN(3)]
	}
	switch {
	case w.Glob:
		return strings.NewReplacer("*", "q", "?", "q").Replace(w.Text)
	case w.Reach == tool.Anywhere:
		return some
	case w.Reach == tool.Prefix:
		return w.Text + some
	case w.Reach == tool.Under:
		return path.Join(w.Text, []string{".", "q", "q/r"}[r.IntN(3)])
	}
	return w.Text
}

// TestConcat: what two words are joined to stands for whatever is made of a text of
// the one and a text of the other.
func TestConcat(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range rounds {
		a, b := anyWord(r), anyWord(r)
		a.Tail, b.Tail = "", ""
		c := a.Concat(b)
		if text := sample(r, a) + sample(r, b); !c.Glob && !HasScheme(text) && !Known(text, tool.Span{}).within(c) {
			t.Fatalf("%+v\n%+v\nare %+v, which is not %q", a, b, c, text)
		}
		if (a.Taint|b.Taint)&^c.Taint != 0 || b.Split && !c.Split {
			t.Fatalf("%+v\n%+v\nare %+v", a, b, c)
		}
	}
}

// TestConcatMonotone: what is made of a word stands, on either side of another, for all
// that is made of a word below it, and claims nothing that does not hold for that.
func TestConcatMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for range rounds {
		low, c := anyWord(r), anyWord(r)
		low.Tail, c.Tail = "", ""
		high := low.Join(anyWord(r))
		if other := anyWord(r); low.Leq(other) {
			high = other
		}
		high.Tail = ""
		if !low.Leq(high) || low.Same(high) {
			continue
		}
		tried++
		text, other := sample(r, low), sample(r, c)
		for _, m := range []struct {
			below, above Word
			text         string
		}{
			{low.Concat(c), high.Concat(c), text + other},
			{c.Concat(low), c.Concat(high), other + text},
		} {
			if w := Known(m.text, tool.Span{}); !m.above.Glob && !HasScheme(m.text) && !w.within(m.above) {
				t.Fatalf("%+v\nis within %+v, but beside\n%+v\n%q is not in %+v", low, high, c, m.text, m.above)
			}
			if m.below.Taint&^m.above.Taint&^Followed != 0 || m.below.Split && !m.above.Split {
				t.Fatalf("%+v\nis within %+v, but beside\n%+v:\n%+v\n%+v", low, high, c, m.below, m.above)
			}
		}
	}
	if tried < rounds/4 {
		t.Errorf("only %d pairs", tried)
	}
}

func TestDataLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range rounds {
		a, b, c := anyData(r), anyData(r), anyData(r)
		j := a.Join(b)
		switch {
		case !a.Join(a).Same(a):
			t.Fatalf("%+v joined with itself is %+v", a, a.Join(a))
		case !a.Leq(j) || !b.Leq(j):
			t.Fatalf("%+v\n%+v\njoined are less: %+v", a, b, j)
		case !j.Leq(b.Join(a)) || !b.Join(a).Leq(j):
			t.Fatalf("%+v\n%+v\njoined are %+v or %+v", a, b, j, b.Join(a))
		}
		x, y := j.Join(c), a.Join(b.Join(c))
		if !x.Leq(y) || !y.Leq(x) {
			t.Fatalf("%+v\n%+v\n%+v\njoined are %+v or %+v", a, b, c, x, y)
		}
		if a.Leq(b) && !a.None && !b.None && !c.None {
			if x, y := c.Then(a), c.Then(b); !x.Leq(y) {
				t.Fatalf("%+v\nis within %+v, but behind\n%+v:\n%+v\n%+v", a, b, c, x, y)
			}
		}
	}
}

// TestPlace: the zero place is nowhere, and nowhere stays nowhere.
func TestPlace(t *testing.T) {
	var p Place
	if _, ok := p.Offset(); ok || p.Shift(3) != 0 {
		t.Errorf("nowhere is %v", p)
	}
	if n, ok := Place(1).Shift(4).Offset(); !ok || n != 4 {
		t.Errorf("four bytes behind the beginning is %d, %v", n, ok)
	}
	w := Known("--out=x", tool.Span{Start: 3, End: 10})
	w.At = Place(4)
	if v := w.From(6); v.Text != "x" || v.At != Place(10) || v.Lead != "--out=" || !v.Same(Known("x", tool.Span{})) {
		t.Errorf("%+v", v)
	}
}
