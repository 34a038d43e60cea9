package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"longline/internal/agent"
	"longline/internal/config"
)

// FuzzHook: whatever an agent sends, there is one document at most on standard
// output, the status is one that agents know, and an input that is no JSON is never allowed.
func FuzzHook(f *testing.F) {
	golden, err := filepath.Glob("../agent/testdata/*/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range golden {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(byte(0), text)
	}
	f.Add(byte(0), []byte(`{"hook_event_name":"PreToolUse","cwd":"/srv","tool_name":"Bash","tool_input":{"command":"ls"}}`))
	f.Add(byte(1), []byte(`{"hook_event_name":"PreToolUse","cwd":"/srv","tool_name":"Bash","tool_input":{"command":"rm -rf \u002f"}}`))
	f.Add(byte(2), []byte("\ufeff{}"))
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, which byte, in []byte) {
		var out bytes.Buffer
		h := Hook{
			Env: config.Env{"HOME=" + home}, In: bytes.NewReader(in), Out: &out, Err: io.Discard, Deadline: time.Minute, Load: config.Load,
			Exit: func(int) { t.Error("no answer in time") },
		}
		status := h.Run([]string{agent.All[int(which)%len(agent.All)].Name()})
		if status < exitOK || status > exitBlock {
			t.Errorf("status %d", status)
		}
		dec := json.NewDecoder(&out)
		var doc struct {
			HookSpecificOutput struct{ PermissionDecision string }
		}
		if err := dec.Decode(&doc); err != nil && err != io.EOF {
			t.Errorf("%v in %q", err, out.String())
		}
		if err := dec.Decode(new(any)); err != io.EOF {
			t.Errorf("more than one document: %q", out.String())
		}
		if doc.HookSpecificOutput.PermissionDecision == "allow" && !json.Valid(bytes.TrimPrefix(in, []byte("\ufeff"))) {
			t.Errorf("%q is allowed", in)
		}
	})
}
