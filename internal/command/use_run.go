package command

import (
	"path"
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
	"longline/internal/value"
)

// run is a file given to be executed, of the named language or of its own.
func (r *reader) run(lang string, w Word) {
	if isShell(lang) && w.IsKnown() && w.Text == "-" && len(r.oper) == 1 {
		r.stdinCode(lang) // an end of the flags, and nothing behind it
		return
	}
	r.named(w)
	if isShell(lang) {
		r.notOption(w)
	}
	if isShell(lang) || lang == "" {
		file := w
		r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Args: r.scriptArgs(w), Shell: lang, Dir: &r.dir, Stdin: r.inv.Stdin, Piped: true})
		return
	}
	r.runFile(lang, w)
}

// notOption is the script of a shell, or the file of it. Shells take +x for an option, too, and leave out a
// lone dash.
func (f *findings) notOption(w Word) {
	if strings.HasPrefix(w.Text, "+") || w.Text == "-" {
		f.gap("a shell takes this word for an option", w.Span)
	}
}

// runFile is the execution of a file longline does not read.
func (r *reader) runFile(lang string, w Word) {
	if namesInput(w) {
		r.stdinCode(lang)
		return
	}
	if namesStream(w) { // of another descriptor
		r.execute("stdin:"+lang, w.Span)
		return
	}
	if w.Taint&FromNet != 0 {
		r.execute("fetched:"+lang, w.Span)
		return
	}
	if w.IsKnown() && isShellFile(w.Text) {
		r.run("sh", w) // by its first line, or its name
		return
	}
	if code, ok := dataCode(w); ok {
		r.code(lang, code)
		return
	}
	if strings.Contains(w.Text, "://") {
		r.execute("package:"+w.Text, w.Span) // some interpreters fetch what they run
		return
	}
	if r.launcher(w) {
		return
	}
	e := r.path(tool.Execute, w)
	if e.Reach == tool.Anywhere {
		r.gap("the file to run is known only at run time", w.Span)
		return
	}
	if isCertain(e) {
		// One that this very script writes is not what is on the disk.
		file := w
		file.Text = e.Target
		r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Args: r.scriptArgs(w), Known: true, Shell: lang})
		entryPoints(r, lang, file)
	}
	if read := (tool.Effect{Kind: tool.Read, Target: e.Target, Reach: e.Reach, Pattern: e.Pattern, Span: w.Span}); r.isSecret(read) {
		r.effect(read) // what is not a program is shown in the complaint
	}
	if isClient(lang) {
		e.Target = "script:" + e.Target
	} else {
		e.Target = "file:" + e.Target
		name := path.Base(w.Text)
		r.loud(strings.TrimSuffix(name, path.Ext(name)), w.Span)
	}
	r.effect(e)
}

// entryPoints are the files that an interpreter runs if what it is given is a directory, or a name without its ending.
func entryPoints(r *reader, lang string, given Word) {
	for _, name := range language.EntryPoints(lang, path.Ext(given.Text)) {
		file, kind := given, lang
		file.Text += name
		if path.Ext(name) == ".json" {
			kind = Loaded // it names the file to run
		}
		r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Args: r.scriptArgs(given), Known: true, Shell: kind})
	}
}

// clientLanguages are those whose scripts are orders to a server, a terminal or
// another program: like a shell's, what they do is not work on the project.
const clientLanguages = `applescript automator clickhouse cypher expect gdb git less lldb mongo powershell screen sql sqlite tmux vhs vim apt rpm logrotate docker`

func isClient(lang string) bool {
	kind, _, _ := strings.Cut(lang, "-")
	return hasWord(clientLanguages, kind)
}

// ShellEnding reports whether a file's name says that it is a script for a shell.
func ShellEnding(file string) bool {
	return hasWord(".sh .bash .zsh .ksh .fish .command", path.Ext(file))
}

func isShell(lang string) bool {
	switch lang {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "powershell", "powershell-encoded", "cmd":
		return true
	}
	return false
}

