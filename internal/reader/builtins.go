package reader

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// isBuiltin says whether the shell itself carries out a command of that name and its state changes by it, so that it is
// followed here and not by a model.
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

// builtin carries out a builtin.
func (r *reader) builtin(name string, inv *command.Invocation, red redirection) {
	args := inv.Words[1:]
	switch name {
	// The effects of these are a model's; only what they do to the shell is here.
	case "printf":
		r.printfVar(args, &red)
		r.external(inv, red)
		return
	case "test", "[":
		r.testWords(args)
		complains(name, inv)
		r.external(inv, red)
		return
	case "command", "builtin", "exec":
		r.prefixBuiltin(name, inv, red)
		return
	}
	complains(name, inv)
	r.model(inv, name)
	inv.Timed = inv.Timed || name == "read" || name == "wait"
	inv.Shows = inv.Shows || len(inv.Redirects) > 0
	r.leads(inv)
	r.record(inv)
	s := r.s
	out, shown, in, before, gone, weak := s.out, s.shown, s.stdin, s.place, s.gone, r.weak
	if red.reads {
		s.stdin = red.stdin
	}
	s.out, s.shown = command.Data{Reach: tool.Exact}, shown && red.to == toParent
	missing := isMissing(name, r.posix)
	r.weak = weak || red.fails || missing || name == "local" && r.depth == 0
	for _, a := range inv.Env { // some keep them
		if v := r.variable(a.Name); a.Prefix && name != "read" {
			r.setVariable(a.Name, v.join(variable{alts: []command.Word{a.Value}, exported: v.exported}))
		}
	}
	r.stateful(name, inv, args)
	s = r.s
	r.weak = weak
	printed := s.out
	s.out, s.shown = out, shown
	if red.reads {
		s.stdin = in
	}
	if missing || red.fails && s.gone == gone { // and then nothing is done
		s.place = s.place.join(before)
	}
	r.send(printed, red)
}

// testWords looks at the operands of test: those that name variables or may be numbers to zsh are evaluated.
func (r *reader) testWords(args []command.Word) {
	for i, w := range args {
		switch {
		case i > 0 && (args[i-1].Text == "-v" || args[i-1].Text == "-R"):
			r.plainName(w)
		case r.zsh && i+1 < len(args) && strings.HasPrefix(args[i+1].Text, "-") && len(args[i+1].Text) == 3:
			r.evaluate(w, true)
		}
	}
}

// isMissing says whether a builtin is missing in shells that know nothing beyond the standard.
func isMissing(name string, posix bool) bool {
	switch name {
	case "declare", "typeset", "let", "mapfile", "readarray", "source", "pushd", "popd", "dirs", "shopt", "enable", "builtin":
		return posix
	}
	return false
}

// model adds what the library says a builtin does to the world, and what it says of the variables in front of it.
func (r *reader) model(inv *command.Invocation, name string) {
	effects, gaps, env, words := inv.Effects, inv.Gaps, inv.Env, inv.Words
	inv.Effects, inv.Gaps = nil, nil
	followed := func(a command.Assign) bool { return a.Name == "IFS" || a.Name == "CDPATH" } // here
	if slices.ContainsFunc(env, followed) {
		inv.Env = slices.DeleteFunc(slices.Clone(env), followed)
	}
	if inv.Words = discreet(name, words); !r.lib.Has(name) {
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
		r.nested(inv, &inv.Runs[i])
	}
}

