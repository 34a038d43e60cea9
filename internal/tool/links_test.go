package tool_test

import (
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestFollowRemembers: what a world remembers of paths without links changes nothing about where paths lead.
func TestFollowRemembers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	path := func() string {
		var p strings.Builder
		for range 1 + random.IntN(5) {
			p.WriteString("/" + []string{"a", "b", "ab", "a", "b", "..", ".", ""}[random.IntN(8)])
		}
		return p.String()
	}
	for range 2000 {
		links, files := map[string]string{}, map[string]bool{}
		for range random.IntN(4) {
			links[path()] = []string{"a", "../b", "/b/a", ".", "/", "ab"}[random.IntN(6)]
		}
		for range random.IntN(6) {
			p := path()
			for i := range p {
				files[p[:i]] = true
			}
			files[p] = true
		}
		readlink := func(p string) (string, error) {
			switch {
			case links[p] != "":
				return links[p], nil
			case files[p]:
				return "", tool.ErrNotLink
			}
			return "", fs.ErrNotExist
		}
		w := (&tool.World{Readlink: readlink}).Remembering()
		for range 20 {
			p := path()
			if got, want := w.Follow(p), tool.Follow(p, true, readlink); got != want {
				t.Fatalf("%s leads to %s, want %s; links %v, files %v", p, got, want, links, files)
			}
		}
	}
}

// TestFollowSlashes: a slash more changes nothing about where a path leads.
func TestFollowSlashes(t *testing.T) {
	readlink := func(p string) (string, error) {
		if p == "/b/a" {
			return "/c", nil
		}
		return "", tool.ErrNotLink
	}
	for _, p := range []string{"/b/a/d", "//b/a/d", "/b//a/d", "/b/a//d", "/b///a/d", "/b/a/d/"} {
		if got := tool.Follow(p, true, readlink); got != "/c/d" {
			t.Errorf("%s leads to %s", p, got)
		}
	}
}
