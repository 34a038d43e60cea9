package install

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

var testCommand = Command{Program: "/opt/long line/bin/longline"}

// disk is a file system in memory.
type disk map[string][]byte

func (d disk) read(path string) ([]byte, error) { return d[path], nil }

func (d disk) apply(changes []Change) {
	for _, c := range changes {
		if c.New == nil {
			delete(d, c.Path)
		} else {
			d[c.Path] = c.New
		}
	}
}

func testPlace(agent string) Place {
	p := Place{Scope: User, Home: "/home/dev", Project: "/home/dev/project"}
	if agent == "vscode" {
		p.Scope = Project
	}
	return p
}

// settings are files as people write them. Those that hold hooks use the keys of
// the agent under test in place of HOOKS and EVENT.
var settings = []struct{ name, text string }{
	{"empty object", `{}`},
	{"empty object, newline", "{}\n"},
	{"empty object, space", "{ }\n"},
	{"empty object, lines", "{\n}\n"},
	{"blank", ""},
	{"blank lines", "\n\n"},
	{"blank crlf", "\r\n"},
	{"one key", "{\n  \"model\": \"opus\"\n}\n"},
	{"one key, no final newline", "{\n  \"model\": \"opus\"\n}"},
	{"one line", `{"model":"opus","n":1}`},
	{"one line, spaced", `{ "model": "opus", "n": [1, 2] }`},
	{"tabs", "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"b\"\n\t}\n}\n"},
	{"four spaces", "{\n    \"a\": 1,\n    \"b\": {}\n}\n"},
	{"crlf", "{\r\n  \"a\": 1,\r\n  \"b\": [\r\n    1\r\n  ]\r\n}\r\n"},
	{"no indentation", "{\n\"a\": 1,\n\"b\": 2\n}\n"},
	{"odd order and spacing", "{ \"z\" :1 ,\n\n\n   \"a\":\t2 ,\"m\": [ ]\n , \"k\":{ } }   \n\n"},
	{"escapes", "{\n  \"a\": \"\\u00e9\\\"}]{[\\/\",\n  \"b\\\"\": \"// no comment\"\n}\n"},
	{"numbers", `{"big":123456789012345678901234567890,"e":1E+2,"z":-0.0}`},
	{"byte order mark", "\ufeff{\n  \"a\": 1\n}\n"},
	{"empty hooks", "{\n  \"HOOKS\": {}\n}\n"},
	{"empty hooks, one line", `{"HOOKS":{}}`},
	{"empty hooks, spaced", "{\n  \"HOOKS\": {  },\n  \"a\": 1\n}\n"},
	{"empty hooks, lines", "{\n  \"HOOKS\": {\n  }\n}\n"},
	{"empty event", "{\n  \"HOOKS\": {\n    \"EVENT\": []\n  }\n}\n"},
	{"empty event, one line", `{"HOOKS":{"EVENT":[]},"a":1}`},
	{"other event", "{\n  \"HOOKS\": {\n    \"Stop\": [\n      {\n        \"hooks\": []\n      }\n    ]\n  }\n}\n"},
	{"other hook", "{\n  \"HOOKS\": {\n    \"EVENT\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"./mine.sh\"\n          }\n        ]\n      }\n    ]\n  },\n  \"last\": true\n}\n"},
	{"other hook, one line", `{"HOOKS":{"EVENT":[{"hooks":[{"type":"command","command":"x"}]}]}}`},
	{"other hook, list on one line", "{\n  \"HOOKS\": {\n    \"EVENT\": [{\"hooks\": []}, {\"hooks\": []}]\n  }\n}\n"},
	{"hooks in the middle", "{\n  \"a\": 1,\n  \"HOOKS\": {\n    \"EVENT\": [\n      {}\n    ],\n    \"Stop\": []\n  },\n  \"b\": 2\n}\n"},
	{"hook that only mentions it", "{\n  \"HOOKS\": {\n    \"EVENT\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"echo longline hook\"}]}\n    ]\n  }\n}\n"},
	{"deep", `{"a":` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + "}\n"},
	{"huge", "{\n" + strings.Repeat("  \"k\": 0,\n", 1) + hugeMembers() + "  \"end\": 1\n}\n"},
	{"unicode", "{\n  \"naïve 😀\": \"\u2028 ok\"\n}\n"},
}