// stateful does to the shell what a builtin does.
func (r *reader) stateful(name string, inv *command.Invocation, args []command.Word) {
	s := r.s
	switch name {
	case ":":
	case "cd":
		r.cd(args, inv)
	case "pushd", "popd", "dirs":
		r.dirStack(name, args, inv)
	case "eval":
		r.eval(args, inv)
	case ".", "source":
		r.sourceFile(args, inv)
	case "read":
		r.readWords(args, inv)
	case "mapfile", "readarray":
		r.mapfile(args)
	case "return", "exit", "logout", "break", "continue":
		r.leaves(name, inv)
	case "trap":
		r.trap(args, inv)
	case "alias", "unalias":
		r.alias(name, args, inv)
	case "shopt":
		r.s.shopt(args, inv)
	case "hash":
		if slices.ContainsFunc(args, func(w command.Word) bool { return !w.IsKnown() || w.Text != "-r" }) {
			gapIn(inv, "hash may change what command names mean")
		}
	case "enable", "fc", "bind", "complete", "compgen", "compopt":
		gapIn(inv, name+" runs or changes what is not followed")
		s.out = command.Data{}
	case "jobs":
		s.out = command.Data{Of: inv.Output.Of, Plain: inv.Output.Plain}
	default:
		r.changes(name, args, inv)
	}
}

// changes carries out a builtin that changes variables or parameters.
func (r *reader) changes(name string, args []command.Word, inv *command.Invocation) {
	s := r.s
	switch name {
	case "export", "declare", "typeset", "local", "readonly":
		flags := ""
		for _, w := range args {
			if w.IsKnown() && len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') {
				flags += w.Text
			} else {
				r.declareWord(name, flags, w, inv)
			}
		}
		if inv.Loose > 0 {
			gapIn(inv, name+" of words known only at run time")
		}
		s.out = command.Data{Taint: lost(args...).Taint}
	case "unset":
		r.unset(args)
	case "set":
		r.set(args, inv)
	case "shift":
		r.shift(args)
	case "let":
		gapIn(inv, "let with an expression that is not followed")
		s.forgetAll()
	case "getopts":
		if len(args) > 1 {
			r.forget(args[1], args...)
		}
		r.assign("OPTARG", single(lost(append(s.params[:len(s.params):len(s.params)], args[min(2, len(args)):]...)...)), inv.Span)
	case "wait":
		if len(args) > 1 && args[0].Text == "-p" {
			r.forget(args[1])
		}
	default:
		s.out = command.Data{Taint: lost(args...).Taint}
	}
}

// forget makes the variable that a word names unknown; a word that is not known may name any.
func (r *reader) forget(name command.Word, from ...command.Word) {
	if !r.plainName(name) {
		r.s.forgetAll()
		return
	}
	base, _, element := strings.Cut(name.Text, "[")
	if !isName(base) {
		r.gap("an assignment to something that is not a variable", name.Span)
		return
	}
	v := single(lost(from...))
	v.list, v.open = element, element
	r.assign(base, v, name.Span)
}

// printfVar is printf -v, which assigns what it would print.
func (r *reader) printfVar(args []command.Word, red *redirection) {
	if len(args) == 0 {
		return
	}
	switch first := args[0]; {
	case first.IsKnown() && strings.HasPrefix(first.Text, "-v"):
		name := command.Known(first.Text[2:], first.Span)
		if name.Text == "" && len(args) > 1 {
			name = args[1]
		}
		r.forget(name, args...)
		red.to, red.both, red.parts = discarded, false, false
	case first.Hollow && strings.HasPrefix(first.IfEmpty, "-"), !first.IsKnown() && !first.IsPlain() && first.Reach != tool.Prefix && first.Split:
		r.gap("printf with options known only at run time", first.Span)
	}
}

