//go:build unix

package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"longline/internal/config"
	"longline/internal/rulesfile"
)

// TestSnapshotBeforeLoss: what would be a question is allowed once a snapshot was taken, and stays a
// question, which says why, where none can be had.
func TestSnapshotBeforeLoss(t *testing.T) {
	for name, test := range map[string]struct {
		command string
		spoil   func(t *testing.T, home, project string)
		want    string
		says    string
	}{
		"lost":    {"rm notes.md", nil, "allow", ""},
		"git":     {"git reset --hard HEAD~1", nil, "allow", ""},
		"outside": {"rm ../x", nil, "ask", ""},
		"no store": {"rm notes.md", func(t *testing.T, home, _ string) {
			put(t, filepath.Join(home, ".local/state/longline/undo"), "a file")
		}, "ask", "longline undo could not bring it back"},
		"a pipe":    {"rm -rf src", func(t *testing.T, _, project string) { pipe(t, filepath.Join(project, "src/fifo")) }, "ask", "longline undo could not bring it back"},
		"beside it": {"rm notes.md", func(t *testing.T, _, project string) { pipe(t, filepath.Join(project, "src/fifo")) }, "allow", ""},
		"off": {"rm notes.md", func(t *testing.T, home, _ string) {
			put(t, filepath.Join(home, ".config/longline/rules.yaml"), "version: 1\nundo: off\n")
		}, "ask", ""},
	} {
		t.Run(name, func(t *testing.T) {
			// Not below /tmp, where anything may be deleted.
			top, err := os.MkdirTemp(".", "testdata-undo-")
			if err == nil {
				top, err = filepath.Abs(top)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(top) })
			home, project := filepath.Join(top, "home"), filepath.Join(top, "home/proj")
			put(t, filepath.Join(project, "notes.md"), "a week of work")
			put(t, filepath.Join(project, "src/a"), "a")
			put(t, filepath.Join(project, ".git/HEAD"), "ref: refs/heads/main\n")
			if test.spoil != nil {
				test.spoil(t, home, project)
			}
			input, _ := json.Marshal(map[string]any{
				"session_id": "s", "cwd": project, "hook_event_name": "PreToolUse", "permission_mode": "default",
				"tool_name": "Bash", "tool_input": map[string]any{"command": test.command}, "tool_use_id": "t",
			})
			var out, errs strings.Builder
			h := Hook{Env: config.Env{"HOME=" + home, "SHELL=/bin/bash"}, In: strings.NewReader(string(input)), Out: &out, Err: &errs, Deadline: Deadline, Load: func(o config.Options) (*config.Config, error) {
				o.Parse = rulesfile.ParseNamed
				return config.Load(o)
			}}
			h.Run(nil)
			if !strings.Contains(out.String(), `"permissionDecision":"`+test.want+`"`) || !strings.Contains(out.String(), test.says) {
				t.Errorf("got %s%s, want %s %q", out.String(), errs.String(), test.want, test.says)
			}
			kept, _ := filepath.Glob(filepath.Join(home, ".local/state/longline/undo/*/snaps/*"))
			if name == "lost" && len(kept) != 1 || name == "off" && len(kept) != 0 {
				t.Errorf("%d snapshots", len(kept))
			}
		})
	}
}

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
