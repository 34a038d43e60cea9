//go:build unix

package undo

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

const seeds = 20

// TestRandomCallsAreUndone does random things to a small project in several calls and undoes them, the last one first; then
// it undoes the undoing.
func TestRandomCallsAreUndone(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 1))
		root := filepath.Join(t.TempDir(), "p")
		check(t, os.Mkdir(root, 0o755))
		did := random(r, root, 40)
		s := opened(t, root)
		images := []map[string]string{image(t, root)}
		var calls []Call
		for range 3 {
			calls = append(calls, around(t, s, func() { did = append(did, random(r, root, 1+r.IntN(10))...) }))
			images = append(images, image(t, root))
		}
		var undone []int
		var last map[string]string
		for i := len(calls) - 1; i >= 0; i-- {
			p, err := s.Restore(calls[i])
			check(t, err)
			for _, left := range p.Remaining {
				t.Errorf("seed %d: remaining: %v", seed, left)
			}
			same(t, images[i], image(t, root), fmt.Sprintf("seed %d, call %d", seed, i))
			if p.Undone > 0 {
				undone = append(undone, p.Undone)
				last = images[i+1]
			}
		}
		list, err := s.List()
		check(t, err)
		if len(undone) > 0 && list[0].ID() == undone[len(undone)-1] {
			_, err := s.Restore(list[0])
			check(t, err)
			same(t, last, image(t, root), fmt.Sprintf("seed %d, undone twice", seed))
		} else if len(undone) > 0 {
			t.Errorf("seed %d: %v is not the newest of %v", seed, undone, list)
		}
		whole(t, s)
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, did)
		}
	}
}

// random does things to a directory.
func random(r *rand.Rand, root string, n int) (did []string) {
	names := []string{"a", "b", "c", "\xff", "x y", "-r"}
	path := func() string {
		p := root
		for range 1 + r.IntN(3) {
			p = filepath.Join(p, names[r.IntN(len(names))])
		}
		return p
	}
	for range n {
		from, to, text := path(), path(), fmt.Sprint(r.IntN(5))
		what := ""
		switch r.IntN(12) {
		case 0, 1, 2:
			what = "write"
			_ = os.MkdirAll(filepath.Dir(from), 0o755)
			_ = os.WriteFile(from, []byte(text), 0o644)
		case 3:
			what = "remove"
			_ = os.RemoveAll(from)
		case 4:
			what = "rename"
			_ = os.Rename(from, to)
		case 5:
			what = "mkdir"
			_ = os.MkdirAll(from, 0o750)
		case 6:
			what = "symlink"
			_ = os.Symlink(text, from)
		case 7:
			what = "chmod"
			if info, err := os.Lstat(from); err == nil && info.Mode()&os.ModeSymlink == 0 {
				_ = os.Chmod(from, os.FileMode(0o700|r.IntN(0o100)))
			}
		case 8:
			what = "link"
			_ = os.Link(from, to)
		case 9:
			what = "append"
			if f, err := os.OpenFile(from, os.O_WRONLY|os.O_APPEND, 0); err == nil {
				_, _ = f.WriteString(text)
				f.Close()
			}
		case 10:
			what = "replace by a directory"
			if os.Remove(from) == nil {
				_ = os.MkdirAll(filepath.Join(from, "a"), 0o755)
			}
		case 11:
			what = "replace by a file"
			if os.RemoveAll(from) == nil {
				_ = os.WriteFile(from, []byte(text), 0o600)
			}
		}
		did = append(did, fmt.Sprintf("%s %q %q", what, from[len(root):], to[len(root):]))
	}
	return did
}
