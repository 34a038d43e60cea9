package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// eval joins its words and runs them in this shell.
func (r *reader) eval(s *state, args []command.Word, inv *command.Invocation) []*state {
	given := len(args)
	args = behindDashes(args)
	dashed := len(args) < given
	text, less, taint := "", "", command.Taint(0)
	for i, w := range args {
		taint |= w.Taint
		if !w.IsKnown() {
			opaqueIn(inv, "eval of text known only at run time", taint|taintOfAll(args), w.Span)
			// What it does to variables is not known either.
			s.forgetAll()
			s.out = command.Data{Taint: taint}
			s.dir = command.Word{}
			return one(s.ended())
		}
		if i > 0 {
			text += " "
		}
		if text += w.Text; !w.Hollow {
			less += " " + w.Text
		}
	}
	src := &source{whole: inv.Span}
	if less != "" && slices.ContainsFunc(args, hollow) { // the other words are the script then
		r.inline(less, &source{whole: inv.Span}, s.fork())
	}
	if len(args) == 1 {
		src.at, src.whole = args[0].At, args[0].Span
	}
	if dashed && s.isPosix() { // to sh that is a command
		return append(one(s.fork().decide(false)), r.inline(text, src, s)...)
	}
	return r.inline(text, src, s)
}

// behindDashes are the words of a builtin without the -- that they may begin with.
func behindDashes(args []command.Word) []command.Word {
	if len(args) > 0 && args[0].IsKnown() && args[0].Text == "--" {
		return args[1:]
	}
	return args
}

func taintOfAll(words []command.Word) (t command.Taint) {
	for _, w := range words {
		t |= w.Taint
	}
	return t
}

// opaque notes code that runs and cannot be seen.
func opaqueIn(inv *command.Invocation, why string, taint command.Taint, span tool.Span) {
	gapIn(inv, why)
	if taint&command.FromNet != 0 {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "fetched:sh", Reach: tool.Exact, Span: span})
	}
}

// inline runs text as part of this shell.
func (r *reader) inline(text string, src *source, s *state) []*state {
	if r.nests++; r.nests > maxNesting {
		r.gap("scripts that run scripts, nested too deeply", src.whole)
		r.nests--
		return one(s.ended())
	}
	r.inlined++
	states := r.script(text, src, one(s))
	r.inlined--
	r.nests--
	return states
}

// sourceFile is source: the commands of a file, run in this shell.
func (r *reader) sourceFile(s *state, args []command.Word, inv *command.Invocation) []*state {
	loose := inv.Loose
	if loose > 0 { // it counts from the name of the command, and the file is no parameter
		loose = max(1, loose-2)
	}
	if args = behindDashes(args); len(args) == 0 {
		return one(s.ended())
	}
	found, ok := r.sourced(s, args[0], inv)
	if !ok {
		return one(s.ended())
	}
	if found.path != "" && slices.Contains(r.reading, found) {
		s.out = command.Data{}
		return one(s.ended())
	}
	if len(r.reading) >= 6 {
		gapIn(inv, "scripts that read scripts, nested too deeply")
		return one(s.ended())
	}
	before, parsed, via := s.fork(), r.parsed, r.via
	var elsewhere []*state
	if s.mayLack(found.path) || r.mayLieInPath(s, args[0].Text, inv) {
		elsewhere = one(s.fork().ended())
	}
	if len(args) > 1 {
		s.params, s.many, s.loose = args[1:], loose > 0, loose
		if s.opts&optPosix != 0 { // which may not hand them on
			s.joinParams(before)
		}
	}
	given, differs := s.params, s.mayDiffer(found.path)
	r.setZero(s, args[0])
	r.reading = append(r.reading, found)
	used := r.use
	r.use.file(found.path)
	r.via = append(inv.Via[:len(inv.Via):len(inv.Via)], inv.Name)
	r.sourcing++
	states := r.inline(found.text, &source{whole: inv.Span, disk: found.path != ""}, s)
	r.sourcing--
	r.via = via
	r.reading = r.reading[:len(r.reading)-1]
	released(r, used)
	r.parsed = parsed
	for i, e := range states {
		e = e.fork()
		states[i] = e
		e.returned()
		e.zero = before.zero
		if differs {
			e.forgetAll() // it may assign others
		}
		if len(args) > 1 {
			e.restoreParams(before, given)
		}
	}
	return append(states, elsewhere...)
}

