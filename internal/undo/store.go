package undo

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"longline/internal/disk"
	"longline/internal/paths"
)

// Store is what is kept of one project.
type Store struct {
	o     Options
	dir   string
	packs []pack // read when they are needed
	trees map[Sum][]Entry
	notes []string
	lost  bool   // a damaged pack was set aside
	alias string // the root as it was given, where links lead to it
	held  bool   // this process alone changes the store
}

// Open finds the store of a project; it is made by the first snapshot. That of a project that was moved is
// found by what the directory is.
func Open(o Options) (*Store, error) {
	o.fill()
	if o.Root = filepath.ToSlash(o.Root); o.Dir == "" || !filepath.IsAbs(o.Root) {
		return nil, errors.New("undo: no place for snapshots")
	}
	s := &Store{}
	if real, err := filepath.EvalSymlinks(o.Root); err == nil && filepath.ToSlash(real) != o.Root {
		s.alias, o.Root = o.Root, filepath.ToSlash(real)
	}
	s.o, s.dir = o, filepath.Join(o.Dir, key(o.Root))
	if _, err := os.Lstat(s.dir); !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	return s, s.adopt()
}

// real is a path below the root as it is without the links that lead to the root.
func real(alias, root, path string) string {
	if alias != "" && paths.Within(path, alias) {
		return root + path[len(alias):]
	}
	return path
}

// key is the name of a project's store.
func key(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:12])
}

// identity is what a project's directory is, wherever it lies.
type identity struct {
	path           string
	dev, ino, born uint64
}

func identify(path string) (id identity, ok bool) {
	d, err := openDir(path)
	if err != nil {
		return id, false
	}
	defer d.close()
	f, err := d.self()
	return identity{path, f.dev, f.ino, uint64(born(path))}, err == nil && f.ino != 0
}

// moved says whether a directory is what was at another path. The number of a device may change when a machine starts.
func (id identity) moved(from identity) bool {
	return id.ino == from.ino && id.born == from.born && (id.born != 0 || id.dev == from.dev)
}

const projectForm = "longline undo project 1"

func (id identity) text() []byte {
	return sealed(fields(projectForm, id.path, strconv.FormatUint(id.dev, 10), strconv.FormatUint(id.ino, 10), strconv.FormatUint(id.born, 10)))
}

// recorded reads what a store says its project is.
func recorded(dir string) (id identity, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "project"))
	if err != nil {
		return id, err
	}
	list, ok := unsealed(text)
	if !ok || len(list) != 5 || list[0] != projectForm {
		return id, damaged("project")
	}
	id.path = list[1]
	for i, to := range []*uint64{&id.dev, &id.ino, &id.born} {
		if *to, err = strconv.ParseUint(list[2+i], 10, 64); err != nil {
			return id, damaged("project")
		}
	}
	return id, nil
}

