package command

import (
	"io"
	"strings"

	"longline/internal/gitstore"
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
	remotes      []tool.Remote // that the script has added
}

// maxRepositories bounds the directories that are remembered.
const maxRepositories = 64

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
		for _, other := range known.found {
			if repo != nil && other != nil && other.root == repo.root {
				repo = other
			}
		}
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

// config visits the settings of a repository.
func (repo *repository) config(w *tool.World, visit func(section, part, name, value string)) {
	if repo.settings == nil {
		text := make([]byte, maxGitConfig)
		n, _ := w.ReadAt(repo.common+"/config", 0, text)
		repo.settings = append([]byte{}, text[:n]...)
	}
	readGitConfig(string(repo.settings), visit)
}

func absolute(dir, path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return dir + "/" + path
}

// namesIn lists what is in a directory.
func namesIn(w *tool.World, dir string) []string {
	entries, _ := w.Entries(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// lineOf reads a file of one line.
func lineOf(w *tool.World, path string) (string, bool) {
	var room [4096]byte
	n, err := w.ReadAt(path, 0, room[:])
	if n == 0 || err != nil && err != io.EOF {
		return "", false
	}
	return strings.TrimSpace(string(room[:n])), true
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

// maxModules bounds the submodules that a command is looked at in, maxNested how many of them lie around one.
const maxModules, maxNested = 32, 3

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
	repo := r.lib.repository(r.world, dir)
	if repo == nil {
		return nil
	}
	entries, _ := repo.store.Index()
	for _, e := range entries {
		if at := repo.root + "/" + e.Name; e.Module && r.world.Exists(at+"/.git") {
			if depth > maxNested {
				r.gap("it runs in submodules that are nested deeper than longline looks", r.inv.Span)
				return nil
			}
			list = append(append(list, at), moduleDirs(r, at, depth+1)...)
		}
	}
	return list
}
