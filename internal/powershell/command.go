package powershell

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/syntax"
)

// showing is the command for a value that stands by itself.
const showing = "write-output"

// stage is a command of a pipeline, or the value that it begins with.
type stage struct {
	start  int
	name   string
	call   *syntax.CallExpr
	stmts  []*syntax.Stmt
	each   []*syntax.Stmt // what is done for each thing that comes in
	loops  bool
	value  val
	worth  bool // it is a value
	redirs []*syntax.Redirect
}

// pipeline reads commands with bars between them, or an assignment.
func (p *parser) pipeline() (list []*syntax.Stmt) {
	start, outer := p.at, p.before
	p.before = nil
	var stages []stage
	for {
		if len(stages) == 0 {
			if set, is := p.assignment(); is {
				list = set
				break
			}
		}
		stages = append(stages, p.element(len(stages) == 0))
		back := p.at
		if p.space(); p.peek(0) == '|' && p.peek(1) != '|' && len(stages) < maxStages {
			p.at++
			p.space()
			continue
		}
		p.at = back
		break
	}
	p.lone, p.loneStart = val{}, -1
	if len(stages) == 1 && stages[0].worth && len(stages[0].redirs) == 0 {
		p.lone, p.loneStart = stages[0].value, start
	}
	blocks := p.before
	if p.before = outer; len(blocks) > 0 {
		list = append(list, p.over(start, inShell("_"), p.unknown(start, start).words, blocks))
	}
	return append(list, p.build(stages)...)
}

// build makes the statements of a pipeline.
func (p *parser) build(stages []stage) (list []*syntax.Stmt) {
	var items []*syntax.Word // what goes through it, if these are values
	for i := range stages {
		s := &stages[i]
		if i == 0 && len(stages) > 1 && s.call != nil && len(s.redirs) == 0 { // which hands on what it is given
			if v, ok := p.computed(p.one1(s), s.start); ok {
				s.worth, s.value = true, v
			}
		}
		switch {
		case s.worth:
			if list = p.shown(s.value, s.start); s.value.direct == nil {
				items = s.value.words
			}
			if len(s.redirs) > 0 && len(list) == 0 {
				list = []*syntax.Stmt{p.stmt(nil, s.start)}
			}
		case s.loops || i > 0 && takesPaths(s.name, stages[:i]):
			body := s.each
			if !s.loops {
				body = []*syntax.Stmt{p.forEach(s)}
			}
			if len(body) == 0 {
				continue
			}
			name := inShell("_")
			if items != nil {
				list = []*syntax.Stmt{p.over(s.start, name, items, body)}
			} else {
				read := p.call(s.start, s.start, p.quoted("read", s.start, s.start), p.quoted("-r", s.start, s.start), p.quoted(name, s.start, s.start))
				loop := p.loop(s.start, []*syntax.Stmt{read}, body)
				if len(list) > 0 {
					loop[0] = p.pipe(p.one(list, s.start), loop[0], s.start)
				}
				list = loop
			}
			items = nil
			continue
		case len(list) == 0:
			list = p.one1(s)
		default:
			if !hasWord("where-object sort-object get-unique", s.name) {
				items = nil
			}
			list = []*syntax.Stmt{p.pipe(p.one(list, s.start), p.one(p.one1(s), s.start), s.start)}
		}
		list = p.redirected(list, s)
	}
	return list
}

// redirected are the statements of a stage with its redirections.
func (p *parser) redirected(list []*syntax.Stmt, s *stage) []*syntax.Stmt {
	if len(s.redirs) == 0 || len(list) == 0 {
		return list
	}
	st := p.one(list, s.start)
	if len(st.Redirs) > 0 || s.worth && len(list) == 1 && list[0].Cmd != nil {
		st = p.stmt(&syntax.Block{Lbrace: p.pos(s.start), Rbrace: p.pos(p.at), Stmts: list}, s.start)
	}
	st.Redirs = append(st.Redirs, s.redirs...)
	s.redirs = nil
	return []*syntax.Stmt{st}
}

// one1 are the statements of a stage that is a command.
func (p *parser) one1(s *stage) []*syntax.Stmt {
	list := s.stmts
	if s.call != nil {
		st := p.stmt(s.call, s.start)
		st.Redirs, s.redirs = s.redirs, nil
		list = append(list[:len(list):len(list)], st)
	}
	return list
}

