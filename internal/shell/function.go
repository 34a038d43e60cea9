package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"

	"mvdan.cc/sh/v3/syntax"
)

// maxCalls bounds functions that call functions.
const maxCalls = 16

// declare defines a function in every state.
func (r *reader) declare(c *syntax.FuncDecl, states []*state) {
	if c.Name == nil {
		r.gap("a function without one name", r.nodeSpan(c))
		return
	}
	name := c.Name.Value
	if isBuiltin(name) {
		r.gap("a function takes the name of the builtin "+name, r.nodeSpan(c.Name))
	}
	for _, s := range states {
		if c.RsrvWord {
			r.beyondPosix(s, c)
		}
		s.own()
		s.funcs = append(s.funcs, function{name: name, body: c.Body, src: r.src})
		s.end(true)
	}
}

// callFunction runs the body of a function with the words as its parameters.
func (r *reader) callFunction(st *syntax.Stmt, f *function, inv *command.Invocation, s *state, red redirection) []*state {
	again := 0
	for _, c := range r.calls {
		if c.body != f.body {
			continue
		}
		again++
		if r.async > c.async {
			inv.Name, inv.Path = f.name, []string{f.name}
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "system.forkbomb", Reach: tool.Exact, Span: inv.Span})
			inv.Output = command.Data{}
			r.list1(inv)
			return []*state{s.ended()}
		}
	}
	if again > 2 || len(r.calls) >= maxCalls || r.spend() {
		r.gap("a function that goes on calling itself", inv.Span)
		s.out = s.out.Then(command.Data{})
		return []*state{s.ended()}
	}
	if len(inv.Effects) > 0 || len(inv.Redirects) > 0 && len(inv.Gaps) > 0 {
		one := *inv
		one.Words, one.Output = nil, command.Data{Reach: tool.Exact}
		if r.known(st, &one) == nil {
			r.list1(&one)
			r.remember(st, &one)
		}
	}
	params, many, loose, zeroOut, stdin := s.params, s.many, s.loose, s.out, s.stdin
	body, src, outer := f.body, f.src, r.src
	r.calls = append(r.calls, frame{f.body, r.async})
	r.depth++
	loops, outside := r.loops, r.outside
	r.loops, r.outside = 0, false
	var undone *state
	if len(inv.Effects) > 0 { // redirections, which may fail
		undone = s.fork().end(false)
	}
	s.own()
	for _, a := range inv.Env {
		if a.Prefix {
			s.vars = append(s.vars, variable{name: a.Name, words: []command.Word{a.Value}, attrs: exported, local: r.depth})
		}
	}
	s.params, s.many, s.loose = inv.Words[1:], false, 0
	if r.loose > 0 {
		s.loose = max(1, r.loose-1)
	}
	if red.reads {
		s.stdin = red.stdin
	}
	s.out = command.Data{Reach: tool.Exact}
	r.src = src
	states := r.stmt(body, []*state{s})
	r.src = outer
	for _, e := range states {
		if e.jump == returns {
			e.jump = none
		}
		e.params, e.many, e.loose = params, many, loose
		if red.reads {
			e.stdin = stdin
		}
		e.dropLocals(r.depth)
		printed := e.out
		e.out = zeroOut
		r.send(e, printed, red)
	}
	r.depth--
	r.loops, r.outside = loops, outside
	r.calls = r.calls[:len(r.calls)-1]
	if undone != nil {
		states = append(states, undone)
	}
	return settle(states)
}

// dropLocals removes the variables of a function that has ended.
func (s *state) dropLocals(depth int) {
	for i := range s.vars {
		if s.vars[i].local >= depth {
			kept := make([]variable, 0, len(s.vars))
			for _, v := range s.vars {
				if v.local < depth {
					kept = append(kept, v)
				}
			}
			s.vars = kept
			return
		}
	}
}

// expanding says whether an alias of that name is being expanded already.
func (r *reader) expanding(name string) bool {
	for _, a := range r.aliasing {
		if a == name {
			return true
		}
	}
	return false
}

// expandAlias runs a command whose name is an alias. Whether aliases are
// expanded depends on the shell, so both readings are followed; and as the text
// of an alias can be any piece of syntax, it is a gap as well.
func (r *reader) expandAlias(st *syntax.Stmt, c *syntax.CallExpr, s *state, a *alias, inv *command.Invocation) []*state {
	r.gap("the alias "+a.name+" stands for something else", inv.Span)
	if a.known && len(r.aliasing) < 8 {
		start := int(c.Args[0].End().Offset())
		end := int(st.End().Offset())
		for _, rd := range st.Redirs {
			if rd.Hdoc != nil {
				end = int(c.End().Offset())
			}
		}
		rest := ""
		if start <= end && end <= len(r.src.text) {
			rest = strings.TrimRight(r.src.text[start:end], ";&")
		}
		r.aliasing = append(r.aliasing, a.name)
		r.inChild(s, func(c *state) []*state {
			return r.script(a.text+rest, &source{whole: inv.Span}, []*state{c})
		})
		r.aliasing = r.aliasing[:len(r.aliasing)-1]
	}
	return r.execute(st, inv, s, redirection{}, true)
}
