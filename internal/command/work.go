package command

import (
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/tool"
)

// A directory that is called like the output of a build may be a repository, or the working tree of one: a branch with pages, a
// package that somebody works on. Who deletes it deletes what was not committed there, and with a repository what was not published.

// maxWork bounds the directories that are looked at.
const maxWork = 2000

// HasWork says whether a directory is a working tree with something in it that is nowhere else. Where there is more than is looked at, it may be.
func (l *Library) HasWork(w *tool.World, dir string) bool {
	if w == nil || w.Exists == nil || w.ReadAt == nil || w.Entries == nil || w.ReadFile == nil || w.Unchanged == nil || !w.Exists(dir+"/.git") {
		return false
	}
	b := bringing{world: w, repository: openRepository(w, dir)}
	if b.repository == nil || !w.Exists(b.data+"/HEAD") {
		return false // git finds none there
	}
	return b.unpublished() || b.uncommitted() || b.strange("")
}

// unpublished says whether commits go with a working tree: those of a repository that no remote has, and of another working tree
// what no ref names. The repository of a submodule stays.
func (b *bringing) unpublished() bool {
	switch {
	case b.data == b.root+"/.git":
		own, err := b.store.Refs("refs/heads/")
		if id, ok := b.store.Detached(); ok {
			own = append(own, id)
		}
		aside, _ := b.store.Resolve("stash")
		return err != nil || aside != gitstore.ID{} || b.onlyIn(own, "refs/remotes/", "refs/tags/")
	case b.common != b.data:
		return b.letsGo()
	}
	return false
}

// letsGo says whether commits go with a working tree that is not the first one.
func (b *bringing) letsGo() bool {
	id, detached := b.store.Detached()
	return detached && b.onlyIn([]gitstore.ID{id}, "refs/")
}

// onlyIn says whether there are commits that refs with some beginnings do not lead to.
func (b *bringing) onlyIn(own []gitstore.ID, begin ...string) bool {
	if len(own) == 0 {
		return false
	}
	others, err := b.store.Refs(begin...)
	if err != nil || len(others) == 0 {
		return true
	}
	only, _, err := b.store.Apart(own, others)
	return err != nil || len(only) > 0
}

// uncommitted says whether a file of the index may be another one on the disk or in what is checked out. What is in a submodule is looked at
// by itself.
func (b *bringing) uncommitted() bool {
	entries, err := b.store.Index()
	if err != nil || len(entries) == 0 {
		return false // there is none
	}
	modules := map[string]bool{}
	for _, e := range entries {
		if e.Module {
			modules[e.Name] = true
		}
	}
	return !b.world.Unchanged(b.root, func(name string) bool { return !modules[name] }, tool.AsCommitted, nil)
}

// strange says whether there are files in a directory that git neither has nor ignores.
func (b *bringing) strange(dir string) bool {
	list, whole := b.world.Entries(strings.TrimSuffix(b.root+"/"+dir, "/"))
	if b.walked++; !whole || b.walked > maxWork {
		return true
	}
	return slices.ContainsFunc(list, func(e tool.Entry) bool {
		name := dir + e.Name
		within, known := b.inIndex()[name]
		switch {
		case name == ".git" || known && !within || !known && b.mayIgnore(b.world, b.root+"/"+name):
			return false
		case e.Dir:
			return b.strange(name + "/")
		}
		return true
	})
}
