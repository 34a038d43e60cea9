package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRefused(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", "byte 0: the document ends where a value should be"},
		{"  ", "byte 2: the document ends where a value should be"},
		{"{", "byte 1: the document ends where a key should be"},
		{`{"a"`, `byte 4: the document ends where ":" should be`},
		{`{"a":1`, `byte 6: the document ends where "," or "}" should be`},
		{`{"a":1,}`, "byte 7: unexpected '}' (want a key)"},
		{`[1,]`, "byte 3: unexpected ']' (want a value)"},
		{`{"a":1,"b":2,"a":3}`, `byte 13: key "a" is given twice`},
		{`[{"x":{"a":1,"\u0061":2}}]`, `byte 13: key "a" is given twice`},
		{`{} {}`, "byte 3: more text after the end of the document"},
		{`{}x`, "byte 2: more text after the end of the document"},
		{"x{}", "byte 0: unexpected 'x' (want a value)"},
		{"\"a\nb\"", "byte 2: control character in a string (write it as an escape)"},
		{"\"a\xffb\"", "byte 2: invalid UTF-8 in a string"},
		{"\"\xed\xa0\x80\"", "byte 1: invalid UTF-8 in a string"},
		{`"\ud800"`, "byte 1: half of a surrogate pair in a string"},
		{`"\ud800\u0041"`, "byte 1: half of a surrogate pair in a string"},
		{`"\udc00\ud800"`, "byte 1: half of a surrogate pair in a string"},
		{`"\u12g4"`, `byte 1: an escape \u needs four hexadecimal digits`},
		{`"\x"`, "byte 1: unknown escape in a string"},
		{`"\`, "byte 1: the document ends inside an escape"},
		{`"abc`, "byte 4: the document ends inside a string"},
		{"01", "byte 1: more text after the end of the document"},
		{"-", "byte 1: the document ends where a digit should be"},
		{"1.", "byte 2: the document ends where a digit should be"},
		{"1e+", "byte 3: the document ends where a digit should be"},
		{"tru", "byte 0: unexpected 't' (want a value)"},
		{"NaN", "byte 0: unexpected 'N' (want a value)"},
		{"// c\n{}", "byte 0: unexpected '/' (want a value)"},
		{"\ufeff\ufeff{}", "byte 3: unexpected '\\ufeff' (want a value)"},
		{"{}\x00", "byte 2: more text after the end of the document"},
		{strings.Repeat("[", 65) + strings.Repeat("]", 65), "byte 64: nested more than 64 deep"},
		{strings.Repeat("[", 1<<20), "byte 64: nested more than 64 deep"},
	} {
		_, err := Parse([]byte(test.in))
		if err == nil || err.Error() != test.want {
			t.Errorf("Parse(%.40q) = %v, want %q", test.in, err, test.want)
		}
	}
}

func TestHugeObject(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, `"k%d":0,`, i)
	}
	if _, err := Parse([]byte("{" + b.String() + `"last":0}`)); err != nil {
		t.Error(err)
	}
	for _, key := range []string{"k0", "k15", "k16", "k49999"} {
		if _, err := Parse([]byte("{" + b.String() + `"` + key + `":0}`)); err == nil {
			t.Errorf("the second %s was not noticed", key)
		}
	}
}

