package undo

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Sum is the SHA-256 sum of some content, and its name.
type Sum [sha256.Size]byte

func (s Sum) String() string { return hex.EncodeToString(s[:]) }

// Kind is what an entry of a directory is.
type Kind byte

// The kinds. The zero Kind is nothing at all, or what no kind of ours describes.
const (
	None Kind = iota
	File
	Dir
	Link
	Cache // a directory that a build or an installation makes again; not looked into
	Left  // not covered; the mode is the reason, the sum tells one state of it from another
)

// The reasons for which something is not covered.
const (
	tooLarge uint16 = iota + 1
	noRoom
	unreadable
	special
	excluded
	otherSystem
	changing
	tooDeep
)

var reasons = [...]string{
	tooLarge: "it is larger than undo keeps", noRoom: "there is no room left for it in the store", unreadable: "it cannot be read",
	special: "it is a socket, a pipe or a device", excluded: `"undo: exclude" names it`, otherSystem: "it is on another file system",
	changing: "it changes while it is read", tooDeep: "it lies too deep",
}

// Entry is one name in a directory.
type Entry struct {
	Name string
	Kind Kind
	Mode uint16 // permissions, set-id and sticky bits, as chmod takes them
	Size int64
	Sum  Sum // of the content; of a directory's tree
}

// same says whether two entries are alike, whatever they are called.
func (e Entry) same(o Entry) bool { return e.Kind == o.Kind && e.Mode == o.Mode && e.Sum == o.Sum }

// isSpecial says whether an entry is something that holds nothing: a socket, a pipe, a device.
func (e Entry) isSpecial() bool { return e.Kind == Left && e.Mode == special }

// isLeftOut says whether an entry is something that is not covered.
func (e Entry) isLeftOut() bool { return e.Kind == Left || e.Kind == Cache }

// isShut says whether an entry is something that cannot be read.
func (e Entry) isShut() bool { return e.Kind == Left && e.Mode == unreadable }

// Why says why an entry is not covered.
func (e Entry) Why() string {
	switch {
	case e.Kind == Cache:
		return "a build or an installation makes it again"
	case e.Kind == Left && int(e.Mode) < len(reasons):
		return reasons[e.Mode]
	}
	return ""
}

// found is what the system says of a name.
type found struct {
	kind               Kind
	mode               uint16
	size, mtime, ctime int64
	ino, dev           uint64
}

var order = binary.LittleEndian

// addEntry writes an entry of a tree.
func addEntry(b []byte, kind Kind, mode uint16, size int64, sum []byte, name []byte) []byte {
	b = append(b, byte(kind))
	b = order.AppendUint16(b, mode)
	b = order.AppendUint64(b, uint64(size))
	b = append(b, sum...)
	b = order.AppendUint16(b, uint16(len(name)))
	return append(b, name...)
}

const entryHead = 1 + 2 + 8 + len(Sum{}) + 2

// entries reads a tree.
func entries(tree []byte) ([]Entry, error) {
	var list []Entry
	for len(tree) > 0 {
		if len(tree) < entryHead {
			return nil, ErrDamaged
		}
		e := Entry{Kind: Kind(tree[0]), Mode: order.Uint16(tree[1:]), Size: int64(order.Uint64(tree[3:])), Sum: Sum(tree[11:])}
		n := int(order.Uint16(tree[entryHead-2:]))
		if tree = tree[entryHead:]; n == 0 || n > len(tree) || bytes.IndexByte(tree[:n], '/') >= 0 || string(tree[:n]) == "." || string(tree[:n]) == ".." {
			return nil, ErrDamaged
		}
		e.Name, tree = string(tree[:n]), tree[n:]
		if len(list) > 0 && list[len(list)-1].Name >= e.Name {
			return nil, ErrDamaged
		}
		list = append(list, e)
	}
	return list, nil
}

// A pack is contents one after the other, a list of their sums, places and sizes, sorted by sum, and an end that says
// where that list is and what its sum is.
const (
	packEnd  = "longline undo pack 1"
	itemSize = len(Sum{}) + 8 + 8
	endSize  = 8 + len(Sum{}) + len(packEnd)
	largeMin = 16 << 20 // a file of more has a file of its own
)

// item is where a pack has a content.
type item struct {
	sum      Sum
	at, size int64
}

// packWriter writes a pack below a temporary name.
type packWriter struct {
	s     *Store
	file  *os.File
	buf   *bufio.Writer
	at    int64
	items []item
	known map[Sum]bool
}

// add puts a content into the pack, unless it is there.
func (p *packWriter) add(sum Sum, content []byte) error {
	if p.known[sum] {
		return nil
	}
	if p.file == nil {
		f, err := p.s.temp()
		if err != nil {
			return err
		}
		p.file, p.buf, p.known = f, bufio.NewWriterSize(faulty{f}, 256<<10), map[Sum]bool{}
	}
	if _, err := p.buf.Write(content); err != nil {
		return err
	}
	p.known[sum] = true
	p.items = append(p.items, item{sum, p.at, int64(len(content))})
	p.at += int64(len(content))
	return nil
}

// finish gives the pack its name, if it holds anything.
func (p *packWriter) finish() error {
	if p.file == nil {
		return nil
	}
	slices.SortFunc(p.items, func(a, b item) int { return bytes.Compare(a.sum[:], b.sum[:]) })
	list := make([]byte, 0, len(p.items)*itemSize+endSize)
	for _, i := range p.items {
		list = append(list, i.sum[:]...)
		list = order.AppendUint64(order.AppendUint64(list, uint64(i.at)), uint64(i.size))
	}
	sum := sha256.Sum256(list)
	list = append(append(order.AppendUint64(list, uint64(p.at)), sum[:]...), packEnd...)
	_, err := p.buf.Write(list)
	if err = errors.Join(err, p.buf.Flush(), p.file.Close()); err == nil {
		// Where the same contents are packed again, the pack that has them is damaged, and is replaced.
		err = rename(p.file.Name(), filepath.Join(p.s.dir, "packs", hex.EncodeToString(sum[:12])+".pack"))
	}
	p.file = nil
	p.s.packs = nil
	return err
}

