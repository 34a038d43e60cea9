package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// maxTries bounds how often a loop is run with values that stand for more and more,
// until they stand for all that it makes.
const maxTries = 6

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
	next, done = leaving(r.list(stmts, states))
	return r.settle(next), done
}

// leaving takes states at the end of a loop's body, or of its condition, apart.
func leaving(states []*state) (next, done []*state) {
	for _, s := range states {
		switch s.jump {
		case none:
			next = append(next, s)
		case breaks, continues:
			s = s.fork()
			if s.levels--; s.levels > 0 {
				done = append(done, s)
				continue
			}
			goes := s.jump == continues
			if s.jump, s.levels = none, 0; goes {
				next = append(next, s)
			} else {
				done = append(done, s)
			}
		default:
			done = append(done, s)
		}
	}
	return next, done
}

// snapshot keeps what a loop began with, to see whether it changes.
func snapshot(states []*state) []*state {
	out := make([]*state, len(states))
	for i, s := range states {
		out[i] = s.fork()
	}
	return out
}

// unchanged says whether the states of one set stand for all of another.
func unchanged(before, now []*state) bool {
	for _, s := range now {
		if !slices.ContainsFunc(before, s.leq) {
			return false
		}
	}
	return true
}

// leq says whether t stands for all that s does.
func (s *state) leq(t *state) bool {
	if s.same(t) {
		return true
	}
	if s.place() != t.place() {
		return false
	}
	j := t.fork()
	j.join(s)
	return j.same(t)
}

// widen returns states that stand for all states of two sets.
func widen(before, now []*state) []*state {
	w := before[0].fork()
	for _, s := range append(before[1:len(before):len(before)], now...) {
		w.join(s)
	}
	w.ended()
	return []*state{w}
}

// head is the head of a loop: it divides states into those that go in and those
// that do not. Of an arithmetic condition both are not followed if it is known:
// that is as sure as the numbers themselves.
type head struct {
	test    func([]*state) (yes, no, gone []*state, sure status)
	trusted bool
}

// loop runs a loop until nothing new comes of it.
func (r *reader) loop(states []*state, h head, stmts []*syntax.Stmt, post syntax.ArithmExpr, span tool.Span) []*state {
	r.loops++
	defer func() { r.loops-- }()
	from, prints, ends, endless := len(r.invocations), false, false, states[0].stdin.Endless
	entered, swelling := false, 0
	var out []*state
	round := func(states []*state, first bool) (next []*state, sure status) {
		yes, no, gone, sure := h.test(states)
		again, done := leaving(gone)
		ends = ends || sure != succeeded || len(done) > 0
		out = append(out, done...)
		for _, s := range no { // the status of the last round, if there was one
			if s.end(true); !first {
				s.ended()
			}
		}
		out = append(out, no...)
		if len(yes) == 0 {
			return again, sure
		}
		entered = true
		next, done = r.body(stmts, yes)
		r.advance(next, post)
		out = append(out, done...)
		ends, endless = ends || len(done) > 0, endless && len(done) == 0
		return r.settle(append(next, again...)), sure
	}
	for pass := 0; ; pass++ {
		before := snapshot(states)
		next, sure := round(states, pass == 0)
		prints = prints || len(next) > 0 && !before[0].out.Same(next[0].out)
		if len(next) > 0 && next[0].bulk() > before[0].bulk() {
			swelling++
		}
		if len(next) == 0 || unchanged(before, next) {
			break
		}
		states = next
		limit := 2
		if h.trusted && sure == succeeded {
			limit = r.maxPasses()
		}
		if pass+1 >= limit || r.spent {
			// Whatever changes from round to round may be anything.
			for try := 0; ; try++ {
				states = widen(before, states)
				before = snapshot(states)
				next, _ := round(states, false)
				out = append(out, snapshot(next)...)
				if states = next; len(next) == 0 || unchanged(before, next) || r.spent {
					break
				}
				if out = r.settle(out); try >= maxTries {
					r.gap("a loop in which something keeps changing", span)
					break
				}
			}
			break
		}
		out = r.settle(out)
	}
	if !entered {
		r.judge(stmts, out)
	}
	if !ends && !r.spent {
		r.churns(r.invocations[from:], prints, swelling > 1)
	}
	for i, s := range out {
		if endless && prints { // it reads to an end that does not come
			s = s.fork()
			s.out.Endless = true
			out[i] = s
		}
	}
	if !ends {
		for _, st := range stmts {
			if st.Background {
				r.gap("an endless loop that starts processes", r.nodeSpan(st))
			}
		}
	}
	if len(out) == 0 { // it is not believed that it goes on for ever
		out = states
	}
	return r.settle(out)
}

