package agent

import (
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// copilot is GitHub's Copilot CLI. How the event is spelt in the user's settings
// picks one of two dialects: preToolUse its own, PreToolUse one close to Claude
// Code's. The input tells which.
type copilot struct{}

func (copilot) Name() string { return "copilot" }

const (
	copilotOwn    shape = iota // also when the input could not be read: both understand it
	copilotClaude              // snake_case input, nested answers
)

// The two dialects name tools differently and their fields alike.
var copilotTools = []toolUse{
	{tool: "bash", use: bash, field: "command"},
	{tool: "Bash", use: bash, field: "command"},
	{tool: "write_bash", use: runs, field: "stdin:bash"},
	{tool: "powershell", use: powershell, field: "command"},
	{tool: "view", use: reads, field: "path"},
	{tool: "Read", use: reads, field: "path"},
	{tool: "create", use: writes, field: "path"},
	{tool: "Write", use: writes, field: "path"},
	{tool: "edit", use: writes, field: "path"},
	{tool: "Edit", use: writes, field: "path"},
	{tool: "apply_patch", use: patches, field: "input"},
	{tool: "glob", use: globs, field: "pattern", dir: "path"},
	{tool: "Glob", use: globs, field: "pattern", dir: "path"},
	{tool: "grep", use: searches, field: "path"},
	{tool: "rg", use: searches, field: "path"},
	{tool: "Grep", use: searches, field: "path"},
	{tool: "web_fetch", use: fetches, field: "url"},
	{tool: "WebFetch", use: fetches, field: "url"},
}

// copilotEntry is a hook. On Windows Copilot has PowerShell start it.
func copilotEntry() string {
	if onWindows {
		return `{"type":"command","powershell":"& {command}","timeoutSec":{seconds}}`
	}
	return `{"type":"command","bash":"{command}","timeoutSec":{seconds}}`
}

var copilotFacts = Facts{
	Name: "copilot", Client: "Copilot CLI",
	Programs: []string{"copilot"}, Dir: ".copilot",
	Marks:        []string{"COPILOT_CLI"},
	RootVariable: "COPILOT_PROJECT_DIR",
	Results:      Replaced,
	Hooks: &Hooks{
		// Every file of hooks counts, of the user and of the project, and so do the project's
		// settings for Claude Code.
		Form: OwnFile, User: ".copilot/hooks/longline.json", Variable: "COPILOT_HOME", Project: ".github/hooks/longline.json",
		Beside:  []string{"~/.copilot/settings.json", ".github/copilot/settings.json", ".github/copilot/settings.local.json"},
		Borrows: "claude",
		// In the dialect that is Copilot's own. There is no matcher, for a missing one means
		// every tool.
		Comments: true, Seed: `{"version":1}`, Keys: []string{"hooks"}, Events: []string{"preToolUse", "permissionRequest", "postToolUse"},
		Looked: []string{"preToolUse", "PreToolUse", "permissionRequest", "PermissionRequest"},
		Entry:  copilotEntry(),
		// The switch in a file of hooks is for that file; the one in the user's settings was
		// seen to do nothing.
		Off: []Off{
			{Keys: []string{"disableAllHooks"}, Folder: ".github/copilot", Effect: "no hook runs in this project once it is trusted, your own included", Fix: "remove it, or do not trust the project"},
			{Keys: []string{"disableAllHooks"}, Own: true, Effect: "the hooks in this file do not run"},
		},
		Live: []string{"-p", "{prompt}"},
	},
	Belongings: Belongings{
		Folders:      []string{".copilot", ".github/copilot", ".github/hooks"},
		Settings:     []string{".copilot/config.json", ".copilot/settings*.json", ".copilot/permissions-config.json", ".github/copilot/settings*.json"},
		Hooks:        []string{".copilot/hooks", ".github/hooks"},
		Servers:      []string{".copilot/mcp-config.json", ".github/mcp.json"},
		Commands:     []string{".copilot/agents/**", ".copilot/skills/**", ".github/agents/**", ".github/prompts/**", ".github/skills/**"},
		Extensions:   []string{".copilot/installed-plugins/**", ".github/extensions/**"},
		Instructions: []string{".copilot/copilot-instructions.md", ".github/copilot-instructions.md", ".github/instructions"},
	},
	Capabilities: []Capability{
		{
			Agent: "copilot", Client: "Copilot CLI", Version: "1.0.102", Proof: Observed, Event: "preToolUse, PreToolUse", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Rewrite: NotWithAsk, Told: true,
			Crash: tool.Deny, Timeout: tool.Pass,
			Note: "after an ask it runs the original command, so an ask about a changed one is a deny",
		},
		{
			Agent: "copilot", Client: "Copilot CLI", Version: "1.0.102", Proof: Observed, Event: "permissionRequest", Kind: Permission,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Pass, Rewrite: Never, Told: true,
			Crash: tool.Deny, Timeout: tool.Pass,
		},
	},
}

func (copilot) Facts() *Facts { return &copilotFacts }

func (copilot) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	doc, err := document(stdin)
	if err == nil && (doc.Get("tool_name").Kind != strictjson.Absent || doc.Get("hook_event_name").Kind != strictjson.Absent) {
		req, err := decodeClaude("copilot", copilotTools, stdin, env)
		req.shape = copilotClaude
		return req, err
	}
	req := Request{Kind: BeforeTool, Document: doc, Call: tool.Call{Agent: "copilot", Attended: true}}
	if err == nil {
		err = req.only(req.readCopilot(env))
	}
	return req, err
}

