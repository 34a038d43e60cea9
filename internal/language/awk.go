package language

import (
	"strings"

	"longline/internal/tool"
)

// awkDeeds reads an awk program: the files it reads and writes beside its
// operands, the commands it runs, the environment it looks at.
func awkDeeds(text, marks string) Deeds {
	a := awkReader{text: text, marks: marks}
	a.scan()
	if a.deeds.Problem == "" && a.numerals < marked(text, marks) {
		a.deeds.fail("a number that is not known stands inside text")
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
	open := -1
	for i, t := range a.tokens {
		switch {
		case t.is("{") && open < 0:
			open = i
		case t.is("{"), t.kind == tokLine, open < 0 && t.is(";"), t.is("}") && i < len(a.tokens)-1:
			return false, false
		}
	}
	action := a.tokens[open+1:]
	if open < 0 || !tokenAt(action, 0).isName("print") {
		return false, false
	}
	first = open == 0 && len(action) == 4 && action[1].is("$") && action[2].kind == tokNumber && action[2].text == "1"
	if rest := tokenAt(action, 2); rest.is(";") && tokenAt(action, 3).isName("exit") {
		action = append([]token{action[0], action[1]}, action[4:]...)
	}
	numbers = len(action) == 3 && (action[1].isName("NR") || action[1].isName("FNR")) && action[2].is("}")
	return numbers, first
}

// token is one token of a small language.
type token struct {
	kind tokenKind
	text string // as written; of a string its meaning
	// plain says that text is all a string can mean.
	plain  bool
	joined *joined // of a string with expressions
}

// joined is a string with expressions: the token that it begins at, and what it is
// made of.
type joined struct {
	from   int
	pieces []piece
}

// piece is a part of a string with expressions: text, or the expression whose tokens
// begin at an index. Odd is one that does not stand for just what is written.
type piece struct {
	text       string
	expression int
	odd        bool
}

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokNumber
	tokString
	tokRegex
	tokOp
	tokLine // the end of a line, where it means something
)

func (t token) is(op string) bool { return t.kind == tokOp && t.text == op }
func (t token) isOne(ops ...string) bool {
	for _, op := range ops {
		if t.is(op) {
			return true
		}
	}
	return false
}

func (t token) isName(n string) bool { return t.kind == tokName && t.text == n }

// wordLength is how many bytes at the start of text belong to one name.
func wordLength(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

func tokenAt(ts []token, i int) token { return tokenAtOr(ts, i, token{}) }

func tokenAtOr(ts []token, i int, none token) token {
	if i < 0 || i >= len(ts) {
		return none
	}
	return ts[i]
}

// numberLength is how much of a text is a number. A name can stand right
// behind it in languages that need no blank between values.
func numberLength(text string) int {
	digits := func(i int, hex bool) int {
		for i < len(text) && (isDigit(text[i]) || hex && HexDigit(text[i]) >= 0) {
			i++
		}
		return i
	}
	if len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x' && HexDigit(text[2]) >= 0 {
		return digits(2, true)
	}
	i := digits(0, false)
	if i < len(text) && text[i] == '.' {
		i = digits(i+1, false)
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if end := digits(j, false); end > j {
			i = end
		}
	}
	return max(i, 1)
}

type awkReader struct {
	text   string
	marks  string // as in a sedReader
	at     int
	tokens []token
	parens []string // the name in front of each open parenthesis; "[" for brackets
	closed string   // the name in front of the parenthesis closed last
	looked bool     // whether alters is known
	alters bool
	// numerals is how many marks of numbers stand where a number can.
	numerals int
	deeds    Deeds
}

func (a *awkReader) scan() {
	for a.at < len(a.text) && a.deeds.Problem == "" {
		c := a.text[a.at]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			a.at++
		case c == '\n':
			a.at++
			a.emit(token{kind: tokLine, text: "\n"})
		case c == '#':
			for a.at < len(a.text) && a.text[a.at] != '\n' {
				a.at++
			}
		case c == '\\':
			if rest := a.text[a.at+1:]; strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n") {
				a.at += 1 + strings.IndexByte(rest, '\n') + 1
				continue
			}
			a.deeds.fail("a backslash outside of text")
		case c == '"':
			a.str()
		case isLetter(c):
			start := a.at
			for a.at < len(a.text) && isWordByte(a.text[a.at]) {
				a.at++
			}
			a.emit(token{kind: tokName, text: a.text[start:a.at]})
		case isDigit(c) || c == '.' && a.at+1 < len(a.text) && isDigit(a.text[a.at+1]):
			n := numberLength(a.text[a.at:])
			a.emit(token{kind: tokNumber, text: a.text[a.at : a.at+n]})
			if a.at += n; a.at < len(a.text) && isLetter(a.text[a.at]) {
				a.deeds.fail("a name right behind a number") // awks differ in where the number ends
			}
		case isMark(a.marks, c):
			if a.glued(a.at-1) || a.glued(a.at+1) || a.operator(a.at-1) && a.operator(a.at+1) {
				a.deeds.fail("a number that is not known is a part of something")
			}
			a.at++
			a.numerals++
			a.emit(token{kind: tokNumber})
		case c == '/' && a.regexHere():
			a.regex()
		case strings.IndexByte("{}()[];,+-*/%^!<>|?:~$=&@.", c) >= 0:
			a.op()
		default:
			a.deeds.fail("a character that awk does not know")
		}
	}
	if len(a.tokens) > 100_000 {
		a.deeds.fail("it is too long")
	}
}

