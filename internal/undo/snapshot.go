package undo

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"longline/internal/paths"
)

const (
	snapForm   = "longline undo snapshot 1"
	maxCommand = 4 << 10
)

// Snapshot takes one, within a budget of time; 0 is no bound. It is there whole or not at all. When a session
// begins, what is too old of all projects goes, twice a day at most.
func (s *Store) Snapshot(m Meta, budget time.Duration) (n *Snapshot, err error) {
	err = s.locked(func() error {
		n, err = s.take(m, budget)
		return err
	})
	if err != nil {
		return nil, err
	}
	if m.Moment == Start && due(s.o) {
		if err := prune(s.o); err != nil {
			n.Note = strings.TrimPrefix(n.Note+"; old snapshots could not be removed: "+err.Error(), "; ")
		}
	}
	return n, nil
}

// take is Snapshot for who holds the lock.
func (s *Store) take(m Meta, budget time.Duration) (*Snapshot, error) {
	s.notes, s.lost = nil, false
	n, err := s.look(m, budget)
	if s.lost { // a pack was found to be damaged on the way, and the index had relied on it
		s.lost = false
		_ = s.forget()
		n, err = s.look(m, budget)
	}
	return n, err
}

// look goes through the project once.
func (s *Store) look(m Meta, budget time.Duration) (*Snapshot, error) {
	last, err := s.last()
	if err != nil && !errors.Is(err, ErrNone) {
		return nil, err
	}
	old, err := s.readIndex()
	if err != nil {
		return nil, err
	}
	w := walk{s: s, old: old, pack: packWriter{s: s}, racy: time.Now().Add(-grain).UnixNano(), room: s.o.Size, names: make([]byte, 32<<10)}
	if budget > 0 {
		w.deadline = time.Now().Add(budget)
	}
	defer w.pack.drop()
	n := &Snapshot{Meta: m, Time: s.o.Now(), Number: 1, alias: s.alias}
	n.Command = n.Command[:min(len(n.Command), maxCommand)]
	n.Roots, err = w.roots(last)
	if err != nil && !errors.Is(err, ErrTime) {
		return nil, err
	}
	if s.lost {
		return nil, ErrDamaged
	}
	x, kept := w.finish(errors.Is(err, ErrTime))
	if err = errors.Join(err, kept); err != nil {
		return nil, err
	}
	n.index, n.Uncovered, n.More = x, w.uncovered, w.more
	n.Note = strings.Join(s.notes, "; ")
	return n, s.record(n, last)
}

// record writes a snapshot down, if it says anything that the last one does not.
func (s *Store) record(n, last *Snapshot) error {
	n.Fresh = last == nil || !slices.Equal(last.Roots, n.Roots)
	replaced := 0
	if last != nil {
		n.Number = last.Number + 1
		switch {
		case n.Fresh:
		case n.Moment == After && last.Moment == Before && last.Use == n.Use: // the call changed nothing
			n.Number, n.Moment = last.Number, Look
		case n.Moment != Before && n.Moment != Undo:
			n.Meta, n.Number, n.Time = last.Meta, last.Number, last.Time
			return nil
		case last.Moment == Look:
			replaced = last.Number
		}
	}
	err := s.put(filepath.Join("snaps", strconv.Itoa(n.Number)), n.text())
	if err == nil && replaced > 0 {
		_ = remove(s.snapPath(replaced))
	}
	return err
}

// roots walks the project and what its repositories keep outside of it. What was looked at there before stays so,
// should what leads there be lost.
func (w *walk) roots(last *Snapshot) (list []Root, err error) {
	if last != nil {
		for _, r := range last.Roots[1:] {
			if isDir(r.Path) {
				w.outside = append(w.outside, r.Path)
			}
		}
	}
	root, err := w.root("", w.s.o.Root)
	if err != nil {
		return nil, err
	}
	list = []Root{root}
	for i := 0; i < len(w.outside); i++ {
		if root, err = w.root(w.outside[i], w.outside[i]); err != nil {
			return nil, err
		}
		list = append(list, root)
	}
	slices.SortFunc(list[1:], func(a, b Root) int { return cmp.Compare(a.Path, b.Path) })
	return list, nil
}

