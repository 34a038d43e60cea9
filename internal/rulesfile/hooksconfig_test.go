package rulesfile

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"longline/internal/command"
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

func TestHooksConfigMistakes(t *testing.T) {
	tests := []struct{ text, message string }{
		{`{"PreToolUse": {"Bash": [{"command": "rm", "decision": "blok"}]}}`, `did you mean "block"?`},
		{`{"PreToolUse": {"Bash": [{"comand": "rm"}]}}`, `did you mean "command"?`},
		{`{"PreToolUse": {"Bash": [{"decision": "block"}]}}`, "would match everything"},
		{`{"PreToolUse": {"Bash": [null]}}`, "would match everything"},
		{"{}\n---\n{}", "begins a second"},
		{`{"PreToolUse": {"Bash": [{"args": "` + strings.Repeat("a*", maxPattern/2+1) + `"}]}}`, "is no extended regular expression"},
		{`{"PreToolUse": {"Bash": {"rm": [{"pattern": "("}]}}}`, "a ( without its )"},
		{`{"PreToolUse": {"Bash": {"rm": [{"pattern": "(a)\\1"}]}}}`, "back-references"},
		{`{"PreToolUse": {"Bash": {"rm": "block"}}}`, "expected a mapping"},
		{`{"PreToolUse": {"Bsh": []}}`, `did you mean "Bash"?`},
		{`{"PreToolUse": {`, "h.json:"},
		{`[]`, "expected a mapping"},
	}
	for _, tt := range tests {
		_, err := ParseHooksConfig("h.json", []byte(tt.text))
		var list source.Errors
		if !errors.As(err, &list) || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: want %q, got %v", tt.text, tt.message, err)
		}
	}
}

func TestEvaluate(t *testing.T) {
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
	tests := []struct{ command, rules, want string }{
		{"rm -rf /tmp/test", rm, `{"decision": "block", "reason": "強制削除は危険"}`},
		{"rm /tmp/test", rm, `{}`},
		{"/bin/rm -rf x", rm, `{"decision": "block", "reason": "強制削除は危険"}`},
		{"A=1 B='x y' rm -rf x", rm, `{"decision": "block", "reason": "強制削除は危険"}`},
		{"'rm' -rf x", rm, `{"decision": "block", "reason": "強制削除は危険"}`},
		{"cd /tmp && rm -rf *", rm, `{"decision": "block", "reason": "強制削除は危険"}`},
		{"echo 'a; rm -rf x'", rm, `{}`},
		{`echo "a" | rm -rf x`, more, `{"decision": "block", "reason": "say \"no\""}`},
		{"ls -l", more, `{"decision": "approve", "reason": "lists"}`},
		{"ls -l 2>&1", more, `{"decision": "approve", "reason": "lists"}`},
		{"ls && ls x", more, `{"decision": "approve", "reason": "lists"}`},
		{"ls && date", more, `{}`},
		{"git status", more, `{}`},
		{"ls; rm -rf x; date", more, `{"decision": "block", "reason": "say \"no\""}`},
		{"", more, `{}`},
	}
	for _, tt := range tests {
		if got, err := Evaluate("rules", tt.command, []byte(tt.rules)); err != nil || got != tt.want {
			t.Errorf("%q: %s, %v; want %s", tt.command, got, err, tt.want)
		}
	}
	for _, bad := range []string{`{"rm": [{"pattern": "["}]}`, `[]`, `{"rm": [{"decision": "no"}]}`, `{`} {
		if got, err := Evaluate("rules", "rm x", []byte(bad)); err == nil {
			t.Errorf("%s: %s without an error", bad, got)
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
		re := regexp.MustCompile(expression)
		cmd := exec.Command(grep, "-E", "-n", "-e", p)
		cmd.Env = []string{"LC_ALL=C.UTF-8"}
		cmd.Stdin = strings.NewReader(strings.Join(texts, "\n") + "\n")
		out, _ := cmd.Output() // no line at all is an error to grep
		matched := "\n" + string(out)
		for i, text := range texts {
			want := strings.Contains(matched, fmt.Sprintf("\n%d:", i+1))
			if re.MatchString(text) != want {
				t.Errorf("%q (as %s) on %q: grep says %v", p, expression, text, want)
			}
		}
	}
}
