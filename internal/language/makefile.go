package language

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
)

// makefile is what longline reads of one: rules with their recipes, and variables that have one value in any case. A variable that
// is set twice, or on a condition, is not known. What changes how the file itself is read is a problem: what make runs is
// the project's code.
type makefile struct {
	rules    []makeRule
	named    map[string][]int // rules by what they name as their target
	values   map[string]string
	many     map[string]bool // variables of which the value is not sure
	fixed    map[string]bool // variables of the command line, which win over those of the file
	exported []string        // variables that the programs of recipes get
	shells   []string        // commands that run when the file is read
	included []string        // names of files that are included
	inside   int             // how many conditions the line that is read stands in
	searches bool            // make looks for what is needed in other directories as well
	shell    string
	ask      Request
	files    int // that were read
	steps    int // references followed so far
	problem  string
}

type makeRule struct {
	targets, needs []string
	lines          []string
	stem           string // what the percent sign of a pattern stands for
}

// Make is what make runs for a target. The variables of the environment only make the value of one that the file sets if nobody
// else does uncertain.
func Make(text string, q Request) (p Plan) {
	m := &makefile{named: map[string][]int{}, values: map[string]string{}, many: map[string]bool{}, fixed: map[string]bool{}, shell: "sh", ask: q}
	if q.Dir != "" {
		m.values["CURDIR"] = strings.ReplaceAll(q.Dir, "$", "$$")
	}
	for _, v := range q.Given {
		if !v.Environment {
			m.values[v.Name], m.many[v.Name], m.fixed[v.Name] = v.Value, !v.Known, true
		}
	}
	m.read(text)
	goals := []string{m.goal(q.Task)}
	for _, name := range append(m.included, q.Files...) { // makefiles are made first, and in a rehearsal as well
		if len(m.named[name]) == 0 && slices.Contains(q.Files, name) {
			continue // it is there, and a rule for anything is not meant
		}
		if found := m.find(name); len(found) > 0 && len(found[0].lines) > 0 && !m.isPhony(name) {
			goals = append(goals, name)
			if !isDependencies(name) {
				m.fail("a makefile that make makes first")
			}
		}
	}
	rules, complete := m.chain(goals)
	for _, cmd := range m.shells {
		p.Lines = append(p.Lines, Line{Text: m.expand(cmd, nil, 0), Shell: m.shell})
	}
	for _, rule := range rules {
		made := q.Dry && !slices.Contains(goals[1:], rule.targets[0])
		for _, line := range m.recipe(&rule, made) {
			p.Lines = append(p.Lines, Line{Text: line, Shell: m.shell})
		}
	}
	if len(p.Lines) > maxLines {
		p.Lines, complete = p.Lines[:maxLines], false
	}
	p.Incomplete, p.Problem = !complete, m.problem
	return p
}

// maxLines bounds the commands of a plan.
const maxLines = 512

func (m *makefile) fail(problem string) {
	if m.problem == "" {
		m.problem = "longline cannot follow the Makefile: " + problem
	}
}

// goal is the target that is made for a task; the first one of the file if none is named.
func (m *makefile) goal(task string) string {
	if task != "" {
		return plainTarget(task)
	}
	if m.values[".DEFAULT_GOAL"] != "" {
		return plainTarget(strings.TrimSpace(m.expand("$(.DEFAULT_GOAL)", nil, 0)))
	}
	for _, rule := range m.rules {
		if t := rule.targets[0]; !strings.HasPrefix(t, ".") && !strings.Contains(t, "%") {
			return t
		}
	}
	return ""
}

// isDependencies says whether a file is a list of what needs what, as compilers write it, by its name.
func isDependencies(name string) bool {
	return HasWord(".d .P .dep .deps .depend .depends", path.Ext(name)) || HasWord("depend depends dependencies", path.Base(name))
}

// plainTarget is a name as make takes it, in rules and from the command line: without the directory that it works in.
func plainTarget(name string) string {
	for strings.HasPrefix(name, "./") && strings.Trim(name[2:], "/") != "" {
		name = strings.TrimLeft(name[2:], "/")
	}
	return name
}

func (m *makefile) isPhony(name string) bool {
	return slices.ContainsFunc(m.named[".PHONY"], func(i int) bool { return slices.Contains(m.rules[i].needs, name) })
}

