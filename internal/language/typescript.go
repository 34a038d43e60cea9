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
		case t.isOne("(", "[", "{"):
			depth++
		case t.isOne(")", "]", "}"):
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
		nextAt := e.next(e.i + 1)
		next := e.at(nextAt)
		within := len(open) > 0 && open[len(open)-1]
		switch {
		case t.kind == tokName && e.starts() && e.statement(t, next, nextAt):
			continue
		case t.kind == tokName && HasWord("public private protected readonly override abstract declare", t.text) && (next.kind == tokName || next.isOne("[", "{")) && (e.starts() || within || HasWord("public private protected readonly override abstract static", e.last(0).text)):
			e.i++ // a modifier
			continue
		case t.kind == tokName && (t.text == "as" || t.text == "satisfies") && e.value(e.last(0)) && next.kind != tokEnd && !next.isOne("=", ",", ")", "}", ";", ".", ":", "("):
			if e.last(0).is("*") || e.last(0).isName("import") {
				break // import * as x
			}
			if next.isName("const") {
				e.i = nextAt + 1
				continue
			}
			if e.inImport() {
				break
			}
			e.skipType(e.i, e.typeEnd(nextAt))
			continue
		case t.isName("type") && next.kind == tokName && !next.isName("as") && e.last(0).isOne("{", ",") && e.inImport():
			e.i = e.next(nextAt + 1)
			if e.at(e.i).isName("as") {
				e.i = e.next(e.next(e.i+1) + 1)
			}
			if e.at(e.i).is(",") {
				e.i++
			}
			continue
		case t.is("!") && e.value(e.last(0)) && e.i > 0 && e.at(e.i-1).kind != tokLine && (next.isOne(".", ")", ",", ";", "[", "]", "}", "?.") || next.isName("as") || next.isName("satisfies")):
			e.i++ // not null
			continue
		case t.is("<") && (e.last(0).kind == tokName && !HasWord("return case", e.last(0).text)):
			if end := e.generic(e.i); end > 0 && e.at(e.next(end)).isOne("(", "{") || end > 0 && (e.last(1).isName("class") || e.last(1).isName("extends")) {
				e.skip(e.i, end)
				continue
			}
		case t.is("?") && (next.is(":") || next.isOne(",", ")")) && within:
			e.i++ // an optional parameter or field
			continue
		case t.is(":") && e.annotates(within):
			e.skipType(e.i, e.typeEnd(nextAt))
			if after := e.at(e.next(e.i)); !after.isOne("=", ",", ")", ";", "{", "=>", "}") && after.kind != tokEnd && e.at(e.i).kind != tokLine && !after.isName("of") && !after.isName("in") {
				e.fail("a type that longline does not follow")
			}
			continue
		case t.isOne("(", "[", "{"):
			open = append(open, t.is("(") && e.parameters(e.i) || t.is("{") && e.classBody())
		case t.isOne(")", "]", "}") && len(open) > 0:
			open = open[:len(open)-1]
		}
		e.out = append(e.out, t)
		e.i++
	}
	return e.out
}

