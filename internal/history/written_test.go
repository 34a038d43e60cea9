package history

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"longline/internal/audit"
	"longline/internal/policy"
	"longline/internal/tool"
)

// FuzzWritten: whatever a call holds, the line that is written about it is one
// line, is read back, and says the same.
func FuzzWritten(f *testing.F) {
	for _, s := range []string{"ls -la", "a\nb\r\x00\x1b[31m\u2028é漢", "\xff\xfe", `"\`, strings.Repeat("\"", 2000)} {
		f.Add(s, s, s, uint8(len(s)), int64(len(s)))
	}
	f.Fuzz(func(t *testing.T, script, dir, reason string, bits uint8, at int64) {
		call := tool.Call{Agent: "claude", Event: "PreToolUse", Tool: dir, Dir: dir, Script: script, Shell: bits&1 == 0, Session: reason, ToolUse: dir, Subagent: reason}
		call.Effects = []tool.Effect{{Kind: tool.Read, Target: dir}}
		when := time.Unix(at%(1<<33), 0)
		lines := []audit.Line{
			audit.Entry{
				Time: when, Call: &call, Content: policy.LogContent(bits >> 1 & 3), DryRun: bits&8 != 0, Duration: time.Duration(at),
				Verdict: &tool.Verdict{Decision: tool.Decision(int(bits>>4&3) - 2), Rule: reason, Reason: reason, Rewrite: script, Findings: []tool.Finding{{Rule: reason, Layer: "user"}}},
			},
			audit.Outcome{Time: when, Call: &call, What: "ran"},
			audit.Act{Time: when, What: "pause", Dir: dir, Subject: script},
		}
		var log bytes.Buffer
		for _, line := range lines {
			log.Write(line.Line())
		}
		if got := bytes.Count(log.Bytes(), []byte("\n")); got != len(lines) {
			t.Fatalf("%d entries are %d lines", len(lines), got)
		}
		var count Count
		var records []Record
		if err := count.Read("log", &log, func(r *Record, _ []byte) error { records = append(records, *r); return nil }); err != nil || count.Corrupt > 0 || len(records) != len(lines) {
			t.Fatalf("of %d lines %d are read, %d not (%v)", len(lines), len(records), count.Corrupt, err)
		}
		r := records[0]
		if utf8.ValidString(dir) && (r.Dir != dir || r.Tool != dir || r.ToolUse != dir) || r.Time.Unix() != when.Unix() {
			t.Errorf("%+v was written about %+v", r, call)
		}
		if want := tool.Decision(int(bits>>4&3) - 2).String(); r.Decision != want || r.IsShell() != call.Shell {
			t.Errorf("decision %q, want %q", r.Decision, want)
		}
		if records[1].Outcome != "ran" || records[2].Event != "pause" {
			t.Errorf("%+v", records[1:])
		}
	})
}
