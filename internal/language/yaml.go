package language

import "strings"

// The part of YAML in which people define tasks: mappings and lists by
// indentation or in brackets, plain and quoted text, text in blocks. What lies
// outside of it (anchors, tags, several documents, tabs) is not read.

type yamlKind uint8

const (
	yamlText yamlKind = iota
	yamlMap
	yamlList
)

// yamlNode is a value: text, or a mapping or list of others.
type yamlNode struct {
	kind  yamlKind
	text  string
	keys  []string   // of a mapping
	items []yamlNode // its values, or those of a list
}

// get is the value of a key; the zero node if there is none.
func (n yamlNode) get(key string) yamlNode {
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return yamlNode{}
}

func (n yamlNode) has(key string) bool {
	for _, k := range n.keys {
		if k == key {
			return true
		}
	}
	return false
}

type yamlReader struct {
	lines   []string
	at      int
	problem string
}

// readYAML reads a document.
func readYAML(text string) (n yamlNode, problem string) {
	y := yamlReader{lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	if len(y.lines) > 5000 {
		return n, "it is too long"
	}
	y.skip()
	if y.at < len(y.lines) && strings.TrimRight(y.lines[y.at], " ") == "---" {
		y.at++
	}
	if y.skip(); y.at < len(y.lines) {
		n = y.block(indent(y.lines[y.at]), 0)
	}
	if y.skip(); y.at < len(y.lines) {
		y.fail("a line that longline cannot read")
	}
	return n, y.problem
}

func (y *yamlReader) fail(problem string) {
	if y.problem == "" {
		y.problem = problem
	}
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// skip passes over empty lines and comments.
func (y *yamlReader) skip() {
	for y.at < len(y.lines) {
		line := strings.TrimSpace(y.lines[y.at])
		if line != "" && line[0] != '#' {
			return
		}
		y.at++
	}
}

// indent is how far the line here is indented; -1 at the end.
func (y *yamlReader) indent() int {
	if y.at >= len(y.lines) {
		return -1
	}
	return indent(y.lines[y.at])
}

// block reads a mapping or a list whose lines are indented by n.
func (y *yamlReader) block(n, depth int) (node yamlNode) {
	if depth > 20 {
		y.fail("it is nested too deeply")
	}
	for y.problem == "" {
		y.skip()
		if y.indent() < n {
			return node
		}
		line := y.lines[y.at]
		if indent(line) > n || strings.Contains(line[:indent(line)+1], "\t") {
			y.fail("a line with an unusual indentation")
			return node
		}
		kind := yamlMap
		if line = line[n:]; isItem(line) {
			kind = yamlList
		}
		if node.kind != yamlText && node.kind != kind {
			return node // a list on the level of its key ends here, or the key's mapping goes on
		}
		if node.kind = kind; kind == yamlList {
			node.items = append(node.items, y.item(n, depth))
		} else {
			y.pair(&node, line, n, depth)
		}
	}
	return node
}

// isItem says whether a line begins an element of a list.
func isItem(line string) bool { return line == "-" || strings.HasPrefix(line, "- ") }

// pair reads a key of a mapping and its value.
func (y *yamlReader) pair(node *yamlNode, line string, n, depth int) {
	key, rest, ok := yamlKey(line)
	if !ok {
		y.fail("a line that longline cannot read")
		return
	}
	if node.has(key) || key == "<<" {
		y.fail("a key that is given twice, or merged")
		return
	}
	y.at++
	node.keys = append(node.keys, key)
	node.items = append(node.items, y.value(rest, n, n, depth))
}

// item reads an element of a list: what follows the dash, which may be a mapping
// that begins on the same line.
func (y *yamlReader) item(n, depth int) yamlNode {
	line := y.lines[y.at]
	rest := strings.TrimLeft(line[n+1:], " ")
	if _, _, mapping := yamlKey(rest); mapping && rest != "" && strings.IndexByte(`"'[{|>`, rest[0]) < 0 {
		inner := len(line) - len(rest)
		y.lines[y.at] = strings.Repeat(" ", inner) + rest
		return y.block(inner, depth+1)
	}
	if isItem(rest) {
		y.fail("a list on the line of another one")
	}
	y.at++
	return y.value(rest, n, n+1, depth)
}

// yamlKey takes the key off a line of a mapping.
func yamlKey(line string) (key, rest string, ok bool) {
	if line == "" {
		return "", "", false
	}
	if isQuote(line[0]) {
		return yamlQuotedKey(line)
	}
	for i := range len(line) {
		if endsKey(line, i) {
			key = strings.TrimSpace(line[:i])
			return key, strings.TrimSpace(line[i+1:]), key != "" && strings.IndexByte("?&*!|>%@`{[", key[0]) < 0
		}
		if line[i] == '#' && i > 0 && line[i-1] == ' ' {
			break
		}
	}
	return "", "", false
}

// endsKey says whether the colon behind a key stands at i: a blank follows it, or nothing.
func endsKey(text string, i int) bool {
	return text[i] == ':' && (i+1 == len(text) || text[i+1] == ' ')
}

// yamlQuotedKey is the same for a key in quotes, without escapes in it.
func yamlQuotedKey(line string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(line[1:], line[:1])
	if !ok || strings.Contains(key, `\`) {
		return "", "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), ":")
	return key, strings.TrimSpace(rest), ok && (rest == "" || rest[0] == ' ')
}

// value reads what follows a key or a dash on a line indented by n. A list on the lines
// below is indented by list at least.
func (y *yamlReader) value(rest string, n, list, depth int) yamlNode {
	switch {
	case rest == "" || rest[0] == '#':
		return y.below(n, list, depth)
	case rest[0] == '|' || rest[0] == '>':
		return yamlNode{text: y.literal(rest, n)}
	case rest[0] == '[' || rest[0] == '{':
		return y.flow(rest)
	case strings.IndexByte("&*!%@`", rest[0]) >= 0:
		y.fail("an anchor, alias or tag")
		return yamlNode{}
	}
	return yamlNode{text: y.scalar(rest, n)}
}

// below reads the value of a key or a dash in the lines below it, which is indented by n. A
// list may stand on the level of its key; behind a dash it is the next element there.
func (y *yamlReader) below(n, list, depth int) yamlNode {
	y.skip()
	deeper := y.indent()
	if deeper > n || deeper >= list && deeper >= 0 && isItem(y.lines[y.at][deeper:]) {
		return y.block(deeper, depth+1)
	}
	return yamlNode{}
}

// flow reads a list or mapping in brackets, which may go on in the next lines.
func (y *yamlReader) flow(text string) yamlNode {
	for !balanced(text) && y.at < len(y.lines) && y.problem == "" {
		if text += " " + strings.TrimSpace(y.lines[y.at]); strings.Contains(text, " #") {
			y.fail("a comment in brackets")
		}
		if y.at++; len(text) > 20_000 {
			y.fail("a list that is too long")
		}
	}
	f := flowReader{cursor: cursor{text: text}}
	node := f.value(0)
	if f.problem != "" || !f.over() {
		y.fail("a list or mapping in brackets that longline cannot read")
	}
	return node
}

// scalar is plain or quoted text, which may go on in deeper lines.
func (y *yamlReader) scalar(rest string, n int) string {
	if isQuote(rest[0]) {
		return y.quoted(rest)
	}
	text := uncomment(rest)
	for y.at < len(y.lines) && indent(y.lines[y.at]) > n {
		line := strings.TrimSpace(y.lines[y.at])
		if line == "" || line[0] == '#' {
			break
		}
		text += " " + uncomment(line)
		y.at++
	}
	return text
}

// quoted is text in quotes, which may go on in the next lines.
func (y *yamlReader) quoted(rest string) string {
	for {
		f := flowReader{cursor: cursor{text: rest}}
		text, ok := f.quoted()
		if ok {
			if !f.over() {
				y.fail("text after a quote")
			}
			return text
		}
		if y.at >= len(y.lines) || len(rest) > 20_000 {
			y.fail("a quote does not end")
			return ""
		}
		line := strings.TrimSpace(y.lines[y.at])
		switch {
		case strings.HasSuffix(rest, `\`):
			y.fail("a backslash at the end of a line of quoted text")
		case line == "":
			rest = strings.TrimRight(rest, " ") + "\n"
		case strings.HasSuffix(rest, "\n"):
			rest += line
		default:
			rest = strings.TrimRight(rest, " ") + " " + line
		}
		y.at++
	}
}

// uncomment takes a comment off the end of plain text.
func uncomment(text string) string {
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// literal is text in a block, line by line. Folding is ignored: an end of
// line instead of a blank only ends commands sooner, and both are read.
func (y *yamlReader) literal(head string, n int) string {
	fold, signs := head[0] == '>', "|+-0123456789"
	if fold {
		signs = ">+-" // a number says that the first line may be a deeper one
	}
	if strings.Trim(uncomment(head), signs) != "" {
		y.fail("a block of text that longline cannot read")
		return ""
	}
	var b strings.Builder
	first, deeper := -1, false
	for ; y.at < len(y.lines); y.at++ {
		line := y.lines[y.at]
		if strings.TrimSpace(line) == "" {
			b.WriteByte('\n')
			continue
		}
		if indent(line) <= n || indent(line) < first {
			break
		}
		if first < 0 {
			first = indent(line)
		}
		line = line[first:]
		if fold {
			b.WriteString(between(b.String(), deeper || isBlank(line[0])))
		}
		deeper = isBlank(line[0])
		b.WriteString(line)
		if !fold {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSpace(b.String())
}

// between is what stands between folded text and its next line. The two are one line, unless
// there is an empty one between them or one of them is deeper.
func between(text string, deeper bool) string {
	switch {
	case text == "" || strings.HasSuffix(text, "\n"):
		return ""
	case deeper:
		return "\n"
	}
	return " "
}

// balanced says whether the brackets of a text outside of quotes are closed.
func balanced(text string) bool {
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote && !(c == '"' && text[i-1] == '\\') {
				quote = 0
			}
		case isQuote(c):
			quote = c
		case strings.IndexByte("[{", c) >= 0:
			depth++
		case strings.IndexByte("]}", c) >= 0:
			depth--
		}
	}
	return depth <= 0
}

// flowReader reads lists and mappings in brackets.
type flowReader struct {
	cursor
	problem string
}

func (f *flowReader) blanks() {
	for f.among(0, " \t") {
		f.at++
	}
}

// over says whether nothing follows but a comment.
func (f *flowReader) over() bool {
	f.blanks()
	return !f.more() || f.text[f.at] == '#'
}

func (f *flowReader) value(depth int) (n yamlNode) {
	if f.blanks(); !f.more() || depth > 10 {
		f.problem = "it does not end"
		return n
	}
	switch f.text[f.at] {
	case '[', '{':
		return f.collection(depth)
	case '"', '\'':
		text, ok := f.quoted()
		if !ok {
			f.problem = "a quote does not end"
		}
		return yamlNode{text: text}
	case '&', '*', '!', '|', '>', '%', '@', '`':
		f.problem = "an anchor, alias or tag"
		return n
	}
	return yamlNode{text: f.plain()}
}

// collection reads a list or a mapping, whose bracket stands here.
func (f *flowReader) collection(depth int) (n yamlNode) {
	closing := partner(f.text[f.at])
	if n.kind = yamlList; closing == '}' {
		n.kind = yamlMap
	}
	for f.at++; f.problem == ""; f.pass(',') {
		if f.blanks(); !f.more() {
			f.problem = "it does not end"
			return n
		}
		if f.text[f.at] == closing {
			f.at++
			return n
		}
		item := f.value(depth + 1)
		if f.blanks(); n.kind == yamlMap {
			n.keys = append(n.keys, item.text)
			item = f.mapped(depth)
		}
		n.items = append(n.items, item)
		f.blanks()
	}
	return n
}

// mapped is the value of a key, behind which the text goes on here; the zero node if it
// has none.
func (f *flowReader) mapped(depth int) (n yamlNode) {
	if f.peek(0) != ':' {
		return n
	}
	f.at++
	return f.value(depth + 1)
}

// plain is text without quotes. A colon with a blank behind it ends a key.
func (f *flowReader) plain() string {
	start := f.at
	for f.more() && !f.among(0, ",[]{}") && !endsKey(f.text, f.at) {
		f.at++
	}
	if f.at == start || f.text[start] == ':' {
		f.problem = "a character that longline cannot read"
	}
	return strings.TrimSpace(f.text[start:f.at])
}

// quoted is the text in the quotes that stand here.
func (f *flowReader) quoted() (string, bool) {
	quote := f.text[f.at]
	var b strings.Builder
	for f.at++; f.more(); f.at++ {
		switch c := f.text[f.at]; {
		case c == quote && quote == '\'' && f.peek(1) == '\'':
			f.at++
			b.WriteByte('\'')
		case c == quote:
			f.at++
			return b.String(), true
		case c == '\\' && quote == '"' && f.at+1 < len(f.text):
			f.at++
			f.escape(&b)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), false
}

// escape writes what a backslash and the character here stand for.
func (f *flowReader) escape(b *strings.Builder) {
	switch c := f.text[f.at]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case '"', '\\', '/', ' ':
		b.WriteByte(c)
	default:
		f.problem = "an escape that longline does not know"
	}
}
