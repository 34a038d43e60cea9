package reader

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// native gives words that are paths of Windows the form that paths have here, where the machine runs Windows. Others may hold
// backslashes for other reasons; those of relative paths become slashes where a program takes a word for a path.
func (r *reader) native(list []command.Word) {
	if !r.world.Windows {
		return
	}
	for i := range list {
		w := &list[i]
		flag, text := "", w.Text
		if strings.HasPrefix(text, "-") {
			if name, value, glued := strings.Cut(text, "="); glued {
				flag, text = name+"=", value
			}
		}
		if w.Glob {
			text = strings.ReplaceAll(text, `\\`, `\`) // which stand for themselves, between names
		}
		switch inside := strings.HasPrefix(text, r.world.Home+`\`) || strings.HasPrefix(text, r.dirText()+`\`); {
		case paths.OfWindows(text), inside:
		case strings.HasPrefix(text, "//") && strings.IndexByte(text[2:], '/') > 0:
		case len(text) > 2 && text[0] == '/' && text[2] == '/': // as Git Bash writes it
		default:
			continue
		}
		path, ok := paths.FromWindows(text)
		if !ok {
			*w = command.Word{Taint: w.Taint, Span: w.Span}
			if flag != "" {
				w.Text, w.Reach = flag, tool.Prefix
			}
			continue
		}
		for _, dir := range [...]string{r.world.Project, r.world.Home} { // in the case that they have
			if n := len(dir); n > 0 && len(path) >= n && strings.EqualFold(path[:n], dir) && paths.Within(dir+path[n:], dir) {
				path = dir + path[n:]
				break
			}
		}
		w.Text, w.At = flag+path, 0
	}
}

// dirText is the directory that the shell is in, if it is known.
func (r *reader) dirText() string {
	if d := r.s.dirs; len(d) == 1 && d[0].Reach == tool.Exact {
		return d[0].Text
	}
	return "\n"
}
