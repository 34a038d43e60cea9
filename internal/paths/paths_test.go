package paths_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"longline/internal/paths"
)

func TestWithin(t *testing.T) {
	for _, test := range []struct {
		path, dir string
		want      bool
	}{
		{"/a", "/a", true},
		{"/a/b", "/a", true},
		{"/a/b", "/a/", true},
		{"/ab", "/a", false},
		{"/a", "/a/b", false},
		{"/a", "/", true},
		{"/", "/", true},
		{"/a", "", false},
		{"", "", false},
		{"a/b", "a", true},
	} {
		if got := paths.Within(test.path, test.dir); got != test.want {
			t.Errorf("Within(%q, %q) = %v", test.path, test.dir, got)
		}
	}
}

func TestClimbs(t *testing.T) {
	for text, want := range map[string]bool{
		"..": true, "a/..": true, "../a": true, "a/../b": true, "/..": true,
		"": false, ".": false, "a": false, "...": false, "a..b": false, "..a": false, "a../b": false, "a/...": false,
	} {
		if got := paths.Climbs(text); got != want {
			t.Errorf("Climbs(%q) = %v", text, got)
		}
	}
}

func TestGlobs(t *testing.T) {
	for _, test := range []struct {
		glob, fixed, dir, root, ending string
		wild                           bool
	}{
		{"", "", ".", "", "", false},
		{"a", "a", ".", "a", "a", false},
		{"/a/b", "/a/b", "/a", "/a/b", "/a/b", false},
		{"/*", "/", "/", "/", "", true},
		{"*.go", "", ".", ".", ".go", true},
		{"a/b*/c.go", "a/b", "a", "a", "/c.go", true},
		{"a/{b,c}/d", "a/", "a", "a", "/d", false},
		{"a/x@(b|c)", "a/x", "a", "a", "", false},
		{"a+b/c@d", "a+b/c@d", "a+b", "a+b/c@d", "a+b/c@d", false},
		{"a/[b", "a/", "a", "a", "b", false},
		{"a/[b]c", "a/", "a", "a", "c", true},
		{`a/\*c`, "a/", "a", "a", "c", true},
		{"a/[]", "a/", "a", "a", "", true},
		{"(a)/b", "(a)/b", "(a)", "(a)/b", "/b", false},
		{"a(b)", "a(b)", ".", "a(b)", "", false},
		{"c/a+(b)", "c/a", "c", "c", "", false},
		{"c/a!(b)", "c/a", "c", "c", "", false},
	} {
		if got := paths.Fixed(test.glob); got != test.fixed {
			t.Errorf("Fixed(%q) = %q, want %q", test.glob, got, test.fixed)
		}
		if got := paths.GlobDir(test.glob); got != test.dir {
			t.Errorf("GlobDir(%q) = %q, want %q", test.glob, got, test.dir)
		}
		if got := paths.GlobRoot(test.glob); got != test.root {
			t.Errorf("GlobRoot(%q) = %q, want %q", test.glob, got, test.root)
		}
		if got := paths.Ending(test.glob); got != test.ending {
			t.Errorf("Ending(%q) = %q, want %q", test.glob, got, test.ending)
		}
		if got := paths.Wild(test.glob); got != test.wild {
			t.Errorf("Wild(%q) = %v", test.glob, got)
		}
	}
}

func TestStars(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"a*", "ab", true},
		{"a*", "ba", false},
		{"*a*b", "xaxbxb", true},
		{"*a*b", "xaxbx", false},
		{"a?", "ab", false},
		{"a?", "a?", true},
		{`a\*`, "a*", true},
		{`a\*`, "ab", false},
		{`a\*`, `a\*`, false},
		{"aa*a", "aa", false},
		{"ab*b", "ab", false},
	} {
		if got := paths.Stars(test.pattern, test.text); got != test.want {
			t.Errorf("Stars(%q, %q) = %v", test.pattern, test.text, got)
		}
	}
}

