package shell

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
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
	if heedsOrder(name, inv.Words) {
		dependsOnOrder(inv)
	}
	switch name {
	// The effects of these are a model's; only what they do to the shell is here.
	case "printf":
		return r.printf(st, inv, s, red), true
	case "test", "[":
		args, closed := testWords(name, inv.Words[1:])
		complainsOf(&r.ledger, s, inv)
		r.external(st, inv, s, red)
		s.setStatus(r.testBuiltin(s, args))
		if e, is := testsCall(st); is && closed && s.status == unknown {
			if states := e.told(s); states != nil {
				return states, true
			}
		}
		s.frail = !closed
		return one(s), true
	case "command", "builtin", "exec":
		return r.prefixBuiltin(st, name, inv, s, red), true
	}
	return r.shellBuiltin(st, name, inv, s, red), true
}

// testWords are the words of test or [ that it evaluates, and whether they end as they must.
func testWords(name string, args []command.Word) (words []command.Word, closed bool) {
	if name != "[" {
		return args, true
	}
	if last := len(args) - 1; last >= 0 && args[last].IsKnown() && args[last].Text == "]" {
		return args[:last], true
	}
	return args, false
}

// shellBuiltin carries out a builtin that changes the shell, with the redirections of that
// command and the variables in front of it.
func (r *reader) shellBuiltin(st *syntax.Stmt, name string, inv *command.Invocation, s *state, red redirection) []*state {
	args := inv.Words[1:]
	if known := r.known(st, inv, s); known == nil {
		complains(name, inv)
		r.model(st, name, inv, s)
		inv.Timed = inv.Timed || awaits(name)
		showsItself(&r.ledger, s, inv)
		r.list1(inv)
		r.remember(st, inv, s)
	} else {
		inv = known
		r.jobs.note(inv)
	}
	restore := s.temporary(name, inv.Env)
	stdin, out, shown := s.stdin, s.out, s.shown
	if red.reads {
		s.stdin = red.stdin
	}
	var undone *state
	if len(inv.Redirects) > 0 || s.lacks(name, args) || name == "local" && r.depth == 0 { // which may fail, and then nothing is done
		undone = s.fork()
		undone.stdin = stdin
		restore(undone)
	}
	faults(&r.ledger, s, undone, name, args)
	was := r.hold(out, red.stdout)
	s.out, s.shown = command.Data{Reach: tool.Exact}, shown && red.stdout == toParent
	listed := len(r.invocations)
	states := r.stateful(st, name, inv, s, args)
	if name != "exec" { // whose redirections are for what follows
		emptiedBy(&r.site, inv, printedIn(states)...)
	}
	losesInside(&r.ledger, inv, listed)
	losesOpen(&r.ledger, s, []*command.Invocation{inv})
	r.held = was
	for _, e := range states {
		restore(e)
		printed := e.out
		if e.out, e.shown = out, shown; red.reads {
			e.stdin = stdin
		}
		r.send(e, printed, red)
	}
	if undone != nil {
		if waitsAnyway(name, inv, undone) {
			undone.running = s.running
		}
		states = append(states, undone.decide(false))
	}
	return states
}

// awaits says whether a builtin waits, for somebody or something.
func awaits(name string) bool { return name == "read" || name == "wait" }

// lacks says whether the shell may be one that does not have a builtin, or not with such words. Zsh has none that fills an array with lines.
func (s *state) lacks(name string, args []command.Word) bool {
	return s.opts&optPosix != 0 && isExtra(name, args) || s.world.Zsh && (name == "mapfile" || name == "readarray")
}

func (r *reader) printf(st *syntax.Stmt, inv *command.Invocation, s *state, red redirection) []*state {
	undone := s.fork()
	red = r.printfVar(s, inv.Words[1:], red)
	assigned := !undone.same(s)
	for _, a := range inv.Env { // one in front of it may be the one that is assigned to
		if a.Prefix && s.lookup(a.Name) != undone.lookup(a.Name) {
			s.variable(a.Name).forget()
		}
	}
	r.external(st, inv, s, red)
	if red.assigned && s.opts&optPosix == 0 {
		emptiedBy(&r.site, inv, command.Data{Reach: tool.Exact})
	}
	if (len(inv.Redirects) > 0 || s.opts&optPosix != 0) && assigned {
		return []*state{s.ended(), undone.decide(false)}
	}
	return one(s.ended())
}