// forEach is a command that gets each thing that comes in as what it works on.
func (p *parser) forEach(s *stage) *syntax.Stmt {
	one := &syntax.Word{Parts: []syntax.WordPart{p.variable(inShell("_"), s.start, s.start)}}
	s.call.Args = append(s.call.Args, p.quoted("--inputobject", s.start, s.start), one)
	return p.one(p.one1(s), s.start)
}

// takers are the commands that work on the files whose names come in; those of the second list do so where files come in, and
// read the text itself otherwise.
const (
	takers     = "remove-item copy-item move-item rename-item clear-content get-content get-item unblock-file get-filehash get-acl set-acl set-itemproperty remove-itemproperty invoke-item stop-process get-childitem set-item clear-item compress-archive stop-service start-service import-csv"
	fileTakers = "select-string import-module"
	finders    = "get-childitem get-item resolve-path"
)

func takesPaths(name string, before []stage) bool {
	if hasWord(takers, name) {
		return true
	}
	if !hasWord(fileTakers, name) {
		return false
	}
	for i := len(before) - 1; i >= 0; i-- {
		if !hasWord("where-object sort-object select-object", before[i].name) {
			return hasWord(finders, before[i].name)
		}
	}
	return false
}

// assignment reads one, if it is one.
func (p *parser) assignment() ([]*syntax.Stmt, bool) {
	start := p.at
	if c := p.peek(0); c != '$' && c != '[' && c != '(' || c == '$' && !p.beginsVariable() {
		return nil, false
	}
	if p.peek(0) == '$' {
		name, ok := p.variableName()
		p.blanks()
		if op := p.assigns(); ok && op != "" {
			p.space()
			v := p.pipelineValue(p.at)
			if op != "=" {
				v = p.unknown(start, p.at, v)
			}
			return p.assigned(name, v, start), true
		}
		p.at = start
	}
	if !p.assignedLater() {
		return nil, false
	}
	of := p.expression(false)
	end := p.at
	p.blanks()
	if p.assigns() == "" {
		p.at = start
		return nil, false
	}
	p.space()
	v := p.pipelineValue(p.at)
	list := doing(p.shown(v, start))
	target := p.text[start:end]
	names := variablesIn(target)
	if strings.HasPrefix(target, "[") && len(names) == 0 {
		kind := strings.ToLower(strings.TrimPrefix(strings.ToLower(target[1:max(strings.IndexByte(target, ']'), 1)]), "system."))
		if !hasWord("console net.servicepointmanager", kind) {
			p.problem("a setting of "+kind, start)
		}
		return list, true
	}
	if len(names) == 1 && strings.HasSuffix(strings.ToLower(target), "$"+names[0]) {
		return p.assigned(names[0], v, start), true
	}
	for i, name := range names {
		if i == 0 {
			list = p.assigned(name, p.unknown(start, end, of, v), start)
			continue
		}
		first := one(&syntax.Word{Parts: []syntax.WordPart{p.variable(inShell(names[0]), start, end)}})
		list = append(list, p.assigned(name, p.unknown(start, end, first), start)...)
	}
	return list, true
}

// assigned sets a variable, unless it is one of those that are more than that.
func (p *parser) assigned(name string, v val, start int) []*syntax.Stmt {
	if hasWord("psdefaultparametervalues home pwd profile psmodulepath executioncontext", name) || name == "env:PSMODULEPATH" {
		p.problem("a variable that commands depend on", start)
	}
	if v.isBlock {
		p.before = append(p.before, doing(v.block)...)
	}
	st := p.set(name, v, start)
	if rest, ok := strings.CutPrefix(name, "env:"); ok {
		if c, is := st.Cmd.(*syntax.CallExpr); is && rest != "" {
			st.Cmd = &syntax.DeclClause{Variant: p.lit("export", start), Args: c.Assigns}
		}
	}
	return []*syntax.Stmt{st}
}

// assignedLater says whether there is a sign of an assignment in the line.
func (p *parser) assignedLater() bool {
	for i := p.at; i < len(p.text) && i < p.at+400; i++ {
		switch p.text[i] {
		case '=':
			return true
		case '\n', ';', '|':
			return false
		}
	}
	return false
}

