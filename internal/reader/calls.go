package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// Functions, and commands that other commands were given to run.

// callFunction runs the body of a function with the words as its parameters.
func (r *reader) callFunction(d *definition, inv *command.Invocation, red redirection) {
	if r.callsAgain(d, inv) {
		return
	}
	d.called = true
	if len(inv.Effects) > 0 || len(inv.Redirects) > 0 && len(inv.Gaps) > 0 {
		one := *inv
		one.Words, one.Output, one.Shows = nil, command.Data{Reach: tool.Exact}, true
		r.leads(&one)
		r.record(&one)
	}
	s := r.s
	params, many, loose, zero, in, out, shown := s.params, s.many, s.loose, s.zero, s.stdin, s.out, s.shown
	at, src, choice, printed, locals := r.shell, r.src, r.choice, r.printed, r.locals
	r.calls = append(r.calls, d.decl.Body)
	r.depth, r.loops, r.returns, r.breaks, r.locals = r.depth+1, 0, nil, nil, &frame{s: s, up: locals}
	r.src, r.choice, r.printed = d.src, nil, nil
	for _, a := range inv.Env {
		if a.Prefix {
			r.hide(a.Name, false)
			s.vars.put(a.Name, variable{alts: []command.Word{a.Value}, exported: true})
		}
	}
	env := s.env
	s.env = inv.Env
	r.otherParams()
	s.params, s.many, s.loose = inv.Words[1:], false, max(0, inv.Loose-1)
	if inv.Loose == 1 {
		s.loose = 1
	}
	if r.zsh {
		s.zero = s.zero.Join(inv.Words[0])
	}
	if red.reads {
		s.stdin = red.stdin
	}
	s.out, s.shown = command.Data{Reach: tool.Exact}, shown && red.to == toParent
	r.stmt(d.decl.Body)
	r.restore()
	if len(inv.Env) > 0 && slices.ContainsFunc(inv.Env, func(a command.Assign) bool { return a.Prefix }) {
		s.env = env
	}
	if r.returns != nil {
		if s.gone {
			s.place, s.missed, s.gone = *r.returns, nil, false
		} else {
			s.place = s.place.join(*r.returns)
		}
	}
	texts, traps, since := r.texts, r.traps, r.since
	r.shell = at
	r.locals, r.texts, r.traps, r.since = locals, texts, traps, since
	r.src, r.choice, r.printed, r.calls = src, choice, printed, r.calls[:len(r.calls)-1]
	printedNow := s.out
	if b, is := d.decl.Body.Cmd.(*syntax.Block); !is || len(b.Stmts) > 1 { // it may end before
		printedNow = printedNow.Perhaps()
	}
	s.params, s.many, s.loose, s.zero, s.out, s.shown = params, many, loose, zero, out, shown
	if red.reads {
		s.stdin = in
	}
	r.send(printedNow, red)
}

// callsAgain notes a function that is being run already: in the background, which makes more and more processes, or
// as its own caller, which is not followed.
func (r *reader) callsAgain(d *definition, inv *command.Invocation) bool {
	if !slices.Contains(r.calls, d.decl.Body) && len(r.calls) < maxLevels {
		return false
	}
	if r.async > 0 && slices.Contains(r.calls, d.decl.Body) {
		inv.Name, inv.Path = d.decl.Name.Value, []string{d.decl.Name.Value}
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "system.forkbomb", Reach: tool.Exact, Span: inv.Span})
		inv.Output = command.Data{}
		r.record(inv)
		return true
	}
	r.gap("a function that keeps calling itself", inv.Span)
	r.s.out = command.Data{Taint: r.s.out.Taint}
	if r.spend(8); !r.spent {
		r.s.forgetAll()
	}
	return true
}

// frame is what a function has hidden of its caller.
type frame struct {
	s    *state
	up   *frame
	list []shadow
}

type shadow struct {
	name  string
	was   variable
	sure  bool // it is hidden on every way through the function
	empty bool // there was none
}

