package mask

import (
	"strings"
	"testing"
)

// Words that are shorter than every token are passed over, and so is what no
// token consists of.
func TestShortest(t *testing.T) {
	for _, s := range shapes {
		if n := len(s.prefix) + s.least; n < shortest {
			t.Errorf("%s: a token may have %d characters, fewer than %d", s.prefix, n, shortest)
		}
		if rest := strings.Trim(s.prefix, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-."); rest != "" {
			t.Errorf("%s: %q is not looked at", s.prefix, rest)
		}
		for _, c := range []byte(strings.ReplaceAll(s.chars, "-", "")) {
			if !in(c, dotted) || !in(c, s.chars) {
				t.Errorf("%s: %q is not looked at", s.prefix, c)
			}
		}
	}
}