// mayLack says whether a file that the script has written may not be there, or not be readable.
func (s *state) mayLack(path string) bool {
	f := s.found(path)
	return f != nil && f.gone
}

// mayLieInPath says whether a file without a directory may not be the one at hand: zsh and sh look for what
// . is given in PATH alone, and bash there first.
func (here *site) mayLieInPath(s *state, file string, inv *command.Invocation) bool {
	if strings.IndexByte(file, '/') >= 0 {
		return false
	}
	return strings.IndexByte(file, '.') < 0 || inv.Words[0].Text == "." && (here.world.Zsh || s.isPosix())
}

// restoreParams gives a shell the parameters again that it had before a file that was given
// others. If the file has set its own, bash keeps those.
func (s *state) restoreParams(before *state, given []command.Word) {
	if len(s.params) != len(given) || len(given) > 0 && &s.params[0] != &given[0] {
		s.joinParams(before)
		return
	}
	s.params, s.many, s.loose = before.params, before.many, before.loose
}

// returned makes a state in which a function or a file has returned go on behind it.
func (s *state) returned() {
	if s.jump == returns {
		s.jump = none
	}
}

// sourced finds the text that source runs: of a file, or without a path of a stream. It
// says whether there is one; if not, what is known of that is noted.
func (r *reader) sourced(s *state, file command.Word, inv *command.Invocation) (scriptFile, bool) {
	switch {
	case !file.IsKnown():
		gapIn(inv, "which file is sourced is known only at run time")
		if file.Taint&command.FromNet != 0 {
			return s.lostSource(inv, file, "fetched:sh", tool.Exact)
		}
		return s.lostSource(inv, file, "", tool.Anywhere)
	case file.Text == "/dev/null":
		return scriptFile{}, false
	case harmless(file.Text):
		d := s.stdin
		if n, ok := strings.CutPrefix(file.Text, "/dev/fd/"); ok {
			d = r.descriptor(s, n, file.Text)
		}
		takesRest(&r.ledger, d, inv.Span)
		return s.sourcedStream(reopened(d), file, inv)
	case s.dir.Reach != tool.Exact && file.Text[:min(1, len(file.Text))] != "/":
		return s.lostSource(inv, file, "script:"+file.Text, tool.Anywhere)
	}
	return r.sourcedFile(s, file, inv)
}

// sourcedStream is sourced for a stream.
func (s *state) sourcedStream(d command.Data, file command.Word, inv *command.Invocation) (scriptFile, bool) {
	switch {
	case d.Taint&command.FromNet != 0:
		return s.lostSource(inv, file, "fetched:sh", tool.Exact)
	case d.Reach != tool.Exact || d.None:
		return s.lostSource(inv, file, "stdin:sh", tool.Exact)
	}
	return scriptFile{"", d.Text}, true
}

// sourcedFile is sourced for a file with a name.
func (r *reader) sourcedFile(s *state, file command.Word, inv *command.Invocation) (scriptFile, bool) {
	runs := func(what string) {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: what, Reach: tool.Exact, Span: file.Span})
	}
	path, unsure := s.behind(paths.Clean(s.dir.Text, file.Text))
	if unsure {
		return s.lostSource(inv, file, "written:"+path, tool.Exact)
	}
	inv.RunsFile(path)
	written := r.changed(s, path)
	if written == nil {
		written = s.brought(path)
	}
	if written == nil && r.sourceSecrets(s, path, inv) {
		return scriptFile{}, false
	}
	if written == nil && s.files.perhaps(path) == nil && r.setsUp(path) {
		runs("setup:" + path)
		return scriptFile{}, false
	}
	text, ok := r.readScript(s, path, written)
	if written == nil && r.isActivation(path, text, ok) {
		runs("script:" + path)
		return scriptFile{}, false // it goes nowhere else and defines nothing that counts
	}
	if ok {
		return scriptFile{path, text}, true
	}
	return s.lostSource(inv, file, written.origin()+path, tool.Exact)
}

