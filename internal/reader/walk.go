package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// list runs statements one after the other.
func (r *reader) list(stmts []*syntax.Stmt) {
	for _, st := range stmts {
		if r.spent {
			return
		}
		r.s.settle()
		r.stmt(st)
	}
}

// stmt runs one statement. Where the steps are taken meanwhile, part of it may not have been judged.
func (r *reader) stmt(st *syntax.Stmt) {
	if r.spend(1) || !r.enter() {
		return
	}
	defer func() { r.levels-- }()
	if st.Background {
		r.background(st)
	} else if r.plain(st); st.Negated {
		s := r.s
		ok := s.place
		s.place, s.missed = s.failed(), &ok
	}
	if !r.spent {
		r.src.judged(st)
	}
}

// plain runs a statement without regard to its ! or &.
func (r *reader) plain(st *syntax.Stmt) {
	switch c := st.Cmd.(type) {
	case nil:
		r.call(st, &syntax.CallExpr{})
		return
	case *syntax.CallExpr:
		r.call(st, c)
		return
	case *syntax.DeclClause:
		r.declare(st, c)
		return
	}
	if len(st.Redirs) == 0 {
		r.compound(st.Cmd)
		return
	}
	if slices.ContainsFunc(st.Redirs, func(rd *syntax.Redirect) bool { return rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll }) {
		r.beyondPosix(st.Redirs[0])
	}
	r.redirected(st, func() { r.compound(st.Cmd) })
}

// compound runs a command that is not a simple one.
func (r *reader) compound(cmd syntax.Command) {
	if b, is := cmd.(*syntax.BinaryCmd); r.skims != nil && !(is && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll)) {
		return // the commands in it are judged by themselves
	}
	switch c := cmd.(type) {
	case *syntax.Block:
		r.list(c.Stmts)
	case *syntax.Subshell:
		r.inSubshell(func() { r.list(c.Stmts) })
	case *syntax.IfClause:
		r.ifClause(c)
	case *syntax.WhileClause:
		r.whileClause(c)
	case *syntax.ForClause:
		r.forClause(c)
	case *syntax.CaseClause:
		r.caseClause(c)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			r.pipeline(c)
		} else {
			r.andOr(c)
		}
	case *syntax.FuncDecl:
		r.define(c)
	case *syntax.ArithmCmd:
		r.beyondPosix(c)
		r.arithm(c.X)
	case *syntax.TestClause:
		r.beyondPosix(c)
		r.test(c.X)
	case *syntax.TimeClause:
		r.timeClause(c)
	case *syntax.LetClause:
		r.letClause(c)
	case *syntax.CoprocClause:
		r.coproc(c)
	default:
		r.gap("an unknown construct", r.src.nodeSpan(cmd))
	}
}

// beyondPosix notes a construct that sh, where it is not bash, reads as something else.
func (r *reader) beyondPosix(n syntax.Node) {
	if r.posix {
		r.gap("sh may read this differently from bash", r.src.nodeSpan(n))
	}
}

// inSubshell runs commands in a process of their own: what they do to files stays done.
func (r *reader) inSubshell(run func()) {
	s, returns, breaks := r.s, r.returns, r.breaks
	r.s, r.returns, r.breaks = s.subshell(), nil, nil
	run()
	c := r.s
	r.s, r.returns, r.breaks = s, returns, breaks
	s.out, s.stdin, s.missed = c.ended(), c.stdin, nil
	s.opened |= c.opened
}

// background runs a statement beside the shell.
func (r *reader) background(st *syntax.Stmt) {
	s := r.s
	r.async++
	r.s = s.child(false)
	r.s.out, r.s.shown = command.Data{Reach: tool.Exact}, s.shown
	r.plain(st)
	c := r.s
	r.async--
	r.jobs++
	b, list := st.Cmd.(*syntax.BinaryCmd)
	if r.s = s; r.zsh && list && (b.Op == syntax.AndStmt || b.Op == syntax.OrStmt) { // which runs the front of a list itself
		r.perhaps(s, c)
		s.place = s.place.join(c.place)
	} else {
		s.files.perhaps(c.files, func(string) file { return file{} })
	}
	if !s.shown && !(c.out.IsEmpty() && c.out.Taint == 0) { // when it comes to print something is not known
		s.out = command.Data{Taint: s.out.Taint | c.out.Taint}
	}
	s.missed = nil
}

