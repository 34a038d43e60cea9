package language

import (
	"path"
	"slices"
	"strings"
)

// makeFunctions are those that make has.
const makeFunctions = `subst patsubst strip findstring filter filter-out sort word wordlist words firstword lastword dir notdir suffix basename addsuffix addprefix join wildcard
	realpath abspath if or and foreach file call value eval origin flavor error warning info shell guile let intcmp`

// isFunction is the function that a reference calls, and what stands behind its name.
func isFunction(text string) (name, rest string, ok bool) {
	i := strings.IndexAny(text, " \t")
	if i < 0 || !HasWord(makeFunctions, text[:i]) {
		return "", "", false
	}
	return text[:i], strings.TrimLeft(text[i:], " \t"), true
}

// isLazy says whether a line gives a variable a value that is expanded where it is used.
func isLazy(line string) bool {
	at := separator(line)
	return at > 0 && line[at] == '=' && line[at-1] != ':' && line[at-1] != '!'
}

// settled is the value of a variable that is expanded when it is set, where that matters: the list of the files read grows, and what
// is not set yet is nothing there.
func (m *makefile) settled(name, value string) string {
	before := m.listed
	text := m.expand(value, nil, 0)
	for _, rest, ok := strings.Cut(text, "${"); ok; _, rest, ok = strings.Cut(rest, "${") {
		late, _, _ := strings.Cut(rest, "}")
		if _, set := m.values[late]; !set && late != name {
			m.awaited[late] = append(m.awaited[late], name)
		}
	}
	if m.listed > before {
		return strings.ReplaceAll(text, "$", "$$")
	}
	return value
}

// readCalls adds the commands that a line runs when it is read. What is expanded right away has the values of now.
func (m *makefile) readCalls(line string) {
	if at := separator(line); at >= 0 && !assigns(line, at) {
		line = beforeRecipe(line)
	}
	if m.lazy = isLazy(line); m.lazy {
		m.shells = m.calls(line, m.shells)
		m.lazy = false
		return
	}
	for _, cmd := range m.calls(line, nil) {
		for _, m.absent = range []map[string]bool{nil, m.maybe} {
			if text := strings.ReplaceAll(m.expand(cmd, nil, 0), "$", "$$"); m.absent == nil || text != m.shells[len(m.shells)-1] {
				m.shells = append(m.shells, text)
			}
		}
		m.absent = nil
	}
}

// beforeRecipe is a rule without the recipe on the same line.
func beforeRecipe(line string) string {
	depth := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case c == ';' && depth == 0:
			return line[:i]
		}
	}
	return line
}

// maxLooked bounds the text that is looked at for what it runs: references may stand in each other.
const maxLooked = 4 << 20

// calls adds the commands that a text runs when it is expanded, wherever in it they stand, and what stands for the printing of a
// secret; it reads the text that it evaluates.
func (m *makefile) calls(text string, cmds []string) []string {
	for i := 0; i+1 < len(text) && len(cmds) <= MaxTasks; i++ {
		if text[i] != '$' || text[i+1] != '(' && text[i+1] != '{' {
			continue
		}
		if m.looked > maxLooked {
			m.lost = true
			return cmds
		}
		inside, end := reference(text, i+1)
		m.looked += end - i
		function, rest, ok := isFunction(inside)
		if !ok {
			if value := m.values[inside]; !m.lazy && !m.many[inside] && m.walks(value) {
				cmds = m.callsWithin(value, cmds)
			}
			continue
		}
		if function == "call" {
			args := arguments(rest)
			if HasWord("shell file eval info warning error", args[0]) {
				function, rest = args[0], strings.Join(args[1:], ",")
			} else if filled := m.filled(args); !m.lazy && m.walks(filled) {
				cmds = m.callsWithin(filled, cmds)
			}
		}
		var whole bool
		if cmds, whole = m.does(function, rest, cmds); whole {
			i = end - 1
		}
	}
	return cmds
}

