package rulesfile_test

import (
	"slices"
	"testing"

	"go.yaml.in/yaml/v4"

	"longline/internal/rulesfile"
)

// What is quoted reads as the very text again, alone, as a key's value and in a list.
func TestQuote(t *testing.T) {
	texts := []string{
		"", "a", "git push", "true", "no", "null", "~", "1", "1.5", "0x10", "1e3", "1_000", ".5", "-1", "-", "--", "-x", "*", "&a", "!x", "|", ">", "%", "@", "`", "'", `"`, `\`, "a: b", "a #b",
		"[a]", "{a}", "a,b", "x\ny", "\t", "\x00", "\x1b[2J", "\u2028", "ä", "a/b-c_d.e", "./a.b", "./1", "2001-01-01", ".inf", "-.inf", ".nan", "0b1", "0o7", "12:30:45", "y", "on", "Off", "<<", "=", "e1", "1e", "<&>",
	}
	for _, text := range texts {
		var one struct{ Key any }
		if err := yaml.Unmarshal([]byte("key: "+rulesfile.Quote(text)+"\n"), &one); err != nil || one.Key != text {
			t.Errorf("%q is written %s, which reads %#v, %v", text, rulesfile.Quote(text), one.Key, err)
		}
	}
	var list []any
	if err := yaml.Unmarshal([]byte(rulesfile.QuoteList(texts)), &list); err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(list, texts, func(a any, b string) bool { return a == b }) {
		t.Errorf("the list reads %#v", list)
	}
}
