package language

import (
	"path"
	"slices"
	"strings"
)

// conditions follows which ones the line that follows stands in.
func conditions(m *makefile, first, rest string) {
	switch {
	case isCondition(first):
		m.lacking = append(m.lacking, lacks(first, rest))
	case first == "else" && len(m.lacking) > 0:
		last := &m.lacking[len(m.lacking)-1]
		name, not := strings.CutPrefix(*last, "!")
		if *last = ""; not && rest == "" {
			*last = name
		}
	case first == "endif" && len(m.lacking) > 0:
		m.lacking = m.lacking[:len(m.lacking)-1]
	}
}

// isCondition says whether a line begins one.
func isCondition(first string) bool {
	return HasWord("ifeq ifneq ifdef ifndef", first) || strings.HasPrefix(first, "ifeq(") || strings.HasPrefix(first, "ifneq(")
}

// lacks is the variable that a condition says is not set, with an exclamation mark in front if it says that it is set; "" if it says
// something else.
func lacks(first, rest string) string {
	not, name := "", ""
	switch first {
	case "ifndef":
		name = strings.TrimSpace(rest)
	case "ifdef":
		not, name = "!", strings.TrimSpace(rest)
	case "ifeq", "ifneq":
		if first == "ifneq" {
			not = "!"
		}
		name = emptied(rest)
	}
	if !IsName(name) {
		return ""
	}
	return not + name
}

// emptied is the variable that is held against nothing: ($(NAME),), or with "strip" or "origin".
func emptied(rest string) string {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(rest, " ", ""), "($(")
	name, other, closed := strings.Cut(rest, "),")
	if strings.HasPrefix(name, "strip$(") && strings.HasSuffix(name, ")") {
		name = name[len("strip$(") : len(name)-1]
	} else if own, origin := strings.CutPrefix(name, "origin"); origin && (other == "undefined)" || other == "default)") {
		return own
	}
	if !ok || !closed || other != ")" {
		return ""
	}
	return name
}

// always says whether what is set where the reading stands is set in any case, but where the variable has a value already.
func always(m *makefile, name string) bool {
	return !slices.ContainsFunc(m.lacking, func(n string) bool { return n != name })
}

// isModifier says whether a word may stand in front of what is said of a variable.
func isModifier(first string) bool { return HasWord("override export private", first) }

// modified takes in a word in front of what is said of a variable; false if nothing is said but by that word.
func (m *makefile) modified(first, rest string) bool {
	next, _ := word(rest)
	if next != "define" && next != "undefine" && !isModifier(next) {
		if at := separator(rest); at < 1 || !assigns(rest, at) {
			return false
		}
	}
	switch first {
	case "export":
		takeExports(m, first, rest)
	case "override":
		m.override = true
	case "private": // not for recipes
		name, _, _ := strings.Cut(rest, "=")
		m.maybe[strings.TrimSpace(strings.TrimRight(name, "?:+! \t"))] = true
	}
	return true
}

// undefine takes the value of a variable away: until then it has one.
func (m *makefile) undefine(name string) {
	if name = m.expand(strings.TrimSpace(name), nil, 0); strings.Contains(name, "$") {
		m.lost = true
	}
	m.maybe[name] = true
}

// maxMaybe bounds the variables that may have no value of which each is tried alone.
const maxMaybe = 6

// worlds works something out with all variables that may have no value set, with none of them, and without each of them.
func worlds(m *makefile, work func()) {
	try := func(absent map[string]bool) {
		m.absent, m.steps = absent, 0
		work()
		m.absent = nil
	}
	m.met = nil
	try(nil)
	met := m.met
	if len(met) == 0 {
		return
	}
	if try(m.maybe); len(met) == 1 {
		return
	}
	if len(met) > maxMaybe {
		for name := range m.maybe {
			m.many[name] = true
		}
		try(nil)
		return
	}
	for _, name := range met {
		try(map[string]bool{name: true})
	}
}