func one(s *state) []*state { return []*state{s} }

// model adds what the library says a builtin does to the world, and what it says
// of the variables in front of it.
func (r *reader) model(st *syntax.Stmt, name string, inv *command.Invocation, s *state) {
	effects, gaps, env, words := inv.Effects, inv.Gaps, inv.Env, inv.Words
	inv.Effects, inv.Gaps = nil, nil
	followed := func(a command.Assign) bool { return a.Name == "IFS" || a.Name == "CDPATH" } // here
	if slices.ContainsFunc(env, followed) {
		inv.Env = slices.DeleteFunc(slices.Clone(env), followed)
	}
	inv.Words = discreet(name, words)
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
func (s *state) temporary(name string, env []command.Assign) (restore func(*state)) {
	if !s.hideBehind(env, frontDepth) {
		return func(*state) {}
	}
	return func(e *state) { e.bare(name, env) }
}

// frontDepth is how deep the variables are that stand in front of a builtin.
const frontDepth = 1 << 20

// bare takes the variables away that stand in front of a builtin.
func (s *state) bare(name string, env []command.Assign) {
	for _, a := range slices.Backward(env) {
		if !a.Prefix {
			continue
		}
		changed, attrs := s.uncover(a.Name, frontDepth, a.Value)
		if changed || isSpecial(name) || s.world.Zsh && (name == "alias" || name == "hash" || name == "builtin") { // which zsh lets keep it
			s.variable(a.Name).forget()
		}
		if attrs != 0 { // which bash leaves it, or not
			v := s.variable(a.Name)
			v.attrs, v.vague = v.attrs|attrs, true
		}
	}
}

// uncover removes the variable that is depth deep, from among those that hide one another. It says
// whether it has got another value, and which attributes: some shells give them to the one that it hides.
func (s *state) uncover(name string, depth int, given command.Word) (changed bool, attrs attributes) {
	s.scopes = s.scopes.without(name, depth)
	top := s.vars.get(name)
	if top == nil {
		return false, 0
	}
	var inner []*variable
	v := top
	for ; v != nil && v.local != depth; v = v.outer {
		inner = append(inner, v)
	}
	if v == nil {
		return true, 0
	}
	changed = len(v.words) != 1 || !v.words[0].Same(given)
	rest := v.outer
	for _, v := range slices.Backward(inner) {
		c := *v
		c.outer, rest = rest, &c
	}
	if rest == nil {
		s.vars.remove(name)
	} else {
		s.vars.put(name, *rest, firm|sure)
	}
	return changed, v.attrs &^ exported
}

// hideBehind makes the variables in front of a command hide others of their names. It says
// whether there are any.
func (s *state) hideBehind(env []command.Assign, depth int) (any bool) {
	for _, a := range env {
		if a.Prefix {
			any = true
			if a.Append {
				a.Value = value.Lost(a.Value)
			}
			s.hide(variable{name: a.Name, words: []command.Word{a.Value}, attrs: exported, front: true}, depth)
		}
	}
	return any
}

// isSpecial says whether a builtin is one after which the variables in front of it
// keep their values, in shells that follow the standard, or if it declares them.
func isSpecial(name string) bool {
	switch name {
	case ":", ".", "source", "break", "continue", "eval", "exec", "exit", "return", "set", "shift", "times", "trap", "unset",
		"export", "readonly", "declare", "typeset", "local", "hash":
		return true
	}
	return false
}

// isExtra says whether a builtin, or one with such words, is missing in shells that
// know nothing beyond the standard.
func isExtra(name string, args []command.Word) bool {
	switch name {
	case "declare", "typeset", "let", "mapfile", "readarray", "source", "pushd", "popd", "dirs", "shopt", "enable", "builtin":
		return true
	case "eval":
		return len(args) > 0 && args[0].Text == "--"
	case "read", "export", "unset", "cd":
		return slices.ContainsFunc(args, isExtraFlag)
	}
	return false
}

// isExtraFlag says whether a word of a builtin may be a flag that is not in the standard.
func isExtraFlag(w command.Word) bool {
	if !w.IsKnown() {
		return true
	}
	switch w.Text {
	case "-", "-r", "-p", "-f", "-v", "--":
		return false
	}
	return strings.HasPrefix(w.Text, "-")
}

// lasting forgets the variables in front of a command that may keep their values
// after it.
func (s *state) lasting(env []command.Assign) {
	for _, a := range env {
		if a.Prefix {
			s.variable(a.Name).forget()
		}
	}
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
	case "read":
		return r.read(s, args, inv)
	case "getopts":
		return r.getopts(s, args)
	case "return", "exit", "logout", "break", "continue":
		if len(r.reading) > 0 {
			r.straysIn(name, inv)
		}
		return r.leave(s, name, args)
	}
	r.changes(s, name, args, inv)
	if name == "set" && takesOptions(args, s.isPosix()) {
		return one(s.end(true))
	}
	return one(s.ended())
}

