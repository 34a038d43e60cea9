package powershell

import (
	"strings"

	"longline/internal/syntax"
)

const (
	unaries  = "not bnot split join csplit isplit"
	binaries = `eq ne gt ge lt le like notlike match notmatch contains notcontains in notin replace split join f and or xor band bor bxor shl shr is isnot as
ieq ine igt ige ilt ile ilike inotlike imatch inotmatch icontains inotcontains iin inotin ireplace isplit
ceq cne cgt cge clt cle clike cnotlike cmatch cnotmatch ccontains cnotcontains cin cnotin creplace csplit`
)

// dashWord is the operator that is next, if there is one.
func (p *parser) dashWord(listed string) string {
	n := p.dashAt(p.at)
	if n == 0 || !isLetter(p.peek(n)) {
		return ""
	}
	end := p.at + n
	for end < len(p.text) && isLetter(p.text[end]) {
		end++
	}
	word := strings.ToLower(p.text[p.at+n : end])
	if !hasWord(listed, word) {
		return ""
	}
	p.at = end
	return word
}

// expression reads operands with operators between them. In a list of arguments a comma ends one.
func (p *parser) expression(argument bool) val {
	start := p.at
	v := p.unary()
	for {
		back := p.at
		p.blanks()
		at := p.at
		switch c := p.peek(0); {
		case c == ',' && !argument:
			p.at++
			p.space()
			more := p.unary()
			v = val{words: append(v.words, more.words...)}
		case p.take("??"), p.take("?."):
			p.take("=")
			p.space()
			v = p.unknown(start, p.at, v, p.unary())
		case c == '?' && (p.peek(1) == ' ' || p.peek(1) == '\n'):
			p.at++
			p.space()
			a := p.unary()
			p.space()
			if !p.take(":") {
				p.problem("an expression that is not understood", at)
			}
			p.space()
			v = p.unknown(start, p.at, v, a, p.unary())
		case p.take(".."), c == '*' || c == '/' || c == '%':
			if p.at == at {
				p.at++
			}
			p.space()
			v = p.unknown(start, p.at, v, p.unary())
		case c == '+' && p.peek(1) != '+' && p.peek(1) != '=':
			p.at++
			p.space()
			v = p.sum(v, p.unary(), start)
		case p.dashAt(p.at) > 0:
			if op := p.dashWord(binaries); op != "" {
				p.space()
				v = p.operated(op, v, start, argument)
				continue
			}
			if n := p.dashAt(p.at); isLetter(p.peek(n)) || p.peek(n) == '=' || p.peek(n) == '-' {
				p.at = back
				return v
			}
			p.at += p.dashAt(p.at)
			p.space()
			v = p.unknown(start, p.at, v, p.unary())
		default:
			p.at = back
			return v
		}
	}
}

// sum is two texts put together, or two lists.
func (p *parser) sum(a, b val, start int) val {
	if len(a.words) == 1 && len(b.words) == 1 && !a.isTable && !b.isTable {
		x, text := "", false
		if len(a.words[0].Parts) == 1 {
			x, text = known(a.words[0])
		}
		if !text || strings.Trim(x, "0123456789.") != "" {
			return one(&syntax.Word{Parts: append(a.words[0].Parts, b.words[0].Parts...)})
		}
	}
	return p.unknown(start, p.at, a, b)
}

// operated is what an operator makes of a value and of what stands behind it.
func (p *parser) operated(op string, v val, start int, argument bool) val {
	if op == "is" || op == "isnot" || op == "as" {
		if p.peek(0) == '[' {
			p.typeName()
			return p.unknown(start, p.at, v)
		}
	}
	right := p.unary()
	for !argument || op == "replace" || op == "f" || op == "join" || op == "split" {
		p.blanks()
		if p.peek(0) != ',' {
			break
		}
		p.at++
		p.space()
		more := p.unary()
		right.words = append(right.words, more.words...)
	}
	switch op {
	case "f":
		if w := format(p, v, right, start); w != nil {
			return one(w)
		}
	case "join":
		if w := p.joined(v, right, start); w != nil {
			return one(w)
		}
	}
	return p.unknown(start, p.at, v, right)
}

