package command

import (
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A list of files, or a search through them, leaves some out: those that git ignores, or does not keep. What is shown
// of the rest is held against the files of secrets that come up in it, whatever their names are like.

// Comes says whether a file may come up in a list that holds such files. Where it is not sure whether git ignores one that it does not keep, it does, as with nearly all of secrets.
func (l *Library) Comes(w *tool.World, from Taint, file string) bool {
	if listed := from & FromListed; listed == 0 || listed == FromListed || from&(FromGit|FromHidden) != 0 {
		return true
	}
	repo := l.seen(w, paths.Parent(file))
	switch {
	case repo == nil:
		return from&FromUntracked != 0
	case repo.keeps(file):
		return from&FromTracked != 0
	case repo.mayIgnore(w, file):
		return from&FromIgnored != 0
	}
	return from&FromUntracked != 0
}

// seen is the repository that a directory is in, if it can be looked at.
func (l *Library) seen(w *tool.World, dir string) *repository {
	if w.Exists == nil || w.ReadFile == nil || w.ReadAt == nil {
		return nil
	}
	return l.repository(w, dir)
}

// ignoreFiles are lists of what is ignored below the directory that they are in: git's, and those of searches.
var ignoreFiles = [...]string{".gitignore", ".ignore", ".rgignore", ".fdignore"}

// baseOf is the last name of a path.
func baseOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// keeps says whether the index of a repository has a file, if it can be read.
func (repo *repository) keeps(file string) bool {
	entries, err := repo.store.Index()
	name := strings.TrimPrefix(file, repo.root+"/")
	at := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == name })
	return err != nil || at >= 0
}

// mayIgnore says whether git may ignore a file, or a search that is told to.
func (repo *repository) mayIgnore(w *tool.World, file string) bool {
	rel := strings.TrimPrefix(file, repo.root+"/")
	lists, sure := repo.everywhere(w)
	if !sure {
		return true
	}
	found := false
	for _, list := range lists {
		ignored, back := listIgnores(w, list, rel)
		if found = found || ignored; back {
			return false
		}
	}
	for at := 0; ; {
		dir := repo.root + "/" + rel[:at]
		for _, name := range ignoreFiles {
			ignored, back := listIgnores(w, dir+name, rel[at:])
			if found = found || ignored; back {
				return false // which line counts is not followed
			}
		}
		next := strings.IndexByte(rel[at:], '/')
		if next < 0 {
			return found
		}
		at += next + 1
	}
}

// everywhere are the lists of what git ignores wherever it is, and whether they are known.
func (repo *repository) everywhere(w *tool.World) (lists []string, sure bool) {
	lists = []string{repo.common + "/info/exclude", w.Home + "/.config/git/ignore"}
	for _, file := range [...]string{repo.common + "/config", w.Home + "/.gitconfig", w.Home + "/.config/git/config", "/etc/gitconfig"} {
		text, err := w.ReadFile(file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(line, "=")
			if !strings.Contains(strings.ToLower(key), "excludesfile") {
				continue
			}
			value = strings.Trim(strings.TrimSpace(value), `"`)
			if rest, ok := strings.CutPrefix(value, "~/"); ok {
				value = w.Home + "/" + rest
			}
			if !strings.HasPrefix(value, "/") || strings.ContainsAny(value, `"\#;`) {
				return nil, false
			}
			lists = append(lists, value)
		}
	}
	return lists, true
}

// listIgnores says whether a list of what is ignored may have a line for a path that is seen from where the list counts, and
// one that takes it back.
func listIgnores(w *tool.World, list, path string) (ignored, back bool) {
	text, err := w.ReadFile(list)
	if err != nil {
		return false, false
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		except, negated := strings.CutPrefix(line, "!")
		if negated {
			back = back || lineIgnores(except, path)
		} else {
			ignored = ignored || lineIgnores(line, path)
		}
	}
	return ignored, back
}

// lineIgnores says whether a line of such a list may be about a path or a directory that it is in. One without a slash before its
// end is about names at every level.
func lineIgnores(line, path string) bool {
	if line == "" || line[0] == '#' {
		return false
	}
	names := strings.Split(path, "/")
	line = strings.TrimSuffix(strings.TrimSuffix(line, "/**"), "/")
	if deep, ok := strings.CutPrefix(line, "**/"); ok {
		line = deep
		if strings.Contains(line, "/") {
			return true // which is not sure
		}
	}
	if !strings.Contains(line, "/") {
		return slices.ContainsFunc(names, func(name string) bool { return mayMatch(line, name) })
	}
	parts := strings.Split(strings.TrimPrefix(line, "/"), "/")
	for i, part := range parts {
		if part == "**" {
			return true
		}
		if i >= len(names) || !mayMatch(part, names[i]) {
			return false
		}
	}
	return true
}
