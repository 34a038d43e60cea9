package language

import (
	"path"
	"strings"
)

// Taskfile is what task runs for a task; "" is the one called default. load
// reads a file that is included, by its path as seen from the definition; given
// are the variables of the command line, which win over those of the file.
func Taskfile(text, name string, given []Variable, load func(file string) (string, bool)) (p Plan) {
	t := taskfile{load: load, tasks: map[string]taskDef{}, plan: &p, given: map[string]string{}}
	for _, v := range given {
		if t.given[v.Name] = v.Value; !v.Known {
			t.given[v.Name] = "${longline_unknown}"
		}
	}
	t.read(text, "", ".", nil, 0)
	if name == "" {
		name = "default"
	}
	p.Incomplete = !eachTask(name, t.visit) && p.Problem == ""
	return p
}

type taskDef struct {
	node yamlNode
	vars map[string]string // texts of variables; an absent one is not known
	name string            // of the file that it is defined in: "" or "docs:"
	dir  string            // where its commands run
}

type taskfile struct {
	load  func(file string) (string, bool)
	tasks map[string]taskDef
	plan  *Plan
	given map[string]string
}

func (t *taskfile) fail(problem string) {
	if t.plan.Problem == "" {
		t.plan.Problem = problem
	}
}

// read takes in the tasks of one file, whose names begin with prefix.
func (t *taskfile) read(text, prefix, dir string, outer map[string]string, depth int) {
	root, problem := readYAML(text)
	if problem != "" || depth > 4 {
		t.fail("longline cannot read the Taskfile: " + problem)
		return
	}
	vars := t.variables(root.get("vars"), outer)
	for i, name := range root.get("tasks").keys {
		t.tasks[prefix+name] = taskDef{root.get("tasks").items[i], vars, prefix, dir}
		for _, alias := range root.get("tasks").items[i].get("aliases").items {
			t.tasks[prefix+alias.text] = t.tasks[prefix+name]
		}
	}
	includes := root.get("includes")
	for i, name := range includes.keys {
		n := includes.items[i]
		file := n.text
		if n.kind == yamlMap {
			file = n.get("taskfile").text
		}
		if strings.Contains(file, "://") || strings.Contains(file, "{{") || file == "" {
			t.fail("a Taskfile that is fetched, or whose name is computed")
			return
		}
		// Commands run where the outer file is, unless it says otherwise.
		at := dir
		if d := n.get("dir").text; d != "" {
			at = path.Join(dir, d)
		}
		loaded, ok := "", false
		for _, candidate := range taskfileNames(file) {
			if loaded, ok = t.load(candidate); ok {
				break
			}
		}
		if !ok {
			if n.get("optional").text != "true" {
				t.fail("the included Taskfile " + Quote(file) + " cannot be read")
			}
			continue
		}
		inner := prefix + name + ":"
		if n.get("flatten").text == "true" {
			inner = prefix
		}
		t.read(loaded, inner, at, t.variables(n.get("vars"), vars), depth+1)
	}
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
			vars[name] = "${longline_unknown}"
			if sh := v.get("sh"); sh.text != "" {
				t.plan.Lines = append(t.plan.Lines, Line{Text: t.expand(sh.text, vars), Shell: "sh"})
			}
		}
	}
	return vars
}

// visit adds the commands of a task; it returns the tasks that these need.
func (t *taskfile) visit(name string) (needs []string) {
	def, ok := t.tasks[name]
	if !ok {
		for pattern, d := range t.tasks { // a name may hold stars
			if head, tail, star := strings.Cut(pattern, "*"); star && strings.HasPrefix(name, head) && strings.HasSuffix(name, tail) {
				def, ok = d, true
			}
		}
		if !ok {
			return nil
		}
	}
	refer := func(to string) {
		switch {
		case strings.Contains(to, "{{"):
			t.fail("a task whose name is computed")
		case strings.HasPrefix(to, ":"):
			needs = append(needs, to[1:])
		default:
			needs = append(needs, def.name+to)
		}
	}
	n := def.node
	if n.kind == yamlText { // a command alone
		t.command(n.text, def, def.vars)
		return nil
	}
	if n.kind == yamlList {
		n = yamlNode{kind: yamlMap, keys: []string{"cmds"}, items: []yamlNode{n}}
	}
	vars := t.variables(n.get("vars"), def.vars)
	if d := n.get("dir").text; d != "" {
		def.dir = path.Join(def.dir, t.expand(d, vars))
		if strings.HasPrefix(d, "/") {
			def.dir = d
		}
	}
	for _, dep := range n.get("deps").items {
		refer(dep.text + dep.get("task").text)
	}
	for _, c := range append(n.get("cmds").items, yamlNode{kind: yamlText, text: n.get("cmd").text}) {
		switch {
		case c.kind == yamlText:
			t.command(c.text, def, vars)
		case c.has("task"):
			refer(c.get("task").text)
		case c.has("defer") && c.get("defer").kind == yamlMap:
			refer(c.get("defer").get("task").text)
		case c.has("cmd") || c.has("defer"):
			if c.has("for") {
				delete(vars, "ITEM") // what it stands for changes
			}
			t.command(c.get("cmd").text+c.get("defer").text, def, vars)
		default:
			t.fail("a command that longline cannot read")
		}
	}
	for _, key := range [...]string{"preconditions", "status"} {
		for _, c := range n.get(key).items {
			t.command(c.text+c.get("sh").text, def, vars)
		}
	}
	return needs
}

func (t *taskfile) command(text string, def taskDef, vars map[string]string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(t.plan.Lines) > MaxTasks {
		t.plan.Incomplete = true
		return
	}
	t.plan.Lines = append(t.plan.Lines, Line{Text: t.expand(text, vars), Shell: "sh", Dir: def.dir})
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
			b.WriteString("${longline_unknown}")
		}
		text = rest
	}
}
