package powershell

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/syntax"
)

// val is what an expression is worth.
type val struct {
	words   []*syntax.Word // its elements; none if it is nothing
	direct  []*syntax.Stmt // if it is what these print, and no more
	table   []entry        // if it is a table of constants
	isTable bool
	isBlock bool
	block   []*syntax.Stmt // of a block of code, which may be empty
}

// entry is one of a table.
type entry struct {
	name  string
	value val
}

// one is what a word is worth.
func one(w *syntax.Word) val { return val{words: []*syntax.Word{w}} }

// elements are the words that a value is as a list: what a command prints are its lines.
func (v val) elements() []*syntax.Word {
	if v.direct == nil || len(v.words) != 1 {
		return v.words
	}
	if q, ok := v.words[0].Parts[0].(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		return []*syntax.Word{{Parts: q.Parts}}
	}
	return v.words
}

// parts are the parts of all words of values.
func parts(from []val) (list []syntax.WordPart) {
	for _, v := range from {
		for _, w := range v.words {
			list = append(list, w.Parts...)
		}
		for _, e := range v.table {
			list = append(list, parts([]val{e.value})...)
		}
	}
	return list
}

// unknown is a value of which nothing is known but what it is made from.
func (p *parser) unknown(start, end int, from ...val) val {
	e := &syntax.ParamExp{Dollar: p.pos(start), Rbrace: p.pos(max(end-1, start)), Param: p.lit("_ps", start), Exp: &syntax.Expansion{Op: syntax.UpperAll}}
	if list := parts(from); len(list) > 0 {
		e.Exp.Word = &syntax.Word{Parts: list}
	}
	return one(&syntax.Word{Parts: []syntax.WordPart{p.inQuotes(e, start, end)}})
}

// text is a value that is a text.
func (p *parser) textValue(text string, start int) val { return one(p.quoted(text, start, p.at)) }

// printed is what statements print, as a value.
func (p *parser) printed(list []*syntax.Stmt, start int) val {
	v := one(&syntax.Word{Parts: []syntax.WordPart{p.inQuotes(p.output(list, start), start, p.at)}})
	v.direct = list
	return v
}

// home is the home directory.
func (p *parser) home(start int) val {
	return one(&syntax.Word{Parts: []syntax.WordPart{p.variable("HOME", start, p.at)}})
}

// below is a place below the home directory.
func (p *parser) below(rest string, start int) val {
	v := p.home(start)
	v.words[0].Parts = append(v.words[0].Parts, p.text1(rest, start, p.at))
	return v
}

// quoteAt says which quote stands at a place, and how long it is: others than the usual ones count too.
func (p *parser) quoteAt(at int) (quote byte, size int) {
	switch c := p.text[at]; {
	case c == '\'' || c == '"':
		return c, 1
	case c == 0xe2 && at+2 < len(p.text) && p.text[at+1] == 0x80:
		switch c := p.text[at+2]; {
		case c >= 0x98 && c <= 0x9b:
			return '\'', 3
		case c >= 0x9c && c <= 0x9e:
			return '"', 3
		}
	}
	return 0, 0
}

// dashAt is the length of a dash, of which there are longer ones.
func (p *parser) dashAt(at int) int {
	switch {
	case at >= len(p.text):
	case p.text[at] == '-':
		return 1
	case strings.HasPrefix(p.text[at:], "\u2013"), strings.HasPrefix(p.text[at:], "\u2014"), strings.HasPrefix(p.text[at:], "\u2015"):
		return 3
	}
	return 0
}

// builder puts a word together.
type builder struct {
	p     *parser
	start int
	from  int // where the text at hand begins
	text  strings.Builder
	parts []syntax.WordPart
}

