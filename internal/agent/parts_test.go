package agent

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

// TestIdentities: from what each client sends, the session and the call are taken where
// it names them: what longline remembers hangs on them.
func TestIdentities(t *testing.T) {
	const session, call = 1, 2
	want := map[string]int{
		"claude": session | call, "codex": session | call, "gemini": session, "copilot": session, "opencode": session | call, "qwen": session | call, "droid": session,
		"cursor": session | call, "windsurf": session | call, "kiro": session, "vscode": session | call, "antigravity": session, "auggie": session,
	}
	for _, a := range All {
		names, ok := want[a.Name()]
		for _, file := range recorded(t, a.Name()) {
			stdin, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			req, _ := a.Decode(stdin, machine)
			if !ok || req.Kind != BeforeTool {
				continue
			}
			for i, id := range []string{req.Call.Session, req.Call.ToolUse} {
				if (id != "") != (names&(1<<i) != 0) || !strings.Contains(string(stdin), id) {
					t.Errorf("%s: session %q, call %q", file, req.Call.Session, req.Call.ToolUse)
				}
			}
		}
	}
	req, err := amp{}.Decode([]byte(`{"cmd":"ls"}`), func(name string) (string, bool) {
		v, ok := map[string]string{"AGENT_THREAD_ID": "T1", "AGENT_TOOL_NAME": "Bash"}[name]
		return v, ok
	})
	if err != nil || req.Call.Session != "T1" {
		t.Errorf("amp: %q, %v", req.Call.Session, err)
	}
	task, err := os.ReadFile(recordedOf(t, "cline"))
	if err != nil {
		t.Fatal(err)
	}
	if req, _ := (cline{}).Decode(task, machine); req.Call.Session == "" {
		t.Error("cline: no session")
	}
}

func recordedOf(t *testing.T, agent string) string { return recorded(t, agent)[0] }

// TestAbsolute: file tools take tildes and addresses of files for paths.
func TestAbsolute(t *testing.T) {
	at := place{dir: "/w/sub", home: "/h"}
	for name, want := range map[string]string{
		"a": "/w/sub/a", "../a": "/w/a", "/a/./b": "/a/b", "~": "/h", "~/a": "/h/a", "~a": "/w/sub/~a", "a/~": "/w/sub/a/~",
		"file:///etc/passwd": "/etc/passwd", "FILE:///etc/passwd": "/etc/passwd", "file://localhost/etc/passwd": "/etc/passwd", "file:/etc/passwd": "/etc/passwd",
		"file:///%65tc/pass%77d": "/etc/passwd", "file:///a%2": "/a%2", "file:///a%": "/a%", "file:///a%zz": "/a%zz", "file:a": "/w/sub/a", "file:": "/w/sub/file:", "a%65": "/w/sub/a%65",
	} {
		if got, ok := at.absolute(name); got != want || !ok {
			t.Errorf("%q: %q, %v, want %q", name, got, ok, want)
		}
	}
	for _, test := range []struct {
		at   place
		name string
		ok   bool
	}{{place{}, "a", false}, {place{}, "/a", true}, {place{dir: "/w"}, "~/a", false}, {place{dir: "/w"}, "~", false}, {place{home: "/h"}, "~/a", true}, {place{dir: "/w"}, "~a", true}} {
		if got, ok := test.at.absolute(test.name); ok != test.ok {
			t.Errorf("%+v, %q: %q, %v", test.at, test.name, got, ok)
		}
	}
}

// TestHostOf: an address has the host that every reader takes it to have, or none.
func TestHostOf(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.example/x": "a.example", "HTTP://A.Example?x": "a.example", "https://a.example#x": "a.example", "a.example/x": "a.example", "https://u:p@a.example:1/": "a.example",
		"ftp://a.example": "", "a.example:80": "", "u@a.example": "", `a\b`: "", "a b": "", `https://a\@b/`: "", "javascript:x": "",
	} {
		if got, ok := hostOf(url); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", url, got, ok)
		}
	}
}

