package agent

import "longline/internal/tool"

// auggie is Augment's program for terminals, from its documents.
type auggie struct{}

func (auggie) Name() string { return "auggie" }

var auggieTools = []toolUse{
	{tool: "launch-process", use: shell, field: "command", dir: "cwd"},
	{tool: "view", use: reads, field: "path"},
	{tool: "save-file", use: writes, field: "path"},
	{tool: "str-replace-editor", use: writes, field: "path"},
	{tool: "remove-files", use: deletes, field: "file_paths"},
	{tool: "web-fetch", use: fetches, field: "url"},
	{tool: "web-search", use: nothing},
	{tool: "read-process", use: nothing},
	{tool: "list-processes", use: nothing},
	{tool: "kill-process", use: nothing},
	{tool: "read-terminal", use: nothing},
	{tool: "codebase-retrieval", use: nothing},
}

var auggieFacts = Facts{
	Name: "auggie", Client: "Augment",
	Programs: []string{"auggie"}, Dir: ".augment",
	Marks:        []string{"AUGMENT_AGENT"},
	RootVariable: "AUGMENT_PROJECT_DIR",
	Hooks: &Hooks{
		User: ".augment/settings.json", Project: ".augment/settings.json", Managed: "/etc/augment/settings.json", Beside: []string{".augment/settings.local.json"},
		Keys: []string{"hooks"}, Events: []string{"PreToolUse"},
		// Times are in milliseconds, and a matcher is a regular expression.
		Entry: `{"matcher":".*","hooks":[{"type":"command","command":"{command}","timeout":{milliseconds}}]}`,
	},
	Belongings: Belongings{
		Folders:      []string{".augment"},
		Settings:     []string{".augment/settings*.json", "/etc/augment"},
		Hooks:        []string{".augment/hooks"},
		Commands:     []string{".augment/commands/**", ".augment/agents/**", ".augment/skills/**", ".augment/env/**"},
		Instructions: []string{".augment/rules", ".augment-guidelines"},
	},
	Capabilities: []Capability{
		{
			Agent: "auggie", Client: "Augment", Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Rewrite: Never, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "relative paths are those of the first workspace; text typed into a running command (write-process) is judged by its arguments only",
		},
	},
}

func (auggie) Facts() *Facts { return &auggieFacts }

// Decode: there is no working directory in the input; a variable names the first
// workspace, and so does the input.
func (auggie) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	doc, _ := document(stdin) // an error is found again below
	req, err := decodeClaude("auggie", auggieTools, stdin, startedIn(firstOf(doc, "workspace_roots"), env))
	req.Call.Session = remark(req.Document, "conversation_id")
	if server := remark(req.Document, "mcp_server_name"); server != "" && err == nil {
		req.Call.Effects, req.Call.Script, req.Call.Shell = nil, "", false
		home, _ := env("HOME")
		err = req.foreign(server, req.Call.Tool, place{req.Call.Dir, home})
	}
	return req, err
}

func (auggie) Encode(req Request, v tool.Verdict) Answer {
	if req.Kind != BeforeTool {
		return Answer{}
	}
	return encodeHook(&req, settle(capability("auggie", req.Kind), &req, v))
}
