package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/scan"
	"longline/internal/tool"
)

// runFileOf runs a file that an invocation executes. Those the script has written
// are told apart, and those that hold shell commands are read.
func (r *reader) runFileOf(outer *command.Invocation, c *state, n *command.Nested) {
	w := *n.File
	opaque := func(target string, reach tool.Reach) {
		outer.Effects = append(outer.Effects, tool.Effect{Kind: tool.Execute, Target: target, Reach: reach, Span: w.Span})
		c.out = command.Data{Taint: c.out.Taint} // nobody knows what it prints
	}
	if w.IsKnown() && harmless(w.Text) {
		d := c.stdin
		if fd, ok := strings.CutPrefix(w.Text, "/dev/fd/"); ok {
			d = r.descriptor(c, fd, w.Text)
		}
		switch {
		case d.Taint&command.FromNet != 0:
			opaque("fetched:"+n.Shell, tool.Exact)
		case d.Reach == tool.Exact && !d.None && n.Shell != "":
			script := command.Word{Text: d.Text, Reach: tool.Exact, Taint: d.Taint, Span: w.Span, At: d.At}
			n.Script = &script
			r.childShell(outer, c, n, outer.Env)
		default:
			opaque("stdin:"+n.Shell, tool.Exact)
		}
		return
	}
	e := outer.PathEffect(tool.Read, w, r.world)
	if e.Reach != tool.Exact || e.Pattern || r.remote {
		f := c.wrote(vagueFile(e))
		switch {
		case r.code != "" && n.Known && e.Reach == tool.Exact && !e.Pattern && c.files.perhaps(e.Target) == nil:
			// Accounted for, and nothing that this script has written.
		case w.Taint&command.FromNet != 0 || f != nil && f.data.Taint&command.FromNet != 0:
			opaque("fetched:"+n.Shell, tool.Exact)
		case e.Reach == tool.Anywhere:
			opaque("file:?", tool.Exact) // which one is not known
		case f != nil:
			opaque("written:"+vaguely(e), tool.Exact)
		default:
			opaque("script:"+vaguely(e), tool.Exact)
		}
		return
	}
	path := e.Target
	for _, l := range c.links {
		if l.From == path {
			path = l.To
		}
	}
	if !n.Known || shellName(n.Shell) || readsStdin(n.Shell) {
		outer.RunsFile(path) // and does not only look whether something was put there
	}
	if dir, ok := strings.CutSuffix(path, "/config"); ok && n.Shell == "git-config" && c.freshClone(dir) {
		return
	}
	f := c.wrote(path)
	perhaps := n.Known && n.Shell != "" && f == nil // one of many files, of a whole tree
	if perhaps {
		f = c.files.perhaps(path)
	} else if brought := c.files.perhaps(path); f == nil && brought != nil && brought.foreign && brought.data.Taint&command.FromNet == 0 {
		f, perhaps = brought, true
	}
	if n.Known && f == nil && path == e.Target {
		return
	}
	if n.Known && n.Project && f != nil && f.data.Taint&command.FromNet == 0 {
		return // the project's own, edited by the way
	}
	if f != nil && (f.built || paths.Within(path, r.world.Project)) && r.ownWork(n, f, path, opaque) {
		return
	}
	if f != nil && n.Known && !perhaps && r.ownText(outer, c, n, f, path) {
		return
	}
	text, ok := r.readScript(c, path, f)
	if name := interpreter(text); ok && n.Shell == "" && !n.Known && f == nil && path == e.Target && !isShell(text) && r.lib.Has(name) {
		words := []command.Word{command.Known(name, w.Span), w}
		if len(n.Args) > 1 {
			words = append(words, n.Args[1:]...)
		}
		c.out = r.nested(nil, outer, c, &command.Nested{Words: words, More: n.More, Input: n.Input, Stdin: n.Stdin, Piped: n.Piped, Dir: n.Dir})
		return
	}
	whole := ok && (shellName(n.Shell) || n.Shell == "" && isShell(text)) && !(n.Known && f == nil) && r.runFile(outer, c, n, path, text)
	switch {
	case f != nil && f.data.Taint&command.FromNet != 0 && !perhaps:
		opaque("fetched:"+path, tool.Exact)
	case whole && f != nil && f.data.Reach == tool.Exact && !f.foreign: // its commands have been judged
	case f != nil || n.Known: // a link that the script has made
		opaque("written:"+path, tool.Exact)
	case !whole && (n.Shell != "" || ok && isShell(text) || command.ShellEnding(path)):
		opaque("script:"+path, tool.Exact)
	case !whole:
		opaque("file:"+path, tool.Exact)
	}
}

// ownWork handles a file of the project that the script has changed before it runs
// it, where that is the project's own work: what a build made, what git took from
// the repository's history, and, of files that an interpreter is given, what was
// edited in place. It says whether it was.
func (r *reader) ownWork(n *command.Nested, f *file, path string, opaque func(string, tool.Reach)) bool {
	language := n.Known && n.Shell != "" && !shellName(n.Shell)
	kind := "file:"
	switch {
	case f.foreign || f.data.Taint&command.FromNet != 0 || f.data.Reach == tool.Exact:
		return false
	case f.authored:
		kind = "planted:"
	case f.edited:
		kind = "edited:"
	case !language && f.from != "" && !r.isProgram(f.from):
		return false // it may be a script, which is judged by its commands
	}
	if !language && (n.Shell != "" || n.Known || kind != "file:" || command.ShellEnding(path)) {
		return false
	}
	if !paths.Within(path, r.world.Project) {
		if language {
			return false
		}
		kind = "project:"
	}
	opaque(kind+path, tool.Exact)
	return true
}

