package shell

import (
	"path"
	"slices"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Files of one name that lie in several directories take each other's place if they are moved into one. Which files those are that a
// pattern stands for, the disk says; where it does not, they are taken to have different names.

// maxSame bounds the directories that are looked at for files of the same name, and maxSameFiles the files.
const maxSame, maxSameFiles = 256, 4096

// sameNames adds the loss of files that are moved into a directory after others of their names.
func sameNames(led *ledger, inv *command.Invocation, taken []tool.Effect) {
	if led.world.Entries == nil || inv.Remote {
		return
	}
	dir, ok := movedInto(led, inv)
	if !ok || len(taken) == 1 && isExact(taken[0]) && len(inv.Moves) == 0 {
		return
	}
	find := lookout{world: led.world, entries: led.entriesIn, left: maxSame}
	for _, e := range taken {
		find.filesBut(patternOf(e), siftedFor(led, isSifted(inv)))
	}
	if len(find.found) == 0 {
		return
	}
	real := realDir(led, dir)
	for _, l := range inv.Moves {
		switch {
		case !l.Moved || paths.Parent(l.From) != dir && paths.Parent(l.From) != real:
		case l.Pattern:
			find.filesBut(l.To, siftedFor(led, l.Sifted))
		case path.Base(l.From) == path.Base(l.To):
			find.files(paths.Escape(l.To))
		}
	}
	if find.left < 0 {
		return
	}
	first := map[string]string{}
	for _, file := range find.found {
		if path.Dir(file) == dir {
			continue
		}
		name := path.Base(file)
		if have, is := first[name]; is && have != file {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Target: have, Reach: tool.Exact, Span: inv.Span})
			return
		}
		first[name] = file
	}
}

// isSifted says whether an invocation is given some of what a pattern or a list says, and not all of it.
func isSifted(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Words, func(w command.Word) bool { return w.Taint&command.Sifted != 0 })
}

// siftedFor is what is left out of the lists of a script if something is left out; nil if not.
func siftedFor(led *ledger, sifted bool) *command.Sieves {
	if !sifted {
		return nil
	}
	led.sieves.Look(led.invocations)
	return &led.sieves
}

// movedInto is the one directory that an invocation moves all into: where it puts something in it, and the word for it is known.
func movedInto(led *ledger, inv *command.Invocation) (dir string, ok bool) {
	var last tool.Span // of the word for it
	for _, to := range inv.Effects {
		if !isDestination(to) || to.Reach != tool.Exact && to.Reach != tool.Under {
			continue
		}
		if to.Span != last || dir == "" {
			at := slices.IndexFunc(inv.Words, func(w command.Word) bool { return w.Span == to.Span && w.IsKnown() })
			if at < 0 {
				return "", false
			}
			dir, last = paths.Clean(inv.Dir.Text, inv.Words[at].Text), to.Span
		}
		if to.Target == dir && to.Reach == tool.Exact && !makesDirectory(led, dir) {
			return "", false // it may be the file itself
		}
	}
	return dir, dir != ""
}

// lookout looks on the disk for the files that patterns stand for.
type lookout struct {
	world   *tool.World
	entries func(dir string) ([]tool.Entry, bool)
	left    int // directories that may still be looked at
	found   []string
	links   bool // links count as what they lead to
	through bool // also those that a search meets
	dirs    bool // directories count as well
}

// files adds those that a pattern matches.
func (l *lookout) files(pattern string) {
	at := firstWild(pattern)
	if at.name == "" {
		if l.world.Exists != nil && l.world.Exists(at.dir) && (l.dirs || !l.world.Exists(at.dir+"/.")) {
			l.add(at.dir)
		}
		return
	}
	if list, ok := paths.Alternatives(at.name + at.rest); ok {
		for _, one := range list {
			l.files(paths.Escape(at.dir) + "/" + one)
		}
		return
	}
	if l.left--; l.left < 0 || l.world.Exists != nil && !l.world.Exists(at.dir) {
		return
	}
	list, whole := l.entries(at.dir)
	if !whole {
		l.left = -1
	}
	if at.name == "**" && at.rest != "" {
		l.files(paths.Escape(at.dir) + at.rest)
	}
	for _, e := range list {
		if e.Link && l.links && l.world.Exists != nil {
			e.Dir = l.world.Exists(at.dir + "/" + e.Name + "/.")
			e.Link = e.Dir && at.name == "**" && !l.through
		}
		if !e.Link && e.Name != ".git" {
			l.entry(at, e)
		}
	}
}

// filesBut is files without what is left out of a list, if something is.
func (l *lookout) filesBut(pattern string, sieves *command.Sieves) {
	had := len(l.found)
	if l.files(pattern); sieves != nil {
		l.found = append(l.found[:had], slices.DeleteFunc(l.found[had:], sieves.LeaveOneOf)...)
	}
}

// entry takes in what is in the directory that a pattern is at, or below it.
func (l *lookout) entry(at wildPath, e tool.Entry) {
	file := at.dir + "/" + e.Name
	if at.name == "**" {
		switch {
		case e.Dir:
			l.files(paths.Escape(file) + "/**" + at.rest)
		case at.rest == "":
			l.add(file)
		}
		return
	}
	is, sure := paths.Match(at.name, e.Name)
	switch {
	case !is || !sure || e.Name[0] == '.' && at.name[0] != '.':
	case at.rest == "" && (!e.Dir || l.dirs):
		l.add(file)
	case at.rest != "" && e.Dir:
		l.files(paths.Escape(file) + at.rest)
	}
}

func (l *lookout) add(file string) {
	if l.found = append(l.found, file); len(l.found) > maxSameFiles {
		l.left = -1
	}
}
