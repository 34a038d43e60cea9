package gitstore

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"strings"
)

// pack is one pack of objects with its index.
type pack struct {
	path   string // without ending
	fanout []byte
	count  int64
}

func (s *Store) list() {
	if s.listed {
		return
	}
	s.listed = true
	for i := 0; i < len(s.stores); i++ {
		if borrowed, err := s.file(s.stores[i] + "/info/alternates"); err == nil {
			s.borrow(s.stores[i], string(borrowed))
		}
		dir := s.stores[i] + "/pack"
		for _, name := range s.files.List(dir) {
			base, ok := strings.CutSuffix(name, ".idx")
			switch {
			case !ok:
			case len(s.packs) < maxPacks:
				s.packs = append(s.packs, &pack{path: dir + "/" + base})
			default:
				s.partly = true
			}
		}
	}
}

// borrow adds the directories that a repository takes objects from besides its own.
func (s *Store) borrow(from, list string) {
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case len(s.stores) >= maxStores || line[0] == '"':
			s.partly = true
		case line[0] == '/':
			s.stores = append(s.stores, line)
		default:
			s.stores = append(s.stores, from+"/"+line)
		}
	}
}

func (s *Store) at(path string, offset int64, n int) ([]byte, bool) {
	room := make([]byte, n)
	got, _ := s.files.ReadAt(path, offset, room)
	return room, got == n
}

