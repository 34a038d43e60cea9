package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/scan"
	"longline/internal/tool"
)

// fileRun is a file that an invocation executes.
type fileRun struct {
	r     *reader
	outer *command.Invocation
	state *state // of the child that runs it
	given *command.Nested
	word  command.Word // that names it
	path  string       // absolute, behind links that the script has made
	// linked says that the script has made a link of that name.
	linked bool
	// unsure says that the link may not have been made, because the script had put something there.
	unsure bool
	file   *file // what the script has written there, or may have written
	// perhaps says that it is only one of the files that may have been written.
	perhaps bool
}

// opaque notes that something runs that cannot be read.
func (f *fileRun) opaque(target string) {
	f.outer.Effects = append(f.outer.Effects, tool.Effect{Kind: tool.Execute, Target: target, Reach: tool.Exact, Span: f.word.Span})
	f.state.out = command.Data{Taint: f.state.out.Taint} // nobody knows what it prints
}

// fetched says whether the script has written what is from the network there.
func (f *fileRun) fetched() bool { return f.file != nil && f.file.data.Taint&command.FromNet != 0 }

// runFileOf runs a file that an invocation executes. Those the script has written
// are told apart, and those that hold shell commands are read.
func (r *reader) runFileOf(outer *command.Invocation, c *state, n *command.Nested) {
	f := &fileRun{r: r, outer: outer, state: c, given: n, word: *n.File}
	if isStream(f.word) {
		f.runStream()
		return
	}
	e := r.pathEffect(outer, tool.Read, f.word)
	if kind, ok := strings.CutPrefix(n.Shell, command.TextPrefix); ok {
		f.takesIn(kind, e)
		return
	}
	exact := e.Reach == tool.Exact && !e.Pattern
	if !exact || r.remote {
		if !exact || !f.isAccounted(e.Target) {
			f.runVague(e)
		}
		return
	}
	if f.locate(e.Target); f.unsure {
		f.opaque("written:" + e.Target)
	}
	if r.async > 0 {
		r.use.file(f.path)
	}
	if f.runsCode() {
		outer.RunsFile(f.path) // and does not only look whether something was put there
	}
	if f.isFreshConfig() {
		return
	}
	f.find()
	if !f.ownFile() {
		f.runText()
	}
}

// takesIn is a file whose text can name others. Only what the script itself has put there counts.
func (f *fileRun) takesIn(kind string, e tool.Effect) {
	if e.Reach == tool.Exact && !e.Pattern {
		f.locate(e.Target)
		f.file = f.state.found(f.path)
	} else {
		f.path = vaguely(e)
		f.file = f.state.wrote(vagueFile(e))
	}
	switch {
	case f.given.Shell == command.ModulesOf:
		f.loadsAlong()
	case f.given.Shell == command.Loaded:
		f.loadsByName()
	case kind == "dir":
		if f.state.madeBeside("", f.path) {
			f.opaque("written:" + f.path)
		}
	case f.file == nil, f.file.isOwn() && language.NamesNoFiles(kind, f.file.data.Text):
	case f.file.isOwn(), f.file.authored && !f.isObject(), f.fetched():
		f.opaque("written:" + f.path)
	}
}

// loadsByName is a file that a program takes code or settings from if it is there.
func (f *fileRun) loadsByName() {
	if f.file == nil {
		f.file = f.state.brought(f.path)
	}
	if f.linked || f.file != nil && (f.file.isOwn() || f.file.authored || f.file.foreign || f.file.edited || f.fetched() || f.definesMore()) {
		f.opaque("written:" + f.path)
	}
}

// definesMore says whether the file is a copy that defines containers which get more of this machine than the project, as far as
// the text that was copied says.
func (f *fileRun) definesMore() bool {
	if f.file.from == "" || !controls(f.outer, "container.project") {
		return false
	}
	text, ok := "", false
	if f.file.from != "?" && f.state.files.perhaps(f.file.from) == nil {
		text, ok = f.r.readScript(f.state, f.file.from, nil)
	}
	return !ok || command.ReachesOut(text)
}

// loadsAlong is a directory of modules, into which the script may have put some that are loaded along with those
// that a program asks for.
func (f *fileRun) loadsAlong() {
	at, dir, loads := "", strings.TrimSuffix(f.path, "/")+"/", language.PythonReaches(f.given.Args[0].Text)
	reaches := func(path string) bool {
		f.state.toil.joined()
		below, ok := strings.CutPrefix(path, dir)
		if ok && loads(below) {
			at = path
		}
		return at != ""
	}
	f.state.files.each(func(_ string, one *file) bool { return !one.isPut() || !reaches(one.path) })
	if at != "" || slices.ContainsFunc(f.state.links, func(l command.Link) bool { return reaches(l.From) }) {
		f.opaque("written:" + at)
	}
}

