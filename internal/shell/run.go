package shell

import (
	"slices"

	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// list runs statements one after the other, in every state. Behind an exit or a
// break no way goes on. That is not believed: what stands there is judged as if
// one did, and what it would do to the shell is forgotten again.
func (r *reader) list(stmts []*syntax.Stmt, states []*state) []*state {
	var gone pile // those that have left the list by break, return, exit
	dead := false
	for i, st := range stmts {
		if r.spent {
			break
		}
		if slices.ContainsFunc(states, (*state).jumped) {
			live, left := apart(states)
			if !dead {
				gone = r.heap(gone, left...)
			}
			if len(live) == 0 {
				live, dead = r.settle(revived(left)), true
			}
			states = live
		}
		emptyAhead(r, stmts[i:], states)
		states = r.settle(r.stmt(st, states))
		leaveOnError(&r.process, st, states)
		r.endOnError(states)
		r.observe(states)
		heed(r, states)
	}
	if dead {
		outlived(r, states)
		return r.settle(gone.all())
	}
	if len(gone.groups) == 0 {
		return states
	}
	return r.settle(append(gone.all(), states...))
}

// apart tells states that go on from those that have left.
func apart(states []*state) (live, left []*state) {
	if !slices.ContainsFunc(states, (*state).jumped) {
		return slices.Clip(states), nil
	}
	for _, s := range states {
		if s.jumped() {
			left = append(left, s)
		} else {
			live = append(live, s)
		}
	}
	return live, left
}

// judge runs statements that no way is known to lead to, and keeps nothing of what
// they do to the shell.
func (r *reader) judge(stmts []*syntax.Stmt, states []*state) {
	if len(states) > 0 {
		outlived(r, r.list(stmts, r.settle(snapshot(states))))
	}
}

// stmt runs one statement. Where the steps are taken meanwhile, part of it may not
// have been judged, and it counts as one that has not been run.
func (r *reader) stmt(st *syntax.Stmt, states []*state) []*state {
	before := r.spent
	states = r.wholeStmt(st, states)
	if r.spent && !before {
		r.src.forget(st)
	}
	return states
}

func (r *reader) wholeStmt(st *syntax.Stmt, states []*state) []*state {
	if len(states) > 1 {
		r.crowd = true
	}
	if !simple(st) {
		r.src.visit(st)
	}
	for _, s := range states { // how the one before it ended says nothing of how it does, which may run nothing
		s.status = unknown
	}
	if st.Background {
		front := foreground(r, st, states)
		j := background(r, st, states)
		if len(front) > 0 {
			states = r.settle(append(states, front...))
		}
		for _, s := range states {
			s.running = s.running.start(j, r.inLoop())
		}
		return states
	}
	strict := r.strict
	r.strict = strict && !st.Negated
	states = perhapsApart(r, st, states)
	r.strict = strict
	if st.Negated {
		for _, s := range states {
			if s.jump == none {
				s.status, s.hint = not(s.status), not(s.hint)
			}
		}
	}
	return states
}

// background runs a statement beside the shell.
func background(r *reader, st *syntax.Stmt, states []*state) *job {
	r.async++
	j := launch(r, st, states, func(s *state) {
		before := s.files
		d := r.inChild(s, true, func(c *state) []*state {
			c.shown = s.shown
			states := r.plain(st, []*state{c})
			goesOnApart(r, st, states)
			return states
		})
		r.swells(d)
		// When it comes to print or write something is not known.
		if !s.shown && !(d.IsEmpty() && d.Taint == 0) {
			s.out = value.Data{Taint: s.out.Taint | d.Taint}
		}
		s.files = before.join(s.files, s.toil)
	})
	r.async--
	for _, s := range states {
		s.end(true)
	}
	return j
}

// foreground runs what zsh runs itself of a list that is sent to the background, and returns the states after that: of
// "cd build && make &", only make runs in the background.
func foreground(r *reader, st *syntax.Stmt, states []*state) []*state {
	c, is := st.Cmd.(*syntax.BinaryCmd)
	if !r.world.Zsh || !is || c.Op != syntax.AndStmt && c.Op != syntax.OrStmt {
		return nil
	}
	front := r.stmt(c.X, snapshot(states))
	for _, s := range front {
		if s.jump == none {
			s.ended()
		}
	}
	return front
}

// perhapsApart runs a statement. What sh takes for a command in the background, or for one that it does not
// have, may change nothing.
func perhapsApart(r *reader, st *syntax.Stmt, states []*state) []*state {
	both := slices.ContainsFunc(st.Redirs, func(rd *syntax.Redirect) bool { return rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll })
	if _, let := st.Cmd.(*syntax.LetClause); !let && !both || !slices.ContainsFunc(states, (*state).isPosix) {
		return r.plain(st, states)
	}
	var kept []*state
	for _, s := range states {
		if s.isPosix() {
			kept = append(kept, s.fork().ended())
			if both && goesOnBehind(st) {
				r.beyondPosix(s, st)
			}
		}
	}
	states = r.plain(st, states)
	for _, s := range append(states, kept...) {
		if both && !s.shown {
			s.out = value.Data{Taint: s.out.Taint}
		}
	}
	return r.settle(append(states, kept...))
}

// goesOnBehind says whether words stand behind a redirection of both streams. A sh that takes the ampersand for the
// end of a command runs them as another one.
func goesOnBehind(st *syntax.Stmt) bool {
	return st.Cmd != nil && slices.ContainsFunc(st.Redirs, func(rd *syntax.Redirect) bool {
		return (rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll) && st.Cmd.End().Offset() > rd.Pos().Offset()
	})
}

func (s *state) isPosix() bool { return s.opts&optPosix != 0 }

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
		return eachState(states, func(s *state) []*state { return r.call(st, &syntax.CallExpr{}, s) })
	case *syntax.CallExpr:
		return eachState(states, func(s *state) []*state { return r.call(st, c, s) })
	case *syntax.DeclClause:
		return eachState(states, func(s *state) []*state { return r.declClause(st, c, s) })
	case *syntax.BinaryCmd:
		if len(st.Redirs) == 0 {
			return r.binaryCmd(c, states)
		}
	}
	if len(st.Redirs) == 0 {
		return r.compound(st.Cmd, states)
	}
	return eachState(states, func(s *state) []*state {
		return r.redirected(st, s, func(s *state) []*state { return r.compound(st.Cmd, []*state{s}) })
	})
}

