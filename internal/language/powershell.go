package language

import (
	"strings"
	"unicode/utf16"

	"longline/internal/tool"
)

// PowerShell and the command line of Windows are read as far as they look at things: pipelines
// of cmdlets that only read, with constant words. Variables, blocks, expressions, redirections
// and every cmdlet or parameter that is not listed here are not followed.

// cmdlet is what is known of one: the parameters that it takes, and what its words are.
type cmdlet struct {
	name             string
	words            string // "read", "list", "search", "text", or "none"
	switches, values string // parameters without a value, and with one
}

// cmdlets are those that look, count, sort and print, a line for each: names, what its words
// are, parameters without a value, parameters with one, in lower case. Aliases that are programs
// of their own on other systems (ps, sort, tee) are not among them. It is text because a table
// would be built with every call.
const cmdlets = `
get-content gc cat type: read: raw force wait: path literalpath totalcount head first tail last encoding readcount
get-filehash: read: : path literalpath algorithm
get-childitem gci ls dir: list: recurse file directory hidden force name system readonly: path literalpath filter include exclude depth
get-item gi: list: force: path literalpath
test-path: list: : path literalpath pathtype
resolve-path rvpa: list: relative: path literalpath
split-path: text: leaf parent leafbase extension qualifier noqualifier isabsolute: path
join-path: text: : path childpath
select-string sls: search: casesensitive simplematch quiet list notmatch allmatches raw noemphasis: pattern path literalpath context encoding include exclude
get-location gl pwd: none: : 
get-date: text: asutc: format uformat
get-process gps: text: includeusername fileversioninfo: name id
get-service gsv: text: : name displayname
get-command gcm: text: all syntax showcommandinfo: name module commandtype
get-alias: text: : name definition
get-host: none: : 
get-psdrive: text: : name psprovider
get-uptime: none: since: 
get-random: text: : maximum minimum count
measure-object measure: text: line word character sum average maximum minimum: property
select-object select: text: unique: first last skip property expandproperty excludeproperty index
sort-object: text: descending unique casesensitive: property top bottom
group-object group: text: noelement ashashtable: property
where-object where ?: text: eq ne like notlike match notmatch gt ge lt le contains in: property value
get-unique gu: none: asstring: 
format-table ft: text: autosize wrap hidetableheaders: property groupby
format-list fl: text: : property groupby
format-wide fw: text: autosize: property column
out-string: none: stream nonewline: width
out-host oh: none: paging: 
out-null: none: : 
write-output echo write: text: noenumerate: 
write-host: text: nonewline: foregroundcolor backgroundcolor separator
convertfrom-json: none: ashashtable: depth
convertto-json: none: compress: depth
convertfrom-csv: none: : delimiter header
convertto-csv: none: notypeinformation: delimiter
convertto-xml: none: notypeinformation: depth as
compare-object diff: text: includeequal excludedifferent: property
`

// findCmdlet looks a cmdlet up by its name in lower case.
func findCmdlet(name string) (c cmdlet, ok bool) {
	for line := range strings.SplitSeq(cmdlets, "\n") {
		names, rest, _ := strings.Cut(line, ": ")
		if !HasWord(names, name) {
			continue
		}
		c.name, _, _ = strings.Cut(names, " ")
		c.words, rest, _ = strings.Cut(rest, ": ")
		c.switches, c.values, _ = strings.Cut(rest, ": ")
		return c, true
	}
	return c, false
}

const notCmdlets = "it is more than a pipeline of cmdlets that read"

// powershellDeeds reads the text of -Command.
func powershellDeeds(text string) (d Deeds) {
	if len(text) > 8<<10 {
		d.fail("it is too long")
		return d
	}
	statements, ok := powershellWords(text)
	if !ok {
		d.fail(notCmdlets)
		return d
	}
	for _, pipeline := range statements {
		var fed []string // what the stage before hands on as files
		for _, words := range pipeline {
			fed = d.cmdlet(words, fed)
			if d.Problem != "" {
				return d
			}
		}
	}
	return d
}

