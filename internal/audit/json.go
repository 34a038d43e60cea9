package audit

import (
	"strconv"

	"longline/internal/strictjson"
)

// object is a JSON object under construction: "{" comes with the first field.
type object struct{ buf []byte }

func (o *object) key(name string) {
	if len(o.buf) == 0 {
		o.buf = append(o.buf, '{')
	} else {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(strictjson.AppendString(o.buf, name), ':')
}

func (o *object) text(name, value string) {
	o.key(name)
	o.buf = strictjson.AppendString(o.buf, value)
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
		o.buf = strictjson.AppendString(o.buf, v)
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
