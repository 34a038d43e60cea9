package command

import (
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A script may look at one repository in hundreds of commands. All of them are looked at before any has run,
// so the repository is read once.

// repositories are those that the commands of a script were found in, by the directories they run in.
type repositories struct {
	world *tool.World // of one reading of a script, as [tool.World.Remembering] makes it
	found map[string]*repository
	added map[string][]string // the packages that are new in manifests
}

// repository is one with what was found out about it.
type repository struct {
	root         string // of the working tree
	data, common string // where the repository keeps what belongs to this working tree, and the rest
	store        *gitstore.Store
	settings     []byte
	brought      map[bringKey]brought
	differing    map[[2]gitstore.ID][]gitstore.Change // what differs between two commits
	held         int                                  // how many of those there are
	tracked      map[string]bool                      // the files in the index, and true for the directories that they are in
	hidden       map[string]bool                      // the files that have changed and that git takes for unchanged
	others       map[string]bool                      // the revisions that may be anybody's, and false for those that were looked at
	walked       int                                  // directories that were looked through for what is not tracked
}

// bringKey is what of a repository is put on the disk: what lies between two commits, or all in another place.
type bringKey struct {
	from, to         gitstore.ID
	root, how, specs string
}

// brought is what that would change of what matters.
type brought struct {
	err        error
	full, does string
	links      Links
	scripts    []string
}

// maxRepositories bounds the directories that are remembered, maxRemembered what is remembered of each, maxDiffering
// the files that differ between commits, and maxWalked the directories that are looked through.
const (
	maxRepositories = 64
	maxRemembered   = 1 << 12
	maxDiffering    = 1 << 15
	maxWalked       = 1 << 13
)

// repository finds the repository that a directory is in, or nil.
func (l *Library) repository(w *tool.World, dir string) *repository {
	if !w.Still() {
		return findRepository(w, dir)
	}
	known := &l.repositories
	if known.world != w || len(known.found) >= maxRepositories {
		*known = repositories{world: w, found: map[string]*repository{}}
	}
	repo, seen := known.found[dir]
	if !seen {
		repo = findRepository(w, dir)
		known.found[dir] = repo
	} else if repo != nil {
		repo.store.Again()
	}
	return repo
}

func findRepository(w *tool.World, dir string) *repository {
	for root := dir; ; root = root[:strings.LastIndexByte(root, '/')] {
		if w.Exists(root + "/.git") {
			return openRepository(w, root)
		}
		if strings.LastIndexByte(root, '/') <= 0 {
			return nil
		}
	}
}

// openRepository opens the repository of a working tree.
func openRepository(w *tool.World, root string) *repository {
	repo := &repository{root: root, data: root + "/.git", common: root + "/.git"}
	common := ""
	if link, ok := lineOf(w, repo.data); ok {
		to, ok := strings.CutPrefix(link, "gitdir:")
		if !ok {
			return nil
		}
		repo.data = absolute(root, strings.TrimSpace(to))
		repo.common = repo.data
		if at, ok := lineOf(w, repo.data+"/commondir"); ok {
			common = absolute(repo.data, at)
			repo.common = common
		}
	}
	repo.store = gitstore.Open(gitstore.Files{ReadAt: w.ReadAt, List: func(dir string) []string { return namesIn(w, dir) }}, repo.data, common)
	return repo
}

// once objects to what is brought, if it would change what matters, which is looked at the first time.
func (b *bringing) once(key bringKey, look func(o *brought)) error {
	o, known := b.brought[key]
	if !known {
		look(&o)
		if b.brought == nil {
			b.brought = map[bringKey]brought{}
		}
		if len(b.brought) < maxRemembered {
			b.brought[key] = o
		}
	}
	b.links = append(b.links, o.links...)
	b.scripts = append(b.scripts, o.scripts...)
	if o.does != "" && !b.said {
		b.object(o.full, o.does)
	}
	return o.err
}

// maxScripts bounds the scripts that are named.
const maxScripts = 256

// script notes a script for a shell that is put on the disk. If there are many, it may be any in the working tree.
func (o *brought) script(root string, c gitstore.Change) {
	switch {
	case c.Gone || !ShellEnding(c.Path) || len(o.scripts) > maxScripts:
	case len(o.scripts) < maxScripts:
		o.scripts = append(o.scripts, root+"/"+c.Path)
	default:
		o.scripts = append(o.scripts, paths.Escape(root)+"/*sh", paths.Escape(root)+"/*.command")
	}
}

// see looks at a file.
func (b *bringing) see(o *brought, full string, c gitstore.Change) {
	if c.Link && !c.Gone {
		b.link(o, full, c.ID)
	}
	if o.does == "" {
		o.full, o.does = full, b.alters(full, c)
	}
	if o.does == "" && b.resets && b.hides(c.Path) {
		o.full, o.does = full, overwrite
	}
	if o.does == "" && !c.Gone && !b.spares && (c.New || b.merges || b.isReleased(full, c.Path)) && !b.world.Protected(full) {
		if lost := b.overwritten(c); lost != "" {
			o.full, o.does = lost, overwrite
		}
	}
}

// meant are the words by which a command says which files it means, as seen from the root of the working
// tree; none means all.
type meant []meantPath

// meantPath is a path, or what the paths begin and end with that are meant.
type meantPath struct {
	begin, end string
	plain      bool
}

func (b *bringing) meant(words []Word) meant {
	var list meant
	for _, w := range words {
		begin, end, plain := b.pathspec(w)
		if plain {
			begin = strings.TrimSuffix(strings.TrimPrefix(begin, "./"), "/")
		}
		list = append(list, meantPath{begin, end, plain})
	}
	return list
}

// text tells them from others.
func (l meant) text() string {
	var text strings.Builder
	for _, s := range l {
		text.WriteString(s.begin + "\x00" + s.end + "\x00")
		if s.plain {
			text.WriteString("=")
		}
	}
	return text.String()
}

// name says whether a path from the root of the working tree may be among those that are meant.
func (l meant) name(path string) bool {
	for _, s := range l {
		switch {
		case s.plain && (s.begin == "" || s.begin == "." || paths.Within(path, s.begin)):
			return true
		case !s.plain && strings.HasPrefix(path, s.begin) && (strings.HasSuffix(path, s.end) || strings.Contains(path, s.end+"/")):
			return true
		}
	}
	return len(l) == 0
}
