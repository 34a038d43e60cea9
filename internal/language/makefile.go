package language

import (
	"path"
	"slices"
	"strings"
)

// makefile is what longline reads of one: rules with their recipes, and
// variables with a constant value. Conditions are not followed: the rules of all
// branches count.
type makefile struct {
	rules    []makeRule
	values   map[string]string
	many     map[string]bool // variables that have more than one value
	marks    map[string]bool // variables that hold nothing but marks of a recipe line (@, -, +), or nothing
	fixed    map[string]bool // variables of the command line, which win over those of the file
	shells   []string        // commands that run when the file is read
	included []string        // names of files that are included; a star stands for what is not known
	prefix   string          // what a line of a recipe begins with
	adds     bool            // some value begins with a plus, so that a line with it in front runs in a rehearsal
	settings bool            // files of settings are included, which hold secrets
	alone    bool            // MAKEFLAGS is set anew, so that a make below knows nothing of the flags of this one
	ask      Request
	texts    []string            // names of the files that were read, as MAKEFILE_LIST has them
	calling  int                 // how deep values are looked into for what they run
	within   int                 // the same, for values whose commands were seen
	walked   int                 // how many were looked into
	looked   int                 // how much text was looked at for that
	printing bool                // what is worked out is printed by make itself, so that a dollar sign for the shell is nothing
	listed   int                 // how often that list was looked at
	unsure   map[string]bool     // variables that a file may set that was not read
	since    map[string]int      // variables that are set in any case, with how many files were included before
	inside   int                 // how many files the one being read is included by
	unread   bool                // there is such a file
	lost     bool                // rules are made of a text that is not known
	lacking  []string            // for each condition that a line stands in the variable that it says is not set; "" if it says something else
	maybe    map[string]bool     // variables that have their value or none
	absent   map[string]bool     // those that are taken to have none
	met      []string            // those that were referred to
	other    string              // program that runs recipes which are no shell's, and its flags
	searches int                 // places where something needed was looked for
	ways     []string            // directories in which make looks for what is needed
	override bool                // a line says that it wins over the command line
	awaited  map[string][]string // variables that were worked out when a variable was not set yet that they refer to
	making   bool                // what is read is the text of an evaluation
	lazy     bool                // the text looked at is only kept
	planned  bool                // what the recipes evaluate was read
	every    map[string][]string // all the values of a variable
	exported map[string]bool     // variables that the programs of recipes get
	exports  bool                // they get all
	secrets  []string            // names of variables that a file of settings holds secrets in
	named    map[string][]int    // rules by what they name as their target
	patterns []int               // rules for names of a form
	files    int                 // files that were read
	steps    int                 // references followed so far
	looks    int                 // rules held against a name so far
}

type makeRule struct {
	targets, needs []string
	lines          []string
	stem           string // what the percent sign of a pattern stands for
}

// Make is what make runs for a target. The variables of the environment only make
// the value of one that the file sets uncertain.
func Make(text string, q Request) (p Plan) {
	m := newMakefile(q)
	m.give(q.Given)
	m.read(text)
	remadeIncludes(m)
	m.inherit()
	q.Task = plainTarget(q.Task)
	shell := recipeShell(m)
	seen := map[string]bool{}
	add := func(text string) {
		if m.absent == nil || !seen[text] {
			seen[text] = true
			text = m.given(text)
			p.Lines = append(p.Lines, Line{Text: text, Shell: shell})
		}
	}
	// Makefiles are made first, and in a rehearsal as well.
	remade, whole := m.remade(q.Files)
	rules, complete := m.plan(q.Task)
	m.evaluations(remade)
	m.evaluations(rules)
	worlds(m, func() {
		for _, cmd := range m.shells {
			add(m.expand(cmd, nil, 0))
		}
		for _, rule := range remade {
			own := rule.targets[0]
			m.run(&rule, false, func(text string) {
				if plainName(own) && isFragment(own) && !slices.Contains(q.Files, own) {
					text = elsewhere(text, own)
				}
				add(text)
			})
		}
		for _, rule := range rules {
			m.run(&rule, q.Dry, add)
			printsRecipe(m, &rule, q.Dry, add)
		}
	})
	p.Incomplete = !complete || !whole || m.lost
	return p
}

