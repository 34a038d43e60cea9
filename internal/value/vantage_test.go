package value

import (
	"testing"

	"longline/internal/tool"
)

// TestSeenFrom: a path from a list means, in another directory than it was printed in, what is called so there.
func TestSeenFrom(t *testing.T) {
	in := func(dir string) Word { return Word{Text: dir, Reach: tool.Exact} }
	below := Word{Text: "/p", Reach: tool.Under}
	for _, c := range []struct {
		text string
		glob bool
		seen Vantage
		dir  Word
		want string // "" if nothing is known
	}{
		{"/p/src", false, "", in("/q"), "/p/src"},
		{"/p/src", false, "/p", in("/p"), "/p/src"},
		{"/p/src", false, "/p/", in("/p"), "/p/src"},
		{"/p/src", false, "/p", in("/q"), "src"},
		{"/p/src", false, "/p", below, "src"},
		{"/p", false, "/p", in("/q"), "."},
		{"/p/src", false, "/p/", in("/q"), ""},
		{"/o", false, "/p", in("/q"), ""},
		{"/pp/x", false, "/p", in("/q"), ""},
		{"/", false, "/", in("/"), "/"},
		{"/etc", false, "/", in("/q"), ""},
		{`/p\*/**/*.c`, true, "/p*", in("/q"), "**/*.c"},
		{"/p/**/*.c", true, "/p", in("/p"), "/p/**/*.c"},
	} {
		w := Word{Text: c.text, Reach: tool.Under, Seen: c.seen}
		if c.glob {
			w.Reach, w.Glob = tool.Exact, true
		}
		got := w.SeenFrom(c.dir)
		if got.Text != c.want || c.want == "" && got.Reach != tool.Anywhere || c.want != "" && got.Reach != w.Reach {
			t.Errorf("%+v in %q is %+v, want %q", w, c.dir.Text, got, c.want)
		}
		if moved := got.Text != c.text; moved && got.Seen != "" || !moved && got.Seen != c.seen {
			t.Errorf("%+v in %q is seen from %q", w, c.dir.Text, got.Seen)
		}
	}
}

// TestVantageLaws: what two lists are seen from stands for either, in whatever order they are joined, and
// so does the list that holds the lines of both.
func TestVantageLaws(t *testing.T) {
	all := []Vantage{"", "/a", "/a/", "/b", "/b/"}
	for _, v := range all {
		for _, o := range all {
			j, ok := v.join(o)
			if k, also := o.join(v); k != j || also != ok {
				t.Errorf("%q and %q are %q, the other way round %q", v, o, j, k)
			}
			if ok && (!v.within(j) || !o.within(j)) || !ok && j != "" {
				t.Errorf("%q and %q are %q, %v", v, o, j, ok)
			}
			a, b := Word{Text: "/a", Reach: tool.Under, Seen: v}, Word{Text: "/a/b", Reach: tool.Under, Seen: o}
			if w := a.Join(b); !a.Leq(w) || !b.Leq(w) || ok != (w.Reach == tool.Under) {
				t.Errorf("words seen from %q and %q are %+v", v, o, w)
			}
			c, d := Data{Text: "/a", Reach: tool.Under, Seen: v}, Data{Text: "/a/b", Reach: tool.Under, Seen: o}
			for _, both := range []Data{c.Join(d), c.Then(d)} {
				if !c.Leq(both) || !d.Leq(both) || ok != (both.Reach == tool.Under) {
					t.Errorf("lists seen from %q and %q are %+v", v, o, both)
				}
			}
		}
	}
}
