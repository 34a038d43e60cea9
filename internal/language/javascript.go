package language

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// A JavaScript program is known if it names nothing through which code or the machine can be reached: no constructors of functions,
// no "this", no computed member names, of process and of modules only listed members, and no names that it does not declare.
// What functions of modules do outside of the program is a deed. All else is a problem: the program is unknown code, and
// contained. So is TypeScript.

func nodeDeeds(text string) Deeds {
	s := scriptScanner{cursor: cursor{text: text}}
	s.scan(0)
	j := jsReader{bound: map[string]string{}, declared: map[string]int{}, values: map[string]int{}, counters: map[string]bool{}}
	j.deeds.Problem = s.problem
	for _, t := range s.tokens {
		if t.kind != tokLine {
			j.tokens = append(j.tokens, t)
		}
	}
	j.brackets()
	j.imports()
	j.declarations()
	for i := 0; i < len(j.tokens) && j.spend(1); {
		i = max(i+1, j.read(i))
	}
	if !j.spend(0) {
		j.fail("it is too long")
	}
	return j.deeds
}

// IsJavaScript reports whether an ending is one of files in JavaScript or TypeScript.
func IsJavaScript(ending string) bool {
	return HasWord(".js .cjs .mjs .jsx .ts .cts .mts .tsx", ending)
}

type jsReader struct {
	tokens   []token
	match    []int             // for each bracket the index of its partner
	bound    map[string]string // variables that hold a module or a function of one
	declared map[string]int    // names that the program may declare, and how often
	values   map[string]int    // where the value of a constant begins
	counters map[string]bool   // variables that may be numbers alone
	alien    bool              // something of the project's modules is about
	budget
	deeds Deeds
}

func (j *jsReader) at(i int) token      { return tokenAt(j.tokens, i) }
func (j *jsReader) fail(problem string) { j.deeds.fail(problem) }
func (j *jsReader) member(i int) bool   { return j.at(i-1).isOne(".", "?.") }

// brackets finds the partner of each bracket.
func (j *jsReader) brackets() {
	j.match = make([]int, len(j.tokens)+1)
	var open []int
	for i, t := range j.tokens {
		j.match[i] = len(j.tokens)
		if t.opens() {
			open = append(open, i)
		} else if t.closes() && len(open) > 0 {
			last := open[len(open)-1]
			j.match[i], j.match[last] = last, i
			open = open[:len(open)-1]
		}
	}
	j.match[len(j.tokens)] = len(j.tokens)
}

// builtin is the name of one of node's own modules that a program asks for.
func builtin(spec string) (string, bool) {
	name, named := strings.CutPrefix(spec, "node:")
	return name, named || HasWord(jsModules, name)
}

// imports binds what import declarations bring in, and blanks them out.
func (j *jsReader) imports() {
	for i := 0; i < len(j.tokens); i++ {
		if !j.at(i).isName("import") || j.member(i) || j.at(i+1).isOne("(", ".", ":") {
			continue
		}
		end := i + 1
		for end < len(j.tokens) && j.at(end).kind != tokString && j.spend(1) {
			end++
		}
		if !j.at(end).isText() || j.at(end+1).named("with assert") || end > i+1 && !j.at(end-1).isName("from") {
			j.fail("an import that longline cannot read")
			return
		}
		j.importing(i+1, end-1, j.at(end).text)
		for k := i; k <= end; k++ {
			j.tokens[k] = token{kind: tokOp, text: ";"}
		}
		i = end
	}
}

// importing binds the names from token i up to end that are imported from a module.
func (j *jsReader) importing(i, end int, spec string) {
	module, own := builtin(spec)
	if !own {
		j.load(spec)
	}
	for ; i < end; i++ {
		name, as := "", j.at(i)
		switch {
		case as.isOne("{", "}", ","):
			continue
		case as.is("*") && j.at(i+1).isName("as"):
			i += 2
			as = j.at(i)
		case j.at(i-1).isOne("{", ","):
			if name = as.text; j.at(i + 1).isName("as") {
				i += 2
				as = j.at(i)
			}
		}
		switch {
		case as.kind != tokName, own && !isJSModule(module):
			j.fail("an import that longline cannot read")
		case !own:
			j.declared[as.text]++
		case name == "", name == "default":
			j.bind(as.text, module)
		default:
			j.bind(as.text, module+"."+name)
		}
	}
}

