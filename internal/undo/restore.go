package undo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// apply carries out a plan. What fails is noted and the rest is done all the same: undoing the same call again
// goes on where it stopped.
func (s *Store) apply(p *Plan) {
	a := applier{s: s, roots: map[string]*os.Root{}, modes: map[string]fs.FileMode{}, sure: map[string]bool{}}
	defer a.finish()
	var done []Step
	for _, step := range p.Steps {
		err := a.do(&step)
		switch {
		case err == nil:
			done = append(done, step)
		case step.Do == RemoveDir && !errors.Is(err, errDead):
			if entries, e := os.ReadDir(step.Path); e == nil && len(entries) > 0 {
				p.Remaining = append(p.Remaining, Remaining{Path: step.Path, Why: "other files are in it"})
			}
		default:
			p.Remaining = append(p.Remaining, Remaining{Path: step.Path, Why: err.Error()})
			if errors.Is(err, ErrDamaged) {
				_ = s.forget() // the next snapshot reads everything again
			}
		}
	}
	p.Steps = done
}

// errDead is what the tests make of a process that was killed.
var errDead = errors.New("killed")

// applier writes into the project, and nowhere else: every step goes through a descriptor of its root.
type applier struct {
	s     *Store
	roots map[string]*os.Root
	modes map[string]fs.FileMode // of directories that had to be opened for writing
	sure  map[string]bool        // directories that are no links
	count int
}

func (a *applier) finish() {
	for dir, mode := range a.modes {
		for root, r := range a.roots {
			if rel, ok := strings.CutPrefix(dir, root+"\x00"); ok {
				_ = r.Chmod(rel, mode)
			}
		}
	}
	for _, r := range a.roots {
		r.Close()
	}
}

// do does one step.
func (a *applier) do(step *Step) error {
	r, err := a.root(step.Root)
	if err != nil {
		return err
	}
	rel := cmp.Or(strings.TrimPrefix(strings.TrimPrefix(step.Path, step.Root), "/"), ".")
	if err := a.parents(r, step.Root, rel, step.Do == Put || step.Do == MakeDir); err != nil {
		return err
	}
	err = a.step(r, rel, step)
	if errors.Is(err, fs.ErrPermission) && a.open(r, step.Root, path.Dir(rel)) {
		err = a.step(r, rel, step)
	}
	return err
}

func (a *applier) root(dir string) (*os.Root, error) {
	if r := a.roots[dir]; r != nil {
		return r, nil
	}
	r, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = hit("mkdir"); err == nil {
			err = os.MkdirAll(dir, 0o755)
		}
		if err == nil {
			r, err = os.OpenRoot(dir)
		}
	}
	if err != nil {
		return nil, err
	}
	a.roots[dir] = r
	left, err := fs.Glob(r.FS(), tempName+"*") // by somebody who was killed
	for _, name := range left {
		err = errors.Join(err, r.Remove(name))
	}
	return r, err
}

// parents sees to it that a path is reached through directories only, and makes those that are missing.
func (a *applier) parents(r *os.Root, root, rel string, create bool) error {
	for i := range len(rel) {
		if rel[i] != '/' || a.sure[root+"\x00"+rel[:i]] {
			continue
		}
		info, err := r.Lstat(rel[:i])
		if errors.Is(err, fs.ErrNotExist) && create {
			if err = hit("mkdir"); err == nil {
				err = r.Mkdir(rel[:i], 0o755)
			}
		} else if err == nil && !info.IsDir() {
			err = fmt.Errorf("%s is no longer a directory", rel[:i])
		}
		if err != nil {
			return err
		}
		if create {
			a.sure[root+"\x00"+rel[:i]] = true
		}
	}
	return nil
}

// open makes a directory writable until all is done.
func (a *applier) open(r *os.Root, root, dir string) bool {
	info, err := r.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o300 == 0o300 {
		return false
	}
	if _, known := a.modes[root+"\x00"+dir]; !known {
		a.modes[root+"\x00"+dir] = info.Mode()
	}
	return r.Chmod(dir, info.Mode()|0o700) == nil
}

