package reader

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
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
			r.evaluate(w, true, 0)
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
		red.to, red.both, red.aside.on = discarded, false, false
	case first.Hollow && strings.HasPrefix(first.IfEmpty, "-"), !first.IsKnown() && !first.IsPlain() && first.Reach != tool.Prefix && first.Split:
		r.gap("printf with options known only at run time", first.Span)
	}
}

// readWords is read: of what comes in, only the lines of a list of files, and a few that are known, are known.
func (r *reader) readWords(args []command.Word, inv *command.Invocation) {
	names, in, plain := r.readOptions(args, inv)
	if len(names) == 0 {
		names = []command.Word{command.Known("REPLY", inv.Span)}
	}
	line := command.Word{Taint: in.Taint &^ command.WithBlank, Plain: in.Plain && in.Reach == tool.Anywhere, Hollow: true}
	var known []command.Word
	switch one := len(names) == 1; {
	case one && in.Reach == tool.Under && (!plain || in.Taint&command.WithNul == 0):
		line = r.lineOf(in, inv.Span)
	case one && plain && in.Reach == tool.Exact && !in.Hollow && !strings.Contains(in.Text, "\\") && strings.Count(in.Text, "\n") <= maxAlternatives:
		for text := range strings.Lines(in.Text) {
			known = append(known, command.Known(strings.Trim(text, " \t\n"), inv.Span))
		}
	}
	if line.Of = in.Of; len(known) > 0 {
		line = known[0]
	}
	for _, name := range names {
		if line.Taint&command.RestOfScript != 0 {
			r.takesRest(in, inv.Span)
		}
		if r.plainName(name) && isName(name.Text) {
			r.assign(name.Text, variable{alts: unite(known, []command.Word{line}, maxListed)}, inv.Span)
		} else {
			r.forget(name, line)
		}
	}
	if in.Reach == tool.Exact || in.Reach == tool.Prefix {
		r.s.stdin = command.Data{Taint: r.s.stdin.Taint}
	}
}

