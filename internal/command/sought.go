package command

import (
	"strconv"
	"strings"
)

// A search is for all there is if it finds every line of settings, whatever they hold: ^[A-Z_]+= does. A letter that must be there
// limits it, one of many that may be there does not. What an expression asks for is read as lists of characters that follow each
// other, one list for each way to go through it. Which of the two kinds of expressions it is depends on the program: both are tried.

// piece is a character of an expression, or the beginning or end of a line.
type piece struct {
	set   charset
	text  byte // the character that it must be, '_' for any of many that make names, and 0 for any others
	least int  // how often it must be there
	more  bool // it may be there more often
	edge  byte // '^' or '$', which is no character
}

// charset is a set of bytes.
type charset [4]uint64

func (s *charset) add(first, last byte) {
	for c := int(first); c <= int(last); c++ {
		s[c>>6] |= 1 << (c & 63)
	}
}

func (s *charset) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

func (s *charset) join(other charset) {
	for i := range s {
		s[i] |= other[i]
	}
}

func (s *charset) turned() (t charset) {
	for i := range s {
		t[i] = ^s[i]
	}
	return t
}

// Bounds of what is read of an expression: its length, its groups in groups, the ways through it and the characters of one.
const maxSoughtText, maxSoughtDepth, maxSoughtWays, maxSoughtPieces = 1000, 8, 32, 64

// sought are the ways through an expression, basic or extended. Without one it is none of this kind.
func sought(pattern string, extended bool) [][]piece {
	if len(pattern) > maxSoughtText {
		return nil
	}
	p := &seeker{text: pattern, extended: extended}
	ways := p.either(0)
	if p.broken || p.at < len(p.text) {
		return nil
	}
	return ways
}

// seeker reads an expression.
type seeker struct {
	text             string
	at               int
	extended, broken bool
}

