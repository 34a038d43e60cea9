package command

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// A task is a target, script or recipe that a project defines for its task
// runner. Running one runs the project's code. Where the definition can be read
// its commands are judged as well; in it, programs that longline does not know
// count as the project's.

// maxDefinition bounds how large a definition is. What lies beyond is a gap: a
// long definition must not hide its end.
const maxDefinition = 1 << 20

// task is the use of a word that names a task of the given kind.
func (r *reader) task(kind string, w Word, args []Word) {
	if _, variable := makeVariable(w); variable && kind == "task" {
		return
	}
	if kind == "just" {
		justTasks(r, w.Span)
		return
	}
	kind, packages := strings.CutPrefix(kind, "packages/")
	r.named(w)
	r.echoes(args)
	r.execute("project:"+kind, w.Span)
	if !w.IsKnown() {
		r.gap("the task to run is known only at run time", w.Span)
		return
	}
	r.loud(w.Text, w.Span)
	before := recipeCount(r.inv)
	if packages {
		everywhereTask(r, w.Text, w.Span)
	}
	inEachDirectory(r, func() { r.definedTask(kind, w, args) })
	if kind == "make" || kind == "task" {
		return // what follows are tasks, too
	}
	if recipeCount(r.inv) == before {
		handedOn(r, Use{}, args)
		_, inside, _ := strings.Cut(strings.TrimSuffix(w.Text, "]"), "[")
		for arg := range strings.SplitSeq(inside, ",") {
			handedPath(r, Known(strings.TrimSpace(arg), w.Span))
		}
	}
}

// definedTask reads what a task runner does in the directory that it works in.
func (r *reader) definedTask(kind string, w Word, args []Word) {
	switch kind {
	case "make", "task":
		r.recipes(kind, w.Text, w.Span)
	case "npm":
		r.packageTask(w.Text, args, w.Span)
	case "composer":
		r.jsonTask([]string{"composer.json"}, "scripts", w.Text, args, w.Span)
	case "deno":
		r.jsonTask([]string{"deno.json", "deno.jsonc"}, "tasks", w.Text, args, w.Span)
		r.packageTask(w.Text, args, w.Span)
	case "poe", "pdm":
		tomlTask(r, func(table string) bool { return table == "tool."+kind+".tasks" || table == "tool."+kind+".scripts" }, w.Text, args, w.Span)
	}
}

// inEachDirectory calls f for the directory that a task runner works in. Where that is only known to match a pattern or to lie
// below another one, it is each such directory of the project, as far as they are looked at.
func inEachDirectory(r *reader, f func()) {
	e := tool.Effect{Target: r.dirs, Pattern: true}
	if r.dir.Reach != tool.Anywhere {
		e = tool.Effect{Target: r.dir.Text}
	}
	if r.dir.Reach == tool.Exact || e.Target == "" || !paths.Within(staticDir(e.Target), r.world.Project) {
		f()
		return
	}
	dirs := directoriesOf(&r.deeds, e, !e.Pattern)
	if !e.Pattern && !slices.Contains(r.inv.Via, r.inv.Words[0].Text) { // a recipe that runs the same program does so further below
		dirs = append([]string{e.Target}, dirs...)
	}
	inPackages(r, dirs, f)
}

// recipeCount is how many commands of definitions an invocation runs.
func recipeCount(inv *Invocation) (n int) {
	for _, run := range inv.Runs {
		if run.Project {
			n++
		}
	}
	return n
}

// recipes reads what a task runner does for a target, or for none.
func (r *reader) recipes(kind, target string, span tool.Span) {
	switch kind {
	case "make":
		switch { // by custom, into the system and out of it
		case nameHas(target, "uninstall"):
			r.control("package.remove", span)
		case nameHas(target, "install"):
			r.control("package.install", span)
		}
		r.makeTarget(target, span)
	case "just":
		justPlan(r, nil, span)
	case "task":
		taskfile(r, target, span)
	}
}

