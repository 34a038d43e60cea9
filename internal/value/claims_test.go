package value

import (
	"math/rand/v2"
	"strings"
	"testing"

	"longline/internal/tool"
)

func under(text string) Word { return Word{Text: text, Reach: tool.Under} }

// behind is something below a directory that may lie behind a link there.
func behind(text string) Word { return Word{Text: text, Reach: tool.Under, Taint: Followed} }

func pattern(text string) Word { return Word{Text: text, Reach: tool.Exact, Glob: true} }

func begins(text string) Word { return Word{Text: text, Reach: tool.Prefix} }

// TestTameConcat: a value that is said to have no word with a dash in front has none.
func TestTameConcat(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	seen := 0
	for range rounds {
		a, b := anyWord(r), anyWord(r)
		a.Tame, b.Tame = r.IntN(2) == 0, r.IntN(2) == 0
		x, y := sample(r, a), sample(r, b)
		if c := a.Concat(b); c.Tame && !(a.Tame && dashed(x)) && !(b.Tame && dashed(y)) {
			seen++
			if dashed(x + y) {
				t.Fatalf("%+v\n%+v\nare %+v, but can be %q", a, b, c, x+y)
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d pairs", seen)
	}
}

// dashed says whether a word of a text begins with a dash.
func dashed(text string) bool {
	for _, f := range strings.Fields(text) {
		if f[0] == '-' {
			return true
		}
	}
	return false
}

// TestLeqClaims: nothing is within a value that says more of its texts than holds.
func TestLeqClaims(t *testing.T) {
	wide := Word{Taint: FromNet, Split: true, Hollow: true}
	for name, test := range map[string]struct {
		w, o Word
		want bool
	}{
		"hollow in one that is not":  {Word{Hollow: true, IfEmpty: "a"}, Word{}, false},
		"hollow, and worse":          {Word{Hollow: true, IfEmpty: "/"}, Word{Hollow: true, IfEmpty: "/a"}, false},
		"hollow, and better":         {Word{Hollow: true, IfEmpty: "/ab", Plain: true}, Word{Hollow: true, IfEmpty: "/a"}, true},
		"not hollow":                 {exact("a"), Word{Hollow: true, IfEmpty: "/"}, true},
		"split":                      {Word{Split: true, Plain: true}, Word{}, false},
		"split in split":             {Word{Split: true, Plain: true}, Word{Split: true}, true},
		"from the net":               {Word{Taint: FromNet, Plain: true}, Word{}, false},
		"anything in all":            {Word{}, wide, true},
		"all in anything":            {wide, Word{}, false},
		"a flag in a tame one":       {exact("-r"), Word{Tame: true}, false},
		"a name in a tame one":       {exact("a"), Word{Tame: true}, true},
		"two words in a tame one":    {exact("a -r"), Word{Tame: true}, false},
		"a name in a bare one":       {exact("a"), Word{Bare: true}, false},
		"bare in bare":               {Word{Bare: true, Plain: true}, Word{Bare: true}, true},
		"a name in a visible one":    {exact("a"), Word{Visible: true}, false},
		"visible in visible":         {Word{Visible: true, Plain: true}, Word{Visible: true}, true},
		"a number in a number":       {exact("12"), Word{Plain: true, Made: Number}, true},
		"a number in numbers":        {exact("12"), Word{Made: Numbers}, true},
		"numbers in a number":        {Word{Made: Numbers}, Word{Made: Number}, false},
		"one number in numbers":      {Word{Plain: true, Made: Number}, Word{Made: Numbers}, true},
		"a name in numbers":          {exact("a"), Word{Made: Numbers}, false},
		"nothing in numbers":         {exact(""), Word{Made: Numbers}, false},
		"a beginning in numbers":     {begins("7"), Word{Made: Numbers}, false},
		"an ending":                  {exact("a.c"), Word{Tail: ".c"}, true},
		"another ending":             {exact("a.h"), Word{Tail: ".c"}, false},
		"a longer ending":            {Word{Tail: ".tar.c", Plain: true}, Word{Tail: ".c"}, true},
		"no ending":                  {Word{Plain: true}, Word{Tail: ".c"}, false},
		"looked up by the same":      {Word{Of: "x", Plain: true}, Word{Of: "x y"}, true},
		"looked up by another":       {Word{Of: "z", Plain: true}, Word{Of: "x y"}, false},
		"looked up by something":     {Word{Of: "x", Plain: true}, Word{}, true},
		"looked up by nothing":       {Word{Plain: true}, Word{Of: "x"}, false},
		"its own":                    {Word{Of: Own, Plain: true}, Word{Of: "x"}, true},
		"a pattern in another":       {pattern("*.c"), pattern("*.h"), false},
		"a pattern as a text":        {pattern("*"), exact("*"), false},
		"a text in a pattern":        {exact("*"), pattern("*"), false},
		"a plain text":               {exact("a"), Word{Plain: true}, true},
		"a path":                     {exact("a/b"), Word{Plain: true}, false},
		"a plain beginning":          {Word{Text: "a", Reach: tool.Prefix, Plain: true}, Word{Plain: true}, true},
		"any beginning":              {begins("a"), Word{Plain: true}, false},
		"a directory":                {under("a"), Word{Plain: true}, false},
		"a pattern":                  {pattern("*"), Word{Plain: true}, false},
		"the directory itself":       {exact("/a"), behind("/a"), true},
		"below":                      {exact("/a/b"), behind("/a"), true},
		"below, through no link":     {exact("/a/b"), under("/a"), false},
		"behind a link":              {behind("/a"), under("/a"), false},
		"behind one, anywhere":       {behind("/a"), Word{}, true},
		"beside":                     {exact("/ab"), under("/a"), false},
		"climbing":                   {exact("/a/../b"), under("/a"), false},
		"a relative path below":      {exact("a/b"), under("/a"), false},
		"an absolute path below .":   {exact("/a"), under("."), false},
		"any relative path":          {exact("a/b"), behind("."), true},
		"relative below another":     {exact("a/b/c"), behind("a/b"), true},
		"relative beside another":    {exact("a/c/c"), under("a/b"), false},
		"a plain word below .":       {Word{Plain: true}, under("."), true},
		"a plain word below /":       {Word{Plain: true}, under("/"), false},
		"a deeper directory":         {under("/a/b"), under("/a"), true},
		"a higher directory":         {under("/a"), under("/a/b"), false},
		"a pattern below":            {pattern("/a/b/*"), behind("/a"), true},
		"a climbing pattern":         {pattern("/a/*/../../x"), under("/a"), false},
		"a beginning below":          {begins("/a/b"), under("/a"), false},
		"a plain beginning below":    {Word{Text: "/a/b", Reach: tool.Prefix, Plain: true}, behind("/a"), true},
		"begins so":                  {exact("ab"), begins("a"), true},
		"begins otherwise":           {exact("ba"), begins("a"), false},
		"a longer beginning":         {begins("ab"), begins("a"), true},
		"a shorter beginning":        {begins("a"), begins("ab"), false},
		"nothing known":              {Word{}, begins("a"), false},
		"a plain word":               {Word{Plain: true}, begins("a"), false},
		"below an absolute one":      {under("/a"), begins("/a"), true},
		"below a relative one":       {under("a"), begins("a"), false},
		"a pattern begins so":        {pattern("ab*"), begins("ab"), true},
		"a pattern begins sooner":    {pattern("a*b"), begins("ab"), false},
		"a pattern is not plain":     {pattern("ab*"), Word{Text: "ab", Reach: tool.Prefix, Plain: true}, false},
		"plain behind":               {exact("a/b"), Word{Text: "a/", Reach: tool.Prefix, Plain: true}, true},
		"not plain behind":           {exact("a/b/c"), Word{Text: "a/", Reach: tool.Prefix, Plain: true}, false},
		"a second dot":               {exact("a/.."), Word{Text: "a/.", Reach: tool.Prefix, Plain: true}, false},
		"a first dot behind a dot":   {exact(".."), Word{Text: ".", Reach: tool.Prefix, Plain: true}, false},
		"a dot behind a name":        {exact("a.."), Word{Text: "a.", Reach: tool.Prefix, Plain: true}, true},
		"a name behind a dot":        {exact(".a"), Word{Text: ".", Reach: tool.Prefix, Plain: true}, true},
		"unknown behind":             {begins("a/b"), Word{Text: "a/", Reach: tool.Prefix, Plain: true}, false},
		"unknown and plain behind":   {Word{Text: "a/b", Reach: tool.Prefix, Plain: true}, Word{Text: "a/", Reach: tool.Prefix, Plain: true}, true},
		"a directory, plain behind":  {under("/a/b"), Word{Text: "/a/", Reach: tool.Prefix, Plain: true}, false},
		"a beginning as a known one": {begins("a"), exact("a"), false},
	} {
		if got := test.w.Leq(test.o); got != test.want {
			t.Errorf("%s: %+v\n%+v: %v", name, test.w, test.o, got)
		}
	}
}

// TestLeqData: the same of streams.
func TestLeqData(t *testing.T) {
	list := func(dir, match string) Data { return Data{Text: dir, Match: match, Reach: tool.Under} }
	text := func(s string) Data { return Data{Text: s, Reach: tool.Exact} }
	file := exact("f")
	for name, test := range map[string]struct {
		d, o Data
		want bool
	}{
		"anything":                   {text("a"), Data{}, true},
		"from the net":               {Data{Text: "a", Reach: tool.Exact, Taint: FromNet}, Data{}, false},
		"endless":                    {Data{Endless: true, Plain: true}, Data{}, false},
		"endless in endless":         {Data{Endless: true, Plain: true}, Data{Endless: true}, true},
		"a text is full":             {text("a"), Data{Full: true}, true},
		"nothing is not full":        {text(""), Data{Full: true}, false},
		"a text that may be nothing": {Data{Text: "a", Reach: tool.Exact, Hollow: true}, Data{Full: true}, false},
		"a beginning is full":        {Data{Text: "a", Reach: tool.Prefix}, Data{Full: true}, true},
		"a list may be empty":        {list("/a", ""), Data{Full: true}, false},
		"no stream":                  {text(""), Data{None: true}, false},
		"no stream in anything":      {Data{None: true}, Data{}, true},
		"no stream is not plain":     {Data{None: true}, Data{Plain: true}, false},
		"a file":                     {text("a"), Data{Path: &file}, false},
		"of a file":                  {Data{Path: &file, Plain: true}, Data{}, true},
		"bare":                       {list("/a", ""), Data{Bare: true}, false},
		"visible":                    {list("/a", ""), Data{Visible: true}, false},
		"tame":                       {list("/a", ""), Data{Tame: true}, false},
		"all three":                  {Data{Bare: true, Visible: true, Tame: true, Plain: true}, Data{Bare: true, Visible: true, Tame: true}, true},
		"any lines":                  {Data{Lines: Numbered}, Data{Plain: false}, true},
		"other lines":                {Data{Lines: Numbered, Plain: true}, Data{Lines: Counted}, false},
		"such lines":                 {Data{Lines: Counted, Plain: true}, Data{Lines: Counted}, true},
		"no such lines":              {text("a"), Data{Lines: Counted}, false},
		"looked up":                  {Data{Of: "x"}, Data{Of: "y"}, false},
		"a plain line":               {text("a\n"), Data{Plain: true}, true},
		"a path":                     {text("a/b\n"), Data{Plain: true}, false},
		"hollow in exact":            {Data{Text: "a", Reach: tool.Exact, Hollow: true}, text("a"), false},
		"exact in hollow":            {text("a"), Data{Text: "a", Reach: tool.Exact, Hollow: true}, true},
		"hollow in a beginning":      {Data{Text: "a", Reach: tool.Exact, Hollow: true}, Data{Text: "a", Reach: tool.Prefix}, false},
		"begins so":                  {text("ab"), Data{Text: "a", Reach: tool.Prefix}, true},
		"begins longer":              {Data{Text: "ab", Reach: tool.Prefix}, Data{Text: "a", Reach: tool.Prefix}, true},
		"begins otherwise":           {text("b"), Data{Text: "a", Reach: tool.Prefix}, false},
		"a list begins":              {list("/a", ""), Data{Text: "/a", Reach: tool.Prefix}, false},
		"a plain beginning":          {text("ab"), Data{Text: "a", Reach: tool.Prefix, Plain: true}, false},
		"another text":               {text("ab"), text("a"), false},
		"a beginning":                {Data{Text: "a", Reach: tool.Prefix}, text("a"), false},
		"deeper":                     {list("/a/b", ""), list("/a", ""), true},
		"higher":                     {list("/a", ""), list("/a/b", ""), false},
		"relative":                   {list("a/b", ""), list("a", ""), false},
		"relative and absolute":      {list("a", ""), list("/", ""), false},
		"absolute and relative":      {list("/a", ""), list(".", ""), false},
		"a text is no list":          {text("/a/b"), list("/a", ""), false},
		"fewer":                      {list("/a", "*.c"), list("/a", "@(*.c|*.h)"), true},
		"more":                       {list("/a", "@(*.c|*.h)"), list("/a", "*.c"), false},
		"some of all":                {list("/a/b", "*.c"), list("/a", ""), true},
		"the same elsewhere":         {list("/a/b", "*.c"), list("/a", "*.c"), false},
		"all of some":                {list("/a", ""), list("/a", "*.c"), false},
	} {
		if got := test.d.Leq(test.o); got != test.want {
			t.Errorf("%s: %+v\n%+v: %v", name, test.d, test.o, got)
		}
	}
}

// TestJoinKeeps: what holds of both values holds of the joined one, and is not lost.
func TestJoinKeeps(t *testing.T) {
	for _, test := range []struct{ a, b, want Word }{
		{exact("1"), exact("2"), Word{Plain: true, Tame: true, Made: Number}},
		{exact("1"), Word{Plain: true, Made: Number}, Word{Plain: true, Tame: true, Made: Number}},
		{exact("1"), Word{Made: Numbers}, Word{Made: Numbers}},
		{Word{Made: Numbers}, exact("1"), Word{Made: Numbers}},
		{exact("1"), exact(""), Word{Tame: true, Hollow: true}},
		{exact("a"), exact("b"), Word{Plain: true, Tame: true}},
		{exact("a"), exact("a/b"), Word{Text: ".", Reach: tool.Under, Tame: true, Taint: Followed}},
		{exact("a/b"), exact("a/c"), Word{Text: "a", Reach: tool.Under, Tame: true, Taint: Followed}},
		{exact("./a/b"), exact("a/c/d"), Word{Text: "a", Reach: tool.Under, Tame: true, Taint: Followed}},
		{under("/w/a"), under("/w/b"), Word{Text: "/w", Reach: tool.Under}},
		{under("/w/a"), pattern("/w/*/b"), Word{Text: "/w", Reach: tool.Under, Taint: Followed}},
		{exact("/w/a"), exact("/w/b"), Word{Text: "/w", Reach: tool.Under, Tame: true, Taint: Followed}},
		{exact("/w/a -r"), exact("/w/b"), Word{Text: "/w", Reach: tool.Under, Taint: Followed}},
		{exact("a"), exact("-r"), Word{}},
		{exact("a b"), exact(""), Word{Hollow: true}},
		{Word{Tame: true, Split: true}, exact("b"), Word{Tame: true, Split: true}},
		{exact("b"), Word{Split: true}, Word{Split: true}},
		{Word{Of: "b"}, Word{Of: "a b", Split: true}, Word{Of: "a b", Split: true}},
		{Word{Of: "b"}, Word{Of: Own}, Word{Of: "b"}},
		{Word{Of: Own}, Word{Of: "b"}, Word{Of: "b"}},
		{Word{Of: "b"}, Word{Split: true}, Word{Split: true}},
		{Word{Split: true}, Word{Of: "b"}, Word{Split: true}},
		{Word{Hollow: true, IfEmpty: "/a"}, exact("/b"), Word{Hollow: true, IfEmpty: "/a"}},
		{exact("/b"), Word{Hollow: true, IfEmpty: "/a"}, Word{Hollow: true, IfEmpty: "/a"}},
		{Word{Hollow: true, IfEmpty: "/a"}, Word{Hollow: true, IfEmpty: "/"}, Word{Hollow: true, IfEmpty: "/"}},
		{Word{Hollow: true, IfEmpty: "a"}, Word{Hollow: true, IfEmpty: "/ab"}, Word{Hollow: true, IfEmpty: "/ab"}},
		{Word{Hollow: true, IfEmpty: "/b"}, Word{Hollow: true, IfEmpty: "/a"}, Word{Hollow: true, IfEmpty: "/a"}},
		{Word{Taint: FromNet}, Word{Taint: FromFile}, Word{Taint: FromNet | FromFile}},
	} {
		for _, got := range []Word{test.a.Join(test.b), test.b.Join(test.a)} {
			if !got.Same(test.want) {
				t.Errorf("%+v\n%+v\nare %+v, want %+v", test.a, test.b, got, test.want)
			}
		}
	}
}

func TestJoinDataKeeps(t *testing.T) {
	file, copied, other := exact("f"), exact("f"), exact("g")
	full := Data{Text: "b", Reach: tool.Prefix}
	for _, test := range []struct{ a, b, want Data }{
		{Data{Lines: Counted}, Data{Lines: Counted, Taint: FromNet}, Data{Lines: Counted, Taint: FromNet}},
		{Data{Lines: Counted}, Data{Lines: Numbered}, Data{}},
		{Data{Tame: true}, Data{Tame: true, Taint: FromNet}, Data{Tame: true, Taint: FromNet}},
		{Data{Tame: true}, Data{Taint: FromNet}, Data{Taint: FromNet}},
		{Data{Path: &file}, Data{Path: &copied, Taint: FromNet}, Data{Path: &file, Taint: FromNet}},
		{Data{Path: &file}, Data{Path: &other}, Data{}},
		{Data{Path: &file}, Data{Taint: FromNet}, Data{Taint: FromNet}},
		{Data{Endless: true}, Data{}, Data{Endless: true}},
		{full, Data{Text: "a", Reach: tool.Exact}, Data{Full: true}},
		{full, Data{Text: "a", Reach: tool.Exact, Hollow: true}, Data{}},
		{full, Data{Reach: tool.Exact}, Data{}},
		{full, Data{Full: true}, Data{Full: true}},
		{Data{Text: "a\n", Reach: tool.Exact}, Data{Text: "b\n", Reach: tool.Exact}, Data{Plain: true, Full: true}},
		{Data{Text: "a\n", Reach: tool.Exact}, Data{None: true}, Data{}},
		{Data{Text: "a", Reach: tool.Exact}, Data{Text: "a", Reach: tool.Exact, Hollow: true}, Data{Text: "a", Reach: tool.Exact, Hollow: true}},
		{Data{Text: "a", Reach: tool.Exact}, Data{Text: "b", Reach: tool.Exact, Hollow: true}, Data{Plain: true}},
		{
			Data{Text: "/a", Reach: tool.Under, Bare: true, Visible: true, Match: "*.c"},
			Data{Text: "/a", Reach: tool.Under, Bare: true, Visible: true, Match: "*.h"},
			Data{Text: "/a", Reach: tool.Under, Bare: true, Visible: true, Match: "@(*.c|*.h)"},
		},
		{
			Data{Text: "/a", Reach: tool.Under, Bare: true, Visible: true, Match: "*.c"},
			Data{Text: "/a", Reach: tool.Under, Match: "*.c"},
			Data{Text: "/a", Reach: tool.Under, Match: "*.c"},
		},
		{
			Data{Text: "/a/b", Reach: tool.Under, Bare: true, Visible: true, Match: "*.c"},
			Data{Text: "/a/c", Reach: tool.Under, Bare: true, Visible: true, Match: "*.c"},
			Data{Text: "/a", Reach: tool.Under, Visible: true},
		},
		{Data{Text: "a", Reach: tool.Under}, Data{Text: "b", Reach: tool.Under}, Data{}},
		{Data{Text: "/a", Reach: tool.Under}, Data{Text: ".", Reach: tool.Under}, Data{}},
		{Data{Text: "/a", Reach: tool.Under}, Data{Taint: FromNet}, Data{Taint: FromNet}},
	} {
		for _, got := range []Data{test.a.Join(test.b), test.b.Join(test.a)} {
			if got.Match == "@(*.h|*.c)" {
				got.Match = "@(*.c|*.h)"
			}
			if !got.Same(test.want) {
				t.Errorf("%+v\n%+v\nare %+v, want %+v", test.a, test.b, got, test.want)
			}
		}
	}
}

// TestThen: what one stream holds behind another.
func TestThen(t *testing.T) {
	text := func(s string) Data { return Data{Text: s, Reach: tool.Exact} }
	start := func(s string) Data { return Data{Text: s, Reach: tool.Prefix} }
	half := strings.Repeat("x", MaxData/2)
	for name, test := range map[string]struct{ a, b, want Data }{
		"two texts":             {text("a"), text("b"), text("ab")},
		"nothing":               {text("a"), text(""), text("a")},
		"nothing of the net":    {text("a"), Data{None: true, Taint: FromNet}, Data{Text: "a", Reach: tool.Prefix, Taint: FromNet}},
		"behind nothing":        {Data{None: true, Taint: FromNet}, text("b"), Data{Text: "b", Reach: tool.Exact, Taint: FromNet}},
		"endless":               {Data{Text: "a", Reach: tool.Prefix, Endless: true}, text("b"), Data{Text: "a", Reach: tool.Prefix, Endless: true}},
		"then endless":          {text("a"), Data{Endless: true}, Data{Text: "a", Reach: tool.Prefix, Endless: true}},
		"a beginning":           {text("a"), start("b"), start("ab")},
		"behind a beginning":    {start("a"), text("b"), start("a")},
		"two beginnings":        {start("a"), start("b"), start("a")},
		"unknown":               {text("a"), Data{}, start("a")},
		"perhaps nothing":       {text("a"), Data{Text: "b", Reach: tool.Exact, Hollow: true}, start("a")},
		"perhaps nothing first": {Data{Text: "a", Reach: tool.Exact, Hollow: true}, text("b"), Data{}},
		"behind the unknown":    {Data{}, text("b"), Data{}},
		"two lists":             {Data{Text: "/a/b", Reach: tool.Under}, Data{Text: "/a/c", Reach: tool.Under}, Data{Text: "/a", Reach: tool.Under}},
		"a list and a text":     {Data{Text: "/a/b", Reach: tool.Under}, text("b"), Data{}},
		"a text and a list":     {text("b"), Data{Text: "/a/b", Reach: tool.Under}, start("b")},
		"as long as it may be":  {text(half), text(half), text(half + half)},
		"too long":              {text(half), text(half + "x"), Data{}},
		"of both":               {Data{Text: "a", Reach: tool.Exact, Of: "x", Taint: FromNet}, Data{Text: "b", Reach: tool.Exact, Of: "y"}, Data{Text: "ab", Reach: tool.Exact, Of: "x y", Taint: FromNet}},
	} {
		if got := test.a.Then(test.b); !got.Same(test.want) {
			t.Errorf("%s: %.80s %+v", name, got.Text, got.Reach)
		}
	}
}

// TestConcatTable: what is kept of two values, one behind the other.
func TestConcatTable(t *testing.T) {
	plain := Word{Plain: true}
	half := strings.Repeat("x", MaxText/2)
	for name, test := range map[string]struct{ a, b, want Word }{
		"two texts":               {exact("a"), exact("b"), exact("ab")},
		"a text and a pattern":    {exact("a*"), pattern("*.c"), pattern(`a\**.c`)},
		"a pattern and a text":    {pattern("*.c"), exact("a*"), pattern(`*.ca\*`)},
		"two patterns":            {pattern("*"), pattern("?"), pattern("*?")},
		"a pattern, unknown":      {pattern("/a/*"), Word{}, Word{}},
		"a pattern, plain":        {pattern("/a/*"), plain, behind("/a")},
		"no wildcard, plain":      {pattern("/a/"), plain, Word{Text: "/a/", Reach: tool.Prefix, Plain: true}},
		"a start, a pattern":      {Word{Text: "/a/b", Reach: tool.Prefix, Plain: true}, pattern("*"), behind("/a")},
		"a start, wildcard path":  {Word{Text: "/a/b", Reach: tool.Prefix, Plain: true}, pattern("*/k"), behind("/a")},
		"a start, dots":           {Word{Text: "/a/b", Reach: tool.Prefix, Plain: true}, pattern("/.?"), begins("/a/b")},
		"a climbing pattern":      {pattern("../*"), plain, Word{}},
		"unknown":                 {exact("a"), Word{}, begins("a")},
		"unknown and plain":       {exact("a"), plain, Word{Text: "a", Reach: tool.Prefix, Plain: true}},
		"a beginning":             {exact("a"), begins("b"), begins("ab")},
		"an absolute directory":   {exact("a"), under("/b"), begins("a/b")},
		"a relative directory":    {exact("a"), under("b"), begins("a")},
		"behind nothing":          {exact(""), under("b"), under("b")},
		"below, a path":           {under("/a/b"), exact("/c"), behind("/a/b")},
		"below, a text":           {under("/a/b"), exact("c"), under("/a")},
		"below, a climbing path":  {under("/a/b"), exact("/../c"), begins("/a/b")},
		"below, a dot":            {under("/a/b"), exact("."), begins("/a/b")},
		"below, plain":            {under("/a/b"), plain, under("/a")},
		"below, a plain start":    {under("/a/b"), Word{Text: "x", Reach: tool.Prefix, Plain: true}, begins("/a/b")},
		"below, unknown":          {under("/a/b"), Word{}, begins("/a/b")},
		"below ., unknown":        {under("."), Word{}, Word{}},
		"plain, a text":           {plain, exact(".c"), plain},
		"plain, a path":           {plain, exact("/c"), Word{}},
		"plain, a blank":          {plain, exact(" c"), Word{}},
		"plain, plain":            {plain, plain, plain},
		"plain, a pattern":        {plain, pattern("*"), Word{}},
		"plain, a plain start":    {plain, Word{Text: "x", Reach: tool.Prefix, Plain: true}, plain},
		"plain, below":            {plain, under("/x"), Word{}},
		"plain, below and plain":  {plain, Word{Text: "x", Reach: tool.Under, Plain: true}, Word{}},
		"a start, a path":         {Word{Text: "/a/b", Reach: tool.Prefix, Plain: true}, exact("/c"), behind("/a")},
		"a start, a climbing one": {Word{Text: "/a/b", Reach: tool.Prefix, Plain: true}, exact("/../c"), begins("/a/b")},
		"a flag, a path":          {Word{Text: "-a", Reach: tool.Prefix, Plain: true}, exact("/c"), begins("-a")},
		"a home, a path":          {Word{Text: "~a", Reach: tool.Prefix, Plain: true}, exact("/c"), begins("~a")},
		"a setting, a path":       {Word{Text: "a=b", Reach: tool.Prefix, Plain: true}, exact("/c"), begins("a=b")},
		"an address, a path":      {Word{Text: "a:b", Reach: tool.Prefix, Plain: true}, exact("/c"), begins("a:b")},
		"a climbing start":        {Word{Text: "../b", Reach: tool.Prefix, Plain: true}, exact("/c"), begins("../b")},
		"a start, unknown":        {begins("a"), exact("b"), begins("a")},
		"unknown, a text":         {Word{}, exact("b"), Word{}},
		"split":                   {exact("a"), Word{Split: true}, Word{Text: "a", Reach: tool.Prefix, Split: true}},
		"tame":                    {Word{Text: "a", Reach: tool.Prefix, Tame: true}, exact("b"), Word{Text: "a", Reach: tool.Prefix, Tame: true}},
		"no longer tame":          {Word{Text: "a", Reach: tool.Prefix, Tame: true}, exact(" -b"), begins("a")},
		"a tame behind":           {Word{Text: "a", Reach: tool.Prefix}, Word{Tame: true}, begins("a")},
		"as long as it may be":    {exact(half), exact(half), exact(half + half)},
		"too long":                {exact(half), exact(half + "x"), Word{}},
		"nothing behind":          {Word{Of: "x", Made: Number, Tail: ".c", Bare: true, Visible: true}, exact(""), Word{Of: "x", Made: Number, Tail: ".c", Bare: true, Visible: true}},
	} {
		if got := test.a.Concat(test.b); !got.Same(test.want) {
			t.Errorf("%s: %+v, want %+v", name, brief(got), brief(test.want))
		}
	}
}

// brief is a word that can be printed.
func brief(w Word) Word {
	w.Text = w.Text[:min(len(w.Text), 80)]
	return w
}

// TestEnter: where cd leads to.
func TestEnter(t *testing.T) {
	plain := Word{Plain: true}
	here, below := exact("/w"), under("/w")
	for name, test := range map[string]struct{ dir, to, want Word }{
		"a name":                    {here, exact("a"), exact("/w/a")},
		"nothing":                   {here, exact(""), here},
		"up":                        {here, exact("../x"), exact("/x")},
		"absolute":                  {Word{}, exact("/a"), exact("/a")},
		"from nowhere":              {Word{}, exact("a"), Word{}},
		"from a beginning":          {begins("/w"), exact("a"), Word{}},
		"a name below":              {below, exact("a"), below},
		"absolute, from below":      {below, exact("/a"), exact("/a")},
		"up from below":             {below, exact("../x"), Word{}},
		"a pattern":                 {here, pattern("a/*"), under("/w/a")},
		"an absolute pattern":       {here, pattern("/a/*"), under("/a")},
		"a climbing pattern":        {here, pattern("../*"), Word{}},
		"a pattern that may climb":  {here, pattern("*/../../x"), Word{}},
		"somewhere below":           {here, under("a"), under("/w/a")},
		"somewhere below a root":    {here, under("/a"), under("/a")},
		"somewhere below ..":        {here, under("../a"), Word{}},
		"a plain word":              {here, plain, below},
		"a plain beginning":         {here, Word{Text: "a/b", Reach: tool.Prefix, Plain: true}, under("/w/a")},
		"an absolute beginning":     {here, Word{Text: "/a/b", Reach: tool.Prefix, Plain: true}, under("/a")},
		"a beginning":               {here, begins("a/b"), Word{}},
		"anything":                  {here, Word{}, Word{}},
		"from nowhere, who knows":   {Word{}, plain, Word{}},
		"from below, a plain word":  {below, plain, below},
		"a taint":                   {here, Word{Taint: FromNet}, Word{Taint: FromNet}},
		"a taint of a plain word":   {here, Word{Plain: true, Taint: FromNet}, Word{Text: "/w", Reach: tool.Under, Taint: FromNet}},
		"a taint of a directory":    {here, Word{Text: "a", Reach: tool.Under, Taint: FromNet}, Word{Text: "/w/a", Reach: tool.Under, Taint: FromNet}},
		"a taint, from nowhere":     {Word{}, Word{Plain: true, Taint: FromNet}, Word{Taint: FromNet}},
		"a beginning that is empty": {here, Word{Text: "a", Plain: true}, Word{}},
	} {
		if got := Enter(test.dir, test.to); !got.Same(test.want) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// TestLine: a line of a list is a file of the directory that matches.
func TestLine(t *testing.T) {
	for _, test := range []struct {
		d    Data
		want Word
	}{
		{Data{Text: "/a", Reach: tool.Under, Bare: true, Visible: true, Of: "x", Taint: FromNet}, Word{Text: "/a", Reach: tool.Under, Bare: true, Visible: true, Of: "x", Taint: FromNet}},
		{Data{Text: "/a", Reach: tool.Under, Match: "*.c"}, pattern("/a/*.c")},
		{Data{Text: "/", Reach: tool.Under, Match: "*.c"}, pattern("/*.c")},
		{Data{Text: "/a[b]", Reach: tool.Under, Match: "*.c"}, pattern(`/a\[b\]/*.c`)},
		{Data{Text: "a\nb\n", Reach: tool.Exact}, Word{}},
	} {
		if got := test.d.Line(tool.Span{}); !got.Same(test.want) {
			t.Errorf("%+v: %+v", test.d, got)
		}
	}
}

func TestAnyOf(t *testing.T) {
	many := strings.Split("abcdefghijklmnopqrstuvwxyz", "")
	for _, test := range []struct {
		patterns []string
		want     string
	}{
		{nil, ""},
		{[]string{Everything}, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "a"}, "a"},
		{[]string{"a", "b", "a"}, "@(a|b)"},
		{[]string{"a", Everything}, "@(a|" + Everything + ")"},
		{many[:maxNames], "@(" + strings.Join(many[:maxNames], "|") + ")"},
		{many[:maxNames+1], "@(" + strings.Join(many[:maxNames], "|") + "|" + Everything + ")"},
	} {
		if got := AnyOf(test.patterns); got != test.want {
			t.Errorf("%q: %q", test.patterns, got)
		}
	}
}

// TestFrom: a part of a word is where it was, and of what is made at run time only
// what is behind the beginning is left.
func TestFrom(t *testing.T) {
	if v := exact("ab").From(9); v.Text != "" || v.Lead != "ab" {
		t.Errorf("behind the end: %+v", v)
	}
	w := Word{Text: "v", Reach: tool.Prefix, Made: &Made{Text: "v" + Numeral, Mark: Numeral}}
	if v := w.From(1); v.Made == nil || v.Made.Text != Numeral {
		t.Errorf("the number is gone: %+v", v.Made)
	}
	w.Made.Text = "x" + Numeral
	if v := w.From(1); v.Made != nil {
		t.Errorf("another text: %+v", v.Made)
	}
	w.Made = &Made{Text: "v{}", Mark: "{}"}
	if v := w.From(1); v.Made != w.Made {
		t.Errorf("no number: %+v", v.Made)
	}
}

// TestPlainText: a plain word is one that is a name everywhere.
func TestPlainText(t *testing.T) {
	for _, s := range []string{"a", "Z", "_", "09", "a.b", "1.2-rc+x", "a@b", "50%", "a=b", "a:b", "a,b", "HEAD^", "...", ".a", "é", "A-z"} {
		if !PlainText(s) {
			t.Errorf("%q is plain", s)
		}
	}
	for _, s := range []string{"", "-a", ".", "..", "a/b", "a b", "a\nb", "*", "~", "$x", "a`", "a[", "a{b", "x\x00", "a;", "@/", "a'"} {
		if PlainText(s) {
			t.Errorf("%q is not plain", s)
		}
	}
}

// TestIsPlain: only what can be nothing but one plain word is.
func TestIsPlain(t *testing.T) {
	for _, test := range []struct {
		w    Word
		want bool
	}{
		{exact("a"), true},
		{exact("a/b"), false},
		{Word{Text: "a/b", Reach: tool.Exact, Plain: true}, false},
		{pattern("a"), false},
		{Word{Text: "a", Reach: tool.Under, Plain: true}, false},
		{Word{Text: "a", Reach: tool.Prefix, Plain: true}, true},
		{Word{Text: "-", Reach: tool.Prefix, Plain: true}, false},
		{begins("a"), false},
		{Word{Plain: true}, true},
		{Word{}, false},
	} {
		if got := test.w.IsPlain(); got != test.want {
			t.Errorf("%+v: %v", test.w, got)
		}
	}
}

// TestSame: two values are the same wherever they are written, whatever they are made of
// is written down twice.
func TestSame(t *testing.T) {
	made := func(text, mark string, by Word) Word { return Word{Made: &Made{Text: text, Mark: mark, By: by}} }
	for _, test := range []struct {
		a, b Word
		want bool
	}{
		{exact("a"), Word{Text: "a", Reach: tool.Exact, At: 3, Lead: "x", Span: tool.Span{Start: 1, End: 2}}, true},
		{exact("a"), begins("a"), false},
		{made("x{}", "{}", exact("a")), made("x{}", "{}", exact("a")), true},
		{made("x{}", "{}", exact("a")), made("y{}", "{}", exact("a")), false},
		{made("x{}", "{}", exact("a")), made("x{}", "%", exact("a")), false},
		{made("x{}", "{}", exact("a")), made("x{}", "{}", exact("b")), false},
		{made("x{}", "{}", made("y", "%", exact("a"))), made("x{}", "{}", made("y", "%", exact("a"))), true},
		{made("x{}", "{}", exact("a")), Word{}, false},
		{Word{}, made("x{}", "{}", exact("a")), false},
	} {
		if got := test.a.Same(test.b); got != test.want {
			t.Errorf("%+v, %+v: %v", test.a, test.b, got)
		}
	}
	file, copied, other := exact("f"), exact("f"), exact("g")
	for _, test := range []struct {
		a, b Data
		want bool
	}{
		{Data{Path: &file}, Data{Path: &file, At: 3}, true},
		{Data{Path: &file}, Data{Path: &copied}, true},
		{Data{Path: &file}, Data{Path: &other}, false},
		{Data{Path: &file}, Data{}, false},
		{Data{}, Data{Path: &file}, false},
		{Data{Text: "a"}, Data{}, false},
	} {
		if got := test.a.Same(test.b); got != test.want {
			t.Errorf("%+v, %+v: %v", test.a, test.b, got)
		}
	}
}
