package language

// A JavaScript program provably does no more than its deeds when it names
// nothing through which code or the machine can be reached: no constructors of
// functions, no "this" but for the members that it defines itself, no computed
// member names, of process and of modules only listed members. Functions of
// modules that reach out are deeds; see javascript_calls.go.

// nodeDeeds reads a program in JavaScript or, if it cannot be that, in
// TypeScript. A program that is harmless as one of them is so as the other: of
// the types nothing runs.
func nodeDeeds(text string) Deeds {
	d := jsDeeds(text, false)
	if d.Problem != "" {
		if typed := jsDeeds(text, true); typed.Problem == "" {
			return typed
		}
	}
	return d
}

// IsJavaScript reports whether an ending is one of files in JavaScript or TypeScript.
func IsJavaScript(ending string) bool {
	return HasWord(".js .cjs .mjs .jsx .ts .cts .mts .tsx", ending)
}

func jsDeeds(text string, typed bool) Deeds {
	s := scriptScanner{cursor: cursor{text: text}}
	s.scan(0)
	j := jsReader{bound: map[string]string{}, names: map[string]int{}, members: map[string]bool{}, values: map[string]int{}, functions: map[string]bool{}, links: map[int]string{}, alien: map[string]bool{}}
	j.deeds.Problem = s.problem
	tokens := s.tokens
	if typed {
		t := typeEraser{tokens: tokens}
		tokens = t.erase()
		j.deeds.fail(t.problem)
	}
	for _, t := range tokens {
		if t.kind != tokLine {
			j.tokens = append(j.tokens, t)
		}
	}
	j.brackets()
	j.imports()
	j.requires()
	j.declared()
	j.loops()
	j.judge()
	j.handed()
	jsTellsSettings(&j)
	if !j.spend(0) {
		j.fail("it is too long")
	}
	j.deeds.Inserts = j.deeds.inserts(&adds{tokens: j.tokens, writers: "writeFileSync writeFile writeTextFile writeTextFileSync", written: 1})
	return j.deeds
}

type jsReader struct {
	tokens  []token
	match   []int                   // for each bracket the index of its partner
	bound   map[string]string       // variables that hold a module or a function of one
	names   map[string]int          // what the program declares, and how often
	members map[string]bool         // methods and fields that it defines
	values  map[string]int          // where the value of a constant begins
	views   map[string]settingsView // what of settings a variable holds
	// functions are names that it gives to functions.
	functions map[string]bool
	// links are dots behind calls that return the object that they are methods of.
	links    map[int]string
	streams  bool            // files are opened as streams, whose path can still change
	alien    map[string]bool // variables that hold something of the project's modules
	settings bool            // one of them is a secret of its settings
	lists    []textList      // names that loops bind to each of some texts
	chosen   map[string]int  // where the text begins that such a name has for now
	budget
	mentions
	deeds Deeds
}

func (j *jsReader) at(i int) token      { return tokenAt(j.tokens, i) }
func (j *jsReader) fail(problem string) { j.deeds.fail(problem) }
func (j *jsReader) member(i int) bool   { return j.at(i-1).isOne(".", "?.") }

// brackets finds the partner of each bracket.
func (j *jsReader) brackets() {
	j.match = make([]int, len(j.tokens))
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
}

func (j *jsReader) judge() {
	for i := 0; i < len(j.tokens) && j.spend(1); i++ {
		switch t := j.tokens[i]; t.kind {
		case tokString:
			if j.reachesMember(i) {
				j.fail("the member " + Quote(t.text))
			}
		case tokOp:
			if object := j.links[i]; object != "" {
				i = max(j.object(object, i)-1, i)
			} else {
				j.operator(i)
			}
		case tokName:
			i = j.name(i)
		}
	}
}

// reachesMember says whether the string at i names a member through which something can be
// reached: between brackets, or as a key, which can be that of a pattern.
func (j *jsReader) reachesMember(i int) bool {
	t := j.tokens[i]
	if j.at(i + 1).is(":") {
		return !t.plain || HasWord(jsForbidden, t.text)
	}
	return j.at(i-1).is("[") && HasWord(jsForbidden, t.text)
}