// makeTarget reads the recipe of a target, and of those that it needs.
func (r *reader) makeTarget(target string, span tool.Span) {
	text, files, ok := r.definition("GNUmakefile", "makefile", "Makefile")
	if !ok {
		return
	}
	r.plan(language.Make(text, request(r, target, files, span)), span)
}

// request is what a task runner is asked for by the command line.
func request(r *reader, task string, files []string, span tool.Span) language.Request {
	given := variablesOf(r.oper)
	for _, a := range r.inv.Env {
		if a.Name == language.Handed && a.Value.IsKnown() {
			given = append(given, language.HandedOn(a.Value.Text)...)
			continue
		}
		given = append(given, language.Variable{Name: a.Name, Value: a.Value.Text, Known: a.Value.IsKnown() && !a.Append, Environment: true})
	}
	q := language.Request{Task: task, Files: files, Given: given, Dry: r.rehearses(), Home: r.world.Home}
	if here := r.path(tool.Read, Known(".", span)); isCertain(here) {
		q.Dir = here.Target
	}
	q.Load = func(file string) (string, bool) {
		e := r.path(tool.Read, Known(file, span))
		if e.Reach != tool.Exact || r.world.ReadFile == nil {
			return "", false
		}
		data, err := r.world.ReadFile(e.Target)
		return string(data), err == nil && len(data) <= maxDefinition
	}
	searches := r.anyGiven(true, "-I", "--include-dir")
	q.Gone = func(file string) bool {
		e := r.path(tool.Read, Known(file, span))
		return !searches && isCertain(e) && r.world.Exists != nil && !r.world.Exists(e.Target)
	}
	q.Secret = func(file string) bool {
		e := r.path(tool.Read, Known(file, span))
		return isCertain(e) && r.exists(e.Target) && r.isSecret(e)
	}
	q.List = func(pattern string) ([]string, bool) { return listedFiles(r, pattern, span) }
	return q
}

// listedFiles are the files that a pattern of names in one directory stands for; whole is false if there may be more.
func listedFiles(r *reader, pattern string, span tool.Span) (files []string, whole bool) {
	dir, name := ".", pattern
	if i := strings.LastIndexByte(pattern, '/'); i >= 0 {
		dir, name = pattern[:i+1], pattern[i+1:]
	}
	e := r.path(tool.Read, Known(dir, span))
	if paths.Wild(dir) || !isCertain(e) || r.world.Entries == nil {
		return nil, false
	}
	list, whole := r.world.Entries(e.Target)
	for _, entry := range list {
		match, sure := paths.Match(name, entry.Name)
		whole = whole && sure
		if match && !entry.Dir && (entry.Name[0] != '.' || name[0] == '.') {
			files = append(files, pattern[:len(pattern)-len(name)]+entry.Name)
		}
	}
	return files, whole
}

// variablesOf are the variables that words give to a task runner.
func variablesOf(words []Word) (given []language.Variable) {
	for _, w := range words {
		if name, ok := makeVariable(w); ok {
			_, value, _ := strings.Cut(w.Text, "=")
			given = append(given, language.Variable{Name: name, Value: strings.TrimLeft(value, " \t"), Known: w.IsKnown()})
		}
	}
	return given
}

// justTasks are the operands of just: variables, a directory in front of the first recipe,
// recipes with their arguments.
func justTasks(r *reader, span tool.Span) {
	words := r.oper[justVariables(r.oper):]
	if len(words) == 0 {
		return // the first recipe, see taskDefault
	}
	first := words[0]
	r.named(first)
	r.echoes(r.oper)
	at := strings.LastIndexByte(first.Text, '/') + 1
	if first.Text == "." || first.Text == ".." {
		at = len(first.Text)
	}
	if at > 0 && first.IsKnown() {
		r.chdir(Known(first.Text[:at], first.Span))
		words = append([]Word{first.From(at)}, words[1:]...)
		if words[0].Text == "" {
			words = words[1:]
		}
	}
	r.execute("project:just", span)
	if !first.IsKnown() {
		r.gap("the task to run is known only at run time", first.Span)
		return
	}
	if len(words) > 0 {
		r.loud(words[0].Text, words[0].Span)
	}
	justPlan(r, words, span)
}

