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
	named := name.isText() && name.text != ""
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

// discreet says whether of the value of a variable, the tokens from start up to end,
// nothing shows but whether there is one: it is a condition, or nobody looks at it, or it
// is kept under a name of which the same is true, or which is put back into the
// environment.
func (p *pyReader) discreet(variable string, start, end int) bool {
	if p.condition(start, end) {
		return true
	}
	kept := start - 2
	if !p.keeps(kept, end) {
		return false
	}
	for i := range p.of(p.tokens, p.at(kept).text) {
		if i != kept && !p.at(i-1).is(".") && !p.condition(i, i+1) && !p.putBack(variable, i) {
			return false
		}
	}
	return true
}

// keeps says whether all that a statement from i up to end does is to assign something to
// a name, which has no other value.
func (p *pyReader) keeps(i, end int) bool {
	return p.isName(i) && p.at(i+1).is("=") && p.starts(i) && p.ends(end) && p.names[p.at(i).text] == 1
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

// putBack says whether the name at i becomes the value of a variable again.
func (p *pyReader) putBack(variable string, i int) bool {
	return p.ends(i+1) && looks(p.tokens, i-7, "NAME . environ [ TEXT ] =") && p.at(i-3).text == variable && p.bound[p.at(i-7).text] == "os"
}

// searchPath is a use of sys.path, which begins at start and ends in front of i: it is
// shown, or a directory is added to it.
func (p *pyReader) searchPath(start, i int) int {
	switch {
	case p.starts(start) && p.addsPath(i):
		return i + 2
	case looks(p.tokens, i, "[ NUMBER ]") && !p.at(i+3).is("="):
		return i
	case !p.at(i).isOne(".", "[", "=", "+=") && p.showsPath(start):
		return i
	}
	p.fail("a change of the places that modules come from")
	return i
}

// addsPath notes the directory that a method of sys.path adds to it, behind the dot at i;
// false if that is not known.
func (p *pyReader) addsPath(i int) bool {
	method := p.at(i + 1).text
	if !p.at(i).is(".") || !HasWord("insert append", method) || !p.called(i+2) {
		return false
	}
	at := i + 3
	if method == "insert" {
		at = p.nextArgument(at)
	}
	v, next, ok := p.value(at)
	if !ok || !p.at(next).is(")") || !p.ends(next+1) {
		return false
	}
	p.deeds.Paths = append(p.deeds.Paths, Arg{Text: v.text, Known: true, Home: v.home})
	return true
}

// showsPath says whether sys.path at i is only gone through, or handed to a function that
// does no more than look at it.
func (p *pyReader) showsPath(i int) bool {
	prev, before := p.at(i-1), p.at(i-2)
	switch {
	case prev.isName("in"), prev.is("*") && before.is("("):
		return true
	case !prev.is("("):
		return false
	case p.at(i - 3).is("."):
		return before.isName("join")
	}
	return HasWord("print len str repr list sorted tuple set enumerate", before.text) && p.builtin(before.text)
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
	if !p.once(name) {
		return ""
	}
	at, ok := p.only(name)
	if !ok {
		at = p.opened(name)
	}
	if at < 0 || !p.isName(at) || p.at(at-1).is(".") {
		return ""
	}
	what := p.bound[p.at(at).text]
	for at++; looks(p.tokens, at, ". NAME"); at += 2 {
		what += "." + p.at(at+1).text
	}
	if end := p.closing(at); !p.called(at) || !p.ends(end+1) && !p.at(end+1).isName("as") {
		return ""
	}
	return what
}

// opened is where the call begins whose result a with statement gives a name; -1 if there
// is none.
func (p *pyText) opened(name string) int {
	at := -1
	for i := range p.of(p.tokens, name) {
		if p.at(i-1).isName("as") && p.at(i-2).is(")") {
			for at = p.opening(i-2) - 1; at > 0 && p.at(at-1).is(".") && p.isName(at-2); {
				at -= 2
			}
		}
	}
	return at
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
	if !HasWord("open extract extractall setpassword", name) || !p.called(i+1) || !p.ofArchive(i-2) {
		return false
	}
	switch name {
	case "extract":
		return p.unpacksTo(p.nextArgument(i + 2))
	case "extractall":
		return p.unpacksTo(i + 2)
	}
	// Archives that are written are not opened here; other arguments change nothing.
	return true
}

// unpacksTo is the unpacking of an archive into the directory at i, or where the program
// runs if there is no argument; false if it is given by another name.
func (p *pyReader) unpacksTo(i int) bool {
	if i >= len(p.tokens) || p.at(i).is(")") {
		p.unpacks(&constant{text: "."})
		return true
	}
	if p.keyword(i) {
		if p.at(i).text != "path" {
			return false
		}
		i += 2
	}
	for _, v := range p.argument(i) {
		p.unpacks(v)
	}
	return true
}

// readsMembers adds reads of what is named of an archive: who asks for ".env" by its name reads it, wherever it is kept. Nothing else
// is read by a name that is text.
func readsMembers(p *pyReader) {
	if !p.uses("zipfile") {
		return
	}
	for i, t := range p.tokens {
		if !t.named("read open") || !p.at(i-1).is(".") || !p.called(i+1) || t.text == "open" && !p.ofArchive(i-2) {
			continue
		}
		if name := p.at(i + 2); name.plain && p.at(i+3).isOne(",", ")") {
			p.add(tool.Read, constant{text: name.text})
		}
	}
}

// ofArchive says whether the name at i is that of an archive.
func (p *pyReader) ofArchive(i int) bool {
	return p.isName(i) && !p.at(i-1).is(".") && p.madeBy(p.at(i).text) == "zipfile.ZipFile"
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

// tellsSettings notes that something of other modules that is named like a secret is printed: SECRET_KEY of a project's settings.
func tellsSettings(p *pyReader) {
	if !p.deeds.Loads || p.deeds.Problem != "" {
		return
	}
	loaded := false
	for _, what := range p.bound {
		loaded = loaded || settingsNamed(what) && !pyKnown(what)
	}
	for i, t := range p.tokens {
		if !t.named("print pprint write") || !p.at(i+1).is("(") || p.at(i-1).is(".") && !p.at(i-2).named("stdout stderr") {
			continue
		}
		for k := i + 2; k < p.closing(i+1) && p.spend(1); k++ {
			tells := isSetting(p, k, loaded) || pyShows(p, k) || holdsKey(p, k) || showsSettingsClass(p, k)
			if name := p.at(k); name.kind == tokName && !p.at(k-1).is(".") && !tells {
				whole := !p.at(k+1).isOne(".", "[", "(") && !pyMeasured(p, k)
				tells = slices.ContainsFunc(p.values[name.text], func(at int) bool {
					return p.spend(maxValue) && valueTells(p.tokens, at, func(k int) bool { return isSetting(p, k, loaded) || whole && pyShows(p, k) })
				}) && !p.condition(k, k+1)
			}
			if tells {
				p.deeds.add(tool.Control, "secret.print")
				return
			}
		}
	}
}

// isSetting says whether the name or key at i is such a secret, and more of it shows than whether it is set or how long it is. What is
// written in large letters is a constant; all else must be of settings.
func isSetting(p *pyReader, i int, loaded bool) bool {
	part, ok := secretPartAt(p.tokens, i)
	if !ok {
		return false
	}
	first, name := p.at(part.start), p.at(i).text
	what, imported := p.bound[first.text]
	constant := imported && p.at(i).kind == tokName && name == strings.ToUpper(name)
	switch {
	case constant, part.member && (part.settings || loaded), imported && settingsNamed(what), !part.member && takenFromSettings(p.tokens, name):
	default:
		return false
	}
	return !p.condition(part.start, part.end) && !(p.at(part.start-1).is("(") && p.at(part.start-2).named("bool len type"))
}