// does adds what a call of a function runs; whole says that what stands in it was looked at, too.
func (m *makefile) does(function, rest string, cmds []string) (_ []string, whole bool) {
	switch function {
	case "shell":
		if m.within == 0 {
			cmds = append(cmds, rest)
		}
	case "file":
		if name, _, _ := strings.Cut(rest, ","); m.within == 0 {
			cmds = append(cmds, ": "+strings.TrimSpace(name))
		}
	case "eval":
		m.evaluate(rest)
	case "info", "warning", "error":
		if name := secretIn(m, rest, nil); name != "" && !m.lazy {
			cmds = append(cmds, "echo $${"+name+"}")
		}
	case "foreach":
		args := foreachOf(rest)
		if len(args) != 3 || m.lazy || !m.walks(args[2]) {
			break
		}
		cmds = m.calls(args[1], cmds)
		for _, w := range m.foreachWords(args, nil, 0) {
			m.calling++
			cmds = m.calls(bound(args[2], args[0], w), cmds)
			m.calling--
		}
		return cmds, true
	}
	return cmds, false
}

// callsWithin adds what the value of a variable does when it is expanded, but for the commands, which were seen where it was set.
func (m *makefile) callsWithin(value string, cmds []string) []string {
	m.calling++
	m.within++
	cmds = m.calls(value, cmds)
	m.calling--
	m.within--
	return cmds
}

// walks says whether a text is worth looking into for what it runs.
func (m *makefile) walks(text string) bool {
	if m.calling > 8 || m.walked > 2000 || !strings.Contains(text, "$") {
		return false
	}
	m.walked++
	return true
}

// evaluate reads a text that make evaluates.
func (m *makefile) evaluate(text string) {
	if m.lazy || m.planned {
		return
	}
	if m.files >= MaxTasks {
		m.lost = true
		return
	}
	before := m.making
	m.making = true
	m.read(m.expand(text, nil, 0))
	m.making = before
}

// evaluations reads what recipes evaluate: their order is not followed, so that a value holds only if all agree.
func (m *makefile) evaluations(rules []makeRule) {
	m.planned = false
	for i := range rules {
		for _, line := range rules[i].lines {
			m.callsWithin(line, nil)
		}
	}
	m.planned = true
}

// foreachOf are the name, the list and the text of a loop.
func foreachOf(text string) []string {
	args := arguments(text)
	if len(args) > 3 {
		args = []string{args[0], args[1], strings.Join(args[2:], ",")}
	}
	return args
}

// foreachWords are the words that a loop goes through.
func (m *makefile) foreachWords(args []string, rule *makeRule, depth int) []string {
	words := strings.Fields(m.expand(args[1], rule, depth))
	if len(words) > MaxTasks {
		return []string{unknownValue}
	}
	return words
}

