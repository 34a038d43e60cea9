package command

import (
	"strings"

	"longline/internal/tool"
)

// Uses lists the vocabulary of models: what a word can be used for. A use that
// ends in a colon takes an argument. docs/models.md explains each.
var Uses = []string{
	"text", "pattern", "number", "ref", "stat", "name-filter", "any-of",
	"read", "create", "write", "delete", "move", "modify",
	"chdir", "chdir-operands", "run", "run:", "script", "script:", "code:", "command", "command;", "command+", "assign",
	"url", "send", "host", "send-host", "upload", "remote-path", "remote-dest", "remote-command", "at-file",
	"control:", "execute:", "gap",
}

// AllUses lists the whole vocabulary.
func AllUses() []string { return append(append([]string(nil), Uses...), languageUses...) }

// KnownUse says whether the vocabulary has a use.
func KnownUse(u Use) bool {
	name := u.Name
	if u.Arg != "" {
		name += ":"
	}
	for _, k := range Uses {
		if k == name {
			return true
		}
	}
	return knownLanguageUse(name)
}

// establishes says whether a use changes how other words are read, so that it
// must be applied before them.
func establishes(use string) bool { return use == "chdir" || use == "name-filter" || use == "any-of" }

// use applies one use to one word.
func (r *reader) use(u Use, w Word, operand bool) {
	switch u.Name {
	case "text", "pattern", "number", "ref", "stat":
	case "read":
		r.pathUse(tool.Read, w, operand)
	case "create":
		r.pathUse(tool.Create, w, operand)
	case "write":
		r.pathUse(tool.Write, w, operand)
	case "delete":
		r.pathUse(tool.Delete, w, operand)
	case "modify":
		// Ownership, permissions, attributes: the content stays.
		r.pathUse(tool.Write, w, operand)
	case "move":
		r.pathUse(tool.Read, w, operand)
		if !isStream(w.Text) {
			e := r.path(tool.Write, w)
			e.Tree = true
			r.effect(e)
		}
	case "chdir":
		r.chdir(w)
	case "chdir-operands":
		before := r.dir
		r.chdir(w)
		r.scope.later, r.dir = r.dir, before
	case "name-filter":
		if w.IsKnown() && !strings.Contains(w.Text, "/") {
			r.scope.filters = append(r.scope.filters, w.Text)
		} else {
			r.scope.negated = true
		}
	case "any-of":
		r.scope.negated = true
	case "run":
		r.run(u.Arg, w)
	case "script":
		script := w
		r.inv.Runs = append(r.inv.Runs, Nested{Script: &script, Args: r.scriptArgs(w), Shell: u.Arg, Stdin: r.inv.Stdin, Piped: true, Dir: &r.dir})
	case "code":
		r.code(u.Arg, w)
	case "assign":
		if name, value, ok := strings.Cut(w.Text, "="); ok && w.Reach != tool.Anywhere {
			v := w
			v.Text, v.At = value, shift(w.At, len(name)+1)
			r.variable(Assign{Name: name, Value: v, Prefix: true})
		} else {
			r.gap("an assignment is not known", w.Span)
		}
	case "url":
		r.url(tool.Fetch, w)
	case "send":
		r.url(tool.Send, w)
	case "host":
		r.host(tool.Fetch, w)
	case "send-host":
		r.host(tool.Send, w)
	case "upload":
		r.pathUse(tool.Read, w, operand)
		r.effect(tool.Effect{Kind: tool.Send, Span: w.Span})
	case "at-file":
		r.atFile(w)
	case "remote-path":
		r.remotePath(w, tool.Read)
	case "remote-dest":
		r.remotePath(w, tool.Write)
	case "remote-command":
		r.inv.Runs = append(r.inv.Runs, Nested{Words: []Word{w}, Remote: true})
	case "control":
		r.control(u.Arg, w.Span)
	case "execute":
		r.execute(u.Arg, w.Span)
	case "gap":
		r.gap("longline does not follow "+quote(w.Text), w.Span)
	default:
		r.language(u, w)
	}
}

// pathUse is an effect on the path a word names.
func (r *reader) pathUse(kind tool.Kind, w Word, operand bool) {
	if w.IsKnown() && (isStream(w.Text) || w.Text == "") {
		return
	}
	e := r.path(kind, w)
	if operand {
		e.Tree = r.scope.tree
		if f := r.filter(); f != "" && e.Reach != tool.Anywhere && kind != tool.Read {
			// A search limited to one name touches only files of that name.
			if !e.Pattern {
				e.Target = EscapeGlob(e.Target)
			}
			e.Target, e.Pattern, e.Reach, e.Tree = clean(e.Target+"/**/"+f), true, tool.Exact, false
		}
	}
	r.effect(e)
}

// filter is the only name a search looks for, or "".
func (r *reader) filter() string {
	if len(r.scope.filters) != 1 || r.scope.negated {
		return ""
	}
	return r.scope.filters[0]
}

