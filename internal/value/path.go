package value

import (
	"cmp"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// PlainText reports whether a text is a plain word, as [Word.Plain] has it.
func PlainText(s string) bool {
	if s == "" || s[0] == '-' || s == "." || s == ".." {
		return false
	}
	return PlainPart(s)
}

// PlainPart reports whether a text can be part of a plain word.
func PlainPart(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isNameByte(c) && c < 0x80 && strings.IndexByte(".,:+-@%=^", c) < 0 {
			return false
		}
	}
	return true
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// HasScheme reports whether a text is an address rather than a path.
func HasScheme(s string) bool { return strings.Contains(s, "://") }

// dirOf returns a directory that a word names something in.
func dirOf(w Word) (string, bool) {
	switch {
	case w.Text == "" && w.Reach == tool.Anywhere && w.Plain:
		return ".", true
	case !namesPath(w.Text):
		return "", false
	case w.Reach == tool.Under:
		return w.Text, true
	case w.Glob && w.Reach == tool.Exact:
		return paths.GlobDir(w.Text), !paths.GlobClimbs(w.Text)
	case w.Reach == tool.Exact, w.Reach == tool.Prefix && w.Plain:
		return paths.Parent(w.Text), true
	}
	return "", false
}

// namesPath says whether a text begins a path that does not climb: not a flag, a home
// directory or an address.
func namesPath(s string) bool {
	return s != "" && s[0] != '-' && s[0] != '~' && !paths.Climbs(s) && !HasScheme(s)
}

// commonDir finds a directory that both words lie in, when both are relative
// paths that do not climb, or both lie below the same known one.
func commonDir(a, b Word) (string, bool) {
	x, ok := dirOf(a)
	if !ok {
		return "", false
	}
	y, ok := dirOf(b)
	if !ok || x[0] == '/' != (y[0] == '/') {
		return "", false
	}
	relative := x[0] != '/'
	x, y = paths.Clean("/", x), paths.Clean("/", y)
	for !paths.Within(y, x) {
		x = paths.Parent(x)
	}
	if relative {
		x = cmp.Or(x[1:], ".")
	}
	return x, true
}

// Enter returns the directory that cd reaches with the given word.
func Enter(dir, to Word) Word {
	to = to.SeenFrom(dir)
	absolute := strings.HasPrefix(to.Text, "/")
	switch {
	case !absolute && dir.Reach < tool.Under:
		return Word{Taint: to.Taint}
	case to.IsKnown():
		return enterKnown(dir, to.Text)
	case absolute:
		return enterBelow("/", to)
	}
	return enterBelow(dir.Text, to)
}

// enterKnown is the directory that cd reaches with a text.
func enterKnown(dir Word, to string) Word {
	switch {
	case to == "":
		return dir
	case to[0] == '/', dir.Reach != tool.Under:
		return Word{Text: paths.Clean(dir.Text, to), Reach: tool.Exact}
	case paths.Climbs(to):
		return Word{}
	}
	return Word{Text: dir.Text, Reach: tool.Under}
}

// enterBelow is the directory that cd reaches from base with a word of which only something is
// known.
func enterBelow(base string, to Word) Word {
	switch {
	case paths.Climbs(to.Text), to.Glob && paths.GlobClimbs(to.Text):
	case to.Reach == tool.Exact: // a pattern
		return Word{Text: paths.Clean(base, paths.GlobDir(to.Text)), Reach: tool.Under}
	case to.Reach == tool.Under:
		return Word{Text: paths.Clean(base, to.Text), Reach: tool.Under, Taint: to.Taint}
	case to.Plain && to.Text == "":
		return Word{Text: base, Reach: tool.Under, Taint: to.Taint}
	case to.Plain && to.Reach == tool.Prefix:
		return Word{Text: paths.Clean(base, paths.Parent(to.Text)), Reach: tool.Under, Taint: to.Taint}
	}
	return Word{Taint: to.Taint}
}
