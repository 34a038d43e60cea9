package config

import (
	"os"
	"path/filepath"
	"strings"
)

// Repository names the repository whose working tree is at root, so that
// worktrees of one repository are one. Any directory can claim to be somebody's
// worktree by a line in a file; it counts only if the repository says so too.
func Repository(root string) string {
	root = followed(root)
	link := filepath.Join(root, ".git")
	if info, err := os.Lstat(link); err == nil && info.IsDir() {
		return link
	}
	gitdir, ok := strings.CutPrefix(note(link), "gitdir:")
	if !ok {
		return root
	}
	gitdir = followed(from(root, strings.TrimSpace(gitdir)))
	shared := followed(from(gitdir, note(filepath.Join(gitdir, "commondir"))))
	claims := followed(from(gitdir, note(filepath.Join(gitdir, "gitdir")))) == link
	if !claims || filepath.Dir(filepath.Dir(gitdir)) != shared {
		return root
	}
	return shared
}

// note reads one of git's files that hold one line. Anything else in its place
// reads as nothing: a pipe would wait for ever.
func note(path string) string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 8192 {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