// find looks an object up in the pack's index, of version 2.
func (p *pack) find(s *Store, id ID) (offset int64, ok bool) {
	if !p.open(s) {
		return 0, false
	}
	lo, hi := p.between(id[0])
	for lo < hi {
		mid := (lo + hi) / 2
		name, ok := p.name(s, mid)
		if !ok {
			return 0, false
		}
		switch bytes.Compare(name, id[:]) {
		case 0:
			return p.offset(s, mid)
		case -1:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0, false
}

// open reads how the index is divided. It fails if the index has another form.
func (p *pack) open(s *Store) bool {
	if p.fanout == nil {
		head, ok := s.at(p.path+".idx", 0, indexNames)
		if !ok || string(head[:8]) != "\xfftOc\x00\x00\x00\x02" {
			p.fanout, s.partly = []byte{}, true
			return false
		}
		p.fanout = head[8:]
		p.count = int64(binary.BigEndian.Uint32(p.fanout[255*4:]))
	}
	return len(p.fanout) > 0
}

// indexNames is where the names begin in an index.
const indexNames = 8 + 256*4

// between is the range of the names in an index that begin with a byte.
func (p *pack) between(first byte) (lo, hi int64) {
	if first > 0 {
		lo = int64(binary.BigEndian.Uint32(p.fanout[(int(first)-1)*4:]))
	}
	return lo, int64(binary.BigEndian.Uint32(p.fanout[int(first)*4:]))
}

// name reads a name in an index.
func (p *pack) name(s *Store, i int64) ([]byte, bool) {
	return s.at(p.path+".idx", indexNames+i*20, 20)
}

// offset reads where the object of a name is in the pack.
func (p *pack) offset(s *Store, i int64) (offset int64, ok bool) {
	raw, ok := s.at(p.path+".idx", indexNames+p.count*24+i*4, 4)
	if !ok {
		return 0, false
	}
	at := binary.BigEndian.Uint32(raw)
	if at&(1<<31) == 0 {
		return int64(at), true
	}
	long, ok := s.at(p.path+".idx", indexNames+p.count*28+int64(at&^(1<<31))*8, 8)
	if !ok {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(long) &^ (1 << 63)), true
}

var kinds = [...]string{1: "commit", 2: "tree", 3: "blob", 4: "tag"}

// object reads the object at an offset of the pack.
func (p *pack) object(s *Store, at int64, depth int) (string, []byte, error) {
	if depth > maxChain {
		return "", nil, ErrTooMuch
	}
	file := p.path + ".pack"
	room := make([]byte, 64)
	n, _ := s.files.ReadAt(file, at, room)
	r := headReader{room: room[:n]}
	h, err := r.head()
	if err != nil {
		return "", nil, err
	}
	if h.back > at || r.i > n {
		return "", nil, errFormat
	}
	content, err := inflate(&stream{s: s, path: file, at: at + int64(r.i)})
	if err == nil && uint64(len(content)) != h.size {
		err = errFormat
	}
	if err != nil {
		return "", nil, err
	}
	if h.kind <= 4 {
		return kinds[h.kind], content, nil
	}
	name, from, err := p.base(s, h, at, depth)
	if err != nil {
		return "", nil, err
	}
	content, err = patch(from, content)
	return name, content, err
}

// base reads the object that a delta is against.
func (p *pack) base(s *Store, h packHead, at int64, depth int) (string, []byte, error) {
	if h.kind == 6 {
		return p.object(s, at-h.back, depth+1)
	}
	if other, ok := p.find(s, h.base); ok {
		return p.object(s, other, depth+1)
	}
	return s.object(h.base)
}

// packHead is what stands before the content of an object in a pack.
type packHead struct {
	kind byte // of [kinds], 6 or 7
	size uint64
	back int64 // for 6: a delta against an object that is so far further up
	base ID    // for 7: a delta against an object by its name
}

// headReader reads it. What is missing at its end reads as zeros.
type headReader struct {
	room []byte
	i    int
}

// next reads a byte.
func (r *headReader) next() byte {
	r.i++
	if r.i > len(r.room) {
		return 0
	}
	return r.room[r.i-1]
}

// head reads all of it.
func (r *headReader) head() (h packHead, err error) {
	c := r.next()
	h.kind = c >> 4 & 7
	h.size = uint64(c & 15)
	for shift := 4; c&0x80 != 0 && shift < 60; shift += 7 {
		c = r.next()
		h.size |= uint64(c&0x7f) << shift
	}
	if h.size > maxObject {
		return h, ErrTooMuch
	}
	switch h.kind {
	case 1, 2, 3, 4:
	case 6:
		if h.back = r.back(); h.back <= 0 {
			return h, errFormat
		}
	case 7:
		if r.i+20 > len(r.room) {
			return h, errFormat
		}
		h.base = ID(r.room[r.i : r.i+20])
		r.i += 20
	default:
		return h, errFormat
	}
	return h, nil
}

// back reads how far up an object is.
func (r *headReader) back() int64 {
	c := r.next()
	back := int64(c & 0x7f)
	for c&0x80 != 0 && back < 1<<50 {
		c = r.next()
		back = (back+1)<<7 | int64(c&0x7f)
	}
	return back
}

// stream reads a file from an offset on.
type stream struct {
	s    *Store
	path string
	at   int64
}

func (r *stream) Read(room []byte) (int, error) {
	n, err := r.s.files.ReadAt(r.path, r.at, room)
	r.at += int64(n)
	if n > 0 {
		return n, nil
	}
	if err == nil {
		err = io.EOF
	}
	return 0, err
}

// patch applies a delta.
func patch(from, delta []byte) ([]byte, error) {
	d := deltaReader(delta)
	if d.number() != uint64(len(from)) {
		return nil, errFormat
	}
	size := d.number()
	if size > maxObject {
		return nil, ErrTooMuch
	}
	to := make([]byte, 0, size)
	for len(d) > 0 {
		c := d[0]
		d = d[1:]
		var piece []byte
		var ok bool
		if c&0x80 != 0 {
			piece, ok = d.copied(c, from)
		} else {
			piece, ok = d.added(c)
		}
		if !ok || uint64(len(to)+len(piece)) > size {
			return nil, errFormat
		}
		to = append(to, piece...)
	}
	if uint64(len(to)) != size {
		return nil, errFormat
	}
	return to, nil
}

// deltaReader is what is left of a delta.
type deltaReader []byte

// number reads a length.
func (d *deltaReader) number() (n uint64) {
	for shift := 0; len(*d) > 0 && shift < 60; shift += 7 {
		c := (*d)[0]
		*d = (*d)[1:]
		n |= uint64(c&0x7f) << shift
		if c&0x80 == 0 {
			break
		}
	}
	return n
}

// copied reads which piece of the object before is copied.
func (d *deltaReader) copied(c byte, from []byte) (piece []byte, ok bool) {
	var offset, n uint64
	for i := range 7 {
		if c>>i&1 == 0 {
			continue
		}
		if len(*d) == 0 {
			return nil, false
		}
		b := uint64((*d)[0])
		*d = (*d)[1:]
		if i < 4 {
			offset |= b << (8 * i)
		} else {
			n |= b << (8 * (i - 4))
		}
	}
	if n == 0 {
		n = 0x10000
	}
	if offset+n > uint64(len(from)) {
		return nil, false
	}
	return from[offset : offset+n], true
}

// added reads a piece that the delta holds itself.
func (d *deltaReader) added(n byte) (piece []byte, ok bool) {
	if n == 0 || int(n) > len(*d) {
		return nil, false
	}
	piece = (*d)[:n]
	*d = (*d)[n:]
	return piece, true
}

// with are the objects of a pack whose names begin so, none of which comes before low.
func (p *pack) with(s *Store, name string, low ID) (found []ID, ok bool) {
	lo, to := p.between(low[0])
	for hi := to; lo < hi; {
		mid := (lo + hi) / 2
		raw, ok := p.name(s, mid)
		if !ok {
			return nil, false
		}
		if bytes.Compare(raw, low[:]) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for ; lo < to; lo++ {
		raw, ok := p.name(s, lo)
		if !ok || !strings.HasPrefix(hex.EncodeToString(raw), name) {
			break
		}
		found = append(found, ID(raw))
	}
	return found, true
}
