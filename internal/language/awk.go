package language

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// awkDeeds reads an awk program: the files it reads and writes beside its
// operands, the commands it runs, the environment it looks at.
func awkDeeds(text, marks string) Deeds {
	a := awkReader{lexer: lexer{cursor: cursor{text: text}}, marks: marks}
	a.scan()
	if a.deeds.Problem == "" && a.numerals < marked(text, marks) {
		a.fail("an unknown number inside text")
	}
	if a.deeds.Problem == "" {
		a.judge()
		a.deeds.Numbers, a.deeds.First = a.shows()
	}
	return a.deeds
}

// shows says whether all that the program prints is the number of a line, or the first
// field of each: where it is one rule with nothing else to do.
func (a *awkReader) shows() (numbers, first bool) {
	open := a.onlyAction()
	action := a.tokens[open+1:]
	if open < 0 || !tokenAt(action, 0).isName("print") {
		return false, false
	}
	first = open == 0 && len(action) == 4 && looks(action, 1, "$ NUMBER") && action[2].text == "1"
	end := 2
	if looks(action, 2, "; exit") {
		end = 4
	}
	numbers = len(action) == end+1 && action[1].named("NR FNR") && action[end].is("}")
	return numbers, first
}

// onlyAction is where the action opens of a program that is one rule on one line; -1 if it
// is more.
func (a *awkReader) onlyAction() int {
	open := -1
	for i, t := range a.tokens {
		switch {
		case t.is("{") && open < 0:
			open = i
		case t.is("{"), t.kind == tokLine, open < 0 && !a.onlyAsks(i), t.is("}") && i < len(a.tokens)-1:
			return -1
		}
	}
	return open
}

// onlyAsks says whether a token of a pattern sets no variable, calls nothing and ends no rule.
func (a *awkReader) onlyAsks(i int) bool {
	switch t := a.tokens[i]; t.kind {
	case tokOp:
		return t.isOne("$", "~", "!~", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "!", "(", ")", ",", "+", "-", "*", "/", "%")
	case tokName:
		return !tokenAt(a.tokens, i+1).is("(") && t.text != "getline"
	}
	return true
}

type awkReader struct {
	lexer
	marks  string   // as in a sedReader
	parens []string // the name in front of each open parenthesis; "[" for brackets
	closed string   // the name in front of the parenthesis closed last
	looked bool     // whether alters is known
	alters bool
	// exports says that it may change a variable of the environment.
	exports bool
	// numerals is how many marks of numbers stand where a number can.
	numerals int
}

func (a *awkReader) scan() {
	for a.going() {
		switch c := a.text[a.at]; {
		case a.pause(c), a.literal(c):
		case c == '/' && a.regexHere():
			a.regex()
		case strings.IndexByte("{}()[];,+-*/%^!<>|?:~$=&@.", c) >= 0:
			a.op()
		default:
			a.fail("a character that awk does not know")
		}
	}
	if len(a.tokens) > 100_000 {
		a.fail("it is too long")
	}
}

// literal reads a string, a name or a number.
func (a *awkReader) literal(c byte) bool {
	switch {
	case c == '"':
		a.str()
	case isLetter(c):
		a.emit(token{kind: tokName, text: a.word()})
	case a.numberHere():
		a.number()
	case isMark(a.marks, c):
		a.numeral()
	default:
		return false
	}
	return true
}

// number reads a number.
func (a *awkReader) number() {
	a.emit(token{kind: tokNumber, text: a.take(numberLength(a.rest()))})
	if isLetter(a.peek(0)) {
		a.fail("a name right behind a number") // awks differ in where the number ends
	}
}

// pause passes over blanks, comments, and ends of lines with or without a meaning.
func (a *awkReader) pause(c byte) bool {
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		a.at++
	case c == '\n':
		a.at++
		a.emit(token{kind: tokLine, text: "\n"})
	case c == '#':
		a.line()
	case a.ahead("\\\n"), a.ahead("\\\r\n"):
		a.line()
		a.at++
	case c == '\\':
		a.fail("a backslash outside of text")
	default:
		return false
	}
	return true
}

// numeral is a number that is not known.
func (a *awkReader) numeral() {
	if a.glued(a.at-1) || a.glued(a.at+1) || a.operates(a.at-1) && a.operates(a.at+1) {
		a.fail("an unknown number that is part of something")
	}
	a.at++
	a.numerals++
	a.emit(token{kind: tokNumber})
}

// glued says whether a character makes one token of itself and a number beside it.
func (a *awkReader) glued(at int) bool {
	if at < 0 || at >= len(a.text) {
		return false
	}
	c := a.text[at]
	return isWordByte(c) || c == '.' || isMark(a.marks, c)
}

// operates says whether a character makes another operator of one beside it, if there
// is no number in between after all.
func (a *awkReader) operates(at int) bool {
	return at >= 0 && at < len(a.text) && strings.IndexByte("<>=!+-*/%^|&~", a.text[at]) >= 0
}

