package undo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The index says how every file looked when it was last read, so that what looks the same is not read again. It begins
// with the names and sizes of the packs it relies on, and has a record for every directory: its path, its tree, and an entry for
// each name in it, sorted. It is no more than a cache: without it everything is read again.
const indexForm = "longline undo index 1\n"

type index struct {
	raw   []byte // behind the packs
	packs []string
	dirs  map[string]record
}

// record is what an index says of a directory: its length, the length of the path, the path, the tree's sum (zero where it
// is not known), entries.
type record []byte

const recordHead = 4 + 2 // and the path and the sum

func (r record) path() string { return string(r[recordHead:][:order.Uint16(r[4:])]) }
func (r record) tree() Sum    { return Sum(r[recordHead+int(order.Uint16(r[4:])):]) }
func (r record) line() line   { return line(r[recordHead+int(order.Uint16(r[4:]))+len(Sum{}):]) }
func (r record) ok() bool     { return r != nil }

// line is entries: kind, flags, mode, size, times, inode, sum, length of the name, name.
type line []byte

const (
	lineHead = 1 + 1 + 2 + 4*8 + len(Sum{}) + 2
	// racy is the flag of a file that changed so shortly before it was read that it may have changed since without a
	// sign of it. It is read again.
	racy = 1
)

func (l line) kind() Kind   { return Kind(l[0]) }
func (l line) flags() byte  { return l[1] }
func (l line) mode() uint16 { return order.Uint16(l[2:]) }
func (l line) size() int64  { return int64(order.Uint64(l[4:])) }
func (l line) sum() Sum     { return Sum(l[36:]) }
func (l line) name() []byte { return l[lineHead:][:order.Uint16(l[lineHead-2:])] }
func (l line) next() line   { return l[lineHead+int(order.Uint16(l[lineHead-2:])):] }
func (l line) whole() line  { return l[:lineHead+int(order.Uint16(l[lineHead-2:]))] }
func (l line) entry() Entry { return Entry{string(l.name()), l.kind(), l.mode(), l.size(), l.sum()} }

// looks says whether a file looks as it did.
func (l line) looks(f found) bool {
	return l.flags()&racy == 0 && order.Uint64(l[12:]) == uint64(f.mtime) && order.Uint64(l[20:]) == uint64(f.ctime) &&
		order.Uint64(l[28:]) == f.ino && l.size() == f.size
}

func addLine(b []byte, kind Kind, flags byte, mode uint16, f found, sum *Sum, name string) []byte {
	b = append(b, byte(kind), flags)
	b = order.AppendUint16(b, mode)
	b = order.AppendUint64(b, uint64(f.size))
	b = order.AppendUint64(b, uint64(f.mtime))
	b = order.AppendUint64(b, uint64(f.ctime))
	b = order.AppendUint64(b, f.ino)
	b = append(b, sum[:]...)
	b = order.AppendUint16(b, uint16(len(name)))
	return append(b, name...)
}

func addRecord(b []byte, path string, tree Sum, lines []byte) []byte {
	b = order.AppendUint32(b, uint32(recordHead+len(path)+len(tree)+len(lines)))
	b = order.AppendUint16(b, uint16(len(path)))
	b = append(b, path...)
	b = append(b, tree[:]...)
	return append(b, lines...)
}

// readDirs finds the records of an index, and says whether they are all there.
func (x *index) readDirs() bool {
	x.dirs = make(map[string]record, len(x.raw)/1024)
	for raw := x.raw; len(raw) > 0; {
		if len(raw) < recordHead {
			return false
		}
		n := int(order.Uint32(raw))
		if n > len(raw) || n < recordHead+int(order.Uint16(raw[4:]))+len(Sum{}) {
			return false
		}
		r := record(raw[:n])
		x.dirs[r.path()] = r
		raw = raw[n:]
	}
	return true
}

// readIndex reads the index. One that is missing or damaged, or that relies on packs that are gone, is an empty one.
func (s *Store) readIndex() (*index, error) {
	empty := &index{dirs: map[string]record{}}
	raw, err := os.ReadFile(filepath.Join(s.dir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return nil, err
	}
	if len(raw) < len(indexForm)+12 || string(raw[:len(indexForm)]) != indexForm {
		return empty, nil
	}
	raw = raw[len(indexForm):]
	if mixed(raw[8:]) != order.Uint64(raw) {
		return empty, nil
	}
	n := int(order.Uint32(raw[8:]))
	if raw = raw[12:]; n > len(raw) {
		return empty, nil
	}
	x := &index{raw: raw[n:], packs: strings.Fields(string(raw[:n]))}
	if !x.readDirs() {
		return empty, nil
	}
	for i := 0; i+1 < len(x.packs); i += 2 {
		if info, err := os.Lstat(s.packPath(x.packs[i])); err != nil || strconv.FormatInt(info.Size(), 10) != x.packs[i+1] {
			s.note("a pack of the undo store is gone or cut off; everything was read again")
			return empty, nil
		}
	}
	return x, nil
}

// mixed is a sum that tells damage. Package hash/crc32 makes tables whenever a program starts.
func mixed(b []byte) uint64 {
	sum := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		sum = (sum ^ order.Uint64(b)) * 0x9e3779b97f4a7c15
		sum ^= sum >> 32
	}
	for _, c := range b {
		sum = (sum ^ uint64(c)) * 0x9e3779b97f4a7c15
	}
	return sum
}

// writeIndex puts an index in the place of the one there is.
func (s *Store) writeIndex(dirs []byte, names []string) error {
	list := ""
	for _, name := range names {
		info, err := os.Lstat(s.packPath(name))
		if err != nil {
			return err
		}
		list += name + " " + strconv.FormatInt(info.Size(), 10) + "\n"
	}
	b := make([]byte, len(indexForm)+8, len(indexForm)+12+len(list)+len(dirs))
	copy(b, indexForm)
	b = order.AppendUint32(b, uint32(len(list)))
	b = append(append(b, list...), dirs...)
	order.PutUint64(b[len(indexForm):], mixed(b[len(indexForm)+8:]))
	return s.put("index", b)
}

// forget makes the next snapshot read everything again.
func (s *Store) forget() error {
	err := remove(filepath.Join(s.dir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
