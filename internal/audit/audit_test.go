package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"longline/internal/command"
	"longline/internal/mask"
	"longline/internal/policy"
	"longline/internal/tool"
)

func entry(script string) Entry {
	return Entry{
		Time:     time.Date(2026, 1, 27, 15, 30, 0, 123_900_000, time.FixedZone("CET", 3600)),
		Call:     &tool.Call{Agent: "claude", Event: "PreToolUse", Tool: "Bash", Dir: "/home/me/p", Script: script, Shell: true, Session: "abc123", ToolUse: "toolu_1"},
		Verdict:  &tool.Verdict{Decision: tool.Allow, Parsed: true},
		Duration: 1234 * time.Microsecond,
	}
}

func TestLine(t *testing.T) {
	plain := entry("rm -rf /tmp/build")
	denied := entry("rm -rf /")
	denied.Verdict = &tool.Verdict{
		Decision: tool.Deny, Rule: "a", Reason: "deletes \"everything\"", Parsed: true, Rewrite: "true",
		Findings: []tool.Finding{{Rule: "a", Layer: "builtin"}, {Rule: "b", Layer: "user"}, {Rule: "a", Layer: "builtin"}, {Rule: ""}, {Rule: "allowlist", Layer: "user"}},
	}
	denied.DryRun = true
	read := entry("")
	read.Call.Shell, read.Call.Tool, read.Call.ToolUse = false, "Read", ""
	read.Call.Effects = []tool.Effect{{Kind: tool.Read, Target: "/etc/passwd"}}

	for _, test := range []struct {
		entry Entry
		want  string
	}{
		{plain, `{"ts":"2026-01-27T14:30:00.123Z","tool":"Bash","cwd":"/home/me/p","command":"rm -rf /tmp/build","decision":"allow","matched_rules":[],"reason":null,"parse_ok":true,"session_id":"abc123","agent":"claude","tool_use_id":"toolu_1","layers":[],"rewritten":null,"duration_us":1234,"dry_run":false,"rule":null,"event":"PreToolUse","shell":true,"edits":false,"cut":false,"line":"ID","v":1}`},
		{denied, `{"ts":"2026-01-27T14:30:00.123Z","tool":"Bash","cwd":"/home/me/p","command":"rm -rf /","decision":"deny","matched_rules":["a","b"],"reason":"deletes \"everything\"","parse_ok":true,"session_id":"abc123","agent":"claude","tool_use_id":"toolu_1","layers":["builtin","user"],"rewritten":"true","duration_us":1234,"dry_run":true,"rule":"a","event":"PreToolUse","shell":true,"edits":false,"cut":false,"line":"ID","v":1}`},
		{read, `{"ts":"2026-01-27T14:30:00.123Z","tool":"Read","cwd":"/home/me/p","command":"read /etc/passwd","decision":"allow","matched_rules":[],"reason":null,"parse_ok":true,"session_id":"abc123","agent":"claude","tool_use_id":null,"layers":[],"rewritten":null,"duration_us":1234,"dry_run":false,"rule":null,"event":"PreToolUse","shell":false,"edits":false,"cut":false,"line":"ID","v":1}`},
	} {
		got, id := withoutID(string(test.entry.Line()))
		if got != test.want+"\n" {
			t.Errorf("got  %swant %s", got, test.want)
		}
		// 2026-01-27T14:30:00.123Z in milliseconds, then what is random.
		if !strings.HasPrefix(id, "019bffdc82bb") || len(id) != 28 {
			t.Errorf("the id is %q", id)
		}
	}
}

// withoutID takes the id out of a line.
func withoutID(line string) (rest, id string) {
	before, after, _ := strings.Cut(line, `"line":"`)
	id, after, _ = strings.Cut(after, `"`)
	return before + `"line":"ID"` + after, id
}

