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
//
// long: one turn of a loop over the characters, with a case for each that means something.
func translate(pattern string) (e expression.Expression, problem string) {
	if len(pattern) > maxPattern {
		return e, "it is longer than " + strconv.Itoa(maxPattern) + " bytes"
	}
	var b strings.Builder
	b.WriteString("(?m)")
	atom := -1       // where in b the last thing that can be repeated begins
	var groups []int // where the open groups begin
	repeat := func(operator string) {
		if atom < 0 {
			return
		}
		// The whole of what was repeated before is repeated again.
		text := b.String()
		b.Reset()
		b.WriteString(text[:atom] + "(?:" + text[atom:] + ")" + operator)
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '\\':
			if i++; i == len(pattern) {
				return e, "a backslash at the end"
			}
			if '1' <= pattern[i] && pattern[i] <= '9' {
				return e, "back-references are not supported"
			}
			text, size := escaped(pattern[i:])
			atom = b.Len()
			b.WriteString(text)
			i += size - 1
		case '[':
			class, size, problem := bracket(pattern[i:])
			if problem != "" {
				return e, problem
			}
			atom = b.Len()
			b.WriteString(class)
			i += size - 1
		case '(':
			groups = append(groups, b.Len())
			b.WriteString("(?:")
			atom = -1
		case ')':
			if len(groups) == 0 {
				return e, "a ) without a ("
			}
			b.WriteByte(')')
			atom = groups[len(groups)-1]
			groups = groups[:len(groups)-1]
		case '|':
			b.WriteByte(c)
			atom = -1
		case '^', '$':
			atom = b.Len()
			b.WriteByte(c)
		case '*', '+', '?':
			repeat(string(c))
		case '{':
			bounds, size := interval(pattern[i:])
			if size == 0 {
				atom = b.Len()
				b.WriteString(`\{`)
				continue
			}
			repeat(bounds)
			i += size - 1
		case '.':
			atom = b.Len()
			b.WriteByte('.')
		default:
			text, size := literally(pattern[i:])
			atom = b.Len()
			b.WriteString(text)
			i += size - 1
		}
	}
	if len(groups) > 0 {
		return e, "a ( without a )"
	}
	e, err := Expression(b.String())
	if err != nil {
		return e, strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	}
	return e, ""
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
		switch c := text[i]; {
		case c == ']' && !first:
			b.WriteByte(']')
			return b.String(), i + 1, ""
		case strings.HasPrefix(text[i:], "[:"):
			end := strings.Index(text[i:], ":]")
			if end < 0 {
				return "", 0, "a [: without a :]"
			}
			b.WriteString(text[i : i+end+2])
			i += end + 2
			continue
		case strings.HasPrefix(text[i:], "[.") || strings.HasPrefix(text[i:], "[="):
			return "", 0, "collating elements are not supported"
		case c == '\\' || c == ']' || c == '[' || c == '^':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
		i++
	}
	return "", 0, "a [ without a ]"
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
