package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// Text that the shell runs as its own commands: of eval, of traps and of aliases.

// trap notes commands that run later, at the end or at any point from now on. They are judged now and in the last state of the shell.
func (r *reader) trap(args []command.Word, inv *command.Invocation) {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	switch {
	case len(args) < 2 || args[0].IsKnown() && (args[0].Text == "" || args[0].Text[0] == '-' || isNumber(args[0].Text)):
		r.s.out = command.Data{}
		return
	case !args[0].IsKnown():
		opaque(inv, "a trap whose commands are known only at run time", args[0])
		return
	case len(r.traps) >= 16:
		gapIn(inv, "too many traps")
		return
	}
	r.traps = append(r.traps, args[0])
	r.early = true
	c := r.spring(args[0])
	r.early = false
	atEnd := !slices.ContainsFunc(args[1:], func(w command.Word) bool { return !w.IsKnown() || w.Text != "EXIT" && w.Text != "0" })
	changes := c.differs(r.s) || setsSomething(args[0].Text)
	signals := " EXIT 0 INT TERM HUP QUIT SIGINT SIGTERM SIGHUP SIGQUIT "
	if !changes && len(c.files.own) == 0 { // all it does is to tell of an error
		signals += "ERR ZERR "
	}
	stops := !slices.ContainsFunc(args[1:], func(w command.Word) bool {
		return !w.IsKnown() || !strings.Contains(signals, " "+w.Text+" ")
	})
	if !stops || (!atEnd || r.depth > 0 && r.zsh) && changes {
		gapIn(inv, "a trap that runs between commands")
	}
	if r.s.files.perhaps(c.files, func(string) file { return file{} }); !c.out.IsEmpty() {
		r.s.out = command.Data{Taint: r.s.out.Taint | c.out.Taint}
		r.s.noisy = !atEnd
	}
	if r.zsh && r.depth > 0 { // it comes when the function ends
		r.perhaps(r.s, c)
	}
}

func setsSomething(text string) bool {
	return strings.Contains(text, "=") || strings.Contains(text, "set") || strings.Contains(text, "shift")
}

// differs says whether a state that went on from another one has changed anything of the shell itself.
func (s *state) differs(o *state) bool {
	return len(s.vars.own)+len(s.funcs.own) > 0 || !s.place.within(o.place) || s.opts != o.opts
}

// spring runs the commands of a trap, and returns what they have made of the shell.
func (r *reader) spring(text command.Word) *state {
	s, depth, loops, returns, breaks := r.s, r.depth, r.loops, r.returns, r.breaks
	c := s.child(false)
	c.out = command.Data{Reach: tool.Exact}
	c.settle()
	r.s, r.depth, r.loops = c, r.depth+1, 1
	if r.enter() {
		r.inline(text.Text, &source{at: text.At, whole: text.Span})
		r.levels--
	}
	r.s, r.depth, r.loops, r.returns, r.breaks = s, depth, loops, returns, breaks
	return c
}

// inline runs text as part of this shell.
func (r *reader) inline(text string, src *source) {
	if !r.enter() {
		return
	}
	if r.levels++; len(r.reading)+r.evals > maxLevels {
		r.gap("scripts that run scripts, nested too deeply", src.whole)
	} else {
		r.evals++
		r.script(text, src)
		r.evals--
	}
	r.levels -= 2
}

// opaque notes code that runs and cannot be seen.
func opaque(inv *command.Invocation, why string, w command.Word) {
	gapIn(inv, why)
	if w.Taint&command.FromNet != 0 {
		inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "fetched:sh", Reach: tool.Exact, Span: w.Span})
	}
}

// eval joins its words and runs them in this shell.
func (r *reader) eval(args []command.Word, inv *command.Invocation) {
	if len(args) > 0 && args[0].IsKnown() && args[0].Text == "--" {
		args = args[1:]
	}
	var texts []string
	for _, w := range args {
		if !w.IsKnown() || w.Hollow && w.IfEmpty != "" {
			all := lost(args...)
			all.Span = w.Span
			opaque(inv, "eval of text known only at run time", all)
			if r.spend(8); !r.spent {
				r.s.forgetAll()
			}
			r.s.out = command.Data{Taint: all.Taint}
			return
		}
		texts = append(texts, w.Text)
	}
	if some := slices.DeleteFunc(slices.Clone(args), func(w command.Word) bool { return w.Hollow }); len(some) > 0 && len(some) < len(args) {
		r.eval(some, inv)
	}
	src := &source{whole: inv.Span}
	if len(args) == 1 {
		src.at, src.whole = args[0].At, args[0].Span
	}
	choice, printed := r.choice, r.printed
	r.choice, r.printed = nil, nil
	r.inline(strings.Join(texts, " "), src)
	r.choice, r.printed = choice, printed
}

// alias notes aliases. Whether they are expanded depends on the shell.
func (r *reader) alias(name string, args []command.Word, inv *command.Invocation) {
	r.s.out = command.Data{}
	for _, w := range args {
		_, text, is := strings.Cut(w.Text, "=")
		if name == "unalias" || !is && w.IsKnown() {
			continue
		}
		gapIn(inv, "an alias, which may be something else")
		if w.IsKnown() && r.enter() {
			s := r.s
			r.s = s.child(false)
			r.inline(text, &source{whole: w.Span})
			r.s = s
			r.levels--
		}
	}
}
