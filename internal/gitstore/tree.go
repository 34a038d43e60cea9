package gitstore

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// Tree returns the tree of a commit.
func (s *Store) Tree(id ID) (ID, error) {
	tree, _, err := s.commit(id)
	return tree, err
}

// At returns the file that a commit has at a path.
func (s *Store) At(commit ID, path string) (Entry, error) {
	id, err := s.Tree(commit)
	e := Entry{Tree: true, ID: id}
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

// Below calls each for every file of a tree, as far as there are not too many.
func (s *Store) Below(tree ID, most int, each func(Entry)) error {
	return s.below(tree, "", &most, each)
}

func (s *Store) below(tree ID, prefix string, most *int, each func(Entry)) error {
	list, err := s.tree(tree)
	for _, e := range list {
		if *most--; *most < 0 {
			err = ErrTooMuch
		}
		if err != nil {
			return err
		}
		if e.Name = prefix + e.Name; e.Tree {
			err = s.below(e.ID, e.Name+"/", most, each)
		} else {
			each(e)
		}
	}
	return err
}

// Blob returns the content of a file.
func (s *Store) Blob(id ID) ([]byte, error) {
	kind, content, err := s.object(id)
	if err == nil && kind != "blob" {
		err = errFormat
	}
	return content, err
}

// Index lists the files that the index of the working tree holds. Nobody may write to the list.
func (s *Store) Index() ([]Entry, error) {
	if s.known.index == nil {
		list, err := s.readIndex()
		s.known.index = &listed{list, err}
	}
	return s.known.index.entries, s.known.index.err
}

func (s *Store) readIndex() ([]Entry, error) {
	raw, err := s.readFile(s.dir + "/index")
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
	Seconds, Nanoseconds uint32 // when it was last written
	Changed, ChangedNano uint32 // when something of it last changed, whatever time it was given since
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
	r := indexReader{raw: raw, version: version, at: 12}
	for range count {
		e, ok := r.next()
		if !ok {
			return errFormat
		}
		each(e)
	}
	return nil
}

// indexReader reads the entries of an index.
type indexReader struct {
	raw     []byte
	version uint32
	at      int
	name    string // of the entry before
}

// number is the number at a place of the index.
func (r *indexReader) number(at int) uint32 { return binary.BigEndian.Uint32(r.raw[at:]) }

// next reads an entry. It fails if there is none in the form that git writes.
func (r *indexReader) next() (e Indexed, ok bool) {
	const fixed = 62 // up to and with the flags
	at := r.at
	if at+fixed > len(r.raw) {
		return e, false
	}
	flags := binary.BigEndian.Uint16(r.raw[at+60:])
	e = Indexed{
		Entry:   Entry{ID: ID(r.raw[at+40 : at+60]), Link: r.number(at+24)&0o170000 == 0o120000, Module: r.number(at+24)&0o170000 == 0o160000, Assumed: flags&0x8000 != 0, Runs: r.number(at+24) == 0o100755},
		Seconds: r.number(at + 8), Nanoseconds: r.number(at + 12), Changed: r.number(at), ChangedNano: r.number(at + 4), Size: r.number(at + 36), Conflict: flags&0x3000 != 0,
	}
	r.at += fixed
	if r.version >= 3 && flags&0x4000 != 0 {
		r.at += 2
	}
	if !r.readName() {
		return e, false
	}
	if r.version < 4 {
		r.at = at + (r.at-at+7)/8*8
	}
	e.Name = r.name
	return e, true
}

// readName reads the name of an entry, of which version 4 leaves out what it has in common
// with the one before.
func (r *indexReader) readName() bool {
	if r.at > len(r.raw) {
		return false
	}
	kept := 0
	if r.version == 4 {
		strip, n := stripped(r.raw[r.at:])
		if n == 0 || strip > len(r.name) {
			return false
		}
		r.at, kept = r.at+n, len(r.name)-strip
	}
	end := bytes.IndexByte(r.raw[r.at:], 0)
	if end < 0 {
		return false
	}
	r.name = r.name[:kept] + string(r.raw[r.at:r.at+end])
	r.at += end + 1
	return true
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