// hide notes that a function has a variable of its own.
func (r *reader) hide(name string, sure bool) {
	f := r.locals
	if f == nil || slices.ContainsFunc(f.list, func(h shadow) bool { return h.name == name }) {
		return
	}
	was, had := r.s.vars.get(name)
	f.list = append(f.list, shadow{name, was, sure && f.s == r.s, !had})
}

// restore gives the caller of a function its variables back.
func (r *reader) restore() {
	for _, h := range r.locals.list {
		if h.empty {
			h.was = r.inherited(h.name)
		}
		if now, ok := r.s.vars.get(h.name); ok && !h.sure {
			h.was = h.was.join(now)
		}
		r.setVariable(h.name, h.was)
	}
}

// nested runs a command that another command was given to run, and returns what it prints.
func (r *reader) nested(outer *command.Invocation, n *command.Nested) command.Data {
	if len(outer.Via) >= maxNesting || r.spend(2+len(outer.Via)+len(n.Words)/8) {
		outer.Gaps = append(outer.Gaps, command.Gap{Why: "commands that run commands, nested too deeply", Span: outer.Span})
		return command.Data{}
	}
	if !r.enter() {
		return command.Data{}
	}
	s, here, choice, printed, pipe, stage := r.s, r.site, r.choice, r.printed, r.pipe, r.stage
	c := s.subshell()
	c.out, c.shown, c.into = command.Data{Reach: tool.Exact}, false, ""
	dir := outer.Dir
	if n.Dir != nil {
		dir = value.Enter(outer.Dir, *n.Dir)
	}
	c.place, c.missed = place{dirs: []command.Word{dir}, old: s.old}, nil
	if c.stdin = outer.Stdin; n.Piped {
		c.stdin = n.Stdin
	}
	shared := (!n.Piped || n.Stdin.Same(outer.Stdin)) && outer.Stdin.Same(s.stdin)
	async := r.async
	if n.Apart {
		r.async++
	}
	r.s, r.choice, r.printed = c, nil, nil
	r.goInto(outer, n)
	var env []command.Assign
	if !n.Clear {
		env = less(outer.Env, n.Without)
	}
	env = append(env[:len(env):len(env)], n.Env...)
	switch {
	case n.Script != nil:
		r.childShell(outer, n, env)
	case n.File != nil:
		r.runFileOf(outer, n, env)
	default:
		r.nestedWords(outer, n, env)
	}
	d := r.s.ended()
	if shared && !r.s.stdin.Same(s.stdin) {
		s.stdin = command.Data{Taint: s.stdin.Taint | r.s.stdin.Taint}
	}
	r.s, r.site, r.choice, r.printed, r.pipe, r.stage, r.async = s, here, choice, printed, pipe, stage, async
	r.levels--
	d.Taint &^= command.RestOfScript
	return d
}

// nestedWords runs the words that another command was given to run.
func (r *reader) nestedWords(outer *command.Invocation, n *command.Nested, env []command.Assign) {
	words, loose := n.Words, several(n.Words, outer)
	if n.More {
		list := r.more(n.Input, outer)
		for i := range list { // most run once if there is nothing to deal out
			list[i].Hollow = list[i].Hollow || !n.Input.Full && !slices.Contains(outer.Flags, "-r") && !slices.Contains(outer.Flags, "--no-run-if-empty")
		}
		if words = append(words[:len(words):len(words)], list...); loose == 0 {
			loose = len(n.Words) + 1
		}
	}
	if len(words) == 0 {
		r.s.out = command.Data{}
		return // what it does without a command is its own affair
	}
	inv := &command.Invocation{
		Words: words, Loose: loose, Dir: r.s.dirs[0], Env: env, Stdin: r.s.stdin, Span: outer.Span,
		Pipeline: outer.Pipeline, Stage: outer.Stage, Via: r.via, Device: r.device, Remote: r.remote, Package: n.Package, Once: n.Once, Silent: outer.Silenced(), Each: n.Each,
	}
	if !words[0].IsKnown() {
		inv.Gaps = append(inv.Gaps, command.Gap{Why: "which program this runs is known only at run time", Span: words[0].Span})
		if words[0].Taint&command.FromNet != 0 {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "fetched:sh", Reach: tool.Exact, Span: words[0].Span})
		}
	}
	r.external(inv, redirection{})
}

