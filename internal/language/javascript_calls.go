package language

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// object follows the use of a global object or module, whose name ends before
// token i, and returns the index after it.
func (j *jsReader) object(object string, i int) int {
	if spec := jsCall(object); spec != "" { // a function that was taken out of its module
		return j.function(object, i)
	}
	dot := strings.LastIndexByte(object, '.')
	if jsObject(object) == "" && dot > 0 {
		return j.use(object[:dot], object[dot+1:], i)
	}
	member := j.at(i + 1)
	if !j.at(i).isOne(".", "?.") || member.kind != tokName {
		if !j.converts(object, i) {
			j.fail(Quote(object) + " used as a value")
		}
		return i
	}
	switch inner := object + "." + member.text; {
	case jsCall(inner) != "":
		return j.function(inner, i+2)
	case jsObject(inner) != "":
		return j.object(inner, i+2)
	case inner == "Deno.env":
		if !looks(j.tokens, i+2, ". get ( TEXT )") || SecretName(j.at(i+5).text) {
			j.fail("a look at the environment")
		}
		return i + 4
	case !j.offers(object, member.text):
		j.fail("the member " + Quote(inner))
		return i
	}
	return j.use(object, member.text, i+2)
}

// converts says whether a global object, whose name ends before token i, is used as a
// function that converts values, or to ask what something is.
func (j *jsReader) converts(object string, i int) bool {
	switch before := j.at(i - 2); {
	case before.isName("instanceof"):
		return true
	case before.isName("extends") && HasWord("Array Object Promise", object):
		return true
	case j.at(i).is("("):
		return HasWord("Number String Boolean BigInt Date Array Object", object)
	}
	return j.at(i).is(")") && HasWord("Number String Boolean BigInt", object)
}

// use looks at how a member that may reach out is used; i is the token after it.
func (j *jsReader) use(object, member string, i int) int {
	next := j.at(i)
	switch what := object + "." + member; {
	case what == "process.env":
		return j.environment(i)
	case what == "process.argv" && !next.isOne("[", "."):
		j.fail("the arguments used as a value")
	case HasWord("fs fs/promises fs.promises", object) && !next.is("(") && member != "constants":
		j.fail("a function of a module used as a value")
	case HasWord("util.types path.posix path.win32", what):
		j.fail("an object of a module")
	case HasWord(jsItself, what):
		j.itself(object, i)
	case what == "Object.assign" && j.streams && !(next.is("(") && j.at(i+1).is("{")):
		j.fail("a change of an object that may be a stream")
	case j.assigned(i) && !HasWord("process.exitCode process.title", what):
		j.fail("a change of " + Quote(what))
	}
	return i
}

// itself is a call, whose arguments open at i, of a method that returns its object: the
// object is used again behind a dot, or by nobody.
func (j *jsReader) itself(object string, i int) {
	end := j.match[min(i, len(j.tokens)-1)] + 1
	after := j.at(end)
	start := i - 3
	if object == "process.stdin" {
		start = i - 5
	}
	chained := j.at(i - 3).is(")")
	switch {
	case !j.at(i).is("("), !chained && !j.begins(start):
		j.fail(Quote(object) + " used as a value")
	case after.isOne(".", "?."):
		j.links[end] = object
	case after.kind != tokEnd && !after.isOne(";", "}") && !(after.fresh && (after.kind == tokName && !after.named("in instanceof") || after.kind == tokNumber)):
		j.fail(Quote(object) + " used as a value")
	}
}

// begins says whether a statement surely begins at token i.
func (j *jsReader) begins(i int) bool {
	prev := j.at(i - 1)
	switch {
	case prev.kind == tokEnd, prev.isOne(";", "{", "}", ")"), prev.named("else do"):
		return true
	case prev.kind == tokName:
		return j.at(i).fresh && !HasWord(jsKeywords, prev.text)
	}
	return j.at(i).fresh && (prev.kind == tokNumber || prev.kind == tokString || prev.is("]"))
}

// environment is a look at one variable of the environment, which is named at i: one
// that holds no secret and is not changed.
func (j *jsReader) environment(i int) int {
	name, end := j.at(i+1), i+2
	named := j.at(i).isOne(".", "?.") && name.kind == tokName
	if j.at(i).is("[") {
		named, end = name.plain && j.at(i+2).is("]"), i+3
	}
	if !named || SecretName(name.text) || j.assigned(end) || j.at(end).isOne("++", "--") || j.at(i-4).isName("delete") || j.at(i-4).isOne("++", "--") {
		j.fail("a look at the environment")
	}
	return i + 2
}

