// Package paths answers questions about the text of paths, without looking at the disk. A
// test ensures that no other package does this by itself.
package paths

import "strings"

// Within reports whether path is dir or below it. Both are clean, and both absolute or
// both relative to the same place; a slash at the end of dir changes nothing. All is
// within "/" and nothing within "".
func Within(path, dir string) bool {
	if n := len(dir); n > 0 && dir[n-1] == '/' {
		if dir = dir[:n-1]; dir == "" {
			return true
		}
	}
	return dir != "" && strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/')
}

// Climbs reports whether a path has a ".." in it. Where that leads is not a matter of the
// text alone: what is before it may be a link.
func Climbs(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// Clean resolves a path against a directory by its text alone.
func Clean(dir, path string) string {
	if !strings.HasPrefix(path, "/") {
		path = dir + "/" + path
	}
	if isClean(path) {
		return path
	}
	out := make([]byte, 0, len(path))
	for path != "" {
		part, rest, _ := strings.Cut(path, "/")
		path = rest
		switch part {
		case "", ".":
		case "..":
			i := len(out) - 1
			for i > 0 && out[i] != '/' {
				i--
			}
			out = out[:max(i, 0)]
		default:
			out = append(append(out, '/'), part...)
		}
	}
	if len(out) == 0 {
		return "/"
	}
	return string(out)
}

// isClean says whether an absolute path is surely as Clean would leave it.
func isClean(path string) bool {
	if path == "/" {
		return true
	}
	if path[len(path)-1] == '/' {
		return false
	}
	for i := range len(path) {
		if path[i] == '/' && (path[i+1] == '/' || path[i+1] == '.' && isDots(path[i+1:])) {
			return false
		}
	}
	return true
}

// isDots says whether the first name of a path, which begins with a dot, has no meaning but in
// paths.
func isDots(path string) bool {
	rest := strings.TrimPrefix(path[1:], ".")
	return rest == "" || rest[0] == '/'
}

// Parent is the directory part of a path; "." if it has none.
func Parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	switch {
	case i > 0:
		return path[:i]
	case i == 0:
		return "/"
	}
	return "."
}
