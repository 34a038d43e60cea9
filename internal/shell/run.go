package shell

import (
	"slices"

	"longline/internal/scan"
	"longline/internal/tool"

	"mvdan.cc/sh/v3/syntax"
)

// list runs statements one after the other, in every state.
func (r *reader) list(stmts []*syntax.Stmt, states []*state) []*state {
	var gone []*state // those that have left the list by break, return, exit
	for _, st := range stmts {
		live := states[:len(states):len(states)]
		if slices.ContainsFunc(states, (*state).jumped) {
			live = nil
			for _, s := range states {
				if s.jumped() {
					gone = append(gone, s)
				} else {
					live = append(live, s)
				}
			}
		}
		if len(live) == 0 || r.spent {
			return settle(append(gone, live...))
		}
		states = settle(r.stmt(st, live))
	}
	if len(gone) == 0 {
		return states
	}
	return settle(append(gone, states...))
}

// stmt runs one statement.
func (r *reader) stmt(st *syntax.Stmt, states []*state) []*state {
	if len(states) > 1 {
		r.crowd = true
	}
	if st.Coprocess || st.Disown {
		r.gap("an operator that bash does not have", r.nodeSpan(st))
	}
	if st.Background {
		r.async++
		for _, s := range states {
			d := r.inChild(s, func(c *state) []*state { return r.plain(st, []*state{c}) })
			r.swells(d)
			s.end(true)
		}
		r.async--
		return states
	}
	if st.Negated {
		r.conds++
		defer func() { r.conds-- }()
	}
	states = r.plain(st, states)
	for _, s := range states {
		if s.jump != none {
			continue
		}
		if st.Negated {
			if s.status != unknown {
				s.end(s.status == failed)
			}
			continue
		}
		if s.opts&optErrexit != 0 && r.conds == 0 {
			switch s.status {
			case failed:
				if !s.excused {
					s.jump = exits
				}
			case unknown:
				s.end(true) // or nothing more would run
			}
		}
	}
	return states
}

// plain runs a statement without regard to its ! or &.
func (r *reader) plain(st *syntax.Stmt, states []*state) []*state {
	if r.levels++; r.levels > scan.MaxDepth*4 {
		r.gap("nested too deeply", tool.Span{})
		r.levels--
		return states
	}
	defer func() { r.levels-- }()
	switch c := st.Cmd.(type) {
	case nil:
		return r.each(states, func(s *state) []*state { return r.call(st, &syntax.CallExpr{}, s) })
	case *syntax.CallExpr:
		return r.each(states, func(s *state) []*state { return r.call(st, c, s) })
	case *syntax.DeclClause:
		return r.each(states, func(s *state) []*state { return r.declClause(st, c, s) })
	case *syntax.BinaryCmd:
		if len(st.Redirs) == 0 {
			return r.binaryCmd(c, states)
		}
	}
	if len(st.Redirs) == 0 {
		return r.compound(st.Cmd, states)
	}
	return r.each(states, func(s *state) []*state {
		return r.redirected(st, s, func(s *state) []*state { return r.compound(st.Cmd, []*state{s}) })
	})
}

func (r *reader) each(states []*state, run func(*state) []*state) []*state {
	if len(states) == 1 {
		return run(states[0])
	}
	var out []*state
	for _, s := range states {
		out = append(out, run(s)...)
	}
	return out
}

// compound runs a command that is not a simple one.
func (r *reader) compound(cmd syntax.Command, states []*state) []*state {
	if r.spend() {
		return states
	}
	switch c := cmd.(type) {
	case *syntax.Block:
		return r.list(c.Stmts, states)
	case *syntax.Subshell:
		for _, s := range states {
			d := r.inChild(s, func(c2 *state) []*state { return r.list(c.Stmts, []*state{c2}) })
			s.out = s.out.Then(d)
		}
		return states
	case *syntax.IfClause:
		return r.ifClause(c, states)
	case *syntax.WhileClause:
		return r.whileClause(c, states)
	case *syntax.ForClause:
		return r.each(states, func(s *state) []*state { return r.forClause(c, s) })
	case *syntax.CaseClause:
		return r.each(states, func(s *state) []*state { return r.caseClause(c, s) })
	case *syntax.BinaryCmd:
		return r.binaryCmd(c, states)
	case *syntax.FuncDecl:
		r.declare(c, states)
		return states
	case *syntax.ArithmCmd:
		for _, s := range states {
			r.beyondPosix(s, c)
			n := r.arithm(s, c.X)
			s.ended()
			if n.known {
				s.end(n.value != 0)
			}
		}
		return states
	case *syntax.TestClause:
		for _, s := range states {
			r.beyondPosix(s, c)
			s.setStatus(r.test(s, c.X))
		}
		return states
	case *syntax.TimeClause:
		return r.timeClause(c, states)
	case *syntax.LetClause:
		r.letClause(c, states)
		return states
	case *syntax.CoprocClause:
		return r.coproc(c, states)
	}
	r.gap("a construct that is not known", r.nodeSpan(cmd))
	return states
}