func (b *builder) flush() {
	if text := b.text.String(); text != "" {
		if len(b.parts) == 0 && (text == "~" || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, `~\`)) { // which is that for who takes it for a path
			b.parts = append(b.parts, b.p.variable("HOME", b.from, b.p.at))
			text = strings.ReplaceAll(text[1:], `\`, "/")
		}
		if b.p.windows {
			text = slashed(text, len(b.parts) > 0)
		}
		if text != "" {
			b.parts = append(b.parts, b.p.text1(text, b.from, b.p.at))
		}
		b.text.Reset()
	}
	b.from = b.p.at
}

// slashed is a text as a path if it is surely one: what begins with a drive, or goes on behind a value with a backslash.
func slashed(text string, on bool) string {
	if !on && paths.OfWindows(text) {
		if path, ok := paths.FromWindows(text); ok {
			return path
		}
	}
	if on && len(text) > 1 && text[0] == '\\' && (isNameByte(text[1]) || text[1] == '.' || text[1] == '*') {
		return strings.ReplaceAll(text, `\`, "/")
	}
	return text
}

func (b *builder) add(v val) {
	b.flush()
	for i, w := range v.words {
		if i > 0 {
			b.text.WriteByte(' ')
			b.flush()
		}
		b.parts = append(b.parts, w.Parts...)
	}
}

func (b *builder) word() *syntax.Word {
	if b.flush(); len(b.parts) == 0 {
		return b.p.quoted("", b.start, b.p.at)
	}
	return &syntax.Word{Parts: b.parts}
}

// escape reads what stands behind a backtick.
func (b *builder) escape() {
	p := b.p
	p.at++
	c := p.peek(0)
	p.at = min(p.at+1, len(p.text))
	switch c {
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case 'a':
		c = '\a'
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'v':
		c = '\v'
	case 'e':
		c = 0x1b
	case '0':
		c = ' ' // which ends many a text
	case 'u':
		if end := strings.IndexByte(p.text[p.at:], '}'); p.peek(0) == '{' && end > 1 && end < 8 {
			n := rune(0)
			for _, d := range []byte(strings.ToLower(p.text[p.at+1 : p.at+end])) {
				i := strings.IndexByte("0123456789abcdef", d)
				n = n<<4 | rune(max(i, 0))
			}
			b.text.WriteRune(n)
			p.at += end + 1
			return
		}
	case '\r':
		if p.peek(0) == '\n' {
			p.at++
		}
		return
	case '\n', 0:
		return
	}
	b.text.WriteByte(c)
}

// string reads a text in quotes.
func (p *parser) stringValue() val {
	start := p.at
	quote, size := p.quoteAt(p.at)
	p.at += size
	b := builder{p: p, start: start, from: start}
	for p.at < len(p.text) {
		if q, n := p.quoteAt(p.at); q == quote {
			p.at += n
			if again, n := byte(0), 0; p.at < len(p.text) {
				if again, n = p.quoteAt(p.at); again == quote {
					b.text.WriteString(p.text[p.at : p.at+n])
					p.at += n
					continue
				}
			}
			return one(b.word())
		}
		b.inString(quote == '"')
	}
	p.problem("a text without an end", start)
	return p.unknown(start, p.at, one(b.word()))
}

// inString reads what is next in a text, in which variables count or not.
func (b *builder) inString(expands bool) {
	p := b.p
	switch c := p.text[p.at]; {
	case expands && c == '`':
		b.escape()
	case expands && c == '$' && p.peek(1) == '(':
		b.flush()
		b.add(p.subexpression())
	case expands && c == '$' && p.beginsVariable():
		b.flush()
		b.add(p.variableValue(false))
	default:
		b.text.WriteByte(c)
		p.at++
	}
}

// hereString reads @' or @" up to a line that begins with its end.
func (p *parser) hereString() val {
	start := p.at
	p.at++
	quote, size := p.quoteAt(p.at)
	p.at += size
	for p.peek(0) == ' ' || p.peek(0) == '\t' || p.peek(0) == '\r' {
		p.at++
	}
	if p.peek(0) != '\n' {
		p.problem("a text that does not begin in its next line", start)
		p.at = len(p.text)
		return p.unknown(start, p.at)
	}
	b := builder{p: p, start: start}
	ends := func(at int) int { // at the beginning of a line
		if at < len(p.text) {
			if q, n := p.quoteAt(at); q == quote && at+n < len(p.text) && p.text[at+n] == '@' {
				return n + 1
			}
		}
		return 0
	}
	p.at++
	b.from = p.at
	if n := ends(p.at); n > 0 {
		p.at += n
		return one(b.word())
	}
	for p.at < len(p.text) {
		if p.text[p.at] == '\n' {
			if n := ends(p.at + 1); n > 0 {
				b.flush()
				p.at += 1 + n
				return one(b.word())
			}
		}
		if p.text[p.at] == '\r' && p.peek(1) == '\n' {
			p.at++
			continue
		}
		b.inString(quote == '"')
	}
	p.problem("a text without an end", start)
	return p.unknown(start, p.at, one(b.word()))
}

// beginsVariable says whether a dollar begins a variable.
func (p *parser) beginsVariable() bool {
	c := p.peek(1)
	return isNameByte(c) || c == '{' || c == '?' || c == '$' || c == '^' || c == ':'
}

// variableName reads a variable. Those of the environment are called env:NAME in the case that the environment has.
func (p *parser) variableName() (name string, ok bool) {
	p.at++
	start := p.at
	if p.take("{") {
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			p.at = len(p.text)
			return "", false
		}
		name = p.text[p.at : p.at+end]
		p.at += end + 1
	} else {
		for isNameByte(p.peek(0)) || p.peek(0) == ':' && isNameByte(p.peek(1)) {
			p.at++
		}
		if p.at == start {
			p.at++ // $? and its like
		}
		name = p.text[start:min(p.at, len(p.text))]
	}
	scope, rest, scoped := strings.Cut(name, ":")
	switch scope = strings.ToLower(scope); {
	case !scoped:
		name = strings.ToLower(name)
	case scope == "env":
		if p.windows {
			rest = strings.ToUpper(rest)
		}
		name = "env:" + rest
	case hasWord("global local script private using variable", scope):
		name = strings.ToLower(rest)
	default:
		return "", false
	}
	for _, c := range []byte(strings.TrimPrefix(name, "env:")) {
		if !isLetter(c) && !isDigit(c) && c != '_' {
			return "", false
		}
	}
	return name, name != ""
}

