package shell

import (
	"slices"
	"strings"
	"unicode"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// call runs a simple command in one state.
func (r *reader) call(st *syntax.Stmt, c *syntax.CallExpr, s *state) []*state {
	if r.spend() {
		return []*state{s}
	}
	r.src.visit(st)
	if len(st.Redirs) == 0 {
		return r.simpleCommand(st, c, s)
	}
	fds := s.fds
	states := r.simpleCommand(st, c, s)
	if len(c.Args) > 0 {
		switch c.Args[0].Lit() {
		case "exec", "command", "builtin": // what they open may stay open
			return states
		}
	}
	for i, e := range states {
		if e.fds.size() > 0 {
			states[i] = e.fork()
			states[i].fds.reopen(fds, redirected(st.Redirs))
		}
	}
	return states
}

func (r *reader) simpleCommand(st *syntax.Stmt, c *syntax.CallExpr, s *state) []*state {
	words := words{list: make([]command.Word, 0, len(c.Args)+1)}
	for _, w := range c.Args {
		r.fields(s, w, argument, &words)
	}
	if len(words.list) == 0 {
		return r.assignments(st, c, s)
	}
	inv := r.invocation(s, st, words.list)
	inv.Loose = words.loose
	s.keepLast(words.list)
	without := s
	if assignsInPassing(st.Redirs, c.Assigns) {
		without = s.fork()
	}
	red := r.redirects(s, st.Redirs, inv)
	if r.prefixes(s, c.Assigns, inv); without != s {
		s.join(without) // a program's are expanded in a process of its own
	}
	if len(c.Assigns) > 0 && isDeclaration(c.Args[0].Lit()) {
		d := declaration{r: r, inv: inv}
		d.after(s, c, words.list)
	}
	if lit := c.Args[0].Lit(); lit != "" {
		if a := s.alias(lit); a != nil && !r.expanding(lit) {
			return r.expandAlias(st, c, s, a, inv)
		}
		if list, _ := s.calls(lit); lit[0] == '=' || differsInZsh(lit) || isDeclaration(lit) && len(list) > 0 {
			r.gap("zsh reads the word "+lit+" differently", inv.Span)
		}
	}
	if setsParameter(c.Args[0]) || r.world.Zsh && slices.ContainsFunc(c.Args, setsInZsh) {
		r.noName(inv.Span)
	}
	if (r.world.Zsh || s.isPosix()) && isBuiltin(words.list[0].Text) && words.list[0].Text != "exec" && slices.ContainsFunc(st.Redirs, s.isWordBehind) {
		r.gap("zsh takes the number of this descriptor for a word", inv.Span)
	}
	if closesBlock(c.Args) {
		r.gap("zsh takes a word } for the end of a block", inv.Span)
	}
	states := r.execute(st, inv, s, red, true)
	if red.risky {
		mayFail(states)
	}
	return states
}

// isWordBehind says whether the shell may take what stands in front of a redirection for a word: a number with more than one digit or,
// to sh, a variable for one.
func (s *state) isWordBehind(rd *syntax.Redirect) bool {
	return rd.N != nil && (isWordBefore(rd.N.Value) || namesDescriptor(rd.N.Value) && s.isPosix())
}

// namesDescriptor says whether what stands in front of a redirection is a variable that gets the number of the descriptor.
func namesDescriptor(fd string) bool { return strings.HasPrefix(fd, "{") }

// isWordBefore says whether shells take what stands in front of a redirection for a word, and not for a descriptor.
func isWordBefore(fd string) bool { return len(fd) > 1 && isNumber(fd) }

// assignsInPassing says whether the expansion of a redirection, or of an assignment in front of a command, gives a value to a
// variable.
func assignsInPassing(redirects []*syntax.Redirect, front []*syntax.Assign) bool {
	for _, rd := range redirects {
		if givesWord(rd.Word) || givesWord(rd.Hdoc) {
			return true
		}
	}
	return slices.ContainsFunc(front, func(a *syntax.Assign) bool { return givesWord(a.Value) })
}

// givesWord is givesValue for a word, which may be missing.
func givesWord(w *syntax.Word) bool { return w != nil && w.Lit() == "" && givesValue(w) }

// givesValue says whether an expansion may give a value to a variable.
func givesValue(n syntax.Node) (found bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.BinaryArithm, *syntax.UnaryArithm:
			found = true
		case *syntax.ParamExp:
			found = found || n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull)
		}
		return !found
	})
	return found
}

