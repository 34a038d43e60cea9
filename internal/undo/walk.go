package undo

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"longline/internal/paths"
)

const (
	maxDepth     = 200
	maxOutside   = 64  // directories of git outside the project
	maxUncovered = 100 // that a snapshot names
	grain        = time.Second
	// checkFrom is the size from which it pays to look whether a content is in the store.
	checkFrom, checkAfter = 16 << 10, 64
)

// walk looks at everything below some roots and puts what is new into a pack.
type walk struct {
	s        *Store
	old      *index
	records  [][]byte // the new index
	changed  bool     // it differs from the old one
	pack     packWriter
	deadline time.Time
	racy     int64 // what changed since is read again next time
	room     int64 // for what is new
	steps    int

	uncovered []Uncovered
	more      int
	outside   []string

	names   []byte   // room for names of a directory
	content []byte   // room for a file
	free    [][]byte // room for entries, by depth
}

// place is where the walk is.
type place struct {
	key, path string // of the directory: in the index, and absolute
	dev       uint64
	depth     int
	git       bool // inside a directory of git's own
	objects   bool // where files never change
	included  bool
	repo      *repository
}

func (p place) child(name string) place {
	p.depth++
	p.path += "/" + name
	if p.key == "" {
		p.key = name
	} else {
		p.key += "/" + name
	}
	return p
}

