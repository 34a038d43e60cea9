package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// A search for files that leaves nothing out finds those of .git and of other hidden
// directories as well. Whoever changes all that it finds changes these, though no word names
// them.

// lists says of a list that a search makes what may be in it that no word names.
func lists(r *reader, role string) Taint {
	t := holds(role)
	if t == 0 {
		t = r.unhidden()
	}
	if beginsBehindLinks(r) {
		t |= Followed
	}
	if slices.ContainsFunc(r.given, sifts) {
		t |= Sifted
	}
	return t
}

// sifts says whether a flag of a search leaves out files by other than what they are to be called.
func sifts(g flagUse) bool {
	if g.flag == nil || len(g.flag.Values) == 0 || g.name == "-type" {
		return g.name == "-prune"
	}
	return !slices.ContainsFunc([]string{"name-filter", "extension", "any-of", "group", "group-end", "prints", "command;"}, g.flag.has)
}

// holds says what is in a list that leaves out what git ignores, or does not keep.
func holds(role string) Taint {
	switch role {
	case "visible-names", "unignored-names":
		return FromTracked | FromUntracked
	case "unhidden-names":
		return FromListed
	case "tracked-names", "tracked-matches", "tracked-project-names":
		return FromTracked
	case "untracked-names":
		return FromUntracked
	}
	return 0
}

// isVisible says whether a list has no hidden files in it.
func isVisible(role string) bool { return role == "visible-names" || role == "unhidden-names" }

// widened is the role of a list of which flags and operands say what is searched: a pattern that a file must match shows hidden and
// ignored ones, and what is named is searched though it is ignored itself.
func widened(r *reader, role string) string {
	visible := isVisible(role)
	if !visible && role != "unignored-names" {
		return role
	}
	if slices.ContainsFunc(r.given, picksNames) {
		return "names"
	}
	if !slices.ContainsFunc(r.oper, func(w Word) bool { return isIgnored(r, w) }) {
		return role
	}
	if visible {
		return "unhidden-names"
	}
	return "names"
}

// picksNames says whether a flag says what names files have that are searched.
func picksNames(g flagUse) bool {
	return g.flag != nil && g.flag.has("includes") && len(g.values) > 0 && !strings.HasPrefix(g.values[0].Text, "!")
}

// isIgnored says whether a word may be a directory that is ignored, or in one. What the script has linked or moved lies where it
// was, for all that is known, and is not ignored where it is called by another name.
func isIgnored(r *reader, w Word) bool {
	w.Hollow = false // of what lies where there is no name, it says itself
	e := r.path(tool.Read, w)
	if e.Reach == tool.Anywhere || r.world.Exists == nil {
		return false
	}
	places := []string{e.Target}
	if !isCertain(e) {
		places = r.lib.matched(&r.surroundings, entriesOf(e).Target)
	}
	return slices.ContainsFunc(places, func(place string) bool {
		repo := r.lib.seen(r.world, place)
		return repo != nil && place != repo.root && r.world.Exists(place) && repo.mayIgnore(r.world, place)
	})
}

// listing is the role of what a search lists, whatever it runs on that.
func (l *commandLine) listing() string {
	level := l.level()
	role := level.Output
	for i := range level.Modes {
		if m := &level.Modes[i]; strings.HasSuffix(m.Output, "names") && l.active(m, l.count()) {
			role = m.Output
		}
	}
	return role
}

// beginsBehindLinks says whether a search goes through links, or may begin behind one: the program follows those that are its
// operands, or there is a slash behind it, or behind a pattern that matches it.
func beginsBehindLinks(r *reader) bool {
	return r.inv.Follows || slices.ContainsFunc(r.oper, func(w Word) bool {
		return (r.scope.behind || endsInSlash(w)) && mayBeLink(r, w) || w.Glob && strings.IndexByte(w.Text[len(paths.Fixed(w.Text)):], '/') >= 0
	})
}

// mayBeLink says whether a word may name a link, on the disk or by what the script has done.
func mayBeLink(r *reader, w Word) bool {
	e := r.path(tool.Read, w)
	switch {
	case r.world.Entries == nil, w.Reach == tool.Under, e.Reach != tool.Exact:
		return true
	case !e.Pattern:
		return isLink(r.world, e.Target)
	}
	return slices.ContainsFunc(r.lib.matched(&r.surroundings, e.Target), func(dir string) bool { return isLink(r.world, dir) })
}

