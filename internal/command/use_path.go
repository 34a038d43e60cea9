package command

import (
	"path"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// inManner gives the effects that do adds a manner.
func (f *findings) inManner(m tool.Manner, do func()) {
	n := len(f.inv.Effects)
	do()
	for i := n; i < len(f.inv.Effects); i++ {
		f.inv.Effects[i].Manner = m
	}
}

// move takes a thing from where it is; it may be a tree.
func (r *reader) move(w Word, operand bool) {
	r.inManner(tool.Moved, func() { r.taken(w, operand) })
}

func (r *reader) taken(w Word, operand bool) {
	r.pathUse(tool.Read, w, operand)
	if less, ok := r.emptied(tool.Write, w); ok && w.Reach == tool.Exact {
		carries(r, less)
	}
	if !isStream(w.Text) {
		carries(r, w)
	}
}

// carries takes what a word names away, with all below it.
func carries(r *reader, w Word) {
	e := r.path(tool.Write, w)
	e.Tree = true
	r.effect(e)
	if r.leaves(e) {
		e.Kind = tool.Delete
		r.effect(e)
	}
	if endsInSlash(w) {
		r.enters(e)
	}
}

// treeUse is an effect on what a word names and on everything below it.
func (d *deeds) treeUse(kind tool.Kind, w Word) {
	if e := d.path(kind, w); !isStream(w.Text) {
		e.Tree = true
		d.effect(e)
		d.placed(kind, w)
		if kind == tool.Delete { // what is in a directory
			d.enters(e)
		}
	}
}

// pathUse is an effect on the path a word names. What is written there is put there,
// and may be a directory.
func (r *reader) pathUse(kind tool.Kind, w Word, operand bool) {
	r.touched(kind, w, operand, kind == tool.Write)
}

func (r *reader) touched(kind tool.Kind, w Word, operand, put bool) {
	if namesNothing(w) {
		r.readsDevice(kind, w, operand)
		return
	}
	if less, ok := r.emptied(kind, w); ok {
		r.touched(kind, less, operand, put)
		w.Hollow = false // that is done
	}
	if put && !operand && mayExpand(w) {
		r.effect(tool.Effect{Kind: kind, Span: w.Span, Put: true})
	}
	r.placed(kind, w)
	e := r.path(kind, w)
	e.Put = put
	r.noteListed(e, w)
	if operand {
		e.Tree = r.scope.tree
		e = r.limited(e)
	}
	r.effect(e)
	if kind == tool.Delete && (endsInSlash(w) || r.inv.Follows) {
		r.enters(e)
	}
	if from := w.Taint & (FromGit | FromHidden); from != 0 {
		r.sweeps(e, from)
	}
}

// endsInSlash says whether a path ends so that a link at its end is followed.
func endsInSlash(w Word) bool {
	end := w.Text
	if w.Reach != tool.Exact {
		end = w.Tail
	}
	return strings.HasSuffix(end, "/") || strings.HasSuffix(end, "/.")
}

// enters adds the effect on what is in a directory that a link may lead to.
func (d *deeds) enters(e tool.Effect) {
	if !e.Tree || e.Reach != tool.Exact || !e.Pattern && !isLink(d.world, e.Target) {
		return
	}
	if !e.Pattern {
		e.Target, e.Pattern = paths.Escape(e.Target), true
	}
	e.Target += "/*"
	d.effect(e)
}

// isLink says whether there is a link at a path.
func isLink(w *tool.World, path string) bool {
	if w.Readlink == nil {
		return false
	}
	_, err := w.Readlink(path)
	return err == nil
}

// noteListed remembers a read of files that a list names, if those of secrets may be among them, whatever they are like.
func (s *scope) noteListed(e tool.Effect, w Word) {
	if e.Kind == tool.Read && e.Reach == tool.Under && !w.Visible && !w.Found && w.Taint&FromListed == 0 {
		s.listed = true
	}
}

// readsDevice notes that a device without end is read.
func (r *reader) readsDevice(kind tool.Kind, w Word, operand bool) {
	if kind == tool.Read && EndlessDevice(w.Text) && (operand || r.level().Grammar == KeyVal) {
		r.scope.volume.device = true
	}
}

// emptied is what a word names if a part of it is empty, where that matters: see [Emptied].
func (s *surroundings) emptied(kind tool.Kind, w Word) (Word, bool) {
	if w.Reach == tool.Anywhere && kind != tool.Delete && kind != tool.Write {
		return Word{}, false
	}
	return Emptied(w, s.world)
}

// mayExpand says whether the shell has left a word as it is that the program may expand:
// to anything.
func mayExpand(w Word) bool {
	return w.IsKnown() && (w.Text[0] == '~' || strings.IndexByte(w.Text, '$') >= 0)
}

// placed remembers a word that names a file, and where something is put.
func (f *findings) placed(kind tool.Kind, w Word) {
	f.named(w)
	if makes(kind) {
		f.landsAt(w)
	}
}

// limited is an effect of a search: one that is limited to names touches only files of
// those names.
func (r *reader) limited(e tool.Effect) tool.Effect {
	names := r.touches()
	if len(names) == 0 || e.Reach == tool.Anywhere || e.Kind == tool.Read {
		return e
	}
	if !e.Pattern {
		e.Target = paths.Escape(e.Target)
	}
	e.Target, e.Pattern, e.Reach, e.Tree = clean(e.Target+"/"+value.AnyOf(r.finds(names))), true, tool.Exact, false
	return e
}

// makes is the effect of making files of a program's own in a directory and below it.
func (s *surroundings) makes(kind tool.Kind, w Word) (tool.Effect, bool) {
	if w.IsKnown() && (w.Text == "" || isStream(w.Text) || strings.Contains(w.Text, "://")) {
		return tool.Effect{}, false
	}
	e := s.path(kind, w)
	e.Tree, e.Put = true, true
	return e, true
}

// linkTarget is what a link points at: what is done through the link is done to it. A
// symbolic link is seen from the directory that it lies in.
func (r *reader) linkTarget(w Word, operand bool) {
	before, symbolic := r.dir, r.scope.symbolic
	r.links(w, symbolic)
	if n := len(r.oper); n == 2 && symbolic {
		if link := r.path(tool.Write, r.oper[1]); isCertain(link) {
			if !r.isDirectory(r.oper[1]) {
				link.Target = path.Dir(link.Target)
			}
			r.dir = Word{Text: link.Target, Reach: tool.Exact, Span: w.Span}
		}
	}
	r.inManner(tool.Linked, func() {
		r.pathUse(tool.Read, w, operand)
		r.touched(tool.Write, w, operand, false)
	})
	r.dir = before
}

// links notes the links to a target: at the last operand, or below it if that is a
// directory, and without one in the working directory.
func (r *reader) links(w Word, symbolic bool) {
	n := len(r.oper)
	if w.Glob && paths.GlobClimbs(w.Text) {
		r.gap("the link may lead to the parent directory", w.Span)
	}
	if r.dir.Reach != tool.Exact || n == 0 {
		return
	}
	place := tool.Effect{Target: r.dir.Text, Reach: tool.Exact}
	if n > 1 {
		at := r.oper[n-1]
		at.Hollow = false // what is not known may be anything
		if place = r.path(tool.Write, at); place.Reach == tool.Anywhere {
			return
		}
	}
	link := func(from string, pattern bool) {
		l := Link{From: from, Pattern: pattern}
		seen := r.dir.Text
		if symbolic {
			seen = path.Dir(from)
		}
		l.To, l.Vague = leadsTo(w, seen, symbolic && pattern)
		r.inv.Links = append(r.inv.Links, l)
		if real := Follow(seen, r.world); symbolic && !pattern && real != seen { // the link lies behind another one
			l.To, l.Vague = leadsTo(w, real, false)
			r.inv.Links = append(r.inv.Links, l)
		}
	}
	if n == 2 && place.Reach == tool.Exact {
		link(place.Target, place.Pattern)
	}
	base := path.Base(w.Text)
	switch {
	case !w.IsKnown() && n == 2 && isCertain(place) && !r.isDirectory(r.oper[1]): // it has that name
	case !w.IsKnown():
		link(patternBelow(place, "*"), true)
	case hasWord(". .. /", base):
	case isCertain(place):
		link(at(place.Target, base), false)
	default:
		link(patternBelow(place, paths.Escape(base)), true)
	}
}

// patternBelow is a pattern of what has a name in a place that is not known exactly.
func patternBelow(place tool.Effect, name string) string {
	dir := place.Target
	if !place.Pattern {
		dir = paths.Escape(dir)
	}
	if place.Reach == tool.Under {
		dir += "/**"
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}

// Somewhere is what a link leads to that may lead anywhere.
const Somewhere = "?"

// leadsTo is where a link leads that holds a word, seen from a directory, and whether to something below that. Of the directory
// only a pattern may be known.
func leadsTo(w Word, seen string, pattern bool) (to string, vague bool) {
	if pattern && !strings.HasPrefix(w.Text, "/") {
		return Somewhere, false
	}
	if w.IsKnown() {
		return at(seen, w.Text), false
	}
	w = w.SeenFrom(Word{Text: seen, Reach: tool.Exact})
	switch {
	case w.Glob && w.Reach == tool.Exact:
		return at(seen, paths.GlobDir(w.Text)), true
	case w.Reach == tool.Under && !w.Glob:
		return at(seen, w.Text), true
	}
	return Somewhere, false
}

// at is a path as it is seen from a directory.
func at(dir, path string) string {
	if strings.HasPrefix(path, "/") {
		return clean(path)
	}
	return clean(dir + "/" + path)
}

// lock is a file that is made where there is none, to hold a lock on; a number is
// that of an open file.
func (r *reader) lock(w Word) {
	if w.IsKnown() && strings.Trim(w.Text, "0123456789") == "" || r.isDirectory(w) {
		r.named(w)
		return
	}
	r.pathUse(tool.Create, w, false)
}

// tempDir is a directory in which the program puts temporary files of its own:
// what is there already stays as it is.
func (d *deeds) tempDir(w Word) {
	d.named(w)
	if w.IsKnown() {
		w.Text, w.Glob, w.At = paths.Escape(strings.TrimRight(w.Text, "/"))+"/"+d.inv.Name+"*", true, 0
	}
	d.effect(d.path(tool.Create, w))
}

// fromTemplate says whether the destination w is a file that is not there yet, or would stay as it is, and gets
// what the project ships to begin it with: cp .env.example .env.
func (r *reader) fromTemplate(w Word) bool {
	if len(r.oper) != 2 || !w.IsKnown() || r.world.Exists == nil {
		return false
	}
	to, from := r.path(tool.Create, w), r.path(tool.Read, r.oper[0])
	if !r.isFileHere(to) || !r.isFileHere(from) {
		return false
	}
	return isTemplate(path.Base(from.Target), path.Base(to.Target)) && r.world.Exists(from.Target) &&
		(!r.world.Exists(to.Target) || r.scope.spares && r.leavesOthers() && r.isFile(to.Target))
}

// leavesOthers says whether a program is told, and by no other flag told otherwise, to leave what is in the place of a copy.
func (l *commandLine) leavesOthers() bool {
	return l.anyGiven(true, "-n", "--no-clobber") && !hasFlagsBut(l.given, "-n --no-clobber -v --verbose -p -a --archive")
}

// isFileHere says whether an effect is on one file that is known, in the project.
func (s *surroundings) isFileHere(e tool.Effect) bool {
	return isCertain(e) && s.inProject(e)
}

// isTemplate says whether a file is named after the one that it is a template of.
func isTemplate(template, of string) bool {
	ext := path.Ext(template)
	name := strings.TrimSuffix(template, ext)
	return name != "" && (of == name || strings.HasPrefix(of, name+".")) && hasWord("example sample template dist tmpl defaults", strings.TrimPrefix(ext, "."))
}

// letters is how many letters and digits a text has.
func letters(text string) (n int) {
	for i := range len(text) {
		if c := text[i] | 0x20; c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// leaves says whether what is moved is lost where it was: it goes where nothing is
// kept, or out of the project, where nobody minds what happens to it (rm -rf /tmp/x).
func (r *reader) leaves(moved tool.Effect) bool {
	to := r.destination()
	if to.Text == "" || to.Reach == tool.Anywhere {
		return false // a write to somewhere unknown says it all
	}
	if namesStream(to) {
		return true
	}
	return paths.Within(moved.Target, r.world.Project) && !paths.Within(r.path(tool.Write, to).Target, r.world.Project)
}

// includes is a pattern of the names that a search reads. Whoever asks for
// ".env" by name reads it, unlike a search that comes across it.
func (d *deeds) includes(w Word) {
	if w.Reach != tool.Exact || strings.HasPrefix(w.Text, "!") {
		return
	}
	for _, text := range unbraced(w.Text) {
		if name := text[strings.LastIndexByte(text, '/')+1:]; strings.Trim(name, "*?.") == "" && !strings.HasPrefix(name, ".") {
			continue // it limits nothing
		}
		d.effect(d.path(tool.Read, namedAnywhere(text, w.Span)))
	}
}

// namedAnywhere is whatever is called by a name, at any level.
func namedAnywhere(name string, span tool.Span) Word {
	return Word{Text: "./**/" + strings.TrimLeft(name, "/"), Reach: tool.Exact, Glob: true, Span: span}
}

// unbraced is what a pattern with one pair of braces stands for, or the pattern itself.
func unbraced(text string) (list []string) {
	head, rest, braces := strings.Cut(text, "{")
	inner, tail, closed := strings.Cut(rest, "}")
	if !braces || !closed {
		return []string{text}
	}
	for part := range strings.SplitSeq(inner, ",") {
		list = append(list, head+part+tail)
	}
	return list
}

// keyed says of the file that a word names, and that is written, that it is a private key.
func keyed(r *reader, w Word) {
	at := r.path(tool.Write, w).Target
	for i := range r.inv.Effects {
		if e := &r.inv.Effects[i]; (e.Kind == tool.Create || e.Kind == tool.Write) && e.Target == at && e.Manner == 0 {
			e.Manner = tool.Keyed
		}
	}
}
