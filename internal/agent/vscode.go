package agent

import "longline/internal/tool"

// vscode is the agent of Copilot in VS Code, from its documents. It reads Claude
// Code's settings files too and ignores matchers, so a hook that was set up for
// Claude Code is called by it as well.
type vscode struct{}

func (vscode) Name() string { return "vscode" }

var vscodeTools = []toolUse{
	{tool: "run_in_terminal", use: shell, field: "command"},
	{tool: "runTerminalCommand", use: shell, field: "command"},
	{tool: "read_file", use: reads, field: "filePath"},
	{tool: "create_file", use: writes, field: "filePath"},
	{tool: "insert_edit_into_file", use: writes, field: "filePath"},
	{tool: "replace_string_in_file", use: writes, field: "filePath"},
	{tool: "apply_patch", use: patches, field: "input"},
	{tool: "list_dir", use: lists, field: "path"},
	{tool: "grep_search", use: searches, field: "path"},
	{tool: "file_search", use: globs, field: "query"},
	{tool: "fetch_webpage", use: fetches, field: "urls"},
}

var vscodeFacts = Facts{
	Name: "vscode", Client: "Copilot in VS Code",
	Hooks: &Hooks{
		// For a user VS Code reads Claude Code's own settings, so longline in Claude Code is
		// longline in VS Code.
		Form: OwnFile, Project: ".github/hooks/longline-vscode.json",
		Keys: []string{"hooks"}, Events: []string{"PreToolUse"},
		Entry: `{"type":"command","command":"{command}","timeout":{seconds}}`,
	},
	Belongings: Belongings{
		Hooks:        []string{".github/hooks"},
		Servers:      []string{".vscode/mcp.json"},
		Commands:     []string{".github/agents/**", ".github/chatmodes/**", ".github/prompts/**"},
		Instructions: []string{".github/copilot-instructions.md", ".github/instructions"},
	},
	Capabilities: []Capability{
		{
			Agent: "vscode", Client: "Copilot in VS Code", Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Aside: true, Rewrite: NotWithAsk, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "matchers are ignored: a hook set up for Claude Code is called too",
		},
	},
}

func (vscode) Facts() *Facts { return &vscodeFacts }

func (vscode) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req, err := decodeClaude("vscode", vscodeTools, stdin, env)
	// The name of the event is the one key in which it differs.
	if name := remark(req.Document, "hookEventName"); name != "" && req.Call.Event == "" {
		req.Call.Event = name
		if req.Kind = eventKind(name); req.Kind != BeforeTool && req.Kind != Permission {
			err = nil
		}
	}
	if req.Call.Session == "" {
		req.Call.Session = remark(req.Document, "sessionId")
	}
	return req, err
}

func (vscode) Encode(req Request, v tool.Verdict) Answer {
	return encodeClaude(&req, settle(capability("vscode", req.Kind), &req, v))
}
