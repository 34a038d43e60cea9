package config

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"longline/internal/gitstore"
	"longline/internal/tool"
)

// maxIndex bounds the index of a repository that is read.
const maxIndex = 16 << 20

// maxUnchanged bounds the files of a repository in which it is looked for changes, and maxReread those of them that are read.
const maxUnchanged, maxReread = 5000, 100

// emptyBlob is what git calls a file with nothing in it.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// unchanged says whether files of the repository in a directory are surely as its index has them, or not there. Where anything cannot be told,
// they may have changed.
func unchanged(root string, among func(name string) bool, as tool.As, more []string) bool {
	if root != "" {
		root = filepath.Clean(root)
	}
	git, common := gitDirs(root)
	made, err := os.Lstat(filepath.Join(git, "index"))
	if root == "" || err != nil || slices.ContainsFunc(namesIn(git), func(name string) bool { return strings.HasPrefix(name, "sharedindex.") }) {
		return false // or the index has a part elsewhere
	}
	t := checkout{root: root, made: made.ModTime(), real: map[string]bool{root: true}, have: map[string]gitstore.Entry{}, seen: map[string]bool{}}
	t.store = gitstore.Open(gitstore.Files{ReadAt: readAt, List: namesIn}, git, common)
	data, err := readFile(filepath.Join(git, "index"), maxIndex)
	if err == nil && as == tool.AsMerged {
		more, err = t.merged(git)
	} else if err == nil {
		err = t.committed("HEAD")
	}
	if err != nil {
		return false
	}
	same, count := true, 0
	err = gitstore.EachIndexed(data, func(e gitstore.Indexed) {
		count++
		if same = same && count <= maxUnchanged && !strings.HasSuffix(e.Name, "/") && (!among(e.Name) || t.is(e, as)); same {
			delete(t.have, e.Name)
			if as == tool.AsMerged {
				t.seen[e.Name] = e.Conflict
			}
		}
	})
	more = slices.DeleteFunc(more, func(name string) bool { _, is := t.seen[name]; return is })
	if as != tool.AsIndexed { // what is left is not in the index
		for name := range t.have {
			if among(name) {
				more = append(more, name)
			}
		}
	}
	return err == nil && same && !slices.ContainsFunc(more, func(name string) bool { return !t.lacks(name) })
}

// is says whether a file is as the index has it, and that as it is committed.
func (t *checkout) is(e gitstore.Indexed, as tool.As) bool {
	in, committed := t.have[e.Name], as != tool.AsIndexed
	if e.Conflict && as == tool.AsMerged && t.ends {
		return t.seen[e.Name] || t.lacks(e.Name) || !in.Link && t.holds(gitstore.Indexed{Entry: in})
	}
	return !e.Conflict && !e.Module && !(committed && (in.ID != e.ID || in.Runs != e.Runs || in.Link != e.Link)) && (t.lacks(e.Name) || t.holds(e))
}

// checkout is a working tree that is held against its index.
type checkout struct {
	root   string
	store  *gitstore.Store
	made   time.Time                 // when the index was
	real   map[string]bool           // whether a path is a directory, and not a link to one
	have   map[string]gitstore.Entry // the files that are checked out
	seen   map[string]bool           // the files of the index that came up, and whether they are in conflict
	ends   bool                      // what a merge has made is known
	reread int
}

// committed finds the files of a commit.
func (t *checkout) committed(revision string) error {
	head, err := t.store.Resolve(revision)
	if err == nil {
		err = t.store.Files(head, maxUnchanged, func(e gitstore.Entry) { t.have[e.Name] = e })
	}
	return err
}