// straysIn notes a return in a file that is not sourced, outside of functions.
func (at *frame) straysIn(name string, inv *command.Invocation) {
	if name == "return" && at.outermost() && len(inv.Redirects) == 0 {
		gapIn(inv, "return in a file that is not sourced: bash goes on, other shells end there")
	}
}

// outermost says whether there is no function and no sourced file to return from.
func (at *frame) outermost() bool { return at.depth == 0 && at.sourcing == 0 }

// changes carries out a builtin of which it is not known how it ends, and after which the script
// goes on in one way.
func (r *reader) changes(s *state, name string, args []command.Word, inv *command.Invocation) {
	switch name {
	case "trap":
		r.trap(s, args, inv)
	case "alias", "unalias":
		r.alias(s, name, args, inv)
	case "shopt":
		s.shopt(args, inv)
	case "hash", "enable":
		if renames(name, args, inv); len(args) == 0 {
			s.out = command.Data{}
		}
	case "fc", "bind":
		gapIn(inv, name+" runs commands that are not followed")
		s.out = command.Data{}
	case "complete", "compgen", "compopt":
		completion(name, args, inv)
		s.out = command.Data{}
	case "umask":
		r.masked = r.masked || slices.ContainsFunc(args, masksWriting)
		s.out = printedBy(name, args)
	case "disown":
		s.running = s.running.letGo()
		s.out = printedBy(name, args)
	case "history", "times", "caller", "type", "ulimit":
		s.out = printedBy(name, args)
	case "jobs":
		s.out = command.Data{Of: inv.Output.Of, Plain: inv.Output.Plain}
	default:
		r.changesVariables(s, name, args, inv)
	}
}

// changesVariables carries out a builtin that gives variables or parameters values or
// attributes, or takes them away.
func (r *reader) changesVariables(s *state, name string, args []command.Word, inv *command.Invocation) {
	switch name {
	case "export", "declare", "typeset", "local", "readonly":
		r.declWords(s, name, args, inv)
	case "unset":
		r.unset(s, args)
	case "set":
		s.setOptions(args, inv)
	case "shift":
		r.shift(s, args)
	case "mapfile", "readarray":
		r.mapfile(s, args, inv)
	case "let":
		r.attemptTexts(s, args)
	case "wait":
		r.waits(s, args)
		endJobs(r, s, args)
	}
}

// renames is hash and enable, which change what a command name means unless they only look.
func renames(name string, args []command.Word, inv *command.Invocation) {
	for _, w := range args {
		looks := w.Text == "-r" || w.Text == "-t" || w.Text == "-l" || w.Text == "-d" || name == "hash" && !strings.HasPrefix(w.Text, "-") && !strings.Contains(w.Text, "=")
		if !w.IsKnown() || !looks {
			gapIn(inv, name+" changes what command names mean")
			return
		}
	}
}

// waits is wait, which may assign to a variable.
func (led *ledger) waits(s *state, args []command.Word) {
	for i, w := range args {
		if w.IsKnown() && w.Text == "-p" && i+1 < len(args) {
			led.plainName(s, args[i+1])
			led.forget(s, args[i+1])
		}
	}
}

func gapIn(inv *command.Invocation, why string) {
	for _, g := range inv.Gaps {
		if g.Why == why {
			return
		}
	}
	inv.Gaps = append(inv.Gaps, command.Gap{Why: why, Span: inv.Span})
}

