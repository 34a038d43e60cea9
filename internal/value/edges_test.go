package value

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

func exact(text string) Word { return Word{Text: text, Reach: tool.Exact} }

// TestJoinDirs: of two directories what is known is the one above both, unless that is
// the root or one of them is not known.
func TestJoinDirs(t *testing.T) {
	under := func(text string) Word { return Word{Text: text, Reach: tool.Under} }
	for _, test := range []struct{ a, b, want Word }{
		{exact("/a/b/c"), exact("/a/d/e"), under("/a")},
		{exact("/a"), exact("/a/b"), under("/a")},
		{exact("/a/b"), under("/a"), under("/a")},
		{exact("/a"), exact("/b"), Word{}},
		{exact("/a"), exact("/a"), exact("/a")},
		{exact("/a"), Word{}, Word{}},
		{Word{}, exact("/a"), Word{}},
		{Word{Text: "/a", Reach: tool.Prefix}, exact("/a/b"), Word{}},
	} {
		for _, got := range []Word{JoinDirs(test.a, test.b), JoinDirs(test.b, test.a)} {
			if !got.Same(test.want) {
				t.Errorf("%+v and %+v: %+v, want %+v", test.a, test.b, got, test.want)
			}
		}
	}
}

func TestCommonDir(t *testing.T) {
	for _, test := range []struct {
		a, b Word
		want string
		ok   bool
	}{
		{exact("a/b"), exact("c"), ".", true},
		{exact("/w/a/b"), exact("/w/c"), "/w", true},
		{exact("/w//a/b"), exact("/w/./a/c"), "/w/a", true},
		{exact("/w/a"), exact("b"), "", false},
		{exact("../a"), exact("b"), "", false},
		{exact("-a"), exact("b"), "", false},
	} {
		if got, ok := commonDir(test.a, test.b); got != test.want || ok != test.ok {
			t.Errorf("%s and %s: %q, %v", test.a.Text, test.b.Text, got, ok)
		}
	}
}

// TestDirOf: a directory is known of a word that names something in it, however much else is
// known of the word.
func TestDirOf(t *testing.T) {
	for _, test := range []struct {
		w    Word
		want string
		ok   bool
	}{
		{Word{Plain: true}, ".", true},
		{Word{}, "", false},
		{Word{Text: "a", Plain: true}, "", false},
		{Word{Reach: tool.Exact, Plain: true}, "", false},
		{Word{Text: "a/b", Reach: tool.Under}, "a/b", true},
		{Word{Text: "a/b*", Reach: tool.Exact, Glob: true}, "a", true},
		{Word{Text: "a/*/../b", Reach: tool.Exact, Glob: true}, "a", false},
		{Word{Text: "/a/b", Reach: tool.Exact}, "/a", true},
		{Word{Text: "/a/b", Reach: tool.Prefix, Plain: true}, "/a", true},
		{Word{Text: "/a/b", Reach: tool.Prefix}, "", false},
		{Word{Text: "~/a", Reach: tool.Under}, "", false},
		{Word{Text: "x://a", Reach: tool.Under}, "", false},
	} {
		if got, ok := dirOf(test.w); ok != test.ok || ok && got != test.want {
			t.Errorf("%+v: %q, %v", test.w, got, ok)
		}
	}
}