// merged finds the files that a merge or the like has made, which may be those that are checked out, and names those that are there again if
// it is ended.
func (t *checkout) merged(git string) (names []string, err error) {
	for _, file := range [...]string{"rebase-merge/orig-head", "rebase-apply/orig-head", "sequencer/head"} {
		if id := note(filepath.Join(git, file)); id != "" && err == nil {
			err = t.committed(id)
		}
	}
	if err == nil {
		err = t.committed("HEAD")
	}
	for name := range t.have {
		names = append(names, name)
	}
	made := note(filepath.Join(git, "AUTO_MERGE"))
	if t.ends = made != ""; !t.ends || err != nil {
		t.have = map[string]gitstore.Entry{}
		return names, errors.Join(err, t.committed("HEAD"))
	}
	tree, err := t.store.Resolve(made)
	if t.have = map[string]gitstore.Entry{}; err == nil {
		err = t.store.Below(tree, maxUnchanged, func(e gitstore.Entry) { t.have[e.Name] = e })
	}
	return names, err
}

// isReal says whether a path and those above it are directories, as far as there is something.
func (t *checkout) isReal(dir string) bool {
	is, known := t.real[dir]
	if !known {
		info, err := os.Lstat(dir)
		is = dir != filepath.Dir(dir) && t.isReal(filepath.Dir(dir)) && (err == nil && info.IsDir() || errors.Is(err, fs.ErrNotExist))
		t.real[dir] = is
	}
	return is
}

// lacks says whether there is surely nothing where a file belongs, nor in the place of a directory above it.
func (t *checkout) lacks(name string) bool {
	path := filepath.Join(t.root, name)
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist) && filepath.IsLocal(name) && t.isReal(filepath.Dir(path))
}

// holds says whether a file is surely as the index has it.
func (t *checkout) holds(e gitstore.Indexed) bool {
	path := filepath.Join(t.root, e.Name)
	file, err := os.Lstat(path)
	if err != nil || !filepath.IsLocal(e.Name) || !t.isReal(filepath.Dir(path)) {
		return false
	}
	if e.Link {
		to, err := os.Readlink(path)
		content, wrong := t.store.Blob(e.ID)
		return err == nil && wrong == nil && to == string(content)
	}
	if !file.Mode().IsRegular() || e.Runs != (file.Mode()&0o100 != 0) {
		return false
	}
	changed := file.ModTime()
	switch {
	case file.Size() == 0:
		return hex.EncodeToString(e.ID[:]) == emptyBlob
	case e.Size != 0 && e.Size == uint32(file.Size()) && e.Seconds == uint32(changed.Unix()) && e.Nanoseconds == uint32(changed.Nanosecond()) &&
		changed.Before(t.made) && isUntouched(e, file):
		return true
	}
	if t.reread++; t.reread > maxReread {
		return false
	}
	is, _ := isBlob(t.store, e.ID, path)
	return is
}

// isUntouched says whether nothing of a file has changed since git looked at it. Who copies a file over another one can give it any
// time and size, but not that time.
func isUntouched(e gitstore.Indexed, file fs.FileInfo) bool {
	at, known := changedAt(file)
	return !known || e.Changed == 0 || e.Changed == uint32(at.Unix()) && (e.ChangedNano == 0 || e.ChangedNano == uint32(at.Nanosecond()))
}

// isBlob says whether a file holds what git has by a name, if that can be told.
func isBlob(store *gitstore.Store, id gitstore.ID, path string) (is, known bool) {
	store.Again()
	content, err := store.Blob(id)
	if err != nil {
		return false, false
	}
	f, err := os.Open(path)
	if err != nil {
		return false, false
	}
	defer f.Close()
	return holds(f, string(content)), true
}

// gitDirs are where the repository of a working tree keeps what belongs to this one, and the rest if that is elsewhere.
func gitDirs(root string) (git, common string) {
	git = filepath.Join(root, ".git")
	if to, ok := strings.CutPrefix(note(git), "gitdir:"); ok {
		git = from(root, strings.TrimSpace(to))
		if rest := note(filepath.Join(git, "commondir")); rest != "" {
			common = filepath.ToSlash(from(git, rest))
		}
	}
	return filepath.ToSlash(git), common
}

// namesIn lists the names in a directory.
func namesIn(dir string) []string {
	list, _ := entries(dir)
	var names []string
	for _, e := range list {
		names = append(names, e.Name)
	}
	return names
}
