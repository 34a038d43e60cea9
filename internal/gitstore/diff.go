package gitstore

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"longline/internal/paths"
)

// Change is a file that differs between two trees.
type Change struct {
	Path string
	ID   ID   // in the second tree
	Gone bool // it is not in the second tree
	Link bool
}

// Tree returns the tree of a commit.
func (s *Store) Tree(id ID) (ID, error) {
	tree, _, err := s.commit(id)
	return tree, err
}

// Parents returns the commits that a commit follows.
func (s *Store) Parents(id ID) ([]ID, error) {
	_, parents, err := s.commit(id)
	return parents, err
}

// Committed returns the file that the commit which is checked out has at a path.
func (s *Store) Committed(path string) (Entry, error) {
	id, err := s.Resolve("HEAD")
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Tree: true}
	e.ID, err = s.Tree(id)
	for name := range strings.SplitSeq(path, "/") {
		if err != nil {
			return Entry{}, err
		}
		var list []Entry
		if e.Tree {
			list, err = s.tree(e.ID)
		}
		i := slices.IndexFunc(list, func(e Entry) bool { return e.Name == name })
		if i < 0 {
			return Entry{}, cmp.Or(err, ErrNone)
		}
		e = list[i]
	}
	return e, nil
}

// Names lists what is in the root of a tree.
func (s *Store) Names(tree ID) ([]string, error) {
	entries, err := s.tree(tree)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names, err
}

// Diff calls each for every file in which two trees differ. Directories that are
// the same in both are not looked into. The zero ID is an empty tree.
func (s *Store) Diff(a, b ID, each func(Change)) error { return s.diff(a, b, "", each, 0) }

func (s *Store) diff(a, b ID, prefix string, each func(Change), depth int) error {
	if a == b {
		return nil
	}
	if depth > maxChain {
		return ErrTooMuch
	}
	var before, after []Entry
	var err error
	if a != (ID{}) {
		if before, err = s.tree(a); err != nil {
			return err
		}
	}
	if b != (ID{}) {
		if after, err = s.tree(b); err != nil {
			return err
		}
	}
	old := make(map[string]Entry, len(before))
	for _, e := range before {
		old[e.Name] = e
	}
	for _, e := range after {
		was, ok := old[e.Name]
		delete(old, e.Name)
		if ok && was.ID == e.ID && was.Tree == e.Tree && was.Link == e.Link {
			continue
		}
		path := prefix + e.Name
		if !e.Tree {
			each(Change{Path: path, ID: e.ID, Link: e.Link})
		}
		from, to := ID{}, ID{}
		if ok && was.Tree {
			from = was.ID
		}
		if e.Tree {
			to = e.ID
		}
		if err := s.diff(from, to, path+"/", each, depth+1); err != nil {
			return err
		}
	}
	for _, was := range before {
		if _, gone := old[was.Name]; !gone {
			continue
		}
		if !was.Tree {
			each(Change{Path: prefix + was.Name, Gone: true})
			continue
		}
		if err := s.diff(was.ID, ID{}, prefix+was.Name+"/", each, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// Blob returns the content of a file.
func (s *Store) Blob(id ID) ([]byte, error) {
	kind, content, err := s.object(id)
	if err == nil && kind != "blob" {
		err = errFormat
	}
	return content, err
}

// Base finds a commit that both descend from, by going up from each for some way.
func (s *Store) Base(a, b ID) (ID, error) {
	const most = 300
	seen := map[ID]bool{}
	walk := func(from ID, visit func(ID) bool) error {
		queue, done := []ID{from}, map[ID]bool{}
		for len(queue) > 0 && len(done) < most {
			id := queue[0]
			queue = queue[1:]
			if done[id] {
				continue
			}
			done[id] = true
			if !visit(id) {
				return nil
			}
			_, parents, err := s.commit(id)
			if err != nil {
				return err
			}
			queue = append(queue, parents...)
		}
		return nil
	}
	if err := walk(a, func(id ID) bool { seen[id] = true; return true }); err != nil {
		return ID{}, err
	}
	base := ID{}
	err := walk(b, func(id ID) bool {
		if seen[id] {
			base = id
		}
		return base == ID{}
	})
	if err == nil && base == (ID{}) {
		err = ErrNone
	}
	return base, err
}

// Index lists the files that the index of the working tree holds.
func (s *Store) Index() ([]Entry, error) {
	raw, err := s.file(s.dir + "/index")
	if err != nil {
		return nil, err
	}
	var list []Entry
	err = EachIndexed(raw, func(e Indexed) { list = append(list, e.Entry) })
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Indexed is what an index holds of a file, with how the file looked when it was
// compared with it.
type Indexed struct {
	Entry
	Seconds, Nanoseconds uint32 // when it was last changed
	Size                 uint32
	Conflict             bool // one of several in a merge
}

// EachIndexed reads an index, of version 2 to 4.
func EachIndexed(raw []byte, each func(Indexed)) error {
	if len(raw) < 12 || string(raw[:4]) != "DIRC" {
		return errFormat
	}
	number := func(at int) uint32 { return binary.BigEndian.Uint32(raw[at:]) }
	version, count := number(4), number(8)
	if version < 2 || version > 4 {
		return errFormat
	}
	const fixed = 62 // up to and with the flags
	name, at := "", 12
	for range count {
		if at+fixed > len(raw) {
			return errFormat
		}
		flags := binary.BigEndian.Uint16(raw[at+60:])
		e := Indexed{
			Entry:   Entry{ID: ID(raw[at+40 : at+60]), Link: number(at+24)&0o170000 == 0o120000},
			Seconds: number(at + 8), Nanoseconds: number(at + 12), Size: number(at + 36), Conflict: flags&0x3000 != 0,
		}
		start := at
		at += fixed
		if version >= 3 && flags&0x4000 != 0 {
			at += 2
		}
		if at > len(raw) {
			return errFormat
		}
		kept := 0 // of the name before, which version 4 leaves out
		if version == 4 {
			strip, n := stripped(raw[at:])
			if n == 0 || strip > len(name) {
				return errFormat
			}
			at, kept = at+n, len(name)-strip
		}
		end := bytes.IndexByte(raw[at:], 0)
		if end < 0 {
			return errFormat
		}
		name = name[:kept] + string(raw[at:at+end])
		if at += end + 1; version < 4 {
			at = start + (at-start+7)/8*8
		}
		e.Name = name
		each(e)
	}
	return nil
}

// stripped reads how much of the name before is not in the next, and in how many bytes
// that is written; 0 bytes if it cannot be read.
func stripped(raw []byte) (strip, n int) {
	for n < len(raw) && n < 4 { // no name needs more, and the number fits into an int
		c := raw[n]
		if n++; n == 1 {
			strip = int(c & 0x7f)
		} else {
			strip = (strip+1)<<7 | int(c&0x7f)
		}
		if c&0x80 == 0 {
			return strip, n
		}
	}
	return 0, 0
}

// Under reports whether a path is one of some directories or files, or below it.
func Under(path string, list []string) bool {
	for _, l := range list {
		l = strings.TrimSuffix(strings.TrimPrefix(l, "./"), "/")
		if l == "" || l == "." || paths.Within(path, l) {
			return true
		}
	}
	return false
}
