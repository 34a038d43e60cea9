package source

import (
	"errors"
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a: 1\nb: \"x\x00\"\n", "f:2:6: the control character U+0000 is not allowed\n\tb: \"x\x00\"\n\t     ^"},
		{"a\nb\xffc", "f:2:2: the file is not UTF-8 text\n\tb\ufffdc\n\t ^"},
		{"a\rb\r\x01", "f:3:1: the control character U+0001 is not allowed\n\t\x01\n\t^"},
		{"é: 1\n\tü: 2\n", "f:2:1: found a tab character that violates indentation\n\t\tü: 2\n\t^"},
		{"{é: 1, é: 2}", "f:1:8: \"é\" is given twice, first in line 1\n\t{é: 1, é: 2}\n\t       ^"},
		{"? [a]\n: 1", "f:1:3: a key must be text\n\t? [a]\n\t  ^"},
		{"a: &x 1", "f:1:4: anchors and aliases are not supported\n\ta: &x 1\n\t   ^"},
	} {
		f, _ := Parse("f", []byte(test.text))
		if err := f.Err(); err == nil || err.Error() != test.want {
			t.Errorf("%q: got\n%v\nwant\n%s", test.text, err, test.want)
		}
	}
}

// A key that is given twice is noticed in a mapping of any size.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		b.WriteString(strings.Repeat("k", 1+i%7) + string(rune('a'+i%26)) + strings.Repeat("x", i/1000) + string(rune(0x4e00+i)) + ": 1\n")
	}
	if f, _ := Parse("f", []byte(b.String())); f.Err() != nil {
		t.Fatal(f.Err())
	}
	f, _ := Parse("f", []byte(b.String()+"last: 1\nlast: 2\n"))
	if err := f.Err(); err == nil || !strings.Contains(err.Error(), `"last" is given twice`) {
		t.Errorf("got %v", err)
	}
}

// What is said about a file stays short enough to be read, whatever it holds.
func TestLongMessages(t *testing.T) {
	word := strings.Repeat("w", 1<<19)
	f, docs := Parse("f", []byte("{"+word+": 1, "+strings.Repeat("a: [b, c], ", 40_000)+"}"))
	if len(docs) != 1 {
		t.Fatal(f.Err())
	}
	docs[0].Fields(map[string]func(Node){"known": func(Node) {}})
	err := f.Err()
	var list Errors
	if !errors.As(err, &list) || len(list) != maxKept {
		t.Fatalf("%d errors", len(list))
	}
	if said := err.Error(); len(said) > 20_000 || !strings.Contains(said, "more like these") {
		t.Errorf("%d bytes are said: %.300s", len(said), said)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"command", "commands", "effect"}
	for word, want := range map[string]string{"comand": "command", "Effect": "effect", "zzz": "", "": "", strings.Repeat("command", 100_000): ""} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", word, got, want)
		}
	}
}
