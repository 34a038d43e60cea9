package rulesfile

import (
	"regexp"
	"strconv"
	"strings"

	"longline/internal/expression"
)

// maxPattern bounds an expression: a repetition of a repetition wraps all that
// was written before once more.
const maxPattern = 8 << 10

// translate turns an extended regular expression, as grep -E reads it, into one
// in Go's syntax, which differs in small ways: a backslash before any other
// character than \s \w \d \b \< \> means that character, a backslash in brackets means
// itself, an operator with nothing before it is ignored, operators may follow each other,
// and lines are matched one by one. The message says what cannot be done.
func translate(pattern string) (e expression.Expression, problem string) {
	if len(pattern) > maxPattern {
		return e, "it is longer than " + strconv.Itoa(maxPattern) + " bytes"
	}
	t := translator{atom: -1}
	t.b.WriteString("(?m)")
	for rest := pattern; rest != ""; {
		size, problem := t.next(rest)
		if problem != "" {
			return e, problem
		}
		rest = rest[size:]
	}
	if len(t.groups) > 0 {
		return e, "a ( without a )"
	}
	e, err := Expression(t.b.String())
	if err != nil {
		return e, strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	}
	return e, ""
}

// translator writes an expression in Go's syntax.
type translator struct {
	b      strings.Builder
	atom   int   // where in b the last thing that can be repeated begins, or -1
	groups []int // where the open groups begin
}

// next translates what a text begins with, and says how long that is.
func (t *translator) next(text string) (size int, problem string) {
	size = 1
	switch c := text[0]; c {
	case '\\':
		return t.escape(text)
	case '[':
		class, size, problem := bracket(text)
		t.add(class)
		return size, problem
	case '(':
		t.groups = append(t.groups, t.b.Len())
		t.b.WriteString("(?:")
		t.atom = -1
	case ')':
		return 1, t.closeGroup()
	case '|':
		t.b.WriteByte(c)
		t.atom = -1
	case '^', '$', '.':
		t.add(text[:1])
	case '*', '+', '?':
		t.repeat(text[:1])
	case '{':
		bounds, n := interval(text)
		if n == 0 {
			t.add(`\{`)
			break
		}
		t.repeat(bounds)
		size = n
	default:
		text, size = literally(text)
		t.add(text)
	}
	return size, ""
}

// escape translates a backslash and what follows it, and says how long that is.
func (t *translator) escape(text string) (size int, problem string) {
	if len(text) == 1 {
		return 0, "a backslash at the end"
	}
	if '1' <= text[1] && text[1] <= '9' {
		return 0, "back-references are not supported"
	}
	meant, size := escaped(text[1:])
	t.add(meant)
	return 1 + size, ""
}

// add writes something that can be repeated.
func (t *translator) add(text string) {
	t.atom = t.b.Len()
	t.b.WriteString(text)
}

// closeGroup ends a group, which can be repeated.
func (t *translator) closeGroup() (problem string) {
	last := len(t.groups) - 1
	if last < 0 {
		return "a ) without a ("
	}
	t.b.WriteByte(')')
	t.atom, t.groups = t.groups[last], t.groups[:last]
	return ""
}

// repeat writes an operator. The whole of what was repeated before is repeated again.
func (t *translator) repeat(operator string) {
	if t.atom < 0 {
		return
	}
	text := t.b.String()
	t.b.Reset()
	t.b.WriteString(text[:t.atom] + "(?:" + text[t.atom:] + ")" + operator)
}

// escaped reads what follows a backslash, and says how long that is.
func escaped(text string) (expression string, size int) {
	switch c := text[0]; {
	case strings.IndexByte("sSwWdDbB", c) >= 0:
		return `\` + string(c), 1
	case c == '<' || c == '>':
		return `\b`, 1
	case c == '`':
		return `\A`, 1
	case c == '\'':
		return `\z`, 1
	}
	return literally(text)
}

// literally reads one character that stands for itself, and says how long it is.
func literally(text string) (expression string, size int) {
	size = 1
	for size < len(text) && text[size]&0xc0 == 0x80 {
		size++
	}
	return regexp.QuoteMeta(text[:size]), size
}

// bracket reads a bracket expression, in which a backslash is no escape.
func bracket(text string) (class string, size int, problem string) {
	var b strings.Builder
	b.WriteByte('[')
	i := 1
	if i < len(text) && text[i] == '^' {
		b.WriteByte('^')
		i++
	}
	for first := true; i < len(text); first = false {
		if text[i] == ']' && !first {
			b.WriteByte(']')
			return b.String(), i + 1, ""
		}
		element, size, problem := bracketElement(text[i:])
		if problem != "" {
			return "", 0, problem
		}
		b.WriteString(element)
		i += size
	}
	return "", 0, "a [ without a ]"
}

// bracketElement reads one byte or one named class in brackets, and says how long it is.
func bracketElement(text string) (element string, size int, problem string) {
	switch c := text[0]; {
	case strings.HasPrefix(text, "[:"):
		end := strings.Index(text, ":]")
		if end < 0 {
			return "", 0, "a [: without a :]"
		}
		return text[:end+2], end + 2, ""
	case strings.HasPrefix(text, "[.") || strings.HasPrefix(text, "[="):
		return "", 0, "collating elements are not supported"
	case strings.IndexByte(`\][^`, c) >= 0:
		return `\` + text[:1], 1, ""
	}
	return text[:1], 1, ""
}

// interval reads {n}, {n,}, {,m} or {n,m}; anything else is an ordinary brace.
func interval(text string) (bounds string, size int) {
	end := strings.IndexByte(text, '}')
	if end < 0 {
		return "", 0
	}
	least, most, comma := strings.Cut(text[1:end], ",")
	if strings.Trim(least, "0123456789") != "" || strings.Trim(most, "0123456789") != "" || !comma && least == "" {
		return "", 0
	}
	if least == "" {
		least = "0"
	}
	if comma {
		least += ","
	}
	return "{" + least + most + "}", end + 1
}
