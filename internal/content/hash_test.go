package content

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Eight bytes at a time are the same letters as one by one, wherever a word stands.
func TestWordsOfEight(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	signs := []byte("abcxyzABCXYZ0189/:@[`{'_-. \n\x10\x19\x1f\x7f\x80\xb0\xe1\xff")
	for range 100_000 {
		text := make([]byte, random.IntN(40))
		for i := range text {
			if text[i] = signs[random.IntN(len(signs))]; random.IntN(3) > 0 {
				text[i] = "eE7"[random.IntN(3)]
			}
		}
		n, digits := 0, 0
		for n < len(text) && alphabet.lower[text[n]] != 0 {
			if alphabet.kind[text[n]] == isDigit {
				digits++
			}
			n++
		}
		h, length, found := rest(0, text)
		if want := hashOf(bytes.ToLower(text[:n])); h != want || length != n || found != digits {
			t.Fatalf("%q: %d letters with %d digits, want %d with %d, and the same hash", text, length, found, n, digits)
		}
	}
}

// A word is found whatever stands before and after it.
func TestWordsAnywhere(t *testing.T) {
	rules := Builtin()
	var r reader
	for _, word := range []string{"a", "ignore", "Instructions", "DON'T", "pay", "disregarding", "mcp"} {
		for before := range 10 {
			for after := range 10 {
				text := bytes.Repeat([]byte(". "), before)
				start := len(text)
				text = append(append(text, word...), bytes.Repeat([]byte(" ,"), after)...)
				r.cut(rules, text)
				if len(r.tokens) != 1 {
					t.Fatalf("%q has %d words", text, len(r.tokens))
				}
				alone := r.tokens[0]
				if r.cut(rules, []byte(word)); alone.word != r.tokens[0].word || alone.stem != r.tokens[0].stem || int(alone.start) != start || int(alone.end) != start+len(word) {
					t.Errorf("%q in %q: %+v", word, text, alone)
				}
			}
		}
	}
}