// adopt takes over the store of a project that lay elsewhere.
func (s *Store) adopt() error {
	here, ok := identify(s.o.Root)
	if !ok {
		return nil
	}
	list, err := os.ReadDir(s.o.Dir)
	if err != nil {
		return nil //nolint:nilerr // there is none yet
	}
	for _, e := range list {
		dir := filepath.Join(s.o.Dir, e.Name())
		was, err := recorded(dir)
		if err != nil || !here.moved(was) || was.path == s.o.Root {
			continue
		}
		if there, ok := identify(was.path); ok && there.moved(was) {
			continue // the same directory under two names
		}
		if err := rename(dir, s.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return nil
}

// prepare makes the store's directories, says whose it is, and removes what somebody left unfinished.
func (s *Store) prepare() error {
	for _, sub := range []string{"tmp", "packs", "snaps", "large"} {
		if err := makeDirs(filepath.Join(s.dir, sub)); err != nil {
			return err
		}
	}
	left, err := os.ReadDir(filepath.Join(s.dir, "tmp"))
	if err != nil {
		return err
	}
	for _, e := range left {
		if err := remove(filepath.Join(s.dir, "tmp", e.Name())); err != nil {
			return err
		}
	}
	here, ok := identify(s.o.Root)
	if was, err := recorded(s.dir); err == nil && (was == here || !ok) {
		return nil // as it was, or gone
	}
	return s.put("project", here.text())
}

// locked does something while no other process changes the store.
func (s *Store) locked(do func() error) error {
	if err := makeDirs(s.dir); err != nil {
		return s.anew(err, do)
	}
	release, err := lock(filepath.Join(s.dir, "lock"), s.o.Wait)
	if err != nil {
		return err
	}
	defer release()
	s.packs, s.held = nil, true
	defer func() { s.held = false }()
	if err := s.prepare(); err != nil {
		return s.anew(err, do)
	}
	return do()
}

// note is something a person should know.
func (s *Store) note(text string) { s.notes = append(s.notes, text) }

// anew begins a new store where something else is in the place of the one there was.
func (s *Store) anew(err error, do func() error) error {
	old := s.dir + ".damaged"
	if !errors.Is(err, syscall.ENOTDIR) || removeAll(old) != nil || rename(s.dir, old) != nil {
		return err
	}
	return s.locked(do)
}

// temp makes a file of its own that gets its name when it is whole.
func (s *Store) temp() (*os.File, error) {
	if err := hit("create"); err != nil {
		return nil, err
	}
	return os.CreateTemp(filepath.Join(s.dir, "tmp"), "new-")
}

// put writes a file of the store whole or not at all.
func (s *Store) put(name string, text []byte) error {
	f, err := s.temp()
	if err != nil {
		return err
	}
	_, err = faulty{f}.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = rename(f.Name(), filepath.Join(s.dir, name))
	}
	if err != nil {
		_ = remove(f.Name())
	}
	return err
}

// fault makes the tests' disks fail: it is asked before whatever changes something on one.
var fault func(op string) error

func hit(op string) error {
	if fault == nil {
		return nil
	}
	return fault(op)
}

// faulty is a file that may fail.
type faulty struct{ io.Writer }

func (f faulty) Write(b []byte) (int, error) {
	if err := hit("write"); err != nil {
		n, _ := f.Writer.Write(b[:len(b)/2])
		return n, err
	}
	return f.Writer.Write(b)
}

func rename(from, to string) error {
	if err := hit("rename"); err != nil {
		return err
	}
	return disk.Rename(from, to)
}

func remove(path string) error {
	if err := hit("remove"); err != nil {
		return err
	}
	return os.Remove(path)
}

func removeAll(path string) error {
	if err := hit("remove"); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

func makeDirs(path string) error {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return nil
	}
	if err := hit("mkdir"); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o700)
}

// fields writes a record: one quoted text to a line.
func fields(texts ...string) []byte {
	var b []byte
	for _, t := range texts {
		b = append(strconv.AppendQuote(b, t), '\n')
	}
	return b
}

// sealed adds its sum to a record, so that damage is seen.
func sealed(record []byte) []byte {
	sum := sha256.Sum256(record)
	return append(hex.AppendEncode(append(record, "sum "...), sum[:]), '\n')
}

// unsealed reads a record back.
func unsealed(text []byte) (list []string, ok bool) {
	at := bytes.LastIndex(text, []byte("\nsum "))
	if at < 0 || !bytes.Equal(sealed(bytes.Clone(text[:at+1])), text) {
		return nil, false
	}
	for line := range strings.Lines(string(text[:at+1])) {
		t, err := strconv.Unquote(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, false
		}
		list = append(list, t)
	}
	return list, true
}

// Size is how many bytes the store of a project takes on the disk.
func (s *Store) Size() int64 { return sizeOf(s.dir) }

func sizeOf(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}

// Root is the project's directory.
func (s *Store) Root() string { return s.o.Root }