// readWords is read: of what comes in, only the lines of a list of files are known.
func (r *reader) readWords(args []command.Word, inv *command.Invocation) {
	names, in, zero := r.readOptions(args, inv)
	if len(names) == 0 {
		names = []command.Word{command.Known("REPLY", inv.Span)}
	}
	line := command.Word{Taint: in.Taint &^ command.WithBlank, Plain: in.Plain && in.Reach == tool.Anywhere, Hollow: true}
	alts := []command.Word{line}
	switch one := len(names) == 1; {
	case one && in.Reach == tool.Under && (zero || in.Taint&command.WithNul == 0):
		alts[0] = r.lineOf(in, inv.Span)
	case one && !zero && in.Reach == tool.Exact && !in.Hollow && !strings.Contains(in.Text, "\\") && strings.Count(in.Text, "\n") <= maxAlternatives:
		for text := range strings.Lines(in.Text) {
			alts = append(alts, command.Known(strings.Trim(text, " \t\n"), inv.Span))
		}
		alts = alts[min(1, len(alts)-1):]
	}
	alts[0].Of = in.Of
	for _, name := range names {
		if line.Taint&command.RestOfScript != 0 {
			r.takesRest(in, inv.Span)
		}
		if r.plainName(name) && isName(name.Text) {
			r.assign(name.Text, variable{alts: unite(nil, alts, maxListed)}, inv.Span)
		} else {
			r.forget(name, line)
		}
	}
	if in.Reach == tool.Exact || in.Reach == tool.Prefix {
		r.s.stdin = command.Data{Taint: r.s.stdin.Taint}
	}
}

// readOptions takes the options of read off its words. What is read with others than -r, -s and -p is not known, apart from a list that is read with -d.
func (r *reader) readOptions(args []command.Word, inv *command.Invocation) (names []command.Word, in command.Data, zero bool) {
	in = r.s.stdin
	for ; len(args) > 0 && args[0].IsKnown() && len(args[0].Text) > 1 && args[0].Text[0] == '-'; args = args[1:] {
		flag := args[0].Text
		if r.zsh && strings.ContainsAny(flag, "neNit") {
			gapIn(inv, "read with an option that shells do not share")
		}
		at := strings.IndexAny(flag, "adinNptu")
		if at < 0 {
			continue
		}
		v := command.Known(flag[at+1:], args[0].Span)
		if v.Text == "" && len(args) > 1 {
			args = args[1:]
			v = args[0]
		}
		switch flag[at] {
		case 'd':
			zero = true
		case 'u':
			in = r.descriptor(v.Text)
		case 'p':
			r.reveals(v, v.Span)
		default:
			in = command.Data{Taint: in.Taint}
		}
		if flag[at] == 'a' || r.zsh && isName(v.Text) {
			r.forget(v, command.Word{Taint: in.Taint})
		}
	}
	return args, in, zero
}

// mapfile makes the lines that come in the elements of an array.
func (r *reader) mapfile(args []command.Word) {
	in := r.s.stdin
	r.spills(command.Data{Endless: in.Endless})
	name := command.Known("MAPFILE", tool.Span{})
	for i, w := range args {
		if w.IsKnown() && strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "C") {
			r.gap("mapfile with something that it runs", w.Span)
		}
		if i == len(args)-1 && !strings.HasPrefix(w.Text, "-") {
			name = w
		}
	}
	if r.plainName(name) && isName(name.Text) {
		r.assign(name.Text, variable{alts: []command.Word{{Taint: in.Taint, Hollow: true}}, list: true, open: true}, name.Span)
	} else {
		r.s.forgetAll()
	}
	r.s.stdin = command.Data{Taint: in.Taint}
}

// leaves is return, exit, break and continue.
func (r *reader) leaves(name string, inv *command.Invocation) {
	s := r.s
	r.exits++
	if len(r.reading) > 0 && name == "return" && r.depth == 0 && r.sourcing == 0 {
		gapIn(inv, "return in a file that is not sourced: bash continues, other shells stop")
	}
	switch {
	case name == "break" || name == "continue":
		if r.loops > 0 {
			r.breaks = joinPlaces(r.breaks, s.place)
			s.gone = true
		}
	case name == "return" && (r.depth > 0 || r.sourcing > 0):
		r.returns = joinPlaces(r.returns, s.place)
		s.gone = true
	case name == "return": // an error, if it is not zsh
	default:
		s.gone = true
	}
}