// operator judges the operator at i.
func (j *jsReader) operator(i int) {
	switch t := j.tokens[i]; {
	case t.is("["):
		j.bracket(i)
	case t.is("?.") && j.at(i+1).kind != tokName:
		j.fail("an unusual way to name a member")
	case t.is("@"):
		j.fail("a decorator")
	}
}

// name judges the name at i; it returns the index of the last token that it
// has looked at.
func (j *jsReader) name(i int) int {
	name := j.tokens[i].text
	if j.member(i) {
		j.memberName(name, i+1)
		return i
	}
	if last, ok := j.keyword(i, name); ok {
		return last
	}
	if last, ok := j.reaches(i, name); ok {
		return last
	}
	switch {
	case j.labels(i):
	case HasWord(jsForbidden, name), name == "Error" && j.handsOutErrors(i):
		j.fail("the name " + Quote(name))
	case !j.free(i):
		j.fail("the name " + Quote(name) + ", which the program does not define")
	}
	return i
}

// labels says whether the name at i is only a key, or that of a method which is defined
// there.
func (j *jsReader) labels(i int) bool {
	name := j.at(i).text
	return j.at(i+1).is(":") && HasWord("open close self module exports class import with", name) || j.method(i) && !HasWord("__proto__ prototype", name)
}

// memberName judges the name of a member, which ends in front of i.
func (j *jsReader) memberName(name string, i int) {
	if HasWord(jsForbidden, name) && !HasWord("open close self", name) || HasWord(jsInternal, name) || HasWord(jsActs, name) && len(j.alien) > 0 {
		j.fail("the member " + Quote(name))
	}
	j.keeps(name, i)
}

// handsOutErrors says whether the class Error at i is more than called, extended or asked
// for: its members look into the stack.
func (j *jsReader) handsOutErrors(i int) bool {
	return !j.at(i+1).is("(") && !j.at(i-1).named("extends instanceof")
}

// keeps makes sure that a member that ends in front of i is not one of a stream that is
// given another value: the file is opened later.
func (j *jsReader) keeps(member string, i int) {
	if j.streams && HasWord("path flags fd mode", member) && j.assigned(i) {
		j.fail("a change of " + Quote(member))
	}
}

// keyword judges a word of the language through which something can be reached.
func (j *jsReader) keyword(i int, name string) (last int, ok bool) {
	next := j.at(i + 1)
	switch name {
	case "require":
		return j.require(i) - 1, true
	case "import":
		return j.dynamicImport(i), true
	case "module", "exports":
		return j.exporting(i), true
	case "this":
		return j.itsOwn(i), true
	case "super":
		return i, next.is("(")
	case "constructor":
		return i, j.method(i)
	case "class":
		return i, next.kind == tokName
	case "new":
		j.constructs(next)
		return i, true
	}
	return i, false
}

// itsOwn is the object this at i, of which the program may use the members that it defines
// itself. It returns the index of the last token that it has looked at.
func (j *jsReader) itsOwn(i int) int {
	if member := j.at(i + 2).text; !j.at(i+1).isOne(".", "?.") || !j.members[member] || j.known(member) {
		j.fail("the object this")
	}
	return i + 2
}

// constructs makes sure that what stands behind new is a constructor that is known.
func (j *jsReader) constructs(t token) {
	if t.kind != tokName || !HasWord(jsConstructors, t.text) && j.names[t.text] == 0 {
		j.fail("a constructor that longline does not know")
	}
}