// isPut says whether the script has put another file in the place of what was there.
func (f *file) isPut() bool {
	return f.isOwn() || f.authored || f.foreign || f.replaced || f.from != "" || f.data.Taint&command.FromNet != 0
}

// isObject says whether the file is machine code that a program has made.
func (f *fileRun) isObject() bool {
	return !f.file.replaced && slices.Contains([]string{".o", ".a", ".so", ".lo", ".obj", ".dylib"}, path.Ext(f.path))
}

// isAccounted says whether a file on another machine is one of the project's container that the
// model accounts for, and nothing that this script has written.
func (f *fileRun) isAccounted(path string) bool {
	return f.r.code != "" && f.given.Known && f.state.files.perhaps(path) == nil
}

// locate follows the links that the script has made.
func (f *fileRun) locate(path string) {
	f.path, f.unsure = f.state.behind(path)
	f.linked = f.path != path
}

// behind is where a path leads by the links and moves that the script has made. It is not sure of more than one.
func (s *state) behind(path string) (at string, unsure bool) {
	at = path
	for _, l := range s.links {
		switch {
		case l.Pattern && !l.Moved:
			_, leads := restOfBoth(paths.Escape(at), l.From)
			unsure = unsure || leads
		case l.To == command.Somewhere:
		case paths.Within(at, l.From):
			unsure = unsure || l.Yields || at != path
			at = l.To + at[len(l.From):]
		}
	}
	return at, unsure
}

// runsCode says whether the file is run, and not only one that a program looks at.
func (f *fileRun) runsCode() bool {
	return !f.given.Known || shellName(f.given.Shell) || readsStdin(f.given.Shell)
}

// isFreshConfig says whether the file is the configuration of a clone that git has just made.
func (f *fileRun) isFreshConfig() bool {
	dir, ok := strings.CutSuffix(f.path, "/config")
	return ok && f.given.Shell == "git-config" && f.state.freshClone(dir)
}

// isLanguage says whether an interpreter that is no shell is given the file.
func (f *fileRun) isLanguage() bool {
	return f.given.Known && f.given.Shell != "" && !shellName(f.given.Shell)
}

// runStream runs what one of the standard streams, or another descriptor, holds.
func (f *fileRun) runStream() {
	d, n := f.state.stdin, f.given
	if fd, ok := strings.CutPrefix(f.word.Text, "/dev/fd/"); ok {
		d = f.r.descriptor(f.state, fd, f.word.Text)
	}
	d = reopened(d)
	switch {
	case d.Taint&command.FromNet != 0:
		f.opaque("fetched:" + n.Shell)
	case d.Reach == tool.Exact && !d.None && n.Shell != "":
		script := command.Word{Text: d.Text, Reach: tool.Exact, Taint: d.Taint, Span: f.word.Span, At: d.At}
		n.Script = &script
		n.Stdin = command.Data{Taint: d.Taint | command.RestOfScript} // or all of it once more
		f.state.stdin = n.Stdin
		f.r.childShell(f.outer, f.state, n, f.outer.Env)
	default:
		f.opaque("stdin:" + n.Shell)
	}
}

// runVague runs a file of which only something is known.
func (f *fileRun) runVague(e tool.Effect) {
	f.file = f.state.wrote(vagueFile(e))
	switch {
	case f.word.Taint&command.FromNet != 0 || f.fetched():
		f.opaque("fetched:" + f.given.Shell)
	case e.Reach == tool.Anywhere:
		f.opaque("file:?") // which one is not known
	case f.file != nil:
		f.opaque("written:" + vaguely(e))
	default:
		f.opaque("script:" + vaguely(e))
	}
}

// find looks for what the script has written to the file, or may have written.
func (f *fileRun) find() {
	if f.file = f.r.changed(f.state, f.path); f.file != nil {
		return
	}
	if f.given.Known && f.given.Shell != "" { // one of many files, of a whole tree
		f.file, f.perhaps = f.state.files.perhaps(f.path), true
	} else if one := f.state.brought(f.path); one != nil {
		f.file, f.perhaps = one, true
	}
}

// changed is what the script may have written to a file that is run. A task of the project runs what the history of the project
// holds.
func (here *site) changed(s *state, path string) *file {
	if f := s.found(path); !here.project || !f.isVersion() {
		return f
	}
	return nil
}

