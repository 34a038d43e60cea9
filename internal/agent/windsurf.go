package agent

import "longline/internal/tool"

// windsurf is the Windsurf editor (Cascade), from its documents.
type windsurf struct{}

func (windsurf) Name() string { return "windsurf" }

var windsurfTools = []toolUse{
	{tool: "pre_run_command", use: shell, field: "command_line", dir: "cwd"},
	{tool: "pre_read_code", use: reads, field: "file_path"},
	{tool: "pre_write_code", use: writes, field: "file_path"},
}

func (windsurf) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req := Request{Kind: BeforeTool, Call: tool.Call{Agent: "windsurf", Attended: true}}
	doc, err := document(stdin)
	if err != nil {
		return req, err
	}
	req.Document = doc
	req.Call.Session, req.Call.ToolUse = remark(doc, "trajectory_id"), remark(doc, "execution_id")
	if req.Call.Event, err = text(doc, "agent_action_name"); err != nil {
		return req, err
	}
	req.Call.Tool = req.Call.Event
	req.Input = doc.Get("tool_info")
	at, err := locate(req.Input, "cwd", env)
	req.Call.Dir = at.dir
	if err != nil {
		return req, err
	}
	switch req.Call.Event {
	case "pre_run_command", "pre_read_code", "pre_write_code", "":
		return req, req.describeChecked(windsurfTools, at)
	case "pre_mcp_tool_use":
		req.does(tool.Execute, "mcp:"+remark(req.Input, "mcp_server_name")+"/"+remark(req.Input, "mcp_tool_name"), tool.Exact)
		return req, nil
	}
	req.Kind = Other
	return req, nil
}

func (windsurf) Encode(req Request, v tool.Verdict) Answer {
	if req.Kind != BeforeTool {
		return Answer{}
	}
	v = settle(capability("windsurf", req.Kind), &req, v)
	return blocked(&v)
}
