package guard_test

import (
	"testing"

	"longline/internal/tool"
)

// A name that begins with that of a temporary file is one of the script's own, wherever nothing in it leads elsewhere.
func TestBesideScratch(t *testing.T) {
	g := builtin(t)
	for _, c := range []struct {
		script string
		asks   bool
	}{
		{`t=$(mktemp) && cp README.md "$t.bak" && rm -f "$t" "$t.bak"`, false},
		{`t=$(mktemp).json; echo '{}' > "$t"; jq . "$t"; rm -f "$t"`, false},
		{`t=$(mktemp) && mv "$t" "$t.md" && cat "$t.md"`, false},
		{`t=$(mktemp -d) && mkdir "$t-old" && rm -rf "$t-old"`, false},
		{`t=$(mktemp -d) && rm -rf "$t.d/sub"`, false},
		{`t=$(mktemp -d) && rm -rf "$t.d/../../x"`, true},
		{`t=$(mktemp -d) && rm -rf "$t/../x"`, true},
		{`t=$(mktemp -d) && rm -rf $t.d ~/x`, true},
		{`t=$(mktemp -p "$x" -d) && rm -rf "$t.d"`, true},
		{`t=$(mktemp -d) && rm -rf "${t%/*}.d"`, true},
	} {
		w := world()
		w.Getenv = func(string) (string, bool) { return "", false }
		call := attended(c.script)
		call.Edits = true
		if v, _ := g.Judge(call, w); (v.Decision >= tool.Ask) != c.asks {
			t.Errorf("%s: %s (%s)", c.script, v.Decision, v.Reason)
		}
	}
}
