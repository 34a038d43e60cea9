package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/config"
	"longline/internal/rulesfile"
)

// masking is a home with a project whose .env holds a password.
type masking struct {
	t             *testing.T
	home, project string
}

const hiddenValue = "Xk29vPqm7RtLw4Zd"

func newMasking(t *testing.T) *masking {
	// Not below /tmp, where what lies beside a project says nothing about it.
	top, err := os.MkdirTemp(".", "testdata-mask-")
	if err == nil {
		top, err = filepath.Abs(top)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	m := &masking{t, filepath.Join(top, "home"), filepath.Join(top, "home/proj")}
	put(t, filepath.Join(m.project, ".git/HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(m.project, ".env"), "PORT=3000\nDB_PASSWORD="+hiddenValue+"\n")
	put(t, filepath.Join(m.home, ".netrc"), "machine example.com login me password netrc-Pa55-wJx82k\n")
	put(t, filepath.Join(m.home, "other/.env"), "ADMIN_PASSWORD=other-Pr0ject-pw-42zz\n")
	return m
}

// tell has the hook of an agent answer an event.
func (m *masking) tell(name string, event map[string]any) (answer string) {
	m.t.Helper()
	all := map[string]any{"session_id": "s", "cwd": m.project, "permission_mode": "default", "tool_use_id": "t"}
	for key, value := range event {
		all[key] = value
	}
	input, _ := json.Marshal(all)
	var out, errs strings.Builder
	h := Hook{
		Env: config.Env{"HOME=" + m.home, "SHELL=/bin/bash", "API_TOKEN=env-T0ken-71Lq99"}, In: strings.NewReader(string(input)), Out: &out, Err: &errs, Deadline: Deadline,
		Load: func(o config.Options) (*config.Config, error) {
			o.Parse = rulesfile.ParseNamed
			return config.Load(o)
		},
	}
	h.Run([]string{name})
	return out.String() + errs.String()
}

func (m *masking) after(tool string, input, response any) string {
	return m.tell("claude", map[string]any{"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": input, "tool_response": response})
}

func (m *masking) before(tool string, input any) string {
	return m.tell("claude", map[string]any{"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input})
}

// TestResultsAreMasked: whatever tool shows a value, the client is given the result in the same shape with its name in place of it.
func TestResultsAreMasked(t *testing.T) {
	m := newMasking(t)
	for name, test := range map[string]struct {
		tool     string
		response any
		want     string // of the answer; "" if there is none
	}{
		"command":    {"Bash", map[string]any{"stdout": "a " + hiddenValue + "\nb", "stderr": "", "interrupted": false}, `"updatedToolOutput":{"interrupted":false,"stderr":"","stdout":"a ‹hidden:DB_PASSWORD›\nb"}`},
		"file":       {"Read", map[string]any{"type": "text", "file": map[string]any{"content": "DB_PASSWORD=" + hiddenValue, "numLines": 1}}, `"updatedToolOutput":{"file":{"content":"DB_PASSWORD=‹hidden:DB_PASSWORD›","numLines":1},"type":"text"}`},
		"search":     {"Grep", map[string]any{"mode": "content", "content": ".env:2:DB_PASSWORD=" + hiddenValue}, `DB_PASSWORD=‹hidden:DB_PASSWORD›`},
		"server":     {"mcp__files__read", []any{map[string]any{"type": "text", "text": "x" + hiddenValue}}, `"updatedMCPToolOutput":[{"text":"x‹hidden:DB_PASSWORD›","type":"text"}]`},
		"page":       {"WebFetch", map[string]any{"result": "see env-T0ken-71Lq99"}, `see ‹hidden:API_TOKEN›`},
		"home":       {"Bash", map[string]any{"stdout": "netrc-Pa55-wJx82k"}, `‹hidden:.netrc:1›`},
		"beside":     {"Bash", map[string]any{"stdout": "other-Pr0ject-pw-42zz"}, `‹hidden:ADMIN_PASSWORD›`},
		"shape":      {"Bash", map[string]any{"stdout": "ghp_0123456789abcdefghijABCDEFGHIJklmnop"}, `‹hidden:ghp-token›`},
		"history":    {"Bash", map[string]any{"stdout": "commit 12\n\ndiff --git a/.env b/.env\n--- a/.env\n+++ /dev/null\n@@ -1 +0,0 @@\n-OLD_KEY=h1storic-Passw0rd-kk7\n"}, `-OLD_KEY=‹hidden:OLD_KEY›`},
		"colours":    {"Bash", map[string]any{"stdout": "\x1b[1mdiff --git a/.env b/.env\x1b[m\n\x1b[31m-OLD_KEY=h1storic-Passw0rd-kk7\x1b[m\n"}, `‹hidden:OLD_KEY›`},
		"quoted":     {"Bash", map[string]any{"stdout": `"commit 12\n\ndiff --git a/.env b/.env\n-OLD_KEY=h1storic-Passw0rd-kk7\n"`}, `‹hidden:OLD_KEY›`},
		"one line":   {"Bash", map[string]any{"stdout": "stash@{0}: WIP diff --git a/.env b/.env index 0..8 --- /dev/null +++ b/.env @@ -0,0 +1 @@ +OLD_KEY=h1storic-Passw0rd-kk7\n"}, `‹hidden:OLD_KEY›`},
		"revision":   {"Bash", map[string]any{"stdout": "1a2b3c:.env:OLD_KEY=h1storic-Passw0rd-kk7\n1a2b3c:src/a.js:let x\n"}, `1a2b3c:.env:OLD_KEY=‹hidden:OLD_KEY›`},
		"archive":    {"Bash", map[string]any{"stdout": "PORT=1\nSTRIPE_SECRET=br4nch-0nly-Value\n"}, `STRIPE_SECRET=‹hidden:STRIPE_SECRET›`},
		"nothing":    {"Bash", map[string]any{"stdout": "diff --git a/src/a.js b/src/a.js\n+let password = getPassword('x')\nMAX_TOKENS=100\n", "stderr": ""}, ""},
		"no result":  {"Bash", "", ""},
		"of nothing": {"Glob", map[string]any{"filenames": []any{".env"}, "numFiles": 1}, ""},
	} {
		answer := m.after(test.tool, map[string]any{"command": "x", "file_path": m.project + "/.env"}, test.response)
		if test.want == "" && strings.Contains(answer, "updated") || !strings.Contains(answer, test.want) {
			t.Errorf("%s: %s", name, answer)
		}
		for _, value := range []string{hiddenValue, "env-T0ken-71Lq99", "netrc-Pa55", "h1storic", "br4nch"} {
			if strings.Contains(answer, value) {
				t.Errorf("%s shows %s: %s", name, value, answer)
			}
		}
	}
	log, err := os.ReadFile(filepath.Join(m.home, ".claude/hooks-logs/longline.jsonl"))
	if err != nil || !strings.Contains(string(log), `"masked"`) || strings.Contains(string(log), hiddenValue) {
		t.Errorf("logged: %s (%v)", log, err)
	}
}

// TestFailuresAreNoted: the client shows what a failed command printed as it is; the log says so.
func TestFailuresAreNoted(t *testing.T) {
	m := newMasking(t)
	answer := m.tell("claude", map[string]any{"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": map[string]any{"command": "x"}, "error": "Exit code 1\n" + hiddenValue})
	log, _ := os.ReadFile(filepath.Join(m.home, ".claude/hooks-logs/longline.jsonl"))
	if strings.Contains(answer, "updatedToolOutput") || !strings.Contains(string(log), `"shown"`) || !strings.Contains(string(log), "DB_PASSWORD") || strings.Contains(string(log), hiddenValue) {
		t.Errorf("answered %s, logged %s", answer, log)
	}
}

// TestReadIsContained: a file of variables is read without a question once the client has let results be replaced, and only then;
// other secrets, places and clients ask.
func TestReadIsContained(t *testing.T) {
	m := newMasking(t)
	read := func(path string) string { return m.before("Read", map[string]any{"file_path": path}) }
	if answer := read(m.project + "/.env"); !strings.Contains(answer, `"ask"`) {
		t.Errorf("before any result was seen: %s", answer)
	}
	m.after("Bash", map[string]any{"command": "true"}, map[string]any{"stdout": "something longer"})
	put(t, filepath.Join(m.project, "deploy/id_rsa"), "x")
	for path, want := range map[string]string{
		m.project + "/.env": "{}", m.project + "/app/.env.local": "{}", m.project + "/deploy/id_rsa": `"ask"`,
		m.home + "/other/.env": `"ask"`, m.home + "/.netrc": `"ask"`,
	} {
		if answer := read(path); !strings.Contains(answer, want) {
			t.Errorf("%s: %s, want %s", path, answer, want)
		}
	}
	if answer := m.tell("qwen", map[string]any{"hook_event_name": "PreToolUse", "tool_name": "read_file", "tool_input": map[string]any{"absolute_path": m.project + "/.env"}}); !strings.Contains(answer, `"ask"`) {
		t.Errorf("a client that replaces nothing: %s", answer)
	}
	if answer := m.before("Write", map[string]any{"file_path": m.project + "/.env", "content": "x"}); strings.Contains(answer, `"allow"`) {
		t.Errorf("writing: %s", answer)
	}
}

// TestAgreedIsShown: what a person was asked about and has let run is shown as it is, and so is a file that the user's rules let be read.
func TestAgreedIsShown(t *testing.T) {
	m := newMasking(t)
	response := map[string]any{"type": "text", "file": map[string]any{"content": "DB_PASSWORD=" + hiddenValue}}
	input := map[string]any{"file_path": m.project + "/.env"}
	if answer := m.before("Read", input); !strings.Contains(answer, `"ask"`) {
		t.Fatal(answer)
	}
	if answer := m.after("Read", input, response); strings.Contains(answer, "hidden") {
		t.Errorf("agreed: %s", answer)
	}
	if answer := m.after("Read", input, response); !strings.Contains(answer, "hidden") {
		t.Errorf("agreed to once: %s", answer)
	}
	put(t, filepath.Join(m.home, ".config/longline/rules.yaml"), "version: 1\nrules:\n  - {id: my-env, match: {effect: {kind: read, path: ./.env}}, decision: allow, overrides: [secrets-read]}\n")
	if answer := m.after("Read", input, response); strings.Contains(answer, "hidden") {
		t.Errorf("by rule: %s", answer)
	}
}

// TestMaskIsNoValue: a mask that comes back is refused, whatever the client calls its tools.
func TestMaskIsNoValue(t *testing.T) {
	m := newMasking(t)
	const mask = "‹hidden:DB_PASSWORD›"
	for name, event := range map[string]map[string]any{
		"claude": {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": m.project + "/.env", "old_string": "DB_PASSWORD=" + mask, "new_string": "X=1"}},
		"codex":  {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": "psql " + mask}},
		"gemini": {"hook_event_name": "BeforeTool", "tool_name": "write_file", "tool_input": map[string]any{"file_path": m.project + "/x", "content": mask}},
		"qwen":   {"hook_event_name": "PreToolUse", "tool_name": "run_shell_command", "tool_input": map[string]any{"command": "echo " + mask}},
		"droid":  {"hook_event_name": "PreToolUse", "tool_name": "Execute", "tool_input": map[string]any{"command": "echo " + mask}},
		"cursor": {"hook_event_name": "beforeShellExecution", "command": "echo " + mask},
	} {
		if answer := m.tell(name, event); !strings.Contains(answer, "is a mask, not a value") {
			t.Errorf("%s: %s", name, answer)
		}
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
