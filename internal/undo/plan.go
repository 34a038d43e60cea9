package undo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"longline/internal/paths"
)

// Do is what a step does.
type Do byte

// What steps do, in the order in which it is done.
const (
	KeepAside Do = iota // what is there gets another name
	Remove              // a file or a link
	RemoveDir           // if it is empty
	MakeDir
	Put // a file or a link
	SetMode
)

// Step is one thing that restoring does.
type Step struct {
	Do   Do
	Root string
	Path string // absolute
	To   Entry  // what is there then
	Kept string // the other name
	Git  bool
}

// Remaining is something that is not brought back, and why.
type Remaining struct {
	Path, Why string
	Commands  []string // that bring back what a repository pointed at
}

// Plan is what it takes to undo a call.
type Plan struct {
	Call      Call
	Steps     []Step
	Remaining []Remaining
	Note      string
	Undone    int // the number under which restoring can be undone, when it was done

	shut []Step
}

// Plan says what Restore would do.
func (s *Store) Plan(c Call, only ...string) (p *Plan, err error) {
	err = s.locked(func() error {
		now, err := s.take(Meta{Moment: Look}, 0)
		if err == nil {
			p, err = s.plan(c, now, only)
		}
		return err
	})
	return p, err
}

// Restore undoes a call, or what it did to some paths. It takes a snapshot before and after.
func (s *Store) Restore(c Call, only ...string) (p *Plan, err error) {
	err = s.locked(func() error {
		s.openRoot()
		now, err := s.take(Meta{Moment: Look}, 0)
		if err != nil {
			return err
		}
		if p, err = s.plan(c, now, only); err != nil || len(p.Steps) == 0 {
			return err
		}
		m := Meta{Moment: Undo, Command: "longline undo " + strconv.Itoa(c.ID()), Use: "undo " + s.o.Now().String()}
		for _, path := range only {
			m.Command += " " + strconv.Quote(path)
		}
		if now, err = s.take(m, 0); err != nil {
			return err
		}
		undone, opened := now.Number, p.Steps[:0:0]
		for range maxDepth {
			if len(p.shut) == 0 {
				break
			}
			s.apply(p)
			opened = append(opened, p.Steps...)
			if len(p.Remaining) > 0 {
				break
			}
			if now, err = s.take(Meta{Moment: Look}, 0); err != nil {
				return err
			}
			if p, err = s.plan(c, now, only); err != nil {
				return err
			}
		}
		if len(p.shut) == 0 {
			s.apply(p)
		}
		p.Steps, p.Undone = append(opened, p.Steps...), undone
		m.Moment = Undone
		_, err = s.take(m, 0)
		return err
	})
	return p, err
}

// openRoot makes the project's directory readable; its permissions come back with the rest.
func (s *Store) openRoot() {
	d, err := openDir(s.o.Root)
	if err == nil {
		d.close()
	} else if errors.Is(err, fs.ErrPermission) {
		_ = os.Chmod(s.o.Root, 0o700)
	}
}

// planner compares what was before a call, after it, and is now.
type planner struct {
	s     *Store
	p     *Plan
	root  string
	units []*unit
	only  []string
	shut  []Step // what has to be opened before one can look at it
}

// unit is what a repository keeps of its own: all of it is brought back, or nothing.
type unit struct {
	path           string
	before, now    Entry
	steps, objects []Step
	changed        string // since the call
}

// spot is where the planner is.
type spot struct {
	unit    *unit
	objects bool // contents that git finds by their sums: they are only ever added
	plain   bool // a repository that the call made
}

