package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// limit is the names that a search is limited to where it comes to the flag at a
// position: patterns of which all that it finds there match one; none if it is not
// limited. The expression is read as find does: conditions side by side hold
// together, and there are alternatives, opposites and groups of them.
func (l *commandLine) limit(at int) []string {
	e := expression{frames: []frame{{}}}
	for i := range l.given[:min(at, len(l.given))] {
		e.read(&l.given[i])
	}
	if at < len(l.given) {
		return e.around()
	}
	return e.atEnd()
}

// limitsAt is the names that a search is limited to where it comes to one of the flags of a
// kind, or else at its end: none if it is not limited at one of them.
func (l *commandLine) limitsAt(kind func(*flagUse) bool) (all []string, some bool) {
	e := expression{frames: []frame{{}}}
	for i := range l.given {
		if g := &l.given[i]; kind(g) {
			names := e.around()
			if len(names) == 0 {
				return nil, true
			}
			all, some = append(all, names...), true
		}
		e.read(&l.given[i])
	}
	if some {
		return all, true
	}
	return e.atEnd(), false
}

// expression is the condition of a search as far as it limits names.
type expression struct {
	frames     []frame // the groups that are open
	extensions []string
	negated    bool
}

type frame struct {
	either []string // of the alternatives before
	all    []string // of the conditions since
	open   bool     // an alternative before was not limited
}

func (e *expression) last() *frame { return &e.frames[len(e.frames)-1] }

// read takes the next flag.
func (e *expression) read(g *flagUse) {
	use := ""
	if g.flag != nil && len(g.flag.Values) > 0 && len(g.flag.Values[0]) > 0 {
		use = g.flag.Values[0][0].Name
	}
	e.take(use, g.values)
}

// take reads the next flag, by its use.
func (e *expression) take(use string, values []Word) {
	var limit []string
	switch use {
	case "":
		e.negated = false
		return
	case "none-of":
		e.negated = !e.negated
		return
	case "extension":
		if text, ok := onlyText(values); ok {
			e.extensions = append(e.extensions, "*."+paths.Escape(strings.TrimPrefix(text, ".")))
		}
		return
	case "any-of":
		e.last().another()
	case "group":
		e.frames = append(e.frames, frame{open: e.negated}) // the opposite of a limit is none
	case "group-end":
		limit = e.endGroup()
	case "name-filter":
		limit = e.nameLimit(values)
	}
	if f := e.last(); len(f.all) == 0 {
		f.all = limit
	}
	e.negated = false
}

// another begins the next alternative.
func (f *frame) another() {
	f.open = f.open || len(f.all) == 0
	f.either, f.all = append(f.either, f.all...), nil
}

// onlyText is the text of a single word that is known.
func onlyText(words []Word) (text string, ok bool) {
	if len(words) != 1 || !words[0].IsKnown() {
		return "", false
	}
	return words[0].Text, true
}

// nameLimit is what a pattern of names limits them to, if it matches only some.
func (e *expression) nameLimit(values []Word) []string {
	name, ok := onlyText(values)
	if !ok || e.negated || !saysSomething(name) || strings.Contains(name, "/") {
		return nil
	}
	return []string{name}
}

// endGroup closes a group and returns what it limits names to.
func (e *expression) endGroup() []string {
	if len(e.frames) == 1 {
		return nil
	}
	f := *e.last()
	if e.frames = e.frames[:len(e.frames)-1]; f.open || len(f.all) == 0 {
		return nil
	}
	return append(f.either, f.all...)
}

// around is what holds of something that is done inside the groups that are open.
func (e *expression) around() []string {
	for i := len(e.frames) - 1; i >= 0; i-- {
		if len(e.frames[i].all) > 0 {
			return e.frames[i].all
		}
	}
	return e.extensions
}

// atEnd is what the whole limits names to.
func (e *expression) atEnd() []string {
	if f := e.frames[0]; len(e.frames) == 1 && !f.open && len(f.all) > 0 {
		return append(f.either, f.all...)
	}
	return e.extensions
}

// limits is the names that all that a search prints match one of: where it is told to
// print, or else at its end.
func (l *commandLine) limits() []string {
	all, prints := l.limitsAt(func(g *flagUse) bool { return g.flag != nil && g.flag.has("prints") })
	if len(all) == 0 && !prints {
		return l.included()
	}
	return all
}

