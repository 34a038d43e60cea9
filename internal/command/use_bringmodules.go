package command

import "longline/internal/tool"

// modules looks at what an update of submodules puts on the disk: in each the commit that the index has of it, if that is here.
func (b *bringing) modules(words []Word, depth int) {
	entries, _ := b.store.Index()
	specs := b.meant(words)
	for _, e := range entries {
		if !e.Module || !specs.name(e.Name) || b.said {
			continue
		}
		if depth > maxNested {
			b.said = true
			b.r.gap(tooNested, b.r.inv.Span)
			return
		}
		there := bringing{r: b.r, world: b.world}
		if !there.open(b.root+"/"+e.Name) || there.root != b.root+"/"+e.Name {
			continue // it is not there yet
		}
		there.unread(quote(e.Name), there.once(bringKey{to: e.ID, how: "module"}, func(o *brought) { there.covers(o, there.head(), e.ID, false) }))
		if b.said = there.said; b.r.flagGiven("--recursive", false) {
			there.modules(nil, depth+1)
		}
	}
}

// maxModules bounds the submodules that a command is looked at in, maxNested how many of them lie around one.
const maxModules, maxNested = 32, 3

const tooNested = "it runs in submodules that are nested deeper than longline looks"

// inModules adds a command that runs in each submodule. It is false if there is none, or nobody knows.
func inModules(r *reader, n Nested) bool {
	dir := r.workingTree()
	if r.inv.Remote || !r.seesRepositories() || dir.Reach != tool.Exact {
		return false
	}
	list := moduleDirs(r, dir.Text, 0)
	if len(list) > maxModules {
		r.gap("it runs in more submodules than are looked at", r.inv.Span)
		list = list[:maxModules]
	}
	for _, at := range list {
		w := Known(at, r.inv.Span)
		n.Dir = &w
		r.inv.Runs = append(r.inv.Runs, n)
	}
	return len(list) > 0
}

// moduleDirs are the directories of the submodules, and of those in them, of the repository that a directory is in.
func moduleDirs(r *reader, dir string, depth int) (list []string) {
	b := bringing{r: r, world: r.world}
	if !b.open(dir) {
		return nil
	}
	entries, _ := b.store.Index()
	for _, e := range entries {
		if at := b.root + "/" + e.Name; e.Module && r.world.Exists(at+"/.git") {
			if depth > maxNested {
				r.gap(tooNested, r.inv.Span)
				return nil
			}
			list = append(append(list, at), moduleDirs(r, at, depth+1)...)
		}
	}
	return list
}