// format puts values into a text where {0} and the like stand in it.
func format(p *parser, of, with val, start int) *syntax.Word {
	if len(of.words) != 1 {
		return nil
	}
	text, ok := known(of.words[0])
	b := builder{p: p, start: start, from: start}
	for i := 0; ok && i < len(text); i++ {
		switch c := text[i]; {
		case c == '{' && i+2 < len(text) && isDigit(text[i+1]) && text[i+2] == '}' && int(text[i+1]-'0') < len(with.words):
			b.add(one(with.words[text[i+1]-'0']))
			i += 2
		case c == '{' || c == '}':
			return nil
		default:
			b.text.WriteByte(c)
		}
	}
	if !ok {
		return nil
	}
	return b.word()
}

// joined puts the elements of a list together.
func (p *parser) joined(list, with val, start int) *syntax.Word {
	between, ok := "", len(with.words) == 0
	if len(with.words) == 1 {
		between, ok = known(with.words[0])
	}
	if !ok || len(list.words) < 2 {
		return nil
	}
	b := builder{p: p, start: start, from: start}
	for i, w := range list.words {
		if i > 0 {
			b.text.WriteString(between)
		}
		b.add(one(w))
	}
	return b.word()
}

// unary reads an operand with the operators in front of it.
func (p *parser) unary() (v val) {
	start := p.at
	p.deeper(func() {
		switch c := p.peek(0); {
		case c == '!':
			p.at++
			p.space()
			v = p.unary()
			v = p.unknown(start, p.at, v)
		case c == ',':
			p.at++
			p.space()
			v = p.unary()
		case p.take("++"), p.take("--"):
			v = p.unary()
			v = p.unknown(start, p.at, v)
		case c == '+' && !isDigit(p.peek(1)):
			p.at++
			p.blanks()
			v = p.unary()
			v = p.unknown(start, p.at, v)
		case p.dashAt(p.at) > 0 && !isDigit(p.peek(p.dashAt(p.at))) && p.peek(p.dashAt(p.at)) != '.':
			op := p.dashWord(unaries)
			if op == "" {
				p.at += p.dashAt(p.at)
			}
			p.space()
			v = p.unary()
			if op == "join" {
				if w := p.joined(v, val{}, start); w != nil {
					v = one(w)
					return
				}
			}
			v = p.unknown(start, p.at, v)
		case c == '[':
			v = p.typed()
		default:
			v = p.operand()
		}
	})
	return v
}

// operand reads a single value with its members.
func (p *parser) operand() (v val) {
	start := p.at
	quote, _ := byte(0), 0
	if p.at < len(p.text) {
		quote, _ = p.quoteAt(p.at)
	}
	switch c := p.peek(0); {
	case quote != 0:
		v = p.stringValue()
	case c == '@' && p.at+1 < len(p.text) && p.isHere():
		v = p.hereString()
	case c == '@' && p.peek(1) == '{':
		v = p.hashtable()
	case c == '@' && p.peek(1) == '(':
		v = p.subexpression()
	case c == '$' && p.peek(1) == '(':
		v = p.subexpression()
	case c == '$' && p.beginsVariable():
		return p.variableValue(true)
	case c == '(':
		v = p.parenthesis()
	case c == '{':
		v = p.scriptBlock()
	case isDigit(c), (p.dashAt(p.at) > 0 || c == '+') && isDigit(p.peek(max(1, p.dashAt(p.at)))), c == '.' && isDigit(p.peek(1)):
		p.at += max(1, p.dashAt(p.at))
		for isNameByte(p.peek(0)) || p.peek(0) == '.' && isDigit(p.peek(1)) {
			p.at++
		}
		v = p.textValue(p.text[start:p.at], start)
	default:
		p.problem("an expression that is not understood", p.at)
		if p.at < len(p.text) && !p.ended() {
			p.at++
		}
		return p.unknown(start, p.at)
	}
	return p.members(v, start)
}

// isHere says whether @ begins a text of several lines.
func (p *parser) isHere() bool {
	q, _ := p.quoteAt(p.at + 1)
	return q != 0
}

// parenthesis reads ( ) with a pipeline in it.
func (p *parser) parenthesis() val {
	start := p.at
	p.at++
	var list []*syntax.Stmt
	p.deeper(func() { list = p.statements(')') })
	if !p.take(")") {
		p.problem("an expression without an end", start)
	}
	if v, ok := p.computed(list, start); ok {
		return v
	}
	return p.worth(list, start)
}

