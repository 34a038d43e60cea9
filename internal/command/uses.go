package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// mereWord is text, a number or a revision.
func (r *reader) mereWord(w Word, operand bool) {
	if operand && r.makesFiles() {
		r.fileName(w)
	}
	r.mayShow(w)
	r.travels(w)
}

// searches is a pattern that something is searched for.
func (s *scope) searches(w Word) {
	s.patterned = true
	s.mayShow(w)
	if w.IsKnown() {
		s.patterns = append(s.patterns, w.Text)
	}
}

func (f *findings) secret(w Word) { f.inv.Secrets = append(f.inv.Secrets, w) }

func (f *findings) duration(Word) { f.inv.Timed = true }

// looked is a path of which only the metadata is read.
func (r *reader) looked(w Word) {
	r.mayShow(w)
	r.named(w)
}

// asks is a verb: all but those that are listed make the request a send.
func (s *scope) asks(verbs string, w Word) {
	if !w.IsKnown() || !hasWord(strings.ReplaceAll(verbs, "|", " "), w.Text) {
		s.sends = true
	}
}

// assignment is a variable for the command that follows.
func (r *reader) assignment(w Word) {
	if name, _, ok := strings.Cut(w.Text, "="); ok && w.Reach != tool.Anywhere {
		r.variable(Assign{Name: name, Value: w.From(len(name) + 1), Prefix: true})
	} else {
		r.gap("an assignment is known only at run time", w.Span)
	}
}

// processName is a pattern of names of processes. A short one is a part of the names of most.
func (f *findings) processName(w Word) {
	if !w.IsKnown() || letters(w.Text) < 3 || strings.ContainsAny(w.Text, "*|") {
		f.control("process.kill-all", w.Span)
	}
}

// controls is a word with a control effect. What is opened to this machine alone, at an
// address of its own, has none.
func (r *reader) controls(name string, w Word) {
	r.mayShow(w)
	if !strings.HasPrefix(name, "network.") || !w.IsKnown() || !loopback(w.Text) {
		r.control(name, w.Span)
	}
}

func (d *deeds) executes(name string, w Word) { d.execute(name, w.Span) }

// namedControl is a word with a control effect if it matches one of the patterns.
func (f *findings) namedControl(arg string, w Word) {
	if control, patterns, _ := strings.Cut(arg, "="); !w.IsKnown() || allMatch(w, patterns) {
		f.control(control, w.Span)
	}
}

// oneOf is a word that must match one of the patterns.
func (f *findings) oneOf(patterns string, w Word) {
	if !allMatch(w, patterns) {
		f.gap("its model does not cover "+quote(w.Text), w.Span)
	}
}

func (f *findings) unread(w Word) { f.gap("longline does not follow "+quote(w.Text), w.Span) }

// makesFiles says whether the command makes files in the project whose names it works
// out: of its operands, as generators do.
func (l *commandLine) makesFiles() bool {
	for _, s := range l.level().Effects {
		if (s.Kind == "create" || s.Kind == "write") && strings.HasPrefix(s.Target, "./") && strings.HasSuffix(s.Target, "/**") {
			return true
		}
	}
	return false
}

// fileName is a name that becomes part of a path in the project. One that climbs leads
// out of there.
func (f *findings) fileName(w Word) {
	if w.IsKnown() && (paths.Climbs(w.Text) || strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "~/")) {
		f.gap("a file is named after "+quote(w.Text)+", which leads out of its place", w.Span)
	}
}

// nameList is a file with names of files to read.
func (r *reader) nameList(w Word) {
	if namesInput(w) {
		r.stdinNames()
		return
	}
	r.pathUse(tool.Read, w, false)
	r.effect(tool.Effect{Kind: tool.Read, Span: w.Span}) // whatever the list names
}

// makesIn is a directory that is filled.
func (d *deeds) makesIn(w Word) {
	if e, ok := d.makes(tool.Create, w); ok {
		d.effect(e)
		d.named(w)
		d.landsAt(w)
	}
}