// finish writes the pack and the index. Of an unfinished walk the index keeps what it knew of the rest.
func (w *walk) finish(unfinished bool) (*index, error) {
	if err := w.pack.finish(); err != nil {
		return nil, err
	}
	if !w.changed && len(w.records) == len(w.old.dirs) {
		return w.old, nil
	}
	size := 0
	for _, r := range w.records {
		size += len(r)
	}
	dirs := make([]byte, 0, size)
	for _, r := range w.records {
		dirs = append(dirs, r...)
	}
	x := &index{raw: dirs}
	x.readDirs()
	if unfinished {
		for path, r := range w.old.dirs {
			if _, ok := x.dirs[path]; !ok {
				dirs = append(dirs, r...)
			}
		}
	}
	names, err := w.s.packNames()
	if err != nil {
		return nil, err
	}
	return x, w.s.writeIndex(dirs, names)
}

func (s *Store) snapPath(n int) string { return filepath.Join(s.dir, "snaps", strconv.Itoa(n)) }

// text is a snapshot as a record.
func (n *Snapshot) text() []byte {
	list := []string{
		snapForm, strconv.Itoa(n.Number), n.Time.UTC().Format(time.RFC3339Nano), n.Session, n.Use, string(n.Moment), n.Command,
		strconv.Itoa(n.More), strconv.Itoa(len(n.Roots)),
	}
	for _, r := range n.Roots {
		list = append(list, r.Path, string(order.AppendUint16(nil, r.Mode))+string(r.Tree[:]))
	}
	for _, u := range n.Uncovered {
		list = append(list, u.Path, u.Why)
	}
	return sealed(fields(list...))
}

// snapshot reads one.
func (s *Store) snapshot(number int) (*Snapshot, error) {
	text, err := os.ReadFile(s.snapPath(number))
	if err != nil {
		return nil, err
	}
	list, ok := unsealed(text)
	if !ok || len(list) < 9 || list[0] != snapForm || list[1] != strconv.Itoa(number) {
		return nil, damaged("snapshot " + strconv.Itoa(number))
	}
	n := &Snapshot{Number: number, Meta: Meta{Session: list[3], Use: list[4], Moment: Moment(list[5]), Command: list[6]}}
	n.Time, err = time.Parse(time.RFC3339Nano, list[2])
	more, err1 := strconv.Atoi(list[7])
	roots, err2 := strconv.Atoi(list[8])
	if err = errors.Join(err, err1, err2); err != nil || roots < 1 || len(list) < 9+2*roots || len(list)%2 == 0 {
		return nil, damaged("snapshot " + strconv.Itoa(number))
	}
	n.More = more
	for i, rest := 0, list[9:]; i+1 < len(rest); i += 2 {
		if i/2 >= roots {
			n.Uncovered = append(n.Uncovered, Uncovered{rest[i], rest[i+1]})
		} else if len(rest[i+1]) != 2+len(Sum{}) {
			return nil, damaged("snapshot " + strconv.Itoa(number))
		} else {
			raw := []byte(rest[i+1])
			n.Roots = append(n.Roots, Root{rest[i], order.Uint16(raw), Sum(raw[2:])})
		}
	}
	n.Roots[0].Path = s.o.Root
	return n, nil
}

