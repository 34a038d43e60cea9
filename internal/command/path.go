package command

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// PathEffect is the effect of the given kind on the path that a word names, as
// seen from the directory the invocation runs in.
func (inv *Invocation) PathEffect(kind tool.Kind, w Word, world *tool.World) tool.Effect {
	return pathEffect(kind, w, inv.Dir, world)
}

// Emptied is what a word names if what may be nothing in it is nothing, where that
// is something else to think of: "$X/" is "/" then, and "$X/home" is /home. What
// lies in no directory of the root is not there, and nobody can make it.
func Emptied(w Word, world *tool.World) (Word, bool) {
	text := w.IfEmpty
	if !w.Hollow || text == "" {
		return Word{}, false
	}
	glob := paths.Wild(text)
	if text[0] == '/' {
		top, _, _ := strings.Cut(clean(text)[1:], "/")
		if !glob && top != "" && !inRoot(top) && (world == nil || world.Exists == nil || !world.Exists("/"+top)) {
			return Word{}, false
		}
	}
	return Word{Text: text, Reach: tool.Exact, Glob: glob, Taint: w.Taint, Span: w.Span}, true
}

// inRoot says whether the root directory of some system has a directory of that name.
func inRoot(name string) bool {
	return hasWord("Applications Library System Users Volumes bin boot data dev etc home lib lib64 media mnt nix opt private proc root run sbin snap srv sys tmp usr var", name)
}

func pathEffect(kind tool.Kind, w, dir Word, world *tool.World) tool.Effect {
	e := tool.Effect{Kind: kind, Span: w.Span}
	if world != nil && world.Windows && !w.Glob {
		text, ok := paths.FromWindows(w.Text)
		if w.Text = text; !ok {
			return e
		}
	}
	if w.Reach == tool.Anywhere && w.Made == value.Number {
		w = Word{Text: "[0-9]*", Reach: tool.Exact, Glob: true, Span: w.Span}
	}
	w = w.SeenFrom(dir)
	if less, other := Emptied(w, world); other && leavesHere(kind, less.Text) || leadsAnywhere(kind, &w) {
		return e
	}
	widen(&w)
	abs, reach := join(dir, w.Text, w.Glob, world)
	if reach == tool.Anywhere || isBehindStream(abs) {
		return e
	}
	e.Target, e.Pattern = abs, w.Glob
	e.Reach = min(reach, tool.Exact)
	if w.Reach == tool.Under || reach == tool.Under {
		// Below a known directory; a pattern tells no more than that.
		if w.Glob {
			e.Target, e.Pattern = staticDir(abs), false
		}
		e.Reach = tool.Under
	}
	if e.Reach == tool.Under && strings.HasSuffix(w.Text, "/") && !e.Pattern && isLink(world, e.Target) {
		e.Target = Follow(e.Target, world) // what is below it is there
	}
	return e
}

// leavesHere says whether it matters that a path is another one if a part of it is nothing: it
// leads away from where the command runs, or to something else that is read there.
func leavesHere(kind tool.Kind, text string) bool {
	return kind == tool.Read || text[0] == '/' || paths.Climbs(text)
}

// leadsAnywhere says whether a part of a path that is not known may hold "..", or is
// chosen by whoever types.
func leadsAnywhere(kind tool.Kind, w *Word) bool {
	if w.Reach == tool.Anywhere || w.Taint&Typed != 0 && kind != tool.Read {
		return true
	}
	return w.Reach == tool.Prefix && !w.Plain && !w.Glob
}

// widen makes a pattern of a path whose beginning is known and of whose rest is known what
// kind of name it is, or how it ends.
func widen(w *Word) {
	switch {
	case w.Reach == tool.Prefix:
		// The rest is a plain name, which is what a star matches.
		if !w.Glob {
			w.Text = paths.Escape(w.Text)
		}
		w.Text, w.Glob = w.Text+"*"+paths.Escape(plainTail(w.Tail)), true
	case w.Reach == tool.Under && !w.Glob && isDeepTail(w.Tail):
		_, last, _ := strings.Cut(w.Tail, "/")
		w.Text = paths.Escape(strings.TrimSuffix(w.Text, "/")) + "/**/" + paths.Escape(strings.TrimLeft(last, "/"))
		w.Glob, w.Reach = true, tool.Exact
	}
}

