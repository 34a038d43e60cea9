// Package gitstore reads git's data as far as it takes to say which files a switch
// to another commit would change: refs, commits, trees and blobs, loose and
// packed, and the index. It only reads, runs nothing, and is bounded throughout; what
// it cannot read is an error.
package gitstore

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Files is how the disk is read.
type Files struct {
	// ReadAt reads into room from an offset, and returns how much there was.
	ReadAt func(path string, offset int64, room []byte) (int, error)
	List   func(dir string) []string
}

// ID is the name of an object.
type ID [20]byte

// ErrTooMuch says that a bound was reached.
var ErrTooMuch = errors.New("more than is looked at")

// ErrNone says that there is no such branch, commit or object.
var ErrNone = errors.New("there is no such object")

var errFormat = errors.New("not in a form that is read")

const (
	maxObjects = 4000    // of one look
	maxAll     = 40_000  // of all looks
	maxObject  = 8 << 20 // of one object
	maxFile    = 16 << 20
	maxChain   = 64 // of deltas, of refs, of tags
	maxPacks   = 64
	maxStores  = 8
)

// Store is one repository.
type Store struct {
	files  Files
	dir    string   // of this working tree: HEAD, index
	common string   // of the repository: objects, refs
	stores []string // directories of objects: the repository's own, and those it borrows from
	packs  []*pack
	listed bool
	read   int   // objects, by this look
	all    int   // by all
	partly bool  // there are objects that are not looked up
	form   error // why nothing can be read
	formed bool

	known held
}

// held is what was read, for a script that asks the same again and again. What does not fit into it is
// read again.
type held struct {
	files   map[string]text
	objects map[ID]object
	refs    map[string]string // of packed refs
	index   *listed
	room    int // bytes that are held
}

type text struct {
	content []byte
	err     error
}

type object struct {
	kind    string
	content []byte
}

type listed struct {
	entries []Entry
	err     error
}

// maxHeld bounds what is held of one repository, maxHeldFile each file of it.
const (
	maxHeld     = 32 << 20
	maxHeldFile = 1 << 20
)

// holds says whether there is room for so many bytes more, and takes it.
func (m *held) holds(n int) bool {
	if n += 64; m.room+n > maxHeld {
		return false
	}
	m.room += n
	return true
}

// Again begins another look at the repository, as it was at the first: each may read so many objects.
func (s *Store) Again() { s.read = 0 }

// Open returns the repository whose data is in dir; "" for common means that it is
// the same.
func Open(files Files, dir, common string) *Store {
	if common == "" {
		common = dir
	}
	return &Store{files: files, dir: dir, common: common, stores: []string{common + "/objects"}}
}

// check says whether the repository is in the form that is read here: names of 20
// bytes, refs in files, and no object that stands for another. In any other form what
// is not found may still be there for git.
func (s *Store) check() error {
	if s.formed {
		return s.form
	}
	s.formed = true
	config, _ := s.file(s.common + "/config")
	text := strings.ToLower(string(config))
	packed, _ := s.file(s.common + "/packed-refs")
	switch {
	case strings.Contains(text, "objectformat") && strings.Contains(text, "sha256"),
		strings.Contains(text, "refstorage"), len(s.files.List(s.common+"/reftable")) > 0,
		len(s.files.List(s.common+"/refs/replace")) > 0, bytes.Contains(packed, []byte(" refs/replace/")):
		s.form = errFormat
	}
	return s.form
}

// file returns a whole file, which nobody may write to.
func (s *Store) file(path string) ([]byte, error) {
	if have, ok := s.known.files[path]; ok {
		return have.content, have.err
	}
	content, err := s.readFile(path)
	if len(content) <= maxHeldFile && s.known.holds(len(path)+len(content)) {
		if s.known.files == nil {
			s.known.files = map[string]text{}
		}
		s.known.files[path] = text{content, err}
	}
	return content, err
}