// evaluateText evaluates a word of let: NAME=EXPRESSION or an expression.
func (led *ledger) evaluateText(s *state, w command.Word) number {
	if w.IsKnown() {
		name, rest, ok := strings.Cut(w.Text, "=")
		if ok && isName(name) && !strings.HasPrefix(rest, "=") {
			n := led.evaluate(s, withSpan(command.Known(rest, w.Span), w.Span), false, 0)
			if led.assign(s, name, numberWord(n), w.Span); led.world.Zsh && writesBase(rest) {
				s.variable(name).takeBase()
			}
			return n
		}
		if base := strings.TrimSuffix(strings.TrimSuffix(w.Text, "++"), "--"); isName(base) && base != w.Text {
			led.evaluate(s, command.Known(base, w.Span), false, 0)
			s.set(base, numberWord(number{}))
			return number{}
		}
	}
	return led.evaluate(s, w, false, 0)
}

// forget makes the variable that a word names unknown; a word that is not known may
// name any.
func (led *ledger) forget(s *state, name command.Word) {
	if !name.IsKnown() {
		s.forgetAll()
		return
	}
	base, _, element := strings.Cut(name.Text, "[")
	if !isName(base) {
		led.noName(name.Span)
		return
	}
	led.assign(s, base, command.Word{Hollow: true}, name.Span)
	if element {
		s.variable(base).blur()
	}
}

// noName notes that something else than a variable is assigned to: bash refuses that,
// zsh may have it as a parameter.
func (n *notes) noName(span tool.Span) {
	n.gap("an assignment to something that is not a variable", span)
}

// prefixed is what command, builtin or exec is given in front of the words that it runs.
type prefixed struct {
	words []command.Word // that it runs
	named []command.Word // what exec -a calls it
	looks bool           // command -v only looks
	bare  bool           // exec -c takes the environment away
}

// prefixOptions reads the options of command, builtin and exec.
func prefixOptions(name string, inv *command.Invocation) (p prefixed) {
	p.words = inv.Words[1:]
	for len(p.words) > 0 && isFlag(p.words[0]) {
		flag := p.words[0].Text
		p.words = p.words[1:]
		switch {
		case flag == "--":
			return p
		case name == "command" && strings.Trim(flag, "-pvV") == "":
			// With -p programs are those of the system, as their names say.
			p.looks = p.looks || strings.ContainsAny(flag, "vV")
		case name == "exec" && strings.Trim(strings.TrimSuffix(flag, "a"), "-cl") == "":
			p.bare = p.bare || strings.Contains(flag, "c")
			p.name(flag)
		default:
			gapIn(inv, name+" with the unknown flag "+flag)
		}
	}
	return p
}

// name takes the name away that exec -a gives to what it runs.
func (p *prefixed) name(flag string) {
	if strings.HasSuffix(flag, "a") && len(p.words) > 0 {
		p.named, p.words = append(p.named, p.words[0]), p.words[1:]
	}
}

// isFlag says whether a word is one that begins with a dash and holds more than that.
func isFlag(w command.Word) bool { return w.IsKnown() && len(w.Text) > 1 && w.Text[0] == '-' }

// prefixBuiltin is command, builtin and exec: they run the rest of their words.
func (r *reader) prefixBuiltin(st *syntax.Stmt, name string, inv *command.Invocation, s *state, red redirection) []*state {
	p := prefixOptions(name, inv)
	for _, w := range p.named {
		r.reveals(w, inv.Span) // every complaint begins with it
	}
	outer := *inv
	outer.Name, outer.Path, outer.Operands = name, []string{name}, p.words
	outer.Output = command.Data{Reach: tool.Exact}
	if p.looks {
		return r.looksUp(st, inv, outer, s, red)
	}
	if len(p.words) > 0 {
		switch first := p.words[0]; {
		case !first.IsKnown() && first.Reach == tool.Anywhere:
			gapIn(&outer, "which program this runs is known only at run time")
		case first.IsKnown() && first.Text != "" && differsInZsh(first.Text):
			gapIn(&outer, "zsh reads the word "+first.Text+" differently")
		}
		outer.Effects = nil // redirections are those of what it runs
	}
	r.listOnce(st, &outer, s)
	switch {
	case len(p.words) > 0:
		return r.runPrefixed(name, p, inv, &outer, s, red)
	case name == "exec":
		faults(&r.ledger, s, s, name, nil)
		if len(inv.Words) > 1 || slices.ContainsFunc(inv.Redirects, func(rd command.Redirect) bool { return isWordBefore(rd.Fd) }) {
			r.abort(s)
		}
		if red.reads {
			takesRest(&r.ledger, s.stdin, inv.Span) // it goes on with another script
		}
		return execNothing(inv, s, red)
	}
	if len(inv.Redirects) > 0 {
		r.refuseZsh(s) // which wants a command then
	}
	if s.lacks(name, nil) { // and that may be said
		r.send(s, command.Data{}, red)
	}
	return one(s.ended())
}