// encodedPowershell reads the text of -EncodedCommand: UTF-16 in base64.
func encodedPowershell(text string) (d Deeds) {
	raw, ok := decode64(strings.TrimSpace(text))
	if !ok || len(raw)%2 != 0 || len(raw) > 16<<10 {
		d.fail("it cannot be decoded")
		return d
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return powershellDeeds(string(utf16.Decode(units)))
}

// decode64 decodes base64. The package of the library for it would be linked for this alone.
func decode64(text string) (raw []byte, ok bool) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	if len(text)%4 != 0 {
		return nil, false
	}
	bits, held := uint32(0), 0
	plain := strings.TrimRight(text, "=")
	if len(text)-len(plain) > 2 {
		return nil, false
	}
	for i := range len(plain) {
		digit := strings.IndexByte(digits, plain[i])
		if digit < 0 {
			return nil, false
		}
		if bits, held = bits<<6|uint32(digit), held+6; held >= 8 {
			held -= 8
			raw = append(raw, byte(bits>>held))
		}
	}
	return raw, true
}

// powerWord is a word of a statement; a quoted one is no parameter.
type powerWord struct {
	text   string
	quoted bool
}

// parameter is what follows the dash of a word that is a parameter.
func (w powerWord) parameter() (string, bool) {
	param, ok := strings.CutPrefix(w.text, "-")
	return param, ok && !w.quoted
}

// powerLexer takes statements apart into pipelines and words.
type powerLexer struct {
	cursor
	statements [][][]powerWord
	pipeline   [][]powerWord
	words      []powerWord
	barred     bool // a bar stands before this place
}

// powershellWords takes statements apart into pipelines and words. It is false where there is
// something that is neither a constant word nor what separates them.
func powershellWords(text string) (statements [][][]powerWord, ok bool) {
	l := powerLexer{cursor: cursor{text: text}}
	for ok = true; ok && l.more(); {
		switch c := l.text[l.at]; c {
		case ' ', '\t', '\r':
			l.at++
		case ';', '\n':
			ok = l.statement()
			l.at++
		case '|':
			ok = len(l.words) > 0
			l.stage()
			l.barred = true
			l.at++
		case '\'', '"':
			ok = l.quoted(c)
		default:
			ok = l.bare()
		}
	}
	return l.statements, ok && l.statement()
}

// stage ends a stage of a pipeline.
func (l *powerLexer) stage() {
	if len(l.words) > 0 {
		l.pipeline, l.words = append(l.pipeline, l.words), nil
	}
}

// statement ends a statement; it is false where a stage is missing.
func (l *powerLexer) statement() bool {
	if l.barred && len(l.words) == 0 {
		return false
	}
	l.stage()
	if len(l.pipeline) > 0 {
		l.statements, l.pipeline = append(l.statements, l.pipeline), nil
	}
	return true
}

func (l *powerLexer) word(text string, quoted bool) {
	l.words, l.barred = append(l.words, powerWord{text, quoted}), false
}

// quoted reads a word in quotes. The quotes of other scripts end it as well, a dollar
// sign or a backtick puts something in, and it may go on behind them.
func (l *powerLexer) quoted(quote byte) bool {
	body, _, ended := strings.Cut(l.rest()[1:], string(quote))
	if !ended || strings.ContainsAny(body, "‘’‚‛“”„‟") || quote == '"' && strings.ContainsAny(body, "$`") {
		return false
	}
	l.take(len(body) + 2)
	if l.more() && !l.among(0, " \t\r\n;|,") {
		return false
	}
	l.word(body, true)
	if l.peek(0) == ',' {
		l.at++
	}
	return true
}

// bare reads a word without quotes.
func (l *powerLexer) bare() bool {
	start := l.at
	for isWordByte(l.peek(0)) || l.among(0, `_./\:*?~-+%=,`) {
		l.at++
	}
	if l.at == start || l.more() && !l.among(0, " \t\r\n;|") {
		return false
	}
	l.word(l.text[start:l.at], false)
	return true
}

// cmdlet adds what one stage of a pipeline does. It returns the paths that it hands on.
func (d *Deeds) cmdlet(words []powerWord, fed []string) []string {
	known, ok := findCmdlet(strings.ToLower(words[0].text))
	if !ok || words[0].quoted {
		d.fail(notCmdlets)
		return nil
	}
	paths, plain, ok := known.arguments(words[1:])
	if !ok {
		d.fail(notCmdlets)
		return nil
	}
	return d.stage(known, paths, plain, fed)
}

