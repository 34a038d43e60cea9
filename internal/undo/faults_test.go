//go:build unix

package undo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"longline/internal/paths"
)

// failing makes the n-th operation on the disk fail, and all after it that a predicate names. It returns how many there were.
func failing(n int, err error, also func(op string) bool, do func()) int {
	count := 0
	fault = func(op string) error {
		if count++; count == n || count > n && also(op) {
			return err
		}
		return nil
	}
	defer func() { fault = nil }()
	do()
	return count
}

func always(string) bool       { return true }
func whatFills(op string) bool { return op == "write" || op == "create" || op == "mkdir" }

// TestKilledAnywhere: whatever operation is the last, the store is whole, a new snapshot can be taken, and what was
// being brought back can be brought back.
func TestKilledAnywhere(t *testing.T) {
	for _, kind := range []struct {
		name string
		err  error
		also func(string) bool
	}{{"killed", errDead, always}, {"full", syscall.ENOSPC, whatFills}} {
		t.Run(kind.name, func(t *testing.T) {
			for _, deed := range []string{"first", "changed", "restore", "prune"} {
				for n := 1; ; n++ {
					if !dies(t, deed, n, kind.err, kind.also) {
						t.Logf("%s: %d operations", deed, n-1)
						if n < 4 {
							t.Errorf("%s: only %d operations", deed, n-1)
						}
						break
					}
				}
			}
		})
	}
}

// dies does something that fails at the n-th operation, and says whether there were so many.
func dies(t *testing.T, deed string, n int, err error, also func(string) bool) bool {
	what := fmt.Sprintf("%s, operation %d", deed, n)
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one", "sub/b", "two", "sub/c", "three", "d/e/f", "four")
	s := opened(t, root)
	now := time.Now()
	s.o.Now = func() time.Time { return now }
	want := image(t, root)
	var call Call
	if deed != "first" {
		call = around(t, s, func() {
			check(t, errors.Join(os.RemoveAll(filepath.Join(root, "sub")), os.RemoveAll(filepath.Join(root, "d"))))
			write(t, root, "a", "x", "sub/new", "y", "d", "z")
		})
	}
	var failed error
	var count int
	switch deed {
	case "first", "changed":
		write(t, root, "g", "five", "sub/h", "six")
		want = image(t, root)
		count = failing(n, err, also, func() { _, failed = s.Snapshot(Meta{Moment: Before}, 0) })
	case "restore":
		count = failing(n, err, also, func() {
			var p *Plan
			if p, failed = s.Restore(call); failed == nil && len(p.Remaining) > 0 {
				failed = errors.New(p.Remaining[0].Why)
			}
		})
	case "prune":
		now = now.Add(100 * 24 * time.Hour)
		write(t, root, "g", "five")
		want = image(t, root)
		_, e := s.Snapshot(Meta{Moment: Before}, 0)
		check(t, e)
		count = failing(n, err, also, func() { failed = prune(s.o) })
	}
	if count < n {
		if failed != nil {
			t.Errorf("%s: %v though nothing failed", what, failed)
		}
		whole(t, s)
		return false
	}
	s = opened(t, root)
	s.o.Now = func() time.Time { return now }
	for _, problem := range s.Check() {
		t.Errorf("%s: %v", what, problem)
	}
	if deed == "restore" {
		p, err := s.Restore(call)
		check(t, err)
		for _, r := range p.Remaining {
			t.Errorf("%s: %v", what, r)
		}
		same(t, want, image(t, root), what)
	}
	later := around(t, s, func() { check(t, errors.Join(os.RemoveAll(root), os.Mkdir(root, 0o755))) })
	_, e := s.Restore(later)
	check(t, e)
	same(t, want, image(t, root), what+", later")
	whole(t, s)
	if left, _ := os.ReadDir(filepath.Join(s.dir, "tmp")); len(left) > 0 {
		t.Errorf("%s: %v is left behind", what, left)
	}
	return true
}

// TestDamage turns bytes of the store over. What comes back is right or is said to be missing, and
// the next snapshot holds everything again.
func TestDamage(t *testing.T) {
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one", "sub/b", "two", "sub/c", "three", "d/e/f", "four")
	s := opened(t, root)
	call := around(t, s, func() { sh(t, root, `rm -r sub d`) })
	_, err := s.Restore(call)
	check(t, err)
	want := image(t, root)
	good := filepath.Join(t.TempDir(), "good")
	check(t, os.CopyFS(good, os.DirFS(s.dir)))
	var files []string
	check(t, fs.WalkDir(os.DirFS(good), ".", func(path string, d fs.DirEntry, err error) error {
		if d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	}))
	if len(files) < 8 {
		t.Fatalf("the store has only %v", files)
	}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(good, name))
		check(t, err)
		for at := 0; at <= len(text); at += max(1, len(text)/7) {
			bad := append([]byte{}, text...)
			if at < len(text) {
				bad[at] ^= 1 << (at % 8)
			} else {
				bad = bad[:len(text)/2] // cut off
			}
			check(t, os.RemoveAll(s.dir))
			check(t, os.CopyFS(s.dir, os.DirFS(good)))
			check(t, os.WriteFile(filepath.Join(s.dir, name), bad, 0o600))
			damagedAt(t, root, fmt.Sprintf("%s, byte %d", name, at), want)
		}
	}
}

