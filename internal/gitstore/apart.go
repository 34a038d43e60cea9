package gitstore

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxApart bounds the commits that are walked between two.
const maxApart = 2500

// Apart finds the commits that some descend from, with these themselves, and others do not. It also finds a commit that both
// descend from, the zero ID if there is none. It walks from the newest to the oldest until what is left is known to both, and
// older than what is not. Where dates are wrong there may be too many, never too few.
func (s *Store) Apart(of, from []ID) (only []ID, base ID, err error) {
	w := walk{store: s, seen: map[ID]*walked{}, oldest: math.MaxInt64}
	for _, id := range of {
		err = errors.Join(err, w.reach(id, ofThese))
	}
	for _, id := range from {
		err = errors.Join(err, w.reach(id, ofOthers))
	}
	var bases []*walked
	for err == nil && len(w.queue) > 0 && (w.open > 0 || w.queue[len(w.queue)-1].date >= w.oldest) {
		c := w.next()
		by := c.by
		if by == ofThese|ofOthers {
			bases = append(bases, c)
			by |= known
		}
		for _, p := range c.parents {
			err = errors.Join(err, w.reach(p, by))
		}
	}
	if i := slices.IndexFunc(bases, func(c *walked) bool { return c.by&known == 0 }); i >= 0 {
		base = bases[i].id
	}
	for _, id := range w.order {
		if w.seen[id].by == ofThese {
			only = append(only, id)
		}
	}
	return only, base, err
}

// Who descends from a commit, and that one is known which both descend from who descend from it.
const (
	ofThese = 1 << iota
	ofOthers
	known
)

// walked is a commit on the way.
type walked struct {
	id      ID
	parents []ID
	date    int64
	by      int
	waits   bool
}

// walk is the way through commits.
type walk struct {
	store *Store
	seen  map[ID]*walked
	order []ID      // in which they were found
	queue []*walked // those to look at, the newest last
	open  int       // how many of these may still tell something

	oldest int64 // date of the commits that, as it seemed, only these descend from
}

// commit finds one. One that is not there is where a shallow history begins.
func (w *walk) commit(id ID) (*walked, error) {
	if c := w.seen[id]; c != nil {
		return c, nil
	}
	if len(w.seen) >= maxApart {
		return nil, ErrTooMuch
	}
	at, head, err := w.store.head(id)
	if err != nil && !errors.Is(err, ErrNone) {
		return nil, err
	}
	if c := w.seen[at]; c != nil {
		return c, nil // by a tag
	}
	c := &walked{id: at, date: commitDate(head)}
	if _, c.parents, err = commitHead(head); err != nil {
		return nil, err
	}
	w.seen[at] = c
	w.order = append(w.order, at)
	return c, nil
}

// reach notes that some descend from a commit.
func (w *walk) reach(id ID, by int) error {
	c, err := w.commit(id)
	if err != nil {
		return err
	}
	if c.by|by == c.by {
		return nil
	}
	w.count(c, -1)
	if c.by |= by; c.by == ofThese {
		w.oldest = min(w.oldest, c.date)
	}
	if !c.waits {
		at, _ := slices.BinarySearchFunc(w.queue, c, func(a, b *walked) int {
			if a.date < b.date {
				return -1
			}
			return 1 // before those of the same time, which were found earlier
		})
		w.queue, c.waits = slices.Insert(w.queue, at, c), true
	}
	w.count(c, 1)
	return nil
}

// count keeps the number of those that may still tell something.
func (w *walk) count(c *walked, n int) {
	if c.waits && c.by&known == 0 {
		w.open += n
	}
}

// next takes the newest.
func (w *walk) next() *walked {
	c := w.queue[len(w.queue)-1]
	w.queue = w.queue[:len(w.queue)-1]
	w.count(c, -1)
	c.waits = false
	return c
}

// commitDate is when a commit was made, in seconds; 0 if that is not written.
func commitDate(head string) int64 {
	_, line, _ := strings.Cut(head, "\ncommitter ")
	line, _, _ = strings.Cut(line, "\n")
	_, when, _ := strings.Cut(line, "> ")
	n, _ := strconv.ParseInt(first(when), 10, 64)
	return n
}

// Base finds a commit that both descend from.
func (s *Store) Base(a, b ID) (ID, error) {
	_, base, err := s.Apart([]ID{a}, []ID{b})
	if err == nil && base == (ID{}) {
		err = ErrNone
	}
	return base, err
}

// maxBefore bounds the commits that are gone back over.
const maxBefore = 64

// Before is the first commit from one on, going back by first parents, that was made before a time, or the last of so many.
func (s *Store) Before(id ID, when int64) (ID, error) {
	for range maxBefore {
		at, head, err := s.head(id)
		if err != nil || commitDate(head) < when {
			return at, err
		}
		_, parents, err := commitHead(head)
		if err != nil || len(parents) == 0 {
			return ID{}, cmp.Or(err, ErrNone)
		}
		id = parents[0]
	}
	return id, nil
}
