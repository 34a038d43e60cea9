package language

import "strings"

// Perl cannot be read in full without running it. This is a small part of it:
// statements of known functions, variables, matching and substitution. Whatever
// else appears, or could be read in two ways, is refused: references, calls,
// file handles other than the standard ones, symbolic names, code in strings
// and patterns.

const perlWords = `print printf say join split map grep sort reverse keys values each defined length substr index rindex uc lc ucfirst lcfirst sprintf push pop shift unshift splice scalar
chomp chop abs int sqrt sin cos exp log hex oct ord chr exists delete if unless else elsif while until for foreach my our local next last redo and or not xor eq ne lt gt le ge cmp x
BEGIN END undef return wantarray die warn exit localtime gmtime time pos quotemeta STDIN STDOUT STDERR eof sleep rand srand pack unpack lc fc
sum sum0 max min first reduce shuffle uniq uniqnum any all none product maxstr minstr pairs floor ceil fmod strftime Dumper encode_base64 decode_base64 md5_hex sha1_hex sha256_hex
decode_json encode_json looks_like_number __LINE__ __FILE__`

// perlBeforeTerm are words after which a value is expected, so that a slash
// begins a pattern.
const perlBeforeTerm = `print printf say split map grep push unshift if unless elsif while until and or not xor eq ne lt gt le ge cmp x return join first any all none die warn`

// perlQuotes are the operators that quote what follows them.
const perlQuotes = `q qq qw m qr s y tr`

// perlInfix are words that stand between two values, and perlModifiers those of them
// that a statement can also begin with.
const (
	perlInfix     = `and or xor eq ne lt gt le ge cmp x ` + perlModifiers
	perlModifiers = `if unless while until for foreach`
)

// perlPlaces are variables through which a program reaches its arguments, its
// environment, its libraries or its signals.
const perlPlaces = `ARGV INC SIG ENV`

func perlDeeds(text string) Deeds {
	p := perlReader{cursor: cursor{text: text}}
	p.scan(0)
	return p.deeds
}

type perlReader struct {
	cursor
	open  []perlBracket
	deeds Deeds
	// term says that a value is expected next: after an operator, not after a
	// value. unsure says that it depends on what longline does not follow.
	term, unsure bool
	indexable    bool   // the value read last may have elements
	element      bool   // what was read last surely is a variable or an element
	handle       bool   // it is a variable that may be a file handle
	last         string // the last word, if it stands right before this place
	end          int    // where what was read last ends
}

// perlBracket is an open bracket; subscript says that it surely holds a key.
type perlBracket struct {
	sign      byte
	subscript bool
}

func (p *perlReader) fail(problem string) { p.deeds.fail(problem) }

// value says that a value has been read, wants that one is expected.
func (p *perlReader) value() { p.expect(false) }
func (p *perlReader) wants() { p.expect(true) }

// mayBegin says whether a value may begin here.
func (p *perlReader) mayBegin() bool { return p.term || p.unsure }

func (p *perlReader) expect(term bool) {
	p.term, p.unsure, p.indexable, p.element, p.handle, p.last = term, false, false, false, false, ""
}

func (p *perlReader) scan(depth int) {
	if depth > 5 {
		p.fail("it is nested too deeply")
	}
	p.wants()
	for p.more() && p.deeds.Problem == "" {
		c := p.text[p.at]
		if p.pause(c) {
			continue
		}
		switch {
		case !p.mayBegin() && perlValue(c):
			p.fail("two values without an operator between them")
		case isLetter(c):
			p.bareword(depth)
		case p.variable(c), p.literal(c), p.bracket(c):
		default:
			p.symbol(c)
		}
		p.end = p.at
	}
	if len(p.open) > 0 {
		p.fail("parentheses do not match")
	}
}

// perlValue says whether a character begins a variable, a text or a number.
func perlValue(c byte) bool { return strings.IndexByte("$@\"'", c) >= 0 || isDigit(c) }

// pause passes over blanks and comments.
func (p *perlReader) pause(c byte) bool {
	switch {
	case c == '\n' && isLetter(p.peek(2)) && p.peek(1) == '=', p.at == 0 && c == '=':
		p.fail("documentation inside the program")
	case isBlank(c):
		p.at++
	case c == '#':
		p.line()
	default:
		return false
	}
	return true
}

// variable reads a variable, if one begins here.
func (p *perlReader) variable(c byte) bool {
	switch {
	case c == '$':
		p.scalar()
	case c == '@' || c == '%' && p.term:
		p.at++
		p.plural(c)
	default:
		return false
	}
	return true
}

