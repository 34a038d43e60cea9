package reader

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

// call runs a simple command, once for each combination of what its words may be.
func (r *reader) call(st *syntax.Stmt, c *syntax.CallExpr) {
	if len(c.Args) > 0 && r.perDir(func() { r.call(st, c) }) {
		return
	}
	if !r.varies(st, c) {
		r.once(st, c)
		return
	}
	s := r.s
	f := &fork{r: r, from: s}
	r.each(func() { f.way(func() { r.once(st, c) }) })
	f.close()
}

// varies says whether the words of a command may be more than one thing.
func (r *reader) varies(st *syntax.Stmt, c *syntax.CallExpr) bool {
	if len(c.Args) == 0 { // each value is assigned with all that it may be
		return len(st.Redirs) > 0 && len(c.Assigns) == 0
	}
	if len(r.s.dirs) > 1 {
		return true
	}
	plain := func(w *syntax.Word) bool {
		if w == nil || len(w.Parts) == 1 && w.Lit() != "" && strings.IndexByte(w.Lit(), '~') < 0 {
			return true
		}
		_, is := r.src.simple(w)
		return is
	}
	return slices.ContainsFunc(c.Args, func(w *syntax.Word) bool { return !plain(w) }) ||
		slices.ContainsFunc(c.Assigns, func(a *syntax.Assign) bool { return !plain(a.Value) }) ||
		slices.ContainsFunc(st.Redirs, func(rd *syntax.Redirect) bool { return !plain(rd.Word) || rd.Hdoc != nil && !plain(rd.Hdoc) })
}

// once runs a simple command for one combination.
func (r *reader) once(st *syntax.Stmt, c *syntax.CallExpr) {
	words := words{list: make([]command.Word, 0, len(c.Args)+1)}
	for _, w := range c.Args {
		r.fields(w, argument, &words)
	}
	if r.spend(len(words.list) / 8) {
		return
	}
	if len(words.list) == 0 {
		r.withoutWords(st, c)
		return
	}
	r.native(words.list)
	inv := r.invocation(st, words.list)
	inv.Loose = words.loose
	red := r.redirects(st.Redirs, inv)
	r.prefixes(c.Assigns, inv)
	r.peculiar(st, c, inv)
	r.execute(inv, red, true)
}

// peculiar notes words of a command that shells read in different ways.
func (r *reader) peculiar(st *syntax.Stmt, c *syntax.CallExpr, inv *command.Invocation) {
	lit := c.Args[0].Lit()
	if lit != "" && (lit[0] == '=' || differsInZsh(lit)) {
		r.gap("zsh reads the word "+lit+" differently", inv.Span)
	}
	if f, _ := r.s.funcs.get(lit); isDeclaration(lit) && (len(f.defs) > 0 || len(c.Assigns) > 0) {
		r.gap("a declaration of what is assigned in front of it", inv.Span)
	}
	if l, ok := c.Args[0].Parts[0].(*syntax.Lit); ok && looksAssigned(l.Value) {
		r.gap("an assignment to something that is not a variable", inv.Span)
	}
	for i := 0; i+1 < len(c.Args); i++ {
		if c.Args[i].Lit() == "}" && c.Args[i+1].Lit() == "always" {
			r.gap("zsh takes a word } for the end of a block", inv.Span)
		}
	}
	if (r.zsh || r.posix) && slices.ContainsFunc(st.Redirs, func(rd *syntax.Redirect) bool {
		return rd.N != nil && (len(rd.N.Value) > 1 && isNumber(rd.N.Value) || r.posix && rd.N.Value[0] == '{')
	}) {
		r.gap("some shells take the number of this descriptor for a word", inv.Span)
	}
}

// looksAssigned says whether the first word of a command looks like an assignment, and is none to some shells.
func looksAssigned(text string) bool {
	if !strings.Contains(text, "=") && !(strings.Contains(text, "[") && len(text) > 2) {
		return false
	}
	return strings.IndexByte("0123456789", text[0]) >= 0 || strings.IndexFunc(text, func(c rune) bool { return c >= 0x80 }) >= 0
}

