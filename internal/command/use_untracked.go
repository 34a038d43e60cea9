package command

import (
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A program that takes in what nobody has named takes in a file of secrets as well, unless git ignores it. Whether it
// does is looked at only if there is such a file; where that is not sure, it is taken to be ignored, as nearly all are.

// leftUnignored adds reads of those that nobody has told git to ignore, nor to keep, at every level of what is staged.
func leftUnignored(r *reader) {
	if r.world.Project == "" || !r.seesRepositories() {
		return
	}
	readsUnignored(r, takenTrees(r))
}

// putAside adds reads of those in the whole project, for a program that shows what the script has put aside, and of those that
// were put aside before.
func putAside(r *reader) {
	if r.world.Project == "" || !r.seesRepositories() {
		return
	}
	readsUnignored(r, []string{r.world.Project})
	name := "refs/stash"
	if len(r.oper) > 0 && r.dashed != 0 && r.oper[0].IsKnown() {
		name = r.oper[0].Text
	}
	repo := r.lib.repository(r.world, r.world.Project)
	if repo == nil {
		return
	}
	id, err := repo.store.Resolve(name + "^3") // what git was never told of
	if err != nil {
		return // there is none
	}
	tree, err := repo.store.Tree(id)
	if err != nil {
		return
	}
	found := 0
	_ = repo.store.Below(tree, maxListed, func(file gitstore.Entry) {
		e := tool.Effect{Kind: tool.Read, Target: repo.root + "/" + file.Name, Reach: tool.Exact, Manner: tool.Met, Span: r.inv.Span}
		if found < maxSpoken && r.isSecret(e) {
			found++
			r.effect(e)
		}
	})
}

// readsUnignored adds reads of them in directories and below.
func readsUnignored(r *reader, trees []string) {
	var repo *repository
	found := 0
	for _, tree := range trees {
		for _, file := range secretsBelow(&r.deeds, tree) {
			if repo == nil {
				if repo = r.lib.repository(r.world, r.world.Project); repo == nil || repo.root != r.world.Project {
					return
				}
			}
			if found == maxSpoken || repo.keeps(file) || repo.mayIgnore(r.world, file) || !isIn(r, repo, paths.Parent(file)) {
				continue
			}
			found++
			r.effect(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Manner: tool.Met, Span: r.inv.Span})
		}
	}
}

// worktree adds reads of the files of secrets in the project, for a program that keeps all that lies there where it can be shown later.
func (d *deeds) worktree() {
	list := secretsBelow(d, d.world.Project)
	for _, file := range list[:min(len(list), maxSpoken)] {
		d.effect(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Span: d.inv.Span})
	}
}

// maxSwept bounds the names that are looked at in a directory, and the files of secrets that are spoken of.
const maxSwept, maxSpoken = 2000, 3

// secretsBelow are the files of secrets in a directory and below, without links: of these git takes in where they lead to, and nothing there.
func secretsBelow(d *deeds, tree string) (found []string) {
	if d.world.Entries == nil || d.world.Secret == nil || d.inv.Remote {
		return nil
	}
	dirs := append([]string{tree}, directoriesOf(d, tool.Effect{Kind: tool.Read, Target: tree, Reach: tool.Exact}, true)...)
	if list, seen := d.lib.rooted.secret[tree]; seen {
		return list
	}
	for _, dir := range dirs {
		list, _ := d.world.Entries(strings.TrimSuffix(dir, "/") + "/")
		for _, entry := range list[:min(len(list), maxSwept)] {
			if file := at(dir, entry.Name); !entry.Link && d.isSecret(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact}) {
				found = append(found, file)
			}
		}
	}
	d.lib.rooted.secret[tree] = found
	return found
}

// isIn says whether a directory belongs to a repository, and not to another one in it, of which git takes in the commit alone.
func isIn(r *reader, repo *repository, dir string) bool {
	inner := r.lib.repository(r.world, dir)
	return inner != nil && inner.root == repo.root
}

// takenTrees are the directories of the project that a program stages with all that is in them.
func takenTrees(r *reader) (trees []string) {
	if !r.stages() || r.anyGiven(false, "-u", "--update", "-p", "--patch", "-i", "--interactive", "-e", "--edit", "-n", "--dry-run", "--refresh") {
		return nil
	}
	words, all := r.oper, len(r.oper) == 0 && r.anyGiven(false, "-A", "--all")
	for _, w := range words {
		e := r.path(tool.Read, w)
		switch {
		case !isCertain(e):
		case paths.Within(r.world.Project, e.Target):
			all = true
		case paths.Within(e.Target, r.world.Project) && r.isDirectory(w):
			trees = append(trees, e.Target)
		}
	}
	if all {
		return []string{r.world.Project}
	}
	return trees[:min(len(trees), maxMovedTrees)]
}

// stages says whether git takes files in.
func (d *deeds) stages() bool {
	return slices.ContainsFunc(d.inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == "git.stage" })
}