// reaches judges the use of a module, of a global object, or of a function that does
// what it is given to do.
func (j *jsReader) reaches(i int, name string) (last int, ok bool) {
	next := j.at(i + 1)
	switch {
	case j.bound[name] != "":
		return j.moduleUse(i, name), true
	case j.names[name] > 0 || j.key(i):
	case j.isGlobal(i):
		return j.object(name, i+1) - 1, true
	case name == "fetch" && next.is("("):
		j.call("fetch", i+2)
		return i, true
	case HasWord(jsTimers, name) && !(next.is("(") && j.callback(i+2)):
		j.fail("something that is run later and may be text")
		return i, true
	}
	return i, false
}

// moduleUse judges the use of a variable at i that holds a module or something of one. It
// returns the index of the last token that it has looked at.
func (j *jsReader) moduleUse(i int, name string) int {
	if j.names[name] > 1 {
		j.fail("two meanings of " + Quote(name))
		return i
	}
	if j.binds(i) {
		return i
	}
	return j.object(j.bound[name], i+1) - 1
}

// isGlobal says whether the name at i is that of a global object. Modules are global names
// on the command line.
func (j *jsReader) isGlobal(i int) bool {
	name := j.at(i).text
	return HasWord(jsObjects, name) && !j.at(i-1).isName("new") || isJSModule(name) && j.at(i+1).is(".")
}

// callback says whether the argument at i is surely a function. Some take text instead,
// and run it.
func (j *jsReader) callback(i int) bool {
	t, next := j.at(i), j.at(i+1)
	switch {
	case j.literal(i):
		return true
	case t.kind != tokName:
		return false
	case t.named("process console") && j.names[t.text] == 0:
		return next.is(".") && j.at(i+2).kind == tokName && j.at(i+3).isOne(",", ")")
	case !next.isOne(",", ")"):
		return false
	}
	return j.isFunction(t.text) || j.settles(i)
}

// isFunction says whether a name surely is that of a function of the program.
func (j *jsReader) isFunction(name string) bool {
	at, constant := j.values[name]
	return j.names[name] == 1 && (j.functions[name] || constant && j.literal(at))
}

// literal says whether a function is written at i.
func (j *jsReader) literal(i int) bool {
	return j.at(i).named("function async") || j.at(i).kind == tokName && j.at(i+1).is("=>") || j.at(i).is("(") && j.at(j.match[i]+1).is("=>")
}

// settles says whether the name at i, the first argument of a call, is what a promise
// gives the function that the call is all of: new Promise(r => setTimeout(r, 100)).
func (j *jsReader) settles(i int) bool {
	arrow := i - 3
	if j.at(arrow).is("{") {
		arrow--
	}
	if !j.at(arrow).is("=>") {
		return false
	}
	start := arrow - 1
	if j.at(start).is(")") {
		start = j.match[start]
	}
	first := start
	if j.at(first).is("(") {
		first++
	}
	return j.at(first).isName(j.at(i).text) && j.at(start-1).is("(") && j.at(start-2).isName("Promise") && j.at(start-3).isName("new") && j.names["Promise"] == 0
}

// known says whether a name means something to every program.
func (j *jsReader) known(name string) bool {
	return HasWord(jsForbidden, name) || HasWord(jsGlobals, name) || HasWord(jsModules, name) || HasWord(jsObjects, name) || name == "require"
}

// key says whether the name at i is a key of an object or a pattern.
func (j *jsReader) key(i int) bool {
	return j.at(i+1).is(":") && j.at(i-1).isOne("{", ",")
}

// method says whether the name at i is that of a method where it is defined.
func (j *jsReader) method(i int) bool {
	if !j.at(i + 1).is("(") {
		return false
	}
	// A call and a block on the next line look the same.
	if body := j.at(j.match[i+1] + 1); !body.is("{") || body.fresh {
		return false
	}
	prev := j.at(i - 1)
	return prev.isOne("{", "}", ";", ",", "*") || prev.named("async get set static")
}