// ownFile handles a file that is none of the script's, or the project's own work, or
// whose text stands in the script. It says whether there is nothing left to do.
func (f *fileRun) ownFile() bool {
	n := f.given
	if f.file == nil {
		return f.notWritten()
	}
	switch {
	case n.Known && n.Project && !f.fetched():
		return true // the project's own, edited by the way
	case (f.file.built || paths.Within(f.path, f.r.world.Project)) && f.ownWork():
		return true
	}
	return n.Known && !f.perhaps && f.r.ownText(f.outer, f.state, n, f.file, f.path)
}

// notWritten is ownFile for a file that the script has not written.
func (f *fileRun) notWritten() bool {
	if f.linked && f.isLanguage() && paths.Within(f.path, f.r.world.Project) {
		f.opaque("edited:" + f.path) // another file of the project than the one that was read
		return true
	}
	return f.given.Known && !f.linked
}

// runText reads a file that holds shell commands, and notes one that cannot be read.
func (f *fileRun) runText() {
	n := f.given
	text, ok := f.r.readScript(f.state, f.path, f.file)
	if f.runInterpreted(text, ok) {
		return
	}
	commands := ok && isShell(text)
	whole := f.readsAsShell(ok, commands) && f.r.runFile(f.outer, f.state, n, f.path, text)
	script := commands || ok && !strings.HasPrefix(text, "#!") && !beginsProgram(text)
	f.noteRun(whole, script || n.Shell != "" || command.ShellEnding(f.path))
}

// readsAsShell says whether a shell reads the file, if it can be read and may hold commands.
func (f *fileRun) readsAsShell(readable, commands bool) bool {
	n := f.given
	return (readable && shellName(n.Shell) || commands && n.Shell == "") && (!n.Known || f.file != nil)
}

// noteRun notes a file that is run, which may be a script, unless all of it has been read and its
// commands have been judged.
func (f *fileRun) noteRun(whole, script bool) {
	switch {
	case f.fetched() && !f.perhaps:
		f.opaque("fetched:" + f.path)
	case whole && f.file.isOwn():
	case f.file != nil || f.given.Known: // a link that the script has made
		f.opaque("written:" + f.path)
	case whole:
	case script:
		f.opaque("script:" + f.path)
	default:
		f.opaque("file:" + f.path)
	}
}

// isOwn says whether the script has written a file, with a text that is known.
func (f *file) isOwn() bool { return f != nil && f.data.Reach == tool.Exact && !f.foreign }

// runInterpreted gives a program whose first line names an interpreter to that, and says
// whether it did.
func (f *fileRun) runInterpreted(text string, ok bool) bool {
	n, line := f.given, interpreter(text)
	if !ok || n.Shell != "" || n.Known || f.file != nil || f.linked || isShell(text) || len(line) == 0 || !f.r.lib.Has(line[0]) {
		return false
	}
	var words []command.Word
	for _, w := range line {
		words = append(words, command.Known(w, f.word.Span))
	}
	words = append(words, f.word)
	if len(n.Args) > 1 {
		words = append(words, n.Args[1:]...)
	}
	f.state.out = f.r.nested(nil, f.outer, f.state, &command.Nested{Words: words, More: n.More, Input: n.Input, Stdin: n.Stdin, Piped: n.Piped, Dir: n.Dir})
	return true
}

// ownWork handles a file of the project that the script has changed before it runs
// it, where that is the project's own work: what a build made, what git took from
// the repository's history, and, of files that an interpreter is given, what was
// edited in place. It says whether it was.
func (run *fileRun) ownWork() bool {
	n, path, language := run.given, run.path, run.isLanguage()
	kind := run.workKind()
	if kind == "" || !language && (n.Shell != "" || n.Known || kind != "file:" || command.ShellEnding(path)) {
		return false
	}
	if !paths.Within(path, run.r.world.Project) {
		if language {
			return false
		}
		kind = "project:"
	}
	run.opaque(kind + path)
	return true
}

// workKind is how the script has changed the file; "" if it cannot be the project's own work.
func (run *fileRun) workKind() string {
	switch f := run.file; {
	case f.foreign || f.data.Taint&command.FromNet != 0 || f.data.Reach == tool.Exact || f.authored, f.isUnseen() && !(run.given.Shell == "response" && f.data.Reach == tool.Under): // a list of names is one of arguments
		return ""
	case f.edited:
		return "edited:"
	case f.from != "" && !run.isLanguage() && !run.r.isProgram(f.from):
		return "" // it may be a script, which is judged by its commands
	}
	return "file:"
}