// value says whether a token can end an expression.
func (e *typeEraser) value(t token) bool {
	return t.kind == tokName && !HasWord("return case typeof in of new delete void throw await yield else do", t.text) || t.kind == tokString || t.kind == tokNumber || t.kind == tokRegex || t.isOne(")", "]", "}")
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
func (e *typeEraser) statement(t, next token, nextAt int) bool {
	switch {
	case t.text == "export" && next.kind == tokName && HasWord("type interface declare", next.text):
		e.i = nextAt
		return true
	case t.text == "import" && next.isName("type") && !e.at(e.next(nextAt+1)).isName("from"):
		end := nextAt
		for end < len(e.tokens) && e.tokens[end].kind != tokString {
			end++
		}
		e.skip(e.i, end+1)
		return true
	case t.text == "type" && next.kind == tokName:
		end := nextAt + 1
		if e.at(end).is("<") {
			end = max(e.generic(end), end)
		}
		if !e.at(e.next(end)).is("=") {
			return false
		}
		e.skipType(e.i, e.typeEnd(e.next(e.next(end)+1)))
		return true
	case t.text == "interface" && next.kind == tokName:
		end := nextAt
		for end < len(e.tokens) && !e.tokens[end].is("{") {
			end++
		}
		e.skip(e.i, e.close(end)+1)
		return true
	case t.text == "declare" && next.kind == tokName:
		e.fail("a declaration that longline does not follow")
	case t.text == "enum" && next.kind == tokName, t.text == "namespace" && next.kind == tokName:
		e.fail("a construct that longline does not follow in TypeScript")
	}
	return false
}

// skip leaves tokens out. They must hold no call and no assignment.
func (e *typeEraser) skip(from, to int) {
	to = min(to, len(e.tokens))
	prev := token{}
	for k := from; k < to; k++ {
		t := e.tokens[k]
		called := t.is("(") && (prev.kind == tokName && !HasWord("new", prev.text) || prev.isOne(")", "]")) && !e.arrow(k)
		if called || t.isOne("++", "--", "+=", "-=") || t.kind == tokString && !t.plain || t.isName("import") && e.at(k+1).is("(") || t.isName("await") || t.isName("delete") || t.kind == tokRegex {
			e.fail("something in a type that may run")
		}
		if t.kind != tokLine {
			prev = t
		}
	}
	e.i = to
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
	if prev.isName("function") || before.isName("function") || prev.isName("constructor") {
		return true
	}
	end := e.close(k)
	after := e.at(e.next(end + 1))
	switch {
	case prev.kind == tokName && !HasWord("return async case of in", prev.text):
		// A method: NAME(...) { or NAME(...): T {, where a member can begin.
		return (after.is("{") || after.is(":")) && !HasWord("if for while switch catch with", prev.text) && (before.isOne("{", "}", ";", ",") || before.kind == tokName && HasWord("async get set static", before.text) || before.kind == tokEnd)
	case prev.isOne(")", "]", "?"):
		return false
	case after.is("=>"):
		return true
	case after.is(":"):
		// (...): T => with a type that is followed by an arrow.
		return e.at(e.next(e.typeEnd(e.next(e.next(end+1) + 1)))).is("=>")
	}
	return false
}

// annotates says whether the colon that comes next begins a type: after a
// variable, a parameter or field, or a list of parameters.
func (e *typeEraser) annotates(within bool) bool {
	prev, before := e.last(0), e.last(1)
	if within && (prev.kind == tokName && (before.isOne("(", ",", "{", ";", "}", "...") || before.kind == tokName) || prev.isOne("}", "]")) {
		return true
	}
	if prev.kind == tokName && before.kind == tokName && HasWord("const let var", before.text) {
		return true
	}
	if prev.isOne("}", "]") {
		// A pattern after const, let or var.
		depth := 0
		for k := len(e.out) - 1; k >= 0 && e.spend(1); k-- {
			switch t := e.out[k]; {
			case t.isOne(")", "]", "}"):
				depth++
			case t.isOne("(", "[", "{"):
				if depth--; depth == 0 {
					before := tokenAt(e.out, k-1)
					return before.kind == tokName && HasWord("const let var", before.text)
				}
			}
		}
	}
	return prev.is(")") && e.returns()
}

// returns says whether the parenthesis that was closed last held parameters.
func (e *typeEraser) returns() bool {
	depth := 0
	for k := len(e.out) - 1; k >= 0 && e.spend(1); k-- {
		switch t := e.out[k]; {
		case t.isOne(")", "]", "}"):
			depth++
		case t.isOne("(", "[", "{"):
			if depth--; depth > 0 {
				continue
			}
			if !e.spend(20 * (len(e.tokens) - e.i + len(e.out) - k)) {
				return false
			}
			rest := typeEraser{tokens: append(append([]token{}, e.out[k:]...), e.tokens[e.i:]...), out: e.out[:k]}
			return rest.parameters(0)
		}
	}
	return false
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
		case t.isOne("(", "[", "{"):
			k = e.close(k)
		case t.kind == tokName, t.kind == tokLine, t.kind == tokString && t.plain, t.kind == tokNumber, t.isOne(",", ".", "|", "&", "=>", "=", "?", ":"):
		default:
			return 0
		}
		if depth <= 0 {
			if depth < 0 {
				return 0
			}
			return k + 1
		}
	}
	return 0
}

// typeEnd is the index after the type that begins at k.
func (e *typeEraser) typeEnd(k int) int {
	for steps := 0; steps < 1000 && e.spend(4); steps++ {
		if t := e.at(e.next(k)); t.isOne("|", "&") { // before the first of several
			k = e.next(k) + 1
			continue
		}
		k = e.next(k)
		t := e.at(k)
		switch {
		case t.kind == tokName && HasWord("typeof keyof readonly unique infer asserts new abstract", t.text) && (e.at(k+1).kind == tokName || e.at(k+1).isOne("(", "[", "{")):
			k++
			continue
		case t.kind == tokName, t.kind == tokString, t.kind == tokNumber:
			k++
		case t.is("-") && e.at(k+1).kind == tokNumber:
			k += 2
		case t.isOne("(", "[", "{"):
			k = e.close(k) + 1
			if t.is("(") && e.at(e.next(k)).is("=>") {
				k = e.next(k) + 1
				continue
			}
		default:
			return k
		}
		for postfix := true; postfix; {
			switch t := e.at(k); {
			case t.is(".") && e.at(k+1).kind == tokName:
				k += 2
			case t.is("["):
				k = e.close(k) + 1
			case t.is("<"):
				end := e.generic(k)
				if end == 0 {
					return k
				}
				k = end
			case t.isName("is"):
				k = e.typeEnd(k + 1)
			default:
				postfix = false
			}
		}
		after := e.next(k)
		switch t := e.at(after); {
		case t.isOne("|", "&"):
			k = after + 1
		case t.isName("extends"):
			k = after + 1
		case t.is("?") && after == k:
			// A conditional type: both branches are types.
			k = e.typeEnd(k + 1)
			if !e.at(e.next(k)).is(":") {
				return k
			}
			k = e.next(k) + 1
		default:
			return k
		}
	}
	e.fail("a type that longline does not follow")
	return k
}