// differsInZsh says whether a command name means something to zsh that it does not mean to bash.
func differsInZsh(name string) bool {
	switch name {
	case "repeat", "noglob", "nocorrect", "-", "foreach", "always", "end", "setopt", "unsetopt", "emulate", "zmodload", "autoload", "integer", "float", "private", "chdir", "run-help", "which-command":
		return true
	}
	return len(name) > 1 && name[0] == '{'
}

// isDeclaration says whether a command declares variables.
func isDeclaration(name string) bool {
	switch name {
	case "export", "readonly", "declare", "typeset", "local", "integer", "float":
		return true
	}
	return false
}

// invocation starts one with what the shell knows of it.
func (r *reader) invocation(st *syntax.Stmt, words []command.Word) *command.Invocation {
	return &command.Invocation{
		Words: words, Dir: r.dir(), Env: r.environment(), Stdin: r.s.stdin, Span: r.src.stmtSpan(st),
		Pipeline: r.pipe, Stage: r.stage, Via: r.via, Device: r.device, Remote: r.remote,
	}
}

// environment are the variables of the script that programs get to see, for the combination at hand.
func (r *reader) environment() []command.Assign {
	env := r.s.env
	for i := range env {
		v, ok := r.s.vars.get(env[i].Name)
		if k := r.pick(env[i].Name, max(1, len(v.alts))); ok && len(v.alts) > 1 && k >= 0 {
			if &env[0] == &r.s.env[0] {
				env = slices.Clone(env)
			}
			env[i].Value = v.alts[k]
		}
	}
	return env[:len(env):len(env)]
}

// stmtSpan is the span of a statement without the operator that ends it.
func (s *source) stmtSpan(st *syntax.Stmt) tool.Span {
	start := st.Position
	end := start
	if st.Cmd != nil {
		if call, ok := st.Cmd.(*syntax.CallExpr); !ok || len(call.Args)+len(call.Assigns) > 0 {
			start, end = st.Cmd.Pos(), st.Cmd.End()
		}
	}
	for _, rd := range st.Redirs {
		if e := rd.Word.End(); e.After(end) {
			end = e
		}
		if rd.Pos().Offset() < start.Offset() {
			start = rd.Pos()
		}
	}
	return s.span(int(start.Offset()), int(end.Offset()))
}

// withoutWords runs a command that has no words left: its assignments change the shell, its redirections open files.
func (r *reader) withoutWords(st *syntax.Stmt, c *syntax.CallExpr) {
	if len(st.Redirs) > 0 && slices.ContainsFunc(c.Assigns, func(a *syntax.Assign) bool {
		return slices.ContainsFunc(st.Redirs, func(rd *syntax.Redirect) bool { return mentions(rd.Word, a.Name.Value) }) || a.Value != nil && runsIn(a.Value) && slices.ContainsFunc(st.Redirs, func(rd *syntax.Redirect) bool { return !leadsOut(rd) && (rd.N == nil || rd.N.Value == "0") })
	}) {
		r.gap("shells assign before or after they open files", r.src.stmtSpan(st))
	}
	if len(st.Redirs) > 0 {
		inv := r.invocation(st, nil)
		inv.Output = command.Data{Reach: tool.Exact}
		red := r.redirects(st.Redirs, inv)
		if red.reads && len(c.Args) == 0 && len(c.Assigns) == 0 { // $(<file) prints the file
			r.takesRest(red.stdin, inv.Span)
			if inv.Output = red.stdin; red.stdin.None {
				inv.Output = command.Data{Taint: red.stdin.Taint}
			}
			inv.Output = inv.Output.Perhaps()
		} else if r.zsh && len(c.Assigns) == 0 && !r.s.stdin.IsEmpty() { // which copies what comes in
			inv.Output = command.Data{Taint: r.s.stdin.Taint}
		}
		inv.Shows = true
		r.leads(inv)
		r.record(inv)
		r.send(inv.Output, red)
	}
	if slices.ContainsFunc(st.Redirs, func(rd *syntax.Redirect) bool { return rd.Word.Lit() != "/dev/null" }) { // which may fail
		defer func(was bool) { r.weak = was }(r.weak)
		r.weak = true
	}
	for _, a := range c.Assigns {
		r.assignment(a, false)
	}
}