// scriptArgs is what a script sees as $0, $1, ...: the operands after it.
func (l *commandLine) scriptArgs(script Word) []Word {
	for i, w := range l.oper {
		if w.Span == script.Span && w.Text == script.Text {
			return l.oper[i:]
		}
	}
	return l.oper
}

// code is text in a language of its own.
func (r *reader) code(lang string, w Word) {
	if isShell(lang) {
		script := w
		r.inv.Runs = append(r.inv.Runs, Nested{Script: &script, Shell: lang, Dir: &r.dir})
		return
	}
	if w.Taint&FromNet != 0 {
		r.execute("fetched:"+lang, w.Span)
		return
	}
	if w.IsKnown() {
		p := program{lang: lang, text: w.Text, args: r.codeArgs(), dir: r.dir, word: w}
		if r.follow(p) {
			return
		}
		if language.ConnectsShell(w.Text) {
			r.execute("shell:reverse", w.Span)
		}
	}
	if form, ok := w.Form(); ok && !w.IsKnown() {
		// Numbers that are not known, where the language has numbers.
		if d, ok := language.ReadForm(lang, form, value.Numeral+value.Numerals); ok {
			r.perform(lang, w, d)
			return
		}
	}
	r.execute("inline:"+lang, w.Span)
}

// command is an argument vector given to this program to run.
func (r *reader) command(u Use, words []Word) {
	words, ok := toRunHere(&r.deeds, words)
	switch {
	case !ok:
	case u.Arg == "shell" && len(words) == 2 && words[0].IsKnown() && (words[0].Text == "-c" || words[0].Text == "--command"):
		r.scriptUse("", words[1], false)
	default:
		if u.Arg == "python" && path.Ext(words[0].Text) == ".py" {
			words = append([]Word{Known(u.Arg, words[0].Span)}, words...) // a script, and no program
		}
		n := r.toNest(words)
		r.inv.Launches = true
		n.Apart = u.Arg == "apart"
		if u.Arg == "env" {
			n.Without = r.without()
		}
		r.inv.Runs = append(r.inv.Runs, n)
	}
}

// toRun is the words of a command, without dashes in front of it: they may follow operands of
// the program's own. What has an address is fetched first.
func (d *deeds) toRun(words []Word) ([]Word, bool) {
	if len(words) > 1 && words[0].IsKnown() && words[0].Text == "--" {
		words = words[1:]
	}
	if len(words) > 0 && strings.Contains(words[0].Text, "://") {
		d.execute("package:"+words[0].Text, words[0].Span)
		return nil, false
	}
	return words, true
}

// toRunHere is toRun for a command on this machine, which may be given as one text.
func toRunHere(d *deeds, words []Word) ([]Word, bool) {
	words, ok := d.toRun(words)
	if ok && len(words) > 0 && isShellText(&d.surroundings, words[0]) {
		script := joinedText(words)
		d.inv.Runs = append(d.inv.Runs, Nested{Script: &script, Dir: &d.dir, Stdin: d.inv.Stdin, Piped: true})
		return nil, false
	}
	return words, ok
}

// isShellFile says whether a file is a script of a shell by its name.
func isShellFile(name string) bool { return hasWord(".sh .bash .zsh .ksh", path.Ext(name)) }

// isShellText says whether the first word of a command is no program, but the text of a command: many programs
// hand what they are given to a shell.
func isShellText(s *surroundings, w Word) bool {
	if !w.IsKnown() || w.Glob || !strings.ContainsAny(w.Text, " \t\n;&|<>`") {
		return false
	}
	e := s.path(tool.Read, w)
	return !s.exists(e.Target)
}

// toNest is a command that this program runs, in the directory where it is.
func (r *reader) toNest(words []Word) Nested {
	n := Nested{Words: words, Stdin: r.inv.Stdin, Piped: true, Env: r.scopeEnv()}
	if r.dir != r.inv.Dir {
		dir := r.dir
		n.Dir = &dir
	}
	return n
}

