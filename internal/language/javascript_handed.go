package language

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// What a JavaScript program hands to functions of modules that are not node's own, and what
// it gets from some of them.

// handed finds all of that in the program.
func (j *jsReader) handed() {
	if len(j.alien) == 0 {
		return
	}
	h := hands{tokens: j.tokens, reader: j, deeds: &j.deeds, modules: map[string]bool{}}
	for _, module := range j.deeds.Calls {
		h.modules[module] = true
	}
	h.find(j.spend)
}

// displays takes in a bracket at i that stands for itself, begins a block or holds the
// parameters of a function.
func (j *jsReader) displays(h *hands, i int, c *callee) {
	if h.sign(i, "{") && (h.sign(i-1, "=> ) { ;") || h.word(i-1, "else do try finally")) {
		*c = callee{loose: true}
	}
	c.stores = c.stores && !c.group
	if end := j.match[i]; c.group && h.sign(end+1, "=>") {
		j.takes(i, end, h.around().from == foreign)
	}
}

// callsOut takes in the call of a function whose bracket opens at i.
func (j *jsReader) callsOut(h *hands, i int, c *callee) {
	switch {
	case h.word(i-1, "if for while switch catch"):
		*c = callee{loose: true}
	case j.loadsModule(i - 1):
		c.from = foreign
	case c.from != foreign:
		c.stores = !j.member(i-1) && j.isFunction(c.name)
	default:
		c.does = handingOf(c.name, j.argument(i+1) < len(j.tokens))
		j.acts(h, i, c)
	}
}

// acts is what a call does whose bracket opens at i, whatever it is given.
func (j *jsReader) acts(h *hands, i int, c *callee) {
	switch deed := h.libraryCall(c.name); deed {
	case "":
	case "settings-returned", "settings-picked":
		c.does = nothing // it puts what it finds into the environment
		if !j.unused(i) && (deed == "settings-returned" || j.picksAll(i)) {
			j.deeds.add(tool.Read, settingsFile)
		}
	default:
		j.deeds.add(tool.Control, deed)
	}
}

// picksAll says whether a third argument of the call whose bracket opens at i asks for more settings than those that are made public
// anyway: Vite's loadEnv returns what begins with VITE_ unless it is told another prefix.
func (j *jsReader) picksAll(i int) bool {
	for k, n := i+1, 1; k < j.match[i] && j.spend(1); k++ {
		switch t := j.at(k); {
		case t.opens():
			k = min(j.match[k], j.match[i])
		case t.is(","):
			if n++; n == 3 {
				prefix := j.at(k + 1)
				return !(prefix.isText() && strings.HasPrefix(prefix.text, "VITE_")) && k+1 < j.match[i]
			}
		}
	}
	return false
}

// loadsModule says whether the word at i loads a module that is not node's own.
func (j *jsReader) loadsModule(i int) bool {
	_, own := builtin(j.at(i + 2).text)
	return !own && j.at(i).named("require import") && looks(j.tokens, i+1, "( TEXT )") && !j.member(i)
}

// origin says where the value of the name at i comes from, with what stands before it. It
// takes in what is given a name there.
func (j *jsReader) origin(h *hands, i int) origin {
	name := h.tokens[i].text
	switch {
	case j.member(i) && i > 1:
		return h.from[i-2]
	case h.sign(i+1, "="):
		j.takes(i, i, j.fromAlien(i+2))
	case h.sign(i+1, "=>"):
		j.takes(i, i, h.around().from == foreign)
	case h.sign(i+1, "{ [ (") && HasWord("const let var function", name):
		end := j.match[i+1]
		j.takes(i+1, end, h.around().from == foreign || h.sign(end+1, "=") && j.fromAlien(end+2))
	}
	if j.alien[name] {
		return foreign
	}
	return own
}

// fromAlien says whether an expression at i begins with something of such a module.
func (j *jsReader) fromAlien(i int) bool {
	for j.at(i).named("await new") || j.at(i).is("(") {
		i++
	}
	return j.loadsModule(i) || j.at(i).kind == tokName && j.alien[j.at(i).text]
}