// modify is a path whose owner, mode or attributes change: the content stays.
func (r *reader) modify(w Word, operand bool) {
	r.inManner(tool.Marked, func() { r.touched(tool.Write, w, operand, false) })
}

// shut is a path that perhaps nobody can use any more: with a directory goes what is in it.
func shut(r *reader, w Word, operand bool) {
	tree, e := r.scope.tree, r.path(tool.Write, w)
	r.scope.tree = tree || r.isDirectory(w) || isCertain(e) && paths.Within(r.world.Project, e.Target)
	r.modify(w, operand)
	r.scope.tree = tree
}

func (r *reader) symbolic(Word) { r.scope.symbolic = true }

// chdirOperands is a directory that operands are seen from, each from the one before it.
func (r *reader) chdirOperands(w Word) {
	before := r.dir
	if later := r.scope.later; later != nil {
		r.dir = *later
	}
	r.chdir(w)
	after := r.dir
	r.scope.later, r.dir = &after, before
}

// fifo is a named pipe that is made.
func (r *reader) fifo(w Word, operand bool) {
	r.pathUse(tool.Create, w, operand)
	if e := r.path(tool.Create, w); e.Reach == tool.Exact && !e.Pattern {
		r.inv.Fifos = append(r.inv.Fifos, e.Target)
	}
}

// logFile is a file that is written besides.
func logFile(r *reader, w Word) {
	if namesNothing(w) {
		return
	}
	r.named(w)
	e := r.path(tool.Write, w)
	r.scope.logs = append(r.scope.logs, e.Span)
	r.effect(e)
}

// envFile is a file of variables for a command: in the project its own, elsewhere they may
// carry code.
func envFile(r *reader, w Word) {
	if e := r.path(tool.Read, w); !r.inProject(e) {
		r.config(w, true)
		return
	}
	r.named(w)
	textOf(r, "env", w)
}

// searchRoot is a directory in which a search begins.
func (f *findings) searchRoot(w Word) {
	if w.Reach == tool.Anywhere && !w.Plain {
		f.gap("a word known only at run time may be a condition or an action of the search", w.Span)
	}
}

// plainOperand is a word that must not be a flag.
func (f *findings) plainOperand(w Word) {
	if w.Reach == tool.Anywhere && !w.Plain || strings.HasPrefix(w.Text, "+") {
		f.gap("this word may be a flag", w.Span)
	}
}

// responseFile is a word that may name a file of further arguments.
func (f *findings) responseFile(w Word) {
	if w.Reach != tool.Anywhere && strings.HasPrefix(w.Text, "@") {
		f.gap("the file "+quote(w.Text[1:])+" holds further arguments", w.Span)
	}
}

// settingName is a setting that is shown.
func (f *findings) settingName(w Word) {
	if !w.IsKnown() && !w.Plain || SecretName(w.Text) || strings.Contains(w.Text, "*") {
		f.control("secret.print", w.Span)
	}
}

// variableName is a variable that is shown.
func (f *findings) variableName(w Word) {
	if !w.IsKnown() || SecretName(w.Text) || f.inherits(w.Text) {
		f.control("env.secret", w.Span)
	}
}

// runUse is a file that is run.
func (r *reader) runUse(u Use, w Word, operand bool) {
	if !operand && u.Arg == "" {
		r.sideDoor(w)
	}
	r.run(u.Arg, w)
}

func hookFlag(r *reader, w Word) { r.hook("config:"+r.flagOf(w), w) }

// codeUse is code in another language.
func (r *reader) codeUse(u Use, w Word, operand bool) {
	if operand && w.IsKnown() && w.Text == "-" {
		r.stdinCode(u.Arg)
		return
	}
	r.code(u.Arg, r.pieces(u, w))
}