// function is a function that reaches out; i is the token after its name.
func (j *jsReader) function(name string, i int) int {
	if !j.at(i).is("(") {
		j.fail(Quote(name) + " used as a value")
		return i
	}
	j.call(jsCall(name), i+1)
	return i + 1
}

// call is a call of such a function, whose arguments begin at i.
func (j *jsReader) call(spec string, i int) {
	if spec == "run" {
		j.process(i)
		return
	}
	for what := range strings.SplitSeq(spec, "/") {
		for _, v := range j.possible(i) {
			j.does(what, i, v)
		}
		i = j.argument(i)
	}
}

// does is what a function does to its argument at i, of which v is the value or nil if
// that is not known.
func (j *jsReader) does(what string, i int, v *constant) {
	var text, target any
	if v != nil {
		target = *v
		if !v.home {
			text = v.text
		}
	}
	after := j.argument(i)
	switch what {
	case "shell":
		if after < len(j.tokens) && !j.plainOptions(after) {
			text = nil
		}
		j.deeds.put(tool.Execute, text)
	case "fetch":
		kind := tool.Fetch
		if after < len(j.tokens) {
			kind = tool.Send // the options may hold a body
		}
		j.deeds.put(kind, text)
	case "load":
		j.loads(i, after, v)
	case "handle":
		// More can be done with what it returns than to read.
		if end := j.match[i-1]; !j.at(end+1).is(".") || !HasWord("text json arrayBuffer bytes stream size type exists lastModified name", j.at(end+2).text) {
			j.fail("a file that may be written or deleted")
		}
		j.deeds.put(tool.Read, target)
	case "delete-tree":
		j.deeds.put(tool.Delete, target)
		j.deeds.List[len(j.deeds.List)-1].Tree = true
	default:
		j.deeds.put(tool.ParseKind(what), target)
	}
}

// loads is the reading of a file, named at i, with options at after.
func (j *jsReader) loads(i, after int, v *constant) {
	if j.at(i).kind == tokNumber && j.at(i).text == "0" || v != nil && v.text == "/dev/stdin" {
		return
	}
	if v == nil {
		j.deeds.put(tool.Read, nil)
	} else {
		j.deeds.put(tool.Read, *v)
	}
	// A flag could make reading create the file.
	if after < len(j.tokens) && !j.plainOptions(after) {
		j.fail("an unusual way to read a file")
	}
}

// argument is where the argument after the one at i begins, or the end.
func (j *jsReader) argument(i int) int {
	for ; i < len(j.tokens) && j.spend(1); i++ {
		switch t := j.tokens[i]; {
		case t.isOne("(", "[", "{"):
			i = j.match[i]
		case t.isOne(")", "]", "}"):
			return len(j.tokens)
		case t.is(","):
			return i + 1
		}
	}
	return len(j.tokens)
}

// plainOptions says whether the argument at i, if there is one, cannot change
// what is run: a function, a word, or an object of harmless options.
func (j *jsReader) plainOptions(i int) bool {
	t := j.at(i)
	switch {
	case t.is(")"):
		return true
	case t.kind == tokString:
		return j.at(i+1).isOne(",", ")")
	case t.isName("function"):
		k := i + 1
		for !j.at(k).is("(") && k < len(j.tokens) {
			k++
		}
		body := j.match[min(k, len(j.tokens)-1)] + 1
		return j.at(body).is("{") && j.at(j.match[body]+1).isOne(",", ")")
	case t.is("("), t.kind == tokName:
		return j.literal(i)
	case !t.is("{") || !j.at(j.match[i]+1).isOne(",", ")"):
		return false
	}
	for k := i + 1; k < j.match[i]; k = j.argument(k) {
		if !j.at(k+1).is(":") || !HasWord("stdio encoding timeout maxBuffer windowsHide input start end highWaterMark", j.at(k).text) {
			return false
		}
	}
	return true
}