// listOnce adds an invocation to the result, unless an equal one of the same node is there
// already.
func (r *reader) listOnce(st *syntax.Stmt, inv *command.Invocation, s *state) {
	if r.known(st, inv, s) == nil {
		showsItself(&r.ledger, s, inv)
		r.list1(inv)
		r.remember(st, inv, s)
	}
}

// looksUp is command -v, which says where a program is.
func (r *reader) looksUp(st *syntax.Stmt, inv *command.Invocation, outer command.Invocation, s *state, red redirection) []*state {
	complains(outer.Name, &outer)
	outer.Output = command.Data{}
	if args := outer.Operands; len(args) == 1 && args[0].IsKnown() && !s.hasOwn(args[0].Text) && value.PlainText(args[0].Text) && !paths.Wild(args[0].Text) && !strings.ContainsAny(args[0].Text, "()|\\") {
		outer.Output = command.Located([]string{args[0].Text}, r.world)
	}
	if r.known(st, inv, s) == nil {
		r.list1(&outer)
		r.remember(st, &outer, s)
	}
	r.send(s, outer.Output, red)
	return one(s.ended())
}

// hasOwn says whether a name may be that of something else than a program: of a function, an alias, a builtin or
// a word of the shell's language.
func (s *state) hasOwn(name string) bool {
	switch name {
	case "echo", "pwd", "true", "false", "kill", "print", "where", "log", "limit", "r", "repeat":
		return true
	}
	list, _ := s.calls(name)
	return len(list) > 0 || s.alias(name) != nil || isBuiltin(name) || isReserved(name)
}

// execNothing is exec with redirections alone, which stay.
func execNothing(inv *command.Invocation, s *state, red redirection) []*state {
	undone := s.fork()
	if red.reads {
		s.stdin = red.stdin
	}
	if red.stdout != toParent || red.err.on || red.other.on {
		s.out = command.Data{}
	}
	s.printsInto(red)
	s.lasting(inv.Env)
	return []*state{s.end(true), undone.decide(false)}
}

// runPrefixed runs the words behind command, builtin or exec.
func (r *reader) runPrefixed(name string, p prefixed, inv, outer *command.Invocation, s *state, red redirection) []*state {
	args, inner := p.words, r.behindPrefix(name, p, inv)
	if name == "exec" {
		undone := s.fork().decide(false)
		list := r.replaced(inner, s, red)
		if red.risky { // then the shell goes on
			list = append(list, undone)
		}
		return list
	}
	if args[0].IsKnown() {
		undone := s.fork()
		if list, ok := r.builtin(nil, args[0].Text, inner, s, red); ok {
			if name == "command" || s.lacks(name, nil) || args[0].Text == "local" && r.depth == 0 { // to zsh it names a program
				list = append(list, undone.decide(false))
			}
			return list
		}
	}
	if name == "builtin" && !(args[0].IsKnown() && isOrdinary(args[0].Text)) {
		gapIn(outer, "builtin with a name that is not a builtin")
	}
	if s.lacks(name, nil) {
		undone := s.fork().decide(false)
		return append(r.execute(nil, inner, s, red, false), undone)
	}
	return r.execute(nil, inner, s, red, false)
}

// behindPrefix is the invocation of the words behind command, builtin or exec.
func (here *site) behindPrefix(name string, p prefixed, inv *command.Invocation) *command.Invocation {
	inner := &command.Invocation{
		Words: p.words, Dir: inv.Dir, Env: inv.Env, Stdin: inv.Stdin, Redirects: inv.Redirects, Effects: inv.Effects, Span: inv.Span,
		Pipeline: inv.Pipeline, Stage: inv.Stage, Via: append(inv.Via[:len(inv.Via):len(inv.Via)], name), Device: here.device, Remote: here.remote,
	}
	if inv.Loose > 0 {
		inner.Loose = max(1, inv.Loose-(len(inv.Words)-len(p.words)))
	}
	if p.bare {
		inner.Env = less(inner.Env, []command.Word{{}})
	}
	return inner
}

