package language

import "strings"

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
	s := scriptScanner{text: text}
	s.scan(0)
	j := jsReader{bound: map[string]string{}, names: map[string]int{}, members: map[string]bool{}, values: map[string]int{}, alien: map[string]bool{}}
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
	if !j.spend(0) {
		j.fail("it is too long")
	}
	return j.deeds
}

type jsReader struct {
	tokens  []token
	match   []int             // for each bracket the index of its partner
	bound   map[string]string // variables that hold a module or a function of one
	names   map[string]int    // what the program declares, and how often
	members map[string]bool   // methods and fields that it defines
	values  map[string]int    // where the value of a constant begins
	alien   map[string]bool   // variables that hold something of the project's modules
	lists   []textList        // names that loops bind to each of some texts
	chosen  map[string]int    // where the text begins that such a name has for now
	budget
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
		if t.isOne("(", "[", "{") {
			open = append(open, i)
		} else if t.isOne(")", "]", "}") && len(open) > 0 {
			last := open[len(open)-1]
			j.match[i], j.match[last] = last, i
			open = open[:len(open)-1]
		}
	}
}

func (j *jsReader) judge() {
	for i := 0; i < len(j.tokens) && j.spend(1); i++ {
		t, prev, next := j.tokens[i], j.at(i-1), j.at(i+1)
		switch t.kind {
		case tokString:
			// A key of a pattern can name a member as well.
			if next.is(":") && (!t.plain || HasWord(jsForbidden, t.text)) || prev.is("[") && HasWord(jsForbidden, t.text) {
				j.fail("the member " + Quote(t.text))
			}
		case tokOp:
			if t.text == "[" {
				j.bracket(i)
			}
			if t.text == "?." && next.kind != tokName {
				j.fail("an unusual way to name a member")
			}
			if t.text == "@" {
				j.fail("a decorator")
			}
		case tokName:
			i = j.name(i)
		}
	}
}

// name judges the name at i; it returns the index of the last token that it
// has looked at.
func (j *jsReader) name(i int) int {
	t, prev, next := j.tokens[i], j.at(i-1), j.at(i+1)
	switch {
	case j.member(i):
		if HasWord(jsForbidden, t.text) && !HasWord("open close self", t.text) || HasWord(jsActs, t.text) && len(j.alien) > 0 {
			j.fail("the member " + Quote(t.text))
		}
	case t.text == "require":
		return j.require(i) - 1
	case t.text == "import":
		return j.dynamicImport(i)
	case t.text == "module" || t.text == "exports":
		return j.exporting(i)
	case t.text == "this":
		if !next.isOne(".", "?.") || !j.members[j.at(i+2).text] || j.known(j.at(i+2).text) {
			j.fail("the object this")
		}
		return i + 2
	case t.text == "super" && next.is("("):
	case t.text == "constructor" && j.method(i):
	case t.text == "class" && next.kind == tokName && !prev.isOne(".", "?."):
	case t.text == "new":
		if next.kind != tokName || !HasWord(jsConstructors, next.text) && j.names[next.text] == 0 {
			j.fail("a constructor that longline does not know")
		}
	case j.bound[t.text] != "" && j.names[t.text] > 1:
		j.fail("two meanings of " + Quote(t.text))
	case j.bound[t.text] != "" && j.binds(i):
	case j.bound[t.text] != "":
		return j.object(j.bound[t.text], i+1) - 1
	case HasWord(jsObjects, t.text) && !prev.isName("new") && j.names[t.text] == 0 && !j.key(i):
		return j.object(t.text, i+1) - 1
	case isJSModule(t.text) && j.names[t.text] == 0 && next.is(".") && !j.key(i):
		return j.object(t.text, i+1) - 1 // modules are global names on the command line
	case t.text == "fetch" && next.is("(") && j.names["fetch"] == 0:
		j.call("fetch", i+2)
	case next.is(":") && HasWord("open close self module exports class import with", t.text): // a key
	case j.method(i) && !HasWord("__proto__ prototype", t.text): // defines a method of this name
	case HasWord(jsForbidden, t.text), t.text == "Error" && !next.is("(") && !prev.isName("extends") && !prev.isName("instanceof"):
		j.fail("the name " + Quote(t.text))
	case !j.free(i):
		j.fail("the name " + Quote(t.text) + ", which the program does not define")
	}
	return i
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
	if !j.at(i+1).is("(") || !j.at(j.match[i+1]+1).is("{") {
		return false
	}
	prev := j.at(i - 1)
	return prev.isOne("{", "}", ";", ",", "*") || prev.kind == tokName && HasWord("async get set static", prev.text)
}

// bracket is an array, or a member named by a value: that must be a constant or
// a number.
func (j *jsReader) bracket(i int) {
	prev := j.at(i - 1)
	member := prev.kind == tokString || prev.isOne(")", "]", "}", "?.") || prev.kind == tokName && (j.member(i-1) || !HasWord("return typeof case in of do else void delete throw await yield const let var default", prev.text)) || prev.kind == tokRegex
	key, end := j.at(i+1), j.match[i]
	constant := end == i+2 && (key.kind == tokNumber || key.kind == tokString && key.plain || key.kind == tokName && j.counts(key.text))
	if end == i+4 && key.kind == tokName && j.counts(key.text) && j.at(i+2).isOne("+", "-") && j.at(i+3).kind == tokNumber {
		constant = true
	}
	if member && !constant {
		j.fail("a member whose name is computed")
	}
	// In an object or a pattern, brackets compute a key.
	if prev.isOne("{", ",") && j.at(end+1).isOne(":", "(") {
		j.fail("a member whose name is computed")
	}
}