func hugeMembers() string {
	var b strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&b, "  \"key%d\": {\"value\": [%d, \"text\"]},\n", i, i)
	}
	return b.String()
}

// commented are files that only some agents read.
var commented = []struct{ name, text string }{
	{"line comment", "{\n  // mine\n  \"a\": 1 // one\n}\n"},
	{"block comment", "/* top */ {\n  \"a\": 1, /* x */\n  /* y */ \"b\": 2\n} // end\n"},
	{"trailing commas", "{\n  \"a\": [1, 2,],\n  \"HOOKS\": {\n    \"EVENT\": [\n      {\"hooks\": [],},\n    ],\n  },\n}\n"},
	{"comment in empty hooks", "{\n  \"HOOKS\": {\n    // nothing yet\n  }\n}\n"},
	{"comment after the last", "{\n  \"a\": 1 // no comma \", } ]\n  // bye\n}\n"},
	{"comment without a line end", "{\n  \"a\": 1\n} // bye"},
	{"byte order mark and comment", "\ufeff{ // hi\n}\n"},
}

// refused are files that no agent takes.
var refused = []string{
	"{", "[]", "null", "{\"a\":1,\"a\":2}", "{\"HOOKS\":[]}", "{\"HOOKS\":{\"EVENT\":{}}}", "{\"HOOKS\":1}", "{\"a\":1}{}", "{\"a\":\"\xff\"}", "{a:1}",
	"{\"HOOKS\":{\"EVENT\":null}}", "{\"HOOKS\":null}", "{'a':1}",
}

// listAgents are the agents whose settings are lists in a JSON file.
var listAgents = []struct {
	agent, file, hooks, event string
	comments                  bool
}{
	{"claude", "/home/dev/.claude/settings.json", "hooks", "PreToolUse", false},
	{"codex", "/home/dev/.codex/hooks.json", "hooks", "PreToolUse", false},
	{"gemini", "/home/dev/.gemini/settings.json", "hooks", "BeforeTool", true},
	{"qwen", "/home/dev/.qwen/settings.json", "hooks", "PermissionRequest", true},
	{"cursor", "/home/dev/.cursor/hooks.json", "hooks", "beforeReadFile", false},
	{"windsurf", "/home/dev/.codeium/windsurf/hooks.json", "hooks", "pre_run_command", false},
	{"droid", "/home/dev/.factory/hooks.json", "-", "PreToolUse", false},
	{"amp", "/home/dev/.config/amp/settings.json", "-", "amp.permissions", true},
}

func TestInAndOut(t *testing.T) {
	for _, a := range listAgents {
		t.Run(a.agent, func(t *testing.T) {
			t.Parallel()
			keys := strings.NewReplacer("HOOKS", a.hooks, "EVENT", a.event)
			refuses := func(name, text, why string) {
				t.Helper()
				if _, err := Install(a.agent, testPlace(a.agent), testCommand, disk{a.file: []byte(text)}.read); err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("%s: %v, but %s throws such a file away", name, err, a.agent)
				}
			}
			tried := 0
			for _, s := range settings {
				text := keys.Replace(s.text)
				tried++
				if a.agent != "codex" || !foreign(text) {
					inAndOut(t, a.agent, a.file, s.name, text, a.comments)
					continue
				}
				refuses(s.name, text, "unknown key")
				// The same layouts one level down, where any key may stand.
				below := strings.NewReplacer("HOOKS", "more", "EVENT", a.event).Replace(s.text)
				if text, ok := strings.CutPrefix(below, "{"); ok {
					inAndOut(t, a.agent, a.file, s.name+", below", `{"hooks":{`+text+"}", false)
				}
			}
			if tried < 30 {
				t.Errorf("only %d files", tried)
			}
			for _, s := range commented {
				text := keys.Replace(s.text)
				if a.comments {
					inAndOut(t, a.agent, a.file, s.name, text, true)
				} else {
					refuses(s.name, text, "")
				}
			}
			if a.hooks == "-" {
				return
			}
			for _, text := range refused {
				refuses(text, keys.Replace(text), "")
			}
		})
	}
}

// foreign says whether a file has keys that Codex does not know.
func foreign(text string) bool {
	root, err := strictjson.Parse([]byte(text))
	return err == nil && agent.FactsOf("codex").Hooks.Rejects(root) != nil
}

