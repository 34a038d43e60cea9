// Package powershell reads the text of PowerShell into the tree of a shell script that runs the same commands: a
// cmdlet is a command whose parameters are long flags in lower case, a variable is one of the shell's, what
// ForEach-Object does is the body of a loop. So one reader follows both.
//
// What an expression makes is known where it is a text, a variable or texts put together; everything else has a
// value that is not known, but that says what it was made from. What cannot be read at all is a problem.
package powershell

import (
	"strings"

	"longline/internal/syntax"
)

// Problem is something in the text that was not followed.
type Problem struct {
	Why        string
	Start, End int
}

// Bounds. What goes beyond them is a problem.
const (
	maxDepth    = 40 // of what lies in each other
	maxProblems = 20
	maxStages   = 500 // of a pipeline
)

// parser goes through the text once.
type parser struct {
	text     string
	at       int
	windows  bool
	places   syntax.Places
	depth    int
	problems []Problem

	tables    map[string][]entry // tables of constants that variables hold, for splatting
	lists     map[string]bool    // variables that hold several values
	functions map[string]bool    // that the text defines
	before    []*syntax.Stmt     // what the blocks among the words of a command run
	lone      val                // what the last pipeline was, if it was a value
	loneStart int                // and where it began; -1 if it was none
}

// Parse reads a text. Of one that cannot be read, the tree holds what is left.
func Parse(text string, windows bool) (*syntax.File, []Problem) {
	p := &parser{text: text, windows: windows, places: syntax.PlacesOf(text), tables: map[string][]entry{}, lists: map[string]bool{}, functions: map[string]bool{}}
	f := &syntax.File{}
	for p.at < len(p.text) {
		f.Stmts = append(f.Stmts, p.statements(0)...)
		if p.at < len(p.text) {
			p.problem("a closing sign without its opening one", p.at)
			p.at++
		}
	}
	return f, p.problems
}

func (p *parser) problem(why string, start int) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, Problem{why, min(start, len(p.text)), min(p.at+1, len(p.text))})
	}
}

// deeper runs a part of the reading that may lie in itself.
func (p *parser) deeper(read func()) {
	if p.depth++; p.depth > maxDepth {
		p.problem("nested too deeply", p.at)
		p.at = len(p.text)
	} else {
		read()
	}
	p.depth--
}

func (p *parser) peek(n int) byte {
	if p.at+n < len(p.text) {
		return p.text[p.at+n]
	}
	return 0
}

func (p *parser) has(text string) bool { return strings.HasPrefix(p.text[p.at:], text) }

// take goes over a text that may be there.
func (p *parser) take(text string) bool {
	if p.has(text) {
		p.at += len(text)
		return true
	}
	return false
}

// blanks goes over blanks, comments in a line and continuations.
func (p *parser) blanks() {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			p.at++
		case p.has("\u00a0"):
			p.at += 2
		case p.has("`\n"):
			p.at += 2
		case p.has("`\r\n"):
			p.at += 3
		case p.has("<#"):
			n := strings.Index(p.text[p.at:], "#>")
			if n < 0 {
				p.problem("a comment without an end", p.at)
				p.at = len(p.text)
				return
			}
			p.at += n + 2
		default:
			return
		}
	}
}

// space goes over blanks, ends of lines and comments.
func (p *parser) space() {
	for {
		p.blanks()
		switch p.peek(0) {
		case '\n':
			p.at++
		case '#':
			p.comment()
		default:
			return
		}
	}
}

func (p *parser) comment() {
	if n := strings.IndexByte(p.text[p.at:], '\n'); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.text)
	}
}

// statements reads up to the closing sign, or the end.
func (p *parser) statements(closing byte) (list []*syntax.Stmt) {
	for {
		for p.space(); p.take(";"); p.space() {
		}
		if c := p.peek(0); p.at >= len(p.text) || c == '}' || c == ')' {
			if closing == 0 && p.at < len(p.text) {
				return list
			}
			if c != closing && closing != 0 {
				p.problem("something without an end", p.at)
			}
			return list
		}
		start := p.at
		p.deeper(func() { list = append(list, p.statement()...) })
		p.endOfStatement(start)
	}
}

// endOfStatement goes to the end of a statement, over what could not be read.
func (p *parser) endOfStatement(start int) {
	p.blanks()
	switch c := p.peek(0); {
	case p.at >= len(p.text), c == ';', c == '\n', c == '}', c == ')', c == '#':
		return
	case p.at > start && p.text[p.at-1] == '}': // a block ends a statement
		return
	}
	p.problem("a sign that is not understood here", p.at)
	if p.at == start || p.text[p.at] != '&' && p.text[p.at] != '|' {
		for p.at < len(p.text) && p.text[p.at] != '\n' && p.text[p.at] != ';' && p.text[p.at] != '}' {
			p.at++
		}
		return
	}
	p.at++
}