// justVariables is how many of some words set variables: those in front of the first recipe.
func justVariables(words []Word) (n int) {
	for n < len(words) {
		name, ok := makeVariable(words[n])
		if !ok || !language.IsName(strings.ReplaceAll(name, "-", "_")) {
			break
		}
		n++
	}
	return n
}

// justPlan reads the recipes of a justfile that words name, or the first one, and those that
// they depend on.
func justPlan(r *reader, words []Word, span tool.Span) {
	before := r.dir
	defer func() { r.dir = before }()
	text, files, ok := definedAbove(r, "justfile", "Justfile", ".justfile")
	if !ok {
		return
	}
	q := request(r, "", files, span)
	q.Given = variablesOf(r.oper[:justVariables(r.oper)])
	for _, w := range words {
		q.Args = append(q.Args, language.Argument{Text: w.Text, Known: w.IsKnown()})
	}
	p := language.Just(text, q)
	for _, name := range p.Tasks {
		if len(words) == 0 || name != words[0].Text {
			r.loud(name, span)
		}
	}
	r.plan(p, span)
}

// taskfile notes that a Taskfile is not read, unless its tasks are only listed.
func taskfile(r *reader, target string, span tool.Span) {
	if target == "" && r.anyGiven(true, "-l", "--list", "-a", "--list-all") {
		return
	}
	before := r.dir
	defer func() { r.dir = before }()
	if _, _, ok := definedAbove(r, "Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "taskfile.dist.yml", "Taskfile.dist.yaml", "taskfile.dist.yaml"); ok {
		r.gap("longline does not read Taskfiles", span)
	}
}

// plan adds the commands that a task runner would run.
func (r *reader) plan(p language.Plan, span tool.Span) {
	if p.Problem != "" {
		r.gap(p.Problem, span)
	}
	for _, line := range p.Lines {
		before := r.dir
		if line.Dir != "" && line.Dir != "." {
			r.chdir(Known(line.Dir, span))
		}
		r.recipe(line.Text, line.Shell, span)
		r.dir = before
	}
	if p.Incomplete {
		r.tooManyTasks(span)
	}
}

// taskDefault is what a task runner does when no task is named.
func (r *reader) taskDefault(items []Item) {
	for _, it := range items {
		for _, u := range it.Uses {
			if u.Name != "task" || !hasWord("make just task", u.Arg) {
				continue // others list their tasks, or have models that say more
			}
			for _, w := range r.oper {
				if _, ok := makeVariable(w); !ok && !isNumber(w.Text) {
					return
				}
			}
			r.execute("project:"+u.Arg, r.inv.Span)
			inEachDirectory(r, func() { r.recipes(u.Arg, "", r.inv.Span) })
		}
	}
}

// soundsLikeDeploy says whether a task's name says that something goes live or
// is lost: one of the words it is made of does.
func soundsLikeDeploy(name string) bool {
	const loud = `deploy deploys deployment release releases publish destroy drop teardown rollback reset migrate migrations ship promote nuke wipe purge truncate upload undeploy unpublish provision terraform`
	if i := strings.LastIndexAny(name, ":-_"); i >= 0 && hasWord("status list", name[i+1:]) {
		return false // asks how things stand: db:migrate:status
	}
	if nameHas(name, loud) {
		return true
	}
	// To build or test for production puts nothing live.
	return nameHas(name, "prod production") && !nameHas(name, "build test lint check typecheck compile bundle start serve preview watch dev")
}

// nameHas says whether one of the words that a task's name is made of is in a list.
func nameHas(name, list string) bool {
	for part := range strings.FieldsFuncSeq(strings.ToLower(name), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }) {
		if hasWord(list, part) {
			return true
		}
	}
	return false
}

