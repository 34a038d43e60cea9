package audit

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

func TestWhatIsWrittenCanBeRead(t *testing.T) {
	e := entry("rm -rf \"/tmp/a b\"\n# é")
	e.Verdict = &tool.Verdict{Decision: tool.Deny, Reason: "no", Parsed: true, Findings: []tool.Finding{{Rule: "a"}, {Rule: "b"}}}
	line := strings.TrimSuffix(string(e.Line()), "\n")
	got, err := ParseRecord(line)
	if err != nil {
		t.Fatal(err)
	}
	want := Record{
		Time: e.Time.UTC().Truncate(time.Millisecond), Tool: "Bash", Dir: "/home/me/p", Command: e.Call.Script, Decision: tool.Deny, Rules: []string{"a", "b"},
		Reason: "no", Parsed: true, Session: "abc123", Agent: "claude", Duration: e.Duration, Shell: true, Line: line,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if !got.Whole() {
		t.Error("a short command is whole")
	}
	for _, script := range []string{strings.Repeat("x", 2000), "curl https://me:hunter22@example.com/"} {
		r, err := ParseRecord(string(entry(script).Line()))
		if err != nil || r.Whole() {
			t.Errorf("%.30q: whole although it is cut or masked (%v)", script, err)
		}
	}
}

func TestScan(t *testing.T) {
	good := string(entry("ls").Line())
	log := good + "nonsense\n\n" + good[:40] + "\n" + strings.Repeat("x", 3<<20) + "\n" + good + strings.TrimSuffix(good, "\n")
	records := 0
	corrupt, err := Scan(strings.NewReader(log), func(Record) error { records++; return nil })
	if err != nil || records != 3 || corrupt != 3 {
		t.Errorf("%d records, %d corrupt, %v; want 3, 3", records, corrupt, err)
	}
	stop := errors.New("stop")
	if _, err := Scan(strings.NewReader(log), func(Record) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}
