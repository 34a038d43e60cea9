package language

import "strings"

// makefile is what longline reads of one: rules with their recipes, and
// variables with a constant value. Conditions are not followed: the rules of all
// branches count.
type makefile struct {
	rules  []makeRule
	values map[string]string
	many   map[string]bool // variables that have more than one value
	shells []string        // commands that run when the file is read
	steps  int             // references followed so far
}

type makeRule struct {
	targets, needs []string
	lines          []string
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
		if goal, ok := m.values[".DEFAULT_GOAL"]; ok {
			target = goal
		}
	}
	var out []makeRule
	complete := eachTask(target, func(next string) (needs []string) {
		for _, rule := range m.rules {
			for _, t := range rule.targets {
				if t == next {
					one := rule
					one.targets = []string{t}
					out = append(out, one)
					needs = append(needs, rule.needs...)
				}
			}
		}
		return needs
	})
	return out, complete
}

// Make is what make runs for a target; "" is the default one. given are the
// variables of the command line and the environment: the latter only make the
// value of one that the file sets uncertain.
func Make(text, target string, given []Variable) (p Plan) {
	m := readMakefile(text)
	for _, v := range given {
		switch _, set := m.values[v.Name]; {
		case !v.Environment:
			m.values[v.Name], m.many[v.Name] = v.Value, !v.Known
		case set:
			m.many[v.Name] = true
		}
	}
	shell := "sh"
	if s, ok := m.values["SHELL"]; ok {
		switch name := s[strings.LastIndexByte(s, '/')+1:]; name {
		case "sh", "bash", "dash", "zsh", "ksh":
			shell = name
		default:
			return p // recipes are in another language
		}
	}
	for _, cmd := range m.shells {
		p.Reading = append(p.Reading, Line{Text: m.expand(cmd, nil, 0), Shell: shell})
	}
	rules, complete := m.plan(target)
	for _, rule := range rules {
		for _, line := range rule.lines {
			p.Lines = append(p.Lines, Line{Text: m.expand(strings.TrimLeft(line, "@-+ \t"), &rule, 0), Shell: shell})
		}
	}
	p.Incomplete = !complete
	return p
}

// Variable is a variable that is given to a task runner.
type Variable struct {
	Name, Value string
	Known       bool
	Environment bool
}

func readMakefile(text string) *makefile {
	m := &makefile{values: map[string]string{}, many: map[string]bool{}}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	open := false // a rule whose recipe may go on
	for i := 0; i < len(lines); i++ {
		recipe := strings.HasPrefix(lines[i], "\t") && open && len(m.rules) > 0
		line, last := joinedLine(lines, i, recipe)
		if i = last; recipe {
			rule := &m.rules[len(m.rules)-1]
			rule.lines = append(rule.lines, line[1:])
			continue
		}
		if at := strings.IndexByte(line, '#'); at >= 0 {
			line = line[:at]
		}
		first, rest := word(line)
		if first == "define" {
			i = definitionEnd(lines, i)
			continue
		}
		if line = makeStatement(line, first, rest); line != "" {
			open = m.statement(line) || open && !strings.Contains(line, ":")
		}
	}
	return m
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
		return rest
	case "override":
		return rest
	}
	return strings.TrimSpace(line)
}

// statement reads a rule or an assignment; it says whether it was a rule.
func (m *makefile) statement(line string) bool {
	at := separator(line)
	if at < 0 {
		m.parseTime(line)
		return false
	}
	if assigns(line, at) {
		m.assign(line, at)
		return false
	}
	targets := strings.Fields(m.expand(line[:at], nil, 0))
	rest := strings.TrimLeft(line[at:], ":")
	if len(targets) == 0 {
		return false
	}
	if at := separator(strings.SplitN(rest, ";", 2)[0]); at >= 0 {
		if assigns(rest, at) {
			// A variable for this target alone has several values.
			m.many[strings.TrimSpace(strings.TrimRight(rest[:at], "?:+! \t"))] = true
			return false
		}
		rest = rest[at+1:] // TARGETS: PATTERN: NEEDS
	}
	needs, inline, _ := strings.Cut(rest, ";")
	rule := makeRule{targets: targets}
	for _, n := range strings.Fields(m.expand(needs, nil, 0)) {
		if n != "|" {
			rule.needs = append(rule.needs, n)
		}
	}
	if inline != "" {
		rule.lines = append(rule.lines, strings.TrimSpace(inline))
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
	m.parseTime(value)
	if old, ok := m.values[name]; ok && old != value || strings.HasSuffix(line[:eq], "+") {
		m.many[name] = true
	}
	m.values[name] = value
}

// parseTime finds the commands that a text runs when it is expanded.
func (m *makefile) parseTime(text string) {
	for {
		i := strings.Index(text, "$(shell ")
		if i < 0 {
			return
		}
		inner, end := reference(text, i+1)
		m.shells = append(m.shells, strings.TrimPrefix(inner, "shell "))
		text = text[end:]
	}
}

// reference is what stands in the brackets at i, and the index behind them.
func reference(text string, i int) (string, int) {
	depth := 0
	for k := i; k < len(text); k++ {
		switch text[k] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return text[i+1 : k], k + 1
			}
		}
	}
	return "", len(text)
}

// expand replaces references.
func (m *makefile) expand(text string, rule *makeRule, depth int) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case '$':
			b.WriteByte('$')
		case '(', '{':
			name, end := reference(text, i)
			i = end - 1
			m.variable(&b, name, rule, depth)
		default:
			b.WriteString(rule.automatic(c))
		}
	}
	return b.String()
}

// variable writes what a reference by name stands for.
func (m *makefile) variable(b *strings.Builder, name string, rule *makeRule, depth int) {
	value, ok := m.values[name]
	switch {
	case name == "MAKE":
		b.WriteString("make")
	case ok && !m.many[name] && depth < 10 && b.Len() < 1<<16 && m.steps < 5000:
		m.steps++
		b.WriteString(m.expand(value, rule, depth+1))
	case !ok && IsName(name):
		b.WriteString("${" + name + "}") // of the environment, if anywhere
	default:
		b.WriteString(unknownValue)
	}
}

// automatic is what one of the variables stands for that make sets for each rule.
func (r *makeRule) automatic(c byte) string {
	if r == nil {
		return unknownValue
	}
	switch {
	case c == '@':
		return r.targets[0]
	case c == '<' && len(r.needs) > 0 && !strings.Contains(r.needs[0], "%"):
		return r.needs[0]
	case c == '^' || c == '+':
		if needs := strings.Join(r.needs, " "); !strings.Contains(needs, "%") {
			return needs
		}
	}
	return unknownValue
}