// ownText reads a program whose text stands in the script, which has put it into a
// file and gives that to an interpreter, like one on the interpreter's standard input.
func (r *reader) ownText(outer *command.Invocation, c *state, n *command.Nested, f *file, path string) bool {
	if f.data.Reach != tool.Exact || f.data.Taint&command.FromNet != 0 || f.foreign || len(n.Args) == 0 || !readsStdin(n.Shell) {
		return false
	}
	beside := c.dir.Reach == tool.Exact && c.dir.Text == path[:max(strings.LastIndexByte(path, '/'), 1)]
	if !beside && (strings.Contains(f.data.Text, "import") || strings.Contains(f.data.Text, "require")) && r.hasBeside(c, path, f.data.Text) {
		return false
	}
	words := []command.Word{command.Known(n.Shell, n.File.Span), command.Known("-", n.File.Span)}
	if len(n.Args) > 1 {
		words = append(words, n.Args[1:]...)
	}
	// Its text is judged in the place of the file.
	outer.Effects = slices.DeleteFunc(outer.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute && e.Target == "file:"+path })
	// Whoever loads the file meanwhile runs the same text.
	was := *f
	r.writes(c, path, func(f *file) { f.authored, f.edited = false, false })
	r.nested(nil, outer, c, &command.Nested{Words: words, Stdin: was.data, Piped: true, Dir: n.Dir})
	r.writes(c, path, func(f *file) { f.authored, f.edited = f.authored || was.authored, f.edited || was.edited })
	return true
}

// hasBeside says whether there may be something beside a program in a file that it loads:
// modules are looked for there first.
func (r *reader) hasBeside(c *state, path, text string) bool {
	if r.world.Entries == nil || strings.Contains(text, "\\\n") || strings.Contains(text, "'.") || strings.Contains(text, `".`) || strings.Contains(text, "from .") {
		return true
	}
	dir := path[:max(strings.LastIndexByte(path, '/'), 0)]
	made := false
	c.files.each(func(_ string, f *file) bool {
		other := strings.TrimPrefix(f.path, "?")
		made = other != path && (paths.Within(other, dir) || paths.Within(dir, other) && other != f.path)
		return !made
	})
	entries, listed := r.world.Entries(dir)
	if made || len(c.links) > 0 || !listed {
		return true
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
		for name := range strings.FieldsFuncSeq(line, func(c rune) bool {
			return !(c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
		}) {
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
func (r *reader) readScript(s *state, path string, f *file) (string, bool) {
	if f != nil {
		return f.data.Text, f.data.Reach == tool.Exact
	}
	if r.world.ReadFile == nil || r.remote {
		return "", false
	}
	b, err := r.world.ReadFile(path)
	if err != nil || len(b) > scan.MaxScript {
		return "", false
	}
	text := string(b)
	if r.found == nil {
		r.found = map[string]bool{}
	}
	if _, again := r.found[text]; !again {
		r.found[text] = false
	}
	return text, true
}

// isShell says whether a file holds shell commands: its first line says so.
func isShell(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "#!") {
		// Without that line the shell runs it itself, unless it is a program.
		return strings.IndexByte(text, 0) < 0
	}
	for i, word := range strings.Fields(line[2:]) {
		slash := strings.LastIndexByte(word, '/') + 1
		if i == 0 && !command.InStandardDir(strings.TrimSuffix(word[:slash], "/")) || i > 0 && slash > 0 {
			return false
		}
		switch word[slash:] {
		case "sh", "bash", "dash", "ksh", "zsh":
			return true
		case "env", "-S":
		default:
			return false
		}
	}
	return false
}

// shellName says whether a language of scripts is one of a shell.
func shellName(lang string) bool {
	switch lang {
	case "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "busybox":
		return true
	}
	return false
}

// interpreter is the program that the first line of a file names to be run with,
// if it gives it no flags.
func interpreter(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "#!") || strings.HasSuffix(line, "\r") {
		return ""
	}
	words := strings.Fields(line[2:])
	if len(words) == 0 || !command.InStandardDir(words[0][:max(strings.LastIndexByte(words[0], '/'), 0)]) || len(words) > 1 && strings.Contains(words[1], "/") {
		return ""
	}
	name, flags := command.Shebang(line)
	if flags != "" {
		return ""
	}
	return name
}

// runFile reads a script file in a child shell; it says whether all of it could
// be read.
func (r *reader) runFile(outer *command.Invocation, c *state, n *command.Nested, path, text string) bool {
	for _, f := range r.reading {
		if f.path == path && f.text == text {
			c.out = command.Data{}
			return true // it is being read already
		}
	}
	if len(r.reading) >= 6 {
		r.gap("scripts that run scripts, nested too deeply", outer.Span)
		return false
	}
	parsed, problem := r.parsed, r.problem
	r.reading = append(r.reading, scriptFile{path, text})
	c.inherit(outer.Env, n.Shell == "bash")
	c.params, c.many, c.loose = nil, false, 0
	r.arguments(c, n, outer)
	c.zero = command.Known(path, tool.Span{})
	r.parsed = true
	r.startOptions(c, n.Shell, outer)
	first, _, _ := strings.Cut(text, "\n")
	if n.Shell == "" && strings.HasPrefix(first, "#!") {
		r.lineOptions(c, first, outer)
	}
	r.run(text, &source{whole: outer.Span, disk: true}, c, n.Shell == "zsh" || strings.HasPrefix(first, "#!") && strings.Contains(first, "zsh"))
	whole := r.parsed && !r.spent
	r.parsed, r.problem = parsed, problem // of the script that was given
	r.reading = r.reading[:len(r.reading)-1]
	return whole
}
