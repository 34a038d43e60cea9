package reader

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

// childShell reads a script that another shell runs.
func (r *reader) childShell(outer *command.Invocation, n *command.Nested, env []command.Assign) {
	c := r.s
	switch n.Shell {
	case "", "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "busybox", "powershell", "powershell-encoded", "cmd":
	default:
		outer.Gaps = append(outer.Gaps, command.Gap{Why: "a script in " + n.Shell, Span: outer.Span})
		c.out = command.Data{}
		return
	}
	script := *n.Script
	if !script.IsKnown() {
		opaque(outer, "a script known only at run time", script)
		c.out = command.Data{Taint: script.Taint}
		return
	}
	if from := outer.Stdin.Path; from != nil && outer.Stdin.Text == script.Text {
		note(&r.running, paths.Clean(outer.Dir.Text, from.Text))
	}
	r.toldDir(outer, env)
	c.zero = asTyped(outer)
	r.inherit(env)
	r.arguments(n, outer)
	fed := n.Stdin.Taint&^outer.Stdin.Taint&command.RestOfScript != 0
	r.newShell(script.Text, &source{at: script.At, whole: script.Span, fed: fed, dialect: dialect(n.Shell)}, n.Shell, outer)
}

// dialect is the language of a shell that is not like the others, or "".
func dialect(shell string) string {
	switch shell {
	case "powershell", "powershell-encoded", "cmd":
		return shell
	}
	return ""
}

// asTyped is the name that a shell goes by which is given no file.
func asTyped(outer *command.Invocation) command.Word {
	if len(outer.Words) == 0 || !outer.Words[0].IsKnown() || !shellName(path.Base(outer.Words[0].Text)) || slices.Contains(outer.Via, "exec") {
		return command.Word{}
	}
	return command.Known(outer.Words[0].Text, tool.Span{})
}

// arguments gives a script its parameters.
func (r *reader) arguments(n *command.Nested, outer *command.Invocation) {
	c := r.s
	c.params, c.many, c.loose = nil, false, 0
	list := n.Args
	if n.More {
		if list = append(list[:len(list):len(list)], r.more(n.Input, outer)...); len(list) == len(n.Args) {
			list = append(list, command.Word{})
		}
	}
	if c.loose = several(n.Args, outer); c.loose == 0 && n.More {
		c.loose = len(n.Args) + 1
	}
	switch {
	case len(list) == 0:
		return
	case c.loose == 1:
		c.zero, c.params = lost(list...), list
	default:
		if c.zero, c.params = list[0], list[1:]; c.loose > 0 {
			c.loose--
		}
	}
	r.reveals(c.zero, outer.Span) // every complaint begins with it
}

// inherit leaves the state only what a child process gets.
func (r *reader) inherit(env []command.Assign) {
	c := r.s
	c.vars = &layer[variable]{}
	c.env, c.opts, c.into = nil, options{}, ""
	for _, a := range env {
		w := a.Value
		if a.Append {
			w = command.Word{Taint: w.Taint}
		}
		switch a.Name {
		case "PWD":
			continue // it is that of its directory
		case "OLDPWD", "_", "BASH", "BASH_VERSION", "PS1", "PS2", "argv":
			w = lost(w) // which a new shell sets itself
		}
		r.setVariable(a.Name, variable{alts: []command.Word{w}, exported: true})
	}
	c.funcs = &layer[function]{}
}

// toldDir notes that a new shell may be given another name of its directory. It goes by that: ".." is then what is above the name.
func (r *reader) toldDir(outer *command.Invocation, env []command.Assign) {
	for _, a := range env {
		if w := a.Value; a.Name == "PWD" && a.Prefix && !(w.IsKnown() && !strings.HasPrefix(w.Text, "/")) && !w.Same(r.s.dirs[0]) {
			outer.Gaps = append(outer.Gaps, command.Gap{Why: "a new shell that is given PWD", Span: outer.Span})
		}
	}
}

