package audit

import (
	"strconv"
	"unicode/utf8"
)

// object is a JSON object under construction: "{" comes with the first field.
type object struct{ buf []byte }

func (o *object) key(name string) {
	if len(o.buf) == 0 {
		o.buf = append(o.buf, '{')
	} else {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(quote(o.buf, name), ':')
}

func (o *object) text(name, value string) {
	o.key(name)
	o.buf = quote(o.buf, value)
}

func (o *object) textOrNull(name, value string) {
	if value != "" {
		o.text(name, value)
		return
	}
	o.key(name)
	o.buf = append(o.buf, "null"...)
}

func (o *object) texts(name string, values []string) {
	o.key(name)
	o.buf = append(o.buf, '[')
	for i, v := range values {
		if i > 0 {
			o.buf = append(o.buf, ',')
		}
		o.buf = quote(o.buf, v)
	}
	o.buf = append(o.buf, ']')
}

func (o *object) flag(name string, value bool) {
	o.key(name)
	o.buf = strconv.AppendBool(o.buf, value)
}

func (o *object) number(name string, value int64) {
	o.key(name)
	o.buf = strconv.AppendInt(o.buf, value, 10)
}

// quote appends a JSON string. What is no UTF-8 becomes U+FFFD, so a line can
// be read by every JSON reader; control characters and those that some
// terminals and line readers act on are escaped.
func quote(buf []byte, s string) []byte {
	const hex = "0123456789abcdef"
	buf = append(buf, '"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			buf = append(buf, `\ufffd`...)
		case r == '"' || r == '\\':
			buf = append(buf, '\\', byte(r))
		case r == '\n':
			buf = append(buf, `\n`...)
		case r == '\t':
			buf = append(buf, `\t`...)
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029':
			buf = append(buf, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			buf = append(buf, s[i:i+size]...)
		}
		i += size
	}
	return append(buf, '"')
}
