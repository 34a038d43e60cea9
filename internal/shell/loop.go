package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// maxTries bounds how often a loop is run with values that stand for more and more,
// until they stand for all that it makes.
const maxTries = 6

// maxPasses bounds how often the body of a loop is run with known values.
func (at *frame) maxPasses() int {
	switch at.loops {
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
	s.toil.compared()
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

// looping is a loop that is being followed.
type looping struct {
	r *reader
	head
	stmts   []*syntax.Stmt
	post    syntax.ArithmExpr
	span    tool.Span
	out     []*state // those that have left it
	entered bool     // some way leads into it
	ends    bool     // it may end
	drains  bool     // it reads an input without an end, and nothing but that ends it
}

// loop runs a loop until nothing new comes of it.
func (r *reader) loop(states []*state, h head, stmts []*syntax.Stmt, post syntax.ArithmExpr, span tool.Span) []*state {
	r.loops++
	defer func() { r.loops-- }()
	l := &looping{r: r, head: h, stmts: stmts, post: post, span: span, drains: states[0].stdin.Endless}
	from, prints, swelling := len(r.invocations), false, 0
	for pass := 0; ; pass++ {
		before := snapshot(states)
		next, sure := l.round(states, pass == 0)
		if len(next) > 0 {
			prints = prints || !before[0].out.Same(next[0].out)
			if next[0].bulk() > before[0].bulk() {
				swelling++
			}
		}
		if len(next) == 0 || unchanged(before, next) {
			l.out, states = withJobs(l.out, next), withJobs(states, next)
			break
		}
		states = next
		limit := 2
		if h.trusted && sure == succeeded {
			limit = r.maxPasses()
		}
		if pass+1 >= limit || r.spent {
			states = l.anyRound(before, states)
			break
		}
		l.out = r.settle(l.out)
	}
	if !l.entered {
		r.judge(stmts, l.out)
	}
	if !l.ends {
		l.goesOn(r.invocations[from:], prints, swelling > 1)
	}
	if l.drains && prints { // it reads to an end that does not come
		l.out = snapshot(l.out)
		for _, s := range l.out {
			s.out.Endless = true
		}
	}
	if len(l.out) == 0 { // it is not believed that it goes on for ever
		l.out = states
	}
	return r.settle(l.out)
}

// round runs the body of a loop once, in the states that go into it.
func (l *looping) round(states []*state, first bool) (next []*state, sure status) {
	yes, no, gone, sure := l.test(states)
	again, done := leaving(gone)
	l.ends = l.ends || sure != succeeded || len(done) > 0
	l.out = append(append(l.out, done...), snapshot(again)...) // a continue in the condition may end it
	for _, s := range no {                                     // the status of the last round, if there was one
		if s.end(true); !first {
			s.ended()
		}
	}
	l.out = append(l.out, no...)
	if len(yes) == 0 {
		return again, sure
	}
	l.entered = true
	next, done = l.r.body(l.stmts, yes)
	l.r.advance(next, l.post)
	l.out = append(l.out, done...)
	l.ends, l.drains = l.ends || len(done) > 0, l.drains && len(done) == 0
	return l.r.settle(append(next, again...)), sure
}

// anyRound runs the body as in any further round: whatever changes from one to the next may
// be anything.
func (l *looping) anyRound(before, states []*state) []*state {
	for try := 0; ; try++ {
		states = widen(before, states)
		before = snapshot(states)
		next, _ := l.round(states, false)
		l.out = append(l.out, snapshot(next)...)
		if states = next; len(next) == 0 || unchanged(before, next) || l.r.spent {
			return states
		}
		if l.out = l.r.settle(l.out); try >= maxTries {
			l.r.gap("a loop in which something keeps changing", l.span)
			return states
		}
	}
}

// goesOn notes what a loop without an end does to the machine.
func (l *looping) goesOn(ran []*command.Invocation, prints, swells bool) {
	if !l.r.spent {
		l.r.churns(ran, prints, swells)
	}
	for _, st := range l.stmts {
		if st.Background {
			l.r.gap("an endless loop that starts processes", l.r.src.nodeSpan(st))
		}
	}
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
		attempt(r, s, post)
	}
}

func (r *reader) whileClause(c *syntax.WhileClause, states []*state) []*state {
	return r.loop(states, head{test: func(states []*state) (yes, no, gone []*state, sure status) {
		yes, no, gone, sure = r.condition(c.Cond, states)
		if c.Until {
			yes, no, sure = no, yes, not(sure)
		}
		return yes, no, gone, sure
	}}, c.Do, nil, r.src.nodeSpan(c))
}

// solidify takes note that no word is made of a lone substitution without quotes that is nothing: what a
// loop goes through is something.
func (s *state) solidify(w *syntax.Word, list []command.Word) {
	ifs, known := s.ifs()
	if len(w.Parts) != 1 || !known || strings.Trim(ifs, blankBytes) != "" {
		return
	}
	if _, is := w.Parts[0].(*syntax.CmdSubst); !is {
		return
	}
	for i := range list {
		if list[i].IfEmpty == "" {
			list[i].Hollow = false
		}
	}
}

func (r *reader) forClause(c *syntax.ForClause, s *state) []*state {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		if l.Init != nil {
			attempt(r, s, l.Init)
		}
		return r.loop([]*state{s}, head{trusted: true, test: func(states []*state) (yes, no, gone []*state, sure status) {
			sure = succeeded
			for _, s := range states {
				n := number{1, true}
				if l.Cond != nil {
					n = attempt(r, s, l.Cond)
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
		}}, c.Do, l.Post, r.src.nodeSpan(c))
	case *syntax.WordIter:
		var items words
		var perhaps []bool // which of them may be none
		if l.InPos.IsValid() {
			for _, w := range l.Items {
				from := len(items.list)
				r.fields(s, w, argument, &items)
				perhaps = items.perhaps(perhaps)
				s.solidify(w, items.list[from:])
			}
		} else {
			items = words{slices.Clone(s.params), s.loose}
			if s.many {
				items.scattered(command.Word{})
			}
			perhaps = items.perhaps(nil)
		}
		out := r.forEach(s, l.Name.Value, items.list, perhaps, c.Select, c.Do, r.src.nodeSpan(l))
		for _, e := range out {
			if c.Select && !e.shown { // it may print the end of a line
				e.out = command.Data{Taint: e.out.Taint}
			}
		}
		return out
	}
	r.gap("an unknown kind of loop", r.src.nodeSpan(c))
	return []*state{s}
}

// perhaps adds which of the words may be none to a list that has the first of them.
func (l *words) perhaps(list []bool) []bool {
	for i := len(list); i < len(l.list); i++ {
		w := &l.list[i]
		list = append(list, l.loose > 0 && i+1 >= l.loose && (w.Hollow && w.IfEmpty == "" || !w.IsPlain() && !w.IsKnown()))
	}
	return list
}

// forEach runs a body once for each word of a list, of which some may be none.
func (r *reader) forEach(s *state, name string, given []command.Word, perhaps []bool, menu bool, stmts []*syntax.Stmt, span tool.Span) []*state {
	r.loops++
	defer func() { r.loops-- }()
	items := given
	if menu && len(items) > 0 {
		takesRest(&r.ledger, s.stdin, span)
		items = r.offered(items, span)
	}
	if limit := r.maxPasses(); len(items) > limit {
		items = append(items[:limit-1:limit-1], joined(items[limit-1], items[limit:]))
	}
	each := eachWord{r: r, name: name, menu: menu, stmts: stmts, span: span}
	states := []*state{s}
	first, end := mixedAmong(items)
	for i, item := range items {
		item.At = 0
		rest := len(items) < len(given) && i == len(items)-1
		if i >= first && i < end && !menu {
			if i == first {
				states = each.inAny(items[first:end], perhaps[first:end], states)
			}
		} else if item.Glob || item.Reach != tool.Exact || menu || perhaps[i] || rest {
			// Perhaps not at all, perhaps for many words.
			without := snapshot(states)
			states = r.settle(append(without, each.forMany(item, states)...))
		} else {
			states = each.forOne(item, states)
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
	return r.settle(append(each.out, states...))
}

// eachWord is a loop over words that is being followed.
type eachWord struct {
	r     *reader
	name  string
	menu  bool // somebody chooses the word
	stmts []*syntax.Stmt
	span  tool.Span
	out   []*state // those that have left it
}

// forOne runs the body for one word.
func (l *eachWord) forOne(item command.Word, states []*state) []*state {
	for _, s := range states {
		if refuses(&l.r.ledger, s, l.name) {
			l.out = append(l.out, s.fork().end(false)) // bash goes on behind the loop
		}
		l.r.assign(s, l.name, item, l.span)
		if l.menu {
			s.set("REPLY", command.Word{})
		}
		s.end(true)
	}
	next, done := l.r.body(l.stmts, states)
	l.out = append(l.out, done...)
	return next
}

// forMany runs the body for a word that may stand for many, until nothing new comes of it.
func (l *eachWord) forMany(item command.Word, states []*state) []*state {
	for pass := 0; ; pass++ {
		before := snapshot(states)
		states = l.forOne(item, states)
		if len(states) == 0 || l.r.spent || pass > 0 && unchanged(before, states) {
			return states
		}
		if pass >= maxTries {
			l.r.gap("a loop in which something keeps changing", l.span)
			return states
		}
		l.out = l.r.settle(append(l.out, snapshot(states)...))
		states = widen(before, states)
	}
}

// offered is the word that a menu yields: which one is taken is up to the input, and it may be
// none.
func (led *ledger) offered(items []command.Word, span tool.Span) []command.Word {
	one := joined(command.Known("", span), items)
	led.reveals(one, span) // the menu is printed
	return []command.Word{one}
}

// joined is a word that may be any of several.
func joined(w command.Word, others []command.Word) command.Word {
	for _, o := range others {
		w = w.Join(o)
	}
	return w
}