// runsIn says whether a word runs commands.
func runsIn(w *syntax.Word) (found bool) {
	syntax.Walk(w, func(n syntax.Node) bool {
		_, is := n.(*syntax.CmdSubst)
		found = found || is
		return n != nil && !found
	})
	return found
}

// prefixes reads the assignments in front of a command.
func (r *reader) prefixes(list []*syntax.Assign, inv *command.Invocation) {
	if len(list) == 0 {
		return
	}
	inv.Env = slices.Clone(inv.Env)
	for _, a := range list {
		as := command.Assign{Append: a.Append, Prefix: true}
		if a.Name != nil {
			as.Name = a.Name.Value
		}
		if as.Value = r.value(a.Value, assigned); a.Array != nil || a.Index != nil {
			r.gap("an array before a command", r.src.nodeSpan(a))
			as.Value = command.Word{}
		}
		if len(list) > 1 && a.Value != nil && slices.ContainsFunc(inv.Env, func(o command.Assign) bool { return o.Prefix && mentions(a.Value, o.Name) }) {
			as.Value = lost(as.Value) // which shells expand before or after those in front
		}
		if v, had := r.s.vars.get(as.Name); had && (v.odd || v.readonly) {
			as.Value = lost(append(v.alts[:len(v.alts):len(v.alts)], as.Value)...)
		}
		inv.Env = append(inv.Env, as)
	}
}

// mentions says whether a word has the value of a variable in it.
func mentions(w *syntax.Word, name string) (found bool) {
	syntax.Walk(w, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil {
			found = found || p.Param.Value == name || p.Excl
		}
		return n != nil && !found
	})
	return found
}

// execute runs an invocation: a function, a builtin of the shell, or a program.
func (r *reader) execute(inv *command.Invocation, red redirection, functions bool) {
	first := inv.Words[0]
	if first.Hollow && first.Reach == tool.Exact && first.IfEmpty != "" && strings.HasSuffix(first.Text, first.IfEmpty) {
		inv.Words[0].Hollow = false // the same program, wherever it is
		first = inv.Words[0]
	}
	if !first.IsKnown() || first.Hollow {
		if first.Taint&command.FromNet != 0 {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "fetched:sh", Reach: tool.Exact, Span: first.Span})
		}
		if inv.Gaps = append(inv.Gaps, command.Gap{Why: "which program this runs is known only at run time", Span: first.Span}); first.Hollow && len(inv.Words) > 1 && !strings.HasPrefix(inv.Words[1].Text, "-") {
			less := *inv
			less.Words, less.Loose = inv.Words[1:], max(0, inv.Loose-1)
			r.execute(&less, red, functions)
		}
		r.external(inv, red)
		return
	}
	f, _ := r.s.funcs.get(first.Text)
	if !functions || len(f.defs) == 0 || r.skims != nil {
		r.shellOr(inv, red)
		return
	}
	if len(f.defs) == 1 && !f.may {
		r.callFunction(f.defs[0], inv, red)
		return
	}
	ways := &fork{r: r, from: r.s}
	for _, d := range f.defs {
		one := *inv
		ways.way(func() { r.callFunction(d, &one, red) })
	}
	if f.may {
		ways.way(func() { r.shellOr(inv, red) })
	}
	ways.close()
}