// newShell reads a script in a shell of its own.
func (r *reader) newShell(text string, src *source, name string, outer *command.Invocation) {
	if r.nests++; r.nests > maxNesting {
		r.gap("scripts that run scripts, nested too deeply", src.whole)
		r.nests--
		r.s.out = command.Data{}
		return
	}
	parent := r.shell
	r.shell = shell{inner: true, zsh: r.world.Zsh && name == "" || name == "zsh"}
	r.posix = name == "sh" || name == "dash" || name == "ash" || name == "busybox"
	r.startOptions(outer)
	r.guarded(func() {
		r.script(text, src)
		r.finish()
	}, src.whole)
	r.shell = parent
	r.s.gone = false
	r.nests--
}

// startOptions are those that a shell is given when it is started.
func (r *reader) startOptions(outer *command.Invocation) {
	for _, w := range outer.Words { // of -o
		r.s.opts.traced = r.s.opts.traced || w.Text == "xtrace" || w.Text == "verbose"
	}
	for _, flag := range outer.Flags {
		for _, c := range strings.TrimLeft(flag, "-+") {
			if strings.HasPrefix(flag, "--") || len(flag) > 6 {
				break
			}
			switch c {
			case 'e', 'x', 'v', 'f', 'a':
				r.option(string(c), flag[0] == '-', outer)
			}
		}
	}
}

// isLanguage says whether an interpreter that is no shell is given the file.
func isLanguage(n *command.Nested) bool { return n.Known && n.Shell != "" && !shellName(n.Shell) }

// shellName says whether a language of scripts is one of a shell.
func shellName(lang string) bool {
	switch lang {
	case "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "busybox":
		return true
	}
	return false
}

// readsStdin says whether the interpreter of a language, which has its name, runs what it finds on standard input if it is told "-".
func readsStdin(language string) bool {
	switch language {
	case "python", "node", "ruby", "perl", "lua", "simh":
		return true
	}
	return false
}

// fileRun is a file that an invocation executes.
type fileRun struct {
	r      *reader
	outer  *command.Invocation
	given  *command.Nested
	env    []command.Assign
	word   command.Word // that names it
	path   string       // behind links that the script has made
	file   file         // what the script has written there, or may have written
	wrote  bool
	maybe  bool // it is only one of the files that may have been written
	linked bool
}

// opaque notes that something runs that cannot be read.
func (f *fileRun) opaque(target string) {
	f.outer.Effects = append(f.outer.Effects, tool.Effect{Kind: tool.Execute, Target: target, Reach: tool.Exact, Span: f.word.Span})
	f.r.s.out = command.Data{Taint: f.r.s.out.Taint} // nobody knows what it prints
}

func (f *fileRun) fetched() bool { return f.wrote && f.file.data.Taint&command.FromNet != 0 }

// runFileOf runs a file that an invocation executes. Those the script has written are told apart, and those that hold shell commands are read.
func (r *reader) runFileOf(outer *command.Invocation, n *command.Nested, env []command.Assign) {
	f := &fileRun{r: r, outer: outer, given: n, env: env, word: *n.File}
	if f.word.IsKnown() && isStream(f.word.Text) {
		f.runStream()
		return
	}
	e := r.pathEffect(outer, tool.Read, f.word)
	exact := isExact(e)
	if kind, ok := strings.CutPrefix(n.Shell, command.TextPrefix); ok {
		f.takesIn(kind, e)
		return
	}
	if !exact || r.remote {
		if exact && r.code != "" && n.Known {
			if _, wrote := r.written(e.Target); !wrote {
				return // the model accounts for it
			}
		}
		f.runVague(e)
		return
	}
	f.locate(e.Target)
	if code := !n.Known || shellName(n.Shell) || readsStdin(n.Shell); code {
		outer.RunsFile(f.path) // and does not only look whether something was put there
		if r.ran = append(r.ran, f.path); r.async > 0 {
			note(&r.running, f.path)
		}
	}
	if dir, config := strings.CutSuffix(f.path, "/config"); config && n.Shell == "git-config" && r.isFresh(dir) {
		return
	}
	f.find()
	if !f.ownFile() {
		f.runText()
	}
}