// unhidden says of a list that a search makes which hidden directories are in it.
func (l *commandLine) unhidden() (t Taint) {
	if l.shallow() {
		return 0
	}
	if isVisible(l.listing()) {
		return l.entered()
	}
	if !l.leavesOut(coversGit) && l.looksAt("config", "HEAD") {
		t |= FromGit
	}
	if !l.leavesOut(coversHidden) && l.looksAt("settings.json", "settings") {
		t |= FromHidden
	}
	return t
}

// entered says which hidden directories a search goes into that leaves them out, but for those that a pattern of what it takes in
// matches.
func (l *commandLine) entered() (t Taint) {
	for _, g := range l.given {
		if !picksNames(g) {
			continue
		}
		base := baseOf(g.values[0].Text)
		if !g.values[0].IsKnown() || mayMatch(base, ".git") {
			t |= FromGit
		}
		if !g.values[0].IsKnown() || mayMatch(base, ".config") {
			t |= FromHidden
		}
	}
	return t
}

// meant is the names that a search is after, without those that it turns down.
func (l *commandLine) meant(aims []string) []string {
	var not []string
	for i := range l.given {
		if text, ok := onlyText(l.given[i].values); ok && l.turnedDown(i) {
			not = append(not, text[strings.LastIndexByte(text, '/')+1:])
		}
	}
	if len(not) == 0 {
		return aims
	}
	return slices.DeleteFunc(slices.Clone(aims), func(name string) bool { return slices.Contains(not, name) })
}

// looksAt says whether a search that looks only at some files looks at those of such names.
func (l *commandLine) looksAt(names ...string) bool {
	some := false
	for i := range l.given {
		if l.given[i].name != "--include" {
			continue
		}
		pattern, ok := onlyText(l.given[i].values)
		if !ok || slices.ContainsFunc(names, func(name string) bool { return mayMatch(pattern, name) }) {
			return true
		}
		some = true
	}
	return !some
}

// shallow says whether a search does not go into directories.
func (l *commandLine) shallow() bool {
	return slices.ContainsFunc(l.given, func(g flagUse) bool {
		depth, ok := onlyText(g.values)
		return ok && g.name == "-maxdepth" && (depth == "0" || depth == "1")
	})
}

// leavesOut says whether a search is told to stay out of directories.
func (l *commandLine) leavesOut(covered func(pattern string) bool) bool {
	for i := range l.given {
		g := &l.given[i]
		if text, ok := onlyText(g.values); ok && (strings.HasPrefix(g.name, "--exclude") || l.turnedDown(i)) && covered(dirPattern(text)) {
			return true
		}
	}
	return false
}

// turnedDown says whether what a filter of names matches is not gone into, or not found.
func (l *commandLine) turnedDown(i int) bool {
	if f := l.given[i].flag; f == nil || !f.has("name-filter") && !f.has("aim") {
		return false
	}
	if i > 0 && l.given[i-1].flag != nil && l.given[i-1].flag.has("none-of") {
		return true
	}
	for _, g := range l.given[i+1:] {
		switch {
		case g.name == "-prune":
			return true
		case g.flag == nil || g.flag.has("command;") || g.flag.has("prints"):
			return false
		}
	}
	return false
}

// dirPattern is the pattern of the name of a directory that a pattern matches, or all that is in it.
func dirPattern(pattern string) string {
	for _, end := range []string{"/**", "/*", "/"} {
		pattern = strings.TrimSuffix(pattern, end)
	}
	return pattern[strings.LastIndexByte(pattern, '/')+1:]
}

func coversGit(pattern string) bool {
	is, sure := paths.Match(pattern, ".git")
	return is && sure
}

// coversHidden says whether a pattern is one of hidden directories: of all, or of some that somebody has
// thought of, but for .git.
func coversHidden(pattern string) bool { return strings.HasPrefix(pattern, ".") && pattern != ".git" }

// maxHidden bounds the directories that are looked at, and the files in each.
const maxHidden, maxInHidden = 64, 256

