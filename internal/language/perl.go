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

func perlDeeds(text string) Deeds {
	p := perlReader{text: text}
	p.scan(0)
	return p.deeds
}

type perlReader struct {
	text  string
	at    int
	open  []byte
	deeds Deeds
	// term says that a value is expected next: after an operator, not after a
	// value. unsure says that it depends on what longline does not follow.
	term, unsure bool
	indexable    bool   // the value read last may have elements
	last         string // the last word, if it stands right before this place
}

func (p *perlReader) fail(problem string) { p.deeds.fail(problem) }

func (p *perlReader) peek(ahead int) byte {
	if p.at+ahead < len(p.text) {
		return p.text[p.at+ahead]
	}
	return 0
}

// value says that a value has been read, wants that one is expected.
func (p *perlReader) value() { p.term, p.unsure, p.indexable, p.last = false, false, false, "" }
func (p *perlReader) wants() { p.term, p.unsure, p.indexable, p.last = true, false, false, "" }

func (p *perlReader) scan(depth int) {
	if depth > 5 {
		p.fail("it is nested too deeply")
	}
	p.wants()
	for p.at < len(p.text) && p.deeds.Problem == "" {
		c := p.text[p.at]
		switch {
		case c == '\n' && isLetter(p.peek(2)) && p.peek(1) == '=', p.at == 0 && c == '=':
			p.fail("documentation inside the program")
		case isBlank(c):
			p.at++
		case c == '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		case !p.term && !p.unsure && (strings.IndexByte("$@\"'", c) >= 0 || isDigit(c)):
			p.fail("two values without an operator between them")
		case c == '$':
			p.scalar()
		case c == '@' || c == '%' && p.term:
			p.at++
			p.plural(c)
		case isLetter(c):
			p.word(depth)
		case isDigit(c) || c == '.' && isDigit(p.peek(1)) && p.term:
			for p.at < len(p.text) && (isDigit(p.text[p.at]) || p.text[p.at] == '_' || p.text[p.at] == '.' && isDigit(p.peek(1))) {
				p.at++
			}
			if p.value(); isLetter(p.peek(0)) {
				p.fail("a word right behind a number")
			}
		case c == '"':
			p.interpolated(p.delimited(c), false)
			p.value()
		case c == '\'':
			p.delimited(c)
			p.value()
		case c == '/' && p.unsure:
			p.fail("a slash that can be read in two ways")
		case c == '/' && p.term:
			p.interpolated(p.delimited(c), true)
			p.modifiers("gimsxoncualdp")
			p.value()
		case c == '<' && (p.term || p.unsure):
			p.angle()
		case strings.IndexByte("([{", c) >= 0:
			if c != '(' && !p.term && !p.indexable {
				p.fail("brackets behind something that has no elements")
			}
			if c == '{' && (p.last == "print" || p.last == "printf" || p.last == "say") {
				p.fail("a file handle that is computed")
			}
			p.open = append(p.open, c)
			p.at++
			p.wants()
		case strings.IndexByte(")]}", c) >= 0:
			if len(p.open) == 0 || strings.IndexByte("([{", p.open[len(p.open)-1]) != strings.IndexByte(")]}", c) {
				p.fail("parentheses do not match")
				return
			}
			p.open = p.open[:len(p.open)-1]
			p.at++
			p.value()
			p.indexable = true
			// Behind a block a statement begins, behind a subscript it goes on.
			p.unsure = c == '}'
		case c == '-' && p.term && isLetter(p.peek(1)):
			p.fail("a test of files, or a word with a dash")
		case c == '-' && p.peek(1) == '>', c == ':' && p.peek(1) == ':':
			p.fail("a reference or a name of another package")
		case c == '&' && p.peek(1) == '&':
			p.at += 2
			p.wants()
		case (c == '&' || c == '*' || c == '?') && (p.term || p.unsure), c == '`', c == '~' && p.peek(1) == '~', c >= 0x80, c < ' ':
			p.fail("something that longline does not follow in Perl")
		case strings.HasPrefix(p.text[p.at:], "++") || strings.HasPrefix(p.text[p.at:], "--"):
			p.at += 2 // before or after a value: what is expected stays
			p.unsure = p.unsure || p.term
		case strings.IndexByte("=+-*/%.,;:?!<>|&^~\\", c) >= 0:
			p.operator()
		default:
			p.fail("something that longline does not follow in Perl")
		}
	}
	if len(p.open) > 0 {
		p.fail("parentheses do not match")
	}
}