// pipelineValue is what a pipeline is worth, up to what ends it.
func (p *parser) pipelineValue(start int) val {
	var list []*syntax.Stmt
	p.loneStart = -1
	p.deeper(func() { list = p.statement() })
	if p.loneStart == start {
		return p.lone
	}
	if v, ok := p.computed(list, start); ok {
		return v
	}
	return p.worth(list, start)
}

// scriptBlock reads { }. What it does is done, whoever runs it.
func (p *parser) scriptBlock() val {
	start := p.at
	list := p.block()
	v := p.textValue("{}", start)
	v.isBlock, v.block = true, list
	return v
}

// hashtable reads @{ }.
func (p *parser) hashtable() val {
	start := p.at
	p.at += 2
	v := val{isTable: true, table: []entry{}}
	var values []val
	for {
		for p.space(); p.take(";"); p.space() {
		}
		if p.at >= len(p.text) || p.take("}") {
			break
		}
		at := p.at
		name := ""
		if isNameByte(p.peek(0)) {
			name = p.bareText()
		} else {
			key := p.operand()
			values = append(values, key)
			if len(key.words) == 1 {
				name = constant(key.words[0])
			}
		}
		p.blanks()
		if !p.take("=") {
			p.problem("a table that is not understood", at)
			for p.at < len(p.text) && p.text[p.at] != '}' {
				p.at++
			}
			continue
		}
		p.space()
		e := entry{strings.ToLower(name), p.pipelineValue(p.at)}
		if e.value.isBlock {
			p.before = append(p.before, doing(e.value.block)...)
		}
		if v.table = append(v.table, e); name == "" {
			v.table = nil // nobody knows what it holds
			v.table, values = []entry{{"", p.unknown(at, p.at)}}, append(values, e.value)
		}
		values = append(values, e.value)
	}
	v.words = p.unknown(start, p.at, values...).words
	return v
}

// harmless are types that compute, and do nothing else.
const harmless = `int int32 int64 long uint uint32 uint64 short byte sbyte char bool boolean double single float decimal bigint string object void array hashtable ordered
pscustomobject psobject psreference ref switch xml datetime datetimeoffset timespan guid version uri regex math convert bitconverter text.encoding text.utf8encoding
text.stringbuilder text.regularexpressions.regex text.json.jsonserializer text.json.jsondocument io.path enum char string[] int[] byte[] object[] char[] net.ipaddress
random nullable stringsplitoptions stringcomparison stringcomparer tuple globalization.cultureinfo datetimekind consolecolor io.fileshare io.filemode numerics.biginteger
security.cryptography.sha256 security.cryptography.md5 security.cryptography.sha1 net.webutility web.httputility net.securityprotocoltype net.servicepointmanager
diagnostics.stopwatch io.searchoption io.filemode io.fileaccess runtime.interopservices.runtimeinformation system.net.httpstatuscode threading.thread psobject[] nullstring dbnull
management.automation.language.parser management.automation.psparser environment console mailaddress net.mail.mailaddress iserror io.compression.compressionlevel`

// isHarmless says so of the type of a name in lower case.
func isHarmless(name string) bool {
	return hasWord(harmless, name) || strings.HasPrefix(name, "collections.") || strings.HasPrefix(name, "linq.")
}

// typeName reads [ ] with a type in it.
func (p *parser) typeName() string {
	start := p.at
	p.brackets()
	name := strings.ToLower(strings.TrimSpace(p.text[start+1 : max(p.at-1, start+1)]))
	return strings.TrimPrefix(name, "system.")
}

// typed reads a type, with what is done with it.
func (p *parser) typed() val {
	start := p.at
	name := p.typeName()
	if p.has("::") {
		v, _ := p.static(name, start)
		return p.members(v, start)
	}
	back := p.at
	p.blanks()
	switch c := p.peek(0); {
	case p.ended() || strings.IndexByte("|,.=+*/", c) >= 0 || p.dashAt(p.at) > 0 && isLetter(p.peek(p.dashAt(p.at))):
		p.at = back // the type itself
		v := p.unknown(start, p.at)
		return p.members(v, start)
	}
	v := p.unary()
	if !isHarmless(strings.TrimSuffix(name, "[]")) && !hasWord("cmdletbinding parameter validateset", name) {
		p.problem("a value that is made another kind of thing, "+name, start)
		return p.unknown(start, p.at, v)
	}
	if hasWord("string string[] array object[] psobject pscustomobject hashtable ordered object void", name) {
		return v
	}
	return p.unknown(start, p.at, v)
}