// isFragment says whether a file is one that only make reads, by its name: a list of dependencies, or a part of a makefile.
func isFragment(name string) bool {
	return HasWord(".d .mk .mak .make .P .dep .deps .depend .depends", path.Ext(name))
}

// elsewhere is a text with the name of a file taken to a directory for temporary files. A
// file that is made to be included is not the project's work, whoever writes it anew.
func elsewhere(text, name string) string {
	var b strings.Builder
	before := byte(' ')
	for {
		i := strings.Index(text, name)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		if i > 0 {
			before = text[i-1]
		}
		head, end := strings.TrimSuffix(text[:i], "./"), i+len(name)
		if head != text[:i] {
			before = ' '
			if head != "" {
				before = head[len(head)-1]
			}
		}
		if strings.IndexByte(" \t\n\"'><=;&|(", before) >= 0 && (end == len(text) || !isWordByte(text[end]) && text[end] != '/' && text[end] != '-') {
			b.WriteString(head + "/tmp/" + name)
		} else {
			b.WriteString(text[:end])
		}
		before, text = text[end-1], text[end:]
	}
}

// give takes in the variables of a command line.
func (m *makefile) give(given []Variable) {
	for _, v := range given {
		if !v.Environment {
			m.values[v.Name], m.many[v.Name], m.fixed[v.Name] = v.Value, !v.Known, true
			m.adds = m.adds || addsMark(v.Value)
		}
	}
}

// plan lists the rules that making a target runs; "" is the default target. It
// returns false if it is not the whole list.
func (m *makefile) plan(target string) ([]makeRule, bool) {
	if target == "" {
		for _, rule := range m.rules {
			if t := rule.targets[0]; !strings.HasPrefix(t, ".") && !strings.Contains(t, "%") {
				target = t
				break
			}
		}
		if len(m.every[".DEFAULT_GOAL"]) > 0 {
			target = strings.TrimSpace(m.expand("$(.DEFAULT_GOAL)", nil, 0))
			m.lost = m.lost || strings.Contains(target, "$")
		}
	}
	return m.chain([]string{target}, true)
}

// remade lists the rules that make the makefiles themselves and what they include.
func (m *makefile) remade(files []string) ([]makeRule, bool) {
	alike := map[string]bool{}
	var names []string
	shapes := 0
	for _, name := range append(m.included, files...) {
		if name = plainTarget(name); !strings.Contains(name, "*") {
			if m.worth(name, alike) {
				names = append(names, name)
			}
			continue
		}
		if alike[name] {
			continue
		}
		alike[name] = true
		if shapes++; shapes > MaxTasks {
			return nil, false
		}
		names = m.shaped(names, name)
	}
	return m.chain(names, false)
}

// shaped adds the targets that a name may be which is known in part.
func (m *makefile) shaped(names []string, shape string) []string {
	phony := map[string]bool{}
	for _, i := range m.named[".PHONY"] {
		for _, n := range m.rules[i].needs {
			phony[n] = true
		}
	}
	for t := range m.named {
		switch {
		case phony[t] || shape == "*" && strings.HasPrefix(t, ".") || t == "%" || !overlap(t, shape):
		case strings.Contains(t, "%"):
			names = append(names, standIn(shape))
		default:
			names = append(names, t)
		}
	}
	slices.Sort(names)
	return names
}

// chain lists the rules that making some targets runs. It returns false if it is not the
// whole list. goal says that they are what was asked for, for which a rule for anything counts.
func (m *makefile) chain(targets []string, goal bool) (out []makeRule, complete bool) {
	alike := map[string]bool{} // names that a pattern makes like one that was seen
	first := goal
	complete = eachTask(targets, func(next string) (needs []string) {
		found := m.find(next, first)
		first = false
		for _, rule := range found {
			out = append(out, rule)
			for _, n := range needsOf(m, &rule) {
				if n = standIn(n); m.worth(n, alike) {
					needs = append(needs, n)
				}
			}
		}
		return needs
	})
	return out, complete
}