// bracket is an array, or a member named by a value: that must be a constant or
// a number.
func (j *jsReader) bracket(i int) {
	prev, end := j.at(i-1), j.match[i]
	if j.indexes(i) && !j.constantKey(i+1, end) {
		j.fail("a member whose name is computed")
	}
	if key := j.at(i + 1); key.kind == tokString {
		j.keeps(key.text, end+1)
	}
	// In an object or a pattern, brackets compute a key.
	if prev.isOne("{", ",") && j.at(end+1).isOne(":", "(") {
		j.fail("a member whose name is computed")
	}
}

// indexes says whether the bracket at i names a member of what stands before it.
func (j *jsReader) indexes(i int) bool {
	prev := j.at(i - 1)
	if prev.kind == tokName {
		return j.member(i-1) || !HasWord("return typeof case in of do else void delete throw await yield const let var default", prev.text)
	}
	return prev.kind == tokString || prev.kind == tokRegex || prev.closes() || prev.is("?.")
}

// constantKey says whether the tokens from i up to end name a member that is written
// there, or count: a number, or a variable that counts and may have one added.
func (j *jsReader) constantKey(i, end int) bool {
	key := j.at(i)
	switch {
	case end == i+1:
		return key.kind == tokNumber || key.kind == tokString && key.plain || key.kind == tokName && j.counts(key.text)
	case end == i+3:
		return key.kind == tokName && j.counts(key.text) && j.at(i+1).isOne("+", "-") && j.at(i+2).kind == tokNumber
	}
	return false
}

// counts says whether a variable only ever holds numbers: it is declared once,
// with a number, and changed only by counting.
func (j *jsReader) counts(name string) bool {
	if j.names[name] != 1 || j.known(name) || !j.spend(1) {
		return false
	}
	declared := false
	for i := range j.of(j.tokens, name) {
		switch {
		case !j.spend(1):
			return false
		case j.member(i), j.key(i):
		case j.at(i - 1).isName("let"):
			declared = looks(j.tokens, i+1, "= NUMBER") && j.at(i+3).isOne(";", ",")
		case j.countsOn(i + 1):
		case j.assigned(i + 1):
			return false
		}
	}
	return declared
}

// countsOn says whether the operator at i adds or takes away a number, in a statement of
// its own.
func (j *jsReader) countsOn(i int) bool {
	return j.at(i).isOne("+=", "-=") && j.at(i+1).kind == tokNumber && j.at(i+2).isOne(";", ")")
}

// assigned says whether an expression that ends in front of token i may be given a
// value there: by an operator, a loop or a pattern.
func (j *jsReader) assigned(i int) bool {
	next := j.at(i)
	if next.assigns() || next.named("of in") || next.isOne("<<", ">>") && j.at(i+1).assigns() {
		return true
	}
	return (next.closes() || next.is(",")) && j.inPattern(i-1)
}

// inPattern says whether the name at i belongs to a pattern, or to brackets, that are
// given a value.
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

// free says whether a name that no object offers is known to be harmless: a word
// of the language, a harmless global, or something the program itself declares
// under a name that means nothing else.
func (j *jsReader) free(i int) bool {
	name := j.at(i).text
	switch {
	case HasWord(jsKeywords, name), HasWord(jsGlobals, name), j.at(i-1).isName("new") && HasWord(jsConstructors, name), j.key(i):
		return true
	case HasWord("get set static", name) && j.at(i+1).kind == tokName, name == "from", name == "as":
		return true
	}
	field := j.field(i) && j.members[name] // of a class
	return (j.names[name] > 0 || field) && !HasWord(jsModules, name) && !HasWord(jsForbidden, name)
}

// declared finds the names that declarations, parameters and catch clauses
// anywhere in the program introduce, and the members that it defines.
func (j *jsReader) declared() {
	for i, t := range j.tokens {
		j.streams = j.streams || t.named("createReadStream createWriteStream")
		switch {
		case t.is(",") && j.declares(i+1):
			j.pattern(i + 1)
		case t.is("=>"):
			j.arrow(i - 1)
		case t.kind != tokName:
		case j.declaration(i):
		case j.field(i), j.setsOwn(i):
			j.members[t.text] = true
		case j.definesMethod(i):
			j.members[t.text] = true
			j.pattern(i + 1)
		}
	}
}

