package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Bounds on the search for names that lead elsewhere when they are divided.
const maxOddDirs, maxOddNames = 1000, 32

// misleads says whether the paths that a word stands for, as the disk has them, may lead elsewhere where they are divided: at blanks, or into
// lines.
func (r *reader) misleads(w command.Word, blanks bool) bool {
	if r.odd {
		return true
	}
	if r.world.Entries == nil || r.remote {
		return false
	}
	e := r.pathEffect(&command.Invocation{Dir: r.dir()}, tool.Read, w)
	root := e.Target
	if e.Pattern {
		root = paths.GlobRoot(e.Target)
	}
	return e.Reach != tool.Anywhere && slices.ContainsFunc(r.oddNames(root), func(at string) bool {
		return (!e.Pattern || covers(e.Target, at)) && (blanks || slices.ContainsFunc(strings.Split(at[len(root):], "/"), r.leadsLine))
	}) || r.odd
}

// oddNames are the paths below a directory of which a name leads elsewhere when it is divided.
func (d *disk) oddNames(root string) []string {
	if list, is := d.oddOnes[root]; is {
		return list
	}
	type found struct {
		at  string
		odd bool
	}
	var list []string
	dirs := []found{{root, false}}
	for i := 0; i < len(dirs); i++ {
		if d.oddDirs >= maxOddDirs || len(list) >= maxOddNames { // there may be others
			d.odd = true
			break
		}
		entries, whole := d.world.Entries(dirs[i].at)
		d.odd = d.odd || !whole && len(entries) > 0
		d.oddDirs += 1 + len(entries)/64
		for _, entry := range entries {
			f := found{strings.TrimSuffix(dirs[i].at, "/") + "/" + entry.Name, dirs[i].odd || d.isMisleading(entry.Name)}
			if f.odd {
				list = append(list, f.at)
			}
			if entry.Dir && entry.Name != ".git" && !slices.Contains(command.Installs, entry.Name) {
				dirs = append(dirs, f)
			}
		}
	}
	if d.oddOnes == nil {
		d.oddOnes = map[string][]string{}
	}
	d.oddOnes[root] = list
	return list
}

// unmarked is a name without the signs that some take away.
func unmarked(name string) string {
	return strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(name)
}

// isMisleading says whether a part of a name, divided at blanks, may be a flag, a pattern, a secret or the way to another directory.
func (d *disk) isMisleading(name string) bool {
	if !strings.ContainsAny(name, " \t\n'\"\\") {
		return false
	}
	bare := unmarked(name)
	if strings.TrimSpace(bare) != bare || d.leadsLine(name) {
		return true
	}
	parts := strings.Fields(bare)
	return slices.ContainsFunc(parts[min(1, len(parts)):], func(part string) bool {
		return part != "-" && strings.IndexByte(".-~@", part[0]) >= 0 || paths.Wild(part) || d.isSecret(d.world.Project+"/"+part)
	})
}

// leadsLine says whether a name leads elsewhere that is read as a line: it holds the end of one, or becomes another name without what is taken
// away from it.
func (d *disk) leadsLine(name string) bool {
	bare := unmarked(name)
	return strings.ContainsAny(name, "\n\r") || bare != strings.TrimLeft(bare, " \t") || bare != name && strings.Trim(bare, ".") == ""
}
