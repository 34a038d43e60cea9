package agent

import (
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// opencode has no hooks, only plugins written in JavaScript. A small plugin of
// longline's hands each tool call over as JSON and carries out the answer:
//
//	{"event": "tool.execute.before", "input": {"tool", "sessionID", "callID"},
//	 "output": {"args": {…}}, "directory": "…", "worktree": "…"}
//
//	{"decision": "allow" | "pass" | "deny", "reason": "…", "command": "…"}
//
// After a tool "output" is what it returned, and the answer what to put in its place and
// to say about it:
//
//	{"event": "tool.execute.after", "input": {"tool", "sessionID", "callID", "args"}, "output": {"output": "…"}}
//
//	{"output": "…", "context": "…"}
//
// It throws the reason of a deny, which is what the model then reads; puts the
// command in place of the one in args; and answers opencode's own question
// about a call that was allowed. No decision, or one it does not know, is a deny.
type opencode struct{}

func (opencode) Name() string { return "opencode" }

var opencodeTools = []toolUse{
	{tool: "bash", use: shell, field: "command", dir: "workdir"},
	{tool: "read", use: reads, field: "filePath"},
	{tool: "write", use: writes, field: "filePath"},
	{tool: "edit", use: writes, field: "filePath"},
	{tool: "multiedit", use: writes, field: "filePath"},
	{tool: "patch", use: patches, field: "patchText"},
	{tool: "apply_patch", use: patches, field: "patchText"},
	{tool: "list", use: lists, field: "path"},
	{tool: "glob", use: globs, field: "pattern", dir: "path"},
	{tool: "grep", use: searches, field: "path"},
	{tool: "webfetch", use: fetches, field: "url"},
}

var opencodeFacts = Facts{
	Name: "opencode", Client: "opencode",
	Programs: []string{"opencode"}, Dir: ".config/opencode",
	Marks:   []string{"OPENCODE"},
	Results: Replaced,
	Hooks: &Hooks{
		Form: Plugin, User: ".config/opencode/plugins/longline.js", Variable: "XDG_CONFIG_HOME", Project: ".opencode/plugins/longline.js",
		Beside: []string{"opencode.json", "opencode.jsonc"},
		Unset:  []Variable{{"OPENCODE_PURE", "opencode runs without plugins"}},
		Live:   []string{"run", "{prompt}"},
	},
	Belongings: Belongings{
		Folders:      []string{".opencode"},
		Settings:     []string{"~/.config/opencode", "/etc/opencode"},
		Hooks:        []string{".opencode/plugin", ".opencode/plugins"},
		Servers:      []string{".opencode/tool", ".opencode/tools"},
		Commands:     []string{".opencode/agent*/**", ".opencode/command*/**", ".opencode/mode*/**", ".opencode/skill*/**"},
		Instructions: []string{"AGENTS.md"},
	},
	Capabilities: []Capability{
		{
			Agent: "opencode", Client: "opencode", Version: "1.18.33", Proof: Observed, Event: "tool.execute.before", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Always, Told: true,
			Crash: tool.Deny, Timeout: tool.Deny,
			Note: "through longline's plugin, which refuses when longline fails; a plugin that does not load is skipped silently",
		},
	},
}

func (opencode) Facts() *Facts { return &opencodeFacts }

func (opencode) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req := Request{Kind: BeforeTool, Call: tool.Call{Agent: "opencode", Attended: true}}
	doc, err := document(stdin)
	if err != nil {
		return req, err
	}
	req.Document = doc
	if req.Call.Event, err = text(doc, "event"); err != nil {
		return req, err
	}
	in := doc.Get("input")
	switch req.Call.Event {
	case "", "tool.execute.before":
		req.Input = doc.Get("output").Get("args")
	case "tool.execute.after":
		req.Kind, req.Input = AfterTool, in.Get("args")
	default:
		req.Kind = Other
		return req, nil
	}
	return req, req.only(req.readOpencode(in, env))
}

func (req *Request) readOpencode(in strictjson.Value, env func(string) (string, bool)) (err error) {
	req.Call.Session, req.Call.ToolUse = remark(in, "sessionID"), remark(in, "callID")
	if req.Call.Tool, err = text(in, "tool"); err != nil {
		return err
	}
	at, err := locate(req.Document, "directory", env)
	req.Call.Dir = at.dir
	if err != nil {
		return err
	}
	return req.describeChecked(opencodeTools, at)
}

func (opencode) Encode(req Request, v tool.Verdict) Answer {
	var top object
	switch req.Kind {
	case BeforeTool:
	case AfterTool:
		if v.Output != "" {
			top.raw("output", v.Output)
		}
		if v.Context != "" {
			top.text("context", v.Context)
		}
		return top.answer()
	default:
		return top.answer()
	}
	v = settle(capability("opencode", req.Kind), &req, v)
	top.text("decision", v.Decision.String())
	if v.Decision == tool.Deny {
		top.text("reason", v.Reason)
	}
	if v.Rewrite != "" {
		top.text("command", v.Rewrite)
	}
	return top.spoken(&v)
}
