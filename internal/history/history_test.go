package history

import (
	"fmt"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for _, test := range []struct {
		text           string
		lines, corrupt int
		got            string // decisions and events
	}{
		{"", 0, 0, ""},
		{"\n \n", 0, 0, ""},
		{`{"ts":"2026-01-10T10:00:00Z","decision":"ask"}`, 1, 0, "ask"},
		{`{"ts":"2026-01-10T10:00:00Z","decision":"ask"}` + "\n" + `{"ts":"2026-01-10T10:00:00Z","event":"pause"}` + "\n", 2, 0, "ask pause"},
		{"{}\n[]\nnull\n{\"ts\":3}\n", 4, 4, ""},
		{`{"ts":"2026-01-10T10:00:00Z","decision":"ask"`, 1, 1, ""},
		{`{"ts":"2026-01-10T10:00:00Z","decision":5}`, 1, 1, ""},
		{`{"ts":"2026-01-10T10:00:00Z","decision":"ask","reason":"` + long + `"}`, 1, 1, ""},
		{long + long + "\n" + `{"ts":"2026-01-10T10:00:00Z","decision":"deny"}`, 2, 1, "deny"},
	} {
		var c Count
		var got []string
		err := c.Read("log", strings.NewReader(test.text), func(r *Record, _ []byte) error {
			if r.Decision == "" {
				got = append(got, r.Event)
			} else {
				got = append(got, r.Decision)
			}
			return nil
		})
		if err != nil || c.Lines != test.lines || c.Corrupt != test.corrupt || strings.Join(got, " ") != test.got {
			t.Errorf("%.60q: %d lines, %d corrupt, %v, %v", test.text, c.Lines, c.Corrupt, got, err)
		}
	}
}

func TestOlderLines(t *testing.T) {
	yes, no := true, false
	for _, test := range []struct {
		r          Record
		shell, cut bool
		rule       string
	}{
		{Record{Tool: "Bash", Command: "ls", Rules: []string{"a", "b"}}, true, false, "a"},
		{Record{Tool: "Read", Command: "read /x"}, false, false, ""},
		{Record{Tool: "run_shell_command", Shell: &yes, Cut: &yes, Rule: "c", Rules: []string{"a"}}, true, true, "c"},
		{Record{Tool: "Bash", Shell: &no, Cut: &no, Command: strings.Repeat("é", 1024)}, false, false, ""},
		{Record{Tool: "Bash", Command: strings.Repeat("é", 1024)}, true, true, ""},
	} {
		if got := fmt.Sprint(test.r.IsShell(), test.r.IsCut(), test.r.DecidedBy()); got != fmt.Sprint(test.shell, test.cut, test.rule) {
			t.Errorf("%+v: %s", test.r, got)
		}
	}
}

// Whatever a file holds, every line is either read or counted as unreadable.
func FuzzRead(f *testing.F) {
	f.Add("{}\n\n{\"ts\":\"2026-01-10T10:00:00Z\",\"decision\":\"ask\"}")
	f.Fuzz(func(t *testing.T, text string) {
		var c Count
		read := 0
		if err := c.Read("log", strings.NewReader(text), func(*Record, []byte) error { read++; return nil }); err != nil {
			t.Fatal(err)
		}
		lines := 0
		for line := range strings.SplitSeq(text, "\n") {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if c.Lines != lines || read+c.Corrupt != lines {
			t.Errorf("%d lines: %d counted, %d read, %d corrupt", lines, c.Lines, read, c.Corrupt)
		}
	})
}