// differsInZsh says whether a command name means something to zsh that it does
// not mean to bash.
func differsInZsh(name string) bool {
	switch name {
	case "repeat", "noglob", "nocorrect", "-", "foreach", "always", "end", "setopt", "unsetopt", "emulate", "zmodload", "autoload", "integer", "float", "private", "chdir", "run-help", "which-command":
		return true
	}
	return name[0] == '{'
}

// closesBlock says whether words hold a brace that zsh takes for the end of a block, with "always" and another
// block behind it. To bash all of them are words of a command.
func closesBlock(args []*syntax.Word) bool {
	for i := 0; i+1 < len(args); i++ {
		if args[i].Lit() == "}" && args[i+1].Lit() == "always" {
			return true
		}
	}
	return false
}

// setsParameter says whether a word in the place of a command is an assignment to a
// positional parameter, which zsh has.
func setsParameter(w *syntax.Word) bool {
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok {
		return false
	}
	rest := strings.TrimLeft(lit.Value, "0123456789")
	return rest != lit.Value && (strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "+=") || strings.HasPrefix(rest, "["))
}

// setsInZsh says whether a word may be an assignment to a variable that has letters in its name which only zsh takes.
func setsInZsh(w *syntax.Word) bool {
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok {
		return false
	}
	name, _, is := strings.Cut(lit.Value, "=")
	return is && name != "" && !strings.ContainsFunc(name, func(c rune) bool { return c < 0x80 && !scan.IsNameByte(byte(c)) && !strings.ContainsRune("+[]", c) }) && strings.ContainsFunc(name, func(c rune) bool { return c >= 0x80 && unicode.IsLetter(c) })
}

// invocation starts one with what the shell knows of it.
func (led *ledger) invocation(s *state, st *syntax.Stmt, words []command.Word) *command.Invocation {
	return &command.Invocation{
		Words: words, Dir: s.dir, Env: environmentOf(led, s), Stdin: s.stdin, Span: led.src.stmtSpan(st),
		Pipeline: led.pipe, Stage: led.stage, Via: led.via, Device: led.device, Remote: led.remote,
	}
}

// stmtSpan is the span of a statement without the operator that ends it.
func (src *source) stmtSpan(st *syntax.Stmt) tool.Span {
	start := st.Position
	end := start
	if st.Cmd != nil {
		start = st.Cmd.Pos()
		end = st.Cmd.End()
	}
	for _, rd := range st.Redirs {
		if e := rd.Word.End(); e.After(end) {
			end = e
		}
		if rd.Pos().Offset() < start.Offset() {
			start = rd.Pos()
		}
	}
	return src.span(int(start.Offset()), int(end.Offset()))
}

// there makes of what an invocation does what that amounts to on another machine, or in a
// container.
func (here *site) there(inv *command.Invocation) {
	inv.Remote = true
	kept := inv.Effects[:0]
	own := here.code != "" && runsProject(inv)
	for _, e := range inv.Effects {
		if e, counts := here.amounts(inv, e, own); counts {
			kept = append(kept, e)
		}
	}
	inv.Effects = kept
}

// amounts is what one effect amounts to there, of an invocation that may run the project's own
// code. It says whether the effect counts.
func (here *site) amounts(inv *command.Invocation, e tool.Effect, own bool) (tool.Effect, bool) {
	switch {
	case here.code != "" && here.ownCode(e), own && here.makesFiles(inv, e):
		return tool.Effect{Kind: tool.Control, Target: here.code, Reach: tool.Exact, Span: e.Span}, true
	case here.alters != "" && changesSomething(e):
		// Whatever it is that changes there, somebody should know.
		return tool.Effect{Kind: tool.Control, Target: here.alters, Reach: tool.Exact, Span: e.Span}, true
	case here.alters != "" && here.device == "" && e.Kind == tool.Read:
		return e, true // secrets have the names there that they have here
	}
	return e, !e.Kind.IsPath()
}

// makesFiles says whether an effect of the project's code is that it makes files of the
// project.
func (here *site) makesFiles(inv *command.Invocation, e tool.Effect) bool {
	return e.Kind.IsPath() && e.Kind != tool.Read && e.Kind != tool.Delete && !interprets(inv) && e.Reach != tool.Anywhere && paths.Within(e.Target, here.world.Project)
}

// changesSomething says whether an effect is more than to look: on files, or by code that runs.
func changesSomething(e tool.Effect) bool {
	return e.Kind.IsPath() && e.Kind != tool.Read || e.Kind == tool.Execute
}

