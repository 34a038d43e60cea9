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
		line := lines[i]
		recipe := strings.HasPrefix(line, "\t") && open && len(m.rules) > 0
		for strings.HasSuffix(line, `\`) && i+1 < len(lines) {
			i++
			if recipe {
				line += "\n" + strings.TrimPrefix(lines[i], "\t")
			} else {
				line = strings.TrimSuffix(line, `\`) + " " + strings.TrimSpace(lines[i])
			}
		}
		if recipe {
			last := &m.rules[len(m.rules)-1]
			last.lines = append(last.lines, line[1:])
			continue
		}
		if at := strings.IndexByte(line, '#'); at >= 0 {
			line = line[:at]
		}
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		first, _ := word(line)
		switch first {
		case "define":
			for i+1 < len(lines) && strings.TrimSpace(lines[i]) != "endef" {
				i++
			}
			continue
		case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "include", "-include", "sinclude", "export", "unexport", "vpath", "undefine":
			if first != "export" || !strings.Contains(line, "=") {
				continue
			}
			line = strings.TrimSpace(strings.TrimPrefix(line, "export"))
		case "override":
			line = strings.TrimSpace(strings.TrimPrefix(line, "override"))
		}
		open = m.statement(line) || open && !strings.Contains(line, ":")
	}
	return m
}

// statement reads a rule or an assignment; it says whether it was a rule.
func (m *makefile) statement(line string) bool {
	at := separator(line)
	if at < 0 {
		m.parseTime(line)
		return false
	}
	if line[at] == '=' || strings.HasPrefix(strings.TrimLeft(line[at:], ":"), "=") {
		m.assign(line, at)
		return false
	}
	targets := strings.Fields(m.expand(line[:at], nil, 0))
	rest := strings.TrimLeft(line[at:], ":")
	if len(targets) == 0 {
		return false
	}
	if at := separator(strings.SplitN(rest, ";", 2)[0]); at >= 0 {
		if rest[at] == '=' || strings.HasPrefix(strings.TrimLeft(rest[at:], ":"), "=") {
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

// expand replaces references. What is not known becomes a shell variable that
// has no value, so that the reader of scripts does not know it either.
func (m *makefile) expand(text string, rule *makeRule, depth int) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; {
		case c == '$':
			b.WriteByte('$')
		case c == '@' && rule != nil:
			b.WriteString(rule.targets[0])
		case c == '<' && rule != nil && len(rule.needs) > 0 && !strings.Contains(rule.needs[0], "%"):
			b.WriteString(rule.needs[0])
		case (c == '^' || c == '+') && rule != nil && !strings.Contains(strings.Join(rule.needs, " "), "%"):
			b.WriteString(strings.Join(rule.needs, " "))
		case c == '(' || c == '{':
			name, end := reference(text, i)
			i = end - 1
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
				b.WriteString("${longline_unknown}")
			}
		default:
			b.WriteString("${longline_unknown}")
		}
	}
	return b.String()
}
