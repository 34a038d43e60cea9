package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// maxNesting bounds programs that run programs and scripts that run scripts.
const maxNesting = 12

// runsOthers runs the commands that an invocation was given to run, and says whether what it prints is what they print. Those that it may run
// more than once are run as the body of a loop is, until they move and link nothing new: what one run has put somewhere, the next may delete.
func runsOthers(r *reader, st *syntax.Stmt, inv *command.Invocation, s *state) (through bool) {
	through = len(inv.Runs) == 1 && handsOn(inv, &inv.Runs[0])
	again := slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return n.Again && !n.Remote })
	begin, printed, since := s.links, inv.Output, len(r.invocations)
	runsEach(r, st, inv, s, through)
	for try := 1; again && !r.spent; try++ {
		next := joinLists(begin, putAnew(&r.ledger, since, s.links))
		if len(next) == len(begin) {
			break
		}
		if try > maxTries {
			r.gap("a command that is run again and again, in which something keeps changing", inv.Span)
			break
		}
		files, links, once := s.files, s.links, inv.Output
		begin, s.links, inv.Output = next, next, printed
		runsEach(r, st, inv, s, through)
		s.files, s.links, inv.Output = files.join(s.files, s.toil), joinLists(links, s.links), once.Join(inv.Output)
	}
	return through
}

// putAnew are the links that invocations have made themselves, and what they have moved, without copies of links, which would be copied
// again and again.
func putAnew(led *ledger, since int, links []command.Link) (list []command.Link) {
	made := map[string]bool{}
	for _, inv := range led.invocations[since:] {
		for _, l := range alsoReal(led, inv.Links) {
			made[l.From+"\x00"+l.To] = true
		}
	}
	for _, l := range links {
		if l.Moved || made[l.From+"\x00"+l.To] {
			list = append(list, l)
		}
	}
	return list
}

// runsEach runs each of the commands that an invocation was given to run.
func runsEach(r *reader, st *syntax.Stmt, inv *command.Invocation, s *state, through bool) {
	for i := range inv.Runs {
		d := nestedApart(r, st, inv, s, &inv.Runs[i])
		if inv.Runs[i].Remote {
			d = command.Data{Taint: d.Taint, Endless: d.Endless} // its files are others
		}
		if run := &inv.Runs[i]; through {
			d.Taint |= inv.Output.Taint
			d.Endless = d.Endless || run.More && inv.Stdin.Endless
			inv.Output = handed(inv, run, d)
		} else {
			inv.Output.Taint, inv.Output.Endless = inv.Output.Taint|d.Taint, inv.Output.Endless || d.Endless && !run.Known
		}
	}
}

// nestedApart runs a command that another command was given to run, and that may go on behind it.
func nestedApart(r *reader, st *syntax.Stmt, outer *command.Invocation, s *state, n *command.Nested) (d command.Data) {
	if !n.Apart || n.Remote {
		return r.nested(st, outer, s, n)
	}
	s.running = s.running.aside(launch(r, st, one(s), func(s *state) { d = r.nested(st, outer, s, n) }))
	return d
}

// nested runs a command that another command was given to run, in each directory that this may be in.
func (r *reader) nested(st *syntax.Stmt, outer *command.Invocation, s *state, n *command.Nested) command.Data {
	d := r.nestedIn(st, outer, s, n)
	if n.Dir == nil || n.Dir.IsKnown() || n.Among && n.Dir.Taint&command.Followed == 0 { // a search enters no links
		return d
	}
	here := s.fork()
	here.dir = outer.Dir
	list, _ := r.landings(here, *n.Dir)
	for _, there := range list {
		m := *n
		m.Dir = &there
		d = d.Join(r.nestedIn(st, outer, s, &m))
	}
	return d
}

