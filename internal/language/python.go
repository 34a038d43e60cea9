package language

import (
	"strings"

	"longline/internal/tool"
)

// A Python program provably does no more than its deeds when every name in it
// is known: keywords, a list of builtins, a list of attributes per module, a
// list of methods of values, and what the program itself defines. Objects
// through which everything can be reached (modules as values, names with
// leading underscores, frames, code) cannot be named in that subset. Functions
// of modules that reach out are deeds; see python_calls.go.

// pythonDeeds reads a program; args are what it sees as sys.argv[1:].
func pythonDeeds(text string, args []Arg) Deeds {
	s := scriptScanner{cursor: cursor{text: text}, python: true}
	s.scan(0)
	p := pyReader{pyText: pyText{tokens: s.tokens}, pyScope: newPyScope(), args: args, joined: map[int]int{}}
	if s.broken {
		return Deeds{Broken: true}
	}
	p.deeds.Problem = s.problem
	p.strings()
	p.brackets()
	p.renames()
	p.imports()
	p.patterns()
	p.findTargets()
	p.foreign = p.usesForeign()
	p.bindings()
	p.passes()
	p.loops()
	p.judge()
	pyHanded(&p)
	p.keepStores()
	p.keepHome()
	tellsSettings(&p)
	readsMembers(&p)
	if !p.spend(0) {
		p.fail("it is too long")
	}
	p.deeds.Inserts = p.deeds.inserts(&adds{tokens: p.tokens, writers: "write writelines write_text write_bytes"})
	return p.deeds
}

type pyReader struct {
	pyText
	pyScope
	inCase  []bool
	stored  []bool // tokens that belong to what is given a value
	args    []Arg
	joined  map[int]int    // strings with expressions: from their first token to their last
	lists   []textList     // names that loops bind to each of some texts
	chosen  map[string]int // where the text begins that such a name has for now
	stores  []constant     // databases that are opened
	foreign bool           // values of the project's own modules are about
	argv    bool           // a file named by an argument is opened
	deeds   Deeds
}

func (p *pyReader) fail(problem string)    { p.deeds.fail(problem) }
func (p *pyReader) add(k tool.Kind, v any) { p.deeds.put(k, v) }

// patterns finds the tokens that belong to the pattern of a case clause, in
// which a keyword names an attribute.
func (p *pyReader) patterns() {
	p.inCase = make([]bool, len(p.tokens))
	in := false
	for i, t := range p.tokens {
		if p.starts(i) {
			in = t.isName("case") && !p.at(i+1).isOne("=", ".")
		} else if p.inside[i] < 0 && t.isName("if") {
			in = false // its condition
		}
		p.inCase[i] = in
	}
}

func (p *pyReader) judge() {
	for i := 0; i < len(p.tokens) && p.spend(1); i++ {
		switch t := p.tokens[i]; {
		case t.kind == tokName:
			i = p.name(i)
		case t.is("(") && p.isPath(i):
			i = p.pathMethod(i) - 1
		case t.is(".") && p.at(i+1).kind != tokName:
			p.fail("a dot at the end of a line")
		}
	}
	if p.argv {
		p.onlyReadsArgv()
	}
}

// name judges the name at i; it returns the index of the last token that it has looked
// at.
func (p *pyReader) name(i int) int {
	name, prev := p.tokens[i].text, p.at(i-1)
	_, imported := p.bound[name]
	switch {
	case prev.is("."):
		p.attribute(i)
	case p.keyword(i):
		p.argumentName(i)
	case prev.named("def class"):
	case imported && p.names[name] > 0:
		p.fail("two meanings of " + Quote(name))
	case imported:
		return p.module(i) - 1
	case name == "open":
		p.open(i)
	case name == "super":
		return p.super(i)
	case p.isPath(i):
		return p.pathMethod(i) - 1
	default:
		p.freeName(i)
	}
	return i
}

// argumentName judges the name of an argument, which in a pattern is that of an attribute.
func (p *pyReader) argumentName(i int) {
	if p.inCase[i] {
		p.attribute(i)
	} else if p.at(i).text == pyFromFile {
		p.fail("arguments that name files")
	}
}

// super is the object super at i, of which only the constructor is used. It returns the
// index of the last token that it has looked at.
func (p *pyReader) super(i int) int {
	if !looks(p.tokens, i, "super ( ) . __init__") {
		p.fail("the name " + Quote("super"))
	}
	return i + 4
}

// freeName judges a name that is neither an attribute nor imported: it must be a word of
// the language, or one that the program defines.
func (p *pyReader) freeName(i int) {
	name := p.at(i).text
	switch {
	case name == "file" && p.names["file"] > 0 && !p.called(i+1):
		// A usual name for one; what was called so before Python 3 is only ever called.
	case HasWord(pyForbidden, name), name == "type" && !p.typeShown(i):
		p.fail("the name " + Quote(name))
	case HasWord(pyKeywords, name), HasWord(pyBuiltins, name), HasWord(pyExceptions, name), HasWord("_ __name__ __file__", name):
	case strings.HasPrefix(name, "__"), p.names[name] == 0:
		p.fail("the name " + Quote(name) + ", which the program does not define")
	}
}

