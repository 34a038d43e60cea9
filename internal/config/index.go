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
// The index is read once, as long as it stays the same.
func kept(project string) func(path string) bool {
	var seen fs.FileInfo
	var files map[string]gitstore.Indexed
	return func(path string) bool {
		name, err := filepath.Rel(project, path)
		if err != nil || project == "" || !filepath.IsLocal(name) {
			return false
		}
		index := filepath.Join(project, ".git", "index")
		file, err := os.Lstat(path)
		if err != nil || !file.Mode().IsRegular() {
			return false
		}
		info, err := os.Lstat(index)
		// A file that changed when the index did may have changed after it.
		if err != nil || !file.ModTime().Before(info.ModTime()) {
			return false
		}
		if seen == nil || !info.ModTime().Equal(seen.ModTime()) || info.Size() != seen.Size() {
			seen, files = info, indexed(index)
		}
		e, ok := files[filepath.ToSlash(name)]
		changed := file.ModTime()
		if !ok || e.Seconds != uint32(changed.Unix()) || e.Nanoseconds != uint32(changed.Nanosecond()) || e.Size != uint32(file.Size()) {
			return false
		}
		have, err := gitstore.Open(gitstore.Files{ReadAt: readAt, List: namesIn}, filepath.ToSlash(filepath.Dir(index)), "").Committed(e.Name)
		return err == nil && have.ID == e.ID && !have.Tree
	}
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