// commandIn is a command in a container.
func (r *reader) commandIn(u Use, words []Word) {
	words, ok := r.toRun(words)
	if !ok {
		return
	}
	n := r.toNest(words)
	n.Remote, n.Alters = true, u.Arg
	if u.Arg == composeUse {
		n.Alters = "container.exec"
		if dir := worksIn(r); r.inProject(tool.Effect{Target: dir.Text, Reach: dir.Reach}) && !r.composeReachesOut() {
			n.Code = "container.code"
		}
	}
	r.inv.Runs = append(r.inv.Runs, n)
}

// commandWith is a command that gets words from standard input.
func (r *reader) commandWith(u Use, words []Word) {
	words, ok := r.toRun(words)
	switch {
	case !ok:
	case u.Arg == "template":
		r.template(words)
	default:
		r.spread(r.toNest(words))
	}
}

// argumentsOf is the arguments of another program.
func (r *reader) argumentsOf(u Use, words []Word) {
	if words, ok := r.toRun(words); ok {
		r.inv.Runs = append(r.inv.Runs, r.toNest(append([]Word{Known(u.Arg, r.inv.Span)}, words...)))
	}
}

// fromPackage is a command of a package.
func (d *deeds) fromPackage(u Use, words []Word) {
	if words, ok := toRunHere(d, words); ok {
		d.packageRun(u.Arg, words)
	}
}

// projectScript is a script of the project, or else a command of a package.
func (r *reader) projectScript(u Use, words []Word) {
	if words, ok := toRunHere(&r.deeds, words); ok {
		r.packageScript(u.Arg, words)
	}
}

// environmentScript is a script of the project or a command, behind words that choose environments for it.
func environmentScript(r *reader, u Use, words []Word) {
	for len(words) > 1 && words[0].IsKnown() && (strings.HasPrefix(words[0].Text, "+") || strings.HasPrefix(words[0].Text, "-")) {
		words = words[1:]
	}
	if w := words[0]; w.IsKnown() {
		words = append([]Word{w.From(strings.IndexByte(w.Text, ':') + 1)}, words[1:]...)
	}
	r.projectScript(u, words)
}

// programAlone runs a program of which all words are arguments, if there are none.
func (r *reader) programAlone(items []Item) {
	if len(r.oper) > 0 || len(items) == 0 {
		return
	}
	for _, u := range items[0].Uses {
		if u.Name == "program" {
			r.argumentsOf(u, nil)
		}
	}
}

// joined is shell text made of several words with blanks between them.
func (r *reader) joined(u Use, words []Word) {
	script := joinedText(words)
	if u.Arg != "" && !isShell(u.Arg) {
		r.code(u.Arg, script)
		return
	}
	r.inv.Runs = append(r.inv.Runs, Nested{Script: &script, Shell: u.Arg, Dir: &r.dir, Stdin: r.inv.Stdin, Piped: true})
}

// joinedText is the text that words make with blanks between them.
func joinedText(words []Word) Word {
	script := words[0]
	script.Span.End = words[len(words)-1].Span.End
	for i, w := range words {
		if !w.IsKnown() {
			// Where it breaks into words, and into what, is not known.
			script.Reach, script.Glob, script.At = tool.Anywhere, false, 0
			break
		}
		if i > 0 {
			script.Text, script.At = script.Text+" "+w.Text, 0
		}
	}
	return script
}

// without are the variables that flags take out of the environment.
func (l *commandLine) without() []Word {
	var names []Word
	for i := range l.given {
		switch g := &l.given[i]; g.name {
		case "-u", "--unset":
			names = append(names, g.values...)
		case "-i", "--ignore-environment":
			names = append(names, Word{})
		}
	}
	return names
}

// scopeEnv is what this program sets for the one it runs.
func (l *commandLine) scopeEnv() []Assign {
	var env []Assign
	for _, w := range l.oper {
		if !isAssignment(w) {
			break
		}
		name, _, _ := strings.Cut(w.Text, "=")
		env = append(env, Assign{Name: name, Value: w.From(len(name) + 1), Prefix: true})
	}
	return env
}
