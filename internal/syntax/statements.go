package syntax

// list reads statements up to something that cannot begin one.
func (p *parser) list() []*Stmt {
	from := len(p.stmts)
	for s := p.next(nil); s != nil; s = p.next(s) {
		p.stmts = append(p.stmts, s)
	}
	return finish(&p.stmtLists, &p.stmts, from)
}

// next reads the statement after another one; nil if none follows. It must stand in a
// line of its own, or behind ; or &.
func (p *parser) next(last *Stmt) *Stmt {
	apart := p.newlines() || last == nil || last.Semicolon.IsValid()
	s := p.stmt()
	if s != nil && !apart {
		p.failAt(s.Position, "a separator is missing before this command")
	}
	return s
}

// body reads a list that must not be empty, behind what opens it.
func (p *parser) body(left Pos, open string) []*Stmt {
	list := p.list()
	if list == nil {
		if p.i >= p.end {
			p.failAt(left, "the script ends behind `"+open+"`")
		}
		p.unexpected()
	}
	return list
}

// stmt reads a list of && and || and what ends it; nil if none begins here.
func (p *parser) stmt() *Stmt {
	s := p.negatable()
	if s == nil {
		return nil
	}
	for {
		c := p.c()
		if c != '&' && c != '|' || p.peek(1) != c {
			break
		}
		op := AndStmt
		if c == '|' {
			op = OrStmt
		}
		s = p.join2(s, op, (*parser).negatable)
	}
	p.terminator(s)
	return s
}

// terminator reads the ; or & that ends a statement, if one stands here.
func (p *parser) terminator(s *Stmt) {
	switch p.c() {
	case ';':
		if next := p.peek(1); next != ';' && next != '&' {
			s.Semicolon = p.here()
			p.skip(1)
		}
	case '&':
		s.Semicolon, s.Background = p.here(), true
		p.skip(1)
	}
}

// join2 reads an operator and the statement behind it.
func (p *parser) join2(x *Stmt, op BinCmdOperator, read func(*parser) *Stmt) *Stmt {
	b := p.binaries.one()
	b.OpPos, b.Op, b.X = p.here(), op, x
	p.skip(len(op.String()))
	p.newlines()
	if b.Y = read(p); b.Y == nil {
		p.unexpected()
	}
	s := p.stmtNodes.one()
	s.Position, s.Cmd = x.Position, b
	if op == Pipe || op == PipeAll {
		s.Negated, x.Negated = x.Negated, false
	}
	return s
}

// negatable reads a pipeline with or without ! before it.
func (p *parser) negatable() *Stmt {
	if p.c() != '!' || p.keyword() != "!" {
		return p.pipeline(Pos{})
	}
	bang := p.here()
	p.i = p.run.end
	p.blank()
	s := p.pipeline(bang)
	if s == nil {
		p.unexpected()
	}
	return s
}

// pipeline reads commands that are joined by |, after a ! or none; nil if there is none.
func (p *parser) pipeline(bang Pos) *Stmt {
	s := p.command()
	if s == nil {
		return nil
	}
	if bang.IsValid() {
		s.Position, s.Negated = bang, true
	}
	for p.c() == '|' && p.peek(1) != '|' {
		op := Pipe
		if p.peek(1) == '&' {
			op = PipeAll
		}
		s = p.join2(s, op, (*parser).command)
	}
	return s
}

// command reads a command with its redirections; nil if there is none.
func (p *parser) command() *Stmt { return p.commandAt(false) }

// commandAt reads a command, at a place where only a simple one can stand or any.
func (p *parser) commandAt(onlySimple bool) *Stmt {
	p.enter()
	s := p.stmtNodes.one()
	s.Position = p.here()
	redirs := len(p.redirs)
	for p.redirection() {
	}
	if first := len(p.redirs) == redirs && !onlySimple; !first || !p.compound(s) {
		p.simple(s, first)
	}
	for p.redirection() {
	}
	s.Redirs = finish(&p.redirLists, &p.redirs, redirs)
	p.leave()
	if s.Cmd == nil && s.Redirs == nil {
		return nil
	}
	return s
}

// compound reads the commands that begin with a word or sign of their own, and says
// whether there was one.
func (p *parser) compound(s *Stmt) bool {
	switch c := p.c(); {
	case c == '(':
		if p.peek(1) == '(' {
			s.Cmd = p.arithmCmd()
		} else {
			s.Cmd = p.subshell()
		}
		return true
	case class[c]&endsWord != 0:
		return false
	}
	switch p.keyword() {
	case "{":
		s.Cmd = p.block()
	case "if":
		s.Cmd = p.ifClause()
	case "while", "until":
		s.Cmd = p.whileClause()
	case "for", "select":
		s.Cmd = p.forClause()
	case "case":
		s.Cmd = p.caseClause()
	case "[[":
		s.Cmd = p.testClause()
	default:
		return false
	}
	return true
}