// Wildcards says what trying all ways says, and Stars is that where there is no question mark.
func TestWildcards(t *testing.T) {
	var matches func(pattern, text string, folding bool) bool
	matches = func(pattern, text string, folding bool) bool {
		switch {
		case pattern == "":
			return text == ""
		case pattern[0] == '*':
			return matches(pattern[1:], text, folding) || text != "" && matches(pattern, text[1:], folding)
		case strings.HasPrefix(pattern, `\*`):
			return strings.HasPrefix(text, "*") && matches(pattern[2:], text[1:], folding)
		case text == "":
			return false
		}
		same := pattern[0] == '?' || pattern[0] == text[0] || folding && strings.EqualFold(pattern[:1], text[:1])
		return same && matches(pattern[1:], text[1:], folding)
	}
	patterns, texts := words("aB*?\\", 5), words("aAbB*?", 4)
	for _, pattern := range patterns {
		for _, text := range texts {
			for _, folding := range []bool{false, true} {
				if got, want := paths.Wildcards(pattern, text, folding), matches(pattern, text, folding); got != want {
					t.Fatalf("Wildcards(%q, %q, %v) = %v", pattern, text, folding, got)
				}
			}
			if !strings.Contains(pattern, "?") && paths.Stars(pattern, text) != paths.Wildcards(pattern, text, false) {
				t.Fatalf("Stars(%q, %q) is not Wildcards", pattern, text)
			}
		}
	}
}