// readFile reads a whole file. Most have a line or two.
func (s *Store) readFile(path string) ([]byte, error) {
	b, n := make([]byte, 512), 0
	for {
		if n == len(b) {
			b = append(b, make([]byte, min(3*n, maxFile))...)
		}
		got, err := s.files.ReadAt(path, int64(n), b[n:])
		switch n += got; {
		case n > maxFile:
			return nil, ErrTooMuch
		case err != nil && err != io.EOF:
			return nil, err
		case n < len(b):
			return b[:n], nil
		}
	}
}

// object returns the type and content of an object, which nobody may write to.
func (s *Store) object(id ID) (kind string, content []byte, err error) {
	if have, ok := s.known.objects[id]; ok {
		return have.kind, have.content, nil
	}
	kind, content, err = s.readObject(id)
	if err == nil && len(content) <= maxHeldFile && s.known.holds(len(content)) {
		if s.known.objects == nil {
			s.known.objects = map[ID]object{}
		}
		s.known.objects[id] = object{kind, content}
	}
	return kind, content, err
}

// readObject reads an object.
func (s *Store) readObject(id ID) (kind string, content []byte, err error) {
	s.all++
	if s.read++; s.read > maxObjects || s.all > maxAll {
		return "", nil, ErrTooMuch
	}
	if err := s.check(); err != nil {
		return "", nil, err
	}
	name := hex.EncodeToString(id[:])
	if raw, err := s.readFile(s.stores[0] + "/" + name[:2] + "/" + name[2:]); err == nil {
		return loose(raw)
	}
	s.list()
	for _, p := range s.packs {
		if at, ok := p.find(s, id); ok {
			return p.object(s, at, 0)
		}
	}
	for _, dir := range s.stores[1:] {
		if raw, err := s.readFile(dir + "/" + name[:2] + "/" + name[2:]); err == nil {
			return loose(raw)
		}
	}
	if s.partly {
		return "", nil, ErrTooMuch
	}
	return "", nil, ErrNone
}

func loose(raw []byte) (string, []byte, error) {
	content, err := inflate(bytes.NewReader(raw))
	if err != nil {
		return "", nil, err
	}
	head, content, ok := bytes.Cut(content, []byte{0})
	kind, _, ok2 := strings.Cut(string(head), " ")
	if !ok || !ok2 {
		return "", nil, errFormat
	}
	return kind, content, nil
}

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

// Entry is a name in a tree.
type Entry struct {
	Name string
	ID   ID
	Tree bool
	Link bool // a symbolic link
}

func (s *Store) tree(id ID) ([]Entry, error) {
	kind, content, err := s.object(id)
	if err != nil || kind != "tree" {
		if err == nil {
			err = errFormat
		}
		return nil, err
	}
	var list []Entry
	for len(content) > 0 {
		head, rest, ok := bytes.Cut(content, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < 20 {
			return nil, errFormat
		}
		list = append(list, Entry{Name: name, ID: ID(rest[:20]), Tree: mode == "40000", Link: mode == "120000"})
		content = rest[20:]
	}
	return list, nil
}

// commit returns the tree and the parents of a commit; a tag is followed.
func (s *Store) commit(id ID) (tree ID, parents []ID, err error) {
	for range maxChain {
		kind, content, err := s.object(id)
		if err != nil {
			return tree, nil, err
		}
		head, _, _ := strings.Cut(string(content), "\n\n")
		switch kind {
		case "tag":
			target, ok := strings.CutPrefix(head, "object ")
			if id, err = parse(first(target)); !ok || err != nil {
				return tree, nil, errFormat
			}
		case "tree":
			return id, nil, nil
		case "commit":
			return commitHead(head)
		default:
			return tree, nil, errFormat
		}
	}
	return tree, nil, ErrTooMuch
}

// commitHead reads the lines in front of the message of a commit.
func commitHead(head string) (tree ID, parents []ID, err error) {
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if key != "tree" && key != "parent" {
			continue
		}
		id, err := parse(value)
		if err != nil {
			return tree, nil, err
		}
		if key == "tree" {
			tree = id
		} else {
			parents = append(parents, id)
		}
	}
	return tree, parents, nil
}

// first is the first word: what was fetched has more behind it.
func first(text string) string {
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		return text[:i]
	}
	return text
}

func parse(text string) (id ID, err error) {
	raw, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(raw) != len(id) {
		return id, errFormat
	}
	return ID(raw), nil
}

