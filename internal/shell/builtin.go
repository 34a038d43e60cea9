package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"

	"mvdan.cc/sh/v3/syntax"
)

// isBuiltin says whether the shell itself carries out a command of that name and
// its state changes by it, so that it is followed here and not by a model.
func isBuiltin(name string) bool {
	switch name {
	case ":", ".", "source", "cd", "pushd", "popd", "dirs", "export", "local", "declare", "typeset", "readonly", "unset", "set",
		"shift", "eval", "trap", "alias", "unalias", "exec", "command", "builtin", "read", "mapfile", "readarray", "getopts",
		"let", "hash", "enable", "shopt", "ulimit", "umask", "return", "break", "continue", "exit", "logout", "wait", "jobs",
		"fg", "bg", "disown", "suspend", "history", "fc", "complete", "compgen", "compopt", "bind", "times", "caller", "type",
		"test", "[", "printf":
		return true
	}
	return false
}

// builtin carries out a builtin; ok is false if the name is none that is
// followed here.
func (r *reader) builtin(st *syntax.Stmt, name string, inv *command.Invocation, s *state, red redirection) (states []*state, ok bool) {
	if !isBuiltin(name) {
		return nil, false
	}
	args := inv.Words[1:]
	switch name {
	case "test", "[", "printf":
		// Their effects are a model's; only what they do to the shell is here.
		if name == "printf" {
			undone := s.fork()
			red := r.printfVar(s, args, red)
			assigned := !undone.same(s)
			r.external(st, inv, s, red)
			if len(inv.Redirects) > 0 && assigned {
				return []*state{s.ended(), undone.end(false)}, true
			}
			return one(s.ended()), true
		}
		if name == "[" && len(args) > 0 && args[len(args)-1].IsKnown() && args[len(args)-1].Text == "]" {
			args = args[:len(args)-1]
		}
		r.external(st, inv, s, red)
		if s.setStatus(r.testBuiltin(s, args)); len(inv.Redirects) > 0 {
			s.ended()
		}
		return one(s), true
	case "command", "builtin", "exec":
		return r.prefixBuiltin(st, name, inv, s, red), true
	}
	if known := r.known(st, inv); known == nil {
		r.model(st, name, inv, s)
		inv.Timed = inv.Timed || name == "read" || name == "wait" // for somebody or something
		r.throughLinks(s, inv)
		r.list1(inv)
		r.remember(st, inv)
	} else {
		inv = known
	}
	restore := r.temporary(s, name, inv.Env)
	if red.reads {
		stdin := s.stdin
		s.stdin = red.stdin
		defer func() {
			for _, e := range states {
				if name != "exec" {
					e.stdin = stdin
				}
			}
		}()
	}
	var undone *state
	if len(inv.Redirects) > 0 { // which may fail, and then nothing is done
		undone = s.fork()
		restore(undone)
	}
	out := s.out
	s.out = command.Data{Reach: tool.Exact}
	states = r.stateful(st, name, inv, s, args)
	for _, e := range states {
		restore(e)
		printed := e.out
		e.out = out
		r.send(e, printed, red)
	}
	if undone != nil {
		states = append(states, undone.end(false))
	}
	return states, true
}

func one(s *state) []*state { return []*state{s} }

// model adds what the library says a builtin does to the world, and what it says
// of the variables in front of it.
func (r *reader) model(st *syntax.Stmt, name string, inv *command.Invocation, s *state) {
	effects, gaps, env, words := inv.Effects, inv.Gaps, inv.Env, inv.Words
	inv.Effects, inv.Gaps, inv.Env = nil, nil, nil
	for _, a := range env {
		if a.Name != "IFS" && a.Name != "CDPATH" { // these are followed here
			inv.Env = append(inv.Env, a)
		}
	}
	if !r.lib.Has(name) {
		inv.Words = nil // the variables alone
	}
	if inv.Words != nil || len(inv.Env) > 0 {
		r.lib.Read(inv, r.world)
	}
	inv.Words, inv.Env = words, env
	inv.Name, inv.Path, inv.Operands = name, []string{name}, words[1:]
	inv.Effects, inv.Gaps = append(inv.Effects, effects...), append(inv.Gaps, gaps...)
	inv.Output = command.Data{Reach: tool.Exact, Plain: inv.Output.Plain, Of: inv.Output.Of}
	for i := range inv.Runs {
		r.nested(st, inv, s, &inv.Runs[i])
	}
}

