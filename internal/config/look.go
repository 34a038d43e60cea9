package config

import (
	"io/fs"
	"path/filepath"
	"strings"

	"longline/internal/tool"
)

// Look caches what was seen of the disk while one call is answered. Every path is
// looked at once, so that the answer follows from one state of the disk. It is
// good for one call only. A nil Look remembers nothing.
type Look struct {
	seen []glimpse

	known struct {
		done bool
		home string // in the user database
	}
	roots struct {
		done                bool
		project, dir, known string
		found               Roots
	}
}

// glimpse is what a path is, without following a link.
type glimpse struct {
	path string
	kind kind
	mode uint32 // permissions
	uid  int
}

// kind is the kind of thing that is at a path.
type kind uint8

const (
	unknown kind = iota // it cannot be told
	nothing
	directory
	link
	other
)

// maxSeen is how many paths are remembered. They are searched one by one, and a
// script may name thousands.
const maxSeen = 64

// at says what is at a path. Below what is not there is nothing either.
func (l *Look) at(path string) glimpse {
	if l == nil {
		return lstat(path)
	}
	for i := range l.seen {
		if g := &l.seen[i]; g.path == path {
			return *g
		} else if g.kind == nothing && len(path) > len(g.path) && path[len(g.path)] == '/' && path[:len(g.path)] == g.path {
			return glimpse{path: path, kind: nothing}
		}
	}
	g := lstat(path)
	if l.seen == nil {
		l.seen = make([]glimpse, 0, maxSeen)
	}
	if len(l.seen) < maxSeen {
		l.seen = append(l.seen, g)
	}
	return g
}

// exists says whether there is something at a path, be it a link that leads nowhere.
func (l *Look) exists(path string) bool { return l.at(path).kind > nothing }

// exists is [Look.exists] without a memory.
func exists(path string) bool { return lstat(path).kind > nothing }

// readlink is [tool.World.Readlink].
func (l *Look) readlink(path string) (string, error) {
	switch l.at(path).kind {
	case nothing:
		return "", fs.ErrNotExist
	case directory, other:
		return "", tool.ErrNotLink
	}
	return readlink(path)
}

// followed is a path with its links resolved as far as it exists.
func (l *Look) followed(path string) string {
	if filepath.Separator != '/' || !isClean(path) {
		return followed(path)
	}
	for i := 1; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		switch l.at(path[:i]).kind {
		case link:
			return followed(path)
		case nothing, unknown:
			return path // nor is there a link below it
		}
	}
	return path
}

// followed is a path with its links resolved as far as it exists.
func followed(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(followed(parent), filepath.Base(path))
	}
	return path
}

// isClean says whether a path is absolute and as filepath.Clean would leave it.
// The root itself does not count.
func isClean(path string) bool {
	if len(path) < 2 || path[0] != '/' {
		return false
	}
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		rest := path[i+1:]
		if rest == "" || rest[0] == '/' {
			return false
		}
		if rest[0] == '.' {
			if rest = strings.TrimPrefix(rest[1:], "."); rest == "" || rest[0] == '/' {
				return false
			}
		}
	}
	return true
}

// below is filepath.Join for a name that is clean. A directory that is clean as
// well, as nearly all are, is not cleaned again: that would take most of the time
// of finding out which files to read.
func below(dir, name string) string {
	if filepath.Separator != '/' || !isClean(dir) {
		return filepath.Join(dir, name)
	}
	return dir + "/" + name
}