// keyword takes a word in letters, if one of those listed is next.
func (p *parser) keyword(listed string) string {
	end := p.at
	for end < len(p.text) && isLetter(p.text[end]) {
		end++
	}
	word := strings.ToLower(p.text[p.at:end])
	if word == "" || end-p.at > 12 || end < len(p.text) && (isNameByte(p.text[end]) || strings.IndexByte(`-.\:/*?=`, p.text[end]) >= 0) || !hasWord(listed, word) {
		return ""
	}
	p.at = end
	return word
}

const keywords = "if foreach for while do switch function filter workflow param try trap return throw exit break continue begin process end clean dynamicparam class enum using data"

// statement reads one statement, which may be several for the reader.
func (p *parser) statement() []*syntax.Stmt {
	if p.peek(0) == ':' && isLetter(p.peek(1)) { // a label
		for p.at++; isNameByte(p.peek(0)); p.at++ {
		}
		p.space()
	}
	p.attributes()
	start := p.at
	word := p.keyword(keywords)
	switch word {
	case "":
		return p.chain()
	case "if":
		return p.ifStatement(start)
	case "foreach":
		if p.blanks(); p.peek(0) == '(' {
			return p.foreachStatement(start)
		}
		p.at = start
		return p.chain()
	case "for":
		return p.forStatement(start)
	case "while":
		return p.loop(start, p.condition(), p.block())
	case "do":
		body := p.block()
		p.space()
		if p.keyword("while until") == "" {
			p.problem("a loop without its condition", start)
		}
		return p.loop(start, p.condition(), body)
	case "switch":
		return p.switchStatement(start)
	case "function", "filter", "workflow":
		return p.function(start)
	case "param":
		return p.params()
	case "begin", "process", "end", "clean", "dynamicparam":
		return p.block()
	case "return", "throw", "exit", "break", "continue":
		if p.blanks(); p.ended() {
			return nil
		}
		return p.chain()
	}
	return p.rarer(word, start)
}

// rarer reads a statement of another kind.
func (p *parser) rarer(word string, start int) []*syntax.Stmt {
	switch word {
	case "try":
		return p.tryStatement(start)
	case "trap":
		p.blanks()
		if p.peek(0) == '[' {
			p.typeName()
		}
		return p.perhaps(start, p.block())
	case "using":
		if p.blanks(); p.keyword("namespace") == "" {
			p.problem("a module that is loaded", start)
		}
		for p.at < len(p.text) && p.text[p.at] != '\n' && p.text[p.at] != ';' {
			p.at++
		}
		return nil
	}
	p.problem("a definition that is not followed", start)
	for p.at < len(p.text) && p.text[p.at] != '{' && p.text[p.at] != '\n' {
		p.at++
	}
	return p.block()
}

// ended says whether a statement ends here.
func (p *parser) ended() bool {
	switch p.peek(0) {
	case ';', '\n', '}', ')', '#':
		return true
	}
	return p.at >= len(p.text)
}

// attributes goes over [CmdletBinding()] and its like in front of a param block.
func (p *parser) attributes() {
	for p.peek(0) == '[' {
		end := strings.IndexByte(p.text[p.at:], ']')
		name, _, _ := strings.Cut(strings.ToLower(p.text[p.at+1:p.at+max(end, 1)]), "(")
		if end < 0 || name != "cmdletbinding" && name != "diagnostics.codeanalysis.suppressmessageattribute" && name != "outputtype" {
			return
		}
		p.at += end + 1
		p.space()
	}
}

// block reads { }.
func (p *parser) block() (list []*syntax.Stmt) {
	p.space()
	start := p.at
	if !p.take("{") {
		p.problem("a block is missing", p.at)
		return nil
	}
	p.deeper(func() { list = p.statements('}') })
	if !p.take("}") {
		p.problem("a block without an end", start)
	}
	return list
}

// condition reads ( ) with a pipeline in it.
func (p *parser) condition() (list []*syntax.Stmt) {
	p.space()
	start := p.at
	if !p.take("(") {
		p.problem("a condition is missing", p.at)
		return nil
	}
	p.deeper(func() { list = p.statements(')') })
	if !p.take(")") {
		p.problem("a condition without an end", start)
	}
	return doing(list)
}

// doing leaves out the statements that only have a value.
func doing(list []*syntax.Stmt) (kept []*syntax.Stmt) {
	for _, st := range list {
		if c, ok := st.Cmd.(*syntax.CallExpr); ok && len(st.Redirs) == 0 && len(c.Args) > 0 && constant(c.Args[0]) == showing {
			runs := false
			for _, w := range c.Args {
				runs = runs || runsIn(w)
			}
			if !runs {
				continue
			}
		}
		kept = append(kept, st)
	}
	return kept
}

