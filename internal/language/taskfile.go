package language

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// What a Taskfile may hold at each of its places. A key that is none of these may run
// something.
const (
	taskfileKeys = "version output method includes vars env tasks silent dotenv run interval set shopt"
	taskKeys     = "cmds cmd deps label desc prompt summary aliases sources generates status preconditions requires set shopt vars env dotenv silent interactive internal method prefix " +
		"ignore_error run platforms dir watch if failfast"
	stepKeys = "cmd task for silent ignore_error defer platforms vars set shopt if"
)

// Taskfile is what task runs for a task; "" is the one called default. A file that is
// included is read by its path as seen from the definition.
func Taskfile(text string, q Request) (p Plan) {
	t := taskfile{load: q.Load, tasks: map[string]taskDef{}, plan: &p, given: map[string]string{}, dry: q.Dry}
	for _, v := range q.Given {
		if v.Environment {
			t.outer = append(t.outer, v.Name)
			continue
		}
		if t.given[v.Name] = v.Value; !v.Known {
			t.given[v.Name] = unknownValue
		}
	}
	t.read(text, taskScope{dir: "."}, 0)
	name := q.Task
	if name == "" {
		name = "default"
	}
	p.Incomplete = !eachTask([]string{name}, t.visit) && p.Problem == ""
	return p
}

type taskDef struct {
	node yamlNode
	taskScope
	items map[string]string // the element of a list that a step is run for
}

// taskScope is what a file gives to its tasks.
type taskScope struct {
	vars map[string]string // texts of variables; an absent one is not known
	env  map[string]string // those of the environment, where nothing else sets them
	name string            // of the file, which their names begin with: "" or "docs:"
	dir  string            // where their commands run
}

type taskfile struct {
	load  func(file string) (string, bool)
	tasks map[string]taskDef
	plan  *Plan
	given map[string]string
	calls []map[string]string // variables that tasks are called with
	outer []string            // variables of the environment, which win over those that the file puts there
	dry   bool                // commands of tasks are printed; what is computed for them is run
}

func (t *taskfile) fail(problem string) {
	if t.plan.Problem == "" {
		t.plan.Problem = problem
	}
}

// read takes in the tasks of one file; the variables of the scope are those of the files
// around it.
func (t *taskfile) read(text string, scope taskScope, depth int) {
	root, problem := readYAML(text)
	if problem != "" || depth > 4 {
		t.fail("longline cannot read the Taskfile: " + problem)
		return
	}
	t.known(root, taskfileKeys)
	scope.vars = t.variables(root.get("vars"), scope.vars)
	scope.env = t.environment(root.get("env"), scope)
	tasks := root.get("tasks")
	for i, name := range tasks.keys {
		def := taskDef{node: tasks.items[i], taskScope: scope}
		t.tasks[scope.name+name] = def
		for _, alias := range def.node.get("aliases").items {
			t.tasks[scope.name+alias.text] = def
		}
	}
	includes := root.get("includes")
	for i, name := range includes.keys {
		if !t.include(name, includes.items[i], scope, depth) {
			return
		}
	}
}

// include takes in the tasks of a file that is included under a name. It is false if
// there is no telling which file that is.
func (t *taskfile) include(name string, n yamlNode, scope taskScope, depth int) bool {
	file := n.text
	if n.kind == yamlMap {
		file = n.get("taskfile").text
	}
	if strings.Contains(file, "://") || strings.Contains(file, "{{") || file == "" {
		t.fail("a Taskfile that is fetched, or whose name is computed")
		return false
	}
	text, ok := t.loaded(file)
	if !ok {
		if n.get("optional").text != "true" {
			t.fail("the included Taskfile " + Quote(file) + " cannot be read")
		}
		return true
	}
	if n.get("flatten").text != "true" {
		scope.name += name + ":"
	}
	// Commands run where the outer file is, unless it says otherwise.
	scope.dir = path.Join(scope.dir, n.get("dir").text)
	scope.vars = t.variables(n.get("vars"), scope.vars)
	t.read(text, scope, depth+1)
	return true
}

// loaded is the text of a file that is included.
func (t *taskfile) loaded(file string) (text string, ok bool) {
	for _, candidate := range taskfileNames(file) {
		if text, ok = t.load(candidate); ok {
			break
		}
	}
	return text, ok
}