// bind remembers that a variable holds a module or something of one.
func (j *jsReader) bind(name, what string) {
	if j.declared[name]++; j.declared[name] > 1 || j.bound[name] != "" {
		j.fail("two meanings of " + Quote(name))
	}
	j.bound[name] = what
}

// load is the loading of a module that is not node's own.
func (j *jsReader) load(spec string) {
	if spec == "" || strings.Contains(spec, "://") || strings.HasPrefix(spec, "npm:") || strings.HasPrefix(spec, "jsr:") || strings.HasPrefix(spec, "data:") {
		j.fail("the module " + Quote(spec))
		return
	}
	j.deeds.Needs = append(j.deeds.Needs, spec)
	if ending := path.Ext(spec); (spec[0] == '.' || spec[0] == '/') && ending != "" && ending != ".json" && ending != ".node" && !IsJavaScript(ending) || strings.Contains(spec, "/.env") {
		j.deeds.add(tool.Read, spec) // the complaint that it is no code shows a line of it
	}
	if !strings.HasSuffix(spec, ".json") {
		j.alien = true
		j.deeds.Calls = append(j.deeds.Calls, spec)
	}
}

// declarations finds the names that the program may declare: rather too many than too few, for a name means more only if no other
// list says so, and a constant is known only if it is declared once.
func (j *jsReader) declarations() {
	for i, t := range j.tokens {
		if t.kind == tokName && j.member(i) {
			continue
		}
		switch {
		case t.named("const let var"):
			j.declaration(i)
		case t.named("function class catch"):
			at := i + 1
			for j.at(at).kind == tokName || j.at(at).is("*") {
				j.names(at, at+1)
				at++
			}
			if j.at(at).is("(") {
				j.names(at, j.match[at])
			}
		case t.is("=>"):
			if j.at(i - 1).is(")") {
				j.names(j.match[i-1], i)
			}
			j.names(i-1, i)
		case t.kind == tokName && j.at(i+1).is("(") && j.at(j.match[i+1]+1).is("{") && !HasWord(jsKeywords, t.text): // a method
			j.names(i+1, j.match[i+1])
		}
	}
}

// declaration takes in the variables that the word at i declares.
func (j *jsReader) declaration(i int) {
	for k := i + 1; k < len(j.tokens) && j.spend(1); k++ {
		end := k + 1 // of a name or a pattern
		if j.at(k).opens() {
			end = min(j.match[k]+1, len(j.tokens))
		}
		if name := j.at(k); j.requires(k, end) {
			end += 5
		} else {
			if j.names(k, end); name.kind == tokName && j.at(end).is("=") {
				j.values[name.text] = 0
				if j.at(i).isName("const") {
					j.values[name.text] = end + 1
				}
				j.counters[name.text] = j.at(i).isName("let") && j.at(end+1).kind == tokNumber && j.at(end+2).isOne(";", ",")
			}
		}
		for k = end; k < len(j.tokens) && !j.at(k).isOne(",", ";") && !j.at(k).closes() && j.spend(1); k++ {
			if j.at(k).opens() {
				k = min(j.match[k], len(j.tokens))
			}
		}
		if !j.at(k).is(",") {
			return
		}
	}
}

// requires binds the names from token i up to end if require behind them gives them a module, and blanks that out.
func (j *jsReader) requires(i, end int) bool {
	module, own := builtin(j.at(end + 3).text)
	if !looks(j.tokens, end, "= require ( TEXT )") || !own || !isJSModule(module) || j.at(end+5).isOne(".", "?.", "[", "(") {
		return false
	}
	for k := i; k < end; k++ {
		switch t := j.at(k); {
		case end == i+1:
			j.bind(t.text, module)
		case t.kind == tokName && j.at(k+1).isOne("}", ","):
			j.bind(t.text, module+"."+t.text)
		case !t.isOne("{", ",", "}"):
			j.fail("a module used as a value")
		}
	}
	for k := i; k < end+5; k++ {
		j.tokens[k] = token{kind: tokOp, text: ";"}
	}
	return true
}

