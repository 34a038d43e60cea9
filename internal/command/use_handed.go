package command

import (
	"strings"

	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/tool"
)

// handed is a text that a program hands to a function longline does not know, and that may
// be the name of a file. In the project the function may write as all its code may, but
// for what is guarded there: to make a file asks only where that is.
func handed(r *reader, x language.Deed, span tool.Span) {
	w := Word{Text: x.Target, Reach: tool.Exact, Glob: x.Glob, Span: span}
	switch {
	case x.Home && r.world.Home == "":
		r.pathUse(x.Kind, Word{Span: span}, false)
		return
	case x.Home:
		w.Text = r.atHome(x.Target)
	}
	if x.Open {
		// How it goes on is not known: it is in the directory that it begins with.
		slash := strings.LastIndexByte(w.Text, '/')
		if slash <= 0 || x.Kind == tool.Read {
			return
		}
		w.Text, w.Reach = w.Text[:slash], tool.Under
	}
	e := r.path(x.Kind, w)
	inside := r.inProject(e)
	switch {
	case !inside && !r.hasPlace(e.Target):
	case x.Kind == tool.Read:
		if strings.ContainsAny(w.Text, "./") || r.isSecret(e) {
			r.pathUse(tool.Read, w, false)
		}
	case !inside:
		r.pathUse(tool.Write, w, false)
	case !x.Open && !x.Glob && strings.Contains(w.Text, "."):
		r.pathUse(tool.Create, w, false)
	}
}

// hasPlace says whether there can be something at a path: the directory that it begins
// with is there. Much that begins with a slash is no path.
func (s *surroundings) hasPlace(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	first = "/" + first
	return s.world.Exists == nil || paths.Within(s.world.Home, first) || paths.Within(s.world.Project, first) || s.exists(first)
}
