package value

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestForm: what two values, one behind the other, can be is what their form says.
func TestForm(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	seen := 0
	for range rounds {
		a, b := anyWord(r), anyWord(r)
		form, ok := a.Concat(b).Form()
		if !ok || !strings.ContainsAny(form, Numeral+Numerals) {
			continue
		}
		seen++
		text := sample(r, a) + sample(r, b)
		pattern := strings.NewReplacer(Numeral, `-?[0-9]*`, Numerals, `[0-9\n]*`).Replace(regexp.QuoteMeta(form))
		if !regexp.MustCompile("^" + pattern + "$").MatchString(text) {
			t.Fatalf("%+v\n%+v\ncan be %q, which is not %q", a, b, text, form)
		}
	}
	if seen < 1000 {
		t.Errorf("only %d pairs", seen)
	}
}