// included is the names that a search looks at, if it looks only at some.
func (l *commandLine) included() (names []string) {
	for i := range l.given {
		g := &l.given[i]
		if g.flag == nil || !g.flag.has("includes") {
			continue
		}
		text, ok := onlyText(g.values)
		if !ok || text == "" || strings.ContainsAny(text, "/!{") {
			return nil
		}
		names = append(names, text)
	}
	return names
}

// looksFor is the names that a search mentions and does not exclude.
func (l *commandLine) looksFor() []string {
	var names []string
	for i := range l.given {
		g := &l.given[i]
		if g.flag == nil || !g.flag.has("name-filter") || len(g.values) != 1 || !g.values[0].IsKnown() {
			continue
		}
		if l.turnedDown(i) {
			continue
		}
		if name := g.values[0].Text; saysSomething(name) {
			names = append(names, name)
		}
	}
	return names
}

// touches is the names that all match one of which a search itself does something to, at
// each of the flags that tell it to.
func (l *commandLine) touches() []string {
	all, _ := l.limitsAt(l.acts)
	return all
}

// acts says whether a flag makes a search do something to what it has found.
func (l *commandLine) acts(g *flagUse) bool {
	level := l.level()
	for i := range level.Modes {
		if m := &level.Modes[i]; g.flag != nil && len(m.Effects)+len(m.Items) > 0 && !m.has("follows") && slices.Contains(m.When, g.name) {
			return true
		}
	}
	return false
}

// each is a command run for every path that a search finds: "{}" stands for it.
// With the argument "dir" it runs in the directory of that path; with "rest" the
// first operand is what is searched for, and a command without "{}" gets the
// path as its last word.
func (r *reader) each(u Use, words []Word, at int) {
	roots, limit := r.oper, r.limit(at)
	if u.Arg == "rest" || u.Arg == "batch" {
		roots, limit = r.behindPattern(roots, limit)
		words = withPlace(words)
	}
	if u.Arg == "batch" {
		words = slices.Clone(words)
		for i := range words {
			words[i].Split = words[i].Split || place(words[i].Text) >= 0
		}
	}
	if len(words) == 0 {
		r.gap("the command to run is missing", r.inv.Span)
		return
	}
	if len(roots) == 0 {
		roots = []Word{Known(".", r.inv.Span)}
	}
	for _, root := range alsoEmptied(roots, r.world) {
		n := Nested{Stdin: Data{None: true}, Piped: true, Among: true, Again: u.Arg != "batch" && !words[len(words)-1].Split}
		if r.dir != r.inv.Dir {
			dir := r.dir
			n.Dir = &dir
		}
		found := r.found(root, limit)
		if u.Arg == "dir" {
			n.Dir, found = r.foundInDir(root, limit)
		}
		n.Words = withFound(words, found)
		r.inv.Runs = append(r.inv.Runs, n)
		if u.Arg == "dir" {
			r.inHidden(n, root, words, limit)
		}
	}
}

// alsoEmptied adds what words are if what may be nothing in them is nothing.
func alsoEmptied(list []Word, world *tool.World) []Word {
	for i, n := 0, len(list); i < n; i++ {
		if less, other := Emptied(list[i], world); other && list[i].Reach == tool.Exact {
			list = append(list[:len(list):len(list)], less)
		}
	}
	return list
}

// behindPattern is the operands behind the one that is searched for, and what that limits
// names to if nothing else does.
func (r *reader) behindPattern(operands []Word, limit []string) (roots []Word, names []string) {
	if len(operands) == 0 {
		return operands, limit
	}
	pattern := operands[0]
	r.aim("regexp", pattern)
	if paths.Wild(pattern.Text) {
		r.aim("name", pattern)
	}
	if len(limit) == 0 {
		limit = r.searchedFor(pattern)
	}
	return operands[1:], limit
}

// foundInDir is the directory of what a search below root finds, and what it is called
// there: by its last name, and it is the same file.
func (r *reader) foundInDir(root Word, limit []string) (*Word, Word) {
	e := r.path(tool.Read, root)
	dir := Word{Text: e.Target, Reach: min(e.Reach, tool.Under), Taint: lists(r, r.listing()) & Followed, Span: root.Span}
	switch {
	case e.Pattern:
		dir.Text = staticDir(e.Target)
	case dir.Reach == tool.Under && mayFind(r, root, e, limit):
		dir.Text = paths.Parent(e.Target)
	}
	if e.Pattern || e.Reach != tool.Exact {
		return &dir, r.found(Word{Text: e.Target, Reach: e.Reach, Glob: e.Pattern, Span: root.Span}, limit)
	}
	return &dir, r.found(Word{Text: dir.Text, Reach: e.Reach, Span: root.Span}, limit)
}

