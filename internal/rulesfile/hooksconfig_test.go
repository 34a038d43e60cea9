package rulesfile

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/source"
	"longline/internal/tool"
)

const flatConfig = `{
  // rules of the house
  "PreToolUse": {
    "Bash": [
      {"command": "rm", "args": "-rf\\s+~", "decision": "block", "reason": "not the home"}, // home
      {"command": "touch", "reason": "look first"},
      {"command": "git", "args": "^(status|log|diff)", "decision": "approve", "reason": "only reads"},
      {"command": "ls", "decision": "approve", "reason": "lists \ud83d\udcc1 // always"},
      {"args": "--no-verify", "decision": "block", "reason": "hooks stay on"}
    ]
  },
  "PostToolUse": {"Bash": "whatever others write here"}
}`

const nestedConfig = `{
	"PreToolUse": {
		"Bash": {
			"rm": [{"pattern": "-rf\\s+~", "decision": "block", "reason": "not the home"}],
			"touch": [{"reason": "look first"}],
			"git": {"patterns": [{"pattern": "^(status|log|diff)", "decision": "approve", "reason": "only reads"}]},
			"ls": [{"pattern": "", "decision": "approve", "reason": "lists 📁 // always"}],
			"curl": {"decision": "block", "reason": "no network"}
		}
	}
}`

func words(line string, gap bool) *command.Invocation {
	inv := &command.Invocation{Dir: command.Known("/p", tool.Span{})}
	for _, w := range strings.Fields(line) {
		inv.Words = append(inv.Words, command.Known(w, tool.Span{}))
	}
	inv.Name = inv.Words[0].Text
	if gap {
		inv.Gaps = []command.Gap{{Why: "nothing is known of it"}}
	}
	return inv
}

func TestHooksConfig(t *testing.T) {
	tests := []struct{ line, decision, reason string }{
		{"rm -rf ~/x", "deny", "not the home"},
		{"rm x", "ask", ""},
		{"touch x", "pass", "look first"},
		{"git status -s", "allow", "only reads"},
		{"git push", "ask", ""},
		{"ls -la", "allow", "lists 📁 // always"},
	}
	for name, text := range map[string]string{"flat": flatConfig, "nested": nestedConfig} {
		f, err := ParseHooksConfig("hooks.config.json", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		set, _, err := policy.Merge(nil, nil, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range tests {
			v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{words(tt.line, true)}, nil, &tool.World{Home: "/h"})
			if v.Decision.String() != tt.decision || tt.reason != "" && v.Reason != tt.reason {
				t.Errorf("%s: %q: %s (%s); want %s (%s)", name, tt.line, v.Decision, v.Reason, tt.decision, tt.reason)
			}
		}
		extra := map[string]string{"flat": "git commit --no-verify", "nested": "curl x"}[name]
		if v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{words(extra, false)}, nil, &tool.World{}); v.Decision != tool.Deny {
			t.Errorf("%s: %q: %s", name, extra, v.Decision)
		}
	}
}

// Block stands above undefined, undefined above approve, also where the entry without a pattern is the default.
func TestHooksConfigPriority(t *testing.T) {
	text := `{"PreToolUse": {"Bash": {"x": [{"decision": "approve", "reason": "a"}, {"pattern": "b", "reason": "u"}, {"pattern": "c", "decision": "block", "reason": "b"}]}}}`
	f, err := ParseHooksConfig("h.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	set, _, _ := policy.Merge(nil, nil, f, nil)
	for line, want := range map[string]string{"x a": "allow", "x b": "pass", "x b c": "deny", "x c": "deny"} {
		if v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{words(line, false)}, nil, &tool.World{}); v.Decision.String() != want {
			t.Errorf("%q: %s; want %s", line, v.Decision, want)
		}
	}
	// An untrusted project's approvals do not count.
	set, notices, _ := policy.Merge(nil, []*policy.File{f}, nil, nil)
	v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{words("x a", true)}, nil, &tool.World{})
	if v.Decision != tool.Ask || len(notices) != 2 {
		t.Errorf("of an untrusted project: %s, %q", v.Decision, notices)
	}
}

