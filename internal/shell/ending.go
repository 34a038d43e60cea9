package shell

import (
	"path"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// trimmed says what is left of a value that is not wholly known.
func trimmed(w, pattern command.Word, suffix, longest bool) command.Word {
	out := command.Word{Taint: w.Taint, Hollow: true} // nothing may be left
	if !w.Glob && w.Reach != tool.Under {
		out.Plain = w.IsPlain() && suffix
		return out
	}
	switch {
	case paths.Climbs(w.Text), w.Glob && !suffix && paths.GlobClimbs(w.Text):
	case suffix:
		return withoutEnding(w, pattern, longest)
	case !longest && pattern.IsKnown() && strings.HasSuffix(pattern.Text, "/"):
		if rest, ok := belowDir(w, pattern.Text); ok {
			out.Text, out.Reach, out.Glob, out.Hollow = rest, tool.Exact, true, false
		}
	case longest && pattern.IsKnown() && pattern.Text == "*/":
		if name, ok := lastOf(w); ok {
			out.Text, out.Reach, out.Glob, out.Hollow = name, tool.Exact, true, false
			return out
		}
		out.Text, out.Reach = ".", tool.Under
		out.Hollow = mayBeEmpty(w) || !w.Glob || strings.HasSuffix(w.Text, "/") // else a name is left
	}
	return out
}

// belowDir is the pattern of what a pattern matches without a directory that it begins with.
func belowDir(w command.Word, dir string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(w.Text, dir)
	ok = ok && w.Glob && w.Seen == "" && !mayBeEmpty(w) && isPlainPattern(w.Text) && paths.Literal(dir)
	return rest, ok && rest != "" && rest[0] != '.' && rest[0] != '/'
}

// lastOf is the pattern of the last names of what a pattern matches, if nothing in it can stand for a slash or for a parent directory.
func lastOf(w command.Word) (name string, ok bool) {
	name = w.Text[strings.LastIndexByte(w.Text, '/')+1:]
	ok = w.Glob && !mayBeEmpty(w) && name != "" && name[0] != '.' && !strings.Contains(name, "**") && strings.IndexByte(name, '*') >= 0
	return name, ok && isPlainPattern(w.Text)
}

// isPlainPattern says whether a pattern has no other wildcards than stars and question marks.
func isPlainPattern(text string) bool { return !strings.ContainsAny(text, "[](){}|<>^#~!@+\\") }

// withoutEnding is what is left of a pattern, or of a path below a directory, without its end. A wildcard in what is taken away matches
// slashes as well.
func withoutEnding(w, pattern command.Word, longest bool) command.Word {
	out := command.Word{Taint: w.Taint, Hollow: true, Seen: w.Seen}
	p := pattern.Text
	literal := paths.Literal(p) && strings.IndexByte(p, '/') < 0
	switch {
	case !pattern.IsKnown():
		return beginningOf(w)
	case !w.Glob && (literal || w.Seen == "" && cutsBehind(w.Text+"/", p)): // a path that is seen from a directory may lead through others
		out.Text, out.Reach = paths.Parent(w.Text), tool.Under
		return out
	case !w.Glob:
		return beginningOf(w)
	case literal || p == "/":
		return withoutText(w, p)
	case p == "/*" && !longest:
		out.Text, out.Reach = paths.GlobDir(w.Text), tool.Under
	case strings.HasSuffix(w.Text, "/"): // with it, a link is followed, and it may stay
		out.Seen = ""
	case !longest && endsBefore(w.Text, p) >= 0:
		out.Text, out.Reach, out.Glob = w.Text[:endsBefore(w.Text, p)], tool.Exact, true
	case w.Seen == "" && !hasHidden(w.Text) && cutsBehind(w.Text, p):
		out.Text, out.Reach = paths.GlobDir(w.Text), tool.Under
	default:
		return beginningOf(w)
	}
	return out
}

// withoutText is what is left of a pattern without an end that is a slash, or part of a name.
func withoutText(w command.Word, end string) command.Word {
	out := command.Word{Taint: w.Taint, Hollow: true, Seen: w.Seen}
	slash := strings.HasSuffix(w.Text, "/")
	switch {
	case end == "/" && slash && !strings.HasSuffix(w.Text, "//") && !strings.HasSuffix(w.Text, `\/`):
		out.Text, out.Reach, out.Glob, out.Hollow = strings.TrimSuffix(w.Text, "/"), tool.Exact, true, false
	case end == "" || end != "/" && slash || end == "/" && !slash && !strings.Contains(w.Text, "**"):
		return w // which ends otherwise
	case end != "/" && strings.HasSuffix(w.Text, "*"+end):
		out.Text, out.Reach, out.Glob = strings.TrimSuffix(w.Text, end), tool.Exact, true
	case end != "/" && !paths.CanBeParent(path.Base(w.Text)):
		out.Text, out.Reach = paths.GlobDir(w.Text), tool.Under
	default:
		return beginningOf(w)
	}
	return out
}

// cutsBehind says whether all that a pattern may take away from the end of what another matches begins behind the directory of that: it
// begins with a letter that the directory does not have.
func cutsBehind(text, pattern string) bool {
	fixed := paths.Fixed(text)
	return pattern != "" && isWordChar(pattern[0]) && strings.IndexByte(fixed[:strings.LastIndexByte(fixed, '/')+1], pattern[0]) < 0
}

// endsBefore is where the end begins that a pattern as .* takes away, if a pattern has that letter behind its last wildcard; else -1.
func endsBefore(text, pattern string) int {
	if len(pattern) != 2 || pattern[1] != '*' || !isWordChar(pattern[0]) {
		return -1
	}
	end := paths.FixedEnd(text)
	if at := strings.LastIndexByte(end, pattern[0]); at >= 0 && strings.IndexByte(end, '/') < 0 {
		return len(text) - len(end) + at
	}
	return -1
}

// isWordChar says whether a character stands for itself in every pattern.
func isWordChar(c byte) bool {
	return c == '.' || c == '-' || c == '_' || c == ',' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// beginningOf is any beginning of a relative path that leads nowhere else, which lies below the same directory. It is nothing that is known
// of others.
func beginningOf(w command.Word) command.Word {
	out := command.Word{Taint: w.Taint, Hollow: true, Seen: w.Seen}
	if w.Text != "" && w.Text[0] != '/' && w.Text[0] != '~' && !hasHidden(w.Text) {
		out.Text, out.Reach = ".", tool.Under
	}
	return out
}

// hasHidden says whether a name in a pattern may begin with two dots.
func hasHidden(text string) bool {
	for name := range strings.SplitSeq(text, "/") {
		if strings.HasPrefix(name, "..") || name != "." && strings.HasPrefix(name, ".") && paths.Wild(name) || strings.ContainsAny(name, "[(\\{") {
			return true
		}
	}
	return false
}
