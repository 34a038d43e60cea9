package agent

import (
	"strings"

	"longline/internal/tool"
)

// droid is Factory's Droid.
type droid struct{}

func (droid) Name() string { return "droid" }

var droidTools = []toolUse{
	{tool: "Execute", use: shell, field: "command"},
	{tool: "Read", use: reads, field: "file_path"},
	{tool: "Create", use: writes, field: "file_path"},
	{tool: "Edit", use: writes, field: "file_path"},
	{tool: "MultiEdit", use: writes, field: "file_path"},
	{tool: "ApplyPatch", use: patches, field: "input"},
	{tool: "LS", use: lists, field: "directory_path"},
	{tool: "Glob", use: globs, field: "pattern", dir: "folder"},
	{tool: "Grep", use: searches, field: "path"},
	{tool: "FetchUrl", use: fetches, field: "url"},
}

var droidFacts = Facts{
	Name: "droid", Client: "Droid",
	Programs: []string{"droid"}, Dir: ".factory",
	Results: Commented,
	Hooks: &Hooks{
		Form: Joined, User: ".factory/hooks.json", Second: ".factory/settings.json", Project: ".factory/hooks.json",
		Beside: []string{".factory/hooks/hooks.json", ".factory/settings.local.json"},
		Keys:   []string{"hooks"}, Events: []string{"PreToolUse", "PostToolUse"}, Looked: []string{"PreToolUse"},
		Entry: `{"matcher":"*","hooks":[{"type":"command","command":"{command}","timeout":{seconds}}]}`,
		Off:   []Off{{Keys: []string{"hooksDisabled"}}},
		Live:  []string{"exec", "{prompt}"},
	},
	Belongings: Belongings{
		Folders:      []string{".factory"},
		Settings:     []string{".factory/settings*.json", "/etc/factory"},
		Hooks:        []string{".factory/hooks"},
		Servers:      []string{".factory/mcp.json"},
		Commands:     []string{".factory/commands/**", ".factory/droids/**", ".factory/skills/**"},
		Extensions:   []string{".factory/plugins/**"},
		Instructions: []string{"AGENTS.md", ".factory/rules"},
	},
	Capabilities: []Capability{
		{
			Agent: "droid", Client: "Droid", Version: "0.225.2", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Deny, Rewrite: NotWithAsk, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "ask counts as no opinion, so the command may run",
		},
	},
}

func (droid) Facts() *Facts { return &droidFacts }

func (droid) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req, err := decodeClaude("droid", droidTools, stdin, env)
	// Every level of autonomy above "off" edits files unasked.
	req.Call.Edits = strings.HasPrefix(req.Call.Mode, "auto-")
	return req, err
}

func (droid) Encode(req Request, v tool.Verdict) Answer {
	if req.Kind == AfterTool {
		return afterwards(&req, &v, "")
	}
	return encodeHook(&req, settle(capability("droid", req.Kind), &req, v))
}
