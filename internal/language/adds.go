package language

import "longline/internal/tool"

// A program that reads a file and writes it again edits it. One that puts text of its own in front of what it has
// read, behind it, between its parts or in its place writes code as one does that has read nothing.

// adders are methods that add what they are given to a list or a text.
const adders = `append insert extend push unshift splice concat`

// adds looks for text of a program's own in what it may write: beside a plus, given to what adds to a list or a text,
// or right among what is written, by itself or by a name that it was given. Text that other calls are given is what they look
// for, put in its place, or print.
type adds struct {
	tokens  []token
	writers string // calls that write
	written int    // which of their arguments it is

	calls  []call
	given  []string        // names that the statement gives a value
	named  map[string]bool // names that were given a text
	valued bool            // the value has begun
}

// call is one that a token is among the arguments of.
type call struct {
	name     string // "" outside of calls, and in blocks
	argument int
	block    bool // statements stand in it
}

// any says whether there is such text.
func (a *adds) any() bool {
	a.calls, a.named = []call{{block: true}}, map[string]bool{}
	for i, t := range a.tokens {
		if a.statement(i); a.isOwn(t) && a.counts(i) {
			return true
		}
		switch in := &a.calls[len(a.calls)-1]; {
		case t.opens():
			a.calls = append(a.calls, a.opened(i, *in))
		case t.closes() && len(a.calls) > 1:
			a.calls = a.calls[:len(a.calls)-1]
		case t.is(","):
			in.argument++
		}
	}
	return false
}

// isOwn says whether a token is text, or a name that was given one.
func (a *adds) isOwn(t token) bool {
	return t.kind == tokString && (t.text != "" || !t.plain) || t.kind == tokName && a.named[t.text]
}

// statement follows which names are given which values.
func (a *adds) statement(i int) {
	t, in := a.tokens[i], a.calls[len(a.calls)-1]
	if t.is(";") || in.block && (t.kind == tokLine || t.fresh) {
		a.given, a.valued = a.given[:0], false
	}
	switch {
	case in.name != "":
	case t.is("=") || t.is("+="):
		a.valued = true
	case t.kind == tokName && !a.valued:
		a.given = append(a.given, t.text)
	case a.valued && a.isOwn(t):
		for _, name := range a.given {
			a.named[name] = true
		}
	}
}

// opened is the call whose arguments a bracket begins. Other brackets are part of what stands around them, and so are calls that
// only put texts together.
func (a *adds) opened(i int, around call) call {
	before := tokenAt(a.tokens, i-1)
	switch {
	case a.tokens[i].is("{"):
		return call{block: true}
	case !a.tokens[i].is("(") || before.kind != tokName, before.named("join dedent"):
		around.block = false
		return around
	}
	return call{name: before.text}
}

// counts says whether the text at i is put beside others, among the arguments of a call.
func (a *adds) counts(i int) bool {
	before, after := tokenAt(a.tokens, i-1), tokenAt(a.tokens, i+1)
	switch in := a.calls[len(a.calls)-1]; {
	case after.is(".") && a.tokens[i].kind == tokString || before.is("."): // what stands between the parts of a list, and members
		return false
	case in.name == "":
		return before.isOne("+", "+=") || after.is("+")
	case HasWord(a.writers, in.name):
		return in.argument == a.written
	default:
		return HasWord(adders, in.name)
	}
}

// inserts says whether a program that writes files puts text of its own into them.
func (d *Deeds) inserts(a *adds) bool {
	for _, x := range d.List {
		if x.Kind == tool.Write {
			return a.any()
		}
	}
	return false
}