// names counts the names from one token up to another as declared, but for those in the values that some have for want of others.
func (j *jsReader) names(from, to int) {
	for k := from; k < min(to, len(j.tokens)) && j.spend(1); k++ {
		switch t := j.at(k); {
		case t.is("="):
			for k++; k < to && !j.at(k).is(",") && !j.at(k).closes() && j.spend(1); k++ {
				if j.at(k).opens() {
					k = j.match[k]
				}
			}
		case t.kind == tokName && !j.member(k):
			j.declared[t.text]++
		}
	}
}

// read judges what stands at token i; it returns the index after what it has looked at.
func (j *jsReader) read(i int) int {
	t, next := j.at(i), j.at(i+1)
	switch {
	case t.kind == tokString && (next.is(":") || j.at(i-1).is("[")) && (!t.plain || HasWord(jsForbidden, t.text)):
		j.fail("the member " + Quote(t.text))
	case t.is("["):
		j.bracket(i)
	case t.is("@"), t.is("?.") && next.kind != tokName:
		j.fail("an unusual way to name a member")
	case t.kind == tokName && j.member(i):
		if HasWord(jsForbidden, t.text) || HasWord(jsInternal, t.text) || HasWord(jsActs, t.text) && j.alien {
			j.fail("the member " + Quote(t.text))
		}
	case t.kind == tokName:
		return j.name(i)
	}
	return i + 1
}

// name judges the name at i, which is no member.
func (j *jsReader) name(i int) int {
	name, next := j.at(i).text, j.at(i+1)
	key := next.is(":") && j.at(i-1).isOne("{", ",")
	if key && !HasWord("__proto__ constructor prototype", name) {
		return i + 1
	}
	if after := j.loads(i); after > i {
		return after
	}
	switch {
	case name == "from" && next.kind == tokString:
		j.fail("a module that is handed on")
	case name == "fetch" && next.is("("):
		j.call("fetch", i+1)
	case HasWord(jsObjects, name), isJSModule(name) && next.isOne(".", "?."):
		return j.object(name, i+1)
	case HasWord(jsTimers, name) && !(next.is("(") && (j.function(i+2) || looks(j.tokens, i-4, "Promise ( NAME =>") && j.at(i+2).text == j.at(i-2).text)):
		j.fail("something that is run later and may be text")
	case HasWord(jsForbidden, name), j.declared[name] == 0 && !HasWord(jsKeywords, name) && !HasWord(jsGlobals, name) && !HasWord("export from as get set static default", name):
		j.fail("the name " + Quote(name))
	}
	return i + 1
}

// loads judges the name at i if it is one of a module, or brings one in; it returns the index after what it has looked at, or i.
func (j *jsReader) loads(i int) int {
	name, next := j.at(i).text, j.at(i+1)
	switch {
	case name == "require":
		return j.require(i)
	case name == "new":
		if c := next.text; next.kind != tokName || !HasWord(jsConstructors, c) && j.declared[c] == 0 {
			j.fail("a constructor that longline does not know")
		}
	case looks(j.tokens, i, "import ( TEXT )"):
		if spec := j.at(i + 2).text; !HasWord(jsModules, strings.TrimPrefix(spec, "node:")) {
			j.load(spec)
			return i + 4
		}
		j.fail("an import that longline cannot read")
	case looks(j.tokens, i, "import . meta . NAME") && HasWord("url dirname filename main", j.at(i+4).text):
		return i + 5
	case looks(j.tokens, i, "module . exports ="), name == "exports" && looks(j.tokens, i+1, ". NAME =") && !HasWord(jsForbidden, j.at(i+2).text):
		return i + 3
	case j.bound[name] != "":
		return j.object(j.bound[name], i+1)
	}
	return i
}

// function says whether a function is written at i.
func (j *jsReader) function(i int) bool {
	return j.at(i).named("function async") || j.at(i).kind == tokName && j.at(i+1).is("=>") || j.at(i).is("(") && j.at(j.match[i]+1).is("=>")
}