// andOr runs a chain of && and ||. Chains lean to the left and may be long, so the spine is walked.
func (r *reader) andOr(c *syntax.BinaryCmd) {
	spine := []*syntax.BinaryCmd{c}
	first := c.X
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt || len(first.Redirs) > 0 || first.Negated || first.Background {
			break
		}
		r.src.judged(first)
		spine = append(spine, b)
		first = b.X
	}
	errexit := r.s.opts.errexit
	r.s.opts.errexit = false // which does not count here
	r.stmt(first)
	s := r.s
	h := s.child(true)
	r.s = h
	base := s.gone
	var skipped *place // where the script is if it has left out what stands behind &&
	left := false
	for i := len(spine) - 1; i >= 0 && !r.spent; i-- {
		b, ok, failed := spine[i], h.place, h.failed()
		h.missed, h.gone = nil, base
		if b.Op == syntax.AndStmt {
			if !left {
				skipped = joinPlaces(skipped, failed)
			}
			r.stmt(b.Y)
			left = left && h.gone && !base
			continue
		}
		if h.place = failed; skipped != nil {
			h.place = failed.join(*skipped)
			skipped = nil
		}
		r.stmt(b.Y)
		if left = h.gone && !base; left {
			h.place, h.missed, h.gone = ok, nil, base
		} else {
			after := h.failed()
			h.place = h.place.join(ok)
			h.missed = &after
		}
	}
	r.s = s
	r.perhaps(s, h)
	s.place, s.missed, s.gone = h.place, h.missed, h.gone
	if s.opts.errexit = errexit; skipped != nil {
		missed := skipped.join(h.failed())
		if s.missed = &missed; s.gone && !base { // what goes on is where the chain was left
			s.place, s.missed, s.gone = *skipped, nil, false
		}
	}
	if errexit {
		s.settleAnyway()
	}
}

// settleAnyway is settle for a command whose failure does not end the shell.
func (s *state) settleAnyway() {
	if s.missed != nil {
		s.place, s.missed = s.place.join(*s.missed), nil
	}
}

// stages adds the commands of a pipeline to a list.
func (s *source) stages(list []stage, c *syntax.BinaryCmd, depth int) []stage {
	for _, side := range [2]*syntax.Stmt{c.X, c.Y} {
		if b, ok := side.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(side.Redirs) == 0 && !side.Negated && depth < 3000 {
			s.judged(side)
			list = s.stages(list, b, depth+1)
		} else {
			list = append(list, stage{side, c.Op == syntax.PipeAll && side == c.X})
		}
	}
	return list
}

// stage is one command of a pipeline.
type stage struct {
	stmt *syntax.Stmt
	all  bool // its standard error is piped on as well
}

// pipeline runs the stages of a pipeline, each in a subshell. Some shells run the last one themselves.
func (r *reader) pipeline(c *syntax.BinaryCmd) {
	if r.perDir(func() { r.pipeline(c) }) {
		return
	}
	s, pipe, at, first := r.s, r.pipe, r.stage, len(r.invocations)
	stages := r.src.stages(nil, c, 0)
	r.pipes++
	number := r.pipes
	r.async++
	data := s.stdin
	for i, st := range stages {
		if r.spent {
			break
		}
		last := i == len(stages)-1
		r.pipe, r.stage = number, i
		t := s.subshell()
		t.stdin, t.out, t.shown = data, command.Data{Reach: tool.Exact}, last && s.shown
		r.s = t
		returns, breaks, exits := r.returns, r.breaks, r.exits
		r.stmt(st.stmt)
		t = r.s
		r.s, r.returns, r.breaks = s, returns, breaks
		data = t.ended()
		if st.all || r.zsh && !last && slices.ContainsFunc(st.stmt.Redirs, leadsOut) { // zsh writes to both
			data = command.Data{Taint: data.Taint, Endless: data.Endless}
		}
		if i == 0 {
			s.stdin = t.stdin
		}
		if last {
			if r.zsh && r.exits > exits && (r.depth > 0 || r.inner || len(r.calls) > 0 || r.levels > 2) {
				r.gap("a pipeline whose last command leaves what is around it", r.src.nodeSpan(st.stmt))
			}
			in, out := s.stdin, s.out
			t.stdin, t.out, t.shown = in, out, s.shown
			r.perhaps(s, t)
			s.place = s.place.join(t.place).join(t.failed())
		}
	}
	r.async--
	r.pipe, r.stage = pipe, at
	r.s = s
	s.missed = nil
	passedOn(r.invocations[first:], number, len(stages)-1)
	r.emit(data)
}