// shellOr runs a builtin of the shell, or a program.
func (r *reader) shellOr(inv *command.Invocation, red redirection) {
	if name := inv.Words[0].Text; isBuiltin(name) {
		r.builtin(name, inv, red)
	} else {
		r.external(inv, red)
	}
}

// divided makes a list of names unknown that a command divides, if it has names that mislead.
func (r *reader) divided(inv *command.Invocation) {
	name := path.Base(inv.Words[0].Text)
	if inv.Stdin.Reach == tool.Under && inv.Stdin.Taint&command.WithNul == 0 && (name == "xargs" || name == "parallel") && r.misleads(inv.Stdin.Line(inv.Span), lineEnds) {
		inv.Stdin = command.Data{Taint: inv.Stdin.Taint}
	}
}

// external reads an invocation with the library and takes over what it does to the state.
func (r *reader) external(inv *command.Invocation, red redirection) {
	if first := inv.Words[0]; first.Hollow && first.IfEmpty == "" && len(inv.Words) > 1 && len(inv.Via) > 0 && !r.spend(1) {
		less := *inv // the word may be none
		less.Words, less.Loose, less.Gaps, less.Effects = inv.Words[1:], 1, nil, nil
		r.external(&less, redirection{})
	}
	inv.Dashed, inv.Nowhere = r.dashed, r.isNowhere(inv)
	testsSecret(inv)
	if r.spend(len(inv.Words)/16 + len(r.links)/6) {
		return
	}
	effects, gaps := inv.Effects, inv.Gaps
	inv.Effects, inv.Gaps = nil, nil
	r.divided(inv)
	r.lib.Read(inv, r.world)
	fromBelow(inv)
	inv.Effects = append(inv.Effects, effects...)
	inv.Gaps = append(inv.Gaps, gaps...)
	r.prints(inv)
	printsStored(inv, red)
	taken := r.taken(inv)
	if !inv.Shows && !inv.Passes { // it says something of an archive, and not what is in it
		taken &^= command.FromTree
	}
	if inv.Output.Taint |= taken; taken&command.WithSettings != 0 {
		command.PicksSettings(inv)
	}
	if r.unseen(inv) {
		inv.Output.Taint |= command.Unseen
	}
	r.leads(inv)
	r.asCloned(inv)
	r.planted(inv)
	inv.Shown = r.s.shown && red.to == toParent
	r.record(inv)
	if inv.Dictates && len(inv.Runs) > 0 { // it may load what it writes
		r.wrote(inv, red)
	}
	r.fifos = append(r.fifos, inv.Fifos...)
	r.runAll(inv)
	r.alsoWithout(inv)
	r.alsoSeveral(inv)
	r.mayTakeRest(inv)
	r.wrote(inv, red)
	if s := r.s; !red.reads && !s.stdin.None && (inv.Output.Reach != tool.Exact || inv.Passes) && s.stdin.Reach == tool.Exact && s.stdin.Text != "" {
		s.stdin = command.Data{Taint: s.stdin.Taint} // which it may have read
	}
	d := inv.Output
	if r.mayBeMissing(inv) {
		d = d.Perhaps()
	}
	if d.Reach == tool.Exact && d.Text != "" && len(inv.Runs) == 0 {
		red.both, red.parts = false, false // what prints a known text has nothing to complain about
	}
	if r.send(d, red); inv.Endless {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "system.exhaust", Reach: tool.Exact, Span: inv.Span})
	}
}

// runAll runs what an invocation runs, and adds what that prints to what it prints.
func (r *reader) runAll(inv *command.Invocation) {
	through := len(inv.Runs) == 1 && handsOn(inv, &inv.Runs[0])
	for i := range inv.Runs {
		run := &inv.Runs[i]
		d := r.nested(inv, run)
		if run.Remote {
			d = command.Data{Taint: d.Taint, Endless: d.Endless} // its files are others
		}
		if through {
			d.Taint |= inv.Output.Taint
			d.Endless = d.Endless || run.More && inv.Stdin.Endless
			inv.Output = handed(inv, run, d)
		} else {
			inv.Output.Taint, inv.Output.Endless = inv.Output.Taint|d.Taint, inv.Output.Endless || d.Endless && !run.Known
		}
	}
}