// mayFind says whether a search may find the place itself that it begins at, by a name that is in
// the directory above.
func mayFind(r *reader, root Word, at tool.Effect, limit []string) bool {
	name := lastName(root)
	if name == "." || name == ".." || startsBelow(r, at) {
		return false
	}
	return len(limit) == 0 || len(ownNames("x", name, limit)) > 0
}

// startsBelow says whether a search leaves out the place that it begins at: it is told so, or looks for
// files and that is a directory.
func startsBelow(r *reader, at tool.Effect) bool {
	plain := true // there are no alternatives or opposites
	for i := range r.given {
		g := &r.given[i]
		plain = plain && g.flag != nil && !g.flag.has("any-of") && !g.flag.has("none-of") && !g.flag.has("group")
	}
	if r.flagGiven("-mindepth", true) && !r.flagGiven("-mindepth=0*", false) {
		return true
	}
	if !plain || !r.flagGiven("-type=f", true) || !isCertain(at) || r.world.Entries == nil {
		return false
	}
	_, isDir := r.world.Entries(at.Target)
	return isDir
}

// withFound is the words of a command with what was found in the places for it.
func withFound(words []Word, found Word) []Word {
	list := make([]Word, len(words))
	for i, w := range words {
		if list[i] = w; w.Reach != tool.Anywhere && place(w.Text) >= 0 {
			list[i] = replaceFound(w, found)
			list[i].Split = w.Split
		}
	}
	return list
}

