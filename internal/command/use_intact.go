package command

import (
	"strings"

	"longline/internal/gitstore"
	"longline/internal/tool"
)

// A command that puts files back to what git has of them loses nothing if they are like that already. One that ends a merge or the like loses
// nothing if they are as that has made them.

// intact says whether nothing is lost of the files that a command puts back: they are surely as the index has them or not there and, where the
// index changes as well, as they are committed.
func (b *bringing) intact(how string, before, paths, all []Word) bool {
	if b.world.Unchanged == nil || b.elsewhere() || hasFlagsBut(b.r.given, "-q --quiet -C -W --worktree -S --staged -s --source --hard --abort") {
		return false
	}
	var rev *Word
	switch how {
	case "merge", "pick", "revert", "rebase":
		return b.r.flagGiven("--abort", true) && len(all) == 0 && b.world.Unchanged(b.root, meant{}.name, tool.AsMerged, nil)
	case "switch":
		at := len(all) == 0 || len(all) == 1 && all[0].Reach == tool.Exact && hasWord("HEAD @", all[0].Text)
		return at && len(paths) == 0 && b.r.flagGiven("--hard", true) && !b.isBusy() && b.world.Unchanged(b.root, meant{}.name, tool.AsCommitted, nil)
	case "restore":
		rev = b.r.valueOf("-s", "--source")
	case "checkout":
		if len(before) > 0 && b.isRevision(before[0]) {
			rev, all = &before[0], append(before[1:len(before):len(before)], paths...)
		}
	}
	specs, ok := b.plainly(all)
	if !ok {
		return false
	}
	more, ok := b.added(rev, specs)
	as := tool.AsIndexed
	if rev != nil || b.r.anyGiven(false, "-S", "--staged") {
		as = tool.AsCommitted
	}
	return ok && b.world.Unchanged(b.root, specs.name, as, more)
}

// elsewhere says whether git may take another directory for the working tree, or another index, than is looked at.
func (b *bringing) elsewhere() bool {
	other := len(b.r.scope.repos) > 1 || b.world.Follow(b.r.workingTree().Text) != b.r.workingTree().Text || b.r.scope.stores > 0
	for i := range b.r.inv.Env {
		other = other || strings.HasPrefix(b.r.inv.Env[i].Name, "GIT_")
	}
	for _, name := range [...]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"} {
		if b.world.Getenv != nil {
			_, set := b.world.Getenv(name)
			other = other || set
		}
	}
	b.config(func(section, _, name, _ string) { other = other || section == "core" && name == "worktree" })
	return other || b.world.Exists(b.data+"/config.worktree")
}

// isBusy says whether a merge or the like is under way, which a reset ends.
func (b *bringing) isBusy() bool {
	return b.world.Exists(b.data+"/MERGE_HEAD") || b.world.Exists(b.data+"/CHERRY_PICK_HEAD") || b.world.Exists(b.data+"/REVERT_HEAD")
}

// plainly is what words say which files are meant, all if that takes more than a look at their beginnings. There have to be some.
func (b *bringing) plainly(words []Word) (list meant, ok bool) {
	all := false
	list = b.meant(words)
	for i, s := range list {
		w := &words[i]
		if w.Reach != tool.Exact || w.Glob {
			return nil, false
		}
		odd := strings.Contains(w.Text, "//") || strings.Contains(w.Text, "/.") || strings.IndexFunc(w.Text, func(c rune) bool { return c > 126 || c == '\\' }) >= 0
		all = all || odd || !s.plain
	}
	if all {
		list = nil
	}
	return list, len(words) > 0
}

// added is the files that a revision has and what is checked out has not.
func (b *bringing) added(rev *Word, specs meant) (names []string, ok bool) {
	if rev == nil {
		return nil, true
	}
	id, err := b.store.Resolve(b.spelled(rev.Text))
	if err != nil || rev.Reach != tool.Exact || b.head() == (gitstore.ID{}) {
		return nil, false
	}
	if branch, err := b.store.Branch(b.spelled(rev.Text)); err == nil && branch != id {
		return nil, false
	}
	err = b.differences(b.head(), id, func(c gitstore.Change) {
		if c.New && specs.name(c.Path) {
			names = append(names, c.Path)
		}
	})
	return names, err == nil
}

// merged says whether the branch that is checked out, which stays, has all commits of some branches.
func (b *bringing) merged(names []Word) bool {
	head, err := b.store.Resolve("HEAD")
	if _, detached := b.store.Detached(); err != nil || detached || b.elsewhere() || hasFlagsBut(b.r.given, "-D -q --quiet -C") {
		return false
	}
	var tips []gitstore.ID
	for i := range names {
		if names[i].Reach != tool.Exact || names[i].Text == "-" || strings.Contains(names[i].Text, "@") {
			return false
		}
		id, err := b.store.Resolve("refs/heads/" + names[i].Text)
		if err != nil {
			return false
		}
		tips = append(tips, id)
	}
	only, _, err := b.store.Apart(tips, []gitstore.ID{head})
	return err == nil && len(only) == 0 && len(tips) > 0
}

// Discards says whether an effect is that work or a branch is lost which git does not have elsewhere.
func Discards(e tool.Effect) bool {
	return e.Kind == tool.Control && (e.Target == "git.discard" || e.Target == "git.delete-branch")
}