// unset removes variables and functions.
func (r *reader) unset(args []command.Word) {
	flags := ""
	for len(args) > 0 && args[0].IsKnown() && strings.HasPrefix(args[0].Text, "-") {
		flags += args[0].Text
		args = args[1:]
	}
	for _, w := range args {
		switch {
		case !r.plainName(w), strings.Contains(flags, "m"):
			r.s.forgetAll()
			r.gap("a variable name known only at run time", w.Span)
		case !isName(w.Text):
			base, _, _ := strings.Cut(w.Text, "[")
			if v := r.variable(base); isName(base) {
				r.setVariable(base, v.forgotten())
			}
		case strings.Contains(flags, "f"):
			r.s.funcs.put(w.Text, function{may: true})
		default:
			if w.Text != "IFS" && r.changedBy(w.Text, command.Known("", w.Span)) != "" {
				r.gap(r.changedBy(w.Text, command.Known("", w.Span)), w.Span)
			}
			v := r.variable(w.Text)
			now := variable{unset: true}
			for f := r.locals; f != nil; f = f.up { // it may be the one of a caller, behind which another one is
				for i := range f.list {
					f.list[i].sure = f.list[i].sure && f.list[i].name != w.Text
				}
			}
			if strings.Trim(flags, "-vf") != "" || v.readonly || r.depth > 0 || slices.ContainsFunc(r.s.env, func(a command.Assign) bool { return a.Prefix }) || r.evals > 0 { // it may be a caller's
				now = now.join(v.forgotten())
			}
			if w.Text == "IFS" {
				now = single(command.Known(" \t\n", w.Span))
			}
			r.setVariable(w.Text, now)
			if f, had := r.s.funcs.get(w.Text); had && flags == "" {
				r.s.funcs.put(w.Text, f.join(function{}))
			}
		}
	}
}

// set changes options and parameters.
func (r *reader) set(args []command.Word, inv *command.Invocation) {
	s := r.s
	if len(args) == 0 {
		s.out = command.Data{Taint: command.FromSecret} // it prints all variables
		return
	}
	for i := 0; i < len(args); i++ {
		w, behind := args[i], args[i:]
		text := w.Text
		switch {
		case !w.IsKnown():
			if w.Reach == tool.Anywhere && !w.IsPlain() || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
				gapIn(inv, "set with a word known only at run time")
			}
			s.params, s.many, s.loose = behind, true, 1
			return
		case text == "--":
			r.setParams(args[i+1:], inv)
			return
		case text == "-" || text == "+":
			if i+1 < len(args) {
				r.setParams(args[i+1:], inv)
			} else if r.zsh {
				s.params, s.many, s.loose = []command.Word{lost(s.params...)}, true, 1
			}
			return
		case text[:min(1, len(text))] != "-" && text[:min(1, len(text))] != "+":
			r.setParams(behind, inv)
			return
		}
		if strings.Trim(text[1:], "abefhmnoptuvxCET") != "" {
			gapIn(inv, "an option that changes how commands are read: "+text)
		}
		for _, c := range text[1:] {
			name := string(c)
			if c == 'o' {
				if i+1 >= len(args) || strings.HasPrefix(args[i+1].Text, "-") {
					s.out = command.Data{}
					continue
				}
				i++
				name = args[i].Text
			}
			r.option(name, text[0] == '-', inv)
		}
	}
}

// setParams makes words the parameters.
func (r *reader) setParams(list []command.Word, inv *command.Invocation) {
	s := r.s
	r.otherParams()
	s.params, s.many, s.loose = list, false, 0
	if inv.Loose > 0 {
		s.loose = max(1, inv.Loose-(len(inv.Words)-len(list)))
	}
	if len(list) > maxElements*4 {
		s.params, s.many, s.loose = []command.Word{lost(list...)}, true, 1
	}
}

