package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// clean resolves a path against a directory by its text alone.
func clean(dir, path string) string {
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

// parent is the directory part of a path; "." if it has none.
func parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	switch {
	case i > 0:
		return path[:i]
	case i == 0:
		return "/"
	}
	return "."
}

// within says whether path is dir or below it; both are clean.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir) && len(path) > len(dir) && path[len(dir)] == '/'
}

// climbs says whether a path has a ".." in it.
func climbs(path string) bool {
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

func hasScheme(s string) bool { return strings.Contains(s, "://") }

// globDir is the part of a pattern before its first component with a wildcard.
func globDir(pattern string) string {
	i := strings.IndexAny(pattern, "*?[\\+@!")
	if i < 0 {
		return parent(pattern)
	}
	return parent(pattern[:i+1])
}

// isPlain says whether a word's value is one plain word, as [command.Word.Plain] has it.
func isPlain(w command.Word) bool {
	switch {
	case w.Glob, w.Reach == tool.Under:
		return false
	case w.Reach == tool.Exact:
		return plainText(w.Text)
	case w.Reach == tool.Prefix:
		return w.Plain && plainText(w.Text)
	}
	return w.Plain
}

func plainText(s string) bool {
	if s == "" || s[0] == '-' || s == "." || s == ".." {
		return false
	}
	return plainPart(s)
}

// plainPart says whether a text can stand inside a plain word.
func plainPart(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isNameByte(c) && c < 0x80 && strings.IndexByte(".,:+-@%=^", c) < 0 {
			return false
		}
	}
	return true
}

// enter returns the directory that cd reaches with the given word.
func enter(dir, to command.Word) command.Word {
	to.At = -1
	absolute := strings.HasPrefix(to.Text, "/")
	if !absolute && dir.Reach < tool.Under {
		return command.Word{At: -1, Taint: to.Taint}
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
		w := command.Word{Text: clean(base, to.Text), Reach: tool.Exact, At: -1}
		if !absolute && dir.Reach == tool.Under {
			w.Reach = tool.Under
			if climbs(to.Text) {
				return command.Word{At: -1}
			}
			w.Text = dir.Text
		}
		return w
	case to.Glob && to.Reach == tool.Exact && !climbs(to.Text):
		return command.Word{Text: clean(base, globDir(to.Text)), Reach: tool.Under, At: -1}
	case to.Reach == tool.Under && !climbs(to.Text):
		return command.Word{Text: clean(base, to.Text), Reach: tool.Under, At: -1, Taint: to.Taint}
	case to.Plain && to.Text == "":
		return command.Word{Text: base, Reach: tool.Under, At: -1, Taint: to.Taint}
	case to.Plain && to.Reach == tool.Prefix && !climbs(to.Text):
		return command.Word{Text: clean(base, parent(to.Text)), Reach: tool.Under, At: -1, Taint: to.Taint}
	}
	return command.Word{At: -1, Taint: to.Taint}
}
