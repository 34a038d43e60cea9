package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"

	"mvdan.cc/sh/v3/syntax"
)

// call runs a simple command in one state.
func (r *reader) call(st *syntax.Stmt, c *syntax.CallExpr, s *state) []*state {
	if r.spend() {
		return []*state{s}
	}
	r.substituted, r.loose = false, 0
	words := make([]command.Word, 0, len(c.Args)+1)
	r.args = true
	for _, w := range c.Args {
		words = r.fields(s, w, words)
	}
	r.args = false
	if len(words) == 0 {
		return r.assignments(st, c, s)
	}
	inv := r.invocation(s, st, words)
	loose := r.loose
	red := r.redirects(s, st.Redirs, inv)
	for _, a := range c.Assigns {
		inv.Env = append(inv.Env, r.prefix(s, a))
	}
	r.loose = loose
	if len(c.Args) > 0 {
		if lit := c.Args[0].Lit(); lit != "" {
			if a := s.alias(lit); a != nil && !r.expanding(lit) {
				return r.expandAlias(st, c, s, a, inv)
			}
			if lit[0] == '=' || r.world.Zsh && differsInZsh(lit) {
				r.gap("zsh reads the word "+lit+" in another way", inv.Span)
			}
		}
	}
	return r.execute(st, inv, s, red, true)
}

// differsInZsh says whether a command name means something to zsh that it does
// not mean to bash.
func differsInZsh(name string) bool {
	switch name {
	case "repeat", "noglob", "nocorrect", "-", "foreach", "always", "end", "setopt", "unsetopt", "emulate", "zmodload", "autoload":
		return true
	}
	return name[0] == '{'
}

// invocation starts one with what the shell knows of it.
func (r *reader) invocation(s *state, st *syntax.Stmt, words []command.Word) *command.Invocation {
	return &command.Invocation{
		Words: words, Dir: s.dir, Env: r.environment(s), Stdin: s.stdin, Span: r.stmtSpan(st),
		Pipeline: r.pipe, Stage: r.stage, Via: r.via, Device: r.device, Remote: r.remote,
	}
}

// stmtSpan is the span of a statement without the operator that ends it.
func (r *reader) stmtSpan(st *syntax.Stmt) tool.Span {
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
	return r.src.span(int(start.Offset()), int(end.Offset()))
}

// list1 adds an invocation to the result.
func (r *reader) list1(inv *command.Invocation) {
	if r.remote {
		inv.Remote = true
		kept := inv.Effects[:0]
		for _, e := range inv.Effects {
			switch {
			case r.alters != "" && (e.Kind.IsPath() && e.Kind != tool.Read || e.Kind == tool.Execute):
				// Whatever it is that changes there, somebody should know.
				e = tool.Effect{Kind: tool.Control, Target: r.alters, Reach: tool.Exact, Span: e.Span}
			case r.alters != "" && r.device == "" && e.Kind == tool.Read:
				// Secrets have the names there that they have here.
			case e.Kind.IsPath():
				continue
			}
			kept = append(kept, e)
		}
		inv.Effects = kept
	}
	if r.project && len(inv.Gaps) > 0 {
		// What the project defines is its code, like the code it builds and tests.
		name := inv.Name
		if name == "" {
			name = "task"
		}
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "project:" + name, Reach: tool.Exact, Span: inv.Span})
		inv.Gaps = nil
	}
	if r.invocations == nil {
		r.invocations = make([]*command.Invocation, 0, 8)
	}
	r.invocations = append(r.invocations, inv)
}

// execute runs an invocation: a function, a builtin of the shell, or a program.
func (r *reader) execute(st *syntax.Stmt, inv *command.Invocation, s *state, red redirection, functions bool) []*state {
	first := inv.Words[0]
	if !first.IsKnown() {
		if first.Taint&command.FromNet != 0 {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "fetched:sh", Reach: tool.Exact, Span: first.Span})
		}
		if r.external(st, inv, s, red); len(inv.Gaps) == 0 {
			inv.Gaps = append(inv.Gaps, command.Gap{Why: "which program this runs is not known", Span: first.Span})
		}
		return []*state{s.ended()}
	}
	name := first.Text
	if functions {
		if f := s.function(name); f != nil {
			return r.callFunction(st, f, inv, s, red)
		}
	}
	if states, ok := r.builtin(st, name, inv, s, red); ok {
		return states
	}
	r.external(st, inv, s, red)
	if strings.IndexByte(name, '/') < 0 {
		if f := s.function("command_not_found_handle"); f != nil {
			r.gap("a function that runs for unknown commands", inv.Span)
			r.callFunction(st, f, inv, s.fork(), redirection{})
		}
	}
	s.ended()
	if len(inv.Redirects) > 0 {
		return []*state{s} // they may fail
	}
	switch name {
	case "true", "echo", "pwd":
		s.end(true)
	case "false":
		s.end(false)
	}
	return []*state{s}
}

