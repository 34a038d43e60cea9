package language

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
)

// include reads the files that a line includes. What has a rule is made first.
func (m *makefile) include(first, rest string) {
	if !HasWord("include -include sinclude", first) {
		return
	}
	for _, name := range strings.Fields(m.expand(rest, nil, 0)) {
		name = athome(name, m.ask.Home)
		if shape := unknownReferences(name); len(m.included) < 1000 {
			m.included = append(m.included, shape)
		}
		switch {
		case strings.Contains(name, "$"):
			m.leaveUnread(name)
		case !paths.Wild(name):
			m.includeFile(name)
		case m.ask.List == nil:
			m.leaveUnread(name)
		default:
			list, whole := m.ask.List(name)
			if !whole {
				m.leaveUnread(name)
			}
			for _, one := range list {
				if len(m.included) < 1000 {
					m.included = append(m.included, one)
				}
				m.includeFile(one)
			}
		}
	}
}

// athome is a name with the user's directory put in.
func athome(name, home string) string {
	if home == "" {
		return name
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return home + "/" + rest
	}
	return strings.ReplaceAll(name, "${HOME}", home)
}

// includeFile reads one file that is included, if it is there. Of a file of settings nothing is taken but the names of its variables.
func (m *makefile) includeFile(name string) {
	if m.ask.Secret != nil && m.ask.Secret(name) {
		m.settings = true
		m.texts = append(m.texts, name)
		text, ok := "", false
		if m.ask.LoadSecret != nil {
			text, ok = m.ask.LoadSecret(name)
		}
		if !ok {
			m.secrets = append(m.secrets, anySecret)
			m.leaveUnread("")
		}
		m.takeNames(text)
		return
	}
	if m.ask.Load == nil || m.files >= MaxTasks {
		m.leaveUnread(name)
		return
	}
	text, ok := m.ask.Load(name)
	switch {
	case ok:
		m.texts = append(m.texts, name)
		m.inside++
		m.read(text)
		m.inside--
	case m.ask.Gone == nil || !m.ask.Gone(name):
		m.leaveUnread(name)
	}
}

// anySecret stands for a variable of a file of settings that could not be read.
const anySecret = "longline_secret"

// takeNames takes in the variables that a file of settings sets, whose values are nobody's business.
func (m *makefile) takeNames(text string) {
	for line := range strings.Lines(text) {
		first, rest := word(line)
		if first == "export" {
			line = rest
		}
		head, _, ok := strings.Cut(line, "=")
		name := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(head), "?:+"))
		if !ok || !IsName(name) || m.fixed[name] {
			continue
		}
		m.unsure[name] = true
		if SecretName(name) {
			m.secrets = append(m.secrets, name)
		}
	}
}

// leaveUnread says that a file is included of which nothing is known: it may set every variable. Lists of dependencies set none.
func (m *makefile) leaveUnread(name string) {
	if isDependencies(name) {
		return
	}
	m.unread = true
	m.texts = append(m.texts, unknownValue)
	for v := range m.values {
		if v != "CURDIR" && !m.fixed[v] {
			m.unsure[v] = true
		}
	}
}

// isDependencies says whether a file is a list of what needs what, as compilers write it, by its name.
func isDependencies(name string) bool {
	return HasWord(".d .P .dep .deps .depend .depends", path.Ext(name)) || HasWord("depend depends dependencies", path.Base(name))
}

// remadeIncludes sees to the files that make makes before it reads them, or reads anew: what was read of them, or of the defaults that
// stand in for them, does not hold.
func remadeIncludes(m *makefile) {
	last := -1
	for i, name := range m.included {
		name = plainTarget(name)
		if !strings.Contains(name, "*") && makesAnew(m, name, 0) && !listsDependencies(m, name) {
			last = i // what is not known counts as unread as it is
		}
	}
	if last < 0 {
		return
	}
	m.texts = append(m.texts, unknownValue)
	for v := range m.values {
		if v != "CURDIR" && !m.fixed[v] && m.since[v] <= last {
			m.unsure[v] = true
		}
	}
}

// makesAnew says whether make may make a file that there are rules for: it is not there, or not surely newer than what it needs.
func makesAnew(m *makefile, name string, depth int) bool {
	found, recipe := m.find(name, false), false
	for i := range found {
		recipe = recipe || len(found[i].lines) > 0
	}
	if !recipe {
		return false
	}
	if m.ask.Newer == nil || depth > 4 || !m.ask.Newer(name, name) {
		return true
	}
	for i := range found {
		for _, need := range needsOf(m, &found[i]) {
			if strings.ContainsAny(need, "$*%") || isPhony(m, need) || !m.ask.Newer(name, need) || makesAnew(m, need, depth+1) {
				return true
			}
		}
	}
	return isPhony(m, name)
}

// isPhony says whether a name is that of a target that is no file.
func isPhony(m *makefile, name string) bool {
	return slices.ContainsFunc(m.named[".PHONY"], func(i int) bool { return slices.Contains(m.rules[i].needs, name) })
}

// listsDependencies says whether the recipes for a file make a list of dependencies: it is called so, and either they say so to a
// compiler, or no value is set in them.
func listsDependencies(m *makefile, name string) bool {
	if !isDependencies(name) {
		return false
	}
	plain := true
	for _, rule := range m.find(name, false) {
		text := m.expand(strings.Join(rule.lines, "\n"), &rule, 0)
		if strings.Contains(text, " -M") {
			return true
		}
		plain = plain && !strings.Contains(text, "=")
	}
	return plain
}

