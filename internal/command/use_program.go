package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/tool"
)

// program is the text of a program in another language than the shell's.
type program struct {
	lang, text string
	args       []Word // what it sees as its arguments
	dir        Word   // where it looks for modules first
	word       Word   // where it is written, or named
	file       bool   // it is in a file
	search     []Word // further places in which it looks for modules
}

// follow turns what a program does into effects. It is true if that is all; if
// not, what is certain is among the effects, and the rest is for the caller to
// call unknown.
func (r *reader) follow(p program) bool {
	d, ok := language.Read(p.lang, p.text, p.seen())
	if !ok {
		return false
	}
	if !p.file { // what the project does with its variables is its own affair
		r.asksFor(p.text, p.word.Span)
	}
	p.besides(&d)
	switch p.lang {
	case "sql-sqlite", "sql-duckdb":
		d = r.sqlFile(d)
	case "node", "python":
		r.inv.Dictates = r.inv.Dictates || !p.file && slices.ContainsFunc(d.List, func(x language.Deed) bool { return x.Kind == tool.Write })
		if r.problem(p, d) != "" {
			list := certain(d.List, !p.file) // files hold more than what a run of them does
			r.perform(p.lang, p.word, language.Deeds{List: list})
			return false
		}
	}
	r.perform(p.lang, p.word, d)
	return true
}

// seen is what the program sees as its arguments, in the one language whose reader looks at them: of some
// programs each operand is one more text to read.
func (p program) seen() []language.Arg {
	if p.lang != "python" {
		return nil
	}
	list := make([]language.Arg, len(p.args))
	for i, a := range p.args {
		list[i] = language.Arg{Text: a.Text, Known: a.IsKnown()}
	}
	return list
}

// problem is why it is not known what a program does, or "".
func (r *reader) problem(p program, d language.Deeds) string {
	if d.Problem != "" {
		return d.Problem
	}
	if problem := r.modules(p, d); problem != "" {
		return problem
	}
	if p.file && slices.ContainsFunc(d.List, func(x language.Deed) bool { return x.Open }) {
		return "what it does is computed at run time" // as in any other file that cannot be read
	}
	return ""
}

// besides makes what a program in a file names relative to its own place absolute.
func (p program) besides(d *language.Deeds) {
	for i := range d.List {
		if x := &d.List[i]; p.file && x.Beside && !strings.HasPrefix(x.Target, "/") {
			x.Target = clean(p.dir.Text + "/" + x.Target)
		}
	}
}

// certain are the deeds of which all is known, or with open also those on
// targets that are computed, but for commands: the program as a whole is unknown.
func certain(list []language.Deed, open bool) (known []language.Deed) {
	for _, x := range list {
		if !x.Open || open && x.Kind != tool.Execute {
			known = append(known, x)
		}
	}
	return known
}

// codeArgs is what inline code sees as its arguments.
func (l *commandLine) codeArgs() []Word {
	if len(l.oper) > 0 && l.oper[0].IsKnown() && l.oper[0].Text == "-" {
		return l.oper[1:]
	}
	return l.oper
}

// modules adds what the modules do that a program loads. It returns why that is
// not known, or "".
func (r *reader) modules(p program, d language.Deeds) string {
	if r.loading > 2 || len(d.Needs) > 40 {
		return "it loads more than longline reads"
	}
	if problem := r.steers(p, d); problem != "" {
		return problem
	}
	for _, a := range d.Paths {
		e := r.path(tool.Read, Known(a.Text, p.word.Span))
		if a.Home || !r.inProject(e) {
			return "it loads modules from outside the project"
		}
		p.search = append(p.search, Word{Text: e.Target, Reach: e.Reach, Span: p.word.Span})
	}
	switch p.lang {
	case "python":
		return r.pythonModules(p, d.Needs)
	case "node":
		return r.nodeModules(p, d.Needs)
	}
	return ""
}

// steers is how a program changes what modules do that are not read, or "".
func (r *reader) steers(p program, d language.Deeds) string {
	for _, name := range d.Calls {
		if !r.moduleFile(p, name) {
			return "the use of " + quote(name) + ", which does what its caller says"
		}
	}
	for _, set := range d.Sets {
		if !r.harmless(set[0], Known(set[1], p.word.Span), true) || hasWord("HOME USERPROFILE", set[0]) {
			return "it sets the variable " + quote(set[0])
		}
	}
	return ""
}

