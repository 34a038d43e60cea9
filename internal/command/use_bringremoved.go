package command

import (
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A working tree is removed with all that git ignores in it. What a build makes there is made again, and what was copied from the
// project is still there; anything else is lost.

// removed looks at the working trees that are removed.
func (b *bringing) removed(words []Word) {
	for _, w := range words {
		if !w.IsKnown() {
			continue // which asks by itself
		}
		for _, dir := range b.treesCalled(w) {
			there := bringing{r: b.r, world: b.world}
			if !there.open(dir) || there.root != dir {
				continue
			}
			if there.leaves("", b.root) {
				b.r.controlOnce("git.discard", w.Span)
			}
			if there.common != there.data && there.letsGo() {
				b.r.controlOnce("git.prune", w.Span)
			}
		}
	}
}

// pruned looks at the working trees that are not there, or that the script has deleted: git forgets what was checked out in them.
func (b *bringing) pruned() {
	for _, name := range b.names(b.common + "/worktrees") {
		data := b.common + "/worktrees/" + name
		at, ok := b.line(data + "/gitdir")
		at = absolute(data, at)
		gone := !ok || !b.world.Exists(at) || slices.ContainsFunc(b.r.inv.Deleted, func(path string) bool { return paths.Within(at, path) })
		if !gone || b.world.Exists(data+"/locked") {
			continue
		}
		there := bringing{r: b.r, world: b.world, repository: &repository{data: data, common: b.common}}
		there.store = gitstore.Open(gitstore.Files{ReadAt: b.world.ReadAt, List: there.names}, data, b.common)
		if there.letsGo() {
			b.r.controlOnce("git.prune", b.r.inv.Span)
		}
	}
}

// removedModules looks at the submodules that are removed. Git refuses what it would miss, but not what is ignored there.
func (b *bringing) removedModules(words []Word) {
	entries, err := b.store.Index()
	if err != nil || !slices.ContainsFunc(entries, func(e gitstore.Entry) bool { return e.Module }) {
		return
	}
	specs := b.meant(words)
	for _, e := range entries {
		there := bringing{r: b.r, world: b.world}
		if dir := b.root + "/" + e.Name; e.Module && specs.name(e.Name) && there.open(dir) && there.root == dir && there.leaves("", b.root) {
			b.r.controlOnce("git.discard", b.r.inv.Span)
		}
	}
}

// treesCalled are the working trees that a word means: the one at that path, or those whose paths end with it.
func (b *bringing) treesCalled(w Word) (list []string) {
	e := b.r.path(tool.Delete, w)
	if e.Reach == tool.Exact && b.world.Exists(e.Target) {
		return []string{Follow(e.Target, b.world)}
	}
	for _, name := range b.names(b.common + "/worktrees") {
		at, _ := b.line(b.common + "/worktrees/" + name + "/gitdir")
		if dir := strings.TrimSuffix(at, "/.git"); strings.HasSuffix(dir, "/"+strings.TrimPrefix(w.Text, "./")) {
			list = append(list, dir)
		}
	}
	return list
}

// leaves says whether there is something in a directory that git does not have, no build makes, and that is not in the project
// as well.
func (b *bringing) leaves(dir, project string) bool {
	full := strings.TrimSuffix(b.root+"/"+dir, "/")
	list, whole := b.world.Entries(full)
	if b.walked++; !whole || b.walked > maxWalked {
		return true
	}
	for _, e := range list {
		name := strings.TrimPrefix(dir+"/"+e.Name, "/")
		within, known := b.inIndex()[name]
		switch {
		case name == ".git" || known && !within || b.world.Made != nil && b.world.Made(b.world.Project+"/"+name): // as it is called in the project
		case e.Dir && b.leaves(name, project), !e.Dir && !b.isCopy(name, project):
			return true
		}
	}
	return false
}

// isCopy says whether a file is in the project as well.
func (b *bringing) isCopy(name, project string) bool {
	if b.world.ReadFile == nil {
		return false
	}
	content, err := b.world.ReadFile(project + "/" + name)
	if err != nil && b.world.ReadSecret != nil {
		content, err = b.world.ReadSecret(project + "/" + name)
	}
	return err == nil && b.same(b.root+"/"+name, content, false)
}