// worth says whether there are rules for a name of which nothing is known yet: those of
// a pattern do the same for all files of one kind in one directory.
func (m *makefile) worth(name string, alike map[string]bool) bool {
	if len(m.named[name]) > 0 || m.looks > 100_000 {
		return true
	}
	key := name
	if ext := path.Ext(name); ext != "" && plainName(name) {
		key = path.Dir(name) + "/*" + ext
	}
	if alike[key] {
		return false
	}
	alike[key] = true
	return len(m.find(name, false)) > 0
}

// standIn is a name that may be one of those that are computed: files that are there,
// as a rule, with plain names.
func standIn(name string) string {
	return strings.ReplaceAll(unknownReferences(name), "*", "longline")
}

// plainName says whether a name is that of a file below the directory it is seen from.
func plainName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !isWordByte(c) && strings.IndexByte("-./+", c) < 0 {
			return false
		}
	}
	return name != "" && name[0] != '/' && name[0] != '-' && !strings.Contains(name, "..")
}

// plainTarget is a name as make takes it, in rules and from the command line: without the directory that it works in.
func plainTarget(name string) string {
	for strings.HasPrefix(name, "./") && strings.Trim(name[2:], "/") != "" {
		name = strings.TrimLeft(name[2:], "/")
	}
	return name
}

// find lists the rules for a target: those that name it, or, if none of them has a
// recipe, those of patterns. anything says that rules for all names count, as they do for files that are not there.
func (m *makefile) find(name string, anything bool) (out []makeRule) {
	recipe := false
	for _, i := range m.naming(name) {
		one := m.rules[i]
		if !slices.ContainsFunc(one.targets, func(t string) bool { return t != name && standIn(t) == name }) {
			one.targets = []string{name}
		}
		out = append(out, one)
		recipe = recipe || len(one.lines) > 0
	}
	if recipe || name == "" {
		return out
	}
	anything = anything || m.isGone(name) && !isPhony(m, name)
	for _, i := range m.patterns {
		m.looks++
		for _, t := range m.rules[i].targets {
			if one, ok := m.rules[i].matched(t, name); ok && (t != "%" || anything) {
				out = append(out, one)
			}
		}
	}
	if len(out) == 0 && anything {
		for _, i := range m.named[".DEFAULT"] {
			out = append(out, makeRule{targets: []string{name}, lines: m.rules[i].lines})
		}
	}
	return out
}

// naming is which rules name a target, or the same file in one of the directories that make looks for it in.
func (m *makefile) naming(name string) []int {
	list := m.named[name]
	if len(m.ways) == 0 && len(m.every["VPATH"]) == 0 || name == "" || name[0] == '/' {
		return list
	}
	for _, dir := range m.searchDirs() {
		if m.searches++; m.searches > maxSearches {
			m.lost = true
			return list
		}
		list = slices.Concat(list, m.named[plainTarget(strings.TrimRight(dir, "/")+"/"+name)])
	}
	return list
}