func (p *seeker) take(s string) bool {
	if !strings.HasPrefix(p.text[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

// operator is a character as this kind of expression writes it where it is no text.
func (p *seeker) operator(c string) string {
	if p.extended {
		return c
	}
	return `\` + c
}

// either reads alternatives up to the end of a group.
func (p *seeker) either(depth int) (all [][]piece) {
	for {
		all = append(all, p.sequence(depth)...)
		all = all[:min(len(all), maxSoughtWays)]
		if p.broken || !p.take(p.operator("|")) && !p.take("\n") {
			return all
		}
	}
}

// sequence reads what stands side by side.
func (p *seeker) sequence(depth int) [][]piece {
	all := [][]piece{nil}
	for first := true; p.at < len(p.text) && !p.broken; first = false {
		rest := p.text[p.at:]
		if rest[0] == '\n' || strings.HasPrefix(rest, p.operator("|")) || depth > 0 && strings.HasPrefix(rest, p.operator(")")) {
			break
		}
		atoms := p.atom(depth, first)
		least, more := p.times()
		all = inTurn(all, repeatedly(atoms, least, more))
	}
	return all
}

// inTurn is each of some ways with each of others behind it, as far as there are not too many.
func inTurn(heads, tails [][]piece) (all [][]piece) {
	for _, head := range heads {
		for _, tail := range tails {
			if len(all) < maxSoughtWays && len(head)+len(tail) <= maxSoughtPieces {
				all = append(all, append(head[:len(head):len(head)], tail...))
			}
		}
	}
	return all
}

// repeatedly is something that is there so often. What may be missing is two ways, unless that makes no difference.
func repeatedly(atoms [][]piece, least int, more bool) [][]piece {
	if least == 1 && !more {
		return atoms
	}
	if len(atoms) == 1 && len(atoms[0]) == 1 && atoms[0][0].edge == 0 {
		one := atoms[0][0]
		one.least, one.more = least, more
		if least > 0 || one.text == 0 {
			return [][]piece{{one}}
		}
		one.least = 1
		return [][]piece{nil, {one}}
	}
	all := atoms
	for n := 1; n < min(least, 4); n++ {
		all = inTurn(all, atoms)
	}
	if least == 0 {
		all = append([][]piece{nil}, atoms...)
	}
	return all
}

// times reads how often something is there. What may be there once may be there more often, which finds little else.
func (p *seeker) times() (least int, more bool) {
	least = 1
	for p.at < len(p.text) {
		switch {
		case p.take("*"):
			least, more = 0, true
		case p.take(p.operator("+")):
			more = true
		case p.take(p.operator("?")):
			if !more { // else it says that as few as possible are taken
				least, more = 0, true
			}
		case strings.HasPrefix(p.text[p.at:], p.operator("{")):
			inner, _, ok := strings.Cut(p.text[p.at+len(p.operator("{")):], p.operator("}"))
			from, to, ranged := strings.Cut(inner, ",")
			n, err := strconv.Atoi(from)
			if !ok || err != nil && (from != "" || !ranged) {
				return least, more // the brace is text
			}
			p.at += 2*len(p.operator("{")) + len(inner)
			least, more = min(n, maxSoughtPieces), ranged && to != from
		default:
			return least, more
		}
	}
	return least, more
}

// atom reads one character, class or group.
func (p *seeker) atom(depth int, first bool) [][]piece {
	switch {
	case p.take(p.operator("(")):
		return p.group(depth)
	case p.extended && p.text[p.at] == ')':
		p.broken = true
		return nil
	}
	c := p.text[p.at]
	p.at++
	switch {
	case c == '^' && (p.extended || first), c == '$':
		return [][]piece{{{edge: c, least: 1}}}
	case c == '.':
		return oneOf((&charset{}).turned(), 0)
	case c == '[':
		return p.class()
	case c == '\\' && p.at < len(p.text):
		return p.escaped()
	}
	return literal(c)
}

// literal is a character that stands for itself.
func literal(c byte) [][]piece {
	var set charset
	set.add(c, c)
	return oneOf(set, c)
}

func oneOf(set charset, text byte) [][]piece { return [][]piece{{{set: set, text: text, least: 1}}} }

// group reads what stands in parentheses. What must not follow or stand before is left out.
func (p *seeker) group(depth int) [][]piece {
	without := false
	if p.extended && p.take("?") {
		without = p.take("!") || p.take("<!")
		if !without && !p.take("=") && !p.take("<=") {
			if end := strings.IndexAny(p.text[p.at:], ":>)"); end >= 0 {
				p.at += end
				if p.text[p.at] != ')' {
					p.at++ // (?:x), (?i:x), (?P<name>x), but not (?i)
				}
			}
		}
	}
	if depth == maxSoughtDepth {
		p.broken = true
		return nil
	}
	all := p.either(depth + 1)
	if !p.take(p.operator(")")) {
		p.broken = true
	}
	if without {
		return [][]piece{nil}
	}
	return all
}

// escaped reads what stands behind a backslash.
func (p *seeker) escaped() [][]piece {
	c := p.text[p.at]
	p.at++
	set, isClass := shorthand(c)
	switch {
	case isClass:
		return oneOf(set, inNames(set))
	case hasWord("b B < > A z Z K G Q E `  '", string(c)):
		return [][]piece{nil}
	case c == 'x':
		set.add(p.hexadecimal())
		return oneOf(set, 0)
	case c == 'p' || c == 'P':
		return oneOf(p.property(), 0)
	case c >= '1' && c <= '9':
		return oneOf(set.turned(), 0)
	}
	return literal(c)
}

// shorthand is the set that a letter behind a backslash stands for.
func shorthand(c byte) (set charset, ok bool) {
	switch c {
	case 'd', 'D':
		set.add('0', '9')
	case 'w', 'W':
		set = named("word")
	case 's', 'S', 'h':
		set = named("space")
	case 't':
		set.add('\t', '\t')
	case 'n':
		set.add('\n', '\n')
	case 'r':
		set.add('\r', '\r')
	default:
		return set, false
	}
	if c == 'D' || c == 'W' || c == 'S' {
		set = set.turned()
	}
	return set, true
}

// hexadecimal reads a byte as \x41 or \x{41}. What is beyond ASCII is any byte that is.
func (p *seeker) hexadecimal() (first, last byte) {
	digits := p.text[p.at:min(p.at+2, len(p.text))]
	if p.take("{") {
		digits, _, _ = strings.Cut(p.text[p.at:], "}")
		p.at++
	}
	p.at = min(p.at+len(digits), len(p.text))
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n >= 0x80 {
		return 0x80, 0xff
	}
	return byte(n), byte(n)
}

// property reads the kind of characters behind \p: L and its like are letters, scripts are taken to be beyond ASCII.
func (p *seeker) property() (set charset) {
	name := p.text[p.at:min(p.at+1, len(p.text))]
	if name == "{" {
		name, _, _ = strings.Cut(p.text[p.at+1:], "}")
		p.at += len("{}")
	}
	if p.at = min(p.at+len(name), len(p.text)); len(name) > 2 {
		set.add(0x80, 0xff)
		return set
	}
	return (&charset{}).turned()
}

// class reads a bracket expression.
func (p *seeker) class() [][]piece {
	var set charset
	turned := p.take("^")
	for first := true; ; first = false {
		if p.at == len(p.text) {
			p.broken = true
			return nil
		}
		if !first && p.take("]") {
			break
		}
		p.member(&set)
	}
	if turned {
		set = set.turned()
	}
	return oneOf(set, inNames(set))
}

// member reads a character, a range or a class of a bracket expression.
func (p *seeker) member(set *charset) {
	if p.take("[:") {
		name, _, _ := strings.Cut(p.text[p.at:], ":]")
		set.join(named(name))
		p.at = min(p.at+len(name)+len(":]"), len(p.text))
		return
	}
	first, last := p.bound()
	if first == '\\' && p.at < len(p.text) && p.text[p.at] != ']' { // in basic expressions it is a character
		c := p.text[p.at]
		p.at++
		if some, ok := shorthand(c); ok {
			set.join(some)
			return
		}
		first, last = c, c
		if c == 'x' {
			first, last = p.hexadecimal()
		}
	}
	if rest := p.text[p.at:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
		p.at++
		if p.take(`\x`) {
			_, last = p.hexadecimal()
		} else {
			_, last = p.bound()
		}
	}
	set.add(first, last)
}

func (p *seeker) bound() (first, last byte) {
	c := p.text[p.at]
	p.at++
	return c, c
}

// named is a class of characters by its name.
func named(name string) (set charset) {
	letters := hasWord("alpha alnum word graph print xdigit", name)
	if letters || name == "upper" {
		set.add('A', 'Z')
	}
	if letters || name == "lower" {
		set.add('a', 'z')
	}
	if letters && name != "alpha" || name == "digit" {
		set.add('0', '9')
	}
	switch {
	case name == "word":
		set.add('_', '_')
	case hasWord("space blank", name):
		set.add(' ', ' ')
		set.add('\t', '\r')
	case hasWord("graph print punct", name):
		for c := byte('!'); c <= '~'; c++ {
			if !isWordByte(c) || c == '_' {
				set.add(c, c)
			}
		}
	case name == "cntrl":
		set.add(0, 0x1f)
	}
	return set
}

// inNames is how a set of characters stands in the names that an expression finds: one letter in both cases as that letter, many that
// make names as what stands between their words, an equals sign as itself.
func inNames(set charset) byte {
	letters, last := 0, byte(0)
	for c := byte('0'); c <= 'Z'; c++ {
		if isWordByte(c) && (set.has(c) || set.has(lower(c))) {
			letters, last = letters+1, c
		}
	}
	switch {
	case letters > 0 && (set.has(' ') || set.has('"')):
		return 0 // nearly anything
	case letters == 1 && !set.has('_'):
		return last
	case letters > 0 || set.has('_'):
		return '_'
	case set.has('='):
		return '='
	}
	return 0
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// settingLines are what the lines of files of secrets look like, none longer than the bits of a number.
var settingLines = []string{
	"API_KEY=sk-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4", "SECRET_TOKEN=0123456789abcdef0123456789abcdef01234567", "export DB_PASSWORD=Zm9v+YmFy/cXV4==",
	"DATABASE_URL=postgres://user:Zm9vYmFy0@db.local/app", `AUTH_TOKEN="Zm9vYmFy"`, "DB_PASS='Zm9vYmFy'", "password: Zm9vYmFy", `  "token": "Zm9vYmFy",`,
}

// findsSettings says whether a way through an expression that no letter limits finds a line of settings.
func findsSettings(way []piece, folds bool) bool {
	for i := range way {
		if c := way[i].text; c != '_' && isWordByte(c) {
			return false
		}
	}
	for _, line := range settingLines {
		if findsIn(way, line, folds) {
			return true
		}
	}
	return false
}

// findsIn says whether a way through an expression finds something in a line. The bits of a number are the places that it may have
// come to.
func findsIn(way []piece, line string, folds bool) bool {
	end := uint64(1) << len(line)
	at := end<<1 - 1
	for i := range way {
		one := &way[i]
		switch one.edge {
		case '^':
			at &= 1
			continue
		case '$':
			at &= end
			continue
		}
		var found uint64
		for i := range len(line) {
			if c := line[i]; one.set.has(c) || folds && (one.set.has(lower(c)) || one.set.has(c&^0x20) && lower(c&^0x20) == c) {
				found |= 1 << i
			}
		}
		for range one.least {
			at = at & found << 1
		}
		for more := at; one.more && more != 0; at |= more {
			more = more & found << 1 &^ at
		}
	}
	return at != 0
}

// namesSetting says whether a way through an expression has the name of a secret in it, and all that is beside a key stands for anything.
func namesSetting(way []piece, folds bool) bool {
	var text strings.Builder
	for i := range way {
		if c := way[i].text; c != 0 {
			text.WriteByte(c)
		} else if way[i].edge == 0 {
			text.WriteByte(' ')
		}
	}
	whole := text.String()
	for i := 0; i < len(whole); i++ {
		end := i + nameLength(whole[i:])
		if end == i {
			continue
		}
		name := whole[i:end]
		alone := strings.Trim(name, "_") == strings.Trim(whole, "_= ")
		if (folds || name == strings.ToUpper(name)) && namesSecret(name, alone) {
			return true
		}
		i = end
	}
	return false
}