// filterUse is code in a language that has its own use.
func (r *reader) filterUse(u Use, w Word, _ bool) { r.code(u.Name, r.pieces(u, w)) }

func (r *reader) sql(dialect string, w Word) { r.code(strings.TrimSuffix("sql-"+dialect, "-"), w) }

// scriptText is a word that is run as a script of a shell.
func (r *reader) scriptText(u Use, w Word, operand bool) { r.scriptUse(u.Arg, w, operand) }

// upload is a file that is sent.
func (r *reader) upload(w Word, operand bool) {
	r.sentFile(w, operand)
	r.scope.sends = true
}

// scriptUse runs a word as a script of a shell.
func (r *reader) scriptUse(shell string, w Word, operand bool) {
	if !operand && strings.Contains(w.Text, "/") {
		r.sideDoor(w)
	}
	if operand {
		r.notOption(w)
	}
	script := w
	args := r.scriptArgs(w)
	if len(args) > 0 && args[0].Span == w.Span && args[0].Text == w.Text {
		args = args[1:] // the text itself is no argument
	}
	n := Nested{Script: &script, Args: args, Shell: shell, Stdin: r.inv.Stdin, Piped: true, Dir: &r.dir}
	if m := madeOfNames(w); m != nil && !strings.ContainsAny(m.Text, "'`\\") {
		// Names of files, put into a script as they are. It is read as if they were
		// in a variable, to see what it does with them; but a name may hold $(...),
		// and a repository chooses the names of its files.
		r.gap("file names become part of the script", w.Span)
		const name = "longline_found"
		script.Text, script.Reach = strings.ReplaceAll(m.Text, m.Mark, "${"+name+"}"), tool.Exact
		n.Env = append(n.Env, Assign{Name: name, Value: m.By})
	}
	r.inv.Runs = append(r.inv.Runs, n)
}

// scriptBefore runs a word as a script with further words behind it, as programs do with
// a tool that they are given for their files.
func (r *reader) scriptBefore(added string, w Word) {
	n := len(r.inv.Runs)
	r.scriptUse("sh", w, false)
	for i := n; i < len(r.inv.Runs); i++ {
		run := &r.inv.Runs[i]
		run.Script.Text += ` "$@"`
		run.Args = []Word{Known("sh", w.Span)}
		if added == "operands" {
			run.Args = append(run.Args, r.oper...)
		} else {
			file := Word{Text: r.dir.Text, Reach: min(r.dir.Reach, tool.Under), Tame: true, Span: w.Span}
			more := file
			more.Split = true
			run.Args = append(run.Args, file, more)
		}
	}
}

// inManner gives the effects that do adds a manner.
func (f *findings) inManner(m tool.Manner, do func()) {
	n := len(f.inv.Effects)
	do()
	for i := n; i < len(f.inv.Effects); i++ {
		f.inv.Effects[i].Manner = m
	}
}

// move takes a thing from where it is; it may be a tree.
func (r *reader) move(w Word, operand bool) {
	r.inManner(tool.Moved, func() { r.taken(w, operand) })
}

func (r *reader) taken(w Word, operand bool) {
	r.pathUse(tool.Read, w, operand)
	if !isStream(w.Text) {
		e := r.path(tool.Write, w)
		e.Tree = true
		r.effect(e)
		if r.leaves(e) {
			e.Kind = tool.Delete
			r.effect(e)
		}
	}
}

// treeUse is an effect on what a word names and on everything below it.
func (d *deeds) treeUse(kind tool.Kind, w Word) {
	if e := d.path(kind, w); !isStream(w.Text) {
		e.Tree = true
		d.effect(e)
		d.placed(kind, w)
	}
}

// pathUse is an effect on the path a word names. What is written there is put there,
// and may be a directory.
func (r *reader) pathUse(kind tool.Kind, w Word, operand bool) {
	r.touched(kind, w, operand, kind == tool.Write)
}

