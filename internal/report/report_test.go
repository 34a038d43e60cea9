package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"longline/internal/history"
)

var start = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

func record(i int, decision, rule, command string) *history.Record {
	shell := true
	return &history.Record{
		Time: start.Add(time.Duration(i) * time.Minute), Event: "PreToolUse", Tool: "Bash", Dir: "/home/dev/proj", Command: command,
		Decision: decision, Rule: rule, Agent: "claude", ToolUse: fmt.Sprint("t", i), Shell: &shell,
	}
}

func ran(i int, after time.Duration) *history.Record {
	return &history.Record{Time: start.Add(time.Duration(i)*time.Minute + after), Event: "outcome", Outcome: "ran", ToolUse: fmt.Sprint("t", i)}
}

func page(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, start); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCounts(t *testing.T) {
	c := NewCollector()
	for i, r := range []*history.Record{
		record(0, "allow", "", "ls"), record(1, "ask", "git-push", "git push"), ran(1, 20*time.Second),
		record(2, "ask", "git-push", "git push origin x"), ran(2, 40*time.Second), record(3, "ask", "git-push", "git push -u origin y"), ran(3, 30*time.Second),
		record(4, "ask", "rm", "rm x"), record(5, "deny", "rm-home", "rm -rf ~"), record(6, "deny", "rm-home", "rm -rf ~/"), record(7, "pass", "", "touch a"),
		{Time: start, Event: "pause"},
		ran(99, 0),
	} {
		if i == 7 {
			r.Rewritten = "touch b"
		}
		c.Add(r)
	}
	r := c.Report()
	if want := (Tally{Calls: 8, Allowed: 1, Passed: 1, Asked: 4, Denied: 2, Rewritten: 1, Yes: 3}); r.Total != want {
		t.Errorf("total %+v, want %+v", r.Total, want)
	}
	if row := r.Rules[0]; row.Name != "git-push" || !row.Vain || row.Waited != 30*time.Second {
		t.Errorf("first rule %+v", row)
	}
	for _, row := range r.Rules[1:] {
		if row.Vain {
			t.Errorf("%s only costs time?", row.Name)
		}
	}
	var lines []string
	for _, e := range r.Entries {
		lines = append(lines, fmt.Sprintf("%s %dx %s", e.Decision, e.Times, e.Command))
	}
	want := "deny 1x rm -rf ~/|deny 1x rm -rf ~|ask 3x git push -u origin y|ask 1x rm x|pass 1x touch a|allow 1x ls"
	if got := strings.Join(lines, "|"); got != want {
		t.Errorf("entries\n%s\nwant\n%s", got, want)
	}
}

// What the log holds is text on the page, whatever it looks like.
func TestHostileText(t *testing.T) {
	hostile := []string{
		`<script>alert(1)</script>`, `</script><img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, "\x1b]0;title\x07\x1b[31m", `<!--`, `]]>`, `{{.Now}}`, "\u202e\u2028", `javascript:alert(1)`, "'; alert(1); '",
	}
	c := NewCollector()
	for i, text := range hostile {
		r := record(i, "deny", text, text)
		r.Dir, r.Agent, r.Reason = text, text, text
		c.Add(r)
	}
	r := c.Report()
	r.Rules[0].Vain, r.Rules[0].Draft, r.FirstBad, r.Corrupt = true, hostile[0], hostile[1], 1
	html := page(t, r)
	if n := strings.Count(html, "<script"); n != 2 {
		t.Errorf("%d script elements, want the data and the page's own", n)
	}
	for _, bad := range []string{"<img", "<svg onload", "onerror=alert(1)>"} {
		if strings.Contains(html, bad) {
			t.Errorf("%q is markup on the page", bad)
		}
	}
	// The data still reads as what was logged.
	_, after, _ := strings.Cut(html, `id="data">`)
	data, _, _ := strings.Cut(after, "</script>")
	var entries []Entry
	if err := json.Unmarshal([]byte(data), &entries); err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(hostile) {
		t.Errorf("%d entries", len(entries))
	}
}

// However long the log, the page stays small.
func TestBounds(t *testing.T) {
	c := NewCollector()
	for i := range 30_000 {
		r := record(i, "deny", fmt.Sprint("rule", i%3000), strings.Repeat("x", 900)+fmt.Sprint(i))
		r.Dir = fmt.Sprint("/home/dev/", i)
		c.Add(r)
	}
	r := c.Report()
	if len(r.Entries) != maxEntries || r.Left == 0 || r.Total.Denied != 30_000 {
		t.Errorf("%d entries, %d left, %+v", len(r.Entries), r.Left, r.Total)
	}
	if n := len(page(t, r)); n > 5<<20 {
		t.Errorf("the page has %d bytes", n)
	}
}

func TestEmpty(t *testing.T) {
	if html := page(t, NewCollector().Report()); !strings.Contains(html, "longline doctor") {
		t.Error("an empty report does not say what to do")
	}
}
