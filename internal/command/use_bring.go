package command

import (
	"cmp"
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/tool"
)

// bringPrefix begins the target of an effect that puts another state of a repository
// on the disk; what follows says where that state is found.
const bringPrefix = "@tree:"

// bring looks at what git would put on the disk. Files that configure agents or
// longline are the only ones that matter, and only if they would be others than
// are there: most repositories carry the same ones on every branch. Branches of
// remotes are looked at as they were fetched last; what a pull would fetch is not
// here to be looked at.
func (r *reader) bring(how string) {
	if how == "init" { // the repository is made where a flag says
		for _, dir := range r.scope.repos {
			r.repositoryAt(tool.Write, dir)
		}
		if !slices.ContainsFunc(r.given, func(g flagUse) bool { return g.flag == nil || !hasWord("-q --quiet -b --initial-branch -C", g.name) }) {
			r.inv.Refs |= RefsBegun
		}
		return
	}
	if r.inv.Remote || !r.seesRepositories() {
		return
	}
	if how == "remote" {
		addsRemote(r)
		return
	}
	dir := r.workingTree()
	if dir.Reach != tool.Exact {
		return // which asks by itself
	}
	b := bringing{r: r, world: r.world}
	if !b.open(dir.Text) {
		return // git will not find a repository either
	}
	before, paths := r.aroundDashes()
	all := append(before[:len(before):len(before)], paths...)
	for _, head := range b.headsOf(how) {
		b.at, b.on = head.To, head.Kept
		b.look(how, before, paths, all)
	}
	if hasWord("switch restore checkout", how) && slices.ContainsFunc(r.inv.Effects, Discards) || r.flagGiven("--abort", true) {
		r.inv.Intact = b.intact(how, before, paths, all)
	}
	r.inv.Links = append(r.inv.Links, b.links.LeadOut(r.world, b.root)...)
	r.inv.Versions = b.scripts
}

// headsOf are where a command may begin: at what is checked out or, where it goes on from there, at what the script switches to
// as well.
func (b *bringing) headsOf(how string) []Release {
	if mergesInto(how) || how == "pull" {
		return b.heads()
	}
	return []Release{{}}
}

// mergesInto says whether a command merges changes into the files.
func mergesInto(how string) bool { return hasWord("pick revert merge rebase stash stash-branch", how) }

// look looks at what one command does.
func (b *bringing) look(how string, before, paths, all []Word) {
	if b.resets = hasWord("merge pull remove aside aside-all", how); b.resets {
		b.r.inv.Refs |= RefsAside
	}
	switch how {
	case "fetch", "pull", "refs", "follow", "hide":
		b.refs(how, before)
	case "patches":
		b.patched(all)
	case "removed":
		b.removed(all)
	case "dropped":
		b.r.inv.Intact = b.merged(all)
	case "pruned":
		b.pruned()
	case "modules":
		b.modules(all, 0)
	case "index", "remove", "orphan", "sparse", "sparse-again", "sparse-more", "aside", "aside-all", "plumbing", "untrack", "unstage":
		b.files(how, before, paths, all)
	case "bisect-start", "bisect-bad", "bisect-good", "bisect-go", "bisect-reset":
		b.bisect(how, before)
	default:
		b.commits(how, before, paths, all)
	}
}

// workingTree is the directory that git works in: the last that a flag names, if one does.
func (r *reader) workingTree() Word {
	if n := len(r.scope.repos); n > 0 {
		return r.scope.repos[n-1]
	}
	return r.dir
}

// seesRepositories says whether the files of repositories can be looked at.
func (s *surroundings) seesRepositories() bool {
	w := s.world
	return w != nil && w.Protected != nil && w.ReadAt != nil && w.Entries != nil && w.Exists != nil
}

// aroundDashes are the operands before and after "--".
func (l *commandLine) aroundDashes() (before, after []Word) {
	if l.dashed >= 0 && l.dashed <= len(l.oper) {
		return l.oper[:l.dashed], l.oper[l.dashed:]
	}
	return l.oper, nil
}

// commits looks at what comes from a commit.
func (b *bringing) commits(how string, before, paths, all []Word) {
	b.merges = mergesInto(how)
	b.spares = how == "worktree" || !b.merges && b.r.flagGiven("--no-overwrite-ignore", true)
	switch how {
	case "switch":
		b.each(how, before[:min(1, len(before))])
	case "trees", "pick", "revert":
		b.each(how, before)
		if how != "trees" && b.r.goesOn() {
			b.goOn()
		}
	case "checkout":
		b.checkout(before, paths, all)
	case "restore":
		if source := b.r.valueOf("-s", "--source"); source != nil {
			b.switchTo(*source, all)
		} else {
			b.index(all)
		}
	case "merge", "rebase":
		b.mergeAll(before, how == "rebase")
	case "stash", "stash-branch":
		b.unstash(how == "stash-branch", before)
	case "worktree":
		b.worktree(before)
	default:
		b.r.gap("what "+quote(how)+" brings is not known", b.r.inv.Span)
	}
}