// locate follows the links that the script has made.
func (f *fileRun) locate(at string) {
	f.path = at
	for _, l := range f.r.links {
		if paths.Within(f.path, l.From) && !l.copied {
			f.path, f.linked = l.To+f.path[len(l.From):], true
		}
	}
	if f.linked {
		f.opaque("written:" + at) // whether the link was made is not followed
	}
}

// find looks for what the script has written to the file, or may have written.
func (f *fileRun) find() {
	r := f.r
	if f.file, f.wrote = r.written(f.path); f.wrote && !(r.project && f.file.from == built) {
		return
	}
	if f.file, f.wrote = r.mayBring(f.path); r.project && f.file.from == built {
		f.file, f.wrote = file{}, false
	}
	f.maybe = f.wrote
}

// takesIn is a file whose text can name others. Only what the script itself has put there counts.
func (f *fileRun) takesIn(kind string, e tool.Effect) {
	r := f.r
	name := nameOf(e)
	if f.path = strings.TrimPrefix(name, "?"); isExact(e) {
		for _, l := range r.links {
			if paths.Within(f.path, l.From) && !l.copied {
				f.path, f.linked = l.To+f.path[len(l.From):], true
			}
		}
		f.file, f.wrote = r.written(f.path)
	} else {
		f.file, f.wrote = r.s.files.get(name)
	}
	switch {
	case f.given.Shell == command.ModulesOf:
		dir, loads := strings.TrimSuffix(f.path, "/")+"/", language.PythonReaches(f.given.Args[0].Text)
		for _, path := range r.plants {
			if below, ok := strings.CutPrefix(path, dir); ok && loads(below) {
				f.opaque("written:" + path)
				return
			}
		}
	case f.given.Shell == command.Loaded:
		if !f.wrote {
			f.file, f.wrote = r.mayBring(f.path)
		}
		if f.linked || f.wrote && (f.file.isOwn() || f.file.from > built || f.fetched()) {
			f.opaque("written:" + f.path)
		}
	case kind == "dir":
		if r.madeIn(f.path, "") {
			f.opaque("written:" + f.path)
		}
	case !f.wrote:
	case f.file.isOwn(), f.file.from >= told && !slices.Contains([]string{".o", ".a", ".so", ".lo", ".obj", ".dylib"}, path.Ext(f.path)), f.fetched():
		f.opaque("written:" + f.path)
	}
}

// runStream runs what one of the standard streams, or another descriptor, holds.
func (f *fileRun) runStream() {
	d, n := f.r.s.stdin, f.given
	if fd, ok := strings.CutPrefix(f.word.Text, "/dev/fd/"); ok {
		d = f.r.descriptor(fd)
	}
	d = reopened(d)
	switch {
	case d.Taint&command.FromNet != 0:
		f.opaque("fetched:" + n.Shell)
	case d.Reach == tool.Exact && !d.None && n.Shell != "":
		script := command.Word{Text: d.Text, Reach: tool.Exact, Taint: d.Taint, Span: f.word.Span, At: d.At}
		given := *n
		given.Script, given.File = &script, nil
		given.Stdin = command.Data{Taint: d.Taint | command.RestOfScript} // or all of it once more
		f.r.s.stdin = given.Stdin
		f.r.childShell(f.outer, &given, f.env)
	default:
		f.opaque("stdin:" + n.Shell)
	}
}

// runVague runs a file of which only something is known.
func (f *fileRun) runVague(e tool.Effect) {
	name := strings.TrimPrefix(nameOf(e), "?")
	f.file, f.wrote = f.r.s.files.get("?" + name)
	switch {
	case f.word.Taint&command.FromNet != 0 || f.fetched():
		f.opaque("fetched:" + f.given.Shell)
	case e.Reach == tool.Anywhere:
		f.opaque("file:?") // which one is not known
	case f.wrote:
		f.opaque("written:" + name)
	default:
		f.opaque("script:" + name)
	}
}

