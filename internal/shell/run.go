package shell

import (
	"strconv"

	"longline/internal/command"
	"longline/internal/tool"

	"mvdan.cc/sh/v3/syntax"
)

// list runs statements one after the other, in every state.
func (r *reader) list(stmts []*syntax.Stmt, states []*state) []*state {
	var gone []*state // those that have left the list by break, return, exit
	for _, st := range stmts {
		live := states[:0:0]
		for _, s := range states {
			if s.jump != none {
				gone = append(gone, s)
			} else {
				live = append(live, s)
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
			r.inChild(s, func(c *state) []*state { return r.plain(st, []*state{c}) })
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
	if r.levels++; r.levels > maxDepth*4 {
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
			s.out = after(s.out, d)
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

// inChild runs commands in a subshell of s and returns what they print. What
// they do to files stays done.
func (r *reader) inChild(s *state, run func(*state) []*state) command.Data {
	c := s.fork()
	c.out = command.Data{Reach: tool.Exact, At: -1}
	return r.adopt(s, run(c))
}

// adopt takes over from the states of an ended subshell what outlives it.
func (r *reader) adopt(s *state, ended []*state) command.Data {
	if len(ended) == 0 {
		s.ended()
		return command.Data{At: -1}
	}
	d := ended[0].out
	s.status, s.last = ended[0].status, ended[0].last
	for i, e := range ended {
		if i > 0 {
			d = joinData(d, e.out)
			if e.status != s.status || e.last != s.last {
				s.ended()
			}
		}
		if !sameSlice(s.files, e.files, sameFile) {
			s.own()
			for _, f := range e.files {
				if have := s.wrote(f.path); have == nil {
					s.files = append(s.files, f)
				} else {
					have.data = f.data
				}
			}
		}
		if len(e.links) > len(s.links) {
			s.own()
			s.links = append(s.links[:0:0], e.links...)
		}
	}
	return d
}

// divide sorts states by how the last command may have ended.
func divide(states []*state) (yes, no, gone []*state) {
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

// maxPasses bounds how often the body of a loop is run with known values.
func (r *reader) maxPasses() int {
	switch r.loops {
	case 0, 1:
		return 64
	case 2:
		return 12
	}
	return 3
}

// body runs the body of a loop once and takes apart how it ends: next are the
// states that go round again, done those that leave.
func (r *reader) body(stmts []*syntax.Stmt, states []*state) (next, done []*state) {
	for _, s := range r.list(stmts, states) {
		switch s.jump {
		case none:
			next = append(next, s)
		case breaks, continues:
			if s.levels--; s.levels > 0 {
				done = append(done, s)
				continue
			}
			if s.jump == breaks {
				s.jump = none
				done = append(done, s)
			} else {
				s.jump = none
				next = append(next, s)
			}
		default:
			done = append(done, s)
		}
	}
	return settle(next), done
}

// snapshot keeps what a loop began with, to see whether it changes.
func snapshot(states []*state) []*state {
	out := make([]*state, len(states))
	for i, s := range states {
		out[i] = s.fork()
	}
	return out
}

func unchanged(before, now []*state) bool {
	for _, s := range now {
		found := false
		for _, b := range before {
			if b.same(s) {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// widen returns one state that stands for all states of two sets.
func widen(before, now []*state) []*state {
	w := before[0].fork()
	w.own()
	for _, s := range append(before[1:len(before):len(before)], now...) {
		w.join(s)
	}
	w.ended()
	return []*state{w}
}

// loop runs a loop: test divides the states at its head, and body runs it once.
func (r *reader) loop(states []*state, test func([]*state) (yes, no, gone []*state), stmts []*syntax.Stmt, post syntax.ArithmExpr) []*state {
	r.loops++
	defer func() { r.loops-- }()
	var out []*state
	for pass := 0; ; pass++ {
		sure := true
		before := snapshot(states)
		yes, no, gone := test(states)
		if len(no) > 0 && len(yes) > 0 {
			sure = false
		}
		out = append(out, gone...)
		out = append(out, no...)
		for _, s := range no { // the status of the last round, if there was one
			if s.end(true); pass > 0 {
				s.ended()
			}
		}
		if len(yes) == 0 {
			break
		}
		next, done := r.body(stmts, yes)
		r.advance(next, post)
		out = append(out, done...)
		if len(next) == 0 || unchanged(before, next) {
			break
		}
		states = next
		limit := r.maxPasses()
		if !sure {
			limit = 2
		}
		if pass+1 >= limit || r.spent {
			// Whatever changes from round to round may be anything.
			for range 2 {
				states = widen(before, states)
				before = snapshot(states)
				yes, no, gone := test(states)
				for _, s := range no {
					s.ended()
				}
				out = append(append(out, gone...), no...)
				if len(yes) == 0 {
					return settle(out)
				}
				next, done := r.body(stmts, yes)
				r.advance(next, post)
				out = append(append(out, done...), snapshot(next)...)
				if len(next) == 0 || unchanged(before, next) || r.spent {
					break
				}
				states = next
			}
			break
		}
	}
	out = settle(out)
	if len(out) == 0 { // a loop that does not end
		return nil
	}
	return out
}

// advance evaluates what a loop does between two rounds.
func (r *reader) advance(states []*state, post syntax.ArithmExpr) {
	if post == nil {
		return
	}
	for _, s := range states {
		r.arithm(s, post)
	}
}

func (r *reader) whileClause(c *syntax.WhileClause, states []*state) []*state {
	return r.loop(states, func(states []*state) (yes, no, gone []*state) {
		yes, no, gone = r.condition(c.Cond, states)
		if c.Until {
			yes, no = no, yes
		}
		return yes, no, gone
	}, c.Do, nil)
}

func (r *reader) forClause(c *syntax.ForClause, s *state) []*state {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		if l.Init != nil {
			r.arithm(s, l.Init)
		}
		return r.loop([]*state{s}, func(states []*state) (yes, no, gone []*state) {
			for _, s := range states {
				s.end(true)
				if l.Cond != nil {
					n := r.arithm(s, l.Cond)
					s.ended()
					if n.known {
						s.end(n.value != 0)
					}
				}
			}
			return divide(states)
		}, c.Do, l.Post)
	case *syntax.WordIter:
		var items []command.Word
		if l.InPos.IsValid() {
			for _, w := range l.Items {
				items = r.fields(s, w, items)
			}
		} else {
			items = append(items, s.params...)
			if s.many {
				items = append(items, command.Word{At: -1})
			}
		}
		return r.forEach(s, l.Name.Value, items, c.Select, c.Do, r.nodeSpan(l))
	}
	r.gap("a loop that is not known", r.nodeSpan(c))
	return []*state{s}
}

// forEach runs a body once for each word of a list.
func (r *reader) forEach(s *state, name string, items []command.Word, menu bool, stmts []*syntax.Stmt, span tool.Span) []*state {
	r.loops++
	defer func() { r.loops-- }()
	if limit := r.maxPasses(); len(items) > limit {
		rest := items[limit-1]
		for _, w := range items[limit:] {
			rest = joinWords(rest, w)
		}
		items = append(items[:limit-1:limit-1], rest)
	}
	var out []*state
	states := []*state{s}
	for _, item := range items {
		item.At = -1
		many := item.Glob || item.Reach != tool.Exact || menu
		if many {
			// Perhaps not at all, perhaps for many words.
			out = append(out, snapshot(states)...)
		}
		for pass := 0; pass < 3; pass++ {
			before := snapshot(states)
			for _, s := range states {
				r.assign(s, name, item, span)
				if menu {
					s.set("REPLY", command.Word{At: -1})
				}
				s.end(true)
			}
			next, done := r.body(stmts, states)
			out = append(out, done...)
			states = next
			if !many || len(next) == 0 || r.spent {
				break
			}
			if pass > 0 && unchanged(before, next) {
				break
			}
			out = append(out, snapshot(next)...)
			states = widen(before, next)
		}
		if len(states) == 0 || r.spent {
			break
		}
	}
	if len(items) == 0 {
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

// binaryCmd runs a chain of && and ||, or a pipeline. Chains lean to the left
// and may be long, so the spine is walked, not recursed into.
func (r *reader) binaryCmd(c *syntax.BinaryCmd, states []*state) []*state {
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		return r.each(states, func(s *state) []*state { return r.pipeline(c, s) })
	}
	spine := []*syntax.BinaryCmd{c}
	first := c.X
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt || len(first.Redirs) > 0 || first.Negated || first.Background {
			break
		}
		spine = append(spine, b)
		first = b.X
	}
	r.conds++
	states = r.stmt(first, states)
	r.conds--
	for i := len(spine) - 1; i >= 0 && !r.spent; i-- {
		b := spine[i]
		yes, no, gone := divide(settle(states))
		run, rest := yes, no
		if b.Op == syntax.OrStmt {
			run, rest = no, yes
		}
		if len(run) > 0 {
			if i > 0 {
				r.conds++
			}
			run = r.stmt(b.Y, run)
			if i > 0 {
				r.conds--
			}
		}
		for _, s := range rest {
			s.excused = s.status == failed
		}
		states = settle(append(append(run, rest...), gone...))
	}
	return states
}

// pipeline runs the stages of a pipeline, each in a subshell.
func (r *reader) pipeline(c *syntax.BinaryCmd, s *state) []*state {
	var stages []*syntax.Stmt
	all := map[*syntax.Stmt]bool(nil)
	var collect func(c *syntax.BinaryCmd, depth int)
	collect = func(c *syntax.BinaryCmd, depth int) {
		for _, side := range [2]*syntax.Stmt{c.X, c.Y} {
			if b, ok := side.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(side.Redirs) == 0 && !side.Negated && depth < 3000 {
				collect(b, depth+1)
				continue
			}
			stages = append(stages, side)
			if c.Op == syntax.PipeAll && side == c.X {
				if all == nil {
					all = map[*syntax.Stmt]bool{}
				}
				all[side] = true
			}
		}
	}
	collect(c, 0)
	outerPipe, outerStage := r.pipe, r.stage
	r.pipes++
	number := r.pipes
	r.async++
	data := s.stdin
	for i, st := range stages {
		last := i == len(stages)-1
		in := data
		if r.spent {
			break
		}
		r.pipe, r.stage = number, i
		if last && s.opts&optLastpipe != 0 {
			saved, out := s.stdin, s.out
			s.stdin = in
			states := r.stmt(st, []*state{s})
			for _, s := range states {
				s.stdin = saved
			}
			_ = out
			r.async--
			r.pipe, r.stage = outerPipe, outerStage
			return states
		}
		data = r.inChild(s, func(c *state) []*state {
			c.stdin = in
			states := r.stmt(st, []*state{c})
			if last && r.world.Zsh {
				// zsh runs the last stage in the shell itself.
				for _, e := range states {
					for _, v := range e.vars {
						if old := s.lookup(v.name); old == nil || !sameVar(*old, v) {
							s.variable(v.name).words = []command.Word{nothing(v.words)}
							s.variable(v.name).unset = false
						}
					}
				}
			}
			return states
		})
		if all[st] && data.Reach == tool.Exact {
			data.Reach = tool.Prefix // and what it says on its standard error
		}
	}
	r.async--
	r.pipe, r.stage = outerPipe, outerStage
	s.out = after(s.out, data)
	return []*state{s}
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

func (r *reader) coproc(c *syntax.CoprocClause, states []*state) []*state {
	name := "COPROC"
	if c.Name != nil {
		name = c.Name.Lit()
		switch c.Stmt.Cmd.(type) {
		case *syntax.CallExpr, *syntax.BinaryCmd, *syntax.DeclClause, nil:
			r.gap("coproc whose first word may be a name or a command", r.nodeSpan(c))
		}
	}
	r.async++
	for _, s := range states {
		r.inChild(s, func(c2 *state) []*state {
			c2.stdin = command.Data{At: -1}
			return r.stmt(c.Stmt, []*state{c2})
		})
		v := s.variable(name)
		v.words, v.attrs, v.unset = []command.Word{{Plain: true, At: -1}, {Plain: true, At: -1}}, isArray, false
		s.end(true)
	}
	r.async--
	return states
}

// substitute runs a command substitution and returns what it prints.
func (r *reader) substitute(s *state, stmts []*syntax.Stmt) command.Data {
	r.substituted = true
	if r.spend() {
		return command.Data{At: -1}
	}
	pipe, stage := r.pipe, r.stage
	r.pipe, r.stage = 0, 0
	loops, loose, colons, args := r.loops, r.loose, r.colons, r.args
	r.colons = false
	d := r.inChild(s, func(c *state) []*state {
		c.jump = none
		return r.list(stmts, []*state{c})
	})
	r.loops, r.loose, r.colons, r.args = loops, loose, colons, args
	r.pipe, r.stage = pipe, stage
	return d
}

// procSubst runs a process substitution; the word is the name of a descriptor.
func (r *reader) procSubst(s *state, p *syntax.ProcSubst) command.Word {
	if p.Op == syntax.CmdInTemp {
		r.gap("a substitution that bash does not have", r.nodeSpan(p))
	}
	status, last, loose, colons, args := s.status, s.last, r.loose, r.colons, r.args
	r.colons = false
	defer func() { r.loose, r.colons, r.args = loose, colons, args }()
	r.async++
	path := "/dev/fd/" + strconv.Itoa(63-len(r.procs)%50)
	var d command.Data
	if p.Op == syntax.CmdOut {
		r.inChild(s, func(c *state) []*state {
			c.stdin = command.Data{At: -1}
			return r.list(p.Stmts, []*state{c})
		})
	} else {
		d = r.inChild(s, func(c *state) []*state { return r.list(p.Stmts, []*state{c}) })
	}
	r.async--
	s.status, s.last = status, last
	r.procs = append(r.procs, stream{path, d})
	return command.Word{Text: path, Reach: tool.Exact, Span: r.nodeSpan(p), At: -1, Taint: d.Taint}
}