// matched is a rule of a pattern as it is for a name. A pattern without a slash is held against the last part of the name.
func (r makeRule) matched(pattern, name string) (one makeRule, ok bool) {
	if to, ok := suffixRule(pattern); ok {
		pattern = "%." + to
	}
	head, tail, ok := strings.Cut(pattern, "%")
	dir, base := "", name
	if !strings.Contains(pattern, "/") && !strings.HasSuffix(name, "/") {
		dir, base = path.Split(name)
	}
	if !ok || len(base) <= len(head)+len(tail) || !strings.HasPrefix(base, head) || !strings.HasSuffix(base, tail) {
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

// suffixRule is the ending of what a rule of the form .c.o makes.
func suffixRule(target string) (to string, ok bool) {
	parts := strings.Split(target, ".")
	if len(parts) != 3 || parts[0] != "" || !IsName(parts[1]) || !IsName(parts[2]) {
		return "", false
	}
	return parts[2], true
}

// overlap says whether a target and a name can be the same file. A percent sign in the one
// and a star in the other stand for any text.
func overlap(target, name string) bool {
	target = strings.ReplaceAll(strings.ReplaceAll(target, "%", "*"), unknownValue, "*")
	th, tt, many := cutStars(target)
	nh, nt, more := cutStars(name)
	switch {
	case !many && !more:
		return target == name
	case !many:
		return len(target) >= len(nh)+len(nt) && strings.HasPrefix(target, nh) && strings.HasSuffix(target, nt)
	case !more:
		return len(name) > len(th)+len(tt) && strings.HasPrefix(name, th) && strings.HasSuffix(name, tt)
	}
	return (strings.HasPrefix(th, nh) || strings.HasPrefix(nh, th)) && (strings.HasSuffix(tt, nt) || strings.HasSuffix(nt, tt))
}

// cutStars is what stands before the first star of a text and behind the last one.
func cutStars(s string) (head, tail string, ok bool) {
	i := strings.IndexByte(s, '*')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[strings.LastIndexByte(s, '*')+1:], true
}

// run adds what the recipe of a rule runs. In a rehearsal that is what its text
// computes, and the lines that are marked by a plus or run make.
func (m *makefile) run(rule *makeRule, dry bool, add func(text string)) {
	lines, one := rule.lines, len(m.named[".ONESHELL"]) > 0
	if one {
		lines = []string{strings.Join(lines, "\n")}
	}
	for _, raw := range lines {
		for _, cmd := range m.calls(raw, nil) {
			add(m.expand(cmd, rule, 0))
		}
		again := strings.Contains(raw, "$(MAKE)") || strings.Contains(raw, "${MAKE}")
		if dry && again && !m.alone && !strings.Contains(raw, "MAKEFLAGS") {
			// The flags are handed on: a make below rehearses, too.
			raw = strings.ReplaceAll(strings.ReplaceAll(raw, "$(MAKE)", "$(MAKE) -n"), "${MAKE}", "$(MAKE) -n")
		}
		parts := []string{m.expand(raw, rule, 0)}
		if !one {
			parts = ownLines(parts[0])
		}
		for _, text := range parts {
			if line, marks := unmarked(text); !dry || again || m.marked(marks, line) {
				add(handedOn(m, again, line) + withoutHidden(line))
			}
		}
	}
}

// printsRecipe adds what stands for the printing of a secret, because the lines of recipes are shown before they run, with all values
// filled in: those without a mark that says otherwise, and all of them in a rehearsal.
func printsRecipe(m *makefile, rule *makeRule, dry bool, add func(text string)) {
	if !m.settings || m.ask.Silent && !dry || !dry && len(m.named[".SILENT"]) > 0 {
		return
	}
	for _, raw := range rule.lines {
		if _, marks := unmarked(raw); !dry && strings.Contains(marks, "@") {
			continue
		}
		if name := secretIn(m, raw, rule); name != "" {
			add("echo ${" + name + "}")
			return
		}
	}
}

// withoutHidden is a line of a recipe without a variable right in front of a word: what
// it holds, a mark or a message as a rule, must not hide the program.
func withoutHidden(line string) string {
	if !strings.HasPrefix(line, "${") {
		return line
	}
	_, rest, _ := strings.Cut(line, "}")
	if rest == "" || !isLetter(rest[0]) {
		return line
	}
	return rest
}

// marked says whether a line of a recipe runs in a rehearsal, or may.
func (m *makefile) marked(marks, line string) bool {
	return strings.Contains(marks, "+") || m.adds && strings.HasPrefix(line, "${")
}

// unmarked is a line of a recipe without the marks in front of it.
func unmarked(text string) (line, marks string) {
	line = strings.TrimLeft(text, "@-+ \t")
	return line, text[:len(text)-len(line)]
}

// addsMark says whether a value begins with marks of which one is a plus.
func addsMark(value string) bool {
	_, marks := unmarked(value)
	return strings.Contains(marks, "+")
}

// ownLines are the lines of a text of which each is run alone: a backslash joins two.
func ownLines(text string) (lines []string) {
	for rest, more := text, true; more; {
		end := 0
		for {
			i := strings.IndexByte(rest[end:], '\n')
			if more = i >= 0; !more {
				end = len(rest)
				break
			}
			if end += i; end == 0 || rest[end-1] != '\\' {
				break
			}
			end++
		}
		lines = append(lines, rest[:end])
		rest = rest[min(end+1, len(rest)):]
	}
	return lines
}

func newMakefile(q Request) *makefile {
	m := &makefile{
		values: map[string]string{}, many: map[string]bool{}, marks: map[string]bool{}, fixed: map[string]bool{}, named: map[string][]int{},
		unsure: map[string]bool{}, since: map[string]int{}, every: map[string][]string{}, exported: map[string]bool{},
		awaited: map[string][]string{}, maybe: map[string]bool{}, prefix: "\t", ask: q, texts: slices.Clone(q.Files),
	}
	if len(q.Files) > 1 {
		m.texts = []string{unknownValue} // which of them is being read
	}
	if q.Dir != "" {
		m.values["CURDIR"] = strings.ReplaceAll(q.Dir, "$", "$$")
	}
	return m
}

// read takes in the text of a file, or one that make evaluates.
func (m *makefile) read(text string) {
	if m.files++; m.files > MaxTasks {
		return
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	open := false // a rule whose recipe may go on
	for i := 0; i < len(lines); i++ {
		recipe := strings.HasPrefix(lines[i], m.prefix) && open && len(m.rules) > 0
		line, last := joinedLine(lines, i, recipe)
		if i = last; recipe {
			rule := &m.rules[len(m.rules)-1]
			rule.lines = append(rule.lines, line[1:])
			continue
		}
		line = uncommented(line)
		first, rest := word(line)
		m.override = false
		for isModifier(first) && m.modified(first, rest) {
			line = rest
			first, rest = word(line)
		}
		if first == "define" {
			end := definitionEnd(lines, i)
			m.define(rest, strings.Join(lines[i+1:max(i+1, end)], "\n"))
			i = end
			continue
		}
		switch first {
		case "undefine":
			m.undefine(rest)
		case "vpath":
			_, dirs := word(rest)
			m.ways = append(m.ways, dirs)
		}
		m.readCalls(line)
		m.include(first, rest)
		conditions(m, first, rest)
		takeExports(m, first, rest)
		if line = makeStatement(line, first, rest); line != "" {
			open = m.statement(line) || open && !strings.Contains(line, ":")
		}
	}
}

// uncommented is a line without its comment. A number sign in a reference, or behind a
// backslash, begins none.
func uncommented(line string) string {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '$' && i+1 < len(line) && (line[i+1] == '(' || line[i+1] == '{'), depth > 0 && (c == '(' || c == '{'):
			if depth++; c == '$' {
				i++
			}
		case depth > 0 && (c == ')' || c == '}'):
			depth--
		case c == '#' && depth == 0:
			return line[:i]
		}
	}
	return line
}

// define is a variable of several lines.
func (m *makefile) define(head, body string) {
	m.lazy = true
	m.shells = m.calls(body, m.shells)
	m.lazy = false
	name, operator := word(head)
	if strings.HasPrefix(operator, "!") {
		m.shells = append(m.shells, body)
	}
	m.set(strings.TrimRight(name, "?:+!="), body, strings.HasPrefix(operator, "+"))
}

// unknownReferences is a text with a star for each reference to a variable of the shell.
func unknownReferences(text string) string {
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(text, "${")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		b.WriteByte('*')
		_, text, _ = strings.Cut(rest, "}")
	}
}

