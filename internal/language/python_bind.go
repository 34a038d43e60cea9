package language

import "strings"

// What a Python program binds: by imports, assignments, definitions, parameters,
// loops, with, except and case. Only what surely binds counts; a name that is
// loaded and bound nowhere is one that longline does not know.

// imports binds the names that import statements bring in, and blanks the
// statements out.
func (p *pyReader) imports() {
	for i := 0; i < len(p.tokens); i++ {
		switch t := p.tokens[i]; {
		case t.isName("import") && p.starts(i):
			end := p.importing(i + 1)
			p.blank(i, end)
			i = end - 1
		case t.isName("from") && p.starts(i):
			end := p.importFrom(i + 1)
			p.blank(i, end)
			i = end - 1
		case t.isName("import"):
			p.fail("an import in an unusual place")
		}
	}
}

// blank leaves out tokens: they count as ends of lines that are indented like the one that they stand in.
func (p *pyReader) blank(from, to int) {
	line := token{kind: tokLine}
	for i := from - 1; i >= 0 && p.spend(1); i-- {
		if p.tokens[i].kind == tokLine && p.inside[i] < 0 {
			line.text = p.tokens[i].text
			break
		}
	}
	for i := from; i < min(to, len(p.tokens)); i++ {
		p.tokens[i] = line
	}
}

// dotted reads a module's name at token i.
func (p *pyReader) dotted(i int) (string, int) {
	var parts []string
	complete := false
	for p.isName(i) {
		parts, complete = append(parts, p.at(i).text), true
		if i++; !p.at(i).is(".") {
			break
		}
		complete = false
		i++
	}
	name := strings.Join(parts, ".")
	switch {
	case !complete:
		p.fail("an import of " + Quote(name))
		return name, i
	case parts[len(parts)-1] == "__main__":
		p.fail("an import that runs " + Quote(name))
	case pyKnown(name) && pyModule(name) == "":
		// A module of Python's own that is not in the table may act when it is loaded.
		if !HasWord(pyQuiet, name) {
			p.fail("an import of " + Quote(name))
		}
	case !pyKnown(name):
		p.deeds.Loads = true
	}
	p.deeds.Needs = append(p.deeds.Needs, parts[0])
	return name, i
}

func (p *pyReader) importing(i int) int {
	for {
		name, next := p.dotted(i)
		i = next
		head, _, _ := strings.Cut(name, ".")
		if p.at(i).isName("as") {
			p.bind(p.at(i+1).text, name)
			i += 2
		} else {
			p.bind(head, head)
		}
		if !p.at(i).is(",") {
			return i
		}
		i++
	}
}

// bind remembers what an import calls something. Two meanings of one name are
// not told apart.
func (p *pyReader) bind(name, what string) {
	if old, ok := p.bound[name]; ok && old != what {
		p.fail("two imports called " + Quote(name))
	}
	p.bound[name] = what
}

func (p *pyReader) importFrom(i int) int {
	module, i := p.dotted(i)
	if !p.at(i).isName("import") {
		p.fail("an import that longline cannot read")
		return i
	}
	i++
	lines := p.at(i).is("(")
	if lines {
		i++
	}
	i, ok := p.importNames(module, i, lines)
	if !ok {
		return i
	}
	if p.at(i).is("*") {
		p.fail("an import of all names")
	}
	if p.at(i).is(")") {
		i++
	}
	return i
}

// importNames binds the names from i on that are imported from a module, and returns the
// index after them; false if one is not part of the subset. Lines may end between them.
func (p *pyReader) importNames(module string, i int, lines bool) (next int, ok bool) {
	skip := func(i int) int {
		if lines {
			return p.afterLines(i)
		}
		return i
	}
	for i = skip(i); p.isName(i); i = skip(i + 1) {
		name := p.at(i).text
		if !pyImportable(module, name) {
			p.fail("an import of " + Quote(module+"."+name))
			return i, false
		}
		as := name
		i++
		if p.at(i).isName("as") {
			as = p.at(i + 1).text
			i += 2
		}
		p.bind(as, module+"."+name)
		if i = skip(i); !p.at(i).is(",") {
			break
		}
	}
	return i, true
}

