package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
)

// file is one that the script has written.
type file struct {
	path    string
	data    command.Data
	foreign bool // it came from outside the project
	// authored says that its content stands in the script, or is computed from
	// what does: nobody has seen it before.
	authored bool
	// edited says that it holds what a program made of files in this script, with
	// words of the script in it: sed -i, or jq with its output.
	edited bool
	// added says that a package manager has put names of packages into it whose code nobody
	// has seen run: go get, cargo add.
	added bool
	// cloned says that it is a directory that git has made for a clone, with the settings
	// that git gives to one: nobody gets settings by cloning.
	cloned bool
	// from is the file that it may be a copy of; "?" if it is one of several.
	from string
	// built says that it was not there, and that a tool of the project or a compiler
	// has made it of the project's files.
	built bool
	// shut says that its permissions may be such that it cannot be written to.
	shut bool
	// replaced says that a redirection has put something else in the place of what was there.
	replaced bool
	// printed says that it holds nothing but what a program has printed, of which nothing is known.
	printed bool
	// gone says that it may not be there, or not be readable.
	gone bool
	// overlaid says that files whose names are not known were put there, or that it was moved away: what is on
	// the disk below it may be something else by now.
	overlaid bool
	// versioned says that git may have put another version of it there, or of what is below it.
	versioned bool
}

// files are those that a script has written, by their paths. One of which only
// something is known has a name that begins with a question mark: see [vagueFile].
type files struct{ table[file] }

// Marks of files, beside those of where their content is from.
const (
	taints marks = 1<<8 - 1
	vague  marks = 1 << 8  // its name may stand for others
	counts marks = 1 << 9  // it makes a difference to what runs the code of a project
	told   marks = 1 << 10 // something is known of what is in it
	kept   marks = 1 << 11 // something is known that [files.forget] forgets
)

// update changes what is known of a file.
func (t *files) update(path string, change func(*file)) {
	f := file{path: path}
	if have := t.get(path); have != nil {
		f = *have
	}
	change(&f)
	t.mark(path, f, f.marks())
}

// marks are what a file is found by.
func (f *file) marks() marks {
	m := marks(f.data.Taint) & taints
	if paths.Fixed(f.path) != f.path {
		m |= vague
	}
	if f.foreign || f.authored || f.edited || f.added || f.data.Taint&(command.FromNet|command.Unseen) != 0 {
		m |= counts
	}
	if !fileLaw.vague(f) || f.from != "" || f.built || f.cloned {
		m |= told
	}
	if lost := f.forgotten(); !sameFile(f, &lost) {
		m |= kept
	}
	return m
}

// taint is where any of the files may be from.
func (t files) taint() command.Taint { return command.Taint(t.marks() & taints) }

// covers says whether a file, or what is known of its name, may be that of a path: it is the file
// itself, a directory above it, what a pattern matches, or something of which only the beginning is known.
func covers(name, path string) bool {
	to, begins := strings.CutPrefix(name, "?")
	if fixed := paths.Fixed(to); fixed != to {
		return path == paths.Parent(fixed+"x") || strings.HasPrefix(path, fixed) && matchesBeginning(to, path)
	}
	return begins && strings.HasPrefix(path, to) || paths.Within(path, strings.TrimSuffix(to, "/"))
}

// matchesBeginning says whether a pattern may match a path, or how it begins.
func matchesBeginning(pattern, path string) bool {
	match, sure := paths.Match(strings.ReplaceAll(pattern, "/**/", "/*")+"*", path)
	return match || !sure || strings.IndexByte(pattern, '{') >= 0
}

// spoil changes what is known of the files that a name covers, but for the one of that very name,
// where it is only possible that they change.
func (t *files) spoil(name string, change func(*file), work *toil) {
	t.spoilThose(beneath(name), func(path string) bool { return path != name && covers(name, path) }, change, work)
}

// beneath is what all paths begin with that a name covers.
func beneath(name string) string {
	to := strings.TrimPrefix(name, "?")
	if fixed := paths.Fixed(to); fixed != to {
		to = fixed[:strings.LastIndexByte(fixed, '/')+1]
	}
	return strings.TrimSuffix(to, "/")
}

// spoilThose is spoil for the files of which a function says so, among those whose paths begin in some way.
// What nothing is known of cannot be spoiled.
func (t *files) spoilThose(start string, which func(path string) bool, change func(*file), work *toil) {
	var list []*file
	t.eachBegun(start, told, func(path string, f *file) bool {
		work.joined()
		if strings.HasPrefix(path, "/") && which(path) {
			list = append(list, f)
		}
		return true
	})
	for _, f := range list {
		t.mayChange(f, change)
	}
}

// mayChange changes what is known of a file, where it is only possible that it changes.
func (t *files) mayChange(f *file, change func(*file)) {
	other := *f
	change(&other)
	if other = joinFiles(f, &other); !sameFile(f, &other) {
		t.update(f.path, func(g *file) { *g = other })
	}
}