// readOptions takes the options of read off its words. What is read with others than -r, -s and -p is not known, apart from a list that is read with -d.
func (r *reader) readOptions(args []command.Word, inv *command.Invocation) (names []command.Word, in command.Data, plain bool) {
	in, plain = r.s.stdin, true
	for ; len(args) > 0 && args[0].IsKnown() && len(args[0].Text) > 1 && args[0].Text[0] == '-'; args = args[1:] {
		flag := args[0].Text
		if r.zsh && strings.ContainsAny(flag, "neNit") {
			gapIn(inv, "read with an option that shells do not share")
		}
		at := strings.IndexAny(flag, "adinNptu")
		if at < 0 {
			plain = plain && strings.Trim(flag, "-rs") == ""
			continue
		}
		v := command.Known(flag[at+1:], args[0].Span)
		if v.Text == "" && len(args) > 1 {
			args = args[1:]
			v = args[0]
		}
		switch flag[at] {
		case 'd':
			plain = false
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
	return args, in, plain
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

// cd changes the directory, or fails to.
func (r *reader) cd(args []command.Word, inv *command.Invocation) {
	physical := false
	for len(args) > 0 && args[0].IsKnown() && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		flag := args[0].Text
		if args = args[1:]; flag == "--" {
			break
		}
		if strings.Trim(flag, "-LPe@") != "" {
			gapIn(inv, "cd with the unknown flag "+flag)
		}
		physical = physical || strings.Contains(flag, "P")
	}
	dir := inv.Dir
	var to []command.Word
	switch {
	case len(args) == 0:
		home, _ := r.scalar("HOME")
		to = r.enters(dir, home)
	case len(args) > 1:
		to, r.s.out = []command.Word{{}}, command.Data{}
	case args[0].IsKnown() && args[0].Text == "-":
		if to = r.s.old; len(to) == 0 || r.zsh && r.s.touched("OLDPWD") {
			to = []command.Word{{}}
		}
		r.s.out = command.Data{}
	case args[0].IsKnown() && r.leadsElsewhere(args[0].Text):
		to, r.s.out = []command.Word{{}}, command.Data{}
	default:
		to = r.enters(dir, args[0])
		if inv.Loose > 0 && args[0].Hollow { // no word at all leads home
			home, _ := r.scalar("HOME")
			to = append(to, home)
		}
		if physical && strings.Contains(args[0].Text, "..") && dir.Reach == tool.Exact && !r.remote {
			path := args[0].Text
			if !strings.HasPrefix(path, "/") {
				path = dir.Text + "/" + path
			}
			to = append(to, command.Word{Text: command.Follow(path, r.world), Reach: tool.Exact})
		}
	}
	r.arrive(dir, to)
}

// leadsElsewhere says whether a word of cd may not be a path from here: something in CDPATH, or a place in the stack.
func (r *reader) leadsElsewhere(word string) bool {
	if r.zsh && len(word) > 1 && (word[0] == '+' || word[0] == '-') && isNumber(word[1:]) {
		return true
	}
	first, _, _ := strings.Cut(word, "/")
	if strings.HasPrefix(word, "/") || first == "." || first == ".." {
		return strings.HasPrefix(word, "//")
	}
	if r.s.touched("CDPATH") {
		return true
	}
	if r.world.Getenv == nil {
		return false
	}
	text, ok := r.world.Getenv("CDPATH")
	return ok && text != ""
}

// enters are the directories that cd reaches with a word, links that it leads through included: the shell goes on to see the directory by the
// name of the link, and leaves it by that with "..", while programs are where it leads.
func (r *reader) enters(dir, to command.Word) (list []command.Word) {
	if less, ok := command.Emptied(to, r.world); ok {
		to.Hollow = false
		list = append(list, value.Enter(dir, less))
	} else if to.Hollow && to.Reach != tool.Anywhere {
		list = append(list, dir)
	}
	near := value.Enter(dir, to)
	near.Span = tool.Span{}
	if len(near.Text) > 1024 || strings.Count(near.Text, "/") > 64 {
		near = command.Word{}
	}
	if to.IsKnown() && strings.Contains(to.Text, "/..") && near.Reach == tool.Exact && !r.remote && r.absent(near.Text) { // the shell asks the kernel
		at := to.Text
		if at[0] != '/' {
			at = dir.Text + "/" + at
		}
		list = append(list, command.Word{Text: command.Follow(at, r.world), Reach: tool.Exact})
	}
	if dirs := r.dirsMatching(dir, to); dirs != nil {
		list = append(list, dirs...)
	} else {
		list = append(append(list, near), r.matchedDirs(dir, to)...)
	}
	for _, d := range list[:len(list):len(list)] {
		if d.Reach == tool.Exact && !r.remote {
			if real := r.follow(d.Text); real != d.Text {
				list = append(list, command.Word{Text: real, Reach: tool.Exact})
			}
		}
		for _, l := range r.links {
			switch {
			case d.Reach == tool.Exact && paths.Within(d.Text, l.From):
				list = append(list, l.behind(d.Text))
			case d.Reach == tool.Under && paths.Within(l.From, d.Text):
				list = append(list, l.behind(l.From))
			}
		}
	}
	return list
}

// isHidden says whether a path or pattern has a hidden name in it.
func isHidden(path string) bool { return strings.HasPrefix(path, ".") || strings.Contains(path, "/.") }

// mayBeDir says whether a pattern of cd may match a name.
func mayBeDir(pattern, name string, to command.Word) bool {
	is, sure := paths.Match(pattern, name)
	return (is || !sure) && !(to.Glob && to.Taint == 0 && name[0] == '.' && pattern[0] != '.')
}

// matchedDirs are the directories on the disk that a pattern of cd may lead to beside those that it names: through links, and hidden ones.
func (r *reader) matchedDirs(dir, to command.Word) (list []command.Word) {
	if r.remote || to.IsKnown() {
		return nil
	}
	if r.world.Entries == nil && to.Glob && isHidden(to.Text) { // it may be that of a repository, or of an agent
		return []command.Word{{}}
	} else if r.world.Entries == nil {
		return nil
	}
	if to.Reach == tool.Under {
		list = repositoriesIn(paths.Clean(dir.Text, to.Text), r.world)
	}
	e := r.pathEffect(&command.Invocation{Dir: dir}, tool.Read, to)
	w := wildPath{dir: e.Target, name: "*"}
	if e.Pattern && e.Reach == tool.Exact {
		w = firstWild(e.Target)
	} else if e.Reach != tool.Under {
		return nil
	}
	entries, whole := r.entries(w.dir)
	if !whole {
		if paths.Within(w.dir, value.Scratch) { // which is made just now
			return nil
		}
		return []command.Word{{}}
	}
	for _, entry := range entries {
		if !mayBeDir(w.name, entry.Name, to) {
			continue
		}
		path := strings.TrimSuffix(w.dir, "/") + "/" + entry.Name
		if real := r.follow(path); entry.Link && !paths.Within(real, w.dir) || e.Pattern && entry.Dir && entry.Name[0] == '.' {
			if list = append(list, command.Word{Text: real, Reach: tool.Exact}); w.rest != "" {
				list[len(list)-1] = command.Word{}
			}
		}
	}
	if len(list) > maxAlternatives {
		return []command.Word{{}}
	}
	return list
}

// repositoriesIn are the hidden directories of git in one that are there.
func repositoriesIn(dir string, w *tool.World) (list []command.Word) {
	for _, name := range [...]string{"/.git", "/.git/hooks"} {
		if w.Exists != nil && w.Exists(dir+name) {
			list = append(list, command.Word{Text: dir + name, Reach: tool.Exact})
		}
	}
	return list
}

// arrive makes some directories the one that the shell is in; if that fails it stays where it is.
func (r *reader) arrive(from command.Word, to []command.Word) {
	s := r.s
	stay := s.place
	stay.dirs = []command.Word{from}
	now := place{old: []command.Word{from}, stack: s.stack}
	s.place = now.join(place{dirs: to, old: now.old, stack: now.stack})
	s.missed = &stay
	if v, had := s.vars.get("OLDPWD"); had {
		r.setVariable("OLDPWD", v.forgotten())
	}
	if v, had := s.vars.get("PWD"); had {
		r.setVariable("PWD", v.join(variable{alts: s.dirs}))
	}
}

// dirStack is pushd, popd and dirs.
func (r *reader) dirStack(name string, args []command.Word, inv *command.Invocation) {
	s := r.s
	s.out = command.Data{}
	if name == "dirs" {
		return
	}
	if len(args) > 0 && args[0].IsKnown() && args[0].Text == "--" {
		args = args[1:]
	}
	odd := slices.ContainsFunc(args, func(w command.Word) bool {
		return name == "popd" || w.IsKnown() && len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+')
	})
	from := inv.Dir
	n := len(s.stack)
	switch {
	case odd:
		s.stack = []command.Word{{}}
		r.arrive(from, []command.Word{{}})
	case name == "popd" && n == 0, len(args) == 0 && n == 0:
		r.arrive(from, []command.Word{{}})
	case name == "popd":
		to := s.stack[n-1]
		s.stack = s.stack[: n-1 : n-1]
		r.arrive(from, []command.Word{to})
	case len(args) == 0:
		to := s.stack[n-1]
		s.stack = append(s.stack[:n-1:n-1], from)
		r.arrive(from, []command.Word{to})
	default:
		stack := s.stack
		s.stack = append(stack[:n:n], from)
		if len(s.stack) > 16 {
			s.stack = []command.Word{{}}
		}
		if args[0].IsKnown() && args[0].Text == "-" {
			r.arrive(from, s.old)
		} else if args[0].IsKnown() && r.leadsElsewhere(args[0].Text) {
			r.arrive(from, []command.Word{{}})
		} else {
			r.arrive(from, r.enters(from, args[0]))
		}
		s.missed.stack = stack
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
	atEnd := trappedAtEnd(inv, args[1:], !c.differs(r.s) && !setsSomething(args[0].Text) && len(c.files.own) == 0)
	if (!atEnd || r.depth > 0 && r.zsh) && (c.differs(r.s) || setsSomething(args[0].Text)) {
		gapIn(inv, "a trap that changes what the shell does next")
	}
	if r.s.files.perhaps(c.files, func(string) file { return file{} }); !c.out.IsEmpty() {
		r.s.out = command.Data{Taint: r.s.out.Taint | c.out.Taint}
		r.s.noisy = !atEnd
	}
	if r.zsh && r.depth > 0 { // it comes when the function ends
		r.perhaps(r.s, c)
	}
}

// trappedAtEnd says whether a trap comes only at the end, and notes that it may come between commands unless all it does is to tell of an error.
func trappedAtEnd(inv *command.Invocation, signals []command.Word, tells bool) bool {
	atEnd := true
	for _, w := range signals {
		switch onError := w.Text == "ERR" || w.Text == "ZERR"; {
		case onError && tells:
			continue
		case onError, w.Text == "DEBUG", w.Text == "RETURN":
			gapIn(inv, "a trap that runs between commands")
		}
		atEnd = atEnd && w.IsKnown() && (w.Text == "EXIT" || w.Text == "0" || w.Text == "SIGEXIT")
	}
	return atEnd
}

func setsSomething(text string) bool {
	return strings.Contains(text, "=") || strings.Contains(text, "set") || strings.Contains(text, "shift")
}

// differs says whether a state that went on from another one has changed anything of the shell itself.
func (s *state) differs(o *state) bool {
	for name, v := range s.vars.own {
		was, had := o.vars.get(name)
		if !had && !(v.unset || len(v.alts) == 1 && v.alts[0].Hollow) || had && !slices.EqualFunc(v.alts, was.alts, value.Word.Same) {
			return true
		}
	}
	return len(s.funcs.own) > 0 || !s.place.within(o.place) || s.opts != o.opts || len(s.params) != len(o.params) || len(s.params) > 0 && &s.params[0] != &o.params[0]
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

// prefixBuiltin is command, builtin and exec: they run the rest of their words.
func (r *reader) prefixBuiltin(name string, inv *command.Invocation, red redirection) {
	outer := *inv
	list, looks, bare := prefixFlags(name, &outer)
	outer.Name, outer.Path, outer.Operands = name, []string{name}, list
	outer.Output = command.Data{Reach: tool.Exact}
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
	if red.aside.on || red.both {
		s.noisy = true
	}
	if red.to != toParent || red.both {
		s.out = command.Data{Taint: s.out.Taint}
	}
	for _, rd := range inv.Redirects {
		if rd.Fd != "" && rd.Fd != "0" && rd.Fd != "1" && rd.Fd != "2" {
			s.opens(red.fds...)
			break
		}
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

// opens adds descriptors that can be read. Which of too many is which is not known.
func (s *state) opens(list ...stream) {
	if s.fds = append(s.fds[:len(s.fds):len(s.fds)], list...); len(s.fds) > 16 {
		taint := command.Taint(0)
		for _, f := range s.fds {
			taint |= f.data.Taint
		}
		s.fds = []stream{{"?", command.Data{Taint: taint}}}
	}
}

// descriptor is what can be read from a descriptor.
func (r *reader) descriptor(n string) command.Data {
	if n == "0" {
		return r.s.stdin
	}
	for i := len(r.s.fds) - 1; i >= 0; i-- {
		if r.s.fds[i].fd == n || r.s.fds[i].fd == "?" {
			return r.s.fds[i].data
		}
	}
	if d, is := r.procs["/dev/fd/"+n]; is {
		return d
	}
	taint := command.Taint(0)
	for _, f := range r.s.fds {
		taint |= f.data.Taint
	}
	return command.Data{Taint: taint}
}