func TestKeepsWhatWasWritten(t *testing.T) {
	const doc = "\ufeff { \"n\" : 123456789012345678901234567890 , \"s\":\"\\u00e9\\ud83d\\ude00\\/\", \"a\":[ 1, {\"b\" :null} ] ,\"t\":true}\n"
	v, err := Parse([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Get("n").Text; got != "123456789012345678901234567890" {
		t.Errorf("number = %q", got)
	}
	if got := v.Get("s").Text; got != "é😀/" {
		t.Errorf("string = %q", got)
	}
	if got := v.Get("a").Raw; got != `[ 1, {"b" :null} ]` {
		t.Errorf("array = %q", got)
	}
	if v.Get("missing").Kind != Absent || v.Get("n").Get("x").Kind != Absent || !v.Get("t").True {
		t.Error("wrong members")
	}
}

func TestWith(t *testing.T) {
	for _, test := range []struct{ in, key, raw, want string }{
		{`{"command":"a", "n" : 1e2}`, "command", `"b"`, `{"command":"b", "n" : 1e2}`},
		{`{ "x":{"command":1},"command" :"a" }`, "command", `"b"`, `{ "x":{"command":1},"command" :"b" }`},
		{`{}`, "k", "1", `{"k":1}`},
		{`{"a":1 }`, "k\"", "[]", `{"a":1 ,"k\"":[]}`},
	} {
		// The object stands inside another one, so that offsets are not from 0.
		outer, err := Parse([]byte(`{"in":` + test.in + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := outer.Get("in").With(test.key, test.raw); got != test.want {
			t.Errorf("With(%q) = %s, want %s", test.in, got, test.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"plain é 😀 <&>", `"plain é 😀 <&>"`},
		{"a\"\\\n\r\t\x00\x1b\x7f", `"a\"\\\n\r\t\u0000\u001b\u007f"`},
		{"\u2028\u2029", `"\u2028\u2029"`},
		{"x\xffy\xed\xa0\x80", `"x\ufffdy\ufffd\ufffd\ufffd"`},
		{"\ufffd", "\"\ufffd\""},
	} {
		if got := Quote(test.in); got != test.want {
			t.Errorf("Quote(%q) = %s, want %s", test.in, got, test.want)
		}
	}
}

// meaning turns a value into what encoding/json would have made of it.
func meaning(v Value) any {
	switch v.Kind {
	case Bool:
		return v.True
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case Array:
		items := make([]any, len(v.Items))
		for i := range v.Items {
			items[i] = meaning(v.Items[i])
		}
		return items
	case Object:
		members := make(map[string]any, len(v.Members))
		for _, m := range v.Members {
			members[m.Key] = meaning(m.Value)
		}
		return members
	}
	return nil
}

// FuzzParse: what this reader accepts, encoding/json accepts with the same
// meaning; and what encoding/json refuses, this reader refuses.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5e-3,true,null,"x\u2028\ud83d\ude00"],"b":{}}`, "\ufeff[]", `{"a":1,"a":2}`, `"\ud800"`, "[[[", "-0", "\"\xff\"", `{"":0}`, "1 2",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Parse(in)
		if err != nil {
			return
		}
		dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(in, []byte("\ufeff"))))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("accepted %q, which encoding/json refuses: %v", in, err)
		}
		if got := meaning(v); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q means %#v, read as %#v", in, want, got)
		}
		again, err := Parse([]byte(v.Raw))
		if err != nil || again.Raw != v.Raw {
			t.Fatalf("%q kept as %q, which reads differently: %v", in, v.Raw, err)
		}
	})
}

// FuzzQuote: whatever is quoted is read back, by both readers, as the same text
// with invalid bytes replaced.
func FuzzQuote(f *testing.F) {
	f.Add("a\"\\\u2028\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		quoted := AppendString(nil, s)
		v, err := Parse(quoted)
		if err != nil || v.Text != string([]rune(s)) {
			t.Fatalf("Quote(%q) = %s, read back as %q, %v", s, quoted, v.Text, err)
		}
		var std string
		if err := json.Unmarshal(quoted, &std); err != nil || std != v.Text {
			t.Fatalf("Quote(%q) = %s, encoding/json reads %q, %v", s, quoted, std, err)
		}
	})
}

// FuzzWith: replacing one value changes that value and nothing else.
func FuzzWith(f *testing.F) {
	f.Add(`{"command":"a", "n" : 1e2}`, "command", `"b"`)
	f.Add("\ufeff { }", "k\"", "[]")
	f.Add(`{"a":{"b":[1,{"c":null}]},"d":"\u0061"}`, "d", "{}")
	f.Fuzz(func(t *testing.T, in, key, raw string) {
		v, err := Parse([]byte(in))
		value, wrong := Parse([]byte(raw))
		if err != nil || wrong != nil || v.Kind != Object || !utf8.ValidString(key) {
			return
		}
		text := v.With(key, value.Raw)
		got, err := Parse([]byte(text))
		if depth := "nested more than"; err != nil && !strings.Contains(err.Error(), depth) {
			t.Fatalf("%q with %q: %q is %v", in, key, text, err)
		} else if err != nil {
			return
		}
		if got.Get(key).Raw != value.Raw {
			t.Fatalf("%q with %q: %q holds %q, want %q", in, key, text, got.Get(key).Raw, value.Raw)
		}
		for _, m := range v.Members {
			if m.Key != key && got.Get(m.Key).Raw != m.Value.Raw {
				t.Fatalf("%q with %q: %q changes %q", in, key, text, m.Key)
			}
		}
	})
}
