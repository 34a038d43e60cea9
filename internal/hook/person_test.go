package hook

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// shellCalls are recorded calls of each agent's shell tool, with the command
// replaced.
func shellCalls(t *testing.T, a agent.Agent, command string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../agent/testdata", a.Name(), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		req, err := a.Decode(text, callEnv.Get)
		if err != nil || req.Kind != agent.BeforeTool || !req.Call.Shell || strings.Contains(req.Call.Script, "\n") {
			continue
		}
		calls[filepath.Base(file)] = bytes.ReplaceAll(text, []byte(strictjson.Quote(req.Call.Script)), []byte(strictjson.Quote(command)))
	}
	return calls
}

var callEnv = config.Env{"AGENT_TOOL_NAME=Bash", "PWD=/nowhere"}

// TestPersonCanAllow: whatever an agent makes of a question, what it is told says
// how a person can let the command run, and once a person has, it runs.
func TestPersonCanAllow(t *testing.T) {
	id := regexp.MustCompile(`longline allow(?:-once)? ([a-z0-9]+)`)
	for _, a := range agent.All {
		calls := shellCalls(t, a, "git push origin main")
		if len(calls) == 0 {
			t.Errorf("%s: no recorded call of a shell", a.Name())
		}
		for file, input := range calls {
			home := t.TempDir()
			env := append(slices.Clone(callEnv), "HOME="+home)
			run := func() (string, int) {
				var out, errs bytes.Buffer
				h := Hook{Env: env, In: bytes.NewReader(input), Out: &out, Err: &errs, Deadline: time.Minute, Load: config.Load}
				status := h.Run([]string{a.Name()})
				return out.String() + errs.String(), status
			}
			req, err := a.Decode(input, env.Get)
			if err != nil {
				t.Fatalf("%s, %s: %v", a.Name(), file, err)
			}
			said, status := run()
			denied := agent.Told(a.Name(), tool.Verdict{Decision: tool.Ask}) == tool.Deny
			if denied && !strings.Contains(said, "cannot ask its user about this. A person can run it, or allow it with a rule") {
				t.Errorf("%s, %s: it is not said what a person can do: %s", a.Name(), file, said)
			}
			found := id.FindStringSubmatch(said)
			if found == nil {
				t.Errorf("%s, %s: no id is named (status %d): %s", a.Name(), file, status, said)
				continue
			}
			store := Store(env, req.Call.Dir, "")
			held, ok := store.Held(found[1], time.Now())
			if !ok {
				t.Fatalf("%s, %s: %s is not held", a.Name(), file, found[1])
			}
			if err := store.Grant(held, time.Now()); err != nil {
				t.Fatal(err)
			}
			again, status := run()
			if status != 0 || strings.Contains(again, "git-push") || strings.Contains(again, `"deny"`) {
				t.Errorf("%s, %s: allowed once, and told (status %d) %s", a.Name(), file, status, again)
			}
			if third, _ := run(); !id.MatchString(third) {
				t.Errorf("%s, %s: it was allowed more than once: %s", a.Name(), file, third)
			}
		}
	}
}

// TestNobodyThere: clients that say that nobody can be asked are answered so.
func TestNobodyThere(t *testing.T) {
	for _, test := range []struct {
		agent, input string
		env          config.Env
		want         string
	}{
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}`, config.Env{"CLAUDE_CODE_SESSION_ATTENDED=0"}, "There is nobody to ask."},
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}`, config.Env{"CLAUDE_CODE_SESSION_ATTENDED=1"}, ""},
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}`, nil, ""},
		{"codex", `{"hook_event_name":"PreToolUse","permission_mode":"bypassPermissions","tool_name":"Bash","tool_input":{"command":"git push"}}`, nil, "cannot ask its user"},
		{"droid", `{"hook_event_name":"PreToolUse","permission_mode":"auto-high","tool_name":"Execute","tool_input":{"command":"git push"}}`, nil, "cannot ask its user"},
	} {
		var out, errs bytes.Buffer
		h := Hook{Env: append(slices.Clone(test.env), "HOME="+t.TempDir(), "PWD=/nowhere"), In: strings.NewReader(test.input), Out: &out, Err: &errs, Deadline: time.Minute, Load: config.Load}
		h.Run([]string{test.agent})
		if !strings.Contains(out.String(), "git-push") || !strings.Contains(out.String(), test.want) || test.want == "" && strings.Contains(out.String(), "Nobody") {
			t.Errorf("%s %v: %s", test.agent, test.env, out.String())
		}
	}
}