func (s *Store) plan(c Call, now *Snapshot, only []string) (*Plan, error) {
	after := c.After
	if after == nil {
		after = now
	}
	for i := range only {
		only[i] = real(s.alias, s.o.Root, only[i])
	}
	p := planner{s: s, p: &Plan{Call: c, Note: now.Note}, only: only}
	for _, roots := range pairs(c.Before, after, now) {
		p.root = roots[0].Name
		if roots[0].Kind == None {
			continue // what is outside and was not looked at
		}
		if roots[0].Mode == 0 { // it was not there, or nobody knows
			roots[0].Mode = roots[1].Mode
		}
		if err := p.below(p.root, roots[0], roots[1], roots[2], spot{}); err != nil {
			return nil, err
		}
	}
	if p.p.shut = p.shut; len(p.shut) > 0 { // what else there is to do shows when they are open
		p.p.Steps = p.shut
		return p.p, nil
	}
	for _, u := range p.units {
		if err := p.whole(u); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(p.p.Steps, func(a, b Step) int {
		if a.Do != b.Do {
			return cmp.Compare(a.Do, b.Do)
		}
		if a.Do == RemoveDir || a.Do == SetMode { // what is below first
			return cmp.Compare(b.Path, a.Path)
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return p.p, nil
}

// below brings back the permissions of a directory that was one before and is one now, and compares what is in it.
func (p *planner) below(path string, b, a, n Entry, at spot) error {
	const use = 0o500 // without which its owner cannot look at it
	if b.Mode&use == use && n.Kind == Dir && n.Mode&use != use && os.Geteuid() != 0 {
		p.open(path, b, at)
		return nil
	}
	if n.Kind == Dir && b.Mode != a.Mode && n.Mode != b.Mode {
		p.add(SetMode, path, b, at)
	}
	return p.dir(path, b, a, n, at)
}

// open makes something readable that is not.
func (p *planner) open(path string, b Entry, at spot) {
	if p.wanted(path, true) {
		p.shut = append(p.shut, Step{Do: SetMode, Root: p.root, Path: path, To: b, Git: at.unit != nil})
	}
}

// dir compares a directory.
func (p *planner) dir(path string, before, after, now Entry, at spot) error {
	err := p.names(path, before, after, now, at)
	if errors.Is(err, ErrDamaged) {
		p.remains(path, err.Error(), at)
		err = p.s.forget() // the next snapshot reads everything again
	}
	return err
}

func (p *planner) names(path string, before, after, now Entry, at spot) error {
	return p.s.together([]Entry{before, after, now}, func(name string, list []Entry, git bool) error {
		sub := at
		if git && !at.plain && (at.unit == nil || at.unit.path != path) && !at.objects {
			if sub = (spot{unit: p.unitAt(path, before, now)}); before.Kind == None && after.Sum == now.Sum {
				sub = spot{plain: true}
			}
			at = sub
		}
		if sub.unit != nil && sub.unit.path == path && name == "objects" {
			sub.objects = true
		}
		return p.entry(path+"/"+name, list[0], list[1], list[2], sub)
	})
}

func (p *planner) unitAt(path string, before, now Entry) *unit {
	u := &unit{path: path, before: before, now: now}
	p.units = append(p.units, u)
	return u
}

// wanted says whether a path is among those that are asked for, or on the way to one.
func (p *planner) wanted(path string, onTheWay bool) bool {
	return len(p.only) == 0 || slices.ContainsFunc(p.only, func(o string) bool { return paths.Within(path, o) || onTheWay && paths.Within(o, path) })
}

// add adds a step.
func (p *planner) add(do Do, path string, to Entry, at spot) {
	step := Step{Do: do, Root: p.root, Path: path, To: to, Git: at.unit != nil}
	switch {
	case at.objects:
		at.unit.objects = append(at.unit.objects, step)
	case at.unit != nil:
		at.unit.steps = append(at.unit.steps, step)
	case p.wanted(path, do == MakeDir):
		if do == KeepAside {
			step.Kept = fmt.Sprintf("%s.kept-%d", path, p.p.Call.ID())
		}
		p.p.Steps = append(p.p.Steps, step)
	}
}

// remains notes what is not brought back.
func (p *planner) remains(path, why string, at spot) {
	switch {
	case at.unit != nil:
		at.unit.changed = path
	case p.wanted(path, false):
		p.p.Remaining = append(p.p.Remaining, Remaining{Path: path, Why: why})
	}
}

// aside gives what is at a path now another name, so that something else can be put there.
func (p *planner) aside(path string, at spot) {
	if at.unit != nil {
		at.unit.changed = path
	}
	p.add(KeepAside, path, Entry{}, at)
}

const sinceThen = "it was changed since, and was not there before the call"

// entry compares one name.
func (p *planner) entry(path string, b, a, n Entry, at spot) error {
	switch {
	case at.objects && !strings.HasSuffix(path, "alternates"):
		return p.object(path, b, n, at)
	case at.unit != nil && (strings.HasSuffix(path, ".lock") || b.isSpecial() || a.isSpecial() || n.isSpecial()):
		return nil
	case !b.same(a) && n.isShut() && (b.Kind == File || b.Kind == Dir):
		p.open(path, b, at)
		return nil
	}
	at.objects = false
	if a.isShut() && b.Kind != Left { // what it held is not known: what it holds, now that it is open
		a = n
	}
	if at.unit != nil && path == at.unit.path+"/index" {
		a, n = p.indexes(b, a, n)
	}
	switch {
	case b.same(a):
		return p.untouched(path, b, a, n, at)
	case b.isLeftOut() || b.Kind == None && a.isLeftOut():
		p.leftOut(path, b, a, n, at)
		return nil
	case b.Kind == Dir:
		return p.wasDir(path, b, a, n, at)
	case a.Kind == Dir && n.Kind == Dir:
		return p.becameDir(path, b, a, n, at)
	}
	p.leaf(path, b, a, n, at)
	return nil
}

// leftOut says what there is to say of what was not covered, before the call or after it.
func (p *planner) leftOut(path string, b, a, n Entry, at spot) {
	switch {
	case b.Kind == Left || b.Kind == Cache && a.Kind == None:
		p.remains(path, b.Why(), at)
	case b.Kind == Cache:
	case a.isSpecial() && n.same(a): // it holds nothing
		p.add(Remove, path, n, at)
	default:
		p.remains(path, "it was not there before the call, and is not covered: "+a.Why(), at)
	}
}

// untouched looks whether what the call left alone in a repository was changed since.
func (p *planner) untouched(path string, b, a, n Entry, at spot) error {
	switch {
	case at.unit == nil || a.same(n) || aloof(strings.TrimPrefix(path, at.unit.path+"/")):
		return nil
	case b.Kind == Dir && n.Kind == Dir:
		return p.dir(path, b, a, n, at)
	}
	p.remains(path, "", at)
	return nil
}

// aloof says whether something of a repository's may change without a meaning for the rest.
func aloof(name string) bool {
	return slices.ContainsFunc([]string{"FETCH_HEAD", "COMMIT_EDITMSG", "gc.log", "gc.pid", "config", "description", "hooks", "info", "refs/remotes", "logs/refs/remotes"},
		func(n string) bool { return paths.Within(name, n) })
}

// wasDir brings back a directory and goes on below.
func (p *planner) wasDir(path string, b, a, n Entry, at spot) error {
	if n.Kind == Dir {
		return p.below(path, b, a, n, at)
	}
	if n.isLeftOut() || n.Kind != None && !n.same(a) {
		p.aside(path, at)
	} else if n.Kind != None {
		p.add(Remove, path, n, at)
	}
	p.add(MakeDir, path, b, at)
	return p.dir(path, b, a, Entry{}, at)
}

// becameDir removes a directory that the call made, as far as nothing else came into it.
func (p *planner) becameDir(path string, b, a, n Entry, at spot) error {
	if b.Kind != None && !n.same(a) {
		p.aside(path, at)
		p.add(Put, path, b, at)
		return nil
	}
	err := p.dir(path, Entry{}, a, n, at)
	p.add(RemoveDir, path, Entry{}, at)
	if b.Kind != None {
		p.add(Put, path, b, at)
	}
	return err
}

// leaf brings back a file or a link, or removes one.
func (p *planner) leaf(path string, b, a, n Entry, at spot) {
	switch {
	case n.same(b):
	case n.Kind == None && b.Kind != None:
		p.add(Put, path, b, at)
	case n.Kind == None:
	case !n.same(a):
		if b.Kind == None {
			p.remains(path, sinceThen, at)
			return
		}
		p.aside(path, at)
		p.add(Put, path, b, at)
	case b.Kind == None:
		p.add(Remove, path, n, at)
	case n.Kind == b.Kind && n.Sum == b.Sum:
		p.add(SetMode, path, b, at)
	case n.isLeftOut():
		p.aside(path, at)
		p.add(Put, path, b, at)
	default:
		p.add(Put, path, b, at)
	}
}

// object adds what git's store lacks. What is there stays; only a damaged content is written anew.
func (p *planner) object(path string, b, n Entry, at spot) error {
	switch {
	case b.same(n):
	case b.Kind == Left && n.Kind == None:
		p.p.Remaining = append(p.p.Remaining, Remaining{Path: path, Why: b.Why()})
	case b.Kind == Dir:
		if n.Kind == None {
			p.add(MakeDir, path, b, at)
		}
		if n.Kind == None || n.Kind == Dir {
			return p.dir(path, b, Entry{}, n, at)
		}
	case (b.Kind == File || b.Kind == Link) && (n.Kind == None || n.Kind == File && n.Sum != b.Sum && namedBySum(filepath.Base(path))):
		p.add(Put, path, b, at)
	}
	return nil
}

// namedBySum says whether a file of git's store is named by what it holds.
func namedBySum(name string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(name, ".idx"), ".pack"), "pack-"), "/")
	return len(name) >= 38 && strings.Trim(name, "0123456789abcdef") == ""
}

// indexes takes an index of git for one before it that holds the same.
func (p *planner) indexes(b, a, n Entry) (after, now Entry) {
	if p.sameIndex(a, n) {
		n = a
	}
	if p.sameIndex(b, a) {
		a = b
	}
	if p.sameIndex(b, n) {
		n = b
	}
	return a, n
}

// sameIndex says whether two indexes of git differ in no more than when it last looked at the files.
func (p *planner) sameIndex(a, b Entry) bool {
	if a.Kind != File || b.Kind != File {
		return false
	}
	was, err := p.s.content(a.Sum)
	is, err2 := p.s.content(b.Sum)
	return err == nil && err2 == nil && sameGitIndex(was, is)
}

// whole adds the steps of a repository's own files: all of them, or none if git is at work there or was since.
func (p *planner) whole(u *unit) error {
	if len(u.steps) == 0 && len(u.objects) == 0 || !p.wanted(u.path, false) {
		if len(u.steps) > 0 && p.wanted(u.path, true) {
			p.p.Remaining = append(p.p.Remaining, Remaining{Path: u.path, Why: "a repository's own files are brought back together: name " + strconv.Quote(filepath.Base(u.path))})
		}
		return nil
	}
	p.p.Steps = append(p.p.Steps, u.objects...)
	if len(u.steps) == 0 {
		return nil
	}
	why := ""
	if u.changed != "" {
		why = "the repository was changed since (" + strings.TrimPrefix(u.changed, u.path+"/") + ")"
	}
	for _, name := range []string{"index.lock", "HEAD.lock", "config.lock", "packed-refs.lock"} {
		if _, err := os.Lstat(filepath.Join(u.path, name)); err == nil {
			why = name + " is there: git is at work, or was stopped; if none runs, remove it and undo again"
		}
	}
	if why == "" {
		p.p.Steps = append(p.p.Steps, u.steps...)
		return nil
	}
	commands, err := p.tips(u)
	p.p.Remaining = append(p.p.Remaining, Remaining{u.path, why, commands})
	return err
}

// tips are commands that bring back what branches, tags and stashes of a repository pointed at.
func (p *planner) tips(u *unit) (commands []string, err error) {
	before, err := p.refs(u.before)
	if err != nil {
		return nil, err
	}
	now, err := p.refs(u.now)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range before {
			if !yield(name) {
				return
			}
		}
	}) {
		sum := before[name]
		switch {
		case now[name] == sum:
		case strings.HasPrefix(name, "stash "):
			commands = append(commands, "git stash store "+sum)
		default:
			short := strings.TrimPrefix(strings.TrimPrefix(name, "refs/"), "heads/")
			commands = append(commands, fmt.Sprintf("git branch undo-%d/%s %s", p.p.Call.ID(), short, sum))
		}
	}
	return commands, nil
}