func (s *state) setStatus(st status) {
	switch st {
	case succeeded:
		s.end(true)
	case failed:
		s.end(false)
	default:
		s.ended()
	}
}

// divide sorts states by how the last command may have ended.
func divide(states []*state) (yes, no, gone []*state) {
	n := len(states)
	room := make([]*state, 2*n) // each mostly goes both ways
	yes, no = room[:0:n], room[n:n]
	for _, s := range states {
		switch {
		case s.jump != none:
			gone = append(gone, s)
		case s.status == succeeded:
			yes = append(yes, s)
		case s.status == failed:
			no = append(no, s)
		default:
			f := s.fork()
			yes = append(yes, s.end(true))
			no = append(no, f.end(false))
		}
	}
	return yes, no, gone
}

func (r *reader) condition(stmts []*syntax.Stmt, states []*state) (yes, no, gone []*state) {
	r.conds++
	states = r.list(stmts, states)
	r.conds--
	return divide(states)
}

func (r *reader) ifClause(c *syntax.IfClause, states []*state) []*state {
	var out []*state
	for c != nil {
		if len(c.Cond) == 0 { // else
			return settle(append(out, r.list(c.Then, states)...))
		}
		yes, no, gone := r.condition(c.Cond, states)
		out = append(out, gone...)
		if len(yes) > 0 {
			out = append(out, r.list(c.Then, yes)...)
		}
		states = no
		if len(states) == 0 {
			return settle(out)
		}
		c = c.Else
	}
	for _, s := range states {
		s.end(true)
	}
	return settle(append(out, states...))
}

func (r *reader) caseClause(c *syntax.CaseClause, s *state) []*state {
	w := r.value(s, c.Word)
	var out, through []*state
	pending := []*state{s}
	for _, item := range c.Items {
		var run []*state
		run = append(run, through...)
		through = nil
		if len(pending) > 0 {
			m := failed
			for _, p := range item.Patterns {
				pattern := r.pattern(pending[0], p)
				one := unknown
				if w.IsKnown() && pattern.IsKnown() {
					if is, sure := matches(pattern.Text, w.Text); sure {
						one = ok(is)
					}
				} else if pattern.IsKnown() && pattern.Text == "*" {
					one = succeeded
				}
				if one == succeeded {
					m = succeeded
					break
				}
				if one == unknown {
					m = unknown
				}
			}
			switch m {
			case succeeded:
				run, pending = append(run, pending...), nil
			case unknown:
				run = append(run, snapshot(pending)...)
			}
		}
		if len(run) == 0 {
			continue
		}
		for _, s := range run {
			s.end(true)
		}
		run = r.list(item.Stmts, run)
		for _, s := range run {
			switch {
			case s.jump != none || item.Op == syntax.Break:
				out = append(out, s)
			case item.Op == syntax.Fallthrough:
				through = append(through, s)
			case item.Op == syntax.Resume:
				pending = append(pending, s)
			default:
				out = append(out, s)
			}
		}
		pending = settle(pending)
	}
	for _, s := range pending {
		s.end(true)
	}
	return settle(append(append(out, through...), pending...))
}

func (r *reader) timeClause(c *syntax.TimeClause, states []*state) []*state {
	if c.Stmt == nil {
		return states
	}
	st := c.Stmt
	if call, isCall := st.Cmd.(*syntax.CallExpr); isCall && len(call.Args) > 0 && len(call.Assigns) == 0 {
		if lit := call.Args[0].Lit(); lit == "--" {
			short := *st
			short.Cmd = &syntax.CallExpr{Args: call.Args[1:]}
			if len(call.Args) == 1 {
				short.Cmd = nil
			}
			st = &short
			r.gap("time with an option", r.nodeSpan(c))
		} else if len(lit) > 0 && lit[0] == '-' {
			r.gap("time with an option", r.nodeSpan(c))
		}
	}
	return r.stmt(st, states)
}

// letClause evaluates let. The parser reads && and | inside it as arithmetic,
// where bash ends the command.
func (r *reader) letClause(c *syntax.LetClause, states []*state) {
	span := r.nodeSpan(c)
	start, end := int(c.Pos().Offset()), int(c.End().Offset())
	for i := start; i < end && i < len(r.src.text); i++ {
		switch r.src.text[i] {
		case '&', '|', '<', '>', ';', '(', ')', '\'', '"', '\\', '`':
			r.gap("let with operators that may end the command", span)
			i = end
		}
	}
	for _, s := range states {
		var n number
		for _, x := range c.Exprs {
			n = r.arithm(s, x)
		}
		s.ended()
		if n.known {
			s.end(n.value != 0)
		}
	}
}