// variablesIn are the variables of a target of an assignment.
func variablesIn(text string) (names []string) {
	for i := 0; i < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		end := i + 1
		for end < len(text) && isNameByte(text[end]) && text[end] < 0x80 {
			end++
		}
		if end > i+1 {
			names = append(names, strings.ToLower(text[i+1:end]))
		}
	}
	return names
}

// assigns takes the sign of an assignment.
func (p *parser) assigns() string {
	for _, op := range [...]string{"=", "+=", "-=", "*=", "/=", "%=", "??="} {
		if p.has(op) {
			p.at += len(op)
			return op
		}
	}
	return ""
}

// element reads one stage of a pipeline.
func (p *parser) element(first bool) (s stage) {
	s.start = p.at
	c, next := p.peek(0), p.peek(1)
	switch {
	case c == '&', c == '.' && (next == ' ' || next == '\t' || next == '\'' || next == '"' || next == '$' || next == '(' || next == '{'):
		p.at++
		p.blanks()
		v := p.argument(commandForm{name: true})
		if v.isBlock {
			s.stmts = v.block
			p.command(&s, val{})
			s.call = nil
			return s
		}
		if len(v.words) != 1 {
			v = p.unknown(s.start, p.at, v)
		}
		p.command(&s, v)
		return s
	case p.isValue():
		s.worth = true
		s.value = p.expression(false)
		if s.value.isBlock {
			p.before = append(p.before, s.value.block...)
		}
		for p.blanks(); p.redirection(&s); p.blanks() {
		}
		return s
	}
	name := p.bareWord(commandForm{name: true})
	if p.at == s.start {
		p.problem("a sign that is not understood here", s.start)
		p.at = min(p.at+1, len(p.text))
		return s
	}
	p.command(&s, one(name))
	return s
}

// isValue says whether a value is next, and no command.
func (p *parser) isValue() bool {
	if p.at >= len(p.text) {
		return false
	}
	if q, _ := p.quoteAt(p.at); q != 0 {
		return true
	}
	switch c := p.text[p.at]; {
	case strings.IndexByte("($@[{!,", c) >= 0:
		return true
	case c == '+' || p.dashAt(p.at) > 0:
		return true
	case isDigit(c), c == '.' && isDigit(p.peek(1)):
		end := p.at
		for end < len(p.text) && (isDigit(p.text[end]) || p.text[end] == '.') {
			end++
		}
		return end == len(p.text) || strings.IndexByte(" \t\r\n;|)}*/+,%-", p.text[end]) >= 0
	}
	return false
}

// commandForm says how the words of a command are read.
type commandForm struct {
	name   bool // it is the name of a command
	cmdlet bool // of one of PowerShell's own
	files  bool // its operands are patterns of files
	after  string
}

// argument reads one argument, which may be a list.
func (p *parser) argument(form commandForm) val {
	v := p.single(form)
	for {
		back := p.at
		p.blanks()
		if p.peek(0) != ',' || form.name {
			p.at = back
			return v
		}
		p.at++
		p.space()
		more := p.single(form)
		v = val{words: append(v.words, more.words...)}
	}
}

// single reads one element of an argument.
func (p *parser) single(form commandForm) (v val) {
	start := p.at
	q := byte(0)
	if p.at < len(p.text) {
		q, _ = p.quoteAt(p.at)
	}
	switch c, next := p.peek(0), p.peek(1); {
	case q != 0:
		v = p.stringValue()
		if form.name {
			break
		}
		return p.asPath(v, form, start)
	case c == '@' && p.at+1 < len(p.text) && p.isHere(), c == '@' && (next == '(' || next == '{'), c == '(', c == '{', c == '$' && next == '(':
		p.deeper(func() { v = p.operand() })
		if v.isBlock && !form.name && form.after != "each" {
			p.before = append(p.before, doing(v.block)...)
		}
		if c != '$' || p.separated() {
			return v
		}
	case c == '$' && p.beginsVariable():
		if v = p.variableValue(true); p.separated() {
			return p.asPath(v, form, start)
		}
	}
	w := p.bareWord(form)
	if len(v.words) == 1 {
		w = &syntax.Word{Parts: append(v.words[0].Parts[:len(v.words[0].Parts):len(v.words[0].Parts)], w.Parts...)}
	}
	return p.asPath(one(w), form, start)
}