// needsOf are what a rule needs: what is said of all targets, and what is expanded only now, too.
func needsOf(m *makefile, rule *makeRule) []string {
	needs := rule.needs
	if len(m.named[".SECONDEXPANSION"]) > 0 && strings.Contains(strings.Join(needs, ""), "$") {
		needs = strings.Fields(m.expand(anyOf(m, strings.Join(needs, " ")), rule, 0))
	}
	if extra := m.values[".EXTRA_PREREQS"]; extra != "" {
		needs = slices.Concat(needs, strings.Fields(m.expand(anyOf(m, "$(.EXTRA_PREREQS)"), nil, 0)))
	}
	needs = slices.Clone(needs)
	for i, n := range needs {
		needs[i] = plainTarget(n)
	}
	return needs
}

// extraNeeds takes in what targets need by a variable of their own.
func extraNeeds(m *makefile, targets []string, name, value string) {
	if name != ".EXTRA_PREREQS" {
		return
	}
	for _, t := range targets {
		t = plainTarget(t)
		m.named[t] = append(m.named[t], len(m.rules))
	}
	m.rules = append(m.rules, makeRule{targets: targets, needs: strings.Fields(m.expand(value, nil, 0))})
}

// anyOf is a list of names with all values of a variable that has several in the place of a reference to it: each of them may
// be needed.
func anyOf(m *makefile, needs string) string {
	if !strings.Contains(needs, "$") {
		return needs
	}
	words := strings.Fields(needs)
	for i, w := range words {
		if len(w) < 4 || w[0] != '$' || w[1] != '(' && w[1] != '{' {
			continue
		}
		if name := w[2 : len(w)-1]; m.many[name] && len(m.every[name]) > 0 && len(m.every[name]) <= MaxTasks {
			words[i] = strings.Join(m.every[name], " ")
		}
	}
	return strings.Join(words, " ")
}

// takeExports notes the variables that a line hands on to programs.
func takeExports(m *makefile, first, rest string) {
	switch {
	case strings.HasPrefix(first, ".EXPORT_ALL_VARIABLES"):
		m.exports = true
	case first != "export":
	case rest == "":
		m.exports = true
	default:
		head, _, _ := strings.Cut(rest, "=")
		for _, name := range strings.Fields(m.expand(strings.TrimRight(strings.TrimSpace(head), "?:+! \t"), nil, 0)) {
			m.exported[name] = true
		}
	}
}

// Handed is the name of the variable in which a make is told what the one that runs it hands on: NAME=VALUE, or the name alone if the
// value is not known, one on a line.
const Handed = "longline_handed"

// handedOn is what stands in front of a line of a recipe that runs make again, which gets the variables that are handed on.
func handedOn(m *makefile, again bool, line string) string {
	if !again && !strings.HasPrefix(line, "make ") && !strings.Contains(line, "; make ") && !strings.Contains(line, "&& make ") {
		return ""
	}
	have := map[string]string{}
	for _, v := range m.ask.Given {
		if have[v.Name] = v.Name; v.Known && handable(v.Value) {
			have[v.Name] += "=" + v.Value
		}
	}
	own := func(name string) {
		if !IsName(name) || HasWord("CURDIR SHELL MAKEFLAGS", name) || m.fixed[name] {
			return
		}
		have[name] = name
		if value := m.expand("$("+name+")", nil, 0); handable(value) {
			have[name] += "=" + value
		}
	}
	if m.exports {
		for name := range m.values {
			own(name)
		}
	}
	for name := range m.exported {
		own(name)
	}
	if len(have) == 0 {
		return ""
	}
	lines := make([]string, 0, len(have))
	for _, line := range have {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return "export " + Handed + "='" + strings.Join(lines, "\n") + "'; "
}

// handable says whether a value is known and fits between quotes.
func handable(text string) bool {
	return !strings.ContainsAny(text, "'$\n*?[") && len(text) < 1000
}

// HandedOn are the variables that a text of that form tells of.
func HandedOn(text string) (list []Variable) {
	for line := range strings.SplitSeq(text, "\n") {
		name, value, known := strings.Cut(line, "=")
		list = append(list, Variable{Name: name, Value: value, Known: known, Environment: true})
	}
	return list
}

// inherit takes in the variables of the environment, which only make the value of one that the file sets uncertain.
func (m *makefile) inherit() {
	for _, v := range m.ask.Given {
		old, set := m.values[v.Name]
		switch {
		case !v.Environment || m.fixed[v.Name]:
		case set && (!v.Known || v.Value != old):
			m.many[v.Name] = true
		case !set && v.Known && !SecretName(v.Name):
			m.values[v.Name] = strings.ReplaceAll(v.Value, "$", "$$")
		}
	}
}

// flags takes in the variables that a makefile puts among the flags of the makes that it runs.
func (m *makefile) flags(value string) {
	for _, w := range strings.Fields(value) {
		if name, _, ok := strings.Cut(w, "="); ok && IsName(name) {
			m.many[name], m.exported[name] = true, true
		}
	}
}