// option switches an option of the shell, by its letter or its name.
func (r *reader) option(name string, on bool, inv *command.Invocation) {
	o := &r.s.opts
	switch name {
	case "x", "xtrace", "v", "verbose":
		o.traced = o.traced || on
	case "a", "allexport":
		o.exports = on
	case "f", "noglob":
		o.noglob = on && !r.zsh
	case "e", "errexit":
		o.errexit = on && r.inner // what runs the script itself goes on behind it
	case "n", "noexec":
		if on && r.zsh {
			gapIn(inv, "an option that changes how commands are read: "+name)
		}
	case "u", "nounset":
		o.nounset = o.nounset || on
	case "h", "hashall", "b", "notify", "m", "monitor", "p", "t", "C", "noclobber", "E", "errtrace", "T", "functrace", "pipefail", "ignoreeof", "emacs", "vi", "histexpand", "H", "nolog":
	default:
		gapIn(inv, "an option that changes how commands are read: "+name)
	}
}

// shopt sets options of bash.
func (s *state) shopt(args []command.Word, inv *command.Invocation) {
	on := false
	for _, w := range args {
		switch w.Text {
		case "-s":
			on = true
		case "-u", "-q", "-p", "-o":
			on = on && w.Text != "-u"
			if w.Text == "-p" {
				s.out = command.Data{}
			}
		case "nullglob":
			s.opts.nullglob = s.opts.nullglob || on
		case "extglob":
			s.opts.extglob = on
		case "globstar", "failglob", "inherit_errexit", "checkwinsize", "histappend", "cmdhist", "nocasematch", "login_shell", "promptvars", "huponexit", "interactive_comments", "checkjobs", "localvar_inherit", "lastpipe":
		default:
			if !w.IsKnown() || on || len(args) > 1 {
				gapIn(inv, "an option that changes how commands are read: "+w.Text)
			}
		}
	}
	if len(args) < 2 {
		s.out = command.Data{}
	}
}

// shift drops parameters.
func (r *reader) shift(args []command.Word) {
	s, n := r.s, 1
	if len(args) > 0 {
		k, err := strconv.Atoi(args[0].Text)
		if n = k; err != nil || !args[0].IsKnown() {
			n = -1
		}
	}
	if n < 0 || s.many || s.loose > 0 {
		s.params, s.many, s.loose = []command.Word{lost(s.params...)}, true, 1
	} else if n <= len(s.params) {
		r.otherParams()
		s.params = s.params[n:]
	}
}

// prefixBuiltin is command, builtin and exec: they run the rest of their words.
func (r *reader) prefixBuiltin(name string, inv *command.Invocation, red redirection) {
	outer := *inv
	list, looks, bare := prefixFlags(name, &outer)
	outer.Name, outer.Path, outer.Operands = name, []string{name}, list
	outer.Output, outer.Shows = command.Data{Reach: tool.Exact}, len(list) == 0 // what it opens others may show
	if looks {
		complains(name, &outer)
		outer.Output = command.Data{}
		if len(list) == 1 && list[0].IsKnown() && value.PlainText(list[0].Text) && !isBuiltin(list[0].Text) && !r.zsh {
			if f, _ := r.s.funcs.get(list[0].Text); len(f.defs) == 0 {
				outer.Output = command.Located([]string{list[0].Text}, r.world)
			}
		}
		r.record(&outer)
		r.send(outer.Output, red)
		return
	}
	if len(list) > 0 {
		if !list[0].IsKnown() && list[0].Reach == tool.Anywhere {
			gapIn(&outer, "which program this runs is known only at run time")
		} else if list[0].IsKnown() && differsInZsh(list[0].Text) {
			gapIn(&outer, "zsh reads the word "+list[0].Text+" differently")
		}
		outer.Effects = nil // redirections are those of what it runs
	}
	r.leads(&outer)
	r.record(&outer)
	switch {
	case len(list) > 0:
		r.runPrefixed(name, list, bare, inv, red)
	case name == "exec":
		r.execNothing(inv, red)
	}
}