// isActivation says whether a file of the project does nothing but switch to a virtual
// environment, as far as it can be read.
func (here *site) isActivation(path, text string, readable bool) bool {
	return paths.Within(path, here.world.Project) && (activates(path, text) || !readable && switchesTo(path))
}

// origin is what the code of a file that cannot be read is called, after who has written it.
func (f *file) origin() string {
	switch {
	case f == nil:
		return "script:"
	case f.data.Taint&command.FromNet != 0:
		return "fetched:"
	}
	return "written:"
}

// lostSource notes that a text is run in this shell that cannot be read: nothing is known
// of the shell after it.
func (s *state) lostSource(inv *command.Invocation, file command.Word, target string, reach tool.Reach) (scriptFile, bool) {
	inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: target, Reach: reach, Span: file.Span})
	s.forgetAll()
	s.dir = command.Word{}
	s.out = command.Data{}
	return scriptFile{}, false
}

// trap sets commands that run later: at the end, or at any point from now on.
func (r *reader) trap(s *state, args []command.Word, inv *command.Invocation) {
	if args = behindDashes(args); len(args) == 0 || showsTraps(args[0].Text) || len(args) == 1 && !args[0].IsKnown() {
		s.out = command.Data{}
	}
	if len(args) < 2 || args[0].IsKnown() && setsNoTrap(args[0].Text) {
		return
	}
	text, scratch := args[0], false
	if !text.IsKnown() {
		if text.Text, scratch = text.Script(); !scratch {
			opaqueIn(inv, "a trap whose commands are known only at run time", text.Taint, text.Span)
			return
		}
		if text.Hollow { // no temporary file can be made
			setTrap(r, s, trap{text: command.Known(withoutScratch(text.Text), text.Span)}, args[1:], inv)
		}
		text = command.Known(text.Text, text.Span)
	}
	setTrap(r, s, trap{text: text, scratch: scratch}, args[1:], inv)
}

// setTrap sets one for some signals.
func setTrap(r *reader, s *state, t trap, signals []command.Word, inv *command.Invocation) {
	r.watch(one(s))
	heed(r, one(s)) // the traps before it; this one is run in this state right away
	r.since.watching = true
	if len(r.traps) >= maxTraps {
		gapIn(inv, "too many traps")
		return
	}
	t.set = observed(s)
	t.set.params, t.set.many, t.set.loose = s.params, s.many, s.loose
	r.traps = append(r.traps, t)
	there := s
	if r.depth > 0 { // it comes to a caller as well, who has other parameters
		there = s.fork()
		there.params, there.many, there.loose = make([]command.Word, 2), false, 0
	}
	states, prints := r.spring(t, there)
	comes := comesBy(signals)
	if r.world.Zsh && r.depth > 0 { // it comes when the function ends
		comes |= bySignal
	}
	if r.eased = r.eased || comes != 0; comes != 0 {
		interrupts(there, states, inv, comes)
	}
	had := s.files
	for _, e := range states { // when it comes, it may have written to them
		s.files = s.files.join(e.files, s.toil)
		if r.inner || comes != 0 && e.jump != exits { // and others read them afterwards
			s.holdWritten(had, e.files)
		}
		if e.jump == exits && comes&byFailure != 0 {
			s.opts |= optEndtrap
		}
	}
	if prints {
		r.noise |= comes
	}
}

// holdWritten makes unknown from now on what is in the files that a trap writes to.
func (s *state) holdWritten(before, after files) {
	after.each(func(path string, f *file) bool {
		if had := before.get(path); had != f && (had == nil || !had.data.Same(f.data)) && !f.gone {
			s.hold(path)
		}
		return true
	})
}

// occasions are those on which a trap comes between two commands.
type occasions uint8

const (
	bySignal   occasions = 1 << iota
	byFailure            // of a command
	byStepping           // from command to command, and out of functions
)