// static reads ::member of a type, with its arguments. It says whether it is a call.
func (p *parser) static(name string, start int) (val, bool) {
	p.at += 2
	at := p.at
	for isNameByte(p.peek(0)) {
		p.at++
	}
	member := strings.ToLower(p.text[at:p.at])
	if member == "" {
		p.problem("a member with an unknown name", at)
	}
	if p.peek(0) != '(' {
		return p.unknown(start, p.at), false
	}
	args := p.arguments()
	words := val{}
	for _, a := range args {
		words.words = append(words.words, a.words...)
	}
	path, kind := false, name
	switch kind {
	case "path":
		kind = "io.path"
	case "file", "directory", "fileinfo", "directoryinfo":
		kind = "io." + kind
	}
	switch kind + "::" + member {
	case "io.path::combine", "io.path::join":
		if len(words.words) > 0 {
			return one(p.slashed(words.words, start)), true
		}
	case "io.path::getfullpath":
		if len(words.words) == 1 {
			return one(words.words[0]), true
		}
	case "io.path::gettemppath":
		if p.windows {
			return p.below("/AppData/Local/Temp/", start), true
		}
		return p.textValue("/tmp/", start), true
	case "environment::getenvironmentvariable", "environment::getenvironmentvariables", "environment::expandenvironmentvariables":
		return p.environment(member, words.words, start), true
	case "environment::getfolderpath":
		if len(words.words) > 0 && hasWord("userprofile personal", strings.ToLower(constant(words.words[0]))) {
			return p.home(start), true
		}
	case "environment::setenvironmentvariable", "environment::exit", "environment::failfast", "console::readline", "console::readkey":
		path = true
	}
	if !path && isHarmless(kind) || hasWord("environment console", kind) && strings.HasPrefix(member, "get") {
		return p.unknown(start, p.at, words), true
	}
	return p.called("["+kind+"]::"+member, words.words, start), true
}

// environment is what a method says of variables of the environment: of one that is named, or of any.
func (p *parser) environment(member string, args []*syntax.Word, start int) val {
	if member == "getenvironmentvariable" && len(args) > 0 {
		if text, ok := known(args[0]); ok && plainName(text) {
			return one(&syntax.Word{Parts: []syntax.WordPart{p.variable(text, start, p.at)}})
		}
	}
	return p.called("printenv", nil, start)
}

// slashed is a path that is put together of parts.
func (p *parser) slashed(list []*syntax.Word, start int) *syntax.Word {
	b := builder{p: p, start: start, from: start}
	for i, w := range list {
		if i > 0 {
			b.text.WriteByte('/')
		}
		b.add(one(p.path(w)))
	}
	return b.word()
}

// called is what a method prints, as a command of that name.
func (p *parser) called(name string, args []*syntax.Word, start int) val {
	words := []*syntax.Word{p.quoted(name, start, p.at)}
	for _, w := range args {
		words = append(words, p.path(w))
	}
	return p.printed([]*syntax.Stmt{p.call(start, p.at, words...)}, start)
}

// arguments reads ( ) behind the name of a method.
func (p *parser) arguments() (list []val) {
	start := p.at
	p.at++
	for {
		if p.space(); p.take(")") {
			return list
		}
		if p.at >= len(p.text) {
			p.problem("arguments without an end", start)
			return list
		}
		at := p.at
		v := p.expression(true)
		if v.isBlock {
			p.before = append(p.before, doing(v.block)...)
		}
		list = append(list, v)
		p.space()
		if !p.take(",") && p.peek(0) != ')' {
			p.problem("arguments that are not understood", at)
			for p.at < len(p.text) && p.text[p.at] != ')' && p.text[p.at] != '\n' {
				p.at++
			}
			if p.at < len(p.text) && p.text[p.at] == '\n' {
				return list
			}
		}
	}
}