// each looks at what each of some revisions brings.
func (b *bringing) each(how string, revs []Word) {
	for _, rev := range revs {
		switch how {
		case "pick":
			b.pick(rev)
		case "revert":
			b.revert(rev)
		default:
			b.switchTo(rev, nil)
			if how == "switch" {
				b.switched(rev)
			}
		}
	}
}

// checkout looks at what comes from a commit, if the first word is one, and else from
// the index.
func (b *bringing) checkout(before, paths, all []Word) {
	switch {
	case len(before) == 0 && b.r.dashed < 0:
	case len(before) > 0 && b.isRevision(before[0]):
		b.switchTo(before[0], append(before[1:len(before):len(before)], paths...))
		if len(before)+len(paths) == 1 {
			b.switched(before[0])
		}
	default:
		if len(before) > 0 {
			b.r.inv.Refs |= RefsRead | RefsMissing // it may be one by then
		}
		b.index(all)
	}
}

// mergeAll looks at the branches that are merged: those that are named, or the one that
// is followed. A rebase checks out what it goes on from.
func (b *bringing) mergeAll(revs []Word, rebases bool) {
	if rebases && len(revs) == 0 {
		b.replaces(b.head(), "it", nil)
	}
	if len(revs) == 0 {
		if b.r.goesOn() {
			b.goOn()
			return
		}
		b.r.inv.Refs |= RefsRead
		if ref, _ := b.upstream(""); ref != "" {
			revs = []Word{Known(ref, b.r.inv.Span)}
		}
	}
	for _, rev := range revs {
		b.merge(rev)
		if id, err := b.store.Resolve(b.spelled(rev.Text)); rebases && err == nil {
			b.replaces(id, quote(rev.Text), nil)
		}
	}
	if rebases {
		b.rebase(revs)
	}
}

// rebase looks at the commits that are made anew: one's own, or those of the branch that is named as well.
func (b *bringing) rebase(revs []Word) {
	tip := b.head()
	if len(revs) > 1 {
		id, ok := b.resolve(revs[1])
		if !ok {
			return
		}
		tip = id
	}
	if len(revs) > 0 {
		if id, ok := b.resolve(revs[0]); ok {
			b.onto(id, tip, quote(revs[0].Text), false)
		}
	}
}

// unstash looks at what was put aside, the last if none is named. On a branch of its own it is put where it was taken from.
func (b *bringing) unstash(ontoBranch bool, list []Word) {
	rev := Known("stash", b.r.inv.Span)
	if ontoBranch && len(list) > 0 {
		list = list[1:] // the name of the branch
	}
	if len(list) > 0 {
		rev = list[0]
	}
	b.pick(rev)
	if id, err := b.store.Resolve(b.spelled(rev.Text)); ontoBranch && err == nil {
		if parents, err := b.store.Parents(id); err == nil && len(parents) > 0 {
			b.merges = false
			b.diff(b.head(), parents[0], quote(rev.Text), b.root, nil)
		}
	}
}

// refs looks at what changes names.
func (b *bringing) refs(how string, words []Word) {
	switch how {
	case "fetch":
		b.fetch(words)
	case "pull":
		b.pull(words)
	case "refs":
		b.r.inv.Refs |= RefsMade
	case "hide":
		b.r.inv.Refs |= RefsHidden
	default:
		b.r.inv.Refs |= RefsMoved
	}
}

// files looks at what comes from the index, or goes from the disk.
func (b *bringing) files(how string, before, paths, all []Word) {
	switch how {
	case "index":
		b.index(paths)
	case "remove":
		if len(all) > 0 {
			b.remove(all)
			b.removedModules(all)
		}
	case "orphan":
		b.remove(nil)
	case "sparse", "sparse-again", "sparse-more":
		b.sparse(how, before)
	case "untrack", "unstage":
		b.release(how, before, paths, all)
	case "aside", "aside-all":
		b.aside(how == "aside-all")
		b.hidesAny()
	default:
		b.r.gap("it puts unreviewed files into the index or the working tree", b.r.inv.Span)
	}
}

// goesOn says whether a merge or rebase is only taken up again or given up.
func (l *commandLine) goesOn() bool {
	return l.anyGiven(false, "--abort", "--continue", "--quit", "--skip", "--edit-todo", "--show-current-patch")
}

// valueOf is the value of a flag that was given by one of some names, or nil.
func (l *commandLine) valueOf(names ...string) *Word {
	for i := range l.given {
		for _, name := range names {
			if g := &l.given[i]; g.name == name && len(g.values) > 0 {
				return &g.values[0]
			}
		}
	}
	return nil
}

// bringing is one look at a repository.
type bringing struct {
	*repository
	r     *reader
	world *tool.World
	in    string      // the directory git runs in, from the root
	at    gitstore.ID // what is checked out, if a switch comes before
	on    string      // its branch then
	said  bool
	// merges says that changes are merged into the files, and not put there with all others of a commit: one of a file that is
	// not here leaves the file for somebody to decide.
	merges bool
	// spares says that what is on the disk here is not overwritten: the files go elsewhere, or git is told to refuse.
	spares bool
	// resets says that files which git takes for unchanged are set back or deleted without a look at them.
	resets bool
	links  Links // that are put on the disk
	// scripts are those for a shell that are put there in another version.
	scripts []string
}

