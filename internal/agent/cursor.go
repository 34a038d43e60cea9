package agent

import (
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// cursor is the Cursor editor, from its documents.
type cursor struct{}

func (cursor) Name() string { return "cursor" }

const (
	cursorShell shape = iota // beforeShellExecution, beforeMCPExecution: they can ask
	cursorRead               // beforeReadFile: it cannot
	cursorTool               // preToolUse: it cannot either, but can change the call
)

var cursorTools = []toolUse{
	{tool: "beforeShellExecution", use: shell, field: "command"},
	{tool: "beforeReadFile", use: reads, field: "file_path"},
	{tool: "Shell", use: shell, field: "command", dir: "cwd"},
	{tool: "Read", use: reads, field: "file_path"},
	{tool: "Write", use: writes, field: "file_path"},
	{tool: "Delete", use: deletes, field: "file_path"},
	{tool: "Grep", use: searches, field: "path"},
}

var cursorFacts = Facts{
	Name: "cursor", Client: "Cursor",
	Programs: []string{"cursor", "cursor-agent"}, Editors: []string{"cursor"}, Dir: ".cursor",
	Marks: []string{"CURSOR_AGENT"},
	Hooks: &Hooks{
		User: ".cursor/hooks.json", Project: ".cursor/hooks.json", Managed: "/etc/cursor/hooks.json",
		Fleet: &Fleet{Darwin: "/Library/Application Support/Cursor/hooks.json"},
		Seed:  "{\n\t\"version\": 1\n}", Keys: []string{"hooks"},
		// One event for each sort of call. preToolUse would fire for the same calls again,
		// and does not ask.
		Events: []string{"beforeShellExecution", "beforeReadFile", "beforeMCPExecution"},
		Looked: []string{"beforeShellExecution", "beforeReadFile", "beforeMCPExecution", "preToolUse"},
		Entry:  `{"command":"{command}","timeout":{seconds},"failClosed":true}`,
	},
	Belongings: Belongings{
		Folders:      []string{".cursor"},
		Settings:     []string{".cursor/cli-config.json", ".cursor/cli.json", ".cursor/permissions.json", ".cursor/sandbox.json", "/etc/cursor"},
		Hooks:        []string{".cursor/hooks"},
		Servers:      []string{".cursor/mcp.json"},
		Commands:     []string{".cursor/agents/**", ".cursor/commands/**", ".cursor/environment.json", ".cursor/skills/**", ".cursor/worktrees.json"},
		Extensions:   []string{".cursor/extensions/**", ".cursor/plugins/**"},
		Instructions: []string{".cursor/rules", ".cursorrules"},
	},
	Capabilities: []Capability{
		{
			Agent: "cursor", Client: "Cursor", Event: "beforeShellExecution, beforeReadFile, beforeMCPExecution, preToolUse", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Aside: true, Rewrite: Never, Told: true,
			Crash: tool.Deny, Timeout: tool.Deny,
			Note: `with "failClosed": true; beforeReadFile and preToolUse cannot ask (deny), and the latter can change the command`,
		},
	},
}

func (cursor) Facts() *Facts { return &cursorFacts }

func (cursor) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req := Request{Kind: BeforeTool, Call: tool.Call{Agent: "cursor", Attended: true}}
	doc, err := document(stdin)
	if err != nil {
		return req, err
	}
	req.Document = doc
	req.Call.Session, req.Call.ToolUse = remark(doc, "conversation_id"), remark(doc, "generation_id")
	if req.Call.Event, err = text(doc, "hook_event_name"); err != nil {
		return req, err
	}
	at, err := locate(doc, "cwd", env)
	if roots, _ := strs(doc.Get("workspace_roots")); remark(doc, "cwd") == "" && len(roots) > 0 {
		at.dir = roots[0]
	}
	req.Call.Dir = at.dir
	if err != nil {
		return req, err
	}
	return req, req.readCursor(doc, at)
}

// readCursor reads what an event is about.
func (req *Request) readCursor(doc strictjson.Value, at place) (err error) {
	switch req.Call.Event {
	case "preToolUse":
		req.shape = cursorTool
		if req.Call.Tool, err = text(doc, "tool_name"); err != nil {
			return err
		}
		req.Input = doc.Get("tool_input")
	case "beforeMCPExecution":
		return req.readCursorServer(doc, at)
	case "beforeShellExecution":
		req.Call.Tool, req.Input = req.Call.Event, doc
	case "beforeReadFile":
		req.shape = cursorRead
		req.Call.Tool, req.Input = req.Call.Event, doc
	case "":
		return errNoTool
	default:
		req.Kind = Other
		return nil
	}
	return req.describeChecked(cursorTools, at)
}

// readCursorServer reads the call of a server's tool. This event has the arguments as JSON in
// a string.
func (req *Request) readCursorServer(doc strictjson.Value, at place) error {
	name, err := text(doc, "tool_name")
	if err != nil {
		return err
	}
	req.Call.Tool = name
	req.does(tool.Execute, "server:"+name, tool.Exact)
	if req.Input = doc.Get("tool_input"); req.Input.Kind == strictjson.String {
		if v, err := strictjson.Parse([]byte(req.Input.Text)); err == nil {
			req.Input = v
		}
	}
	return req.foreign("", name, at)
}

func (cursor) Encode(req Request, v tool.Verdict) Answer {
	var top object
	if req.Kind != BeforeTool {
		return top.answer()
	}
	c := *capability("cursor", req.Kind)
	switch req.shape {
	case cursorRead:
		c.Ask = tool.Deny
	case cursorTool:
		c.Ask, c.Rewrite = tool.Deny, NotWithAsk
	}
	v = settle(&c, &req, v)
	if v.Decision != tool.Pass {
		top.text("permission", v.Decision.String())
		if v.Decision != tool.Allow {
			// Which of the two reaches the model has changed between versions; a denial
			// is the same in both.
			top.text("user_message", v.Reason)
			top.text("agent_message", aside(&v))
		}
	}
	if v.Rewrite != "" && req.Input.Kind == strictjson.Object {
		top.raw("updated_input", req.rewritten(v.Rewrite))
	}
	// With failClosed a hook that prints nothing blocks the call.
	a := top.answer()
	a.Stderr = top.spoken(&v).Stderr
	return a
}
