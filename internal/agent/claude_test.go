package agent

import (
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
		{`{"cwd":"/w","tool_input":{"text":"x"}}`, `before  dir=/w error="the hook input names no tool and no command"`},
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
