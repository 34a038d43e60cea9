package config

import (
	"io/fs"
	"os"
	"path/filepath"

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
	return err == nil && have.ID == e.ID && !have.Tree
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
