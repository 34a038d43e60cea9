package language

// typeEraser removes the types of a TypeScript program from its tokens, ends of
// lines included. What it removes holds no call: whatever it takes for a type by
// mistake runs nothing. Constructs that are more than types (enum, namespace)
// stay, and the program is not followed.
type typeEraser struct {
	tokens  []token
	out     []token
	i       int
	problem string
	budget
}

func (e *typeEraser) at(k int) token { return tokenAt(e.tokens, k) }

func (e *typeEraser) fail(problem string) {
	if e.problem == "" {
		e.problem = problem
	}
}

// next is the first index from k on that is not the end of a line.
func (e *typeEraser) next(k int) int {
	for k < len(e.tokens) && e.tokens[k].kind == tokLine && e.spend(1) {
		k++
	}
	return k
}

// last is the last token that was kept, ends of lines left out.
func (e *typeEraser) last(back int) token {
	for k := len(e.out) - 1; k >= 0 && e.spend(1); k-- {
		if e.out[k].kind != tokLine {
			if back == 0 {
				return e.out[k]
			}
			back--
		}
	}
	return token{}
}

// starts says whether a statement or a member of a class may begin here.
func (e *typeEraser) starts() bool {
	if len(e.out) == 0 || e.out[len(e.out)-1].kind == tokLine {
		return !e.last(0).isOne("=", "(", ",", "+", "?", ":", "=>", "&&", "||")
	}
	return e.last(0).isOne(";", "{", "}") || e.last(0).isName("export")
}

