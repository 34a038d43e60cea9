package shell

import (
	"slices"
	"strconv"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// inChild runs commands in a subshell of s and returns what they print. What they
// do to files stays done; what they have read of an input that they share with s is
// gone.
func (r *reader) inChild(s *state, shared bool, run func(*state) []*state) command.Data {
	c := s.fork()
	c.out, c.shown, c.uproots, c.running = command.Data{Reach: tool.Exact}, false, nil, s.running.inherited()
	if r.haunts(s)&byFailure == 0 {
		c.opts, c.doubt = c.opts&^optEndtrap, c.doubt&^optEndtrap
	}
	at, traps := r.frame, len(r.traps)
	r.frame = frame{outside: at.inLoop(), depth: at.depth, sourcing: at.sourcing, sprung: at.sprung, inner: true}
	ended := run(c)
	ended = append(ended, r.stranded.all()...)
	ended, cut := cutShort(ended, r.aborted.all())
	d := r.adopt(s, shared, ended)
	if cut {
		d = perhaps(d)
	}
	d = r.overheard(s, d)
	r.frame = at
	if len(r.traps) > traps { // which may print more at the end
		d = command.Data{Taint: d.Taint, Endless: d.Endless}
	}
	return d
}

// cutShort adds the states in which a subshell has given up to those in which it has ended. It
// says whether it may have given up before it has printed anything; what it prints otherwise stays known.
func cutShort(ended, aborted []*state) (all []*state, silent bool) {
	for _, a := range aborted {
		if a.out.IsEmpty() && a.out.Taint == 0 && len(ended) > 0 {
			a = a.fork()
			a.out, silent = ended[0].out, true
		}
		ended = append(ended, a)
	}
	return ended, silent
}

// adopt takes over from the states of an ended subshell what outlives it.
func (bud *budget) adopt(s *state, shared bool, ended []*state) command.Data {
	s.ended()
	if len(ended) == 0 {
		return command.Data{}
	}
	d := ended[0].out
	s.hint = ended[0].hint
	files, links := ended[0].files, ended[0].links
	for _, e := range ended {
		d = eitherOutput(d, e.out)
		s.carriedBy(e.uproots)
		s.running = s.running.leave(e.running)
		if s.frail = s.frail || e.frail; e.hint != s.hint {
			s.hint = unknown
		}
		files = files.join(e.files, &bud.toil)
		links = joinLists(links, e.links)
		if shared && !e.stdin.Same(s.stdin) {
			s.stdin = command.Data{Taint: s.stdin.Taint | e.stdin.Taint}
		}
	}
	if !s.files.same(files) {
		s.rereadAll()
	}
	s.files, s.links = files, links
	d.Taint &^= command.RestOfScript // what is printed is none
	return d
}

// eitherOutput is what is printed if it is one of two, of which one may be nothing.
func eitherOutput(a, b command.Data) command.Data {
	if b.IsEmpty() && !b.None {
		a, b = b, a
	}
	if !a.IsEmpty() || a.None || b.Reach == tool.Prefix || b.Reach == tool.Exact {
		return a.Join(b)
	}
	b.Taint |= a.Taint
	b.Full = false
	return b
}

// binaryCmd runs a chain of && and ||, or a pipeline. Chains lean to the left
// and may be long, so the spine is walked, not recursed into.
func (r *reader) binaryCmd(c *syntax.BinaryCmd, states []*state) []*state {
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		strict := r.strict
		r.strict = false
		states = eachState(states, func(s *state) []*state { return r.pipeline(c, s) })
		r.strict = strict
		return states
	}
	var room [8]*syntax.BinaryCmd
	spine := append(room[:0], c)
	first := c.X
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt || len(first.Redirs) > 0 || first.Negated || first.Background {
			break
		}
		r.src.visit(first)
		spine = append(spine, b)
		first = b.X
	}
	strict := r.strict
	defer func() { r.strict = strict }()
	r.strict = false
	states = r.stmt(first, states)
	for i := len(spine) - 1; i >= 0 && !r.spent; i-- {
		b := spine[i]
		yes, no, gone, _ := divide(r.settle(states))
		run, rest := yes, no
		if b.Op == syntax.OrStmt {
			run, rest = no, yes
		}
		if r.strict = strict && i == 0; len(run) > 0 {
			run = r.stmt(b.Y, run)
		} else { // no way leads there, if that is to be believed
			r.stmt(b.Y, r.settle(revived(append(rest, gone...))))
		}
		states = r.settle(append(append(run, rest...), behindJump(r, b, gone)...))
	}
	return states
}