// rehearses says whether a flag is given that only shows what would be done.
func (l *commandLine) rehearses() bool {
	for _, level := range l.levels {
		for _, d := range level.Dry {
			if l.flagGiven(d, true) {
				return true
			}
		}
	}
	return false
}

// definition reads the files that flags name, or the first of several that exists in the
// directory that the task runner works in. It returns their names, too.
func (r *reader) definition(names ...string) (text string, files []string, ok bool) {
	if r.flagWith("task-file") == nil {
		for _, name := range names {
			if text, there, ok := r.defined(name); there || !ok {
				return text, []string{name}, ok
			}
		}
		return "", nil, false
	}
	for i := range r.given {
		g := &r.given[i]
		if g.flag == nil || !g.flag.has("task-file") || len(g.values) != 1 {
			continue
		}
		if !g.values[0].IsKnown() {
			return "", nil, false
		}
		one, there, ok := r.defined(g.values[0].Text)
		if !ok {
			return "", nil, false
		}
		if there {
			text, files = text+one+"\n", append(files, g.values[0].Text)
		}
	}
	return text, files, len(files) > 0
}

// definedAbove is definition for a task runner that looks into the directories above as well, and works in the one where it
// finds something.
func definedAbove(r *reader, names ...string) (text string, files []string, ok bool) {
	text, files, _, ok = lookAbove(r, names)
	if here := r.path(tool.Read, Known(".", r.inv.Span)); ok && isCertain(here) && !paths.Within(here.Target, r.world.Project) {
		r.config(Known(at(here.Target, files[0]), r.inv.Span), false)
	}
	return text, files, ok
}

// nearest is definedAbove where the program is trusted with what it finds in the very directory that it is started in.
func nearest(r *reader, names ...string) (text string, ok bool) {
	text, files, climbed, ok := lookAbove(r, names)
	if !ok || !climbed {
		return text, ok
	}
	if here := r.path(tool.Read, Known(".", r.inv.Span)); isCertain(here) && !paths.Within(here.Target, r.world.Project) {
		r.config(Known(at(here.Target, files[0]), r.inv.Span), false)
	}
	return text, ok
}

// lookAbove reads the definition in the directory that a task runner works in, or in the nearest one above where there is one,
// which it works in then. What lies above is what is above it on the disk, whatever links led there.
func lookAbove(r *reader, names []string) (text string, files []string, climbed, ok bool) {
	for range maxAbove {
		if text, files, ok = r.definition(names...); ok || len(files) > 0 || r.flagWith("task-file") != nil || r.world.ReadFile == nil || r.inv.Nowhere {
			return text, files, climbed, ok
		}
		here := r.path(tool.Read, Known(".", r.inv.Span))
		if !isCertain(here) || here.Target == "/" {
			return text, files, climbed, ok
		}
		dir := paths.Parent(Follow(here.Target, r.world))
		for dir != r.world.Project && paths.Within(r.world.Project, dir) && !r.hasOne(dir, names) { // where no script writes unasked
			if dir == "/" {
				return "", nil, climbed, false
			}
			dir = paths.Parent(dir)
		}
		r.chdir(Known(dir, r.inv.Span))
		climbed = true
	}
	r.gap("the definition of the task may lie further above than longline looks", r.inv.Span)
	return "", nil, true, false
}

// hasOne says whether one of some files is in a directory.
func (s *surroundings) hasOne(dir string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return s.exists(dir + "/" + name) })
}

// maxAbove bounds the directories that are looked into.
const maxAbove = 32

// defined reads a file that defines tasks, if it is there. ok is false if there is no telling.
func (d *deeds) defined(name string) (text string, there, ok bool) {
	file := Known(name, d.inv.Span)
	e := d.path(tool.Read, file)
	if e.Reach != tool.Exact {
		return "", false, false
	}
	// One that this very script writes is not what is on the disk.
	file.Text = e.Target
	d.inv.Runs = append(d.inv.Runs, Nested{File: &file, Known: true})
	if d.world.ReadFile == nil {
		return "", false, true
	}
	data, err := d.world.ReadFile(e.Target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, true
	case err != nil || len(data) > maxDefinition:
		d.gap("the definition of the task cannot be read from "+quote(name), d.inv.Span)
		return "", false, false
	}
	return string(data), true, true
}