// Resolve finds the commit that a revision names: a branch, tag or remote branch,
// HEAD, "-", the name of an object, and with ~N and ^ what is above it.
func (s *Store) Resolve(revision string) (ID, error) {
	name, rest := revision, ""
	if i := strings.IndexAny(revision, "~^"); i > 0 {
		name, rest = revision[:i], revision[i:]
	}
	id, err := s.named(name)
	for err == nil && rest != "" {
		sign := rest[0]
		rest = rest[1:]
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n := 1
		if digits > 0 {
			n, _ = strconv.Atoi(rest[:digits])
			rest = rest[digits:]
		}
		switch {
		case sign == '^' && (digits > 0 || !strings.HasPrefix(rest, "{")):
			id, err = s.parent(id, n)
		case sign == '~' && n <= 1000:
			id, err = s.above(id, n)
		default:
			return id, errFormat
		}
	}
	return id, err
}

// above is the commit that is so many above another one, by first parents.
func (s *Store) above(id ID, n int) (_ ID, err error) {
	for ; n > 0 && err == nil; n-- {
		id, err = s.parent(id, 1)
	}
	return id, err
}

// parent is the parent of a commit by its number; 0 is the commit itself.
func (s *Store) parent(id ID, n int) (ID, error) {
	_, parents, err := s.commit(id)
	switch {
	case err != nil || n <= 0:
		return id, err
	case n > len(parents):
		return id, ErrNone
	}
	return parents[n-1], nil
}

// Branch resolves what a switch goes to: a branch, if there is one of that name, and
// not a tag or a stash that is called the same.
func (s *Store) Branch(name string) (ID, error) {
	if name == "-" || name == "@{-1}" {
		before, err := s.before()
		if err != nil {
			return ID{}, err
		}
		name = before
	}
	if err := s.check(); err != nil {
		return ID{}, err
	}
	if id, err := s.ref("refs/heads/"+name, 0); err != ErrNone {
		return id, err
	}
	return s.Resolve(name)
}

func (s *Store) named(name string) (ID, error) {
	if err := s.check(); err != nil {
		return ID{}, err
	}
	name, err := s.spelled(name)
	if err != nil {
		return ID{}, err
	}
	if n, ok := strings.CutPrefix(name, "stash@{"); ok && strings.HasSuffix(n, "}") {
		return s.logged("refs/stash", strings.TrimSuffix(n, "}"))
	}
	if !isPlain(name) {
		return ID{}, errFormat
	}
	if id, err := s.refNamed(name); err != ErrNone {
		return id, err
	}
	if len(name) == 40 {
		return parse(name)
	}
	if short, ok := shortID(name); ok {
		if id, err := s.abbreviated(short); err != ErrNone {
			return id, err
		}
	}
	return s.remote(name)
}

// spelled is the name of a ref that some short forms stand for.
func (s *Store) spelled(name string) (string, error) {
	switch name {
	case "-", "@{-1}":
		return s.before()
	case "@":
		return "HEAD", nil
	case "stash":
		return "refs/stash", nil
	}
	return name, nil
}

// isPlain says whether a name can be that of a ref which every working tree sees alike.
func isPlain(name string) bool {
	return !strings.ContainsAny(name, "{}: *?[\\") && !strings.Contains(name, "..") && !strings.HasPrefix(name, "worktrees/") && !strings.HasPrefix(name, "main-worktree/")
}

// refNamed finds the ref that git takes for a name. Beside the other refs there are only
// some in capitals.
func (s *Store) refNamed(name string) (ID, error) {
	for _, full := range [...]string{name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD"} {
		if full == name && !strings.HasPrefix(name, "refs/") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") != "" {
			continue
		}
		if id, err := s.ref(full, 0); err != ErrNone {
			return id, err
		}
	}
	return ID{}, ErrNone
}

