package policy

import (
	"path"
	"strings"
	"testing"

	"longline/internal/tool"
)

func TestGlobs(t *testing.T) {
	tests := []struct {
		glob, text string
		want       bool
	}{
		{"/tmp/**", "/tmp/a/b", true},
		{"/tmp/**", "/tmp", false},
		{"/tmp/*", "/tmp/a/b", false},
		{"/tmp/*", "/tmp/.a", true},
		{"**/a", "a", true},
		{"**/a", "/x/y/a", true},
		{"**/a", "/xa", false},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "a/xb", false},
		{"a?c", "abc", true},
		{"a?c", "a/c", false},
		{"[a-c]x", "bx", true},
		{"[!a-c]x", "bx", false},
		{"[!a-c]x", "/x", false},
		{`\*`, "*", true},
		{`\*`, "a", false},
		{"日?語", "日本語", true},
		{"*.go", ".go", true},
	}
	for _, tt := range tests {
		if got := matches(tt.glob, tt.text, false); got != tt.want {
			t.Errorf("%q on %q: %v", tt.glob, tt.text, got)
		}
	}
	if !matches("SeCret*", "sECRETS", true) || !matches("*.Key", "x.\u212Aey", true) {
		t.Error("case is not ignored")
	}
}

// TestClasses: a bracket expression takes the characters that it lists, and no others.
func TestClasses(t *testing.T) {
	const all = "!-./:=[]\\^abcdeABxyz{}"
	for glob, want := range map[string]string{
		"[a-c]": "abc", "[abx]": "abx", "[a-]": "-a", "[-a]": "-a", "[a-cx-z]": "abcxyz", "[!a-zA-Z/]": "!-.:=[]\\^{}", "[^a-z!-.]": ":=[]\\^AB{}", "[]a]": "]a", "[!]a-zA-Z]": "!-.:=[\\^{}",
		"[a:]": ":a", "[a=]": "=a", "[a.b]": ".ab", "[[a]": "[a", "[a[]": "[a", `[\]a]`: "]a", `[a\-c]`: "-ac", `[\a-c]`: "abc", "[a-c-e]": "-abce", "[:]": ":", "[[.]": "", "[[:x": "", "[[:alpha:]]": "!-.:=[]\\^abcdeABxyz{}", "[[=a=]]": "!-.:=[]\\^abcdeABxyz{}", "[[.a.]x]": "!-.:=[]\\^abcdeABxyz{}", "[": "", "[a": "", "[[": "", "[c-a]": "", "[]": "",
	} {
		got := ""
		for _, c := range all {
			if matches(glob, string(c), false) {
				got += string(c)
			}
		}
		if (CheckGlob(glob) == "") != (want != "") || got != want && glob != "[:]" {
			t.Errorf("%s takes %q, want %q (%s)", glob, got, want, CheckGlob(glob))
		}
	}
}

// How what a shell pattern can be lies to a glob.
func TestCompare(t *testing.T) {
	tests := []struct {
		pattern, glob string
		want          relation
		inside        relation
	}{
		{"/a/b", "/a/b", same, same},
		{"/a/b/c", "/a/b", below, below},
		{"/a", "/a/b", above, 0},
		{"/a/*", "/a/b", same, 0},
		{"/a/*", "/a/.b", 0, 0},
		{"/a/.*", "/a/.b", same, 0},
		{"/a/?b", "/a/.b", 0, 0},
		{"/a/[.x]b", "/a/.b", same, 0},
		{"/a/[!x]b", "/a/.b", 0, 0},
		{"/*/b", "/a/b", same, 0},
		{"/*/b/c", "/a/b", below, 0},
		{"/a*c", "/abbc", same, 0},
		{"/a*c", "/ab*", same, 0},
		{"/a*c", "/b*", 0, 0},
		{"/x/*.pem", "**/*.pem", same | above, same},
		{"/x/**/*.pem", "**/*.pem", same | below | above, same},
		{"/x/**/*.pyc", "/x/**/*.pyc", same | below | above, same},
		{"/x/**/a", "/x/**/b/a", same | below | above, 0},
		{"/x/**/b/a", "/x/**/a", same | below | above, same},
		{"/x/*", "/x/**", same | above, same},
		{"/x/*/y", "/x/**", same | below | above, same | below},
		{"/x/**", "/x/*", same | below, 0},
		{"/x/a?", "/x/a*", same, same},
		{"/x/a*", "/x/a?", same, 0},
		{"/x/@(a|b)", "/x/a", same | below, 0},
		{"/x/\\*", "/x/a", 0, 0},
		{"/x/\\*", "/x/\\*", same, same},
	}
	for _, tt := range tests {
		p, _ := compile(tt.pattern, inShell)
		m, problem := compile(tt.glob, inRules)
		if problem != "" {
			t.Fatal(problem)
		}
		if got := compare(p, m, false); got != tt.want {
			t.Errorf("compare(%q, %q) = %03b, want %03b", tt.pattern, tt.glob, got, tt.want)
		}
		if got := inside(p, m, false); got != tt.inside {
			t.Errorf("inside(%q, %q) = %03b, want %03b", tt.pattern, tt.glob, got, tt.inside)
		}
	}
	long, _ := compile(strings.Repeat("*a", 1000), inShell)
	if compare(long, long, false) != same|below|above || inside(long, long, false) != 0 {
		t.Error("what is too long to compare is not taken for the worst")
	}
}

