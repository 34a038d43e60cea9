package command

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
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
		return
	}
	if r.inv.Remote || !r.seesRepositories() {
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
	switch how {
	case "fetch", "pull", "refs", "follow", "hide":
		b.refs(how, before)
	case "index", "remove", "orphan", "sparse", "aside", "aside-all", "plumbing":
		b.files(how, before, paths, all)
	case "bisect-start", "bisect-bad", "bisect-good", "bisect-go", "bisect-reset":
		b.bisect(how, before)
	default:
		b.commits(how, before, paths, all)
	}
	r.inv.Links = append(r.inv.Links, b.links.LeadOut(r.world, b.root)...)
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
	switch how {
	case "switch":
		b.each("trees", before[:min(1, len(before))])
	case "trees", "pick", "revert":
		b.each(how, before)
	case "checkout":
		b.checkout(before, paths, all)
	case "restore":
		if source := b.r.valueOf("-s", "--source"); source != nil {
			b.switchTo(*source, all)
		} else {
			b.index(all)
		}
	case "merge":
		b.mergeAll(before)
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
	default:
		if len(before) > 0 {
			b.r.inv.Refs |= RefsRead | RefsMissing // it may be one by then
		}
		b.index(all)
	}
}

// mergeAll looks at the branches that are merged: those that are named, or the one that
// is followed.
func (b *bringing) mergeAll(revs []Word) {
	for _, rev := range revs {
		b.merge(rev)
	}
	if ref, _ := b.upstream(""); len(revs) == 0 && !b.r.goesOn() {
		b.r.inv.Refs |= RefsRead
		if ref != "" {
			b.merge(Known(ref, b.r.inv.Span))
		}
	}
}

// unstash looks at what was put aside, the last if none is named.
func (b *bringing) unstash(ontoBranch bool, list []Word) {
	rev := Known("stash", b.r.inv.Span)
	if ontoBranch && len(list) > 0 {
		list = list[1:] // the name of the branch
	}
	if len(list) > 0 {
		rev = list[0]
	}
	b.pick(rev)
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
		}
	case "orphan":
		b.remove(nil)
	case "sparse":
		b.sparse(before)
	case "aside", "aside-all":
		b.r.inv.Refs |= RefsAside
		b.aside(how == "aside-all")
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
	in    string // the directory git runs in, from the root
	said  bool
	links Links // that are put on the disk
}

// open finds the repository that a directory is in.
func (b *bringing) open(dir string) bool {
	if b.repository = b.r.lib.repository(b.world, dir); b.repository == nil {
		return false
	}
	b.in = strings.TrimPrefix(strings.TrimPrefix(dir, b.root), "/")
	return true
}

func absolute(dir, path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return dir + "/" + path
}

func (b *bringing) names(dir string) []string { return namesIn(b.world, dir) }