// refs are what the names of a repository pointed at.
func (p *planner) refs(git Entry) (map[string]string, error) {
	list := map[string]string{}
	note := func(name string, sum []byte) {
		if text := string(bytes.TrimSpace(sum)); len(text) >= 40 && strings.Trim(text, "0123456789abcdef") == "" {
			list[name] = text
		}
	}
	var loose func(prefix string, d Entry) error
	loose = func(prefix string, d Entry) error {
		return p.s.together([]Entry{d}, func(name string, e []Entry, _ bool) error {
			if e[0].Kind == File {
				text, err := p.s.content(e[0].Sum)
				note(prefix+name, text)
				return err
			}
			return loose(prefix+name+"/", e[0])
		})
	}
	return list, p.s.together([]Entry{git}, func(name string, e []Entry, _ bool) error {
		if name == "refs" {
			return loose("refs/", e[0])
		}
		if e[0].Kind != File || name != "HEAD" && name != "packed-refs" {
			if name == "logs" {
				return p.stashes(e[0], note)
			}
			return nil
		}
		text, err := p.s.content(e[0].Sum)
		if name == "HEAD" {
			note(name, text)
			return err
		}
		for line := range bytes.Lines(text) {
			if sum, ref, ok := bytes.Cut(bytes.TrimSpace(line), []byte(" ")); ok && list[string(ref)] == "" {
				note(string(ref), sum)
			}
		}
		return err
	})
}

// stashes notes what the log of stashes names.
func (p *planner) stashes(logs Entry, note func(string, []byte)) error {
	return p.s.together([]Entry{logs}, func(name string, e []Entry, _ bool) error {
		if name == "refs" {
			return p.stashes(e[0], note)
		}
		if name != "stash" || e[0].Kind != File {
			return nil
		}
		text, err := p.s.content(e[0].Sum)
		for line := range bytes.Lines(text) {
			if words := bytes.Fields(line); len(words) > 1 {
				note("stash "+string(words[1]), words[1])
			}
		}
		return err
	})
}