// behindJump adds the states that zsh makes of those that leave by a return, break or continue: it goes on in the list of && and ||
// that they stand in, and runs what it runs by itself there, such as assignments.
func behindJump(r *reader, b *syntax.BinaryCmd, gone []*state) []*state {
	if len(gone) == 0 || !r.world.Zsh || !runsBehindJump(b.Y) {
		return gone
	}
	out := gone
	for _, s := range gone {
		if s.jump == exits || b.Op == syntax.OrStmt && s.jump != returns {
			continue // these end well
		}
		for _, e := range r.stmt(b.Y, revived([]*state{s})) {
			if substitutes(b.Y) { // which runs nothing there
				forgetAssigned(e, b.Y)
			}
			if e.jump == none {
				e.jump, e.levels = s.jump, s.levels
			}
			out = append(out, e)
		}
	}
	if len(out) > len(gone) && !isWholeBehindJump(b.Y) {
		r.gap("zsh runs a part of what stands behind break, continue or return", r.src.nodeSpan(b.Y))
	}
	return out
}

// runsBehindJump says whether zsh runs a statement, or a part of it, behind a jump in a list.
func runsBehindJump(st *syntax.Stmt) bool {
	if st.Negated || st.Background || len(st.Redirs) > 0 {
		return false
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		return len(c.Args) == 0
	case *syntax.ArithmCmd, *syntax.TestClause, *syntax.FuncDecl, *syntax.ForClause, *syntax.CaseClause:
		return true
	}
	return false
}

// isWholeBehindJump says whether zsh runs all of such a statement.
func isWholeBehindJump(st *syntax.Stmt) bool {
	switch st.Cmd.(type) {
	case *syntax.CallExpr, *syntax.FuncDecl:
		return true
	case *syntax.ArithmCmd, *syntax.TestClause:
		return !substitutes(st)
	}
	return false // of a loop it is the variable alone
}

// substitutes says whether there is a substitution of a command in a statement.
func substitutes(st *syntax.Stmt) (found bool) {
	syntax.Walk(st, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		case *syntax.FuncDecl:
			return false
		}
		return !found
	})
	return found
}

// forgetAssigned forgets the values of the variables that a statement assigns.
func forgetAssigned(s *state, st *syntax.Stmt) {
	if c, is := st.Cmd.(*syntax.CallExpr); is {
		for _, a := range c.Assigns {
			s.variable(a.Name.Value).forget()
		}
	}
}

// stage is one command of a pipeline.
type stage struct {
	stmt *syntax.Stmt
	all  bool // its standard error is piped on as well
}

// stages adds the commands of a pipeline to a list.
func (src *source) stages(list []stage, c *syntax.BinaryCmd, depth int) []stage {
	for _, side := range [2]*syntax.Stmt{c.X, c.Y} {
		if b, ok := side.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(side.Redirs) == 0 && !side.Negated && depth < 3000 {
			src.visit(side)
			list = src.stages(list, b, depth+1)
		} else {
			list = append(list, stage{side, c.Op == syntax.PipeAll && side == c.X})
		}
	}
	return list
}