func eachState(states []*state, run func(*state) []*state) []*state {
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
	if r.skimmed != nil && holdsOthers(cmd) {
		return states // which are judged on their own
	}
	switch c := cmd.(type) {
	case *syntax.Block:
		return r.list(c.Stmts, states)
	case *syntax.Subshell:
		strict := r.strict
		for _, s := range states {
			d := r.inChild(s, true, func(c2 *state) []*state {
				c2.shown, r.strict = s.shown, strict
				return r.list(c.Stmts, []*state{c2})
			})
			r.send(s, d, redirection{})
		}
		return states
	case *syntax.IfClause:
		return r.ifClause(c, states)
	case *syntax.WhileClause:
		return r.whileClause(c, states)
	case *syntax.ForClause:
		return eachState(states, func(s *state) []*state { return r.forClause(c, s) })
	case *syntax.CaseClause:
		return eachState(states, func(s *state) []*state { return r.caseClause(c, s) })
	case *syntax.BinaryCmd:
		return r.binaryCmd(c, states)
	case *syntax.FuncDecl:
		r.declare(c, states)
		return states
	case *syntax.ArithmCmd:
		for _, s := range states {
			r.beyondPosix(s, c)
			n := attempt(r, s, c.X)
			s.ended()
			if n.known {
				s.end(n.value != 0)
			}
		}
		return states
	case *syntax.TestClause:
		return eachState(states, func(s *state) []*state {
			r.beyondPosix(s, c)
			s.setStatus(r.test(s, c.X))
			if e, is := testsExpr(c.X); is && s.status == unknown {
				if states := e.told(s); states != nil {
					return states
				}
			}
			return one(s)
		})
	case *syntax.TimeClause:
		var kept []*state // zsh times a subshell
		for _, s := range states {
			kept = append(kept, s.fork().end(false))
		}
		return r.settle(append(r.timeClause(c, states), kept...))
	case *syntax.LetClause:
		r.letClause(c, states)
		return states
	case *syntax.CoprocClause:
		return r.coproc(c, states)
	}
	r.gap("a construct that is not known", r.src.nodeSpan(cmd))
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

// divide sends states the way that they were forked off for, and others both ways:
// no exit status is believed. sure says whether all seem to have ended well, or
// badly.
func divide(states []*state) (yes, no, gone []*state, sure status) {
	n := len(states)
	room := make([]*state, 2*n)
	yes, no = room[:0:n], room[n:n]
	first := true
	for _, s := range states {
		if s.jump != none {
			gone = append(gone, s)
			continue
		}
		if first {
			sure, first = s.hint, false
		} else if s.hint != sure {
			sure = unknown
		}
		switch s.status {
		case succeeded:
			yes = append(yes, s)
		case failed:
			no = append(no, s)
		default:
			f := s.fork()
			yes, no = append(yes, s.decide(true)), append(no, f.decide(false))
		}
	}
	if len(gone) > 0 {
		sure = unknown
	}
	return yes, no, gone, sure
}

func (r *reader) condition(stmts []*syntax.Stmt, states []*state) (yes, no, gone []*state, sure status) {
	strict := r.strict
	r.strict = false
	states = r.list(stmts, states)
	r.strict = strict
	return divide(states)
}

func (r *reader) ifClause(c *syntax.IfClause, states []*state) []*state {
	var out []*state
	for c != nil {
		if len(c.Cond) == 0 { // else
			return r.settle(append(out, r.list(c.Then, states)...))
		}
		yes, no, gone, _ := r.condition(c.Cond, states)
		out = append(out, gone...)
		if len(yes) > 0 {
			out = append(out, r.list(c.Then, yes)...)
		} else { // no way leads there, if that is to be believed
			r.judge(c.Then, revived(append(no, gone...)))
		}
		if states = no; len(no) == 0 {
			for e := c.Else; e != nil; e = e.Else {
				r.judge(e.Cond, revived(append(yes, gone...)))
				r.judge(e.Then, revived(append(yes, gone...)))
			}
			return r.settle(out)
		}
		c = c.Else
	}
	for _, s := range states {
		s.end(true)
	}
	return r.settle(append(out, states...))
}

// caseClause follows every arm: which pattern matches is not believed but for the
// one that matches everything.
func (r *reader) caseClause(c *syntax.CaseClause, s *state) []*state {
	r.value(s, c.Word)
	var out, through []*state
	pending := []*state{s}
	for _, item := range c.Items {
		rest := false
		from := pending
		if len(from) == 0 {
			from = []*state{s} // behind the one that matches everything
		}
		for _, p := range item.Patterns {
			for _, s := range from {
				pattern := r.pattern(s, p)
				rest = rest || pattern.IsKnown() && pattern.Text == "*"
			}
		}
		run := through
		through = nil
		if len(pending) > 0 {
			run = append(run, snapshot(pending)...)
			if rest {
				pending = nil
			}
		}
		if len(run) == 0 {
			r.judge(item.Stmts, from)
			continue
		}
		for _, s := range run {
			s.end(true)
		}
		for _, s := range r.list(item.Stmts, run) {
			switch {
			case s.jump != none:
				out = append(out, s)
			case item.Op == syntax.Fallthrough:
				through = append(through, s)
			case item.Op == syntax.Resume:
				if r.world.Zsh && r.inlined > 0 {
					r.gap("zsh has no ;;&, and runs nothing of this text", r.src.nodeSpan(c))
				}
				pending = append(pending, s)
			default:
				out = append(out, s)
			}
		}
		pending = r.settle(pending)
	}
	for _, s := range pending {
		s.end(true)
	}
	return r.settle(append(append(out, through...), pending...))
}

func (r *reader) timeClause(c *syntax.TimeClause, states []*state) []*state {
	if c.Stmt == nil {
		return states
	}
	st := c.Stmt
	defer func(strict bool) { r.strict = strict }(r.strict)
	r.strict = false
	if call, isCall := st.Cmd.(*syntax.CallExpr); isCall && len(call.Args) > 0 && len(call.Assigns) == 0 {
		if lit := call.Args[0].Lit(); lit == "--" {
			short := *st
			short.Cmd = &syntax.CallExpr{Args: call.Args[1:]}
			if len(call.Args) == 1 {
				short.Cmd = nil
			}
			st = &short
			r.gap("time with an option", r.src.nodeSpan(c))
		} else if len(lit) > 0 && lit[0] == '-' {
			r.gap("time with an option", r.src.nodeSpan(c))
		}
	}
	return r.stmt(st, states)
}

// letClause evaluates let. The parser reads && and | inside it as arithmetic,
// where bash ends the command.
func (r *reader) letClause(c *syntax.LetClause, states []*state) {
	span := r.src.nodeSpan(c)
	start, end := int(c.Pos().Offset()), int(c.End().Offset())
	for i := start; i < end && i < len(r.src.text); i++ {
		switch r.src.text[i] {
		case '&', '|', '<', '>', ';', '(', ')', '\'', '"', '\\', '`':
			r.gap("let with operators that may end the command", span)
			i = end
		}
	}
	for _, s := range states {
		r.beyondPosix(s, c)
		n := attempt(r, s, c.Exprs...)
		s.ended()
		if n.known {
			s.end(n.value != 0)
		}
	}
}