// ownText reads a program whose text stands in the script, which has put it into a
// file and gives that to an interpreter, like one on the interpreter's standard input.
func (r *reader) ownText(outer *command.Invocation, c *state, n *command.Nested, f *file, path string) bool {
	if !f.isOwn() || f.data.Taint&command.FromNet != 0 || len(n.Args) == 0 || !readsStdin(n.Shell) {
		return false
	}
	if r.loadsOthers(c, path, f.data.Text) {
		return false
	}
	words := []command.Word{command.Known(n.Shell, n.File.Span), command.Known("-", n.File.Span)}
	words = append(words, n.Args[1:]...)
	// Its text is judged in the place of the file.
	outer.Effects = slices.DeleteFunc(outer.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute && e.Target == "file:"+path })
	// Whoever loads the file meanwhile runs the same text.
	was := *f
	r.writes(c, path, func(f *file) { f.authored, f.edited = false, false })
	r.nested(nil, outer, c, &command.Nested{Words: words, Stdin: was.data, Piped: true, Dir: n.Dir})
	r.writes(c, path, func(f *file) { f.authored, f.edited = f.authored || was.authored, f.edited || was.edited })
	return true
}

// loadsOthers says whether a program may load other modules in the place of its file than it
// does from standard input, where they are looked for in the current directory.
func (here *site) loadsOthers(c *state, path, text string) bool {
	beside := c.dir.Reach == tool.Exact && c.dir.Text == path[:max(strings.LastIndexByte(path, '/'), 1)]
	return !beside && namesModules(text) && here.hasBeside(c, path, text)
}

// namesModules says whether a line of a program may load modules.
func namesModules(text string) bool {
	return strings.Contains(text, "import") || strings.Contains(text, "require")
}

// hasBeside says whether there may be something beside a program in a file that it loads:
// modules are looked for there first.
func (here *site) hasBeside(c *state, path, text string) bool {
	if here.world.Entries == nil || loadsByPath(text) {
		return true
	}
	dir := path[:max(strings.LastIndexByte(path, '/'), 0)]
	entries, listed := here.world.Entries(dir)
	if !listed && !here.absent(dir) || len(c.links) > 0 || c.madeBeside(path, dir) {
		return true // where there is no such directory, only what this script puts there will be
	}
	have := map[string]bool{}
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name, ".")
		have[name] = true
	}
	return have["node_modules"] || have["sitecustomize"] || loads(text, have)
}

// loadsByPath says whether a program may load a file that it names by a path.
func loadsByPath(text string) bool {
	for _, sign := range []string{"\\\n", "'.", `".`, "from ."} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// madeBeside says whether the script may have written something into the directory of a file, or
// where that directory is.
func (s *state) madeBeside(path, dir string) (made bool) {
	s.files.each(func(_ string, f *file) bool {
		other := strings.TrimPrefix(f.path, "?")
		empty := f.path == dir && !f.foreign && f.from == "" && !f.cloned // made to put the file in
		made = other != path && !empty && (paths.Within(other, dir) || paths.Within(dir, other) && other != f.path)
		return !made
	})
	return made
}

// loads says whether a program may load one of the modules that there are.
func loads(text string, have map[string]bool) bool {
	for line := range strings.Lines(text) {
		if !namesModules(line) {
			continue
		}
		for name := range strings.FieldsFuncSeq(line, func(c rune) bool { return c >= 0x80 || !scan.IsNameByte(byte(c)) }) {
			if have[name] {
				return true
			}
		}
	}
	return false
}

// readsStdin says whether the interpreter of a language, which has its name, runs
// what it finds on standard input if it is told "-".
func readsStdin(language string) bool {
	switch language {
	case "python", "node", "ruby", "perl", "lua", "simh":
		return true
	}
	return false
}

// readScript returns the text of a file, as the script or the disk has it.
func (led *ledger) readScript(s *state, path string, f *file) (string, bool) {
	if f != nil {
		return f.data.Text, f.data.Reach == tool.Exact
	}
	if led.world.ReadFile == nil || led.remote {
		return "", false
	}
	b, err := led.world.ReadFile(path)
	if err != nil || len(b) > scan.MaxScript {
		return "", false
	}
	text := string(b)
	if led.found == nil {
		led.found = map[string]bool{}
	}
	if _, again := led.found[text]; !again {
		led.found[text] = false
	}
	return text, true
}

// isShell says whether a file holds shell commands: its first line says so. A shell that is given more than options there runs something else.
func isShell(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "#!") {
		// Without that line the shell runs it itself, unless it is a program.
		return strings.IndexByte(text, 0) < 0
	}
	words := strings.Fields(line[2:])
	for i, word := range words {
		slash := strings.LastIndexByte(word, '/') + 1
		if i == 0 && !command.InStandardDir(strings.TrimSuffix(word[:slash], "/")) || i > 0 && slash > 0 {
			return false
		}
		switch word[slash:] {
		case "sh", "bash", "dash", "ksh", "zsh":
			return setsOptions(words[i+1:])
		case "env", "-S":
		default:
			return false
		}
	}
	return false
}

