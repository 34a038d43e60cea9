package language

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// What a Python program reads and changes of its surroundings: the environment, the
// directories that modules come from, archives that it has opened, temporary files.

// environ is a use of os.environ, which begins at start and ends in front of i. It
// returns the index after what was read.
func (p *pyReader) environ(start, i int) int {
	switch next := p.at(i); {
	case p.at(p.before(start)).isName("in") && !next.isOne(".", "["):
		return i // the names of variables
	case next.is("."):
		return p.environMethod(start, i)
	case next.is("[") && p.at(i+2).is("]"):
		return p.environIndex(start, i)
	}
	p.fail("a look at the environment")
	return i
}

// environMethod is a method of os.environ, behind the dot at i.
func (p *pyReader) environMethod(start, i int) int {
	switch method := p.at(i + 1).text; method {
	case "get", "pop", "setdefault":
		p.variable(start, i+2, p.called(i+2))
		if method == "setdefault" {
			p.sets(p.at(i+3).text, p.nextArgument(i+3))
		}
		return i + 2
	}
	p.fail("a look at the environment")
	return i
}

// environIndex is os.environ[NAME], of which the bracket opens at i.
func (p *pyReader) environIndex(start, i int) int {
	name := p.at(i + 1)
	named := name.kind == tokString && name.plain && name.text != ""
	switch {
	case named && p.at(i+3).is("=") && p.starts(start):
		p.sets(name.text, i+4)
		return i + 4
	case named && p.at(start-1).isName("del") && p.starts(start-1) && p.ends(i+3):
		return i + 3
	case p.changed(start, i+3):
		p.fail("a change of the environment")
	}
	p.variable(start, i, true)
	return i
}

// keepHome makes sure that the home directory stays where it is if something in it is
// named.
func (p *pyReader) keepHome() {
	for _, set := range p.deeds.Sets {
		if HasWord("HOME USERPROFILE", set.Name) && slices.ContainsFunc(p.deeds.List, func(d Deed) bool { return d.Home || d.DirHome }) {
			p.fail("a change of the home directory")
		}
	}
}

// sets notes that a variable gets the value at i.
func (p *pyReader) sets(name string, i int) {
	v, next, ok := p.value(i)
	ok = ok && !v.home && (p.ends(next) || p.at(next).isOne(",", ")"))
	p.deeds.Sets = append(p.deeds.Sets, Arg{Name: name, Text: v.text, Known: ok})
}

// variable is a look at one variable of the environment, named at i+1, by an
// expression that begins at start. Of one that holds a secret only whether it is set
// may be asked, or it is kept to be put back.
func (p *pyReader) variable(start, i int, simple bool) {
	name := p.at(i + 1)
	if !simple || name.kind != tokString || !name.plain || name.text == "" || !p.at(i+2).isOne(",", ")", "]") {
		p.fail("a look at the environment")
		return
	}
	if SecretName(name.text) && !p.discreet(name.text, start, p.closing(i)+1) {
		p.fail("a look at the environment")
	}
}

// closing is the index of the bracket that closes the one at i.
func (p *pyReader) closing(i int) int {
	for k := i + 1; k < len(p.tokens) && p.spend(1); k++ {
		if p.inside[k] == p.inside[i] && p.tokens[k].isOne(")", "]", "}") {
			return k
		}
	}
	return len(p.tokens)
}

// opening is the index of the bracket that the one at i closes.
func (p *pyReader) opening(i int) int {
	for k := i - 1; k >= 0 && p.spend(1); k-- {
		if p.inside[k] == p.inside[i] && p.tokens[k].isOne("(", "[", "{") {
			return k
		}
	}
	return -1
}

// discreet says whether of the value of a variable, the tokens from start up to end,
// nothing shows but whether there is one: it is a condition, or nobody looks at it, or it
// is kept under a name of which the same is true, or which is put back into the
// environment.
func (p *pyReader) discreet(variable string, start, end int) bool {
	if p.condition(start, end) {
		return true
	}
	name := start - 2
	if !p.at(start-1).is("=") || !p.isName(name) || !p.starts(name) || !p.ends(end) || p.names[p.at(name).text] != 1 {
		return false
	}
	for i, t := range p.tokens {
		if t.isName(p.at(name).text) && i != name && !p.at(i-1).is(".") && !p.condition(i, i+1) && !p.putBack(variable, i) {
			return false
		}
	}
	return true
}

// condition says whether nothing but the truth of an expression is looked at, and no
// object of the program's own is asked for it.
func (p *pyReader) condition(start, end int) bool {
	prev := p.at(start - 1)
	if p.at(end).named("is") || p.at(end).isOne("==", "!=") && p.compared(end+1) {
		return !prev.is(":=")
	}
	if prev.named("if elif while not") {
		return p.operandEnds(end)
	}
	if prev.is("(") && p.at(start-2).isName("bool") && p.names["bool"] == 0 && p.bound["bool"] == "" {
		return p.at(end).is(")")
	}
	return p.starts(start) && p.ends(end)
}

// operandEnds says whether no operator follows in front of token i but those of logic.
func (p *pyReader) operandEnds(i int) bool {
	t := p.at(i)
	return t.kind == tokEnd || t.kind == tokLine || t.isOne(":", ";", ",") || t.closes() || t.named("and or else if for")
}

