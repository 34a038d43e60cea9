package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Git takes words for pathspecs: an asterisk matches slashes, too, so a pattern matches at every level below the directory that it
// begins with, and a colon in front says something else.

// isSpec says whether operands name places as git does.
func isSpec(form []Item) bool {
	return slices.ContainsFunc(form, func(it Item) bool {
		return it.Many && slices.ContainsFunc(it.Uses, func(u Use) bool { return u.Name == "pathspec" || u.Name == "git-rev" })
	})
}

// addSpecs adds the places that pathspecs name. Names behind a revision are printed with it.
func (rs *roots) addSpecs(r *reader) {
	form, words := r.layout(), r.searched()
	revisions := slices.ContainsFunc(form, func(it Item) bool { return slices.Contains(it.Uses, Use{Name: "git-rev"}) })
	first := len(r.oper) - len(words)
	for i, w := range words {
		if revisions && (r.dashed < 0 || first+i < r.dashed) && !(w.Reach == tool.Exact && (w.Glob || r.isPathspec(w.Text))) {
			rs.open = true
		}
		rs.addSpec(r, w)
	}
}

// addSpec adds the places that a pathspec names, if it does not leave files out.
func (rs *roots) addSpec(r *reader, w Word) {
	if w.Reach == tool.Exact && strings.HasPrefix(w.Text, ":") {
		rest, in := pathspec(w.Text)
		if !in {
			return
		}
		if atRoot := r.dir.Reach == tool.Exact && r.dir.Text == r.world.Project; !strings.HasPrefix(w.Text, ":/") || !atRoot {
			rs.open = true
		}
		w.Text, w.At = rest, 0
		if rest == "" {
			w.Text = "."
		}
	}
	if w.Reach != tool.Exact || !paths.Wild(w.Text) {
		rs.add(r.searchedIn(w, false))
		return
	}
	if w.Glob { // what the shell finds
		rs.add(r.searchedIn(w, false))
	}
	end := paths.FixedEnd(w.Text)
	w.Glob = true
	e := r.path(tool.Read, w)
	e.Target = strings.TrimSuffix(paths.Escape(staticDir(e.Target)), "/") + "/**/*" + end
	e.Pattern = true
	rs.add(e, false)
}