// nestedIn runs a command that another command was given to run.
func (r *reader) nestedIn(st *syntax.Stmt, outer *command.Invocation, s *state, n *command.Nested) command.Data {
	if len(outer.Via) >= maxNesting || r.spend() {
		outer.Gaps = append(outer.Gaps, command.Gap{Why: "commands that run commands, nested too deeply", Span: outer.Span})
		return command.Data{}
	}
	r.toil.listed(len(n.Words))
	n = r.dealt(outer, n)
	c := s.childOf(outer, n)
	// What it reads of an input that it shares with the shell is gone.
	shared := (!n.Piped || n.Stdin.Taint&command.RestOfScript != 0 || n.Stdin.Same(outer.Stdin)) && outer.Stdin.Same(s.stdin)
	here := r.site
	defer func() { r.site = here }()
	r.goInto(outer, n)

	var env []command.Assign
	if !n.Clear {
		env = append(env, less(outer.Env, n.Without)...)
	}
	env = append(env, n.Env...)
	if n.Script != nil {
		r.childShell(outer, c, n, env)
		r.adopt(s, shared, perhapsRun(s, c, outer))
		return c.out
	}
	if n.File != nil {
		r.runFileOf(outer, c, n)
		r.adopt(s, shared, perhapsRun(s, c, outer))
		return c.out
	}
	words, loose := r.wordsOf(n, outer)
	if len(words) == 0 {
		return command.Data{} // what it does without a command is its own affair
	}
	inv := &command.Invocation{
		Words: words, Loose: loose, Dir: c.dir, Env: env, Stdin: c.stdin, Span: outer.Span,
		Pipeline: outer.Pipeline, Stage: outer.Stage, Via: r.via, Device: r.device, Remote: r.remote, Package: n.Package, Once: n.Once, Silent: outer.Silenced(), Each: n.Each,
	}
	if !words[0].IsKnown() {
		inv.Gaps = append(inv.Gaps, command.Gap{Why: "which program this runs is known only at run time", Span: words[0].Span})
	}
	r.external(nil, inv, c, redirection{})
	r.adopt(s, shared, perhapsRun(s, c, outer))
	return c.out
}

// perhapsRun are the states in which a program may leave what it runs: it may not come to run it.
func perhapsRun(s, c *state, outer *command.Invocation) []*state {
	if c.files.same(s.files) {
		return []*state{c}
	}
	f := s.fork()
	f.out, f.uproots, f.stdin, f.running = c.out, nil, c.stdin, nil
	return []*state{c, f}
}

// childOf is the state that a command begins in that another one runs.
func (s *state) childOf(outer *command.Invocation, n *command.Nested) *state {
	c := s.fork()
	c.out, c.shown, c.uproots, c.running = command.Data{Reach: tool.Exact}, false, nil, s.running.inherited()
	c.dir = outer.Dir
	if n.Dir != nil {
		c.dir = value.Enter(outer.Dir, *n.Dir)
	}
	c.stdin = outer.Stdin
	if n.Piped {
		c.stdin = n.Stdin
	}
	return c
}

// goInto makes the site that of a command that another one runs.
func (here *site) goInto(outer *command.Invocation, n *command.Nested) {
	name := outer.Name
	if name == "" && len(outer.Words) > 0 {
		name = outer.Words[0].Text
	}
	here.without = here.without[:len(here.without):len(here.without)]
	if n.Clear {
		here.without = append(here.without, command.Word{})
	}
	here.without = append(here.without, n.Without...)
	here.remote, here.project = here.remote || n.Remote, here.project || n.Project
	if n.Remote {
		here.device, here.alters, here.code = n.Device, n.Alters, n.Code
	}
	here.via = append(outer.Via[:len(outer.Via):len(outer.Via)], name)
}

// wordsOf are the words of a command that another one runs; loose is 1 + the index of the first
// that may stand for any number of words, or 0.
func (led *ledger) wordsOf(n *command.Nested, outer *command.Invocation) (words []command.Word, loose int) {
	words, loose = n.Words, several(n.Words, outer)
	if n.More {
		list := led.more(n.Input, outer)
		for i := range list { // most run once if there is nothing to deal out
			list[i].Hollow = list[i].Hollow || !n.Input.Full && !slices.ContainsFunc(outer.Flags, needsInput)
		}
		if words = append(words[:len(words):len(words)], list...); loose == 0 {
			loose = len(n.Words) + 1
		}
	}
	return words, loose
}

// less is an environment out of which variables were taken: what those are
// afterwards is not known, and they may be unset.
func less(env []command.Assign, names []command.Word) []command.Assign {
	if len(names) == 0 {
		return env
	}
	env = slices.Clone(env)
	for i := range env {
		a := &env[i]
		if slices.ContainsFunc(names, func(w command.Word) bool { return !w.IsKnown() || w.Text == a.Name }) {
			a.Value = value.Lost(a.Value)
			a.Value.Hollow = true
		}
	}
	return env
}