// root walks a directory that a snapshot covers.
func (w *walk) root(key, path string) (root Root, err error) {
	root.Path = path
	d, err := openDir(path)
	if errors.Is(err, os.ErrNotExist) { // the project itself was removed
		root.Tree, err = w.tree(nil)
		return root, err
	}
	if err != nil {
		return root, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer d.close()
	self, err := d.self()
	if err != nil {
		return root, err
	}
	at := place{key: key, path: strings.TrimSuffix(path, "/"), dev: self.dev, git: key != ""}
	if key == "" {
		at.repo = w.enclosing(path)
	}
	root.Mode = self.mode
	root.Tree, err = w.dir(d, at)
	return root, err
}

// enclosing is the repository that the project is a directory of.
func (w *walk) enclosing(path string) *repository {
	for dir := parent(path); isDir(path) && !isFile(path+"/.git") && !isDir(path+"/.git"); dir = parent(dir) {
		if repo := w.repository(dir); repo != nil {
			return repo
		}
		if dir == parent(dir) {
			break
		}
	}
	return nil
}

// parent is the directory that a path is in. Paths of projects have slashes on every system.
func parent(path string) string { return filepath.ToSlash(filepath.Dir(path)) }

// repository is the one whose work tree begins at a directory. What it keeps outside the project is looked at later.
func (w *walk) repository(dir string) *repository {
	r := &repository{dir: dir, git: filepath.ToSlash(filepath.Join(dir, ".git"))}
	if !isDir(r.git) {
		r.git = pointed(r.git)
	}
	if r.git == "" || commonDir(r.git) == "" {
		return nil
	}
	for _, git := range []string{commonDir(r.git), r.git} {
		if !paths.Within(git, w.s.o.Root) && !slices.ContainsFunc(w.outside, func(o string) bool { return paths.Within(git, o) }) && len(w.outside) < maxOutside {
			w.outside = append(w.outside, git)
		}
	}
	return r
}

// dir walks a directory and returns the sum of its tree.
func (w *walk) dir(d dir, at place) (Sum, error) {
	names, err := d.names(w.names)
	if err != nil {
		return Sum{}, err
	}
	slices.Sort(names)
	w.enter(&at, names)
	old := w.old.dirs[at.key]
	var was line
	if old.ok() {
		was = old.line()
	}
	exact := old.ok() && old.tree() != Sum{}
	alike := exact
	for len(w.free) <= at.depth {
		w.free = append(w.free, nil)
	}
	lines := w.free[at.depth][:0]
	for _, name := range names {
		if at.depth == 0 && strings.HasPrefix(name, tempName) {
			continue
		}
		for len(was) > 0 && string(was.name()) < name {
			exact, alike, was = false, false, was.next()
		}
		var last line
		if len(was) > 0 && string(was.name()) == name {
			last, was = was.whole(), was.next()
		}
		start := len(lines)
		lines, err = w.entry(lines, d, name, at, last)
		if err != nil {
			w.free[at.depth] = lines
			if errors.Is(err, ErrTime) { // what is known so far is kept
				lines = append(append(lines[:start], last...), was...)
				w.add(addRecord(nil, at.key, Sum{}, lines))
			}
			return Sum{}, err
		}
		exact = exact && bytes.Equal(last, lines[start:])
		alike = alike && alikeLines(last, lines[start:])
	}
	w.free[at.depth] = lines
	if exact && len(was) == 0 {
		w.records = append(w.records, old)
		return old.tree(), nil
	}
	var sum Sum
	if alike && len(was) == 0 {
		sum = old.tree()
	} else if sum, err = w.tree(lines); err != nil {
		return sum, stored(err)
	}
	w.add(addRecord(nil, at.key, sum, lines))
	return sum, nil
}

// enter notes what the names in a directory say about it.
func (w *walk) enter(at *place, names []string) {
	at.git = at.git || has(names, "HEAD") && has(names, "objects") && has(names, "refs")
	if !at.git && has(names, ".git") {
		if repo := w.repository(at.path); repo != nil {
			at.repo = repo
		}
	}
}

// add puts a record into the new index that is not in the old one.
func (w *walk) add(r record) {
	w.records = append(w.records, r)
	w.changed = true
}

func has(sorted []string, name string) bool { _, ok := slices.BinarySearch(sorted, name); return ok }

// alikeLines says whether two entries are the same in a tree.
func alikeLines(a, b line) bool {
	return len(a) == len(b) && len(a) > 0 && a[0] == b[0] && bytes.Equal(a[2:12], b[2:12]) && bytes.Equal(a[36:], b[36:])
}

// tree stores the tree of a directory.
func (w *walk) tree(lines line) (Sum, error) {
	tree := make([]byte, 0, len(lines))
	for ; len(lines) > 0; lines = lines.next() {
		tree = addEntry(tree, lines.kind(), lines.mode(), lines.size(), lines[36:36+len(Sum{})], lines.name())
	}
	return w.store(tree)
}

// store puts a content into the pack if the store does not have it.
func (w *walk) store(content []byte) (Sum, error) {
	sum := sha256.Sum256(content)
	if len(content) >= checkFrom || len(w.pack.items) > checkAfter {
		if err := w.s.openPacks(); err != nil {
			return sum, err
		}
		if len(w.s.packs) > 0 {
			if _, err := w.s.content(sum); err == nil { // and whole
				return sum, nil
			}
		}
	}
	w.room -= int64(len(content))
	return sum, w.pack.add(sum, content)
}

// entry adds what a name is to the lines of its directory. The only errors are those that end the walk.
func (w *walk) entry(lines []byte, d dir, name string, at place, was line) ([]byte, error) {
	if w.steps++; w.steps%64 == 0 && !w.deadline.IsZero() && time.Now().After(w.deadline) {
		return lines, ErrTime
	}
	f, err := d.look(name)
	switch {
	case errors.Is(err, os.ErrNotExist): // gone meanwhile
		return lines, nil
	case err != nil:
		return w.leave(lines, at, name, unreadable, f), nil
	case len(name) > 1<<15:
		return w.leave(lines, at, name, special, f), nil
	}
	if !at.git && !at.included && len(w.s.o.Include)+len(w.s.o.Exclude) > 0 {
		rel := at.child(name).key
		if matches(w.s.o.Include, rel, name) {
			at.included = true
		} else if matches(w.s.o.Exclude, rel, name) {
			return w.leave(lines, at, name, excluded, found{}), nil
		}
	}
	switch {
	case f.kind == Dir:
		return w.subdir(lines, d, name, at, f, was)
	case f.kind == Link && at.git && name != "HEAD" && name != "hooks" && !strings.HasSuffix(at.path, "/hooks"): // git writes to where it leads
		return w.leave(lines, at, name, behindLink, f), nil
	case f.kind == File || f.kind == Link:
		if len(was) > 0 && was.kind() == f.kind && was.looks(f) && (f.size <= largeMin || w.s.isLarge(was.sum(), f.size)) {
			sum := was.sum()
			return addLine(lines, f.kind, 0, f.mode, f, &sum, name), nil
		}
		return w.read(lines, d, name, at, f)
	}
	return w.leave(lines, at, name, special, f), nil
}

// matches says whether one of some globs is about a path: about any name if it has no slash.
func matches(globs []string, rel, name string) bool {
	for _, g := range globs {
		g = strings.TrimPrefix(strings.TrimSuffix(g, "/"), "./")
		if !strings.Contains(g, "/") {
			if is, sure := paths.Match(g, name); is && sure {
				return true
			}
		} else if paths.MatchPath(strings.TrimPrefix(g, "/"), rel, false) {
			return true
		}
	}
	return false
}

// leave notes what is not covered.
func (w *walk) leave(lines []byte, at place, name string, why uint16, f found) []byte {
	if len(w.uncovered) < maxUncovered {
		w.uncovered = append(w.uncovered, Uncovered{at.path + "/" + name, reasons[why]})
	} else {
		w.more++
	}
	var state Sum
	order.PutUint64(state[:], uint64(f.size))
	order.PutUint64(state[8:], uint64(f.mtime))
	order.PutUint64(state[16:], f.ino)
	return addLine(lines, Left, 0, why, found{size: f.size}, &state, name)
}

// subdir adds a directory and walks it.
func (w *walk) subdir(lines []byte, d dir, name string, at place, f found, was line) ([]byte, error) {
	sub := at.child(name)
	switch {
	// What was covered once stays so: a repository that is removed takes its index along.
	case !at.git && !at.included && w.s.o.Skip(name) && (len(was) == 0 || was.kind() != Dir) && (at.repo == nil || !at.repo.tracks(sub.path)),
		paths.Within(sub.path, w.s.o.Dir):
		return addLine(lines, Cache, 0, 0, found{}, &Sum{}, name), nil
	case f.dev != at.dev:
		return w.leave(lines, at, name, otherSystem, found{}), nil
	case sub.depth > maxDepth || len(sub.key) > 1<<15:
		return w.leave(lines, at, name, tooDeep, found{}), nil
	}
	seen := found{} // only where it says that the files below are as they were
	if sub.objects = at.objects || at.git && name == "objects"; at.objects {
		seen = found{mtime: f.mtime, ctime: f.ctime, ino: f.ino}
		if old := w.old.dirs[sub.key]; len(was) > 0 && was.kind() == Dir && was.looks(seen) && old.ok() && old.tree() == was.sum() && flat(old.line()) {
			w.records = append(w.records, old)
			sum := was.sum()
			return addLine(lines, Dir, 0, f.mode, seen, &sum, name), nil
		}
	}
	below, err := d.below(name)
	if errors.Is(err, os.ErrNotExist) {
		return lines, nil
	}
	if err != nil {
		return w.leave(lines, at, name, unreadable, found{}), nil
	}
	defer below.close()
	sum, err := w.dir(below, sub)
	var no syscall.Errno
	switch {
	case errors.As(err, &no) && !isStoreError(err):
		return w.leave(lines, at, name, unreadable, found{}), nil
	case err != nil:
		return lines, err
	}
	return addLine(lines, Dir, w.flags(seen), f.mode, seen, &sum, name), nil
}

// flat says whether a directory has nothing below that could change without a sign of it.
func flat(lines line) bool {
	for ; len(lines) > 0; lines = lines.next() {
		if lines.kind() != File || lines.flags() != 0 {
			return false
		}
	}
	return true
}

// flags are those of a file that looks so.
func (w *walk) flags(f found) byte {
	if f.ctime >= w.racy || f.mtime >= w.racy {
		return racy
	}
	return 0
}

// read stores what a file or a link holds. A file that changes meanwhile is read once more.
func (w *walk) read(lines []byte, d dir, name string, at place, f found) ([]byte, error) {
	why := changing
	for range 2 {
		now, sum, err := w.readOnce(d, name, at)
		var left leftOut
		switch {
		case errors.As(err, &left):
			if why = uint16(left); why != changing {
				return w.leave(lines, at, name, why, f), nil
			}
		case errors.Is(err, os.ErrNotExist):
			return lines, nil
		case err != nil:
			return lines, err
		default:
			return addLine(lines, now.kind, w.flags(now), now.mode, now, &sum, name), nil
		}
	}
	return w.leave(lines, at, name, why, f), nil
}

// leftOut is a reason why a file is not covered.
type leftOut uint16

func (l leftOut) Error() string { return reasons[l] }

// readOnce stores what a name holds now.
func (w *walk) readOnce(d dir, name string, at place) (f found, sum Sum, err error) {
	if f, err = d.look(name); err != nil {
		return f, sum, leftIf(err)
	}
	if f.kind == Link {
		to, err := d.link(name)
		if err != nil {
			return f, sum, leftIf(err)
		}
		sum, err = w.store([]byte(to))
		return f, sum, stored(err)
	}
	from, err := d.open(name)
	if err != nil {
		return f, sum, leftIf(err)
	}
	defer from.close()
	if f, err = from.look(); err != nil || f.kind != File {
		return f, sum, leftOut(changing)
	}
	switch {
	case f.size > w.s.o.MaxFile && !at.included && !at.objects:
		return f, sum, leftOut(tooLarge)
	case f.size > w.room:
		return f, sum, leftOut(noRoom)
	case f.size > largeMin:
		sum, err = w.large(d, name, from, &f, at)
	default:
		sum, err = w.small(from, f)
	}
	if err != nil {
		return f, sum, err
	}
	if now, err := from.look(); err != nil || now.size != f.size || now.mtime != f.mtime || now.ctime != f.ctime {
		return f, sum, leftOut(changing)
	}
	return f, sum, nil
}

// leftIf is why a file is left out that cannot be read.
func leftIf(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return err
	}
	return leftOut(unreadable)
}