func inAndOut(t *testing.T, agent, file, name, text string, comments bool) {
	t.Helper()
	d := disk{file: []byte(text)}
	before := d[file]
	put := func() {
		changes, err := Install(agent, testPlace(agent), testCommand, d.read)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d.apply(changes)
	}
	put()
	in := d[file]
	plain := in
	if comments {
		var err error
		if plain, err = hujson.Standardize(append(bytes.Clone(bytes.TrimPrefix(in, []byte("\ufeff"))), '\n')); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, in)
		}
	}
	doc, err := strictjson.Parse(plain)
	if err != nil {
		t.Fatalf("%s: the result is no longer JSON: %v\n%s", name, err, in)
	}
	if n := strings.Count(doc.Raw, "long line/bin/longline") + strings.Count(doc.Raw, "longline/longline-amp"); n == 0 {
		t.Fatalf("%s: longline is not in the result\n%s", name, in)
	}
	if strings.Contains(text, "\r\n") != strings.Contains(string(in), "\r\n") || strings.Contains(text, "\r\n") && strings.Count(string(in), "\n") != strings.Count(string(in), "\r\n") {
		t.Errorf("%s: line ends are mixed: %q", name, in)
	}
	put()
	if !bytes.Equal(in, d[file]) {
		t.Errorf("%s: a second installation changes\n%s\nto\n%s", name, in, d[file])
	}
	changes, err := Uninstall(agent, testPlace(agent), d.read)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	d.apply(changes)
	if got, there := d[file]; !there || !bytes.Equal(got, before) {
		t.Errorf("%s: out again, the file is (%v)\n%.2000q\nwant\n%.2000q\ninstalled:\n%.2000s", name, there, got, before, in)
	}
	if len(d) != 1 {
		t.Errorf("%s: %d files are left", name, len(d))
	}
}

// TestFromNothing: files that an installation makes go away with it.
func TestFromNothing(t *testing.T) {
	var all strings.Builder
	for _, agent := range Agents() {
		for _, scope := range []Scope{User, Project, Managed} {
			p := testPlace(agent)
			p.Scope = scope
			d := disk{}
			changes, err := Install(agent, p, testCommand, d.read)
			if err != nil {
				fmt.Fprintf(&all, "== %s: %v\n", agent, err)
				continue
			}
			d.apply(changes)
			for _, c := range changes {
				if c.Nothing() {
					continue
				}
				fmt.Fprintf(&all, "== %s: %s (%o)\n%s", agent, c.Path, c.Mode, c.New)
			}
			again, err := Install(agent, p, testCommand, d.read)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range again {
				if !c.Nothing() {
					t.Errorf("%s, %s: a second installation changes %s", agent, scope, c.Path)
				}
			}
			changes, err = Uninstall(agent, p, d.read)
			if err != nil {
				t.Fatal(err)
			}
			d.apply(changes)
			if len(d) != 0 {
				t.Errorf("%s, %s: %d files are left: %q", agent, scope, len(d), d)
			}
		}
	}
	const file = "testdata/fresh.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != all.String() {
		t.Errorf("what is installed has changed; UPDATE=1 go test writes %s (%v)\n%s", file, err, all.String())
	}
}

// TestMoved: an installation that points elsewhere is replaced, not doubled, and
// taken out by whoever comes.
func TestMoved(t *testing.T) {
	for _, a := range listAgents {
		original := "{\n  \"description\": \"mine\"\n}\n"
		d := disk{a.file: []byte(original)}
		for _, program := range []string{"/usr/bin/longline", "/opt/x y/it's/longline", "/usr/bin/longline-hook", "/opt/x y/longline-hook", "/usr/local/bin/longline", "/usr/local/bin/longline-hook"} {
			changes, err := Install(a.agent, testPlace(a.agent), Command{Program: program, Observe: true}, d.read)
			if err != nil {
				t.Fatal(err)
			}
			d.apply(changes)
		}
		if strings.Contains(string(d[a.file]), "/usr/bin/longline") || strings.Contains(string(d[a.file]), "x y") {
			t.Errorf("%s: an old entry is left\n%s", a.agent, d[a.file])
		}
		changes, err := Uninstall(a.agent, testPlace(a.agent), d.read)
		if err != nil {
			t.Fatal(err)
		}
		d.apply(changes)
		if got := string(d[a.file]); got != original || len(d) != 1 {
			t.Errorf("%s: %q is left", a.agent, d)
		}
	}
}