// isDeepTail says whether the end of a path is one or more names.
func isDeepTail(tail string) bool {
	return strings.Contains(strings.TrimSuffix(tail, "/"), "/") && !paths.Climbs(tail)
}

// isCertain says whether an effect is on one path that is known.
func isCertain(e tool.Effect) bool { return e.Reach == tool.Exact && !e.Pattern }

// plainTail is the end of a name, if it is nothing else.
func plainTail(tail string) string {
	if strings.IndexByte(tail, '/') >= 0 {
		return ""
	}
	return tail
}

// join resolves a path against the directory it is used in.
func join(dir Word, text string, pattern bool, world *tool.World) (string, tool.Reach) {
	if pattern && wildAbove(text) {
		return "", tool.Anywhere // which of the names is a link is not known
	}
	if strings.HasPrefix(text, "/") {
		return ascend(text, world), tool.Exact
	}
	base := dir.Text
	switch dir.Reach {
	case tool.Exact, tool.Under:
	default:
		return "", tool.Anywhere
	}
	if dir.Reach == tool.Under && (paths.Climbs(text) || pattern && paths.GlobClimbs(text)) {
		return "", tool.Anywhere
	}
	if pattern {
		base = paths.Escape(base)
	}
	return ascend(base+"/"+text, world), dir.Reach
}

// wildAbove says whether ".." stands behind a name with wildcards, or in front of one among alternatives.
func wildAbove(pattern string) bool {
	i := strings.LastIndex(pattern, "/..")
	return i > 0 && (i+3 == len(pattern) || pattern[i+3] == '/') && (paths.Wild(pattern[:i]) || paths.HasGroups(pattern[:i]))
}

// ascend makes a path short as the kernel reads it: ".." leads out of the directory
// that a link points at, not out of the one that the link lies in.
func ascend(p string, w *tool.World) string {
	if w == nil || w.Readlink == nil || !strings.Contains(p, "..") || len(p) > 4096 {
		return clean(p)
	}
	done, real := "", true
	for name := range strings.SplitSeq(p, "/") {
		switch name {
		case "", ".":
		case "..":
			if !real {
				done, real = Follow(done, w), true
			}
			done = done[:max(strings.LastIndexByte(done, '/'), 0)]
		default:
			done, real = done+"/"+name, false
		}
	}
	return clean(done)
}

// Follow replaces the links on the way to an absolute path and at its end, except
// those above the project and the home directory, which are another name for all of
// it.
func Follow(p string, w *tool.World) string {
	real := w.Follow(p)
	if real == p {
		return p
	}
	for _, top := range [...]string{w.Project, w.Home} {
		if above := w.Follow(top); top != "" && paths.Within(real, above) {
			return clean(top + real[len(above):])
		}
	}
	return real
}

// clean is a path from the root without empty names and dots.
func clean(p string) string { return paths.Clean("/", p) }

// staticDir is the longest leading directory of a pattern without wildcards.
func staticDir(pattern string) string {
	if paths.Literal(pattern) && paths.Fixed(pattern) == pattern {
		return pattern
	}
	return clean(paths.GlobDir(pattern))
}

// isPathText says whether a text is written as only a path is.
func isPathText(text string) bool { return hasWord(". ..", text) || beginsWith("./ ../ /", text) }

// namesStream says whether a word surely names such a stream.
func namesStream(w Word) bool { return w.IsKnown() && isStream(w.Text) }

// namesNothing says whether a word surely names no file.
func namesNothing(w Word) bool { return w.IsKnown() && (w.Text == "" || isStream(w.Text)) }

// isBehindStream says whether a path lies in a directory that is open as a stream, which may be any.
func isBehindStream(p string) bool {
	_, rest, ok := strings.Cut(p, "/fd/")
	return ok && strings.IndexByte(rest, '/') >= 0 && beginsWith("/dev/fd/ /proc/", p)
}

// isStream says whether a path names a stream that every program has, or a
// device that swallows or makes bytes: no file is touched.
func isStream(p string) bool {
	switch p {
	case "-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/full":
		return true
	}
	rest, ok := strings.CutPrefix(p, "/dev/fd/")
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}