// joinedLine is the line at i with those in which a backslash lets it go on, and the index
// of the last of them. The lines of a recipe stay what they are.
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

// definitionEnd is the index of the line that ends a definition of several lines.
func definitionEnd(lines []string, i int) int {
	for i+1 < len(lines) && strings.TrimSpace(lines[i]) != "endef" {
		i++
	}
	return i
}

// makeStatement is the rule or assignment on a line, without the word that may stand in
// front of it; "" if there is none.
func makeStatement(line, first, rest string) string {
	switch first {
	case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "include", "-include", "sinclude", "unexport", "vpath", "undefine":
		return ""
	case "export":
		if !strings.Contains(line, "=") {
			return ""
		}
	}
	return strings.TrimSpace(line)
}

// statement reads a rule or an assignment; it says whether it was a rule.
func (m *makefile) statement(line string) bool {
	at := separator(line)
	if at < 0 {
		m.lost = m.lost || m.making && strings.HasPrefix(line, unknownValue)
		return false
	}
	if assigns(line, at) {
		m.assign(line, at)
		return false
	}
	targets := strings.Fields(strings.TrimSuffix(strings.TrimSpace(m.expand(line[:at], nil, 0)), "&"))
	rest := strings.TrimLeft(line[at:], ":")
	if len(targets) == 0 {
		return false
	}
	if at := separator(strings.SplitN(rest, ";", 2)[0]); at >= 0 {
		if assigns(rest, at) {
			// A variable for this target alone has several values.
			eq := at + strings.IndexByte(rest[at:], '=')
			fields := strings.Fields(strings.TrimRight(rest[:eq], "?:+! \t"))
			value := strings.TrimSpace(rest[eq+1:])
			if len(fields) > 0 {
				own := fields[len(fields)-1]
				m.many[own], m.marks[own] = true, false
				m.every[own] = append(m.every[own], value)
				m.exported[own] = m.exported[own] || slices.Contains(fields, "export")
				extraNeeds(m, targets, own, value)
			}
			if m.adds = m.adds || addsMark(value); strings.HasSuffix(rest[:eq], "!") {
				m.shells = append(m.shells, value)
			}
			return false
		}
		rest = rest[at+1:] // TARGETS: PATTERN: NEEDS
	}
	needs, inline, _ := strings.Cut(rest, ";")
	rule := makeRule{targets: targets}
	for _, n := range strings.Fields(m.expand(anyOf(m, needs), nil, 0)) {
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
		if like := standIn(t); m.making && like != t {
			m.named[like] = append(m.named[like], len(m.rules))
		}
		if _, ok := suffixRule(t); (ok || strings.Contains(t, "%")) && !slices.Contains(m.patterns, len(m.rules)) {
			m.patterns = append(m.patterns, len(m.rules))
		}
	}
	m.rules = append(m.rules, rule)
	return true
}