// texts lists every path of at most n characters over a small alphabet.
func texts(n int) []string {
	all, last := []string{""}, []string{""}
	for range n {
		var next []string
		for _, t := range last {
			for _, c := range "ab./" {
				next = append(next, t+string(c))
			}
		}
		all = append(all, next...)
		last = next
	}
	return all
}

var allTexts = texts(5)

// The comparison of two globs is held against trying out all short texts: what
// both match is seen, and what is said to lie inside does.
func FuzzCompare(f *testing.F) {
	for _, seed := range []string{"/a/*|/a/b", "**/a|a*", "?|[ab]", ".*|*", "a/**/b|**", "*a*b|a?*", "/@(a)|/a", "[!a]b|.b"} {
		p, m, _ := strings.Cut(seed, "|")
		f.Add(p, m)
	}
	f.Fuzz(func(t *testing.T, pattern, glob string) {
		if len(pattern) > 12 || len(glob) > 12 {
			return
		}
		p, _ := compile(pattern, inShell)
		m, problem := compile(glob, inRules)
		if problem != "" {
			return
		}
		met, covered := compare(p, m, false), inside(p, m, false)
		if len(m) == 0 || len(p) == 0 {
			return
		}
		for _, text := range allTexts {
			s := spelled(text)
			inP := inside(s, p, false)&same != 0
			inM := inside(s, m, false)&same != 0
			if inP && inM && met&same == 0 {
				t.Errorf("%q and %q both match %q, which the comparison denies", pattern, glob, text)
			}
			if inP && !inM && covered == same {
				t.Errorf("%q is said to lie inside %q, but %q does not", pattern, glob, text)
			}
			if ok, err := path.Match(glob, text); err == nil && !strings.ContainsAny(glob, "[\\") && !strings.Contains(glob, "**") && ok != inM {
				t.Errorf("%q on %q: %v, the standard library says %v", glob, text, inM, ok)
			}
		}
	})
}

func TestClean(t *testing.T) {
	tests := []struct{ path, want string }{
		{"/", "/"}, {"//", "/"}, {"/a/", "/a"}, {"/a//b", "/a/b"}, {"/a/./b", "/a/b"}, {"/a/../b", "/b"}, {"/../..", "/"}, {"/a/b/../..", "/"}, {"/.a", "/.a"}, {"/a/..b", "/a/..b"}, {"a", ""}, {"", ""},
	}
	for _, tt := range tests {
		if got := clean(tt.path); got != tt.want {
			t.Errorf("clean(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}

// For every path and every zone: to lie inside is to be touched, and a tree that
// holds the path touches what the path touches or sweeps over it.
func FuzzZones(f *testing.F) {
	for _, p := range []string{"/home/dev/.ssh/id_rsa", "/tmp/x", "/", "/home/dev/proj/node_modules/a", "/etc/shadow", "/proc/1/environ", "/home/dev/proj/.env.local"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if len(p) > 200 || clean(p) == "" || strings.IndexByte(p, 0) >= 0 {
			return
		}
		g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj", Sandbox: "/home/dev/s"}, new(zoneTables))
		at := g.target(tool.Effect{Kind: tool.Read, Target: p, Reach: tool.Exact})
		parent := g.target(tool.Effect{Kind: tool.Read, Target: path.Dir(clean(p)), Reach: tool.Exact, Tree: true})
		unknown := g.target(tool.Effect{Kind: tool.Read})
		for z := range zoneCount {
			direct := g.touches(&at, z).direct == certain
			if g.within(&at, ZoneSet(0).With(z)) && !direct {
				t.Errorf("%q lies inside %s but does not touch it", p, z)
			}
			if !g.touches(&unknown, z).some() || g.within(&unknown, ZoneSet(0).With(z)) {
				t.Errorf("an unknown path cannot be in %s, or must be", z)
			}
			if direct && !g.touches(&parent, z).some() && !namedIn(g, z, clean(p)) {
				t.Errorf("%q is in %s, which the tree above it does not touch", p, z)
			}
		}
	})
}

// namedIn says whether a path is in a zone only by a name that may stand anywhere.
func namedIn(g *ground, z Zone, p string) bool {
	at := g.place(p)
	for _, member := range g.table(z).all() {
		if isName(member) && g.relate(member, &at, true) != 0 {
			return true
		}
	}
	return false
}
