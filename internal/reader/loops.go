package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// A loop is read once, in a state that stands for the beginning of any of its rounds.

// whileClause reads the body of a loop once.
func (r *reader) whileClause(c *syntax.WhileClause) {
	r.loop(c, func(l *looped) {
		r.list(c.Cond)
		h := r.s
		in, out := h.place, h.failed()
		if c.Until {
			in, out = out, in
		}
		l.out = joinPlaces(l.out, out)
		h.place, h.missed = in, nil
		r.list(c.Do)
	})
}

func (r *reader) forClause(c *syntax.ForClause) {
	var list words
	iter, isList := c.Loop.(*syntax.WordIter)
	if isList {
		if !iter.InPos.IsValid() {
			list.list, list.loose = r.s.params, r.s.loose
			if r.s.many {
				list.list, list.loose = append(list.list[:len(list.list):len(list.list)], command.Word{}), 1
			}
		}
		for _, w := range iter.Items {
			r.fields(w, ordinary, &list)
		}
	} else {
		r.beyondPosix(c)
		r.arithm(c.Loop.(*syntax.CStyleLoop).Init)
	}
	r.loop(c, func(l *looped) {
		l.out = joinPlaces(l.out, r.s.place)
		if isList {
			if c.Select { // which lists them
				r.reveals(value.Lost(list.list...), r.src.nodeSpan(iter.Name))
			}
			r.assign(iter.Name.Value, variable{alts: elementsOf(list, c.Select), listed: true}, r.src.nodeSpan(iter.Name))
		} else {
			r.arithm(c.Loop.(*syntax.CStyleLoop).Cond)
		}
		r.list(c.Do)
		r.s.settleAnyway()
		if !isList {
			r.arithm(c.Loop.(*syntax.CStyleLoop).Post)
		}
		l.out = joinPlaces(l.out, r.s.place)
	})
}

// elementsOf are what the variable of a loop may be.
func elementsOf(list words, chosen bool) []command.Word {
	var alts []command.Word
	for _, w := range list.list {
		w.Split, w.Taint, w.Mixed = false, w.Taint&^command.Several, false
		w.Hollow = w.Hollow && (w.Reach == tool.Exact && !w.Glob || w.IfEmpty != "")
		alts = unite(alts, []command.Word{w}, maxListed)
	}
	if len(alts) == 0 || chosen {
		alts = append(alts, command.Word{Reach: tool.Exact, Hollow: true})
	}
	return alts
}

// looped is a loop that is being read.
type looped struct {
	out     *place // where the script is when it has left it
	carried map[string]*bool
	taints  map[string]command.Taint
}

// loop reads the body of a loop once, in a state that stands for the beginning of every round.
func (r *reader) loop(n syntax.Node, run func(*looped)) {
	s, breaks := r.s, r.breaks
	first, jobs := len(r.invocations), r.jobs
	s.settle()
	h := s.child(true)
	r.s, r.breaks = h, nil
	l := &looped{carried: map[string]*bool{}, taints: map[string]command.Taint{}}
	links, ran := len(r.links), len(r.ran)
	errexit := h.opts.errexit
	h.opts.errexit = false
	r.loops++
	r.everyRound(n, l)
	start := h.place
	h.out = command.Data{Reach: tool.Exact}
	run(l)
	r.loops--
	h.settleAnyway()
	if !h.gone && !h.place.within(start) {
		r.gap("a loop that changes its directory each time", r.src.nodeSpan(n))
	}
	for name, looked := range l.carried {
		if v, _ := h.vars.get(name); *looked && value.Lost(v.alts...).Taint&^l.taints[name]&handedOn != 0 {
			r.gap("a loop that passes what it has read to the next iteration", r.src.nodeSpan(n))
		}
	}
	for _, path := range r.ran[min(ran, len(r.ran)):] {
		if _, own := h.files.own[path]; own {
			r.gap("a loop that writes what it has run", r.src.nodeSpan(n))
		}
	}
	if slices.ContainsFunc(r.links[links:], func(l link) bool { return !l.copied || !l.unsure }) {
		r.gap("a loop that makes links", r.src.nodeSpan(n))
	}
	r.churns(n, first, jobs)
	if runs := slices.ContainsFunc(r.invocations[first:], runsProject); runs {
		for _, f := range h.files.own {
			if f.from >= told {
				r.gap("a loop that runs the project's code and writes files of it", r.src.nodeSpan(n))
				break
			}
		}
	}
	out := h.out
	h.out = s.out
	r.s = s
	r.perhaps(s, h)
	if s.opts.errexit = errexit; !s.shown && !(out.IsEmpty() && out.Taint == 0) { // any number of times
		s.out = behind(s.out, command.Data{Taint: out.Taint, Endless: out.Endless || s.stdin.Endless})
	}
	at := l.out
	if r.breaks != nil {
		at = joinPlaces(at, *r.breaks)
	}
	if at != nil {
		s.place = *at
	}
	s.missed, r.breaks = nil, breaks
}

