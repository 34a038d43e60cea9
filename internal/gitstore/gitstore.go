// Package gitstore reads git's data as far as it takes to say which files a switch
// to another commit would change: refs, commits, trees and blobs, loose and
// packed, and the index. It only reads, runs nothing, and is bounded throughout; what
// it cannot read is an error.
package gitstore

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
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
	trees   map[ID][]Entry
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

// Entry is a name in a tree.
type Entry struct {
	Name string
	ID   ID
	Tree bool
	Link bool // a symbolic link

	Module  bool // a commit of another repository, which is in a directory of that name
	Assumed bool // in the index: git takes the file for unchanged without looking at it
	Runs    bool // a program
}

func (s *Store) tree(id ID) ([]Entry, error) {
	if have, ok := s.known.trees[id]; ok {
		return have, nil
	}
	list, err := s.readTree(id)
	if err == nil && s.known.holds(len(list)*entrySize) {
		if s.known.trees == nil {
			s.known.trees = map[ID][]Entry{}
		}
		s.known.trees[id] = list
	}
	return list, err
}

// entrySize is about what an entry takes of memory.
const entrySize = 80

// readTree takes a tree apart.
func (s *Store) readTree(id ID) ([]Entry, error) {
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
		list = append(list, Entry{Name: name, ID: ID(rest[:20]), Tree: mode == "40000", Link: mode == "120000", Module: mode == "160000", Runs: mode == "100755"})
		content = rest[20:]
	}
	return list, nil
}

// commit returns the tree and the parents of a commit; a tag is followed.
func (s *Store) commit(id ID) (tree ID, parents []ID, err error) {
	_, head, err := s.head(id)
	if err != nil {
		return tree, nil, err
	}
	return commitHead(head)
}

// head returns the lines in front of the message of a commit; a tag is followed to it, and a tree is as a commit with nothing
// before it.
func (s *Store) head(id ID) (ID, string, error) {
	for range maxChain {
		kind, content, err := s.object(id)
		if err != nil {
			return id, "", err
		}
		head, _, _ := strings.Cut(string(content), "\n\n")
		switch kind {
		case "tag":
			target, ok := strings.CutPrefix(head, "object ")
			if id, err = parse(first(target)); !ok || err != nil {
				return id, "", errFormat
			}
		case "tree":
			return id, "tree " + hex.EncodeToString(id[:]), nil
		case "commit":
			return id, head, nil
		default:
			return id, "", errFormat
		}
	}
	return id, "", ErrTooMuch
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
