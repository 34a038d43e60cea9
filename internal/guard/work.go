package guard

import (
	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// maxRoots bounds the directories that are looked at for repositories.
const maxRoots = 2000

// workLooks looks for work in what is called like the output of a build.
type workLooks struct {
	lib   *command.Library
	w     *tool.World
	count int
}

// takesWork says whether repositories or working trees with work in them go with what is deleted: a directory that is one, or holds one.
func (l *workLooks) takesWork(e discard) bool {
	if e.Kind != tool.Delete || !e.Tree || e.Manner != 0 || l.w.Entries == nil || l.w.Exists == nil {
		return false
	}
	if !e.Pattern {
		return l.works(e.Target) || l.worksIn(e.Target, func(string) bool { return true })
	}
	return l.worksIn(paths.Parent(paths.Fixed(e.Target)+"x"), func(path string) bool { return takesItself(e.Effect, path) })
}

// worksIn looks at directories in another one.
func (l *workLooks) worksIn(dir string, is func(path string) bool) bool {
	list, _ := l.w.Entries(dir)
	for _, e := range list {
		if path := dir + "/" + e.Name; e.Dir && is(path) && l.works(path) {
			return true
		}
	}
	return false
}

// works looks at one directory.
func (l *workLooks) works(dir string) bool {
	l.count++
	return l.count <= maxRoots && l.w.Exists(dir+"/.git") && l.lib.HasWork(l.w, dir)
}
