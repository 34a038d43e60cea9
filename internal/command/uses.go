package command

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// mereWord is text, a number or a revision.
func (r *reader) mereWord(w Word, operand bool) {
	if operand && r.makesFiles() {
		r.fileName(w)
	}
	r.mayShow(w)
	r.travels(w, operand)
}

// searches is a pattern that something is searched for.
func (s *scope) searches(w Word) {
	s.patterned = true
	s.mayShow(w)
	if w.IsKnown() {
		s.patterns = append(s.patterns, w.Text)
	}
	if w.Hollow {
		s.patterns = append(s.patterns, w.IfEmpty) // which may find everything
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
	if !strings.HasPrefix(name, "network.") || !w.IsKnown() || !loopback(strings.TrimPrefix(w.Text, "tcp://")) {
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

// oneOf is a word that must match one of the patterns. "DIR/" is a path that begins with the name of a directory, whatever follows: what stands
// before it, as in "msl:x" and "@x", would make it something else.
func (f *findings) oneOf(patterns string, w Word) {
	if rest, ok := strings.CutPrefix(patterns, "DIR/|"); ok && beginsInDir(w) {
		return
	} else if ok {
		patterns = rest
	}
	if !allMatch(w, patterns) {
		f.gap("its model does not cover "+quote(w.Text), w.Span)
	}
}

// beginsInDir says whether a path, or a pattern of some, begins with the plain name of a directory.
func beginsInDir(w Word) bool {
	text := w.Text
	switch {
	case w.Split || w.Reach != tool.Exact && w.Reach != tool.Prefix:
		return false
	case w.Glob:
		text = paths.Fixed(text)
	}
	dir := text[:strings.LastIndexByte(text, '/')+1]
	return dir != "" && dir[0] != '-' && isPlainPath(Known(dir, w.Span)) && (!w.Hollow || isPlainPath(Known(w.IfEmpty, w.Span)) && !strings.HasPrefix(w.IfEmpty, "-"))
}

// atLeast is a number that must not be below another one, or a word such as unlimited.
func atLeast(r *reader, bound string, w Word) {
	text, ok := w.Text, w.IsKnown()
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		least, _ := strconv.ParseUint(bound, 10, 64)
		ok = ok && n >= least
	} else {
		ok = ok && text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
	}
	if !ok {
		r.gap("its model does not cover "+quote(w.Text), w.Span)
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
		f.gap("a file is named after "+quote(w.Text)+", which is outside its directory", w.Span)
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

// createFile is a file that comes to be, unless there is one.
func createFile(r *reader, w Word, operand bool) {
	r.inManner(tool.Plain, func() { r.touched(tool.Create, w, operand, false) })
}

// clears is a path whose content is lost: what a link points at, not the link.
func clears(r *reader, w Word, operand bool) {
	r.inManner(tool.Cleared, func() { r.touched(tool.Delete, w, operand, false) })
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

// shownFormat is a format that is shown, with the variables that it names: "#{NAME}". Names in small letters are the
// program's own.
func shownFormat(r *reader, w Word) {
	_, inside, ok := strings.Cut(w.Text, "#{")
	for name := range strings.FieldsFuncSeq(inside, func(c rune) bool { return !isWordRune(c) }) {
		if ok && name != strings.ToLower(name) && (SecretName(name) || r.inherits(name)) {
			r.control("env.secret", w.Span)
			return
		}
	}
}

func isWordRune(c rune) bool { return c == '_' || c < 128 && isWordByte(byte(c)) }

// handedVariable is a variable that is set, or handed on with the value that it has.
func (f *findings) handedVariable(w Word) {
	if w.IsKnown() && !strings.Contains(w.Text, "=") {
		f.variableName(w)
	}
}

// otherMachine is the name of a machine that containers are on.
func otherMachine(r *reader, own string, w Word) {
	if !w.IsKnown() || !allMatch(w, own) {
		r.scope.machine = &w.Span
	}
}

// actsElsewhere adds that something is done on another machine, if it is more than to look.
func actsElsewhere(r *reader) {
	looks := func(e tool.Effect) bool {
		return e.Kind == tool.Read || e.Kind == tool.Fetch || e.Kind == tool.Control && e.Target == "container.read"
	}
	if m := r.scope.machine; m != nil && (len(r.inv.Runs) > 0 || slices.ContainsFunc(r.inv.Effects, func(e tool.Effect) bool { return !looks(e) })) {
		r.control("container.control", *m)
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
	r.scope.sends, r.scope.request.uploads = true, true
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

// wordChars are the characters that mean the same to a shell and to whatever else takes a text apart into words.
const wordChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%' \""

// scriptBefore runs a word as a script with further words behind it, as programs do with
// a tool that they are given for their files.
func (r *reader) scriptBefore(added string, w Word) {
	if added == "words" {
		if !w.IsKnown() || strings.Trim(w.Text, wordChars) != "" {
			r.gap("words that the program splits by its own rules", w.Span)
		}
		added = "operands"
	}
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

// named remembers a word that names a file.
func (f *findings) named(w Word) { f.inv.Paths = append(f.inv.Paths, w) }

func (d *deeds) chdir(w Word) {
	d.named(w)
	e := d.path(tool.Read, w)
	if e.Reach == tool.Anywhere || e.Pattern {
		d.dir, d.dirs = Word{Span: w.Span}, e.Target
		return
	}
	d.dir, d.dirs = Word{Text: e.Target, Reach: e.Reach, Span: w.Span}, ""
}