// change is mayChange for a file of which nothing may be known.
func (t *files) change(path string, change func(*file)) {
	other := file{path: path}
	have := t.get(path)
	if have != nil {
		other = *have
	}
	change(&other)
	other = joinFiles(have, &other)
	t.update(path, func(f *file) { *f = other })
}

// forget makes unknown what is in all the files, and whether they can be written to. Tables that share nodes
// share them afterwards if they are forgotten with one memory.
func (t *files) forget(seen map[*node[file]]*node[file]) { t.root = forgotten(t.root, seen) }

func forgotten(n *node[file], seen map[*node[file]]*node[file]) *node[file] {
	if n == nil || n.all&kept == 0 {
		return n
	}
	if done := seen[n]; done != nil {
		return done
	}
	lost := n.value.forgotten()
	c := *n
	c.value, c.own = &lost, lost.marks()
	done := c.with(forgotten(n.left, seen), forgotten(n.right, seen))
	if seen != nil {
		seen[n] = done
	}
	return done
}

// forgotten is a file of which it is known that the script has written it, and no more.
func (f *file) forgotten() file {
	c := *f
	c.data, c.edited, c.shut = command.Data{Taint: f.data.Taint | command.FromScript}, true, true
	c.from, c.built, c.cloned, c.replaced, c.printed, c.gone = "", false, false, false, false, true
	return c
}

// spoilBeside is spoil for the files that a program may make of one that it writes, named after it:
// with an ending more, as of a copy of what it held, or, in place, one less, as of what it unpacks.
func (t *files) spoilBeside(name string, inPlace bool, change func(*file), work *toil) {
	t.spoilThose(name, func(path string) bool { return path != name && !compiled(path[len(name):]) }, change, work)
	for at := strings.LastIndexByte(name, '.'); inPlace && at > 0; at = strings.LastIndexByte(name[:at], '.') {
		if f := t.get(name[:at]); f != nil && strings.HasPrefix(name, "/") && t.marked(name[:at], told) {
			t.mayChange(f, change)
		}
	}
}

// spoilLinked makes unknown what is in the files that are written to by another name: a link
// that the script has made leads from the one to the other.
func (t *files) spoilLinked(path string, links []command.Link, work *toil) {
	if len(links) == 0 {
		return
	}
	lose := func(f *file) { f.data, f.edited = command.Data{Taint: f.data.Taint | command.FromScript}, true }
	names := otherNames(path, links, work)
	for _, other := range names[1:] {
		t.spoil(other, lose, work)
		t.lose(other, lose)
	}
	if len(names) > 1 {
		t.lose(path, lose) // others may write to it by its own name
	}
}

// otherNames are the names of a file, the given one first: links lead from some of them to others.
func otherNames(path string, links []command.Link, work *toil) []string {
	names := append(make([]string, 0, 4), path)
	for i := 0; i < len(names) && i < maxHops; i++ {
		for j := range links {
			l := &links[j]
			if l.Moved || l.To == command.Somewhere {
				continue
			}
			work.joined()
			names = alsoNamed(names, names[i], l.To, l.From)
			names = alsoNamed(names, names[i], l.From, l.To)
		}
	}
	return names
}

// alsoNamed adds the name that a file has if what it lies below has another one.
func alsoNamed(names []string, path, from, to string) []string {
	if !paths.Within(path, from) {
		return names
	}
	if other := to + path[len(from):]; !slices.Contains(names, other) {
		names = append(names, other)
	}
	return names
}

// lose changes what is known of a file that the script has written.
func (t *files) lose(path string, change func(*file)) {
	if t.get(path) != nil {
		t.update(path, change)
	}
}

// amongThem is what the script itself has put, or changed, at places of which this may be one: what a pattern
// matches, the files of a list, or all below a directory.
func (t files) amongThem(path string) (found *file) {
	t.eachMarked(vague, func(_ string, f *file) bool {
		if (f.authored || f.edited || f.foreign || f.isUnseen()) && mayName(strings.TrimPrefix(f.path, "?"), path) {
			found = f
		}
		return found == nil
	})
	for above := paths.Parent(path); found == nil && above != paths.Parent(above); above = paths.Parent(above) {
		if f := t.get(above); f != nil && f.authored {
			found = f
		}
	}
	return found
}

// mayName says whether a pattern, or a directory, may stand for a path.
func mayName(name, path string) bool {
	fixed := paths.Fixed(name)
	if fixed == name {
		return paths.Within(path, name)
	}
	if !strings.HasPrefix(path, fixed) {
		return false
	}
	is, sure := paths.Match(name, path)
	short, _ := paths.Match(strings.Replace(name, "/**/", "/", 1), path) // a search finds what lies where it begins, too
	return is || short || !sure
}

