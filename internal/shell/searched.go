package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A search that changes what it finds finds it in hidden directories too: the branch build/x lies in .git/refs/heads/build, hooks in
// .git/hooks, workflows in .github. A pattern of any depth is judged by what it usually matches, so what it matches there is looked up on
// the disk.

// maxConcealed bounds the hidden directories that are looked at below one directory.
const maxConcealed = 128

// inSearched repeats a change of what a search finds on what it finds in hidden directories of the directory that it begins in.
func inSearched(led *ledger, inv *command.Invocation, e tool.Effect) {
	w := firstWild(e.Target)
	if !e.Pattern || e.Reach != tool.Exact || e.Kind == tool.Read {
		return
	}
	if strings.HasPrefix(w.name, "@(") {
		inListed(led, inv, e, w)
	}
	if w.name != "**" || len(w.rest) < 2 {
		return
	}
	var from command.Taint
	_ = allWords(inv, e.Span, func(w command.Word) bool {
		from |= w.Taint
		return true
	})
	if from&(command.FromGit|command.FromHidden) == 0 {
		return // it stays out of there
	}
	name, rest, more := paths.CutGlob(w.rest[1:])
	if strings.Trim(name, "*") == "" || paths.HasGroups(name) {
		return // that is all there is, and judged so
	}
	if more {
		rest = "/" + rest
	}
	room := maxMet
	for _, found := range hiddenBelow(led, w.dir) {
		if is, sure := paths.Match(name, path.Base(found.Name)); !is || !sure || room == 0 {
			continue
		}
		if found.Dir && rest == "" && !e.Tree || !found.Dir && rest != "" {
			continue // a directory is not edited, and a file has nothing below it
		}
		bit := command.FromHidden
		if paths.Within(found.Name, strings.TrimSuffix(w.dir, "/")+"/.git") {
			bit = command.FromGit
		}
		if from&bit == 0 {
			continue
		}
		room--
		e.Target = paths.Escape(found.Name) + rest
		if e.Pattern = isWild(e.Target); !e.Pattern {
			e.Target = plain(e.Target)
		}
		inv.Effects = append(inv.Effects, e)
	}
}

// inListed is inSearched for a list of which patterns are known that name hidden directories, as what begins to search in .g* prints.
func inListed(led *ledger, inv *command.Invocation, e tool.Effect, w wildPath) {
	ways, _ := paths.Apart(w.name + w.rest)
	ways = slices.DeleteFunc(ways, func(way string) bool { return !strings.HasPrefix(way, ".") })
	if len(ways) == 0 {
		return
	}
	room, begin := maxMet, len(strings.TrimSuffix(w.dir, "/"))+1
	for _, found := range hiddenBelow(led, w.dir) {
		if found.Dir && !e.Tree || room == 0 {
			continue
		}
		if slices.ContainsFunc(ways, func(way string) bool { return paths.MatchPath(way, found.Name[begin:], false) }) {
			room--
			e.Target, e.Pattern = found.Name, false
			inv.Effects = append(inv.Effects, e)
		}
	}
}

// hiddenBelow is what lies in the hidden directories of a directory, by its whole path, but for those that tools fill. It is looked up once.
func hiddenBelow(led *ledger, dir string) []tool.Entry {
	if list, known := led.hidden[dir]; known || len(led.hidden) == maxConcealed {
		return list
	}
	var dirs []string
	var all []tool.Entry
	found, _ := led.entriesIn(dir)
	for _, entry := range found {
		if entry.Dir && strings.HasPrefix(entry.Name, ".") && !slices.Contains(command.Installs, entry.Name) {
			dirs = append(dirs, strings.TrimSuffix(dir, "/")+"/"+entry.Name)
		}
	}
	for i := 0; i < len(dirs) && i < maxConcealed; i++ {
		found, _ := led.world.Entries(dirs[i])
		for _, entry := range found {
			full := dirs[i] + "/" + entry.Name
			all = append(all, tool.Entry{Name: full, Dir: entry.Dir})
			if entry.Dir && entry.Name != "objects" {
				dirs = append(dirs, full)
			}
		}
	}
	if led.hidden == nil {
		led.hidden = map[string][]tool.Entry{}
	}
	led.hidden[dir] = all
	return all
}