// ownFile handles a file that is none of the script's, or the project's own work, or whose text stands in the script. It says whether there is
// nothing left to do.
func (f *fileRun) ownFile() bool {
	n, r := f.given, f.r
	switch {
	case !f.wrote:
		return n.Known && !f.linked
	case n.Known && n.Project && !f.fetched():
		return true // the project's own, edited by the way
	case (f.file.from == built || paths.Within(f.path, r.world.Project)) && f.ownWork():
		return true
	}
	return n.Known && !f.maybe && f.ownText()
}

// ownWork handles a file of the project that the script has changed before it runs it, where that is the project's own work: what a build made,
// what git took from the repository's history, and, of files that an interpreter is given, what was edited in place.
func (f *fileRun) ownWork() bool {
	n, kind, language := f.given, "file:", isLanguage(f.given)
	listed := n.Shell == "response" && f.file.data.Reach == tool.Under // names as arguments
	switch {
	case f.file.isBrought(), f.file.data.Reach == tool.Exact, f.file.from == told && !listed:
		return false
	case f.file.from == edited:
		kind = "edited:"
	}
	if !language && (n.Shell != "" || n.Known || kind != "file:" || command.ShellEnding(f.path)) {
		return false // it may be a script, which is judged by its commands
	}
	if !paths.Within(f.path, f.r.world.Project) {
		if language {
			return false
		}
		kind = "project:"
	}
	f.opaque(kind + f.path)
	return true
}

// ownText reads a program whose text stands in the script, which has put it into a file and gives that to an interpreter, like one on the
// interpreter's standard input.
func (f *fileRun) ownText() bool {
	r, n := f.r, f.given
	if !f.file.isOwn() || f.fetched() || len(n.Args) == 0 || !readsStdin(n.Shell) || f.file.unsure {
		return false
	}
	dir := paths.Parent(f.path)
	text := f.file.data.Text
	beside := r.s.dirs[0].Reach == tool.Exact && r.s.dirs[0].Text == dir
	if !beside && (strings.Contains(text, "import") || strings.Contains(text, "require")) && r.hasModules(dir, f.path, text) {
		return false
	}
	words := []command.Word{command.Known(n.Shell, n.File.Span), command.Known("-", n.File.Span)}
	words = append(words, n.Args[1:]...)
	// Its text is judged in the place of the file.
	f.outer.Effects = slices.DeleteFunc(f.outer.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute && e.Target == "file:"+f.path })
	clean := f.file // whoever loads the file meanwhile runs the same text
	clean.from = built
	r.s.files.put(f.path, clean)
	r.s.out = r.nested(f.outer, &command.Nested{Words: words, Stdin: f.file.data, Piped: true, Dir: n.Dir})
	r.s.files.put(f.path, f.file)
	return true
}

