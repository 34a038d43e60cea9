package shell

import (
	"regexp"
	"testing"
)

// What a regular expression finds in a text, mayContain says of it.
func TestMayContain(t *testing.T) {
	texts := []string{"K=1", "DB_HOST=localhost\nPORT=80", "abc", "", "a[b]c", "TOKEN: x", "aab"}
	for _, expression := range []string{"K=", "^K", "DB_[A-Z]*=", "[]A-Z]+", "a?b", "xa?", "zz*b", "(x)?K", "(a", "a{2}b", "z{0}K", `\bK\b`, `a\[b`, "*", "?", "{", "[", `\`, ")(", "TOKEN.*x", "TODO", "host", "[^K]bc", "a{", "[[:upper:]]"} {
		find, err := regexp.Compile(expression)
		for _, text := range texts {
			if may := mayContain(text, expression); err == nil && find.MatchString(text) && !may {
				t.Errorf("%q is found in %q", expression, text)
			}
		}
	}
	if mayContain("K=1", "TODO") || mayContain("abc", "foo.*bar") || mayContain("abc", `abc\.def`) {
		t.Error("found what is not there")
	}
}