// assigns says whether the separator at a place is an operator that gives a variable its
// value, not one between targets and what they need.
func assigns(line string, at int) bool {
	return strings.HasPrefix(strings.TrimLeft(line[at:], ":"), "=")
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

func (m *makefile) assign(line string, at int) {
	eq := at + strings.IndexByte(line[at:], '=')
	name := strings.TrimSpace(strings.TrimRight(line[:eq], "?:+! \t"))
	value := strings.TrimSpace(line[eq+1:])
	if strings.HasSuffix(line[:eq], "!") {
		m.shells = append(m.shells, value)
		m.many[name] = true
		return
	}
	appended := strings.HasSuffix(line[:eq], "+")
	switch {
	case name == ".RECIPEPREFIX":
		m.prefix = "\t"
		text := value
		if strings.HasSuffix(line[:eq], ":") {
			text = m.expand(value, nil, 0)
			m.lost = m.lost || strings.HasPrefix(text, "$")
		}
		if text != "" {
			m.prefix = text[:1]
		}
	case name == "MAKEFLAGS" && !appended:
		m.alone = true
	}
	if strings.HasSuffix(line[:eq], ":") {
		value = m.settled(name, value)
	}
	sure := len(m.lacking) == 0 && !appended && !strings.HasSuffix(line[:eq], "?")
	if name == "MAKEFLAGS" || name == "MAKEOVERRIDES" {
		m.flags(value)
	}
	m.set(name, value, appended)
	switch {
	case sure:
		delete(m.unsure, name)
		if m.since[name] = len(m.included); m.inside > 0 {
			m.since[name] = 0
		}
	case m.unread:
		m.unsure[name] = true
	}
}

// set gives a variable a value, or one more.
func (m *makefile) set(name, value string, appended bool) {
	old, ok := m.values[name]
	m.every[name] = append(m.every[name], value)
	_, marks := unmarked(value)
	m.marks[name] = (!ok || m.marks[name]) && marks == value
	if m.adds = m.adds || addsMark(value); m.fixed[name] {
		m.many[name] = m.many[name] || m.override
		return
	}
	if ok && old != value || appended {
		m.many[name] = true
	}
	if !ok {
		m.maybe[name] = m.maybe[name] || !always(m, name)
		for _, early := range m.awaited[name] {
			m.many[early] = true
		}
	}
	m.values[name] = value
}

// reference is what stands in the brackets at i, and the index behind them. Brackets of
// the other kind do not count.
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
		switch c := text[i]; c {
		case '$':
			if !m.printing {
				b.WriteByte('$')
			}
		case '(', '{':
			name, end := reference(text, i)
			i = end - 1
			if rule != nil && b.Len() < 1<<16 && at.inSingle(b.String()) {
				var value strings.Builder
				m.variable(&value, name, rule, depth)
				b.WriteString(unquoted(value.String()))
				continue
			}
			m.variable(&b, name, rule, depth)
		default:
			if _, ok := m.values[text[i:i+1]]; ok {
				m.variable(&b, text[i:i+1], rule, depth)
				continue
			}
			b.WriteString(m.searched(c, rule))
		}
	}
	return b.String()
}

