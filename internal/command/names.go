package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// maxNames bounds the patterns that a list of files is remembered by.
const maxNames = 24

// alternative makes a pattern fit to stand among others.
func alternative(pattern string) string {
	if !strings.ContainsAny(pattern, "()|") {
		return pattern
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
		case c == '(' || c == ')' || c == '|':
			b.WriteByte('\\')
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

// lines is some of the lines of standard input, unless files are read: those that
// match what is searched for, if matching is set. Who picks ".env" from a list is after
// it; who picks nothing in particular takes what comes.
func (r *reader) lines(d *Data, matching bool) {
	if slices.ContainsFunc(r.inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read }) || r.readsStreams() {
		return
	}
	in := r.inv.Stdin
	d.Single = in.Single || takesOne(r)
	if d.Plain, d.Tame, d.Lines = in.Plain, in.Tame, in.Lines; in.Reach == tool.Under {
		d.Text, d.Reach, d.Match, d.Bare, d.Visible, d.Found, d.Seen = in.Text, tool.Under, in.Match, in.Bare, in.Visible, in.Found, in.Seen
		if matching || len(r.oper) > 0 || takesOne(r) {
			d.Taint |= Sifted
		}
		if matching {
			list := value.Alternatives(in.Match)
			for _, pattern := range r.scope.patterns {
				for _, aim := range namesLike(pattern) {
					list = append(list, "**/"+alternative(aim))
				}
			}
			d.Match = value.AnyOf(list)
		}
	} else if matching {
		for _, pattern := range r.scope.patterns {
			if strings.IndexByte(pattern, '[') >= 0 { // grep '[x]y' does not find itself
				pattern = strings.Join(namesLike(pattern), " ")
			}
			if d.Of == "" {
				d.Of = pattern
			} else {
				d.Of += " " + pattern
			}
		}
	}
}

// takesOne says whether a program prints one line of those that it reads, and nothing else.
func takesOne(r *reader) bool {
	if len(r.given) != 1 {
		return false
	}
	g := &r.given[0]
	if len(g.values) == 1 {
		return isExactly(g.values[0], "1") && hasWord("-n --lines --head-count -m --max-count", g.name)
	}
	return g.name == "-1" && !r.scope.patterned // of a search, these are lines around what it finds
}

// readsStreams says whether operands name other streams than standard input, or several: what
// comes from those is not followed.
func (l *commandLine) readsStreams() bool {
	if slices.ContainsFunc(l.level().Operands, isWritten) {
		return false
	}
	streams := 0
	for i := range l.oper {
		if w := &l.oper[i]; namesStream(*w) {
			streams++
			if !isInput(w.Text) && w.Text != "/dev/null" {
				return true
			}
		}
	}
	return streams > 1
}

// isWritten says whether any number of operands is written.
func isWritten(it Item) bool { return it.Many && slices.Contains(it.Uses, Use{Name: "write"}) }

// isInput says whether a path surely names standard input.
func isInput(path string) bool { return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" }

// namesInput says whether a word surely names standard input.
func namesInput(w Word) bool { return w.IsKnown() && isInput(w.Text) }

// root is a place that names of files are taken from.
type root struct {
	path    string // absolute
	pattern bool
	tree    bool   // what is below it is named, not the place itself
	bare    string // its last name as it was given, if it is named itself where a search finds that
}

// names is a list of files: those that are read, or those below the operands, or
// else below the working directory. Entries are names without their directory, which
// are then seen from the working directory.
func (r *reader) names(d *Data, entries bool) {
	var from roots
	if isSpec(r.layout()) {
		from.addSpecs(r)
	} else {
		from.addPlaces(r, entries)
	}
	if len(from.list) == 0 || entries {
		here := r.path(tool.Read, Known(".", r.inv.Span))
		from.add(here, true)
	}
	if from.open {
		return
	}
	r.below(d, from.list)
	d.Seen = r.vantage(r.dir.Text, entries)
	if entries && len(r.oper) == 0 && d.Reach == tool.Under && d.Match == "" {
		d.Match = "*"
	}
	d.Bare = entries && !slices.ContainsFunc(r.oper, func(w Word) bool { return !r.listsBare(w) })
}

// vantage is where the names that a program lists are seen from: a place is named as it is given.
func (l *commandLine) vantage(dir string, entries bool) value.Vantage {
	here, given := value.Vantage(dir), l.searched()
	absolute := 0
	for i := range given {
		if w := &given[i]; w.Seen == "" && strings.HasPrefix(w.Text, "/") {
			absolute++
		}
	}
	switch {
	case absolute == 0:
		return here
	case absolute < len(given), entries:
		return here + "/"
	}
	return ""
}

// roots are the places of a list of names.
type roots struct {
	list []root
	open bool // one of them is not known
}

// addPlaces adds what is read, or else what operands name.
func (rs *roots) addPlaces(r *reader, entries bool) {
	for i := range r.inv.Effects {
		if e := r.inv.Effects[i]; e.Kind == tool.Read && !isNameRead(r, e) {
			rs.add(e, e.Tree)
		}
	}
	if len(rs.list) > 0 {
		return
	}
	for _, w := range r.searched() {
		rs.add(r.searchedIn(w, entries))
		rs.list[len(rs.list)-1].bare = lastName(w)
	}
}

// isNameRead says whether an effect stands for the names that a search reads, and not for a place where it does.
func isNameRead(r *reader, e tool.Effect) bool {
	at := func(w Word) bool { return r.path(tool.Read, w).Target == e.Target }
	return e.Pattern && !slices.ContainsFunc(r.oper, at) && slices.ContainsFunc(r.given, func(g flagUse) bool {
		return g.flag != nil && g.flag.has("includes") && slices.ContainsFunc(g.values, func(w Word) bool {
			return slices.ContainsFunc(unbraced(w.Text), func(text string) bool { return at(namedAnywhere(text, w.Span)) })
		})
	})
}

// add adds the place of an effect, or what is below it.
func (rs *roots) add(e tool.Effect, tree bool) {
	rs.open = rs.open || e.Reach == tool.Anywhere
	rs.list = append(rs.list, root{path: e.Target, pattern: e.Pattern, tree: tree || e.Reach == tool.Under})
}

// searchedIn is the place that an operand names, and whether what is below it is listed.
func (s *surroundings) searchedIn(w Word, entries bool) (at tool.Effect, tree bool) {
	if at = s.path(tool.Read, w); isCertain(at) && endsInSlash(w) && isLink(s.world, at.Target) {
		at.Target = Follow(at.Target, s.world)
	}
	return at, !entries
}

// listsBare says whether a program that lists the entries of an operand prints names
// without a directory: what is not a directory is printed as it was given.
func (s *surroundings) listsBare(w Word) bool {
	if !w.IsKnown() {
		return false
	}
	if !strings.Contains(w.Text, "/") || strings.HasSuffix(w.Text, "/") {
		return true
	}
	e := s.path(tool.Read, w)
	if !isCertain(e) || s.world.Entries == nil {
		return false
	}
	_, whole := s.world.Entries(e.Target)
	return whole
}

// projectNames is a list of files of the project, seen from its root: those that
// are named, and else any.
func (r *reader) projectNames(d *Data) {
	top := r.path(tool.Read, Known(".", r.inv.Span))
	if paths.Within(top.Target, r.world.Project) {
		top.Target, top.Reach = r.world.Project, tool.Exact
	}
	if top.Reach == tool.Anywhere {
		return
	}
	roots := []root{{path: top.Target, tree: true}}
	for _, e := range r.inv.Effects {
		if e.Kind == tool.Read && e.Reach == tool.Exact {
			roots = append(roots, root{path: e.Target, pattern: e.Pattern, tree: e.Tree})
		}
	}
	r.below(d, roots)
	d.Seen = value.Vantage(top.Target)
}

// searched is the operands that say where names are looked for.
func (l *commandLine) searched() []Word {
	return l.oper[min(single(l.layout()), len(l.oper)):] // what is looked for stands before where
}

// layout is what the operands are: as the model says of all, or in a mode; if there are several, the one in which most of them
// name places.
func (l *commandLine) layout() []Item {
	level := l.level()
	form := level.Operands
	if len(form) > 0 {
		return form
	}
	for i := range level.Modes {
		m := &level.Modes[i]
		if len(m.Items) > 0 && !m.has("follows") && !m.has("spares") && !m.has("repeats") && m.unpacking() == 0 && l.active(m, l.count()) && (len(form) == 0 || single(m.Items) < single(form)) {
			form = m.Items
		}
	}
	return form
}

// single is how many operands stand before those of which there may be any number.
func single(form []Item) (n int) {
	for n < len(form) && !form[n].Many {
		n++
	}
	return n
}

// below makes d the list of what the search finds at the roots.
func (r *reader) below(d *Data, roots []root) {
	common := commonDir(roots)
	limit := r.limits()
	finds := r.finds(limit)
	var list []string
	for _, at := range roots {
		from := strings.TrimSuffix(common, "/")
		rest := at.path
		if at.pattern {
			from = paths.Escape(from)
		}
		rest = strings.Trim(strings.TrimPrefix(rest, from), "/")
		if !at.pattern {
			rest = paths.Escape(rest)
		}
		if rest = alternative(rest); paths.HasGroups(at.path) && at.pattern {
			rest = value.Everything // alternatives do not stand among others
		}
		if !at.tree {
			list = append(list, rest)
			continue
		}
		for _, f := range finds {
			if rest != "" {
				f = rest + "/" + f
			}
			list = append(list, f)
		}
		if list = append(list, ownNames(rest, at.bare, limit)...); len(limit) == 0 && rest != "" {
			list = append(list, rest)
		}
	}
	d.Text, d.Reach, d.Taint = common, tool.Under, 0
	d.Match = value.AnyOf(list)
	if len(list) == 1 && list[0] == "" {
		d.Match = ""
	}
}

// lastName is the last name of a path that is searched, as it is given: what a search compares with
// names. It is a pattern if it is not known; "" if there is none.
func lastName(w Word) string {
	switch {
	case w.Reach != tool.Exact:
		return "*"
	case w.Text == "":
		return ""
	case w.Glob:
		if name, sure := paths.GlobBase(w.Text); sure && !paths.HasGroups(name) {
			return name
		}
		return "*"
	}
	return path.Base(w.Text)
}

// ownNames are patterns of the place itself that is searched, as far as what it is limited to fits
// its name.
func ownNames(place, name string, limit []string) (list []string) {
	for _, l := range limit {
		switch is, sure := paths.Match(l, name); {
		case paths.HasGroups(place):
			list = append(list, value.Everything)
		case paths.Wild(name) && place != "":
			list = append(list, strings.TrimPrefix(path.Dir(place)+"/", "./")+alternative(l))
		case name == "" || !is && sure && !paths.Wild(name):
		case place == "":
			list = append(list, value.Everything) // which stands for the place, too
		default:
			list = append(list, place)
		}
	}
	return list
}

// commonDir is the directory that all roots are in.
func commonDir(roots []root) (common string) {
	for i, at := range roots {
		target := at.path
		if at.pattern {
			target = staticDir(target)
		}
		if i == 0 {
			common = target
		}
		for !paths.Within(target, common) {
			common = path.Dir(common)
		}
	}
	return common
}

// finds is the patterns of what a search finds below a place: the names that it is
// limited to, or everything, and besides the names that it is after without being
// limited to them.
func (r *reader) finds(limit []string) []string {
	var list []string
	for _, name := range limit {
		list = append(list, "**/"+alternative(name))
	}
	aims := r.meant(r.scope.aims)
	if len(list) == 0 {
		list = append(list, value.Everything)
		aims = append(r.looksFor(), aims...)
	}
	for _, name := range aims {
		list = append(list, "**/"+alternative(name))
	}
	return list
}