// remote is the branch that "git switch topic" makes one of: the one that a single
// remote has.
func (s *Store) remote(name string) (ID, error) {
	found, id := 0, ID{}
	for _, remote := range s.files.List(s.common + "/refs/remotes") {
		if at, err := s.ref("refs/remotes/"+remote+"/"+name, 0); err == nil {
			found, id = found+1, at
		}
	}
	if found == 0 {
		if at, err := s.ref("refs/remotes/origin/"+name, 0); err == nil {
			return at, nil
		}
	}
	if found == 1 {
		return id, nil
	}
	return id, ErrNone
}

// shortID is the beginning of an id that a name may be.
func shortID(name string) (string, bool) {
	short := strings.ToLower(name)
	if i := strings.LastIndex(short, "-g"); i > 0 {
		short = short[i+2:] // as git describe prints it
	}
	return short, len(short) >= 4 && len(short) <= 40 && strings.Trim(short, "0123456789abcdef") == ""
}

func (s *Store) ref(name string, depth int) (ID, error) {
	if depth > maxChain {
		return ID{}, ErrTooMuch
	}
	dir := s.common
	if !strings.Contains(name, "/") {
		dir = s.dir
	}
	if text, err := s.file(dir + "/" + name); err == nil {
		if to, ok := strings.CutPrefix(string(text), "ref:"); ok {
			return s.ref(strings.TrimSpace(to), depth+1)
		}
		return parse(first(string(text)))
	}
	if err := s.packed(); err != nil {
		return ID{}, err
	}
	if id, ok := s.known.refs[name]; ok {
		return parse(id)
	}
	return ID{}, ErrNone
}

// packed reads the refs that are packed in one file, once.
func (s *Store) packed() error {
	if s.known.refs != nil {
		return nil
	}
	packed, err := s.file(s.common + "/packed-refs")
	if err == ErrTooMuch {
		return err
	}
	s.known.refs = map[string]string{}
	for line := range strings.Lines(string(packed)) {
		if id, ref, ok := strings.Cut(strings.TrimSpace(line), " "); ok && s.known.refs[ref] == "" {
			s.known.refs[ref] = id
		}
	}
	return nil
}

// logged is the entry of a ref's log that many back.
func (s *Store) logged(ref, back string) (ID, error) {
	n, err := strconv.Atoi(back)
	log, wrong := s.file(s.common + "/logs/" + ref)
	if err != nil || wrong != nil || n < 0 {
		return ID{}, ErrNone
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	if n >= len(lines) {
		return ID{}, ErrNone
	}
	fields := strings.Fields(lines[len(lines)-1-n])
	if len(fields) < 2 {
		return ID{}, errFormat
	}
	return parse(fields[1])
}

// before is the branch or commit that HEAD was at before the last switch.
func (s *Store) before() (string, error) {
	log, err := s.file(s.dir + "/logs/HEAD")
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if _, move, ok := strings.Cut(lines[i], "checkout: moving from "); ok {
			from, _, _ := strings.Cut(move, " to ")
			return from, nil
		}
	}
	return "", ErrNone
}

// abbreviated finds the object whose name begins so among the loose ones and in
// packs; of several it is none that is known here.
func (s *Store) abbreviated(name string) (ID, error) {
	found := s.looseWith(name)
	low, err := parse(name + strings.Repeat("0", 40-len(name)))
	if err != nil {
		return ID{}, err
	}
	s.list()
	for _, p := range s.packs {
		if !p.open(s) {
			continue
		}
		ids, ok := p.with(s, name, low)
		if !ok {
			return ID{}, errFormat
		}
		found = append(found, ids...)
	}
	if len(found) == 0 && (s.partly || len(s.stores) > 1) {
		return ID{}, ErrTooMuch
	}
	if len(found) == 0 {
		return ID{}, ErrNone
	}
	if slices.ContainsFunc(found, func(id ID) bool { return id != found[0] }) {
		return ID{}, ErrTooMuch // git takes the only commit among them
	}
	return found[0], nil
}

// looseWith are the loose objects whose names begin so.
func (s *Store) looseWith(name string) (found []ID) {
	for _, rest := range s.files.List(s.common + "/objects/" + name[:2]) {
		if strings.HasPrefix(name[:2]+rest, name) {
			if id, err := parse(name[:2] + rest); err == nil {
				found = append(found, id)
			}
		}
	}
	return found
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
