package cli

import (
	"bytes"
	"strings"
	"testing"

	"longline/internal/config"
)

// TestWidth: help and tables fit a terminal of 80 columns. Examples in help, which are
// indented and meant to be copied, may be longer.
func TestWidth(t *testing.T) {
	env := config.Env{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin"}
	runs := [][]string{{"help"}, {"agents"}, {"agents", "claude", "codex", "copilot"}, {"rules"}, {"rules", "--verbose"}}
	for _, c := range subcommands() {
		runs = append(runs, []string{"help", c.name})
	}
	for _, args := range runs {
		var out, err bytes.Buffer
		p := process{env: env, in: strings.NewReader(""), out: &out, err: &err}
		if status := p.main(append([]string{"longline"}, args...)); status != exitOK {
			t.Errorf("%v: status %d: %s", args, status, err.String())
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			example := args[0] == "help" && len(args) > 1 && strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "  -")
			if columns(line) > lineWidth && !example {
				t.Errorf("%v: %d columns: %s", args, columns(line), line)
			}
			if strings.Contains(line, `\n`) {
				t.Errorf("%v: a newline is written out: %s", args, line)
			}
		}
	}
}
