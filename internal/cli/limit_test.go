package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLimit: what bounds a judgement in the hook bounds it in the subcommands that
// judge as well, and what was not looked at asks.
func TestLimit(t *testing.T) {
	home := t.TempDir()
	long := strings.Repeat("ls -la; ", 450)
	log, jsonl := filepath.Join(home, "log.jsonl"), bytes.Buffer{}
	for _, command := range []string{long, long} {
		line, err := json.Marshal(map[string]any{"ts": "2026-01-10T10:00:00.000Z", "tool": "Bash", "cwd": home, "command": command, "decision": "allow", "matched_rules": []string{}, "cut": false, "v": 1})
		if err != nil {
			t.Fatal(err)
		}
		jsonl.Write(append(line, '\n'))
	}
	if err := os.WriteFile(log, jsonl.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		in     string
		judged int // scripts
	}{
		{[]string{"check", "--", long}, "", 1},
		{[]string{"check", "--json", "--", long}, "", 1},
		{[]string{"check", "--jsonl"}, jsonl.String(), 2},
		{[]string{"check", "--replay", log}, "", 1},
		{[]string{"explain", "--", long}, "", 1},
		{[]string{"explain", "--json", "--", long}, "", 1},
	} {
		begun, looks := 0, 0
		run := func(over bool) (int, string) {
			begun, looks = 0, 0
			var out, errs bytes.Buffer
			p := &process{
				env: []string{"HOME=" + home, "PATH=/usr/bin"}, in: strings.NewReader(test.in), out: &out, err: &errs,
				limit: func() func() bool {
					begun++
					return func() bool { looks++; return over }
				},
			}
			status := p.main(append([]string{"longline"}, test.args...))
			return status, out.String() + errs.String()
		}
		name := strings.Join(test.args[:len(test.args)-1], " ")
		_, whole := run(false)
		all := looks
		_, cut := run(true)
		if begun < test.judged || looks > 3*begun || all < 4*looks {
			t.Errorf("%s: %d judgements looked at the clock %d times when the time was over, and %d times when it was not", name, begun, looks, all)
		}
		if strings.Contains(whole, "too long") || !strings.Contains(cut, "ask") {
			t.Errorf("%s:\n%.300s\nand when the time is over\n%.300s", name, whole, cut)
		}
	}
}