// words are all that have at most so many letters.
func words(letters string, most int) []string {
	all, last := []string{""}, []string{""}
	for range most {
		var next []string
		for _, word := range last {
			for i := range len(letters) {
				next = append(next, word+letters[i:i+1])
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

// A text matches itself when it is escaped, and nothing else does; what matches a glob begins
// and ends as the glob says and lies where it says; and matching is what path.Match does
// where that has an opinion.
func FuzzGlobs(f *testing.F) {
	f.Add("a/*.go", "a/b.go")
	f.Add(`[!a-c]?\*`, "dx*")
	f.Add("{a,b}]", "{a,b}]")
	f.Fuzz(func(t *testing.T, glob, text string) {
		if !utf8.ValidString(glob) || !utf8.ValidString(text) {
			return
		}
		escaped := paths.Escape(glob)
		if got := paths.Unescape(escaped); got != glob {
			t.Errorf("Unescape(Escape(%q)) = %q", glob, got)
		}
		if is, sure := paths.Match(escaped, text); sure && is != (glob == text) {
			t.Errorf("Match(%q, %q) = %v", escaped, text, is)
		}
		if paths.Literal(glob) && paths.Wild(glob) || paths.Nameable(glob) && paths.Fixed(glob) != glob && !strings.Contains(glob, "(") {
			t.Errorf("%q has wildcards and has none", glob)
		}
		is, sure := paths.Match(glob, text)
		if is && !(strings.HasPrefix(text, paths.Fixed(glob)) && strings.HasSuffix(text, paths.Ending(glob))) && !strings.ContainsAny(glob, "{}") {
			t.Errorf("%q matches %q, which does not begin with %q or end with %q", glob, text, paths.Fixed(glob), paths.Ending(glob))
		}
		if want, err := path.Match(glob, text); err == nil && sure && !strings.Contains(text, "/") && !strings.ContainsAny(glob, "[") && is != want {
			t.Errorf("Match(%q, %q) = %v, want %v", glob, text, is, want)
		}
	})
}

// What a path is made to lie in, it lies in, and cleaning is what path.Clean does.
func FuzzPaths(f *testing.F) {
	f.Add("/a/b", "c/../d")
	f.Add("/", "../..")
	f.Add("/a", "/b//c/./d/")
	f.Fuzz(func(t *testing.T, dir, name string) {
		dir = paths.Clean("/", dir)
		full := paths.Clean(dir, name)
		if want := path.Clean(dir + "/" + name); !strings.HasPrefix(name, "/") && full != strings.Replace(want, "//", "/", 1) {
			t.Errorf("Clean(%q, %q) = %q, want %q", dir, name, full, want)
		}
		if !strings.HasPrefix(name, "/") && !paths.Climbs(name) && !paths.Within(full, dir) {
			t.Errorf("%q in %q is %q, which is not within", name, dir, full)
		}
		if parent := paths.Parent(full); !paths.Within(full, parent) {
			t.Errorf("%q is not within its parent %q", full, parent)
		}
	})
}

// asksForWildcards says whether a call looks in a text for the characters of globs.
func asksForWildcards(function string, args []ast.Expr) bool {
	if !strings.HasPrefix(function, "strings.") || !strings.Contains(function, "Any") && !strings.Contains(function, "IndexByte") || len(args) != 2 {
		return false
	}
	for _, arg := range args {
		if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err == nil && strings.Contains(text, "*") && strings.Contains(text, "?") && strings.Trim(text, "-/.*?[]{}()+@!\\\n") == "" {
				return true
			}
		}
	}
	return false
}

// Nothing else answers these questions: no function has one of their names, nowhere is a
// path compared with a directory by hand, and nowhere a text searched for wildcards.
func TestNobodyElseAnswers(t *testing.T) {
	const slash = "+\"/\""
	seen := 0
	err := filepath.WalkDir("..", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "../paths/") || strings.HasPrefix(file, "../differ/") || strings.HasPrefix(file, "../syntax/") {
			return err // differ checks the others, and is on its own for that; syntax is the grammar of the shell
		}
		seen++
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		text := func(n ast.Node) string {
			var b strings.Builder
			if err := printer.Fprint(&b, set, n); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				signature := strings.TrimPrefix(text(n.Type), "func")
				switch strings.ToLower(n.Name.Name) {
				case "within", "iswithin", "below", "climbs", "inside":
					if n.Recv == nil && strings.Contains(signature, "string) bool") && !strings.Contains(text(n.Body), "paths.") {
						t.Errorf("%s: %s answers by itself what package paths answers", set.Position(n.Pos()), n.Name.Name)
					}
				}
			case *ast.CallExpr:
				if name := text(n.Fun); name == "path.Match" || name == "filepath.Match" || asksForWildcards(name, n.Args) {
					t.Errorf("%s: %s: package paths answers that", set.Position(n.Pos()), text(n))
				}
			case *ast.BinaryExpr:
				equal, ok := n.X.(*ast.BinaryExpr)
				call, ok2 := n.Y.(*ast.CallExpr)
				if n.Op != token.LOR || !ok || !ok2 || equal.Op != token.EQL || text(call.Fun) != "strings.HasPrefix" || len(call.Args) != 2 {
					break
				}
				if a, b := text(equal.X), text(equal.Y); text(call.Args[0]) == a && text(call.Args[1]) == b+slash || text(call.Args[0]) == b && text(call.Args[1]) == a+slash {
					if a != "name" && b != "name" { // the names of agents have slashes too
						t.Errorf("%s: %s: ask paths.Within", set.Position(n.Pos()), text(n))
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 200 {
		t.Fatal(err, seen)
	}
}

func TestCanBeParent(t *testing.T) {
	for _, name := range []string{".*", ".?", ".[.]", ".[!a]", ".*.", ".**", ".@(.|x)"} {
		if !paths.CanBeParent(name) {
			t.Errorf("%s cannot be the parent directory", name)
		}
	}
	for _, name := range []string{"", ".", "..", "*", "?.", "??", ".??*", ".[!.]*", ".*rc", ".git*", `.\*`, ".g?"} {
		if paths.CanBeParent(name) {
			t.Errorf("%s can be the parent directory", name)
		}
	}
	if !paths.GlobClimbs("a/.*/b") || !paths.GlobClimbs("*/../b") || paths.GlobClimbs("a/.g*/b") {
		t.Error("a path climbs if one of its names can be the parent directory")
	}
}

// A set, and one with a sign that means all others: its first member may be a bracket.
var (
	isSet = regexp.MustCompile(`^\[((?:\\.|[^\\!^])(?:\\.|[^\]\\])*)\]`)
	isNot = regexp.MustCompile(`^\[[!^]((?:\\.|[^\\])(?:\\.|[^\]\\])*)\]`)
)

// pattern is a glob as a regular expression, which reads sets by itself.
func pattern(glob string) string {
	var b strings.Builder
	for glob != "" {
		set, not := isSet.FindStringSubmatch(glob), isNot.FindStringSubmatch(glob)
		switch {
		case set != nil:
			glob = glob[len(set[0]):]
			b.WriteString(class(false, []rune(set[1])))
			continue
		case not != nil:
			glob = glob[len(not[0]):]
			b.WriteString(class(true, []rune(not[1])))
			continue
		case glob[0] == '*':
			b.WriteString("(?s:.*)")
		case glob[0] == '?':
			b.WriteString("(?s:.)")
		case glob[0] == '\\' && len(glob) > 1:
			glob = glob[1:]
			fallthrough
		default:
			b.WriteString(regexp.QuoteMeta(glob[:1]))
		}
		glob = glob[1:]
	}
	return "^(?:" + b.String() + ")$"
}

// class is a set of characters: single ones, and ranges, which are empty the wrong way round.
func class(not bool, members []rune) string {
	one := func() (c rune) {
		if members[0] == '\\' && len(members) > 1 {
			members = members[1:]
		}
		c, members = members[0], members[1:]
		return c
	}
	var in []string
	for len(members) > 0 {
		lo := one()
		hi := lo
		if len(members) > 1 && members[0] == '-' {
			members = members[1:]
			hi = one()
		}
		for c := lo; c <= hi; c++ {
			in = append(in, fmt.Sprintf(`\x{%x}`, c))
		}
	}
	every := strings.Join(in, "|")
	switch {
	case not && every == "":
		return "(?s:.)"
	case not:
		return "[^" + strings.ReplaceAll(every, "|", "") + "]"
	case every == "":
		return `[^\x00-\x{10FFFF}]`
	}
	return "(?:" + every + ")"
}

// TestMatch: Match says what a regular expression made of the glob says.
func TestMatch(t *testing.T) {
	texts := words("ab-]", 3)
	texts = append(texts, `\`, `\a`, "[", "[a", "[b", "[]", "!", "a!", "^", "c", "ac", "*", "?", "ä", "aä", "/", "a/b")
	for _, glob := range append(words(`a*?[]-!\`, 4), "[a-b]", "[!a-b]", "[^a-b]", "[a-]", "[]-b]", "[a-b-c]", "[b-a]", `[\]a]`, `[a\-b]`, "*a*b*", "a*?b", "[!]a]", "[ä]", "?[a-b]*", "[a-b", "[!", "*[", `*[a-b]\`, "*]-b") {
		want := regexp.MustCompile(pattern(glob))
		for _, text := range texts {
			if got, sure := paths.Match(glob, text); !sure || got != want.MatchString(text) {
				t.Errorf("Match(%q, %q) = %v, %v; by %s it is not", glob, text, got, sure, want)
			}
		}
	}
	// What only shells know, and what takes too long, nobody is sure of.
	for _, test := range []struct {
		glob, text  string
		match, sure bool
	}{
		{"@(a|b)", "c", false, false},
		{"?(a)", "a", false, false},
		{"[[:alpha:]]", "a", false, false},
		{"[[.a.]]", "a", false, false},
		{"[[=a=]]", "a", false, false},
		{"(a)", "(a)", true, true},
		{"x(a)", "x(a)", true, true},
		{"*b*a", strings.Repeat("a", 60_000), false, true},
		{"*b*a", strings.Repeat("a", 70_000), false, false},
		{"*b", strings.Repeat("a", 70_000), false, true},
	} {
		if match, sure := paths.Match(test.glob, test.text); match != test.match || sure != test.sure {
			t.Errorf("Match(%q, %.10q) = %v, %v", test.glob, test.text, match, sure)
		}
	}
}

// TestClean: Clean is package path's, and a path that is clean is not written anew.
func TestClean(t *testing.T) {
	for _, text := range words("/.a", 7) {
		if got, want := paths.Clean("/d/e", text), path.Clean("/d/e/"+text); !strings.HasPrefix(text, "/") && got != want {
			t.Errorf("Clean(%q) = %q, want %q", text, got, want)
		}
		if got, want := paths.Clean("/d/e", "/"+text), path.Clean("/"+text); got != want {
			t.Errorf("Clean(%q) = %q, want %q", "/"+text, got, want)
		}
	}
	for _, text := range []string{"/", "/a", "/a/b", "/a.b/c", "/.a", "/a/.b/...", "/..a"} {
		if n := testing.AllocsPerRun(10, func() { paths.Clean("/d", text) }); n != 0 {
			t.Errorf("Clean(%q) takes memory %v times", text, n)
		}
	}
}

func TestUnescape(t *testing.T) {
	for glob, want := range map[string]string{"": "", "a": "a", `a\`: `a\`, `\`: `\`, `\a\*`: "a*", `\\`: `\`} {
		if got := paths.Unescape(glob); got != want {
			t.Errorf("Unescape(%q) = %q, want %q", glob, got, want)
		}
	}
	for text, folded := range map[string]string{"a": "A", "z": "Z", "@": "@", "[": "["} {
		if !paths.Wildcards(text, folded, true) || !paths.Wildcards(folded, text, true) {
			t.Errorf("%q is not %q", text, folded)
		}
	}
	for text, other := range map[string]string{"@": "`", "[": "{"} { // beside the letters
		if paths.Wildcards(text, other, true) {
			t.Errorf("%q is %q", text, other)
		}
	}
}

// A glob is cut at slashes that take it apart, whichever alternative it is.
func TestGlobsAreCut(t *testing.T) {
	for glob, want := range map[string]string{
		"a/b*": "b*", "a/*/": "*", "x": "x", "@(a/b|c)": "@(b|c)", "d/@(a/*.c|*.h)": "@(*.c|*.h)", "@(a/b|c)/x": "x", "a@(b/c|d)": "?", "a[/]b": "?", "a[b]/c": "c", "@(a/@(b|c)|d)": "?", "@(a[/]b|c)": "?", "@(a/b": "?", `a\/b`: "?", "/": "",
	} {
		got, sure := paths.GlobBase(glob)
		if !sure {
			got = "?"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", glob, got, want)
		}
	}
	for glob, climbs := range map[string]bool{
		"a/../b": true, "@(a/../b|c)": true, "@(..|x)": true, "*/@(x|../y)": true, "@(.|x)@(.|y)": true, "+(.)": true, "@(a|b).txt": false, "@(a.b|c).txt": false, "@(.|src)": false, "@(a/b|c)/*": false, ".@(env|x)": true,
	} {
		if paths.GlobClimbs(glob) != climbs {
			t.Errorf("%s: climbs is not %v", glob, climbs)
		}
	}
	if !paths.HasGroups("a(1)@(b|c)") || paths.HasGroups("a(1)*") {
		t.Error("groups are not seen")
	}
}

func TestSlashInSet(t *testing.T) {
	for glob, want := range map[string]bool{
		"a/[b]/c": false, "a/[b/]c": true, "[/]": true, "[]/]": true, "[]]/[a]": false, `\[a/]`: false, `[a\]/]`: true, "[a/b": false, "a]/b[": false, "app/[[...x]]/y": false, "[a]/[b/c]": true, "[x/app/[id]": true, "": false, `[\/]`: true,
	} {
		if got := paths.SlashInSet(glob); got != want {
			t.Errorf("%s: %v", glob, got)
		}
	}
}