// mayBeMissing says whether PATH has been changed so that the program of an invocation may not be found.
func (r *reader) mayBeMissing(inv *command.Invocation) bool {
	if slices.ContainsFunc(inv.Env, func(a command.Assign) bool { return a.Prefix && a.Name == "PATH" }) {
		return true
	}
	return r.s.touched("PATH") && slices.ContainsFunc(r.variable("PATH").values(), func(w command.Word) bool {
		path, ok := w.Search()
		return !ok || !strings.Contains(path, value.Inherited)
	})
}

// printsStored notes whether what an invocation prints of a repository may be shown: what is written to a file stays as it is.
func printsStored(inv *command.Invocation, red redirection) {
	inv.Stored = (inv.Stored || inv.Commits) && red.to == toParent
}

// alsoWithout reads an invocation without the words that may be none: unquoted values of variables that nobody may have set.
func (r *reader) alsoWithout(inv *command.Invocation) {
	if inv.Loose == 0 || len(inv.Gaps) > 0 || inv.Remote {
		return
	}
	less := *inv
	less.Words = slices.Clone(inv.Words[:1])
	for i, w := range inv.Words[1:] {
		if i+2 < inv.Loose || !(w.Hollow && w.IfEmpty == "" || w.Split && w.Reach == tool.Anywhere) {
			less.Words = append(less.Words, w)
		}
	}
	if len(less.Words) == len(inv.Words) {
		return
	}
	less.Loose, less.Effects, less.Gaps, less.Runs, less.Flags, less.Operands, less.Paths, less.Secrets = 0, nil, nil, nil, nil, nil, nil, nil
	less.Lands, less.Code, less.Stand, less.Output, less.Path, less.Name = nil, nil, nil, command.Data{}, nil, ""
	r.lib.Read(&less, r.world)
	if inv.Output.Reach == tool.Under && len(less.Gaps) == 0 { // then it lists what is somewhere else
		inv.Output = inv.Output.Join(less.Output)
	}
	other := !slices.Equal(runs(&less), runs(inv)) // one of its words is the program, or of what that is given
	if other || slices.ContainsFunc(less.Gaps, func(g command.Gap) bool { return !g.Missing }) || slices.ContainsFunc(less.Effects, func(e tool.Effect) bool { return !slices.Contains(inv.Effects, e) }) {
		fromBelow(&less)
		r.leads(&less)
		r.record(&less)
	}
	if other {
		r.runAll(&less)
	}
}

// alsoSeveral reads an invocation with the words repeated that may be several, if it does something with them that it does not do with one.
func (r *reader) alsoSeveral(inv *command.Invocation) {
	if !inv.Shifts || inv.Loose == 0 || inv.Each || len(inv.Gaps) > 0 || r.spend(2) {
		return
	}
	for n := 2; n <= 3; n++ {
		more := command.Invocation{Words: slices.Clone(inv.Words), Dir: inv.Dir, Env: inv.Env, Stdin: inv.Stdin, Span: inv.Span, Pipeline: inv.Pipeline, Stage: inv.Stage, Via: inv.Via}
		i := slices.IndexFunc(more.Words, func(w command.Word) bool { return w.Glob || w.Reach == tool.Under || w.Split })
		if i < 0 {
			return
		}
		for range n - 1 {
			more.Words = slices.Insert(more.Words, i, more.Words[i])
		}
		r.lib.Read(&more, r.world)
		if slices.ContainsFunc(more.Effects, func(e tool.Effect) bool { return !slices.Contains(inv.Effects, e) }) {
			r.leads(&more)
			r.record(&more)
			return
		}
	}
}

