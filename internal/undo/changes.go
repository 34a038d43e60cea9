package undo

import (
	"slices"
	"strings"
)

// Changes lists what two snapshots differ in, sorted by path.
func (s *Store) Changes(before, after *Snapshot) (list []Change, err error) {
	for _, pair := range pairs(before, after, after) {
		err := s.diff(pair[0], pair[1], Change{Root: pair[0].Name, Path: pair[0].Name}, func(c Change) { list = append(list, c) })
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// pairs are the roots of three snapshots, as entries whose names are their paths. The project is the first.
func pairs(before, after, now *Snapshot) (list [][3]Entry) {
	at := map[string]int{}
	for i, n := range []*Snapshot{before, after, now} {
		for _, r := range n.Roots {
			if _, ok := at[r.Path]; !ok {
				at[r.Path] = len(list)
				list = append(list, [3]Entry{{Name: r.Path}, {Name: r.Path}, {Name: r.Path}})
			}
			list[at[r.Path]][i] = Entry{Name: r.Path, Kind: Dir, Mode: r.Mode, Sum: r.Tree}
		}
	}
	return list
}

// diff goes through what two entries differ in, below them too.
func (s *Store) diff(before, after Entry, at Change, each func(Change)) error {
	return s.together([]Entry{before, after}, func(name string, list []Entry, git bool) error {
		c := at
		c.Path, c.Git, c.Before, c.After = at.Path+"/"+name, at.Git || git, list[0], list[1]
		if c.Before.same(c.After) {
			return nil
		}
		if c.Before.Kind != Dir || c.After.Kind != Dir || c.Before.Mode != c.After.Mode {
			each(c)
		}
		return s.diff(c.Before, c.After, c, each)
	})
}

// together goes through the names of several directories at once; what is no directory has none. It says whether
// one of them is git's own.
func (s *Store) together(dirs []Entry, each func(name string, list []Entry, git bool) error) error {
	trees := make([][]Entry, len(dirs))
	git := false
	for i, d := range dirs {
		if d.Kind != Dir {
			continue
		}
		var err error
		if trees[i], err = s.tree(d.Sum); err != nil {
			return err
		}
		git = git || isGit(trees[i])
	}
	for {
		name, any := "", false
		for _, t := range trees {
			if len(t) > 0 && (!any || t[0].Name < name) {
				name, any = t[0].Name, true
			}
		}
		if !any {
			return nil
		}
		list := make([]Entry, len(dirs))
		for i, t := range trees {
			if len(t) > 0 && t[0].Name == name {
				list[i], trees[i] = t[0], t[1:]
			}
		}
		if err := each(name, list, git); err != nil {
			return err
		}
	}
}

// isGit says whether a directory is one of git's: of a repository or of a linked work tree.
func isGit(tree []Entry) bool {
	has := func(name string, kind Kind) bool {
		i, ok := slices.BinarySearchFunc(tree, name, func(e Entry, name string) int { return strings.Compare(e.Name, name) })
		return ok && tree[i].Kind == kind
	}
	return (has("HEAD", File) || has("HEAD", Link)) && (has("objects", Dir) && has("refs", Dir) || has("commondir", File))
}

// Content is what a file held or where a link led, if it is not longer than a file that one reads.
func (s *Store) Content(e Entry) ([]byte, error) {
	if e.Kind != File && e.Kind != Link {
		return nil, nil
	}
	return s.content(e.Sum)
}