// modulePath are the directories in which Python looks for modules before its own.
func (d *deeds) modulePath(p program) []Word {
	return append(append([]Word{p.dir}, p.search...), d.pathList("PYTHONPATH")...)
}

// pathList are the directories that a variable of the environment lists.
func (d *deeds) pathList(name string) (dirs []Word) {
	for _, a := range d.inv.Env {
		if a.Name != name || !a.Value.IsKnown() {
			continue
		}
		for part := range strings.SplitSeq(a.Value.Text, ":") {
			e := d.path(tool.Read, Known(part, a.Value.Span))
			dirs = append(dirs, Word{Text: e.Target, Reach: e.Reach, Span: a.Value.Span})
		}
	}
	return dirs
}

// moduleFile says whether the project has a module of a name.
func (s *surroundings) moduleFile(p program, name string) bool {
	at := clean(p.dir.Text + "/" + name)
	endings := [...]string{".py", "/__init__.py", "", ""}
	if p.lang == "node" {
		endings = [...]string{"", ".js", ".ts", "/index.js"}
	}
	return p.dir.Reach == tool.Exact && (p.lang == "python" || strings.HasPrefix(name, ".")) && paths.Within(at, s.world.Project) &&
		slices.ContainsFunc(endings[:], func(end string) bool { return (end != "" || p.lang == "node") && s.exists(at+end) })
}

// pythonModules looks for files that Python loads for its own modules, or that
// are the modules which a program asks for.
func (r *reader) pythonModules(p program, needs []string) string {
	if len(needs) == 0 {
		return ""
	}
	wanted := strings.Join(needs, " ")
	standard := slices.ContainsFunc(needs, language.PythonShadows)
	for _, dir := range r.modulePath(p) {
		if dir.Reach != tool.Exact {
			if r.world.Exists == nil {
				continue
			}
			return "modules may come from a directory known only at run time"
		}
		r.asksForModules(dir, needs, wanted)
		for _, file := range r.moduleFiles(dir.Text, wanted) {
			// Python's own modules load each other.
			if name := moduleName(file); hasWord(wanted, name) || standard && language.PythonShadows(name) {
				r.loaded(p, file)
			}
		}
	}
	return ""
}

// asksForModules notes the files that modules may be in, which the script may have written, and the
// directory, in which it may have put others that are loaded along.
func (f *findings) asksForModules(dir Word, names []string, wanted string) {
	dir.Span = f.inv.Span
	for _, n := range names {
		at := dir
		at.Text = clean(dir.Text + "/" + n + ".py")
		f.inv.Runs = append(f.inv.Runs, Nested{File: &at, Known: true, Shell: "python"})
	}
	f.inv.Runs = append(f.inv.Runs, Nested{File: &dir, Known: true, Shell: ModulesOf, Args: []Word{Known(wanted, f.inv.Span)}})
}

// moduleName is the name of the module that is in a file.
func moduleName(file string) string {
	base := path.Base(file)
	if base == "__init__.py" {
		return path.Base(path.Dir(file))
	}
	name, _, _ := strings.Cut(base, ".")
	return name
}

// moduleFiles are the files of a directory that are modules: all of them, or if
// it cannot be listed those of the given names.
func (s *surroundings) moduleFiles(dir, wanted string) (files []string) {
	if s.world.Entries != nil {
		if list, whole := s.world.Entries(dir); whole {
			for _, e := range list {
				base, _, _ := strings.Cut(e.Name, ".")
				if language.PythonShadows(base) || hasWord(wanted, base) {
					files = s.appendModule(files, dir, e.Name)
				}
			}
			return files
		}
	}
	for _, n := range language.PythonLoads(strings.Fields(wanted)) {
		for _, name := range [...]string{n + ".py", n + ".pyc"} {
			if s.exists(dir + "/" + name) {
				files = s.appendModule(files, dir, name)
			}
		}
		files = s.appendModule(files, dir, n)
	}
	return files
}

