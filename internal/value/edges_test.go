package value

import (
	"slices"
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
		if got := JoinDirs(test.a, test.b); !got.Same(test.want) {
			t.Errorf("%+v and %+v: %+v, want %+v", test.a, test.b, got, test.want)
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