// how tells what is merged, and what spares the files here, from what is put there.
func (b *bringing) how() string {
	switch {
	case b.merges:
		return "merged"
	case b.spares:
		return "spared"
	}
	return ""
}

// switchTo looks at what a switch to a revision puts on the disk. A branch and a tag
// may have one name: some commands take the one, some the other.
func (b *bringing) switchTo(w Word, paths []Word) {
	id, ok := b.resolve(w)
	if ok {
		b.diff(b.head(), id, quote(w.Text), b.root, paths)
		b.replaces(id, quote(w.Text), b.meant(paths))
	}
	if branch, found := b.branch(w); found && branch != id {
		b.diff(b.head(), branch, quote(w.Text), b.root, paths)
		b.replaces(branch, quote(w.Text), b.meant(paths))
	}
}

// branch returns the branch that a switch would go to.
func (b *bringing) branch(w Word) (id gitstore.ID, ok bool) {
	if !w.IsKnown() {
		return id, false
	}
	id, err := b.store.Branch(b.spelled(w.Text))
	b.unread(quote(w.Text), err)
	return id, err == nil
}

// merge looks at what a branch has changed since it parted.
func (b *bringing) merge(w Word) {
	if w.IsKnown() && w.Text == "FETCH_HEAD" {
		for _, id := range b.fetched() {
			b.merge(Known(id, w.Span))
		}
	}
	id, ok := b.resolve(w)
	if !ok {
		return
	}
	base, err := b.store.Base(b.head(), id)
	if err != nil {
		base = b.head()
	}
	b.diff(base, id, quote(w.Text), b.root, nil)
}

// pick looks at what one commit has changed, or a row of them.
func (b *bringing) pick(w Word) {
	if from, to, ok := strings.Cut(w.Text, ".."); ok && w.IsKnown() {
		if a, z, ok := b.ends(from, to, w.Span); ok {
			b.diff(a, z, quote(w.Text), b.root, nil)
			b.row(a, z, quote(w.Text), strings.HasPrefix(to, "."), false)
		}
		return
	}
	id, ok := b.resolve(w)
	if !ok {
		return
	}
	parents, err := b.store.Parents(id)
	if err != nil {
		b.unread(quote(w.Text), err)
		return
	}
	var parent gitstore.ID
	if len(parents) > 0 {
		parent = parents[0]
	}
	b.diff(parent, id, quote(w.Text), b.root, nil)
	if len(parents) == 3 { // a stash with files that were not tracked
		b.diff(gitstore.ID{}, parents[2], quote(w.Text), b.root, nil)
	}
}

// ends are the commits that a range is written between, with two dots or three. What is left out is where one is.
func (b *bringing) ends(from, to string, span tool.Span) (a, z gitstore.ID, ok bool) {
	a, okA := b.resolve(Known(cmp.Or(from, "HEAD"), span))
	z, okZ := b.resolve(Known(cmp.Or(strings.TrimPrefix(to, "."), "HEAD"), span))
	return a, z, okA && okZ
}

// revert looks at what taking a commit back changes, or a row of them.
func (b *bringing) revert(w Word) {
	if from, to, ok := strings.Cut(w.Text, ".."); ok && w.IsKnown() {
		if a, z, ok := b.ends(from, to, w.Span); ok {
			b.diff(z, a, quote(w.Text), b.root, nil)
			b.row(a, z, quote(w.Text), strings.HasPrefix(to, "."), true)
		}
		return
	}
	id, ok := b.resolve(w)
	if !ok {
		return
	}
	parents, err := b.store.Parents(id)
	b.unread(quote(w.Text), err)
	if len(parents) == 0 {
		parents = []gitstore.ID{{}}
	}
	for _, parent := range parents {
		b.diff(id, parent, quote(w.Text), b.root, nil)
	}
}

// worktree looks at a new working tree: by what it has that the project has not,
// and by where it is put.
func (b *bringing) worktree(words []Word) {
	rev := Known("HEAD", b.r.inv.Span)
	if len(words) > 1 {
		rev = words[1]
	}
	id, ok := b.resolve(rev)
	if branch, found := b.branch(rev); found {
		id, ok = branch, true
	}
	if !ok || len(words) == 0 {
		return
	}
	b.switchTo(rev, nil)
	at := b.r.path(tool.Create, words[0])
	if at.Reach != tool.Exact {
		return
	}
	tree, err := b.store.Tree(id)
	b.unread(quote(rev.Text), err)
	names, err := b.store.Names(tree)
	b.unread(quote(rev.Text), err)
	for _, name := range names {
		if full := at.Target + "/" + name; !b.said && strings.HasPrefix(at.Target[strings.LastIndexByte(at.Target, '/')+1:], ".") && b.world.Protected(full) {
			b.object(full, "make")
		}
	}
}