func taskfileNames(file string) []string {
	if ext := path.Ext(file); ext == ".yml" || ext == ".yaml" {
		return []string{file}
	}
	return []string{file + "/Taskfile.yml", file + "/Taskfile.yaml", file + "/taskfile.yml", file}
}

// variables are the variables of outer ones and of a mapping. Those that a command
// computes are run, and are not known.
func (t *taskfile) variables(n yamlNode, outer map[string]string) map[string]string {
	vars := map[string]string{}
	for k, v := range outer {
		vars[k] = v
	}
	for i, name := range n.keys {
		switch v := n.items[i]; {
		case v.kind == yamlText && !strings.Contains(v.text, "{{"):
			vars[name] = v.text
		case v.kind == yamlText:
			vars[name] = t.expand(v.text, vars)
		default:
			vars[name] = unknownValue
			t.compute(v.get("sh").text, taskDef{taskScope: taskScope{vars: vars}})
		}
	}
	return vars
}

// environment are the variables of a mapping that commands find set, with those around it.
func (t *taskfile) environment(n yamlNode, scope taskScope) map[string]string {
	env := map[string]string{}
	for name, value := range scope.env {
		env[name] = value
	}
	values := t.variables(n, scope.vars)
	for _, name := range n.keys {
		env[name] = values[name]
	}
	return env
}

// known says that a mapping cannot be read if it holds keys that mean something else than
// those of a list.
func (t *taskfile) known(n yamlNode, keys string) {
	for _, key := range n.keys {
		if !HasWord(keys, key) && !strings.HasPrefix(key, "x-") {
			t.fail("a key of a Taskfile that longline does not know: " + Quote(key))
		}
	}
}

// compute adds a command that runs to find out something: in a rehearsal, too.
func (t *taskfile) compute(text string, def taskDef) {
	dry := t.dry
	t.dry = false
	t.command(text, def)
	t.dry = dry
}

// visit adds the commands of a task; it returns the tasks that these need.
func (t *taskfile) visit(name string) (needs []string) {
	name, call, called := strings.Cut(name, "\x00")
	def, ok := t.find(name)
	if !ok {
		return nil
	}
	if i, err := strconv.Atoi(call); called && err == nil {
		def.vars = overlaid(def.vars, t.calls[i])
	}
	n := def.node
	switch n.kind {
	case yamlText: // a command alone
		t.command(n.text, def)
		return nil
	case yamlList:
		n = yamlNode{kind: yamlMap, keys: []string{"cmds"}, items: []yamlNode{n}}
	}
	t.known(n, taskKeys)
	def.vars = t.variables(n.get("vars"), def.vars)
	def.env = t.environment(n.get("env"), def.taskScope)
	t.compute(n.get("if").text, def)
	if d := n.get("dir").text; strings.HasPrefix(d, "/") {
		def.dir = d
	} else {
		def.dir = path.Join(def.dir, t.expand(d, def.vars))
	}
	for _, dep := range n.get("deps").items {
		t.known(dep, stepKeys)
		needs = t.refer(needs, def, dep, dep.text+dep.get("task").text)
	}
	for _, c := range append(n.get("cmds").items, yamlNode{kind: yamlText, text: n.get("cmd").text}) {
		needs = t.step(needs, def, c)
	}
	for _, key := range [...]string{"preconditions", "status"} {
		for _, c := range n.get(key).items {
			t.compute(c.text+c.get("sh").text, def)
		}
	}
	return needs
}

// find is the task of a name; that of a definition may hold a star.
func (t *taskfile) find(name string) (def taskDef, ok bool) {
	if def, ok = t.tasks[name]; ok {
		return def, true
	}
	for pattern, d := range t.tasks {
		if head, tail, star := strings.Cut(pattern, "*"); star && strings.HasPrefix(name, head) && strings.HasSuffix(name, tail) {
			def, ok = d, true
		}
	}
	return def, ok
}

// overlaid are variables with others over them.
func overlaid(vars, over map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range [...]map[string]string{vars, over} {
		for name, value := range m {
			all[name] = value
		}
	}
	return all
}