// simple reads a simple command, or one of those that begin with a word and are read
// like one.
func (p *parser) simple(s *Stmt, first bool) {
	if class[p.c()]&endsWord != 0 {
		return
	}
	word := p.keyword()
	if first && p.reserved(s, word) {
		return
	}
	switch word {
	case "let":
		s.Cmd = p.let()
		return
	case "declare", "local", "export", "readonly", "typeset":
		s.Cmd = p.declaration()
		return
	}
	if p.c() == '}' && p.funsub {
		return
	}
	p.call(s, first)
}

// reserved reads what begins with a word that counts only before redirections, or ends a
// list there. It says whether there is no simple command to read.
func (p *parser) reserved(s *Stmt, word string) bool {
	switch word {
	case "then", "elif", "else", "fi", "do", "done", "esac", "}":
		return true // the end of a list
	case "!", "]]":
		p.unexpected()
	case "function":
		s.Cmd = p.function()
		return true
	case "time":
		s.Cmd = p.time()
		return true
	case "coproc":
		s.Cmd = p.coproc()
		return true
	}
	return false
}

// call reads assignments, words and redirections, or a function.
func (p *parser) call(s *Stmt, first bool) {
	call := p.calls.one()
	words, assigns := len(p.words), len(p.assigns)
	for {
		if p.redirection() {
			first = false
			continue
		}
		c := p.c()
		if c == '(' {
			if first && len(p.words) == words+1 && len(p.assigns) == assigns {
				s.Cmd = p.definition(words)
				return
			}
			p.unexpected()
		}
		if class[c]&endsWord != 0 {
			break
		}
		p.assignmentOrWord(len(p.words) == words)
		p.blank()
	}
	call.Args = finish(&p.wordLists, &p.words, words)
	call.Assigns = finish(&p.assignLists, &p.assigns, assigns)
	if call.Args != nil {
		p.onlyScalars(call.Assigns)
		s.Cmd = call
	} else if call.Assigns != nil {
		s.Cmd = call
	}
}

// assignmentOrWord reads an assignment, where one may stand, or a word.
func (p *parser) assignmentOrWord(assignable bool) {
	if assignable && p.assigning() {
		p.assigns = append(p.assigns, p.assignment(true))
	} else {
		p.words = append(p.words, p.word())
	}
}

// onlyScalars fails if an assignment in front of a command is to an array.
func (p *parser) onlyScalars(list []*Assign) {
	for _, a := range list {
		if a.Index != nil || a.Array != nil {
			p.failAt(a.Pos(), "a command cannot be given an array")
		}
	}
}

// assigning says whether an assignment begins here.
func (p *parser) assigning() bool {
	if class[p.c()]&nameByte == 0 {
		return false
	}
	r := p.literal()
	name := r.text
	if n := r.equals; n > 0 {
		if name[n-1] == '+' {
			n--
		}
		return isName(name[:n])
	}
	return r.end < p.end && p.src[r.end] == '[' && isName(name)
}

// assignment reads name=value. A declaration may leave out the value.
func (p *parser) assignment(valued bool) *Assign {
	as := p.assignments.one()
	r := *p.literal()
	if r.equals < 0 {
		p.assignedElement(as, valued)
		return as
	}
	n, rest := r.equals, r.text[r.equals+1:]
	if r.text[n-1] == '+' {
		as.Append = true
		n--
	}
	as.Name = p.litUpTo(r.at, r.at+n, r.text[:n])
	if p.i = r.end; rest != "" {
		from := len(p.parts)
		p.parts = append(p.parts, p.litUpTo(r.at+r.equals+1, r.end, rest))
		as.Value = p.wordFrom(from)
	} else if p.c() == '(' {
		as.Array = p.array()
		p.bare = p.i
	} else {
		as.Value = p.word()
	}
	return as
}

// assignedElement reads name[index]=value.
func (p *parser) assignedElement(as *Assign, valued bool) {
	as.Name = p.lit()
	as.Index = p.index()
	if as.Append = p.c() == '+'; as.Append {
		p.skip(1)
	}
	if p.c() != '=' {
		if valued || as.Append || !p.endsAt(p.i) {
			p.unexpected()
		}
		as.Naked = true
		return
	}
	if p.skip(1); p.c() == '(' {
		p.unexpected()
	}
	as.Value = p.word()
}

// array reads (...); the parenthesis stands here.
func (p *parser) array() *ArrayExpr {
	p.enter()
	left := p.i
	array := &ArrayExpr{Lparen: p.here()}
	buried := p.buried
	p.buried = len(p.pending)
	p.skip(1)
	for p.newlines(); p.i < p.end && p.c() != ')'; p.newlines() {
		elem := &ArrayElem{}
		if p.c() == '[' {
			elem.Index = p.index()
			if p.c() != '=' || p.peek(1) == '(' {
				p.unexpected()
			}
			p.skip(1)
		}
		if elem.Value = p.word(); elem.Value == nil && elem.Index == nil {
			p.unexpected()
		}
		array.Elems = append(array.Elems, elem)
	}
	p.buried = buried
	array.Rparen = p.closing(left, "(")
	p.leave()
	return array
}