// comesBy is when a trap comes that is set for some signals.
func comesBy(signals []command.Word) (o occasions) {
	for _, w := range signals {
		switch name := strings.ToUpper(w.Text); {
		case !w.IsKnown():
			o |= bySignal | byFailure | byStepping
		case name == "ERR", name == "ZERR":
			o |= byFailure
		case name == "DEBUG", name == "RETURN":
			o |= byStepping
		case !atEnd(name):
			o |= bySignal
		}
	}
	return o
}

// overheard is what commands print as a group, together with what traps print meanwhile. A subshell inherits only
// some of them.
func (led *ledger) overheard(s *state, d command.Data) command.Data {
	heard := led.noise
	if led.inner {
		heard &= led.haunts(s)
	}
	if led.lone && s.hint == succeeded {
		heard &^= byFailure
	}
	if heard != 0 {
		return command.Data{Taint: d.Taint, Endless: d.Endless}
	}
	return d
}

// haunts is on which occasions the traps of a shell come in its subshells as well.
func (here *site) haunts(s *state) (o occasions) {
	if opts := s.opts | s.doubt; here.world.Zsh || opts&optErrtrace != 0 {
		o |= byFailure
	}
	if opts := s.opts | s.doubt; here.world.Zsh || opts&optFunctrace != 0 {
		o |= byStepping
	}
	return o
}

// showsTraps says whether trap shows traps or signals if its first word is this.
func showsTraps(first string) bool { return len(first) > 1 && first[0] == '-' }

// setsNoTrap says whether trap takes traps away or shows them if its first word is this.
func setsNoTrap(first string) bool {
	return first == "-" || first == "" || showsTraps(first) || isNumber(first)
}

// atEnd says whether a trap comes when the shell ends, and not between any two commands.
func atEnd(signal string) bool { return signal == "EXIT" || signal == "0" || signal == "SIGEXIT" }

// interrupts notes what a trap does that may come between any two commands: it has made
// other states of one.
func interrupts(s *state, made []*state, inv *command.Invocation, comes occasions) {
	for _, e := range made {
		was := s.fork()
		was.out, was.stdin, was.files, was.links, was.jump = e.out, e.stdin, e.files, e.links, e.jump
		ends := e.jump == exits && comes&byStepping == 0
		if e.jump != none && !ends || !e.same(was) || e.touched(s) {
			gapIn(inv, "a trap that changes what the shell does next")
		}
	}
}

// touched says whether a state has come out of another one by assigning something, be it what was there already:
// when that happens again, there may be something else.
func (s *state) touched(from *state) bool {
	identical := func(a, b *variable) bool { return a == b }
	alike := func(a, b *functions) bool { return a == b }
	return s.turns != from.turns || !s.vars.same(from.vars, identical) || !s.funcs.same(from.funcs, alike) ||
		!sameSlice(s.params, from.params, func(command.Word, command.Word) bool { return false })
}

// maxTraps bounds the traps that are followed.
const maxTraps = 16

// spring runs the commands of a trap. It says whether they print something.
func (r *reader) spring(t trap, s *state) (states []*state, prints bool) {
	c := s.fork()
	c.jump, c.levels = none, 0
	c.out, c.shown = command.Data{Reach: tool.Exact}, false
	c.ended()
	at := r.frame
	r.loops, r.outside, r.around = 1, false, 0 // a break in it is one of the loop that it comes in, if there is one
	r.depth++
	r.sourcing, r.sprung = 0, true
	states = r.inline(t.text.Text, &source{at: t.text.At, whole: t.text.Span, scratch: t.scratch}, c)
	r.frame = at
	r.shown(states)
	outlived(r, states)
	for i, e := range states {
		prints = prints || !e.out.IsEmpty()
		if s.shown {
			r.spills(e.out)
		}
		states[i] = e.fork()
		states[i].shown = s.shown
	}
	return states, prints
}

// watch begins to keep what the script is like at any point from now on, for what
// may run at any of them: traps, and functions that nobody is seen to call.
func (w *watcher) watch(states []*state) {
	w.watching = true
	w.observe(states)
}