// runs are the words of what an invocation runs.
func runs(inv *command.Invocation) (words []string) {
	for i := range inv.Runs {
		for _, w := range inv.Runs[i].Words {
			words = append(words, w.Text)
		}
	}
	return words
}

// handsOn says whether what an invocation prints is what the only command prints that it runs.
func handsOn(inv *command.Invocation, run *command.Nested) bool {
	return !run.Known && !run.Project && !run.Among && inv.Output.Reach == tool.Anywhere && !inv.Output.Plain && !inv.Output.None
}

// handed is what an invocation prints that runs a command which prints d. It may fail to run it, or run it more than once.
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
func (r *reader) prints(inv *command.Invocation) {
	if !r.remote && inv.Output.Taint&command.Followed != 0 && inv.Output.Reach == tool.Under && len(r.linksBelow(paths.Clean(inv.Dir.Text, inv.Output.Text))) > 0 {
		inv.Output = command.Data{Taint: inv.Output.Taint}
	}
	differs := r.printsOther(inv)
	switch {
	case inv.Output.Reach == tool.Exact && slices.ContainsFunc(inv.Words, func(w command.Word) bool { return w.Glob }) && inv.Output.Text != "":
		w := inv.Words[len(inv.Words)-1]
		d := command.Data{Taint: inv.Output.Taint | w.Taint}
		if len(inv.Words) == 2 && w.Glob && !paths.GlobClimbs(w.Text) {
			d.Text, d.Reach, d.Seen = paths.GlobDir(w.Text), tool.Under, w.Seen
		}
		inv.Output = d
	case inv.Output.Reach == tool.Prefix: // a word that is not known may be none, and have no blank before it
		before := inv.Output.Text
		inv.Output.Text = strings.TrimRight(before, " ")
		inv.Output.Plain = inv.Output.Plain && inv.Output.Text == before
	}
	if differs && inv.Output.Reach >= tool.Prefix {
		inv.Output = command.Data{Taint: inv.Output.Taint, Endless: inv.Output.Endless}
	}
}

// printsOther says whether shells print different things for the words of echo or printf.
func (r *reader) printsOther(inv *command.Invocation) bool {
	if sh := r.posix || strings.IndexByte(inv.Words[0].Text, '/') >= 0; !sh && !r.zsh {
		return inv.Name == "printf" && len(inv.Words) == 2 && strings.Contains(strings.ReplaceAll(inv.Words[1].Text, "%%", ""), "%")
	}
	switch inv.Name {
	case "echo":
		return strings.IndexByte(inv.Output.Text, '\\') >= 0 || len(inv.Words) > 1 && strings.HasPrefix(inv.Words[1].Text, "-") && inv.Words[1].Text != "-n"
	case "printf":
		return len(inv.Words) == 2 && strings.Contains(strings.ReplaceAll(inv.Words[1].Text, "%%", ""), "%") || slices.ContainsFunc(inv.Words[1:], func(w command.Word) bool {
			return strings.Contains(w.Text, `\x`) || strings.Contains(w.Text, "%q") || strings.Contains(w.Text, "%b")
		})
	}
	return false
}

// record adds an invocation to the result.
func (r *reader) record(inv *command.Invocation) {
	if r.remote {
		r.there(inv)
	}
	r.noteNames(inv)
	if n := len(inv.Words); n > 0 { // "$_"
		r.assigned |= inv.Words[n-1].Taint & command.FromSecret
	}
	if r.project && len(inv.Gaps) > 0 { // what the project defines is its code, like the code it builds and tests
		name := inv.Name
		if name == "" {
			name = "task"
		}
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "project:" + name, Reach: tool.Exact, Span: inv.Span})
		inv.Gaps = nil
	}
	r.invocations = append(r.invocations, inv)
}