// separated says whether a word ends here.
func (p *parser) separated() bool {
	return p.at >= len(p.text) || strings.IndexByte(" \t\r\n;|&(){},", p.text[p.at]) >= 0
}

// bareText reads a word without quotes as it stands.
func (p *parser) bareText() string {
	start := p.at
	for !p.separated() && p.text[p.at] != '=' {
		p.at++
	}
	return p.text[start:p.at]
}

// bareWord reads a word that begins without quotes.
func (p *parser) bareWord(form commandForm) *syntax.Word {
	b := builder{p: p, start: p.at, from: p.at}
	flag := p.dashAt(p.at) > 0
	for !p.separated() {
		c := p.text[p.at]
		q, size := p.quoteAt(p.at)
		switch {
		case q != 0:
			b.add(p.stringValue())
		case c == '`' && (p.peek(1) == '\n' || p.peek(1) == '\r'):
			return b.word()
		case c == '`':
			b.escape()
		case c == '$' && p.peek(1) == '(':
			b.flush()
			b.add(p.subexpression())
		case c == '$' && p.beginsVariable():
			b.flush()
			b.add(p.variableValue(false))
		case c == '\\' && (!flag || form.name):
			b.text.WriteByte('/')
			p.at++
		case p.has("\u00a0"):
			return b.word()
		default:
			_ = size
			b.text.WriteByte(c)
			p.at++
		}
	}
	return b.word()
}

// asPath is an argument as a cmdlet takes it that names files with it.
func (p *parser) asPath(v val, form commandForm, start int) val {
	if !form.cmdlet {
		for i, w := range v.words {
			if text := constant(w); p.windows && strings.EqualFold(text, "nul") {
				v.words[i] = p.quoted("/dev/null", start, p.at)
			} else if text == "~" || strings.HasPrefix(text, "~/") {
				v.words[i] = p.path(w)
			}
		}
		return v
	}
	if len(form.after) > 3 && hasPrefix(form.after, "value inputobject body pattern replacement message headers format property notmatch match eq ne") {
		return v
	}
	for i, w := range v.words {
		v.words[i] = p.path(w)
		text, ok := known(v.words[i])
		if drive, _ := noFiles(text); ok && form.files && drive == "" && paths.Wild(text) && (form.after == "" || hasPrefix(form.after, "path destination filepath")) {
			v.words[i] = p.pattern(text, start, p.at)
		}
	}
	return v
}

// hasPrefix says whether a shortened name is one of some.
func hasPrefix(name, list string) bool {
	return name != "" && strings.Contains(" "+list, " "+name)
}