// replaced runs what exec puts in the place of the shell: only programs, never builtins; the
// shell is gone afterwards. zsh has it run functions and builtins as well.
func (r *reader) replaced(inner *command.Invocation, s *state, red redirection) []*state {
	if first := inner.Words[0]; first.IsKnown() {
		if list, _ := s.calls(first.Text); len(list) > 0 || isBuiltin(first.Text) {
			shown := *inner
			r.execute(nil, &shown, s.fork(), red, true)
		}
	}
	alsoNext(r, nil, inner, s, red, true)
	r.external(nil, inner, s, red)
	s.jump = exits
	return one(s)
}

// isOrdinary says whether a builtin does what the program of its name does.
func isOrdinary(name string) bool {
	switch name {
	case "pwd", "echo", "printf", "test", "[", "true", "false", "kill", "type", "times", "hash", "jobs", "umask", "ulimit", "dirs", "help":
		return true
	}
	return false
}

// leave is return, exit, break and continue. Where it may be an error, or not be
// allowed, the next command may be run as well.
func (led *ledger) leave(s *state, name string, args []command.Word) []*state {
	n, sure := led.leaveNumber(s, name, args)
	stay := s.fork().ended()
	s.end(true)
	if len(args) > 0 {
		s.ended()
	}
	switch name {
	case "break", "continue":
		s.jump = breaks
		if name == "continue" {
			s.jump = continues
		}
		return led.leaveAll(s, stay, n, sure)
	case "exit":
		s.jump = exits
	case "return":
		if led.outermost() { // an error, if it is not zsh
			s.jump = exits
			return []*state{s, stay}
		}
		s.jump = returns
		sure = sure && (!led.sprung || led.sourcing > 0)
	default: // an error: this is not a login shell
		s.jump = exits
		return []*state{s, stay}
	}
	if !sure {
		return []*state{s, stay}
	}
	return one(s)
}

// leaveNumber is the number that break and its like are given, and whether it is sure to be one.
func (led *ledger) leaveNumber(s *state, name string, args []command.Word) (n int64, sure bool) {
	n, sure = led.numberGiven(s, args)
	if len(args) == 1 && !args[0].IsKnown() {
		sure = args[0].IsPlain() && name != "break" && name != "continue" // a status
	}
	return n, sure
}

// leaveAll leaves n loops, if that is sure; in zsh also those around the function that it is in.
func (led *ledger) leaveAll(s, stay *state, n int64, sure bool) (out []*state) {
	if led.world.Zsh && led.around > 0 {
		out = led.leaveCaller(s, n, sure)
	}
	return append(out, led.leaveLoops(s, stay, n, sure)...)
}

// leaveLoops leaves n loops, if that is sure. The other state is that of a shell that stays.
func (at *frame) leaveLoops(s, stay *state, n int64, sure bool) []*state {
	switch {
	case at.loops == 0 && at.outside:
		s.jump = exits // it may end the subshell, or be an error
		return []*state{s, stay}
	case at.loops == 0:
		return one(stay)
	case sure && n > 0 && at.sourcing == 0 && !(at.sprung && n >= int64(at.loops)): // loops around a file are none of its own
		s.levels = int(min(n, int64(at.loops)))
		return one(s)
	}
	s.levels = 1
	out := []*state{s, stay} // how many loops it leaves is not known: it may leave none
	for k := 2; k <= at.loops; k++ {
		f := s.fork()
		f.levels = k
		out = append(out, f)
	}
	return out
}

// leaveCaller leaves loops around the function that it is in, as many as n may be more than its own.
func (at *frame) leaveCaller(s *state, n int64, sure bool) (out []*state) {
	for k := at.loops + 1; k <= at.loops+at.around; k++ {
		if !sure || int64(k) == n || int64(k) < n && k == at.loops+at.around {
			f := s.fork()
			f.levels = k
			out = append(out, f)
		}
	}
	return out
}

// decimal reads a number the way builtins do, which know no bases.
func decimal(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" || len(s) > 18 || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}