// recipeShell is the shell that runs the lines of recipes. One that is not known is taken for bash, of which the others are parts. If it is
// another program in any case, that is noted.
func recipeShell(m *makefile) string {
	flags := "-c"
	if len(m.every[".SHELLFLAGS"]) > 0 {
		flags = m.expand("$(.SHELLFLAGS)", nil, 0)
	}
	if len(m.every["SHELL"]) == 0 && m.values["SHELL"] == "" {
		m.lost = m.lost || !setsOptions(flags)
		return "sh"
	}
	// What runs a recipe on one system alone, or for one target, is not followed.
	text := m.expand("$(SHELL)", nil, 0)
	name := shellIn(text)
	switch {
	case name == "" && m.maybe["SHELL"]: // as on other systems
		return "sh"
	case name == "":
		m.other = text + " " + flags
		return "sh"
	}
	m.lost = m.lost || !setsOptions(flags)
	return name
}

// shellIn is the shell that some words run; "" if they run something else.
func shellIn(words string) string {
	if strings.Contains(words, "$") {
		return "bash"
	}
	for w := range strings.FieldsSeq(words) {
		if name := path.Base(w); HasWord("sh bash dash zsh ksh", name) {
			return name
		}
	}
	return ""
}

// given is a line of a recipe as a shell would give it to the program that runs it.
func (m *makefile) given(line string) string {
	if m.other == "" {
		return line
	}
	line = strings.ReplaceAll(line, "'", `'\''`)
	return m.other + " '" + strings.ReplaceAll(line, unknownValue, `'"`+unknownValue+`"'`) + "'"
}

// setsOptions says whether the words in front of a line of a recipe only set options of the shell.
func setsOptions(words string) bool {
	named := false // by the word before
	for w := range strings.FieldsSeq(words) {
		letters := strings.TrimLeft(w, "-+")
		switch {
		case strings.Trim(letters, "abcdefghijklmnopqrstuvwxyzBCEHPT") != "", len(letters) == len(w) && !named, len(w) > len(letters)+1:
			return false
		}
		named = len(letters) < len(w) && strings.HasSuffix(letters, "o")
	}
	return true
}

// isGone says whether a file is not there, as far as that is known.
func (m *makefile) isGone(name string) bool {
	return !slices.Contains(m.ask.Files, name) && (m.ask.Gone != nil && m.ask.Gone(name) || m.ask.Newer != nil && !m.ask.Newer(name, name))
}

// maxSearches bounds the places where something needed is looked for.
const maxSearches = 4096

// searchDirs are the directories in which make looks for what is needed.
func (m *makefile) searchDirs() []string {
	return strings.FieldsFunc(m.expand("$(VPATH) "+strings.Join(m.ways, " "), nil, 0), func(c rune) bool { return c == ':' || c == ' ' || c == '\t' })
}

// searched is what an automatic variable stands for where make looks for what is needed in other directories as well.
func (m *makefile) searched(c byte, rule *makeRule) string {
	text := rule.automatic(c)
	if strings.IndexByte("<^+", c) < 0 || len(m.ways) == 0 && len(m.every["VPATH"]) == 0 || strings.Contains(text, "$") {
		return text
	}
	dirs := m.searchDirs()
	words := strings.Fields(text)
	for i, w := range words {
		if w[0] == '/' || !m.isGone(w) {
			continue
		}
		for _, dir := range dirs {
			if m.searches++; m.searches > maxSearches {
				return unknownValue
			}
			if there := dir + "/" + w; strings.ContainsAny(dir, "$%*") || len(m.named[w]) > 0 && !m.isGone(there) {
				words[i] = unknownValue
			} else if !m.isGone(there) {
				words[i] = there
			}
			if words[i] != w {
				break
			}
		}
	}
	return strings.Join(words, " ")
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

// unquoted takes a text with something in it that is not known out of single quotes, where the shell that reads it would take it for a
// text of its own: make has put a value there before.
func unquoted(text string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	return `'"` + text + `"'`
}