// temporary sets the variables in front of a builtin for as long as it runs.
func (r *reader) temporary(s *state, name string, env []command.Assign) (restore func(*state)) {
	any := false
	for _, a := range env {
		any = any || a.Prefix
	}
	if !any {
		return func(*state) {}
	}
	const depth = 1 << 20
	s.own()
	for _, a := range env {
		if a.Prefix {
			s.vars = append(s.vars, variable{name: a.Name, words: []command.Word{a.Value}, attrs: exported, local: depth})
		}
	}
	return func(e *state) { e.dropLocals(depth) }
}

// stateful does to the shell what a builtin does.
func (r *reader) stateful(st *syntax.Stmt, name string, inv *command.Invocation, s *state, args []command.Word) []*state {
	switch name {
	case ":":
		return one(s.end(true))
	case "cd":
		return r.cd(s, args, inv)
	case "pushd", "popd", "dirs":
		return r.dirStack(s, name, args, inv)
	case "eval":
		return r.eval(s, args, inv)
	case ".", "source":
		return r.sourceFile(s, args, inv)
	case "trap":
		r.trap(s, args, inv)
	case "alias", "unalias":
		r.alias(s, name, args, inv)
	case "export", "declare", "typeset", "local", "readonly":
		r.declWords(s, name, args, inv)
		return one(s)
	case "unset":
		r.unset(s, args)
	case "set":
		r.set(s, args, inv)
	case "shopt":
		r.shopt(s, args, inv)
	case "shift":
		r.shift(s, args)
		return one(s)
	case "read":
		return r.read(s, args, inv)
	case "mapfile", "readarray":
		r.mapfile(s, args, inv)
	case "getopts":
		return r.getopts(s, args)
	case "let":
		var n number
		for _, w := range args {
			n = r.evaluateText(s, w)
		}
		s.ended()
		if n.known {
			s.end(n.value != 0)
		}
		return one(s)
	case "hash", "enable":
		for _, w := range args {
			if w.IsKnown() && (w.Text == "-r" || w.Text == "-t" || w.Text == "-l" || w.Text == "-d" || name == "hash" && !strings.HasPrefix(w.Text, "-")) {
				continue
			}
			r.gapIn(inv, name+" changes what command names mean")
			break
		}
	case "return", "exit", "logout", "break", "continue":
		return r.leave(s, name, args)
	case "wait":
		for i, w := range args {
			if w.IsKnown() && w.Text == "-p" && i+1 < len(args) {
				r.plainName(args[i+1])
				r.forget(s, args[i+1])
			}
		}
		return one(s.ended())
	case "fc", "bind":
		r.gapIn(inv, name+" runs commands that are not followed")
		s.out = command.Data{}
	case "history":
		s.out = command.Data{}
	case "complete", "compgen", "compopt":
		r.completion(name, args, inv)
		s.out = command.Data{}
	case "fg", "bg", "suspend":
		return one(s.ended())
	case "disown", "times", "caller", "type", "ulimit", "umask":
		s.out = command.Data{}
		return one(s.ended())
	case "jobs":
		s.out = command.Data{Of: inv.Output.Of, Plain: inv.Output.Plain}
		return one(s.ended())
	}
	return one(s.ended())
}

func (r *reader) gapIn(inv *command.Invocation, why string) {
	for _, g := range inv.Gaps {
		if g.Why == why {
			return
		}
	}
	inv.Gaps = append(inv.Gaps, command.Gap{Why: why, Span: inv.Span})
}

// evaluateText evaluates a word of let: NAME=EXPRESSION or an expression.
func (r *reader) evaluateText(s *state, w command.Word) number {
	if w.IsKnown() {
		name, rest, ok := strings.Cut(w.Text, "=")
		if ok && isName(name) && !strings.HasPrefix(rest, "=") {
			n := r.evaluate(s, withSpan(command.Known(rest, w.Span), w.Span), false, 0)
			r.assign(s, name, numberWord(n), w.Span)
			return n
		}
		if base := strings.TrimSuffix(strings.TrimSuffix(w.Text, "++"), "--"); isName(base) && base != w.Text {
			r.evaluate(s, command.Known(base, w.Span), false, 0)
			s.set(base, command.Word{Plain: true})
			return number{}
		}
	}
	return r.evaluate(s, w, false, 0)
}

// forget makes the variable that a word names unknown.
func (r *reader) forget(s *state, name command.Word) {
	if name.IsKnown() {
		base, _, _ := strings.Cut(name.Text, "[")
		if isName(base) {
			r.assign(s, base, command.Word{}, name.Span)
		}
	}
}