// path is a word as the name of a file: with slashes, and without a tilde.
func (p *parser) path(w *syntax.Word) *syntax.Word {
	n := &syntax.Word{}
	for i, part := range w.Parts {
		if q, ok := part.(*syntax.SglQuoted); ok {
			text := strings.ReplaceAll(q.Value, `\`, "/")
			if i == 0 && (text == "~" || strings.HasPrefix(text, "~/")) {
				at := int(q.Left.Offset())
				n.Parts = append(n.Parts, p.variable("HOME", at, at+1))
				text = text[1:]
			}
			if i == 0 {
				text = drive(text)
			}
			part = &syntax.SglQuoted{Left: q.Left, Right: q.Right, Value: text}
			if text == "" && len(w.Parts) > 1 {
				continue
			}
		}
		n.Parts = append(n.Parts, part)
	}
	if len(n.Parts) == 0 {
		return w
	}
	return n
}

// drive is a path of the registry as one of files.
func drive(text string) string {
	rest := text
	if i := strings.Index(strings.ToLower(text), "registry::"); i >= 0 {
		rest = text[i+len("registry::"):]
	}
	for line := range strings.SplitSeq("hkey_current_user/ hkcu\nhkey_local_machine/ hklm\nhkey_users/ hku\nhkey_classes_root/ hkcr\nhkcu: hkcu\nhklm: hklm\nhku: hku\nhkcr: hkcr", "\n") {
		name, to, _ := strings.Cut(line, " ")
		if len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
			return "/" + to + "/" + strings.TrimPrefix(rest[len(name):], "/")
		}
	}
	return text
}

// redirection reads one, if it is one.
func (p *parser) redirection(s *stage) bool {
	at := p.at
	n := ""
	if c := p.peek(0); (isDigit(c) || c == '*') && p.peek(1) == '>' {
		n = string(c)
		p.at++
	}
	switch {
	case p.peek(0) == '<':
		p.problem("a redirection that is not understood", at)
		p.at++
		return true
	case p.peek(0) != '>':
		p.at = at
		return false
	}
	p.at++
	op := syntax.RdrOut
	if p.take(">") {
		op = syntax.AppOut
	}
	rd := &syntax.Redirect{OpPos: p.pos(at), Op: op}
	if p.peek(0) == '&' && isDigit(p.peek(1)) {
		rd.Op, rd.Word = syntax.DplOut, p.quoted(string(p.peek(1)), p.at+1, p.at+2)
		if p.at += 2; n == "*" || n == "" || n >= "2" {
			n = "2"
		}
		rd.N = p.lit(n, at)
		s.redirs = append(s.redirs, rd)
		return true
	}
	p.blanks()
	v := p.single(commandForm{cmdlet: true})
	switch {
	case len(v.words) == 0 || strings.EqualFold(constant(v.words[0]), "nul"):
		rd.Word = p.quoted("/dev/null", at, p.at)
	case len(v.words) == 1:
		rd.Word = v.words[0]
	default:
		rd.Word = p.unknown(at, p.at, v).words[0]
	}
	switch {
	case n == "*" && op == syntax.AppOut:
		rd.Op = syntax.AppAll
	case n == "*":
		rd.Op = syntax.RdrAll
	case n != "" && n != "1":
		rd.N = p.lit("2", at)
	}
	s.redirs = append(s.redirs, rd)
	return true
}

// command reads the words of a command behind its name, and makes of it what it does.
func (p *parser) command(s *stage, name val) {
	first, isKnown := "", false
	if len(name.words) == 1 {
		first, isKnown = known(name.words[0])
	}
	form := commandForm{}
	if isKnown {
		first = p.named(first)
		s.name, form.cmdlet = first, isCmdlet(first) && !p.functions[first]
		form.files = form.cmdlet && ofFiles(first)
		name.words = []*syntax.Word{p.quoted(first, s.start, p.at)}
	}
	a := args{p: p, form: form, each: first == "foreach-object", text: first}
	a.read(s)
	if p.functions[first] || !isKnown {
		s.call = &syntax.CallExpr{Args: append(name.words, a.words...)}
		if len(name.words) == 0 {
			s.call = nil
		}
		return
	}
	p.carryOut(s, &a)
}

// args are the words of a command.
type args struct {
	p      *parser
	form   commandForm
	text   string
	each   bool
	words  []*syntax.Word
	blocks [][]*syntax.Stmt
	flags  []string // the names of the parameters
	plain  int      // words that belong to no parameter, or to one that takes none
}

func (a *args) read(s *stage) {
	p := a.p
	for {
		p.blanks()
		c := p.peek(0)
		switch {
		case p.at >= len(p.text), strings.IndexByte(";\n|&)}#", c) >= 0:
			return
		case p.redirection(s):
		case p.has("--%"):
			a.verbatim()
		case c == '@' && isLetter(p.peek(1)):
			p.at++
			a.splat()
		case c == ',':
			p.at++
		case p.dashAt(p.at) > 0 && (isLetter(p.peek(p.dashAt(p.at))) || p.peek(p.dashAt(p.at)) == '?') && a.form.cmdlet:
			a.parameter()
		default:
			if a.text == "select-string" {
				a.form.files = a.plain > 0 || a.form.after != ""
			}
			form := a.form
			if a.each {
				form.after = "each"
			}
			start := p.at
			v := p.argument(form)
			if v.isBlock && a.each {
				a.blocks = append(a.blocks, v.block)
			} else {
				a.add(v, start)
			}
			if p.at == start {
				p.problem("a sign that is not understood here", start)
				p.at++
			}
		}
	}
}

// add adds a value. Several for one parameter are that parameter several times.
func (a *args) add(v val, start int) {
	p := a.p
	if len(v.words) == 0 && a.form.cmdlet {
		v.words = []*syntax.Word{p.quoted("", start, p.at)}
	}
	if a.form.after == "" {
		a.plain++
	}
	for i, w := range v.words {
		if i > 0 && a.form.after != "" {
			a.words = append(a.words, p.quoted("--"+a.form.after, start, p.at))
		}
		if a.form.cmdlet && a.form.after == "" && strings.HasPrefix(constant(w), "-") { // it is no parameter
			w = p.quoted("./"+constant(w), start, p.at)
		}
		a.words = append(a.words, w)
	}
	a.form.after = ""
}

// parameter reads -Name or -Name:value.
func (a *args) parameter() {
	p := a.p
	start := p.at
	p.at += p.dashAt(p.at)
	at := p.at
	for !p.separated() && p.text[p.at] != ':' && p.text[p.at] != '\'' && p.text[p.at] != '"' && p.text[p.at] != '.' {
		p.at++
	}
	name := strings.ToLower(p.text[at:p.at])
	a.flags, a.form.after = append(a.flags, name), name
	if p.take(":") {
		p.blanks()
		v := p.argument(a.form)
		if len(v.words) == 1 && hasWord("True False", constant(v.words[0])) { // a switch
			if a.form.after = ""; constant(v.words[0]) == "True" {
				a.words = append(a.words, p.quoted("--"+name, start, p.at))
			} else {
				a.flags = a.flags[:len(a.flags)-1]
			}
			return
		}
		w := &syntax.Word{Parts: []syntax.WordPart{p.text1("--"+name+"=", start, at)}}
		if len(v.words) > 0 {
			w.Parts = append(w.Parts, v.words[0].Parts...)
		}
		if a.words, a.form.after = append(a.words, w), ""; len(v.words) > 1 {
			a.words = append(a.words, p.unknown(start, p.at, v).words...)
		}
		return
	}
	a.words = append(a.words, p.quoted("--"+name, start, p.at))
}

// splat puts in what a table in a variable holds.
func (a *args) splat() {
	p := a.p
	start := p.at
	for isNameByte(p.peek(0)) {
		p.at++
	}
	name := strings.ToLower(p.text[start:p.at])
	table, ok := p.tables[name]
	if !ok {
		e := &syntax.ParamExp{Dollar: p.pos(start), Rbrace: p.pos(p.at), Param: p.lit(inShell(name), start), Index: &syntax.Word{Parts: []syntax.WordPart{p.lit("@", start)}}}
		if p.lists[name] && !a.form.cmdlet {
			a.words = append(a.words, &syntax.Word{Parts: []syntax.WordPart{p.inQuotes(e, start, p.at)}})
			return
		}
		p.problem("parameters that are known only at run time", start)
		return
	}
	for _, e := range table {
		if e.name == "" {
			p.problem("parameters that are known only at run time", start)
			continue
		}
		a.flags, a.form.after = append(a.flags, e.name), e.name
		a.words = append(a.words, p.quoted("--"+e.name, start, p.at))
		switch text := ""; {
		case len(e.value.words) == 1:
			if text = constant(e.value.words[0]); text == "True" {
				a.form.after = ""
				break
			}
			fallthrough
		default:
			v := val{words: append([]*syntax.Word{}, e.value.words...)}
			a.add(p.asPath(v, a.form, start), start)
		}
	}
	a.form.after = ""
}

// verbatim reads the rest of a line behind --%.
func (a *args) verbatim() {
	p := a.p
	p.at += 3
	end := p.at
	for end < len(p.text) && p.text[end] != '\n' && p.text[end] != '|' && !strings.HasPrefix(p.text[end:], "&&") {
		end++
	}
	rest := p.text[p.at:end]
	if strings.ContainsAny(rest, `%"'`) {
		p.problem("words that are handed on as they stand", p.at)
	}
	for _, word := range strings.Fields(rest) {
		a.words = append(a.words, p.quoted(strings.ReplaceAll(word, `\`, "/"), p.at, end))
	}
	p.at = end
}