// literal reads a number, a text, a pattern, or a line of input.
func (p *perlReader) literal(c byte) bool {
	switch {
	case isDigit(c), p.term && p.numberHere():
		p.number()
	case c == '"':
		p.interpolated(p.enclosed(), false)
		p.value()
	case c == '\'':
		p.enclosed()
		p.value()
	case c == '/' && p.mayBegin():
		p.match()
	case c == '<' && p.mayBegin():
		p.angle()
	default:
		return false
	}
	return true
}

// match reads a pattern between slashes.
func (p *perlReader) match() {
	if p.unsure {
		p.fail("a slash that can be read in two ways")
		return
	}
	p.interpolated(p.enclosed(), true)
	p.modifiers("gimsxoncualdp")
	p.value()
}

// number reads a number.
func (p *perlReader) number() {
	p.decimal()
	if p.value(); isLetter(p.peek(0)) {
		p.fail("a word right behind a number")
	}
}

// bracket opens or closes a bracket.
func (p *perlReader) bracket(c byte) bool {
	switch {
	case strings.IndexByte("([{", c) >= 0:
		p.opens(c)
	case strings.IndexByte(")]}", c) >= 0:
		p.closes(c)
	default:
		return false
	}
	return true
}

func (p *perlReader) opens(c byte) {
	if c != '(' && !p.term && !p.indexable {
		p.fail("brackets behind something that has no elements")
	}
	if c == '{' && HasWord("print printf say", p.last) {
		p.fail("a file handle that is computed")
	}
	// Braces behind anything but a variable or an element can be a block.
	p.open = append(p.open, perlBracket{c, p.element && !p.term && !isBlank(p.peek(-1))})
	p.at++
	p.wants()
}

func (p *perlReader) closes(c byte) {
	if len(p.open) == 0 || partner(p.open[len(p.open)-1].sign) != c {
		p.fail("parentheses do not match")
		return
	}
	subscript := p.open[len(p.open)-1].subscript
	p.open = p.open[:len(p.open)-1]
	p.at++
	p.value()
	p.indexable, p.element = true, subscript
	// Behind a block a statement begins, behind a subscript it goes on.
	p.unsure = c == '}'
}

// symbol reads an operator, if it is one that longline follows.
func (p *perlReader) symbol(c byte) {
	switch {
	case p.handle && p.printsTo():
		p.fail("a file handle that is computed") // what follows it is a value then
	case p.term && p.dashed():
		p.fail("a test of files, or a word with a dash")
	case p.ahead("->"), p.ahead("::"):
		p.fail("a reference or a name of another package")
	case p.ahead("&&"):
		p.both()
	case p.among(0, "&*?") && p.mayBegin(), p.ahead("~~"), strings.IndexByte("=+-*/%.,;:?!<>|&^~\\", c) < 0:
		p.fail("something that longline does not follow in Perl")
	case p.ahead("++"), p.ahead("--"):
		p.at += 2 // before or after a value: what is expected stays
		p.unsure = p.mayBegin()
	default:
		p.infix()
	}
}

// dashed says whether a word with a dash in front of it comes next.
func (p *perlReader) dashed() bool { return p.peek(0) == '-' && isLetter(p.peek(1)) }

// printsTo says whether a value may begin here, which is printed to what stands before it.
func (p *perlReader) printsTo() bool {
	return isBlank(p.peek(-1)) && !isBlank(p.peek(1)) && (p.among(0, "?/") || p.ahead("<<"))
}

// both reads the operator &&. Where no value stands in front of it, it is a call.
func (p *perlReader) both() {
	if p.last == "" && (p.term || p.unsure && !p.element) {
		p.fail("something that longline does not follow in Perl")
	}
	p.at += 2
	p.wants()
}

// infix reads an operator. Where a value is expected only those that stand in
// front of one may come, and the ends of lists and statements.
func (p *perlReader) infix() {
	op := p.operator("<=>", "**=", "||=", "&&=", "//=", "<<=", ">>=", "...", "==", "!=", "=~", "!~", "<=", ">=", "=>", "..", "**", "||", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "^=", "<<", ">>", "//")
	if p.term && !p.unsure && !HasWord(`+ - ! ~ \ ; ,`, op) {
		p.fail("an operator without a value in front of it")
	}
	p.wants()
}

// scalar reads a variable that begins with a dollar sign.
func (p *perlReader) scalar() {
	p.at++
	switch c := p.peek(0); {
	case c == '#' && isLetter(p.peek(1)):
		p.at++
		p.plural('@')
	case c == '{' || c == '$' || c == '^' || c == ':':
		p.fail("a variable whose name is computed")
	case isLetter(c):
		handle := p.last != ""
		p.plural('$')
		p.handle = handle
	case isDigit(c):
		p.at = digitsFrom(p.text, p.at)
		p.value()
	case p.among(0, "&.,/\\;!@\"+|-"):
		p.at++
		p.value()
	default:
		p.fail("a variable that longline does not know")
	}
}

