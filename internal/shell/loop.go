package shell

import (
	"longline/internal/command"
	"longline/internal/tool"

	"mvdan.cc/sh/v3/syntax"
)

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
	from, prints, ends, endless := len(r.invocations), false, false, states[0].stdin.Endless
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
		ends = ends || len(out) > 0
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
		ends, endless = ends || len(done) > 0, endless && len(done) == 0
		prints = prints || len(next) > 0 && !before[0].out.Same(next[0].out)
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
				ends = ends || len(out) > 0
				if len(yes) == 0 {
					return settle(out)
				}
				next, done := r.body(stmts, yes)
				r.advance(next, post)
				ends = ends || len(done) > 0
				out = append(append(out, done...), snapshot(next)...)
				if len(next) == 0 || unchanged(before, next) || r.spent {
					break
				}
				states = next
			}
			break
		}
	}
	if !ends && !r.spent {
		r.churns(r.invocations[from:], prints)
	}
	for _, s := range out {
		s.out.Endless = s.out.Endless || endless && prints // it reads to an end that does not come
	}
	out = settle(out)
	if len(out) == 0 { // a loop that does not end
		for _, st := range stmts {
			if st.Background {
				r.gap("a loop without end that starts processes", r.nodeSpan(st))
			}
		}
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
				items = append(items, command.Word{})
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
			rest = rest.Join(w)
		}
		items = append(items[:limit-1:limit-1], rest)
	}
	var out []*state
	states := []*state{s}
	for _, item := range items {
		item.At = 0
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
					s.set("REPLY", command.Word{})
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
