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

// maxUsed bounds what is kept of each kind.
const maxUsed = 256

func (u *use) file(path string) { u.files = withOne(u.files, path) }

// withOne is a list with one more path, unless it is there; the list may be in use elsewhere.
func withOne(list []string, path string) []string {
	if len(list) >= maxUsed || slices.Contains(list, path) {
		return list
	}
	return append(list[:len(list):len(list)], path)
}

// released makes what is in use what it was, unless there are commands running beside.
func released(r *reader, before use) {
	if r.async == 0 {
		r.use = before
	}
}

// uses notes what an invocation makes use of that runs beside others.
func uses(r *reader, s *state, inv *command.Invocation) {
	if r.async == 0 {
		return
	}
	r.use.project = r.use.project || runsProject(inv)
	for _, e := range inv.Effects {
		if e.Kind == tool.Read && isExact(e) {
			usesData(r, s, e.Target)
		}
	}
	for _, w := range inv.Words {
		r.use.climb(inv.Dir.Text, w.Text)
	}
	for i := range inv.Redirects {
		r.use.climb(inv.Dir.Text, inv.Redirects[i].Target.Text)
	}
}

// climb notes from where a path goes up that begins in a directory.
func (u *use) climb(dir, path string) {
	if strings.HasPrefix(path, "..") {
		u.climbs = withOne(u.climbs, dir)
	}
	if at := strings.Index(path, "/.."); at > 0 {
		u.climbs = withOne(u.climbs, paths.Clean(dir, path[:at]))
	}
}

// usesData notes that what the script has written to a file counts.
func usesData(r *reader, s *state, path string) {
	if f := s.wrote(path); r.async > 0 && f != nil && f.data.Reach != tool.Anywhere {
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
	if !n.use.project || s.world == nil || !paths.Within(glob, s.world.Project) || isRecord(glob) {
		return
	}
	if f := s.wrote(path); f != nil && f.plantedAs(false) != "" && f.plantedAs(false) != "edited:" {
		n.gap("a file of the project is changed while a tool runs its code", tool.Span{})
	}
}

// isRecord says whether a file is one for people to read, by its ending, which no tool runs.
func isRecord(path string) bool {
	switch path[max(strings.LastIndexByte(path, '.'), 0):] {
	case ".txt", ".log", ".md", ".html", ".csv", ".out", ".png", ".pdf":
		return true
	}
	return false
}

// diverts objects to a link or a move in a path that a command uses that is still running.
func (n *notes) diverts(made []command.Link) {
	for _, l := range made {
		if slices.ContainsFunc(n.use.climbs, func(way string) bool {
			return paths.Within(way, l.From) || l.Moved && paths.Within(way, l.To)
		}) {
			n.gap("a link or a move changes a path that another command uses meanwhile", tool.Span{})
			return
		}
	}
}