// runsIn says whether a word runs commands.
func runsIn(w *syntax.Word) (found bool) {
	syntax.Walk(w, func(n syntax.Node) bool {
		_, is := n.(*syntax.CmdSubst)
		found = found || is
		return n != nil && !found
	})
	return found
}

func (p *parser) ifStatement(start int) []*syntax.Stmt {
	clause := &syntax.IfClause{Position: p.pos(start), Cond: p.condition()}
	clause.Then = p.block()
	clause.FiPos, clause.ThenPos = p.pos(max(p.at-2, start)), p.pos(start)
	if len(clause.Cond) == 0 {
		clause.Cond = []*syntax.Stmt{p.call(start, start, p.quoted("true", start, start))}
	}
	back := p.at
	p.space()
	switch at := p.at; p.keyword("elseif else") {
	case "elseif":
		if more := p.ifStatement(at); len(more) == 1 {
			clause.Else, _ = more[0].Cmd.(*syntax.IfClause)
		}
	case "else":
		clause.Else = &syntax.IfClause{Position: p.pos(at), Then: p.block()}
		clause.Else.FiPos = p.pos(max(p.at-2, start))
	default:
		p.at = back
	}
	return []*syntax.Stmt{p.stmt(clause, start)}
}

// perhaps are statements that are run or not.
func (p *parser) perhaps(start int, list []*syntax.Stmt) []*syntax.Stmt {
	clause := &syntax.IfClause{Position: p.pos(start), ThenPos: p.pos(start), FiPos: p.pos(max(p.at-2, start)), Then: list}
	clause.Cond = []*syntax.Stmt{p.call(start, start, p.quoted("true", start, start))}
	return []*syntax.Stmt{p.stmt(clause, start)}
}

func (p *parser) loop(start int, cond, body []*syntax.Stmt) []*syntax.Stmt {
	if len(cond) == 0 {
		cond = []*syntax.Stmt{p.call(start, start, p.quoted("true", start, start))}
	}
	return []*syntax.Stmt{p.stmt(&syntax.WhileClause{WhilePos: p.pos(start), DoPos: p.pos(start), DonePos: p.pos(max(p.at-4, start)), Cond: cond, Do: body}, start)}
}

// over is a loop whose variable is one of some values.
func (p *parser) over(start int, name string, items []*syntax.Word, body []*syntax.Stmt) *syntax.Stmt {
	at := p.pos(start)
	return p.stmt(&syntax.ForClause{
		ForPos: at, DoPos: at, DonePos: p.pos(max(p.at-4, start)), Do: body,
		Loop: &syntax.WordIter{Name: p.lit(name, start), InPos: at, Items: items},
	}, start)
}

func (p *parser) foreachStatement(start int) []*syntax.Stmt {
	p.take("(")
	p.space()
	name := ""
	if p.peek(0) == '$' {
		name, _ = p.variableName()
	}
	p.space()
	if name == "" || p.keyword("in") == "" {
		p.problem("a loop that is not understood", start)
		return nil
	}
	p.space()
	v := p.pipelineValue(p.at)
	if p.space(); !p.take(")") {
		p.problem("a loop without an end", start)
	}
	delete(p.tables, name)
	delete(p.lists, name)
	items := v.elements()
	body := p.block()
	return []*syntax.Stmt{p.over(start, inShell(name), items, body)}
}

func (p *parser) forStatement(start int) []*syntax.Stmt {
	p.space()
	if !p.take("(") {
		p.problem("a loop that is not understood", start)
		return nil
	}
	var parts [3][]*syntax.Stmt
	for i := range parts {
		p.space()
		if p.peek(0) != ';' && p.peek(0) != ')' {
			p.deeper(func() { parts[i] = p.statement() })
		}
		p.space()
		if !p.take(";") {
			break
		}
	}
	if !p.take(")") {
		p.problem("a loop without an end", start)
	}
	body := append(p.block(), parts[2]...)
	return append(parts[0], p.loop(start, doing(parts[1]), body)...)
}

// switchStatement reads each arm as what may be run.
func (p *parser) switchStatement(start int) (list []*syntax.Stmt) {
	for p.blanks(); p.peek(0) == '-'; p.blanks() {
		if name := p.bareText(); strings.EqualFold(name, "-file") {
			p.problem("a file that is gone through line by line", start)
			p.blanks()
			p.argument(commandForm{})
		}
	}
	list = p.condition()
	if p.space(); !p.take("{") {
		p.problem("a block is missing", start)
		return list
	}
	p.set("_", p.unknown(start, start), start)
	for {
		for p.space(); p.take(";"); p.space() {
		}
		if p.at >= len(p.text) || p.take("}") {
			return list
		}
		at := p.at
		v := p.argument(commandForm{})
		list = append(list, doing(p.shown(v, at))...)
		list = append(list, p.perhaps(at, p.block())...)
		if p.at == at {
			p.problem("a sign that is not understood here", at)
			p.at++
		}
	}
}