// setsOptions says whether words that a shell is given set nothing but options of how it runs the file behind them.
func setsOptions(words []string) bool {
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-" || word == "--":
			return i == len(words)-1
		case word == "--login" || word == "--posix" || word == "--norc" || word == "--noprofile" || word == "--verbose" || word == "--restricted":
		case len(word) < 2 || word[0] != '-' && word[0] != '+' || word[1] == '-' || strings.ContainsAny(word, "csD"):
			return false
		case strings.ContainsAny(word, "oO"):
			if i++; i < len(words) && strings.Trim(words[i], "abcdefghijklmnopqrstuvwxyz_") != "" {
				return false
			}
		}
	}
	return true
}

// shellName says whether a language of scripts is one of a shell.
func shellName(lang string) bool {
	switch lang {
	case "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "busybox":
		return true
	}
	return false
}

// interpreter is the program that the first line of a file names to be run with, and what it gives it: one word, or what env
// makes of that.
func interpreter(text string) []string {
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "#!") || strings.HasSuffix(line, "\r") {
		return nil
	}
	line = strings.Trim(line[2:], " \t")
	at := strings.IndexAny(line+" ", " \t")
	program, rest := line[:at], strings.Trim(line[at:], " \t")
	if !command.InStandardDir(paths.Parent(program)) {
		return nil
	}
	words := []string{path.Base(program)}
	split, is := strings.CutPrefix(rest, "-S")
	switch {
	case rest == "":
	case words[0] != "env":
		words = append(words, rest)
	case is && !strings.ContainsAny(split, `"'\\$`):
		words = strings.Fields(split)
	case rest[0] == '-':
		words = append(words, rest) // as its own flags are read
	default:
		words = []string{rest}
	}
	if len(words) > 0 && strings.Contains(words[0], "/") {
		return nil
	}
	return words
}

// typed is the name of a script as it was given, which is what $0 is: one that was found in PATH has its
// directory.
func typed(n *command.Nested, path string) command.Word {
	switch {
	case !n.File.IsKnown():
		return command.Word{}
	case n.Shell == "" && strings.IndexByte(n.File.Text, '/') < 0:
		return command.Known(path, tool.Span{}).Join(command.Known(n.File.Text, tool.Span{}))
	}
	return command.Known(n.File.Text, tool.Span{})
}

// runByBash says whether it is bash that runs a file itself whose first line names no interpreter. zsh and whatever else starts
// programs give it to sh.
func (here *site) runByBash(outer *command.Invocation) bool {
	if len(outer.Via) == 0 {
		return !here.world.Zsh
	}
	switch outer.Via[len(outer.Via)-1] {
	case "bash":
		return true
	case "command", "exec", "builtin", "eval":
		return !here.world.Zsh
	}
	return false
}

// runFile reads a script file in a child shell; it says whether all of it could
// be read.
func (r *reader) runFile(outer *command.Invocation, c *state, n *command.Nested, path, text string) bool {
	file := scriptFile{path, text}
	if slices.Contains(r.reading, file) {
		c.out = command.Data{}
		return true // it is being read already
	}
	if len(r.reading) >= 6 {
		r.gap("scripts that run scripts, nested too deeply", outer.Span)
		return false
	}
	parsed, problem := r.parsed, r.problem
	r.reading = append(r.reading, file)
	before := r.use
	r.use.file(path)
	toldDir(&r.site, c, outer.Env, outer)
	c.inherit(outer.Env, n.Shell == "bash")
	c.params, c.many, c.loose = nil, false, 0
	r.arguments(c, n, outer)
	fed := isFed(n, outer)
	if c.zero = typed(n, path); fed {
		c.zero = asTyped(outer)
	}
	r.parsed = true
	c.startOptions(n.Shell, outer)
	first, _, _ := strings.Cut(text, "\n")
	if n.Shell == "" && strings.HasPrefix(first, "#!") {
		c.lineOptions(first, outer)
	} else if n.Shell == "" && !r.runByBash(outer) {
		c.opts |= optPosix
	}
	r.run(text, &source{whole: outer.Span, disk: true, fed: fed}, c, n.Shell == "zsh" || strings.HasPrefix(first, "#!") && strings.Contains(first, "zsh"))
	whole := r.parsed && !r.spent
	r.parsed, r.problem = parsed, problem // of the script that was given
	r.reading = r.reading[:len(r.reading)-1]
	released(r, before)
	return whole
}
