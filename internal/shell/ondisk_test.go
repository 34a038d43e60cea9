package shell

import (
	"slices"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

func TestPatternsMeetLinks(t *testing.T) {
	for _, c := range []struct {
		pattern string
		links   []string // in /p/docs
		want    []string
	}{
		{"/p/docs/*.md", []string{"a.md", "b.txt"}, []string{"/p/docs/a.md"}},
		{"/p/docs/*/key", []string{"sub", "x"}, []string{"/p/docs/sub/key", "/p/docs/x/key"}},
		{"/p/docs/*/*.pem", []string{"s*b"}, []string{`/p/docs/s\*b/*.pem`}},
		{"/p/docs/**/x", []string{"l"}, nil},
		{"/p/docs/@(a|b)", []string{"a"}, nil},
		{"/p/docs/x?", []string{"y1"}, nil},
		{"/p/other/*", []string{"a"}, nil},
	} {
		w := testWorld()
		w.Entries = func(dir string) (list []tool.Entry, whole bool) {
			if dir == "/p/docs" {
				for _, name := range c.links {
					list = append(list, tool.Entry{Name: name, Link: true})
				}
			}
			return list, false
		}
		r := newReader(w, nil)
		inv := &command.Invocation{}
		inv.Effects = []tool.Effect{{Kind: tool.Read, Target: c.pattern, Pattern: true, Reach: tool.Exact}}
		r.throughPatterns(inv, 0)
		var got []string
		for _, e := range inv.Effects[1:] {
			got = append(got, e.Target)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.pattern, got, c.want)
		}
	}
}

func TestPatternsStandForWhatIsThere(t *testing.T) {
	there := []string{"package.json", "package-lock.json", ".env", "a.pem", "go.mod", "go.sum"}
	write := &command.Invocation{Effects: []tool.Effect{{Kind: tool.Create, Target: "/p/x", Reach: tool.Exact}}}
	read := &command.Invocation{Effects: []tool.Effect{{Kind: tool.Read, Target: "/p/x", Reach: tool.Exact}}}
	for _, c := range []struct {
		pattern string
		kind    tool.Kind
		before  *command.Invocation
		want    []string // nil if it stays a pattern
	}{
		{"/p/package*.json", tool.Read, nil, []string{"/p/package.json", "/p/package-lock.json"}},
		{"/p/go.*", tool.Read, read, []string{"/p/go.mod", "/p/go.sum"}},
		{"/p/*", tool.Read, nil, []string{"/p/package.json", "/p/package-lock.json", "/p/a.pem", "/p/go.mod", "/p/go.sum"}},
		{"/p/.e*", tool.Read, nil, []string{"/p/.env"}},
		{"/p/*.p*", tool.Read, nil, []string{"/p/a.pem"}},
		{"/p/nothing*", tool.Read, nil, nil},
		{"/p/go.*", tool.Write, nil, nil},
		{"/p/go.*", tool.Read, write, nil},
		{"/p/*/go.*", tool.Read, nil, nil},
		{"/q/go.*", tool.Read, nil, nil},
	} {
		w := testWorld()
		w.Entries = func(dir string) (list []tool.Entry, whole bool) {
			if dir != "/p" {
				return nil, false
			}
			for _, name := range there {
				list = append(list, tool.Entry{Name: name})
			}
			return list, true
		}
		r := newReader(w, nil)
		if c.before != nil {
			r.invocations = append(r.invocations, c.before)
		}
		inv := &command.Invocation{Effects: []tool.Effect{{Kind: c.kind, Target: c.pattern, Pattern: true, Reach: tool.Exact}}}
		r.throughPatterns(inv, 0)
		var got []string
		for _, e := range inv.Effects {
			if !e.Pattern {
				got = append(got, e.Target)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: %q, want %q", c.kind, c.pattern, got, c.want)
		}
	}
}

func TestQuotesInSets(t *testing.T) {
	for word, want := range map[string]string{
		`.[\^e]nv`:   `.[\^e]nv`,
		`.["^"e]nv`:  `.[\^e]nv`,
		`.['!'e]nv`:  `.[\!e]nv`,
		`[a"-"c]`:    `[a\-c]`,
		`a-"b-c"*`:   `a-b-c*`,
		`"[^a]"*`:    `\[^a\]*`,
		`x-"y"[!a]z`: `x-y[!a]z`,
	} {
		if got := ran(t, "ls "+word); got != "ls glob:"+want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
