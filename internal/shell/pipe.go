package shell

import (
	"strconv"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"

	"mvdan.cc/sh/v3/syntax"
)

// inChild runs commands in a subshell of s and returns what they print. What
// they do to files stays done.
func (r *reader) inChild(s *state, run func(*state) []*state) command.Data {
	c := s.fork()
	c.out = command.Data{Reach: tool.Exact}
	loops, outside := r.loops, r.outside
	r.loops, r.outside = 0, outside || loops > 0
	d := r.adopt(s, run(c))
	r.loops, r.outside = loops, outside
	return d
}

// adopt takes over from the states of an ended subshell what outlives it.
func (r *reader) adopt(s *state, ended []*state) command.Data {
	if len(ended) == 0 {
		s.ended()
		return command.Data{}
	}
	d := ended[0].out
	s.status, s.last = ended[0].status, ended[0].last
	for i, e := range ended {
		if i > 0 {
			d = d.Join(e.out)
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
					have.data, have.authored, have.foreign, have.edited = f.data, f.authored, f.foreign, f.edited
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

// binaryCmd runs a chain of && and ||, or a pipeline. Chains lean to the left
// and may be long, so the spine is walked, not recursed into.
func (r *reader) binaryCmd(c *syntax.BinaryCmd, states []*state) []*state {
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		return r.each(states, func(s *state) []*state { return r.pipeline(c, s) })
	}
	var room [8]*syntax.BinaryCmd
	spine := append(room[:0], c)
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

// stage is one command of a pipeline.
type stage struct {
	stmt *syntax.Stmt
	all  bool // its standard error is piped on as well
}

func appendStages(list []stage, c *syntax.BinaryCmd, depth int) []stage {
	for _, side := range [2]*syntax.Stmt{c.X, c.Y} {
		if b, ok := side.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(side.Redirs) == 0 && !side.Negated && depth < 3000 {
			list = appendStages(list, b, depth+1)
		} else {
			list = append(list, stage{side, c.Op == syntax.PipeAll && side == c.X})
		}
	}
	return list
}

// pipeline runs the stages of a pipeline, each in a subshell.
func (r *reader) pipeline(c *syntax.BinaryCmd, s *state) []*state {
	var room [8]stage
	stages := appendStages(room[:0], c, 0)
	outerPipe, outerStage := r.pipe, r.stage
	r.pipes++
	number := r.pipes
	r.async++
	data := s.stdin
	for i := range stages {
		st, last := stages[i].stmt, i == len(stages)-1
		in := data
		if r.spent {
			break
		}
		r.pipe, r.stage = number, i
		if last && s.opts&optLastpipe != 0 {
			saved := s.stdin
			s.stdin = in
			states := r.stmt(st, []*state{s})
			for _, s := range states {
				s.stdin = saved
			}
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
							s.variable(v.name).words = []command.Word{value.Lost(v.words...)}
							s.variable(v.name).unset = false
						}
					}
				}
			}
			return states
		})
		if stages[i].all && data.Reach == tool.Exact {
			data.Reach = tool.Prefix // and what it says on its standard error
		}
	}
	r.async--
	r.pipe, r.stage = outerPipe, outerStage
	s.out = s.out.Then(data)
	return []*state{s}
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
		d := r.inChild(s, func(c2 *state) []*state {
			c2.stdin = command.Data{}
			return r.stmt(c.Stmt, []*state{c2})
		})
		// Bash takes descriptors near the upper end of those it may use.
		const from, to = "63", "60"
		s.own()
		s.fds = append(s.fds, descriptor{n: from, data: command.Data{Taint: d.Taint}}, descriptor{n: to, data: command.Data{}})
		v := s.variable(name)
		v.words, v.attrs, v.unset = []command.Word{command.Known(from, tool.Span{}), command.Known(to, tool.Span{})}, isArray, false
		s.end(true)
	}
	r.async--
	return states
}

// substitute runs a command substitution and returns what it prints.
func (r *reader) substitute(s *state, stmts []*syntax.Stmt) command.Data {
	r.substituted = true
	if r.spend() {
		return command.Data{}
	}
	pipe, stage := r.pipe, r.stage
	r.pipe, r.stage = 0, 0
	loose, colons, args := r.loose, r.colons, r.args
	r.colons = false
	d := r.inChild(s, func(c *state) []*state {
		c.jump = none
		return r.list(stmts, []*state{c})
	})
	r.loose, r.colons, r.args = loose, colons, args
	r.pipe, r.stage = pipe, stage
	r.swells(d)
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
			c.stdin = command.Data{}
			return r.list(p.Stmts, []*state{c})
		})
	} else {
		d = r.inChild(s, func(c *state) []*state { return r.list(p.Stmts, []*state{c}) })
	}
	r.async--
	s.status, s.last = status, last
	r.procs = append(r.procs, stream{path, d})
	return command.Word{Text: path, Reach: tool.Exact, Span: r.nodeSpan(p), Taint: d.Taint}
}