// observe adds states to what the script may be like. They are joined in pairs, and
// the pairs in pairs, so that each is joined with what it has most in common with.
func (w *watcher) observe(states []*state) {
	if !w.watching {
		return
	}
	for _, s := range states {
		if w.given == nil {
			w.given = &state{params: s.params, many: s.many, loose: s.loose}
		}
		w.given.joinParams(s)
		f := observed(s)
		if w.lately != nil && f.same(w.lately) && !f.running.beyond(w.lately.running) {
			continue
		}
		w.lately = f
		level := 0
		for ; level < len(w.past) && w.past[level] != nil; level++ {
			one := w.past[level].fork()
			one.join(f)
			f, w.past[level] = one, nil
		}
		if level == len(w.past) {
			w.past = append(w.past, nil)
		}
		w.past[level] = f
	}
}

// observed is what is kept of a state for what may run at any point.
func observed(s *state) *state {
	f := s.fork()
	f.jump, f.levels, f.params, f.many, f.loose = none, 0, nil, true, 0
	f.ended()
	f.stdin, f.out, f.shown, f.scopes = command.Data{Taint: s.stdin.Taint}, command.Data{}, true, nil
	return f
}

// ever is all that the script may have been like since it is watched, or nil.
func (w *watcher) ever() *state {
	var all *state
	for _, s := range w.past {
		switch {
		case s == nil:
		case all == nil:
			all = s.fork()
		default:
			all.join(s)
		}
	}
	return all
}

// atExit runs the traps once more, in whatever state the script may be in when they
// come.
func (r *reader) atExit() {
	states := r.since.early
	if past := r.since.ever(); past != nil {
		given := r.since.given
		past.params, past.many, past.loose = given.params, given.many, given.loose
		states = append(states, past)
	}
	for _, s := range states {
		for _, t := range r.traps {
			if r.spent {
				return
			}
			if !s.leq(t.set) || !slices.Equal(s.links, t.set.links) || s.running.beyond(t.set.running) {
				r.spring(t, s)
			}
		}
	}
}

// alias defines or removes aliases.
func (r *reader) alias(s *state, name string, args []command.Word, inv *command.Invocation) {
	for _, w := range args {
		switch key, text, ok := strings.Cut(w.Text, "="); {
		case name == "unalias":
			s.unalias(w)
		case w.Text != "-p" && strings.HasPrefix(w.Text, "-"):
			gapIn(inv, "an alias that expands in other words than the command") // to zsh
		case w.Reach == tool.Anywhere || !ok && !w.IsKnown():
			gapIn(inv, "an alias known only at run time")
		case !ok: // it is shown
		default:
			if made := (alias{key, text, w.IsKnown()}); !s.define(made, r.lib, inv) {
				return
			}
		}
	}
	s.out = printedBy(name, args)
}

// define adds an alias, and notes what is peculiar about it; it says whether to go on.
func (s *state) define(a alias, lib *command.Library, inv *command.Invocation) bool {
	if strings.HasSuffix(a.text, " ") || isReserved(a.name) {
		gapIn(inv, "an alias that changes the words after it")
	}
	if lib.Has(a.name) || isBuiltin(a.name) {
		gapIn(inv, "an alias takes the name of the program "+a.name)
	}
	if len(s.aliases) > maxNamed {
		gapIn(inv, "too many aliases")
		return false
	}
	s.aliases = append(s.aliases[:len(s.aliases):len(s.aliases)], a)
	return true
}

// unalias removes an alias. One that is perhaps removed stays.
func (s *state) unalias(w command.Word) {
	if w.IsKnown() && w.Text == "-a" {
		s.aliases = nil
		return
	}
	kept := s.aliases[:0:0]
	for _, a := range s.aliases {
		if !w.IsKnown() || a.name != w.Text {
			kept = append(kept, a)
		}
	}
	s.aliases = kept
}

func isReserved(name string) bool {
	switch name {
	case "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "in", "function", "select", "time", "coproc", "{", "}", "!", "[[", "]]":
		return true
	}
	return false
}

// completion is complete and compgen, which may run what they are given.
func completion(name string, args []command.Word, inv *command.Invocation) {
	for _, w := range args {
		if !w.IsKnown() || len(w.Text) > 1 && w.Text[0] == '-' && strings.IndexByte("CFWX", w.Text[1]) >= 0 {
			gapIn(inv, name+" with something that it runs")
		}
	}
}