// perhaps is what could have been written to a path: to it, to all below a directory
// above it, or to somewhere that is not known exactly.
func (t files) perhaps(path string) *file {
	var found *file
	add := func(_ string, f *file) bool {
		if found != nil {
			one := joinFiles(found, f)
			f = &one
		}
		found = f
		return true
	}
	t.eachMarked(vague, func(name string, f *file) bool {
		if covers(f.path, path) {
			add(name, f)
		}
		return true
	})
	for above := path; ; above = paths.Parent(above) {
		if f := t.get(above); f != nil && paths.Fixed(above) == above {
			add(above, f)
		}
		if above == paths.Parent(above) {
			return found
		}
	}
}

// mayBring is what the script may have put at a path by a list or a pattern, with a whole directory, or brought
// in from elsewhere.
func (t files) mayBring(path string) *file {
	if f := t.perhaps(path); f != nil && (f.overlaid || f.foreign) {
		return f
	}
	return t.amongThem(path)
}

// found is what the script may have written to what is found at a path, by that name or by the one that links on the disk
// lead to.
func (s *state) found(path string) *file {
	f := s.wrote(path)
	if s.files.size() == 0 {
		return f
	}
	real := s.realName(path)
	if other := s.wrote(real); real != path && other != nil { // unless the script has put something else in the place of the link
		both := joinFiles(f, other)
		return &both
	}
	return f
}

// isVersion says whether nothing but git has changed a file.
func (f *file) isVersion() bool { return f != nil && f.versioned && !f.edited && !f.isPut() }

// brought is what the script may have put there by a list or a pattern, with a whole directory, or from elsewhere.
func (s *state) brought(path string) *file {
	f := s.files.mayBring(path)
	if real := s.realName(path); f == nil && real != path {
		f = s.files.mayBring(real)
	}
	return f
}

// mayDiffer says whether git may have put another version of a file on the disk.
func (s *state) mayDiffer(path string) bool {
	f := s.files.perhaps(s.realName(path))
	return f != nil && f.versioned
}

// realName is where a path, or what is known of a name, leads by the links on the disk, if that is in the project.
func (s *state) realName(name string) string {
	path := strings.TrimPrefix(name, "?")
	if s.world == nil || s.world.Project == "" || !strings.HasPrefix(path, "/") {
		return name
	}
	dir := paths.GlobRoot(path)
	real := command.Follow(dir, s.world)
	if real == dir || !paths.Within(real, s.world.Project) {
		return name
	}
	if rest := path[len(dir):]; rest != "" {
		real = paths.Escape(real) + rest
	}
	return name[:len(name)-len(path)] + real
}

// holds says whether the script may have put something at a path, and below it.
func (t files) holds(path string) (at, below bool) {
	return t.perhaps(path) != nil, t.begins(strings.TrimSuffix(path, "/") + "/")
}

var fileLaw = law[file]{same: sameFile, join: joinFiles, vague: func(f *file) bool { return f.data.Same(f.data.Join(command.Data{Taint: f.data.Taint})) }}

// join is what is known of files if it is known of one of two.
func (t files) join(o files, work *toil) files { return files{t.merge(o.table, fileLaw, work)} }

func (t files) same(o files) bool { return t.table.same(o.table, sameFile) }

func sameFile(a, b *file) bool {
	return a == b || a.path == b.path && a.foreign == b.foreign && a.authored == b.authored && a.edited == b.edited && a.added == b.added && a.cloned == b.cloned && a.built == b.built && a.replaced == b.replaced && a.printed == b.printed && a.shut == b.shut && a.gone == b.gone && a.overlaid == b.overlaid && a.versioned == b.versioned && a.from == b.from && a.data.Same(b.data)
}

// joinFiles is what may be in a file of which two states know something, or one.
func joinFiles(a, b *file) file {
	switch {
	case a == nil:
		return b.unsure()
	case b == nil:
		return a.unsure()
	}
	f := *a
	f.data = a.data.Join(b.data)
	f.cloned, f.built, f.replaced, f.printed = a.cloned && b.cloned, a.built && b.built, a.replaced && b.replaced, a.printed && b.printed
	f.foreign, f.authored, f.edited, f.added = a.foreign || b.foreign, a.authored || b.authored, a.edited || b.edited, a.added || b.added
	f.shut, f.gone, f.overlaid, f.versioned = a.shut || b.shut, a.gone || b.gone, a.overlaid || b.overlaid, a.versioned || b.versioned
	f.from = oneOf(a.from, b.from)
	return f
}

// oneOf is the file that another may be a copy of, if it is one of two, of which one may be
// none.
func oneOf(a, b string) string {
	if a != "" && b != "" && a != b {
		return "?"
	}
	return max(a, b)
}

// unsure is a file that may not have been written at all.
func (f *file) unsure() file {
	c := *f
	c.cloned, c.replaced, c.gone = false, false, true
	c.data = c.data.Join(command.Data{Taint: c.data.Taint})
	return c
}
