package command

import (
	"strings"

	"longline/internal/paths"
)

// aim notes what a search is after without being limited to it for certain: names
// whatever their case, the end of a path, a regular expression.
func (s *scope) aim(how string, w Word) {
	if !w.IsKnown() {
		return
	}
	switch how {
	case "name", "path":
		if name := w.Text[strings.LastIndexByte(w.Text, '/')+1:]; saysSomething(name) {
			s.aims = append(s.aims, name)
		}
	case "regexp":
		s.aims = append(s.aims, namesLike(w.Text)...)
	}
}

// saysSomething says whether a pattern holds more than wildcards, which limit nothing:
// at least the dot of hidden files.
func saysSomething(pattern string) bool {
	return strings.HasPrefix(pattern, ".") || strings.IndexFunc(pattern, func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c > 0x7f
	}) >= 0
}

// namesLike is patterns of the names that somebody has in mind who looks for a regular
// expression in paths. It is not all that would match: "env" is a part of many
// names, and none of them is meant. Where a name need not end, what files of settings
// end with may follow.
func namesLike(expression string) (names []string) {
	if strings.HasPrefix(expression, "*") {
		return nil // it is none
	}
	ends, begins := strings.HasSuffix(expression, "$") && !strings.Contains(expression, "|"), strings.HasPrefix(expression, "^")
	endings := strings.Contains(expression, `\.(`) || strings.Contains(expression, `\.\(`) // of which each is one
	for way := range strings.FieldsFuncSeq(plainly(expression, false)+"|"+plainly(expression, true), func(c rune) bool { return c == '|' || c == '\n' }) {
		like := strings.NewReplacer("  ", "*", " ", "?").Replace(paths.Escape(strings.TrimRight(way[strings.LastIndexByte(way, '/')+1:], " ")))
		if like = strings.TrimPrefix(like, "*"); endings && !strings.HasPrefix(like, ".") {
			like = "." + like
		}
		switch {
		case like == "." && !ends:
			names = append(names, ".*")
		case !saysSomething(like):
		case begins:
			names = appendSettings(names, like, ends)
		case like[0] == '.':
			names = append(names, like, "*"+like)
		default:
			names = appendSettings(append(names, "."+like), like, ends)
		}
		if len(names) > maxNames {
			return names[:maxNames]
		}
	}
	return names
}

// appendSettings adds a name and, where it need not end, that of files of settings.
func appendSettings(names []string, name string, ends bool) []string {
	names = append(names, name)
	if ends || strings.HasSuffix(name, "*") || name[0] == '.' {
		return names
	}
	return append(names, name+".json", name+".toml", name+".yaml", name+".yml")
}