// compared says whether a constant stands alone at i, behind a comparison.
func (p *pyReader) compared(i int) bool {
	t := p.at(i)
	return (t.kind == tokString && t.plain || t.kind == tokNumber || t.named("None True False")) && p.operandEnds(i+1)
}

// putBack says whether the name at i becomes the value of a variable again.
func (p *pyReader) putBack(variable string, i int) bool {
	return p.ends(i+1) && looks(p.tokens, i-7, "NAME . environ [ TEXT ] =") && p.at(i-3).text == variable && p.bound[p.at(i-7).text] == "os"
}

// searchPath is a use of sys.path, which begins at start and ends in front of i: it is
// shown, or a directory is added to it.
func (p *pyReader) searchPath(start, i int) int {
	prev := p.at(start - 1)
	switch {
	case p.at(i).is(".") && HasWord("insert append", p.at(i+1).text) && p.called(i+2) && p.starts(start):
		at := i + 3
		if p.at(i+1).text == "insert" {
			at = p.nextArgument(at)
		}
		if v, next, ok := p.value(at); ok && p.at(next).is(")") && p.ends(next+1) {
			p.deeds.Paths = append(p.deeds.Paths, Arg{Text: v.text, Known: true, Home: v.home})
			return i + 2
		}
	case p.at(i).is("[") && p.at(i+1).kind == tokNumber && p.at(i+2).is("]") && !p.at(i+3).is("="):
		return i
	case p.at(i).isOne(".", "[", "=", "+="):
	case prev.isName("in"), prev.is("*") && p.at(start-2).is("("):
		return i
	case prev.is("(") && p.at(start-2).isName("join") && p.at(start-3).is("."):
		return i
	case prev.is("(") && HasWord("print len str repr list sorted tuple set enumerate", p.at(start-2).text) && !p.at(start-3).is(".") && p.names[p.at(start-2).text] == 0 && p.bound[p.at(start-2).text] == "":
		return i
	}
	p.fail("a change of the places that modules come from")
	return i
}

// strings finds the strings with expressions.
func (p *pyReader) strings() {
	for i, t := range p.tokens {
		if t.joined != nil && len(t.joined.pieces) > 0 {
			p.joined[t.joined.from] = i
		}
	}
}

// madeBy is the function whose result is all that a name stands for, or "": it is
// assigned, or bound by a with statement, once.
func (p *pyReader) madeBy(name string) string {
	if p.names[name] != 1 || p.bound[name] != "" {
		return ""
	}
	at := -1
	if list := p.values[name]; len(list) == 1 {
		at = list[0]
	} else {
		for i, t := range p.tokens {
			if t.isName("as") && p.at(i+1).isName(name) && p.at(i-1).is(")") {
				for at = p.opening(i-1) - 1; at > 0 && p.at(at-1).is(".") && p.isName(at-2); {
					at -= 2
				}
			}
		}
	}
	if at < 0 || !p.isName(at) || p.at(at-1).is(".") {
		return ""
	}
	what := p.bound[p.at(at).text]
	for at++; p.at(at).is(".") && p.isName(at+1); at += 2 {
		what += "." + p.at(at+1).text
	}
	if end := p.closing(at); !p.called(at) || !p.ends(end+1) && !p.at(end+1).isName("as") {
		return ""
	}
	return what
}

// temporaryName says whether the name at i, or its attribute, is that of a file or
// directory that was made to be temporary.
func (p *pyReader) temporaryName(i int) bool {
	switch p.madeBy(p.at(i).text) {
	case "tempfile.NamedTemporaryFile":
		return p.at(i+1).is(".") && p.at(i+2).isName("name") && !p.called(i+3)
	case "tempfile.mkdtemp", "tempfile.TemporaryDirectory":
		return !p.at(i+1).isOne(".", "[", "(")
	}
	return false
}

// zipMethod is the method at i of an archive that was opened to be read: true if it is
// one that opens or unpacks what the archive holds.
func (p *pyReader) zipMethod(i int) bool {
	name := p.tokens[i].text
	if !HasWord("open extract extractall setpassword", name) || !p.called(i+1) || !p.isName(i-2) || p.at(i-3).is(".") || p.madeBy(p.at(i-2).text) != "zipfile.ZipFile" {
		return false
	}
	first := i + 2
	second := p.nextArgument(first)
	switch name {
	case "setpassword":
		return true
	case "open":
		// Archives that are written are not opened here; other arguments change nothing.
		return true
	}
	if name == "extract" {
		first = second
	}
	if first >= len(p.tokens) || p.at(first).is(")") {
		p.unpacks(&constant{text: "."})
		return true
	}
	if p.keyword(first) {
		if p.at(first).text != "path" {
			return false
		}
		first += 2
	}
	for _, v := range p.argument(first) {
		p.unpacks(v)
	}
	return true
}

// unpacks is the writing of all that an archive holds below a directory.
func (p *pyReader) unpacks(dir *constant) {
	if dir == nil {
		p.add(tool.Write, nil)
		return
	}
	dir.text = strings.TrimSuffix(dir.text, "/")
	p.add(tool.Write, *dir)
	p.deeds.List[len(p.deeds.List)-1].Tree = true
}
