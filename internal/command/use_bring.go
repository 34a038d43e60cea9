package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Branches of the remotes that a repository had before the session are its own. What comes from an address, a path, a pull request
// or a remote that the session has added may be anybody's: it is asked about where it comes in, and what is in a repository counts
// as known from then on.

// bringPrefix begins the target of an effect by which something comes into a repository; what follows says how.
const bringPrefix = "@tree:"

// bring looks at where it comes from.
func (r *reader) bring(how string) {
	switch {
	case how == "init": // the repository is made where a flag says
		for _, dir := range r.scope.repos {
			r.repositoryAt(tool.Write, dir)
		}
		r.inv.Clones = !slices.ContainsFunc(r.given, func(g flagUse) bool { return g.flag == nil || !hasWord("-q --quiet -b --initial-branch -C", g.name) })
	case r.inv.Remote:
	case how == "versions" || how == "aside" || how == "index":
		r.inv.Versions = true
		r.inv.Arrives = !(how != "aside" && bringsFiles(r, how == "index")) && isKept(r)
	case how == "remote":
		addsRemote(r)
	default:
		r.inv.Arrives = how == "pull" && isKept(r)
		remotes, refspecs := r.oper, []Word(nil)
		if how != "update" && len(remotes) > 1 && !r.anyGiven(false, "-m", "--multiple") {
			remotes, refspecs = r.oper[:1], r.oper[1:]
		}
		fetchesFrom(r, remotes, how == "update" && len(remotes) == 0 || r.anyGiven(false, "--all"))
		for _, w := range refspecs {
			if source, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "+"), ":"); !isBranch(source) {
				r.controlOnce("git.foreign", w.Span)
			}
		}
	}
}

// repositoryHere is the repository that a command works in, or nil.
func repositoryHere(r *reader) *repository {
	dir := r.workingTree()
	if !r.seesRepositories() || dir.Reach != tool.Exact {
		return nil
	}
	return r.lib.repository(r.world, dir.Text)
}

// maxRevisions bounds the revisions of a command that are looked at, maxListed the files of each, and maxCome the links that come with them.
const maxRevisions, maxListed, maxCome = 8, 1 << 14, 8

// bringsFiles looks at what the revisions have that a command puts on the disk, or merges: files that configure an agent or longline,
// unless they are like those that are there, and links that lead out of the project or to secrets. Staged says that it takes all
// of them from the index, from which the files come that are named without a revision. It says whether it surely puts such a file
// there; what it does not see, or what the call has moved before, a wall keeps out.
func bringsFiles(r *reader, staged bool) (surely bool) {
	repo := repositoryHere(r)
	if repo == nil {
		return false
	}
	words, behind := r.aroundDashes()
	b := bringing{r: r, repo: repo, all: staged, places: append(words[:len(words):len(words)], behind...)}
	b.staged = staged || len(b.places) > 0 // unless one of them is a revision
	for _, g := range r.given {
		if hasWord("-s --source --onto", g.name) {
			words = append(words[:len(words):len(words)], g.values...)
		}
	}
	if len(words) == 0 && !staged {
		words = []Word{Known(b.usual(), r.inv.Span)}
	}
	for _, w := range words[:min(len(words), maxRevisions)] {
		b.revision(w)
	}
	if list, _ := repo.store.Index(); b.staged {
		for _, e := range list[:min(len(list), maxListed)] {
			if b.all || b.named(e) {
				b.look(e, r.inv.Span)
			}
		}
	}
	return b.surely
}

// isKept says whether a command works in a repository of which a wall can keep the files that configure agents: where all of git can write.
func isKept(r *reader) bool {
	repo := repositoryHere(r)
	if repo == nil {
		return false
	}
	open := func(dir string) bool {
		return paths.Within(dir, r.world.Project) || r.world.Home != "" && paths.Within(dir, r.world.Home)
	}
	return open(repo.root) && open(clean(repo.common))
}

// bringing is what bringsFiles has found.
type bringing struct {
	r           *reader
	repo        *repository
	places      []Word
	all, staged bool
	come        int  // links
	said        bool // of a file
	surely      bool // of any
}

// usual is the revision that a command takes if none is named.
func (b *bringing) usual() string {
	for _, e := range b.r.inv.Effects {
		switch e.Target {
		case "git.stash":
			return "stash"
		case "git.merge":
			if len(b.r.given) == 0 { // else it may go on with what was begun
				return "@{upstream}"
			}
		}
	}
	return "HEAD"
}

// revision looks at the files of one, if a word is one.
func (b *bringing) revision(w Word) {
	name := w.Text[strings.LastIndex(w.Text, "..")+1:]
	id, err := b.repo.store.Resolve(strings.TrimPrefix(name, "."))
	if err == nil && w.IsKnown() {
		id, err = b.repo.store.Tree(id)
	}
	switch {
	case !w.IsKnown() || err != nil && (strings.Contains(name, "@{") || strings.Contains(name, "^{")): // others are paths, or nothing
		b.r.inv.Gaps = append(b.r.inv.Gaps, Gap{Why: "which files it puts there is known only at run time", Span: w.Span, Arrives: true})
	case err == nil:
		b.come, b.said, b.staged = 0, false, false
		_ = b.repo.store.Below(id, maxListed, func(e gitstore.Entry) { b.look(e, w.Span) })
	}
}

// named says whether a file of the index lies where a command is told to put files.
func (b *bringing) named(e gitstore.Entry) bool {
	return slices.ContainsFunc(b.places, func(w Word) bool {
		return !w.IsKnown() || w.Glob || paths.Within(b.repo.root+"/"+e.Name, at(b.r.inv.Dir.Text, w.Text))
	})
}