func damagedAt(t *testing.T, root, what string, want map[string]string) {
	s := opened(t, root)
	call := around(t, s, func() {
		check(t, errors.Join(os.RemoveAll(filepath.Join(root, "sub")), os.RemoveAll(filepath.Join(root, "d"))))
		write(t, root, "a", "")
	})
	p, err := s.Restore(call)
	check(t, err)
	got := image(t, root)
	if len(p.Remaining) > 0 {
		for path, text := range want {
			for _, r := range p.Remaining {
				if !strings.Contains(r.Why, "damaged") {
					t.Errorf("%s: %v", what, r)
				}
				if paths.Within(filepath.Join(root, path), r.Path) && got[path] != text {
					got[path] = text
				}
			}
		}
		write(t, root, "a", "one", "sub/b", "two", "sub/c", "three", "d/e/f", "four")
	}
	same(t, want, got, what)
	_, err = s.Snapshot(Meta{Moment: Start}, 0)
	check(t, err)
	later := around(t, s, func() {
		check(t, errors.Join(os.RemoveAll(filepath.Join(root, "sub")), os.RemoveAll(filepath.Join(root, "d")), os.Remove(filepath.Join(root, "a"))))
	})
	p, err = s.Restore(later)
	check(t, err)
	if len(p.Remaining) > 0 {
		t.Errorf("%s: then %v", what, p.Remaining)
	}
	same(t, want, image(t, root), what+", then")
}

// TestManyAtOnce: several processes take snapshots of one project and undo what they did.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one")
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			s := opened(t, root, func(o *Options) { o.Wait = 30 * time.Second })
			for j := range 4 {
				name := filepath.Join(root, fmt.Sprint(i))
				m := Meta{Use: fmt.Sprint(i, j), Moment: Before}
				check := func(err error) {
					if err != nil {
						t.Error(err)
					}
				}
				check(os.WriteFile(name, []byte("first"), 0o644))
				before, err := s.Snapshot(m, 0)
				check(err)
				check(os.WriteFile(name, fmt.Append(nil, "second", j), 0o644))
				m.Moment = After
				after, err := s.Snapshot(m, 0)
				check(err)
				if t.Failed() {
					return
				}
				_, err = s.Restore(Call{before, after}, name)
				check(err)
				if text, err := os.ReadFile(name); err != nil || string(text) != "first" {
					t.Errorf("%d: %q, %v", i, text, err)
				}
			}
		})
	}
	group.Wait()
	whole(t, opened(t, root))
}

func TestBusy(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one")
	s := opened(t, root, func(o *Options) { o.Wait = 10 * time.Millisecond })
	check(t, s.locked(func() error {
		other := opened(t, root, func(o *Options) { o.Wait = 10 * time.Millisecond })
		if _, err := other.Snapshot(Meta{}, 0); !errors.Is(err, ErrBusy) {
			t.Errorf("got %v", err)
		}
		return nil
	}))
}

// TestDamagedPackOnTheWay: where a pack is found to be damaged while a snapshot is taken, what the index knew of it counts no more.
func TestDamagedPackOnTheWay(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one", "sub/b", "two")
	s := opened(t, root)
	_, err := s.Snapshot(Meta{Moment: Start}, 0)
	check(t, err)
	time.Sleep(grain + 20*time.Millisecond)
	_, err = s.Snapshot(Meta{Moment: Start}, 0) // nothing is racy now
	check(t, err)
	names, err := s.packNames()
	check(t, err)
	for _, name := range names {
		text, err := os.ReadFile(s.packPath(name))
		check(t, err)
		text[len(text)-1] ^= 1
		check(t, os.WriteFile(s.packPath(name), text, 0o600))
	}
	write(t, root, "large", strings.Repeat("x", checkFrom))
	n, err := s.Snapshot(Meta{Moment: Before, Use: "x"}, 0)
	check(t, err)
	if !strings.Contains(n.Note, "damaged") {
		t.Errorf("nothing is said: %q", n.Note)
	}
	want := image(t, root)
	sh(t, root, `rm -r *`)
	p, err := s.Restore(Call{Before: n})
	check(t, err)
	if len(p.Remaining) > 0 {
		t.Errorf("remaining: %v", p.Remaining)
	}
	same(t, want, image(t, root), "restored")
}
