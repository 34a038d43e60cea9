package mask

import (
	"strings"
	"testing"
)

// Words that are shorter than every token are passed over, and so is what no
// token consists of.
func TestShortest(t *testing.T) {
	known := 0
	for _, forms := range Shapes().by {
		for _, s := range forms {
			if s.prefix == "eyJ" {
				continue // see jwt
			}
			known++
			if n := len(s.prefix) + s.least; s.least == 0 || n < shortest {
				t.Errorf("%s: a token may have %d characters, fewer than %d", s.prefix, n, shortest)
			}
			if rest := strings.Trim(s.prefix, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-."); rest != "" {
				t.Errorf("%s: %q is not looked at", s.prefix, rest)
			}
			if s.chars == "" {
				t.Errorf("%s: no set of characters", s.prefix)
			}
			for _, c := range []byte(strings.ReplaceAll(s.chars, "-", "")) {
				if !in(c, dotted) || !in(c, s.chars) {
					t.Errorf("%s: %q is not looked at", s.prefix, c)
				}
			}
		}
	}
	if known < 300 {
		t.Errorf("only %d beginnings", known)
	}
}

// TestWholeTokens: a token of each shape is found as a whole, whatever characters its beginning has.
func TestWholeTokens(t *testing.T) {
	for _, forms := range Shapes().by {
		for _, s := range forms {
			var set []byte
			for c := range 256 {
				if in(byte(c), s.chars) && byte(c) != '.' {
					set = append(set, byte(c))
				}
			}
			one := s.prefix
			if s.least == 0 {
				one += "hbGciOiJIUzI1NiJ9."
			}
			for i := range s.least + 20 {
				one += string(set[i*7%len(set)])
			}
			var got []string
			text := "a " + one + " b " + one
			Shapes().In([]byte(text), 0, nil, true, func(t Token) { got = append(got, text[t.Start:t.End]) }, nil)
			if len(got) != 2 || got[0] != one || got[1] != one {
				t.Errorf("%s: %q is found as %q", s.prefix, one, got)
			}
		}
	}
}
