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
		w.Links = func(dir string) []string {
			if dir == "/p/docs" {
				return c.links
			}
			return nil
		}
		r := &reader{world: w}
		inv := &command.Invocation{}
		inv.Effects = []tool.Effect{{Kind: tool.Read, Target: c.pattern, Pattern: true, Reach: tool.Exact}}
		r.throughPatterns(inv)
		var got []string
		for _, e := range inv.Effects[1:] {
			got = append(got, e.Target)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.pattern, got, c.want)
		}
	}
}