// A file that is not one object of the known shape is an error as a whole.
func TestHooksConfigBroken(t *testing.T) {
	tests := []struct{ text, message string }{
		{"{}\n---\n{}", "a second begins"},
		{`{"PreToolUse": {`, "h.json:"},
		{`[]`, "expected a mapping"},
		{`{"PreToolUse": []}`, "expected a mapping"},
		{`{"PreToolUse": {"Bash": "rm"}}`, "expected a mapping"},
	}
	for _, tt := range tests {
		_, err := ParseHooksConfig("h.json", []byte(tt.text))
		var list source.Errors
		if !errors.As(err, &list) || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: want %q, got %v", tt.text, tt.message, err)
		}
	}
}

// An entry that is wrong makes its command ask, unless it would only have approved;
// everything else in the file counts as before.
func TestHooksConfigFaultyEntries(t *testing.T) {
	const good = `{"command": "curl", "decision": "block", "reason": "no network"}`
	tests := []struct{ entry, message, line, decision string }{
		{`{"command": "rm", "decision": "blok"}`, `did you mean "block"?`, "rm x", "ask"},
		{`{"comand": "rm"}`, `did you mean "command"?`, "anything x", "ask"},
		{`null`, "the entry is empty", "anything x", "ask"},
		{`"rm"`, "expected a mapping", "anything x", "ask"},
		{`{"command": "rm", "args": "` + strings.Repeat("a*", maxPattern/2+1) + `"}`, "not a valid extended regular expression", "rm x", "ask"},
		{`{"command": "rm", "args": "(", "decision": "block"}`, "a ( without a )", "rm x", "ask"},
		{`{"command": "rm", "args": "(a)\\1", "decision": "block"}`, "back-references", "rm x", "ask"},
		{`{"command": "rm", "args": "(", "decision": "block"}`, "a ( without a )", "other x", "pass"},
		{`{"command": "rm", "args": "(", "decision": "approve"}`, "a ( without a )", "rm x", "pass"},
	}
	for _, tt := range tests {
		f, err := ParseHooksConfig("h.json", []byte(`{"PreToolUse": {"Bash": [`+tt.entry+",\n"+good+`]}}`))
		if err != nil {
			t.Errorf("%.80s: %v", tt.entry, err)
			continue
		}
		if len(f.Remarks) != 1 || !strings.HasPrefix(f.Remarks[0], "h.json:1: ") || !strings.Contains(f.Remarks[0], tt.message) {
			t.Errorf("%.80s: the remarks are %q, want %q", tt.entry, f.Remarks, tt.message)
		}
		if d, _ := alone(f, tt.line); d != tt.decision {
			t.Errorf("%.80s: %q: %s, want %s", tt.entry, tt.line, d, tt.decision)
		}
		if d, reason := alone(f, "curl x"); d != "deny" || reason != "no network" {
			t.Errorf("%.80s: curl: %s, %s", tt.entry, d, reason)
		}
	}
	for _, nested := range []string{`{"rm": "block"}`, `{"rm": {"decision": "x"}}`, `{"": [{"decision": "block"}]}`} {
		f, err := ParseHooksConfig("h.json", []byte(`{"PreToolUse": {"Bash": `+nested+`}}`))
		if err != nil || len(f.Remarks) != 1 {
			t.Fatalf("%s: %v, %+v", nested, err, f)
		}
		if d, _ := alone(f, "rm x"); d != "ask" {
			t.Errorf("%s: rm: %s", nested, d)
		}
	}
}