const (
	// asItIs are members that name the same thing.
	asItIs = "fullname path pspath providerpath source definition target"
	// same are methods that change nothing that matters of a text.
	sameText = "tostring trim"
	// computing are methods that compute, and do nothing else.
	computing = `trimend trimstart split replace substring contains startswith endswith toupper tolower toupperinvariant tolowerinvariant indexof lastindexof padleft padright add addrange
append appendline insert remove removeat clear containskey containsvalue gettype gethashcode equals compareto tochararray toarray tolist join format getstring getbytes getenumerator
movenext adddays addhours addminutes addseconds addmonths addyears subtract tounixtimeseconds tounixtimemilliseconds touniversaltime tolocaltime toshortdatestring where foreach
matches match ismatch computehash getvalue getproperty getelementsbytagname selectsinglenode selectnodes getattribute getcommandname find findall first last sum max min count
next nextdouble nextbytes getresponseheader push pop peek enqueue dequeue sort reverse clone copyto getnetworkcredential getlength getupperbound isnullorempty set_item get_item
tryparse parse parseadd tryaddwithoutvalidation getpathroot getextension elapsed restart stop waitforexit refresh dispose close flush start getfiles getdirectories enumeratefiles getfilesysteminfos`
)

// members reads what stands behind a value: .Name, ::Name, [index], ( ), ++.
func (p *parser) members(v val, start int) val {
	for {
		switch c := p.peek(0); {
		case c == '.' && (isNameByte(p.peek(1)) || p.peek(1) == '$' || p.peek(1) == '\'' || p.peek(1) == '"'):
			p.at++
			v = p.member(v, start)
		case p.has("::") && isNameByte(p.peek(2)):
			p.problem("a member of an unknown type", p.at)
			v, _ = p.static("?", start)
		case c == '[' && p.at > start:
			p.at++
			p.space()
			i := p.unknown(start, p.at)
			if p.peek(0) != ']' {
				i = p.expression(false)
			}
			p.space()
			if !p.take("]") {
				p.problem("an index that is not understood", start)
				return p.unknown(start, p.at, v, i)
			}
			v = p.unknown(start, p.at, v, i)
		case p.take("++"), p.take("--"):
			v = p.unknown(start, p.at, v)
		default:
			return v
		}
	}
}

// member reads the name of a member, and its arguments.
func (p *parser) member(v val, start int) val {
	at := p.at
	name := ""
	if isNameByte(p.peek(0)) {
		for isNameByte(p.peek(0)) {
			p.at++
		}
		name = strings.ToLower(p.text[at:p.at])
	} else if w := p.operandOnly(); len(w.words) == 1 {
		name = strings.ToLower(constant(w.words[0]))
	}
	if p.peek(0) != '(' && p.peek(0) != '{' {
		if hasWord(asItIs, name) && !v.isTable {
			return v
		}
		return p.unknown(start, p.at, v)
	}
	var args []val
	if p.peek(0) == '(' {
		args = p.arguments()
	} else if b := p.scriptBlock(); b.isBlock {
		p.before = append(p.before, doing(b.block)...)
	}
	switch {
	case hasWord(sameText, name) && len(args) == 0:
		return v
	case name != "" && hasWord(computing, name):
		return p.unknown(start, p.at, append(args, v)...)
	}
	var words []*syntax.Word
	for _, a := range args {
		words = append(words, a.words...)
	}
	made := p.called("."+name, words, start)
	if runs := doing(p.shown(v, start)); len(runs) > 0 {
		made.direct = append(runs, made.direct...)
		made = p.printed(made.direct, start)
	}
	return made
}

// operandOnly is an operand without its members.
func (p *parser) operandOnly() val {
	start := p.at
	if q, _ := p.quoteAt(p.at); q != 0 {
		return p.stringValue()
	}
	if p.beginsVariable() {
		if name, ok := p.variableName(); ok {
			return one(&syntax.Word{Parts: []syntax.WordPart{p.variable(inShell(name), start, p.at)}})
		}
	} else {
		p.at++
	}
	return p.unknown(start, p.at)
}

// shown are the statements for a value that stands by itself: it is printed.
func (p *parser) shown(v val, start int) []*syntax.Stmt {
	if v.direct != nil {
		return v.direct
	}
	if v.isBlock || len(v.words) == 0 {
		return nil
	}
	return []*syntax.Stmt{p.call(start, p.at, append([]*syntax.Word{p.quoted(showing, start, p.at)}, v.words...)...)}
}
