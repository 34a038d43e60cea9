package language

import (
	"path"
	"strings"

	"longline/internal/tool"
)

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
	if isOddModule(spec) {
		j.deeds.add(tool.Read, spec)
	}
}

// isOddModule says whether a module is a file that holds no code by its name. The complaint that it
// is none shows a line of it.
func isOddModule(spec string) bool {
	if !strings.HasPrefix(spec, ".") && !strings.HasPrefix(spec, "/") {
		return false
	}
	for part := range strings.SplitSeq(spec, "/") {
		if strings.HasPrefix(part, ".") && strings.Trim(part, ".") != "" {
			return true
		}
	}
	return !HasWord(".js .cjs .mjs .ts .mts .cts .jsx .tsx .json .node", path.Ext(spec)) && path.Ext(spec) != ""
}

// foreign is the use of a module that is not node's own, whose code runs.
func (j *jsReader) foreign(spec string) {
	j.alien[spec] = true
	j.deeds.Calls = append(j.deeds.Calls, spec)
}

// imports binds the names that import declarations bring in, and blanks them and
// the words of export declarations out.
func (j *jsReader) imports() {
	for i := 0; i < len(j.tokens); i++ {
		t, next := j.tokens[i], j.at(i+1)
		if t.kind != tokName || j.member(i) || j.key(i) {
			continue
		}
		switch t.text {
		case "import":
			if next.kind == tokString || next.kind == tokName || next.isOne("{", "*") {
				j.blank(i, j.importing(i+1))
			}
		case "export":
			j.blank(i, j.exported(i+1))
		}
	}
}

// exported reads what follows the word of an export declaration at i, and returns the index
// after what only names things.
func (j *jsReader) exported(i int) int {
	end := i + 1
	switch next := j.at(i); {
	case next.is("{"):
		end = j.match[i] + 1
	case next.is("*"):
		if j.at(end).isName("as") {
			end += 2
		}
	case next.isName("default"):
		return end
	default:
		return i
	}
	if j.at(end).isName("from") {
		j.from(end+1, nil)
		end += 2
	}
	return end
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
		case looks(j.tokens, i, "* as"):
			bind[j.at(i+2).text] = ""
			i += 2
		case t.is("{"):
			end := j.match[i]
			if !j.importList(i+1, end, bind) {
				j.fail("an import that longline cannot read")
				return end
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

// importList takes in the names of an import between braces, from i up to end; false if it
// cannot be read.
func (j *jsReader) importList(i, end int, bind map[string]string) bool {
	for ; i < end; i++ {
		name := j.at(i)
		if name.kind != tokName {
			return false
		}
		as := name
		if j.at(i + 1).isName("as") {
			as = j.at(i + 2)
			i += 2
		}
		bind[as.text] = name.text
		if i++; i < end && !j.at(i).is(",") {
			return false
		}
	}
	return true
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
	if !spec.isText() {
		j.fail("an import that longline cannot read")
		return
	}
	module, own := builtin(spec.text)
	if !own {
		j.fromProject(spec.text, bind)
		return
	}
	if !isJSModule(module) {
		j.fail("the module " + Quote(module))
		return
	}
	for name, what := range bind {
		switch {
		case what == "", what == "default":
			j.bound[name] = module
		case j.provides(module, what), module == "fs" && what == "promises":
			j.bound[name] = module + "." + what
		default:
			j.fail("the member " + Quote(module+"."+what))
		}
	}
}

// fromProject binds what is imported from a module that is not node's own.
func (j *jsReader) fromProject(spec string, bind map[string]string) {
	j.load(spec)
	if len(bind) == 0 {
		j.deeds.Calls = append(j.deeds.Calls, spec) // it is loaded for what it does
	}
	var from settingsView
	from.enterModule(spec)
	for name, what := range bind {
		j.names[name]++
		j.alien[name] = true
		if part := from; part.in {
			if what != "" {
				part.enter(what, true)
			}
			j.keepView(name, part)
		}
		j.settings = j.settings || settingsNamed(spec) && SecretName(name)
		j.deeds.Calls = append(j.deeds.Calls, spec)
	}
}

// provides says whether a module has a member that can be bound.
func (j *jsReader) provides(module, member string) bool {
	return j.offers(module, member) || jsCall(module+"."+member) != ""
}

// requires finds the variables that hold modules: x = require('m'), and
// {a, b} = require('m').
func (j *jsReader) requires() {
	for i, t := range j.tokens {
		if !t.isName("require") || !j.assignsModule(i) {
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
		if !j.declares(start) || !j.holds(module, start, i-2) {
			j.fail("a module used as a value")
			return
		}
	}
}

// assignsModule says whether all that require at i loads is given to what stands before
// it.
func (j *jsReader) assignsModule(i int) bool {
	return j.at(i-1).is("=") && j.at(i+1).is("(") && j.at(i+3).is(")") && !j.at(i+4).isOne(".", "?.", "[", "(")
}

// holds binds the variable at start to a module, or those of the pattern from there up to
// end to members of it; false if there is more in it than names of such members.
func (j *jsReader) holds(module string, start, end int) bool {
	if start == end {
		j.bound[j.at(start).text] = module
		return true
	}
	for k := end - 1; k > start; k-- {
		switch n := j.at(k); {
		case n.is(","):
		case n.kind == tokName && j.at(k-1).isOne("{", ",") && j.provides(module, n.text):
			j.bound[n.text] = module + "." + n.text
		default:
			return false
		}
	}
	return true
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
	if !looks(j.tokens, i+1, "( TEXT )") {
		j.fail("a module that is not known")
		return i + 1
	}
	name, after := j.at(i+2).text, i+4
	module, own := builtin(name)
	switch {
	case own && !isJSModule(module):
		j.fail("the module " + Quote(name))
		return after
	case !own:
		if j.load(name); !strings.HasSuffix(name, ".json") {
			j.foreign(name)
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
	spec := j.at(i + 2).text
	if _, own := builtin(spec); own || !looks(j.tokens, i+1, "( TEXT )") {
		j.fail("an import that longline cannot read")
		return i
	}
	j.load(spec)
	j.foreign(spec)
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
