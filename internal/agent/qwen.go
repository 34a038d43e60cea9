package agent

import "longline/internal/tool"

// qwen is Qwen Code. It asks its user first and calls PreToolUse afterwards, so
// that event can refuse or ask again, but neither approve nor change; those two
// belong to PermissionRequest.
type qwen struct{}

func (qwen) Name() string { return "qwen" }

var qwenTools = []toolUse{
	{tool: "run_shell_command", use: shell, field: "command", dir: "directory"},
	{tool: "monitor", use: shell, field: "command"},
	{tool: "read_file", use: reads, field: "file_path"},
	{tool: "read_many_files", use: gathers, field: "paths"},
	{tool: "write_file", use: writes, field: "file_path"},
	{tool: "edit", use: writes, field: "file_path"},
	{tool: "notebook_edit", use: writes, field: "notebook_path"},
	{tool: "list_directory", use: lists, field: "path"},
	{tool: "glob", use: globs, field: "pattern", dir: "path"},
	{tool: "grep_search", use: searches, field: "path"},
	{tool: "web_fetch", use: fetches, field: "url"},
}

var qwenFacts = Facts{
	Name: "qwen", Client: "Qwen Code",
	Programs: []string{"qwen"}, Dir: ".qwen",
	Marks:   []string{"QWEN_CODE"},
	Results: Commented,
	Hooks: &Hooks{
		User: ".qwen/settings.json", Project: ".qwen/settings.json", Comments: true,
		// Both events before a tool are needed. It asks its user before it calls PreToolUse, so
		// only PermissionRequest can spare the question.
		Keys: []string{"hooks"}, Events: []string{"PreToolUse", "PermissionRequest", "PostToolUse"},
		Looked: []string{"PreToolUse", "PermissionRequest"},
		Entry:  `{"matcher":"*","hooks":[{"type":"command","name":"longline","command":"{command}","timeout":{milliseconds}}]}`,
		Off:    []Off{{Keys: []string{"disableAllHooks"}}},
		Live:   []string{"--allowed-tools", "run_shell_command({command})", "-p", "{prompt}"},
	},
	Belongings: Belongings{
		Folders:      []string{".qwen"},
		Settings:     []string{".qwen/settings*.json", ".qwen/trustedFolders.json", "/etc/qwen-code"},
		Hooks:        []string{".qwen/hooks"},
		Commands:     []string{".qwen/commands/**", ".qwen/skills/**", ".qwen/agents/**"},
		Extensions:   []string{".qwen/extensions/**"},
		Instructions: []string{"QWEN.md"},
	},
	Capabilities: []Capability{
		{
			Agent: "qwen", Client: "Qwen Code", Version: "0.24.4", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Ask, Rewrite: Never, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "comes after Qwen's own question; a changed command is ignored and the original runs",
		},
		{
			Agent: "qwen", Client: "Qwen Code", Version: "0.24.4", Proof: Observed, Event: "PermissionRequest", Kind: Permission,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Pass, Rewrite: NotWithAsk, Told: true,
			Crash: tool.Ask, Timeout: tool.Ask,
			Note: "only where Qwen would ask: not in yolo mode, not without a terminal",
		},
	},
}

func (qwen) Facts() *Facts { return &qwenFacts }

func (qwen) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req, err := decodeClaude("qwen", qwenTools, stdin, env)
	switch req.Call.Mode {
	case "auto_edit", "auto-edit", "yolo":
		req.Call.Edits = true
	}
	return req, err
}

func (qwen) Encode(req Request, v tool.Verdict) Answer {
	if req.Kind == AfterTool {
		return afterwards(&req, &v, "")
	}
	return encodeHook(&req, settle(capability("qwen", req.Kind), &req, v))
}
