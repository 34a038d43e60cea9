package shell

import "longline/internal/syntax"

// With set -e a shell ends where a command fails: behind d=$(mktemp -d) there is a directory then, and behind cd dir the script is there.
// That is believed of a shell of its own, and of commands whose end nobody looks at: what stands in a condition, before && or ||, behind !,
// in a pipeline or in a substitution goes on, and so does all that a function runs that is called there.
//
// It is not believed of the script itself. Clients run it by eval, with && behind it, and no option ends it then.

// leaveOnError makes the states leave in which a statement has failed that ends the shell.
func leaveOnError(at *process, st *syntax.Stmt, states []*state) {
	if !at.strict || at.eased || at.inlined > 0 || st.Negated || st.Background || !endsByFailing(st.Cmd) {
		return
	}
	for _, s := range states {
		if s.jump == none && s.status == failed && s.opts&optErrexit != 0 && s.doubt&optErrexit == 0 {
			s.jump = exits
		}
	}
}

// endsByFailing says whether a failure is one of the command itself: of assignments, of a change of directory, or of a test.
func endsByFailing(cmd syntax.Command) bool {
	c, ok := cmd.(*syntax.CallExpr)
	if !ok {
		_, ok = cmd.(*syntax.TestClause)
		return ok
	}
	if len(c.Args) == 0 {
		return len(c.Assigns) > 0
	}
	switch c.Args[0].Lit() {
	case "cd", "pushd", "test", "[":
		return true
	}
	return false
}