// prefixFlags takes the flags off the words of such a builtin: whether it only looks for a program, and whether it runs one without the environment.
func prefixFlags(name string, outer *command.Invocation) (list []command.Word, looks, bare bool) {
	list = outer.Words[1:]
	for len(list) > 0 && list[0].IsKnown() && len(list[0].Text) > 1 && list[0].Text[0] == '-' {
		flag := list[0].Text
		if list = list[1:]; flag == "--" {
			break
		}
		switch {
		case name == "command" && strings.Trim(flag, "-pvV") == "":
			looks = looks || strings.ContainsAny(flag, "vV")
		case name == "exec" && strings.Trim(flag, "-cl") == "":
			bare = bare || strings.Contains(flag, "c")
		default:
			gapIn(outer, name+" with the unknown flag "+flag)
			if name == "exec" && strings.HasSuffix(flag, "a") && len(list) > 0 { // and a name for what it runs
				list = list[1:]
			}
		}
	}
	return list, looks, bare
}

// runPrefixed runs the words behind command, builtin or exec.
func (r *reader) runPrefixed(name string, list []command.Word, bare bool, inv *command.Invocation, red redirection) {
	inner := &command.Invocation{
		Words: list, Dir: inv.Dir, Env: inv.Env, Stdin: inv.Stdin, Redirects: inv.Redirects, Effects: inv.Effects, Span: inv.Span,
		Pipeline: inv.Pipeline, Stage: inv.Stage, Via: append(inv.Via[:len(inv.Via):len(inv.Via)], name), Device: r.device, Remote: r.remote,
	}
	if inv.Loose > 0 {
		inner.Loose = max(1, inv.Loose-(len(inv.Words)-len(list)))
	}
	if bare {
		inner.Env = less(inner.Env, []command.Word{{}})
	}
	first := list[0]
	f, _ := r.s.funcs.get(first.Text)
	switch {
	case name == "exec":
		if first.IsKnown() && (len(f.defs) > 0 || isBuiltin(first.Text)) { // zsh has it run functions and builtins as well
			ways, shown := &fork{r: r, from: r.s}, *inner
			ways.way(func() { r.execute(&shown, red, true) })
			ways.close()
		}
		r.external(inner, red)
		r.s.gone = !red.fails
	default:
		if name == "builtin" && !isBuiltin(first.Text) && !strings.Contains(" pwd echo true false kill help ", " "+first.Text+" ") {
			gapIn(inner, "builtin with a name that is not a builtin")
		}
		before := r.s.place
		if r.execute(inner, red, false); r.zsh || r.posix { // to which it names a program, or which does not have it
			r.s.place = r.s.place.join(before)
		}
	}
}

// execNothing is exec with redirections alone, which stay.
func (r *reader) execNothing(inv *command.Invocation, red redirection) {
	s := r.s
	if red.reads {
		r.takesRest(s.stdin, inv.Span)
		s.stdin = red.stdin
	}
	if red.parts || red.both {
		s.noisy = true
	}
	if red.to != toParent || red.both {
		s.out = command.Data{Taint: s.out.Taint}
	}
	if red.file != "" {
		if s.into != "" && s.into != red.file {
			red.file = "?"
		}
		s.into = red.file
		r.write(red.file, func(f *file) { f.mayReceive(command.Data{}) }, false)
	}
	for _, a := range inv.Env {
		if a.Prefix {
			r.setVariable(a.Name, r.variable(a.Name).forgotten())
		}
	}
}

// descriptor is what can be read from a descriptor. Which of others is which is not followed.
func (r *reader) descriptor(n string) command.Data {
	if n == "0" {
		return r.s.stdin
	}
	if d, is := r.procs["/dev/fd/"+n]; is {
		return d
	}
	return command.Data{Taint: r.s.opened}
}