// TestPlainPart: a plain word has letters, digits and some signs, and all that is not ASCII.
func TestPlainPart(t *testing.T) {
	const plain = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz.,:+-@%=^"
	for c := range 256 {
		text := "a" + string([]byte{byte(c)})
		if got, want := PlainPart(text), c >= 0x80 || strings.IndexByte(plain, byte(c)) >= 0; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestEnterSeen: a path from a list leads from the directory that one is in, not from the one
// that the list was printed in.
func TestEnterSeen(t *testing.T) {
	listed := Word{Text: "/p/src", Reach: tool.Exact, Seen: "/p"}
	for dir, want := range map[string]string{"/p": "/p/src", "/q": "/q/src"} {
		if got := Enter(exact(dir), listed); got.Text != want || got.Reach != tool.Exact {
			t.Errorf("from %s to %+v", dir, got)
		}
	}
}

// TestSameText: two streams are one text that may be nothing only if both are known.
func TestSameText(t *testing.T) {
	all := []Data{{Text: "a", Reach: tool.Exact}, {Text: "a", Reach: tool.Exact, Hollow: true}, {Text: "a", Reach: tool.Under}, {Text: "a", Reach: tool.Under, Hollow: true}, {Text: "b", Reach: tool.Exact}, {Hollow: true}, {}}
	for _, a := range all {
		for _, b := range all {
			want := a.Text == b.Text && a.Reach == tool.Exact && b.Reach == tool.Exact && a.Hollow != b.Hollow
			if got := a.sameText(b); got != want {
				t.Errorf("%+v and %+v: %v", a, b, got)
			}
			if j := a.Join(b); !a.Leq(j) || !b.Leq(j) {
				t.Errorf("%+v and %+v are %+v", a, b, j)
			}
		}
	}
}

// TestConcatKeeps: what is known of a value stays known with nothing before it, and of its
// beginning with something.
func TestConcatKeeps(t *testing.T) {
	for _, b := range []Word{
		{Text: "/p/src", Reach: tool.Under, Seen: "/p"}, {Text: "/p/src", Reach: tool.Exact, Seen: "/p"}, {Text: "a", Reach: tool.Prefix, Plain: true}, {Text: "/a", Reach: tool.Under}, {Plain: true}, {Tame: true},
	} {
		if got := exact("").Concat(b); got.Text != b.Text || got.Reach != b.Reach || got.Seen != b.Seen || got.Plain != b.Plain || got.Tame != b.Tame {
			t.Errorf("nothing and %+v: %+v", b, got)
		}
	}
	for _, test := range []struct {
		b     Word
		text  string
		plain bool
	}{
		{Word{Text: "a", Reach: tool.Prefix, Plain: true}, "xa", true},
		{Word{Text: "a", Reach: tool.Prefix}, "xa", false},
		{Word{Text: "/a", Reach: tool.Under, Plain: true}, "x/a", false}, // any number of names follow
		{Word{Text: "a", Reach: tool.Under}, "x", false},
		{Word{Plain: true}, "x", true},
		{Word{}, "x", false},
	} {
		if got := exact("x").Concat(test.b); got.Text != test.text || got.Reach != tool.Prefix || got.Plain != test.plain {
			t.Errorf("x and %+v: %+v", test.b, got)
		}
	}
}

func TestAlternatives(t *testing.T) {
	for match, want := range map[string][]string{
		"": {Everything}, "*.go": {"*.go"}, "@(a|b)": {"a", "b"}, `@(a\|b|c)`: {`a\|b`, "c"}, "@(a|b": {"@(a|b"}, "a|b)": {"a|b)"},
	} {
		if got := Alternatives(match); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", match, got, want)
		}
	}
}

// TestEmptied: the value of two words in which something may be nothing is told only if
// all else of them is known.
func TestEmptied(t *testing.T) {
	hollow := Word{Hollow: true, IfEmpty: "/x"}
	unknown := Word{}
	for _, test := range []struct {
		a, b Word
		may  bool
		want string
	}{
		{hollow, exact("/y"), true, "/x/y"},
		{exact("a"), hollow, true, "a/x"},
		{hollow, hollow, true, "/x/x"},
		{exact("a"), exact("b"), false, ""},
		{hollow, unknown, false, ""},
		{unknown, hollow, false, ""},
		{unknown, unknown, false, ""},
	} {
		if may, text := test.a.emptied(test.b); may != test.may || text != test.want {
			t.Errorf("%+v and %+v: %v, %q", test.a, test.b, may, text)
		}
	}
}

// TestConcatForgets: what held of a word need not hold of a longer one.
func TestConcatForgets(t *testing.T) {
	a, b := exact("a"), exact("b")
	a.Bare, a.Visible, b.Bare, b.Visible = true, true, true, true
	if got := a.Concat(b); got.Bare || got.Visible || got.Text != "ab" {
		t.Errorf("%+v", got)
	}
	if got := a.Concat(exact("")); !got.Bare || !got.Visible {
		t.Errorf("followed by nothing: %+v", got)
	}
}

// TestFormOfTwo: the form of a value with a number in it is that of both parts, whichever
// of them has the number.
func TestFormOfTwo(t *testing.T) {
	number := Word{Made: &Made{Mark: Numeral, Text: Numeral}}
	for _, test := range []struct {
		a, b Word
		want string
	}{{exact("v"), number, "v" + Numeral}, {number, exact(".txt"), Numeral + ".txt"}, {number, number, Numeral + Numeral}} {
		if m := test.a.form(test.b); m == nil || m.Text != test.want {
			t.Errorf("%+v and %+v: %+v, want %q", test.a, test.b, m, test.want)
		}
	}
	if m := exact("a").form(exact("b")); m != nil {
		t.Errorf("two known values have the form %+v", m)
	}
}

// TestPerhaps: a stream that may fail to come is not known by how it begins, and what it is taken
// from stays known.
func TestPerhaps(t *testing.T) {
	for _, test := range []struct{ d, want Data }{
		{Data{Text: "a\n", Reach: tool.Exact, Full: true}, Data{Text: "a\n", Reach: tool.Exact, Hollow: true}},
		{Data{Text: "\n", Reach: tool.Exact}, Data{Text: "\n", Reach: tool.Exact}},
		{Data{Text: "a", Reach: tool.Prefix, Taint: 1, Endless: true, Of: "x", Full: true}, Data{Taint: 1, Endless: true, Of: "x"}},
		{Data{Text: "/p", Reach: tool.Under, Full: true}, Data{Text: "/p", Reach: tool.Under}},
		{Data{Full: true}, Data{}},
	} {
		if got := test.d.Perhaps(); !got.Same(test.want) {
			t.Errorf("%+v: %+v, want %+v", test.d, got, test.want)
		}
		if !test.d.Leq(test.d.Perhaps()) {
			t.Errorf("%+v may not come, but is not what it would be then", test.d)
		}
	}
	for _, test := range []struct {
		d    Data
		keep bool
	}{{Data{Text: "a", Reach: tool.Exact}, false}, {Data{Reach: tool.Exact}, true}, {Data{Text: "a", Reach: tool.Prefix}, false}, {Data{Reach: tool.Prefix}, false}, {Data{Text: "/p", Reach: tool.Under}, true}, {Data{Plain: true}, true}} {
		want := Data{}
		if test.keep {
			want = test.d
		}
		if got := test.d.Unread(); !got.Same(want) {
			t.Errorf("%+v unread: %+v", test.d, got)
		}
	}
}

// TestNuls: who ends names at each NUL has names, and who drops it has one.
func TestNuls(t *testing.T) {
	list := Data{Text: "/p", Reach: tool.Under, Taint: WithNul, Endless: true}
	if got := list.Parted(); got.Taint != 0 || got.Text != "/p" || got.Reach != tool.Under {
		t.Errorf("parted: %+v", got)
	}
	if got := list.Joined(); got.Taint != 0 || got.Text != "" || got.Reach != tool.Anywhere || !got.Endless {
		t.Errorf("joined: %+v", got)
	}
	list.Taint = 0
	if !list.Joined().Same(list) || !list.Parted().Same(list) {
		t.Error("a list without NUL is another")
	}
}

// TestConcatHollow: a value is what is left of it where a part may be nothing.
func TestConcatHollow(t *testing.T) {
	hollow := Word{Hollow: true, IfEmpty: "/x"}
	for _, test := range []struct {
		a, b   Word
		hollow bool
		empty  string
	}{{exact("a"), hollow, true, "a/x"}, {hollow, exact("b"), true, "/xb"}, {exact("a"), exact("b"), false, ""}, {hollow, Word{}, false, ""}, {exact("a"), Word{}, false, ""}} {
		if got := test.a.Concat(test.b); got.Hollow != test.hollow || got.IfEmpty != test.empty {
			t.Errorf("%+v and %+v: %+v", test.a, test.b, got)
		}
	}
}

// TestPathLike: what can be a flag, an address, an assignment or a way up is no beginning of a path.
func TestPathLike(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a": true, "/a/b": true, "a-b": true, "-a": false, "~": false, "a=b": false, "=b": false, "a:b": false, ":b": false, "../a": false, "a/../b": false} {
		if got := pathLike(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
