// Package strictjson reads and writes JSON where two readers must never
// disagree about what was said. It refuses what JSON libraries settle in
// different ways (a key given twice, text that is no Unicode, a second document)
// and keeps every value as it was written, so that what longline does not mean
// to change can be handed back byte for byte.
package strictjson

import (
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how deeply arrays and objects may nest.
const MaxDepth = 64

// Kind is the type of a [Value]. The zero Kind is that of a value which is not
// there at all.
type Kind uint8

const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}[k%7]
}

// Value is one JSON value.
type Value struct {
	Kind Kind
	// Raw is the value as it is written, and Offset where in the document that is.
	Raw    string
	Offset int

	Text    string   // a string's meaning; a number as written
	True    bool     // a boolean's meaning
	Items   []Value  // elements of an array
	Members []Member // members of an object, in order
}

// Member is one key of an object and its value.
type Member struct {
	Key   string
	Value Value
}

// Get returns the member of an object; it is Absent if there is none or if v is
// no object.
func (v Value) Get(key string) Value {
	for i := range v.Members {
		if v.Members[i].Key == key {
			return v.Members[i].Value
		}
	}
	return Value{}
}

// With returns the text of object v in which the value of one key is replaced
// by the JSON text raw and nothing else is touched. A key that v does not have
// is added at its end.
func (v Value) With(key, raw string) string {
	if old := v.Get(key); old.Kind != Absent {
		at := old.Offset - v.Offset
		return v.Raw[:at] + raw + v.Raw[at+len(old.Raw):]
	}
	end := len(v.Raw) - 1
	comma := ","
	if len(v.Members) == 0 {
		comma = ""
	}
	return v.Raw[:end] + comma + string(AppendString(nil, key)) + ":" + raw + v.Raw[end:]
}

// Error says what is wrong with a document, and where.
type Error struct {
	Offset  int // in bytes, from the start of the document
	Problem string
}

func (e *Error) Error() string { return "byte " + strconv.Itoa(e.Offset) + ": " + e.Problem }

// Parse reads one document. A byte order mark may stand before it and blanks
// around it, and nothing else.
func Parse(data []byte) (Value, error) { return ParseText(string(data)) }

// ParseText is [Parse] of a text, which the values share.
func ParseText(text string) (Value, error) {
	p := parser{text: text}
	if len(p.text) >= 3 && p.text[:3] == "\ufeff" {
		p.at = 3
	}
	p.blanks()
	v, err := p.value(0)
	if err == nil {
		p.blanks()
		if p.at < len(p.text) {
			err = p.fail("more text after the end of the document")
		}
	}
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

type parser struct {
	text string
	at   int
}

// fail returns the concrete type only through the error interface, so that a
// nil *Error never becomes an error that is not nil.
func (p *parser) fail(problem string) error { return &Error{Offset: p.at, Problem: problem} }

// peek is the next byte, or 0 at the end; a 0 byte is valid nowhere, so the two
// need not be told apart except in messages.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) blanks() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) unexpected(wanted string) error {
	if p.at >= len(p.text) {
		return p.fail("the document ends where " + wanted + " should be")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return p.fail("unexpected " + strconv.QuoteRune(r) + " (want " + wanted + ")")
}

// value reads a value.
func (p *parser) value(depth int) (Value, error) {
	v := Value{Offset: p.at}
	var err error
	switch c := p.peek(); c {
	case '{', '[':
		if depth == MaxDepth {
			return v, p.fail("nested more than " + strconv.Itoa(MaxDepth) + " deep")
		}
		if c == '{' {
			v.Kind = Object
			err = p.object(&v, depth)
		} else {
			v.Kind = Array
			err = p.array(&v, depth)
		}
	case '"':
		v.Kind = String
		v.Text, err = p.string()
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		v.Kind = Number
		err = p.number()
	case 't':
		v.Kind, v.True = Bool, true
		err = p.word("true")
	case 'f':
		v.Kind = Bool
		err = p.word("false")
	case 'n':
		v.Kind = Null
		err = p.word("null")
	default:
		err = p.unexpected("a value")
	}
	v.Raw = p.text[v.Offset:p.at]
	if v.Kind == Number {
		v.Text = v.Raw
	}
	return v, err
}

func (p *parser) word(w string) error {
	if len(p.text)-p.at < len(w) || p.text[p.at:p.at+len(w)] != w {
		return p.unexpected("a value")
	}
	p.at += len(w)
	return nil
}

func (p *parser) array(v *Value, depth int) error {
	p.at++
	p.blanks()
	if p.peek() == ']' {
		p.at++
		return nil
	}
	for {
		p.blanks()
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
		p.blanks()
		switch p.peek() {
		case ',':
			p.at++
		case ']':
			p.at++
			return nil
		default:
			return p.unexpected(`"," or "]"`)
		}
	}
}

func (p *parser) object(v *Value, depth int) error {
	p.at++
	p.blanks()
	if p.peek() == '}' {
		p.at++
		return nil
	}
	var seen keys
	for {
		p.blanks()
		start := p.at
		key, err := p.key()
		if err != nil {
			return err
		}
		if seen.add(v.Members, key) {
			return &Error{Offset: start, Problem: "key " + strconv.Quote(key) + " is given twice"}
		}
		if err := p.colon(); err != nil {
			return err
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		if v.Members == nil {
			v.Members = make([]Member, 0, 8) // as many as most have
		}
		v.Members = append(v.Members, Member{key, value})
		p.blanks()
		switch p.peek() {
		case ',':
			p.at++
		case '}':
			p.at++
			return nil
		default:
			return p.unexpected(`"," or "}"`)
		}
	}
}

// key reads the key of a member.
func (p *parser) key() (string, error) {
	if p.peek() != '"' {
		return "", p.unexpected("a key")
	}
	return p.string()
}

// colon reads a colon, with the blanks around it.
func (p *parser) colon() error {
	p.blanks()
	if p.peek() != ':' {
		return p.unexpected(`":"`)
	}
	p.at++
	p.blanks()
	return nil
}

// keys notices repeated keys. Objects are small almost always; the map is there
// so that a huge one does not cost the square of its size.
type keys struct{ many map[string]bool }

func (k *keys) add(before []Member, key string) (repeated bool) {
	if k.many == nil {
		for i := range before {
			if before[i].Key == key {
				return true
			}
		}
		if len(before) < 16 {
			return false
		}
		k.many = make(map[string]bool, 2*len(before))
		for i := range before {
			k.many[before[i].Key] = true
		}
	}
	repeated = k.many[key]
	k.many[key] = true
	return repeated
}

func (p *parser) number() error {
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if !p.digits() {
		return p.unexpected("a digit")
	}
	if p.peek() == '.' {
		p.at++
		if !p.digits() {
			return p.unexpected("a digit")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		return p.exponent()
	}
	return nil
}

// exponent reads the exponent of a number.
func (p *parser) exponent() error {
	p.at++
	if c := p.peek(); c == '+' || c == '-' {
		p.at++
	}
	if !p.digits() {
		return p.unexpected("a digit")
	}
	return nil
}

func (p *parser) digits() bool {
	start := p.at
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.at > start
}