// bulk is how much text the variables of a state hold.
func (s *state) bulk() (n int) {
	s.vars.each(func(_ string, v *variable) bool {
		n += len(v.words)
		for i := range v.words {
			n += len(v.words[i].Text)
		}
		return true
	})
	return n
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
	return r.loop(states, head{test: func(states []*state) (yes, no, gone []*state, sure status) {
		yes, no, gone, sure = r.condition(c.Cond, states)
		if c.Until {
			yes, no, sure = no, yes, not(sure)
		}
		return yes, no, gone, sure
	}}, c.Do, nil, r.nodeSpan(c))
}

func (r *reader) forClause(c *syntax.ForClause, s *state) []*state {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		if l.Init != nil {
			r.arithm(s, l.Init)
		}
		return r.loop([]*state{s}, head{trusted: true, test: func(states []*state) (yes, no, gone []*state, sure status) {
			sure = succeeded
			for _, s := range states {
				n := number{1, true}
				if l.Cond != nil {
					n = r.arithm(s, l.Cond)
				}
				if !n.known || n.value == 0 {
					no = append(no, s.fork().end(false))
				}
				if !n.known || n.value != 0 {
					yes = append(yes, s.end(true))
				}
				if !n.known || n.value == 0 {
					sure = unknown
				}
			}
			return yes, no, nil, sure
		}}, c.Do, l.Post, r.nodeSpan(c))
	case *syntax.WordIter:
		var items words
		if l.InPos.IsValid() {
			for _, w := range l.Items {
				r.fields(s, w, ordinary, &items)
			}
		} else {
			items = words{slices.Clone(s.params), s.loose}
			if s.many {
				items.scattered(command.Word{})
			}
		}
		return r.forEach(s, l.Name.Value, items, c.Select, c.Do, r.nodeSpan(l))
	}
	r.gap("an unknown kind of loop", r.nodeSpan(c))
	return []*state{s}
}

// forEach runs a body once for each word of a list.
func (r *reader) forEach(s *state, name string, given words, menu bool, stmts []*syntax.Stmt, span tool.Span) []*state {
	r.loops++
	defer func() { r.loops-- }()
	items := given.list
	if menu && len(items) > 0 {
		// Which one is taken is up to the input, and it may be none.
		one := command.Known("", span)
		for _, w := range items {
			one = one.Join(w)
		}
		r.reveals(one, span) // the menu is printed
		items = []command.Word{one}
	}
	if limit := r.maxPasses(); len(items) > limit {
		rest := items[limit-1]
		for _, w := range items[limit:] {
			rest = rest.Join(w)
		}
		items = append(items[:limit-1:limit-1], rest)
	}
	var out []*state
	states := []*state{s}
	for i, item := range items {
		item.At = 0
		many := item.Glob || item.Reach != tool.Exact || menu || given.loose > 0 && i+1 >= given.loose && !item.IsPlain() && !item.IsKnown() || len(items) < len(given.list) && i == len(items)-1
		if many {
			// Perhaps not at all, perhaps for many words.
			out = append(out, snapshot(states)...)
		}
		for pass := 0; ; pass++ {
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
			if pass >= maxTries {
				r.gap("a loop in which something keeps changing", span)
				break
			}
			out = r.settle(append(out, snapshot(next)...))
			states = widen(before, next)
		}
		if len(states) == 0 || r.spent {
			break
		}
	}
	if len(items) == 0 {
		s.end(true)
		probe := s.fork()
		r.assign(probe, name, command.Word{}, span)
		r.judge(stmts, []*state{probe})
	}
	return r.settle(append(out, states...))
}