// bracket is an array, or a member named by a value: that must be a constant, a number or a variable that counts.
func (j *jsReader) bracket(i int) {
	prev, key, end := j.at(i-1), j.at(i+1), j.match[i]
	indexes := prev.kind == tokString || prev.kind == tokRegex || prev.closes() ||
		prev.kind == tokName && (j.member(i-1) || !HasWord("return typeof case in of do else void delete throw await yield const let var default", prev.text))
	constant := end == i+2 && (key.kind == tokNumber || key.isText() || key.kind == tokName && j.counts(key.text)) ||
		end == i+4 && key.kind == tokName && j.counts(key.text) && j.at(i+2).isOne("+", "-") && j.at(i+3).kind == tokNumber
	if indexes && !constant || prev.isOne("{", ",") && j.at(end+1).isOne(":", "(", "=") {
		j.fail("a member whose name is computed")
	}
}

// counts says whether a variable only ever holds numbers: it is declared once, with a number, and changed only by counting.
func (j *jsReader) counts(name string) bool {
	if j.declared[name] != 1 || !j.counters[name] {
		return false
	}
	for i, t := range j.tokens {
		if t.isName(name) && !j.member(i) && !j.at(i-1).isName("let") {
			if next := j.at(i + 1); next.assigns() && !(next.isOne("+=", "-=") && j.at(i+2).kind == tokNumber && j.at(i+3).isOne(";", ")")) || next.named("of in") || next.closes() && j.at(j.match[i+1]+1).isName("of") || !j.spend(1) || j.inPattern(i) {
				return false
			}
		}
	}
	return true
}

// assigned says whether what ends in front of token i may be given a value there.
func (j *jsReader) assigned(i int) bool {
	next := j.at(i)
	return next.assigns() || next.isOne("++", "--") || next.isOne("<<", ">>") && j.at(i+1).assigns() || next.named("of in") || j.inPattern(i-1)
}

// inPattern says whether the name at i stands in brackets that are given a value.
func (j *jsReader) inPattern(i int) bool {
	for k := i - 1; k >= 0 && j.spend(1); k-- {
		if t := j.tokens[k]; t.closes() {
			k = min(j.match[k], k)
		} else if t.opens() {
			if after := j.at(j.match[k] + 1); after.assigns() || after.named("of in") {
				return true
			}
		} else if t.is(";") {
			return false
		}
	}
	return false
}

// require is the loading of a module at i. It returns the index after what is used of it.
func (j *jsReader) require(i int) int {
	if looks(j.tokens, i+1, ". main === module") || looks(j.tokens, i+1, ". main == module") {
		return i + 5 // asks whether this is the main program
	}
	if !looks(j.tokens, i+1, "( TEXT )") {
		j.fail("an unknown module")
		return i + 1
	}
	module, own := builtin(j.at(i + 2).text)
	switch {
	case !own:
		j.load(module)
	case !isJSModule(module):
		j.fail("the module " + Quote(module))
	default:
		return j.object(module, i+4)
	}
	return i + 4
}

// object follows the use of a global object or module, whose name ends in front of token i, and returns the index after it.
func (j *jsReader) object(object string, i int) int {
	for jsCall(object) == "" && jsObject(object) != "" {
		member := j.at(i + 1)
		inner := object + "." + member.text
		switch {
		case !j.at(i).isOne(".", "?.") || member.kind != tokName:
			if !j.converts(object, i) {
				j.fail(Quote(object) + " used as a value")
			}
			return i
		case jsCall(inner) == "" && jsObject(inner) == "" && (HasWord(jsForbidden, member.text) || jsObject(object) != "*" && !HasWord(jsObject(object), member.text)):
			j.fail("the member " + Quote(inner))
			return i
		}
		object, i = inner, i+2
	}
	return j.used(object, i)
}

