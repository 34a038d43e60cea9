package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/syntax"
)

// A job in the background may do its work when the commands behind it have run. So what they have moved and linked may be there when it
// deletes something.

// job is a statement that may still run: the states that it began in, and the links that there were behind it.
type job struct {
	st    *syntax.Stmt
	begin []*state
	links []command.Link
}

// isJob says whether a statement goes on while those behind it run.
func isJob(st *syntax.Stmt) bool {
	_, coprocess := st.Cmd.(*syntax.CoprocClause)
	return st.Background || coprocess
}

// waitsForAll says whether a statement waits until all jobs have ended.
func waitsForAll(st *syntax.Stmt) bool {
	c, is := st.Cmd.(*syntax.CallExpr)
	return is && len(c.Args) == 1 && c.Args[0].Lit() == "wait"
}

// linksOf are the links of all states.
func linksOf(states []*state) (list []command.Link) {
	for _, s := range states {
		list = joinLists(list, s.links)
	}
	return list
}

// runLate judges jobs as if they came to run only now, with what has been moved and linked since.
func runLate(r *reader, jobs []job, states []*state) {
	if len(jobs) == 0 || r.spent {
		return
	}
	links := linksOf(states)
	for _, j := range jobs {
		var since []command.Link
		for _, l := range links {
			if !slices.Contains(j.links, l) {
				since = append(since, l)
			}
		}
		if len(since) == 0 {
			continue
		}
		for _, s := range j.begin {
			s.links = joinLists(s.links, since)
		}
		r.stmt(j.st, j.begin)
	}
}