// list1 adds an invocation to the result.
func (led *ledger) list1(inv *command.Invocation) {
	if led.remote {
		led.there(inv)
	}
	led.noteOdd(inv)
	led.noteCopied(inv)
	led.noteDashes(inv)
	if led.project && len(inv.Gaps) > 0 {
		// What the project defines is its code, like the code it builds and tests.
		name := inv.Name
		if name == "" {
			name = "task"
		}
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "project:" + name, Reach: tool.Exact, Span: inv.Span})
		inv.Gaps = nil
	}
	if led.invocations == nil {
		led.invocations = make([]*command.Invocation, 0, 8)
	}
	if inv.Name == "exec" {
		led.openers = append(led.openers, len(led.invocations))
	}
	led.invocations = append(led.invocations, inv)
	led.jobs.note(inv)
}

// noteDashes notes names that an invocation gives to files and that programs take for flags.
func (led *ledger) noteDashes(inv *command.Invocation) {
	for i := range inv.Effects {
		e := &inv.Effects[i]
		if e.Kind != tool.Write && e.Kind != tool.Create || e.Pattern || e.Reach != tool.Exact {
			continue
		}
		if name := e.Target[strings.LastIndexByte(e.Target, '/')+1:]; len(name) > 1 && (name[0] == '-' || name[0] == '@') && !slices.Contains(led.dashed, name) {
			led.dashed = append(led.dashed, name)
		}
	}
}

// noteOdd notes names with blanks or quotes in them that an invocation gives to files.
func (led *ledger) noteOdd(inv *command.Invocation) {
	for _, e := range inv.Effects {
		if !led.makesBlanks(e) {
			continue
		}
		if led.blanks = true; e.Reach == tool.Exact && len(led.odd) < maxTreeOdd {
			led.odd = append(led.odd, e.Target)
		}
	}
}