// converts says whether a global object, whose name ends in front of token i, is used to convert values, to make one, or to ask what something is.
func (j *jsReader) converts(object string, i int) bool {
	switch before := j.at(i - 2); {
	case before.isName("instanceof"), before.isName("new") && HasWord("Date Array Object URL Promise", object):
		return true
	case j.at(i).is("("):
		return HasWord("Number String Boolean BigInt Date Array Object", object)
	}
	return j.at(i).is(")") && HasWord("Number String Boolean BigInt", object)
}

// used judges the use of a member of a global object or module, which ends in front of token i.
func (j *jsReader) used(object string, i int) int {
	if module := object[:max(0, strings.LastIndexByte(object, '.'))]; jsCall(object) == "" && module != "" && jsObject(module) != "*" && !HasWord(jsObject(module), object[len(module)+1:]) {
		j.fail("the member " + Quote(object))
	}
	switch next := j.at(i); {
	case jsCall(object) != "" && next.is("("):
		j.call(jsCall(object), i)
		return i + 1
	case jsCall(object) != "", HasWord("path.posix path.win32 util.types", object), object == "process.argv" && !next.isOne("[", "."), strings.HasPrefix(object, "fs") && !next.is("(") && object != "fs.constants":
		j.fail(Quote(object) + " used as a value")
	case object == "process.env":
		name := j.at(i + 1)
		if j.at(i).isOne(".", "?.") && name.kind == tokName && !SecretName(name.text) && !j.assigned(i+2) && !j.at(i-4).isName("delete") {
			return i + 2
		}
		j.fail("a look at the environment")
	case next.assigns() && object != "process.exitCode", next.named("of in"), j.inPattern(i - 1):
		j.fail("a change of " + Quote(object))
	}
	return i
}

// call is a call of a function that reaches out, whose arguments stand in the bracket at i.
func (j *jsReader) call(spec string, i int) {
	var list []int
	for at := i + 1; at < j.match[i] && j.spend(1); at = j.next(at) {
		if list = append(list, at); j.at(at).is("...") {
			j.fail("what it does is computed at run time")
			return
		}
	}
	if spec == "run" {
		j.process(list)
		return
	}
	words := strings.Split(spec, "/")
	for k, what := range words {
		v, ok := constant{}, false
		if k < len(list) {
			var next int
			v, next, ok = j.value(list[k], 0)
			ok = ok && j.at(next).isOne(",", ")")
		}
		kind, manner := deedKind(what)
		switch what {
		case "load":
			kind = tool.Read
			if len(list) > 0 && j.at(list[0]).text == "0" || ok && v.text == "/dev/stdin" {
				return
			}
		case "shell":
			kind = tool.Execute
		case "fetch":
			if kind = tool.Fetch; len(list) > 1 {
				kind = tool.Send // the options may hold a body
			}
		}
		if !ok || v.home && !kind.IsPath() {
			j.fail("what it does is computed at run time")
			continue
		}
		j.deeds.put(kind, v)
		j.deeds.inManner(manner)
	}
	if (spec == "load" || spec == "shell") && len(list) > 1 && !j.plainOptions(list[1:]) {
		j.fail("an unusual way to call a function")
	}
}

// next is where the argument after the one at i begins, or the bracket that closes.
func (j *jsReader) next(i int) int {
	for ; i < len(j.tokens) && j.spend(1); i++ {
		switch t := j.tokens[i]; {
		case t.opens():
			i = j.match[i]
		case t.closes():
			return i
		case t.is(","):
			return i + 1
		}
	}
	return len(j.tokens)
}

// plainOptions says whether some arguments cannot change what is run or opened: functions, words, and objects of harmless options.
func (j *jsReader) plainOptions(list []int) bool {
	for _, at := range list {
		switch {
		case j.at(at).kind == tokString && j.at(at+1).isOne(",", ")"), j.function(at):
		case !j.at(at).is("{") || !j.at(j.match[at]+1).isOne(",", ")"):
			return false
		default:
			for k := at + 1; k < j.match[at]; k = j.next(k) {
				if !j.at(k+1).is(":") || !HasWord("stdio encoding timeout maxBuffer windowsHide input", j.at(k).text) {
					return false
				}
			}
		}
	}
	return true
}