// operator reads an operator. Where a value is expected only those that stand in
// front of one may come, and the ends of lists and statements.
func (p *perlReader) operator() {
	rest := p.text[p.at:]
	op := rest[:1]
	for _, o := range [...]string{"<=>", "**=", "||=", "&&=", "//=", "<<=", ">>=", "...", "==", "!=", "=~", "!~", "<=", ">=", "=>", "..", "**", "||", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "^=", "<<", ">>", "//"} {
		if strings.HasPrefix(rest, o) {
			op = o
			break
		}
	}
	if p.term && !p.unsure && !HasWord(`+ - ! ~ \ ; ,`, op) {
		p.fail("an operator without a value in front of it")
	}
	p.at += len(op)
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
		p.plural('$')
	case isDigit(c):
		for isDigit(p.peek(0)) {
			p.at++
		}
		p.value()
	case c != 0 && strings.IndexByte("&.,/\\;!@\"+|-", c) >= 0:
		p.at++
		p.value()
	default:
		p.fail("a variable that longline does not know")
	}
}

// plural reads the name of a variable, of which the sign has been read.
func (p *perlReader) plural(sign byte) {
	start := p.at
	for isWordByte(p.peek(0)) {
		p.at++
	}
	name := p.text[start:p.at]
	switch {
	case name == "" || isDigit(name[0]), p.peek(0) == ':' && p.peek(1) == ':', p.peek(0) == '\'' && isLetter(p.peek(1)):
		p.fail("a variable whose name is computed")
	case name == "ENV":
		key, _, ok := strings.Cut(p.text[p.at:], "}")
		key = strings.Trim(strings.TrimPrefix(key, "{"), `'"`)
		if sign != '$' || p.peek(0) != '{' || !ok || !IsName(key) || SecretName(key) {
			p.fail("a look at the environment")
		}
	case HasWord("ARGV INC SIG ARGVOUT DATA", name) && !(name == "ARGV" && sign == '$' && p.peek(0) != '[' && p.peek(0) != '{'):
		p.fail("the variable " + Quote(name))
	}
	if name == "ARGV" && strings.HasPrefix(strings.TrimLeft(p.text[p.at:], " "), "=") && !strings.HasPrefix(strings.TrimLeft(p.text[p.at:], " "), "==") {
		p.fail("the variable " + Quote(name))
	}
	p.value()
	p.indexable = true
}

// word reads a bareword: a known function or keyword, a quoting operator, or a
// key.
func (p *perlReader) word(depth int) {
	start := p.at
	for isWordByte(p.peek(0)) {
		p.at++
	}
	name := p.text[start:p.at]
	after := strings.TrimLeft(p.text[p.at:], " \t\n")
	if strings.HasPrefix(after, "=>") || start > 0 && p.text[start-1] == '{' && strings.HasPrefix(p.text[p.at:], "}") {
		if HasWord("s m y q qq qw qx qr tr", name) {
			p.fail("a key that can be read in two ways")
		}
		p.value() // a key
		return
	}
	infix := HasWord("if unless while until for foreach and or xor eq ne lt gt le ge cmp x", name)
	switch statement := p.term && p.begins(start); {
	case p.unsure:
		if HasWord("eq ne lt gt le ge cmp x and or xor", name) {
			p.fail("a word that can be read in two ways")
		}
	case p.term && p.last != "" && !HasWord("my our local and or not xor if unless while until", p.last) && HasWord("if unless while until for foreach and or", name):
		// The word before stands alone.
	case p.term && infix && !(statement && HasWord("if unless while until for foreach", name)):
		p.fail("an operator without a value in front of it")
	case !p.term && !infix:
		p.fail("two values without an operator between them")
	}
	switch name {
	case "q", "qw":
		p.delimitedAfter()
		p.value()
	case "qq":
		body, _ := p.delimitedAfter()
		p.interpolated(body, false)
		p.value()
	case "m", "qr":
		body, _ := p.delimitedAfter()
		p.interpolated(body, true)
		p.modifiers("gimsxoncualdp")
		p.value()
	case "tr", "y":
		_, delim := p.delimitedAfter()
		p.second(delim)
		p.modifiers("cdsr")
		p.value()
	case "s":
		body, delim := p.delimitedAfter()
		p.interpolated(body, true)
		replacement := p.second(delim)
		flags := p.modifiers("egimsxoncualdpr")
		switch strings.Count(flags, "e") {
		case 0:
			if delim != '\'' {
				p.interpolated(replacement, false)
			}
		case 1:
			inner := perlReader{text: replacement}
			inner.scan(depth + 1)
			if inner.deeds.Problem != "" {
				p.fail(inner.deeds.Problem)
			}
		default:
			p.fail("text that is run as code")
		}
		p.value()
	default:
		if !HasWord(perlWords, name) {
			p.fail("the word " + Quote(name))
		}
		p.wants()
		p.last = name
		// Without arguments these are values, and a slash divides.
		p.unsure = !HasWord(perlBeforeTerm, name)
	}
}