// variableValue reads a variable and returns its value. Members count outside of texts only.
func (p *parser) variableValue(members bool) val {
	start := p.at
	name, ok := p.variableName()
	if !ok {
		return p.unknown(start, p.at)
	}
	v, is := p.special(name, start)
	if !is {
		if p.lists[name] {
			e := &syntax.ParamExp{Dollar: p.pos(start), Rbrace: p.pos(max(p.at-1, start)), Param: p.lit(inShell(name), start), Index: &syntax.Word{Parts: []syntax.WordPart{p.lit("@", start)}}}
			v = one(&syntax.Word{Parts: []syntax.WordPart{p.inQuotes(e, start, p.at)}})
		} else {
			v = one(&syntax.Word{Parts: []syntax.WordPart{p.variable(inShell(name), start, p.at)}})
		}
		if table, is := p.tables[name]; is {
			v.table, v.isTable = table, true
		}
	}
	if members {
		return p.members(v, start)
	}
	return v
}

// folders are what variables of Windows hold, below the home directory or from the root.
const folders = `
env:USERPROFILE ~
env:HOME ~
env:HOMEPATH ~
env:APPDATA ~/AppData/Roaming
env:LOCALAPPDATA ~/AppData/Local
env:TEMP ~/AppData/Local/Temp
env:TMP ~/AppData/Local/Temp
env:ONEDRIVE ~/OneDrive
env:PROGRAMDATA /c/ProgramData
env:ALLUSERSPROFILE /c/ProgramData
env:PUBLIC /c/Users/Public
env:PROGRAMFILES /c/Program Files
env:SYSTEMROOT /c/Windows
env:WINDIR /c/Windows
env:SYSTEMDRIVE /c
env:HOMEDRIVE /c
profile ~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1
`

// special is the value of a variable that the shell sets itself.
func (p *parser) special(name string, start int) (val, bool) {
	switch name {
	case "home", "env:HOME":
		return p.home(start), true
	case "pwd":
		return one(&syntax.Word{Parts: []syntax.WordPart{p.variable("PWD", start, p.at)}}), true
	case "null":
		return val{}, true
	case "true":
		return p.textValue("True", start), true
	case "false":
		return p.textValue("False", start), true
	case "profile":
		if !p.windows {
			return p.below("/.config/powershell/Microsoft.PowerShell_profile.ps1", start), true
		}
	case "psscriptroot", "myinvocation", "pscommandpath", "error", "matches", "input", "psitem", "args", "lastexitcode", "psversiontable", "host", "executioncontext":
		if name == "psitem" {
			return one(&syntax.Word{Parts: []syntax.WordPart{p.variable(inShell("_"), start, p.at)}}), true
		}
		return p.unknown(start, p.at), true
	}
	if !p.windows {
		return val{}, false
	}
	for line := range strings.SplitSeq(folders, "\n") {
		if of, at, _ := strings.Cut(line, " "); of == name {
			if rest, home := strings.CutPrefix(at, "~"); home {
				return p.below(rest, start), true
			}
			return p.textValue(at, start), true
		}
	}
	return val{}, false
}

// subexpression reads $( ) or @( ).
func (p *parser) subexpression() val {
	start := p.at
	p.at += 2
	var list []*syntax.Stmt
	p.deeper(func() { list = p.statements(')') })
	if !p.take(")") {
		p.problem("an expression without an end", start)
	}
	return p.worth(list, start)
}

// worth is the value of statements: what they print, or what a single one is worth that only has a value.
func (p *parser) worth(list []*syntax.Stmt, start int) val {
	if len(list) == 0 {
		return val{}
	}
	if len(list) == 1 {
		if c, ok := list[0].Cmd.(*syntax.CallExpr); ok && len(list[0].Redirs) == 0 && len(c.Args) > 0 && constant(c.Args[0]) == showing {
			v := val{words: c.Args[1:]}
			if len(v.words) == 1 && len(v.words[0].Parts) == 1 {
				if q, ok := v.words[0].Parts[0].(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
					if s, ok := q.Parts[0].(*syntax.CmdSubst); ok {
						v.direct = s.Stmts
					}
				}
			}
			return v
		}
	}
	return p.printed(list, start)
}