func (req *Request) readCopilot(env func(string) (string, bool)) (err error) {
	doc := req.Document
	req.Call.Session = remark(doc, "sessionId")
	// This dialect names the event only where it is not preToolUse.
	if req.Call.Event, err = text(doc, "hookName"); err != nil {
		return err
	}
	req.Kind = eventKind(req.Call.Event)
	if req.Call.Event == "" && doc.Get("toolResult").Kind != strictjson.Absent {
		req.Kind = AfterTool
	}
	if req.Call.Tool, err = text(doc, "toolName"); err != nil {
		return err
	}
	at, err := locate(doc, "cwd", env)
	req.Call.Dir = at.dir
	if err != nil {
		return err
	}
	req.Input = doc.Get("toolArgs")
	if req.Kind == Permission {
		req.Input = doc.Get("toolInput")
	}
	// others: they are no calls of a tool.
	switch req.Kind {
	case BeforeTool, Permission, AfterTool:
		return req.describeChecked(copilotTools, at)
	}
	return nil
}

func (copilot) Encode(req Request, v tool.Verdict) Answer {
	if req.Kind == AfterTool {
		return afterCopilot(&req, &v)
	}
	v = settle(capability("copilot", req.Kind), &req, v)
	if req.shape == copilotClaude {
		return encodeHook(&req, v)
	}
	var top object
	// others: nothing is decided about them.
	switch req.Kind {
	case BeforeTool:
		if v.Decision != tool.Pass {
			top.text("permissionDecision", v.Decision.String())
			top.text("permissionDecisionReason", v.Reason)
		}
		if v.Rewrite != "" {
			top.raw("modifiedArgs", req.rewritten(v.Rewrite))
		}
	case Permission:
		if v.Decision == tool.Allow || v.Decision == tool.Deny {
			top.text("behavior", v.Decision.String())
			if v.Decision == tool.Deny {
				top.text("message", v.Reason)
			}
		}
	}
	return top.spoken(&v)
}

// afterCopilot answers about a tool that has run. In the dialect that is close to Claude
// Code's only a comment is known to be heard.
func afterCopilot(req *Request, v *tool.Verdict) Answer {
	if req.shape == copilotClaude {
		return afterwards(req, v, "")
	}
	var top object
	if v.Output != "" {
		top.raw("modifiedResult", v.Output)
	}
	if v.Context != "" {
		top.text("additionalContext", v.Context)
	}
	return top.spoken(v)
}