// passedOn notes that what a command of a pipeline prints is shown where all behind it do nothing but to print what they make of it.
func passedOn(invs []*command.Invocation, pipe, last int) {
	shown := true
	for at := last; at >= 0 && shown; at-- {
		for _, inv := range invs {
			if inv.Pipeline != pipe || inv.Stage != at {
				continue
			}
			if at < last {
				inv.Shown = len(inv.Redirects) == 0
			}
			shown = shown && inv.Shown && len(inv.Gaps)+len(inv.Runs) == 0 && !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind != tool.Read })
		}
	}
}

// leadsOut says whether a redirection is one of standard output.
func leadsOut(rd *syntax.Redirect) bool {
	switch rd.Op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return false
	}
	return rd.N == nil || rd.N.Value == "1"
}

// perDir runs a command for each of the directories that the shell may be in, if there are several.
func (r *reader) perDir(run func()) bool {
	s := r.s
	if len(s.dirs) < 2 || r.extra <= 0 {
		return false
	}
	r.extra--
	f := &fork{r: r, from: s}
	for _, d := range s.dirs {
		c := s.child(false)
		c.dirs = []command.Word{d}
		r.s = c
		run()
		f.add(r.s)
	}
	r.s = s
	f.close()
	return true
}

// emit adds what is printed to the output of the shell.
func (r *reader) emit(d command.Data) {
	s := r.s
	s.pieces++
	if s.gone {
		d = command.Data{Taint: d.Taint, Endless: d.Endless}
	}
	if s.into != "" {
		r.write(s.into, func(f *file) { f.mayReceive(d) }, false)
	}
	if s.shown {
		r.spills(d)
	} else {
		s.out = behind(s.out, d)
	}
}

// spills notes that a stream without end, or the files of a whole directory with one of secrets among them, are shown or kept.
func (r *reader) spills(d command.Data) {
	for i := len(r.invocations) - 1; i >= max(0, len(r.invocations)-32) && d.Endless; i-- {
		if inv := r.invocations[i]; inv.Output.Endless {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Control, Target: "system.exhaust", Reach: tool.Exact, Span: inv.Span})
			break
		}
	}
	for i := len(r.invocations) - 1; i >= max(0, len(r.invocations)-32) && d.Taint&command.FromTree != 0; i-- {
		inv := r.invocations[i]
		inv.Effects, inv.Packed = append(inv.Effects, inv.Packed...), nil
	}
}

// maxPrinted bounds what is put together of what several commands print.
const maxPrinted = 8 << 10

func behind(a, b command.Data) command.Data {
	if len(a.Text)+len(b.Text) > maxPrinted && a.Text != "" && b.Text != "" {
		return command.Data{Taint: a.Taint | b.Taint, Endless: a.Endless || b.Endless}
	}
	return a.Then(b)
}

func (r *reader) ifClause(c *syntax.IfClause) {
	s := r.s
	f := &fork{r: r, from: s}
	errexit := s.opts.errexit
	for e := c; e != nil; e = e.Else {
		if len(e.Cond) > 0 {
			s.opts.errexit = false
			if e == c {
				r.list(e.Cond)
			} else {
				r.s = s.child(false)
				r.list(e.Cond)
				cond := r.s
				r.s = s
				r.perhaps(s, cond)
				s.place, s.missed = cond.place, cond.missed
			}
			s.opts.errexit = errexit
		}
		failed := s.failed()
		s.missed = nil
		f.way(func() { r.list(e.Then) })
		if s.place = failed; len(e.Cond) > 0 && e.Else == nil {
			f.add(s.child(false))
		}
	}
	f.close()
}

// way runs one of several parts of a script of which one is run.
func (f *fork) way(run func()) {
	r := f.r
	r.s = f.from.child(false)
	run()
	f.add(r.s)
	r.s = f.from
}

// caseClause follows every arm: which pattern matches is not believed but for the one that matches everything.
func (r *reader) caseClause(c *syntax.CaseClause) {
	r.value(c.Word, ordinary)
	s, all := r.s, false
	f := &fork{r: r, from: s}
	var through *state
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			if w := r.value(p, literal); w.Reach == tool.Exact && w.Text == "*" && p.Lit() == "*" {
				all = true
			}
		}
		t := s.child(false)
		if through != nil {
			r.perhaps(t, through)
			t.place = t.place.join(through.place)
		}
		r.s = t
		r.list(item.Stmts)
		f.add(r.s)
		if through = nil; item.Op == syntax.Fallthrough || item.Op == syntax.Resume {
			through = r.s
		}
		r.s = s
	}
	if !all {
		f.add(s.child(false))
	}
	f.close()
}

