package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpgrade lets two builds take turns in one home directory, in both orders: what
// the one has written the other reads, or refuses; nothing is lost, and nothing becomes
// looser. LONGLINE_OLD and LONGLINE_NEW name directories with the executables; make
// upgrade builds them.
func TestUpgrade(t *testing.T) {
	older, newer := os.Getenv("LONGLINE_OLD"), os.Getenv("LONGLINE_NEW")
	if older == "" || newer == "" {
		t.Skip("LONGLINE_OLD and LONGLINE_NEW are not set; make upgrade sets them")
	}
	for _, order := range []struct {
		name          string
		first, second string
	}{{"upgrade", older, newer}, {"downgrade", newer, older}} {
		t.Run(order.name, func(t *testing.T) {
			b := both{t: t, home: t.TempDir(), first: order.first, second: order.second}
			b.project = filepath.Join(b.home, "src/app")
			b.write("src/app/.git/HEAD", "ref: refs/heads/main\n")
			b.turns()
		})
	}
	t.Run("what only the newer one knows", func(t *testing.T) {
		b := both{t: t, home: t.TempDir(), first: newer, second: older}
		b.project = filepath.Join(b.home, "src/app")
		b.write("src/app/.git/HEAD", "ref: refs/heads/main\n")
		// A version that nobody knows yet blocks with both.
		b.write(".config/longline/rules.yaml", "version: 2\n")
		for _, dir := range []string{older, newer} {
			if out, status := b.hook(dir, "touch x"); status != 2 || strings.Contains(out, `"allow"`) {
				t.Errorf("%s follows rules of version 2: status %d\n%s", dir, status, out)
			}
		}
		// So does a key that is not known: it may forbid something.
		b.write(".config/longline/rules.yaml", "version: 1\nsome_later_key: true\n")
		for _, dir := range []string{older, newer} {
			if out, status := b.hook(dir, "touch x"); status != 2 {
				t.Errorf("%s follows rules with a key that it does not know: status %d\n%s", dir, status, out)
			}
		}
	})
}

type both struct {
	t             *testing.T
	home, project string
	first, second string
}

func (b *both) write(name, text string) {
	b.t.Helper()
	path := filepath.Join(b.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// hook hands a command to a build as Claude Code does.
func (b *both) hook(dir, command string) (string, int) {
	b.t.Helper()
	cmd := exec.Command(filepath.Join(dir, "longline-hook"), "claude")
	cmd.Dir = b.project
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.home, "CLAUDE_PROJECT_DIR=" + b.project}
	cmd.Stdin = strings.NewReader(`{"session_id": "s1", "cwd": "` + b.project + `", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "` + command + `"}}`)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() < 0 {
		b.t.Fatalf("%v\n%s", err, out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// log counts the lines of the log.
func (b *both) log() int {
	text, err := os.ReadFile(filepath.Join(b.home, ".claude/hooks-logs/longline.jsonl"))
	if err != nil {
		b.t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

func (b *both) turns() {
	t := b.t
	rules := "version: 1\nallowlists: {commands: [mytool]}\nrules:\n  - {id: no-touch, match: {command: touch}, decision: deny, reason: not here}\n"
	b.write(".config/longline/rules.yaml", rules)
	calls := []struct{ command, says string }{
		{"touch x", `"deny"`},
		{"mytool run", `"allow"`},
		{"cat .env", `"ask"`},
		{"ls", `"allow"`},
	}
	// Each twice: the first time compiles the rules, the second uses what was compiled.
	lines := 0
	for _, dir := range []string{b.first, b.second, b.first, b.second} {
		for _, c := range calls {
			out, status := b.hook(dir, c.command)
			if lines++; status != 0 || !strings.Contains(out, c.says) {
				t.Errorf("%s: %q: status %d, want %s\n%s", dir, c.command, status, c.says, out)
			}
		}
	}
	if got := b.log(); got != lines {
		t.Errorf("the log has %d lines, want %d", got, lines)
	}
	for _, dir := range []string{b.first, b.second} {
		out, status := run(t, b.home, b.project, filepath.Join(dir, "longline"), "log", "--json", "-n", "100")
		if status != 0 || strings.Count(out, `"decision"`) != lines {
			t.Errorf("%s: log: status %d and %d calls, want %d\n%s", dir, status, strings.Count(out, `"decision"`), lines, out)
		}
	}
	// What one has compiled does not count for the other once the rules change.
	b.write(".config/longline/rules.yaml", rules+"  - {id: no-tool, match: {command: mytool}, decision: deny, reason: no longer}\n")
	for _, dir := range []string{b.second, b.first} {
		if out, _ := b.hook(dir, "mytool run"); !strings.Contains(out, `"deny"`) {
			t.Errorf("%s goes by rules that have changed\n%s", dir, out)
		}
	}
	// A pause counts with both, and ends with both; records of a later form do not count.
	if err := os.Remove(filepath.Join(b.home, ".config/longline/rules.yaml")); err != nil {
		t.Fatal(err)
	}
	b.write(".local/state/longline/pause/until", "\"longline pause 9\"\n\"2999-01-01T00:00:00Z\"\n")
	for _, dir := range []string{b.first, b.second} {
		if out, _ := b.hook(dir, "cat .env"); !strings.Contains(out, `"ask"`) {
			t.Errorf("%s believes a pause of a form that it does not know\n%s", dir, out)
		}
	}
}