// TestEdited: when the file was edited in between, the edits stay and longline
// goes.
func TestEdited(t *testing.T) {
	const file = "/home/dev/.claude/settings.json"
	d := disk{file: []byte("{\n  \"a\": 1\n}\n")}
	changes, err := Install("claude", testPlace("claude"), testCommand, d.read)
	if err != nil {
		t.Fatal(err)
	}
	d.apply(changes)
	text := string(d[file])
	text = strings.Replace(text, `"hooks": [`, `"hooks": [ {"type": "command", "command": "./mine"},`, 1)
	text = strings.Replace(text, `"a": 1`, `"a": 2`, 1)
	d[file] = []byte(text)
	if changes, err = Uninstall("claude", testPlace("claude"), d.read); err != nil {
		t.Fatal(err)
	}
	d.apply(changes)
	got := string(d[file])
	if _, err := strictjson.Parse(d[file]); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	if strings.Contains(got, "longline") || !strings.Contains(got, "./mine") || !strings.Contains(got, `"a": 2`) || strings.Contains(got, "SessionStart") {
		t.Errorf("left:\n%s", got)
	}
}

// TestClaudeRejects: good JSON that Claude Code throws away as a whole.
func TestClaudeRejects(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"permissions":{"allow":"Bash"}}`, `"permissions.allow" is a string (want a list)`},
		{`{"hooks":{"PreToolUse":[{"hooks":[{"type":"script","command":"x"}]}]}}`, `unknown type "script"`},
		{`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","timeout":-1}]}]}}`, "the timeout -1"},
		{`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","onFailure":"stop"}]}]}}`, `onFailure "stop"`},
	} {
		d := disk{"/home/dev/.claude/settings.json": []byte(test.text)}
		_, err := Install("claude", testPlace("claude"), testCommand, d.read)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
}

// TestOwnFiles: a file of longline's own is recognised whoever installed it, and
// nobody else's is touched, however much it resembles it.
func TestOwnFiles(t *testing.T) {
	for _, agent := range []string{"copilot", "opencode", "cline", "amp", "kiro", "vscode"} {
		fresh, err := Install(agent, testPlace(agent), testCommand, disk{}.read)
		if err != nil {
			t.Fatal(err)
		}
		file, ours := fresh[0].Path, string(fresh[0].New)
		for _, test := range []struct{ name, text string }{
			{"empty", ""},
			{"blank", "\n"},
			{"binary", "\x7fELF\x00\x01"},
			{"invalid", "{"},
			{"a script", "#!/bin/sh\nexec mine\n"},
			{"a script that also asks longline", "#!/bin/sh\n./mine || exit 1\nexec /usr/bin/longline hook " + agent + "\n"},
			{"ours and more", ours + "# and more\n"},
			{"ours in the middle", "# mine\n" + ours},
			{"hooks of somebody", `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"./mine"}]}}`},
			{"hooks of both", `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"./mine"},{"type":"command","bash":"/usr/bin/longline hook copilot"}]}}`},
			{"a plugin", "export const Mine = async () => ({}) // not longline's hook\n"},
			{"crlf", "#!/bin/sh\r\nexec /usr/bin/longline hook cline\r\n"},
			{"huge", strings.Repeat("# longline hook\n", 100_000)},
		} {
			if agent == "opencode" && test.name == "ours and more" {
				continue // a newer version of the plugin looks just so
			}
			d := disk{file: []byte(test.text)}
			if _, err := Install(agent, testPlace(agent), testCommand, d.read); err == nil || !strings.Contains(err.Error(), "not longline's") {
				t.Errorf("%s, %s: somebody's file would be overwritten (%v)", agent, test.name, err)
			}
			changes, err := Uninstall(agent, testPlace(agent), d.read)
			if err != nil || !changes[0].Nothing() {
				t.Errorf("%s, %s: somebody's file would be removed (%v)", agent, test.name, err)
			}
		}
		for _, c := range []Command{{Program: "/usr/bin/longline"}, {Program: "/usr/bin/longline-hook", Observe: true}, {Program: "/x y/it's/longline"}} {
			d := disk{}
			for _, command := range []Command{c, testCommand} {
				changes, err := Install(agent, testPlace(agent), command, d.read)
				if err != nil {
					t.Fatalf("%s, %v: %v", agent, c, err)
				}
				d.apply(changes)
			}
			if string(d[file]) != ours {
				t.Errorf("%s: after %v there is\n%s", agent, c, d[file])
			}
		}
	}
}