// churns notes a loop without end that waits for nothing: it may fill the disk.
func (r *reader) churns(n syntax.Node, first, jobs int) {
	waits := func(inv *command.Invocation) bool { return (inv.Timed || len(inv.Gaps) > 0) && r.jobs == jobs }
	if r.breaks != nil || r.s.gone || !isEndless(n) || slices.ContainsFunc(r.invocations[first:], waits) {
		return
	}
	if first == len(r.invocations) {
		r.gap("a loop without end that nothing in it slows down", r.src.nodeSpan(n))
	}
	for _, inv := range r.invocations[first:] {
		if slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Write || e.Kind == tool.Create }) || r.jobs > jobs || inv.Output.Reach != tool.Exact || inv.Output.Text != "" {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "system.exhaust", Reach: tool.Exact, Span: inv.Span})
			return
		}
	}
}

// isEndless says whether the condition of a loop always holds.
func isEndless(n syntax.Node) bool {
	switch c := n.(type) {
	case *syntax.WhileClause:
		if len(c.Cond) != 1 {
			return false
		}
		call, is := c.Cond[0].Cmd.(*syntax.CallExpr)
		if !is || len(call.Args) != 1 {
			return false
		}
		lit := call.Args[0].Lit()
		return !c.Until && (lit == ":" || lit == "true") || c.Until && lit == "false"
	case *syntax.ForClause:
		loop, is := c.Loop.(*syntax.CStyleLoop)
		return is && loop.Cond == nil
	}
	return false
}

// handedOn are the taints that matter wherever a value goes.
const handedOn = command.FromSecret | command.FromKeys | command.FromNet | command.FromOutside | command.FromTree

// rounds is what the body of a loop may change for its next round.
type rounds struct {
	names   map[string]bool // variables, and whether they only get numbers
	params  bool
	all     bool // unknown text is run
	moves   bool
	returns bool // to where it was
	funcs   []*syntax.FuncDecl
	seen    map[syntax.Node]bool
}

// everyRound makes the state one of the beginning of any round of a loop.
func (r *reader) everyRound(n syntax.Node, l *looped) {
	k := rounds{names: map[string]bool{}, seen: map[syntax.Node]bool{}}
	k.look(r, n)
	s := r.s
	for _, f := range k.funcs {
		have, _ := s.funcs.get(f.Name.Value)
		s.funcs.put(f.Name.Value, have.join(function{defs: []*definition{r.src.definition(f)}, may: true}))
	}
	if k.all {
		s.forgetAll()
	}
	if k.params {
		s.params, s.many, s.loose = []command.Word{lost(s.params...)}, true, 1
	}
	if k.moves && !k.returns {
		s.dirs = append(slices.Clip(s.dirs), command.Word{})
		s.old = []command.Word{{}}
	}
	r.spend(len(k.names) / 8)
	for _, name := range sortedKeys(k.names) {
		v := r.variable(name)
		if k.names[name] && !v.list {
			v = v.join(single(anyNumber()))
		} else {
			v = v.join(v.forgotten())
			v.alts = []command.Word{lost(v.alts...)}
		}
		v.unset = false
		l.carried[name], l.taints[name] = new(bool), value.Lost(v.alts...).Taint
		v.carried = l.carried[name]
		s.vars.put(name, v)
	}
}

// look finds what a part of a loop may change.
func (k *rounds) look(r *reader, n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if n == nil {
			return false
		}
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.FuncDecl:
			if n.Name != nil && len(k.funcs) < 16 {
				k.funcs = append(k.funcs, n)
			}
			return false
		case *syntax.Assign:
			if n.Name != nil {
				k.assigned(n.Name.Value, isArithmetic(n))
			}
		case *syntax.WordIter:
			k.assigned(n.Name.Value, false)
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				k.assigned(n.Param.Value, false)
			}
		case *syntax.CallExpr:
			k.call(r, n)
		case *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.LetClause, *syntax.CStyleLoop:
			for _, name := range assignedIn(n) {
				k.assigned(name, true)
			}
		}
		return true
	})
}

func (k *rounds) assigned(name string, numbers bool) {
	if only, had := k.names[name]; had {
		numbers = numbers && only
	}
	k.names[name] = numbers
}

// isArithmetic says whether an assignment gives a number to a variable.
func isArithmetic(a *syntax.Assign) bool {
	if a.Value == nil || a.Array != nil || a.Append || len(a.Value.Parts) != 1 {
		return false
	}
	_, is := a.Value.Parts[0].(*syntax.ArithmExp)
	return is || a.Value.Lit() != "" && strings.Trim(a.Value.Lit(), "0123456789") == ""
}