// place is where in a word "{}" stands, or one of the forms that give a part of
// the path; -1 if there is none.
func place(text string) int {
	at := -1
	for _, p := range [...]string{"{}", "{.}", "{/}", "{//}", "{/.}"} {
		if i := strings.Index(text, p); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

func withPlace(words []Word) []Word {
	for _, w := range words {
		if place(w.Text) >= 0 {
			return words
		}
	}
	if len(words) == 0 {
		return nil
	}
	return append(append([]Word(nil), words...), Known("{}", words[len(words)-1].Span))
}

// searchedFor is the names that a search for a pattern is limited to, or none: what a regular
// expression says that all names end with, or a glob, which is no regular expression if it
// begins with a star.
func (l *commandLine) searchedFor(w Word) []string {
	if !w.IsKnown() || l.flagGiven("-F", false) || l.flagGiven("--fixed-strings", false) {
		return nil
	}
	if strings.HasPrefix(w.Text, "*") {
		if strings.Contains(w.Text, "/") || !saysSomething(w.Text) || !paths.Wild(w.Text) {
			return nil
		}
		return []string{w.Text}
	}
	ends, whole := endings(w.Text)
	var names []string
	for _, end := range ends {
		name := paths.Escape(end)
		if !whole {
			name = "*" + name
		}
		names = append(names, name)
	}
	return names
}

// endings is what all texts that match a regular expression end with one of; none if that
// is not sure: the letters before its last sign, or alternatives of them. They may be
// all that it matches.
func endings(expression string) (list []string, whole bool) {
	rest, ok := strings.CutSuffix(expression, "$")
	list = []string{""}
	if open := strings.LastIndexByte(rest, '('); ok && open >= 0 && strings.HasSuffix(rest, ")") {
		list = strings.Split(strings.TrimPrefix(rest[open+1:len(rest)-1], "?:"), "|")
		rest = rest[:open]
	}
	if !makeLiteral(list) {
		return nil, false
	}
	text, rest := literalEnd(rest)
	if !ok || strings.ContainsAny(rest, "|(") || strings.HasSuffix(rest, `\`) {
		return nil, false
	}
	for i := range list {
		if list[i] = text + list[i]; list[i] == "" {
			return nil, false
		}
	}
	return list, rest == "^"
}

// makeLiteral makes texts of alternatives. It fails if one of them is more than letters, or
// nothing.
func makeLiteral(list []string) bool {
	for i, alternative := range list {
		text, more := literalEnd(alternative)
		if more != "" || text == "" && len(list) > 1 {
			return false
		}
		list[i] = text
	}
	return true
}

// literalEnd is the letters that a regular expression ends with, and what is before them.
func literalEnd(expression string) (text, rest string) {
	for rest = expression; rest != ""; {
		c := rest[len(rest)-1]
		escaped := strings.HasSuffix(rest[:len(rest)-1], `\`) && !strings.HasSuffix(rest[:len(rest)-1], `\\`)
		switch {
		case escaped && strings.IndexByte(".-_", c) >= 0:
			rest = rest[:len(rest)-2]
		case !escaped && isNameByte(c):
			rest = rest[:len(rest)-1]
		default:
			return text, rest
		}
		text = string(c) + text
	}
	return text, rest
}

// isNameByte says whether a byte stands for itself in a regular expression, and in the names
// of files.
func isNameByte(c byte) bool { return isWordByte(c) || c == '-' || c == '~' || c >= 0x80 }

// found is a path that a search below root may find which is limited to names.
func (r *reader) found(root Word, limit []string) Word {
	root = asRoot(root)
	if match := value.AnyOf(r.finds(limit)); match != "" && root.Reach == tool.Exact {
		text := strings.TrimRight(root.Text, "/")
		if !root.Glob {
			text = paths.Escape(text)
		}
		own := ownNames(text, lastName(root), limit)
		if text += "/" + match; len(own) > 0 {
			text = eitherOf(append(own, text))
		}
		return Word{Text: text, Reach: tool.Exact, Glob: true, Taint: lists(r, widened(r, r.listing())), Span: root.Span}
	}
	if root.Glob || root.Reach == tool.Prefix || root.Reach == tool.Anywhere && root.Made != nil { // it begins in one of several directories
		dir, ok := startsIn(r, root)
		if !ok {
			return Word{Span: root.Span}
		}
		found := Word{Text: dir, Reach: tool.Under, Visible: isVisible(widened(r, r.listing())), Taint: root.Taint | lists(r, widened(r, r.listing())), Span: root.Span}
		if found.Taint&^(Followed|Sifted) == 0 { // it lies further below there than where the search begins
			found.Taint |= FromListed
		}
		if r.dir.Reach == tool.Exact && !strings.HasPrefix(root.Text, "/") {
			found.Seen = value.Vantage(r.dir.Text)
		}
		return found
	}
	if root.Reach == tool.Exact {
		root.Reach = tool.Under
	}
	root.Visible = isVisible(widened(r, r.listing()))
	root.Taint |= lists(r, widened(r, r.listing()))
	return root
}

// startsIn is the directory that a search begins in or below, whichever of several places that is.
func startsIn(r *reader, root Word) (dir string, ok bool) {
	whole := root
	whole.Hollow = false
	e := r.path(tool.Read, whole)
	if e.Reach == tool.Anywhere {
		return "", false
	}
	dir = staticDir(e.Target)
	if less, other := Emptied(root, r.world); other {
		e = r.path(tool.Read, less)
		return dir, e.Reach != tool.Anywhere && paths.Within(staticDir(e.Target), dir)
	}
	return dir, true
}

// eitherOf is the pattern of what one of several matches that lie in the same directory, which stands in front of them.
func eitherOf(list []string) string {
	dir := list[0][:strings.LastIndexByte(paths.Fixed(list[0]), '/')+1]
	if slices.ContainsFunc(list, func(pattern string) bool { return !strings.HasPrefix(pattern, dir) }) {
		return value.AnyOf(list)
	}
	for i := range list {
		list[i] = list[i][len(dir):]
	}
	return dir + value.AnyOf(list)
}

// asRoot is a place that is searched, of which the last name is not known but for being a plain one, as a number is: a pattern
// of the names that it can be, or the directory that they are in if there may be no name.
func asRoot(w Word) Word {
	switch {
	case w.Reach == tool.Anywhere && w.Made == value.Number:
		w.Text, w.Glob = "[0-9]*", true
	case w.Reach != tool.Prefix || !w.Plain:
		return w
	case w.Hollow:
		w.Text, w.Glob = w.Text[:strings.LastIndexByte(w.Text, '/')+1]+".", false
	default:
		widen(&w)
	}
	return Word{Text: w.Text, Reach: tool.Exact, Glob: w.Glob, Taint: w.Taint, Seen: w.Seen, Span: w.Span}
}

func replaceFound(w, found Word) Word {
	if w.Text == "{}" && w.IsKnown() {
		found.Span = w.Span
		return found
	}
	// Part of a longer word, whose beginning may still say something.
	if at := place(w.Text); at > 0 {
		return Word{Text: w.Text[:at], Reach: tool.Prefix, Span: w.Span}
	}
	return Word{Span: w.Span}
}
