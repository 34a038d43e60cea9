package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// maxCalls bounds functions that call functions.
const maxCalls = 16

// declare defines a function in every state.
func (led *ledger) declare(c *syntax.FuncDecl, states []*state) {
	if c.Name == nil {
		led.gap("a function without a single name", led.src.nodeSpan(c))
		return
	}
	name := c.Name.Value
	switch {
	case isBuiltin(name):
		led.gap("a function takes the name of the builtin "+name, led.src.nodeSpan(c.Name))
	case isHook(name):
		led.gap("zsh runs the function "+name+" by itself", led.src.nodeSpan(c.Name))
	}
	if led.world.Zsh && losesDocument(led.src.text, c) {
		led.gap("zsh does not find a here-document whose text stands behind its function", led.src.nodeSpan(c.Name))
	}
	for _, s := range states {
		if c.RsrvWord {
			led.beyondPosix(s, c)
		}
		if list, _ := s.calls(name); s.funcs.size() > maxFuncs || len(list) > maxNamed {
			led.gap("too many functions", led.src.nodeSpan(c.Name))
			return
		}
		s.funcs.put(name, functions{[]function{{name: name, body: c.Body, src: led.src}}, true}, sure)
		s.end(true)
	}
	led.watch(states)
}

// losesDocument says whether the text of a here-document in a function stands behind the function, and something else in between: zsh reads
// some other text of the function then.
func losesDocument(text string, c *syntax.FuncDecl) (loses bool) {
	end := int(c.Body.Cmd.End().Offset())
	rest, _, _ := strings.Cut(text[min(end, len(text)):], "\n")
	if rest = strings.TrimSpace(rest); rest == "" || rest[0] == '#' {
		return false
	}
	syntax.Walk(c.Body, func(n syntax.Node) bool {
		if rd, is := n.(*syntax.Redirect); is && (rd.Op == syntax.Hdoc || rd.Op == syntax.DashHdoc) {
			if rd.Hdoc != nil {
				loses = loses || int(rd.Hdoc.Pos().Offset()) > end
			} else {
				loses = loses || !strings.Contains(text[rd.Word.End().Offset():end], "\n")
			}
		}
		return !loses
	})
	return loses
}

// isHook says whether zsh runs a function of that name without being told to.
func isHook(name string) bool {
	switch name {
	case "chpwd", "periodic", "precmd", "preexec", "zshaddhistory", "zshexit", "command_not_found_handler", "command_not_found_handle":
		return true
	}
	return strings.HasPrefix(name, "TRAP")
}

// run runs what a name may stand for: one of several functions, or the builtin or
// program of that name.
func (r *reader) callByName(st *syntax.Stmt, inv *command.Invocation, s *state, red redirection) ([]*state, bool) {
	list, sure := s.calls(inv.Words[0].Text)
	if len(list) == 0 {
		return nil, false
	}
	if r.skimmed != nil {
		list = list[:1] // none is followed
	}
	var out []*state
	for i := range list {
		one := *inv
		out = append(out, r.callFunction(st, &list[i], &one, s.fork(), red)...)
	}
	if !sure {
		one := *inv
		out = append(out, r.execute(st, &one, s.fork(), red, false)...)
	}
	return r.settle(out), true
}

// keepsCalling notes a function that is being run already: in the background, which
// makes more and more processes, or too often to be followed.
func (r *reader) keepsCalling(f *function, inv *command.Invocation, s *state) bool {
	again, spent := 0, r.spend() // a name may stand for many functions, each of which calls it again
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
			return true
		}
	}
	if again > 2 || len(r.calls) >= maxCalls || r.skimmed != nil || spent {
		r.gap("a function that keeps calling itself", inv.Span)
		s.out = s.out.Then(command.Data{})
		s.forgetAll()
		return true
	}
	return false
}