// modeOf is a mode as package os writes it.
func modeOf(mode uint16) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	for bit, is := range map[uint16]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if mode&bit != 0 {
			m |= is
		}
	}
	return m
}

func (a *applier) step(r *os.Root, rel string, step *Step) error {
	root := step.Root + "\x00"
	switch step.Do {
	case KeepAside:
		kept := strings.TrimPrefix(strings.TrimPrefix(step.Kept, step.Root), "/")
		for n := 2; ; n++ {
			if _, err := r.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
				break
			}
			kept = fmt.Sprintf("%s.kept-%d-%d", rel, step.keptBy(), n)
		}
		step.Kept = filepath.Join(step.Root, kept)
		if err := hit("rename"); err != nil {
			return err
		}
		return r.Rename(rel, kept)
	case Remove, RemoveDir:
		info, err := r.Lstat(rel)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || info.IsDir() != (step.Do == RemoveDir) {
			return errors.Join(err, errors.New("it was changed meanwhile"))
		}
		if err := hit("remove"); err != nil {
			return err
		}
		return r.Remove(rel)
	case MakeDir:
		if err := hit("mkdir"); err != nil {
			return err
		}
		err := r.Mkdir(rel, 0o700|modeOf(step.To.Mode).Perm())
		if errors.Is(err, fs.ErrExist) {
			err = nil
		}
		if err == nil {
			a.modes[root+rel] = modeOf(step.To.Mode)
		}
		return err
	case SetMode:
		if err := hit("chmod"); err != nil {
			return err
		}
		delete(a.modes, root+rel)
		if rel == "." { // which nothing can be looked up in while it is shut
			return os.Chmod(step.Root, modeOf(step.To.Mode))
		}
		if info, err := r.Lstat(rel); err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return errors.Join(err, errors.New("it was changed meanwhile"))
		}
		return r.Chmod(rel, modeOf(step.To.Mode))
	case Put:
		return a.put(r, rel, step.To)
	}
	return errors.New("an unknown step")
}

func (s *Step) keptBy() int {
	n, _ := strconv.Atoi(s.Kept[strings.LastIndexByte(s.Kept, '-')+1:])
	return n
}

// tempName begins the names of files that are being written at the top of a root. They are no part of a snapshot.
const tempName = ".longline-undo-"

// put writes a file or a link at the top and moves it to its place; where that is mounted, beside it.
func (a *applier) put(r *os.Root, rel string, e Entry) (err error) {
	a.count++
	temp := tempName + strconv.Itoa(a.count)
	if err = a.putBy(r, temp, rel, e); errors.Is(err, syscall.EXDEV) {
		err = a.putBy(r, path.Join(path.Dir(rel), temp), rel, e)
	}
	return err
}

func (a *applier) putBy(r *os.Root, temp, rel string, e Entry) (err error) {
	if err := hit("create"); err != nil {
		return err
	}
	defer func() {
		if err != nil && hit("remove") == nil {
			_ = r.Remove(temp)
		}
	}()
	if e.Kind == Link {
		to, err := a.s.content(e.Sum)
		if err == nil {
			err = r.Symlink(string(to), temp)
		}
		if err != nil {
			return err
		}
	} else if err := a.write(r, temp, e); err != nil {
		return err
	}
	if info, err := r.Lstat(rel); err == nil && info.IsDir() {
		return errors.New("a directory is in its place")
	}
	if err := hit("rename"); err != nil {
		return err
	}
	return r.Rename(temp, rel)
}

func (a *applier) write(r *os.Root, temp string, e Entry) error {
	f, err := r.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = a.s.copyTo(faulty{f}, e.Sum, e.Size)
	if err == nil {
		err = f.Chmod(modeOf(e.Mode))
	}
	return errors.Join(err, f.Close())
}
