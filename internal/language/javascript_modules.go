package language

import "strings"

// builtin is the name of one of node's own modules that a program asks for.
func builtin(spec string) (string, bool) {
	name, named := strings.CutPrefix(spec, "node:")
	return name, named || jsBuiltin(name)
}

// load is the loading of a module that is not node's own.
func (j *jsReader) load(spec string) {
	if spec == "" || strings.Contains(spec, "://") || strings.HasPrefix(spec, "npm:") || strings.HasPrefix(spec, "jsr:") || strings.HasPrefix(spec, "data:") {
		j.fail("the module " + Quote(spec))
		return
	}
	j.deeds.Needs = append(j.deeds.Needs, spec)
}

// imports binds the names that import declarations bring in, and blanks them and
// the words of export declarations out.
func (j *jsReader) imports() {
	for i := 0; i < len(j.tokens); i++ {
		t, next := j.tokens[i], j.at(i+1)
		if t.kind != tokName || j.member(i) || j.key(i) {
			continue
		}
		switch {
		case t.text == "import" && (next.kind == tokString || next.kind == tokName || next.isOne("{", "*")):
			j.blank(i, j.importing(i+1))
		case t.text == "export" && next.isOne("{", "*"):
			end := i + 2
			if next.is("{") {
				end = j.match[i+1] + 1
			} else if j.at(end).isName("as") {
				end += 2
			}
			if j.at(end).isName("from") {
				j.from(end+1, nil)
				end += 2
			}
			j.blank(i, end)
		case t.text == "export":
			j.blank(i, i+1)
			if next.isName("default") {
				j.blank(i+1, i+2)
			}
		}
	}
}

func (j *jsReader) blank(from, to int) {
	for i := from; i < min(to, len(j.tokens)); i++ {
		j.tokens[i] = token{kind: tokOp, text: ";"}
	}
}

// importing reads an import declaration and returns the index after it.
func (j *jsReader) importing(i int) int {
	if j.at(i).kind == tokString {
		j.from(i, nil)
		return j.attributes(i + 1)
	}
	bind := map[string]string{} // names and what they stand for in the module; "" for all of it
	for ; i < len(j.tokens) && !j.at(i).isName("from"); i++ {
		switch t := j.at(i); {
		case t.is("*") && j.at(i+1).isName("as"):
			bind[j.at(i+2).text] = ""
			i += 2
		case t.is("{"):
			end := j.match[i]
			for i++; i < end; i++ {
				name := j.at(i)
				if name.kind != tokName {
					j.fail("an import that longline cannot read")
					return end
				}
				as := name
				if j.at(i + 1).isName("as") {
					as = j.at(i + 2)
					i += 2
				}
				bind[as.text] = name.text
				if i++; i < end && !j.at(i).is(",") {
					j.fail("an import that longline cannot read")
					return end
				}
			}
			i = end
		case t.kind == tokName:
			bind[t.text] = ""
		case !t.is(","):
			j.fail("an import that longline cannot read")
			return i
		}
	}
	j.from(i+1, bind)
	return j.attributes(i + 2)
}

// attributes passes over the attributes of an import.
func (j *jsReader) attributes(i int) int {
	if !j.at(i).named("with assert") || !j.at(i+1).is("{") {
		return i
	}
	if end := j.match[i+1]; end != i+5 || j.at(i+2).text != "type" || j.at(i+4).text != "json" {
		j.fail("an import that longline cannot read")
	}
	return j.match[i+1] + 1
}

// from binds what is imported from the module named at i.
func (j *jsReader) from(i int, bind map[string]string) {
	spec := j.at(i)
	if spec.kind != tokString || !spec.plain {
		j.fail("an import that longline cannot read")
		return
	}
	module, own := builtin(spec.text)
	if !own {
		j.load(spec.text)
		if len(bind) == 0 {
			j.deeds.Calls = append(j.deeds.Calls, spec.text) // it is loaded for what it does
		}
	} else if !isJSModule(module) {
		j.fail("the module " + Quote(module))
		return
	}
	for name, what := range bind {
		switch {
		case !own:
			j.names[name]++
			j.alien[name] = true
			j.deeds.Calls = append(j.deeds.Calls, spec.text)
		case what == "" || what == "default":
			j.bound[name] = module
		case j.offers(module, what) || jsCall(module+"."+what) != "" || module == "fs" && what == "promises":
			j.bound[name] = module + "." + what
		default:
			j.fail("the member " + Quote(module+"."+what))
		}
	}
}

