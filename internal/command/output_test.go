package command

import (
	"testing"

	"longline/internal/tool"
)

// TestOutput holds what programs pass on to the next one in a pipe: names of
// files stay names through filters that only drop lines.
func TestOutput(t *testing.T) {
	read := []Use{{Name: "read"}}
	text := []Use{{Name: "text"}}
	models := map[string]*Model{
		"find":     {Level: Level{Operands: []Item{{Uses: []Use{{Name: "stat"}}, Many: true}}, Output: "names"}},
		"ls":       {Level: Level{Operands: []Item{{Uses: []Use{{Name: "stat"}}, Many: true}}, Output: "entries"}},
		"grep":     {Level: Level{Operands: []Item{{Uses: text}, {Uses: read, Many: true}}, Output: "lines"}},
		"grep-l":   {Level: Level{Operands: []Item{{Uses: text}, {Uses: read, Many: true}}, Output: "names"}},
		"basename": {Level: Level{Operands: []Item{{Uses: text, Many: true}}, Output: "basename"}},
		"dirname":  {Level: Level{Operands: []Item{{Uses: text, Many: true}}, Output: "dirname"}},
	}
	lib := &Library{Find: func(name string) *Model { return models[name] }}
	names := Data{Text: "/p/src", Reach: tool.Under}
	exact := Data{Text: "a\nb\n", Reach: tool.Exact}
	none := Data{None: true}
	for _, c := range []struct {
		words []string
		stdin Data
		text  string
		reach tool.Reach
	}{
		{[]string{"find", "src"}, none, "/p/src", tool.Under},
		{[]string{"find", "src", "test"}, none, "/p", tool.Under},
		{[]string{"find", "/a/b", "/a/c"}, none, "/a", tool.Under},
		{[]string{"find"}, none, "/p", tool.Under},
		{[]string{"ls", "/tmp/x"}, none, "/", tool.Under}, // bare names are seen from /p
		{[]string{"ls", "src"}, none, "/p", tool.Under},
		{[]string{"grep", "x"}, names, "/p/src", tool.Under},
		{[]string{"grep", "x"}, exact, "", tool.Anywhere}, // some lines of a known text are not that text
		{[]string{"grep", "x", "list"}, names, "", tool.Anywhere},
		{[]string{"grep-l", "x", "src", "test"}, none, "/p", tool.Under},
		{[]string{"basename", "a/b.txt"}, none, "b.txt\n", tool.Exact},
		{[]string{"basename", "a/b.txt", ".txt"}, none, "b\n", tool.Exact},
		{[]string{"basename", ".txt", ".txt"}, none, ".txt\n", tool.Exact},
		{[]string{"dirname", "a/b.txt"}, none, "a\n", tool.Exact},
		{[]string{"dirname", "x"}, none, ".\n", tool.Exact},
	} {
		inv := &Invocation{Dir: Known("/p", tool.Span{}), Stdin: c.stdin}
		for i, w := range c.words {
			inv.Words = append(inv.Words, Known(w, tool.Span{Start: i, End: i + 1}))
		}
		lib.Read(inv, &tool.World{Project: "/p"})
		if o := inv.Output; o.Text != c.text || o.Reach != c.reach {
			t.Errorf("%q: output %q, reach %v; want %q, %v", c.words, o.Text, o.Reach, c.text, c.reach)
		}
	}
}

// TestInto holds where copies land.
func TestInto(t *testing.T) {
	cp := &Model{Level: Level{Permute: true, Operands: []Item{{Uses: []Use{{Name: "read"}}, Many: true}, {Uses: []Use{{Name: "into"}}}}}}
	lib := &Library{Find: func(string) *Model { return cp }}
	exists := func(p string) bool { return p == "/p/dir/." }
	for _, c := range []struct {
		words []Word
		want  []string
	}{
		{[]Word{given("a/x"), given("b")}, []string{"/p/b", "/p/b/x"}},
		{[]Word{given("a/x"), given("b/")}, []string{"/p/b/x"}},
		{[]Word{given("a/x"), given("dir")}, []string{"/p/dir/x"}},
		{[]Word{given("a/."), given("/")}, []string{"/ under"}},
		{[]Word{{}, given("b/")}, []string{"/p/b under"}},
		{[]Word{{Text: "*.js", Reach: tool.Exact, Glob: true}, given("b/")}, []string{"/p/b/*.js"}},
		{[]Word{given("x"), {}}, []string{" anywhere"}},
		{[]Word{given("x"), {Text: "b-", Reach: tool.Prefix, Plain: true}}, []string{"/p/b-*", "/p/b-*/x"}},
	} {
		inv := &Invocation{Dir: Known("/p", tool.Span{}), Words: []Word{given("cp")}, Stdin: Data{None: true}}
		for i, w := range c.words {
			w.Span = tool.Span{Start: i + 10, End: i + 11}
			inv.Words = append(inv.Words, w)
		}
		lib.Read(inv, &tool.World{Project: "/p", Exists: exists})
		var got []string
		for _, e := range inv.Effects {
			if e.Kind != tool.Write {
				continue
			}
			switch e.Reach {
			case tool.Under:
				got = append(got, e.Target+" under")
			case tool.Anywhere:
				got = append(got, " anywhere")
			default:
				got = append(got, e.Target)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%v: writes %q, want %q", c.words, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%v: writes %q, want %q", c.words, got, c.want)
			}
		}
	}
}

func given(text string) Word { return Known(text, tool.Span{}) }