// process is a program that child_process runs: a word and a list of words.
func (j *jsReader) process(list []int) {
	if len(list) == 0 {
		return
	}
	v, next, ok := j.value(list[0], 0)
	words, rest := []Arg{{Text: v.text, Known: true}}, list[1:]
	if len(rest) > 0 && j.at(rest[0]).is("[") && j.at(j.match[rest[0]]+1).isOne(",", ")") {
		for k := rest[0] + 1; k < j.match[rest[0]]; k = j.next(k) {
			v, after, known := j.value(k, 0)
			known = known && j.at(after).isOne(",", "]")
			words = append(words, Arg{Text: v.text, Known: known && !v.home, Home: known && v.home})
			ok = ok && !j.at(k).is("...")
		}
		rest = rest[1:]
	}
	if !ok || v.home || !j.at(next).isOne(",", ")") || !j.plainOptions(rest) {
		j.fail("what it runs is computed at run time")
		return
	}
	j.deeds.List = append(j.deeds.List, Deed{Kind: tool.Execute, Words: words})
}

// value is the text that the expression at i has, and the index after it.
func (j *jsReader) value(i, depth int) (v constant, next int, ok bool) {
	if depth > 12 || !j.spend(40) {
		return v, i, false
	}
	v, i, ok = j.term(i, depth)
	for ok && j.at(i).is("+") && j.spend(40) {
		right, next, known := j.term(i+1, depth)
		if !known || right.home || len(v.text) > 10_000 {
			return v, i, false
		}
		v.text += right.text
		i = next
	}
	return v, i, ok
}

func (j *jsReader) term(i, depth int) (v constant, next int, ok bool) {
	t := j.at(i)
	switch {
	case t.kind == tokString:
		return constant{text: t.text}, i + 1, t.plain && !j.at(i+1).isOne(".", "?.", "[")
	case t.kind != tokName || j.member(i):
		return v, i, false
	case t.text == "__dirname" && j.declared[t.text] == 0:
		return constant{text: ".", beside: true}, i + 1, true
	case looks(j.tokens, i, "process . env . HOME") && j.declared["process"] == 0:
		return constant{home: true}, i + 5, true
	case looks(j.tokens, i, "process . cwd ( )") && j.declared["process"] == 0:
		return constant{text: "."}, i + 5, true
	case t.text == "require" || j.bound[t.text] != "" || HasWord("os path", t.text) && j.declared[t.text] == 0:
		return j.pathFunction(i, depth)
	case j.values[t.text] > 0 && j.declared[t.text] == 1:
		v, next, ok = j.value(j.values[t.text], depth+1)
		end := j.at(next)
		return v, i + 1, ok && (end.kind == tokEnd || end.isOne(";", ",", "}") || end.kind == tokName && end.fresh && !HasWord("in instanceof", end.text))
	}
	return v, i, false
}

// pathFunction is the value of a function of a module that makes paths.
func (j *jsReader) pathFunction(i, depth int) (v constant, next int, ok bool) {
	what := j.at(i).text
	if what == "require" {
		if !looks(j.tokens, i, "require ( TEXT )") {
			return v, i, false
		}
		what, _ = builtin(j.at(i + 2).text)
		i += 3
	} else if j.bound[what] != "" {
		what = j.bound[what]
	}
	for i++; looks(j.tokens, i, ". NAME"); i += 2 {
		what += "." + j.at(i+1).text
	}
	switch what {
	case "os.homedir":
		return constant{home: true}, i + 2, looks(j.tokens, i, "( )")
	case "os.tmpdir":
		return constant{text: "/tmp"}, i + 2, looks(j.tokens, i, "( )")
	case "path.join", "path.resolve", "path.normalize":
		end := j.match[min(i, len(j.tokens))]
		for i++; i < end; i = j.next(i) {
			right, next, known := j.value(i, depth+1)
			if !known || !j.at(next).isOne(",", ")") {
				return v, i, false
			}
			if right.home || right.beside || what == "path.resolve" && strings.HasPrefix(right.text, "/") {
				v = right
			} else {
				v.text = path.Join(v.text, right.text)
			}
		}
		return v, end + 1, true
	}
	return v, i, false
}
