package agent

import "longline/internal/tool"

// goose is Goose, from its documents. It takes hooks from plugins, and silence for consent.
type goose struct{}

func (goose) Name() string { return "goose" }

// The extension "developer" gives its tools their bare names; older versions put its own in front.
var gooseTools = []toolUse{
	{tool: "shell", use: shell, field: "command"},
	{tool: "write", use: writes, field: "path"},
	{tool: "edit", use: writes, field: "path"},
	{tool: "tree", use: lists, field: "path"},
	{tool: "read_image", use: reads, field: "source"},
	{tool: "developer__shell", use: shell, field: "command"},
	{tool: "developer__write", use: writes, field: "path"},
	{tool: "developer__edit", use: writes, field: "path"},
	{tool: "developer__tree", use: lists, field: "path"},
	{tool: "developer__read_image", use: reads, field: "source"},
}

var gooseFacts = Facts{
	Name: "goose", Client: "Goose",
	Programs: []string{"goose"}, Dir: ".config/goose",
	Marks: []string{"GOOSE_TERMINAL"},
	Hooks: &Hooks{
		// A plugin of longline's own, of which only the hooks are needed.
		Form: OwnFile, User: ".agents/plugins/longline/hooks/hooks.json", Project: ".agents/plugins/longline/hooks/hooks.json",
		Beside: []string{"~/.config/goose/settings.json", ".config/goose/settings.json", ".config/goose/settings.local.json"},
		Keys:   []string{"hooks"}, Events: []string{"PreToolUse"},
		Disabled: []string{"disabledPlugins"},
		// Without a matcher, which would be a regular expression, it is called for every tool.
		Entry: `{"hooks":[{"type":"command","command":"{command}","timeout":{seconds},"on_failure":"block"}]}`,
	},
	Belongings: Belongings{
		Folders:      []string{".goose"},
		Settings:     []string{"~/.config/goose"},
		Commands:     []string{".goose/**"},
		Extensions:   []string{".agents/plugins/**"},
		Instructions: []string{".goosehints", "AGENTS.md"},
	},
	Capabilities: []Capability{
		{
			Agent: "goose", Client: "Goose", Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Never, Told: true,
			Crash: tool.Deny, Timeout: tool.Deny,
			Note: `the hook can only deny: an allow does not spare Goose's own question; a repository's settings can turn the plugin off, and a plugin of the same name in the repository takes its place; before 1.48.0, which does not know "on_failure", a crash or a timeout lets the call run`,
		},
	},
	Limits: []Limit{{
		"1.48.0", `does not know "on_failure": if longline crashes or is late, the command runs`,
		"update Goose to 1.48.0 or later",
	}},
}

func (goose) Facts() *Facts { return &gooseFacts }

func (goose) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	doc, _ := document(stdin) // an error is found again below
	req, err := decodeClaude("goose", gooseTools, stdin, startedIn(remark(doc, "working_dir"), env))
	req.Call.ToolUse = remark(doc, "tool_call_id")
	if event := remark(doc, "event"); event != "" && req.Call.Event == "" {
		req.Call.Event, req.Kind = event, eventKind(event)
	}
	return req, req.only(err)
}

// Encode: every output but a block and a plain consent is a failure, which blocks.
func (goose) Encode(req Request, v tool.Verdict) Answer {
	return denial(&req, settle(capability("goose", req.Kind), &req, v))
}

// denial is the answer of clients to which only a denial can be said.
func denial(req *Request, v tool.Verdict) Answer {
	var top object
	if req.Kind == BeforeTool && v.Decision == tool.Deny {
		top.text("decision", "block")
		top.text("reason", v.Reason)
	}
	return top.spoken(&v)
}
