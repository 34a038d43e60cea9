package value

import (
	"strings"

	"longline/internal/tool"
)

// Clean resolves a path against a directory by its text alone.
func Clean(dir, path string) string {
	if !strings.HasPrefix(path, "/") {
		path = dir + "/" + path
	}
	if isClean(path) {
		return path
	}
	out := make([]byte, 0, len(path))
	for path != "" {
		part, rest, _ := strings.Cut(path, "/")
		path = rest
		switch part {
		case "", ".":
		case "..":
			i := len(out) - 1
			for i > 0 && out[i] != '/' {
				i--
			}
			out = out[:max(i, 0)]
		default:
			out = append(append(out, '/'), part...)
		}
	}
	if len(out) == 0 {
		return "/"
	}
	return string(out)
}

func isClean(path string) bool {
	if path == "/" {
		return true
	}
	if path == "" || path[len(path)-1] == '/' {
		return false
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '/' && i+1 < len(path) && (path[i+1] == '/' || path[i+1] == '.') {
			return false
		}
	}
	return true
}

// Parent is the directory part of a path; "." if it has none.
func Parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	switch {
	case i > 0:
		return path[:i]
	case i == 0:
		return "/"
	}
	return "."
}

// Within says whether path is dir or below it; both are clean.
func Within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir) && len(path) > len(dir) && path[len(dir)] == '/'
}

// Climbs says whether a path has a ".." in it.
func Climbs(path string) bool {
	for {
		i := strings.Index(path, "..")
		if i < 0 {
			return false
		}
		if (i == 0 || path[i-1] == '/') && (i+2 == len(path) || path[i+2] == '/') {
			return true
		}
		path = path[i+2:]
	}
}

// GlobDir is the part of a pattern before its first component with a wildcard.
func GlobDir(pattern string) string {
	i := strings.IndexAny(pattern, "*?[\\+@!")
	if i < 0 {
		return Parent(pattern)
	}
	return Parent(pattern[:i+1])
}

// PlainText says whether a text is a plain word, as [Word.Plain] has it.
func PlainText(s string) bool {
	if s == "" || s[0] == '-' || s == "." || s == ".." {
		return false
	}
	return PlainPart(s)
}

// PlainPart says whether a text can stand inside a plain word.
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

// HasScheme says whether a text is an address rather than a path.
func HasScheme(s string) bool { return strings.Contains(s, "://") }

// dirOf returns a directory that a word names something in.
func dirOf(w Word) (string, bool) {
	switch {
	case w.Text == "" && w.Reach == tool.Anywhere && w.Plain:
		return ".", true
	case w.Text == "" || w.Text[0] == '-' || w.Text[0] == '~' || Climbs(w.Text) || HasScheme(w.Text):
		return "", false
	case w.Reach == tool.Under:
		return w.Text, true
	case w.Glob && w.Reach == tool.Exact:
		return GlobDir(w.Text), true
	case w.Reach == tool.Exact, w.Reach == tool.Prefix && w.Plain:
		return Parent(w.Text), true
	}
	return "", false
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
	if x[0] != '/' {
		return ".", true
	}
	x, y = Clean("/", x), Clean("/", y)
	for !Within(y, x) {
		x = Parent(x)
	}
	return x, true
}

// Enter returns the directory that cd reaches with the given word.
func Enter(dir, to Word) Word {
	to.At = 0
	absolute := strings.HasPrefix(to.Text, "/")
	if !absolute && dir.Reach < tool.Under {
		return Word{Taint: to.Taint}
	}
	base := dir.Text
	if absolute {
		base = "/"
	}
	switch {
	case to.IsKnown():
		if to.Text == "" {
			return dir
		}
		w := Word{Text: Clean(base, to.Text), Reach: tool.Exact}
		if !absolute && dir.Reach == tool.Under {
			w.Reach = tool.Under
			if Climbs(to.Text) {
				return Word{}
			}
			w.Text = dir.Text
		}
		return w
	case to.Glob && to.Reach == tool.Exact && !Climbs(to.Text):
		return Word{Text: Clean(base, GlobDir(to.Text)), Reach: tool.Under}
	case to.Reach == tool.Under && !Climbs(to.Text):
		return Word{Text: Clean(base, to.Text), Reach: tool.Under, Taint: to.Taint}
	case to.Plain && to.Text == "":
		return Word{Text: base, Reach: tool.Under, Taint: to.Taint}
	case to.Plain && to.Reach == tool.Prefix && !Climbs(to.Text):
		return Word{Text: Clean(base, Parent(to.Text)), Reach: tool.Under, Taint: to.Taint}
	}
	return Word{Taint: to.Taint}
}