func TestProgram(t *testing.T) {
	for _, program := range []string{"", "longline", "./longline", "/a\n/longline"} {
		if _, err := Install("claude", testPlace("claude"), Command{Program: program}, disk{}.read); err == nil {
			t.Errorf("accepted %q", program)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, agent := range Agents() {
		d := disk{}
		p := testPlace(agent)
		want := func(c Command, s State) {
			t.Helper()
			if got, err := Check(agent, p, c, d.read); err != nil || got != s {
				t.Errorf("%s: %v, %v, want %v", agent, got, err, s)
			}
		}
		want(testCommand, NotWired)
		changes, err := Install(agent, p, Command{Program: testCommand.Program, Observe: true}, d.read)
		if err != nil {
			t.Fatal(err)
		}
		d.apply(changes)
		want(testCommand, Observing)
		want(Command{Program: "/elsewhere/longline"}, Stale)
		if changes, err = Install(agent, p, Command{Program: "/x/longline-hook"}, d.read); err != nil {
			t.Fatal(err)
		}
		d.apply(changes)
		want(Command{Program: "/x/longline-hook"}, Wired)
		want(testCommand, Stale)
	}
}

func TestFound(t *testing.T) {
	exists := func(path string) bool { return path == "/home/dev/.claude" || path == "/home/dev/.codeium/windsurf" }
	onPath := func(program string) bool { return program == "kiro-cli" || program == "claude" }
	if got := fmt.Sprint(Found("/home/dev", exists, onPath)); got != "[claude windsurf kiro]" {
		t.Error(got)
	}
	none := func(string) bool { return false }
	if got := Found("/home/dev", none, none); len(got) > 0 {
		t.Error(got)
	}
}

// TestDroidJoins: hooks in Droid's settings count only as long as there is no
// hooks.json, so longline must not make one beside them.
func TestDroidJoins(t *testing.T) {
	const settings, hooks = "/home/dev/.factory/settings.json", "/home/dev/.factory/hooks.json"
	for _, test := range []struct{ name, settings, hooks, in string }{
		{"nothing", "-", "-", hooks},
		{"settings without hooks", "{\n  \"model\": \"x\"\n}\n", "-", hooks},
		{"hooks in settings", "{\n  // mine\n  \"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"./mine\"}]}]}\n}\n", "-", settings},
		{"hooks in both", "{\"hooks\": {}}", "{}", hooks},
		{"settings that cannot be read", "{", "-", hooks},
	} {
		d := disk{}
		for file, text := range map[string]string{settings: test.settings, hooks: test.hooks} {
			if text != "-" {
				d[file] = []byte(text)
			}
		}
		for range 2 {
			changes, err := Install("droid", testPlace("droid"), testCommand, d.read)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			d.apply(changes)
		}
		for _, file := range []string{settings, hooks} {
			if got := strings.Contains(string(d[file]), "hook droid"); got != (file == test.in) {
				t.Errorf("%s: in %s: %v\n%s", test.name, file, got, d[file])
			}
		}
		changes, err := Uninstall("droid", testPlace("droid"), d.read)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		d.apply(changes)
		for file, text := range map[string]string{settings: test.settings, hooks: test.hooks} {
			if got, there := d[file]; there != (text != "-") || there && string(got) != text {
				t.Errorf("%s: %s is left as %q (%v)", test.name, file, got, there)
			}
		}
	}
}

// Every agent that longline has a dialect for can be installed in, or a section of the documents
// says how a person adds it: Hermes has its hooks in YAML, and runs none without a person's word.
func TestEveryAgentCanBeInstalled(t *testing.T) {
	text, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range agent.All {
		name, byHand := a.Name(), strings.Contains(string(text), "\n## "+a.Facts().Client+"\n") && strings.Contains(string(text), "longline hook "+a.Name()+"\n")
		if name != "claude-legacy" && slices.Contains(Agents(), name) == byHand {
			t.Errorf("%s: package install must know where its hooks stand, or else docs/agents.md how a person adds it", name)
		}
	}
}
