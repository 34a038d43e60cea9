package hook

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
	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Each test has a home directory of its own.
func init() { config.KnownHome = "HOME" }

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
	h := Hook{Env: []string{"HOME=" + t.TempDir()}, In: in, Out: out, Err: &errs, Deadline: 2 * time.Second, Load: config.Load}
	if _, waits := in.(silent); waits {
		h.Deadline = 20 * time.Millisecond
	}
	ended := make(chan int, 1)
	h.Exit = func(status int) { ended <- status }
	go func() { ended <- h.Run(nil) }()
	return <-ended, errs.String()
}

func TestHookAlwaysAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		in   io.Reader
		want string
	}{
		"silent":  {silent{}, "no answer within 20ms"},
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
	var out bytes.Buffer
	h := &Hook{Out: &out, Err: io.Discard, Exit: func(int) {}, Deadline: time.Millisecond, agent: agent.Find("claude"), start: time.Now().Add(-time.Second)}
	req, err := h.agent.Decode([]byte(`{"hook_event_name":"PreToolUse","cwd":"/srv","tool_name":"Bash","tool_input":{"command":"sleep 1"}}`), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	h.known.Store(&known{req: &req, cfg: &config.Config{Log: log, Guard: guard.Guard{Policy: &policy.Set{}}}})
	h.watch()
	if !strings.Contains(out.String(), "no answer within 1ms") {
		t.Errorf("answered %s", out.String())
	}
	line, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(line), `"command":"sleep 1","decision":"ask"`) {
		t.Errorf("logged %s (%v)", line, err)
	}
}

// A disk that does not answer takes no answer away: what was found is said, and
// what was not found becomes a question, within a moment.
func TestHookDoesNotWaitForTheLog(t *testing.T) {
	read := func(script string) (*Hook, agent.Request, *bytes.Buffer, *bytes.Buffer) {
		var out, errs bytes.Buffer
		h := &Hook{Out: &out, Err: &errs, Exit: func(int) {}, Deadline: time.Millisecond, agent: agent.Find("claude"), start: time.Now().Add(-time.Second)}
		req, err := h.agent.Decode([]byte(`{"hook_event_name":"PreToolUse","cwd":"/srv","tool_name":"Bash","tool_input":{"command":"`+script+`"}}`), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		return h, req, &out, &errs
	}
	h, req, out, errs := read("rm x")
	found := h.word(req, tool.Verdict{Decision: tool.Deny, Reason: "no"})
	h.known.Store(&known{req: &req, cfg: &config.Config{}, reply: &found})
	h.watch()
	if !strings.Contains(out.String(), `"permissionDecision":"deny"`) || !strings.Contains(errs.String(), "not logged in time") {
		t.Errorf("a verdict that was found: %s%s", out, errs)
	}

	h, req, out, errs = read("ls")
	stuck := make(chan bool)
	t.Cleanup(func() { close(stuck) })
	h.append = func(*config.Config, audit.Line) error { <-stuck; return nil }
	h.known.Store(&known{req: &req, cfg: &config.Config{Guard: guard.Guard{Policy: &policy.Set{}}}})
	begun := time.Now()
	h.watch()
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	if !strings.Contains(out.String(), `"permissionDecision":"ask"`) || !strings.Contains(errs.String(), "not logged in time") {
		t.Errorf("nothing was found: %s%s", out, errs)
	}
}

func TestHookBlocksWhenItCannotAnswer(t *testing.T) {
	status, stderr := hookWith(t, strings.NewReader(""), full{})
	if status != exitBlock || !strings.Contains(stderr, "no space left") {
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
		var h Hook
		problem := h.arguments(strings.Fields(test.args))
		if !strings.Contains(problem, test.says) || (problem == "") != (test.says == "") {
			t.Errorf("%q: got problem %q", test.args, problem)
		}
		if problem == "" && (h.agent.Name() != test.name || h.config != test.path || h.dryRun != test.dry) {
			t.Errorf("%q: got %q, %q, %v", test.args, h.agent.Name(), h.config, h.dryRun)
		}
	}
}