// goInto makes the site that of a command that another one runs.
func (r *reader) goInto(outer *command.Invocation, n *command.Nested) {
	name := outer.Name
	if name == "" && len(outer.Words) > 0 {
		name = outer.Words[0].Text
	}
	r.without = r.without[:len(r.without):len(r.without)]
	if n.Clear {
		r.without = append(r.without, command.Word{})
	}
	r.without = append(r.without, n.Without...)
	r.remote, r.project = r.remote || n.Remote, r.project || n.Project
	if n.Remote {
		r.device, r.alters, r.code = n.Device, n.Alters, n.Code
	}
	r.via = append(outer.Via[:len(outer.Via):len(outer.Via)], name)
}

// less is an environment out of which variables were taken: what those are afterwards is not known, and they may be unset.
func less(env []command.Assign, names []command.Word) []command.Assign {
	if len(names) == 0 {
		return env
	}
	env = slices.Clone(env)
	for i := range env {
		if slices.ContainsFunc(names, func(w command.Word) bool { return !w.IsKnown() || w.Text == env[i].Name }) {
			env[i].Value = lost(env[i].Value)
		}
	}
	return env
}

// more are the words that stand for arguments that arrive at run time.
func (r *reader) more(d command.Data, outer *command.Invocation) []command.Word {
	w := command.Word{Taint: d.Taint, Span: outer.Span, Plain: d.Plain, Of: d.Of}
	divided, lines, whole := false, false, false
	ends := func(sign string) bool {
		return slices.ContainsFunc(outer.Words, func(w command.Word) bool { return strings.HasSuffix(w.Text, sign) })
	}
	for _, flag := range outer.Flags {
		switch strings.TrimLeft(flag, "-") {
		case "n", "L", "l", "max-args", "max-lines":
			divided = true
		case "I", "i", "J", "replace":
			divided, lines = true, true
		case "0", "null":
			divided, whole = true, true
		case "d", "delimiter":
			divided, lines, whole = true, ends(`\n`), ends(`\0`)
		}
	}
	switch {
	case d.None: // whatever somebody types
	case d.Reach == tool.Under && whole:
		return []command.Word{d.Line(outer.Span)}
	case d.Reach == tool.Under && lines:
		return []command.Word{r.lineOf(d, outer.Span)}
	case d.Reach == tool.Under:
		line := r.lineOf(d, outer.Span)
		if strings.ContainsAny(line.Text, " \t\n") || r.misleads(line, blanks) {
			line = command.Word{Taint: d.Taint, Span: outer.Span, Split: true}
		}
		return []command.Word{line}
	case d.Reach == tool.Exact && !divided && len(d.Text) < 4<<10 && !strings.ContainsAny(d.Text, "'\"\\\x00"):
		var words []command.Word
		for _, text := range strings.Fields(d.Text) {
			w.Text, w.Reach = text, tool.Exact
			words = append(words, w)
		}
		return words
	}
	return []command.Word{w}
}

// lineOf is a line of a list of files. Names with line ends in them make lines of their own.
func (r *reader) lineOf(d command.Data, span tool.Span) command.Word {
	w := d.Line(span)
	if d.Taint&command.WithNul == 0 && r.misleads(w, lineEnds) {
		return command.Word{Taint: d.Taint, Span: span, Split: true}
	}
	return w
}

// several finds the first of the words given to a command that may stand for any number of words; it returns 1 + its index, or 0.
func several(words []command.Word, outer *command.Invocation) int {
	for i, w := range words {
		if w.Split || outer.Loose > 0 && (w.Glob || w.Reach == tool.Under || !w.IsKnown() && !w.IsPlain() || w.Hollow) {
			return i + 1
		}
	}
	return 0
}