// pipeline runs the stages of a pipeline, each in a subshell.
func (r *reader) pipeline(c *syntax.BinaryCmd, s *state) []*state {
	var room [8]stage
	stages, starts := r.src.stages(room[:0], c, 0), make([]int, 0, 8)
	outerPipe, outerStage := r.pipe, r.stage
	r.pipes++
	number := r.pipes
	r.async++
	data, before, used := s.stdin, s.files, r.use
	var given, left []*state                    // up by the last stage, and those in which it has left what is around it
	strict := (s.opts|s.doubt)&optPipefail != 0 // what writes to a pipe that nobody reads fails as well
	for i := range stages {
		st, last := stages[i].stmt, i == len(stages)-1
		in := data
		if r.spent {
			break
		}
		starts, r.pipe, r.stage = append(starts, len(r.invocations)), number, i
		if last && s.doubt&optLastpipe != 0 {
			r.gap("a pipeline whose last command may run in the shell itself", r.src.nodeSpan(st))
		}
		if last && s.opts&optLastpipe != 0 {
			saved := s.stdin
			s.stdin = in
			states := r.stmt(st, []*state{s})
			for _, s := range states {
				s.stdin = saved
				s.ended()
			}
			r.async--
			r.pipe, r.stage = outerPipe, outerStage
			return states
		}
		both, apart, leaves := alsoPiped(st, i == 0, last), s, false
		if both != nil {
			apart = s.fork()
		}
		run := func(st *syntax.Stmt, in, of *state) []*state {
			states := r.stmt(st, []*state{in})
			goesOnApart(r, st, states)
			if last {
				// zsh runs the last stage in the shell itself, and it may be zsh.
				for _, e := range states {
					of.joinShell(e)
				}
				given = append(given, r.aborted.all()...)
				leaves = leaves || r.world.Zsh && (slices.ContainsFunc(states, (*state).jumped) || r.outside && leavesLoops(st))
			}
			return states
		}
		data = r.inChild(s, i == 0, func(c *state) []*state {
			c.stdin, c.files = in, before.join(c.files, c.toil) // others may not have come to write yet
			return run(st, c, s)
		})
		if leaves {
			left = r.leftBy(st, s, in)
		}
		if both != nil && r.world.Zsh {
			// zsh gives to a file and to the pipe, and takes from both.
			other := r.inChild(apart, i == 0, func(c *state) []*state {
				if c.stdin = in; len(both.Redirs) < len(st.Redirs) && slices.ContainsFunc(st.Redirs, takesInput) {
					c.stdin = command.Data{Taint: in.Taint} // one behind the other
				}
				return run(both, c, apart)
			})
			s.join(apart)
			data = data.Join(other)
		}
		if stages[i].all { // and what it says on its standard error
			data = command.Data{Taint: data.Taint, Endless: data.Endless}
		}
	}
	r.async--
	losesInPipe(&r.ledger, stages, starts)
	released(r, used)
	r.pipe, r.stage = outerPipe, outerStage
	r.send(s, data, redirection{})
	s.frail = s.frail || strict
	refuseWith(&r.ledger, s, given)
	return append(left, s)
}

// goesOnApart notes that a command which runs apart from the shell may return by eval from the function or file that it stands in:
// bash then goes on behind that, as a second shell.
func goesOnApart(r *reader, st *syntax.Stmt, states []*state) {
	c, is := st.Cmd.(*syntax.CallExpr)
	if !is || len(c.Args) == 0 || c.Args[0].Lit() == "return" || !slices.ContainsFunc(states, func(s *state) bool { return s.jump == returns }) {
		return
	}
	r.gap("eval that returns, in a pipeline or in the background, after which bash goes on twice", r.src.nodeSpan(st))
}

// leftBy are the states in which the last stage of a pipeline, which zsh runs in the shell itself, has left the
// function, the loop or the shell around the pipeline.
func (r *reader) leftBy(st *syntax.Stmt, s *state, in command.Data) (left []*state) {
	if r.staged >= maxStaged {
		r.gap("pipelines inside each other that leave what is around them", r.src.nodeSpan(st))
		return nil
	}
	r.staged++
	f := s.fork()
	f.stdin = in
	for _, e := range r.stmt(st, []*state{f}) {
		if e.jumped() {
			e.stdin = s.stdin
			left = append(left, e)
		}
	}
	r.staged--
	return left
}

// maxStaged bounds how deep such pipelines are read again.
const maxStaged = 3

// leavesLoops says whether a statement may leave several loops at once.
func leavesLoops(st *syntax.Stmt) (found bool) {
	syntax.Walk(st, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 1 {
			name := c.Args[0].Lit()
			found = found || name == "break" || name == "continue"
		}
		return !found
	})
	return found
}

// refuseWith is refuseZsh for what a part of the shell has given up on, in some states.
func refuseWith(led *ledger, s *state, given []*state) {
	for _, e := range given {
		f := s.fork()
		f.joinShell(e)
		led.refuseZsh(f)
	}
}

// alsoPiped is a stage of a pipeline without the redirections that take the place of the pipe; nil if it
// has none.
func alsoPiped(st *syntax.Stmt, first, last bool) *syntax.Stmt {
	replaces := func(rd *syntax.Redirect) bool {
		switch fd, in := "", readsFrom(rd.Op); {
		case rd.N != nil:
			fd = rd.N.Value
			return in && fd == "0" && !first || !in && fd == "1" && !last
		default:
			return in && !first || !in && !last
		}
	}
	if !slices.ContainsFunc(st.Redirs, replaces) {
		return nil
	}
	c := *st
	c.Redirs = slices.DeleteFunc(slices.Clone(st.Redirs), replaces)
	return &c
}

