package undo

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	pruneEach = 12 * time.Hour
	// maxSnaps bounds how many snapshots of a project are kept, smallPack and maxSmall how many small packs.
	maxSnaps            = 2000
	smallPack, maxSmall = 4 << 20, 32
)

// due says whether it is time to prune, and that it is being done.
func due(o Options) bool {
	path := filepath.Join(o.Dir, "pruned")
	info, err := os.Lstat(path)
	if err == nil && o.Now().Sub(info.ModTime()) < pruneEach {
		return false
	}
	return os.WriteFile(path, nil, 0o600) == nil && os.Chtimes(path, o.Now(), o.Now()) == nil
}

// aged is a snapshot with what only it and older ones need.
type aged struct {
	*Snapshot
	store  *Store
	size   int64
	newest bool
}

// prune removes snapshots of all projects that are too old, and the oldest while there are too many bytes. The newest
// of each project stays while the project is there.
func prune(o Options) error {
	dirs, err := os.ReadDir(o.Dir)
	if err != nil {
		return nil //nolint:nilerr // nothing was ever kept
	}
	var list []aged
	var failed error
	for _, e := range dirs {
		if !e.IsDir() || strings.Contains(e.Name(), ".") {
			continue
		}
		s := &Store{o: o, dir: filepath.Join(o.Dir, e.Name())}
		id, err := recorded(s.dir)
		if s.o.Root = id.path; err != nil {
			continue
		}
		more, err := s.ages()
		failed = errors.Join(failed, err)
		if len(more) > 0 && !isDir(id.path) && o.Now().Sub(more[0].Time) > time.Duration(o.Days)*24*time.Hour {
			failed = errors.Join(failed, removeAll(s.dir)) // the project is gone
			continue
		}
		list = append(list, more...)
	}
	slices.SortStableFunc(list, func(a, b aged) int {
		if a.newest != b.newest {
			if a.newest {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Time.UnixNano(), a.Time.UnixNano())
	})
	size, first, ended := int64(0), map[*Store]int{}, map[*Store]bool{}
	for _, n := range list {
		old := o.Now().Sub(n.Time) > time.Duration(o.Days)*24*time.Hour
		if ended[n.store] = ended[n.store] || !n.newest && (old || size+n.size > o.Size); !ended[n.store] {
			size += n.size
			first[n.store] = n.Number
		}
	}
	for s, number := range first {
		if err := s.drop(number); err != nil && !errors.Is(err, ErrBusy) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// ages lists the snapshots of a project, the newest first.
func (s *Store) ages() (list []aged, err error) {
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	seen := map[Sum]int64{}
	for i, n := range all {
		if i >= maxSnaps {
			break
		}
		before := total(seen)
		for _, r := range n.Roots {
			s.reach(Entry{Kind: Dir, Sum: r.Tree}, seen, func(error) {})
		}
		list = append(list, aged{n, s, total(seen) - before, i == 0})
	}
	s.packs, s.trees = nil, nil
	return list, nil
}

// total is kept under the zero sum.
func total(seen map[Sum]int64) int64 { return seen[Sum{}] }

// reach notes the contents that an entry needs, once each.
func (s *Store) reach(e Entry, seen map[Sum]int64, failed func(error)) {
	if _, ok := seen[e.Sum]; ok || e.Kind != File && e.Kind != Link && e.Kind != Dir {
		return
	}
	seen[e.Sum] = e.Size
	seen[Sum{}] += e.Size
	if e.Kind != Dir {
		return
	}
	list, err := s.tree(e.Sum)
	if err != nil {
		failed(err)
	}
	for _, sub := range list {
		seen[Sum{}] += int64(entryHead + len(sub.Name))
		s.reach(sub, seen, failed)
	}
}

// drop removes all snapshots before one, and what only they need.
func (s *Store) drop(before int) error {
	return s.locked(func() error {
		list, err := s.all()
		if err != nil {
			return err
		}
		for i, n := range list {
			if n.Number < before || i+1 < len(list) && s.idle(n, list[i+1:]) {
				if err := remove(s.snapPath(n.Number)); err != nil {
					return err
				}
			}
		}
		return s.sweep()
	})
}

// idle says whether nothing came of what a snapshot was taken for, as the later ones tell.
func (s *Store) idle(n *Snapshot, later []*Snapshot) bool {
	return n.Moment == Before && slices.Equal(n.Roots, later[0].Roots) && s.o.Now().Sub(n.Time) > time.Hour &&
		!slices.ContainsFunc(later, func(l *Snapshot) bool { return l.Moment == After && l.Use == n.Use })
}

// sweep removes what no snapshot needs.
func (s *Store) sweep() error {
	live, whole := map[Sum]int64{}, true
	all, err := s.all()
	if err != nil {
		return err
	}
	for _, n := range all {
		for _, r := range n.Roots {
			s.reach(Entry{Kind: Dir, Sum: r.Tree}, live, func(error) { whole = false })
		}
	}
	x, err := s.readIndex()
	if err != nil {
		return err
	}
	for _, r := range x.dirs {
		live[r.tree()] = 0
		for l := r.line(); len(l) > 0; l = l.next() {
			live[l.sum()] = l.size()
		}
	}
	if err := s.sweepDamaged(); err != nil {
		return err
	}
	if !whole {
		return nil // what a tree that cannot be read needs is not known
	}
	large, err := os.ReadDir(filepath.Join(s.dir, "large"))
	if err != nil {
		return err
	}
	for _, e := range large {
		if sum, err := hex.DecodeString(e.Name()); err == nil && len(sum) == len(Sum{}) {
			if _, ok := live[Sum(sum)]; ok {
				continue
			}
		}
		if err := remove(filepath.Join(s.dir, "large", e.Name())); err != nil {
			return err
		}
	}
	return s.repack(live, x)
}

// sweepDamaged removes what was set aside, after a while.
func (s *Store) sweepDamaged() error {
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(e.Name(), "damaged-") || s.o.Now().Sub(info.ModTime()) < time.Duration(s.o.Days)*24*time.Hour {
			continue
		}
		if err := remove(filepath.Join(s.dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// repack removes packs of which nothing is needed, and writes what is left of sparse ones, and many small ones, into a new one.
func (s *Store) repack(live map[Sum]int64, x *index) error {
	if err := s.openPacks(); err != nil {
		return err
	}
	small := 0
	for _, p := range s.packs {
		if p.size < smallPack {
			small++
		}
	}
	packs := s.packs
	var gone []string
	w := packWriter{s: s}
	defer w.drop()
	kept := map[Sum]bool{}
	slices.SortFunc(packs, func(a, b pack) int { return cmp.Compare(b.size, a.size) })
	for i := range packs {
		p := &packs[i]
		var needed []item
		bytes := int64(0)
		for j := range p.count() {
			it := p.item(j)
			if _, ok := live[it.sum]; ok && !kept[it.sum] {
				needed = append(needed, it)
				bytes += it.size + int64(itemSize)
			}
		}
		if bytes*2 > p.size && (p.size >= smallPack || small <= maxSmall) {
			for _, it := range needed {
				kept[it.sum] = true
			}
			continue
		}
		gone = append(gone, p.name)
		for _, it := range needed {
			content, err := s.content(it.sum)
			if errors.Is(err, ErrDamaged) {
				continue // it is lost; Check says so
			}
			if err == nil {
				err = w.add(it.sum, content)
			}
			if err != nil {
				return err
			}
			kept[it.sum] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if err := w.finish(); err != nil {
		return err
	}
	return s.removePacks(gone, x)
}

// removePacks removes packs after the index no longer relies on them.
func (s *Store) removePacks(gone []string, x *index) error {
	names, err := s.packNames()
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(gone, n) })
	if err := s.writeIndex(x.raw, names); err != nil {
		return err
	}
	for _, name := range gone {
		if err := remove(s.packPath(name)); err != nil {
			return err
		}
	}
	s.packs = nil
	return nil
}

// Check looks at everything that the snapshots need and says what is missing or damaged.
func (s *Store) Check() (problems []error) {
	err := s.locked(func() error {
		seen := map[Sum]int64{}
		failed := func(err error) { problems = append(problems, err) }
		numbers, err := s.numbers()
		for _, number := range numbers {
			n, err := s.snapshot(number)
			if err != nil {
				failed(err)
				continue
			}
			for _, r := range n.Roots {
				s.reach(Entry{Kind: Dir, Sum: r.Tree}, seen, failed)
			}
		}
		x, indexed := s.readIndex()
		if indexed != nil {
			return indexed
		}
		for _, r := range x.dirs {
			for l := r.line(); len(l) > 0; l = l.next() {
				if e := l.entry(); e.Kind == File || e.Kind == Link {
					seen[e.Sum] = e.Size
				}
			}
		}
		delete(seen, Sum{})
		for sum, size := range seen {
			if size > largeMin {
				if err := s.copyTo(io.Discard, sum, size); err != nil {
					failed(err)
				}
			} else if content, err := s.content(sum); err != nil || sha256.Sum256(content) != sum {
				failed(fmt.Errorf("%s: %w", sum, err))
			}
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, err)
	}
	return problems
}