// counts says whether a variable only ever holds numbers: it is declared once,
// with a number, and changed only by counting.
func (j *jsReader) counts(name string) bool {
	if j.names[name] != 1 || j.known(name) || !j.spend(len(j.tokens)) {
		return false
	}
	declared := false
	for i, t := range j.tokens {
		if !t.isName(name) || j.member(i) || j.key(i) {
			continue
		}
		next, after := j.at(i+1), j.at(i+2)
		switch {
		case j.at(i - 1).isName("let"):
			declared = next.is("=") && after.kind == tokNumber && j.at(i+3).isOne(";", ",")
		case next.is("="), next.kind == tokOp && len(next.text) > 1 && strings.HasSuffix(next.text, "=") && !next.isOne("==", "===", "!=", "!==", "<=", ">=", "+=", "-="):
			return false
		case next.isOne("+=", "-=") && (after.kind != tokNumber || !j.at(i+3).isOne(";", ")")):
			return false
		case next.isName("of") || next.isName("in"), next.isOne("]", "}", ",") && j.inPattern(i):
			return false // bound by a loop or a pattern
		}
	}
	return declared
}

// inPattern says whether the name at i belongs to a pattern that is given a value.
func (j *jsReader) inPattern(i int) bool {
	for k := i - 1; k >= 0 && j.spend(1); k-- {
		if t := j.tokens[k]; t.isOne(")", "]", "}") {
			k = min(j.match[k], k)
		} else if t.isOne("(", "[", "{") {
			if after := j.at(j.match[k] + 1); after.is("=") || after.isName("of") || after.isName("in") {
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
	if HasWord(jsKeywords, name) || HasWord(jsGlobals, name) || j.at(i-1).isName("new") && HasWord(jsConstructors, name) {
		return true
	}
	if j.key(i) {
		return true
	}
	if HasWord("get set static", name) && j.at(i+1).kind == tokName || name == "from" || name == "as" {
		return true
	}
	if j.at(i-1).isOne("{", "}", ";") && j.at(i+1).isOne("=", ";") && j.members[name] && j.names[name] == 0 {
		return !HasWord(jsForbidden, name) && !HasWord(jsModules, name) // a field of a class
	}
	return j.names[name] > 0 && !HasWord(jsModules, name) && !HasWord(jsForbidden, name)
}

// declared finds the names that declarations, parameters and catch clauses
// anywhere in the program introduce, and the members that it defines.
func (j *jsReader) declared() {
	for i, t := range j.tokens {
		switch {
		case t.isName("const") || t.isName("let") || t.isName("var"):
			if t.text == "const" && j.at(i+1).kind == tokName && j.at(i+2).is("=") {
				j.values[j.at(i+1).text] = i + 3
			}
			j.pattern(i + 1)
		case t.is(",") && j.declares(i+1):
			j.pattern(i + 1)
		case t.isName("function"):
			k := i + 1
			if j.at(k).is("*") {
				k++
			}
			if j.at(k).kind == tokName {
				j.names[j.at(k).text]++
				k++
			}
			if j.at(k).is("(") {
				j.pattern(k)
			}
		case t.isName("class") && j.at(i+1).kind == tokName && !j.member(i):
			j.names[j.at(i+1).text]++
		case t.isName("catch") && j.at(i+1).is("("):
			j.pattern(i + 1)
		case t.is("=>"):
			if prev := j.at(i - 1); prev.kind == tokName {
				j.names[prev.text]++
			} else if prev.is(")") {
				j.pattern(j.match[i-1])
			}
		case t.kind == tokName && j.member(i) && j.at(i-2).isName("this") && j.at(i+1).is("="):
			j.members[t.text] = true
		case t.kind == tokName && !j.member(i) && j.method(i) && !HasWord(jsKeywords, t.text):
			j.members[t.text] = true
			j.pattern(i + 1)
		case t.kind == tokName && j.at(i-1).isOne("{", "}", ";") && j.at(i+1).isOne("=", ";"):
			j.members[t.text] = true
		}
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
		return prev.isName("const") || prev.isName("let") || prev.isName("var")
	}
	for k := i - 2; k >= 0 && j.spend(4); k-- {
		switch t := j.at(k); {
		case t.isOne(")", "]", "}"):
			if k = j.match[k]; k >= len(j.tokens) {
				return false
			}
		case t.isOne("(", "[", "{", ";"), t.kind == tokName && HasWord("if for while return throw switch function class do else try", t.text) && !j.member(k):
			return false
		case t.isName("const") || t.isName("let") || t.isName("var"):
			return true
		}
	}
	return false
}

// pattern takes in a name, or the names that a pattern or a list of parameters
// between brackets binds.
func (j *jsReader) pattern(i int) {
	if t := j.at(i); t.kind == tokName {
		j.names[t.text]++
		return
	}
	if i < 0 || i >= len(j.tokens) || !j.tokens[i].isOne("(", "[", "{") {
		return
	}
	value := false
	for k := i + 1; k < min(j.match[i], len(j.tokens)); k++ {
		switch t := j.tokens[k]; {
		case t.is("="):
			value = true // until the next part
		case t.is(","):
			value = false
		case t.isOne("(", "[", "{"):
			if !value {
				j.pattern(k)
			}
			k = min(j.match[k], len(j.tokens))
		case t.kind == tokName && !value && !j.member(k) && !(j.at(k+1).is(":") && j.at(i).is("{")):
			j.names[t.text]++
		}
	}
}