// tooManyTasks says that a definition holds more than is read.
func (f *findings) tooManyTasks(span tool.Span) {
	const why = "the task has more commands than longline reads"
	if n := len(f.inv.Gaps); n == 0 || f.inv.Gaps[n-1].Why != why {
		f.gap(why, span)
	}
}

// recipe adds one command of a definition.
func (d *deeds) recipe(text, shell string, span tool.Span) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if recipeCount(d.inv) >= language.MaxTasks {
		d.tooManyTasks(span)
		return
	}
	dir := d.dir
	script := Word{Text: text, Reach: tool.Exact, Span: span}
	d.inv.Runs = append(d.inv.Runs, Nested{Script: &script, Shell: shell, Dir: &dir, Project: true})
}

// withArgs is a command line with further words behind it.
func withArgs(text string, args []Word) string {
	for _, a := range args {
		switch {
		case a.IsKnown() && a.Text == "--":
		case a.IsKnown():
			text += " " + shellQuote(a.Text)
		default:
			text += ` "$longline_argument"` // has no value, so that it is not known
		}
	}
	return text
}

// parsed reads a definition in JSON. The task runner may be less strict, and
// take the second of two keys of one name: what cannot be read is a gap.
func (f *findings) parsed(text string, span tool.Span) (doc strictjson.Value, ok bool) {
	doc, err := strictjson.Parse([]byte(text))
	if err != nil {
		f.gap("the definition of the task is not plain JSON", span)
	}
	return doc, err == nil
}

// packageTask is a script of package.json, with those around it.
func (r *reader) packageTask(name string, args []Word, span tool.Span) {
	eachPackage(r, func() { packageTaskHere(r, name, args, span) })
}

// packageTaskHere is one of the package.json where the package manager works, or the nearest above.
func packageTaskHere(r *reader, name string, args []Word, span tool.Span) {
	packageScriptsOf(r, []string{name}, args, span)
}

// packageSteps are the scripts of a package that its manager runs by itself for what it is told to do.
func packageSteps(r *reader, names []string, span tool.Span) {
	if !r.flagGiven("--ignore-scripts", true) {
		packageScriptsOf(r, names, nil, span)
	}
}

// packageScriptsOf reads scripts of a package with those around them, which run in its directory.
func packageScriptsOf(r *reader, names []string, args []Word, span tool.Span) {
	before := r.dir
	defer func() { r.dir = before }()
	text, ok := nearest(r, "package.json")
	if !ok {
		return
	}
	doc, ok := r.parsed(text, span)
	if !ok {
		return
	}
	lines := scriptsAround(doc.Get("scripts"), names, args)
	if len(lines) == 0 && slices.Contains(names, "start") && r.exists(at(r.dir.Text, "server.js")) {
		lines = append(lines, "node server.js")
	}
	if !slices.ContainsFunc(lines, func(line string) bool { return !r.runsHere(line) }) {
		return // it lies above several directories in which the same is done
	}
	for _, line := range lines {
		if recipeCount(r.inv) < language.MaxTasks || r.dir.Text == r.inv.Dir.Text {
			r.recipe(line, "sh", span)
		}
	}
}

// scriptsAround are scripts of some names and those that run before and after them. Only the former get what is given to them.
func scriptsAround(scripts strictjson.Value, names []string, args []Word) (lines []string) {
	for _, name := range names {
		for _, n := range [...]string{"pre" + name, name, "post" + name} {
			s := scripts.Get(n)
			switch {
			case s.Kind != strictjson.String:
			case n == name:
				lines = append(lines, withArgs(s.Text, args))
			default:
				lines = append(lines, s.Text)
			}
		}
	}
	return lines
}