func (a *awkReader) op() {
	name := ""
	if last := a.last(); last.kind == tokName {
		name = last.text
	}
	text := a.operator("**=", "||", "&&", "|&", ">>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "++", "--", "**", "!~")
	switch text {
	case "(":
		a.parens = append(a.parens, name)
	case "[":
		a.parens = append(a.parens, "[")
	case ")", "]":
		if len(a.parens) == 0 {
			a.fail("parentheses do not match")
			return
		}
		a.closed = a.parens[len(a.parens)-1]
		a.parens = a.parens[:len(a.parens)-1]
		if (a.closed == "[") != (text == "]") {
			a.fail("parentheses do not match")
			return
		}
	}
	a.emit(token{kind: tokOp, text: text})
}

// regexHere says whether a slash begins a regular expression: where no value
// stands that could be divided.
func (a *awkReader) regexHere() bool {
	last := a.last()
	switch last.kind {
	case tokNumber, tokString, tokRegex:
		return false
	case tokName:
		if HasWord("in getline length delete func function case", last.text) {
			a.fail("a slash that can be read in two ways")
		}
		return HasWord("print printf return exit else do", last.text)
	case tokOp:
		if last.is("$") {
			a.fail("a slash that can be read in two ways")
		}
		if last.is(")") {
			return HasWord("if while for", a.closed)
		}
		return !last.isOne("$", "]", "++", "--")
	}
	return true
}

// leadingBracket is what stands first in brackets and does not close them.
func leadingBracket(text string) string {
	at := 0
	if strings.HasPrefix(text, "^") {
		at++
	}
	if strings.HasPrefix(text[at:], "]") {
		at++
	}
	return text[:at]
}

func (a *awkReader) regex() {
	start := a.at
	a.at++
	brackets := false
	for a.at < len(a.text) {
		c := a.text[a.at]
		a.at++
		switch {
		case c == '\n':
			a.fail("a line ends inside a regular expression")
			return
		case c == '\\':
			a.at++
		case c == '[' && !brackets:
			brackets = true
			a.at += len(leadingBracket(a.text[a.at:]))
		case c == ']':
			brackets = false
		case c == '/' && brackets:
			// Awks differ in where this expression ends.
			a.fail("a slash in brackets")
			return
		case c == '/':
			a.emit(token{kind: tokRegex, text: a.text[start:a.at]})
			return
		}
	}
	a.fail("a regular expression does not end")
}

func (a *awkReader) str() {
	var b strings.Builder
	t := token{kind: tokString, plain: true}
	for a.at++; a.at < len(a.text); a.at++ {
		c := a.text[a.at]
		switch {
		case c == '"':
			a.at++
			t.text = b.String()
			a.emit(t)
			return
		case c == '\n':
			a.fail("a line ends inside a string")
			return
		case c == '\\' && a.at+1 < len(a.text):
			a.at++
			switch e := a.text[a.at]; e {
			case '"', '\\', '/':
				b.WriteByte(e)
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				t.plain = false
			}
		default:
			b.WriteByte(c)
		}
	}
	a.fail("a string does not end")
}

// judge looks through the tokens for what reaches out of the program.
func (a *awkReader) judge() {
	place := awkPlace{printing: -1}
	for i, t := range a.tokens {
		switch {
		case place.passes(a.tokens, i):
		case t.is(">") && place.printing == place.depth, t.is(">>"):
			a.target(tool.Write, i+1)
		case t.kind == tokOp:
			a.symbol(i)
		case t.kind == tokName:
			a.name(i)
		}
	}
	if a.exports && a.runs() {
		a.fail("a change of the environment")
	}
}

// awkPlace is how many brackets are open at a place, and how many are where the print
// statement began that it stands in; -1 if it stands in none.
type awkPlace struct{ depth, printing int }

// passes goes on behind the token at i; it is false for one that leaves the place what it
// is.
func (p *awkPlace) passes(ts []token, i int) bool {
	switch t := ts[i]; {
	case t.kind == tokLine:
		if p.printing >= p.depth && !tokenAt(ts, i-1).isOne(",", "&&", "||", "?", ":") {
			p.printing = -1
		}
	case t.isOne("(", "["):
		p.depth++
	case t.isOne(")", "]"):
		p.depth--
	case t.isOne(";", "{", "}"):
		p.printing = -1
	case t.named("print printf"):
		p.printing = p.depth
	default:
		return false
	}
	return true
}

// runs says whether the program runs a command.
func (a *awkReader) runs() bool {
	return slices.ContainsFunc(a.deeds.List, func(d Deed) bool { return d.Kind == tool.Execute })
}

// symbol judges the operator at i.
func (a *awkReader) symbol(i int) {
	switch a.tokens[i].text {
	case "|", "|&":
		a.pipe(i)
	case "@":
		a.deeds.addOpen(tool.Execute)
	case "&", ".":
		a.fail("a character that awk does not know")
	}
}

// name judges the name at i.
func (a *awkReader) name(i int) {
	switch a.tokens[i].text {
	case "system":
		if looks(a.tokens, i, "system ( TEXT )") {
			a.deeds.add(tool.Execute, a.tokens[i+2].text)
		} else {
			a.deeds.addOpen(tool.Execute)
		}
	case "extension":
		if tokenAt(a.tokens, i+1).is("(") {
			a.deeds.addOpen(tool.Execute) // loads a library, in older versions
		}
	case "exit":
		a.deeds.Stops = true
	case "getline":
		a.getline(i)
	case "ENVIRON", "SYMTAB":
		a.environ(i)
	case "ARGV":
		a.argv(i)
	}
}

// ends says whether an expression ends in front of a token.
func ends(t token) bool {
	return t.kind == tokEnd || t.kind == tokLine || t.isOne(";", "}", ")")
}

// target is the file that a redirection names.
func (a *awkReader) target(kind tool.Kind, i int) {
	t := tokenAt(a.tokens, i)
	switch {
	case t.kind != tokString || !t.plain || !ends(tokenAt(a.tokens, i+1)):
		a.deeds.addOpen(kind)
	case strings.HasPrefix(t.text, "/inet"):
		a.deeds.addOpen(tool.Send) // gawk's name for a connection
	default:
		a.deeds.add(kind, t.text)
	}
}

// pipe is a command at one end of a bar.
func (a *awkReader) pipe(i int) {
	before, after := tokenAt(a.tokens, i-1), tokenAt(a.tokens, i+1)
	if after.isName("getline") {
		front := tokenAtOr(a.tokens, i-2, token{kind: tokLine})
		alone := front.kind == tokLine || front.isOne("{", "}", "(", ";", "&&", "||", "!", ",")
		a.shell(before, alone)
		return
	}
	a.shell(after, ends(tokenAt(a.tokens, i+2)))
}

func (a *awkReader) shell(t token, alone bool) {
	switch {
	case t.kind != tokString || !t.plain || !alone:
		a.deeds.addOpen(tool.Execute)
	case strings.HasPrefix(t.text, "/inet"):
		a.deeds.addOpen(tool.Send)
	default:
		a.deeds.add(tool.Execute, t.text)
	}
}

// getline reads the next record of the input, or of the file after "<".
func (a *awkReader) getline(i int) {
	i++
	field := false
	for ; tokenAt(a.tokens, i).is("$"); i++ {
		field = true
	}
	if t := tokenAt(a.tokens, i); field && t.kind == tokOp && !t.is("(") {
		a.fail("getline into a field that is computed")
	}
	if k := tokenAt(a.tokens, i).kind; k == tokName || k == tokNumber {
		i++
	}
	if tokenAt(a.tokens, i).is("[") {
		i = a.matching(i) + 1
	} else if tokenAt(a.tokens, i).is("(") {
		i = a.matching(i) + 1
	}
	if tokenAt(a.tokens, i).is("<") {
		a.target(tool.Read, i+1)
	}
}

// matching is the index of the bracket that closes the one at i.
func (a *awkReader) matching(i int) int {
	depth := 0
	for ; i < len(a.tokens); i++ {
		switch t := a.tokens[i]; {
		case t.is("(") || t.is("["):
			depth++
		case t.is(")") || t.is("]"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

// environ is a look at the environment: at one variable, or at all. Commands that the
// program runs see what it changes there.
func (a *awkReader) environ(i int) {
	name, after := tokenAt(a.tokens, i+2), tokenAt(a.tokens, i+4)
	switch {
	case !looks(a.tokens, i, "ENVIRON [ TEXT ]") || SecretName(name.text):
		a.deeds.add(tool.Control, "env.dump")
	case after.assigns() || after.isOne("++", "--") || tokenAt(a.tokens, i-1).isOne("++", "--") || a.changes():
		a.exports = true
	}
}

// changes says whether the program uses a function that changes its argument.
func (a *awkReader) changes() bool {
	if !a.looked {
		a.looked = true
		for _, t := range a.tokens {
			a.alters = a.alters || t.kind == tokName && (t.text == "sub" || t.text == "gsub" || t.text == "getline")
		}
	}
	return a.alters
}

// argv is the list of files to read, which the program may change.
func (a *awkReader) argv(i int) {
	if tokenAt(a.tokens, i-1).isName("in") || tokenAt(a.tokens, i-1).isName("delete") {
		return
	}
	if !tokenAt(a.tokens, i+1).is("[") {
		a.deeds.addOpen(tool.Read)
		return
	}
	changed := false
	if after := tokenAt(a.tokens, a.matching(i+1)+1); after.kind == tokOp {
		changed = after.assigns()
	}
	if changed || a.changes() {
		a.deeds.addOpen(tool.Read)
	}
}
