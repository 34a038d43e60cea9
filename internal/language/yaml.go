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
	if y.at < len(y.lines) && strings.TrimSpace(y.lines[y.at]) == "---" {
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

// block reads a mapping or a list whose lines are indented by n.
func (y *yamlReader) block(n, depth int) (node yamlNode) {
	if depth > 20 {
		y.fail("it is nested too deeply")
	}
	for y.problem == "" {
		y.skip()
		if y.at >= len(y.lines) || indent(y.lines[y.at]) < n {
			return node
		}
		line := y.lines[y.at]
		if indent(line) > n || strings.Contains(line[:indent(line)+1], "\t") {
			y.fail("a line with an unusual indentation")
			return node
		}
		line = line[n:]
		if line == "-" || strings.HasPrefix(line, "- ") {
			if node.kind == yamlMap {
				return node // the list of a key on the same level ends here
			}
			node.kind = yamlList
			node.items = append(node.items, y.item(n, depth))
			continue
		}
		if node.kind == yamlList {
			return node
		}
		key, rest, ok := yamlKey(line)
		if !ok {
			y.fail("a line that longline cannot read")
			return node
		}
		if node.kind = yamlMap; node.has(key) || key == "<<" {
			y.fail("a key that is given twice, or merged")
			return node
		}
		y.at++
		node.keys = append(node.keys, key)
		node.items = append(node.items, y.value(rest, n, depth))
	}
	return node
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
	y.at++
	return y.value(rest, n, depth)
}

// yamlKey takes the key off a line of a mapping.
func yamlKey(line string) (key, rest string, ok bool) {
	if line == "" {
		return "", "", false
	}
	if c := line[0]; c == '"' || c == '\'' {
		end := strings.IndexByte(line[1:], c)
		if end < 0 || strings.Contains(line[1:1+end], `\`) {
			return "", "", false
		}
		rest, ok = strings.CutPrefix(strings.TrimLeft(line[end+2:], " "), ":")
		return line[1 : 1+end], strings.TrimSpace(rest), ok && (rest == "" || rest[0] == ' ')
	}
	for i := range len(line) {
		if line[i] == ':' && (i+1 == len(line) || line[i+1] == ' ') {
			key = strings.TrimSpace(line[:i])
			return key, strings.TrimSpace(line[i+1:]), key != "" && strings.IndexByte("?&*!|>%@`{[", key[0]) < 0
		}
		if line[i] == '#' && i > 0 && line[i-1] == ' ' {
			break
		}
	}
	return "", "", false
}

// value reads what follows a key or a dash on a line indented by n.
func (y *yamlReader) value(rest string, n, depth int) yamlNode {
	switch {
	case rest == "" || rest[0] == '#':
		y.skip()
		if y.at >= len(y.lines) {
			return yamlNode{}
		}
		// A list may stand on the level of its key.
		if deeper := indent(y.lines[y.at]); deeper > n || deeper == n && strings.HasPrefix(y.lines[y.at][n:]+" ", "- ") {
			if deeper == n && n < len(y.lines[y.at-1]) && strings.HasPrefix(strings.TrimLeft(y.lines[y.at-1], " "), "- ") {
				return yamlNode{} // an empty element before the next one
			}
			return y.block(deeper, depth+1)
		}
		return yamlNode{}
	case rest[0] == '|' || rest[0] == '>':
		return yamlNode{text: y.literal(rest, n)}
	case rest[0] == '[' || rest[0] == '{':
		for !balanced(rest) && y.at < len(y.lines) && y.problem == "" {
			rest += " " + strings.TrimSpace(y.lines[y.at])
			if y.at++; len(rest) > 20_000 {
				y.fail("a list that is too long")
			}
		}
		f := flowReader{text: rest}
		node := f.value(0)
		if f.blanks(); f.problem != "" || f.at < len(f.text) && f.text[f.at] != '#' {
			y.fail("a list or mapping in brackets that longline cannot read")
		}
		return node
	case strings.IndexByte("&*!%@`", rest[0]) >= 0:
		y.fail("an anchor, alias or tag")
		return yamlNode{}
	}
	return yamlNode{text: y.scalar(rest, n)}
}

// scalar is plain or quoted text, which may go on in deeper lines.
func (y *yamlReader) scalar(rest string, n int) string {
	if c := rest[0]; c == '"' || c == '\'' {
		for {
			f := flowReader{text: rest}
			text, ok := f.quoted()
			if ok {
				if f.blanks(); f.at < len(f.text) && f.text[f.at] != '#' {
					y.fail("text after a quote")
				}
				return text
			}
			if y.at >= len(y.lines) || len(rest) > 20_000 {
				y.fail("a quote does not end")
				return ""
			}
			rest += " " + strings.TrimSpace(y.lines[y.at])
			y.at++
		}
	}
	text := uncomment(rest)
	for y.at < len(y.lines) && indent(y.lines[y.at]) > n && strings.TrimSpace(y.lines[y.at]) != "" {
		text += " " + uncomment(strings.TrimSpace(y.lines[y.at]))
		y.at++
	}
	return text
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
	if strings.Trim(uncomment(head), "|>+-0123456789") != "" {
		y.fail("a block of text that longline cannot read")
		return ""
	}
	fold := head[0] == '>'
	var b strings.Builder
	first := -1
	for ; y.at < len(y.lines); y.at++ {
		line := y.lines[y.at]
		if strings.TrimSpace(line) == "" {
			b.WriteByte('\n')
			continue
		}
		if indent(line) <= n {
			break
		}
		if first < 0 {
			first = indent(line)
		}
		if b.Len() > 0 && fold {
			b.WriteByte(' ')
		}
		b.WriteString(line[min(first, indent(line)):])
		if !fold {
			b.WriteByte('\n')
		}
	}
	return strings.TrimSpace(b.String())
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
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
	}
	return depth <= 0
}

// flowReader reads lists and mappings in brackets.
type flowReader struct {
	text    string
	at      int
	problem string
}

func (f *flowReader) blanks() {
	for f.at < len(f.text) && (f.text[f.at] == ' ' || f.text[f.at] == '\t') {
		f.at++
	}
}

func (f *flowReader) value(depth int) (n yamlNode) {
	if f.blanks(); f.at >= len(f.text) || depth > 10 {
		f.problem = "it does not end"
		return n
	}
	switch c := f.text[f.at]; c {
	case '[', '{':
		f.at++
		if n.kind = yamlList; c == '{' {
			n.kind = yamlMap
		}
		for f.problem == "" {
			f.blanks()
			if f.at >= len(f.text) {
				f.problem = "it does not end"
				return n
			}
			if f.text[f.at] == "]}"[strings.IndexByte("[{", c)] {
				f.at++
				return n
			}
			item := f.value(depth + 1)
			if f.blanks(); c == '{' {
				n.keys = append(n.keys, item.text)
				if item = (yamlNode{}); f.at < len(f.text) && f.text[f.at] == ':' {
					f.at++
					item = f.value(depth + 1)
				}
			}
			n.items = append(n.items, item)
			if f.blanks(); f.at < len(f.text) && f.text[f.at] == ',' {
				f.at++
			}
		}
		return n
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
	start := f.at
	for f.at < len(f.text) && strings.IndexByte(",[]{}", f.text[f.at]) < 0 && !(f.text[f.at] == ':' && (f.at+1 == len(f.text) || f.text[f.at+1] == ' ')) {
		f.at++
	}
	if f.at == start {
		f.problem = "a character that longline cannot read"
	}
	return yamlNode{text: strings.TrimSpace(f.text[start:f.at])}
}

// quoted is the text in the quotes that stand here.
func (f *flowReader) quoted() (string, bool) {
	quote := f.text[f.at]
	var b strings.Builder
	for f.at++; f.at < len(f.text); f.at++ {
		switch c := f.text[f.at]; {
		case c == quote && quote == '\'' && f.at+1 < len(f.text) && f.text[f.at+1] == '\'':
			f.at++
			b.WriteByte('\'')
		case c == quote:
			f.at++
			return b.String(), true
		case c == '\\' && quote == '"' && f.at+1 < len(f.text):
			f.at++
			switch e := f.text[f.at]; e {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case '"', '\\', '/', ' ':
				b.WriteByte(e)
			default:
				f.problem = "an escape that longline does not know"
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), false
}
