package language

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// object follows the use of a global object or module, whose name ends before
// token i, and returns the index after it.
func (j *jsReader) object(object string, i int) int {
	if jsCall(object) != "" { // a function that was taken out of its module
		return j.function(object, i)
	}
	dot := strings.LastIndexByte(object, '.')
	if jsObject(object) == "" && dot > 0 {
		return j.use(object[:dot], object[dot+1:], i)
	}
	member := j.at(i + 1)
	if !j.at(i).isOne(".", "?.") || member.kind != tokName {
		j.valueUse(object, i)
		return i
	}
	switch inner := object + "." + member.text; {
	case jsCall(inner) != "":
		return j.function(inner, i+2)
	case jsObject(inner) != "":
		return j.object(inner, i+2)
	case inner == "Deno.env":
		return j.denoVariable(i + 2)
	case !j.offers(object, member.text):
		j.fail("the member " + Quote(inner))
		return i
	}
	return j.use(object, member.text, i+2)
}

// denoVariable is a look of Deno at one variable of the environment, at i.
func (j *jsReader) denoVariable(i int) int {
	if !looks(j.tokens, i, ". get ( TEXT )") || SecretName(j.at(i+3).text) {
		j.fail("a look at the environment")
	}
	return i + 2
}

// valueUse refuses a global object or module that is used as a value in front of token i,
// unless it is a function that converts values.
func (j *jsReader) valueUse(object string, i int) {
	if !j.converts(object, i) {
		j.fail(Quote(object) + " used as a value")
	}
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
	switch what := object + "." + member; {
	case what == "process.env":
		return j.environment(i)
	case HasWord(jsItself, what):
		j.itself(object, i)
	case j.handedOn(object, member, i):
	case what == "Object.assign" && j.streams && !looks(j.tokens, i, "( {"):
		j.fail("a change of an object that may be a stream")
	case j.assigned(i) && !HasWord("process.exitCode process.title", what):
		j.fail("a change of " + Quote(what))
	}
	return i
}

// handedOn refuses a member, which ends in front of i, that is not called or asked but
// used as a value.
func (j *jsReader) handedOn(object, member string, i int) bool {
	next := j.at(i)
	switch what := object + "." + member; {
	case what == "process.argv" && !next.isOne("[", "."):
		j.fail("the arguments used as a value")
	case HasWord("fs fs/promises fs.promises", object) && !next.is("(") && member != "constants":
		j.fail("a function of a module used as a value")
	case HasWord("util.types path.posix path.win32", what):
		j.fail("an object of a module")
	default:
		return false
	}
	return true
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
	case !endsStatement(after):
		j.fail(Quote(object) + " used as a value")
	}
}

// endsStatement says whether a statement surely ends in front of a token: at a sign, or at
// the end of a line where what follows cannot go on.
func endsStatement(t token) bool {
	return t.kind == tokEnd || t.isOne(";", "}") || t.fresh && (t.kind == tokNumber || t.kind == tokName && !t.named("in instanceof"))
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
	case "module":
		j.registers(text, after)
	case "shell":
		if j.oddOptions(after) {
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
		j.keepsFile(j.match[i-1] + 1)
		j.deeds.put(tool.Read, target)
	default:
		kind, manner := deedKind(what)
		j.deeds.put(kind, target)
		j.deeds.inManner(manner)
	}
}