func (p *parser) tryStatement(start int) []*syntax.Stmt {
	list := p.block()
	for {
		back := p.at
		p.space()
		at := p.at
		switch p.keyword("catch finally") {
		case "catch":
			for p.space(); p.peek(0) == '['; p.space() {
				p.typeName()
				p.blanks()
				p.take(",")
			}
			list = append(list, p.set("_", p.unknown(at, at), at))
			list = append(list, p.perhaps(at, p.block())...)
		case "finally":
			list = append(list, p.block()...)
		default:
			p.at = back
			return list
		}
	}
}

// function defines one. What its parameters are is not known, whoever calls it.
func (p *parser) function(start int) []*syntax.Stmt {
	p.blanks()
	name := strings.ToLower(p.bareText())
	for _, scope := range [...]string{"global:", "script:", "local:", "private:"} {
		name = strings.TrimPrefix(name, scope)
	}
	if name == "" || !plainName(name) {
		p.problem("a function whose name is not understood", start)
		name = "_ps"
	}
	if _, known := findAlias(name, true); known || isCmdlet(name) && hasWord(overridable, name) {
		p.problem("a function with the name of a command", start)
	}
	p.functions[name] = true
	p.space()
	var head []*syntax.Stmt
	if p.peek(0) == '(' {
		head = p.params()
	}
	body := append(head, p.block()...)
	if len(body) == 0 {
		return nil
	}
	inner := p.stmt(&syntax.Block{Lbrace: p.pos(start), Rbrace: p.pos(max(p.at-1, start)), Stmts: body}, start)
	return []*syntax.Stmt{p.stmt(&syntax.FuncDecl{Position: p.pos(start), Parens: true, Name: p.lit(name, start), Body: inner}, start)}
}

// params reads the parameters of a block, of which nothing is known but what their defaults are.
func (p *parser) params() (list []*syntax.Stmt) {
	start := p.at
	if p.space(); !p.take("(") {
		p.problem("parameters are missing", start)
		return nil
	}
	for {
		for p.space(); p.peek(0) == '['; p.space() { // a type, or an attribute
			p.brackets()
		}
		at := p.at
		if p.peek(0) != '$' {
			break
		}
		name, _ := p.variableName()
		p.space()
		v := p.unknown(at, at)
		if p.take("=") {
			p.space()
			v = p.unknown(at, at, p.expression(false))
		}
		list = append(list, p.set(name, v, at))
		if p.space(); !p.take(",") {
			break
		}
	}
	if !p.take(")") {
		p.problem("parameters that are not understood", start)
		for p.at < len(p.text) && !p.take(")") {
			p.at++
		}
	}
	return list
}

// brackets goes over [ ] with anything in it.
func (p *parser) brackets() {
	start, open := p.at, 0
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case '[':
			open++
		case ']':
			open--
		case '\'', '"':
			p.at++
			if n := strings.IndexByte(p.text[p.at:], p.text[p.at-1]); n >= 0 {
				p.at += n
			}
		case '{':
			p.problem("a check of a parameter that runs something", p.at)
		}
		if p.at++; open == 0 {
			return
		}
	}
	p.at = len(p.text)
	p.problem("a bracket without its closing one", start)
}

// chain reads pipelines with && and || between them.
func (p *parser) chain() []*syntax.Stmt {
	start := p.at
	list := p.pipeline()
	for {
		p.blanks()
		op := syntax.AndStmt
		switch {
		case p.take("&&"):
		case p.take("||"):
			op = syntax.OrStmt
		case p.peek(0) == '&':
			p.at++
			if len(list) > 0 {
				list[len(list)-1].Background = true
			}
			return list
		default:
			return list
		}
		p.space()
		more := p.pipeline()
		p.loneStart = -1
		if len(more) == 0 {
			continue
		}
		if len(list) == 0 {
			list = more
			continue
		}
		list = []*syntax.Stmt{p.stmt(&syntax.BinaryCmd{OpPos: p.pos(start), Op: op, X: p.one(list, start), Y: p.one(more, start)}, start)}
	}
}

// one makes a statement of several.
func (p *parser) one(list []*syntax.Stmt, start int) *syntax.Stmt {
	if len(list) == 1 {
		return list[0]
	}
	return p.stmt(&syntax.Block{Lbrace: p.pos(start), Rbrace: p.pos(max(p.at-1, start)), Stmts: list}, start)
}