// glued says whether a character makes one token of itself and a number beside it.
func (a *awkReader) glued(at int) bool {
	if at < 0 || at >= len(a.text) {
		return false
	}
	c := a.text[at]
	return isWordByte(c) || c == '.' || isMark(a.marks, c)
}

// operator says whether a character makes another operator of one beside it, if there
// is no number in between after all.
func (a *awkReader) operator(at int) bool {
	return at >= 0 && at < len(a.text) && strings.IndexByte("<>=!+-*/%^|&~", a.text[at]) >= 0
}

func (a *awkReader) emit(t token) { a.tokens = append(a.tokens, t) }

func (a *awkReader) op() {
	rest := a.text[a.at:]
	text := rest[:1]
	for _, op := range [...]string{"**=", "||", "&&", "|&", ">>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "++", "--", "**", "!~"} {
		if strings.HasPrefix(rest, op) {
			text = op
			break
		}
	}
	switch text {
	case "(":
		name := ""
		if last := tokenAt(a.tokens, len(a.tokens)-1); last.kind == tokName {
			name = last.text
		}
		a.parens = append(a.parens, name)
	case "[":
		a.parens = append(a.parens, "[")
	case ")", "]":
		if len(a.parens) == 0 {
			a.deeds.fail("parentheses do not match")
			return
		}
		a.closed = a.parens[len(a.parens)-1]
		a.parens = a.parens[:len(a.parens)-1]
		if (a.closed == "[") != (text == "]") {
			a.deeds.fail("parentheses do not match")
			return
		}
	}
	a.at += len(text)
	a.emit(token{kind: tokOp, text: text})
}

// regexHere says whether a slash begins a regular expression: where no value
// stands that could be divided.
func (a *awkReader) regexHere() bool {
	last := tokenAt(a.tokens, len(a.tokens)-1)
	switch last.kind {
	case tokNumber, tokString, tokRegex:
		return false
	case tokName:
		switch last.text {
		case "print", "printf", "return", "exit", "else", "do", "case":
			return true
		case "in", "getline", "length", "delete", "func", "function":
			a.deeds.fail("a slash that can be read in two ways")
		}
		return false
	case tokOp:
		switch last.text {
		case ")":
			return a.closed == "if" || a.closed == "while" || a.closed == "for"
		case "$":
			a.deeds.fail("a slash that can be read in two ways")
			return false
		}
		return last.text != "]" && last.text != "++" && last.text != "--"
	}
	return true
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
			a.deeds.fail("a line ends inside a regular expression")
			return
		case c == '\\':
			a.at++
		case c == '[':
			brackets = true
		case c == ']':
			brackets = false
		case c == '/' && brackets:
			// Awks differ in where this expression ends.
			a.deeds.fail("a slash in brackets")
			return
		case c == '/':
			a.emit(token{kind: tokRegex, text: a.text[start:a.at]})
			return
		}
	}
	a.deeds.fail("a regular expression does not end")
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
			a.deeds.fail("a line ends inside a string")
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
	a.deeds.fail("a string does not end")
}

// judge looks through the tokens for what reaches out of the program.
func (a *awkReader) judge() {
	depth, printing := 0, -1 // printing: the depth of a print statement
	ts := a.tokens
	for i, t := range ts {
		next := tokenAt(ts, i+1)
		switch t.kind {
		case tokLine:
			if printing >= depth && !tokenAt(ts, i-1).isOne(",", "&&", "||", "?", ":") {
				printing = -1
			}
		case tokOp:
			switch t.text {
			case "(", "[":
				depth++
			case ")", "]":
				depth--
			case ";", "}", "{":
				printing = -1
			case "|", "|&":
				a.pipe(i)
			case ">>":
				a.target(tool.Write, i+1)
			case ">":
				if printing == depth {
					a.target(tool.Write, i+1)
				}
			case "@":
				a.deeds.addOpen(tool.Execute)
			case "&", ".":
				a.deeds.fail("a character that awk does not know")
			}
		case tokName:
			switch t.text {
			case "print", "printf":
				printing = depth
			case "system":
				if next.is("(") && tokenAt(ts, i+2).plain && tokenAt(ts, i+3).is(")") {
					a.deeds.add(tool.Execute, ts[i+2].text)
				} else {
					a.deeds.addOpen(tool.Execute)
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
	for tokenAt(a.tokens, i).is("$") {
		i++
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

// environ is a look at the environment: at one variable, or at all.
func (a *awkReader) environ(i int) {
	name := tokenAt(a.tokens, i+2)
	if a.tokens[i].text == "ENVIRON" && tokenAt(a.tokens, i+1).is("[") && name.kind == tokString && name.plain && tokenAt(a.tokens, i+3).is("]") && !SecretName(name.text) {
		return
	}
	a.deeds.add(tool.Control, "env.dump")
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
		changed = strings.HasSuffix(after.text, "=") && !after.isOne("==", "!=", "<=", ">=")
	}
	if changed || a.changes() {
		a.deeds.addOpen(tool.Read)
	}
}