// numbers lists the snapshots, the oldest first.
func (s *Store) numbers() (list []int, err error) {
	names, err := os.ReadDir(filepath.Join(s.dir, "snaps"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range names {
		if n, err := strconv.Atoi(e.Name()); err == nil && n > 0 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list, nil
}

// last is the newest snapshot. One that is damaged is set aside.
func (s *Store) last() (*Snapshot, error) {
	list, err := s.numbers()
	if err != nil {
		return nil, err
	}
	for _, number := range slices.Backward(list) {
		n, err := s.snapshot(number)
		if !errors.Is(err, ErrDamaged) {
			return n, err
		}
		s.note("a damaged snapshot of the undo store was set aside")
		if err := rename(s.snapPath(number), filepath.Join(s.dir, "damaged-snapshot-"+strconv.Itoa(number))); err != nil {
			return nil, err
		}
	}
	return nil, ErrNone
}

// Last is the newest snapshot.
func (s *Store) Last() (*Snapshot, error) {
	list, err := s.numbers()
	if err != nil {
		return nil, err
	}
	for _, number := range slices.Backward(list) {
		if n, err := s.snapshot(number); err == nil {
			return n, nil
		}
	}
	return nil, ErrNone
}

// Ends are the oldest and the newest snapshot, nil if there are none.
func (s *Store) Ends() (first, last *Snapshot, err error) {
	list, err := s.all()
	if err != nil || len(list) == 0 {
		return nil, nil, err
	}
	return list[0], list[len(list)-1], nil
}

// all are the snapshots that can be read, the oldest first.
func (s *Store) all() (list []*Snapshot, err error) {
	numbers, err := s.numbers()
	if err != nil {
		return nil, err
	}
	for _, number := range numbers {
		n, err := s.snapshot(number)
		switch {
		case err == nil:
			list = append(list, n)
		case !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return list, nil
}

// List returns the calls that changed something, the newest first, and what changed between two calls: by a job that a
// call left behind, or by somebody else. Where nobody looked after a call, the next snapshot stands for what it left.
func (s *Store) List() (calls []Call, err error) {
	list, err := s.all()
	if err != nil {
		return nil, err
	}
	for i, n := range list {
		c, rest := Call{Before: n}, list[i+1:]
		for _, later := range rest {
			ended := later.Moment == After && n.Moment == Before || later.Moment == Undone && n.Moment == Undo
			if ended && later.Use == n.Use && n.Use != "" {
				c.After = later
				break
			}
		}
		if c.After == nil && len(rest) > 0 {
			c.After = rest[0]
		}
		if c.Between() && (len(rest) == 0 || rest[0].Moment == After || rest[0].Moment == Undone) { // a call has ended
			continue
		}
		if c.After == nil || !slices.Equal(c.After.Roots, n.Roots) {
			calls = append(calls, c)
		}
	}
	slices.Reverse(calls)
	return calls, nil
}

// Covers says whether a snapshot that was just taken holds what is at a path and below it, or that nothing
// is there; if not, why. The path is absolute, or relative to the project. Caches below a directory do not count.
func (n *Snapshot) Covers(path string) (bool, string) {
	if n.index == nil {
		return false, "the snapshot is an old one"
	}
	if !filepath.IsAbs(path) {
		path = n.Roots[0].Path + "/" + path
	}
	path = real(n.alias, n.Roots[0].Path, filepath.ToSlash(filepath.Clean(path)))
	if shared(path) {
		return false, "the file has another name, which may be outside the project"
	}
	for i, r := range n.Roots {
		if !paths.Within(path, r.Path) {
			continue
		}
		key := ""
		if i > 0 {
			key = r.Path
		}
		return n.index.covers(key, strings.TrimPrefix(strings.TrimPrefix(path, r.Path), "/"), len(n.Uncovered) > 0)
	}
	return false, "it is outside the project"
}

// covers goes down from a directory. Where nothing is left out nobody needs to look for it.
func (x *index) covers(key, path string, some bool) (bool, string) {
	for path != "" {
		name, rest, _ := strings.Cut(path, "/")
		r := x.dirs[key]
		if !r.ok() {
			return false, reasons[unreadable]
		}
		e := r.line().find(name)
		switch {
		case e.Kind == None: // nothing is there
			return true, ""
		case e.Kind == Link && rest != "":
			return false, reasons[behindLink]
		case e.Kind == Cache || e.Kind == Left:
			return false, e.Why()
		case e.Kind != Dir:
			return true, ""
		}
		if path = rest; key == "" {
			key = e.Name
		} else {
			key += "/" + e.Name
		}
	}
	for at, r := range x.dirs {
		if !some || at != key && key != "" && !strings.HasPrefix(at, key+"/") {
			continue
		}
		for l := r.line(); len(l) > 0; l = l.next() {
			if l.kind() == Left {
				return false, filepath.Join(at, string(l.name())) + ": " + l.entry().Why()
			}
		}
	}
	return true, ""
}

// find returns the entry of a name. Where there is none, one that differs in case is taken for it: the file
// system may not see a difference.
func (l line) find(name string) (folded Entry) {
	for ; len(l) > 0; l = l.next() {
		if string(l.name()) == name {
			return l.entry()
		}
		if folded.Kind == None && strings.EqualFold(string(l.name()), name) {
			folded = l.entry()
		}
	}
	return folded
}