// stage is what a cmdlet does with paths that parameters name, other words, and what the
// stage before hands on. It returns what it hands on itself.
func (d *Deeds) stage(known cmdlet, paths, plain, fed []string) []string {
	switch known.words {
	case "none":
		if len(plain) > 0 {
			d.fail(notCmdlets)
		}
	case "read":
		d.reads(append(paths, plain...), false)
		if len(fed) > 0 {
			d.addOpen(tool.Read) // whatever lies there is printed
		}
	case "search":
		if len(plain) > 1 {
			paths = append(paths, plain[1:]...)
		}
		d.reads(append(paths, fed...), len(fed) > 0)
	case "list":
		return d.lists(append(paths, plain...))
	}
	if HasWord("where-object select-object sort-object", known.name) {
		return fed
	}
	return nil
}

// arguments takes the words behind a cmdlet apart: paths that a parameter names, and
// words without one. It is false for a parameter that is not known.
func (c cmdlet) arguments(words []powerWord) (paths, plain []string, ok bool) {
	for i := 0; i < len(words); i++ {
		param, ok := words[i].parameter()
		if !ok {
			plain = append(plain, strings.Split(words[i].text, ",")...)
			continue
		}
		param, value, glued := strings.Cut(param, ":")
		param = strings.ToLower(param)
		if HasWord(c.switches, param) && !glued {
			continue
		}
		if !HasWord(c.values, param) {
			return nil, nil, false
		}
		if !glued {
			if i++; i == len(words) {
				return nil, nil, false
			}
			value = words[i].text
		}
		switch param {
		case "path", "literalpath":
			paths = append(paths, strings.Split(value, ",")...)
		case "pattern":
			plain = append([]string{value}, plain...)
		}
	}
	return paths, plain, true
}

// lists is the listing of places, which it returns.
func (d *Deeds) lists(paths []string) []string {
	if len(paths) == 0 {
		return []string{"."}
	}
	for _, p := range paths {
		if drive, _, ok := strings.Cut(p, ":"); ok && strings.EqualFold(drive, "env") {
			d.add(tool.Control, "env.dump")
		} else if ok && len(drive) > 1 {
			d.fail(notCmdlets)
		}
	}
	return paths
}

// reads adds reads of paths, as PowerShell writes them.
func (d *Deeds) reads(paths []string, tree bool) {
	for _, p := range paths {
		drive, rest, driven := strings.Cut(p, ":")
		switch {
		case driven && strings.EqualFold(drive, "env"):
			if secretNamed(strings.Trim(rest, `\/`)) {
				d.add(tool.Control, "env.secret")
			}
		case driven && len(drive) > 1:
			d.fail(notCmdlets)
		case driven, strings.ContainsAny(p, "*?[%"), strings.HasPrefix(p, `\`):
			d.addOpen(tool.Read)
		case p != "":
			p = strings.ReplaceAll(p, `\`, "/")
			rest, home := strings.CutPrefix(p, "~/")
			d.List = append(d.List, Deed{Kind: tool.Read, Target: rest, Home: home, Tree: tree})
		}
	}
}

// secretNamed says whether a variable may hold a secret, or which one it is is not said.
func secretNamed(name string) bool {
	return name == "" || strings.Contains(name, "*") || SecretName(name)
}

// cmdDeeds reads the text of cmd /c, if it is one of the commands that print.
func cmdDeeds(text string) (d Deeds) {
	words := strings.Fields(text)
	if len(words) == 0 || strings.ContainsAny(text, "&|<>%^\"'()`\n") {
		d.fail(notCmdlets)
		return d
	}
	switch strings.ToLower(words[0]) {
	case "dir", "ver", "vol", "echo", "tree", "cd", "chdir":
	case "type":
		d.reads(words[1:], false)
	case "set":
		d.add(tool.Control, "env.dump")
	default:
		d.fail(notCmdlets)
	}
	return d
}