// small stores a file that is read at once.
func (w *walk) small(from file, f found) (sum Sum, err error) {
	if int64(cap(w.content)) <= f.size {
		w.content = make([]byte, max(2*f.size, 64<<10))
	}
	n, err := io.ReadFull(from, w.content[:f.size+1])
	switch {
	case err == nil || int64(n) != f.size:
		return sum, leftOut(changing)
	case err != io.EOF && err != io.ErrUnexpectedEOF:
		return sum, leftOut(unreadable)
	}
	sum, err = w.store(w.content[:n])
	return sum, stored(err)
}

// storeError is a failure of the store, not of what is looked at.
type storeError struct{ error }

func (e storeError) Unwrap() error { return e.error }

func stored(err error) error {
	if err != nil {
		err = storeError{err}
	}
	return err
}

func isStoreError(err error) bool { var s storeError; return errors.As(err, &s) }

// large stores a file as a file of its own: shared with the original if the file system can, as another name of it if
// nobody writes into it, else as a copy.
func (w *walk) large(d dir, name string, from file, f *found, at place) (sum Sum, err error) {
	to, err := w.s.temp()
	if err != nil {
		return sum, stored(err)
	}
	defer func() {
		to.Close()
		if err != nil {
			_ = remove(to.Name())
		}
	}()
	var source io.Reader = to
	switch {
	case clone(from, to) == nil:
	case at.objects && w.relink(d, name, to.Name()) == nil:
		again, err := os.Open(to.Name())
		if err != nil {
			return sum, stored(err)
		}
		defer again.Close()
		source = again
		if *f, err = from.look(); err != nil { // another name changes a time of it
			return sum, leftOut(unreadable)
		}
	default:
		if err = hit("write"); err == nil {
			_, err = io.CopyBuffer(struct{ io.Writer }{to}, from, make([]byte, 1<<20))
		}
		if err == nil {
			_, err = to.Seek(0, io.SeekStart)
		}
		if err != nil {
			return sum, stored(err)
		}
		w.room -= f.size
	}
	hash := sha256.New()
	n, err := io.CopyBuffer(struct{ io.Writer }{hash}, struct{ io.Reader }{source}, make([]byte, 1<<20))
	if err != nil {
		return sum, stored(err)
	}
	if n != f.size {
		err = leftOut(changing)
		return sum, err
	}
	sum = Sum(hash.Sum(nil))
	err = stored(rename(to.Name(), w.s.largePath(sum)))
	return sum, err
}

// relink puts another name of a file in the place of an empty one.
func (w *walk) relink(d dir, name, to string) error {
	if err := hit("link"); err != nil {
		return err
	}
	if err := d.linkTo(name, to+"-"); err != nil {
		return err
	}
	return rename(to+"-", to)
}

// isLarge says whether the store has a large file.
func (s *Store) isLarge(sum Sum, size int64) bool {
	info, err := os.Lstat(s.largePath(sum))
	return err == nil && info.Size() == size
}