// drop gives up the pack.
func (p *packWriter) drop() {
	if p.file != nil {
		p.file.Close()
		_ = remove(p.file.Name())
		p.file = nil
	}
}

// pack is a pack to be read.
type pack struct {
	name string
	size int64
	list []byte // of its items
}

// openPacks reads the lists of all packs; a pack whose list is damaged is set aside.
func (s *Store) openPacks() error {
	if s.packs != nil {
		return nil
	}
	names, err := s.packNames()
	if err != nil {
		return err
	}
	s.packs = make([]pack, 0, len(names))
	for _, name := range names {
		p, err := s.openPack(name)
		if errors.Is(err, ErrDamaged) {
			s.note("a damaged pack of the undo store was set aside")
			if s.lost = true; !s.held {
				continue
			}
			err = errors.Join(s.forget(), rename(s.packPath(name), filepath.Join(s.dir, "damaged-"+name)))
		} else if err == nil {
			s.packs = append(s.packs, p)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (s *Store) packPath(name string) string { return filepath.Join(s.dir, "packs", name) }

// packNames lists the packs.
func (s *Store) packNames() (names []string, err error) {
	list, err := os.ReadDir(filepath.Join(s.dir, "packs"))
	for _, e := range list {
		if strings.HasSuffix(e.Name(), ".pack") {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (s *Store) openPack(name string) (p pack, err error) {
	f, err := os.Open(s.packPath(name))
	if err != nil {
		return p, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return p, err
	}
	var end [endSize]byte
	if _, err := f.ReadAt(end[:], info.Size()-int64(endSize)); err != nil || string(end[endSize-len(packEnd):]) != packEnd {
		return p, damaged(name)
	}
	at, room := int64(order.Uint64(end[:])), info.Size()-int64(endSize)
	if at < 0 || at > room || (room-at)%int64(itemSize) != 0 {
		return p, damaged(name)
	}
	p = pack{name: name, size: info.Size(), list: make([]byte, room-at)}
	if _, err := f.ReadAt(p.list, at); err != nil {
		return p, damaged(name)
	}
	if sum := sha256.Sum256(p.list); !bytes.Equal(sum[:], end[8:8+len(sum)]) {
		return p, damaged(name)
	}
	return p, nil
}

func damaged(what string) error { return fmt.Errorf("%w: %s", ErrDamaged, what) }

func (p *pack) item(i int) item {
	raw := p.list[i*itemSize:]
	return item{Sum(raw), int64(order.Uint64(raw[len(Sum{}):])), int64(order.Uint64(raw[len(Sum{})+8:]))}
}

func (p *pack) count() int { return len(p.list) / itemSize }

// find looks for a content.
func (p *pack) find(sum Sum) (item, bool) {
	lo, hi := 0, p.count()
	for lo < hi {
		mid := (lo + hi) / 2
		if c := bytes.Compare(p.list[mid*itemSize:][:len(sum)], sum[:]); c == 0 {
			return p.item(mid), true
		} else if c < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return item{}, false
}

// content returns what has a sum, from whatever pack holds it whole. Who holds no lock may find that packs were
// written anew meanwhile.
func (s *Store) content(sum Sum) ([]byte, error) {
	content, err := s.packed(sum)
	if errors.Is(err, ErrDamaged) && !s.held {
		s.packs = nil
		content, err = s.packed(sum)
	}
	return content, err
}

func (s *Store) packed(sum Sum) ([]byte, error) {
	if err := s.openPacks(); err != nil {
		return nil, err
	}
	for i := range s.packs {
		it, ok := s.packs[i].find(sum)
		if !ok || it.at < 0 || it.size < 0 || it.at+it.size > s.packs[i].size {
			continue
		}
		f, err := os.Open(s.packPath(s.packs[i].name))
		if err != nil {
			continue
		}
		content := make([]byte, it.size)
		_, err = f.ReadAt(content, it.at)
		f.Close()
		if err == nil && sha256.Sum256(content) == sum {
			return content, nil
		}
	}
	return nil, damaged("the content " + sum.String()[:12] + " is gone")
}

// copyTo writes what has a sum, and checks that it is that.
func (s *Store) copyTo(w io.Writer, sum Sum, size int64) error {
	if size <= largeMin {
		content, err := s.content(sum)
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	}
	f, err := os.Open(s.largePath(sum))
	if err != nil {
		return damaged(err.Error())
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{io.MultiWriter(w, hash)}, f, make([]byte, 1<<20)); err != nil {
		return err
	}
	if Sum(hash.Sum(nil)) != sum {
		return damaged(s.largePath(sum))
	}
	return nil
}

func (s *Store) largePath(sum Sum) string { return filepath.Join(s.dir, "large", sum.String()) }

// tree returns the entries of a tree.
func (s *Store) tree(sum Sum) ([]Entry, error) {
	if list, ok := s.trees[sum]; ok {
		return list, nil
	}
	raw, err := s.content(sum)
	if err != nil {
		return nil, err
	}
	list, err := entries(raw)
	if err == nil {
		if s.trees == nil || len(s.trees) > 1<<14 {
			s.trees = map[Sum][]Entry{}
		}
		s.trees[sum] = list
	}
	return list, err
}
