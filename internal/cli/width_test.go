package cli

import (
	"bytes"
	"strings"
	"testing"

	"longline/internal/config"
	"longline/internal/screen"
)

// TestWidth: help, with its examples, and tables fit a terminal of 80 columns.
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
			if screen.Columns(line) > screen.LineWidth {
				t.Errorf("%v: %d columns: %s", args, screen.Columns(line), line)
			}
			if strings.Contains(line, `\n`) {
				t.Errorf("%v: a newline is written out: %s", args, line)
			}
		}
	}
}