// attribute is a name behind a dot on something that is not a module.
func (p *pyReader) attribute(i int) {
	name := p.tokens[i].text
	switch {
	case p.zipMethod(i), p.databaseMethod(i):
	case name == "format":
		if s := p.at(i - 2); !s.isText() || reachesIn(s.text) {
			p.fail("a format that may look into objects")
		}
	case HasWord(pyPathWrites, name):
		if p.mayBeOfPath(name) {
			p.fail("the method " + Quote(name) + " of a path that is computed")
		}
	case HasWord(pyMethods, name):
		p.method(i)
	case !p.ownAttribute(i):
		p.fail("the attribute " + Quote(name))
	}
}

// mayBeOfPath says whether a method that paths have may be called on one, not on something
// of the program's own.
func (p *pyReader) mayBeOfPath(name string) bool {
	return p.hasPaths() || !p.members[name] && !HasWord(pyMethods, name)
}

// method is a method or attribute of values at i, some of which have a second meaning.
func (p *pyReader) method(i int) {
	switch p.tokens[i].text {
	case "replace":
		if p.hasPaths() && !p.manyArguments(i+1) {
			p.fail("replace, which also moves files")
		}
	case "name":
		if p.uses("tempfile") && p.changed(i, i+1) {
			p.fail("a change of what is deleted")
		}
	}
}

// ownAttribute says whether the attribute at i can only be one that the program or the
// project defines.
func (p *pyReader) ownAttribute(i int) bool {
	name := p.tokens[i].text
	if !p.members[name] && !p.foreign || strings.HasPrefix(name, "__") {
		return false
	}
	return !HasWord(pyReach, name) && !HasWord(pyStandard, name) && !p.inner(i)
}

// inner says whether the attribute at i is one that objects of a module which the
// program uses have, and that does more than compute.
func (p *pyReader) inner(i int) bool {
	name := p.tokens[i].text
	for _, what := range p.bound {
		head, _, _ := strings.Cut(what, ".")
		if acts := entry(pyObjects, head); acts != "" && (HasWord(acts, name) || name[0] == '_' && !p.at(i-2).isName("self")) {
			return true
		}
	}
	return false
}

// typeShown says whether the class that type(x) returns at i is only shown or compared:
// it could be called, and some classes do something then.
func (p *pyReader) typeShown(i int) bool {
	if p.names["type"] > 0 || !p.uses("sqlite3 zipfile subprocess tempfile") {
		return true
	}
	if !p.called(i + 1) {
		return false
	}
	end := p.closing(i+1) + 1
	after := p.at(end)
	around := p.at(p.inside[i] - 1)
	shown := around.named("print str repr") && p.names[around.text] == 0 && after.isOne(",", ")")
	return shown || after.is(".") && p.at(end+1).named("__name__ __qualname__") || after.isOne("==", "!=") || after.named("is in not")
}

// reachesIn says whether a format names attributes or elements of its values.
func reachesIn(format string) bool {
	for i := 0; i < len(format); i++ {
		if format[i] != '{' {
			continue
		}
		for j := i + 1; j < len(format) && format[j] != '}' && format[j] != ':' && format[j] != '!'; j++ {
			if format[j] == '.' || format[j] == '[' {
				return true
			}
		}
	}
	return false
}

// module follows a name that an import brought in to the attribute that is
// used, and returns the index after it.
func (p *pyReader) module(start int) int {
	if what := p.bound[p.tokens[start].text]; !pyKnown(what) {
		return p.foreignUse(what, start+1)
	}
	what, i := p.offered(start)
	if what == "" {
		return i
	}
	if p.changed(start, i) {
		p.fail("a change of " + Quote(what))
	}
	if spec := pyCall(what); spec != "" {
		if !p.called(i) {
			p.fail(Quote(what) + " used as a value")
			return i
		}
		p.call(spec, i+1)
		return i + 1
	}
	return p.special(what, start, i)
}

// offered is what a module that is named at i offers under the names that follow, and the
// index after it; "" if that is not part of the subset.
func (p *pyReader) offered(i int) (what string, next int) {
	what = p.bound[p.tokens[i].text]
	for i++; pyModule(what) != ""; i += 2 {
		if !looks(p.tokens, i, ". NAME") {
			p.fail("a module used as a value")
			return "", i
		}
		name := p.at(i + 1).text
		if !pyOffers(what, name) {
			p.fail("the name " + Quote(what+"."+name))
			return "", i
		}
		what += "." + name
	}
	return what, i
}