// chain lists the rules that making some targets runs. It returns false if it is not the whole list.
func (m *makefile) chain(targets []string) (out []makeRule, complete bool) {
	alike := map[string]bool{} // a pattern does the same for all files of one kind in one directory
	complete = eachTask(targets, func(name string) (needs []string) {
		for _, rule := range m.find(name) {
			out = append(out, rule)
			for _, n := range rule.needs {
				key := n
				if len(m.named[n]) == 0 {
					key = path.Dir(n) + "/*" + path.Ext(n)
				}
				if !alike[key] && (len(m.named[n]) > 0 || len(m.find(n)) > 0) {
					needs = append(needs, n)
				}
				alike[key] = true
			}
		}
		return needs
	})
	return out, complete
}

// find lists the rules for a target: those that name it, or, if none of them has a recipe, those of patterns. Of a name that is not
// known each pattern may be meant.
func (m *makefile) find(name string) (out []makeRule) {
	recipe := false
	for _, i := range m.named[name] {
		one := m.rules[i]
		one.targets = []string{name}
		out = append(out, one)
		recipe = recipe || len(one.lines) > 0
	}
	if recipe || name == "" {
		return out
	}
	for i := range m.rules {
		for _, t := range m.rules[i].targets {
			if m.steps++; m.steps > maxReferences {
				return out
			}
			if one, ok := m.rules[i].matched(t, name); ok {
				out = append(out, one)
			} else if strings.HasPrefix(name, unknownValue) && strings.ContainsAny(t, "./") && len(m.rules[i].lines) > 0 && t[0] != '.' {
				out = append(out, m.rules[i]) // some file
			}
		}
	}
	if len(out) == 0 {
		for _, i := range m.named[".DEFAULT"] {
			out = append(out, makeRule{targets: []string{name}, lines: m.rules[i].lines})
		}
	}
	return out
}

// matched is a rule of a pattern as it is for a name. A pattern without a slash is held against the last part of the name.
func (r makeRule) matched(pattern, name string) (one makeRule, ok bool) {
	if parts := strings.Split(pattern, "."); len(parts) == 3 && parts[0] == "" && IsName(parts[1]) && IsName(parts[2]) {
		pattern = "%." + parts[2] // .c.o
	}
	head, tail, ok := strings.Cut(pattern, "%")
	dir, base := "", name
	if !strings.Contains(pattern, "/") && !strings.HasSuffix(name, "/") {
		dir, base = path.Split(name)
	}
	switch {
	case !ok:
		return one, false
	case strings.Contains(name, "$"):
		return makeRule{targets: []string{name}, lines: r.lines, stem: unknownValue}, true
	case len(base) <= len(head)+len(tail) || !strings.HasPrefix(base, head) || !strings.HasSuffix(base, tail):
		return one, false
	}
	stem := base[len(head) : len(base)-len(tail)]
	one = makeRule{targets: []string{name}, lines: r.lines, stem: dir + stem}
	for _, n := range r.needs {
		if strings.Contains(n, "%") {
			n = dir + strings.Replace(n, "%", stem, 1)
		}
		one.needs = append(one.needs, n)
	}
	return one, true
}

// recipe is what the recipe of a rule runs. In a rehearsal that is what its text computes, and the lines that are marked by a plus or
// run make.
func (m *makefile) recipe(rule *makeRule, dry bool) (list []string) {
	lines := rule.lines
	if len(m.named[".ONESHELL"]) > 0 {
		lines = []string{strings.Join(lines, "\n")}
	}
	for _, raw := range lines {
		for _, cmd := range m.commands(raw) {
			list = append(list, m.expand(cmd, rule, 0))
		}
		again := strings.Contains(raw, "$(MAKE)") || strings.Contains(raw, "${MAKE}")
		if _, own := m.values["MAKEFLAGS"]; dry && again && !own && !strings.Contains(raw, "MAKEFLAGS") { // the flags are handed on: a make below rehearses, too
			raw = strings.NewReplacer("$(MAKE)", "$(MAKE) -n", "${MAKE}", "$(MAKE) -n").Replace(raw)
		}
		text := m.expand(raw, rule, 0)
		line := strings.TrimLeft(text, "@-+ \t")
		marks := text[:len(text)-len(line)]
		if strings.HasPrefix(line, "${") { // a mark or a message, as a rule, which must not hide the program
			if strings.HasPrefix(line, unknownValue) {
				marks += "+"
			}
			if line == unknownValue {
				m.fail("a recipe that is computed")
			}
			if _, rest, _ := strings.Cut(line, "}"); rest != "" && isLetter(rest[0]) {
				line = rest
			}
		}
		if dry && !again && !strings.Contains(marks, "+") {
			continue
		}
		if names := m.handed(); again && len(names) > 0 {
			line = "export " + Handed + "='" + strings.Join(names, "\n") + "'; " + line
		}
		list = append(list, line)
	}
	return list
}

