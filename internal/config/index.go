package config

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"longline/internal/gitstore"
)

// maxIndex bounds the index of a repository that is read.
const maxIndex = 16 << 20

// kept says of the files below a directory whether git has each as it is: it is in the
// commit that is checked out there and has not changed since, so that git can restore it.
// What is only staged is gone with the next "git add -A". What cannot be read is not kept.
func kept(project string) func() func(path string) bool { return (&gitIndex{project: project}).look }

// gitIndex is the index of the repository in a directory, which is read once as long as it stays
// the same.
type gitIndex struct {
	project string
	seen    fs.FileInfo
	files   map[string]gitstore.Indexed
}

// look begins a look at the repository, in which its commits are read once.
func (x *gitIndex) look() func(path string) bool {
	git := filepath.ToSlash(filepath.Join(x.project, ".git"))
	store := gitstore.Open(gitstore.Files{ReadAt: readAt, List: namesIn}, git, "")
	return func(path string) bool {
		store.Again()
		return x.keeps(store, path)
	}
}

// keeps says whether git has a file as it is.
func (x *gitIndex) keeps(store *gitstore.Store, path string) bool {
	name, _ := filepath.Rel(x.project, path)
	if x.project == "" || !filepath.IsLocal(name) {
		return false
	}
	file, err := os.Lstat(path)
	if err != nil || !file.Mode().IsRegular() {
		return false
	}
	e, ok := x.of(filepath.ToSlash(name), file)
	if !ok {
		return false
	}
	have, err := store.Committed(e.Name)
	if err != nil || have.ID != e.ID || have.Tree {
		return false
	}
	if isUntouched(e, file) {
		return true
	}
	is, _ := isBlob(store, e.ID, path)
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

// maxCompared bounds the files that are compared with what git has of them, and those that are named.
const maxCompared, maxEdited = 1000, 8

// maxName bounds the paths that are looked for in an index.
const maxName = 4096

// edited lists files of the repository in a directory that are others than git has them. One that is merged is another if it is as none of those
// that are merged: somebody has resolved it.
func edited(root string, begin []string, among func(path string) bool) (list []string) {
	git, common := gitDirs(root)
	index := filepath.Join(git, "index")
	info, err := os.Lstat(index)
	if root == "" || err != nil || !mayHold(index, root+"/", begin) {
		return nil
	}
	data, err := readFile(index, maxIndex)
	if err != nil {
		return nil
	}
	store, compared := gitstore.Open(gitstore.Files{ReadAt: readAt, List: namesIn}, git, common), 0
	var conflicts []string
	unmerged := map[string]bool{} // whether what is there is none of what is merged
	_ = gitstore.EachIndexed(data, func(e gitstore.Indexed) {
		path := root + "/" + e.Name
		if compared == maxCompared || len(list) == maxEdited || e.Link || !among(path) {
			return
		}
		compared++
		switch edited := isEdited(store, path, e, info.ModTime()); {
		case e.Conflict: // it may be as one of them has it
			other, seen := unmerged[path]
			if !seen {
				conflicts = append(conflicts, path)
			}
			unmerged[path] = edited && (other || !seen)
		case edited:
			list = append(list, path)
		}
	})
	for _, path := range conflicts {
		if unmerged[path] && len(list) < maxEdited {
			list = append(list, path)
		}
	}
	return list
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

// mayHold says whether an index may hold a file whose path below a directory begins with one of some texts. It does not take the index apart,
// nor keep it: names stand in it as they are, but for those of version 4.
func mayHold(index, dir string, begin []string) bool {
	f, info, err := openRegular(index, maxIndex)
	if err != nil {
		return false
	}
	defer f.Close()
	room := make([]byte, min(info.Size(), 64<<10))
	for at := int64(0); ; {
		n, err := f.ReadAt(room, at)
		if at == 0 && n > 7 && room[7] == 4 {
			return true
		}
		if slices.ContainsFunc(begin, func(path string) bool { return bytes.Contains(room[:n], []byte(strings.TrimPrefix(path, dir))) }) {
			return true
		}
		if err != nil || n <= maxName {
			return false
		}
		at += int64(n - maxName)
	}
}

// isEdited says whether a file is surely another than git has it, by an index of that age.
func isEdited(store *gitstore.Store, path string, e gitstore.Indexed, made time.Time) bool {
	if e.Module { // a repository of its own, in which there may be work
		_, err := os.Lstat(filepath.Join(path, ".git"))
		return err == nil && filepath.IsLocal(e.Name)
	}
	file, err := os.Lstat(path)
	if err != nil || !file.Mode().IsRegular() || !filepath.IsLocal(e.Name) {
		return false
	}
	changed := file.ModTime()
	if e.Size != uint32(file.Size()) && e.Size != 0 {
		return true
	}
	if e.Seconds == uint32(changed.Unix()) && e.Nanoseconds == uint32(changed.Nanosecond()) && changed.Before(made) && e.Size != 0 && isUntouched(e, file) {
		return false
	}
	is, known := isBlob(store, e.ID, path)
	return known && !is
}

// of is what the index says of a file, if it was made after the file has changed last.
func (x *gitIndex) of(name string, file fs.FileInfo) (e gitstore.Indexed, ok bool) {
	path := filepath.Join(x.project, ".git", "index")
	info, err := os.Lstat(path)
	changed := file.ModTime()
	// A file that changed when the index did may have changed after it.
	if err != nil || !changed.Before(info.ModTime()) {
		return e, false
	}
	if x.seen == nil || !info.ModTime().Equal(x.seen.ModTime()) || info.Size() != x.seen.Size() {
		x.seen, x.files = info, indexed(path)
	}
	e, ok = x.files[name]
	return e, ok && e.Seconds == uint32(changed.Unix()) && e.Nanoseconds == uint32(changed.Nanosecond()) && e.Size == uint32(file.Size())
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

// indexed reads an index, without the files that a merge has left in conflict.
func indexed(path string) map[string]gitstore.Indexed {
	data, err := readFile(path, maxIndex)
	if err != nil {
		return nil
	}
	files := map[string]gitstore.Indexed{}
	err = gitstore.EachIndexed(data, func(e gitstore.Indexed) {
		if !e.Conflict {
			files[e.Name] = e
		}
	})
	if err != nil {
		return nil
	}
	return files
}