// process is a program that child_process runs: a word and a list of words.
func (j *jsReader) process(i int) {
	v, next, ok := j.value(i, 0)
	if !ok || v.home || !j.at(next).isOne(",", ")") {
		j.deeds.addOpen(tool.Execute)
		return
	}
	words := []Arg{{Text: v.text, Known: true}}
	options := next + 1
	if j.at(next).is(",") && j.at(next+1).is("[") {
		end := j.match[next+1]
		for k := next + 2; k < end; k = j.argument(k) {
			v, after, ok := j.value(k, 0)
			if j.at(k).is("...") {
				words = append(words, Arg{}, Arg{})
				continue
			}
			ok = ok && (j.at(after).is(",") || after == end)
			words = append(words, Arg{Text: v.text, Known: ok && !v.home, Home: ok && v.home})
		}
		options = end + 2
		next = end + 1
	}
	if j.at(next).is(",") && !j.plainOptions(options) {
		j.deeds.addOpen(tool.Execute)
		return
	}
	j.deeds.List = append(j.deeds.List, Deed{Kind: tool.Execute, Words: words})
}

// value is the text that the expression at i has, and the index after it.
func (j *jsReader) value(i, depth int) (v constant, next int, ok bool) {
	if depth > 12 || !j.spend(40) {
		return v, i, false
	}
	if v, i, ok = j.term(i, depth); !ok {
		return v, i, false
	}
	for j.at(i).is("+") && j.spend(40) {
		right, next, ok := j.term(i+1, depth)
		if !ok || right.home || len(v.text) > 10_000 {
			return v, i, false
		}
		v.text += right.text
		i = next
	}
	return v, i, true
}

func (j *jsReader) term(i, depth int) (v constant, next int, ok bool) {
	t := j.at(i)
	switch {
	case t.kind == tokString:
		return constant{text: t.text}, i + 1, t.plain && !j.at(i+1).isOne(".", "?.", "[")
	case t.is("("):
		v, next, ok = j.value(i+1, depth+1)
		return v, next + 1, ok && j.at(next).is(")")
	case t.kind != tokName || j.member(i):
		return v, i, false
	case t.text == "__dirname" && j.names["__dirname"] == 0:
		return constant{text: ".", beside: true}, i + 1, true
	case t.text == "process" && j.names["process"] == 0:
		if looks(j.tokens, i+2, "env . HOME") {
			return constant{home: true}, i + 5, true
		}
		return constant{text: "."}, i + 5, looks(j.tokens, i+2, "cwd ( )")
	case t.text == "require" || j.bound[t.text] != "" || HasWord("os path", t.text) && j.names[t.text] == 0:
		return j.pathFunction(i, depth)
	case j.chosen[t.text] > 0:
		v, next, ok = j.value(j.chosen[t.text], depth+1)
		return v, i + 1, ok && j.at(next).isOne(",", "]")
	case j.names[t.text] == 1:
		at, known := j.values[t.text]
		if !known {
			return v, i, false
		}
		v, next, ok = j.value(at, depth+1)
		return v, i + 1, ok && j.over(next)
	}
	return v, i, false
}

// pathFunction is the value of a function of a module that makes paths.
func (j *jsReader) pathFunction(i, depth int) (v constant, next int, ok bool) {
	what := j.bound[j.at(i).text]
	switch {
	case j.at(i).isName("require"):
		if !j.at(i+1).is("(") || j.at(i+2).kind != tokString || !j.at(i+3).is(")") {
			return v, i, false
		}
		what, _ = builtin(j.at(i + 2).text)
		i += 3
	case what == "":
		what = j.at(i).text
	}
	for i++; j.at(i).is(".") && j.at(i+1).kind == tokName; i += 2 {
		what += "." + j.at(i+1).text
	}
	if !j.at(i).is("(") {
		return v, i, false
	}
	switch what {
	case "os.homedir":
		return constant{home: true}, i + 2, j.at(i + 1).is(")")
	case "os.tmpdir":
		return constant{text: "/tmp"}, i + 2, j.at(i + 1).is(")")
	case "path.join", "path.resolve", "path.normalize":
	default:
		return v, i, false
	}
	for i++; !j.at(i).is(")"); {
		right, next, ok := j.value(i, depth+1)
		if !ok || !j.at(next).isOne(",", ")") {
			return v, i, false
		}
		switch {
		case right.home || right.beside || what == "path.resolve" && strings.HasPrefix(right.text, "/"):
			v = right
		default:
			v.text = path.Join(v.text, right.text)
		}
		if i = next; j.at(i).is(",") {
			i++
		}
	}
	return v, i + 1, true
}