// plural reads the name of a variable, of which the sign has been read.
func (p *perlReader) plural(sign byte) {
	name := p.cursor.word()
	switch {
	case name == "", isDigit(name[0]), p.ahead("::"), p.peek(0) == '\'' && isLetter(p.peek(1)):
		p.fail("a variable whose name is computed")
	case name == "ENV":
		p.environment(sign)
	case name == "ARGV" && sign == '$' && !p.among(0, "[{"):
		if after := strings.TrimLeft(p.rest(), " "); strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") {
			p.fail("the variable " + Quote(name))
		}
	case HasWord(perlPlaces+" ARGVOUT DATA", name):
		p.fail("the variable " + Quote(name))
	}
	p.value()
	p.indexable, p.element = true, true
}

// environment is a look at the environment: at one variable that holds no secret.
func (p *perlReader) environment(sign byte) {
	key, _, ok := strings.Cut(p.rest(), "}")
	key = strings.Trim(strings.TrimPrefix(key, "{"), `'"`)
	if sign != '$' || p.peek(0) != '{' || !ok || !IsName(key) || SecretName(key) {
		p.fail("a look at the environment")
	}
}

// bareword reads one: a known function or keyword, a quoting operator, or a
// key.
func (p *perlReader) bareword(depth int) {
	start := p.at
	name := p.cursor.word()
	if p.isKey(start) {
		if HasWord(perlQuotes+" qx", name) {
			p.fail("a key that can be read in two ways")
		}
		p.value()
		return
	}
	p.place(name)
	if HasWord(perlQuotes, name) {
		p.quote(name, depth)
		p.value()
		return
	}
	if !HasWord(perlWords, name) {
		p.fail("the word " + Quote(name))
	}
	p.wants()
	p.last = name
	// Without arguments these are values, and a slash divides.
	p.unsure = !HasWord(perlBeforeTerm, name)
}

// isKey says whether the word that begins at start and has been read is a key: in
// braces behind a variable, or in front of an arrow on the same line.
func (p *perlReader) isKey(start int) bool {
	if strings.HasPrefix(strings.TrimLeft(p.rest(), " \t"), "=>") {
		return true
	}
	return start > 0 && p.text[start-1] == '{' && p.peek(0) == '}' && p.open[len(p.open)-1].subscript
}

// place makes sure that a word can stand where it does.
func (p *perlReader) place(name string) {
	infix := HasWord(perlInfix, name)
	switch {
	case p.unsure:
		if infix && !HasWord(perlModifiers, name) {
			p.fail("a word that can be read in two ways")
		}
	case p.term:
		if infix && !p.standsAlone(name) && !(p.begins() && HasWord(perlModifiers, name)) {
			p.fail("an operator without a value in front of it")
		}
	case !infix:
		p.fail("two values without an operator between them")
	}
}

// standsAlone says whether the word in front of another is a value, as it has no
// arguments.
func (p *perlReader) standsAlone(next string) bool {
	return p.last != "" && !HasWord("my our local and or not xor if unless while until", p.last) && HasWord(perlModifiers+" and or", next)
}

// begins says whether a statement begins behind what was read last.
func (p *perlReader) begins() bool {
	return p.end == 0 || strings.IndexByte(";{}", p.text[p.end-1]) >= 0
}

// quote reads what a quoting operator quotes.
func (p *perlReader) quote(name string, depth int) {
	body, delim := p.first()
	switch name {
	case "qq":
		p.interpolated(body, false)
	case "m", "qr":
		p.interpolated(body, true)
		p.modifiers("gimsxoncualdp")
	case "tr", "y":
		p.second(delim)
		p.modifiers("cdsr")
	case "s":
		p.interpolated(body, true)
		p.replacement(p.second(delim), delim, depth)
	}
}

// replacement is the second part of a substitution: text, or code.
func (p *perlReader) replacement(text string, delim byte, depth int) {
	switch strings.Count(p.modifiers("egimsxoncualdpr"), "e") {
	case 0:
		if delim != '\'' {
			p.interpolated(text, false)
		}
	case 1:
		inner := perlReader{cursor: cursor{text: text}}
		inner.scan(depth + 1)
		if inner.deeds.Problem != "" {
			p.fail(inner.deeds.Problem)
		}
	default:
		p.fail("text that is run as code")
	}
}

// angle is "<" where a value is expected: reading a line, or a pattern of files.
func (p *perlReader) angle() {
	for _, form := range [...]string{"<STDIN>", "<>"} {
		if p.ahead(form) && p.term {
			p.at += len(form)
			p.value()
			return
		}
	}
	p.fail("a file handle, or text that follows")
}