// takesInput says whether a redirection is one of standard input.
func takesInput(rd *syntax.Redirect) bool {
	return readsFrom(rd.Op) && (rd.N == nil || rd.N.Value == "0")
}

// readsFrom says whether a redirection is one of the input.
func readsFrom(op syntax.RedirOperator) bool {
	switch op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return true
	}
	return false
}

func (r *reader) coproc(c *syntax.CoprocClause, states []*state) []*state {
	name := "COPROC"
	if c.Name != nil {
		name = c.Name.Lit()
		switch c.Stmt.Cmd.(type) {
		case *syntax.CallExpr, *syntax.BinaryCmd, *syntax.DeclClause, nil:
			r.gap("coproc whose first word may be a name or a command", r.src.nodeSpan(c))
		}
	}
	for _, s := range states {
		r.beyondPosix(s, c)
	}
	r.async++
	j := launch(r, c, states, func(s *state) {
		before := s.files
		d := r.inChild(s, false, func(c2 *state) []*state {
			c2.stdin = command.Data{}
			return r.stmt(c.Stmt, []*state{c2})
		})
		s.files = before.join(s.files, s.toil) // when it comes to write something is not known
		s.fds.openSome(d.Taint)
	})
	for _, s := range states {
		// Which descriptors bash takes depends on those that are open. When the command has ended, both variables are unset.
		r.assignArrayWords(s, name, []command.Word{{Plain: true, Hollow: true}, {Plain: true, Hollow: true}}, r.src.nodeSpan(c))
		s.set(name+"_PID", command.Word{Plain: true, Hollow: true, Of: command.Own})
		s.end(true)
		s.running = s.running.start(j, r.inLoop())
	}
	r.async--
	return states
}

// substitute runs a command substitution and returns what it prints.
func (r *reader) substitute(s *state, stmts []*syntax.Stmt) command.Data {
	if r.spend() {
		return command.Data{}
	}
	pipe, stage := r.pipe, r.stage
	r.pipe, r.stage = 0, 0
	d := r.inChild(s, true, func(c *state) []*state {
		c.jump = none
		r.lone = c.runsProgram(stmts)
		return r.list(stmts, []*state{c})
	})
	r.pipe, r.stage = pipe, stage
	r.swells(d)
	return d.Joined()
}

// runsProgram says whether all that statements do is to run one program, or what every shell does itself without
// changing by it.
func (s *state) runsProgram(stmts []*syntax.Stmt) bool {
	if len(stmts) != 1 || stmts[0].Negated {
		return false
	}
	c, ok := stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return false
	}
	name := c.Args[0].Lit()
	list, _ := s.calls(name)
	return name != "" && len(list) == 0 && s.alias(name) == nil && !isBuiltin(name)
}

// procSubst runs a process substitution; the word is the name of a descriptor.
func (r *reader) procSubst(s *state, p *syntax.ProcSubst) command.Word {
	r.reprinted(p, p.Stmts)
	r.async++
	path := "/dev/fd/" + strconv.Itoa(63-len(r.procs)%50)
	before, from := s.files, len(r.invocations)
	var d command.Data
	j := launch(r, p, one(s), func(s *state) {
		d = r.inChild(s, p.Op != syntax.CmdOut, func(c *state) []*state {
			if p.Op == syntax.CmdOut {
				c.stdin = command.Data{}
			}
			return r.list(p.Stmts, []*state{c})
		})
	})
	s.running = s.running.aside(j)
	s.files = before.join(s.files, s.toil) // when it comes to write something is not known
	if p.Op == syntax.CmdOut {
		if !d.IsEmpty() { // it goes where the output of the shell goes, at some time
			r.send(s, command.Data{Taint: d.Taint, Endless: d.Endless}, redirection{})
		}
		d = command.Data{}
	}
	r.async--
	r.procs = append(r.procs, stream{path, d, r.src.nodeSpan(p), from, len(r.invocations)})
	return command.Word{Text: path, Reach: tool.Exact, Span: r.src.nodeSpan(p), Taint: d.Taint}
}