// requires finds the variables that hold modules: x = require('m'), and
// {a, b} = require('m').
func (j *jsReader) requires() {
	for i, t := range j.tokens {
		if !t.isName("require") || !j.at(i-1).is("=") || !j.at(i+1).is("(") || !j.at(i+3).is(")") || j.at(i+4).isOne(".", "?.", "[", "(") {
			continue
		}
		module, own := builtin(j.at(i + 2).text)
		if !own || !isJSModule(module) {
			continue
		}
		start := i - 2
		if j.at(start).is("}") {
			start = j.match[start]
		}
		if !j.declares(start) {
			j.fail("a module used as a value")
			return
		}
		if start == i-2 {
			j.bound[j.at(start).text] = module
			continue
		}
		for k := i - 3; k > start; k-- {
			switch n := j.at(k); {
			case n.is(","):
			case n.kind == tokName && j.at(k-1).isOne("{", ",") && (j.offers(module, n.text) || jsCall(module+"."+n.text) != ""):
				j.bound[n.text] = module + "." + n.text
			default:
				j.fail("a module used as a value")
				return
			}
		}
	}
}

// binds says whether a name at i is only being bound: in const x = require.
func (j *jsReader) binds(i int) bool {
	if looks(j.tokens, i+1, "= require") {
		return true
	}
	for k := i + 1; j.at(k).is(",") || j.at(k).kind == tokName; k++ {
		if j.at(k + 1).is("}") {
			return looks(j.tokens, k+2, "= require")
		}
	}
	return looks(j.tokens, i+1, "} = require")
}

// require is the loading of a module by the name in its argument. It returns
// the index after what is used of it.
func (j *jsReader) require(i int) int {
	if looks(j.tokens, i+1, ". main === module") || looks(j.tokens, i+1, ". main == module") {
		return i + 5 // asks whether this is the main program
	}
	name := j.at(i + 2)
	if !j.at(i+1).is("(") || name.kind != tokString || !name.plain || !j.at(i+3).is(")") {
		j.fail("a module that is not known")
		return i + 1
	}
	after := i + 4
	module, own := builtin(name.text)
	switch {
	case own && !isJSModule(module):
		j.fail("the module " + Quote(name.text))
		return after
	case !own:
		j.load(name.text)
		if !strings.HasSuffix(name.text, ".json") {
			j.alien[name.text] = true
			j.deeds.Calls = append(j.deeds.Calls, name.text)
		}
		return after
	}
	if j.at(i-1).is("=") && !j.at(after).isOne(".", "?.", "[", "(") {
		return after // bound to variables, which are judged where they are used
	}
	return j.object(module, after)
}

// dynamicImport is import(...) or import.meta at i; it returns the index of the
// last token that it has looked at.
func (j *jsReader) dynamicImport(i int) int {
	if looks(j.tokens, i+1, ". meta . NAME") && HasWord("url dirname filename main", j.at(i+4).text) {
		return i + 4
	}
	spec := j.at(i + 2)
	if _, own := builtin(spec.text); !j.at(i+1).is("(") || spec.kind != tokString || !spec.plain || !j.at(i+3).is(")") || own {
		j.fail("an import that longline cannot read")
		return i
	}
	j.load(spec.text)
	j.alien[spec.text] = true
	j.deeds.Calls = append(j.deeds.Calls, spec.text)
	return i + 3
}

// exporting is module.exports or exports at i, which may be given a value.
func (j *jsReader) exporting(i int) int {
	end := i + 1
	if j.at(i).text == "module" {
		if !j.at(i+1).is(".") || !j.at(i+2).isName("exports") {
			if !j.key(i) {
				j.fail("the name " + Quote(j.at(i).text))
			}
			return i
		}
		end = i + 3
	}
	if j.at(end).is(".") && j.at(end+1).kind == tokName && !HasWord(jsForbidden, j.at(end+1).text) {
		end += 2
	}
	if !j.at(end).is("=") {
		j.fail("what is exported, used as a value")
	}
	return end
}

// offers says whether a member of an object is part of the subset.
func (j *jsReader) offers(object, member string) bool {
	list := jsObject(object)
	return !HasWord(jsForbidden, member) && (list == "*" || HasWord(list, member)) || object == "crypto" && HasWord(list, member)
}
