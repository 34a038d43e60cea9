package command

import (
	"path"
	"strings"

	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// Package runners (npx, uvx) and interpreters (python -m) take a name and run
// what a package manager knows by it. Which names are well known is data: the
// subcommands of a model "list/LIST", a name that no program can have. An entry
// without content stands for the program of its first name; an entry with
// content is that name's own level.

// listed finds a name in a list. program is the first of its synonyms.
func (l *Library) listed(list, name string) (level *Level, program string) {
	m := l.list(list)
	if m == nil {
		return nil, ""
	}
	level, program, exact := m.Subs.find(name)
	if !exact {
		return nil, ""
	}
	return level, program
}

// list is the list of a name.
func (l *Library) list(name string) *Model { return l.find("list/" + name) }

// blank says whether an entry of a list only names a program.
func (l *Level) blank() bool {
	return l.Flags.Empty() && len(l.Operands) == 0 && len(l.Effects) == 0 && l.Subs.Empty() && len(l.Modes) == 0
}

// packageRun is a command whose program comes from a package. Well-known ones
// are taken to be the project's own; all others are what the registry sends.
func (d *deeds) packageRun(list string, words []Word) {
	w := words[0]
	if !w.IsKnown() {
		d.gap("the package to run is known only at run time", w.Span)
		return
	}
	_, program := d.lib.listed(list, w.Text)
	if program == "" {
		d.execute("package:"+w.Text, w.Span)
		return
	}
	d.execute("project:"+list, w.Span)
	d.inv.Launches = true
	d.nested(append([]Word{Known(program, w.Span)}, words[1:]...))
	d.inv.Runs[len(d.inv.Runs)-1].Package = true
}

// packageScript is the name of one of the project's scripts with its arguments,
// in a package manager that falls back to programs and files of that name.
func (r *reader) packageScript(list string, words []Word) {
	w := words[0]
	_, program := r.lib.listed(list, w.Text)
	defined, readable := false, false
	if list == "npm" {
		defined, readable = r.packageScripts(w.Text)
	} else if w.IsKnown() && !strings.Contains(w.Text, "/") {
		tomlTask(r, isTomlScripts, w.Text, words[1:], w.Span)
	}
	switch {
	case !w.IsKnown():
		r.gap("the script to run is known only at run time", w.Span)
	case defined:
		r.task(list, w, words[1:])
	case program != "":
		r.packageRun(list, words)
	case w.Text == "-":
		r.stdinCode("node")
	case language.IsJavaScript(path.Ext(w.Text)):
		r.source("node", w)
	case strings.Contains(w.Text, "/") && (path.Ext(w.Text) == "" || isShellFile(w.Text)):
		r.nested(words)
	case strings.ContainsAny(w.Text, "/."):
		r.runFile(list, w)
	case !readable && r.isUsualScript(words):
		r.task(list, w, words[1:])
	default:
		// Without a script of that name it is a program, the project's or any other.
		r.nested(words)
		if !readable && nameHas(w.Text, usualScripts) {
			handedOn(r, Use{}, words[1:])
		}
	}
}

// usualScripts are words of the names that projects give their scripts. They count
// only where the definitions cannot be read.
const usualScripts = `build bundle check ci clean compile coverage dev develop docs e2e fix fmt format generate lint preview serve spec start storybook test tests
	tsc type typecheck types unit validate verify watch`

// isUsualScript says whether words name a script that projects have, and no program that
// is given something to work on.
func (d *deeds) isUsualScript(words []Word) bool {
	name := words[0].Text
	return nameHas(name, usualScripts) && !(d.lib.Has(name) && (len(words) > 1 || !d.inv.Stdin.None))
}

// packageScripts says whether package.json has a script of a name, and whether it
// could be read.
func (r *reader) packageScripts(name string) (defined, readable bool) {
	eachPackage(r, func() {
		before := r.dir
		defer func() { r.dir = before }()
		text, ok := nearest(r, "package.json")
		if !ok {
			return
		}
		if doc, err := strictjson.Parse([]byte(text)); err == nil {
			defined, readable = defined || doc.Get("scripts").Get(name).Kind == strictjson.String, true
		}
	})
	return defined, readable
}

// module is the value of a flag that names code to run and takes all further
// words as that code's arguments.
func (r *reader) module(f *Flag, list string, name Word, rest []Word) {
	r.note(f, f.Name, []Word{name}, name.Span)
	defer func() { r.ended = true }()
	if !name.IsKnown() {
		r.gap("the module to run is known only at run time", name.Span)
		return
	}
	level, target := r.lib.listed(list, name.Text)
	program := strings.ReplaceAll(name.Text, "_", "-") // as packages are named that have a program
	moduleHere(r, name, level != nil || r.lib.Has(program))
	switch {
	case level == nil && r.lib.standard(list, name.Text):
		r.gap("longline does not know the module "+quote(name.Text), name.Span)
		r.enter(&Level{}, name, nil)
	case level == nil && r.lib.Has(program):
		r.enter(&Level{}, name, nil)
		r.nested(append([]Word{Known(program, name.Span)}, rest...))
	case level == nil:
		// It is the project's, or installed for it, like the plugins of its tools.
		r.enter(&Level{}, name, nil)
		r.execute("project:"+strings.TrimSuffix(list, "-module"), name.Span)
		r.loud(name.Text, name.Span)
	case level.blank():
		// The interpreter's own level says nothing of what a module does.
		r.enter(&Level{}, name, nil)
		r.nested(append([]Word{Known(target, name.Span)}, rest...))
	default:
		r.enter(level, name, rest)
	}
}

// moduleHere looks for a module that is run by its name where the command runs: there may be another one than the
// one that is known.
func moduleHere(r *reader, name Word, known bool) {
	root, _, _ := strings.Cut(name.Text, ".")
	switch {
	case r.dir.Reach != tool.Exact:
	case language.PythonShadows(root):
		r.pythonModules(program{lang: "python", dir: r.dir, word: name}, []string{root})
	case known:
		r.asksForModules(r.dir, []string{root}, root)
	}
}

// standard says whether a module is a part of one that is known.
func (l *Library) standard(list, name string) bool {
	head, _, dotted := strings.Cut(name, ".")
	level, _ := l.listed(list, head)
	return dotted && level != nil || name == "" || strings.HasPrefix(name, "-")
}

// loud adds that something goes live if the name of code of the project says so,
// as it does for a task.
func (f *findings) loud(name string, span tool.Span) {
	if soundsLikeDeploy(name) {
		f.control("deploy", span)
	}
}

// nested is a command run where this one works.
func (d *deeds) nested(words []Word) {
	n := Nested{Words: words, Stdin: d.inv.Stdin, Piped: true}
	if d.dir != d.inv.Dir {
		dir := d.dir
		n.Dir = &dir
	}
	d.inv.Runs = append(d.inv.Runs, n)
}

// namesModule says whether a flag's value names code that takes all further
// words.
func (f *Flag) namesModule() bool {
	return len(f.Values) > 0 && len(f.Values[0]) > 0 && f.Values[0][0].Name == "python-module"
}

// wrapper says whether a path is a project's own launcher of a well-known tool:
// a script checked in beside the code, such as a build tool's wrapper.
func (l *Library) wrapper(dir, name string) bool {
	if strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~") {
		return false
	}
	for part := range strings.SplitSeq(dir, "/") {
		if part == ".." {
			return false
		}
	}
	level, _ := l.listed("launchers", name)
	return level != nil
}

