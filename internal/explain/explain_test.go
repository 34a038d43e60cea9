package explain

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/screen"
	"longline/internal/tool"
)

func TestForest(t *testing.T) {
	inv := func(name string, pipeline int, via ...string) *command.Invocation {
		return &command.Invocation{Name: name, Pipeline: pipeline, Via: via}
	}
	var draw func(list []*node, invs []*command.Invocation) string
	draw = func(list []*node, invs []*command.Invocation) string {
		var parts []string
		for _, n := range list {
			name := "|"
			if n.index >= 0 {
				name = invs[n.index].Name
			}
			if len(n.below) > 0 {
				name += "(" + draw(n.below, invs) + ")"
			}
			parts = append(parts, name)
		}
		return strings.Join(parts, " ")
	}
	for _, test := range []struct {
		invs []*command.Invocation
		want string
	}{
		{nil, ""},
		{[]*command.Invocation{inv("a", 0), inv("b", 0)}, "a b"},
		{[]*command.Invocation{inv("a", 1), inv("b", 1), inv("c", 2)}, "|(a b) |(c)"},
		{[]*command.Invocation{inv("sudo", 0), inv("env", 0, "sudo"), inv("ls", 0, "sudo", "env")}, "sudo(env(ls))"},
		{[]*command.Invocation{inv("a", 1), inv("xargs", 1), inv("rm", 1, "xargs")}, "|(a xargs(rm))"},
		{[]*command.Invocation{inv("sh", 0), inv("a", 2, "sh"), inv("b", 2, "sh")}, "sh(|(a b))"},
		{[]*command.Invocation{inv("x", 0, "nobody")}, "x"},
	} {
		if got := draw(forest(test.invs), test.invs); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestMarked(t *testing.T) {
	for _, test := range []struct {
		script string
		marks  []mark
		want   string
	}{
		{"ls", nil, "  ls\n"},
		{"ls x", []mark{{tool.Span{Start: 3, End: 4}, tool.Ask, "why"}}, "  ls x\n     ^ ask: why\n"},
		{"a\nbcd e\n", []mark{{tool.Span{Start: 2, End: 5}, tool.Deny, "no"}}, "  a\n  bcd e\n  ^~~ deny: no\n"},
		{"\tx y", []mark{{tool.Span{Start: 3, End: 4}, tool.Ask, "t"}}, "  \tx y\n  \t  ^ ask: t\n"},
		{"日本 x", []mark{{tool.Span{Start: 7, End: 8}, tool.Ask, "w"}}, "  日本 x\n       ^ ask: w\n"},
		{"ab\ncd", []mark{{tool.Span{Start: 1, End: 5}, tool.Ask, "long"}}, "  ab\n   ^ ask: long\n  cd\n"},
		{"x", []mark{{tool.Span{Start: 5, End: 9}, tool.Ask, "outside"}}, "  x\n"},
	} {
		if got := marked(screen.Style{}, test.script, test.marks); got != test.want {
			t.Errorf("%q:\ngot\n%swant\n%s", test.script, got, test.want)
		}
	}
}