// refer adds a task that another one names, with variables or without, to those that are
// needed.
func (t *taskfile) refer(needs []string, def taskDef, n yamlNode, to string) []string {
	t.compute(n.get("if").text, def)
	if with := n.get("vars"); len(with.keys) > 0 && len(t.calls) < MaxTasks {
		all := t.variables(with, def.vars)
		call := map[string]string{}
		for _, name := range with.keys {
			call[name] = all[name]
		}
		to += "\x00" + strconv.Itoa(len(t.calls))
		t.calls = append(t.calls, call)
	}
	root, whole := strings.CutPrefix(to, ":")
	switch {
	case strings.Contains(to, "{{") || strings.Contains(to, "${"):
		t.fail("a task whose name is computed")
		return needs
	case whole:
		return append(needs, root)
	}
	return append(needs, def.name+to)
}

// step adds one element of the commands of a task: a command, or a task that is needed.
func (t *taskfile) step(needs []string, def taskDef, c yamlNode) []string {
	later := c.get("defer")
	t.known(c, stepKeys)
	t.known(later, stepKeys)
	switch {
	case c.kind == yamlText:
		t.command(c.text, def)
	case c.has("task"):
		for _, def := range each(def, c) {
			needs = t.refer(needs, def, c, t.expand(c.get("task").text, def.items))
		}
		return needs
	case later.kind == yamlMap && later.has("task"):
		return t.refer(needs, def, later, later.get("task").text)
	case c.has("cmd") || c.has("defer"):
		for _, def := range each(def, c) {
			t.compute(c.get("if").text, def)
			t.command(c.get("cmd").text+later.text+later.get("cmd").text, def)
		}
	default:
		t.fail("a command that longline cannot read")
	}
	return needs
}

// each are a task as it is for the elements of the list that a step goes through: one of
// which nothing is known, if the list does not stand there.
func each(def taskDef, step yamlNode) (defs []taskDef) {
	if !step.has("for") {
		return []taskDef{def}
	}
	loop := step.get("for")
	name := "ITEM"
	if as := loop.get("as").text; as != "" {
		name = as
	}
	items := loop.items
	if loop.kind != yamlList || len(items) > 16 {
		items = []yamlNode{{}}
	}
	for _, it := range items {
		one := def
		one.items = map[string]string{name: unknownValue}
		if it.kind == yamlText && it.text != "" && !strings.Contains(it.text, "{{") {
			one.items[name] = it.text
		}
		one.vars = overlaid(def.vars, one.items)
		defs = append(defs, one)
	}
	return defs
}

func (t *taskfile) command(text string, def taskDef) {
	if strings.TrimSpace(text) == "" || t.dry {
		return
	}
	if len(t.plan.Lines) > MaxTasks {
		t.plan.Incomplete = true
		return
	}
	t.plan.Lines = append(t.plan.Lines, Line{Text: t.exports(def.env, text) + t.expand(text, def.vars), Shell: "sh", Dir: def.dir})
}

// exports are commands that set the variables of the environment which a text names, unless
// they are set.
func (t *taskfile) exports(env map[string]string, text string) string {
	var lines []string
	for name, value := range env {
		if IsName(name) && !slices.Contains(t.outer, name) && (strings.Contains(text, "$"+name) || strings.Contains(text, "${"+name)) {
			lines = append(lines, "export "+name+"="+shellText(value)+"\n")
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// expand replaces what a template names by a plain variable. A name that the file
// does not define is one of the environment; all else is not known.
func (t *taskfile) expand(text string, vars map[string]string) string {
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(text, "{{")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		inner, rest, _ := strings.Cut(rest, "}}")
		name, plain := strings.CutPrefix(strings.Trim(inner, " -"), ".")
		value, set := vars[name]
		if v, ok := t.given[name]; ok {
			value, set = v, true
		}
		switch {
		case plain && set && b.Len()+len(value) < 50_000:
			b.WriteString(value)
		case plain && IsName(name) && !HasWord("CLI_ARGS CLI_ARGS_LIST ITEM KEY MATCH TASK ROOT_DIR USER_WORKING_DIR TASKFILE_DIR", name):
			b.WriteString("${" + name + "}")
		default:
			b.WriteString(unknownValue)
		}
		text = rest
	}
}