// launcher is a script given to its interpreter that is a project's own launcher
// of a well-known tool, or its copy of one: python manage.py, php artisan, node node_modules/.bin/rimraf.
func (r *reader) launcher(w Word) bool {
	dir, name := path.Split(w.Text)
	dir = strings.TrimSuffix(dir, "/")
	if w.IsKnown() && !r.lib.wrapper(dir, name) {
		if name = installedProgram(dir, name); !r.inProject(r.path(tool.Read, w)) {
			return false
		}
	}
	if !w.IsKnown() || name == "" || !r.lib.Has(name) {
		return false
	}
	args := r.scriptArgs(w)
	if len(args) == 0 || args[0].Span != w.Span {
		return false // it is not an operand, and what follows is not its own
	}
	r.execute("project:"+name, w.Span)
	r.inv.Runs = append(r.inv.Runs, Nested{File: &w, Known: true})
	r.nested(append([]Word{Known(name, w.Span)}, args[1:]...))
	return true
}

// installedProgram is the program that a file is where package managers put a project's own copies, or in such a package; "" if it is none.
func installedProgram(dir, name string) string {
	if inProjectDir(dir) {
		return name
	}
	const packages = "/node_modules/"
	at := strings.LastIndex("/"+dir, packages)
	if at < 0 || !hasWord(".js .cjs .mjs", path.Ext(name)) && path.Ext(name) != "" {
		return ""
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	switch pack, inner := strings.CutSuffix(("/" + dir)[at+len(packages):], "/bin"); {
	case inner:
		return name
	case strings.Contains(strings.TrimPrefix(pack, "@"), "/") == strings.HasPrefix(pack, "@") && (name == "bin" || name == "cli"):
		return path.Base(pack)
	}
	return ""
}

// config is a file or directory that decides which code a tool runs. Inside the
// project it is the project's own, like the code itself; but a definition that a flag
// names, whatever its name, must not be of this very script's making.
func (d *deeds) config(w Word, operand bool) {
	if isExactly(w, "") {
		return
	}
	if w.Text != "@" {
		w.Text = strings.TrimPrefix(w.Text, "@") // a file of further arguments
	}
	if w.Text == "-" {
		d.execute("stdin:config", w.Span)
		return
	}
	if _, code := dataCode(w); code || strings.Contains(w.Text, "://") || beginsWith("git@ github.com/", w.Text) {
		// Tools that take a file often take an address as well.
		d.effect(tool.Effect{Kind: tool.Execute, Target: "config:" + w.Text, Reach: tool.Exact, Span: w.Span})
		return
	}
	e := d.path(tool.Read, w)
	inline := isInline(w, operand)
	if d.inProject(e) && !inline {
		d.projectConfig(e, w, operand)
		return
	}
	if e.Reach == tool.Anywhere || inline {
		d.gap("longline does not follow this configuration", w.Span)
		return
	}
	e.Kind, e.Target = tool.Execute, "config:"+e.Target
	d.effect(e)
}

// projectConfig is such a file of the project.
func (f *findings) projectConfig(e tool.Effect, w Word, operand bool) {
	f.effect(e)
	if !isCertain(e) {
		return
	}
	n := Nested{File: &w, Known: true, Project: operand}
	if !operand {
		n.Shell = "config"
	}
	f.inv.Runs = append(f.inv.Runs, n)
}

// isInline says whether a word is not the name of a configuration but its text.
func isInline(w Word, operand bool) bool {
	return strings.ContainsAny(w.Text, "{\n") && !w.Glob && (!operand || !bracedName(w.Text))
}

// bracedName says whether braces in a text can only choose between endings of a file's
// name, as in src/**/*.{ts,tsx}, which a tool expands by itself.
func bracedName(text string) bool {
	dir, name := path.Split(text)
	return dir != "" && !strings.Contains(text, "\n") && !strings.ContainsAny(dir, "{}") && !strings.Contains(name, "..")
}

// rewrite is a file that a formatter rewrites, or a directory below which it
// rewrites files of certain names. Names are separated by bars.
func (d *deeds) rewrite(names string, w Word) {
	if namesNothing(w) {
		return
	}
	e := d.path(tool.Write, w)
	d.effect(e)
	if e.Reach != tool.Exact || path.Ext(e.Target) != "" {
		return // nothing below an unknown place is better known, and nothing is below a file
	}
	if !e.Pattern {
		e.Target, e.Pattern = paths.Escape(e.Target), true
	}
	below := e.Target
	for name := range strings.SplitSeq(names, "|") {
		e.Target = clean(below + "/**/" + name)
		d.effect(e)
	}
}

// inProject says whether a path lies in the project, whatever is unknown of it.
func (s *surroundings) inProject(e tool.Effect) bool {
	root := s.world.Project
	if root == "" || e.Reach == tool.Anywhere {
		return false
	}
	if e.Pattern {
		root = paths.Escape(root)
	}
	if e.Target == root {
		return e.Reach != tool.Prefix
	}
	return strings.HasPrefix(e.Target, root+"/") && (e.Pattern || s.staysInside(e.Target))
}

// staysInside says whether no link leads from a path in the project out of it.
func (s *surroundings) staysInside(path string) bool {
	return paths.Within(Follow(path, s.world), s.world.Project)
}

// elsewhere adds what a flag such as -C makes of "the project's code": that of
// another place.
func (d *deeds) elsewhere(span tool.Span) {
	if d.dir == d.inv.Dir {
		return
	}
	e := tool.Effect{Kind: tool.Execute, Target: d.dir.Text, Reach: d.dir.Reach, Span: span}
	switch {
	case d.inProject(e):
	case e.Reach == tool.Anywhere:
		d.gap("the directory whose code runs is known only at run time", span)
	default:
		e.Target = "config:" + e.Target
		d.effect(e)
	}
}

// packageSource is where packages are taken from: an address, a file or directory, or the
// name that the program's own settings give to one, which is no news.
func (r *reader) packageSource(w Word) {
	if scheme, rest, ok := strings.Cut(w.Text, "://"); ok && w.Reach != tool.Anywhere {
		r.url(tool.Fetch, w)
		if at, _, _ := strings.Cut(rest, "/"); w.IsKnown() && scheme != "file" && loopback(at) {
			return
		}
	} else if w.IsKnown() && isPlainWord(w.Text) {
		return
	} else {
		r.config(w, false)
	}
	r.control("package.source", w.Span)
}

// packageUse is a word that names a package whose code is fetched and run.
func (d *deeds) packageUse(w Word) {
	if !w.IsKnown() {
		d.gap("the package to run is known only at run time", w.Span)
		return
	}
	d.execute("package:"+w.Text, w.Span)
}

// packSteps are the scripts that may run where a package is packed, or published.
var packSteps = []string{"prepublishOnly", "pack", "prepare", "publish"}

// packed is a package that an archive is made of: one of this machine or a
// repository, whose own code is run for it, or one that is fetched as it is.
func packed(r *reader, kind string, w Word) {
	if !w.IsKnown() {
		r.gap("the package to pack is known only at run time", w.Span)
		return
	}
	text, file := strings.CutPrefix(w.Text, "file:")
	switch {
	case file || isPathText(text) || strings.HasPrefix(text, "~"):
		e := r.path(tool.Read, Word{Text: text, Reach: w.Reach, Span: w.Span})
		if r.inProject(e) {
			r.effect(e)
			r.execute("project:"+kind, w.Span)
			dirs := []string{e.Target}
			if !isCertain(e) {
				dirs = directoriesOf(&r.deeds, e, !e.Pattern)
			}
			inPackages(r, dirs, func() { packageSteps(r, packSteps, w.Span) })
			return
		}
		r.effect(tool.Effect{Kind: tool.Execute, Target: "config:" + e.Target, Reach: e.Reach, Span: w.Span})
	case strings.Contains(text, ":") && !strings.Contains(text, "@npm:"), strings.Contains(text, "/") && !strings.HasPrefix(text, "@"):
		r.execute("package:"+text, w.Span) // a repository, which is built
	default:
		r.effect(tool.Effect{Kind: tool.Fetch, Target: "@registry", Reach: tool.Exact, Span: w.Span})
	}
}
