package agent

import (
	"os"
	"strings"
	"testing"

	"longline/internal/tool"
)

func nowhere(string) (string, bool) { return "", false }

func TestClaudeInput(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{"tool_name":"Bash","tool_input":{"command":"ls"}}`, `before Bash dir= script="ls"`},
		{`{"cwd":"/w","tool_name":"Bash","tool_input":{"command":""}}`, `before Bash dir=/w script=""`},
		{`{"cwd":"/w","tool_name":"Bash","tool_input":{}}`, `before Bash dir=/w error="the input of tool \"Bash\" has no \"command\""`},
		{`{"cwd":"/w","tool_name":"Bash","tool_input":{"command":["ls"]}}`, `before Bash dir=/w error="the input of tool \"Bash\" has an array for \"command\""`},
		{`{"cwd":"/w","tool_name":"Bash","tool_input":"ls"}`, `before Bash dir=/w error="the hook input has no object \"tool_input\""`},
		{`{"cwd":"/w","tool_name":"Bash"}`, `before Bash dir=/w error="the hook input has no object \"tool_input\""`},
		{`{"cwd":"/w","tool_input":{"text":"x"}}`, `before  dir=/w error="the hook input has neither a tool nor a command"`},
		{`{"cwd":"w","tool_name":"Bash","tool_input":{"command":"ls"}}`, `before Bash dir= error="the hook input gives a working directory that is not absolute"`},
		{`{"cwd":7,"tool_name":"Bash","tool_input":{"command":"ls"}}`, `before Bash dir= error="the hook input has a number for \"cwd\" (want a string)"`},
		{`{"cwd":"/w","tool_name":"Shell2","tool_input":{"command":"ls"}}`, `before Shell2 dir=/w script="ls"`},
		{`{"cwd":"/w","tool_name":"Todo","tool_input":{"items":[]}}`, `before Todo dir=/w`},
		{`{"cwd":"/w","tool_name":"Read","tool_input":{"file_path":"../a/./b"}}`, `before Read dir=/w read:/a/b`},
		{`{"cwd":"/w","tool_name":"Read","tool_input":{"file_path":"~/x"}}`, `before Read dir=/w read:~/x(anywhere)`},
		{`{"tool_name":"Write","tool_input":{"file_path":"x"}}`, `before Write dir= write:x(anywhere)`},
		{`{"cwd":"/w","tool_name":"Edit","tool_input":{"file_path":1}}`, `before Edit dir=/w error="the input of tool \"Edit\" has a number for \"file_path\""`},
		{`{"cwd":"/w","tool_name":"Glob","tool_input":{"pattern":"/etc/*.conf"}}`, `before Glob dir=/w read:/etc`},
		{`{"cwd":"/w","tool_name":"Glob","tool_input":{"pattern":"a/**/b","path":"/p"}}`, `before Glob dir=/w read:/p/a`},
		{`{"cwd":"/w","tool_name":"Glob","tool_input":{"pattern":"/*"}}`, `before Glob dir=/w read:/`},
		{`{"cwd":"/w","tool_name":"Grep","tool_input":{"pattern":"x"}}`, `before Grep dir=/w read:/w/**`},
		{`{"cwd":"/w","tool_name":"WebFetch","tool_input":{"url":"https://u:p@Example.COM:8443/x?y"}}`, `before WebFetch dir=/w fetch:example.com`},
		{`{"cwd":"/w","tool_name":"WebFetch","tool_input":{"url":"https://[::1]:80/"}}`, `before WebFetch dir=/w fetch:::1`},
		{`{"cwd":"/w","tool_name":"WebFetch","tool_input":{"url":"https://good.example\\@evil.example/"}}`, `before WebFetch dir=/w fetch:(anywhere)`},
		{`{"cwd":"/w","tool_name":"WebFetch","tool_input":{"url":"https://evil.example\\.good.example/"}}`, `before WebFetch dir=/w fetch:(anywhere)`},
		{`{"cwd":"/w","tool_name":"WebFetch","tool_input":{"url":"file:///etc/passwd"}}`, `before WebFetch dir=/w fetch:(anywhere)`},
		{`{"cwd":"/w","tool_name":"mcp__git__push","tool_input":{}}`, `before mcp__git__push dir=/w execute:server:git/push control:server.release`},
		{`{"cwd":"/w","tool_name":"Read","tool_input":{"path":"a"}}`, `before Read dir=/w read:/w/a`},
		{`{"cwd":"/w","hookEventName":"PreToolUse","tool_name":"create_file","tool_input":{"filePath":"/a"}}`, `before create_file dir=/w write:/a`},
		{`{"cwd":"/w","hook_event_name":"Stop"}`, `other  dir=/w`},
		{`{"cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Bash"}`, `after Bash dir=/w`},
	} {
		req, err := claude{}.Decode([]byte(test.in), nowhere)
		if got := strings.TrimSuffix(describeRequest(req, err), " "); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.in, got, test.want)
		}
	}
}

func TestRewriteKeepsEveryOtherByte(t *testing.T) {
	const input = `{ "timeout" : 1e4,"command":"curl \u0041" , "description":"a\/b","run_in_background":true,"x":{"command":"no"}}`
	req, err := claude{}.Decode([]byte(`{"cwd":"/w","tool_name":"Bash","hook_event_name":"PreToolUse","tool_input":`+input+`}`), nowhere)
	if err != nil {
		t.Fatal(err)
	}
	got := string(claude{}.Encode(req, tool.Verdict{Decision: tool.Allow, Rewrite: "new \"one\"\n"}).Stdout)
	want := `"updatedInput":{ "timeout" : 1e4,"command":"new \"one\"\n" , "description":"a\/b","run_in_background":true,"x":{"command":"no"}}`
	if !strings.Contains(got, want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestAttended(t *testing.T) {
	in := []byte(`{"cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	for _, test := range []struct {
		env  string
		set  bool
		want bool
	}{{"0", true, false}, {"1", true, true}, {"", false, true}} {
		req, _ := claude{}.Decode(in, func(name string) (string, bool) {
			return test.env, test.set && name == "CLAUDE_CODE_SESSION_ATTENDED"
		})
		if req.Call.Attended != test.want {
			t.Errorf("attended with %q, %v = %v", test.env, test.set, req.Call.Attended)
		}
	}
}

// TestBell: the terminal rings for a question that somebody can answer, if it is to.
func TestBell(t *testing.T) {
	stdin, err := os.ReadFile("testdata/claude/PreToolUse.Bash.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		bell, attended string
		decision       tool.Decision
		want           bool
	}{{"1", "1", tool.Ask, true}, {"1", "0", tool.Ask, false}, {"1", "1", tool.Deny, false}, {"1", "1", tool.Allow, false}, {"", "1", tool.Ask, false}} {
		req, err := claude{}.Decode(stdin, func(name string) (string, bool) {
			v, ok := map[string]string{"LONGLINE_BELL": test.bell, "CLAUDE_CODE_SESSION_ATTENDED": test.attended}[name]
			return v, ok
		})
		if err != nil {
			t.Fatal(err)
		}
		said := string(claude{}.Encode(req, tool.Verdict{Decision: test.decision, Reason: "why", Parsed: true}).Stdout)
		if strings.Contains(said, `"terminalSequence":"\u0007"`) != test.want {
			t.Errorf("%+v: %s", test, said)
		}
	}
}

// TestJudgeIsTold: in auto mode the client's judge learns that text which was met looks like an
// injection, and nothing of the text.
func TestJudgeIsTold(t *testing.T) {
	for _, test := range []struct {
		mode, event string
		met, want   bool
	}{{"auto", "PostToolUse", true, true}, {"auto", "PostToolUse", false, false}, {"default", "PostToolUse", true, false}, {"auto", "PostToolUseFailure", true, false}} {
		req, err := claude{}.Decode([]byte(`{"hook_event_name":"`+test.event+`","permission_mode":"`+test.mode+`","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{}}`), nowhere)
		if err != nil {
			t.Fatal(err)
		}
		v := tool.Verdict{Decision: tool.Pass, Parsed: true, Context: "found"}
		if test.met {
			v.Met = []tool.Text{{Verdict: "injection", Where: "eve.example", Kinds: "x"}}
		}
		said := string(claude{}.Encode(req, v).Stdout)
		if strings.Contains(said, "classifierContext") != test.want || strings.Contains(said, "eve.example") {
			t.Errorf("%+v: %s", test, said)
		}
	}
}

// A server that a repository brings along is not the one of the same name that a rule was
// written for: an allow is not said of it, everything stricter is.
func TestServersOfARepository(t *testing.T) {
	for _, test := range []struct {
		file string
		said bool
	}{{"PreToolUse.mcp.json", true}, {"PreToolUse.mcp.project.json", false}} {
		stdin, err := os.ReadFile("testdata/claude/" + test.file)
		if err != nil {
			t.Fatal(err)
		}
		req, err := claude{}.Decode(stdin, machine)
		if err != nil {
			t.Fatal(err)
		}
		for d := tool.Allow; d <= tool.Deny; d++ {
			said := string(claude{}.Encode(req, tool.Verdict{Decision: d, Rule: "r", Reason: "why", Parsed: true}).Stdout)
			want := d != tool.Pass && (d != tool.Allow || test.said)
			if strings.Contains(said, `"permissionDecision":"`+d.String()) != want {
				t.Errorf("%s, %v: %s", test.file, d, said)
			}
		}
	}
}