func (r *reader) timeClause(c *syntax.TimeClause) {
	if c.Stmt == nil {
		return
	}
	if call, is := c.Stmt.Cmd.(*syntax.CallExpr); is && len(call.Args) > 0 && len(call.Assigns) == 0 && strings.HasPrefix(call.Args[0].Lit(), "-") {
		r.gap("time with an option", r.src.nodeSpan(c))
		short := *c.Stmt
		if short.Cmd = nil; len(call.Args) > 1 {
			short.Cmd = &syntax.CallExpr{Args: call.Args[1:]}
		}
		r.stmt(&short)
		r.src.judged(c.Stmt)
		return
	}
	was := r.s.place
	if r.stmt(c.Stmt); r.zsh { // which times a subshell
		r.s.place = r.s.place.join(was)
	}
}

// letClause evaluates let, of which the parser and bash may see different ends.
func (r *reader) letClause(c *syntax.LetClause) {
	r.beyondPosix(c)
	for _, x := range c.Exprs {
		syntax.Walk(x, func(n syntax.Node) bool {
			if w, is := n.(*syntax.Word); is && w.Lit() == "" {
				r.gap("let with an expression that is not followed", r.src.nodeSpan(c))
			}
			return n != nil
		})
		r.arithm(x)
	}
}

// coproc judges a command that runs beside the shell. What it prints, and where, is not followed.
func (r *reader) coproc(c *syntax.CoprocClause) {
	r.gap("coproc, whose first word may be a name or a command", r.src.nodeSpan(c))
	s := r.s
	r.async++
	r.s = s.child(false)
	r.s.stdin, r.s.out, r.s.shown = command.Data{}, command.Data{Reach: tool.Exact}, false
	r.stmt(c.Stmt)
	s.files.perhaps(r.s.files, func(string) file { return file{} })
	r.s = s
	r.async--
	s.forgetAll()
}

// define notes a function.
func (r *reader) define(c *syntax.FuncDecl) {
	if c.Name == nil {
		r.gap("a function without a single name", r.src.nodeSpan(c))
		return
	}
	name := c.Name.Value
	switch {
	case isBuiltin(name):
		r.gap("a function takes the name of the builtin "+name, r.src.nodeSpan(c.Name))
	case isHook(name):
		r.gap("a shell runs the function "+name+" by itself", r.src.nodeSpan(c.Name))
	}
	if c.RsrvWord {
		r.beyondPosix(c)
	}
	r.s.funcs.put(name, function{defs: []*definition{r.src.definition(c)}})
}

// definition is that of a function, which is the same however often it is read.
func (s *source) definition(c *syntax.FuncDecl) *definition {
	for _, d := range s.functions[max(0, len(s.functions)-16):] {
		if d.decl == c {
			return d
		}
	}
	d := &definition{decl: c, src: s}
	s.functions = append(s.functions, d)
	return d
}

// substitute runs a command substitution and returns what it prints.
func (r *reader) substitute(p *syntax.CmdSubst) command.Data {
	if d, is := r.printed[p]; is {
		return d
	}
	if p.TempFile || p.ReplyVar {
		r.gap("a substitution that this shell may not have", r.src.nodeSpan(p))
	}
	if !p.Backquotes {
		r.reprinted(p, p.Stmts)
	}
	d := r.output(func() { r.list(p.Stmts) }).Joined()
	if len(p.Stmts) > 1 && r.lastPieces > 1 { // it may end before all of it is printed
		d = command.Data{Taint: d.Taint, Endless: d.Endless}
	} else if len(p.Stmts) > 1 { // an option or an error may end it before it has printed anything
		d = d.Perhaps()
	}
	if d.Endless {
		r.spills(command.Data{Endless: true})
	}
	if r.printed != nil {
		r.printed[p] = d
	}
	return d
}

