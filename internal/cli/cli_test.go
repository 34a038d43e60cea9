package cli

import (
	"io"
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
		if got := clean(in, ""); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := clean("a\tb\nc", "\t"); got != "a\tb\\nc" {
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
		if got := wordText(test.word); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.word, got, test.want)
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
		if got := marked(style{}, test.script, test.marks); got != test.want {
			t.Errorf("%q:\ngot\n%swant\n%s", test.script, got, test.want)
		}
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	if (&process{out: io.Discard}).style().on {
		t.Error("colours on something that is no terminal")
	}
	if got := (style{on: true}).decision(tool.Deny, "deny"); got != "\x1b[1;31mdeny\x1b[0m" {
		t.Errorf("got %q", got)
	}
}
