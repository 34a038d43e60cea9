package guard

import (
	"path"
	"slices"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// maxRoots bounds the directories that are looked at for repositories, maxOpened those that are listed to find them. What lies
// beyond is not known, and not asked about: what is called like the output of a build has thousands of directories.
const maxRoots, maxOpened = 4000, 256

// workLooks looks for work in what is called like the output of a build. It goes through all that a script deletes level by level,
// so that none of it takes the room of the others; and through the packages that tools have put in a directory last.
type workLooks struct {
	lib    *command.Library
	w      *tool.World
	roots  int // directories that were looked at
	opened int // and listed
	takes  []bool
	next   []workLook
	later  []workLook
}

// workLook is a directory, and what is left of a pattern there: "" if all below it is deleted.
type workLook struct {
	by   int // what deletes it
	dir  string
	rest string
	late bool // it is in a directory that tools fill
}

// takesWork says of deletions whether repositories or working trees with work in them go with them: a directory that is one, or holds
// one.
func takesWork(lib *command.Library, w *tool.World, gone []discard) []bool {
	l := workLooks{lib: lib, w: w, takes: make([]bool, len(gone))}
	for i, e := range gone {
		switch {
		case e.Kind != tool.Delete || !e.Tree || e.Manner != 0 || w.Entries == nil || w.Exists == nil:
		case !e.Pattern:
			l.meets(workLook{by: i, dir: e.Target})
		default:
			ways, _ := paths.Apart(e.Target[1:])
			for _, way := range ways {
				l.follows(workLook{by: i, rest: way})
			}
		}
	}
	for i := 0; i < len(l.next)+len(l.later) && l.opened < maxOpened && l.roots < maxRoots; i++ {
		if i == len(l.next) {
			l.next, l.later = append(l.next, l.later...), nil
		}
		l.looksInto(l.next[i])
	}
	return l.takes
}

// follows takes names without wildcards from what is left of a pattern.
func (l *workLooks) follows(at workLook) {
	for at.rest != "" {
		name, rest, _ := paths.CutGlob(at.rest)
		if !paths.Literal(name) || paths.HasGroups(name) {
			l.adds(at)
			return
		}
		at.dir, at.rest = paths.Clean("/", at.dir+"/"+name), rest
	}
	l.meets(at)
}

// meets looks at a directory that is deleted.
func (l *workLooks) meets(at workLook) {
	if l.roots++; l.roots <= maxRoots && l.w.Exists(at.dir+"/.git") && l.lib.HasWork(l.w, at.dir) {
		l.takes[at.by] = true
		return
	}
	l.adds(at)
}

// looksInto goes on with the directories in another one.
func (l *workLooks) looksInto(at workLook) {
	if l.takes[at.by] || l.opened == maxOpened {
		return
	}
	name, rest, more := paths.CutGlob(at.rest)
	deep := name == "**" && rest != ""
	if deep {
		l.follows(workLook{at.by, at.dir, rest, at.late})
	}
	l.opened++
	list, _ := l.w.Entries(at.dir)
	late := at.late || slices.Contains(command.Installs, path.Base(at.dir))
	for _, e := range list {
		if !e.Dir || e.Link || e.Name == ".git" {
			continue
		}
		below := workLook{at.by, at.dir + "/" + e.Name, rest, late}
		switch {
		case deep:
			below.rest = at.rest
			l.adds(below)
		case name == "" && !more || mayMatch(name, e.Name):
			l.follows(below)
		}
	}
}

// adds is for a directory that is to be listed.
func (l *workLooks) adds(at workLook) {
	if at.late {
		l.later = append(l.later, at)
	} else {
		l.next = append(l.next, at)
	}
}