func (r *reader) touched(kind tool.Kind, w Word, operand, put bool) {
	if namesNothing(w) {
		r.readsDevice(kind, w, operand)
		return
	}
	if less, ok := r.emptied(kind, w); ok {
		r.touched(kind, less, operand, put)
		w.Hollow = false // that is done
	}
	if put && !operand && mayExpand(w) {
		r.effect(tool.Effect{Kind: kind, Span: w.Span, Put: true})
	}
	r.placed(kind, w)
	e := r.path(kind, w)
	e.Put = put
	r.noteListed(e, w)
	if operand {
		e.Tree = r.scope.tree
		e = r.limited(e)
	}
	r.effect(e)
	if from := w.Taint & (FromGit | FromHidden); from != 0 {
		r.sweeps(e, from)
	}
}

// noteListed remembers a read of files that a list names, if those of secrets may be among them.
func (s *scope) noteListed(e tool.Effect, w Word) {
	if e.Kind == tool.Read && e.Reach == tool.Under && !w.Visible {
		s.listed = append(s.listed, e)
	}
}

// readsDevice notes that a device without end is read.
func (r *reader) readsDevice(kind tool.Kind, w Word, operand bool) {
	if kind == tool.Read && EndlessDevice(w.Text) && (operand || r.level().Grammar == KeyVal) {
		r.scope.volume.device = true
	}
}

// emptied is what a word names if a part of it is empty, where that matters: see [Emptied].
func (s *surroundings) emptied(kind tool.Kind, w Word) (Word, bool) {
	if w.Reach == tool.Anywhere && kind != tool.Delete && kind != tool.Write {
		return Word{}, false
	}
	return Emptied(w, s.world)
}

// mayExpand says whether the shell has left a word as it is that the program may expand:
// to anything.
func mayExpand(w Word) bool {
	return w.IsKnown() && (w.Text[0] == '~' || strings.IndexByte(w.Text, '$') >= 0)
}

// placed remembers a word that names a file, and where something is put.
func (f *findings) placed(kind tool.Kind, w Word) {
	f.named(w)
	if makes(kind) {
		f.landsAt(w)
	}
}

// limited is an effect of a search: one that is limited to names touches only files of
// those names.
func (r *reader) limited(e tool.Effect) tool.Effect {
	names := r.limit(r.acts())
	if len(names) == 0 || e.Reach == tool.Anywhere || e.Kind == tool.Read {
		return e
	}
	if !e.Pattern {
		e.Target = paths.Escape(e.Target)
	}
	e.Target, e.Pattern, e.Reach, e.Tree = clean(e.Target+"/"+value.AnyOf(r.finds(names))), true, tool.Exact, false
	return e
}

// makes is the effect of making files of a program's own in a directory and below it.
func (s *surroundings) makes(kind tool.Kind, w Word) (tool.Effect, bool) {
	if w.IsKnown() && (w.Text == "" || isStream(w.Text) || strings.Contains(w.Text, "://")) {
		return tool.Effect{}, false
	}
	e := s.path(kind, w)
	e.Tree, e.Put = true, true
	return e, true
}

// linkTarget is what a link points at: what is done through the link is done to it. A
// symbolic link is seen from the directory that it lies in.
func (r *reader) linkTarget(w Word, operand bool) {
	before, symbolic := r.dir, r.scope.symbolic
	r.links(w, symbolic)
	if n := len(r.oper); n == 2 && symbolic {
		if link := r.path(tool.Write, r.oper[1]); isCertain(link) {
			if !r.staysDirectory(r.oper[1]) {
				link.Target = path.Dir(link.Target)
			}
			r.dir = Word{Text: link.Target, Reach: tool.Exact, Span: w.Span}
		}
	}
	r.inManner(tool.Linked, func() {
		r.pathUse(tool.Read, w, operand)
		r.touched(tool.Write, w, operand, false)
	})
	r.dir = before
}