// An entry without command and args speaks of every command, and of nothing but
// commands; entries for other tools speak of those.
func TestHooksConfigScope(t *testing.T) {
	for decision, want := range map[string]string{"block": "deny", "approve": "allow"} {
		f, err := ParseHooksConfig("h.json", []byte(`{"PreToolUse": {"Bash": [{"decision": "`+decision+`", "reason": "all"}]}}`))
		if err != nil || len(f.Remarks) > 0 {
			t.Fatal(err, f.Remarks)
		}
		for _, line := range []string{"ls", "nosuchprogram --x y"} {
			if d, _ := alone(f, line); d != want {
				t.Errorf("%s: %q: %s, want %s", decision, line, d, want)
			}
		}
		set, _, err := policy.Merge(nil, nil, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v := set.Judge(&tool.Call{Tool: "Write"}, nil, nil, fuzzWorld); v.Decision != tool.Pass {
			t.Errorf("%s: Write: %s", decision, v.Decision)
		}
	}
	f, err := ParseHooksConfig("h.json", []byte(`{"PreToolUse": {"Write": [{"decision": "block", "reason": "no files"}, {"args": "x", "decision": "block"}, {"decision": "approve"}], "Bash": []}}`))
	if err != nil || len(f.Remarks) != 2 || !strings.Contains(f.Remarks[0], "the tool Write") || !strings.Contains(f.Remarks[1], "approves commands only") {
		t.Fatal(err, f.Remarks)
	}
	set, _, err := policy.Merge(nil, nil, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]tool.Decision{"Write": tool.Deny, "Read": tool.Pass} {
		if v := set.Judge(&tool.Call{Tool: name}, nil, nil, fuzzWorld); v.Decision != want {
			t.Errorf("%s: %s, want %s", name, v.Decision, want)
		}
	}
}

// alone judges a command by one file and nothing else, as [config.Evaluating] does.
func alone(f *policy.File, script string) (decision, reason string) {
	only := *f
	only.Default, only.HasDefault = tool.Pass, true
	set, _, err := policy.Merge(nil, nil, &only, nil)
	if err != nil {
		return err.Error(), ""
	}
	v, _ := (&guard.Guard{Library: command.Builtin(), Policy: set}).Judge(tool.Call{Tool: "Bash", Dir: "/home/dev/proj", Script: script, Shell: true}, fuzzWorld)
	return v.Decision.String(), v.Reason
}

// The answers of the older dialect's evaluator: block is deny, approve allow, and {}
// everything else.
func TestMerged(t *testing.T) {
	rm := `{
  "rm": [
    {
      "pattern": "^-rf",
      "reason": "強制削除は危険",
      "decision": "block"
    }
  ]
}`
	more := `{"rm": [{"pattern": "^-rf", "decision": "block", "reason": "say \"no\""}], "ls": [{"decision": "approve", "reason": "lists"}], "git": [{"pattern": "^status", "decision": "approve", "reason": "reads"}, {"reason": "look"}]}`
	tests := []struct{ command, rules, decision, reason string }{
		{"rm -rf /tmp/test", rm, "deny", "強制削除は危険"},
		{"rm /tmp/test", rm, "pass", ""},
		{"/bin/rm -rf x", rm, "deny", "強制削除は危険"},
		{"A=1 B='x y' rm -rf x", rm, "deny", "強制削除は危険"},
		{"'rm' -rf x", rm, "deny", "強制削除は危険"},
		{"cd /tmp && rm -rf *", rm, "deny", "強制削除は危険"},
		{"sudo bash -c 'rm -rf x'", rm, "deny", "強制削除は危険"},
		{"echo 'a; rm -rf x'", rm, "allow", ""}, // which does nothing, and nobody has to approve it
		{`echo "a" | rm -rf x`, more, "deny", `say "no"`},
		{"ls -l", more, "allow", "lists"},
		{"ls -l 2>&1", more, "allow", "lists"},
		{"ls && ls x", more, "allow", "lists"},
		{"ls && rm x", more, "pass", ""},
		{"ls > f", more, "pass", ""}, // the approval of ls is not one of writing f
		{"git status", more, "pass", ""},
		{"ls; rm -rf x; date", more, "deny", `say "no"`},
	}
	for _, tt := range tests {
		f, err := ParseMerged("rules", []byte(tt.rules))
		if err != nil {
			t.Fatal(err)
		}
		if d, reason := alone(f, tt.command); d != tt.decision || tt.reason != "" && reason != tt.reason {
			t.Errorf("%q: %s, %s; want %s, %s", tt.command, d, reason, tt.decision, tt.reason)
		}
	}
	for _, bad := range []string{`[]`, `{`} {
		if _, err := ParseMerged("rules", []byte(bad)); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}

// What grep -E matches, the translation matches, and the other way round.
func TestExpressionsAgreeWithGrep(t *testing.T) {
	grep, err := exec.LookPath("grep")
	if err != nil {
		t.Skip("grep is not installed")
	}
	patterns := []string{
		"-rf", "^-rf", "-rf\\s+~", "^(status|log|diff)", "a|b", "*a", "a**", "a+?b", "x{,2}y", "x{2}", "{1}", "a{", "()", "a||b", "[\\s]", "[]x]", "[^]x]",
		"\\<rm", "rm\\>", "a\\b", "\\bfoo\\b", "[[:space:]]x", "]", "}", "\\{", "^*ab", "(*a)", "a|*b", "\\/", "\\-rf", "\\.", "a.c", "(ab)+c", "(a|b)*c$", "\\w+=\\w+", "--force($|[= ])", "[a-c]+", "[^a-c]", "日本|x", "(a|b){2,3}$",
	}
	texts := []string{
		"-rf ~/x", "-r -f x", "status -s", "stash", "a", "b", "ab", "aab", "", "xy", "xxy", "xx", "{1}", "a{", "\\", "s", "x", "]", "}", "{", "rm x", "arm", "farm rm", "foo bar", "foobar", " x", "a.c", "abc", "ababc",
		"/", "k=v", "--force", "--force-with-lease", "--force=1", "日本語", "push origin", "cc", "aba",
	}
	for _, p := range patterns {
		expression, problem := translate(p)
		if problem != "" {
			t.Errorf("%q: %s", p, problem)
			continue
		}
		cmd := exec.Command(grep, "-E", "-n", "-e", p)
		cmd.Env = []string{"LC_ALL=C.UTF-8"}
		cmd.Stdin = strings.NewReader(strings.Join(texts, "\n") + "\n")
		out, _ := cmd.Output() // no line at all is an error to grep
		matched := "\n" + string(out)
		for i, text := range texts {
			want := strings.Contains(matched, fmt.Sprintf("\n%d:", i+1))
			if expression.Matches(text) != want {
				t.Errorf("%q (as %s) on %q: grep says %v", p, expression.Text, text, want)
			}
		}
	}
}

// TestHooksConfigDefaults: an entry without a pattern holds where no pattern of its command matches; and a file without
// PreToolUse is told.
func TestHooksConfigDefaults(t *testing.T) {
	f, err := ParseHooksConfig("h.json", []byte(`{"PreToolUse": {"Bash": {"docker": [{"decision": "block"}, {"pattern": "^ps", "decision": "approve"}, {"pattern": "^login", "reason": "x"}, {"pattern": "^rm", "decision": "block"}], "other": [{"decision": "approve"}, {"pattern": "^x", "reason": "x"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range f.Rules {
		got = append(got, strings.Join(r.Overrides, ","))
	}
	if want := ";hooks-docker-1;hooks-docker-1;;;"; strings.Join(got, ";") != want {
		t.Errorf("overrides %s, want %s", strings.Join(got, ";"), want)
	}
	f, err = ParseHooksConfig("h.json", []byte(`{"rm": [{"decision": "block"}]}`))
	if err != nil || len(f.Remarks) != 1 || !strings.Contains(f.Remarks[0], "has no PreToolUse") {
		t.Errorf("%v %v", f, err)
	}
}
