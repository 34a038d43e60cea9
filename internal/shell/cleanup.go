package shell

import (
	"slices"
	"strings"

	"longline/internal/syntax"
)

// A script sets a trap that cleans up, and then makes what there is to clean up:
//
//	trap 'rm -rf "$dir"' EXIT
//	dir=$(mktemp -d)
//
// Whenever that trap comes, dir is empty or what mktemp has printed.

// maxEarly is how many states a trap is run in one by one; those that come later are joined. In one that stands for several, a variable
// that is empty before there is a file, and names it afterwards, could be anything.
const maxEarly = 8

// heed keeps what the script is like since a trap was set, but for states in which every trap has been run already.
func heed(r *reader, states []*state) {
	w := &r.since
	if !w.watching {
		return
	}
	for _, s := range states {
		f := observed(s)
		f.params, f.many, f.loose = s.params, s.many, s.loose
		within := func(t *state) bool { return f.leq(t) && slices.Equal(f.links, t.links) && !f.running.beyond(t.running) }
		if !slices.ContainsFunc(r.traps, func(t trap) bool { return !within(t.set) }) || slices.ContainsFunc(w.early, within) {
			continue
		}
		if len(w.early) < maxEarly {
			w.early = append(w.early, f)
		} else {
			w.observe(one(s))
		}
	}
}

// emptyAhead makes variables empty before a trap for the end of the script, if nothing but the assignments to them stands between the
// trap and the commands that follow, and the environment has none of their names. With set -e a script may end after each of them.
func emptyAhead(r *reader, rest []*syntax.Stmt, states []*state) {
	if len(rest) < 2 || !cleansUp(rest[0]) || r.world.Getenv == nil {
		return
	}
	for _, st := range rest[1:] {
		name := madeByProgram(r, st, states)
		if name == "" || slices.ContainsFunc(states, func(s *state) bool { return s.lookup(name) != nil || s.inherits(name) }) {
			return
		}
		for _, s := range states {
			s.unsetVar(name)
		}
		if slices.ContainsFunc(states, func(s *state) bool { return (s.opts|s.doubt)&optErrexit != 0 }) {
			return
		}
	}
}

// cleansUp says whether a statement sets a trap that comes when the script ends, be it by a signal.
func cleansUp(st *syntax.Stmt) bool {
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || st.Background || st.Negated || len(st.Redirs) > 0 || len(call.Assigns) > 0 || len(call.Args) < 3 || call.Args[0].Lit() != "trap" {
		return false
	}
	for _, w := range call.Args[2:] {
		switch strings.TrimPrefix(w.Lit(), "SIG") {
		case "EXIT", "0", "INT", "TERM", "HUP", "QUIT":
		default:
			return false
		}
	}
	return true
}

// madeByProgram is the variable that a statement assigns what one program prints, and nothing else; "" if it is another one.
func madeByProgram(r *reader, st *syntax.Stmt, states []*state) string {
	name, of := assignsOutput(st)
	if of == nil || st.Background || st.Negated {
		return ""
	}
	made, ok := of.Cmd.(*syntax.CallExpr)
	if !ok || len(of.Redirs) > 0 || len(made.Assigns) > 0 || len(made.Args) == 0 {
		return ""
	}
	program := made.Args[0].Lit()
	if program == "" || isBuiltin(program) || !r.lib.Has(program) || slices.ContainsFunc(states, func(s *state) bool { return s.funcs.get(program) != nil || s.alias(program) != nil }) {
		return ""
	}
	own := true // it is not made of what the variable held before
	syntax.Walk(made, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp:
			own = own && n.Param != nil && n.Param.Value != name && !n.Excl
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp:
			own = false
		}
		return own
	})
	if !own {
		return ""
	}
	return name
}

// assignsOutput is the variable that a statement assigns what another one prints, and that one; nil if it does something else.
func assignsOutput(st *syntax.Stmt) (name string, of *syntax.Stmt) {
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(st.Redirs) > 0 || len(call.Args) > 0 || len(call.Assigns) != 1 {
		return "", nil
	}
	a := call.Assigns[0]
	if a.Append || a.Naked || a.Name == nil || a.Index != nil || a.Array != nil || a.Value == nil || len(a.Value.Parts) != 1 {
		return "", nil
	}
	part := a.Value.Parts[0]
	if q, quoted := part.(*syntax.DblQuoted); quoted && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	sub, ok := part.(*syntax.CmdSubst)
	if !ok || len(sub.Stmts) != 1 || sub.TempFile || sub.ReplyVar || sub.Stmts[0].Negated || sub.Stmts[0].Background {
		return "", nil
	}
	return a.Name.Value, sub.Stmts[0]
}