// pyImportable says whether a name may be imported from a module: what it offers, or any
// that leads nowhere else if it is not Python's own.
func pyImportable(module, name string) bool {
	if HasWord("environ argv getenv", name) || strings.HasPrefix(name, "__") && !HasWord(pyFacts, name) {
		return false
	}
	offers := pyModule(module)
	return !pyKnown(module) || offers == "*" || pyCall(module+"."+name) != "" || HasWord(offers, name) || HasWord(offers, "."+name)
}

// findTargets marks the tokens of what is given a value: by an assignment, a loop, or
// behind "as". Indexes and arguments in it are only looked at.
func (p *pyReader) findTargets() {
	p.stored = make([]bool, len(p.tokens))
	start := 0 // of the statement
	for i, t := range p.tokens {
		if p.starts(i) {
			start = i
		}
		annotated := t.is(":") && i > start && !p.at(start).named(pyKeywords)
		switch {
		case t.named("for as") && !p.at(i-1).is("."):
			p.marks(i+1, p.targetEnd(i))
		case p.inside[i] < 0 && (t.assigns() || annotated):
			p.marks(start, i)
		}
	}
}

func (p *pyReader) marks(from, to int) {
	for k := from; k < to && p.spend(1); k++ {
		p.stored[k] = true
	}
}

// changed says whether the expression from start up to end, or the attribute that it ends
// with, is given a value.
func (p *pyReader) changed(start, end int) bool {
	if !p.stored[start] || p.at(end).isOne(".", "[", "(") {
		return false
	}
	// What stands between the brackets of a call or an index is only looked at.
	for open := p.inside[start]; open >= 0; open = p.inside[open] {
		if p.indexes(open) {
			return false
		}
	}
	return true
}

// bindings finds the names that the program binds otherwise.
func (p *pyReader) bindings() {
	for i, t := range p.tokens {
		if p.starts(i) {
			p.assigned(i)
		}
		if t.is(":=") && p.isName(i-1) {
			p.names[p.at(i-1).text]++
		}
		if t.isName("add_argument") {
			p.option(i + 2)
		} else if t.kind == tokName && !p.at(i-1).is(".") {
			p.binding(i)
		}
	}
}

// binding takes in what the word at i binds, if it is one that does.
func (p *pyReader) binding(i int) {
	switch p.tokens[i].text {
	case "for", "as":
		p.target(i + 1)
	case "def", "class":
		p.definition(i)
	case "lambda":
		p.parameters(i+1, p.inside[i], true)
	case "case":
		if p.starts(i) {
			p.captures(i + 1)
		}
	}
}

// definition binds the name of the function or class that is defined at i, and the
// parameters.
func (p *pyReader) definition(i int) {
	name := p.at(i + 1).text
	p.names[name]++
	p.members[name] = true
	if p.at(i).text == "def" && p.called(i+2) {
		p.parameters(i+3, i+2, false)
	}
}

// option takes in the attributes under which a parser of arguments keeps one: its names
// begin at i.
func (p *pyReader) option(i int) {
	for ; p.at(i).kind == tokString || p.at(i).is(","); i++ {
		p.members[strings.ReplaceAll(strings.TrimLeft(p.at(i).text, "-"), "-", "_")] = true
	}
}

// assigned binds the targets of an assignment, if one begins at i.
func (p *pyReader) assigned(i int) {
	first, start := i, i
	for ; !p.ends(i) && p.spend(1); i++ {
		t := p.tokens[i]
		if p.inside[i] >= 0 {
			continue
		}
		switch {
		case t.isName("lambda"):
			return // what follows are its parameters
		case t.is("="):
			p.assigns(start, i)
			start = i + 1
		case t.is(":"):
			if i != first+1 || !pyIdentifies(p.tokens[start]) {
				return
			}
			p.names[p.tokens[start].text]++
			i = p.annotationEnd(i + 1)
			start = i + 1
		case pyAugments(t):
			p.targets(start, i)
			return
		}
	}
}