// noteNames notes names that an invocation gives to files and that programs take for flags, or that are divided where they are lines of a list.
func (r *reader) noteNames(inv *command.Invocation) {
	for _, e := range inv.Effects {
		if name := strings.TrimPrefix(e.Target, r.world.Project); puts(e) && !e.Pattern && strings.ContainsAny(name, blanks) {
			if r.signs += "/" + name; len(r.signs) > 256 || strings.Contains(name+"/", " /") {
				r.signs = blanks
			}
		} else if e.Kind == tool.Read && e.Tree && slices.ContainsFunc(inv.Effects, puts) && r.world.Entries != nil { // which copies names
			r.signs += strings.Join(r.oddNames(e.Target), "/")
		}
		if name := path.Base(e.Target); puts(e) && isExact(e) && len(name) > 1 && (name[0] == '-' || name[0] == '@') && len(r.dashed) < 32 && !slices.Contains(r.dashed, name) {
			r.dashed = append(r.dashed, name)
		}
	}
}

// there makes of what an invocation does what that amounts to on another machine, or in a container.
func (r *reader) there(inv *command.Invocation) {
	inv.Remote = true
	own := r.code != "" && runsProject(inv)
	kept := inv.Effects[:0]
	for _, e := range inv.Effects {
		inProject := e.Kind.IsPath() && e.Kind != tool.Read && e.Kind != tool.Delete && e.Reach != tool.Anywhere && paths.Within(e.Target, r.world.Project)
		switch {
		case r.code != "" && r.ownCode(e), own && inProject:
			e = tool.Effect{Kind: tool.Control, Target: r.code, Reach: tool.Exact, Span: e.Span}
		case r.alters != "" && (e.Kind.IsPath() && e.Kind != tool.Read || e.Kind == tool.Execute): // whatever it is, somebody should know
			e = tool.Effect{Kind: tool.Control, Target: r.alters, Reach: tool.Exact, Span: e.Span}
		case r.alters != "" && r.device == "" && e.Kind == tool.Read: // secrets have the names there that they have here
		case e.Kind.IsPath():
			continue
		}
		kept = append(kept, e)
	}
	inv.Effects = kept
}

// takesRest notes that a command reads the script that the shell is running.
func (r *reader) takesRest(in command.Data, at tool.Span) {
	if in.Taint&command.RestOfScript != 0 && !(r.src.fed && r.src.last) {
		r.gap("it may read the lines of the script that the shell has not run yet", at)
	}
}

// mayTakeRest is takesRest for a program, unless it surely does not read standard input.
func (r *reader) mayTakeRest(inv *command.Invocation) {
	if inv.Stdin.Taint&command.RestOfScript == 0 || inv.Output.Reach == tool.Exact && !inv.Passes {
		return
	}
	names := slices.ContainsFunc(inv.Words, func(w command.Word) bool {
		return !w.IsKnown() || w.Text == "-" || strings.HasPrefix(w.Text, "/dev/") || strings.Contains(w.Text, "stdin") || strings.HasSuffix(w.Text, "=-")
	})
	reads := slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && isExact(e) })
	runs := slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute })
	if len(inv.Runs) > 0 && slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return !n.Piped || !n.Stdin.Same(inv.Stdin) }) {
		names = true
	}
	if names || !inv.Unfed && (runs || len(inv.Runs) == 0 && !reads) {
		r.takesRest(inv.Stdin, inv.Span)
	}
}

// testsSecret notes a secret among the words of test, where it may show it in a complaint.
func testsSecret(inv *command.Invocation) {
	words := inv.Words
	first, n := words[0].Text, len(words)
	if first == "[" {
		n--
	}
	if first != "test" && first != "[" || n == 3 && (words[1].Text == "-n" || words[1].Text == "-z") || n == 4 && strings.Contains(" = == != ", " "+words[2].Text+" ") {
		return
	}
	for _, w := range words[1:] {
		if w.Taint&command.FromSecret != 0 {
			inv.Effects = append(inv.Effects, shows(w.Span))
			return
		}
	}
}
