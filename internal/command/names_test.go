package command

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/value"
)

// TestNamesLike holds which names somebody means who looks for a regular
// expression in a list of files.
func TestNamesLike(t *testing.T) {
	for _, c := range []struct{ expression, names, not string }{
		{`.env`, "?env", ""},
		{`\.env$`, ".env *.env", ".env.json"},
		{`^\.env`, ".env", ""},
		{`\.pem$`, ".pem *.pem", ""},
		{`\.(pem|key)$`, "*.pem *.key", ""},
		{`.*\.\(pem\|key\)`, "*.pem *.key", ""},
		{`id_rsa|id_ed25519`, "id_rsa id_ed25519", ""},
		{`config/credentials`, "credentials credentials.json", ""},
		{`[i]d_rsa`, "id_rsa", ""},
		{`env`, "env .env env.yaml", "*env"},
		{`id_rsa(\.pub)?$`, "id_rsa id_rsa.pub", ""},
		{`^\.`, ".*", ""},
		{`.`, "", "?"},
		{`*.go`, "", "*.go"},
		{``, "", ""},
		{`((((((((((((a))))))))))))`, "*", ""},
		{`a{3}b\{2\}`, "ab", ""},
	} {
		got := namesLike(c.expression)
		for _, want := range strings.Fields(c.names) {
			if want != "*" && !slices.Contains(got, want) {
				t.Errorf("namesLike(%q) = %q lacks %q", c.expression, got, want)
			}
		}
		for _, not := range strings.Fields(c.not) {
			if slices.Contains(got, not) {
				t.Errorf("namesLike(%q) = %q has %q", c.expression, got, not)
			}
		}
		if c.names == "" && c.not == "" && len(got) > 0 {
			t.Errorf("namesLike(%q) = %q, want none", c.expression, got)
		}
	}
}

// TestAlternatives holds that patterns of a list are put together and taken apart.
func TestAlternatives(t *testing.T) {
	for _, c := range []struct {
		list []string
		want string
	}{
		{nil, ""},
		{[]string{"**"}, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b", "a"}, "@(a|b)"},
		{[]string{"**", "**/.env"}, "@(**|**/.env)"},
		{[]string{alternative("x(1)|y"), "z"}, `@(x\(1\)\|y|z)`},
	} {
		got := value.AnyOf(c.list)
		if got != c.want {
			t.Errorf("value.AnyOf(%q) = %q, want %q", c.list, got, c.want)
		}
		if again := value.AnyOf(value.Alternatives(got)); again != got {
			t.Errorf("%q comes apart into %q", got, again)
		}
	}
	many := make([]string, 100)
	for i := range many {
		many[i] = "**/" + strings.Repeat("x", i+1)
	}
	if got := value.Alternatives(value.AnyOf(many)); len(got) != maxNames+1 || got[maxNames] != value.Everything {
		t.Errorf("of many names %d are left, the last %q", len(got), got[len(got)-1])
	}
}

func FuzzNamesLike(f *testing.F) {
	for _, s := range []string{`\.env$`, `(a|b)*c`, `[`, `[^]]`, `\`, `((`, `a{2`, "x|\n|y", `(?:a|b)`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range namesLike(s) {
			if strings.ContainsAny(name, "\x00") && !strings.Contains(s, "\x00") {
				t.Errorf("namesLike(%q) has %q", s, name)
			}
			if strings.IndexByte(name, '/') >= 0 {
				t.Errorf("namesLike(%q) has more than a name: %q", s, name)
			}
		}
	})
}
