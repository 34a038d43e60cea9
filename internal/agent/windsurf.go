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

var windsurfFacts = Facts{
	Name: "windsurf", Client: "Windsurf",
	Programs: []string{"windsurf"}, Editors: []string{"windsurf"}, Dir: ".codeium/windsurf",
	Hooks: &Hooks{
		User: ".codeium/windsurf/hooks.json", Project: ".windsurf/hooks.json", Managed: "/etc/windsurf/hooks.json",
		Fleet: &Fleet{Darwin: "/Library/Application Support/Windsurf/hooks.json"},
		Keys:  []string{"hooks"}, Events: []string{"pre_run_command", "pre_read_code", "pre_write_code", "pre_mcp_tool_use"},
		Entry: `{"command":"{command}","show_output":true}`,
	},
	Belongings: Belongings{
		Folders:      []string{".windsurf"},
		Hooks:        []string{".windsurf/hooks", "~/.codeium/hooks.json", "/etc/windsurf"},
		Servers:      []string{"~/.codeium/mcp_config.json", "~/.codeium/windsurf/mcp_config.json"},
		Commands:     []string{".windsurf/skills/**", ".windsurf/workflows/**", "~/.codeium/windsurf/global_workflows/**", "~/.codeium/windsurf/skills/**"},
		Instructions: []string{".windsurf/rules", ".windsurfrules"},
	},
	Capabilities: []Capability{
		{
			Agent: "windsurf", Client: "Windsurf", Event: "pre_run_command, pre_read_code, pre_write_code", Kind: BeforeTool,
			Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Never, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "understands only exit statuses",
		},
	},
}

func (windsurf) Facts() *Facts { return &windsurfFacts }

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
		server, name := remark(req.Input, "mcp_server_name"), remark(req.Input, "mcp_tool_name")
		req.Call.Tool, req.Input = "mcp__"+server+"__"+name, req.Input.Get("mcp_tool_arguments")
		return req, req.foreign(server, name, at)
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