// makeDefaults are the values that make gives to variables which nothing sets.
const makeDefaults = "\nCC=cc\nCXX=g++\nCPP=$(CC) -E\nAR=ar\nAS=as\nLD=ld\nRM=rm -f\nCOMPILE.c=$(CC) $(CFLAGS) $(CPPFLAGS) -c\n" +
	"COMPILE.cc=$(CXX) $(CXXFLAGS) $(CPPFLAGS) -c\nLINK.o=$(CC) $(LDFLAGS)\nLINK.c=$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS)\n"

// makeOwn is the value that make gives to a variable; "" if it gives none.
func makeOwn(name string) string {
	_, rest, ok := strings.Cut(makeDefaults, "\n"+name+"=")
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, "\n")
	return value
}

// filled is the value of a variable with arguments put in, not yet expanded.
func (m *makefile) filled(args []string) string {
	value := m.values[args[0]]
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		n, end := 0, i
		switch {
		case value[i] != '$' || i+1 == len(value):
		case isDigit(value[i+1]):
			n, end = int(value[i+1]-'0'), i+1
		case i+3 < len(value) && (value[i+1] == '(' || value[i+1] == '{') && isDigit(value[i+2]) && (value[i+3] == ')' || value[i+3] == '}'):
			n, end = int(value[i+2]-'0'), i+3
		case value[i+1] == '$':
			b.WriteString("$$")
			i++
			continue
		}
		switch {
		case end == i:
			b.WriteByte(value[i])
		case n < len(args):
			b.WriteString(args[n])
		}
		i = end
	}
	if b.Len() > 1<<16 {
		return unknownValue
	}
	return b.String()
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

// filtered is a list of those words that fit one of some patterns, or none of them. What
// is not known stays.
func filtered(list, patterns string, fit bool) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(list), func(w string) bool {
		fits := slices.ContainsFunc(strings.Fields(patterns), func(p string) bool {
			head, tail, open := strings.Cut(p, "%")
			return p == w || open && len(w) >= len(head)+len(tail) && strings.HasPrefix(w, head) && strings.HasSuffix(w, tail)
		})
		return fits != fit && !strings.ContainsAny(w+patterns, "$*")
	}), " ")
}

// part is the directory or the name of what an automatic variable stands for.
func (m *makefile) part(r *makeRule, name string) string {
	whole := m.searched(name[0], r)
	switch {
	case strings.ContainsAny(whole, " $"):
	case name[1] == 'D':
		return path.Dir(whole)
	case name[1] == 'F':
		return path.Base(whole)
	}
	return unknownValue
}

// automatic is what one of the variables stands for that make sets for each rule.
func (r *makeRule) automatic(c byte) string {
	if r == nil {
		return unknownValue
	}
	switch {
	case c == '@':
		return r.targets[0]
	case c == '*' && r.stem != "":
		return r.stem
	case c == '<' && len(r.needs) > 0 && !strings.Contains(r.needs[0], "%"):
		return r.needs[0]
	case c == '^' || c == '+':
		if needs := strings.Join(r.needs, " "); !strings.Contains(needs, "%") {
			return needs
		}
	}
	return unknownValue
}