// begins says whether a statement begins at an index.
func (p *perlReader) begins(at int) bool {
	before := strings.TrimRight(p.text[:at], " \t\n")
	return before == "" || strings.IndexByte(";{}", before[len(before)-1]) >= 0
}

// angle is "<" where a value is expected: reading a line, or a pattern of files.
func (p *perlReader) angle() {
	for _, form := range [...]string{"<STDIN>", "<>"} {
		if strings.HasPrefix(p.text[p.at:], form) && p.term {
			p.at += len(form)
			p.value()
			return
		}
	}
	p.fail("a file handle, or text that follows")
}

// delimitedAfter reads what a quoting operator quotes.
func (p *perlReader) delimitedAfter() (body string, delim byte) {
	if isBlank(p.peek(0)) {
		p.fail("a blank behind a quoting operator")
		return "", 0
	}
	delim = p.peek(0)
	if delim == 0 || isWordByte(delim) || delim == '#' || delim == '=' || delim == ',' || delim == ';' || delim == ')' || delim >= 0x80 {
		p.fail("a quoting operator that longline does not follow")
		return "", 0
	}
	return p.delimited(delim), delim
}

// delimited reads text between delimiters, of which the first stands here.
// Brackets nest.
func (p *perlReader) delimited(open byte) string {
	closing := open
	if i := strings.IndexByte("([{<", open); i >= 0 {
		closing = ")]}>"[i]
	}
	p.at++
	start, depth := p.at, 0
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '\\':
			p.at++
		case c == closing && depth == 0:
			return p.text[start : p.at-1]
		case c == closing:
			depth--
		case c == open:
			depth++
		}
	}
	p.at = len(p.text)
	p.fail("quotes do not end")
	return ""
}

// second reads the second part of s or tr.
func (p *perlReader) second(delim byte) string {
	if p.deeds.Problem != "" {
		return ""
	}
	if strings.IndexByte("([{<", delim) >= 0 {
		for isBlank(p.peek(0)) {
			p.at++
		}
		if next := p.peek(0); next != delim {
			p.fail("a substitution with two kinds of brackets")
			return ""
		}
		return p.delimited(delim)
	}
	p.at-- // the delimiter that ended the first part begins the second
	return p.delimited(delim)
}

func (p *perlReader) modifiers(known string) string {
	start := p.at
	for isWordByte(p.peek(0)) {
		if strings.IndexByte(known, p.peek(0)) < 0 {
			p.fail("a modifier that longline does not know")
			return ""
		}
		p.at++
	}
	return p.text[start:p.at]
}

// interpolated makes sure that what is put into a text or pattern is no more
// than variables and their simple elements.
func (p *perlReader) interpolated(text string, regex bool) {
	if strings.Contains(text, "(?{") || strings.Contains(text, "(??{") || strings.Contains(text, "(*{") || strings.Contains(text, "(?p{") {
		p.fail("code in a pattern")
	}
	for i := 0; i < len(text) && p.deeds.Problem == ""; i++ {
		c := text[i]
		if c == '\\' {
			i++
			continue
		}
		if c != '$' && c != '@' || i+1 == len(text) {
			continue
		}
		rest := text[i+1:]
		switch {
		case rest[0] == '{':
			name, _, ok := strings.Cut(rest[1:], "}")
			if !ok || !IsName(name) || HasWord("ENV ARGV INC SIG", name) {
				p.fail("an expression in a text")
			}
		case rest[0] == '$' || rest[0] == ':':
			if !(regex && rest[0] == '$') || len(rest) > 1 {
				p.fail("a variable whose name is computed")
			}
		case isLetter(rest[0]):
			end := wordLength(rest)
			name := rest[:end]
			if strings.HasPrefix(rest[end:], "::") || strings.HasPrefix(rest[end:], "->") || HasWord("ARGV INC SIG ENV", name) && !(name == "ARGV" && c == '$') {
				p.fail("an expression in a text")
				return
			}
			if end < len(rest) && (rest[end] == '[' || rest[end] == '{') {
				closing := byte(']')
				if rest[end] == '{' {
					closing = '}'
				}
				key, _, ok := strings.Cut(rest[end+1:], string(closing))
				if !ok || strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$-") != "" {
					p.fail("an expression in a text")
				}
			}
		}
	}
}