// links notes the links to a target: at the last operand, or below it if that is a
// directory, and without one in the working directory.
func (r *reader) links(w Word, symbolic bool) {
	n := len(r.oper)
	if w.Glob && paths.GlobClimbs(w.Text) {
		r.gap("the link may lead to the parent directory", w.Span)
	}
	if !w.IsKnown() || r.dir.Reach != tool.Exact || n == 0 {
		return
	}
	yields := !slices.ContainsFunc(r.given, func(g flagUse) bool { return hasWord("-f --force", g.name) }) || strings.HasSuffix(r.oper[n-1].Text, "/")
	link := func(from string) {
		seen := r.dir.Text
		if symbolic {
			seen = path.Dir(from)
		}
		r.inv.Links = append(r.inv.Links, Link{From: from, To: at(seen, w.Text), Yields: yields})
	}
	base := path.Base(w.Text)
	if n == 1 {
		link(at(r.dir.Text, base))
		return
	}
	last := r.path(tool.Write, r.oper[n-1])
	if !isCertain(last) {
		return
	}
	if n == 2 {
		link(last.Target)
	}
	if !hasWord(". .. /", base) {
		link(at(last.Target, base))
	}
}

// at is a path as it is seen from a directory.
func at(dir, path string) string {
	if strings.HasPrefix(path, "/") {
		return clean(path)
	}
	return clean(dir + "/" + path)
}

// lock is a file that is made where there is none, to hold a lock on; a number is
// that of an open file.
func (r *reader) lock(w Word) {
	if w.IsKnown() && strings.Trim(w.Text, "0123456789") == "" || r.isDirectory(w) {
		r.named(w)
		return
	}
	r.pathUse(tool.Create, w, false)
}

// tempDir is a directory in which the program puts temporary files of its own:
// what is there already stays as it is.
func (d *deeds) tempDir(w Word) {
	d.named(w)
	if w.IsKnown() {
		w.Text, w.Glob, w.At = paths.Escape(strings.TrimRight(w.Text, "/"))+"/"+d.inv.Name+"*", true, 0
	}
	d.effect(d.path(tool.Create, w))
}

// process is a process that is signalled, by its number or as a job.
func (f *findings) process(w Word) {
	name := killed(w)
	if !slices.ContainsFunc(f.inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == name }) {
		f.control(name, w.Span)
	}
	if name == "process.kill" && w.Of != "" {
		// Who looks a process up by its name means the name.
		f.inv.Stand = append(f.inv.Stand, Known(w.Of, w.Span))
	}
}

// killed is the name of the control that signalling a process is: one of the script's own,
// a group, the whole session or what starts all others, or another one.
func killed(w Word) string {
	switch {
	case w.IsKnown() && (w.Text == "0" || w.Text == "1" || strings.HasPrefix(w.Text, "-")):
		return "process.kill-all"
	case w.Of == Own || w.IsKnown() && strings.HasPrefix(w.Text, "%"):
		return "process.own"
	}
	return "process.kill"
}

// fromTemplate says whether the destination w is a file that is not there yet and gets
// what the project ships to begin it with: cp .env.example .env.
func (r *reader) fromTemplate(w Word) bool {
	if len(r.oper) != 2 || !w.IsKnown() || r.world.Exists == nil {
		return false
	}
	to, from := r.path(tool.Create, w), r.path(tool.Read, r.oper[0])
	if !r.isFileHere(to) || !r.isFileHere(from) {
		return false
	}
	return isTemplate(path.Base(from.Target), path.Base(to.Target)) && r.world.Exists(from.Target) && !r.world.Exists(to.Target)
}

// isFileHere says whether an effect is on one file that is known, in the project.
func (s *surroundings) isFileHere(e tool.Effect) bool {
	return isCertain(e) && s.inProject(e)
}