// external reads an invocation with the library and takes over what it does to
// the state.
func (r *reader) external(st *syntax.Stmt, inv *command.Invocation, s *state, red redirection) {
	if old := r.knownIn(st, inv, s); old != nil {
		*inv = *old
		r.wrote(s, inv, red)
		r.deliver(s, inv, red)
		return
	}
	effects, gaps := inv.Effects, inv.Gaps
	inv.Effects, inv.Gaps = nil, nil
	r.lib.Read(inv, r.world)
	inv.Effects = append(inv.Effects, effects...)
	inv.Gaps = append(inv.Gaps, gaps...)
	switch inv.Output.Reach {
	case tool.Exact:
		inv.Output = r.printed(inv)
		if strings.IndexByte(inv.Output.Text, '\\') >= 0 && inv.Name == "echo" && (s.opts&optPosix != 0 || r.world.Zsh) {
			// Only the echo of bash leaves backslashes alone.
			inv.Output = command.Data{Taint: inv.Output.Taint}
		}
	case tool.Prefix:
		// A word that is not known may be none, and have no blank before it.
		inv.Output.Text = strings.TrimRight(inv.Output.Text, " ")
	}
	r.fifos = append(r.fifos, inv.Fifos...)
	inv.Output.Taint |= r.taken(s, inv)
	r.throughLinks(s, inv)
	r.throughPatterns(inv)
	r.planted(s, inv)
	r.list1(inv)
	r.rememberIn(st, inv, s)
	for i := range inv.Runs {
		d := r.nested(st, inv, s, &inv.Runs[i])
		if inv.Runs[i].Remote {
			d = command.Data{Taint: d.Taint, Endless: d.Endless} // its files are others
		}
		if run := &inv.Runs[i]; len(inv.Runs) == 1 && !run.Known && !run.Project && inv.Output.Reach == tool.Anywhere && !inv.Output.Plain && !inv.Output.None {
			d.Taint |= inv.Output.Taint
			d.Endless = d.Endless || run.More && inv.Stdin.Endless
			inv.Output = d
		}
	}
	r.emptied(s, inv)
	r.wrote(s, inv, red)
	r.deliver(s, inv, red)
}

// taken is where the files have been that an invocation reads, if the script has
// written them.
func (r *reader) taken(s *state, inv *command.Invocation) (t command.Taint) {
	if len(s.files) == 0 {
		return 0
	}
	for _, e := range inv.Effects {
		if e.Kind == tool.Read && e.Reach == tool.Exact {
			if f := s.wrote(e.Target); f != nil {
				t |= f.data.Taint &^ command.FromScript
			}
		}
	}
	return t
}

// emptied makes of a redirection of nothing what it is: the loss of what the file
// holds.
func (r *reader) emptied(s *state, inv *command.Invocation) {
	if len(inv.Redirects) == 0 || inv.Output.Reach != tool.Exact || inv.Output.Text != "" {
		return
	}
	for _, rd := range inv.Redirects {
		if (rd.Op == ">" || rd.Op == ">|") && (rd.Fd == "" || rd.Fd == "1") {
			for i := range inv.Effects {
				if e := &inv.Effects[i]; e.Kind == tool.Write && e.Span == rd.Target.Span && r.holdsSomething(*e) {
					e.Kind = tool.Delete
				}
			}
		}
	}
}

// holdsSomething says whether a file that is emptied may hold something: it does not
// if its directory is there and the file is not.
func (r *reader) holdsSomething(e tool.Effect) bool {
	if r.world.Exists == nil || e.Reach != tool.Exact || e.Pattern {
		return true
	}
	return r.world.Exists(e.Target) || !r.world.Exists(value.Parent(e.Target))
}

// printed is what an invocation prints if its words are taken for what they are:
// a pattern among them stands for names that are not known.
func (r *reader) printed(inv *command.Invocation) command.Data {
	for i, w := range inv.Words {
		if !w.Glob {
			continue
		}
		d := command.Data{Taint: inv.Output.Taint | w.Taint}
		if i == 1 && len(inv.Words) == 2 && inv.Output.Text != "" && !value.Climbs(w.Text) {
			d.Text, d.Reach = value.GlobDir(w.Text), tool.Under
		}
		if inv.Output.Text == "" {
			return inv.Output
		}
		return d
	}
	return inv.Output
}

// record is an invocation that has been read, and the files there were then.
type record struct {
	*command.Invocation
	files []file
}

// knownIn is known for invocations that may run files the script has written.
func (r *reader) knownIn(st *syntax.Stmt, inv *command.Invocation, s *state) *command.Invocation {
	old := r.known(st, inv)
	if old == nil || len(old.Runs) == 0 && !runsProject(old) {
		return old
	}
	for _, rec := range r.seen[st] {
		if rec.Invocation == old && sameSlice(rec.files, s.files, sameFile) {
			return old
		}
	}
	return nil
}

// known returns an equal invocation of the same node, if it has run before.
func (r *reader) known(st *syntax.Stmt, inv *command.Invocation) *command.Invocation {
	if st == nil || r.seen == nil {
		return nil
	}
	for i := len(r.seen[st]) - 1; i >= 0; i-- {
		old := r.seen[st][i].Invocation
		if sameSlice(old.Words, inv.Words, value.Word.Same) && old.Dir.Same(inv.Dir) && old.Stdin.Same(inv.Stdin) &&
			sameSlice(old.Via, inv.Via, func(a, b string) bool { return a == b }) &&
			sameSlice(old.Redirects, inv.Redirects, func(a, b command.Redirect) bool {
				return a.Op == b.Op && a.Fd == b.Fd && a.Target.Same(b.Target)
			}) &&
			sameSlice(old.Env, inv.Env, func(a, b command.Assign) bool {
				return a.Name == b.Name && a.Append == b.Append && a.Prefix == b.Prefix && a.Value.Same(b.Value)
			}) {
			return old
		}
	}
	return nil
}

func (r *reader) remember(st *syntax.Stmt, inv *command.Invocation) { r.rememberIn(st, inv, nil) }

func (r *reader) rememberIn(st *syntax.Stmt, inv *command.Invocation, s *state) {
	if st == nil || !r.crowd && r.loops == 0 && r.depth == 0 {
		return
	}
	if r.seen == nil {
		r.seen = map[syntax.Node][]record{}
	}
	rec := record{Invocation: inv}
	if s != nil && len(s.files) > 0 {
		rec.files = append(rec.files, s.files...)
	}
	r.seen[st] = append(r.seen[st], rec)
}
