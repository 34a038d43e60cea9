package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// into is the place that the other operands go to. Unless it is known to be a
// directory it counts as that and as a file.
func (r *reader) into(w Word, operand bool) {
	if operand && r.fromTemplate(w) {
		r.pathUse(tool.Create, w, operand)
		return
	}
	r.inv.Puts = !r.scope.spares
	directory := r.isDirectory(w) || !operand && w.IsKnown() // a flag names nothing else
	switch {
	case !directory || len(r.oper) == 0:
		r.pathUse(tool.Write, w, operand)
	case operand && mayBecome(r, w):
		r.touched(tool.Create, w, operand, true)
	}
	if dir, ok := asDirectory(w); ok {
		r.intoDirectory(dir, w, operand)
	} else if slices.ContainsFunc(r.oper, isNothing) {
		r.pathUse(tool.Delete, w, operand)
	}
}

// mayBecome says whether a place that is spelled as a directory may become one: what is moved or copied as a tree is put there under that
// name if nothing is there. Several things go into a directory, and a file into nothing else.
func mayBecome(r *reader, w Word) bool {
	if !strings.HasSuffix(w.Text, "/") || r.world.Exists == nil || r.exists(r.path(tool.Read, w).Target+"/.") {
		return false
	}
	if !r.scope.tree && !slices.ContainsFunc(r.inv.Effects, func(e tool.Effect) bool { return e.Manner == tool.Moved }) {
		return false
	}
	sources := slices.DeleteFunc(slices.Clone(r.oper), func(source Word) bool { return isSame(source, w) })
	return len(sources) == 1 && !(sources[0].IsKnown() && r.isFile(r.path(tool.Read, sources[0]).Target))
}

// maxInto bounds the effects of a command beyond which it is not told by names what goes into each of several directories. Of many patterns
// each may be the last word.
const maxInto = 256

// intoDirectory is the place that w names, if it is a directory that the operands go to.
func (r *reader) intoDirectory(dir, w Word, operand bool) {
	for _, source := range alsoEmptied(r.oper, r.world) {
		if w.Glob && len(r.inv.Effects) > maxInto {
			dir.Text += "/**" // whatever the others are called
			r.pathUse(tool.Write, dir, operand)
			return
		}
		switch {
		case isSame(source, w) && !w.Glob: // others that a pattern matches go into the last
		case isNothing(source):
			r.inManner(tool.Cleared, func() { r.pathUse(tool.Delete, w, operand) }) // nothing is put in place of what was there
		case r.scope.keeps:
			n := len(r.inv.Effects)
			r.pathUse(tool.Write, r.keptBelow(dir, source), operand)
			for i := n; i < len(r.inv.Effects); i++ { // whatever the directories are called
				r.inv.Effects[i].Tree = r.inv.Effects[i].Reach != tool.Exact
			}
		default:
			r.pathUse(tool.Write, below(dir, source, "/"), operand)
		}
	}
}

// isNothing says whether a word is the file that holds nothing.
func isNothing(w Word) bool { return w.IsKnown() && w.Text == "/dev/null" }

// keptBelow is where a source goes in a directory if it keeps all of its path there.
func (s *surroundings) keptBelow(dir, source Word) Word {
	switch {
	case s.mayClimb(source):
		return Word{Span: source.Span}
	case source.Reach != tool.Exact:
		dir.Reach = tool.Under
		return dir
	}
	switch {
	case source.Glob && !dir.Glob:
		dir.Text, dir.Glob = paths.Escape(dir.Text), true
	case dir.Glob && !source.Glob:
		source.Text = paths.Escape(source.Text)
	}
	dir.Text += "/" + source.Text
	return dir
}

// mayClimb says whether a name of which not all is known may begin with the parent directory:
// those of files below the working directory are seen from there.
func (s *surroundings) mayClimb(w Word) bool {
	// others: nothing is known of how they begin, or what follows.
	switch w.Reach {
	case tool.Exact:
		return w.Glob && paths.GlobClimbs(w.Text)
	case tool.Under:
		return s.dir.Reach != tool.Exact || !paths.Within(s.path(tool.Read, w).Target, s.dir.Text)
	}
	return true
}

// asDirectory is a word as the directory that it may be, unless it is none or may be
// anywhere.
func asDirectory(w Word) (dir Word, ok bool) {
	if w.Reach == tool.Anywhere || w.Glob && w.Reach != tool.Exact || namesStream(w) {
		return w, false
	}
	if w.Reach == tool.Prefix {
		ok = w.Plain
		w.Text, w.Reach, w.Glob = paths.Escape(w.Text)+"*", tool.Exact, true
		return w, ok
	}
	return w, true
}

// isSame says whether two words are the same one of a script.
func isSame(a, b Word) bool { return a.Span == b.Span && a.Text == b.Text }

// below is where a source goes in a directory: its last name, which stands behind
// one of the separators.
func below(dir, source Word, separators string) Word {
	name := strings.TrimRight(source.Text, "/")
	name, sure := name[strings.LastIndexAny(name, separators)+1:], true
	if source.Glob {
		name, sure = paths.GlobBase(source.Text)
	}
	switch {
	case source.Reach != tool.Exact || !sure || name == "" || name == "." || name == "..":
		if dir.Glob && dir.Reach == tool.Exact {
			dir.Text += "/**" // below each that the pattern matches, and not below where it begins
		} else {
			dir.Reach = tool.Under
		}
	case dir.Glob && !source.Glob:
		dir.Text += "/" + paths.Escape(name)
	case source.Glob && !dir.Glob:
		dir.Text, dir.Glob = paths.Escape(dir.Text)+"/"+name, true
	default:
		dir.Text += "/" + name
	}
	return dir
}

// destination is where things are put: the last of several operands, or where a flag says.
func (l *commandLine) destination() Word {
	for i := len(l.given) - 1; i >= 0; i-- {
		if g := &l.given[i]; g.flag != nil && len(g.values) == 1 && g.flag.isOnly("into") {
			return g.values[0]
		}
	}
	if len(l.oper) > 1 {
		return l.oper[len(l.oper)-1]
	}
	return Word{}
}

// isOnly says whether a flag has one value, with one use.
func (f *Flag) isOnly(use string) bool {
	return len(f.Values) == 1 && len(f.Values[0]) == 1 && f.Values[0][0].Name == use
}

// isDirectory says whether a word surely names a directory: by its spelling, or
// because there is one.
func (s *surroundings) isDirectory(w Word) bool {
	switch text := w.Text; {
	case !w.IsKnown():
		return false
	case strings.HasSuffix(text, "/"), text == ".", text == "..", strings.HasSuffix(text, "/."), strings.HasSuffix(text, "/.."):
		return true
	}
	e := s.path(tool.Read, w)
	return e.Reach == tool.Exact && s.exists(e.Target+"/.")
}
