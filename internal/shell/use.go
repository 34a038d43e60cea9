package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// use is what commands make use of that are still running: a shell reads its script piece by
// piece, and what runs in the background or beside others in a pipeline may come to it at any time.
type use struct {
	files   []string // that are run as scripts, or whose content counts
	project bool     // a tool that runs the project's code
	climbs  []string // from where a path goes up
}

func (u *use) file(path string) { u.files = append(u.files[:len(u.files):len(u.files)], path) }

// released makes what is in use what it was, unless there are commands running beside.
func (r *reader) released(before use) {
	if r.async == 0 {
		r.use = before
	}
}

// uses notes what an invocation makes use of that runs beside others.
func (r *reader) uses(s *state, inv *command.Invocation) {
	if r.async == 0 {
		return
	}
	r.use.project = r.use.project || runsProject(inv)
	for _, e := range inv.Effects {
		if e.Kind == tool.Read && isExact(e) {
			r.usesData(s, e.Target)
		}
	}
	for _, w := range inv.Words {
		if at := strings.Index(w.Text, "/.."); at > 0 && len(r.use.climbs) < maxNamed {
			r.use.climbs = append(r.use.climbs[:len(r.use.climbs):len(r.use.climbs)], paths.Clean(inv.Dir.Text, w.Text[:at]))
		}
	}
}

// usesData notes that what the script has written to a file counts.
func (r *reader) usesData(s *state, path string) {
	if f := s.wrote(path); r.async > 0 && f != nil && f.data.Reach != tool.Anywhere && len(r.use.files) < maxNamed {
		r.use.file(path)
	}
}

// disturbs objects to a write to what a command makes use of that is still running.
func (n *notes) disturbs(s *state, path string) {
	glob, vague := strings.CutPrefix(path, "?")
	for _, file := range n.use.files {
		match := file == path
		if vague && paths.Wild(glob) {
			match, _ = paths.Match(glob, file)
		}
		if match {
			n.gap("a file is changed that a command makes use of while it runs", tool.Span{})
			return
		}
	}
	if !n.use.project || s.world == nil || !paths.Within(glob, s.world.Project) {
		return
	}
	if f := s.wrote(path); f != nil && f.plantedAs(false) != "" && f.plantedAs(false) != "edited:" {
		n.gap("a file of the project is changed while a tool runs its code", tool.Span{})
	}
}

// diverts objects to a link in a path that a command uses that is still running.
func (n *notes) diverts(made []command.Link) {
	for _, l := range made {
		if slices.ContainsFunc(n.use.climbs, func(way string) bool { return paths.Within(way, l.From) }) {
			n.gap("a link or a move changes a path that another command uses meanwhile", tool.Span{})
			return
		}
	}
}
