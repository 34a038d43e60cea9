package rulesfile

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"longline/internal/expression"
	"longline/internal/record"
)

// same holds a compiled expression, before and after it was written and read, against
// Go's regexp.
func same(t *testing.T, pattern, text string) {
	t.Helper()
	re, err := regexp.Compile(pattern)
	e, problem := Expression(pattern)
	if (err == nil) != (problem == nil) {
		if problem != nil && strings.Contains(problem.Error(), "steps") {
			return
		}
		t.Fatalf("%q: %v, and regexp says %v", pattern, problem, err)
	}
	if err != nil {
		return
	}
	var w record.Writer
	expression.Write(&w, e)
	r := record.NewReader(string(w.Bytes()))
	read := expression.Read(r)
	if err := r.End(); err != nil {
		t.Fatalf("%q: %v", pattern, err)
	}
	if got, again, want := e.Matches(text), read.Matches(text), re.MatchString(text); got != want || again != want {
		t.Fatalf("%q in %q: %v, read again %v; regexp says %v", pattern, text, got, again, want)
	}
}

func TestExpression(t *testing.T) {
	parts := []string{
		"a", "b", "é", "ſ", "K", `\n`, ".", "[a-c]", "[^a]", `\d`, `\W`, `\b`, `\B`, "^", "$", `\A`, `\z`, "(", ")", "|", "*", "+", "?", "*?", "{2}", "{0,3}", "{2,}",
		"(?i)", "(?m)", "(?s)", "(?i:", "(?:", "[[:alpha:]]", `\pL`, `\PN`, "x{0}", "[^\\x00-\\x{10FFFF}]", "", `\Qa.b\E`, "-", " ",
	}
	letters := []string{"a", "b", "c", "A", "K", "k", "\u212a", "s", "ſ", "é", "É", "\n", " ", "-", "1", "_", "x", ".", "\xff", "\xc3", "", "\U0010ffff"}
	random := rand.New(rand.NewPCG(1, 2))
	some := func(from []string, most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(from[random.IntN(len(from))])
		}
		return b.String()
	}
	valid := 0
	for range 60_000 {
		pattern := some(parts, 8)
		if _, err := Expression(pattern); err == nil {
			valid++
		}
		same(t, pattern, some(letters, 10))
	}
	if valid < 20_000 {
		t.Errorf("only %d expressions are valid", valid)
	}
}

// However an expression is made, the time grows with the text.
func TestExpressionIsLinear(t *testing.T) {
	e, err := Expression(`^(a|a)*(a*)*(a?){30}b$`)
	if err != nil {
		t.Fatal(err)
	}
	if e.Matches(strings.Repeat("a", 20_000)) {
		t.Error("it matches")
	}
	if _, err := Expression(strings.Repeat("(abc){1000}", 100)); err == nil {
		t.Error("a very large expression is taken")
	}
}

func FuzzExpression(f *testing.F) {
	f.Add(`^rm\s+-rf?\b`, "rm -rf /")
	f.Add(`(?i)\bk$`, "\u212a\n")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) < 200 && len(text) < 500 && utf8.ValidString(pattern) {
			same(t, pattern, text)
		}
	})
}