// Handed is the name of the variable in which a make is told which variables the one that runs it hands on, one on a line: it does not
// know their values.
const Handed = "longline_handed"

// handed are the variables that programs of recipes get.
func (m *makefile) handed() (names []string) {
	for _, v := range m.ask.Given {
		if IsName(v.Name) && !v.Environment {
			names = append(names, v.Name)
		}
	}
	return slices.Compact(append(names, m.exported...))
}

// HandedOn are the variables that a text of that form tells of.
func HandedOn(text string) (list []Variable) {
	for name := range strings.SplitSeq(text, "\n") {
		list = append(list, Variable{Name: name, Environment: true})
	}
	return list
}

// read takes in the text of a file.
func (m *makefile) read(text string) {
	if m.files++; m.files > MaxTasks {
		m.fail("too many files")
		return
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	open := false // a rule whose recipe may go on
	for i := 0; i < len(lines); i++ {
		recipe := strings.HasPrefix(lines[i], "\t") && open
		line, last := joinedLine(lines, i, recipe)
		if i = last; recipe {
			rule := &m.rules[len(m.rules)-1]
			rule.lines = append(rule.lines, line[1:])
			continue
		}
		line = uncommented(line)
		m.shells = append(m.shells, m.commands(line)...)
		first, rest := word(line)
		unsure := 0
		for HasWord("override export private", first) && (strings.Contains(rest, "=") || strings.HasPrefix(rest, "define")) {
			if first == "export" {
				m.export(rest)
			}
			if first != "export" { // where it holds, and who else sets it, is not followed
				unsure++
			}
			line = rest
			first, rest = word(line)
		}
		m.inside += unsure
		switch {
		case first == "define":
			name, _ := word(rest)
			m.values[name], m.many[name] = "", true
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "endef"; i++ {
				m.shells = append(m.shells, m.commands(lines[i])...)
			}
		case HasWord("ifeq ifneq ifdef ifndef", first), strings.HasPrefix(first, "ifeq("), strings.HasPrefix(first, "ifneq("):
			m.inside++
		case first == "endif":
			m.inside--
		case HasWord("include -include sinclude", first):
			m.include(rest, first == "include")
		case first == "export":
			m.export(rest)
		case first == "undefine":
			m.values[rest], m.many[rest] = "", true
		case HasWord("load -load", first):
			m.fail("a library that make loads")
		case first == "vpath":
			m.searches = true
		case !HasWord("else unexport", first) && strings.TrimSpace(line) != "":
			open = m.statement(strings.TrimSpace(line)) || open && !strings.Contains(line, ":")
		}
		m.inside -= unsure
	}
}

// joinedLine is the line at i with those in which a backslash lets it go on, and the index of the last of them. The lines of a recipe
// stay what they are.
func joinedLine(lines []string, i int, recipe bool) (line string, last int) {
	line = lines[i]
	for strings.HasSuffix(line, `\`) && i+1 < len(lines) {
		i++
		if recipe {
			line += "\n" + strings.TrimPrefix(lines[i], "\t")
		} else {
			line = strings.TrimSuffix(line, `\`) + " " + strings.TrimSpace(lines[i])
		}
	}
	return line, i
}

// export notes the variables that a line hands on to programs.
func (m *makefile) export(rest string) {
	head, _, _ := strings.Cut(rest, "=")
	if head == "" {
		m.fail("all variables are exported")
	}
	for name := range strings.FieldsSeq(strings.TrimRight(head, "?:+! \t")) {
		if IsName(name) {
			m.exported = append(m.exported, name)
		}
	}
}

// uncommented is a line without its comment. A number sign in a reference, or behind a backslash, begins none.
func uncommented(line string) string {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case c == '#' && depth <= 0:
			return line[:i]
		}
	}
	return line
}

// include reads the files that a line includes.
func (m *makefile) include(names string, must bool) {
	for name := range strings.FieldsSeq(m.expand(names, nil, 0)) {
		if m.ask.Home != "" {
			name = strings.ReplaceAll(name, "${HOME}", m.ask.Home)
		}
		list, whole := []string{name}, !strings.Contains(name, "$")
		if whole && paths.Wild(name) && m.ask.List != nil {
			list, whole = m.ask.List(name)
		}
		if !whole && !isDependencies(name) {
			m.fail("an included file that longline does not know")
		}
		for _, one := range list {
			m.included = append(m.included, plainTarget(one))
			if m.ask.Secret != nil && m.ask.Secret(one) {
				m.fail("it includes a file of secrets, which a recipe may show")
			} else if text, ok := m.load(one); ok {
				m.read(text)
			} else if !isDependencies(one) && (must || m.ask.Gone == nil || !m.ask.Gone(one)) {
				m.fail("an included file that longline cannot read")
			}
		}
	}
}

func (m *makefile) load(file string) (string, bool) {
	if m.ask.Load == nil || strings.Contains(file, "$") {
		return "", false
	}
	return m.ask.Load(file)
}

// statement reads a rule or an assignment; it says whether it was a rule.
func (m *makefile) statement(line string) bool {
	at := separator(line)
	if at < 0 {
		return false
	}
	if strings.HasPrefix(strings.TrimLeft(line[at:], ":"), "=") {
		m.assign(line, at)
		return false
	}
	targets := strings.Fields(strings.TrimSuffix(strings.TrimSpace(m.expand(line[:at], nil, 0)), "&"))
	rest := strings.TrimLeft(line[at:], ":")
	needs, inline, _ := strings.Cut(rest, ";")
	if len(targets) == 0 {
		return false
	}
	if at := separator(needs); at >= 0 {
		if strings.HasPrefix(strings.TrimLeft(rest[at:], ":"), "=") { // a variable for this target alone
			m.inside++
			m.assign(rest, at)
			m.inside--
			return false
		}
		needs = needs[at+1:] // TARGETS: PATTERN: NEEDS
	}
	rule := makeRule{targets: targets}
	for _, n := range strings.Fields(m.expand(needs, nil, 0)) {
		if n != "|" {
			rule.needs = append(rule.needs, plainTarget(n))
		}
	}
	if inline != "" {
		rule.lines = append(rule.lines, strings.TrimSpace(inline))
	}
	for i, t := range targets {
		targets[i] = plainTarget(t)
		m.named[targets[i]] = append(m.named[targets[i]], len(m.rules))
		switch {
		case strings.Contains(t, unknownValue):
			m.fail("a rule for a target that is computed")
		case t == ".SECONDEXPANSION":
			m.fail("what targets need is computed twice")
		case t == ".EXPORT_ALL_VARIABLES":
			m.fail("all variables are exported")
		}
	}
	m.rules = append(m.rules, rule)
	return true
}

// separator is where ":" or "=" stands first, outside of references.
func separator(line string) int {
	depth := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case depth == 0 && (c == '=' || c == ':'):
			return i
		}
	}
	return -1
}

// assign gives a variable the value of a line, in which the separator stands at an index.
func (m *makefile) assign(line string, at int) {
	eq := at + strings.IndexByte(line[at:], '=')
	fields := strings.Fields(strings.TrimRight(line[:eq], "?:+! \t"))
	if len(fields) == 0 {
		return
	}
	name, value := fields[len(fields)-1], strings.TrimSpace(line[eq+1:])
	if slices.Contains(fields, "export") {
		m.exported = append(m.exported, name)
	}
	operator := line[at:eq]
	if eq > 0 && strings.IndexByte("?+!", line[eq-1]) >= 0 {
		operator = line[eq-1 : eq]
	}
	old, set := m.values[name]
	switch {
	case operator == "!":
		m.shells = append(m.shells, value)
	case strings.HasPrefix(operator, ":"): // worked out now, and not again
		value = strings.ReplaceAll(m.expand(value, nil, 0), "$", "$$")
	}
	switch {
	case name == "MAKEFLAGS" && operator == "+":
		return
	case name == "VPATH":
		m.searches = true
	case name == ".RECIPEPREFIX", name == ".EXTRA_PREREQS":
		m.fail("the variable " + name)
	case name == "SHELL", name == ".SHELLFLAGS":
		m.runsBy(name, m.expand(value, nil, 0))
	case m.fixed[name]:
		m.many[name] = m.many[name] || m.inside > 0
		return
	}
	given := slices.ContainsFunc(m.ask.Given, func(v Variable) bool { return v.Name == name && v.Environment })
	if operator == "+" && old != "" {
		value, set = old+" "+value, false
	}
	m.many[name] = m.many[name] || set || m.inside > 0 || operator == "!" || operator == "?" && given
	m.values[name] = value
}

// runsBy takes in the shell that runs recipes, or its flags, which must set options alone.
func (m *makefile) runsBy(name, value string) {
	for w := range strings.FieldsSeq(value) {
		if base := path.Base(w); name == "SHELL" && HasWord("sh bash dash zsh ksh", base) {
			m.shell = base
		} else if base != "env" && strings.Trim(strings.TrimLeft(w, "-"), "ceuxo") != "" && !HasWord("pipefail errexit nounset", w) {
			m.fail("recipes run in an unknown shell")
		}
	}
}

// reference is what stands in the brackets at i, and the index behind them. Brackets of the other kind do not count.
func reference(text string, i int) (string, int) {
	left, right := text[i], byte(')')
	if left == '{' {
		right = '}'
	}
	depth := 0
	for k := i; k < len(text); k++ {
		switch text[k] {
		case left:
			depth++
		case right:
			if depth--; depth == 0 {
				return text[i+1 : k], k + 1
			}
		}
	}
	return text[i+1:], len(text)
}

// commands are the texts that a line hands to the shell when it is worked out. What changes rules is a problem.
func (m *makefile) commands(line string) (list []string) {
	for i := 0; i+1 < len(line); i++ {
		if line[i] != '$' || line[i+1] != '(' && line[i+1] != '{' {
			continue
		}
		inner, _ := reference(line, i+1)
		name, rest := word(inner)
		if HasWord("eval guile file", name) {
			m.fail("the function " + name)
		}
		switch name {
		case "shell":
			list = append(list, rest)
		case "call":
			if f, arg, _ := strings.Cut(rest, ","); strings.TrimSpace(f) == "shell" {
				list = append(list, arg)
			}
		}
		if m.steps += len(inner) / 16; m.steps > maxReferences {
			m.fail("it is too long")
			return list
		}
	}
	return list
}

// maxReferences bounds the references that are followed.
const maxReferences = 100_000

// expand replaces references.
func (m *makefile) expand(text string, rule *makeRule, depth int) string {
	var b strings.Builder
	var at quoting
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		value := ""
		switch c := text[i]; {
		case c == '$':
			b.WriteByte('$')
			continue
		case c == '(' || c == '{':
			name, end := reference(text, i)
			i = end - 1
			value = m.value(name, rule, depth)
		default:
			value = m.value(text[i:i+1], rule, depth)
		}
		if rule != nil && b.Len() < 1<<16 && at.inSingle(b.String()) && strings.Contains(value, "${") {
			value = `'"` + value + `"'` // the shell that reads it would take it for a text of its own
		}
		if b.WriteString(value); b.Len() > 1<<18 {
			m.fail("it is too long")
			return unknownValue
		}
	}
	return b.String()
}

// makeDefaults are the values that make gives to variables which nothing sets.
const makeDefaults = "\nMAKE: make\nCC: cc\nCXX: g++\nAR: ar\nAS: as\nLD: ld\nRM: rm -f\nempty: \n"

// value is what a reference stands for. A variable that nothing sets is one of the environment, or nothing.
func (m *makefile) value(name string, rule *makeRule, depth int) string {
	if m.steps++; depth > 20 || m.steps > maxReferences {
		return unknownValue
	}
	if function, rest, ok := strings.Cut(name, " "); ok {
		return m.function(function, rest, rule, depth)
	}
	if base, change, ok := strings.Cut(name, ":"); ok {
		from, to, _ := strings.Cut(change, "=")
		if !strings.Contains(from, "%") {
			from, to = "%"+from, "%"+to
		}
		return substituted(m.value(base, rule, depth+1), m.expand(from, rule, depth+1), m.expand(to, rule, depth+1))
	}
	if name != "" && strings.IndexByte("@<^+*?%|", name[0]) >= 0 {
		return m.automatic(name, rule)
	}
	text, set := m.values[name]
	switch {
	case name == "MAKEFILE_LIST" && len(m.ask.Files) == 1 && len(m.included) == 0:
		return m.ask.Files[0]
	case m.many[name], strings.ContainsAny(name, "$"), name == "MAKEFILE_LIST", name != "" && isDigit(name[0]):
		return unknownValue
	case set:
		return m.expand(text, rule, depth+1)
	case entry(makeDefaults, name) != "":
		return entry(makeDefaults, name)
	case IsName(name):
		return "${" + name + "}"
	}
	return unknownValue
}

// function is the value of a function.
func (m *makefile) function(function, rest string, rule *makeRule, depth int) string {
	args := arguments(rest)
	for i := range args {
		args[i] = m.expand(args[i], rule, depth+1)
	}
	last := args[len(args)-1]
	each := func(change func(w string) string) string {
		if strings.Contains(last, "$") {
			return unknownValue
		}
		words := strings.Fields(last)
		for i, w := range words {
			words[i] = change(w)
		}
		return strings.Join(words, " ")
	}
	switch {
	case HasWord("info warning error", function):
		return ""
	case function == "subst" && len(args) == 3 && args[0] != "" && !strings.Contains(last, "$"):
		return strings.ReplaceAll(last, args[0], args[1])
	case function == "patsubst" && len(args) == 3:
		return substituted(last, args[0], args[1])
	case function == "addprefix" && len(args) == 2:
		return each(func(w string) string { return args[0] + w })
	case function == "addsuffix" && len(args) == 2:
		return each(func(w string) string { return w + args[0] })
	case function == "notdir":
		return each(path.Base)
	case function == "dir":
		return each(func(w string) string { return path.Dir(w) + "/" })
	case function == "basename":
		return each(func(w string) string { return strings.TrimSuffix(w, path.Ext(w)) })
	}
	return unknownValue
}

// arguments are those of a function: commas in references do not separate.
func arguments(text string) (args []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case c == ',' && depth == 0:
			args = append(args, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(args, strings.TrimSpace(text[from:]))
}

// substituted is a list of words of which each that fits a pattern is put into another one.
func substituted(list, from, to string) string {
	head, tail, _ := strings.Cut(from, "%")
	words := strings.Fields(list)
	for i, w := range words {
		switch {
		case strings.Contains(w, "$"):
			words[i] = strings.Replace(to, "%", unknownValue, 1)
		case len(w) >= len(head)+len(tail) && strings.HasPrefix(w, head) && strings.HasSuffix(w, tail):
			words[i] = strings.Replace(to, "%", w[len(head):len(w)-len(tail)], 1)
		}
	}
	return strings.Join(words, " ")
}

// automatic is what one of the variables stands for that make sets for each rule, or the directory or name of it.
func (m *makefile) automatic(name string, r *makeRule) string {
	value := unknownValue
	switch needs := ""; {
	case r == nil:
	case name[0] == '@':
		value = r.targets[0]
	case name[0] == '*' && r.stem != "":
		value = r.stem
	case m.searches || len(r.needs) == 0:
	case name[0] == '<' && !strings.Contains(r.needs[0], "%"):
		value = r.needs[0]
	case name[0] == '^' || name[0] == '+':
		if needs = strings.Join(r.needs, " "); !strings.Contains(needs, "%") {
			value = needs
		}
	}
	switch {
	case len(name) == 1:
		return value
	case strings.ContainsAny(value, " $"):
		return unknownValue
	case name[1] == 'D':
		return path.Dir(value)
	}
	return path.Base(value)
}

// quoting is where a text for a shell that grows stands in quotes.
type quoting struct {
	read  int
	quote byte
}

// inSingle says whether what follows a text stands in single quotes.
func (q *quoting) inSingle(text string) bool {
	for ; q.read < len(text); q.read++ {
		switch c := text[q.read]; {
		case c == '\\' && q.quote != '\'':
			q.read++
		case q.quote == 0 && (c == '\'' || c == '"'):
			q.quote = c
		case c == q.quote:
			q.quote = 0
		}
	}
	return q.quote == '\''
}