// effects lists what a request does.
func effects(req *Request) string {
	var list []string
	for _, e := range req.Call.Effects {
		text := e.Kind.String() + ":" + e.Target
		if e.Pattern {
			text += "*"
		}
		if e.Reach != tool.Exact {
			text += "?"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// TestLinks: every address in a text is fetched, wherever it ends; a text without one may
// be about any.
func TestLinks(t *testing.T) {
	for prose, want := range map[string]string{
		"see https://a.example/x and http://b.example.": "fetch:a.example fetch:b.example",
		"(https://a.example) [x](HTTPS://b.example/y)":  "fetch:a.example fetch:b.example",
		"https://a.example\"x":                          "fetch:a.example",
		"about http and https":                          "fetch:?",
		"":                                              "fetch:?",
		"httphttp://a.example":                          "fetch:?",
		"http then https://a.example":                   "fetch:a.example",
		"https://a.example\nhttps://b.example\thttp://c.ex": "fetch:a.example fetch:b.example fetch:c.ex",
	} {
		var req Request
		req.links(prose)
		if got := effects(&req); got != want {
			t.Errorf("%q: %s, want %s", prose, got, want)
		}
	}
}

// TestPatch: each header of a patch names a file; one that is not known may be about any.
func TestPatch(t *testing.T) {
	for patch, want := range map[string]string{
		"*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n*** Delete File: /d\n*** End of File\n*** End Patch\n": "write:/w/a write:/w/b write:/w/c delete:/d",
		"  *** Update File:  b  \n": "write:/w/b",
		"*** Begin Patch\n":         "write:?",
		"":                          "write:?",
		"*** Rename File: a\n":      "write:?",
		"***Update File: b\n":       "write:?",
	} {
		var req Request
		req.patch(patch, place{dir: "/w"})
		if got := effects(&req); got != want {
			t.Errorf("%q: %s, want %s", patch, got, want)
		}
	}
}

// TestToolWords: how a tool's name says what it does with files.
func TestToolWords(t *testing.T) {
	for name, want := range map[string]string{
		"read_file": "read file", "readFile": "read file", "ReadFile": "read file", "READ": "read", "readAFile": "read a file", "read-file2x": "read file x", "getAPIKeys": "get api keys", "HTTPGet": "http get", "APIs": "apis", "userIDs": "user ids", "": "", "_": "", "aZ": "a z", "AZ": "az", "zA": "z a", "a9B": "a b",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]class{
		"read_file": classRead, "push": classRelease, "write_file": classWrite, "run_and_save": classWrite, "getThenDelete": classDelete, "x": classNone, "": classNone,
		"merge_merge_request": classRelease, "list_merge_requests": classRead, "merge_request_list": classRead, "post_message": classSend, "get_post": classRead,
		"search_deleted_items": classRead, "view_delete": classDelete, "find_and_modify": classWrite, "execute_sql": classCall, "run_query": classRead,
		"create_refund": classPay, "refund": classPay, "worker_delete": classDelete, "browser_click": classUI, "build_project": classProject, "and": classNone,
		"get_or_create": classWrite, "make_payment": classPay, "grant_role": classAccess, "DELETE": classDelete, "deleteAPIKey": classDelete, "bulk-delete": classDelete,
	} {
		if got, _ := classify(words(name)); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]bool{"get_secret": true, "getApiKey": true, "get_api_status": false, "api": false, "list_secret_scanning_alerts": false, "cookie": true, "key": false} {
		if got := saysSecret(words(name)); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestArguments: what a tool that nobody has described may do with its arguments.
func TestArguments(t *testing.T) {
	for _, test := range []struct{ name, input, effects, script string }{
		{"x", `{"a":"/etc/passwd"}`, "read:/etc/passwd write:/etc/passwd control:server.unknown", ""},
		{"read_x", `{"a":"/etc/passwd"}`, "read:/etc/passwd", ""},
		{"write_x", `{"a":"/etc/passwd"}`, "write:/etc/passwd", ""},
		{"read_write", `{"a":"/etc/passwd"}`, "write:/etc/passwd", ""},
		{"read_x", `{"a":"/api/users"}`, "", ""},
		{"read_x", `{"a":"/w/x"}`, "read:/w/x", ""},
		{"read_x", `{"a":"/h/x"}`, "read:/h/x", ""},
		{"read_x", `{"a":"/"}`, "read:/", ""},
		{"read_x", `{"a":"/etc/../api"}`, "", ""},
		{"read_x", `{"a":"~/x"}`, "read:/h/x", ""},
		{"read_x", `{"a":"~"}`, "read:/h", ""},
		{"read_x", `{"a":"~x"}`, "", ""},
		{"read_x", `{"a":"file:/x"}`, "read:/x", ""},
		{"read_x", `{"a":"file:"}`, "", ""},
		{"read_x", `{"a":"x"}`, "", ""},
		{"read_x", `{"path":"x"}`, "read:/w/x", ""},
		{"read_x", `{"file_path":"x"}`, "read:/w/x", ""},
		{"read_x", `{"inputPaths":["x","y"]}`, "read:/w/x read:/w/y", ""},
		{"read_x", `{"log-file":"x"}`, "read:/w/x", ""},
		{"read_x", `{"logfiles":"x"}`, "read:/w/x", ""},
		{"read_x", `{"a":{"b":[{"path":" x "}]}}`, "read:/w/x", ""},
		{"read_x", `{"path":""}`, "", ""},
		{"read_x", `{"path":"a\nb"}`, "", ""},
		{"read_x", `{"a":"https://a.example/x"}`, "fetch:a.example", ""},
		{"read_x", `{"a":"WSS://a.example/x"}`, "fetch:a.example", ""},
		{"read_x", `{"a":"see https://a.example/x"}`, "", ""},
		{"read_x", `{"path":"x://a"}`, "read:/w/x:/a", ""},
		{"read_x", `{"glob":"*.pem"}`, "read:/w/**/*.pem*", ""},
		{"write_x", `{"glob":"*.pem"}`, "control:server.write", ""},
		{"write_x", `{"files":"a"}`, "write:/w/a", ""},
		{"read_x", `{"command":"ls"}`, "", "ls"},
		{"read_x", `{"a":{"Cmd":"ls"}}`, "", "ls"},
		{"read_x", `{"command":["ls","a b"]}`, "", "'ls' 'a b'"},
		{"read_x", `{"commands":["ls","id"]}`, "", "bash -c 'ls'\nbash -c 'id'"},
		{"read_x", `{"commands":["ls"]}`, "", "ls"},
		{"read_x", `{"command":["ls",{"path":"x"}]}`, "read:/w/x", ""},
		{"read_x", `{"command":[]}`, "", ""},
		{"run_x", `{"a":"rm -r x"}`, "", "rm -r x"},
		{"read_x", `{"a":"rm -r x"}`, "", ""},
		{"run_x", `{"a":"ls\nid"}`, "", "ls\nid"},
		{"read_x", `{"a":"ls\nid"}`, "", ""},
		{"run_x", `{"a":"ls"}`, "control:server.unknown", ""},
		{"run_x", `{"a":"https://a.example/x"}`, "fetch:a.example control:server.unknown", ""},
		{"run_x", `{"a":7,"b":null,"c":true}`, "control:server.unknown", ""},
	} {
		input, err := strictjson.Parse([]byte(test.input))
		if err != nil {
			t.Fatal(err)
		}
		req := Request{Input: input, Call: tool.Call{Tool: test.name}}
		if err := req.foreign("", test.name, place{dir: "/w", home: "/h"}); err != nil || effects(&req) != test.effects || req.Call.Script != test.script {
			t.Errorf("%s %s: %q, %q, %v", test.name, test.input, effects(&req), req.Call.Script, err)
		}
	}
}

// TestArgumentBounds: what is too much to look at is an error, up to the bound it is not.
func TestArgumentBounds(t *testing.T) {
	try := func(text string) error {
		input, err := strictjson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		req := Request{Input: input, Call: tool.Call{Tool: "x"}}
		return req.foreign("", "x", place{dir: "/w"})
	}
	list := func(n int) string { return `{"a":[0` + strings.Repeat(",0", n-1) + `]}` }
	if err := try(list(maxArguments - 2)); err != nil { // the object and the list count too
		t.Error(err)
	}
	if try(list(maxArguments-1)) == nil {
		t.Error("too many values are looked at")
	}
	long := func(n int) string {
		return `{"a":"` + strings.Repeat("a", n/2) + `","b":"` + strings.Repeat("a", n-n/2) + `"}`
	}
	if err := try(long(maxArgument)); err != nil {
		t.Error(err)
	}
	if try(long(maxArgument+1)) == nil {
		t.Error("too long texts are looked at")
	}
}

// TestStrs: a text, or a list of texts or of objects that have one under a key.
func TestStrs(t *testing.T) {
	for _, test := range []struct {
		text, want string
		ok         bool
	}{
		{`"a"`, "a", true},
		{`["a","b"]`, "a b", true},
		{`[]`, "", true},
		{`["a",1]`, "", false},
		{`{"path":"a"}`, "", false},
		{`1`, "", false},
		{`[{"path":"a"},{"file":"b","path":1},"c"]`, "a b c", true},
		{`[{"path":1}]`, "", false},
		{`[{"path":"a","file":"b"}]`, "a", true},
		{`[{"x":"a"}]`, "", false},
	} {
		v, err := strictjson.Parse([]byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if list, ok := strs(v, "path", "file"); strings.Join(list, " ") != test.want || ok != test.ok {
			t.Errorf("%s: %q, %v", test.text, list, ok)
		}
	}
}

func TestSplitFilters(t *testing.T) {
	for text, want := range map[string]string{
		"*.a,*.b": "*.a|*.b", "*.a *.b": "*.a|*.b", "*.{a,b},c": "*.{a,b}|c", "{a,{b,c}} d": "{a,{b,c}}|d", "a}b,c": "a}b|c", "{a b}": "{a|b}", " ,": "",
	} {
		if got := strings.Join(splitFilters(text), "|"); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestBraces(t *testing.T) {
	for pattern, want := range map[string]string{"a": "a", "{a,b}c": "ac bc", "{a,b{c,d}}": "a a bc bd", "a}": "a}", "{a": "{a", "}{": "}{", "{a}": "a", "x{}": "x"} {
		list, ok := braces(pattern)
		slices.Sort(list)
		if got := strings.Join(list, " "); got != want || !ok {
			t.Errorf("%q: %q, %v", pattern, got, ok)
		}
	}
	if list, ok := braces(strings.Repeat("{a,b}", 6)); !ok || len(list) != 64 {
		t.Errorf("64 forms: %d, %v", len(list), ok)
	}
	if _, ok := braces("{a,b,c}" + strings.Repeat("{a,b}", 5)); ok {
		t.Error("96 forms")
	}
}

// TestRoot: the project is what the client's variable or its document says.
func TestRoot(t *testing.T) {
	variable := ""
	name := ""
	for _, a := range All {
		if f := a.Facts(); f.RootVariable != "" {
			name, variable = f.Name, f.RootVariable
		}
	}
	if name == "" {
		t.Fatal("no client has a variable")
	}
	for _, test := range []struct{ agent, dir, value, document, want string }{
		{name, "/a", "/p", `{}`, "/p"},
		{name, "/a", "p", `{}`, ""},
		{name, "/a", "p", `{"workspace_roots":["/b"]}`, "/b"},
		{"", "/b/c", "/p", `{"workspace_roots":["/a","/b","/b/c"]}`, "/b"},
		{"", "/x", "/p", `{"workspace_roots":["/a","/b"]}`, "/a"},
		{"", "/x", "/p", `{"workspace_roots":[1,"/b"]}`, "/b"},
		{"", "/b", "/p", `{}`, ""},
	} {
		doc, err := strictjson.Parse([]byte(test.document))
		if err != nil {
			t.Fatal(err)
		}
		req := Request{Document: doc, Call: tool.Call{Agent: test.agent, Dir: test.dir}}
		env := func(v string) (string, bool) { return test.value, v == variable }
		if test.agent != name {
			env = nowhere
		}
		if got := Root(&req, env); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if got := Cwd(&Request{cwd: "/c", Call: tool.Call{Dir: "/d"}}); got != "/c" {
		t.Error(got)
	}
	if got := Cwd(&Request{Call: tool.Call{Dir: "/d"}}); got != "/d" {
		t.Error(got)
	}
}

// TestStartedIn: a directory that a client names elsewhere stands for the one it runs in.
func TestStartedIn(t *testing.T) {
	env := func(name string) (string, bool) { return "of " + name, name == "PWD" || name == "HOME" }
	for _, test := range []struct {
		dir, name, want string
		ok              bool
	}{{"/d", "PWD", "/d", true}, {"", "PWD", "of PWD", true}, {"/d", "HOME", "of HOME", true}, {"/d", "X", "of X", false}} {
		if got, ok := startedIn(test.dir, env)(test.name); got != test.want || ok != test.ok {
			t.Errorf("%+v: %q, %v", test, got, ok)
		}
	}
}

// TestResults: which results are replaced, which file is given in place of another, and
// where a client writes what a tool returned.
func TestResults(t *testing.T) {
	for _, test := range []struct {
		agent, tool string
		kind        Kind
		want        bool
	}{{"claude", "Read", BeforeTool, true}, {"claude", "Read", AfterTool, false}, {"claude", "Bash", BeforeTool, false}, {"codex", "Read", BeforeTool, false}} {
		if got := Redirects(Request{Kind: test.kind, Call: tool.Call{Agent: test.agent, Tool: test.tool}}); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
	for _, a := range All {
		for event, may := range map[string]bool{"PostToolUse": true, "PostToolUseFailure": false} {
			if got := Replaces(&Request{Call: tool.Call{Agent: a.Name(), Event: event}}); got != (may && a.Facts().Results == Replaced) {
				t.Errorf("%s at %s: %v", a.Name(), event, got)
			}
		}
	}
	for text, want := range map[string]string{
		`{"tool_response":"a","error":"b"}`: `"a"`, `{"toolResult":{"x":1}}`: `{"x":1}`, `{"tool_result":{"output":"a"}}`: `"a"`, `{"output":{"output":"a"}}`: `"a"`, `{"error":"b"}`: `"b"`, `{}`: "",
	} {
		doc, err := strictjson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := Response(&Request{Document: doc}); got.Raw != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", text, got.Raw, ok)
		}
	}
	for output, want := range map[string]string{
		`{"llmContent":[{"type":"text","text":"A"},"B"]}`: "A\nB\n\nC", `{"x":"A","y":1}`: "A\n\nC", `"A"`: "A\n\nC", `{`: "C", `{"llmContent":""}`: "C",
	} {
		if got := instead(&tool.Verdict{Output: output, Context: "C"}); got != want {
			t.Errorf("%s: %q", output, got)
		}
	}
}

// TestProgram: which settings of a hook start longline, and with which program.
func TestProgram(t *testing.T) {
	delegate := ""
	for _, a := range All {
		if h := a.Facts().Hooks; h != nil && h.Form == Delegated {
			delegate = "/x/longline-" + a.Name()
		}
	}
	for text, want := range map[string]string{
		`{"command":"/a/longline hook --agent x"}`:                         "/a/longline",
		`{"command":"longline.exe hook"}`:                                  "longline.exe",
		`{"command":"'/a b/longline' hook"}`:                               "/a b/longline",
		`{"command":"'/a'\\''b/longline' hook"}`:                           "/a'b/longline",
		`{"command":"/a b/longline hook"}`:                                 "/a b/longline",
		`{"command":"/a b/longline-hook x"}`:                               "/a b/longline-hook",
		`{"command":"/a/longline-hook"}`:                                   "/a/longline-hook",
		`{"command":"/a/longline","args":["hook","x"]}`:                    "/a/longline",
		`{"command":"/a/longline","args":["stats"]}`:                       "",
		`{"command":"/a/longline","args":[]}`:                              "/a/longline", // without a word it is the hook
		`{"command":"/a/longline stats"}`:                                  "",
		`{"command":"/a/other hook"}`:                                      "",
		`{"command":7,"bash":"longline hook"}`:                             "longline",
		`{"command":"x","to":"` + delegate + `"}`:                          delegate,
		`{"to":"/x/longline-claude"}`:                                      "",
		`{"to":"/x/longline-nobody"}`:                                      "",
		`{"to":"/x/` + strings.TrimPrefix(delegate, "/x/longline-") + `"}`: "",
		`{}`:                  "",
		`{"command":" hook"}`: "",
	} {
		v, err := strictjson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := Program(v); got != want || Starts(v) != (want != "") {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestClaudeSettings: what settings of Claude Code start, switch off and set.
func TestClaudeSettings(t *testing.T) {
	for text, want := range map[string]bool{
		`{"hooks":{"PreToolUse":[{"hooks":[{"command":"x"},{"command":"longline hook"}]}]}}`: true,
		`{"hooks":{"PostToolUse":[{"hooks":[{"command":"longline hook"}]}]}}`:                false,
		`{"hooks":{"PreToolUse":[{"hooks":[{"command":"x"}]}]}}`:                             false,
		`{`: false,
	} {
		if got := ClaudeStarts([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	effect := func(name string) string { return map[string]string{"A": "does a"}[name] }
	for text, want := range map[string]string{
		`{"disableAllHooks":true}`:                         "disableAllHooks true",
		`{"disableAllHooks":false}`:                        "",
		`{"enabledPlugins":{"longline@x":false}}`:          "enabledPlugins.longline@x true",
		`{"enabledPlugins":{"longline":false}}`:            "enabledPlugins.longline true",
		`{"enabledPlugins":{"longline@x":true}}`:           "",
		`{"enabledPlugins":{"longline@x":null}}`:           "",
		`{"enabledPlugins":{"other@x":false}}`:             "",
		`{"env":{"A":"1","B":"2"},"disableAllHooks":true}`: "disableAllHooks true, env.A false",
		`{`: "",
	} {
		var list []string
		for _, s := range ClaudeSwitches([]byte(text), effect) {
			list = append(list, s.Setting+" "+strconv.FormatBool(s.Off))
		}
		if got := strings.Join(list, ", "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{`{"env":{"A":"1","B":"2"}}`: 2, `{`: 0, "": 0, `{}`: 0} {
		root, _ := strictjson.Parse([]byte(text))
		if got := ClaudeEnv(root); len(got) != want || want == 2 && got[1] != (Setting{"B", "2"}) {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !Permissions("claude") || !Permissions("claude-legacy") || Permissions("codex") || !Watched("claude") || Watched("codex") {
		t.Error("whose settings count")
	}
}

// TestRejects: settings that a client drops as a whole.
func TestRejects(t *testing.T) {
	hook := func(h string) string { return `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"},` + h + `]}]}}` }
	for _, test := range []struct {
		rejects func(strictjson.Value) error
		text    string
		want    string
	}{
		{codexRejects, `{"hooks":{},"description":"x"}`, ""},
		{codexRejects, `{"hooks":{},"x":1}`, `"x"`},
		{claudeRejects, `{}`, ""},
		{claudeRejects, `{"permissions":{"allow":[],"ask":[],"deny":[]}}`, ""},
		{claudeRejects, `{"permissions":{"deny":"x"}}`, "permissions.deny"},
		{claudeRejects, hook(`{"type":"http","timeout":5,"onFailure":"block"}`), ""},
		{claudeRejects, hook(`{"type":"http","onFailure":"continue"}`), ""},
		{claudeRejects, hook(`{"type":"x"}`), "type"},
		{claudeRejects, hook(`{"type":"command","timeout":"5"}`), "timeout"},
		{claudeRejects, hook(`{"type":"command","timeout":-5}`), "timeout"},
		{claudeRejects, hook(`{"type":"command","onFailure":"x"}`), "onFailure"},
	} {
		v, err := strictjson.Parse([]byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := test.rejects(v); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.text, err)
		}
	}
}

// TestHookFiles: which files tell a client whether to call longline, and which of them
// still have to be guarded.
func TestHookFiles(t *testing.T) {
	h := Hooks{User: ".x/a.json", Second: ".x/b.toml", Project: ".x/a.json", Managed: "/etc/x.json", Beside: []string{"/etc/y.json", ".x/a.json"}, Fleet: &Fleet{Darwin: "/Library/x.json"}}
	if got, want := h.files(), []string{"~/.x/a.json", "~/.x/b.toml", ".x/b.toml", ".x/a.json", "/etc/x.json", "/Library/x.json", "/etc/y.json"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, test := range []struct{ members, want []string }{
		{nil, []string{".x/b.toml", ".x/a.json", "/etc/x.json", "/Library/x.json", "/etc/y.json"}},
		{[]string{".x"}, []string{"/etc/x.json", "/Library/x.json", "/etc/y.json"}},
		{[]string{"/etc/x.json", ".x/a.json"}, []string{".x/b.toml", "/Library/x.json", "/etc/y.json"}},
	} {
		if got := h.guarded(test.members); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q", test.members, got)
		}
	}
	alone := Hooks{User: ".x/a.json", Second: ".x/b.toml"}
	if got := alone.guarded([]string{".x/a*"}); !slices.Equal(got, []string{"~/.x/b.toml"}) {
		t.Errorf("%q", got)
	}
	for _, test := range []struct {
		h            Hooks
		system, want string
	}{
		{h, "linux", "/etc/x.json"},
		{h, "darwin", "/Library/x.json"},
		{h, "windows", ""},
		{Hooks{Managed: "/etc/x", Fleet: &Fleet{Linux: "/etc/y"}}, "linux", "/etc/y"},
		{Hooks{Managed: "/etc/x"}, "linux", ""},
	} {
		if got := test.h.On(test.system); got != test.want {
			t.Errorf("%s: %q", test.system, got)
		}
	}
}

// TestOlder: versions are compared number by number, and one that cannot be read is not
// older.
func TestOlder(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{{"1.9", "1.10", true}, {"1.10", "1.9", false}, {"1.9", "1.9", false}, {"1.9", "1.9.1", true}, {"x", "1", false}, {"", "1", false}, {"1.x", "2", false}} {
		if got := Older(test.a, test.b); got != test.want {
			t.Errorf("%s, %s: %v", test.a, test.b, got)
		}
	}
}

// TestRewritings: with which answers each client runs a command that was changed.
func TestRewritings(t *testing.T) {
	for r, want := range map[Rewriting][2]bool{Never: {false, false}, NotWithAsk: {true, false}, Always: {true, true}} {
		if got := [2]bool{r.with(tool.Allow), r.with(tool.Ask)}; got != want {
			t.Errorf("%s: %v", r, got)
		}
	}
	if !TakesChanged("nobody", tool.Ask) {
		t.Error("a person at a terminal runs what they are shown")
	}
	for _, a := range All {
		if got := TakesChanged(a.Name(), tool.Ask); got != CapabilityOf(a.Name()).Rewrite.with(tool.Ask) {
			t.Errorf("%s: %v", a.Name(), got)
		}
	}
}

// TestReasonText: what is said names the rule, what happens, where, and what to do.
func TestReasonText(t *testing.T) {
	for _, test := range []struct {
		v       tool.Verdict
		suggest string
		want    string
	}{
		{tool.Verdict{Decision: tool.Deny, Rule: "r", Reason: "No.", Part: "x"}, "Do y.", "[r] No.\nIn: x\nDo y."},
		{tool.Verdict{Decision: tool.Deny, Rule: "r"}, "", "[r]"},
		{tool.Verdict{Decision: tool.Deny, Reason: "No."}, "", "No."},
		{tool.Verdict{Decision: tool.Deny, Part: "x"}, "", "longline gave no reason"},
		{tool.Verdict{Decision: tool.Allow}, "", "longline knows what this does, and no rule objects."},
		{tool.Verdict{Decision: tool.Allow, Reason: "Fine."}, "", "Fine."},
	} {
		if got := reasonText(&test.v, test.suggest); got != test.want {
			t.Errorf("%+v: %q", test.v, got)
		}
	}
	if got := aside(&tool.Verdict{Reason: "A."}); got != "A." {
		t.Error(got)
	}
	if got := aside(&tool.Verdict{Reason: "A.", Suggest: "B."}); got != "A.\nIf the user says no: B." {
		t.Error(got)
	}
}

// TestByPerson: what a person is told they can do.
func TestByPerson(t *testing.T) {
	c := &Capability{Client: "X"}
	for _, test := range []struct {
		name                     string
		d                        tool.Decision
		once                     string
		attended, asked, lasting bool
		want                     []string
		not                      []string
	}{
		{"asked", tool.Ask, "k", true, true, true, []string{"To stop this question: longline allow k"}, []string{"allow-once", "cannot ask", "nobody"}},
		{"asked, and nothing lasts", tool.Ask, "k", true, true, false, nil, []string{"allow"}},
		{"cannot ask", tool.Deny, "k", true, true, true, []string{"X cannot ask its user", "allow-once k; or from now on: longline allow k"}, []string{"nobody"}},
		{"cannot ask, nothing lasts", tool.Deny, "k", true, true, false, []string{"allow-once k"}, []string{"from now on"}},
		{"denied", tool.Deny, "k", true, false, false, []string{"allow-once k"}, []string{"cannot ask", "nobody"}},
		{"nobody", tool.Ask, "k", false, true, true, []string{"There is nobody to ask", "allow-once k; or"}, []string{"cannot ask"}},
		{"no key", tool.Deny, "", true, true, true, []string{"cannot ask"}, []string{"longline allow"}},
	} {
		got := byPerson(c, &Request{Call: tool.Call{Attended: test.attended}}, &tool.Verdict{Decision: test.d, Once: test.once}, test.asked, test.lasting)
		for _, w := range test.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q has no %q", test.name, got, w)
			}
		}
		for _, n := range test.not {
			if strings.Contains(got, n) {
				t.Errorf("%s: %q has %q", test.name, got, n)
			}
		}
	}
}

// TestShellDirectories: a command runs where the tool is told to run it.
func TestShellDirectories(t *testing.T) {
	u := &toolUse{use: shell, field: "command", dir: "dir"}
	for text, want := range map[string]string{
		`{"command":"ls","dir":"sub"}`: "/w/sub", `{"command":"ls","dir":"/x"}`: "/x", `{"command":"ls","dir":""}`: "/w", `{"command":"ls"}`: "/w", `{"command":"ls","dir":null}`: "/w",
		`{"command":"ls","dir":1}`: "error", `{"command":"ls","dir":"~/x"}`: "error", `{"command":1}`: "error", `{}`: "error",
	} {
		input, err := strictjson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		req := Request{Input: input, Call: tool.Call{Tool: "x", Dir: "/w"}}
		got := "error"
		if err := req.apply(u, place{dir: "/w"}); err == nil {
			got = req.Call.Dir
			if moved := got != "/w"; moved != (req.cwd == "/w") {
				t.Errorf("%s: the client is in %q", text, req.cwd)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestUses: what each use of a field does, and what input it does not take.
func TestUses(t *testing.T) {
	for _, test := range []struct {
		u           toolUse
		input, want string
	}{
		{toolUse{use: reads, field: "f"}, `{"f":["a",{"path":"b"}]}`, "read:/w/a read:/w/b"},
		{toolUse{use: reads, field: "f"}, `{"filePath":"a"}`, "read:/w/a"},
		{toolUse{use: reads, field: "f"}, `{"file_path":"a","path":"b"}`, "read:/w/a"},
		{toolUse{use: reads, field: "f"}, `{"f":[]}`, "error"},
		{toolUse{use: writes, field: "f"}, `{"f":"a"}`, "write:/w/a"},
		{toolUse{use: deletes, field: "f"}, `{"f":"a"}`, "delete:/w/a"},
		{toolUse{use: lists, field: "f"}, `{}`, "read:/w"},
		{toolUse{use: lists, field: "f"}, `{"f":null}`, "read:/w"},
		{toolUse{use: lists, field: "f"}, `{"f":1}`, "error"},
		{toolUse{use: lists, field: "f"}, `{"f":"a*","glob":"*.c"}`, "read:/w/a*"},
		{toolUse{use: searches, field: "f"}, `{"f":"a/x*"}`, "read:/w/a/x** read:/w/a"},
		{toolUse{use: searches, field: "f"}, `{"f":"a","glob":1}`, "error"},
		{toolUse{use: searches, field: "path"}, `{"path":"a","glob":null,"include":"/b/*.c !d"}`, "read:/w/a read:/w/a/b/*.c*"},
		{toolUse{use: searches, field: "path"}, `{"path":"a","glob":"b/"}`, "read:/w/a read:/w/a/**/b*"},
		{toolUse{use: searches, field: "dir_path"}, `{"dir_path":"a","glob":"*.c"}`, "read:/w/a read:/w/a/**/*.c*"},
		{toolUse{use: searches, field: "path"}, `{"path":"~/a","glob":"*.c"}`, "read:~/a? read:/w/**/*.c*"},
		{toolUse{use: gathers, field: "f"}, `{"f":["a/*","b"]}`, "read:/w/a/** read:/w/b*"},
		{toolUse{use: gathers, field: "f"}, `{"patterns":"*.c"}`, "read:/w/*.c*"},
		{toolUse{use: gathers, field: "f"}, `{"f":[]}`, "error"},
		{toolUse{use: gathers, field: "f"}, `{"f":"~/x*"}`, "read:?"},
		{toolUse{use: globs, field: "f", dir: "d"}, `{"f":"a/*.c","d":"/x"}`, "read:/x/a"},
		{toolUse{use: globs, field: "f", dir: "d"}, `{"f":"*.c"}`, "read:/w"},
		{toolUse{use: fetches, field: "f"}, `{"f":["https://a.example",{"url":"https://b.example"}]}`, "fetch:a.example fetch:b.example"},
		{toolUse{use: fetches, field: "f"}, `{"f":[]}`, "error"},
		{toolUse{use: fetches, field: "f"}, `{"f":"x:y"}`, "fetch:?"},
		{toolUse{use: links, field: "f"}, `{"f":"see https://a.example"}`, "fetch:a.example"},
		{toolUse{use: patches, field: "f"}, `{"f":"*** Add File: a"}`, "write:/w/a"},
		{toolUse{use: patches, field: "f"}, `{"f":1}`, "error"},
		{toolUse{use: runs, field: "f"}, `{}`, "execute:f"},
		{toolUse{use: nothing}, `{"f":"a"}`, ""},
		{toolUse{use: shells, field: "f"}, `{"f":[]}`, "error"},
		{toolUse{use: shells, field: "f"}, `{"f":"ls"}`, "error"},
		{toolUse{use: shells, field: "f"}, `{"f":["ls",1]}`, "error"},
	} {
		input, err := strictjson.Parse([]byte(test.input))
		if err != nil {
			t.Fatal(err)
		}
		req := Request{Input: input, Call: tool.Call{Tool: "x"}}
		got := "error"
		if err := req.apply(&test.u, place{dir: "/w"}); err == nil {
			got = effects(&req)
		}
		if got != test.want {
			t.Errorf("%d, %s: %s, want %s", test.u.use, test.input, got, test.want)
		}
		for _, e := range req.Call.Effects {
			if test.u.use == searches && got != "error" && !e.Tree && !e.Pattern || test.u.use == lists && e.Tree {
				t.Errorf("%d, %s: %+v", test.u.use, test.input, e)
			}
		}
	}
}

// TestClineDirectories: Cline's first folder is where its commands run, else where it is
// itself; a name that is not absolute says nothing.
func TestClineDirectories(t *testing.T) {
	for _, test := range []struct{ roots, pwd, want string }{
		{`["/a","/b"]`, "/c", "/a"},
		{`[{"path":"/a"}]`, "/c", "/a"},
		{`["a"]`, "/c", "/c"},
		{`[]`, "/c", "/c"},
		{`[]`, "c", ""},
		{`[]`, "", ""},
		{`7`, "/c", "/c"},
	} {
		env := func(name string) (string, bool) { return test.pwd, name == "PWD" && test.pwd != "" }
		req, err := cline{}.Decode([]byte(`{"hookName":"tool_call","workspaceRoots":`+test.roots+`,"tool_call":{"id":"1","name":"read_files","input":{"file_paths":["x"]}}}`), env)
		if req.Call.Dir != test.want || req.Call.ToolUse != "1" {
			t.Errorf("%+v: %q, %v", test, req.Call.Dir, err)
		}
	}
}

// TestClineInstead: another script runs in place of the call only where the client is known to
// run it in a known directory; else the call is cancelled.
func TestClineInstead(t *testing.T) {
	const shell = `{"hookName":"tool_call","workspaceRoots":["/w"],"tool_call":{"id":"1","name":"run_commands","input":{"commands":["rm x"]}}}`
	for input, want := range map[string]bool{
		shell: true,
		strings.Replace(shell, `["/w"]`, `[]`, 1):                                                                                       false,
		strings.Replace(shell, "run_commands", "read_files", 1):                                                                         false,
		strings.Replace(shell, `"commands":["rm x"]`, `"other":1`, 1):                                                                   false,
		`{"hookName":"PreToolUse","workspaceRoots":["/w"],"preToolUse":{"toolName":"run_commands","parameters":{"commands":["rm x"]}}}`: false,
	} {
		req, _ := cline{}.Decode([]byte(input), nowhere)
		for _, v := range []tool.Verdict{{Decision: tool.Deny, Reason: "No."}, {Decision: tool.Allow, Rewrite: "true"}} {
			answer := string(cline{}.Encode(req, v).Stdout)
			if strings.Contains(answer, "overrideInput") != want || v.Decision == tool.Deny && strings.Contains(answer, `"cancel":true`) == want {
				t.Errorf("%s: %s", input, answer)
			}
		}
	}
}

// TestSubagents: a subagent is known by its type, or else by its name.
func TestSubagents(t *testing.T) {
	for input, want := range map[string]string{`"agent_type":"Explore","agent_id":"a1"`: "Explore", `"agent_id":"a1"`: "a1", `"agent_type":""`: ""} {
		req, err := claude{}.Decode([]byte(`{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"},`+input+`}`), nowhere)
		if req.Call.Subagent != want || err != nil {
			t.Errorf("%s: %q, %v", input, req.Call.Subagent, err)
		}
	}
}

// TestGeminiServers: a server's tool is the server's, whatever it is called.
func TestGeminiServers(t *testing.T) {
	for _, name := range []string{"run_shell_command", "read_file", "web_fetch", "mine"} {
		input := `{"hook_event_name":"BeforeTool","cwd":"/w","tool_name":"` + name + `","tool_input":{"command":"ls /etc","file_path":"/etc/x"},"mcp_context":{"server_name":"s"}}`
		req, err := gemini{}.Decode([]byte(input), nowhere)
		if got := effects(&req); err != nil || req.Call.Shell || !strings.HasPrefix(got, "execute:server:s/"+name) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestMoved: the settings and hooks of an agent are found below the directory that its variable
// names, each in its place, and only those of agents that have such a variable.
func TestMoved(t *testing.T) {
	asked := map[string]string{}
	list := Moved(func(variable, standard string) string { asked[variable] = standard; return "/moved/" + variable })
	for _, a := range All {
		f := a.Facts()
		if f.Hooks == nil || f.Hooks.Variable == "" {
			continue
		}
		if standard, ok := asked[f.Hooks.Variable]; !ok || !strings.HasPrefix(f.Hooks.User, standard+"/") {
			t.Errorf("%s: %s stands for %q", a.Name(), f.Hooks.Variable, standard)
		}
		if _, rest, _ := strings.Cut(f.Hooks.User, "/"); !slices.Contains(list, "/moved/"+f.Hooks.Variable+"/"+rest) && !strings.Contains(rest, "*") {
			t.Errorf("%s: the settings are not among %q", a.Name(), list)
		}
	}
	for i, path := range list {
		if strings.Contains(path, "*") || slices.Contains(list[:i], path) || !strings.HasPrefix(path, "/moved/") {
			t.Errorf("%s is listed", path)
		}
	}
	if _, ok := asked[""]; ok || len(asked) == 0 || len(Moved(func(_, _ string) string { return "" })) != 0 {
		t.Errorf("asked about %v", asked)
	}
}

// TestMembersCover: a member of a zone stands for itself and everything below, name by name.
func TestMembersCover(t *testing.T) {
	for _, test := range []struct {
		member, file string
		want         bool
	}{{"a", "a", true}, {"a", "a/b", true}, {"a/b", "a", false}, {"a/b", "a/b/c", true}, {"a/*", "a/b", true}, {"a/*", "a", false}, {"*.x", "a.x/b", true}, {"*.x", "a.y", false}, {"a/b", "a/c", false}} {
		if got := covers(test.member, test.file); got != test.want {
			t.Errorf("%s and %s: %v", test.member, test.file, got)
		}
	}
}

// TestMarks: the variables of all agents are listed, each once and in order.
func TestMarks(t *testing.T) {
	list := Marks()
	if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("%q", list)
	}
	for _, a := range All {
		for _, mark := range a.Facts().Marks {
			if !slices.Contains(list, mark) {
				t.Errorf("%s of %s is missing", mark, a.Name())
			}
		}
	}
	if Observed.String() == Documented.String() || Observed.String() != "observed" {
		t.Error("proofs have no names")
	}
}

// TestSearchDir: a search is in the directory that its input names, if it names one.
func TestSearchDir(t *testing.T) {
	for input, want := range map[string]string{`{}`: "/w", `{"path":"a"}`: "/w/a", `{"path":""}`: "/w", `{"path":7}`: "/w", `{"path":"","dir_path":"b"}`: "/w/b", `{"path":7,"directory":"/c"}`: "/c", `{"path":"a/*.go"}`: "/w/a"} {
		v, err := strictjson.Parse([]byte(input))
		if err != nil {
			t.Fatal(err)
		}
		if got := (&Request{Input: v}).searchDir(place{dir: "/w"}); got != want {
			t.Errorf("%s: %s", input, got)
		}
	}
}

// TestAddresses: a text is an address if nothing else is in it.
func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{"https://a.example/x": "fetch:a.example", "WSS://a.example": "fetch:a.example", "see https://a.example": "", "https://a.example x": "", "https://a.example\n": "", "a.example": "", "file:///etc/passwd": "", "://a.example": ""} {
		req := &Request{}
		if ok := (&arguments{req: req}).address(text); ok != (want != "") || effects(req) != want {
			t.Errorf("%q: %v, %q", text, ok, effects(req))
		}
	}
}

// TestReadInstead: a file that is to be read in place of another is named in the input, unless
// nothing is to be read.
func TestReadInstead(t *testing.T) {
	req, err := claude{}.Decode([]byte(`{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Read","tool_input":{"file_path":"/w/a","limit":3}}`), nowhere)
	if err != nil {
		t.Fatal(err)
	}
	for d := tool.Allow; d <= tool.Deny; d++ {
		answer := string(claude{}.Encode(req, tool.Verdict{Decision: d, Instead: "/b"}).Stdout)
		if got, want := strings.Contains(answer, `"updatedInput":{"file_path":"/b","limit":3}`), d != tool.Deny; got != want || strings.Contains(answer, "updatedInput") != want {
			t.Errorf("%s: %s", d, answer)
		}
	}
}

// TestVSCodeEvents: the other name of the event counts where the usual one is missing, and
// what is wrong with a call stays wrong.
func TestVSCodeEvents(t *testing.T) {
	for _, test := range []struct {
		in   string
		kind Kind
		bad  bool
	}{
		{`{"cwd":"/w","hookEventName":"PreToolUse","tool_name":"x","tool_input":{}}`, BeforeTool, false},
		{`{"cwd":"/w","hookEventName":"PreToolUse","tool_name":"x"}`, BeforeTool, true},
		{`{"cwd":"/w","hookEventName":"PermissionRequest","tool_name":"x"}`, Permission, true},
		{`{"cwd":"/w","hookEventName":"PostToolUse","tool_name":"x"}`, AfterTool, false},
		{`{"cwd":"/w","hook_event_name":"PreToolUse","hookEventName":"PostToolUse","tool_name":"x"}`, BeforeTool, true},
		{`{"cwd":"/w","tool_name":"x"}`, BeforeTool, true},
	} {
		if req, err := (vscode{}).Decode([]byte(test.in), nowhere); req.Kind != test.kind || (err != nil) != test.bad {
			t.Errorf("%s: %d, %v", test.in, req.Kind, err)
		}
	}
}

// TestClaudeModes: what the permission mode of a call says about who judges, edits and
// answers.
func TestClaudeModes(t *testing.T) {
	for mode, want := range map[string][3]bool{
		"default": {}, "auto": {true, true, true}, "acceptEdits": {false, true, false}, "bypassPermissions": {false, true, true}, "plan": {false, false, true}, "": {},
	} {
		req, err := claude{}.Decode([]byte(`{"cwd":"/w","permission_mode":"`+mode+`","agent_id":"a1","tool_name":"Read","tool_input":{"file_path":"~/x"}}`), func(name string) (string, bool) { return "/h", name == "HOME" })
		if got := [3]bool{req.Call.Judges, req.Call.Edits, req.Call.Answers}; err != nil || got != want {
			t.Errorf("%s: %v, %v", mode, got, err)
		}
		if got := effects(&req); got != "read:/h/x" {
			t.Errorf("the home directory: %s", got)
		}
		for _, agent := range All {
			call := req.Call
			call.Agent = agent.Name()
			if got := Sandboxed(&call); got != (agent.Facts().Sandboxed && mode != "bypassPermissions") {
				t.Errorf("%s in %q: %v", agent.Name(), mode, got)
			}
		}
	}
}

// TestCursorServers: the arguments of a server's tool count, in whichever form they come.
func TestCursorServers(t *testing.T) {
	for input, want := range map[string]string{
		`"{\"path\":\"/etc/passwd\"}"`: "execute:server:read_x read:/etc/passwd", `{"path":"/etc/passwd"}`: "execute:server:read_x read:/etc/passwd", `"/etc/passwd"`: "execute:server:read_x read:/etc/passwd", `{}`: "execute:server:read_x",
	} {
		req, err := cursor{}.Decode([]byte(`{"hook_event_name":"beforeMCPExecution","workspace_roots":["/w"],"tool_name":"read_x","tool_input":`+input+`}`), nowhere)
		if got := effects(&req); err != nil || got != want || req.Call.Dir != "/w" || req.Document.Get("tool_name").Text != "read_x" {
			t.Errorf("%s: %s in %s, %v", input, got, req.Call.Dir, err)
		}
	}
	req, _ := cursor{}.Decode([]byte(`{"hook_event_name":"beforeShellExecution","cwd":"/c","workspace_roots":["/w"],"command":"ls"}`), nowhere)
	if req.Call.Dir != "/c" {
		t.Errorf("%q", req.Call.Dir)
	}
}

// TestLists: the lists that others are made from name every agent, and what is only an
// editor's is not an agent's program.
func TestLists(t *testing.T) {
	names, belonging := Names(), Belonging()
	for i, a := range All {
		f := a.Facts()
		if names[i] != a.Name() || Find(names[i]) == nil {
			t.Errorf("%q is %q", names[i], a.Name())
		}
		b := f.belongings()
		if has := slices.ContainsFunc(belonging, func(o Belongings) bool { return o.Client == f.Client }); has != (len(b.Guarded()) > 0) {
			t.Errorf("%s: what belongs to it is listed: %v", f.Name, has)
		}
		for _, p := range f.Programs {
			if slices.Contains(Programs(), p) == slices.Contains(f.Editors, p) {
				t.Errorf("%s: the program %s", f.Name, p)
			}
		}
		for _, d := range []tool.Decision{tool.Allow, tool.Pass, tool.Ask, tool.Deny} {
			if got := Told(f.Name, tool.Verdict{Decision: d}); got < d && !(d == tool.Pass && got == tool.Allow) {
				t.Errorf("%s is told %v for %v", f.Name, got, d)
			}
		}
	}
}