// bound is a text with a word in the place of a variable.
func bound(text, name, word string) string {
	pairs := []string{"$$", "$$", "$(" + name + ")", word, "${" + name + "}", word}
	if len(name) == 1 {
		pairs = append(pairs, "$"+name, word)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// secretIn is a variable named like a secret whose value is in what make prints of a text; "" if there is none.
func secretIn(m *makefile, text string, rule *makeRule) string {
	m.printing = true
	text = m.expand(text, rule, 0)
	m.printing = false
	return shownSecret(text)
}

// shownSecret is a variable of the shell named like a secret that a text refers to.
func shownSecret(text string) string {
	for {
		_, rest, ok := strings.Cut(text, "${")
		if !ok {
			return ""
		}
		name, _, _ := strings.Cut(rest, "}")
		if SecretName(name) {
			return name
		}
		text = rest
	}
}

// variable writes what a reference stands for.
func (m *makefile) variable(b *strings.Builder, name string, rule *makeRule, depth int) {
	bounded := depth < 10 && b.Len() < 1<<16 && m.steps < 5000
	if bounded {
		m.steps += 1 + len(name)/256
	}
	function, rest, isCall := isFunction(name)
	if isCall && bounded {
		b.WriteString(m.function(function, rest, rule, depth+1))
		return
	}
	if !isCall && bounded && strings.Contains(name, "$") && !strings.ContainsAny(name, ":") {
		name = m.expand(name, rule, depth+1)
		if strings.Contains(name, "$") {
			b.WriteString(m.someValue(name))
			return
		}
	}
	m.plain(b, name, rule, depth, bounded && !isCall)
}

// plain writes the value of a variable.
func (m *makefile) plain(b *strings.Builder, name string, rule *makeRule, depth int, bounded bool) {
	value, ok := m.values[name]
	if m.maybe[name] {
		if !slices.Contains(m.met, name) && len(m.met) <= maxMaybe {
			m.met = append(m.met, name)
		}
		if m.absent[name] {
			value, ok = "", true
			if own := makeOwn(name); own != "" {
				value = own
			}
		}
	}
	if own := makeOwn(name); !ok && own != "" {
		value, ok = own, true
	}
	switch {
	case name == "MAKE":
		b.WriteString("make")
	case name == "MAKEFILE_LIST" && !ok:
		m.listed++
		b.WriteString(strings.Join(m.texts, " "))
	case m.unsure[name] && SecretName(name):
		b.WriteString("${" + name + "}")
	case ok && !m.many[name] && !m.unsure[name] && bounded:
		b.WriteString(m.expand(value, rule, depth+1))
	case ok && m.marks[name] && b.Len() == 0 && rule != nil: // nothing but marks of a line
	case !ok && IsName(name):
		b.WriteString("${" + name + "}") // of the environment, if anywhere
	case !ok && bounded:
		b.WriteString(m.changed(name, rule, depth+1))
	default:
		b.WriteString(m.oneOfSecrets(name, rule, depth))
	}
}

// oneOfSecrets is the secret that one of the values of a variable refers to. Else it is not known which it has.
func (m *makefile) oneOfSecrets(name string, rule *makeRule, depth int) string {
	if m.settings && depth < 4 && len(m.every[name]) <= MaxTasks {
		for _, value := range m.every[name] {
			if secret := shownSecret(m.expand(value, rule, depth+1)); secret != "" {
				return "${" + secret + "}"
			}
		}
	}
	return unknownValue
}

// someValue is the value of a variable whose name is known in part: a secret, if one of the settings may be meant.
func (m *makefile) someValue(name string) string {
	shape := unknownReferences(name)
	for _, s := range m.secrets {
		if s == anySecret || overlap(s, shape) {
			return "${" + s + "}"
		}
	}
	return unknownValue
}

// changed is what a reference stands for that changes the words of a variable, or that is to an automatic one.
func (m *makefile) changed(name string, rule *makeRule, depth int) string {
	if v, change, ok := strings.Cut(name, ":"); ok {
		if v = m.expand(v, rule, depth); strings.Contains(v, "$") {
			return m.someValue(v)
		}
		from, to, _ := strings.Cut(change, "=")
		if !strings.Contains(from, "%") {
			from, to = "%"+from, "%"+to
		}
		return m.told(m.expand("$("+v+")", rule, depth), func(list string) string {
			return substituted(list, m.expand(from, rule, depth), m.expand(to, rule, depth))
		})
	}
	if len(name) == 2 && rule != nil && strings.IndexByte("@<^*", name[0]) >= 0 {
		return m.part(rule, name)
	}
	return unknownValue
}

// told is what becomes of a text, or the secret that is in it.
func (m *makefile) told(text string, becomes func(text string) string) string {
	if name := shownSecret(text); name != "" {
		return "${" + name + "}"
	}
	return becomes(text)
}

// function is what a call of a function stands for, as far as that can be told.
func (m *makefile) function(function, rest string, rule *makeRule, depth int) string {
	args := arguments(rest)
	full := func(i int) string { return m.expand(args[i], rule, depth) }
	switch {
	case HasWord("info warning error eval file shell origin flavor words", function):
		if HasWord("info warning error eval", function) {
			return ""
		}
		return unknownValue
	case HasWord("if or and", function):
		return m.chosen(function, args, rule, depth)
	case function == "value":
		name := full(0)
		if strings.Contains(name, "$") {
			return m.someValue(name)
		}
		if value, ok := m.values[name]; ok && !m.many[name] && !m.unsure[name] {
			return value
		}
		return m.expand("$("+name+")", rule, depth)
	case function == "call" && m.values[args[0]] != "" && !m.many[args[0]] && !m.unsure[args[0]]:
		return m.expand(m.filled(args), rule, depth)
	case function == "foreach":
		return m.repeated(foreachOf(rest), rule, depth)
	}
	return m.told(m.expand(rest, rule, depth), func(all string) string { return m.reworked(function, all, args, full) })
}

// reworked is what a function makes of words.
func (m *makefile) reworked(function, all string, args []string, full func(i int) string) string {
	switch {
	case function == "sort" && !strings.ContainsAny(all, "$*?["):
		words := strings.Fields(all)
		slices.Sort(words)
		return strings.Join(slices.Compact(words), " ")
	case HasWord("wildcard sort strip", function):
		return all
	case function == "patsubst" && len(args) == 3:
		return substituted(full(2), full(0), full(1))
	case function == "subst" && len(args) >= 3:
		if len(args) > 3 {
			return unknownValue
		}
		return replaced(full(2), full(0), full(1))
	case function == "addprefix" && len(args) == 2:
		return substituted(full(1), "%", full(0)+"%")
	case function == "addsuffix" && len(args) == 2:
		return substituted(full(1), "%", "%"+full(0))
	case (function == "filter" || function == "filter-out") && len(args) == 2:
		return filtered(full(1), full(0), function == "filter")
	}
	return m.pathPart(function, all)
}

// replaced is a text with one put for another; not known if a part of it is not.
func replaced(text, from, to string) string {
	if from == "" || strings.ContainsAny(text+from, "$*?[") {
		return unknownValue
	}
	return strings.ReplaceAll(text, from, to)
}

// chosen is what a function chooses by what is empty; not known if that is not.
func (m *makefile) chosen(function string, args []string, rule *makeRule, depth int) string {
	if function != "if" {
		out := ""
		for _, a := range args {
			out = m.expand(a, rule, depth)
			if name := shownSecret(out); name != "" {
				return "${" + name + "}"
			}
			if strings.ContainsAny(out, "$*") {
				return unknownValue
			}
			if (function == "or") == (out != "") {
				return out
			}
		}
		return out
	}
	condition := m.expand(args[0], rule, depth)
	yes, no := "", ""
	if len(args) > 1 {
		yes = m.expand(args[1], rule, depth)
	}
	if len(args) > 2 {
		no = m.expand(strings.Join(args[2:], ","), rule, depth)
	}
	switch {
	case yes == no:
		return yes
	case !strings.ContainsAny(condition, "$*"):
		if condition != "" {
			return yes
		}
		return no
	}
	return m.told(yes+no, func(string) string { return unknownValue })
}

// repeated is what a loop makes of a list.
func (m *makefile) repeated(args []string, rule *makeRule, depth int) string {
	if len(args) != 3 {
		return unknownValue
	}
	var b strings.Builder
	for i, w := range m.foreachWords(args, rule, depth) {
		if i > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(m.expand(bound(args[2], args[0], w), rule, depth)); b.Len() > 1<<16 {
			return unknownValue
		}
	}
	return b.String()
}

// resolvingPath is the function that follows links, and gives nothing for what is not there.
const resolvingPath = "real" + "path"

// pathPart is what functions make of each word of a list of files.
func (m *makefile) pathPart(function, list string) string {
	words := strings.Fields(list)
	if strings.ContainsAny(list, "$*?[") || len(words) == 0 {
		return unknownValue
	}
	switch function {
	case "firstword":
		return words[0]
	case "lastword":
		return words[len(words)-1]
	}
	for i, w := range words {
		slash := strings.LastIndexByte(w, '/') + 1
		switch function {
		case "dir":
			if words[i] = w[:slash]; slash == 0 {
				words[i] = "./"
			}
		case "notdir":
			words[i] = w[slash:]
		case "basename":
			words[i] = strings.TrimSuffix(w, path.Ext(w[slash:]))
		case "abspath", resolvingPath:
			if w[0] != '/' {
				w = m.ask.Dir + "/" + w
			}
			if w[0] != '/' || function == resolvingPath && (m.ask.Newer == nil || !m.ask.Newer(w, w)) {
				return unknownValue
			}
			if words[i] = path.Clean(w); function == "abspath" {
				break
			}
			if m.ask.Real == nil {
				return unknownValue
			}
			if words[i] = m.ask.Real(w); words[i] == "" {
				return unknownValue
			}
		default:
			return unknownValue
		}
	}
	return strings.Join(words, " ")
}