// isTemplate says whether a file is named after the one that it is a template of.
func isTemplate(template, of string) bool {
	ext := path.Ext(template)
	name := strings.TrimSuffix(template, ext)
	return name != "" && (of == name || strings.HasPrefix(of, name+".")) && hasWord("example sample template dist tmpl defaults", strings.TrimPrefix(ext, "."))
}

// letters is how many letters and digits a text has.
func letters(text string) (n int) {
	for i := range len(text) {
		if c := text[i] | 0x20; c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// into is the place that the other operands go to. Unless it is known to be a
// directory it counts as that and as a file.
func (r *reader) into(w Word, operand bool) {
	if operand && r.fromTemplate(w) {
		r.pathUse(tool.Create, w, operand)
		return
	}
	directory := r.staysDirectory(w) || !operand && w.IsKnown() // a flag names nothing else
	if !directory || len(r.oper) == 0 {
		r.pathUse(tool.Write, w, operand)
	}
	if dir, ok := asDirectory(w); ok {
		r.intoDirectory(dir, w, operand)
	}
}

// intoDirectory is the place that w names, if it is a directory that the operands go to.
func (r *reader) intoDirectory(dir, w Word, operand bool) {
	for _, source := range r.oper {
		switch {
		case isSame(source, w):
		case source.IsKnown() && source.Text == "/dev/null":
			r.pathUse(tool.Delete, w, operand) // nothing is put in place of what was there
		case r.scope.keeps:
			r.pathUse(tool.Write, r.keptBelow(dir, source), operand)
		default:
			r.pathUse(tool.Write, below(dir, source, "/"), operand)
		}
	}
}

// keptBelow is where a source goes in a directory if it keeps all of its path there.
func (s *surroundings) keptBelow(dir, source Word) Word {
	switch {
	case s.mayClimb(source):
		return Word{Span: source.Span}
	case source.Reach != tool.Exact:
		dir.Reach = tool.Under
		return dir
	}
	switch {
	case source.Glob && !dir.Glob:
		dir.Text, dir.Glob = paths.Escape(dir.Text), true
	case dir.Glob && !source.Glob:
		source.Text = paths.Escape(source.Text)
	}
	dir.Text += "/" + source.Text
	return dir
}

// mayClimb says whether a name of which not all is known may begin with the parent directory:
// those of files below the working directory are seen from there.
func (s *surroundings) mayClimb(w Word) bool {
	// others: nothing is known of how they begin, or what follows.
	switch w.Reach {
	case tool.Exact:
		return w.Glob && paths.GlobClimbs(w.Text)
	case tool.Under:
		return s.dir.Reach != tool.Exact || !paths.Within(s.path(tool.Read, w).Target, s.dir.Text)
	}
	return true
}

// asDirectory is a word as the directory that it may be, unless it is none or may be
// anywhere.
func asDirectory(w Word) (dir Word, ok bool) {
	if w.Reach == tool.Anywhere || w.Glob || namesStream(w) {
		return w, false
	}
	if w.Reach == tool.Prefix {
		ok = w.Plain
		w.Text, w.Reach, w.Glob = paths.Escape(w.Text)+"*", tool.Exact, true
		return w, ok
	}
	return w, true
}

// isSame says whether two words are the same one of a script.
func isSame(a, b Word) bool { return a.Span == b.Span && a.Text == b.Text }

// below is where a source goes in a directory: its last name, which stands behind
// one of the separators.
func below(dir, source Word, separators string) Word {
	name := strings.TrimRight(source.Text, "/")
	name, sure := name[strings.LastIndexAny(name, separators)+1:], true
	if source.Glob {
		name, sure = paths.GlobBase(source.Text)
	}
	switch {
	case source.Reach != tool.Exact || !sure || name == "" || name == "." || name == "..":
		dir.Reach = tool.Under
	case dir.Glob && !source.Glob:
		dir.Text += "/" + paths.Escape(name)
	case source.Glob && !dir.Glob:
		dir.Text, dir.Glob = paths.Escape(dir.Text)+"/"+name, true
	default:
		dir.Text += "/" + name
	}
	return dir
}

// leaves says whether what is moved is lost where it was: it goes where nothing is
// kept, or out of the project, where nobody minds what happens to it (rm -rf /tmp/x).
func (r *reader) leaves(moved tool.Effect) bool {
	to := r.destination()
	if to.Text == "" || to.Reach == tool.Anywhere {
		return false // a write to somewhere unknown says it all
	}
	if namesStream(to) {
		return true
	}
	return paths.Within(moved.Target, r.world.Project) && !paths.Within(r.path(tool.Write, to).Target, r.world.Project)
}

// destination is where things are put: the last of several operands, or where a flag says.
func (l *commandLine) destination() Word {
	for i := len(l.given) - 1; i >= 0; i-- {
		if g := &l.given[i]; g.flag != nil && len(g.values) == 1 && g.flag.isOnly("into") {
			return g.values[0]
		}
	}
	if len(l.oper) > 1 {
		return l.oper[len(l.oper)-1]
	}
	return Word{}
}

// isOnly says whether a flag has one value, with one use.
func (f *Flag) isOnly(use string) bool {
	return len(f.Values) == 1 && len(f.Values[0]) == 1 && f.Values[0][0].Name == use
}

// isDirectory says whether a word surely names a directory: by its spelling, or
// because there is one.
func (s *surroundings) isDirectory(w Word) bool {
	switch text := w.Text; {
	case !w.IsKnown():
		return false
	case strings.HasSuffix(text, "/"), text == ".", text == "..", strings.HasSuffix(text, "/."), strings.HasSuffix(text, "/.."):
		return true
	}
	e := s.path(tool.Read, w)
	return e.Reach == tool.Exact && s.exists(e.Target+"/.")
}

// staysDirectory is isDirectory for one that the script has not moved away before.
func (d *deeds) staysDirectory(w Word) bool {
	if len(d.inv.Moves)+len(d.inv.Deleted) == 0 {
		return d.isDirectory(w)
	}
	e := d.path(tool.Read, w)
	return d.isDirectory(w) && !slices.ContainsFunc(d.inv.Deleted, func(path string) bool { return paths.Within(e.Target, path) }) &&
		!slices.ContainsFunc(d.inv.Moves, func(l Link) bool { return l.Moved && paths.Within(e.Target, l.To) })
}

// includes is a pattern of the names that a search reads. Whoever asks for
// ".env" by name reads it, unlike a search that comes across it.
func (d *deeds) includes(w Word) {
	if w.Reach != tool.Exact || strings.HasPrefix(w.Text, "!") {
		return
	}
	for _, text := range unbraced(w.Text) {
		if name := text[strings.LastIndexByte(text, '/')+1:]; strings.Trim(name, "*?.") == "" && !strings.HasPrefix(name, ".") {
			continue // it limits nothing
		}
		d.effect(d.path(tool.Read, Word{Text: "./**/" + strings.TrimLeft(text, "/"), Reach: tool.Exact, Glob: true, Span: w.Span}))
	}
}

// unbraced is what a pattern with one pair of braces stands for, or the pattern itself.
func unbraced(text string) (list []string) {
	head, rest, braces := strings.Cut(text, "{")
	inner, tail, closed := strings.Cut(rest, "}")
	if !braces || !closed {
		return []string{text}
	}
	for part := range strings.SplitSeq(inner, ",") {
		list = append(list, head+part+tail)
	}
	return list
}

// named remembers a word that names a file.
func (f *findings) named(w Word) { f.inv.Paths = append(f.inv.Paths, w) }

func (d *deeds) chdir(w Word) {
	d.named(w)
	e := d.path(tool.Read, w)
	if e.Reach == tool.Anywhere || e.Pattern {
		d.dir = Word{Span: w.Span}
		return
	}
	d.dir = Word{Text: e.Target, Reach: e.Reach, Span: w.Span}
}