// hasModules says whether there may be something beside a program in a file that it loads: modules are looked for there first.
func (r *reader) hasModules(dir, file, text string) bool {
	if r.world.Entries == nil || strings.Contains(text, "\\\n") || strings.Contains(text, "'.") || strings.Contains(text, `".`) || strings.Contains(text, "from .") {
		return true
	}
	entries, listed := r.world.Entries(dir)
	if !listed && !r.absent(dir) || len(r.links) > 0 || r.madeIn(dir, file) {
		return true // where there is no such directory, only what this script puts there will be
	}
	have := map[string]bool{}
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name, ".")
		have[name] = true
	}
	if have["node_modules"] || have["sitecustomize"] {
		return true
	}
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "import") && !strings.Contains(line, "require") {
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

// runText reads a file that holds shell commands, and notes one that cannot be read.
func (f *fileRun) runText() {
	n, r := f.given, f.r
	text, ok := r.readScript(f.path, f.file, f.wrote)
	commands := ok && isShell(text)
	reads := (ok && shellName(n.Shell) || commands && n.Shell == "") && (!n.Known || f.wrote)
	whole := reads && f.runFile(text)
	script := commands || ok && !strings.HasPrefix(text, "#!") && !beginsProgram(text)
	switch {
	case f.fetched() && !f.maybe:
		f.opaque("fetched:" + f.path)
	case whole && f.wrote && f.file.isOwn() && !f.file.unsure && !f.linked:
	case f.wrote || n.Known: // a link that the script has made
		f.opaque("written:" + f.path)
	case whole:
	case script || n.Shell != "" || command.ShellEnding(f.path):
		f.opaque("script:" + f.path)
	default:
		f.opaque("file:" + f.path)
	}
}

// runFile reads a script file in a child shell; it says whether all of it could be read.
func (f *fileRun) runFile(text string) bool {
	r, n := f.r, f.given
	file := scriptFile{f.path, text}
	if slices.Contains(r.reading, file) {
		r.s.out = command.Data{}
		return true // it is being read already
	}
	if len(r.reading) >= maxReading {
		r.gap("scripts that run scripts, nested too deeply", f.outer.Span)
		return false
	}
	parsed, problem := r.parsed, r.problem
	r.reading = append(r.reading, file)
	r.toldDir(f.outer, f.env)
	r.inherit(f.env)
	r.arguments(n, f.outer)
	fed := n.Stdin.Taint&^f.outer.Stdin.Taint&command.RestOfScript != 0
	switch zero := command.Known(n.File.Text, tool.Span{}); {
	case fed:
		r.s.zero = asTyped(f.outer)
	case !n.File.IsKnown():
		r.s.zero = command.Word{}
	case n.Shell == "" && strings.IndexByte(n.File.Text, '/') < 0: // which was found in PATH
		r.s.zero = command.Known(f.path, tool.Span{}).Join(zero)
	default:
		r.s.zero = zero
	}
	r.s.vars.put("BASH_SOURCE", variable{alts: []command.Word{r.s.zero}, list: true})
	r.parsed = true
	first, _, _ := strings.Cut(text, "\n")
	shell := n.Shell
	if shell == "" {
		shell = "bash"
		if words := strings.Fields(strings.TrimPrefix(first, "#!")); strings.HasPrefix(first, "#!") && len(words) > 0 {
			for _, w := range words {
				if name := path.Base(w); shellName(name) {
					shell = name
				}
			}
		} else if len(f.outer.Via) > 0 || r.world.Zsh {
			shell = "sh" // whatever starts programs gives it to that
		}
	}
	r.newShell(text, &source{whole: f.outer.Span, disk: true, fed: fed}, shell, f.outer)
	whole := r.parsed && !r.spent
	r.parsed, r.problem = parsed, problem // of the script that was given
	r.reading = r.reading[:len(r.reading)-1]
	return whole
}

// readScript returns the text of a file, as the script or the disk has it.
func (r *reader) readScript(path string, f file, wrote bool) (string, bool) {
	if wrote {
		return f.data.Text, f.data.Reach == tool.Exact
	}
	if r.world.ReadFile == nil || r.remote {
		return "", false
	}
	b, err := r.world.ReadFile(path)
	if err != nil || len(b) > scan.MaxScript {
		return "", false
	}
	return string(b), true
}

// isShell says whether a file holds shell commands: its first line says so. A shell that is given more than options there runs something else.
func isShell(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "#!") {
		return strings.IndexByte(text, 0) < 0 // without that line the shell runs it itself, unless it is a program
	}
	words := strings.Fields(line[2:])
	for i, word := range words {
		slash := strings.LastIndexByte(word, '/') + 1
		if i == 0 && !command.InStandardDir(strings.TrimSuffix(word[:slash], "/")) || i > 0 && slash > 0 {
			return false
		}
		switch word[slash:] {
		case "sh", "bash", "dash", "ksh", "zsh":
			return !slices.ContainsFunc(words[i+1:], func(w string) bool { return w[0] != '-' || strings.ContainsAny(w, "csDoO") && w[1] != '-' })
		case "env", "-S":
		default:
			return false
		}
	}
	return false
}

// beginsProgram says whether a text is the beginning of a file that the kernel runs.
func beginsProgram(text string) bool {
	return slices.ContainsFunc([]string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "MZ"}, func(s string) bool { return strings.HasPrefix(text, s) })
}
