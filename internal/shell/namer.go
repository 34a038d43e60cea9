package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// namer works out the text of a word of a script for one value of a variable. What it does not know for sure, it does not say.
type namer struct {
	led      *ledger
	s        *state
	inv      *command.Invocation
	steady   bool   // other variables must have one value for all of the script
	variable string // or what a program puts names in the place of
	value    string
	beside   bool // the command runs in the directory of each file
	used     bool // the text depends on it
	depth    int  // of variables that others are made of
}

// filledIn is what programs put names in the place of, and hole a value that stands for any.
const filledIn, hole = "{}", "\x00"

// affix is what stands in front of a value and behind it.
type affix struct{ before, behind string }

// cut is the value in a text.
func (a affix) cut(text string) (string, bool) {
	text, begins := strings.CutPrefix(text, a.before)
	text, ends := strings.CutSuffix(text, a.behind)
	return text, begins && ends && text != ""
}

// around chooses the variable which the word for a file is made of, and that for its new name is, too. It is what the first word has
// around its value.
func (n *namer) around(source, name string) (affix, bool) {
	for range maxStaying {
		if n.variable = n.unknownIn(source); n.variable == "" {
			return affix{}, false
		}
		n.value = hole
		text, ok := n.word(source, true)
		before, behind, is := strings.Cut(text, hole)
		if !ok || !is || strings.Contains(behind, hole) {
			return affix{}, false
		}
		if _, ok = n.made(name, "a"); ok {
			return affix{before, behind}, true
		}
		written, one := soleValue(n.led.given, n.variable)
		if source, ok = firstWord(written); !one || !ok || source == "" || before+behind != "" {
			return affix{}, false
		}
	}
	return affix{}, false
}

// made is the name that is made of a value. It is another one for each, or in another directory.
func (n *namer) made(name, value string) (text string, ok bool) {
	n.value, n.used = value, false
	text, ok = n.word(name, false)
	return text, ok && text != "" && (n.used || n.beside)
}

// unknownIn is the one variable in a word whose value is not known; "" if there are none or several.
func (n *namer) unknownIn(word string) (variable string) {
	if strings.Contains(word, filledIn) {
		return filledIn
	}
	for {
		_, rest, more := strings.Cut(word, "$")
		if !more {
			return variable
		}
		word = strings.TrimPrefix(rest, "{")
		name := parameterAt(word)
		if _, known := n.held(name); name == "" || !known && variable != "" && variable != name {
			return ""
		} else if !known {
			variable = name
		}
	}
}

// parameterAt is the name of the variable or parameter that a text begins with.
func parameterAt(text string) string {
	name := nameAt(text)
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = name[:1]
	}
	return name
}

// held is the value of a variable, if it is the same whichever file is looked at.
func (n *namer) held(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	w, set := n.led.scalar(n.s, name)
	if set != succeeded || !w.IsKnown() || w.Hollow {
		return "", false
	}
	if n.steady {
		if _, one := soleValue(n.led.given, name); !one {
			return "", false
		}
	}
	return w.Text, true
}

// of is the value of a variable.
func (n *namer) of(name string) (string, bool) {
	if name == n.variable {
		n.used = true
		return n.value, true
	}
	if value, known := n.held(name); known {
		return value, true
	}
	written, one := soleValue(n.led.given, name)
	word, ok := firstWord(written)
	if !one || !ok || word == "" || n.depth > maxStaying {
		return "", false
	}
	n.depth++
	defer func() { n.depth-- }()
	return n.word(word, true)
}