// output runs commands in a subshell of which the output is kept.
func (r *reader) output(run func()) command.Data {
	if k := r.skims; k != nil {
		if k.deep++; k.deep > 2 {
			return command.Data{} // the commands in it are judged by themselves
		}
		defer func() { k.deep-- }()
	}
	s, pipe, stage, choice, printed := r.s, r.pipe, r.stage, r.choice, r.printed
	returns, breaks := r.returns, r.breaks
	r.s, r.pipe, r.stage, r.choice, r.printed = s.subshell(), 0, 0, nil, nil
	r.s.out, r.s.shown, r.s.into, r.s.pieces = command.Data{Reach: tool.Exact}, false, "", 0
	run()
	c := r.s
	r.lastPieces = c.pieces
	c.out = c.ended()
	r.s, r.pipe, r.stage, r.choice, r.printed, r.returns, r.breaks = s, pipe, stage, choice, printed, returns, breaks
	if !c.stdin.Same(s.stdin) {
		s.stdin = c.stdin
	}
	d := c.out
	d.Taint &^= command.RestOfScript
	return d
}

// ended is what a shell has printed that may have given up before the end.
func (s *state) ended() command.Data {
	if d := s.out; s.noisy {
		return command.Data{Taint: d.Taint, Endless: d.Endless}
	} else if s.shaken && d.Reach == tool.Under {
		return d.Perhaps()
	} else if s.shaken {
		return command.Data{Taint: d.Taint, Endless: d.Endless}
	}
	return s.out
}

// process runs a process substitution; the word is the name of a descriptor.
func (r *reader) process(p *syntax.ProcSubst) command.Word {
	r.beyondPosix(p)
	r.reprinted(p, p.Stmts)
	r.async++
	d := r.output(func() {
		if p.Op == syntax.CmdOut {
			r.s.stdin = command.Data{}
		}
		r.list(p.Stmts)
	})
	r.async--
	if p.Op == syntax.CmdOut {
		if !d.IsEmpty() { // it goes where the output of the shell goes, at some time
			r.emit(command.Data{Taint: d.Taint, Endless: d.Endless})
		}
		d = command.Data{}
	}
	if r.procs == nil {
		r.procs = map[string]command.Data{}
	}
	path := "/dev/fd/" + number(63+len(r.procs)%4096)
	r.procs[path] = d
	return command.Word{Text: path, Reach: tool.Exact, Span: r.src.nodeSpan(p), Taint: d.Taint}
}

// reprinted notes a substitution that bash 5.2 may run as something else than what is written: it writes the commands down anew, and loses
// separators behind a here-document.
func (r *reader) reprinted(n syntax.Node, list []*syntax.Stmt) {
	start, end := int(n.Pos().Offset()), min(int(n.End().Offset()), len(r.src.text))
	if start > end || !strings.Contains(r.src.text[start:end], "<<") {
		return
	}
	if len(list) > 1 || len(list) == 1 && (list[0].Background || !isFlat(list[0].Cmd)) {
		r.gap("a here-document in $(...) that some versions of bash read wrongly; put nothing else into it", r.src.nodeSpan(n))
	}
}

// isFlat says whether a command is a simple one, or some that are joined by |, && and ||.
func isFlat(c syntax.Command) bool {
	switch c := c.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause:
		return true
	case *syntax.BinaryCmd:
		return isFlat(c.X.Cmd) && isFlat(c.Y.Cmd)
	}
	return false
}

// call finds what a command may change.
func (k *rounds) call(r *reader, c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	switch name := c.Args[0].Lit(); name {
	case "cd", "pushd", "popd", "chdir":
		to := ""
		if len(c.Args) > 1 {
			to = c.Args[len(c.Args)-1].Lit()
		}
		k.moves = true
		k.returns = k.returns || name == "popd" || to == "-" || strings.HasPrefix(to, "..")
	case "eval", "source", ".", "trap":
		k.all = true
	case "set", "shift":
		k.params = true
	case "read", "mapfile", "readarray", "getopts", "unset", "export", "printf", "let", "wait", "declare", "typeset", "local", "readonly", "command", "builtin":
		for _, w := range c.Args[1:] {
			if plain, _, _ := strings.Cut(strings.TrimLeft(w.Lit(), "-v"), "="); isName(plain) {
				k.assigned(plain, false)
			}
			if plain, _, _ := strings.Cut(w.Lit(), "="); isName(plain) {
				k.assigned(plain, false)
			}
		}
	default:
		f, _ := r.s.funcs.get(name)
		for _, d := range f.defs {
			if !k.seen[d.decl] && len(k.seen) < 16 {
				k.seen[d.decl] = true
				k.look(r, d.decl.Body)
			}
		}
	}
}