// runsHere says whether a command of a definition is run already where the program works.
func (d *deeds) runsHere(line string) bool {
	return slices.ContainsFunc(d.inv.Runs, func(n Nested) bool {
		return n.Project && n.Script != nil && n.Script.Text == line && n.Dir != nil && n.Dir.Text == d.dir.Text && n.Dir.Reach == d.dir.Reach
	})
}

// jsonTask is an entry of a table of commands in a JSON file: a command, a list
// of them, or an object with one.
func (r *reader) jsonTask(files []string, table, name string, args []Word, span tool.Span) {
	before := r.dir
	defer func() { r.dir = before }()
	text, ok := nearest(r, files...)
	if !ok {
		return
	}
	doc, ok := r.parsed(text, span)
	if !ok {
		return
	}
	entry := doc.Get(table).Get(name)
	if entry.Kind == strictjson.Object {
		entry = entry.Get("command")
	}
	for _, v := range append(entry.Items, entry) {
		// Entries such as @test or Class::method name other code of the project.
		if v.Kind == strictjson.String && !strings.HasPrefix(v.Text, "@") && !strings.Contains(v.Text, "::") {
			r.recipe(withArgs(v.Text, args), "sh", span)
		}
	}
}

// tomlTask is a line of pyproject.toml: NAME = "command", in a table of tasks.
func tomlTask(r *reader, isTable func(name string) bool, name string, args []Word, span tool.Span) {
	before := r.dir
	defer func() { r.dir = before }()
	text, ok := nearest(r, "pyproject.toml")
	if !ok {
		return
	}
	in := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = isTable(strings.Trim(line, "[]"))
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !in || !ok || strings.Trim(strings.TrimSpace(key), `"'`) != name {
			continue
		}
		if command, ok := tomlCommand(strings.TrimSpace(value)); ok && !isEntryPoint(command) {
			r.recipe(withArgs(command, args), "sh", span)
		}
	}
}

// isTomlScripts says whether a table of pyproject.toml holds tasks of whatever runs them.
func isTomlScripts(table string) bool {
	return strings.HasPrefix(table, "tool.") && (strings.HasSuffix(table, ".scripts") || strings.HasSuffix(table, ".tasks"))
}

// isEntryPoint says whether a text is a function of a module.
func isEntryPoint(text string) bool {
	return strings.Contains(text, ":") && !strings.Contains(text, " ")
}

// tomlCommand is the command in a value: a text in quotes, or a table with one.
func tomlCommand(value string) (command string, ok bool) {
	if i := strings.Index(value, "cmd = "); strings.HasPrefix(value, "{") && i >= 0 {
		value = value[i+len("cmd = "):]
	}
	if len(value) < 2 || value[0] != '"' && value[0] != '\'' {
		return "", false
	}
	command, _, ok = strings.Cut(value[1:], value[:1])
	return command, ok && !strings.Contains(command, `\`)
}

// makeOperand is a target to make, or a variable for it.
func (r *reader) makeOperand(w Word) {
	name, ok := makeVariable(w)
	if !ok {
		if !isNumber(w.Text) { // the number of jobs may stand alone
			r.task("make", w, nil)
		}
		return
	}
	_, value, _ := strings.Cut(w.Text, "=")
	if w.Reach != tool.Exact || strings.ContainsAny(value, ";|&`$()<>\n\"'") || strings.Contains(w.Text, "!=") {
		r.gap("the variable "+quote(name)+" may change what is run", w.Span)
		return
	}
	r.variable(Assign{Name: name, Value: w.From(strings.IndexByte(w.Text, '=') + 1), Prefix: true})
}

// makeVariable is the name of the variable that a word sets for make.
func makeVariable(w Word) (string, bool) {
	i := strings.IndexByte(w.Text, '=')
	if i < 0 {
		return "", false
	}
	name := strings.TrimRight(w.Text[:i], ":+?! \t")
	return name, name != ""
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