// word is the text of one word. If it is not whole, a shell takes apart what it puts there without quotes.
func (n *namer) word(raw string, whole bool) (string, bool) {
	var out strings.Builder
	quoted := false
	for raw != "" {
		c := raw[0]
		switch {
		case strings.HasPrefix(raw, filledIn) && n.variable == filledIn:
			n.used = true
			out.WriteString(n.value)
			raw = raw[len(filledIn):]
			continue
		case c == '"':
			quoted = !quoted
		case c == '\'' && !quoted:
			text, rest, closed := strings.Cut(raw[1:], "'")
			if !closed || strings.Contains(text, hole) {
				return "", false
			}
			out.WriteString(text)
			raw = rest
			continue
		case c == '$':
			text, rest, ok := n.expansion(raw[1:])
			if !ok || !quoted && !whole && strings.ContainsAny(text, " \t\n*?[") {
				return "", false
			}
			out.WriteString(text)
			raw = rest
			continue
		case strings.IndexByte("\\`\x00", c) >= 0, !quoted && strings.IndexByte("*?[{}()<>|&; \t\n", c) >= 0, c == '~' && out.Len() == 0:
			return "", false
		default:
			out.WriteByte(c)
		}
		raw = raw[1:]
	}
	return out.String(), !quoted
}

// expansion is the text of one of which the sign has been read, and what follows it.
func (n *namer) expansion(text string) (value, rest string, ok bool) {
	switch {
	case strings.HasPrefix(text, "("):
		end := closing(text, '(', ')')
		if end < 0 {
			return "", "", false
		}
		value, ok = n.printed(text[1:end])
		return value, text[end+1:], ok
	case strings.HasPrefix(text, "{"):
		end := closing(text, '{', '}')
		name := parameterAt(text[1:])
		if end < 0 || name == "" {
			return "", "", false
		}
		if value, ok = n.of(name); ok {
			value, ok = altered(value, text[1+len(name):end])
		}
		return value, text[end+1:], ok
	}
	name := parameterAt(text)
	if name == "" {
		return "", "", false
	}
	value, ok = n.of(name)
	return value, text[len(name):], ok
}

// printed is what a program prints that is given words which are known.
func (n *namer) printed(text string) (string, bool) {
	inv := command.Invocation{Dir: n.inv.Dir, Stdin: command.Data{None: true}}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		word, ok := firstWord(text)
		if !ok || word == "" {
			return "", false
		}
		text = text[len(word):]
		value, ok := n.word(word, false)
		if !ok || strings.Contains(value, hole) {
			return "", false
		}
		inv.Words = append(inv.Words, command.Known(value, tool.Span{}))
	}
	if len(inv.Words) == 0 {
		return "", false
	}
	if list, _ := n.s.calls(inv.Words[0].Text); len(list) > 0 {
		return "", false
	}
	n.led.lib.Read(&inv, n.led.world)
	if inv.Output.Reach != tool.Exact || len(inv.Gaps) > 0 {
		return "", false
	}
	return strings.TrimRight(inv.Output.Text, "\n"), true
}

// altered is a value with what an expansion does to it, if it cuts parts off that plain patterns match.
func altered(value, how string) (string, bool) {
	switch {
	case how == "":
		return value, true
	case value == "" || strings.Contains(value, hole) || strings.ContainsAny(how, "$`{\\\"'"):
		return "", false
	case how[0] == '%' || how[0] == '#':
		pattern := strings.TrimLeft(how, how[:1])
		n := len(how) - len(pattern)
		if n > 2 || !isPlainPattern(pattern) {
			return "", false
		}
		return trim(value, pattern, how[0] == '%', n == 2)
	case how[0] == '-' || strings.HasPrefix(how, ":-"):
		return value, true
	}
	return "", false
}

// closing is where a text closes what it begins with.
func closing(text string, open, end byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '\\', '\'', '`':
			return -1
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// firstWord is the word that a text begins with, as it is written.
func firstWord(text string) (string, bool) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' || c == '`':
			return "", false
		case c == '"':
			quoted = !quoted
		case c == '\'' && !quoted:
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return "", false
			}
			i += end + 1
		case c == '$' && i+1 < len(text) && (text[i+1] == '(' || text[i+1] == '{'):
			open, end := text[i+1], byte(')')
			if open == '{' {
				end = '}'
			}
			n := closing(text[i+1:], open, end)
			if n < 0 {
				return "", false
			}
			i += n + 1
		case !quoted && strings.IndexByte(" \t\n;&|<>()", c) >= 0:
			return text[:i], true
		}
	}
	return text, !quoted
}