// look is at one file that comes.
func (b *bringing) look(e gitstore.Entry, span tool.Span) {
	full := b.repo.root + "/" + e.Name
	guarded := b.r.world.Protected(full)
	if (b.said || !guarded) && (!e.Link || b.come >= maxCome) {
		return
	}
	text, err := b.repo.store.Blob(e.ID)
	if to := Follow(at(path.Dir(full), string(text)), b.r.world); e.Link && err == nil && (!paths.Within(to, b.r.world.Project) || b.r.isSecret(tool.Effect{Kind: tool.Read, Target: to, Reach: tool.Exact})) {
		b.come++
		b.r.inv.Links = append(b.r.inv.Links, Link{From: full, To: to})
	}
	if !b.said && guarded && !isOnDisk(b.r.world, full, string(text)) {
		b.said, b.surely = true, true
		b.r.gap("it would put another "+quote(e.Name)+" there, which configures an agent or longline", span)
	}
}

// isOnDisk says whether a file holds just that text.
func isOnDisk(w *tool.World, file, text string) bool {
	room := make([]byte, len(text)+1)
	n, _ := w.ReadAt(file, 0, room)
	return string(room[:n]) == text && w.Exists(file)
}

// fetchesFrom asks about places that commits come from: those that are named, all remotes, or the one that the branch follows.
func fetchesFrom(r *reader, words []Word, all bool) {
	repo := repositoryHere(r) // nil if it is not on the disk, so that nobody knows its remotes
	added := addedRemotes(r, repo)
	for _, remote := range added {
		if all || len(words) == 0 && remote.Name == repo.follows(r.world) || slices.ContainsFunc(words, func(w Word) bool { return w.Text == remote.Name }) {
			r.controlOnce("git.foreign", r.inv.Span)
			r.inv.adds("pulled " + remote.Dir + " " + remote.Name)
		}
	}
	for _, w := range words {
		isAdded := slices.ContainsFunc(added, func(remote tool.Remote) bool { return w.Text == remote.Name })
		if !isAdded && (isAddress(w) || repo != nil && !repo.hasRemote(r.world, w)) {
			r.controlOnce("git.foreign", w.Span)
		}
	}
}

// isAddress says whether commits come from an address or a path, and not from a remote or this very repository.
func isAddress(w Word) bool {
	switch {
	case isExactly(w, "."):
		return false
	case w.Reach == tool.Anywhere:
		return !w.Plain
	}
	return w.Reach == tool.Under || strings.Contains(w.Text, ":") || beginsWith("/ . ~", w.Text)
}

// addsRemote notes that a remote is added, unless there is one of that name.
func addsRemote(r *reader) {
	dir := r.workingTree()
	if !r.seesRepositories() || dir.Reach != tool.Exact || len(r.oper) < 2 || !r.oper[0].IsKnown() || strings.Contains(r.oper[0].Text, " ") {
		return
	}
	name, there := r.oper[0].Text, false
	repo := r.lib.repository(r.world, dir.Text)
	if repo != nil {
		repo.config(r.world, func(section, part, key, value string) {
			there = there || section == "remote" && part == name && key == "url" && value != r.oper[1].Text && r.world.Exists(dir.Text)
		})
	}
	if there {
		return
	}
	r.inv.adds("remote " + dir.Text + " " + name)
	if found := r.lib.repositories.found; repo == nil && found != nil { // the script makes it
		repo = openRepository(r.world, dir.Text)
		found[dir.Text] = repo
	}
	if repo != nil {
		repo.remotes = append(repo.remotes, tool.Remote{Dir: dir.Text, Name: name})
	}
}

// addedRemotes are the remotes that the session has added to a repository, and a command earlier in the script.
func addedRemotes(r *reader, repo *repository) (list []tool.Remote) {
	if repo == nil {
		return nil
	}
	if r.world.Past != nil {
		for _, remote := range r.world.Past.Remotes {
			if other := r.lib.repository(r.world, remote.Dir); other != nil && other.root == repo.root && repo.hasRemote(r.world, Known(remote.Name, r.inv.Span)) {
				list = append(list, remote)
			}
		}
	}
	return append(list, repo.remotes...)
}

// hasRemote says whether a word is the name of a remote of the repository. Of one that the script makes nobody knows.
func (repo *repository) hasRemote(w *tool.World, name Word) (found bool) {
	repo.config(w, func(section, part, _, _ string) { found = found || section == "remote" && isExactly(name, part) })
	return found || isExactly(name, ".") || len(repo.settings) == 0
}

// follows is the remote that commits come from where none is named.
func (repo *repository) follows(w *tool.World) string {
	remote := "origin"
	head, _ := lineOf(w, repo.data+"/HEAD")
	repo.config(w, func(section, part, name, value string) {
		if section == "branch" && name == "remote" && head == "ref: refs/heads/"+part {
			remote = value
		}
	})
	return remote
}

// isBranch says whether the name of something that a remote has is that of a branch
// or a tag. Forges keep what others have sent them under names of its own, or under none.
func isBranch(name string) bool {
	if rest, ok := strings.CutPrefix(name, "refs/"); ok {
		return strings.HasPrefix(rest, "heads/") || strings.HasPrefix(rest, "tags/")
	}
	first, _, _ := strings.Cut(name, "/")
	return (!hasWord(forgeRefs, first) || first == name) && !(len(name) >= 40 && strings.Trim(name, "0123456789abcdefABCDEF") == "")
}

// forgeRefs are the names that forges keep those under.
const forgeRefs = "pull pulls pull-requests merge-requests changes"
