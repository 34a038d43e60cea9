package screen

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":        "plain",
		"a\nb\tc\rd":   `a\nb\tc\rd`,
		"\x1b[31mred":  `\u001b[31mred`,
		"\u202eevil":   `\u202eevil`,
		"\u009b31m":    `\u009b31m`,
		"日本 é":         "日本 é",
		"\u200b\u2028": `\u200b\u2028`,
	} {
		if got := Clean(in, ""); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Clean("a\tb\nc", "\t"); got != "a\tb\\nc" {
		t.Errorf("kept: %q", got)
	}
}

func TestWordText(t *testing.T) {
	for _, test := range []struct {
		word command.Word
		want string
	}{
		{command.Known("plain", tool.Span{}), "plain"},
		{command.Known("/a-b_c.d", tool.Span{}), "/a-b_c.d"},
		{command.Known("two words", tool.Span{}), "'two words'"},
		{command.Known("it's", tool.Span{}), `'it'\''s'`},
		{command.Known("", tool.Span{}), "''"},
		{command.Known("$x", tool.Span{}), "'$x'"},
		{command.Word{Text: "*.go", Reach: tool.Exact, Glob: true}, "*.go"},
		{command.Word{Text: "/tmp/x", Reach: tool.Prefix}, "/tmp/x<unknown>"},
		{command.Word{Text: "/tmp", Reach: tool.Under}, "/tmp/<unknown>"},
		{command.Word{}, "<unknown>"},
	} {
		if got := WordText(test.word); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.word, got, test.want)
		}
	}
}

// TestHang: on a terminal a long line is wrapped, whatever its colours; the words stay.
func TestHang(t *testing.T) {
	long := "   ask [outside-project] Changes /etc; only project and temporary files change without asking (high, builtin, system.yaml:34)"
	for _, s := range []Style{{Fold: true}, {Fold: true, On: true}} {
		line := strings.Replace(long, "ask", s.Bold("ask"), 1)
		got := s.Hang(line)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(line), " ") {
			t.Errorf("the words are %q", got)
		}
		for i, part := range strings.Split(got, "\n") {
			if Columns(Escape.ReplaceAllString(part, "")) > LineWidth || i > 0 && !strings.HasPrefix(part, "       ") {
				t.Errorf("line %d is %q", i, part)
			}
		}
	}
	if got := (Style{}).Hang(long); got != long {
		t.Errorf("who reads it by program gets %q", got)
	}
}