// first reads the first part of what a quoting operator quotes.
func (p *perlReader) first() (body string, delim byte) {
	delim = p.peek(0)
	switch {
	case isBlank(delim):
		p.fail("a blank behind a quoting operator")
	case delim == 0 || isWordByte(delim) || delim >= 0x80 || strings.IndexByte("#=,;)", delim) >= 0:
		p.fail("a quoting operator that longline does not follow")
	default:
		return p.enclosed(), delim
	}
	return "", 0
}

// enclosed reads text between delimiters, of which the first stands here.
func (p *perlReader) enclosed() string {
	body, ended := p.delimited()
	if !ended {
		p.fail("quotes do not end")
	}
	return body
}

// second reads the second part of s or tr.
func (p *perlReader) second(delim byte) string {
	if p.deeds.Problem != "" {
		return ""
	}
	if partner(delim) == delim {
		p.at-- // the delimiter that ended the first part begins the second
		return p.enclosed()
	}
	for isBlank(p.peek(0)) {
		p.at++
	}
	if p.peek(0) != delim {
		p.fail("a substitution with two kinds of brackets")
		return ""
	}
	return p.enclosed()
}

func (p *perlReader) modifiers(known string) string {
	flags := p.cursor.word()
	if strings.Trim(flags, known) != "" {
		p.fail("a modifier that longline does not know")
		return ""
	}
	return flags
}

// interpolated makes sure that what is put into a text or pattern is no more
// than variables and their simple elements.
func (p *perlReader) interpolated(text string, regex bool) {
	for _, code := range [...]string{"(?{", "(??{", "(*{", "(**{", "(?p{"} {
		if strings.Contains(text, code) {
			p.fail("code in a pattern")
		}
	}
	for i := 0; i+1 < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case (c == '$' || c == '@') && !perlPutsVariable(c, text[i+1:], regex):
			p.fail("an expression in a text")
			return
		}
	}
}

// perlPutsVariable says whether a sign of a variable and what follows it in a text
// puts in no more than a variable or a simple element of one.
func perlPutsVariable(sign byte, rest string, regex bool) bool {
	name := rest[:wordLength(rest)]
	if name == "" {
		return perlPutsSign(sign, rest, regex)
	}
	after := rest[len(name):]
	elsewhere := strings.HasPrefix(after, "::") || len(after) > 1 && after[0] == '\'' && isLetter(after[1]) // in another package
	place := HasWord(perlPlaces, name) && !(name == "ARGV" && sign == '$')
	return !elsewhere && !place && perlElements(after)
}

// perlPutsSign is the same where no letter or digit follows.
func perlPutsSign(sign byte, rest string, regex bool) bool {
	switch c := rest[0]; {
	case c == '{':
		return perlPutsBraced(rest[1:])
	case strings.IndexByte("$:", c) >= 0:
		return regex && rest == "$"
	case c == '^':
		return sign == '@'
	case c == '#':
		return !strings.HasPrefix(rest, "#{") && !strings.HasPrefix(rest, "#$")
	case sign == '$' && regex && strings.IndexByte("()| \t\r\n", c) >= 0:
		return true // the end of a line
	}
	return perlElements(rest[1:]) // a variable whose name is a sign
}

// perlPutsBraced is the same of a name between braces, of which the first has been read.
func perlPutsBraced(rest string) bool {
	name, after, ok := strings.Cut(rest, "}")
	return ok && IsName(name) && !HasWord(perlPlaces, name) && perlElements(after)
}

// perlElements says whether what follows a variable in a text is at most its elements,
// with keys that run nothing.
func perlElements(rest string) bool {
	for rest != "" && (rest[0] == '[' || rest[0] == '{') {
		key, after, ok := strings.Cut(rest[1:], string(partner(rest[0])))
		if !ok || !perlKey(key, rest[0] == '{') {
			return false
		}
		rest = after
	}
	return !strings.HasPrefix(rest, "->")
}

// perlKey says whether a key is a number, a variable, one of these counted from the
// other, or between braces a word. A word between brackets would be called.
func perlKey(key string, word bool) bool {
	key = strings.TrimPrefix(key, "-")
	if word && IsName(key) {
		return true
	}
	if rest, ok := strings.CutPrefix(key, "$"); ok {
		rest = strings.TrimPrefix(rest, "#")
		n := wordLength(rest)
		if n == 0 || isDigit(rest[0]) && !word {
			return false
		}
		key = strings.TrimLeft(rest[n:], "+-")
		return len(rest)-n-len(key) <= 1 && strings.Trim(key, "0123456789") == ""
	}
	return key != "" && strings.Trim(key, "0123456789") == ""
}
