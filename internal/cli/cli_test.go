package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/tool"
)

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

type silent struct{}

func (silent) Read([]byte) (int, error) { select {} }

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// hookWith runs the hook with an odd stream and returns what it says.
func hookWith(t *testing.T, in io.Reader, out io.Writer) (status int, stderr string) {
	t.Helper()
	var errs bytes.Buffer
	p := &process{env: []string{"HOME=" + t.TempDir()}, in: in, out: out, err: &errs, deadline: 2 * time.Second}
	if _, waits := in.(silent); waits {
		p.deadline = 20 * time.Millisecond
	}
	return runHook(p, nil), errs.String()
}

func TestHookAlwaysAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		in   io.Reader
		want string
	}{
		"silent":  {silent{}, "no answer was found within 20ms"},
		"endless": {endless{}, "longer than"},
		"broken":  {io.MultiReader(strings.NewReader("{"), brokenReader{}), "could not be read"},
		"empty":   {strings.NewReader(""), "the hook input"},
	} {
		var out bytes.Buffer
		status, _ := hookWith(t, test.in, &out)
		if status != exitOK || !strings.Contains(out.String(), `"permissionDecision":"ask"`) || !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: status %d, %s", name, status, out.String())
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("broken") }

// A hook that gives up says so to the agent and in the log.
func TestHookThatGivesUpIsLogged(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.jsonl")
	h := &hook{p: &process{deadline: time.Millisecond}, agent: agent.Find("claude"), start: time.Now()}
	req, err := h.agent.Decode([]byte(`{"hook_event_name":"PreToolUse","cwd":"/srv","tool_name":"Bash","tool_input":{"command":"sleep 1"}}`), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	h.known.Store(&known{req, &config.Config{Log: log, Guard: guard.Guard{Policy: &policy.Set{}}}})
	r := h.wait(make(chan reply))
	if !strings.Contains(string(r.out), "no answer was found within 1ms") {
		t.Errorf("answered %s", r.out)
	}
	line, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(line), `"command":"sleep 1","decision":"ask"`) {
		t.Errorf("logged %s (%v)", line, err)
	}
}

func TestHookBlocksWhenItCannotAnswer(t *testing.T) {
	status, stderr := hookWith(t, strings.NewReader(""), full{})
	if status != exitUsage || !strings.Contains(stderr, "no space left") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

func TestHookWritesOnce(t *testing.T) {
	var out counter
	hookWith(t, strings.NewReader(`{"tool_name":"Bash","tool_input":{"command":"ls"}}`), &out)
	if out != 1 {
		t.Errorf("%d writes", out)
	}
}

type counter int

func (c *counter) Write(b []byte) (int, error) { *c++; return len(b), nil }

func TestHookArgs(t *testing.T) {
	for _, test := range []struct {
		args             string
		name, path, says string
		dry              bool
	}{
		{"", "claude", "", "", false},
		{"claude-legacy", "claude-legacy", "", "", false},
		{"--config x claude", "claude", "x", "", false},
		{"claude --config=x --dry-run", "claude", "x", "", true},
		{"-config x -dry-run", "claude", "x", "", true},
		{"--config", "", "", "needs a file", false},
		{"--config=", "", "", "needs a file", false},
		{"--dry-run=no", "", "", "unknown flag", false},
		{"--verbose", "", "", "unknown flag", false},
		{"a b", "", "", "unexpected argument", false},
	} {
		name, path, dry, problem := hookArgs(strings.Fields(test.args))
		if name != test.name || path != test.path || dry != test.dry || !strings.Contains(problem, test.says) || (problem == "") != (test.says == "") {
			t.Errorf("%q: got %q, %q, %v, %q", test.args, name, path, dry, problem)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                    "plain",
		"a\nb\tc\rd":               `a\nb\tc\rd`,
		"\x1b[31mred":              `\u001b[31mred`,
		"\u202eevil":               `\u202eevil`,
		"\u009b31m":                `\u009b31m`,
		"日本 é":                     "日本 é",
		"\u200b is no terminal's ": "\u200b is no terminal's ",
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
