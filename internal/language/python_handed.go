package language

import (
	"strings"

	"longline/internal/tool"
)

// What a Python program hands to functions of modules that are not Python's own, and what
// it gets from some of them.

const (
	// pyShared are methods of texts and lists under which objects of modules read or
	// write files.
	pyShared = `read write copy remove get add insert`
	// pyEvaluators are attributes of values under which objects of modules evaluate a text.
	pyEvaluators = `query decode expand code text`
	// pyBuilders put texts together.
	pyBuilders = `join format str Path PurePath joinpath expanduser abspath realpath normpath fspath`
	// pyCallers call what they are given.
	pyCallers = `map partial starmap reduce`
)

// pyHanded finds all of that in the program.
func pyHanded(p *pyReader) {
	if !p.foreign {
		return
	}
	h := hands{tokens: p.tokens, reader: p, python: true, deeds: &p.deeds, modules: map[string]bool{}}
	for _, what := range p.bound {
		head, _, _ := strings.Cut(what, ".")
		h.modules[head] = true
	}
	h.find(p.spend)
}

// displays takes in a bracket at i that stands for itself. What is only compared with what
// is in it is not kept.
func (p *pyReader) displays(h *hands, i int, c *callee) { c.stores = c.stores && !h.word(i-1, "in") }

// callsOut takes in the call of a function whose bracket opens at i.
func (p *pyReader) callsOut(h *hands, i int, c *callee) {
	method := h.sign(i-2, ".")
	if !method {
		c.stores = p.members[c.name] // a function or a class of the program
		if what := p.bound[c.name]; what != "" {
			c.name = what[strings.LastIndexByte(what, '.')+1:]
		}
	}
	text := method && HasWord(pyMethods, c.name)
	switch {
	case c.from == unsure && !c.stores && !text, c.from == foreign && (!text || HasWord(pyShared, c.name)):
		c.does = handingOf(c.name, p.manyArguments(i))
		pyActs(p, h, i, c)
	case c.from == foreign && HasWord(pyEvaluators, c.name):
		c.runs = true
	case HasWord(pyCallers, c.name):
		c.does = writes
	case HasWord(pyBuilders, c.name):
		c.does = h.around().does
	}
}

// pyActs is what a call does whose bracket opens at i, whatever it is given.
func pyActs(p *pyReader, h *hands, i int, c *callee) {
	switch deed := h.libraryCall(c.name); deed {
	case "":
	case "code":
		p.fail("a program that " + Quote(c.name) + " runs")
	case "settings":
		c.does = reads
		if p.at(i + 1).is(")") {
			p.add(tool.Read, settingsFile)
		}
	case "settings-returned", "settings-loaded":
		c.does = nothing
	default:
		p.add(tool.Control, deed)
	}
}

// origin says where the value of the name at i comes from, with what stands before it.
func (p *pyReader) origin(h *hands, i int) origin {
	if h.sign(i-1, ".") && i > 1 {
		return h.from[i-2]
	}
	name := h.tokens[i].text
	what := p.bound[name]
	if at, once := p.only(name); once && what == "" {
		if begins := p.bound[tokenAt(h.tokens, at).text]; begins != "" && !pyKnown(begins) {
			return foreign
		}
	}
	switch {
	case what != "" && !pyKnown(what):
		return foreign
	case what == "" && p.names[name] > 0:
		return unsure
	}
	return own
}

// handedTexts are the texts that the expression at i can have, or the beginning of one, and
// the index after it.
func (p *pyReader) handedTexts(i int) (list []*constant, next int) {
	t := p.at(i)
	_, joined := p.joined[i]
	if !joined && t.kind != tokString && !p.beginsValue(i) {
		return nil, i
	}
	if p.alone(i) && p.several(t.text) {
		return p.argument(i), i + 1
	}
	v, next, ok := p.valueIn(i, 0)
	switch {
	case ok:
		return []*constant{&v}, next
	case t.isText():
		return []*constant{{text: t.text, open: true}}, i + 1
	case looped(p, i, joined):
		if list, next, ok = p.possible(i, p.begun); ok {
			return list, next
		}
	}
	return nil, i
}

// beginsValue says whether a name or a bracket at i begins a value.
func (p *pyText) beginsValue(i int) bool {
	if p.isName(i) {
		return !p.at(i-1).is(".") && !p.keyword(i) && !HasWord(pyKeywords, p.at(i).text)
	}
	return p.called(i) && !p.indexes(i)
}

// varies says whether a variable stands at i.
func (p *pyReader) varies(i int) bool {
	return p.isName(i) && p.beginsValue(i) && p.names[p.at(i).text] > 0 && p.bound[p.at(i).text] == ""
}

// looped says whether an expression at i, a string with expressions or a name, may be made
// of what a loop goes through.
func looped(p *pyReader, i int, joined bool) bool {
	for _, list := range p.lists {
		if !p.spend(1) || joined || p.at(i).isName(list.name) {
			return true
		}
	}
	return false
}