// appendModule adds the file of a module that has a name in a directory, if it has one.
func (s *surroundings) appendModule(files []string, dir, name string) []string {
	at := dir + "/" + name
	switch path.Ext(name) {
	case ".py", ".pyc", ".so":
		return append(files, at)
	case "":
		if s.exists(at + "/__init__.py") {
			return append(files, at+"/__init__.py")
		}
	}
	return files
}

// exists says whether there is surely something at a path.
func (s *surroundings) exists(path string) bool {
	return s.world.Exists != nil && s.world.Exists(path)
}

// isFile says whether there is surely something at a path that is no directory.
func (s *surroundings) isFile(path string) bool { return s.exists(path) && !s.exists(path+"/.") }

// nodeModules looks for the files that are the modules which a program asks for.
func (r *reader) nodeModules(p program, needs []string) string {
	for _, spec := range needs {
		if !isPathText(spec) {
			r.installed(p, spec)
			continue
		}
		if p.dir.Reach != tool.Exact {
			return "a module from a directory known only at run time"
		}
		at := clean(spec)
		if !strings.HasPrefix(spec, "/") {
			at = clean(p.dir.Text + "/" + spec)
		}
		r.resolved(p, at)
	}
	return ""
}

// installed is a module by its name alone: a dependency, whose code is the
// project's, or a file of data in one.
func (r *reader) installed(p program, spec string) {
	for _, dir := range r.pathList("NODE_PATH") {
		if at := clean(dir.Text + "/" + spec); dir.Reach == tool.Exact && (r.exists(at) || r.exists(at+".js")) {
			r.resolved(p, at)
			return
		}
	}
	if strings.HasSuffix(spec, ".json") && p.dir.Reach == tool.Exact {
		r.resolved(p, r.installedData(p.dir.Text, spec))
		return
	}
	r.execute("project:node", p.word.Span)
}

// installedData is where a file of a dependency is, seen from a directory: there or above.
func (s *surroundings) installedData(dir, spec string) string {
	nearest := clean(dir + "/node_modules/" + spec)
	if s.world.Exists == nil {
		return nearest
	}
	for at := nearest; ; at = clean(dir + "/node_modules/" + spec) {
		if s.exists(at) {
			return at
		}
		if dir == "/" {
			return nearest
		}
		dir = path.Dir(dir)
	}
}

// resolved is the file that a module's path stands for: node tries endings, and
// the main file of a directory, and runs what it finds unless it ends in .json.
func (r *reader) resolved(p program, at string) {
	candidates := []string{at, at + ".js", at + ".json", at + ".node", at + "/package.json", at + "/index.js", at + "/index.json"}
	if ext := path.Ext(at); ext == ".js" || ext == "" { // names that stand for TypeScript
		base := strings.TrimSuffix(at, ".js")
		candidates = append(candidates, base+".ts", base+".tsx", base+".mjs", base+".cjs", base+"/index.ts")
	}
	for _, file := range candidates {
		w := Known(file, p.word.Span)
		r.inv.Runs = append(r.inv.Runs, Nested{File: &w, Known: true, Shell: "node"})
		if !r.isFile(file) {
			continue
		}
		if path.Ext(file) != ".json" {
			r.loaded(p, file)
			return
		}
		if file == at+"/package.json" {
			continue // names the main file, which is one of the project's
		}
		r.pathUse(tool.Read, w, false)
		return
	}
	if path.Ext(at) == ".json" && !r.exists(at+"/.") {
		r.pathUse(tool.Read, Known(at, p.word.Span), false)
		return
	}
	r.execute("project:node", p.word.Span)
}

// loaded is a file that a program loads and thereby runs.
func (r *reader) loaded(p program, file string) {
	if paths.Within(file, r.world.Project) {
		r.execute("project:"+p.lang, p.word.Span)
	} else {
		r.effect(tool.Effect{Kind: tool.Execute, Target: "file:" + file, Reach: tool.Exact, Span: p.word.Span})
	}
	text, ok := r.sourceFile(p.lang, file)
	if !ok {
		return
	}
	r.loading++
	r.follow(program{lang: p.lang, text: text, dir: Word{Text: path.Dir(file), Reach: tool.Exact, Span: p.word.Span}, word: p.word, file: true})
	r.loading--
}