// takes takes in names, from one index to another, of what comes from such a module.
func (j *jsReader) takes(from, to int, alien bool) {
	for k := from; alien && k <= min(to, len(j.tokens)-1) && j.spend(1); k++ {
		if t := j.tokens[k]; t.kind == tokName && !j.at(k+1).is(":") {
			j.alien[t.text] = true
		}
	}
}

// unused says whether nobody looks at what the call returns whose bracket opens at i. That
// of the last statement is printed with a flag.
func (j *jsReader) unused(i int) bool {
	start := i - 1
	for j.member(start) && j.spend(1) {
		if start -= 2; j.at(start).is(")") {
			start = j.match[start] - 1
		}
	}
	after := j.match[i] + 1
	return after < len(j.tokens)-1 && j.begins(start) && endsStatement(j.tokens[after])
}

// handedTexts are the texts that the expression at i can have, or the beginning of one, and
// the index after it.
func (j *jsReader) handedTexts(i int) (list []*constant, next int) {
	t := j.at(i)
	if j.member(i) || j.key(i) || t.kind != tokString && t.kind != tokName {
		return nil, i
	}
	if v, next, ok := j.value(i, 0); ok {
		return []*constant{&v}, next
	}
	if t.isText() {
		return []*constant{{text: t.text, open: true}}, i + 1
	}
	return nil, i
}

// varies says whether a variable stands at i.
func (j *jsReader) varies(i int) bool {
	t := j.at(i)
	return t.kind == tokName && !j.member(i) && !j.key(i) && j.names[t.text] > 0 && !j.alien[t.text]
}

// jsTellsSettings notes that something of the project's settings that is named like a secret is printed: by a call, or as the value of the
// whole program.
func jsTellsSettings(j *jsReader) {
	if len(j.alien) == 0 || j.deeds.Problem != "" {
		return
	}
	loaded := slices.ContainsFunc(j.deeds.Calls, settingsNamed)
	isSetting := func(i int) (secretPart, bool) {
		part, ok := secretPartAt(j.tokens, i)
		client := ok && HasWord(clientKeys, j.at(i).text) && j.fromAlien(part.start) // a key that it found in the environment
		return part, ok && (part.member && (part.settings || loaded || client) || !part.member && (loaded && j.settings || takenFromSettings(j.tokens, j.at(i).text)))
	}
	jsViews(j)
	for i := 0; i < len(j.tokens) && j.spend(1); i++ {
		part, tells := isSetting(i)
		if !tells {
			part, tells = jsShows(j, i)
		}
		if at, ok := j.values[j.at(i).text]; ok && !tells && !j.member(i) && j.spend(maxValue) {
			part.start, part.end = i, i+1
			whole := !j.at(i+1).isOne(".", "?.", "[", "(")
			tells = valueTells(j.tokens, at, func(k int) bool {
				_, is := isSetting(k)
				if all, shows := jsShows(j, k); whole && shows {
					return !j.asked(all.start, all.end)
				}
				return is
			})
		}
		if tells && !j.asked(part.start, part.end) && j.printed(part.start, part.end) {
			j.deeds.add(tool.Control, "secret.print")
			return
		}
	}
}

// asked says whether of an expression only shows whether there is something, or how long it is.
func (j *jsReader) asked(start, end int) bool {
	prev, next := j.at(start-1), j.at(end)
	switch {
	case prev.isOne("!", "!!") || prev.named("typeof in of"), prev.is("(") && (j.at(start-2).named("Boolean if") || looks(j.tokens, start-4, "Object . keys")):
		return true
	case next.isOne(".", "?."):
		return j.at(end + 1).isName("length")
	}
	return next.isOne("?", "===", "!==", "==", "!=")
}

// printed says whether an expression is an argument of something that prints, or all of a statement.
func (j *jsReader) printed(start, end int) bool {
	if j.begins(start) && !j.at(start-1).is("{") && endsStatement(j.at(end)) {
		return true
	}
	for k := start - 1; k > 0 && j.spend(1); k-- {
		switch t := j.at(k); {
		case t.closes():
			k = min(j.match[k], k)
		case !t.is("(") || j.match[k] < end:
		case looks(j.tokens, k-3, "console . NAME"), looks(j.tokens, k-3, "stdout . write"), looks(j.tokens, k-3, "stderr . write"):
			return true
		}
	}
	return false
}
