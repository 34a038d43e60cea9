package config

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// markedFrom is the size from which a compiled file is not read through with
// every call: ten thousand rules are two megabytes, of which a call needs little.
const markedFrom = 128 << 10

// markedAfter is how long both files must have been left alone before a mark is
// made: a write soon after another may leave the same times.
const markedAfter = 2 * time.Second

// mark remembers in the user's state that a compiled file had the user's seal and
// its source the text it was made of, as both lay on the disk then. As long as they
// lie there unchanged, neither is read through again.
type mark struct {
	path string // empty: there can be none
	sum  [sealSize]byte
	last time.Time // when one of the files was last changed
}

// mark is the mark for a compiled file and its source.
func (s *shelf) mark(name string, key []byte, made, source fs.FileInfo) mark {
	if s.state == "" || made.Size() < markedFrom {
		return mark{}
	}
	text, last := OnDisk(made)
	other, changed := OnDisk(source)
	if text == nil || other == nil {
		return mark{}
	}
	if changed.After(last) {
		last = changed
	}
	sum := seal(key, "mark "+string(text)+string(other)+name)
	m := mark{path: below(s.state, "seen-"+nameHash(name)), last: last}
	binary.LittleEndian.PutUint64(m.sum[:], sum[0])
	binary.LittleEndian.PutUint64(m.sum[8:], sum[1])
	return m
}

// made says whether the mark was made before.
func (m mark) made() bool {
	if m.path == "" {
		return false
	}
	sum, err := readFile(m.path, sealSize)
	return err == nil && string(sum) == string(m.sum[:])
}

// make makes the mark; where that fails, the files are read through again.
func (m mark) make() {
	if m.path == "" || time.Since(m.last) < markedAfter {
		return
	}
	temporary, err := newFile(filepath.Dir(m.path), ".seen-*", m.sum[:])
	if err == nil && os.Rename(temporary, m.path) != nil {
		os.Remove(temporary)
	}
}
