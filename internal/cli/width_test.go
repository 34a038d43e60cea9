package cli

import (
	"bytes"
	"strings"
	"testing"

	"longline/internal/config"
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
			if columns(line) > lineWidth {
				t.Errorf("%v: %d columns: %s", args, columns(line), line)
			}
			if strings.Contains(line, `\n`) {
				t.Errorf("%v: a newline is written out: %s", args, line)
			}
		}
	}
}

// TestHang: on a terminal a long line is wrapped, whatever its colours; the words stay.
func TestHang(t *testing.T) {
	long := "   ask [outside-project] Changes /etc; only project and temporary files change without asking (high, builtin, system.yaml:34)"
	for _, s := range []style{{fold: true}, {fold: true, on: true}} {
		line := strings.Replace(long, "ask", s.bold("ask"), 1)
		got := s.hang(line)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(line), " ") {
			t.Errorf("the words are %q", got)
		}
		for i, part := range strings.Split(got, "\n") {
			if columns(escape.ReplaceAllString(part, "")) > lineWidth || i > 0 && !strings.HasPrefix(part, "       ") {
				t.Errorf("line %d is %q", i, part)
			}
		}
	}
	if got := (style{}).hang(long); got != long {
		t.Errorf("who reads it by program gets %q", got)
	}
}