// more are the words that stand for arguments that arrive at run time.
func (led *ledger) more(d command.Data, outer *command.Invocation) []command.Word {
	w := command.Word{Taint: d.Taint, Span: outer.Span, Plain: d.Plain, Of: d.Of}
	divided := slices.ContainsFunc(outer.Flags, dividesInput)
	switch {
	case d.None: // whatever somebody types
	case d.Reach == tool.Under && slices.ContainsFunc(outer.Flags, keepsLines):
		return []command.Word{led.lineOf(d, outer)}
	case d.Reach == tool.Under:
		return led.listed(d, outer)
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

// keepsLines says whether a flag makes each line of the input one word.
func keepsLines(flag string) bool {
	switch strings.TrimLeft(flag, "-") {
	case "I", "i", "J", "d", "0", "null", "replace", "delimiter":
		return true
	}
	return false
}

// needsInput says whether a flag keeps a command from running without anything to deal out.
func needsInput(flag string) bool { return flag == "-r" || flag == "--no-run-if-empty" }

// dividesInput says whether a flag decides how the input is dealt out.
func dividesInput(flag string) bool {
	switch strings.TrimLeft(flag, "-") {
	case "n", "L", "l", "I", "i", "J", "d", "0", "null", "max-args", "max-lines", "replace", "delimiter":
		return true
	}
	return false
}

// childShell reads a script that another shell runs.
func (r *reader) childShell(outer *command.Invocation, c *state, n *command.Nested, env []command.Assign) {
	switch n.Shell {
	case "", "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "busybox":
	default:
		outer.Gaps = append(outer.Gaps, command.Gap{Why: "a script in " + n.Shell, Span: outer.Span})
		c.out = command.Data{}
		return
	}
	script, scratch := *n.Script, false
	if text, ok := script.Script(); ok && !script.IsKnown() {
		scratch, script.Text, script.At = true, text, 0
	}
	if !script.IsKnown() && !scratch {
		opaqueIn(outer, "a script known only at run time", script.Taint, script.Span)
		c.out = command.Data{Taint: script.Taint}
		return
	}
	toldDir(&r.site, c, env, outer)
	c.inherit(env, n.Shell == "bash")
	c.zero = asTyped(outer)
	c.params, c.many, c.loose = nil, false, 0
	r.arguments(c, n, outer)
	c.startOptions(n.Shell, outer)
	before := r.use
	if from := outer.Stdin.Path; from != nil && outer.Stdin.Text == script.Text {
		r.use.file(paths.Clean(outer.Dir.Text, from.Text))
	}
	if scratch && script.Hollow { // no temporary file can be made
		r.run(withoutScratch(script.Text), &source{whole: script.Span}, c.fork(), n.Shell == "zsh")
	}
	r.run(script.Text, &source{at: script.At, whole: script.Span, fed: isFed(n, outer), scratch: scratch}, c, n.Shell == "zsh")
	released(r, before)
}

// asTyped is the name that a shell is run by, if it is run by its own.
func asTyped(outer *command.Invocation) command.Word {
	if len(outer.Words) == 0 || !outer.Words[0].IsKnown() || !shellName(path.Base(outer.Words[0].Text)) || slices.Contains(outer.Via, "exec") {
		return command.Word{}
	}
	return command.Known(outer.Words[0].Text, tool.Span{})
}

// arguments gives a script its parameters. A word may stand for several, and what
// is meant for $0 be more than that.
func (r *reader) arguments(c *state, n *command.Nested, outer *command.Invocation) {
	list := n.Args
	if n.More {
		list = append(list[:len(list):len(list)], r.more(n.Input, outer)...)
		if len(list) == len(n.Args) {
			list = append(list, command.Word{})
		}
	}
	if c.loose = several(n.Args, outer); c.loose == 0 && n.More {
		c.loose = len(n.Args) + 1
	}
	switch {
	case len(list) == 0:
		return
	case c.loose == 1:
		c.zero, c.params = value.Lost(list...), list
	default:
		c.zero, c.params = list[0], list[1:]
		if c.loose > 0 {
			c.loose--
		}
	}
	r.reveals(c.zero, outer.Span) // every complaint begins with it
}

// several finds the first of the words given to a command that may stand for any
// number of words; it returns 1 + its index, or 0.
func several(words []command.Word, outer *command.Invocation) int {
	for i, w := range words {
		if w.Split || outer.Loose > 0 && (w.Glob || w.Reach == tool.Under || !w.IsKnown() && !w.IsPlain() || w.Hollow) {
			return i + 1
		}
	}
	return 0
}

// posix is the option of shells that know nothing beyond the standard.
func posix(shell string) options {
	switch shell {
	case "sh", "dash", "ash", "busybox":
		return optPosix
	}
	return 0
}

// inherit leaves a state only what a child process gets.
func (s *state) inherit(env []command.Assign, bash bool) {
	s.vars, s.scopes = table[variable]{}, nil
	for _, a := range env {
		w := a.Value
		if a.Append {
			w = command.Word{Taint: w.Taint}
		}
		if a.Name == "PWD" {
			continue // it is that of its directory
		}
		if isSetByNew(a.Name) {
			w = hollowed(w)
		}
		s.vars.mark(a.Name, variable{name: a.Name, words: []command.Word{w}, attrs: exported}, visible|firm|sure)
	}
	var kept table[functions]
	s.funcs.eachMarked(visible, func(name string, f *functions) bool {
		if slices.ContainsFunc(f.list, func(f function) bool { return f.exp }) {
			kept.put(name, functions{f.list, f.sure && bash}, sure|visible) // other shells do not take them over
		}
		return true
	})
	s.funcs, s.aliases, s.opts, s.doubt, s.jump = kept, nil, 0, 0, none
	s.ended()
	s.levels, s.stack = 0, nil
}

// isSetByNew says whether a new shell may not take a variable from its environment: it sets it itself, in any case or if what it is given does
// not suit it, or the shell that starts it does not hand it on.
func isSetByNew(name string) bool {
	switch name {
	case "OLDPWD", "_", "argv", "dirstack", "ARGC", "BASH", "BASH_EXECUTION_STRING", "BASH_VERSION", "CPUTYPE", "FUNCNAME", "GROUPS", "MACHTYPE", "OPTERR", "OSTYPE",
		"PS1", "PS2", "TTY", "VENDOR", "ZSH_ARGZERO", "ZSH_EXECUTION_STRING", "ZSH_NAME", "ZSH_PATCHLEVEL", "ZSH_VERSION":
		return true
	}
	return false
}

// toldDir notes that a new shell may be given another name of its directory. It goes by that: ".." is then what is above the name.
func toldDir(here *site, c *state, env []command.Assign, outer *command.Invocation) {
	for _, a := range env {
		if w := a.Value; a.Name == "PWD" && !w.Same(c.dir) && (a.Append || !isElsewhere(here, c, w)) {
			outer.Gaps = append(outer.Gaps, command.Gap{Why: "a new shell that is given PWD", Span: outer.Span})
		}
	}
}

// isElsewhere says whether a word is no absolute path of the current directory.
func isElsewhere(here *site, c *state, w command.Word) bool {
	if !w.IsKnown() || !strings.HasPrefix(w.Text, "/") {
		return w.IsKnown()
	}
	if !c.dir.IsKnown() || len(c.links) > 0 || here.world.Readlink == nil {
		return false
	}
	return here.world.Follow(paths.Clean("/", w.Text)) != here.world.Follow(c.dir.Text)
}

// run reads a script in a shell of its own, which may be zsh, and leaves in c what
// remains of it.
func (r *reader) run(text string, src *source, c *state, zsh bool) {
	if world := r.world; zsh && !world.Zsh {
		there := *world
		there.Zsh = true
		r.world = &there
		defer func() { r.world = world }()
		c.world = r.world
	}
	if r.nests++; r.nests > maxNesting {
		r.gap("scripts that run scripts, nested too deeply", src.whole)
		r.nests--
		c.out = command.Data{}
		return
	}
	parent := r.process
	r.process = process{}
	r.inner, r.strict = true, true
	ended := r.script(text, src, []*state{c.fork()})
	r.finish(ended)
	trapped := len(r.traps) > 0
	r.process = parent
	if c.out = r.adopt(c, true, ended); trapped {
		c.out = command.Data{Taint: c.out.Taint, Endless: c.out.Endless}
	}
	r.nests--
}