// comeBack makes a state in which a function has ended one of its caller, which was like
// before, and returns what the function has printed.
func (s *state) comeBack(before *state, depth int, env []command.Assign, red redirection) command.Data {
	s.returned()
	s.params, s.many, s.loose, s.zero = before.params, before.many, before.loose, before.zero
	if red.reads {
		s.stdin = before.stdin
	}
	fixed := s.fixedAt(env, depth)
	s.dropLocals(depth)
	for _, name := range fixed {
		s.variable(name).attrs |= readonly
	}
	s.doubt |= (s.opts ^ before.opts) & optErrexit // which a function can keep to itself
	if before.opts&optPosix != 0 {
		s.lasting(env)
	}
	printed := s.out
	s.out, s.shown = before.out, before.shown
	return printed
}

// fixedAt are the variables in front of a call that the function has made read-only, as some shells leave them.
func (s *state) fixedAt(env []command.Assign, depth int) (names []string) {
	for _, a := range env {
		if v := s.lookup(a.Name); a.Prefix && v != nil && v.local == depth && v.attrs&readonly != 0 {
			names = append(names, a.Name)
		}
	}
	return names
}

// callFunction runs the body of a function with the words as its parameters.
func (r *reader) callFunction(st *syntax.Stmt, f *function, inv *command.Invocation, s *state, red redirection) []*state {
	if r.keepsCalling(f, inv, s) {
		return []*state{s.ended()}
	}
	one := *inv
	if len(inv.Effects) > 0 || len(inv.Redirects) > 0 && len(inv.Gaps) > 0 {
		one.Words, one.Output = nil, command.Data{Reach: tool.Exact}
		r.listOnce(st, &one, s)
		defer func(listed int) { losesInside(&r.ledger, &one, listed) }(len(r.invocations))
	}
	before := s.fork()
	r.calls = append(r.calls, activation{f.body, r.async})
	outer, src := r.src, f.src
	at := r.frame
	r.depth++
	r.loops, r.outside, r.around, r.sprung = 0, at.inLoop(), at.loops+at.around, false
	s.hideBehind(inv.Env, r.depth)
	r.setZero(s, inv.Words[0])
	s.params, s.many, s.loose = inv.Words[1:], false, 0
	if inv.Loose > 0 {
		s.loose = max(1, inv.Loose-1)
	}
	if red.reads {
		s.stdin = red.stdin
	}
	r.hold(s.out, red.stdout)
	s.out, s.shown = command.Data{Reach: tool.Exact}, s.shown && red.stdout == toParent
	r.src = src
	states := r.stmt(f.body, []*state{s})
	emptiedBy(&r.site, &one, printedIn(states)...)
	r.held = at.held
	r.src = outer
	depth := r.depth
	r.depth, r.loops, r.outside, r.around, r.sprung = at.depth, at.loops, at.outside, at.around, at.sprung
	for i, e := range states {
		e = e.fork()
		states[i] = e
		printed := e.comeBack(before, depth, inv.Env, red)
		if red.stdout != toParent {
			printed = r.overheard(e, printed)
		}
		r.send(e, printed, red)
	}
	r.calls = r.calls[:len(r.calls)-1]
	if len(inv.Effects) > 0 || red.risky || red.reads { // redirections, which may fail
		states = append(states, before.decide(false))
	}
	return r.settle(states)
}

// setZero makes the name of a function or a file what $0 may be while that runs, as it is in zsh.
func (here *site) setZero(s *state, name command.Word) {
	if here.world.Zsh {
		s.zero = s.zero.Join(name)
	}
}

// inLoop says whether there is a loop around it, be it outside of its function or subshell.
func (at *frame) inLoop() bool { return at.outside || at.loops > 0 }

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
	if a.known && len(r.aliasing) < 8 && r.skimmed == nil {
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
		r.inChild(s, true, func(c *state) []*state {
			return r.script(a.text+rest, &source{whole: inv.Span}, []*state{c})
		})
		r.aliasing = r.aliasing[:len(r.aliasing)-1]
	}
	return r.execute(st, inv, s, redirection{}, true)
}