func TestLinesHaveTheirOwnIDs(t *testing.T) {
	e, seen := entry("ls"), map[string]bool{}
	e.Bundle, e.BundleLost = "acme 1.4", true
	for range 1000 {
		for _, l := range []Line{e, Outcome{Time: e.Time, Call: e.Call, What: "ran"}, Act{Time: e.Time, What: "pause"}} {
			_, id := withoutID(string(l.Line()))
			if len(id) != 28 || seen[id] {
				t.Fatalf("the id %q is not new", id)
			}
			seen[id] = true
		}
	}
	if line := string(e.Line()); !strings.Contains(line, `"bundle":"acme 1.4","bundle_expired":true,`) {
		t.Errorf("the bundle is not in %s", line)
	}
}

func TestCommandIsCutAtCharacters(t *testing.T) {
	for _, test := range []struct {
		script string
		want   int // characters kept
	}{
		{strings.Repeat("x", 1024), 1024},
		{strings.Repeat("x", 1025), 1024},
		{strings.Repeat("é", 1025), 1024},
		{strings.Repeat("x", 1023) + "漢字", 1024},
		{strings.Repeat("\"", 2000), 1024},
		{strings.Repeat("\xff", 2000), 1024},
	} {
		var line struct{ Command string }
		if err := json.Unmarshal(entry(test.script).Line(), &line); err != nil {
			t.Fatal(err)
		}
		if got := utf8.RuneCountInString(line.Command); got != test.want {
			t.Errorf("%.20q...: %d characters kept, want %d", test.script, got, test.want)
		}
	}
}

// Whatever a command holds, the line is one line of JSON that says the same.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "ls", "a\nb\r\x00\x1b[31m", "\u2028é漢", "\xff\xfe", `"\`} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, script, reason string) {
		e := entry(script)
		e.Verdict.Reason = reason
		line := e.Line()
		if strings.Count(string(line), "\n") != 1 {
			t.Fatalf("%q is not one line", line)
		}
		var got struct{ Command, Reason string }
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if want := mask.Text(reason); utf8.ValidString(want) && got.Reason != want {
			t.Fatalf("reason %q became %q", want, got.Reason)
		}
		if want := mask.Script(script, nil); utf8.ValidString(want) && !strings.HasPrefix(want, got.Command) {
			t.Fatalf("command %q became %q", want, got.Command)
		}
	})
}

func TestSecretsAreNotLogged(t *testing.T) {
	e := entry("echo ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123; curl https://me:hunter22@example.com/")
	e.Verdict.Reason = "Sends data to https://me:hunter22@example.com/"
	for _, secret := range []string{"ghp_abcdef", "hunter22"} {
		if line := string(e.Line()); strings.Contains(line, secret) {
			t.Errorf("%q is in %s", secret, line)
		}
	}
}

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "dir", "log.jsonl")
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			if err := (Log{Path: path}).Append(time.Now(), entry(strings.Repeat("long ", 300))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 50 {
		t.Fatalf("%d lines, want 50", len(lines))
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v (%v)", name, info.Mode().Perm(), want, err)
		}
	}
}

// files lists the files of a log that are there, the oldest first.
func files(log Log) []string {
	paths := log.Put()
	if exists(log.Path) {
		paths = append(paths, log.Path)
	}
	return paths
}