// special is the use of something of a module that means more than to compute, from start
// up to i. It returns the index after it.
func (p *pyReader) special(what string, start, i int) int {
	switch what {
	case "argparse.ArgumentParser":
		p.parser(i)
	case "os.environ":
		return p.environ(start, i)
	case "os.getenv":
		p.variable(start, i, p.called(i))
	case "pathlib.Path":
		return p.pathMethod(start)
	case "sys.path":
		return p.searchPath(start, i)
	case "pathlib.PurePath":
		p.fail("the name " + Quote(what))
	}
	return i
}

// pyFromFile is what makes a parser of arguments read files that they name.
const pyFromFile = "fromfile_prefix_chars"

// parser is the making of a parser of arguments, at i: what it is given must be plain to
// see.
func (p *pyReader) parser(i int) {
	for at := i + 1; p.called(i) && at < p.closing(i) && p.spend(1); at = p.nextArgument(at) {
		if p.at(at).isOne("*", "**") || at > i+1 && !p.keyword(at) {
			p.fail("arguments that longline does not know")
			return
		}
	}
}

// pyOffers says whether a name of a module is part of the subset.
func pyOffers(module, name string) bool {
	offers := pyModule(module)
	switch {
	case pyCall(module+"."+name) != "", HasWord(offers, "."+name), name == "__version__":
		return true
	case strings.HasPrefix(name, "_"):
		return false
	}
	return offers == "*" || HasWord(offers, name)
}

// usesForeign says whether something of a module that is not Python's own is
// used for more than the facts that it states about itself.
func (p *pyReader) usesForeign() bool {
	for i, t := range p.tokens {
		what, ok := p.bound[t.text]
		if t.kind != tokName || !ok || p.at(i-1).is(".") || pyKnown(what) || p.keyword(i) {
			continue
		}
		if name, _ := p.fact(what, i+1); name == "" {
			return true
		}
	}
	return false
}

// fact is the fact that a module is asked for at i, and the index after it; ""
// if it is used for something else.
func (p *pyReader) fact(what string, i int) (string, int) {
	name := what[strings.LastIndexByte(what, '.')+1:]
	for p.at(i).is(".") && p.isName(i+1) && !HasWord(pyFacts, name) {
		name = p.at(i + 1).text
		i += 2
	}
	if !HasWord(pyFacts, name) || p.at(i).isOne("(", "=", ":") {
		return "", i
	}
	return name, i
}

// foreignUse is the use of a module that is not Python's own, or of something of
// one: the project's code runs if that module is the project's. It returns the
// index after what is used.
func (p *pyReader) foreignUse(what string, i int) int {
	if name, after := p.fact(what, i); name != "" {
		return after
	}
	root, rest, _ := strings.Cut(what, ".")
	for part := range strings.SplitSeq(rest, ".") {
		p.reaches(part)
	}
	for p.at(i).is(".") && p.isName(i+1) {
		p.reaches(p.at(i + 1).text)
		i += 2
	}
	if p.changed(i-1, i) {
		p.fail("a change of " + Quote(what))
	}
	p.deeds.Calls = append(p.deeds.Calls, root)
	return i
}

// reaches refuses a name that leads from the project's modules to Python's own.
func (p *pyReader) reaches(name string) {
	// A function of the project may begin with an underscore; one that is called like
	// a module behind it is such a module, under the name that many give it.
	bare := strings.TrimLeft(name, "_")
	if strings.HasPrefix(name, "__") || bare == "" && name != "" || HasWord(pyReach, name) || HasWord(pyReach, bare) || HasWord(pyStandard, bare) || HasWord(pyStandard, name) || HasWord(pyOld, bare) || HasWord(pyPathWrites, bare) && !HasWord(pyMethods, name) {
		p.fail("the name " + Quote(name))
	}
}

// isArgv says whether sys.argv[NUMBER] stands at token i.
func (p *pyReader) isArgv(i int) bool {
	return looks(p.tokens, i, "NAME . argv [ NUMBER ]") && p.bound[p.at(i).text] == "sys"
}

// onlyReadsArgv makes sure that arguments which name files stay what they are:
// each may only be handed to a function.
func (p *pyReader) onlyReadsArgv() {
	for i, t := range p.tokens {
		if t.isName("argv") && p.at(i-1).is(".") && !p.handsArgv(i-2) {
			p.fail("the arguments may change")
		}
	}
}

// handsArgv says whether sys.argv[NUMBER] stands at i and is handed to a function: alone,
// or first to open.
func (p *pyReader) handsArgv(i int) bool {
	call, after := p.at(i-2), p.at(i+6)
	return p.isArgv(i) && p.called(i-1) && pyIdentifies(call) && (after.is(")") || call.text == "open" && after.is(","))
}