// prefixBuiltin is command, builtin and exec: they run the rest of their words.
func (r *reader) prefixBuiltin(st *syntax.Stmt, name string, inv *command.Invocation, s *state, red redirection) []*state {
	args := inv.Words[1:]
	look := false // command -v only looks
	for len(args) > 0 && args[0].IsKnown() && strings.HasPrefix(args[0].Text, "-") && len(args[0].Text) > 1 {
		flag := args[0].Text
		args = args[1:]
		switch {
		case flag == "--":
		case name == "command" && strings.Trim(flag, "-pvV") == "":
			look = look || strings.ContainsAny(flag, "vV")
			if strings.Contains(flag, "p") {
				inv.Gaps = append(inv.Gaps, command.Gap{Why: "command -p takes programs from another path", Span: inv.Span})
			}
			continue
		case name == "exec" && strings.Trim(flag, "-cl") == "":
			continue
		case name == "exec" && strings.HasSuffix(flag, "a") && strings.Trim(flag, "-cla") == "":
			if len(args) > 0 {
				args = args[1:]
			}
			continue
		default:
			r.gapIn(inv, name+" with the unknown flag "+flag)
			continue
		}
		break
	}
	outer := *inv
	outer.Name, outer.Path, outer.Operands = name, []string{name}, args
	outer.Output = command.Data{Reach: tool.Exact}
	if look {
		outer.Output = command.Data{}
		if len(args) == 1 && args[0].IsKnown() && value.PlainText(args[0].Text) && !hasGlob(args[0].Text) && !strings.ContainsAny(args[0].Text, "()|\\") {
			outer.Output = command.Located([]string{args[0].Text}, r.world)
		}
		if r.known(st, inv) == nil {
			r.list1(&outer)
			r.remember(st, &outer)
		}
		r.send(s, outer.Output, red)
		return one(s.ended())
	}
	if len(args) > 0 && !args[0].IsKnown() && args[0].Reach == tool.Anywhere {
		r.gapIn(&outer, "which program this runs is not known")
	}
	if len(args) > 0 {
		outer.Effects = nil // redirections are those of what it runs
	}
	if r.known(st, &outer) == nil {
		r.list1(&outer)
		r.remember(st, &outer)
	}
	if len(args) == 0 {
		if name == "exec" { // its redirections stay
			if red.reads {
				s.stdin = red.stdin
			}
			if red.stdout != toParent {
				s.out = command.Data{}
			}
		}
		return one(s.end(true))
	}
	inner := &command.Invocation{
		Words: args, Dir: inv.Dir, Env: inv.Env, Stdin: inv.Stdin, Redirects: inv.Redirects, Effects: inv.Effects, Span: inv.Span,
		Pipeline: inv.Pipeline, Stage: inv.Stage, Via: append(inv.Via[:len(inv.Via):len(inv.Via)], name), Device: r.device, Remote: r.remote,
	}
	var states []*state
	if name == "exec" {
		// Only programs, never builtins; the shell is gone afterwards.
		r.external(nil, inner, s, red)
		s.jump = exits
		return one(s)
	}
	if args[0].IsKnown() {
		if list, ok := r.builtin(nil, args[0].Text, inner, s, red); ok {
			return list
		}
	}
	if name == "builtin" {
		r.gapIn(&outer, "builtin with something that is none")
	}
	states = r.execute(nil, inner, s, red, false)
	return states
}

// leave is return, exit, break and continue.
func (r *reader) leave(s *state, name string, args []command.Word) []*state {
	n := number{value: 1, known: true}
	if len(args) > 0 {
		n = number{}
		if args[0].IsKnown() {
			if v, ok := parseNumber(args[0].Text); ok {
				n = number{v, true}
			}
		}
	}
	switch name {
	case "break", "continue":
		if r.loops == 0 && r.outside {
			// It may end the subshell, or be an error.
			stay := s.fork()
			s.jump = exits
			return []*state{s.end(true), stay.ended()}
		}
		if r.loops == 0 {
			return one(s.ended())
		}
		s.jump, s.levels = breaks, 1
		if name == "continue" {
			s.jump = continues
		}
		if n.known {
			s.levels = int(max(1, min(n.value, int64(r.loops))))
		} else if len(args) > 0 {
			// How many loops it leaves is not known: it may leave none.
			stay := s.fork()
			stay.jump, stay.levels = none, 0
			return []*state{s, stay}
		}
		return one(s.end(true))
	}
	switch {
	case name == "exit":
		s.jump = exits
	case name == "return" && (r.depth > 0 || r.sourcing > 0):
		s.jump = returns
	default: // an error: there is nothing to return from, or no login shell
		return one(s.ended())
	}
	if len(args) > 0 {
		s.ended()
		if n.known {
			s.end(n.value&0xff == 0)
			s.last = int(n.value & 0xff)
		}
	}
	return one(s)
}