// perform turns the deeds of a program, which stands in w, into effects.
func (r *reader) perform(lang string, w Word, d language.Deeds) {
	r.inv.Mixed = r.inv.Mixed || len(d.List) > 1
	for _, x := range d.List {
		r.deed(lang, x, w.Span)
		r.scope.request.asked(x.Kind, w)
	}
	r.inv.Inserts = r.inv.Inserts || d.Inserts
	r.scope.volume.limited = r.scope.volume.limited || d.Stops
	r.scope.numbers, r.scope.first, r.scope.names = d.Numbers, d.First, d.Names
	if d.Loads {
		r.execute("project:"+lang, w.Span)
	}
	if d.Problem != "" {
		r.gap("longline does not follow this "+lang+" program: "+d.Problem, w.Span)
	}
}

// deed turns one of them into an effect.
func (r *reader) deed(lang string, x language.Deed, span tool.Span) {
	target := r.targetOf(x, span)
	switch x.Kind {
	case tool.Read, tool.Write, tool.Create, tool.Delete:
		if comesToNothing(r, x, target) {
			return
		}
		if behind := x.Kind == tool.Delete && endsInSlash(target); (x.Tree || behind) && target.IsKnown() {
			e := r.path(x.Kind, target)
			e.Tree = true
			r.inv.Follows = r.inv.Follows || x.Kind != tool.Delete
			if x.Kind == tool.Write {
				r.inv.Unpacks |= Replaces | Whole
			}
			r.effect(e)
			if behind { // what a link leads to, be it a file
				r.enters(e)
			}
			r.named(target)
			if x.Kind == tool.Read { // it is copied
				r.inv.Packs = true
			}
		} else {
			r.pathUse(x.Kind, target, false)
		}
		r.inv.Composes = r.inv.Composes || x.Kind == tool.Write
	case tool.Fetch, tool.Send:
		r.url(x.Kind, target)
	case tool.Control:
		r.control(x.Target, span)
	case tool.Execute:
		if x.Open {
			r.execute("inline:"+lang, span)
			return
		}
		r.inv.Runs = append(r.inv.Runs, r.executed(x, target))
	}
}

// maxFollowed is how many effects a program has before what it moves is not followed any more: each is held against the others.
const maxFollowed = 512

// comesToNothing adds what is taken away to be put elsewhere, and says whether a deed comes to nothing: nothing is put below a file.
func comesToNothing(r *reader, x language.Deed, target Word) bool {
	switch {
	case !target.IsKnown():
	case x.Moved && len(r.inv.Effects) > maxFollowed:
		if len(r.inv.Gaps) == 0 {
			r.gap("the program moves more files than longline follows", target.Span)
		}
	case x.Moved:
		r.move(target, false)
	}
	return false
}

// targetOf is the path, address or command of a deed.
func (s *surroundings) targetOf(x language.Deed, span tool.Span) Word {
	switch {
	case x.Open || x.Home && s.world.Home == "":
		return Word{Span: span}
	case x.Home:
		return Word{Text: s.atHome(x.Target), Reach: tool.Exact, Span: span}
	}
	return Word{Text: x.Target, Reach: tool.Exact, Span: span}
}

// atHome is a path below the home directory.
func (s *surroundings) atHome(below string) string {
	return clean(s.world.Home + "/" + below)
}

// executed is a command that a program runs.
func (s *surroundings) executed(x language.Deed, target Word) Nested {
	dir := s.dir
	switch {
	case x.DirHome:
		dir = Word{Text: s.atHome(x.Dir), Reach: tool.Exact, Span: target.Span}
	case x.Dir != "":
		e := s.path(tool.Read, Word{Text: x.Dir, Reach: tool.Exact, Span: target.Span})
		dir = Word{Text: e.Target, Reach: e.Reach, Span: target.Span}
	}
	if x.Words == nil {
		return Nested{Script: &target, Shell: "sh", Dir: &dir, Among: true, Again: true, Apart: x.Apart}
	}
	n := Nested{Dir: &dir, Among: true, Again: true, Apart: x.Apart}
	for _, a := range x.Words {
		w := Word{Span: target.Span}
		switch {
		case a.Home:
			w.Text, w.Reach = s.atHome(a.Text), tool.Exact
		case a.Known:
			w.Text, w.Reach = a.Text, tool.Exact
		}
		n.Words = append(n.Words, w)
	}
	return n
}