// field says whether the name at i stands where a field of a class is declared.
func (j *jsReader) field(i int) bool {
	return j.at(i-1).isOne("{", "}", ";") && j.at(i+1).isOne("=", ";")
}

// definesMethod says whether a method is defined under the name at i.
func (j *jsReader) definesMethod(i int) bool {
	return !j.member(i) && j.method(i) && !HasWord(jsKeywords, j.at(i).text)
}

// setsOwn says whether the name at i is a member that the program gives its own object.
func (j *jsReader) setsOwn(i int) bool {
	return j.member(i) && j.at(i-2).isName("this") && j.at(i+1).is("=")
}

// declaration takes in what the word at i declares, if it is one that does.
func (j *jsReader) declaration(i int) bool {
	switch word := j.tokens[i].text; word {
	case "const", "let", "var":
		if word == "const" && looks(j.tokens, i+1, "NAME =") {
			j.values[j.at(i+1).text] = i + 3
		}
		j.pattern(i + 1)
	case "function":
		j.functionHead(i + 1)
	case "class":
		if j.at(i+1).kind != tokName || j.member(i) {
			return false
		}
		j.names[j.at(i+1).text]++
	case "catch":
		if !j.at(i + 1).is("(") {
			return false
		}
		j.pattern(i + 1)
	default:
		return false
	}
	return true
}

// functionHead takes in the name and the parameters of a function, which begin at i.
func (j *jsReader) functionHead(i int) {
	if j.at(i).is("*") {
		i++
	}
	if name := j.at(i); name.kind == tokName {
		j.names[name.text]++
		j.functions[name.text] = true
		i++
	}
	if j.at(i).is("(") {
		j.pattern(i)
	}
}

// arrow takes in the parameters of an arrow function, which end at i.
func (j *jsReader) arrow(i int) {
	if t := j.at(i); t.kind == tokName {
		j.names[t.text]++
	} else if t.is(")") {
		j.pattern(j.match[i])
	}
}

// declares says whether a declaration gives a name or pattern at token i its
// value: nothing else gets hold of it then.
func (j *jsReader) declares(i int) bool {
	if t := j.at(i); t.kind != tokName && !t.isOne("{", "[") {
		return false
	}
	prev := j.at(i - 1)
	if !prev.is(",") {
		return prev.named("const let var")
	}
	for k := i - 2; k >= 0 && j.spend(4); k-- {
		switch t := j.at(k); {
		case t.closes():
			if k = j.match[k]; k >= len(j.tokens) {
				return false
			}
		case j.beginsOther(k):
			return false
		case t.named("const let var"):
			return true
		}
	}
	return false
}

// beginsOther says whether something other than a declaration begins at k, or ends there.
func (j *jsReader) beginsOther(k int) bool {
	t := j.at(k)
	return t.opens() || t.is(";") || t.named("if for while return throw switch function class do else try") && !j.member(k)
}

// pattern takes in a name, or the names that a pattern or a list of parameters
// between brackets binds.
func (j *jsReader) pattern(i int) {
	switch t := j.at(i); {
	case t.kind == tokName:
		j.names[t.text]++
		return
	case !t.opens():
		return
	}
	object := j.at(i).is("{")
	value := false // until the next part
	for k := i + 1; k < min(j.match[i], len(j.tokens)); k++ {
		switch t := j.tokens[k]; {
		case t.is(","), t.assigns():
			value = !t.is(",")
		case t.opens():
			if !value {
				j.pattern(k)
			}
			k = min(j.match[k], len(j.tokens))
		case !value && j.bindsName(k, object):
			j.names[t.text]++
		}
	}
}

// bindsName says whether the token at k of a pattern is a name that is bound; in that of
// an object it may be a key.
func (j *jsReader) bindsName(k int, object bool) bool {
	return j.tokens[k].kind == tokName && !j.member(k) && !(object && j.at(k+1).is(":"))
}