// sweeps adds the changes of what lies in hidden directories, where all that a search finds is changed.
func (d *deeds) sweeps(e tool.Effect, from Taint) {
	if d.world.Entries == nil || d.inv.Remote || e.Reach == tool.Anywhere || e.Kind != tool.Write && e.Kind != tool.Create {
		return
	}
	root, found := e.Target, []string{value.Everything}
	if e.Pattern {
		root = staticDir(e.Target)
		found = value.Alternatives(strings.TrimPrefix(e.Target, paths.Escape(root)+"/"))
	}
	list, _ := d.world.Entries(strings.TrimSuffix(root, "/") + "/")
	for _, dir := range list[:min(len(list), maxHidden)] {
		if !dir.Dir || dir.Link || dir.Name[0] != '.' {
			continue
		}
		bit := FromHidden
		if dir.Name == ".git" {
			bit = FromGit
		}
		if from&bit != 0 {
			d.sweepsDir(e, at(root, dir.Name), found)
		}
	}
}

// inHidden runs a command in the hidden directories where a search begins, and in those in them, that hold
// something that the search may find: what it changes there has a name of its own.
func (r *reader) inHidden(n Nested, root Word, words []Word, limit []string) {
	from, e := r.unhidden(), r.path(tool.Read, root)
	if from == 0 || !isCertain(e) || r.world.Entries == nil {
		return
	}
	for _, dir := range r.hiddenIn(e.Target, from) {
		name := r.foundHere(dir, limit)
		if name == "" {
			continue
		}
		place := Known(dir, root.Span)
		n.Dir, n.Words = &place, withFound(words, Known("./"+name, root.Span))
		r.inv.Runs = append(r.inv.Runs, n)
	}
}

// maxRunHidden bounds the hidden directories that a command is run in.
const maxRunHidden = 12

// hiddenIn are the hidden directories in another one, as far as a list holds them, and those in them.
func (s *surroundings) hiddenIn(dir string, from Taint) (found []string) {
	for _, hidden := range s.directoriesIn(dir, false) {
		name, bit := hidden[strings.LastIndexByte(hidden, '/')+1:], FromHidden
		if name == ".git" {
			bit = FromGit
		}
		if name[0] == '.' && from&bit != 0 && len(found) < maxRunHidden {
			found = append(append(found, hidden), s.directoriesIn(hidden, false)...)
		}
	}
	return found[:min(len(found), maxRunHidden)]
}

// directoriesIn are the directories in another one, or behind links there.
func (s *surroundings) directoriesIn(dir string, links bool) (found []string) {
	list, _ := s.world.Entries(dir + "/")
	for _, entry := range list[:min(len(list), maxInHidden)] {
		if entry.Dir && !entry.Link || entry.Link && links {
			found = append(found, at(dir, entry.Name))
		}
	}
	return found
}

// foundHere is a name in a directory that a search may find.
func (s *surroundings) foundHere(dir string, limit []string) string {
	list, _ := s.world.Entries(dir + "/")
	for _, entry := range list[:min(len(list), maxInHidden)] {
		if len(limit) == 0 || slices.ContainsFunc(limit, func(p string) bool { return mayMatch(p, entry.Name) }) {
			return entry.Name
		}
	}
	return ""
}

// sweepsDir adds the changes of what is found in a hidden directory.
func (d *deeds) sweepsDir(e tool.Effect, dir string, found []string) {
	e.Pattern, e.Tree = false, false
	if slices.Contains(found, value.Everything) {
		e.Target, e.Reach = dir, tool.Under
		d.effect(e)
		return
	}
	list, _ := d.world.Entries(dir + "/")
	for _, file := range list[:min(len(list), maxInHidden)] {
		if !file.Dir && slices.ContainsFunc(found, func(p string) bool { return finds(p, file.Name) }) {
			e.Target, e.Reach = at(dir, file.Name), tool.Exact
			d.effect(e)
		}
	}
}

// finds says whether a pattern of what a search finds may match a file somewhere below.
func finds(pattern, name string) bool {
	base, ok := strings.CutPrefix(pattern, "**/")
	if !ok || strings.Contains(base, "/") {
		return false
	}
	return mayMatch(base, name)
}