// declaration reads declare and its like.
func (p *parser) declaration() *DeclClause {
	d := &DeclClause{Variant: p.lit()}
	from := len(p.assigns)
	for p.blank(); !p.stopped(); p.blank() {
		p.assigns = append(p.assigns, p.declared())
	}
	d.Args = finish(&p.assignLists, &p.assigns, from)
	return d
}

// declared reads a word of a declaration: an assignment, a name or another word.
func (p *parser) declared() *Assign {
	if p.assigning() {
		return p.assignment(false)
	}
	as := p.assignments.one()
	as.Naked = true
	if p.literalAt(p.c()) {
		r := p.literal()
		if r.equals > 0 && !contains(r.text[:r.equals], '{') {
			p.fail(p.i, "this is not the name of a variable")
		}
		if r.whole && isName(r.text) {
			as.Name = p.lit()
			return as
		}
	}
	if as.Value = p.word(); as.Value == nil {
		p.unexpected()
	}
	return as
}

func contains(s string, c byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return true
		}
	}
	return false
}

// stopped says whether the words of a command end here.
func (p *parser) stopped() bool {
	c := p.c()
	return c != '(' && class[c]&endsWord != 0 || p.redirects()
}

func (p *parser) let() *LetClause {
	l := &LetClause{Let: p.here()}
	p.i = p.run.end
	a := arith{p, inLet}
	for p.blank(); !p.stopped(); p.blank() {
		l.Exprs = append(l.Exprs, a.must())
		if !p.endsAt(p.i) {
			p.unexpected()
		}
	}
	if l.Exprs == nil {
		p.unexpected()
	}
	return l
}

func (p *parser) time() *TimeClause {
	t := &TimeClause{Time: p.here()}
	p.i = p.run.end
	_, t.PosixFormat = p.got("-p")
	p.got("--")
	p.blank()
	if t.Stmt = p.pipeline(Pos{}); t.Stmt == nil {
		switch p.c() {
		case 0, '\n', ';', ')':
		default:
			p.unexpected()
		}
	}
	return t
}

// coproc reads coproc, which is one command: a pipe behind it is not part of it.
func (p *parser) coproc() *CoprocClause {
	c := &CoprocClause{Coproc: p.here()}
	p.i = p.run.end
	p.blank()
	if !p.compoundAhead() && class[p.c()]&endsWord == 0 && !p.redirects() {
		at, comments := p.i, len(p.comments)
		if r := p.literal(); r.whole {
			name := p.word()
			if p.blank(); p.compoundAhead() {
				c.Name = name
			} else {
				p.i, p.comments = at, p.comments[:comments]
			}
		}
	}
	c.Stmt = p.commandAt(!p.compoundAhead())
	if c.Stmt == nil {
		p.unexpected()
	}
	return c
}

// compoundAhead says whether a compound command begins here.
func (p *parser) compoundAhead() bool {
	c := p.c()
	if c == '(' {
		return true
	}
	if class[c]&endsWord != 0 || startsPart(c) || c == '<' || c == '>' {
		return false
	}
	switch p.keyword() {
	case "{", "if", "while", "until", "for", "select", "case", "[[":
		return true
	}
	return false
}

// definition reads name() and its body, after the name, which is the last word.
func (p *parser) definition(words int) *FuncDecl {
	name, ok := p.words[words].Parts[0].(*Lit)
	if !ok || len(p.words[words].Parts) > 1 {
		p.unexpected()
	}
	p.words = p.words[:words]
	f := &FuncDecl{Position: name.ValuePos, Name: name, Parens: true}
	p.parens()
	f.Body = p.functionBody()
	return f
}

// parens moves past ().
func (p *parser) parens() {
	left := p.i
	p.skip(1)
	p.blank()
	p.closing(left, "(")
}

// emptyParens says whether () stands here.
func (p *parser) emptyParens() bool {
	if p.c() != '(' {
		return false
	}
	k := 1
	for c := p.peek(k); c == ' ' || c == '\t'; c = p.peek(k) {
		k++
	}
	return p.peek(k) == ')'
}

// function reads function name, with or without parentheses.
func (p *parser) function() *FuncDecl {
	f := &FuncDecl{Position: p.here(), RsrvWord: true}
	p.i = p.run.end
	p.blank()
	if c := p.c(); class[c]&endsWord != 0 || startsPart(c) || !p.literal().whole || p.run.text == "{" {
		p.unexpected()
	}
	f.Name = p.lit()
	p.blank()
	if f.Parens = p.emptyParens(); f.Parens {
		p.parens()
	}
	f.Body = p.functionBody()
	return f
}

// functionBody reads a compound command and its redirections.
func (p *parser) functionBody() *Stmt {
	p.newlines()
	if !p.compoundAhead() {
		p.unexpected()
	}
	return p.command()
}