func (r *reader) chdir(w Word) {
	e := r.path(tool.Read, w)
	if e.Reach == tool.Anywhere || e.Pattern {
		r.dir = Word{Span: w.Span, At: -1}
		return
	}
	r.dir = Word{Text: e.Target, Reach: e.Reach, Span: w.Span, At: -1}
}

// run is a file given to be executed, of the named language or of its own.
func (r *reader) run(lang string, w Word) {
	if isShell(lang) || lang == "" {
		file := w
		r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Args: r.scriptArgs(w), Shell: lang, Dir: &r.dir, Stdin: r.inv.Stdin, Piped: true})
		return
	}
	r.runFile(lang, w)
}

// runFile is the execution of a file longline does not read.
func (r *reader) runFile(lang string, w Word) {
	if w.IsKnown() && isStream(w.Text) {
		r.stdinCode(lang)
		return
	}
	if w.Taint&FromNet != 0 {
		r.execute("fetched:"+lang, w.Span)
		return
	}
	if r.launcher(w) {
		return
	}
	e := r.path(tool.Execute, w)
	if e.Reach == tool.Anywhere {
		r.gap("the file to run is not known", w.Span)
		return
	}
	e.Target = "file:" + e.Target
	r.effect(e)
}

func isShell(lang string) bool {
	switch lang {
	case "sh", "bash", "zsh", "dash", "ksh", "fish":
		return true
	}
	return false
}

// scriptArgs is what a script sees as $0, $1, ...: the operands after it.
func (r *reader) scriptArgs(script Word) []Word {
	for i, w := range r.oper {
		if w.Span == script.Span && w.Text == script.Text {
			return r.oper[i:]
		}
	}
	return r.oper
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
	if w.IsKnown() && onlyComputes(lang, w.Text) {
		return
	}
	r.execute("inline:"+lang, w.Span)
}

// command is an argument vector given to this program to run.
func (r *reader) command(u Use, words []Word) {
	if len(words) > 1 && words[0].IsKnown() && words[0].Text == "--" {
		words = words[1:] // it may follow operands of the program's own
	}
	switch u.Name {
	case "package-run":
		r.packageRun(u.Arg, words)
		return
	case "package-script":
		r.packageScript(u.Arg, words)
		return
	}
	n := Nested{Words: words, Stdin: r.inv.Stdin, Piped: true, Env: r.scopeEnv(), Clear: r.flagGiven("-i", true) && u.Arg == "env"}
	if r.dir != r.inv.Dir {
		dir := r.dir
		n.Dir = &dir
	}
	if u.Name == "command+" {
		// The words it adds at run time are what its standard input says.
		n.More, n.Input = true, r.inv.Stdin
		n.Stdin = Data{None: true, At: -1}
	}
	if u.Arg == "remote" {
		n.Remote = true
	}
	r.inv.Runs = append(r.inv.Runs, n)
}

// scopeEnv is what this program sets for the one it runs.
func (r *reader) scopeEnv() []Assign {
	var env []Assign
	for _, w := range r.oper {
		if !isAssignment(w) {
			break
		}
		name, value, _ := strings.Cut(w.Text, "=")
		v := w
		v.Text, v.At = value, shift(w.At, len(name)+1)
		env = append(env, Assign{Name: name, Value: v, Prefix: true})
	}
	return env
}

// each is a command run for every path that a search finds: "{}" stands for it.
func (r *reader) each(words []Word) {
	roots := r.oper
	if len(roots) == 0 {
		roots = []Word{Known(".", r.inv.Span)}
	}
	for _, root := range roots {
		found := r.found(root)
		vector := make([]Word, len(words))
		for i, w := range words {
			if vector[i] = w; strings.Contains(w.Text, "{}") && w.IsKnown() {
				vector[i] = replaceFound(w, found)
			}
		}
		r.inv.Runs = append(r.inv.Runs, Nested{Words: vector, Stdin: Data{None: true, At: -1}, Piped: true})
	}
}

// found is a path that a search below root may find.
func (r *reader) found(root Word) Word {
	if f := r.filter(); f != "" && root.Reach == tool.Exact {
		text := root.Text
		if !root.Glob {
			text = EscapeGlob(text)
		}
		return Word{Text: text + "/**/" + f, Reach: tool.Exact, Glob: true, Span: root.Span, At: -1}
	}
	if root.Reach == tool.Exact && !root.Glob {
		root.Reach = tool.Under
	} else if root.Glob {
		root = Word{Text: staticDir(root.Text), Reach: tool.Under, Span: root.Span, At: -1}
		if root.Text == "/" {
			root.Text = "."
		}
	}
	return root
}

func replaceFound(w, found Word) Word {
	if w.Text == "{}" {
		found.Span = w.Span
		return found
	}
	// Part of a longer word, whose beginning may still say something.
	head, _, _ := strings.Cut(w.Text, "{}")
	return Word{Text: head, Reach: tool.Prefix, Span: w.Span, At: -1}
}
