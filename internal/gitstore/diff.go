package gitstore

import (
	"bytes"
	"encoding/binary"
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
	if len(raw) < 12 || string(raw[:4]) != "DIRC" {
		return nil, errFormat
	}
	version, count := binary.BigEndian.Uint32(raw[4:]), binary.BigEndian.Uint32(raw[8:])
	if version < 2 || version > 4 {
		return nil, errFormat
	}
	const fixed = 62 // up to and with the flags
	var list []Entry
	name, at := "", 12
	for range count {
		if at+fixed > len(raw) {
			return nil, errFormat
		}
		mode := binary.BigEndian.Uint32(raw[at+24:])
		id := ID(raw[at+40 : at+60])
		flags := binary.BigEndian.Uint16(raw[at+60:])
		start := at
		at += fixed
		if version >= 3 && flags&0x4000 != 0 {
			at += 2
		}
		if at > len(raw) {
			return nil, errFormat
		}
		if version == 4 {
			strip, n := 0, 0
			for {
				if at+n >= len(raw) || n > 8 {
					return nil, errFormat
				}
				c := raw[at+n]
				n++
				if n == 1 {
					strip = int(c & 0x7f)
				} else {
					strip = (strip+1)<<7 | int(c&0x7f)
				}
				if c&0x80 == 0 {
					break
				}
			}
			at += n
			end := bytes.IndexByte(raw[at:], 0)
			if end < 0 || strip > len(name) {
				return nil, errFormat
			}
			name = name[:len(name)-strip] + string(raw[at:at+end])
			at += end + 1
		} else {
			end := bytes.IndexByte(raw[at:], 0)
			if end < 0 {
				return nil, errFormat
			}
			name = string(raw[at : at+end])
			at += end
			at = start + (at-start+8)/8*8
		}
		list = append(list, Entry{Name: name, ID: id, Link: mode&0o170000 == 0o120000})
	}
	return list, nil
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
