package stats

import (
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/history"
	"longline/internal/screen"
)

func TestTiming(t *testing.T) {
	var timing Timing
	if got := timing.Latencies(); got != (Latencies{}) {
		t.Errorf("of nothing: %+v", got)
	}
	timing.Add(-1) // a clock that was set back
	for us := range int64(1000) {
		timing.Add(us + 1)
	}
	got := timing.Latencies()
	for _, test := range []struct{ got, want int64 }{{got.P50, 500}, {got.P90, 900}, {got.P99, 990}, {got.Max, 1000}} {
		if test.got < test.want || test.got > test.want*105/100+1 {
			t.Errorf("%d, want %d to 5 %%", test.got, test.want)
		}
	}
}

func TestTally(t *testing.T) {
	tally := NewTally()
	day := time.Date(2026, 1, 10, 10, 0, 0, 0, time.Local)
	add := func(r history.Record) {
		r.Time = day
		tally.Add(&r)
	}
	for i := range 3 {
		use := string(rune('a' + i))
		add(history.Record{Decision: "ask", Rule: "vain", Command: "git push", ToolUse: use, DryRun: i == 0})
		add(history.Record{Outcome: "ran", Event: "outcome", ToolUse: use})
		add(history.Record{Decision: "ask", Rule: "useful", Command: "rm x"})
	}
	add(history.Record{Decision: "deny", Rules: []string{"first", "second"}, Command: "rm -rf /"})
	add(history.Record{Decision: "allow", Command: "ls"})
	add(history.Record{Decision: "ask", Permitted: true, Command: "the agent's own question"})
	add(history.Record{Event: "pause"})
	add(history.Record{Outcome: "ran", ToolUse: "nobody asked about this"})
	tally.Finish()
	if tally.Decisions["ask"] != 6 || tally.Decisions["deny"] != 1 || tally.Decisions["allow"] != 1 || tally.Lines != 14 || tally.Observed != 1 {
		t.Errorf("%+v", tally)
	}
	if got := *tally.Rules["vain"]; got.Asked != 3 || got.Ran != 3 {
		t.Errorf("vain: %+v", got)
	}
	if tally.Rules["first"] == nil || tally.Rules["second"] != nil || tally.Acts["pause"] != 1 || tally.Days["2026-01-10"] != 6 {
		t.Errorf("%+v", tally)
	}
	if !slices.Equal(tally.Vain, []string{"vain"}) {
		t.Errorf("only cost time: %v", tally.Vain)
	}
	for _, part := range []string{"8 calls", "observed only: 1", "vain", "pause"} {
		if text := tally.Text(screen.Style{}); !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}