// namesIn lists what is in a directory.
func namesIn(w *tool.World, dir string) []string {
	entries, _ := w.Entries(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// line reads a file of one line.
func (b *bringing) line(path string) (string, bool) { return lineOf(b.world, path) }

func lineOf(w *tool.World, path string) (string, bool) {
	var room [4096]byte
	n, err := w.ReadAt(path, 0, room[:])
	if n == 0 || err != nil && err != io.EOF {
		return "", false
	}
	return strings.TrimSpace(string(room[:n])), true
}

// unread says that something could not be looked at. What git would not find
// either is no reason to ask.
func (b *bringing) unread(what string, err error) {
	if err != nil && !b.said && !errors.Is(err, gitstore.ErrNone) {
		b.said = true
		b.r.gap("what "+what+" brings cannot be read from the repository: "+err.Error(), b.r.inv.Span)
	}
}

func (b *bringing) isRevision(w Word) bool {
	if !w.IsKnown() {
		return true
	}
	if strings.ContainsAny(w.Text, "^~@") || w.Text == "-" {
		return true
	}
	_, err := b.store.Resolve(w.Text)
	return err == nil || !errors.Is(err, gitstore.ErrNone)
}

// resolve returns what a revision stands for.
func (b *bringing) resolve(w Word) (id gitstore.ID, ok bool) {
	b.r.inv.Refs |= RefsRead
	if !w.IsKnown() {
		if !b.said {
			b.said = true
			b.r.gap("which version of the files this checks out is known only at run time", w.Span)
		}
		return id, false
	}
	id, err := b.store.Resolve(b.spelled(w.Text))
	if errors.Is(err, gitstore.ErrNone) || w.Text == "FETCH_HEAD" {
		b.r.inv.Refs |= RefsMissing
	}
	b.unread(quote(w.Text), err)
	return id, err == nil
}

func (b *bringing) diff(from, to gitstore.ID, what string, root string, paths []Word) {
	specs := b.meant(paths)
	b.unread(what, b.once(bringKey{from: from, to: to, root: root, specs: specs.text()}, func(o *brought) {
		o.err = b.differences(from, to, func(c gitstore.Change) {
			if specs.name(c.Path) {
				b.see(o, root+"/"+c.Path, c)
			}
		})
	}))
}

// eachChange calls f for every file in which two commits differ; none is an empty one.
func (b *bringing) eachChange(from, to gitstore.ID, what string, f func(gitstore.Change)) {
	b.unread(what, b.differences(from, to, f))
}

// differences is the same. What differs is found out once, if it is not too much.
func (b *bringing) differences(from, to gitstore.ID, f func(gitstore.Change)) error {
	key := [2]gitstore.ID{from, to}
	if list, known := b.differing[key]; known {
		for _, c := range list {
			f(c)
		}
		return nil
	}
	var list []gitstore.Change
	err := b.eachDifference(from, to, func(c gitstore.Change) {
		f(c)
		list = append(list, c)
	})
	if b.held += len(list) + 1; err == nil && b.held < maxDiffering {
		if b.differing == nil {
			b.differing = map[[2]gitstore.ID][]gitstore.Change{}
		}
		b.differing[key] = list
	}
	return err
}

func (b *bringing) eachDifference(from, to gitstore.ID, f func(gitstore.Change)) error {
	var trees [2]gitstore.ID
	for i, id := range [...]gitstore.ID{from, to} {
		if id == (gitstore.ID{}) {
			continue
		}
		tree, err := b.store.Tree(id)
		if err != nil {
			return err
		}
		trees[i] = tree
	}
	return b.store.Diff(trees[0], trees[1], f)
}

// alters is what becomes of a file that matters, if it would be another than is on the disk.
func (b *bringing) alters(full string, c gitstore.Change) (does string) {
	if !b.world.Protected(full) {
		return ""
	}
	there := b.world.Exists(full)
	if c.Gone {
		if there {
			return "take away"
		}
		return ""
	}
	// A clone may leave contents where they were until they are needed.
	if content, err := b.store.Blob(c.ID); err == nil && there && b.same(full, content, c.Link) {
		return ""
	}
	return "put another"
}

// link notes a link that is put on the disk, if it is another than is there.
func (b *bringing) link(o *brought, full string, id gitstore.ID) {
	if o.links.Full() {
		o.err = gitstore.ErrTooMuch
		return
	}
	content, err := b.store.Blob(id)
	if err != nil || b.same(full, content, true) {
		return
	}
	o.links.Add(full, string(content))
}

func (b *bringing) object(full, does string) {
	b.said = true
	name := strings.TrimPrefix(full, b.root+"/")
	b.r.gap("it would "+does+" "+quote(name)+", which configures an agent or longline", b.r.inv.Span)
}

// same says whether a file holds just that content.
func (b *bringing) same(full string, content []byte, link bool) bool {
	if link || b.world.Readlink == nil {
		to, err := b.world.Readlink(full)
		return err == nil && to == string(content)
	}
	if _, err := b.world.Readlink(full); err == nil {
		return false
	}
	room := make([]byte, len(content)+1)
	n := 0
	for n < len(room) {
		got, err := b.world.ReadAt(full, int64(n), room[n:])
		if n += got; got == 0 || err != nil {
			break
		}
	}
	return n == len(content) && bytes.Equal(room[:n], content)
}

func (b *bringing) head() gitstore.ID {
	id, err := b.store.Resolve("HEAD")
	if err != nil {
		return gitstore.ID{} // nothing is committed yet
	}
	return id
}

// below are pathspecs as seen from the root of the working tree.
func (b *bringing) below(words []Word) []string {
	var list []string
	for _, w := range words {
		path, _, plain := b.pathspec(w)
		if !plain {
			return []string{"."} // it may be all
		}
		list = append(list, path)
	}
	return list
}

// pathspec is what a pathspec begins and ends with, as seen from the root of the
// working tree, and whether it is a path without wildcards.
func (b *bringing) pathspec(w Word) (begin, end string, plain bool) {
	if !w.IsKnown() || strings.HasPrefix(w.Text, ":") || strings.Contains(w.Text, "..") || strings.HasPrefix(w.Text, "/") {
		return "", "", false // it may be all
	}
	path := strings.TrimPrefix(w.Text, "./")
	if b.in != "" {
		path = b.in + "/" + path
	}
	if fixed := paths.Fixed(path); fixed != path {
		return fixed, paths.Ending(path), false
	}
	return strings.TrimSuffix(path, "/."), "", true
}

// switchTo looks at what a switch to a revision puts on the disk. A branch and a tag
// may have one name: some commands take the one, some the other.
func (b *bringing) switchTo(w Word, paths []Word) {
	id, ok := b.resolve(w)
	if ok {
		b.diff(b.head(), id, quote(w.Text), b.root, paths)
	}
	if branch, found := b.branch(w); found && branch != id {
		b.diff(b.head(), branch, quote(w.Text), b.root, paths)
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

// ends are the commits that a range is written between, with two dots or three.
func (b *bringing) ends(from, to string, span tool.Span) (a, z gitstore.ID, ok bool) {
	a, okA := b.resolve(Known(strings.TrimSuffix(from, "."), span))
	z, okZ := b.resolve(Known(strings.TrimPrefix(to, "."), span))
	return a, z, okA && okZ
}

// revert looks at what taking a commit back changes, or a row of them.
func (b *bringing) revert(w Word) {
	if from, to, ok := strings.Cut(w.Text, ".."); ok && w.IsKnown() {
		if a, z, ok := b.ends(from, to, w.Span); ok {
			b.diff(z, a, quote(w.Text), b.root, nil)
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

// index looks at what the index holds.
func (b *bringing) index(paths []Word) {
	b.eachIndexed("index", paths, func(e gitstore.Entry) gitstore.Change {
		return gitstore.Change{Path: e.Name, ID: e.ID, Link: e.Link}
	})
}

// remove looks at the files that matter and would go from the disk with others.
func (b *bringing) remove(paths []Word) {
	b.eachIndexed("remove", paths, func(e gitstore.Entry) gitstore.Change { return gitstore.Change{Path: e.Name, Gone: true} })
}

// eachIndexed looks at what becomes of the files that the index holds.
func (b *bringing) eachIndexed(how string, paths []Word, becomes func(gitstore.Entry) gitstore.Change) {
	entries, err := b.store.Index()
	if err != nil {
		return // there is none
	}
	specs := b.meant(paths)
	b.unread("it", b.once(bringKey{how: how, specs: specs.text()}, func(o *brought) {
		for _, e := range entries {
			if specs.name(e.Name) {
				b.see(o, b.root+"/"+e.Name, becomes(e))
			}
		}
	}))
}

// sparse looks at the files that matter and would go from the disk, because they are
// not in the part of the repository that is named.
func (b *bringing) sparse(words []Word) {
	entries, err := b.store.Index()
	if err != nil {
		return
	}
	part, cone := b.below(words), !b.r.flagGiven("--no-cone", false)
	for _, e := range entries {
		stays := cone && inCone(e.Name, part)
		if full := b.root + "/" + e.Name; !stays && !b.said && b.world.Protected(full) && b.world.Exists(full) {
			b.object(full, "take away")
		}
	}
}

// inCone says whether a file stays if only a part of the repository does: files of the root
// and of the directories above that part stay as well.
func inCone(name string, part []string) bool {
	dir := name[:strings.LastIndexByte(name, '/')+1]
	return dir == "" || gitstore.Under(name, part) || len(part) > 0 && strings.HasPrefix(part[0], dir)
}

// aside looks at the files that matter and are not as they were committed, or not
// committed at all: those are put aside with the rest.
func (b *bringing) aside(untracked bool) {
	how := "aside"
	if untracked {
		how = "aside-all"
	}
	_ = b.once(bringKey{how: how}, func(o *brought) { b.putAllAside(o, untracked) })
}

func (b *bringing) putAllAside(o *brought, untracked bool) {
	entries, err := b.store.Index()
	if err != nil {
		entries = nil
	}
	tracked := map[string]gitstore.Entry{}
	for _, e := range entries {
		tracked[e.Name] = e
	}
	for _, name := range b.names(b.root) {
		b.putAside(o, name, tracked, untracked)
		if strings.HasPrefix(name, ".") && name != ".git" {
			for _, inner := range b.names(b.root + "/" + name) {
				b.putAside(o, name+"/"+inner, tracked, untracked)
			}
		}
	}
}

// putAside looks at one file.
func (b *bringing) putAside(o *brought, name string, tracked map[string]gitstore.Entry, untracked bool) {
	full := b.root + "/" + name
	if o.does != "" || !b.world.Protected(full) {
		return
	}
	e, ok := tracked[name]
	if !ok && (!untracked || strings.HasSuffix(name, ".local.json")) {
		return // what is somebody's own is ignored by git, by the way that agents set it up
	}
	if ok {
		if content, err := b.store.Blob(e.ID); err == nil && b.same(full, content, e.Link) {
			return
		}
	}
	o.full, o.does = full, "take away or change"
}
