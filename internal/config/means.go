package config

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// UseMeans says which means there are to make a call safe. Means that this place cannot
// have are left out.
func (c *Config) UseMeans(m tool.Means) {
	var undo func(path string) bool
	if roots := c.UndoRoots(); m&tool.Undo != 0 && len(roots) > 0 {
		roots = withReal(roots)
		undo = func(path string) bool {
			return slices.ContainsFunc(roots, func(root string) bool { return paths.Within(path, root) }) || c.beside(path)
		}
	}
	c.Covered(undo)
	if m&tool.Mask != 0 {
		c.Masks(func() bool { return true })
	}
}

// Masks says whether results of tools go through a filter.
func (c *Config) Masks(on func() bool) {
	w := *c.World
	w.Masked = func(path string) bool {
		roots := withReal(c.UndoRoots())
		return slices.ContainsFunc(roots, func(root string) bool { return paths.Within(path, root) }) && on()
	}
	c.World = &w
}

// Covered says what the snapshot before a call brings back; nil if there is none.
func (c *Config) Covered(undo func(path string) bool) {
	w := *c.World
	w.Undo = undo
	c.World = &w
}

// maxBeside is how many other projects snapshots are taken of before one call.
const maxBeside = 2

// beside says whether a path lies in another project of the person's, a repository below the home directory, of which a
// snapshot is then taken too. Where nothing is, nothing is lost.
func (c *Config) beside(name string) bool {
	w := c.World
	if !paths.Within(name, w.Home) || name == w.Home || strings.Contains(name[len(w.Home):], "/.") {
		return false
	}
	root := name
	for ; ; root = path.Dir(root) {
		if root == w.Home && w.Exists != nil && !w.Exists(name) {
			root = name
			break
		}
		if root == w.Home {
			return false
		}
		if w.Exists != nil && w.Exists(root+"/.git") {
			break
		}
	}
	if !slices.Contains(c.others, root) {
		if len(c.others) == maxBeside {
			return false
		}
		c.others = append(c.others, root)
	}
	return true
}

// UndoRoots are the directories that snapshots are taken of: the project, what belongs to it, and what was found
// [Config.beside] it. A place that holds the home directory is no project.
func (c *Config) UndoRoots() (roots []string) {
	for _, root := range append(append([]string{c.World.Project}, c.World.Also...), c.others...) {
		if root != "" && root != "/" && !paths.Within(c.World.Home, root) && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// withReal adds what directories are called when links are followed.
func withReal(list []string) []string {
	for _, dir := range list {
		if real, err := filepath.EvalSymlinks(Native(dir)); err == nil && Judged(real) != dir {
			list = append(list[:len(list):len(list)], Judged(real))
		}
	}
	return list
}