// Many processes append and put the file away at once, and no line is lost.
func TestRotation(t *testing.T) {
	dir := t.TempDir()
	log := Log{Path: filepath.Join(dir, "log.jsonl"), Keep: 30}
	start := time.Now()
	var wait sync.WaitGroup
	for i := range 200 {
		wait.Go(func() {
			if i%20 == 0 { // a day passes
				old := start.AddDate(0, 0, -1-i/20)
				os.Chtimes(log.Path, old, old)
			}
			if err := log.Append(start, entry("echo "+strings.Repeat("x", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	seen := map[string]bool{}
	for _, path := range files(log) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			var got struct{ Command string }
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			seen[got.Command] = true
		}
	}
	if len(seen) != 200 {
		t.Errorf("%d different lines, want 200", len(seen))
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	log := Log{Path: filepath.Join(dir, "log.jsonl"), Keep: 10}
	now := time.Date(2026, 11, 15, 4, 0, 0, 0, time.UTC)
	for _, name := range []string{"log-2026-11-05.jsonl", "log-2026-11-04.jsonl", "log-2026-11-04.001.jsonl", "log-2025-01-01.jsonl", "log-notes.jsonl", "other-2025-01-01.jsonl", "log-2025-01-01.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := func() string {
		var list []string
		for _, path := range files(log) {
			list = append(list, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "log"), ".jsonl"))
		}
		return strings.Join(list, " ")
	}
	if got, want := names(), "-2025-01-01 -2026-11-04 -2026-11-04.001 -2026-11-05"; got != want {
		t.Errorf("files are %q, want %q", got, want)
	}
	for _, when := range []time.Time{now.AddDate(0, 0, -1), now} {
		if err := log.Append(when, entry("ls")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(log.Path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := names(), "-2026-11-05 -2026-11-14 "; got != want {
		t.Errorf("files are %q, want %q", got, want)
	}
	if rest, _ := filepath.Glob(filepath.Join(dir, "*")); len(rest) != 6 {
		t.Errorf("other files are gone: %v", rest)
	}
}

// A clock that was set changes where a line goes, never whether it is there.
func TestClockJumps(t *testing.T) {
	now := time.Date(2026, 11, 15, 4, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name  string
		wrote time.Time // when the log was last written to
		want  string    // the files afterwards, and how many lines they hold
	}{
		{"same day", now.Add(-time.Hour), "log.jsonl:2"},
		{"yesterday", now.AddDate(0, 0, -1), "log-2026-11-14.jsonl:1 log.jsonl:1"},
		{"years ago", now.AddDate(-1, 0, 0), "log.jsonl:1"}, // older than it is kept
		{"the beginning of time", time.Unix(0, 0), "log.jsonl:1"},
		{"tomorrow", now.AddDate(0, 0, 1), "log.jsonl:2"},
		{"years to come", now.AddDate(50, 0, 0), "log.jsonl:2"},
	} {
		log := Log{Path: filepath.Join(t.TempDir(), "log.jsonl")}
		for i, when := range []time.Time{test.wrote, now} {
			if err := log.Append(when, entry(fmt.Sprint("echo ", i))); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(log.Path, test.wrote, test.wrote); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, path := range files(log) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s:%d", filepath.Base(path), strings.Count(string(text), "\n")))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %s", test.name, got, test.want)
		}
	}
}

func TestContent(t *testing.T) {
	for content, want := range map[policy.LogContent]string{
		policy.LogUnset:     `"command":"TOKEN=*** make"`,
		policy.LogMasked:    `"command":"TOKEN=*** make"`,
		policy.LogFull:      `"command":"TOKEN=abc make"`,
		policy.LogStructure: `"command":"make -k _"`,
	} {
		e := entry("TOKEN=abc make")
		e.Content = content
		if content == policy.LogStructure {
			e.Invocations = []*command.Invocation{{Name: "make", Path: []string{"make"}, Flags: []string{"-k"}, Operands: make([]command.Word, 1)}}
			e.Verdict.Reason = "writes /home/me/x"
		}
		line := string(e.Line())
		if !strings.Contains(line, want) || strings.Contains(line, "/home/me/x") {
			t.Errorf("content %d: %s", content, line)
		}
	}
}

// TestRareFields: fields that stand in a line only if there is something to say, and the
// lines about outcomes and acts, whole.
func TestRareFields(t *testing.T) {
	e := entry("./x.sh")
	e.Call.Subagent, e.ByHand, e.Bundle, e.BundleLost, e.ID, e.Why, e.Answer = "explorer", true, "team 3", true, "k3v9", "once", tool.Allow
	e.Verdict = &tool.Verdict{Decision: tool.Ask, Parsed: true, Rule: "r", Findings: []tool.Finding{{Rule: "r", Layer: "builtin", Decision: tool.Ask, Session: true}}}
	e.Invocations = []*command.Invocation{{Code: &command.Code{Written: "/p/x.sh", Fetched: &tool.Brought{Path: "/p/y.sh"}}}}
	line := string(e.Line())
	for _, want := range []string{
		`"agent_type":"explorer"`, `"by_hand":true`, `"bundle":"team 3"`, `"bundle_expired":true`, `"id":"k3v9"`, `"answered":"allow","because":"once"`,
		`"runs_written":"/p/x.sh"`, `"runs_fetched":"/p/y.sh"`, `"from_session":true`,
	} {
		if !strings.Contains(line, want) {
			t.Errorf("%s is missing in %s", want, line)
		}
		if plain := string(entry("./x.sh").Line()); strings.Contains(plain, want) {
			t.Errorf("%s is in %s", want, plain)
		}
	}
	outcome, _ := withoutID(string(Outcome{Time: e.Time, Call: e.Call, What: "ran"}.Line()))
	if want := `{"ts":"2026-01-27T14:30:00.123Z","event":"outcome","outcome":"ran","tool":"Bash","cwd":"/home/me/p","session_id":"abc123","agent":"claude","tool_use_id":"toolu_1","line":"ID","v":1}` + "\n"; outcome != want {
		t.Errorf("got  %swant %s", outcome, want)
	}
	act, _ := withoutID(string(Act{Time: e.Time, What: "pause", Dir: "/p", Subject: "10m"}.Line()))
	if want := `{"ts":"2026-01-27T14:30:00.123Z","event":"pause","cwd":"/p","subject":"10m","line":"ID","v":1}` + "\n"; act != want {
		t.Errorf("got  %swant %s", act, want)
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		n     int
		want  string
		whole bool
	}{{0, "", false}, {2, "aé", false}, {3, "aéb", true}, {9, "aéb", true}} {
		if got, whole := cut("aéb", test.n); got != test.want || whole != test.whole {
			t.Errorf("to %d: %q, %v", test.n, got, whole)
		}
	}
}

// TestSubject: of a tool without a script, the structure has the kinds of what it does and
// no targets; what is too long is cut, and said to be.
func TestSubject(t *testing.T) {
	e := entry("")
	e.Call.Shell = false
	e.Call.Effects = []tool.Effect{{Kind: tool.Read, Target: "/home/me/x"}, {Kind: tool.Write, Target: "/home/me/y"}}
	e.Verdict.Reason = "writes /home/me/y"
	e.Content = policy.LogStructure
	if text, whole, reason := e.subject(); text != "read "+mask.Placeholder+", write "+mask.Placeholder || whole || reason != "" {
		t.Errorf("%q, %v, %q", text, whole, reason)
	}
	e.Content = policy.LogFull
	if text, whole, reason := e.subject(); text != "read /home/me/x, write /home/me/y" || !whole || reason != e.Verdict.Reason {
		t.Errorf("%q, %v, %q", text, whole, reason)
	}
	for _, test := range []struct {
		n       int
		content policy.LogContent
		whole   bool
	}{
		{maxText, policy.LogMasked, true}, {maxText + 1, policy.LogMasked, false}, {maxMasked, policy.LogMasked, false}, {maxMasked + 1, policy.LogMasked, false}, {maxText, policy.LogFull, true}, {maxMasked + 1, policy.LogFull, false},
	} {
		e := entry(strings.Repeat("x", test.n))
		e.Content = test.content
		if text, whole, _ := e.subject(); whole != test.whole || len(text) != min(test.n, maxText) {
			t.Errorf("%d bytes: %d, %v", test.n, len(text), whole)
		}
	}
	e = entry("x")
	e.Content = policy.LogStructure
	e.Invocations = []*command.Invocation{{Name: "x", Path: []string{"x"}, Operands: make([]command.Word, 2*maxText)}}
	if text, whole, _ := e.subject(); len(text) != maxText || whole {
		t.Errorf("%d bytes, %v", len(text), whole)
	}
}

// TestFull: a file is put away when it has grown too large or is of an earlier day, and
// never an empty one.
func TestFull(t *testing.T) {
	now := time.Date(2026, 1, 27, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		s    state
		want bool
	}{
		{state{true, 1, now}, false},
		{state{true, maxSize, now}, false},
		{state{true, maxSize + 1, now}, true},
		{state{true, 1, now.Add(-time.Second)}, true},
		{state{true, 0, now.Add(-time.Second)}, false},
		{state{false, maxSize + 1, now}, false},
		{state{true, 1, now.Add(time.Hour)}, false},
	} {
		if got := test.s.full(now); got != test.want {
			t.Errorf("%+v: %v", test.s, got)
		}
	}
}
