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
	writes  []string // files that they write
	moves   []command.Link
	full    bool // there is more than that, and it may be anything
}

// maxUsed bounds what is kept of each kind. Beyond it, every change counts.
const maxUsed = 64

func (u *use) file(path string) { u.files = u.with(u.files, path) }

// with is a list with one more path, unless it is there; the list may be in use elsewhere.
func (u *use) with(list []string, path string) []string {
	if slices.Contains(list, path) {
		return list
	}
	if len(list) >= maxUsed {
		u.full = true
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
		r.contends(inv)
		return
	}
	r.use.notesWrites(inv)
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
	if slices.ContainsFunc(r.use.climbs, r.use.moved) {
		r.gap("a link or a move changes a path that another command uses at the same time", inv.Span)
	}
}

// notesWrites notes what an invocation that runs beside others writes, and what it moves.
func (u *use) notesWrites(inv *command.Invocation) {
	for _, e := range inv.Effects {
		if isPut(e) {
			u.writes = u.with(u.writes, e.Target)
		}
	}
	if u.full = u.full || len(u.moves) > maxUsed; !u.full {
		read := readsOf(inv)
		u.moves = append(u.moves[:len(u.moves):len(u.moves)], moves(inv, &read)...)
		u.full = len(u.moves) > maxMoved
	}
}

// moved says whether something on a way may have been moved meanwhile.
func (u *use) moved(way string) bool {
	return slices.ContainsFunc(u.moves, func(l command.Link) bool { return paths.Within(way, l.From) || paths.Within(way, l.To) })
}

// contends objects to a write to what a command writes that is still running.
func (n *notes) contends(inv *command.Invocation) {
	for _, e := range inv.Effects {
		if isPut(e) && (n.use.full || slices.Contains(n.use.writes, e.Target)) {
			n.gap("writes a file that another command may write at the same time", inv.Span)
			return
		}
	}
}

// climb notes from where a path goes up that begins in a directory.
func (u *use) climb(dir, path string) {
	if strings.HasPrefix(path, "..") {
		u.climbs = u.with(u.climbs, dir)
	}
	if at := strings.Index(path, "/.."); at > 0 {
		u.climbs = u.with(u.climbs, paths.Clean(dir, path[:at]))
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
	if n.use.full {
		n.gap("changes a file while more commands run than are followed", tool.Span{})
		return
	}
	for _, file := range n.use.files {
		match := file == path
		if vague && paths.Wild(glob) {
			match, _ = paths.Match(glob, file)
		}
		if match {
			n.gap("changes a file that a command uses while it runs", tool.Span{})
			return
		}
	}
	if !n.use.project || s.world == nil || !paths.Within(glob, s.world.Project) || isRecord(glob) {
		return
	}
	if f := s.wrote(path); f != nil && f.plantedAs(false) != "" && f.plantedAs(false) != "edited:" {
		n.gap("changes a project file while a tool is running the project's code", tool.Span{})
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
		if n.use.full || slices.ContainsFunc(n.use.climbs, func(way string) bool {
			return paths.Within(way, l.From) || l.Moved && paths.Within(way, l.To)
		}) {
			n.gap("a link or a move changes a path that another command uses at the same time", tool.Span{})
			return
		}
	}
}

// leadsOut objects to links that lead out of the project where they are copied or moved to.
func (n *notes) leadsOut(s *state, made []command.Link) {
	for _, l := range made {
		if l.To != command.Somewhere && s.world != nil && s.world.Project != "" && paths.Within(l.From, s.world.Project) && !paths.Within(l.To, s.world.Project) {
			n.gap("a copied or moved link leads out of the project", tool.Span{})
			return
		}
	}
}