// keepsFile makes sure that of what stands for a file, and ends in front of i, no more is
// used than what reads it.
func (j *jsReader) keepsFile(i int) {
	if !j.at(i).is(".") || !HasWord("text json arrayBuffer bytes stream size type exists lastModified name", j.at(i+1).text) {
		j.fail("a file that may be written or deleted")
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
	if j.oddOptions(after) {
		j.fail("an unusual way to read a file")
	}
}

// oddOptions says whether there are options at i that may change what is run or opened.
func (j *jsReader) oddOptions(i int) bool { return i < len(j.tokens) && !j.plainOptions(i) }

// argument is where the argument after the one at i begins, or the end.
func (j *jsReader) argument(i int) int {
	for ; i < len(j.tokens) && j.spend(1); i++ {
		switch t := j.tokens[i]; {
		case t.opens():
			i = j.match[i]
		case t.closes():
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
		return j.onlyFunction(i + 1)
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

// onlyFunction says whether the function whose word stands in front of i is the whole
// argument.
func (j *jsReader) onlyFunction(i int) bool {
	for !j.at(i).is("(") && i < len(j.tokens) {
		i++
	}
	body := j.match[min(i, len(j.tokens)-1)] + 1
	return j.at(body).is("{") && j.at(j.match[body]+1).isOne(",", ")")
}

// process is a program that child_process runs: a word and a list of words.
func (j *jsReader) process(i int) {
	v, next, ok := j.value(i, 0)
	if !ok || v.home || !j.at(next).isOne(",", ")") {
		j.deeds.addOpen(tool.Execute)
		return
	}
	words := []Arg{{Text: v.text, Known: true}}
	if looks(j.tokens, next, ", [") {
		words = j.words(words, next+1)
		next = j.match[next+1] + 1
	}
	if j.at(next).is(",") && !j.plainOptions(next+1) {
		j.deeds.addOpen(tool.Execute)
		return
	}
	j.deeds.List = append(j.deeds.List, Deed{Kind: tool.Execute, Words: words})
}

// words adds those of the list that opens at i, known or not.
func (j *jsReader) words(words []Arg, i int) []Arg {
	end := j.match[i]
	for k := i + 1; k < end; k = j.argument(k) {
		if j.at(k).is("...") {
			words = append(words, Arg{}, Arg{})
			continue
		}
		v, after, ok := j.value(k, 0)
		ok = ok && (j.at(after).is(",") || after == end)
		words = append(words, Arg{Text: v.text, Known: ok && !v.home, Home: ok && v.home})
	}
	return words
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
	case t.named("__dirname process") && j.names[t.text] == 0:
		return j.place(i)
	case j.fromModule(t.text):
		return j.pathFunction(i, depth)
	}
	return j.variable(i, depth)
}

// place is the value of a global name at i that says where the program is or runs, or
// where the home directory is.
func (j *jsReader) place(i int) (v constant, next int, ok bool) {
	switch {
	case j.at(i).isName("__dirname"):
		return constant{text: ".", beside: true}, i + 1, true
	case looks(j.tokens, i+2, "env . HOME"):
		return constant{home: true}, i + 5, true
	}
	return constant{text: "."}, i + 5, looks(j.tokens, i+2, "cwd ( )")
}

// fromModule says whether a name is that of a module, of something of one, or loads one.
func (j *jsReader) fromModule(name string) bool {
	return name == "require" || j.bound[name] != "" || HasWord("os path", name) && j.names[name] == 0
}

// variable is the value of the variable at i: a constant, or one that a loop binds.
func (j *jsReader) variable(i, depth int) (v constant, next int, ok bool) {
	name := j.at(i).text
	if at := j.chosen[name]; at > 0 {
		v, next, ok = j.value(at, depth+1)
		return v, i + 1, ok && j.at(next).isOne(",", "]")
	}
	at, known := j.values[name]
	if !known || j.names[name] != 1 {
		return v, i, false
	}
	v, next, ok = j.value(at, depth+1)
	return v, i + 1, ok && j.over(next)
}

// pathFunction is the value of a function of a module that makes paths.
func (j *jsReader) pathFunction(i, depth int) (v constant, next int, ok bool) {
	what, i := j.functionName(i)
	if !j.at(i).is("(") {
		return v, i, false
	}
	switch what {
	case "os.homedir":
		return constant{home: true}, i + 2, j.at(i + 1).is(")")
	case "os.tmpdir":
		return constant{text: "/tmp"}, i + 2, j.at(i + 1).is(")")
	case "path.join", "path.resolve", "path.normalize":
		return j.joinedPath(what == "path.resolve", i+1, depth)
	}
	return v, i, false
}

// functionName is the function of a module that is named at i, and the index after the
// name.
func (j *jsReader) functionName(i int) (what string, next int) {
	t := j.at(i)
	switch {
	case t.isName("require"):
		if !j.at(i+1).is("(") || j.at(i+2).kind != tokString || !j.at(i+3).is(")") {
			return "", i
		}
		what, _ = builtin(j.at(i + 2).text)
		i += 3
	case j.bound[t.text] != "":
		what = j.bound[t.text]
	default:
		what = t.text
	}
	for i++; looks(j.tokens, i, ". NAME"); i += 2 {
		what += "." + j.at(i+1).text
	}
	return what, i
}

// joinedPath is the path that the arguments from i on make, and the index after them. An
// absolute one begins anew if the path is resolved.
func (j *jsReader) joinedPath(resolved bool, i, depth int) (v constant, next int, ok bool) {
	for !j.at(i).is(")") {
		right, next, ok := j.value(i, depth+1)
		if !ok || !j.at(next).isOne(",", ")") {
			return v, i, false
		}
		if right.home || right.beside || resolved && strings.HasPrefix(right.text, "/") {
			v = right
		} else {
			v.text = path.Join(v.text, right.text)
		}
		if i = next; j.at(i).is(",") {
			i++
		}
	}
	return v, i + 1, true
}

// registers is the loading of a module that changes how others are loaded: by its name, seen from the working directory, which
// the argument at i says.
func (j *jsReader) registers(spec any, i int) {
	name, known := spec.(string)
	if !known || j.bound[j.at(i).text] != "url.pathToFileURL" || !looks(j.tokens, i+1, "( TEXT ) )") || !HasWord(". ./", j.at(i+2).text) {
		j.fail("a module that is registered")
		return
	}
	j.load(name)
	j.deeds.Calls = append(j.deeds.Calls, name)
}