// assigns binds the targets from start up to the operator at i.
func (p *pyReader) assigns(start, i int) {
	if i == start+1 && p.isName(start) {
		name := p.tokens[start].text
		p.values[name] = append(p.values[name], i+1)
	}
	p.targets(start, i)
}

// annotationEnd is the index of what ends an annotation that begins at i: the value of
// the variable, or the statement.
func (p *pyText) annotationEnd(i int) int {
	for !p.ends(i) && !(p.tokens[i].is("=") && p.inside[i] < 0) {
		i++
	}
	return i
}

// pyAugments says whether an operator assigns what it computes from the old value.
func pyAugments(t token) bool {
	return t.kind == tokOp && len(t.text) > 1 && strings.HasSuffix(t.text, "=") && !t.isOne("==", "!=", "<=", ">=", ":=")
}

// targets binds all names between two tokens that are nothing but names.
func (p *pyReader) targets(from, to int) {
	for i := from; i < to && p.spend(1); i++ {
		t := p.tokens[i]
		if !pyIdentifies(t) {
			continue
		}
		if p.at(i - 1).is(".") {
			if i+1 == to && p.at(i-2).isName("self") {
				p.members[t.text] = true
			}
			continue
		}
		if open := p.inside[i]; open >= from && p.behindValue(open) {
			continue // an index or an argument
		}
		if !p.at(i+1).isOne(".", "[", "(") {
			p.names[t.text]++
		}
	}
}

// target binds the names of the target at i: a name, or names between brackets
// and commas.
func (p *pyReader) target(i int) {
	for first := true; i < len(p.tokens) && p.spend(1); i, first = i+1, false {
		t := p.tokens[i]
		switch {
		case pyIdentifies(t):
			if p.at(i+1).isOne(".", "[", "(") {
				return
			}
			p.names[t.text]++
		case !p.groups(i, first):
			return
		}
		if !p.at(i+1).isOne(",", "(", "[", ")", "]", "*") && !t.isOne(",", "(", "[", "*") {
			return
		}
		// "with a as b, c as d": what follows the comma is an expression.
		if p.at(i+1).is(",") && p.at(i-1).isName("as") {
			return
		}
	}
}

// groups says whether the sign at i, the first of a target or not, puts several targets
// together.
func (p *pyText) groups(i int, first bool) bool {
	switch t := p.tokens[i]; {
	case t.isOne("(", "["):
		return first || p.at(i-1).isOne("(", ",", "[")
	case t.isOne(")", "]"):
		return p.inside[i] >= 0
	default:
		return t.isOne(",", "*")
	}
}

// parameters binds the parameters that begin at i; they stand in the bracket
// open, and those of a lambda end at a colon.
func (p *pyReader) parameters(i, open int, lambda bool) {
	for first := true; i < len(p.tokens) && p.spend(1); i, first = i+1, false {
		t := p.tokens[i]
		if p.inside[i] != open {
			if p.inside[i] < open {
				return
			}
			continue
		}
		if lambda && t.is(":") {
			return
		}
		if pyIdentifies(t) && (first || p.at(p.before(i)).isOne(",", "*", "**", "(")) {
			p.names[t.text]++
		}
	}
}

// captures binds the names of a case pattern.
func (p *pyReader) captures(i int) {
	for ; i < len(p.tokens) && !(p.inside[i] < 0 && p.tokens[i].is(":")) && !p.ends(i); i++ {
		if t := p.tokens[i]; t.isName("if") {
			return
		} else if pyIdentifies(t) && !p.at(i+1).isOne(".", "(", "=") && !p.at(i-1).is(".") {
			p.names[t.text]++
		}
	}
}
