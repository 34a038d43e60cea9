package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// onWindows says whether this machine's paths have another form than those that are judged.
const onWindows = runtime.GOOS == "windows"

// Judged is a path of this machine in the form in which commands are judged: on Windows that of Git Bash, elsewhere as it is.
// One that does not say what it names is "".
func Judged(path string) string {
	if !onWindows || path == "" {
		return path
	}
	name, ok := paths.FromWindows(path)
	if !ok { // a short name, as directories for temporary files have
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return ""
		}
		name, _ = paths.FromWindows(real)
	}
	return strings.TrimSuffix(name, "/")
}

// Native is a path in that form as the system takes it. One that lies on no drive is "".
func Native(path string) string { return paths.Native(path) }

// AsOnDisk is a directory in the case, and by the long names, that it has on the disk of Windows: clients hand on what somebody has typed.
func AsOnDisk(dir string) string {
	if onWindows && dir != "" {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return real
		}
	}
	return dir
}

func allJudged(list []string) []string {
	if onWindows {
		for i, path := range list {
			list[i] = Judged(path)
		}
	}
	return list
}

// asJudged makes the functions of a world take paths as they are judged.
func asJudged(w *tool.World) {
	readFile, readAt, newer, entries := w.ReadFile, w.ReadAt, w.Newer, w.Entries
	w.ReadFile = func(path string) ([]byte, error) {
		if path = Native(path); path == "" {
			return nil, fs.ErrNotExist
		}
		return readFile(path)
	}
	w.ReadAt = func(path string, offset int64, room []byte) (int, error) {
		if path = Native(path); path == "" {
			return 0, fs.ErrNotExist
		}
		return readAt(path, offset, room)
	}
	w.Newer = func(path, other string) bool {
		path, other = Native(path), Native(other)
		return path != "" && other != "" && newer(path, other)
	}
	w.Entries = func(dir string) ([]tool.Entry, bool) {
		if dir = Native(dir); dir == "" {
			return nil, false
		}
		return entries(dir)
	}
	judgedLinks(w)
}

// judgedLinks is asJudged for what is asked of every directory on a way.
func judgedLinks(w *tool.World) {
	readlink, exists := w.Readlink, w.Exists
	w.Exists = func(path string) bool {
		path = Native(path)
		return path != "" && exists(path)
	}
	w.Readlink = func(path string) (string, error) {
		if path = Native(path); path == "" {
			return "", tool.ErrNotLink
		}
		target, err := readlink(path)
		if err == nil && filepath.IsAbs(target) {
			if target = Judged(target); !strings.HasPrefix(target, "/") {
				return "", errors.New("it leads to a place that has no name")
			}
		}
		return filepath.ToSlash(target), err
	}
}