// close is the index of the bracket that closes the one at k.
func (e *typeEraser) close(k int) int {
	depth := 0
	for ; k < len(e.tokens) && e.spend(1); k++ {
		switch t := e.tokens[k]; {
		case t.opens():
			depth++
		case t.closes():
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return len(e.tokens)
}

func (e *typeEraser) erase() []token {
	var open []bool // for each open bracket: whether names in it are parameters or fields
	for e.i < len(e.tokens) && e.problem == "" {
		if !e.spend(1) {
			e.fail("it is too long")
		}
		t := e.tokens[e.i]
		within := len(open) > 0 && open[len(open)-1]
		switch {
		case e.erased(t, within):
			continue
		case t.opens():
			open = append(open, e.declares(t))
		case t.closes() && len(open) > 0:
			open = open[:len(open)-1]
		}
		e.out = append(e.out, t)
		e.i++
	}
	return e.out
}

// declares says whether the bracket that comes next opens a list of parameters or the body
// of a class.
func (e *typeEraser) declares(t token) bool {
	return t.is("(") && e.parameters(e.i) || t.is("{") && e.classBody()
}

// tsModifiers are words in front of a parameter or a member that only say who may use it.
const tsModifiers = `public private protected readonly override abstract`

// erased passes over a type, or a word that belongs to one, if that is what comes next.
func (e *typeEraser) erased(t token, within bool) bool {
	at := e.next(e.i + 1)
	next := e.at(at)
	switch {
	case t.kind == tokName:
		return e.word(t, next, at, within)
	case t.is("!"):
		return e.notNull(next)
	case t.is("<"):
		return e.typeArguments()
	case t.is("?"):
		return within && e.optional(next)
	case t.is(":") && e.annotates(within):
		e.annotation(at)
		return true
	}
	return false
}

// word passes over what a word of types begins, if the name that comes next is one.
func (e *typeEraser) word(t, next token, at int, within bool) bool {
	return e.starts() && e.statement(t, next, at) || e.modifier(t, next, within) || e.cast(t, next, at) || e.importedType(t, next, at)
}

// optional passes over the mark of an optional parameter or field.
func (e *typeEraser) optional(next token) bool {
	if !next.isOne(":", ",", ")") {
		return false
	}
	e.i++
	return true
}

func (e *typeEraser) modifier(t, next token, within bool) bool {
	if !t.named(tsModifiers+" declare") || next.kind != tokName && !next.isOne("[", "{") {
		return false
	}
	if !e.starts() && !within && !HasWord(tsModifiers+" static", e.last(0).text) {
		return false
	}
	e.i++
	return true
}

// cast passes over "as T" and "satisfies T" behind a value.
func (e *typeEraser) cast(t, next token, at int) bool {
	if !t.named("as satisfies") || !e.value(e.last(0)) || next.kind == tokEnd || next.isOne("=", ",", ")", "}", ";", ".", ":", "(") {
		return false
	}
	switch {
	case e.last(0).is("*") || e.last(0).isName("import"):
		return false // import * as x
	case next.isName("const"):
		e.i = at + 1
	case e.inImport():
		return false
	default:
		e.skipType(e.i, e.typeEnd(at))
	}
	return true
}

// importedType passes over a type in the list of names of an import.
func (e *typeEraser) importedType(t, next token, at int) bool {
	if !t.isName("type") || next.kind != tokName || next.isName("as") || !e.last(0).isOne("{", ",") || !e.inImport() {
		return false
	}
	e.i = e.next(at + 1)
	if e.at(e.i).isName("as") {
		e.i = e.next(e.next(e.i+1) + 1)
	}
	if e.at(e.i).is(",") {
		e.i++
	}
	return true
}

// notNull passes over the mark that says that a value is there.
func (e *typeEraser) notNull(next token) bool {
	if !e.value(e.last(0)) || e.i == 0 || e.at(e.i-1).kind == tokLine || !next.isOne(".", ")", ",", ";", "[", "]", "}", "?.") && !next.named("as satisfies") {
		return false
	}
	e.i++
	return true
}

// typeArguments passes over types between angle brackets.
func (e *typeEraser) typeArguments() bool {
	if last := e.last(0); last.kind != tokName || last.named("return case") {
		return false
	}
	end := e.generic(e.i)
	if end == 0 || !e.at(e.next(end)).isOne("(", "{") && !e.last(1).named("class extends") {
		return false
	}
	e.skip(e.i, end)
	return true
}

// annotation passes over a colon and the type behind it, which begins at k.
func (e *typeEraser) annotation(k int) {
	e.skipType(e.i, e.typeEnd(k))
	if after := e.at(e.next(e.i)); !after.isOne("=", ",", ")", ";", "{", "=>", "}") && after.kind != tokEnd && e.at(e.i).kind != tokLine && !after.named("of in") {
		e.fail("a type that longline does not follow")
	}
}

// value says whether a token can end an expression.
func (e *typeEraser) value(t token) bool {
	return t.kind == tokName && !HasWord("return case typeof in of new delete void throw await yield else do", t.text) || t.kind == tokString || t.kind == tokNumber || t.kind == tokRegex || t.closes()
}

// inImport says whether this is the list of names of an import or export.
func (e *typeEraser) inImport() bool {
	for k := len(e.out) - 1; k >= 0 && e.spend(1); k-- {
		switch t := e.out[k]; {
		case t.is("{"):
			prev := tokenAt(e.out, k-1)
			return prev.isName("import") || prev.isName("export") || prev.is(",")
		case t.isOne("}", "(", ")", ";", "="):
			return false
		}
	}
	return false
}

// statement removes a statement that is nothing but types.
func (e *typeEraser) statement(t, next token, at int) bool {
	if next.kind != tokName {
		return false
	}
	switch t.text {
	case "export":
		if next.named("type interface declare") {
			e.i = at
			return true
		}
	case "import":
		return next.text == "type" && e.typeImport(at)
	case "type":
		return e.alias(at + 1)
	case "interface":
		e.skip(e.i, e.close(e.find(at, func(t token) bool { return t.is("{") }))+1)
		return true
	case "declare":
		e.fail("a declaration that longline does not follow")
	case "enum", "namespace":
		e.fail("a construct that longline does not follow in TypeScript")
	}
	return false
}

// typeImport removes "import type ... from TEXT", of which "type" stands at a place.
func (e *typeEraser) typeImport(at int) bool {
	if e.at(e.next(at + 1)).isName("from") {
		return false // something that is called type
	}
	e.skip(e.i, e.find(at, func(t token) bool { return t.kind == tokString })+1)
	return true
}

// alias removes "type NAME = T", of which what follows the name stands at end.
func (e *typeEraser) alias(end int) bool {
	if e.at(end).is("<") {
		end = max(e.generic(end), end)
	}
	end = e.next(end)
	if !e.at(end).is("=") {
		return false
	}
	e.skipType(e.i, e.typeEnd(e.next(end+1)))
	return true
}

// find is the index of the first token from k on that is as it should be.
func (e *typeEraser) find(k int, is func(token) bool) int {
	for k < len(e.tokens) && !is(e.tokens[k]) {
		k++
	}
	return k
}

// skip leaves tokens out. They must hold no call and no assignment.
func (e *typeEraser) skip(from, to int) {
	to = min(to, len(e.tokens))
	prev := token{}
	for k := from; k < to; k++ {
		t := e.tokens[k]
		if t.runs() || t.isName("import") && e.at(k+1).is("(") || t.is("(") && e.calls(prev, k) {
			e.fail("something in a type that may run")
		}
		if t.kind != tokLine {
			prev = t
		}
	}
	e.i = to
}

// calls says whether the parenthesis at k, behind a token, may be that of a call.
func (e *typeEraser) calls(prev token, k int) bool {
	return (prev.kind == tokName && prev.text != "new" || prev.isOne(")", "]")) && !e.arrow(k)
}

// runs says whether a token can only stand in something that runs.
func (t token) runs() bool {
	return t.isOne("++", "--") || t.assigns() && !t.is("=") || t.kind == tokString && !t.plain || t.named("await delete") || t.kind == tokRegex
}

// skipType leaves out what ends with a type, which a call cannot follow.
func (e *typeEraser) skipType(from, to int) {
	e.skip(from, to)
	if t := e.at(e.i); t.is("(") || t.kind == tokString {
		e.fail("a type that longline does not follow")
	}
}

// arrow says whether the parenthesis at k holds the parameters of a type.
func (e *typeEraser) arrow(k int) bool {
	after := e.at(e.next(e.close(k) + 1))
	return after.is("=>") || after.is(":") // a function type, or a method in an interface
}

// classBody says whether the brace that comes next opens the body of a class.
func (e *typeEraser) classBody() bool {
	for k := len(e.out) - 1; k >= 0 && e.spend(1); k-- {
		switch t := e.out[k]; {
		case t.isName("class"):
			return true
		case t.kind != tokName && !t.isOne(",", "."):
			return false
		}
	}
	return false
}

// parameters says whether the parenthesis at k opens a list of parameters: of a
// function, a method or an arrow function.
func (e *typeEraser) parameters(k int) bool {
	prev, before := e.last(0), e.last(1)
	if prev.named("function constructor") || before.isName("function") {
		return true
	}
	end := e.next(e.close(k) + 1)
	after := e.at(end)
	switch {
	case prev.kind == tokName && !prev.named("return async case of in"):
		// A method: NAME(...) { or NAME(...): T {, where a member can begin.
		return after.isOne("{", ":") && !prev.named("if for while switch catch with") && beginsMember(before)
	case prev.isOne(")", "]", "?"):
		return false
	case after.is(":"):
		// (...): T => with a type that is followed by an arrow.
		return e.at(e.next(e.typeEnd(e.next(end + 1)))).is("=>")
	}
	return after.is("=>")
}

// beginsMember says whether a member of a class or an object can begin behind a token.
func beginsMember(before token) bool {
	return before.isOne("{", "}", ";", ",") || before.named("async get set static") || before.kind == tokEnd
}

// annotates says whether the colon that comes next begins a type: after a
// variable, a parameter or field, or a list of parameters.
func (e *typeEraser) annotates(within bool) bool {
	prev, before := e.last(0), e.last(1)
	switch {
	case prev.kind == tokName:
		return within && (before.isOne("(", ",", "{", ";", "}", "...") || before.kind == tokName) || before.named("const let var")
	case prev.isOne("}", "]"):
		return within || tokenAt(e.out, e.opener()-1).named("const let var")
	}
	return prev.is(")") && e.returns()
}

// opener is the index of the bracket that opens the one that was closed last, or -1.
func (e *typeEraser) opener() int {
	depth := 0
	for k := len(e.out) - 1; k >= 0 && e.spend(1); k-- {
		if t := e.out[k]; t.closes() {
			depth++
		} else if t.opens() {
			if depth--; depth <= 0 {
				return k
			}
		}
	}
	return -1
}

// returns says whether the parenthesis that was closed last held parameters.
func (e *typeEraser) returns() bool {
	k := e.opener()
	if k < 0 || !e.spend(20*(len(e.tokens)-e.i+len(e.out)-k)) {
		return false
	}
	rest := typeEraser{tokens: append(append([]token{}, e.out[k:]...), e.tokens[e.i:]...), out: e.out[:k]}
	return rest.parameters(0)
}

// generic is the index after the type arguments that begin at k, or 0 if these
// are none.
func (e *typeEraser) generic(k int) int {
	depth := 0
	for ; k < len(e.tokens) && e.spend(1); k++ {
		switch t := e.tokens[k]; {
		case t.is("<"):
			depth++
		case t.is(">"):
			depth--
		case t.is(">>"):
			depth -= 2
		case t.opens():
			k = e.close(k)
		case t.kind == tokName, t.kind == tokLine, t.isText(), t.kind == tokNumber, t.isOne(",", ".", "|", "&", "=>", "=", "?", ":"):
		default:
			return 0
		}
		if depth < 0 {
			return 0
		}
		if depth == 0 {
			return k + 1
		}
	}
	return 0
}

// typeEnd is the index after the type that begins at k.
func (e *typeEraser) typeEnd(k int) int {
	for steps := 0; steps < 1000 && e.spend(4); steps++ {
		if k = e.next(k); e.at(k).isOne("|", "&") { // before the first of several
			k++
			continue
		}
		end, more := e.typeTerm(k)
		if end == k {
			return k
		}
		if k = end; more {
			continue
		}
		if k, more = e.typePostfix(k); more {
			k, more = e.typeJoint(k)
		}
		if !more {
			return k
		}
	}
	e.fail("a type that longline does not follow")
	return k
}

// typeJoint is the index after what joins a type, which ends at k, to another; false if
// the type ends there.
func (e *typeEraser) typeJoint(k int) (int, bool) {
	after := e.next(k)
	switch t := e.at(after); {
	case t.isOne("|", "&"), t.isName("extends"):
		return after + 1, true
	case t.is("?"):
		// A conditional type: both branches are types. No statement begins so.
		k = e.typeEnd(after + 1)
		if colon := e.next(k); e.at(colon).is(":") {
			return colon + 1, true
		}
	}
	return k, false
}

// typeTerm is the index after one part of a type; more says that another must follow.
func (e *typeEraser) typeTerm(k int) (end int, more bool) {
	t, next := e.at(k), e.at(k+1)
	switch {
	case t.named("typeof keyof readonly unique infer asserts new abstract") && (next.kind == tokName || next.opens()):
		return k + 1, true
	case t.kind == tokName, t.kind == tokString, t.kind == tokNumber:
		return k + 1, false
	case t.is("-") && next.kind == tokNumber:
		return k + 2, false
	case t.opens():
		end = e.close(k) + 1
		if t.is("(") && e.at(e.next(end)).is("=>") {
			return e.next(end) + 1, true
		}
		return end, false
	}
	return k, false
}

// typePostfix is the index after what follows a part of a type; false if the type must
// end there.
func (e *typeEraser) typePostfix(k int) (int, bool) {
	for e.spend(1) {
		switch t := e.at(k); {
		case t.is(".") && e.at(k+1).kind == tokName:
			k += 2
		case t.is("["):
			k = e.close(k) + 1
		case t.is("<"):
			end := e.generic(k)
			if end == 0 {
				return k, false
			}
			k = end
		case t.isName("is"):
			k = e.typeEnd(k + 1)
		default:
			return k, true
		}
	}
	return k, false
}