// makesBlanks says whether an effect makes a file with a name that is split, or read in
// another way, where it is a line of a list.
func (here *site) makesBlanks(e tool.Effect) bool {
	return (e.Kind == tool.Write || e.Kind == tool.Create) && !e.Pattern && strings.ContainsAny(strings.TrimPrefix(e.Target, here.world.Project), blankBytes+`'"\`)
}

// keepsName says whether a program has the same name if the directory in front of it is nothing.
func keepsName(w command.Word) bool {
	at := strings.LastIndexByte(w.IfEmpty, '/')
	return w.Hollow && w.Reach == tool.Exact && at >= 0 && strings.HasSuffix(w.Text, w.IfEmpty[at:])
}

// execute runs an invocation: a function, a builtin of the shell, or a program.
func (r *reader) execute(st *syntax.Stmt, inv *command.Invocation, s *state, red redirection, functions bool) []*state {
	if keepsName(inv.Words[0]) {
		inv.Words[0].Hollow = false
	}
	reopens(inv)
	first := inv.Words[0]
	if first.Mixed {
		dependsOnOrder(inv)
	}
	alsoNext(r, st, inv, s, red, functions)
	if !first.IsKnown() {
		if first.Taint&command.FromNet != 0 {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "fetched:sh", Reach: tool.Exact, Span: first.Span})
		}
		if r.external(st, inv, s, red); len(inv.Gaps) == 0 {
			inv.Gaps = append(inv.Gaps, command.Gap{Why: "which program this runs is known only at run time", Span: first.Span})
		}
		return []*state{s.ended()}
	}
	name := first.Text
	if functions {
		if states, ok := r.callByName(st, inv, s, red); ok {
			return states
		}
	}
	if states, ok := r.builtin(st, name, inv, s, red); ok {
		return states
	}
	r.external(st, inv, s, red)
	if strings.IndexByte(name, '/') < 0 {
		if list, _ := s.calls("command_not_found_handle"); len(list) > 0 {
			r.gap("a function that runs for unknown commands", inv.Span)
			for i := range list {
				one := *inv
				r.callFunction(st, &list[i], &one, s.fork(), redirection{})
			}
		}
	}
	return []*state{s.endLike(name)}
}

// endLike notes how a program of that name seems to have ended.
func (s *state) endLike(name string) *state {
	switch name {
	case "true", "echo", "pwd":
		return s.end(true)
	case "false":
		return s.end(false)
	}
	return s.ended()
}

// isNowhere says whether the directory of a state surely is not there.
func isNowhere(led *ledger, s *state) bool {
	if s.dir.Reach != tool.Exact || s.dir.Text == led.world.Project || s.dir.Text == led.standing || led.world.Exists == nil {
		return false
	}
	if led.world.Exists(s.dir.Text) {
		led.standing = s.dir.Text
		return false
	}
	return isGone(led, tool.Effect{Kind: tool.Read, Target: s.dir.Text, Reach: tool.Exact})
}

// external reads an invocation with the library and takes over what it does to
// the state.
func (r *reader) external(st *syntax.Stmt, inv *command.Invocation, s *state, red redirection) {
	inv.Dashed, inv.Moves, inv.Deleted, inv.Ignores = r.dashed, s.links, r.deleted, r.ignores
	inv.Cloned, inv.Released, inv.Blank = r.cloned, r.released, blankFiles(&r.ledger)
	inv.Nowhere = r.async == 0 && r.pipe == 0 && isNowhere(&r.ledger, s) // nothing else makes it at the same time
	if old := r.known(st, inv, s); old != nil {
		*inv = *old
		r.jobs.note(inv)
		r.wrote(s, inv, red)
		s.drain(inv, red)
		r.deliver(s, inv, red)
		return
	}
	weighs(inv)
	less := vanished(inv, func(w *command.Word) bool { return vanishes(s, w) })
	effects, gaps := inv.Effects, inv.Gaps
	inv.Effects, inv.Gaps = nil, nil
	r.unmatched(inv, s)
	r.lib.Read(inv, r.world)
	inAnyOrder(r, inv)
	fromBelow(inv)
	inv.Effects = append(inv.Effects, effects...)
	inv.Gaps = append(inv.Gaps, gaps...)
	r.prints(s, inv)
	r.fifos = append(r.fifos, inv.Fifos...)
	taken := r.taken(s, inv)
	if inv.Output.Taint |= taken; taken&command.WithSettings != 0 {
		command.PicksSettings(inv)
	}
	inv.Output.Taint = unmixed(s, inv, inv.Output.Taint)
	r.leads(s, inv)
	ontop(&r.ledger, s, inv)
	getsNames(&r.ledger, s, inv)
	r.ownLitter(st, s, inv)
	s.asCloned(inv)
	r.planted(s, inv)
	uses(r, s, inv)
	s.renamed(inv)
	r.list1(inv)
	r.remember(st, inv, s)
	r.dictated(s, inv)
	before := len(r.invocations)
	if through := runsOthers(r, st, inv, s); !through {
		inv.Output.Taint |= r.printsUnseen(s, inv)
	}
	if slices.ContainsFunc(inv.Redirects, mayPrevent) {
		inv.Output = perhaps(inv.Output)
	}
	mayTakeRest(&r.ledger, inv)
	known := len(inv.Effects)
	emptiesFiles(&r.ledger, inv)
	losesInside(&r.ledger, inv, before)
	losesOpen(&r.ledger, s, append(r.invocations[before:len(r.invocations):len(r.invocations)], inv))
	if len(inv.Effects) > known {
		r.throughPatterns(inv, known)
	}
	alsoWithout(r, st, inv, less, s, red)
	alsoSeveral(r, st, inv, s, red)
	r.wrote(s, inv, red)
	throughOwn(&r.ledger, s, inv)
	s.drain(inv, red)
	r.deliver(s, inv, red)
}

// perhaps is what is printed if it may be nothing.
func perhaps(d command.Data) command.Data {
	if d.Reach == tool.Exact && d.Text != "" && strings.Trim(d.Text, "\n") == "" {
		return command.Data{Taint: d.Taint}
	}
	return d.Perhaps()
}

// mayPrevent says whether a redirection, other than that of the output to a file, may fail, so that nothing is
// run and printed.
func mayPrevent(rd command.Redirect) bool {
	switch rd.Op {
	case "<", "<>", "<&":
		return !rd.Target.IsKnown() || rd.Target.Text != "/dev/null" && rd.Target.Text != "-"
	case ">", ">>", ">|":
		return rd.Fd != "" && rd.Fd != "1" && !(rd.Target.IsKnown() && rd.Target.Text == "/dev/null")
	case ">&":
		return rd.Fd != "" && !(rd.Target.IsKnown() && (rd.Target.Text == "1" || rd.Target.Text == "2" || rd.Target.Text == "-"))
	}
	return false
}

// findsPrograms says whether an invocation has the search path that the script was started with,
// or a longer one. With another one its program may not be found.
func (s *state) findsPrograms(inv *command.Invocation) bool {
	for i := range inv.Env {
		if a := &inv.Env[i]; a.Name == "PATH" && !keepsPath(a.Value) {
			return false
		}
	}
	v := s.lookup("PATH")
	return v == nil || !v.unset && len(v.words) == 1 && keepsPath(v.words[0])
}

// keepsPath says whether a search path holds the one that the script was started with.
func keepsPath(w command.Word) bool {
	path, ok := w.Search()
	return ok && strings.Contains(path, value.Inherited)
}

// handsOn says whether what an invocation prints is what the only command prints that it runs.
func handsOn(inv *command.Invocation, run *command.Nested) bool {
	return !run.Known && !run.Project && !run.Among && inv.Output.Reach == tool.Anywhere && !inv.Output.Plain && !inv.Output.None
}

// handed is what an invocation prints that runs a command which prints d. It may fail to run
// it. A shell and a script print what their commands print; other programs may print it more
// than once, or end it midway, so that only what is true of every line of it holds.
func handed(inv *command.Invocation, run *command.Nested, d command.Data) command.Data {
	if slices.ContainsFunc(inv.Words, command.NamesOutput) {
		return command.Data{Taint: d.Taint, Endless: d.Endless}
	}
	if d = d.Perhaps(); run.File == nil && (run.Script == nil || run.Shell != inv.Name) {
		return d.Unread()
	}
	return d
}

// prints makes what a model says that a program prints what the shell gets to see.
func (here *site) prints(s *state, inv *command.Invocation) {
	// others: nothing is known of what is printed.
	switch inv.Output.Reach {
	case tool.Exact:
		inv.Output = printed(inv)
		if here.printsOther(s, inv) {
			inv.Output = command.Data{Taint: inv.Output.Taint}
		}
	case tool.Prefix:
		// A word that is not known may be none, and have no blank before it.
		before := inv.Output.Text
		inv.Output.Text = strings.TrimRight(before, " ")
		inv.Output.Plain = inv.Output.Plain && inv.Output.Text == before
		if here.printsOther(s, inv) {
			inv.Output = command.Data{Taint: inv.Output.Taint, Endless: inv.Output.Endless}
		}
	}
}

// printsOther says whether shells print different things for the same words.
func (here *site) printsOther(s *state, inv *command.Invocation) bool {
	sh := s.opts&optPosix != 0 || strings.IndexByte(inv.Words[0].Text, '/') >= 0 // a program of that name is like the one of sh
	switch inv.Name {
	case "echo":
		return (sh || here.world.Zsh) && (strings.IndexByte(inv.Output.Text, '\\') >= 0 || ownFlag(inv.Words[1:], sh))
	case "printf":
		return isShort(inv.Words[1:]) || sh && slices.ContainsFunc(inv.Words[1:], func(w command.Word) bool { return strings.Contains(w.Text, `\x`) })
	}
	return false
}

// ownFlag says whether the first words of echo are flags to some shells only: sh knows one -n alone, and zsh
// drops a dash.
func ownFlag(words []command.Word, sh bool) bool {
	if sh && len(words) > 0 && words[0].Text == "-n" {
		words = words[1:]
	}
	return len(words) > 0 && (words[0].Text == "-" || sh && strings.HasPrefix(words[0].Text, "-"))
}

// isShort says whether the format of printf ends within a conversion, or wants more numbers than it is given.
func isShort(words []command.Word) bool {
	if len(words) == 0 {
		return false
	}
	if words[0].Text == "--" {
		words = words[1:]
	}
	if len(words) == 0 || !words[0].IsKnown() {
		return false
	}
	format := words[0].Text
	list := conversions(format)
	for i := range list {
		if left := len(words) - 1; (left == 0 || left%len(list) != 0 && i >= left%len(list)) && strings.IndexByte("sbcq", list[i]) < 0 {
			return true
		}
	}
	rest := strings.TrimRight(strings.ReplaceAll(format, "%%", ""), "0123456789+- #'.*hlLjzt")
	return strings.HasSuffix(rest, "%")
}

// drain takes away what a program may have read of the input that it shares with
// the shell. What prints the same whatever comes reads nothing.
func (s *state) drain(inv *command.Invocation, red redirection) {
	if !red.reads && !s.stdin.None && (inv.Output.Reach != tool.Exact || inv.Passes) && s.stdin.Reach == tool.Exact && s.stdin.Text != "" {
		s.stdin = command.Data{Taint: s.stdin.Taint}
	}
}

// taken is where the files have been that an invocation reads, if the script has
// written them.
func (led *ledger) taken(s *state, inv *command.Invocation) (t command.Taint) {
	if s.files.size() == 0 {
		return 0
	}
	for _, e := range inv.Effects {
		if e.Kind != tool.Read {
			continue
		}
		if f := s.found(e.Target); f != nil && e.Reach == tool.Exact {
			t |= f.data.Taint &^ command.FromScript
		}
		if led.showsCopy(s, e) {
			t |= command.FromTree
		}
	}
	if !inv.Shows || inv.Seeks {
		t &^= command.FromTree
	}
	return t
}

// holdsSomething says whether a file that is emptied may hold something.
func (here *site) holdsSomething(e tool.Effect) bool { return command.HoldsSomething(here.world, e) }

// printed is what an invocation prints if its words are taken for what they are:
// a pattern among them stands for names that are not known.
func printed(inv *command.Invocation) command.Data {
	for i, w := range inv.Words {
		if !w.Glob {
			continue
		}
		d := command.Data{Taint: inv.Output.Taint | w.Taint}
		if i == 1 && len(inv.Words) == 2 && inv.Output.Text != "" && !paths.GlobClimbs(w.Text) {
			d.Text, d.Reach, d.Seen = paths.GlobDir(w.Text), tool.Under, w.Seen
		}
		if inv.Output.Text == "" {
			return inv.Output
		}
		return d
	}
	return inv.Output
}

// record is an invocation that has been read, and what it was read in.
type record struct {
	*command.Invocation
	files files
	links []command.Link
	opts  options
}

// known returns an equal invocation of the same node, if it has run before in a
// state that means the same to it.
func (m *memo) known(st *syntax.Stmt, inv *command.Invocation, s *state) *command.Invocation {
	if st == nil || m.seen == nil {
		return nil
	}
	list := m.seen[st]
	for i := len(list) - 1; i >= 0 && i >= len(list)-16; i-- {
		old := list[i]
		if old.opts == s.opts && slices.Equal(old.links, s.links) && alike(old.Invocation, inv) && (!dependsOnFiles(old, s) || old.files.same(s.files)) {
			return old.Invocation
		}
	}
	return nil
}

// alike says whether two invocations of one command are given the same.
func alike(a, b *command.Invocation) bool {
	return a.Stage == b.Stage && a.Loose == b.Loose && a.Once == b.Once && a.Silent == b.Silent && a.Nowhere == b.Nowhere && a.Each == b.Each && len(a.Dashed) == len(b.Dashed) && len(a.Deleted) == len(b.Deleted) && len(a.Cloned) == len(b.Cloned) && len(a.Released) == len(b.Released) && a.Ignores == b.Ignores && a.Remote == b.Remote && a.Device == b.Device &&
		sameSlice(a.Words, b.Words, value.Word.Same) && a.Dir.Same(b.Dir) && a.Stdin.Same(b.Stdin) && slices.Equal(a.Via, b.Via) &&
		sameSlice(a.Redirects, b.Redirects, sameRedirect) && sameSlice(a.Env, b.Env, sameAssign)
}

func sameRedirect(a, b command.Redirect) bool {
	return a.Op == b.Op && a.Fd == b.Fd && a.Target.Same(b.Target)
}

func sameAssign(a, b command.Assign) bool {
	return a.Name == b.Name && a.Append == b.Append && a.Prefix == b.Prefix && a.Value.Same(b.Value)
}

// dependsOnFiles says whether what an invocation does may be different when the
// script has written other files: it runs something, or may read one of them.
func dependsOnFiles(old record, s *state) bool {
	if len(old.Runs) > 0 || old.Cleared || old.Refs&command.RefsRead != 0 || runsProject(old.Invocation) {
		return true
	}
	written := old.files.size()+s.files.size() > 0
	vaguely := (old.files.marks()|s.files.marks())&vague != 0
	return written && slices.ContainsFunc(old.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Read && (vaguely || !isOneFile(e) || old.files.get(e.Target) != nil || s.files.get(e.Target) != nil)
	})
}

func (r *reader) remember(st *syntax.Stmt, inv *command.Invocation, s *state) {
	if st == nil || r.skimmed != nil || !r.crowd && r.loops == 0 && r.depth == 0 {
		return
	}
	if r.seen == nil {
		r.seen = map[syntax.Node][]record{}
	}
	r.seen[st] = append(r.seen[st], record{inv, s.files, s.links, s.opts})
}
