package command

import (
	"reflect"
	"strings"
	"testing"
)

// A subcommand that is looked up in the compiled form is the one that the list has, for every
// name of every program, for words that only globs match and for words that nothing matches.
func TestFindInCompiledForm(t *testing.T) {
	compiled, read := Builtin(), Builtin()
	looked := 0
	for _, program := range compiled.Programs() {
		c, r := compiled.Find(program), read.Find(program)
		if c == nil || c.Subs.Empty() {
			continue
		}
		list := r.Subs.All()
		words := []string{"", "--", "no-such-subcommand", "describe-x"}
		for _, s := range list {
			for _, name := range s.Names {
				words = append(words, name, name, strings.ReplaceAll(name, "*", "x"), name+"x")
			}
		}
		for _, word := range words {
			level, synonym, exact := c.Subs.find(word)
			want, wantSynonym, wantExact := findIn(list, word)
			if synonym != wantSynonym || exact != wantExact || !sameLevel(level, want) {
				t.Fatalf("%s %q: %q %v, in the list %q %v", program, word, synonym, exact, wantSynonym, wantExact)
			}
			looked++
		}
	}
	if looked < 10_000 {
		t.Errorf("only %d words were looked up", looked)
	}
}

func sameLevel(a, b *Level) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Subs.met, y.Subs.met = nil, nil
	return reflect.DeepEqual(x, y)
}
